//! What sources write where they have no value, such as R's NA, is no value of any field.

use crate::common::Home;
use serde_json::Value;

/// 90 documents as R writes them: a third of parties, ages and dates is NA; "note" has every mark.
fn home() -> Home {
    let home = Home::new();
    let notes = ["NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "", "None", "na", "-"];
    let line = |number: usize| {
        let or_na = |value: String| if number.is_multiple_of(3) { "NA".into() } else { value };
        let party = or_na(["left", "right"][number % 2].into());
        let (age, date) =
            (or_na((20 + number).to_string()), or_na(format!("{}-05-03", 2000 + number % 7)));
        let words = ["xa xb xc xd", "ya yb yc yd"]
            [usize::from(number.is_multiple_of(2) || number.is_multiple_of(5))];
        let note = notes[number % notes.len()];
        format!("d{number},{party},{age},{date},NA,{note},{words} xa yb\n")
    };
    let lines: String = (0..90).map(line).collect();
    let table = format!("id,party,age,date,gone,note,text\n{lines}");
    let file = home.file("speeches.csv", table.as_bytes());
    home.succeeds(&["ingest", "made", &file, "--stop-words", "none", "--min-length", "1"]);
    home.succeeds(&["run", "made", "-k", "2", "--terms", "8", "--min-documents", "2"]);
    home
}

/// A field as `fields` lists it.
fn field(home: &Home, name: &str) -> Value {
    let all = home.json(&["fields", "made", "-o", "json"]);
    let all = all.as_array().expect("fields");
    all.iter().find(|field| field["field"] == name).expect(name).clone()
}

fn groups(home: &Home, command: &[&str], name: &str, key: &str) -> Vec<String> {
    let found = home.json(&[command, &["-o", "json"]].concat());
    let rows = if key.is_empty() { &found } else { &found[key] };
    let rows = rows.as_array().expect("rows").iter();
    let mut names: Vec<String> =
        rows.map(|row| row[name].as_str().expect("a name").to_string()).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn marks_of_missing_values_are_missing_for_every_kind_of_field() {
    let home = home();
    for (name, kind) in [("party", "category"), ("age", "number"), ("date", "date")] {
        let found = field(&home, name);
        assert_eq!(found["kind"], kind, "{found}");
        assert_eq!((&found["without"], &found["marked"]), (&30.into(), &30.into()), "{found}");
        assert_eq!((&found["documents"], &found["unreadable"]), (&60.into(), &0.into()), "{found}");
    }
    let gone = field(&home, "gone");
    assert_eq!((&gone["documents"], &gone["without"]), (&0.into(), &90.into()));
    // Words are words: None, na and - are values.
    let note = field(&home, "note");
    assert_eq!((&note["values"], &note["documents"]), (&3.into(), &21.into()));
    let said = home.command(&["fields", "made"]).output().expect("run");
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    home.keeps(&said);
}

#[test]
fn groups_regressions_words_and_views_leave_documents_with_missing_values_out() {
    let home = home();
    let both = ["left", "right"];
    assert_eq!(groups(&home, &["by", "1", "party"], "party", "shares"), both);
    assert_eq!(groups(&home, &["keywords", "made", "--by", "party"], "party", ""), both);
    let by = home.json(&["by", "1", "party", "-o", "json"]);
    assert_eq!(by["not_grouped"]["without"], serde_json::json!([30]));
    assert!(by["notes"].to_string().contains("left out: 30 documents without party"), "{by}");
    let effects = home.json(&["effects", "1", "~ party + age", "-o", "json"]);
    assert_eq!((&effects["documents"], &effects["left_out"]), (&60.into(), &30.into()));
    let terms = groups(&home, &["effects", "1", "~ party + age"], "term", "estimates");
    assert_eq!(terms, ["(constant)", "age", "party=right"]);
    let view =
        "SELECT DISTINCT value AS party FROM topic_by_field WHERE run_id = 1 AND field = 'party'";
    assert_eq!(groups(&home, &["sql", view], "party", ""), both);
    let against = home.succeeds(&["metrics", "1", "--against", "party"]);
    assert!(against.contains("party, 2 values, documents (60)"), "{against}");
    home.fails(&["by", "1", "gone"]);
    // The documents have what their source has.
    let kept = "SELECT count(*) AS n FROM document WHERE fields ->> 'party' = 'NA'";
    assert_eq!(home.json(&["sql", kept, "-o", "json"])[0]["n"], 30);
}

#[test]
fn which_values_are_missing_is_saved_with_the_corpus() {
    let home = home();
    home.succeeds(&["fields", "made", "--missing", "none"]);
    assert_eq!(groups(&home, &["by", "1", "party"], "party", "shares"), ["NA", "left", "right"]);
    assert_ne!(field(&home, "age")["kind"], "number");
    home.succeeds(&["fields", "made", "--missing", "NA,-"]);
    assert_eq!(groups(&home, &["by", "1", "party"], "party", "shares"), ["left", "right"]);
    assert_eq!(field(&home, "note")["marked"], 15);
    let marks = home.json(&["sql", "SELECT missing FROM corpus", "-o", "json"]);
    assert_eq!(marks[0]["missing"], "[\"NA\",\"-\"]");
}

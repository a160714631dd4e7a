//! How shares of topics depend on fields: made documents whose shares are known to.

use serde_json::Value;

use crate::common::Home;

/// 300 documents of words x and y: of 60, desk a writes 15 of y, desk b 30, and both one more for each year after
/// 2000; "copy" is the year again. A hundred of either word alone have no fields: they tell the topics apart.
fn home() -> Home {
    let home = Home::new();
    let document = |number: usize| {
        let (year, desk) = (2000 + number % 10, if number.is_multiple_of(3) { "b" } else { "a" });
        let of_y = if desk == "b" { 30 } else { 15 } + (year - 2000) + number % 7 - 3;
        let of_y = if number < 300 { of_y } else { 60 * (number % 2) };
        let words = |from: char, count: usize| -> String {
            let word =
                |at: usize| format!("{from}{} ", char::from(b'a' + (number + at * at) as u8 % 7));
            (0..count).map(word).collect()
        };
        let texts = format!("\"text\": \"{}{}\"", words('x', 60 - of_y), words('y', of_y));
        if number >= 300 {
            return format!("{{\"id\": \"pure-{number}\", {texts}}}\n");
        }
        format!(
            "{{\"id\": \"d{number}\", \"desk\": \"{desk}\", \"year\": {year}, \"copy\": {}, \"same\": 1, \
             \"author\": \"a{}\", \"alone\": \"{}\", \"two\": \"{}\", {texts}}}\n",
            2 * year,
            number % 23,
            if number == 5 { "yes" } else { "no" },
            if number < 2 { "yes" } else { "no" },
        )
    };
    let lines: String = (0..400).map(document).collect();
    let more = "{\"id\": \"dateless\", \"desk\": \"a\", \"text\": \"xa ya xb yb xc yc\"}\n";
    let file = home.file("made.jsonl", (lines + more).as_bytes());
    home.succeeds(&["ingest", "made", &file, "--stop-words", "none", "--min-length", "1"]);
    home.succeeds(&["run", "made", "-k", "2", "--terms", "14"]);
    home
}

/// The topic of the words that begin with y.
fn topic_of_y(home: &Home) -> String {
    let of_y = "SELECT topic FROM topic_word WHERE run_id = 1 AND rank = 1 AND word LIKE 'y%'";
    home.json(&["sql", of_y, "-o", "json"])[0]["topic"].to_string()
}

fn estimates(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let topic = topic_of_y(home);
    let all = [&["effects", "1"], arguments, &["--topic", &topic, "-o", "json"]].concat();
    home.json(&all)["estimates"].as_array().expect("rows").clone()
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().expect("a number")
}

/// Whether a row's interval holds what is true, and is no wider than `width`.
fn holds(row: &Value, truth: f64, width: f64) {
    let (low, high) = (number(row, "low"), number(row, "high"));
    assert!(low < truth && truth < high && high - low < width, "{row} of {truth}");
}

#[test]
fn what_the_documents_were_made_with_is_found() {
    let home = home();
    let found = estimates(&home, &["~ desk + year"]);
    let terms: Vec<&str> = found.iter().map(|row| row["term"].as_str().expect("a term")).collect();
    assert_eq!(terms, ["(constant)", "desk=b", "year"]);
    // The two topics share no word, but documents' proportions are drawn towards α: within a hundredth.
    holds(&found[1], 0.25, 0.06);
    holds(&found[2], 1.0 / 60.0, 0.01);
    assert!(number(&found[1], "p") < 1e-9);
    // By year the same, as a spline and as shares at years.
    let at = estimates(&home, &["desk + s(year)", "--at", "year=2000,2009", "--at", "desk=b"]);
    assert_eq!(at[0]["at"], "year=2000 desk=b");
    holds(&at[0], 0.5, 0.1);
    holds(&at[1], 0.65, 0.1);
    // One field several times is every combination, too.
    let at = estimates(&home, &["desk", "--at", "desk=a", "--at", "desk=b", "--at", "desk=a"]);
    let rows: Vec<&str> = at.iter().map(|row| row["at"].as_str().expect("a row")).collect();
    assert_eq!(rows, ["desk=a", "desk=b"]);
    // Seeds draw others, the same seed the same.
    assert_eq!(found, estimates(&home, &["~ desk + year"]));
    assert_ne!(found, estimates(&home, &["~ desk + year", "--seed", "2"]));
    let by_author = estimates(&home, &["~ desk + year", "--cluster", "author"]);
    let off = number(&found[1], "estimate") - number(&by_author[1], "estimate");
    assert!(off.abs() < 0.01, "{off}");
    assert_ne!(found[1]["error"], by_author[1]["error"]);
}

#[test]
fn tables_are_for_people_spreadsheets_and_latex() {
    let home = home();
    let table = home.succeeds(&["effects", "1", "desk * year", "--latex"]);
    assert!(table.starts_with("\\begin{tabular}{lrr}\n\\toprule\n"), "{table}");
    assert!(
        table.contains("desk=b:year & $") && table.contains("Documents & 300 & 300"),
        "{table}"
    );
    let csv = home.succeeds(&["effects", "1", "~ desk", "-o", "csv"]);
    assert!(
        csv.starts_with("topic,name,term,estimate,error,low,high,p,spread,rests_on,documents\n"),
        "{csv}"
    );
    let all = home.json(&["effects", "1", "year", "-o", "json"]);
    assert_eq!((&all["documents"], &all["left_out"]), (&300.into(), &101.into()));
}

#[test]
fn a_level_has_its_documents_and_the_spread_its_error_is_made_of() {
    let home = home();
    let rows = estimates(&home, &["~ desk"]);
    assert_eq!((&rows[1]["documents"], &rows[1]["spread"]), (&100.into(), &"robust".into()));
    let rows = estimates(&home, &["~ desk", "--where", "key < 'd20'"]);
    let few = |row: &Value| row["documents"].as_u64().is_some_and(|n| n < 100);
    assert!(few(&rows[1]) && rows[1]["spread"] != "", "{rows:?}");
    // One document of 300 is alone.
    let one = estimates(&home, &["~ alone"]);
    let p_of = |row: &Value| (row["error"].clone(), row["low"].clone(), row["p"].clone());
    assert_eq!(p_of(&one[1]), (Value::Null, Value::Null, Value::Null));
    assert_eq!((&one[1]["documents"], &one[1]["spread"]), (&1.into(), &"".into()));
    let two = estimates(&home, &["~ two"]);
    assert!(two[1]["documents"] == 2 && two[1]["p"].is_f64(), "{two:?}");
    let clustered = estimates(&home, &["~ two", "--cluster", "author"]);
    assert_eq!(clustered[1]["clusters"], 2);
    let said = home.command(&["effects", "1", "~ alone"]).output().expect("run");
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    home.keeps(&said);
}

#[test]
fn what_cannot_be_estimated_is_one_line() {
    let home = home();
    let refused = |arguments: &[&str]| {
        home.fails(&[&["effects", "1"], arguments].concat());
    };
    refused(&["~ section"]);
    refused(&["~ year + copy"]);
    refused(&["~ same"]);
    refused(&["~ s(desk)"]);
    refused(&["year", "--at", "year=1990"]);
    refused(&["year", "--at", "desk=a"]);
    refused(&["year", "--where", "key < 'd10'"]);
    refused(&["~ desk:author"]);
    refused(&["~ desk +"]);
    refused(&["desk", "--topic", "7"]);
}

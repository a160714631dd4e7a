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
             \"minus\": {}, \"unread\": \"May {} or so\", \"author\": \"a{}\", \"alone\": \"{}\", \"two\": \"{}\", {texts}}}\n",
            2 * year,
            (number % 5) as i32 - 1,
            number % 9,
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

/// Checks that an estimate is near the truth, and its interval no wider than `width`. The topics that are found
/// differ a little from those that documents were made with.
fn near(row: &Value, truth: f64, width: f64) {
    let (low, high) = (number(row, "low"), number(row, "high"));
    let off = (number(row, "estimate") / truth - 1.0).abs();
    assert!(off < 0.06 && high - low < width, "{row} of {truth}");
}

#[test]
fn what_the_documents_were_made_with_is_found() {
    let home = home();
    let found = estimates(&home, &["~ desk + year"]);
    let terms: Vec<&str> = found.iter().map(|row| row["term"].as_str().expect("a term")).collect();
    assert_eq!(terms, ["(constant)", "desk=b", "year"]);
    // The two topics share no word.
    near(&found[1], 0.25, 0.06);
    near(&found[2], 1.0 / 60.0, 0.01);
    assert!(number(&found[1], "p") < 1e-9);
    // By year the same, as a spline and as shares at years.
    let at = estimates(&home, &["desk + s(year)", "--at", "year=2000,2009", "--at", "desk=b"]);
    assert_eq!(at[0]["at"], "year=2000 desk=b");
    near(&at[0], 0.5, 0.1);
    near(&at[1], 0.65, 0.1);
    // One field several times is every combination, too.
    let at = estimates(&home, &["desk", "--at", "desk=a", "--at", "desk=b", "--at", "desk=a"]);
    let rows: Vec<&str> = at.iter().map(|row| row["at"].as_str().expect("a row")).collect();
    assert_eq!(rows, ["desk=a", "desk=b"]);
    assert_eq!(found, estimates(&home, &["~ desk + year"]));
    let by_author = estimates(&home, &["~ desk + year", "--cluster", "author"]);
    assert_eq!(found[1]["estimate"], by_author[1]["estimate"]);
    assert_ne!(found[1]["error"], by_author[1]["error"]);
    let both_ways = estimates(&home, &["~ desk + year", "--cluster", "author,year"]);
    assert_ne!(both_ways[1]["error"], by_author[1]["error"]);
    // Posterior means are drawn towards the prior.
    let posterior = estimates(&home, &["~ desk + year", "--shares", "posterior"]);
    let of_linear = number(&posterior[1], "estimate") / number(&found[1], "estimate");
    assert!((0.9..0.999).contains(&of_linear), "{of_linear}");
}

/// Differences, slopes and tests are those of the coefficients that they are made of.
#[test]
fn differences_slopes_and_tests_follow_from_the_coefficients() {
    let home = home();
    let found = estimates(&home, &["~ desk + year"]);
    let same = |row: &Value, coefficient: &Value, sign: f64| {
        for name in ["estimate", "error", "p"] {
            let sign = if name == "estimate" { sign } else { 1.0 };
            let (one, other) = (number(row, name), sign * number(coefficient, name));
            assert!((one - other).abs() <= 1e-6 * other.abs() + 1e-12, "{row} {coefficient}");
        }
    };
    let contrast = estimates(&home, &["~ desk + year", "--contrast", "desk=a,b"]);
    assert_eq!(contrast[0]["at"], "desk=a - b");
    same(&contrast[0], &found[1], -1.0);
    let marginal = estimates(&home, &["~ desk + year", "--marginal", "year,desk"]);
    assert_eq!(marginal[0]["at"], "slope of year");
    same(&marginal[0], &found[2], 1.0);
    same(&marginal[1], &found[1], 1.0);
    // With an interaction the difference depends on the year, and is its own at each.
    let at = ["~ desk * year", "--contrast", "desk=b,a", "--at", "year=2000,2009"];
    let by_year = estimates(&home, &at);
    assert_eq!(by_year[1]["at"], "year=2009: desk=b - a");
    near(&by_year[0], 0.25, 0.1);
    let absorbed = estimates(&home, &["~ desk + year", "--absorb", "author"]);
    let terms: Vec<&Value> = absorbed.iter().map(|row| &row["term"]).collect();
    assert_eq!(terms, ["desk=b", "year"]);
    near(&absorbed[0], 0.25, 0.06);
    let weighted = estimates(&home, &["~ desk + year", "--weights", "tokens"]);
    // All documents with a desk and a year have sixty tokens.
    same(&weighted[1], &found[1], 1.0);
    let reference = estimates(&home, &["~ C(desk, ref=b) + year"]);
    same(&reference[1], &found[1], -1.0);
    let topic = topic_of_y(&home);
    let arguments = ["effects", "1", "~ desk + s(year, 3)", "--topic", &topic, "-o", "json"];
    let tests = home.json(&arguments)["tests"].as_array().expect("tests").clone();
    assert_eq!((&tests[0]["term"], &tests[1]["above"]), (&"desk".into(), &3.0.into()));
    assert!(number(&tests[1], "p") < 1e-9, "{tests:?}");
    let squared = number(&found[1], "estimate") / number(&found[1], "error");
    let one = home.json(&["effects", "1", "~ desk + year", "--topic", &topic, "-o", "json"]);
    let f = number(&one["tests"][0], "f");
    assert!((f / squared.powi(2) - 1.0).abs() < 1e-6, "{f} {squared}");
    // Both topics' shares sum to 1, but for rounding, so that Holm's p of both is twice the smaller.
    let adjusted = ["effects", "1", "~ desk + year", "--adjust", "holm", "-o", "json"];
    let adjusted = home.json(&adjusted)["estimates"].as_array().expect("rows").clone();
    let of_year: Vec<&Value> = adjusted.iter().filter(|row| row["term"] == "year").collect();
    assert_eq!(of_year.len(), 2);
    let smaller = number(of_year[0], "p").min(number(of_year[1], "p"));
    for row in of_year {
        assert!((number(row, "p_adjusted") / smaller - 2.0).abs() < 1e-9, "{row}");
        assert!((number(row, "p") / smaller).ln().abs() < 1e-3, "{row}");
    }
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
    let head = "topic,name,term,estimate,error,low,high,p,spread,rests_on,degrees,documents\n";
    assert!(csv.starts_with(head), "{csv}");
    let csv = home.succeeds(&["effects", "1", "~ desk + s(year)", "--test", "-o", "csv"]);
    assert!(csv.starts_with("topic,name,term,f,above,below,p\n"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
    let all = home.json(&["effects", "1", "year", "-o", "json"]);
    assert_eq!((&all["documents"], &all["left_out"]), (&300.into(), &101.into()));
}

/// The errors are larger where the topics of halves of the documents differ.
#[test]
fn the_uncertainty_of_topics_is_added_where_halves_were_run() {
    let home = home();
    home.fails(&["effects", "1", "~ desk", "--topics-uncertain"]);
    home.succeeds(&["stability", "1", "--seeds", "0", "--halves", "2"]);
    let alone = estimates(&home, &["~ desk + year"]);
    let with = estimates(&home, &["~ desk + year", "--topics-uncertain"]);
    for (alone, with) in alone.iter().zip(&with) {
        assert_eq!(alone["estimate"], with["estimate"]);
        let grown = number(with, "error") / number(alone, "error");
        assert!((1.0..3.0).contains(&grown), "{grown}");
    }
    let said = home.json(&["effects", "1", "~ desk", "--topics-uncertain", "-o", "json"]);
    assert_eq!(said["halves"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_level_has_its_documents_and_the_spread_its_error_is_made_of() {
    let home = home();
    let rows = estimates(&home, &["~ desk"]);
    assert_eq!((&rows[1]["documents"], &rows[1]["spread"]), (&100.into(), &"own".into()));
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
    refused(&["~ log(minus)"]);
    refused(&["~ C(desk, ref=z)"]);
    refused(&["~ desk + tan(year)"]);
    refused(&["~ year", "--weights", "minus"]);
    refused(&["~ year", "--weights", "desk"]);
    refused(&["~ year", "--cluster", "same"]);
    refused(&["~ year", "--cluster", "section"]);
    refused(&["~ desk", "--absorb", "desk"]);
    refused(&["~ desk", "--absorb", "author", "--at", "desk=a"]);
    refused(&["~ desk", "--contrast", "desk=a"]);
    refused(&["~ desk", "--contrast", "desk=a,z"]);
    refused(&["~ desk", "--marginal", "year"]);
    let set = "INSERT INTO field_kind SELECT id, 'unread', 'date' FROM corpus";
    home.succeeds(&["sql", "--write", set]);
    refused(&["~ unread"]);
    refused(&["year", "--at", "year=1990"]);
    refused(&["year", "--at", "desk=a"]);
    refused(&["year", "--where", "key < 'd10'"]);
    refused(&["~ desk:author"]);
    refused(&["~ desk +"]);
    refused(&["desk", "--topic", "7"]);
}

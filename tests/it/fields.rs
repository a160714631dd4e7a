//! Fields with kinds, the topics of a run in groups and over time, words that distinguish groups, and one file of
//! documents with all of it.

use std::collections::BTreeMap;

use crate::common::Home;
use serde_json::Value;

/// Documents of two themes: x until 2004, then more and more of y, and desk "a" writes of x, "b" of y.
fn home() -> Home {
    let home = Home::new();
    let document = |number: usize| {
        let words = |from: char, count: usize| -> String {
            let word =
                |at: usize| format!("{from}{} ", char::from(b'a' + (number + at * at) as u8 % 7));
            (0..count).map(word).collect()
        };
        let year = 2000 + number % 10;
        let of_y = if year < 2005 { 2 } else { 2 + 4 * (year - 2004) };
        let of_y = (of_y + number % 3).min(28);
        let desk = if of_y > 14 { "b" } else { "a" };
        let when = match number {
            7 => "some day".into(),
            8 => String::new(),
            _ => format!("{} {} {year}", 1 + number % 28, ["March", "July", "October"][number % 3]),
        };
        format!(
            "{{\"id\": \"d{number}\", \"desk\": \"{desk}\", \"when\": \"{when}\", \"year\": {year}, \
             \"length\": {}, \"same\": \"one\", \"text\": \"{}{}\"}}\n",
            100 + 7 * number,
            words('x', 30 - of_y),
            words('y', of_y)
        )
    };
    let lines: String = (0..200).map(document).collect();
    let short = "{\"id\": \"short\", \"text\": \"xa\"}\n{\"id\": \"other\", \"text\": \"zzz\"}\n";
    let file = home.file("fields.jsonl", (lines + short).as_bytes());
    home.succeeds(&["ingest", "made", &file, "--stop-words", "none", "--min-length", "1"]);
    home.succeeds(&["run", "made", "-k", "2", "--terms", "14", "--min-documents", "2"]);
    home
}

fn rows(home: &Home, query: &str) -> Vec<Value> {
    home.json(&["sql", query, "-o", "json"]).as_array().expect("rows").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The topic of the words that begin with y.
fn topic_of_y(home: &Home) -> u64 {
    let of_y = "SELECT topic FROM topic_word WHERE run_id = 1 AND rank = 1 AND word LIKE 'y%'";
    rows(home, of_y)[0]["topic"].as_u64().expect("a topic")
}

#[test]
fn the_query_that_everyone_writes_first_is_right() {
    let home = home();
    let sums = "SELECT count(*) AS n, sum(proportion) AS sum FROM document_topic WHERE run_id = 1 \
                GROUP BY document_id";
    let sums = rows(&home, sums);
    assert_eq!(sums.len(), 200);
    for row in sums {
        assert!(row["n"] == 2 && (number(&row["sum"]) - 1.0).abs() < 1e-12, "{row}");
    }
    let naive = "SELECT fields ->> 'year' AS year, topic, avg(proportion) AS share FROM document_topic \
                 JOIN document ON document.id = document_id WHERE run_id = 1 GROUP BY 1, 2";
    let naive: BTreeMap<(String, u64), f64> = rows(&home, naive)
        .iter()
        .map(|row| {
            let year = row["year"].to_string();
            ((year, row["topic"].as_u64().expect("t")), number(&row["share"]))
        })
        .collect();
    let by = |estimate: &str| -> BTreeMap<(String, u64), f64> {
        let told = home.json(&["by", "1", "year", "--shares", estimate, "-o", "json"]);
        let one = |row: &Value| {
            let year = row["year"].as_str().expect("year").to_string();
            ((year, row["topic"].as_u64().expect("t")), number(&row["share"]))
        };
        told["shares"].as_array().expect("shares").iter().map(one).collect()
    };
    let same = |one: &BTreeMap<(String, u64), f64>, other: &BTreeMap<(String, u64), f64>| {
        assert!(one.keys().eq(other.keys()));
        assert!(one.values().zip(other.values()).all(|(a, b)| (a - b).abs() < 1e-12), "{one:?}");
    };
    let (posterior, linear) = (by("posterior"), by("linear"));
    same(&posterior, &naive);
    // Linear estimates are not drawn towards the middle.
    let far = |shares: &BTreeMap<(String, u64), f64>| -> f64 {
        shares.values().map(|share| (share - 0.5).abs()).sum()
    };
    assert!(far(&linear) > 1.01 * far(&naive), "{linear:?} {naive:?}");
    for (view, value, column, expected) in [
        ("topic_by_field", "value", "mean_proportion", &posterior),
        ("topic_by_time", "year", "mean_proportion", &posterior),
        ("share_by_field", "value", "share", &linear),
        ("share_by_time", "year", "share", &linear),
    ] {
        let query = format!(
            "SELECT {value} AS year, topic, {column} AS share FROM {view} \
             WHERE run_id = 1 AND field = 'year'"
        );
        let one = |row: &Value| {
            ((row["year"].to_string(), row["topic"].as_u64().expect("t")), number(&row["share"]))
        };
        same(&rows(&home, &query).iter().map(one).collect(), expected);
    }
}

#[test]
fn means_of_groups_that_are_computed_here_are_those_of_the_schema_s_views() {
    let home = home();
    // Other kinds of values, and missing ones.
    home.succeeds(&["sql", "--write", "UPDATE document SET fields = json_object('mixed', CASE id % 7 \
        WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN id % 3 WHEN 3 THEN 'a ' WHEN 4 THEN 'NA' \
        WHEN 5 THEN json('[1,2]') ELSE 0.5 END, 'day', CASE id % 5 WHEN 0 THEN '1999-05-0' || (1 + id % 9) \
        WHEN 1 THEN 2001 + id % 3 WHEN 2 THEN '20040101' WHEN 3 THEN 'soon' ELSE 'NA' END)"]);
    home.succeeds(&["sql", "--write", "UPDATE corpus SET missing = json_array('NA')"]);
    for (view, of, groups) in [("topic_by_field", "value", 20), ("topic_by_time", "year", 5)] {
        let all = |schema: &str, run: &str| {
            let query = format!(
                "SELECT run_id, field, {of} AS of, topic, documents, mean_proportion FROM {schema}{view} WHERE run_id = {run} \
                 ORDER BY 1, 2, 3, 4"
            );
            rows(&home, &query)
        };
        let (here, of_schema) = (all("", "1"), all("main.", "1"));
        assert_eq!((here.len(), of_schema.len()), (groups * 2, groups * 2), "{view}");
        for (a, b) in here.iter().zip(&of_schema) {
            for column in ["run_id", "field", "of", "topic", "documents"] {
                assert_eq!(a[column], b[column], "{view}");
            }
            let (one, other) = (number(&a["mean_proportion"]), number(&b["mean_proportion"]));
            assert!((one - other).abs() < 1e-12, "{view}: {a} {b}");
        }
        assert!(all("", "9").is_empty());
    }
    let none = "SELECT * FROM topic_by_field WHERE run_id = 1 AND field = 'gone'";
    assert!(rows(&home, none).is_empty());
}

#[test]
fn documents_that_are_left_out_have_a_reason() {
    let home = home();
    let left = "SELECT key, reason, left_out_document.tokens AS tokens FROM left_out_document \
                JOIN document ON document.id = document_id ORDER BY key";
    let left: Vec<String> = rows(&home, left).iter().map(Value::to_string).collect();
    assert_eq!(
        left,
        [
            r#"{"key":"other","reason":"no term","tokens":0}"#,
            r#"{"key":"short","reason":"too short","tokens":1}"#
        ]
    );
    let told = home.succeeds(&["watch", "1"]);
    let line = "made from 200 documents, 6,000 tokens; 2 documents left out: 1 with no term of the \
                vocabulary (--terms), 1 with fewer than 5 tokens of the vocabulary (1 token in all; \
                --min-tokens, --terms)";
    assert!(told.contains(line), "{told}");
    let report = home.json(&["watch", "1", "-o", "json"]);
    assert_eq!(report["documents"]["left_out"], 2);
    let page = home.path("page.html").to_string_lossy().into_owned();
    let told = home.succeeds(&["export", "1", "--to", "html", "-o", &page]);
    assert!(told.ends_with(&format!("{line}\n")), "{told}");
    assert!(
        std::fs::read_to_string(&page).expect("page").contains("2 documents left out: 1 with no")
    );
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn kinds_of_fields_are_recognised_and_can_be_set() {
    let home = home();
    let kinds = |home: &Home| -> BTreeMap<String, (String, u64, u64)> {
        let found = home.json(&["fields", "made", "-o", "json"]);
        let one = |row: &Value| {
            let text = |name: &str| row[name].as_str().expect("text").to_string();
            let count = |name: &str| row[name].as_u64().expect("count");
            (text("field"), (text("kind"), count("without"), count("unreadable")))
        };
        found.as_array().expect("rows").iter().map(one).collect()
    };
    let found = kinds(&home);
    let kind = |name: &str, kind: &str, without: u64, unreadable: u64| {
        assert_eq!(found[name], (kind.into(), without, unreadable), "{name}");
    };
    kind("desk", "category", 2, 0);
    kind("when", "date", 3, 1);
    kind("year", "date", 2, 0);
    kind("length", "number", 2, 0);
    kind("same", "category", 2, 0);
    home.succeeds(&["fields", "made", "--set", "year=category"]);
    assert_eq!(kinds(&home)["year"].0, "category");
    home.fails(&["fields", "made", "--set", "nothing=date"]);
}

#[test]
fn groups_differ_as_they_were_made_to_and_every_cell_of_them_sums_to_one() {
    let home = home();
    let y = topic_of_y(&home);
    let found = home.json(&["by", "1", "desk", "-o", "json"]);
    let shares = found["shares"].as_array().expect("shares");
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for row in shares {
        *sums.entry(row["desk"].as_str().expect("desk")).or_default() += number(&row["share"]);
        let [share, low, high] = ["share", "low", "high"].map(|name| number(&row[name]));
        assert!(low < share && share < high, "{row}");
        let is_more = (row["desk"] == "b") == (row["topic"].as_u64() == Some(y));
        let surely =
            if is_more { number(&row["difference_low"]) } else { -number(&row["difference_high"]) };
        assert!(surely > 0.2, "{row}");
    }
    assert!(sums.len() == 2 && sums.values().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");

    let time = ["by", "1", "when", "--topic", &y.to_string(), "--per", "year", "-o", "json"];
    let found = home.json(&time);
    let shares = found["shares"].as_array().expect("shares");
    let years: Vec<&str> = shares.iter().map(|row| row["when"].as_str().expect("year")).collect();
    assert_eq!(
        years,
        ["2000", "2001", "2002", "2003", "2004", "2005", "2006", "2007", "2008", "2009"]
    );
    let share = |at: usize| number(&shares[at]["share"]);
    assert!((0..4).all(|at| (share(at) - share(4)).abs() < 0.05));
    assert!((5..9).all(|at| share(at + 1) > share(at)) && share(9) > 0.6);
    assert!(number(&shares[9]["smooth_low"]) > number(&shares[2]["smooth_high"]));
    let notes = found["notes"].to_string();
    assert!(
        notes.contains("left out: 1 document without when") && notes.contains("\\\"some day\\\""),
        "{notes}"
    );
    for (per, groups) in [("decade", 1), ("quarter", 30), ("month", 30)] {
        let found = home.json(&["by", "1", "when", "--per", per, "-o", "json"]);
        assert_eq!(found["groups"], groups, "{per}");
    }
    let crossed = home.json(&["by", "1", "--by", "desk,length", "-o", "json"]);
    assert!(number(&crossed["groups"]) <= 10.0);
    let weighed = home.json(&["by", "1", "desk", "--weight", "tokens", "-o", "json"]);
    assert_eq!(weighed["weight"], "tokens");
    let some = ["by", "1", "desk", "--where", "fields ->> 'year' < 2003", "-o", "json"];
    assert_eq!(home.json(&some)["not_grouped"]["other"], 140);
}

#[test]
fn what_makes_no_groups_is_told_on_one_line() {
    let home = home();
    home.fails(&["by", "1", "nothing"]);
    home.fails(&["by", "1", "desk", "--per", "month"]);
    home.fails(&["by", "1", "desk", "--topic", "7"]);
    home.fails(&["by", "1", "desk", "--where", "1 = 0"]);
    home.fails(&["by", "1", "desk", "--where", "nonsense("]);
    home.fails(&["by", "1", "year", "--per", "week"]);
    home.fails(&["fields", "made", "--set", "desk=date"]);
    let set = "INSERT INTO field_kind SELECT id, 'desk', 'date' FROM corpus";
    home.succeeds(&["sql", "--write", set]);
    home.fails(&["by", "1", "desk"]);
    home.succeeds(&["run", "made", "-k", "2", "--terms", "14", "--no-documents"]);
    home.fails(&["by", "2", "year"]);
    let output = home.command(&["by", "1", "same"]).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    home.keeps(&told);
    let output =
        home.command(&["by", "1", "length", "--where", "key = 'd1'"]).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    home.keeps(&told);
}

#[test]
fn words_that_distinguish_groups_are_those_they_were_made_with() {
    let home = home();
    let first = |arguments: &[&str]| -> BTreeMap<String, String> {
        let found = home.json(&[&["keywords", "made"], arguments, &["-o", "json"]].concat());
        let mut first = BTreeMap::new();
        for row in found.as_array().expect("rows") {
            assert!(number(&row["z"]) > 0.0);
            if row["rank"] == 1 {
                let text = |name: &str| row[name].as_str().expect("text").to_string();
                first.insert(text("desk"), text("word"));
            }
        }
        first
    };
    let found = first(&["--by", "desk"]);
    assert!(found["a"].starts_with('x') && found["b"].starts_with('y'), "{found:?}");
    let y = topic_of_y(&home).to_string();
    let within = ["--by", "desk", "--run", "1", "--topic", &y, "--words", "3"];
    assert!(!first(&within).is_empty());
    home.fails(&["keywords", "made", "--by", "nothing"]);
    home.fails(&["keywords", "made", "--by", "desk", "--run", "1", "--topic", "9"]);
}

#[test]
fn one_file_has_documents_with_their_fields_and_topics() {
    let home = home();
    let place = |name: &str| home.path(name).to_string_lossy().into_owned();
    let (csv, lines) = (place("d.csv"), place("d.jsonl"));
    home.succeeds(&["export", "1", "--to", "documents-csv", "-o", &csv]);
    home.succeeds(&["export", "1", "--to", "documents-jsonl", "-o", &lines]);
    let mut reader = csv::Reader::from_path(&csv).expect("CSV");
    let head: Vec<String> = reader.headers().expect("head").iter().map(String::from).collect();
    let expected = [
        "document", "title", "tokens", "left_out", "desk", "length", "same", "when", "year",
        "topic_0", "topic_1",
    ];
    assert_eq!(head, expected);
    let objects = std::fs::read_to_string(&lines).expect("lines");
    let records: Vec<csv::StringRecord> =
        reader.records().map(|row| row.expect("a record")).collect();
    assert_eq!((records.len(), objects.lines().count()), (202, 202));
    for (record, line) in records.iter().zip(objects.lines()).skip(200) {
        let object: Value = serde_json::from_str(line).expect("JSON");
        let reason = if &record[0] == "short" { "too short" } else { "no term" };
        assert_eq!((&record[3], &record[10]), (reason, ""));
        assert_eq!((&object["left_out"], object.get("topic_0")), (&Value::from(reason), None));
    }
    for (record, line) in records.iter().zip(objects.lines()).take(200) {
        let object: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(&record[0], object["document"].as_str().expect("key"));
        assert_eq!((&record[3], &object["left_out"]), ("", &Value::Null));
        assert_eq!(record[8], object["year"].to_string());
        let topics = [9, 10].map(|at| record[at].parse::<f64>().expect("a share"));
        assert!((topics[0] + topics[1] - 1.0).abs() < 1e-12);
        assert_eq!(topics[1], number(&object["topic_1"]));
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_same_table_with_numbers_as_numbers() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    let home = home();
    let place = |name: &str| home.path(name).to_string_lossy().into_owned();
    let (csv, parquet) = (place("d.csv"), place("d.parquet"));
    home.succeeds(&["export", "1", "--to", "documents-csv", "--raw", "-o", &csv]);
    home.succeeds(&["export", "1", "--to", "documents-parquet", "-o", &parquet]);
    let mut reader = csv::Reader::from_path(&csv).expect("CSV");
    let head: Vec<String> = reader.headers().expect("head").iter().map(String::from).collect();
    let mut records = reader.records().map(|row| row.expect("a record"));
    let file = std::fs::File::open(&parquet).expect("a file");
    let batches = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build();
    let mut numbers = 0;
    for batch in batches.expect("a reader").map(|batch| batch.expect("rows")) {
        let names: Vec<String> =
            batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, head);
        for (row, record) in (0..batch.num_rows()).zip(&mut records) {
            for (column, cell) in batch.columns().iter().zip(&record) {
                assert_eq!(column.is_null(row), cell.is_empty(), "{record:?}");
                if let Some(texts) = column.as_string_opt::<i32>() {
                    assert_eq!(texts.value(row), cell);
                } else if let Some(tokens) = column.as_primitive_opt::<Int64Type>() {
                    assert_eq!(tokens.value(row).to_string(), cell);
                } else if !column.is_null(row) {
                    let number = column.as_primitive::<Float64Type>().value(row);
                    assert_eq!(number, cell.parse::<f64>().expect("a number"));
                    numbers += 1;
                }
            }
        }
    }
    assert!(records.next().is_none());
    // Two topics and the year of every document at least.
    assert!(numbers >= 3 * 200, "{numbers}");
}

#[test]
fn the_page_of_fields_has_a_row_for_every_kind() {
    let page = include_str!("../../docs/reference/fields.md");
    for kind in topoi_core::fields::kind::BY_LOOKS {
        assert!(page.contains(&format!("\n| {} | ", kind.name())), "{}", kind.name());
    }
}

/// Where topics do not make up the words of documents, as singular vectors do not, that is said.
#[test]
fn topics_that_do_not_make_up_the_documents_are_said_to_give_no_shares() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--model", "svd"]);
    let is_said = |arguments: &[&str]| {
        let told = home.json(&[arguments, &["-o", "json"]].concat());
        let notes = told["notes"].as_array().expect("notes");
        notes.iter().any(|note| note.as_str().expect("a note").contains("no mixture"))
    };
    assert!(!is_said(&["by", "1", "subject"]) && !is_said(&["effects", "1", "~ subject"]));
    assert!(is_said(&["by", "2", "subject"]) && is_said(&["effects", "2", "~ subject"]));
    assert!(!is_said(&["by", "2", "subject", "--shares", "posterior"]));
}

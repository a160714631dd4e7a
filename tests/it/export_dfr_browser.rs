//! What dfr-browser is told of documents and their fields.

use std::io::Read;
use std::path::Path;

use crate::common::Home;
use serde_json::Value;

/// The one entry of a zip file written by dfr-browser's export.
fn unzipped(path: &Path) -> String {
    let file = std::fs::read(path).expect("a file");
    let length = |at: usize| usize::from(file[at]) | usize::from(file[at + 1]) << 8;
    let mut text = String::new();
    let content = &file[30 + length(26) + length(28)..];
    flate2::read::DeflateDecoder::new(content).read_to_string(&mut text).expect("deflated");
    text
}

/// dfr-browser's `meta.csv` and `VIS` of a run of documents with these fields.
fn browser_data(fields: &[&str], arguments: &[&str]) -> (String, Value) {
    let home = Home::new();
    let line = |(number, fields): (usize, &&str)| {
        let text = ["oak elm ash fig yew oak", "saw axe bit awl nail saw"][number % 2];
        format!("{{\"id\": \"d{number}\", \"text\": \"{text}\"{fields}}}\n")
    };
    let lines: String = fields.iter().enumerate().map(line).collect();
    std::fs::write(home.path("d.jsonl"), lines).expect("write");
    home.succeeds(&["ingest", "trees", &home.path("d.jsonl").to_string_lossy()]);
    home.succeeds(&["run", "trees", "-k", "2"]);
    let place = home.path("dfr");
    let named = place.to_string_lossy().into_owned();
    let mut all = vec!["export", "1", "--to", "dfr-browser", "-o", named.as_str()];
    all.extend(arguments);
    home.succeeds(&all);
    let info = std::fs::read_to_string(place.join("info.json")).expect("a file");
    let info: Value = serde_json::from_str(&info).expect("JSON");
    (unzipped(&place.join("meta.csv.zip")), info["VIS"].clone())
}

#[test]
fn dfr_browser_gets_authors_titles_sources_and_dates_and_spreads_topics_over_time() {
    let fields = [
        r#", "Author": ["A. Oak", {"name": "B. <Elm>"}], "title": "One", "journal": "J", "year": 1999"#,
        r#", "authors": "C", "date": "2003-05-06", "page": 7"#,
        r#", "year": "2001""#,
        r#", "date": "3 March 2000""#,
    ];
    let (meta, vis) = browser_data(&fields, &[]);
    assert_eq!(
        meta,
        "author,title,source,published,document,date\n\
         \"A. Oak, B. &lt;Elm&gt;\",One,J,1999,d0,1999\n\
         C,,,2003-05-06,d1,2003-05-06\n,,,2001,d2,2001\n,,,3 March 2000,d3,2000-03-03\n"
    );
    let condition = serde_json::json!(
        { "type": "time", "name": "year", "spec": { "field": "date", "unit": "year", "n": 1 } }
    );
    assert_eq!(vis["condition"], condition);
    assert_eq!(vis["metadata"]["spec"]["date_field"], serde_json::json!(["date"]));
}

#[test]
fn dfr_browser_spreads_over_years_where_dates_are_missing_or_over_a_field_that_is_named() {
    let fields = [r#", "date": "1999-01-02", "by-line": "x""#, r#", "by-line": "y""#];
    let (meta, vis) = browser_data(&fields, &[]);
    assert_eq!(meta, "published,document,year\n1999-01-02,d0,1999\n,d1,undated\n");
    assert_eq!(vis["condition"]["type"], "ordinal");
    assert_eq!(vis["metadata"]["spec"]["date_field"], serde_json::json!([]));
    let (meta, vis) = browser_data(&fields, &["--by", "by-line"]);
    assert_eq!(meta, "published,document,group\n1999-01-02,d0,x\n,d1,y\n");
    let condition =
        serde_json::json!({ "type": "ordinal", "name": "by-line", "spec": { "field": "group" } });
    assert_eq!(vis["condition"], condition);
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    home.fails(&["export", "1", "--to", "dfr-browser", "--by", "x"]);
    home.fails(&["export", "1", "--to", "csv", "--by", "x"]);
}

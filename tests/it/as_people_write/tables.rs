//! Tables, JSON and counts as programs write them.

use super::{PLAIN, terms};
use crate::common::Home;
use crate::common::files::{ods, xlsx};

#[test]
fn columns_are_parted_by_what_the_file_has() {
    let expected = "ships sea bread";
    let files: [(&str, &str); 9] = [
        ("a.csv", "id,text,year\n1,\"ships, sea\",1999\n2,bread,2000\n"),
        ("a.csv", "id;text;year\n1;ships, sea;1999\n2;bread;2000\n"),
        ("a.csv", "id|text|year\n1|ships, sea|1999\n2|bread|2000\n"),
        ("a.csv", "id\ttext\tyear\n1\tships, sea\t1999\n2\tbread\t2000\n"),
        ("a.csv", "sep=;\nid;text\n1;ships, sea\n2;bread\n"),
        ("a.csv", "sep=|\r\nid|text\r\n1|ships, sea\r\n2|bread\r\n"),
        ("a.csv", "ID,Text\n1,\"ships, sea\"\n2,bread\n"),
        ("a.csv", "id,text\n1,\"ships \\\"sea, \\\"\"\n2,bread\n"),
        ("a.tsv", "TEXT\tID\nships sea\t1\nbread\t2\n"),
    ];
    for (name, content) in files {
        assert_eq!(terms(name, content.as_bytes(), &PLAIN), expected, "{content}");
    }
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("id\ttext\r\n1\tships sea\r\n2\tbread\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(terms("excel.txt", &wide, &["--format", "tsv", "--stop-words", "none"]), expected);
    let colon = b"id:text\n1:ships sea\n2:bread\n";
    assert_eq!(terms("a.csv", colon, &["--delimiter", ":", "--stop-words", "none"]), expected);
    let preamble = b"Export of library\nmade 2024\nid,text\n1,ships sea\n2,bread\n";
    assert_eq!(terms("a.csv", preamble, &["--header-line", "3", "--stop-words", "none"]), expected);
}

#[test]
fn json_is_read_as_programs_write_it() {
    let lines = [
        r#"{"text": "ships", "score": NaN}"#,
        r#"{"text": "sea \ud83d", "low": -Infinity},"#,
        r#"{"text": ["bread", "butter"], "title": 1984}"#,
        r#"{"text": null, "title": false}"#,
        r#"{"text": 1984}"#,
    ];
    assert_eq!(terms("a.jsonl", lines.join("\n").as_bytes(), &PLAIN), "ships sea bread butter");
    let nested = br#"{"data": {"text": "ships sea"}, "meta": {"id": "x"}}"#;
    let options = ["--text-field", "data.text", "--id-field", "meta.id"];
    assert_eq!(terms("a.jsonl", nested, &options), "ships sea");
    let home = Home::new();
    for content in [
        "[{\"text\": \"a\"}]",
        "[\n{\"text\": \"a\"}\n]",
        "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b\"\n}",
    ] {
        let file = home.file("a.jsonl", content.as_bytes());
        let error = home.fails(&["ingest", "c", &file]);
        assert!(error.contains("jq -c"), "{error}");
    }
}

#[test]
fn a_vocabulary_in_quotes_is_of_the_words_within() {
    let home = Home::new();
    let counts = home.file("c.ldac", b"2 0:1 1:2\n1 2:3\n");
    home.file("c.ldac.vocab", b"\"ship\"\n\"harbour\"\n\"captain\"\n");
    home.succeeds(&["ingest", "c", &counts]);
    let query = "SELECT group_concat(text) AS terms FROM (SELECT text FROM term ORDER BY position)";
    let found = home.json(&["sql", query, "-o", "json"]);
    assert_eq!(found[0]["terms"], "ship,harbour,captain");
}

#[test]
fn merged_cells_are_all_of_their_value() {
    let cell = |text: &str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let rows = [["author", "text"], ["Melville", "ships"], ["", "sea"], ["Austen", "bread"]];
    let rows: String = (1..)
        .zip(rows)
        .map(|(at, row)| format!("<row r=\"{at}\">{}</row>", row.map(cell).concat()))
        .collect();
    let with_merge =
        format!("{rows}</sheetData><mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells><sheetData>");
    let ods_rows = "<table:table-row><table:table-cell><text:p>author</text:p></table:table-cell><table:table-cell><text:p>text</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell table:number-rows-spanned=\"2\"><text:p>Melville</text:p></table:table-cell><table:table-cell><text:p>ships</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:covered-table-cell/><table:table-cell><text:p>sea</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell><text:p>Austen</text:p></table:table-cell><table:table-cell><text:p>bread</text:p></table:table-cell></table:table-row>";
    for (name, content) in [
        ("a.xlsx", xlsx(&[("a", &with_merge)])),
        ("a.ods", ods(&format!("<table:table table:name=\"a\">{ods_rows}</table:table>"))),
    ] {
        let home = Home::new();
        home.succeeds(&["ingest", "c", &home.file(name, &content)]);
        let fields = home.json(&["fields", "c", "-o", "json"]);
        assert_eq!(fields[0]["commonest"], "Melville (2), Austen (1)", "{name}: {fields}");
    }
    // Merged cells that overlap or lie beyond the sheet, as no program writes them, do no harm.
    let merged = "<mergeCell ref=\"A2:XFD3\"/>".repeat(1000) + "<mergeCell ref=\"B2:B1048576\"/>";
    let broken = format!("{rows}</sheetData><mergeCells>{merged}</mergeCells><sheetData>");
    let home = Home::new();
    let file = home.file("broken.xlsx", &xlsx(&[("a", &broken)]));
    home.succeeds(&["ingest", "c", &file]);
    let reversed =
        rows + "</sheetData><mergeCells><mergeCell ref=\"C9:A1\"/></mergeCells><sheetData>";
    let file = home.file("reversed.xlsx", &xlsx(&[("a", &reversed)]));
    assert!(home.fails(&["ingest", "d", &file]).contains("\"C9:A1\" are merged"));
}

#[test]
fn a_matrix_that_r_writes_by_column_is_read() {
    let home = Home::new();
    home.file("words.txt", b"ship\nharbour\ncaptain\n");
    let vocabulary = home.path("words.txt").display().to_string();
    // writeMM of a dfm of 3 documents and 3 features, and of its transpose.
    let by_column =
        "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n3 1 1\n2 2 1\n1 3 1\n3 3 4\n";
    let transposed =
        "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n3 1 1\n2 2 1\n1 3 1\n3 3 4\n";
    let query = "SELECT document.key AS d, term.text AS t, count AS n FROM triple JOIN document ON document.id = document_id \
        JOIN term ON term.id = term_id ORDER BY 1, 2";
    let file = home.file("m.mtx", by_column.as_bytes());
    home.succeeds(&["ingest", "c", &file, "--vocab", &vocabulary]);
    let found = home.json(&["sql", query, "-o", "json"]).to_string();
    let expected = serde_json::json!([
        { "d": "m:1", "t": "captain", "n": 1 }, { "d": "m:1", "t": "ship", "n": 2 },
        { "d": "m:2", "t": "harbour", "n": 1 },
        { "d": "m:3", "t": "captain", "n": 4 }, { "d": "m:3", "t": "ship", "n": 1 },
    ]);
    assert_eq!(found, expected.to_string());
    let other = Home::new();
    other.file("words.txt", b"ship\nharbour\ncaptain\n");
    let vocabulary = other.path("words.txt").display().to_string();
    let file = other.file("m.mtx", transposed.as_bytes());
    other.succeeds(&["ingest", "c", &file, "--vocab", &vocabulary, "--transpose"]);
    let found = other.json(&["sql", query, "-o", "json"]).to_string();
    assert!(found.contains("\"d\":\"m:2\",\"n\":1,\"t\":\"harbour\""), "{found}");
    // So are more entries than the header says.
    let more = home.file("more.mtx", by_column.replace("3 3 5", "3 3 4").as_bytes());
    let vocabulary = home.path("words.txt").display().to_string();
    assert!(home.fails(&["ingest", "w", &more, "--vocab", &vocabulary]).contains("more.mtx:"));
    // A wrong entry is reported with its line.
    let wrong = home.file("w.mtx", by_column.replace("2 2 1", "2 2 x").as_bytes());
    let vocabulary = home.path("words.txt").display().to_string();
    assert!(home.fails(&["ingest", "w", &wrong, "--vocab", &vocabulary]).contains("w.mtx:5"));
}

#[test]
fn a_wrong_number_of_pairs_is_told_as_what_it_is() {
    let home = Home::new();
    home.file("c.ldac.vocab", b"ship\nharbour\ncaptain\n");
    let counts = home.file("c.ldac", b"2 0:1 1:2\n3 2:3 0:1\n1 1:1\n");
    let refused = home.fails(&["ingest", "c", &counts]);
    assert!(refused.contains("c.ldac:2: 2 pairs, but the line says 3"), "{refused}");
}

#[test]
fn tables_are_read_as_pandas_r_and_polars_write_them() {
    // to_csv() has an unnamed index; write.csv() has row names and NA; to_csv(sep="\t") and write.table() part by tabs;
    // polars' write_csv() quotes where it must; DataFrame.to_json(orient="records", lines=True) escapes slashes.
    let expected = "ships sea \u{e9}t\u{e9}";
    let files = [
        ("pandas.csv", ",text,year\n0,\"ships, \"\"sea\"\"\",1999.0\n1,\u{e9}t\u{e9},\n"),
        (
            "r.csv",
            "\"\",\"text\",\"year\"\n\"1\",\"ships, \"\"sea\"\"\",1999\n\"2\",\"\u{e9}t\u{e9}\",NA\n",
        ),
        ("r2.csv", "\"text\";\"year\"\n\"ships, sea\";1999,5\n\"\u{e9}t\u{e9}\";NA\n"),
        ("pandas.tsv", "\ttext\tyear\n0\tships, sea\t1999\n1\t\u{e9}t\u{e9}\t\n"),
        ("polars.csv", "text,year\n\"ships, sea\",1999\n\u{e9}t\u{e9},\n"),
        (
            "pandas.jsonl",
            "{\"text\":\"ships\\/ sea\",\"year\":1999.0}\n{\"text\":\"\\u00e9t\\u00e9\",\"year\":null}\n",
        ),
        (
            "polars.ndjson",
            "{\"text\":\"ships sea\",\"year\":1999}\n{\"text\":\"\u{e9}t\u{e9}\",\"year\":null}\n",
        ),
    ];
    for (name, content) in files {
        assert_eq!(terms(name, content.as_bytes(), &PLAIN), expected, "{name}");
    }
    // write.table(sep = "\t") names one column less than there are: the row names have none.
    let short = "\"text\"\t\"year\"\n\"1\"\t\"ships sea\"\t1999\n\"2\"\t\"\u{e9}t\u{e9}\"\tNA\n";
    assert_eq!(terms("r.tsv", short.as_bytes(), &PLAIN), expected);
}

#[test]
fn a_document_without_its_text_is_empty_where_others_have_one() {
    let home = Home::new();
    let rows = "{\"id\": 1, \"text\": \"ships\"}\n{\"id\": 2}\n{\"id\": 3, \"text\": null}\n{\"id\": 4, \"text\": \"\"}\n";
    let said = home.succeeds(&["ingest", "c", &home.file("a.jsonl", rows.as_bytes())]);
    assert!(said.contains("1 document added") && said.contains("3 left out (3 empty)"), "{said}");
    // Where none has it, the field is named wrongly.
    let refused =
        home.fails(&["ingest", "d", &home.file("b.jsonl", b"{\"id\": 1, \"body\": \"ships\"}\n")]);
    assert!(refused.contains("--text-field"), "{refused}");
}

#[test]
fn documents_of_one_word_can_be_kept() {
    let home = Home::new();
    let words = [["ship", "harbour", "captain"], ["bread", "flour", "oven"]];
    let row = |n: usize| {
        let of = words[n % 2];
        let text = if n % 5 == 4 {
            of[n % 3].to_string()
        } else {
            of.join(" ").repeat(2) + " " + of[n % 3]
        };
        format!("{{\"id\": {n}, \"text\": \"{text}\"}}\n")
    };
    let rows: String = (0..200).map(row).collect();
    home.succeeds(&["ingest", "c", &home.file("a.jsonl", rows.as_bytes())]);
    for (run, model) in (1..).zip(["lr-jsmf", "lda-gibbs", "nmf-kl", "rp"]) {
        let run_of = ["run", "c", "-k", "2", "--model", model, "--min-tokens", "1"];
        let said = home.succeeds(&run_of);
        assert!(said.contains("0 documents left out"), "{model}: {said}");
        let query = format!(
            "SELECT count(*) AS n, min(p) AS least FROM (SELECT document_id, max(proportion) AS p FROM document_topic \
             JOIN document ON document.id = document_id WHERE run_id = {run} AND tokens = 1 GROUP BY document_id)"
        );
        let found = home.json(&["sql", &query, "-o", "json"]);
        // One word decides the topic, though not as surely as seven.
        assert_eq!(found[0]["n"], 40, "{model}");
        assert!(found[0]["least"].as_f64().expect("a proportion") > 0.5, "{model}: {found}");
    }
}

#[test]
fn names_and_fields_go_over_line_ends_and_columns_of_one_name_are_all_kept() {
    let named = ["--text-field", "full text", "--stop-words", "none"];
    for header in
        ["\"id\",\"full\ntext\",year", "id,\"full\r\ntext\",\"year\"", "id,full text,year"]
    {
        let content = format!("{header}\n1,ships sea,1999\n2,bread,2000\n");
        assert_eq!(terms("a.csv", content.as_bytes(), &named), "ships sea bread", "{header:?}");
    }
    for content in [
        "id\ttext\n1\t\"ships\nat sea\"\n2\tbread\n",
        "id\ttext\n1\t\"ships\tat sea\"\n2\tbread\n",
        "id\ttext\n1\t\"ships\n\nat \"\"sea\"\"\"\n2\tbread\n",
    ] {
        assert_eq!(terms("a.tsv", content.as_bytes(), &PLAIN), "ships sea bread", "{content:?}");
    }
    let home = Home::new();
    for (name, content) in [
        ("a.csv", "id,text,tag,text,tag,\n1,ships,first,sea,second,third\n"),
        (
            "b.jsonl",
            "{\"id\": 1, \"text\": \"ships\", \"tag\": \"first\", \"text\": \"sea\", \"tag\": \"second\"}\n",
        ),
    ] {
        home.succeeds(&["ingest", name, &home.file(name, content.as_bytes())]);
        let fields = home.json(&["fields", name, "-o", "json"]).to_string();
        for kept in ["first (1)", "second (1)", "sea (1)"] {
            assert!(fields.contains(kept), "{name}: {fields}");
        }
    }
}

#[test]
fn of_several_records_with_one_key_the_first_is_kept_however_often_they_are_read() {
    let home = Home::new();
    let rows = [
        "{\"id\": \"a\", \"text\": \"first version\"}",
        "{\"id\": \"a\", \"text\": \"second version\"}",
        "{\"id\": 123456789012345678901, \"text\": \"long key\"}",
        "{\"id\": 123456789012345678902, \"text\": \"other key\"}",
    ];
    let files = [
        home.file("a.jsonl", rows.join("\n").as_bytes()),
        home.file("b.csv", b"id,text\na,first version\na,second version\n"),
    ];
    for file in &files {
        for _ in 0..3 {
            home.succeeds(&["ingest", "c", file]);
            let query = "SELECT text FROM document_text JOIN document ON document.id = document_id WHERE key = 'a'";
            let found = home.json(&["sql", query, "-o", "json"]);
            assert_eq!(found[0]["text"], "first version", "{file}");
        }
    }
    let keys = home.json(&[
        "sql",
        "SELECT key FROM document WHERE key LIKE '1234%' ORDER BY key",
        "-o",
        "json",
    ]);
    assert_eq!(keys[1]["key"], "123456789012345678902");
}

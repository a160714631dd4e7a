//! What the commands say of chunks, of what an ingest left out, and of what a run takes by itself.

use crate::common::Home;

fn cell(home: &Home, query: &str) -> String {
    let text = home.succeeds(&["sql", query, "-o", "csv"]);
    text.lines().nth(1).unwrap_or_default().to_string()
}

#[test]
fn a_run_without_k_takes_one_by_the_number_of_documents_and_names_the_sweep() {
    let home = Home::with_subjects();
    let told = home.said(&["run", "subjects", "--terms", "300", "--refine", "0"]);
    home.keeps(&told);
    assert_eq!(cell(&home, "SELECT k, settings->>'min_tokens' FROM run"), "9,5");
    let output = home.command(&["run", "subjects", "-k", "400"]).output().expect("run");
    let error = String::from_utf8_lossy(&output.stderr);
    home.keeps(&error);
}

#[test]
fn a_corpus_of_titles_keeps_documents_of_two_tokens_and_says_so() {
    let home = Home::new();
    let words = ["stars", "planets", "moons", "comets", "kings", "queens", "castles", "moats"];
    let title = |n: usize| {
        let at = 4 * (n % 2);
        let of = |step: usize| words[at + (n / 2 + step) % 4];
        format!("{} {} {}\n", of(0), of(1), of(n % 3))
    };
    let titles: String = (0..60).map(title).collect();
    let file = home.file("titles.txt", titles.as_bytes());
    home.succeeds(&["ingest", "titles", &file]);
    let run = ["run", "titles", "-k", "2", "--refine", "0"];
    let told = home.said(&run);
    home.keeps(&told);
    assert_eq!(cell(&home, "SELECT settings->>'min_tokens' FROM run WHERE id = 1"), "2");
    home.said(&[&run[..], &["--min-tokens", "3"]].concat());
    assert_eq!(cell(&home, "SELECT settings->>'min_tokens' FROM run WHERE id = 2"), "3");
}

#[test]
fn an_ingest_accounts_for_what_is_in_and_what_is_not_and_why() {
    let home = Home::new();
    let lines = b"The king and the queen, 1485\nof the\nIt is a castle of an x\n";
    let file = home.file("tales.txt", lines);
    let text = home.succeeds(&["ingest", "tales", &file]);
    assert!(text.contains("in: 2 documents, 3 tokens\n"), "{text}");
    let words = "stop words (--stop-words)";
    assert!(text.contains("not in: ") && text.contains(words), "{text}");
    assert!(text.contains("1 numbers and the like (--characters)"), "{text}");
    let documents =
        "not in: 1 document: 1 without a term (--stop-words, --min-length, --characters)";
    assert!(text.contains(documents), "{text}");
    let again = home.json(&["ingest", "again", &file, "-o", "json"]);
    let source = &again["sources"][0];
    assert_eq!((&source["tokens"], &source["dropped"]["characters"]), (&3.into(), &1.into()));
    let dropped = source["dropped"].as_object().expect("counts").values();
    // All of 15 words but king, queen and castle.
    assert_eq!(dropped.map(|count| count.as_u64().expect("a count")).sum::<u64>(), 12);
}

#[test]
fn documents_are_listed_by_sql_and_by_their_words() {
    let home = Home::with_subjects();
    let keys = |arguments: &[&str]| -> Vec<String> {
        let rows = home.json(&[&["documents", "subjects", "-o", "json"], arguments].concat());
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|row| row["key"].as_str().expect("a key").to_string()).collect()
    };
    let by_sql = keys(&["--where", "key GLOB 'astro*'", "--limit", "500"]);
    assert!(!by_sql.is_empty() && by_sql.iter().all(|key| key.starts_with("astro")));
    let by_words = keys(&["--search", "telescope", "--limit", "500"]);
    let both = keys(&["--where", "key GLOB 'astro*'", "--search", "telescope", "--limit", "500"]);
    let expected: Vec<&String> = by_words.iter().filter(|key| by_sql.contains(key)).collect();
    assert!(!both.is_empty() && both.iter().eq(expected), "{both:?}");
    assert_eq!(keys(&["--search", "telescope", "--limit", "1"]), by_words[..1]);
    home.fails(&["documents", "subjects", "--where", "nothing = 1"]);
    home.fails(&["documents", "subjects", "--search", "(telescope"]);
}

#[test]
fn lists_and_exports_say_what_a_chunk_was_cut_from() {
    let home = Home::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_corpora/eight_subjects.jsonl");
    let text = home.succeeds(&["ingest", "cut", sample, "--chunk", "50"]);
    assert!(text.contains("256 documents added, 0 there already (in "), "{text}");
    let rows = home.json(&["documents", "cut", "--limit", "2", "-o", "json"]);
    assert_eq!((&rows[1]["position"], &rows[0]["position"]), (&2.into(), &1.into()));
    assert_eq!(rows[0]["parent"], rows[1]["parent"]);
    let whole: f64 = {
        home.succeeds(&["run", "cut", "-k", "4", "--terms", "300", "--refine", "0"]);
        let sums = "SELECT max(abs(sum - 1)) FROM (SELECT sum(proportion) AS sum FROM parent_topic \
                    WHERE run_id = 1 GROUP BY parent_id)";
        cell(&home, sums).parse().expect("a number")
    };
    assert!(whole < 1e-9, "{whole}");
    let into = home.path("out").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "csv", "--into", &into]);
    let table = std::fs::read_to_string(home.path("out/document_topics.csv")).expect("a table");
    let head = table.lines().next().expect("a head");
    assert_eq!(head, "document,title,topic,proportion,parent,position");
    let parent = rows[0]["parent"].as_str().expect("a key");
    assert!(table.lines().nth(1).expect("a row").ends_with(&format!(",{parent},1")), "{table}");
    let place = home.path("documents.csv").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "documents-csv", "-o", &place]);
    let mut table = csv::Reader::from_path(&place).expect("CSV");
    let head = table.headers().expect("a head").clone();
    let cell = |row: &csv::StringRecord, name: &str| {
        row[head.iter().position(|column| column == name).expect("a column")].to_string()
    };
    let first = table.records().next().expect("a row").expect("a record");
    assert_eq!((cell(&first, "parent"), cell(&first, "position")), (parent.into(), "1".into()));
}

//! The two shares of topics, of tokens and of documents, where documents differ in length.

use std::fs::read_to_string;
use std::path::Path;

use serde_json::Value;

use crate::common::Home;
use crate::export::exported;

/// The sample documents, and one with half as many words as all of them, of one subject.
fn with_a_long_document() -> Home {
    let home = Home::with_subjects();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
    let lines = read_to_string(file).expect("the sample");
    let texts = lines.lines().filter(|line| line.contains("\"sailing-")).map(|line| {
        let document: Value = serde_json::from_str(line).expect("JSON");
        document["text"].as_str().expect("a text").to_string()
    });
    let long = texts.collect::<Vec<_>>().join(" ").repeat(4);
    let long = serde_json::json!({ "id": "long", "text": long }).to_string();
    home.succeeds(&["ingest", "subjects", &home.file("long.jsonl", long.as_bytes())]);
    home
}

/// Of each topic both shares as they are saved, then as they follow from θ and the counts.
fn shares(home: &Home, run: &str) -> Vec<[f64; 4]> {
    let sql = format!(
        "WITH length AS (SELECT document_id, sum(count) AS n FROM triple WHERE term_id IN (SELECT term_id \
         FROM vocabulary_term WHERE vocabulary_id = (SELECT vocabulary_id FROM run WHERE id = {run})) \
         GROUP BY document_id) \
         SELECT topic.token_share, topic.document_share, sum(n * proportion) / sum(n), avg(proportion) \
         FROM document_topic AS about JOIN length USING (document_id) JOIN topic USING (run_id, topic) \
         WHERE about.run_id = {run} GROUP BY topic.topic ORDER BY topic.topic"
    );
    let csv = home.succeeds(&["sql", &sql, "-o", "csv"]);
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        [cells[0], cells[1], cells[2], cells[3]]
    };
    csv.lines().skip(1).map(row).collect()
}

#[test]
fn both_shares_of_every_kind_of_run_follow_from_its_documents() {
    let home = with_a_long_document();
    home.succeeds(&["run", "subjects", "-k", "6"]);
    home.succeeds(&["run", "subjects", "-k", "5", "--model", "nmf-kl"]);
    home.succeeds(&["run", "subjects", "-k", "6", "--held-out", "0.2"]);
    home.succeeds(&["shape", "1", "--merge", "0,1", "--refine", "3"]);
    let place = exported(&home, "csv").join("topic_words.csv");
    let table = read_to_string(place).expect("a table").lines().skip(1).fold(
        "topic,term,probability\n".to_string(),
        |table, line| {
            let cells: Vec<&str> = line.split(',').collect();
            table + &format!("{},{},{}\n", cells[0], cells[2], cells[3])
        },
    );
    let table = home.file("topics.csv", table.as_bytes());
    home.succeeds(&["import", &table, "--corpus", "subjects", "--from", "topics-csv"]);
    let verified = home.succeeds(&["verify", "1"]);
    assert!(verified.contains("result"), "{verified}");
    // The first run again, with what has come since.
    let more = "{\"id\": \"more\", \"text\": \"the keel and the mast of a boat under sail in the harbour\"}\n";
    home.succeeds(&["ingest", "subjects", &home.file("more.jsonl", more.as_bytes())]);
    home.succeeds(&["update", "1"]);
    for run in ["1", "2", "3", "4", "5", "6"] {
        let found = shares(&home, run);
        assert!(found.len() >= 5);
        for [token, document, by_tokens, by_documents] in &found {
            assert!((token - by_tokens).abs() < 1e-6, "run {run}: {found:?}");
            assert!((document - by_documents).abs() < 1e-6, "run {run}: {found:?}");
        }
    }
    // The long document's topic has more of the tokens than of the documents.
    let apart = |[token, document, ..]: &[f64; 4]| token - document;
    assert!(shares(&home, "1").iter().map(apart).fold(0.0, f64::max) > 0.15);
    home.succeeds(&["check"]);
}

#[test]
fn lists_and_exports_name_each_share_for_what_it_is() {
    let home = with_a_long_document();
    home.succeeds(&["run", "subjects", "-k", "6"]);
    let saved = shares(&home, "1");
    let near = |value: &Value, share: f64| {
        assert!((value.as_f64().expect("a number") - share).abs() < 1e-12, "{value} {share}");
    };
    let read = |format: &str| -> Value {
        serde_json::from_str(&read_to_string(exported(&home, format)).expect("text")).expect("JSON")
    };
    let (listed, whole, ldavis) =
        (home.json(&["topics", "1", "-o", "json"]), read("json"), read("ldavis"));
    let page = read_to_string(exported(&home, "html")).expect("a page");
    for (number, [token, document, ..]) in saved.iter().enumerate() {
        for topic in [&listed[number], &whole["topics"][number]] {
            near(&topic["token_share"], *token);
            near(&topic["document_share"], *document);
            assert!(topic["weight"].is_null());
        }
        near(&ldavis["mdsDat"]["Freq"][number], 100.0 * token);
        for share in [token, document] {
            assert!(page.contains(&format!("{:.1}%", 100.0 * share)));
        }
    }
    for name in ["share of tokens", "share of documents"] {
        assert!(page.contains(name), "{name}");
    }
    let head = home.succeeds(&["topics", "1", "-o", "csv"]);
    assert!(head.starts_with("topic,token_share,document_share,"), "{head}");
    // MALLET's weights of a topic are its tokens.
    let used =
        home.succeeds(&["sql", "SELECT value FROM metric WHERE name = 'tokens_used'", "-o", "csv"]);
    let used: f64 = used.lines().nth(1).expect("a row").parse().expect("a number");
    let weights =
        read_to_string(exported(&home, "mallet").join("topic-word-weights.txt")).expect("text");
    let own = weights.lines().filter(|line| line.starts_with("0\t"));
    let own: f64 =
        own.map(|line| line.rsplit('\t').next().expect("a cell").parse::<f64>().expect("n")).sum();
    assert!((own / used - saved[0][0]).abs() < 1e-6, "{own} of {used}, {:?}", saved[0]);
}

/// The documents' mean of each topic's proportions, and the saved share beside it, of a run.
fn by_documents(home: &Home, run: &str) -> f64 {
    shares(home, run).iter().map(|[_, saved, _, mean]| (saved - mean).abs() / 2.0).sum()
}

#[test]
fn the_share_of_documents_is_the_models_own_where_it_has_one_and_topics_are_not_refined() {
    let home = with_a_long_document();
    home.succeeds(&["run", "subjects", "-k", "6", "--refine", "0"]);
    home.succeeds(&["run", "subjects", "-k", "6"]);
    let away = "SELECT value FROM metric WHERE run_id = 1 AND name = 'weights_from_documents'";
    let away: f64 = home.wait_for(away).parse().expect("a number");
    // How far it is from the mean over documents is a metric.
    assert!(away > 0.01 && (by_documents(&home, "1") - away).abs() < 1e-6, "{away}");
    assert!(by_documents(&home, "2") < 1e-6);
}

#[test]
fn the_comparison_page_names_the_share_of_each_topic() {
    let home = with_a_long_document();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    home.succeeds(&["run", "subjects", "-k", "4", "--no-documents"]);
    let page = home.path("both.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "2", "--to", "html", "-o", &page]);
    let page = read_to_string(&page).expect("a page");
    let saved = shares(&home, "1");
    for [token, ..] in saved {
        assert!(page.contains(&format!("{:.1}% of tokens", 100.0 * token)), "{token}");
    }
    assert_eq!(page.matches("% of documents").count(), 4);
}

#[test]
fn a_run_without_shares_of_tokens_shows_none_and_says_which_exports_need_them() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4", "--no-documents"]);
    let topics = home.json(&["topics", "1", "-o", "json"]);
    assert!(topics[0]["token_share"].is_null() && topics[0]["document_share"].is_number());
    home.fails(&["export", "1", "--to", "ldavis"]);
    home.fails(&["export", "1", "--to", "mallet"]);
    let page = home.path("page.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "html", "-o", &page]);
    let page = read_to_string(&page).expect("a page");
    assert!(page.contains("areas are the share of documents"), "{page}");
}

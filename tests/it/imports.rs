//! Topics that other programs found, in the files that people have of them.

use std::collections::BTreeMap;

use serde_json::Value;
use strum::VariantArray;
use topoi_core::npy::{Number, header};
use topoi_run::request::imported::ImportFormat;

use crate::common::Home;
use crate::export::{exported, home_with_a_run, records};

fn import(home: &Home, file: &str, from: &str, more: &[&str]) -> Value {
    let import = ["import", file, "--corpus", "subjects", "--from", from, "-o", "json"];
    home.json(&[&import[..], more].concat())
}

/// (topic, word) and probability.
fn words_of(home: &Home, run: u64) -> BTreeMap<(u64, String), f64> {
    let query =
        format!("SELECT topic, word, probability AS p FROM topic_word WHERE run_id = {run}");
    let rows = home.json(&["sql", &query, "-o", "json"]);
    let rows = rows.as_array().expect("rows").iter().map(|row| {
        let word = row["word"].as_str().expect("a word").to_string();
        ((row["topic"].as_u64().expect("a topic"), word), row["p"].as_f64().expect("p"))
    });
    rows.collect()
}

fn assert_alike(
    one: &BTreeMap<(u64, String), f64>,
    other: &BTreeMap<(u64, String), f64>,
    miss: f64,
) {
    let of = |all: &BTreeMap<(u64, String), f64>, key| all.get(key).copied().unwrap_or_default();
    for key in one.keys().chain(other.keys()) {
        assert!((of(one, key) - of(other, key)).abs() < miss, "{key:?}");
    }
    assert!(!one.is_empty());
}

#[test]
fn arrays_of_numpy_come_back_as_a_run_with_the_same_topics() {
    let home = home_with_a_run();
    let folder = exported(&home, "npy");
    let found = import(&home, &folder.to_string_lossy(), "npy", &[]);
    assert_eq!(found["status"].as_str(), Some("finished"));
    assert_alike(&words_of(&home, 1), &words_of(&home, 2), 2e-12);
    assert!(home.succeeds(&["verify", "2"]).contains("same"));
    // As gensim's and scikit-learn's users have it: an array of counts in another order, and a list of words.
    let words: Vec<String> =
        serde_json::from_slice(&std::fs::read(folder.join("words.json")).expect("words"))
            .expect("JSON");
    let array = std::fs::read(folder.join("topic_words.npy")).expect("an array");
    let scaled = array[128..].chunks_exact(8).flat_map(|bytes| {
        (f64::from_le_bytes(bytes.try_into().expect("eight")) * 1000.0).to_le_bytes()
    });
    let array: Vec<u8> = array[..128].iter().copied().chain(scaled).collect();
    let file = home.file("components.npy", &array);
    let vocab = home.file("features", words.join("\n").as_bytes());
    import(&home, &file, "npy", &["--vocab", &vocab]);
    assert_alike(&words_of(&home, 1), &words_of(&home, 3), 2e-12);
    // The words are part of what was imported.
    home.file("features", words.iter().rev().cloned().collect::<Vec<_>>().join("\n").as_bytes());
    home.fails(&["verify", "3"]);
    home.fails(&["import", &file, "--corpus", "subjects", "--from", "npy"]);
    home.fails(&[
        "import",
        &file,
        "--corpus",
        "subjects",
        "--from",
        "topics-csv",
        "--vocab",
        &vocab,
    ]);
    let proportions = folder.join("document_topics.npy").to_string_lossy().into_owned();
    home.fails(&[
        "import",
        &proportions,
        "--corpus",
        "subjects",
        "--from",
        "npy",
        "--vocab",
        &vocab,
    ]);
    let lsi = header(Number::F64, [2, 2]).into_iter();
    let lsi = lsi.chain([0.5, 0.5, 0.7, -0.7].into_iter().flat_map(f64::to_le_bytes));
    let (file, vocab) =
        (home.file("lsi.npy", &lsi.collect::<Vec<u8>>()), home.file("two", b"a\nb\n"));
    home.fails(&["import", &file, "--corpus", "subjects", "--from", "npy", "--vocab", &vocab]);
}

#[test]
fn weights_of_mallet_make_a_run_and_its_other_files_name_the_one_to_give() {
    let home = home_with_a_run();
    let folder = exported(&home, "mallet");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    import(&home, &file("topic-word-weights.txt"), "mallet-weights", &[]);
    assert_alike(&words_of(&home, 1), &words_of(&home, 2), 1e-11);
    assert!(home.succeeds(&["verify", "2"]).contains("same"));
    for from in ["mallet-weights", "mallet-state"] {
        for name in ["topic-keys.txt", "doc-topics.txt"] {
            home.fails(&["import", &file(name), "--corpus", "subjects", "--from", from]);
        }
    }
    let weights = file("topic-word-weights.txt");
    home.fails(&["import", &weights, "--corpus", "subjects", "--from", "mallet-state"]);
}

/// Topics are what is counted in their documents, however these are named in the table.
#[test]
fn documents_with_topics_make_topics_of_their_words() {
    let home = home_with_a_run();
    let folder = exported(&home, "bertopic");
    let table = folder.join("document_info.csv");
    let rows = records(&table);
    let found = import(&home, &table.to_string_lossy(), "document-topics-csv", &[]);
    assert_eq!(found["status"].as_str(), Some("finished"));
    let query = "WITH counted AS (SELECT top.topic AS topic, triple.term_id AS term, sum(triple.count) AS n \
        FROM document_top_topic AS top JOIN triple ON triple.document_id = top.document_id \
        JOIN vocabulary_term AS own ON own.term_id = triple.term_id \
        JOIN run ON run.vocabulary_id = own.vocabulary_id AND run.id = 2 \
        WHERE top.run_id = 1 GROUP BY top.topic, triple.term_id), \
        size AS (SELECT count(*) AS w FROM vocabulary_term JOIN run USING (vocabulary_id) WHERE run.id = 2) \
        SELECT abs(topic_term.probability \
            - (coalesce(n, 0) + 0.01) / (sum(n) OVER (PARTITION BY topic_term.topic) + 0.01 * w)) AS miss \
        FROM size, topic_term LEFT JOIN counted \
            ON counted.topic = topic_term.topic AND counted.term = topic_term.term_id \
        WHERE topic_term.run_id = 2";
    let miss =
        home.json(&["sql", &format!("SELECT max(miss) AS miss FROM ({query})"), "-o", "json"]);
    // Probabilities are saved in 1e-12; what rounding takes from the 4,882 words is given to the largest one.
    assert!(miss[0]["miss"].as_f64().expect("a number") < 4882.0 * 0.5e-12, "{miss}");
    let label = "SELECT label FROM topic WHERE run_id = 2 AND topic = 3";
    assert_eq!(home.json(&["sql", label, "-o", "json"])[0]["label"], "a \"name\", <b>&");
    assert!(home.succeeds(&["verify", "2"]).contains("same"));
    let table_of = |name: &str, columns: &[&str], rows: &[BTreeMap<String, String>]| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(columns).expect("in memory");
        for row in rows {
            let cells = columns.iter().map(|&column| match column {
                "topic" => &row["Topic"],
                column => &row[column],
            });
            writer.write_record(cells).expect("in memory");
        }
        home.file(name, &writer.into_inner().expect("in memory"))
    };
    // By texts, in whatever order; by the order of the documents alone.
    let backwards: Vec<_> = rows.iter().rev().cloned().collect();
    let texts = table_of("texts.csv", &["Document", "Topic"], &backwards);
    let order = table_of("order.csv", &["topic"], &rows);
    for (run, file) in [(3, texts), (4, order)] {
        let from = ["import", &file, "--corpus", "subjects", "--from", "document-topics-csv"];
        home.keeps(home.said(&from).lines().next().unwrap_or_default());
        assert_eq!(words_of(&home, run), words_of(&home, 2));
    }
    // Documents of no topic are the last one.
    let mut outliers = rows.clone();
    for row in outliers.iter_mut().filter(|row| row["Topic"] == "7") {
        row.insert("Topic".into(), "-1".into());
    }
    let file = table_of("outliers.csv", &["id", "Topic"], &outliers);
    import(&home, &file, "document-topics-csv", &[]);
    assert_eq!(words_of(&home, 5), words_of(&home, 2));
    let label = "SELECT label FROM topic WHERE run_id = 5 AND topic = 7";
    assert_eq!(home.json(&["sql", label, "-o", "json"])[0]["label"], "outliers");
    // What is held out is not counted.
    import(&home, &file, "document-topics-csv", &["--held-out", "0.25"]);
    assert_ne!(words_of(&home, 6), words_of(&home, 5));

    let refused = |file: &str| {
        home.fails(&["import", file, "--corpus", "subjects", "--from", "document-topics-csv"])
    };
    refused(&folder.join("topic_info.csv").to_string_lossy());
    refused(&home.file("few.csv", b"topic\n0\n1\n"));
    refused(&home.file("other.csv", b"document,topic\nnobody,0\nchess-22,1\n"));
    let twice: Vec<_> = [&rows[..], &rows[..1]].concat();
    refused(&table_of("twice.csv", &["id", "Topic"], &twice));
    let texts = "Document,Topic\nnobody wrote this,0\nnor that,1\n";
    refused(&home.file("strange.csv", texts.as_bytes()));
    refused(&home.file("sports.csv", b"document,topic\nchess-01,sports\n"));
    let vocabulary = "SELECT count(*) AS n FROM run";
    assert_eq!(home.json(&["sql", vocabulary, "-o", "json"])[0]["n"], 6);
}

#[test]
fn the_page_of_imported_topics_has_a_row_for_every_format() {
    let page = include_str!("../../docs/reference/models/imported.md");
    for format in ImportFormat::VARIANTS {
        assert!(page.contains(&format!("\n| `{}` | ", format.name())), "{}", format.name());
    }
}

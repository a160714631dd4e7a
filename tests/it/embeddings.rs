//! Vectors of documents from a file: kept, compared, clustered.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::common::Home;

const IMPORT: [&str; 4] = ["--corpus", "subjects", "--from", "embeddings"];

fn import(home: &Home, file: &str, more: &[&str]) -> Value {
    home.json(&[&["import", file, "-o", "json"], &IMPORT[..], more].concat())
}

fn similar(home: &Home, key: &str) -> Vec<String> {
    let found = home.json(&["similar", "subjects", key, "--vectors", "--limit", "5", "-o", "json"]);
    let found = found.as_array().expect("documents").iter();
    found.map(|row| row["key"].as_str().expect("a key").to_string()).collect()
}

/// The keys of the documents in the order of the file.
fn keys() -> Vec<String> {
    let lines = include_str!("../../sample_corpora/eight_subjects.jsonl").lines();
    let key = |line: &str| {
        let document: Value = serde_json::from_str(line).expect("JSON");
        document["id"].as_str().expect("a key").to_string()
    };
    lines.map(key).collect()
}

#[test]
fn documents_are_similar_by_vectors_that_are_matched_by_order_or_by_keys() {
    let home = Home::with_subjects();
    home.fails(&["similar", "subjects", "chess-22", "--vectors"]);
    let file = home.subject_vectors("vectors.npy");
    let kept = import(&home, &file, &[]);
    assert_eq!(kept["documents"], 256);
    assert_eq!(kept["dimensions"], 16);
    assert_eq!(kept["without_vector"], 0);
    assert_eq!(kept["matched_by"], "order");
    assert_eq!(home.json(&["runs", "-o", "json"]), serde_json::json!([]));
    let first = similar(&home, "chess-22");
    assert!(first.iter().all(|key| key.starts_with("chess-")), "{first:?}");
    // The same rows with their keys in another file, and only some of them.
    let all = keys();
    let mut list = home.file("named.json", serde_json::json!(all).to_string().as_bytes());
    assert_eq!(import(&home, &file, &["--keys", &list])["matched_by"], "keys");
    assert_eq!(similar(&home, "chess-22"), first);
    let array = std::fs::read(&file).expect("read");
    let some: Vec<u8> = topoi_core::npy::header(topoi_core::npy::Number::F32, [200, 16])
        .into_iter()
        .chain(array[128..].iter().copied().take(200 * 16 * 4))
        .collect();
    let some = home.file("some.npy", &some);
    home.fails(&[&["import", &some], &IMPORT[..]].concat());
    // A list beside the array needs no flag.
    list = home.file("keys.txt", all[..200].join("\n").as_bytes());
    let kept = import(&home, &some, &[]);
    assert_eq!((&kept["documents"], &kept["without_vector"]), (&200.into(), &56.into()));
    home.fails(&["similar", "subjects", &all[250], "--vectors"]);
    std::fs::write(&list, all[..199].join("\n") + "\nchess-99\n").expect("write");
    home.fails(&[&["import", &some], &IMPORT[..]].concat());
    home.fails(&[&["import", &some, "--vocab", &list], &IMPORT[..]].concat());
    home.fails(&["import", &some, "--corpus", "subjects", "--from", "npy", "--keys", &list]);
    home.fails(&["import", &some, "--corpus", "subjects", "--from", "npy", "-k", "3"]);
    home.succeeds(&["check"]);
}

#[test]
fn a_document_with_another_text_has_no_vector_any_more() {
    let home = Home::with_subjects();
    let file = home.subject_vectors("vectors.npy");
    import(&home, &file, &[]);
    let changed = home
        .file("changed.jsonl", b"{\"id\": \"chess-22\", \"text\": \"Another text of pawns\"}\n");
    home.succeeds(&["ingest", "subjects", &changed]);
    home.fails(&["similar", "subjects", "chess-22", "--vectors"]);
    home.succeeds(&["delete", "documents", "subjects", "--key", "chess-01", "--yes"]);
    let left = "SELECT count(*) AS n FROM document_vector";
    assert_eq!(home.json(&["sql", left, "-o", "json"])[0]["n"], 254);
    assert_eq!(similar(&home, "chess-02").len(), 5);
}

#[test]
fn clusters_of_vectors_are_topics_that_are_verified() {
    let home = Home::with_subjects();
    let file = home.subject_vectors("vectors.npy");
    home.fails(&[&["import", &file, "-k", "300"], &IMPORT[..]].concat());
    let run = import(&home, &file, &["-k", "8", "--threads", "1"]);
    assert_eq!(run["status"], "finished");
    // A topic has the words of the documents of a subject.
    let top = home.json(&["topics", "1", "--words", "6", "-o", "json"]);
    let top = serde_json::to_string(&top).expect("JSON");
    for word in ["telescope", "pawn"] {
        assert!(top.contains(word), "{word}: {top}");
    }
    let by = "SELECT json_extract(fields, '$.subject') AS subject, topic, count(*) AS n FROM document_top_topic \
              JOIN document ON document.id = document_id WHERE run_id = 1 GROUP BY 1, 2 ORDER BY n";
    let rows = home.json(&["sql", by, "-o", "json"]);
    let mut most: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in rows.as_array().expect("rows") {
        let of = |name: &str| row[name].as_u64().expect("a number");
        most.insert(row["subject"].as_str().expect("a subject").into(), (of("topic"), of("n")));
    }
    assert_eq!(most.len(), 8);
    assert_eq!(most.values().map(|(topic, _)| topic).collect::<BTreeSet<_>>().len(), 8);
    assert!(most.values().all(|&(_, n)| n >= 28), "{most:?}");
    assert!(home.succeeds(&["verify", "1"]).contains("same"));
    // The same seed gives the same clusters with other threads.
    import(&home, &file, &["-k", "8", "--threads", "3"]);
    let hash = "SELECT count(DISTINCT result_hash) AS n FROM run";
    assert_eq!(home.json(&["sql", hash, "-o", "json"])[0]["n"], 1);
    home.succeeds(&["similar", "subjects", "chess-22", "--vectors"]);
    let mut array = std::fs::read(&file).expect("read");
    array[130] ^= 1;
    std::fs::write(&file, array).expect("write");
    home.fails(&["verify", "1"]);
}

#[test]
fn a_map_has_a_point_for_each_document() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let drawn = || {
        let place = home.path("map.svg").to_string_lossy().into_owned();
        home.succeeds(&["plot", "1", "--map", "-o", &place, "--force"]);
        std::fs::read_to_string(&place).expect("a figure")
    };
    home.fails(&["plot", "1", "--map"]);
    import(&home, &home.subject_vectors("vectors.npy"), &[]);
    let map = drawn();
    assert_eq!(map.matches("fill-opacity=\".8\"><title>").count(), 256);
    assert_eq!(map, drawn());
    for ending in ["pdf", "png"] {
        let place = home.path(&format!("map.{ending}")).to_string_lossy().into_owned();
        home.succeeds(&["plot", "1", "--map", "-o", &place]);
    }
    home.succeeds(&["plot", "1", "--map", "--save", "map"]);
    assert!(home.succeeds(&["results"]).contains("map"));
}

#[cfg(feature = "parquet")]
mod columnar {
    use super::*;
    use arrow_array::builder::{Float32Builder, ListBuilder};
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;

    #[test]
    fn a_table_of_parquet_has_vectors_and_their_keys() {
        let home = Home::with_subjects();
        let array = std::fs::read(home.subject_vectors("vectors.npy")).expect("read");
        import(&home, &home.subject_vectors("vectors.npy"), &[]);
        let expected = similar(&home, "chess-22");
        let mut lists = ListBuilder::new(Float32Builder::new());
        // The last document first: keys decide, not the order.
        for row in array[128..].chunks_exact(16 * 4).rev() {
            let numbers = row.chunks_exact(4).map(|bytes| bytes.try_into().expect("four bytes"));
            lists.append_value(numbers.map(|bytes| Some(f32::from_le_bytes(bytes))));
        }
        let backwards: Vec<String> = keys().into_iter().rev().collect();
        let table = RecordBatch::try_from_iter([
            ("id", Arc::new(StringArray::from(backwards)) as ArrayRef),
            ("embedding", Arc::new(lists.finish()) as ArrayRef),
        ]);
        let table = table.expect("columns of one length");
        let mut writer = ArrowWriter::try_new(vec![], table.schema(), None).expect("a writer");
        writer.write(&table).expect("written");
        let file = home.file("vectors.parquet", &writer.into_inner().expect("a file"));
        let kept = import(&home, &file, &[]);
        assert_eq!((&kept["documents"], &kept["matched_by"]), (&256.into(), &"keys".into()));
        assert_eq!(similar(&home, "chess-22"), expected);
    }
}

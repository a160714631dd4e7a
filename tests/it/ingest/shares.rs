//! Sources that several machines read, each a share of their documents.

use std::fs;

use topoi_ingest::share::Share;
use topoi_ingest::{IngestRequest, OnError};
use topoi_store::part::unify::PartTerms;

use super::bench::Bench;

const OF: u64 = 3;

/// A file's name and content.
type File = (String, String);

/// Files of every way in which documents are read: lines, records of several lines, files, triples; and how many
/// documents they have.
fn sources() -> [(&'static str, Vec<File>, usize); 5] {
    let words = ["harbour", "ship", "bread", "oven", "court", "judge", "snow"];
    let text = |n: usize| format!("{} {} number{n}", words[n % 7], words[n / 7 % 7]);
    let all = 200;
    let file = |name: &str, lines: String| vec![(name.to_string(), lines)];
    let objects = (0..all).map(|n| match n {
        // A key of the file's line, a blank line, and the rest with ids.
        5 => format!("{{\"text\": \"{}\"}}\n\n", text(n)),
        n => {
            format!("{{\"id\": \"o{n}\", \"text\": \"{}\", \"year\": {}}}\n", text(n), 1990 + n % 9)
        }
    });
    let records = (0..all).map(|n| format!("r{n},\"{}\nand more\"\n", text(n)));
    let files = (0..20).map(|n| (format!("files/{n}.txt"), text(n)));
    // Documents 3 and 4 have no words.
    let counts = (1..=60).filter(|n| !(3..5).contains(n)).map(|n| format!("{n} {} 2\n", n % 7 + 1));
    let header = format!("60\n7\n58\n{}", counts.collect::<String>());
    let vocabulary = words.map(|word| format!("{word}\n")).concat();
    [
        ("a.jsonl", file("a.jsonl", objects.collect()), all),
        ("a.csv", file("a.csv", "id,text\n".to_string() + &records.collect::<String>()), all),
        ("a.txt", file("a.txt", (0..all).map(|n| text(n) + "\n").collect()), all),
        ("files", files.collect(), 20),
        (
            "docword.a.txt",
            vec![("docword.a.txt".into(), header), ("vocab.a.txt".into(), vocabulary)],
            58,
        ),
    ]
}

/// The files in a place of their own, ingested: all documents or a share of them.
fn ingested(files: &[File], source: &str, share: Share, batch_bytes: usize) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("files")).expect("made");
    files.iter().for_each(|(name, content)| drop(bench.write(name, content)));
    let request =
        IngestRequest { share, batch_bytes, ..IngestRequest::new("c", [bench.path(source)]) };
    bench.ingest_as(&request).expect("ingested");
    bench.check();
    bench
}

const DOCUMENTS: &str = "SELECT key, title, fields, document.tokens, hex(content_hash), text \
    FROM document LEFT JOIN document_text ON document_id = document.id ORDER BY key";

#[test]
fn shares_have_every_document_once_as_the_whole_has_it() {
    for (source, files, documents) in sources() {
        let whole = ingested(&files, source, Share::ALL, 1 << 20);
        assert_eq!(whole.ask(DOCUMENTS).len(), documents, "{source}");
        let shares = (0..OF).filter_map(|number| Share::new(number, OF));
        let parts: Vec<Bench> =
            shares.map(|share| ingested(&files, source, share, 1 << 20)).collect();
        let mut found: Vec<String> = parts.iter().flat_map(|part| part.ask(DOCUMENTS)).collect();
        found.sort();
        let mut expected = whole.ask(DOCUMENTS);
        expected.sort();
        assert_eq!(found, expected, "{source}");
        // By hashes of keys, which are the same on every machine.
        let (mean, deviation) =
            (documents as f64 / OF as f64, (documents as f64 / OF as f64).sqrt());
        for part in &parts {
            let own = part.ask(DOCUMENTS).len();
            assert!((own as f64 - mean).abs() < 4.0 * deviation, "{source}: {own}");
        }
        // They are one corpus once they are unified.
        let united = Bench::new();
        let terms =
            |part: &Bench| PartTerms::from_store(&part.path("topoi.db"), "c").expect("read");
        let terms: Vec<PartTerms> = parts.iter().map(terms).collect();
        united.store().unify("c", &terms).expect("unified");
        let all = "SELECT text, document_frequency, total_count FROM term ORDER BY text";
        assert_eq!(united.ask(all), whole.ask(all), "{source}");
        let counts = "SELECT documents, terms, tokens, nonzeros FROM corpus";
        assert_eq!(united.ask(counts), whole.ask(counts), "{source}");
    }
}

#[test]
fn a_share_is_the_same_however_it_is_read() {
    let [(source, files, _), ..] = sources();
    let share = Share::new(1, OF).expect("a share");
    let keys = |batch_bytes| ingested(&files, source, share, batch_bytes).ask(DOCUMENTS);
    assert_eq!(keys(1 << 20), keys(1));
    // Given again with another share, the rest comes in.
    let bench = ingested(&files, source, share, 1 << 20);
    for number in [0, 2, 1] {
        let share = Share::new(number, OF).expect("a share");
        let request = IngestRequest { share, ..IngestRequest::new("c", [bench.path(source)]) };
        bench.ingest_as(&request).expect("ingested");
    }
    let whole = ingested(&files, source, Share::ALL, 1 << 20);
    assert_eq!(bench.content(), whole.content());
}

#[test]
fn a_document_that_comes_again_is_in_the_share_that_had_it() {
    let line = |n: u32, word: &str| format!("{{\"id\": \"d{n}\", \"text\": \"{word} {n}\"}}\n");
    let first: String = (0..30).map(|n| line(n, "harbour")).collect();
    // In another order and another file, some of them corrected, with new ones before them.
    let again = |n: u32| line(n, if n.is_multiple_of(3) { "quay" } else { "harbour" });
    let second: String = (0..60).rev().map(again).collect();
    let mut all = Vec::new();
    for number in 0..OF {
        let share = Share::new(number, OF).expect("a share");
        let bench = Bench::new();
        for (name, lines) in [("first.jsonl", &first), ("second.jsonl", &second)] {
            let path = bench.write(name, lines);
            let request = IngestRequest { share, ..IngestRequest::new("c", [path]) };
            bench.ingest_as(&request).expect("ingested");
        }
        bench.check();
        all.extend(
            bench.ask("SELECT key, text FROM document JOIN document_text ON document_id = id"),
        );
    }
    all.sort();
    let whole = Bench::new();
    let path = whole.write("second.jsonl", &second);
    whole.ingest_as(&IngestRequest::new("c", [path])).expect("ingested");
    let mut expected =
        whole.ask("SELECT key, text FROM document JOIN document_text ON document_id = id");
    expected.sort();
    assert_eq!(all, expected);
}

#[test]
fn what_cannot_be_read_of_a_share_is_said_there_and_of_the_source_everywhere() {
    let lines: String = (0..30).map(|n| format!("{{\"text\": \"harbour ship {n}\"}}\n")).collect();
    let damaged = lines.replacen("\"harbour ship 7\"", "harbour ship 7", 1);
    let of = |share, content: &str, on_error| {
        let bench = Bench::new();
        let path = bench.write("a.jsonl", content);
        let request = IngestRequest::new("c", [path]);
        let summary = bench.ingest_as(&IngestRequest { share, on_error, ..request });
        bench.check();
        summary.map(|summary| summary.sources[0].malformed)
    };
    let shares: Vec<u64> = (0..OF)
        .filter_map(|number| Share::new(number, OF))
        .map(|share| of(share, &damaged, OnError::Skip).expect("ingested"))
        .collect();
    assert_eq!(shares.iter().sum::<u64>(), 1, "{shares:?}");
    for number in 0..OF {
        let share = Share::new(number, OF).expect("a share");
        let refused = of(share, &format!("[{lines}]"), OnError::Stop);
        assert!(refused.is_err(), "{number}");
    }
}

//! A small corpus, as a whole and in parts.

use std::path::{Path, PathBuf};

use rand::RngExt;

use topoi_core::random::stream;
use topoi_ingest::CorpusSettings;
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::{Access, Store};

/// Number of documents in a sharded corpus.
pub(super) const DOCUMENTS: u64 = 120;

/// Adds the documents with the numbers `range`, of three topics with twelve words each.
pub(super) fn fill(path: &Path, range: std::ops::Range<u64>) {
    let store = Store::open(path, Access::Create).expect("open");
    let mut writer =
        IngestWriter::begin(&store, "c", &CorpusSettings::Counts.to_json(), "here", "lines")
            .expect("begun");
    for number in range {
        let mut rng = stream(number, "document of a part");
        let mut terms = Vec::new();
        for word in 0..36 {
            let likely = if word % 3 == number as usize % 3 { 0.7 } else { 0.08 };
            if rng.random::<f64>() < likely {
                terms.push((format!("word{word}"), rng.random_range(1..5u32)));
            }
        }
        let terms: Vec<(&str, u32)> = terms.iter().map(|(word, n)| (word.as_str(), *n)).collect();
        let key = number.to_string();
        let fields = format!("{{\"year\":{},\"third\":\"{}\"}}", 2000 + number / 30, number % 3);
        let fields = Some(fields.as_str());
        writer
            .add(NewDocument { terms: &terms, fields, ..NewDocument::counted(&key, &[]) })
            .expect("added");
    }
    writer.finish().expect("finished");
}

/// A corpus named c and its stores.
pub(super) struct Corpus {
    _directory: tempfile::TempDir,
    /// The store of the whole corpus.
    pub store: PathBuf,
    /// The path of the parts' stores.
    pub pattern: PathBuf,
}

/// A corpus both in one store and in `parts` parts.
pub(super) fn sharded(parts: u64) -> Corpus {
    let directory = tempfile::tempdir().expect("tempdir");
    let store = directory.path().join("whole.db");
    fill(&store, 0..DOCUMENTS);
    let into = directory.path().join("parts");
    Store::open(&store, Access::Create)
        .expect("open")
        .shard("c", parts, &into, |_| ())
        .expect("split");
    Corpus { store, pattern: into.join("part-{rank}.db"), _directory: directory }
}

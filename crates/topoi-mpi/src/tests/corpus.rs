//! A small corpus, as a whole and in parts.

use std::path::{Path, PathBuf};

use rand::RngExt;

use topoi_core::random::stream;
use topoi_ingest::CorpusSettings;
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::part::unify::PartTerms;
use topoi_store::{Access, Store};

/// Number of documents in a sharded corpus.
pub(super) const DOCUMENTS: u64 = 120;

/// Adds the documents with the numbers `range`, of three topics with twelve words each.
pub(super) fn fill(path: &Path, range: std::ops::Range<u64>) {
    fill_with(path, range, |number| number);
}

/// Adds documents as [`fill`], with the words of the documents with numbers `words_of` theirs.
pub(super) fn fill_with(path: &Path, range: std::ops::Range<u64>, words_of: fn(u64) -> u64) {
    let store = Store::open(path, Access::Create).expect("open");
    let mut writer =
        IngestWriter::begin(&store, "c", &CorpusSettings::Counts.to_json(), "here", "lines")
            .expect("begun");
    for number in range {
        let words_of = words_of(number);
        let mut rng = stream(words_of, "document of a part");
        let mut terms = Vec::new();
        for word in 0..36 {
            let likely = if word % 3 == words_of as usize % 3 { 0.7 } else { 0.08 };
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

/// The documents of a sharded corpus in two parts that were filled separately and united.
pub(super) struct FilledApart {
    directory: tempfile::TempDir,
}

impl FilledApart {
    pub(super) fn new() -> Self {
        let apart = Self { directory: tempfile::tempdir().expect("tempdir") };
        let paths = ["own-0", "own-1"].map(|name| apart.path(name));
        let half = DOCUMENTS / 2;
        for (path, range) in paths.iter().zip([0..half, half..DOCUMENTS]) {
            fill(path, range);
        }
        apart.unify();
        apart
    }

    pub(super) fn unify(&self) {
        let paths = ["own-0", "own-1"].map(|name| self.path(name));
        let terms = paths.each_ref().map(|path| PartTerms::from_store(path, "c").expect("terms"));
        let mut united = Store::open(&self.path("united"), Access::Create).expect("open");
        for (path, told) in paths.iter().zip(&united.unify("c", &terms).expect("united")) {
            let mut part = Store::open(path, Access::Write).expect("open");
            part.assign_part("c", told).expect("adopted");
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(format!("{name}.db"))
    }
}

//! The truth of a corpus as files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::synth::corpus::{KnownCorpus, Topic};
use crate::synth::files::Counts;

/// The header of the table of true topics.
pub const TRUTH_COLUMNS: [&str; 3] = ["topic", "term", "probability"];

/// Writes the words, one a line.
pub(super) fn write_words(path: &Path, words: &[String]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for word in words {
        writeln!(out, "{word}")?;
    }
    out.flush()
}

/// Writes a line `topic,term,probability` for every probability above 0, with all its digits.
pub(super) fn write_topics(path: &Path, words: &[String], topics: &[Topic]) -> io::Result<()> {
    let mut out = csv::Writer::from_path(path)?;
    out.write_record(TRUTH_COLUMNS)?;
    for (topic, column) in topics.iter().enumerate() {
        let topic = topic.to_string();
        for &(word, probability) in column {
            out.write_record([&topic, &words[word as usize], &probability.to_string()])?;
        }
    }
    out.flush()
}

/// Everything the corpus was made with, as a JSON object: what a person or a program needs to
/// make it again.
pub(super) fn description(corpus: &KnownCorpus, name: &str) -> Value {
    let mut found = json!({
        "kind": corpus.kind,
        "name": name,
        "program_version": env!("CARGO_PKG_VERSION"),
    });
    if let Value::Object(object) = &mut found {
        object.extend(corpus.settings.clone());
        object.insert("words".into(), corpus.words.len().into());
        object.insert("topics".into(), corpus.topics.len().into());
    }
    found
}

/// Writes the description with what was drawn.
pub(super) fn write_description(
    path: &Path,
    mut description: Value,
    counts: Counts,
) -> io::Result<()> {
    description["total_tokens"] = counts.tokens.into();
    description["nonzeros"] = counts.nonzeros.into();
    std::fs::write(path, format!("{description:#}\n"))
}

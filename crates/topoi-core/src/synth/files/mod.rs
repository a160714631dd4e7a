//! Writes a synthetic corpus as a UCI bag of words, together with the true topics.

mod uci_file;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::uci_file::write_documents;
use super::corpus::{KnownCorpus, Topic};
use super::error::{Result, SynthError, writing};
use crate::progress::Progress;

/// Compression of the file of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Plain text.
    Plain,
    /// Compressed, with `.gz` at the end of the name.
    Gzip,
}

/// Where the files are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The directory, created if necessary.
    pub directory: PathBuf,
    /// The corpus's name, part of the names of its files.
    pub name: String,
    /// Compression of the file of documents.
    pub compression: Compression,
}

/// Sizes of the corpus as drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusSize {
    /// Documents, including empty ones.
    pub documents: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// (document, word) pairs with a nonzero count.
    pub nonzeros: u64,
}

/// Paths of the files of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFiles {
    /// `docword.NAME.txt` or `docword.NAME.txt.gz`: the documents.
    pub documents: PathBuf,
    /// `vocab.NAME.txt`: all words, including those never drawn.
    pub words: PathBuf,
    /// `truth.NAME.csv`: `topic,term,probability` of all positive probabilities.
    pub topics: PathBuf,
    /// `truth.NAME.json`: kind, settings, seed, sizes.
    pub description: PathBuf,
}

impl Destination {
    /// The paths of the files.
    pub fn files(&self) -> CorpusFiles {
        let Self { directory, name, compression } = self;
        let ending = if *compression == Compression::Gzip { "txt.gz" } else { "txt" };
        CorpusFiles {
            documents: directory.join(format!("docword.{name}.{ending}")),
            words: directory.join(format!("vocab.{name}.txt")),
            topics: directory.join(format!("truth.{name}.csv")),
            description: directory.join(format!("truth.{name}.json")),
        }
    }

    fn check(&self) -> Result<()> {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !self.name.is_empty() && !self.name.starts_with('.') && self.name.chars().all(is_plain) {
            return Ok(());
        }
        let range = "of letters, digits, '-', '_' and '.', and not begin with '.'".into();
        Err(SynthError::OutOfRange { field: "name", value: format!("{:?}", self.name), range })
    }
}

/// A directory of incomplete files, removed on drop.
struct PartialFiles(PathBuf);

impl Drop for PartialFiles {
    fn drop(&mut self) {
        // A failed removal is not reported.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Draws the corpus and writes its files. The files appear under their names only when all are
/// complete; nothing is overwritten.
///
/// # Cost
/// Memory for the topics, not for the documents. On disk, the documents exist twice until the end.
///
/// # Errors
/// [`SynthError::OutOfRange`] for a name that cannot be part of a file name;
/// [`SynthError::Exists`]; [`SynthError::Write`]; [`SynthError::Cancelled`].
pub fn write_files(
    corpus: KnownCorpus,
    destination: &Destination,
    progress: &dyn Progress,
) -> Result<(CorpusFiles, CorpusSize)> {
    destination.check()?;
    let files = destination.files();
    let all = [&files.words, &files.topics, &files.description, &files.documents];
    if let Some(path) = all.into_iter().find(|path| path.exists()) {
        return Err(SynthError::Exists { path: path.clone() });
    }
    let folder = format!(".{}.{}.part", destination.name, std::process::id());
    let parts = PartialFiles(destination.directory.join(folder));
    fs::create_dir_all(&parts.0).map_err(writing(&parts.0))?;
    let part = |file: &Path| parts.0.join(file.file_name().unwrap_or_default());
    let words = part(&files.words);
    write_words(&words, &corpus.words).map_err(writing(&words))?;
    let topics = part(&files.topics);
    write_topics(&topics, &corpus.words, &corpus.topics).map_err(writing(&topics))?;
    let described = description(&corpus, &destination.name);
    let body = parts.0.join("body");
    let compression = destination.compression;
    let counts = write_documents(corpus, &part(&files.documents), &body, compression, progress)?;
    let path = part(&files.description);
    write_description(&path, described, counts).map_err(writing(&path))?;
    for file in all {
        fs::rename(part(file), file).map_err(writing(file))?;
    }
    Ok((files, counts))
}

/// The header of the table of true topics.
pub const TRUTH_COLUMNS: [&str; 3] = ["topic", "term", "probability"];

/// Writes the words, one on each line.
pub(super) fn write_words(path: &Path, words: &[String]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for word in words {
        writeln!(out, "{word}")?;
    }
    out.flush()
}

/// Writes a line `topic,term,probability` for every positive probability, with all its digits.
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

/// All settings of the corpus as a JSON object, sufficient to make it again.
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

/// Writes the description, completed by the sizes drawn.
pub(super) fn write_description(
    path: &Path,
    mut description: Value,
    counts: CorpusSize,
) -> io::Result<()> {
    description["total_tokens"] = counts.tokens.into();
    description["nonzeros"] = counts.nonzeros.into();
    std::fs::write(path, format!("{description:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::synth::lda::{LdaSettings, lda};
    use crate::synth::length::Length;
    use std::io::Read;

    fn corpus(documents: u64) -> KnownCorpus {
        let length = Length::Fixed(20);
        let settings =
            LdaSettings { documents, words: 9, topics: 2, length, alpha: 0.1, beta: 0.5, seed: 1 };
        lda(&settings).expect("a corpus")
    }

    fn destination(directory: &Path, compression: Compression) -> Destination {
        Destination { directory: directory.join("new"), name: "tiny".into(), compression }
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let name = |e: std::io::Result<fs::DirEntry>| e.expect("entry").file_name().into_string();
        let mut found: Vec<String> = entries.map(|e| name(e).expect("UTF-8")).collect();
        found.sort();
        found
    }

    #[test]
    fn files_hold_what_was_drawn() {
        let home = tempfile::tempdir().expect("tempdir");
        let destination = destination(home.path(), Compression::Plain);
        let (files, counts) = write_files(corpus(30), &destination, &Silent).expect("files");
        let mut lines = Vec::new();
        for (number, document) in corpus(30).collected().iter().enumerate() {
            let line = |(word, count): &(u32, u32)| format!("{} {} {count}", number + 1, word + 1);
            lines.extend(document.iter().map(line));
        }
        assert_eq!(counts, CorpusSize { documents: 30, tokens: 600, nonzeros: lines.len() as u64 });
        let text = fs::read_to_string(&files.documents).expect("documents");
        assert_eq!(text, format!("30\n9\n{}\n{}\n", lines.len(), lines.join("\n")));
        assert_eq!(fs::read_to_string(&files.words).expect("words").lines().count(), 9);
        let described = fs::read_to_string(&files.description).expect("description");
        let described: serde_json::Value = serde_json::from_str(&described).expect("JSON");
        assert_eq!(described["kind"], "lda");
        assert_eq!((described["seed"].as_u64(), described["alpha"].as_f64()), (Some(1), Some(0.1)));
        assert_eq!(described["length"]["fixed"], 20);
        let listed = ["docword.tiny.txt", "truth.tiny.csv", "truth.tiny.json", "vocab.tiny.txt"];
        assert_eq!(names(&destination.directory), listed);
    }

    #[test]
    fn packed_documents_are_the_same() {
        let home = tempfile::tempdir().expect("tempdir");
        let read = |compression| {
            let destination =
                destination(&home.path().join(format!("{compression:?}")), compression);
            let (files, _) = write_files(corpus(2000), &destination, &Silent).expect("files");
            fs::read(files.documents).expect("documents")
        };
        let (plain, packed) = (read(Compression::Plain), read(Compression::Gzip));
        let mut unpacked = Vec::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(packed.as_slice());
        decoder.read_to_end(&mut unpacked).expect("gzip");
        assert_eq!(unpacked, plain);
        assert!(packed.len() < plain.len() / 2);
    }

    /// Cancelled from the start.
    struct Cancelled;

    impl Progress for Cancelled {
        fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
        fn step(&self, _step: u64, _residual: Option<f64>) {}
        fn cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn nothing_is_left_of_a_corpus_that_was_stopped_and_nothing_is_overwritten() {
        let home = tempfile::tempdir().expect("tempdir");
        let destination = destination(home.path(), Compression::Plain);
        let stopped = write_files(corpus(5000), &destination, &Cancelled).expect_err("stopped");
        assert!(stopped.is_cancel());
        assert_eq!(names(&destination.directory), Vec::<String>::new());
        let vocabulary = destination.directory.join("vocab.tiny.txt");
        fs::write(&vocabulary, "mine").expect("write");
        let error = write_files(corpus(5), &destination, &Silent).expect_err("there");
        assert!(matches!(error, SynthError::Exists { .. }), "{error}");
        assert_eq!(fs::read_to_string(&vocabulary).expect("read"), "mine");
        assert_eq!(names(&destination.directory), ["vocab.tiny.txt"]);
        for name in ["", "../x", ".x", "a b"] {
            let other = Destination { name: name.into(), ..destination.clone() };
            let error = write_files(corpus(5), &other, &Silent).expect_err(name);
            assert!(matches!(error, SynthError::OutOfRange { field: "name", .. }), "{error:?}");
        }
    }
}

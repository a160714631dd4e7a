//! Topics of another program as those of a run, so that documents, metrics and comparisons are computed the same way.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::document_topics::DocumentTable;
use super::embeddings::VectorTable;
use super::{embeddings, mallet_state, mallet_weights, topic_array};
use crate::saved::known_topics::{KnownTopics, TruthError};
use topoi_core::metric::model_figures::OUTSIDE_VOCABULARY;
use topoi_core::model::topic_model::{Card, Figure, Fit};
use topoi_core::model::topics::Topics;
use topoi_ingest::source::Source;

/// The card of imported topics, in place of a model's.
pub const IMPORTED: Card =
    Card::streamed("imported", "topics from a file that another program wrote", "");

/// Number of words outside the vocabulary that are saved as examples.
const EXAMPLES: usize = 3;
/// Maximum number of characters of an example.
const LONGEST_EXAMPLE: usize = 30;

/// The format of a file of topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum ImportFormat {
    /// A table of topics, terms and probabilities.
    TopicsCsv,
    /// An array of NumPy with the words of its columns.
    Npy,
    /// The state of MALLET's sampler.
    MalletState,
    /// MALLET's weights of words in topics.
    MalletWeights,
    /// A table of documents with the topic of each.
    DocumentTopicsCsv,
    /// Vectors of documents, whose clusters can be topics.
    Embeddings,
}

impl ImportFormat {
    /// Name on the command line and in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// One line of help.
    pub fn help(self) -> &'static str {
        match self {
            Self::TopicsCsv => {
                "topic,term,probability (or beta) with a line of names, topics from 0 or 1"
            }
            Self::Npy => {
                "A row a topic, a column a word, as np.save has it, or the folder of export --to npy"
            }
            Self::MalletState => "MALLET's --output-state, plain or gzip",
            Self::MalletWeights => "MALLET's --topic-word-weights-file, plain or gzip",
            Self::DocumentTopicsCsv => {
                "Documents with a topic each, such as BERTopic's get_document_info"
            }
            Self::Embeddings => {
                "A row a document, as np.save or a table of Parquet has it: their vectors are kept; with -k clusters of them are topics"
            }
        }
    }
}

/// A file of topics, as saved in the settings of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Absolute path of the file.
    pub path: PathBuf,
    pub format: ImportFormat,
    /// Absolute path of the words of an array's columns, or of the keys of the rows of vectors, which may have none;
    /// `None` for other formats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocab: Option<PathBuf>,
    /// BLAKE3 hash of the file, and of the words after it, so that a changed file is refused.
    pub hash: String,
}

/// Why topics were not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {reason}; give import a file of topics", path.display())]
    Read {
        path: PathBuf,
        /// The message of the operating system.
        reason: String,
    },
    /// A table of topics is wrong.
    #[error("{0}")]
    Table(#[from] TruthError),
    /// A line of a state is wrong.
    #[error(
        "{}:{line}: a line of a MALLET state is `doc source pos typeindex type topic`", path.display()
    )]
    Line {
        path: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// A value on a line is invalid.
    #[error("{}:{line}: {problem}", path.display())]
    Value {
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is invalid, and the remedy.
        problem: String,
    },
    /// The file as a whole is invalid.
    #[error("{}: {problem}", path.display())]
    File {
        path: PathBuf,
        /// What is invalid, and the remedy.
        problem: String,
    },
    /// Words are given for a format that has its own.
    #[error("--vocab names the words of --from npy, and {0} has its own; leave it out")]
    NeedlessWords(&'static str),
    /// There are fewer than two topics.
    #[error("{}: {found} topics, and two or more make a run; look at the file", path.display())]
    TooFew { path: PathBuf, found: usize },
    /// The file has changed since the run was requested.
    #[error("{}: not the file the run was asked for with; import it again", .0.display())]
    Changed(PathBuf),
    /// No word of a topic is in the vocabulary.
    #[error(
        "{}: topic {topic} has no word of the run's vocabulary", path.display()
    )]
    NoWord {
        path: PathBuf,
        /// Number of the topic, from 0.
        topic: usize,
    },
}

/// Weights of words by topic; they need not sum to 1.
#[derive(Debug)]
pub(super) enum TopicWeights {
    /// By word.
    Words {
        topics: Vec<BTreeMap<String, f64>>,
        /// Words whose weight is increased by this amount in every topic.
        smoothed: Option<(BTreeSet<String>, f64)>,
    },
    /// By number of the word. A word that is there twice has the sum of its weights.
    Numbers {
        words: Vec<String>,
        /// (word, weight) of each topic, without zeros.
        topics: Vec<Vec<(usize, f64)>>,
    },
}

impl TopicWeights {
    fn len(&self) -> usize {
        match self {
            Self::Words { topics, .. } => topics.len(),
            Self::Numbers { topics, .. } => topics.len(),
        }
    }

    /// The words of a topic, in an order that the file determines.
    fn topic_words(&self, topic: usize) -> Box<dyn Iterator<Item = (&str, f64)> + '_> {
        match self {
            Self::Words { topics, smoothed: None } => {
                Box::new(topics[topic].iter().map(|(word, &weight)| (word.as_str(), weight)))
            }
            Self::Words { topics, smoothed: Some((words, more)) } => {
                let own = &topics[topic];
                Box::new(words.iter().map(move |word| {
                    (word.as_str(), own.get(word).copied().unwrap_or_default() + more)
                }))
            }
            Self::Numbers { words, topics } => {
                Box::new(topics[topic].iter().map(|&(word, weight)| (words[word].as_str(), weight)))
            }
        }
    }
}

/// What a file holds.
enum Content {
    /// Weights of words in topics.
    Weights(TopicWeights),
    /// Topics of documents.
    Documents(DocumentTable),
    /// Vectors of documents.
    Vectors(VectorTable),
}

impl Import {
    /// Reads a file, for an array with the words of its columns; returns it with its number of topics, and of vectors with
    /// the number of rows. `vocab` is the file of the words, or of the keys of vectors; without it they are beside the
    /// array.
    pub fn from_file(
        path: &Path,
        format: ImportFormat,
        vocab: Option<&Path>,
    ) -> Result<(Self, usize), ImportError> {
        let absolute = |path: &Path| path.canonicalize().map_err(|error| read_error(path, &error));
        let path = absolute(path)?;
        let (path, vocab) = match (format, vocab) {
            (ImportFormat::Npy, vocab) => {
                let (array, words) = topic_array::files(&path, vocab)?;
                (absolute(&array)?, Some(absolute(&words)?))
            }
            (ImportFormat::Embeddings, keys) => {
                let keys = embeddings::keys_of(&path, keys);
                let keys = keys.map(|keys| absolute(&keys)).transpose()?;
                (path, keys)
            }
            (_, Some(_)) => return Err(ImportError::NeedlessWords(format.name())),
            (_, None) => (path, None),
        };
        let import = Self { path, format, vocab, hash: String::new() };
        let (content, hash) = import.read()?;
        let found = match content {
            Content::Weights(weights) => weights.len(),
            Content::Documents(table) => table.topics(),
            Content::Vectors(table) => table.rows(),
        };
        Ok((Self { hash: hash.to_hex().to_string(), ..import }, found))
    }

    /// The topics over the W words of a vocabulary. Words outside the vocabulary are left out and each topic is
    /// normalised again. The metric `outside_vocabulary` is the mean share left out, with the heaviest words as
    /// examples.
    pub fn topics(&self, words: &[String]) -> Result<Fit, ImportError> {
        let Content::Weights(weights) = self.read_again()? else {
            let problem = "topics of documents, which need the documents of a whole corpus".into();
            return Err(ImportError::File { path: self.path.clone(), problem });
        };
        let k = weights.len();
        let number: HashMap<&str, usize> = words.iter().map(String::as_str).zip(0..).collect();
        let mut b = Array2::zeros((words.len(), k));
        let mut outside = 0.0;
        let mut left_out: BTreeMap<&str, f64> = BTreeMap::new();
        for topic in 0..k {
            let all: f64 = weights.topic_words(topic).map(|(_, weight)| weight).sum();
            for (term, weight) in weights.topic_words(topic) {
                match number.get(term) {
                    Some(&word) => b[(word, topic)] += weight,
                    None => *left_out.entry(term).or_default() += weight / all,
                }
            }
            let inside: f64 = b.column(topic).sum();
            if inside <= 0.0 {
                return Err(ImportError::NoWord { path: self.path.clone(), topic });
            }
            b.column_mut(topic).mapv_inplace(|weight| weight / inside);
            outside += 1.0 - inside / all;
        }
        let even = Array1::from_elem(k, 1.0 / k as f64);
        let settings = serde_json::json!({ "words": examples(left_out) }).to_string();
        let outside = Figure::WithSettings(&OUTSIDE_VOCABULARY, outside / k as f64, settings);
        Ok(Fit::new(Topics::without_anchors(b, even), vec![outside]))
    }

    /// The table of a file of documents; `None` for other formats, whose topics no document determines.
    pub(super) fn documents(&self) -> Result<Option<DocumentTable>, ImportError> {
        if self.format != ImportFormat::DocumentTopicsCsv {
            return Ok(None);
        }
        match self.read_again()? {
            Content::Documents(table) => Ok(Some(table)),
            Content::Weights(_) | Content::Vectors(_) => Ok(None),
        }
    }

    /// The vectors of a file of vectors; `None` for other formats.
    pub(super) fn vector_table(&self) -> Result<Option<VectorTable>, ImportError> {
        if self.format != ImportFormat::Embeddings {
            return Ok(None);
        }
        match self.read_again()? {
            Content::Vectors(table) => Ok(Some(table)),
            Content::Weights(_) | Content::Documents(_) => Ok(None),
        }
    }

    /// Reads the file again.
    ///
    /// # Errors
    /// [`ImportError::Changed`] for another file than the run was requested with.
    fn read_again(&self) -> Result<Content, ImportError> {
        let is_same = |hash: &blake3::Hash| hash.to_hex().as_str() == self.hash;
        match self.read() {
            Ok((content, hash)) if is_same(&hash) => Ok(content),
            // A changed file is reported before its content.
            Err(error) if self.hash_of_files().is_ok_and(|hash| is_same(&hash)) => Err(error),
            _ => Err(ImportError::Changed(self.path.clone())),
        }
    }

    /// The content with the BLAKE3 hash of the bytes.
    fn read(&self) -> Result<(Content, blake3::Hash), ImportError> {
        let path = &self.path;
        let fail = |error: io::Error| read_error(path, &error);
        let file = File::open(path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(read_error(path, &io::Error::other("not a regular file")));
        }
        let (weights, hash) = match self.format {
            ImportFormat::TopicsCsv => {
                let hash = self.hash_of_files().map_err(fail)?;
                let topics = KnownTopics::read(path)?.topics;
                (TopicWeights::Words { topics, smoothed: None }, hash)
            }
            ImportFormat::Npy => {
                let words = self.vocab.as_deref().unwrap_or(path);
                (topic_array::read(path, words)?, self.hash_of_files().map_err(fail)?)
            }
            ImportFormat::MalletState => hashed(file, path, mallet_state::read)?,
            ImportFormat::MalletWeights => hashed(file, path, mallet_weights::read)?,
            ImportFormat::DocumentTopicsCsv => {
                let hash = self.hash_of_files().map_err(fail)?;
                let table = DocumentTable::read(path)?;
                at_least_two(path, table.topics())?;
                return Ok((Content::Documents(table), hash));
            }
            ImportFormat::Embeddings => {
                let hash = self.hash_of_files().map_err(fail)?;
                return Ok((
                    Content::Vectors(embeddings::read(path, self.vocab.as_deref())?),
                    hash,
                ));
            }
        };
        at_least_two(path, weights.len())?;
        Ok((Content::Weights(weights), hash))
    }

    fn hash_of_files(&self) -> io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        for path in std::iter::once(&self.path).chain(&self.vocab) {
            hasher.update_reader(File::open(path)?)?;
        }
        Ok(hasher.finalize())
    }
}

fn at_least_two(path: &Path, found: usize) -> Result<(), ImportError> {
    match found {
        0 | 1 => Err(ImportError::TooFew { path: path.to_path_buf(), found }),
        _ => Ok(()),
    }
}

/// What `read` finds in the lines of a file, plain or compressed, with the hash of its bytes.
fn hashed(
    file: File,
    path: &Path,
    read: impl FnOnce(&mut Source, &Path) -> Result<TopicWeights, ImportError>,
) -> Result<(TopicWeights, blake3::Hash), ImportError> {
    let (send, hashed) = channel();
    let file = HashingReader { file, hasher: blake3::Hasher::new(), at_end: send };
    let name = path.display().to_string();
    let mut source = Source::new(&name, &name, None, Box::new(file), None)
        .map_err(|error| mallet_state::unreadable(path, error))?;
    let weights = read(&mut source, path)?;
    drop(source);
    let hash = hashed.recv();
    Ok((weights, hash.map_err(|_| read_error(path, &io::ErrorKind::UnexpectedEof.into()))?))
}

/// At most [`EXAMPLES`] words with the largest weights; long words are cut.
fn examples(words: BTreeMap<&str, f64>) -> Vec<String> {
    let mut words: Vec<_> = words.into_iter().collect();
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let cut = |(word, _): (&str, f64)| word.chars().take(LONGEST_EXAMPLE).collect();
    words.into_iter().take(EXAMPLES).map(cut).collect()
}

pub(super) fn read_error(path: &Path, error: &std::io::Error) -> ImportError {
    ImportError::Read { path: path.to_path_buf(), reason: error.to_string() }
}

/// A reader that sends the hash of all bytes at the end of the file, so that a state is read once.
struct HashingReader {
    file: File,
    hasher: blake3::Hasher,
    at_end: Sender<blake3::Hash>,
}

impl Read for HashingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.hasher.update(&buffer[..length]);
        if length == 0 {
            // The receiver is gone only after an error.
            let _ = self.at_end.send(self.hasher.finalize());
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const STATE: &str = "#doc source pos typeindex type topic\n#alpha : 0.5 0.5 \n#beta : 0.1\n\
                         0 a file.txt 0 0 cat 1\n0 a file.txt 1 1 dog 0\n1 NA 0 0 cat 1\n";

    #[test]
    fn a_state_is_counted_smoothed_and_kept_to_the_vocabulary() {
        let directory = tempfile::tempdir().expect("tempdir");
        let plain = directory.path().join("state");
        std::fs::write(&plain, STATE).expect("write");
        let packed = directory.path().join("state.gz");
        let file = std::fs::File::create(&packed).expect("create");
        let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        gzip.write_all(STATE.as_bytes()).and_then(|()| gzip.finish().map(drop)).expect("write");
        let words = ["bird", "cat", "dog"].map(String::from);
        for path in [&plain, &packed] {
            let (import, k) =
                Import::from_file(path, ImportFormat::MalletState, None).expect("a state");
            assert_eq!(k, 2);
            let topics = import.topics(&words).expect("topics").topics.topics;
            let expected =
                ndarray::array![[0.0, 0.0], [0.1 / 1.2, 2.1 / 2.2], [1.1 / 1.2, 0.1 / 2.2]];
            assert!((&topics - &expected).iter().all(|miss| miss.abs() < 1e-15), "{topics}");
            let narrow = import.topics(&words[..2]).expect("topics");
            let Figure::WithSettings(_, outside, settings) = &narrow.figures[0] else {
                panic!("of the run")
            };
            assert_eq!(settings, r#"{"words":["dog"]}"#);
            assert!((outside - (1.1 / 1.2 + 0.1 / 2.2) / 2.0).abs() < 1e-12);
            assert!(matches!(import.topics(&words[..1]), Err(ImportError::NoWord { .. })));
        }
        let (import, _) =
            Import::from_file(&plain, ImportFormat::MalletState, None).expect("a state");
        std::fs::write(&plain, STATE.replace("dog", "cow")).expect("write");
        assert!(matches!(import.topics(&words), Err(ImportError::Changed(_))));
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("state");
        for text in ["0 NA 0 0 cat\n", "#x\n0 NA 0 0 cat one\n", "0 NA 0 0 cat -1\n"] {
            std::fs::write(&path, text).expect("write");
            let error =
                Import::from_file(&path, ImportFormat::MalletState, None).expect_err("no state");
            assert!(error.to_string().contains("doc source pos"), "{error}");
        }
        std::fs::write(&path, "0 NA 0 0 cat 0\n").expect("write");
        let error =
            Import::from_file(&path, ImportFormat::MalletState, None).expect_err("one topic");
        assert!(error.to_string().contains("1 topics"), "{error}");
    }
}

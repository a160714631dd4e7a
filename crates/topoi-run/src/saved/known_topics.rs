//! The true topics of a corpus, read from a file.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use topoi_core::csv_cell::from_spreadsheet;
use topoi_core::synth::files::TRUTH_COLUMNS;

/// Tolerance of the sum of the probabilities of a topic, for files with few digits.
const SUM_TOLERANCE: f64 = 1e-3;

/// Maximum bytes of a record, the same as for a line of ingest.
const LONGEST_RECORD: usize = 64 << 20;

/// Why a file of true topics cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system, or of the CSV reader.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A line is invalid.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is invalid, and the remedy.
        problem: String,
    },
    /// The lines together are not the probabilities of topics.
    #[error("{}: {problem}", path.display())]
    Topics {
        /// Path of the file.
        path: PathBuf,
        /// What is invalid, and the remedy.
        problem: String,
    },
}

/// True topics by number: (word, probability) by word, without zeros.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownTopics {
    /// Path of the file they were read from.
    pub path: PathBuf,
    /// The probabilities of each topic's words.
    pub topics: Vec<BTreeMap<String, f64>>,
}

impl KnownTopics {
    /// Reads a CSV file with the columns `topic`, `term` (or `word`) and `probability` (or `beta`, as R's tidytext calls
    /// it, or `phi`), and possibly others. Topics are numbered from 0, or from 1; their lines are in any order, and the
    /// probabilities of each sum to 1 (within 0.001).
    /// `topic_words.csv` of `topoi export --to csv` is such a file.
    ///
    /// # Errors
    /// [`TruthError`], naming file and line.
    pub fn read(path: &Path) -> Result<Self, TruthError> {
        let mut records = Records::open(path, "give a file that `topoi synth` wrote")?;
        let mut topics: HashMap<u64, BTreeMap<String, f64>> = HashMap::new();
        let mut record = csv::StringRecord::new();
        let mut columns = None;
        while records.read(&mut record)? {
            let line = record.position().map_or(0, csv::Position::line);
            let at_line = |problem| TruthError::Line { path: path.to_path_buf(), line, problem };
            let Some(columns) = &columns else {
                columns = Some(header(&record).map_err(at_line)?);
                continue;
            };
            let (topic, term, probability) = entry(&record, columns).map_err(at_line)?;
            let column = topics.entry(topic).or_default();
            if column.insert(term.to_string(), probability).is_some() {
                let problem = format!("term {term:?} of topic {topic} a second time; keep one");
                return Err(at_line(problem));
            }
        }
        let topics = in_order(topics)
            .map_err(|problem| TruthError::Topics { path: path.to_path_buf(), problem })?;
        Ok(Self { path: path.to_path_buf(), topics })
    }
}

/// The records of a CSV file, the header among them.
pub(crate) struct Records<'a> {
    path: &'a Path,
    reader: csv::Reader<LimitedReader>,
    left: Rc<Cell<usize>>,
    /// What to do about a file that is not UTF-8.
    remedy: &'static str,
}

impl<'a> Records<'a> {
    /// # Errors
    /// [`TruthError::Read`].
    pub(crate) fn open(path: &'a Path, remedy: &'static str) -> Result<Self, TruthError> {
        let file = File::open(path)
            .map_err(|error| TruthError::Read { path: path.to_path_buf(), source: error.into() })?;
        let left = Rc::new(Cell::new(0));
        let file = LimitedReader { file, left: Rc::clone(&left) };
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file);
        Ok(Self { path, reader, left, remedy })
    }

    /// Reads the next record; false at the end of the file.
    ///
    /// # Errors
    /// [`TruthError`], naming file and line.
    pub(crate) fn read(&mut self, record: &mut csv::StringRecord) -> Result<bool, TruthError> {
        self.left.set(LONGEST_RECORD);
        self.reader.read_record(record).map_err(|error| bad_record(self.path, error, self.remedy))
    }
}

/// A reader with a limit per record, as an unclosed quote would make one record of the whole file.
struct LimitedReader {
    file: File,
    left: Rc<Cell<usize>>,
}

impl Read for LimitedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        let left = self.left.get().checked_sub(length);
        self.left.set(left.ok_or_else(|| {
            io::Error::other("a record longer than 64 MiB; close the quote that opens it")
        })?);
        Ok(length)
    }
}

/// The positions of the columns, and the number of fields of a line.
struct Columns {
    topic: usize,
    term: usize,
    probability: usize,
    fields: usize,
}

fn header(record: &csv::StringRecord) -> Result<Columns, String> {
    let place = |names: &[&str]| record.iter().position(|found| names.contains(&found));
    let [topic, term, probability] = TRUTH_COLUMNS;
    if let (Some(topic), Some(term), Some(probability)) =
        (place(&[topic]), place(&[term, "word"]), place(&[probability, "beta", "phi"]))
    {
        return Ok(Columns { topic, term, probability, fields: record.len() });
    }
    let found = record.iter().take(4).collect::<Vec<_>>().join(",");
    let found: String = found.chars().take(60).collect();
    Err(format!("expected the header {}, found {found:?}", TRUTH_COLUMNS.join(",")))
}

fn entry<'a>(
    record: &'a csv::StringRecord,
    columns: &Columns,
) -> Result<(u64, &'a str, f64), String> {
    if record.len() != columns.fields {
        let (wanted, found) = (columns.fields, record.len());
        return Err(format!("expected {wanted} fields, as the header has, found {found}"));
    }
    let [topic, term, probability] = [columns.topic, columns.term, columns.probability]
        .map(|column| from_spreadsheet(record.get(column).unwrap_or_default()));
    let topic = topic
        .parse()
        .map_err(|_| format!("topic {topic:?} is not a whole number from 0 on; correct it"))?;
    if term.is_empty() {
        return Err("a term without letters; name it or leave the line out".into());
    }
    let number = probability.parse().ok().filter(|p| (0.0..=1.0 + SUM_TOLERANCE).contains(p));
    let Some(number) = number else {
        return Err(format!("probability {probability:?} is not a number from 0 to 1; correct it"));
    };
    Ok((topic, term, number))
}

fn in_order(
    mut topics: HashMap<u64, BTreeMap<String, f64>>,
) -> Result<Vec<BTreeMap<String, f64>>, String> {
    if topics.is_empty() {
        return Err("no topic; a line each is topic,term,probability".into());
    }
    let count = topics.len() as u64;
    let first = u64::from(!topics.contains_key(&0) && topics.contains_key(&count));
    (first..first + count)
        .map(|number| {
            let topic = topics.remove(&number).ok_or_else(|| {
                format!(
                    "there are {count} topics but no topic {number}; number them from 0 or from 1"
                )
            })?;
            let sum: f64 = topic.values().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                let remedy = match sum > 0.0 {
                    true => "divide them by that",
                    false => "give it words",
                };
                return Err(format!(
                    "the probabilities of topic {number} sum to {sum}, not to 1; {remedy}"
                ));
            }
            Ok(topic)
        })
        .collect()
}

fn bad_record(path: &Path, error: csv::Error, remedy: &str) -> TruthError {
    let line = error.position().map(csv::Position::line);
    match (line, error.kind()) {
        (Some(line), csv::ErrorKind::Utf8 { .. }) => TruthError::Line {
            path: path.to_path_buf(),
            line,
            problem: format!("not UTF-8; {remedy}"),
        },
        _ => TruthError::Read { path: path.to_path_buf(), source: without_csv(error) },
    }
}

/// The error of the operating system, if it is the cause.
fn without_csv(error: csv::Error) -> Box<dyn std::error::Error + Send + Sync> {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => format!("{other:?}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(content: &[u8]) -> Result<KnownTopics, String> {
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), content).expect("write");
        let name = file.path().display().to_string();
        KnownTopics::read(file.path()).map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn topics_are_read_in_any_order_of_lines() {
        let found = read(b"topic,term,probability\n1,\"a,b\",1\n0,bee,0.25\n0,ale,7.5e-1\n");
        let topics = found.expect("topics").topics;
        assert_eq!(topics.len(), 2);
        assert_eq!(
            topics[0].iter().map(|(w, &p)| (w.as_str(), p)).collect::<Vec<_>>(),
            [("ale", 0.75), ("bee", 0.25)]
        );
        assert_eq!(topics[1]["a,b"], 1.0);
        // As R's tidytext writes them: tidy(lda, matrix = "beta").
        let tidy = read(b"topic,term,beta\n1,ale,1\n2,bee,1\n").expect("topics");
        assert_eq!((tidy.topics[0]["ale"], tidy.topics[1]["bee"]), (1.0, 1.0));
        let wider = read(b"topic,rank,word,probability\n0,1,ale,1\n").expect("topics");
        assert_eq!(wider.topics[0]["ale"], 1.0);
    }

    #[test]
    fn mistakes_are_told_with_file_and_line() {
        let told = |body: &str| {
            read(format!("topic,term,probability\n{body}").as_bytes()).expect_err("a mistake")
        };
        let expected = [
            ("0,a", "FILE:2: expected 3 fields, as the header has, found 2"),
            ("0,a,1\n-1,b,1", "FILE:3: topic \"-1\" is not a whole number from 0 on; correct it"),
            ("0,a,x", "FILE:2: probability \"x\" is not a number from 0 to 1; correct it"),
            ("0,,1", "FILE:2: a term without letters; name it or leave the line out"),
            ("0,a,0.5\n0,a,0.5", "FILE:3: term \"a\" of topic 0 a second time; keep one"),
            (
                "1,a,1\n3,b,1",
                "FILE: there are 2 topics but no topic 0; number them from 0 or from 1",
            ),
            (
                "0,a,0.5",
                "FILE: the probabilities of topic 0 sum to 0.5, not to 1; divide them by that",
            ),
            ("", "FILE: no topic; a line each is topic,term,probability"),
        ];
        for (body, message) in expected {
            assert_eq!(told(body), message);
        }
        for number in [
            "NaN", "-nan", "inf", "-inf", "infinity", "-0.5", "-1e-300", "1.1", "1e400", "", " ",
            "0,5",
        ] {
            let found = told(&format!("0,a,\"{number}\""));
            let expected =
                format!("FILE:2: probability {number:?} is not a number from 0 to 1; correct it");
            assert_eq!(found, expected);
        }
        let error = read(b"1 2 3\n").expect_err("no header");
        assert_eq!(error, "FILE:1: expected the header topic,term,probability, found \"1 2 3\"");
        let error = read(b"topic,term,probability\n0,\xff,1\n").expect_err("not UTF-8");
        assert_eq!(error, "FILE:2: not UTF-8; give a file that `topoi synth` wrote");
        let error = KnownTopics::read(Path::new("/nowhere/x.csv")).expect_err("nowhere");
        assert!(error.to_string().starts_with("/nowhere/x.csv: No such file"), "{error}");
    }

    #[test]
    fn a_quote_that_is_never_closed_does_not_take_the_whole_file_into_memory() {
        let mut text = b"topic,term,probability\n0,\"a".to_vec();
        text.resize(70 << 20, b'x');
        let error = read(&text).expect_err("a record without end");
        assert!(error.starts_with("FILE: a record longer than 64 MiB; close the quote"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_topics_or_a_mistake_of_one_line(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            has_header in any::<bool>(),
        ) {
            let header = if has_header { &b"topic,term,probability\n"[..] } else { b"" };
            if let Err(error) = read(&[header, &bytes].concat()) {
                prop_assert_eq!(error.lines().count(), 1, "{}", error);
            }
        }
    }
}

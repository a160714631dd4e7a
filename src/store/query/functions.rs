//! The functions that people's queries have beyond SQLite's own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use super::mathematics;
use crate::formula::{frex::frex, jensen_shannon::jensen_shannon, relevance::relevance};
use crate::store::Store;
use crate::store::error::{Result, StoreError};

/// A function that queries can call, as help shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqlFunction {
    /// Name and arguments, as in a query.
    pub signature: &'static str,
    /// What the function returns.
    pub meaning: &'static str,
}

/// All of them; `schema/README.md` says more.
pub const FUNCTIONS: &[SqlFunction] = &[
    SqlFunction {
        signature: "median(x)",
        meaning: "of the rows of a group; the mean of the middle two where there are two",
    },
    SqlFunction {
        signature: "quantile(x, share)",
        meaning: "the number below which that share of the rows of a group lies",
    },
    SqlFunction {
        signature: "text REGEXP pattern",
        meaning: "whether the pattern is somewhere in the text; (?i) for any case",
    },
    SqlFunction {
        signature: "ln(x), log(b, x), exp(x), sqrt(x), power(x, y) ...",
        meaning: "SQLite's mathematical functions",
    },
    SqlFunction {
        signature: "relevance(p, marginal, lambda)",
        meaning: "of a word to a topic (LDAvis): lambda ln p + (1 - lambda) ln(p / marginal)",
    },
    SqlFunction {
        signature: "frex(frequency, exclusivity, weight)",
        meaning: "harmonic mean of two cume_dist(); weight (0.5) is that of exclusivity",
    },
    SqlFunction {
        signature: "natural_order(text)",
        meaning: "to sort by as people count: ORDER BY natural_order(key) has 2 before 10",
    },
    SqlFunction {
        signature: "jsd(run_a, topic_a, run_b, topic_b)",
        meaning: "how far two saved topics are apart, 0 to 1 bit",
    },
];

/// The topic of a run, and what it is looked up by: its corpus and (term id, probability) by term.
const CORPUS_OF_TOPIC: &str = "SELECT run.corpus_id FROM topic JOIN run ON run.id = topic.run_id \
    WHERE topic.run_id = ?1 AND topic.topic = ?2";
const WORDS_OF_TOPIC: &str = "SELECT term_id, probability FROM topic_term \
    WHERE run_id = ?1 AND topic = ?2 ORDER BY term_id";

/// Words of topics that are kept at most, 16 bytes each: twice two runs of 100 topics of 10,000.
const KEPT_WORDS: usize = 4_000_000;

type Answer = rusqlite::Result<Option<f64>>;

impl Store {
    /// Gives the connection its functions.
    pub(crate) fn define_functions(&self) -> Result<()> {
        let pure = FunctionFlags::SQLITE_UTF8
            | FunctionFlags::SQLITE_DETERMINISTIC
            | FunctionFlags::SQLITE_INNOCUOUS;
        let define = || {
            mathematics::define(&self.connection, pure)?;
            self.connection.create_scalar_function("natural_order", 1, pure, natural_order)?;
            self.connection.create_scalar_function("relevance", 3, pure, relevance_of)?;
            self.connection.create_scalar_function("frex", 2, pure, frex_of)?;
            self.connection.create_scalar_function("frex", 3, pure, frex_of)?;
            let topics = Mutex::new(Topics::of(self.path()));
            let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
            self.connection.create_scalar_function("jsd", 4, flags, move |context| {
                jsd(context, &mut topics.lock().unwrap_or_else(|e| e.into_inner()))
            })
        };
        define().map_err(|source| self.error(source))
    }
}

/// A text that sorts where the numbers in `text` put it: before each stands how many digits it has.
fn natural_order(context: &Context<'_>) -> rusqlite::Result<Option<String>> {
    let text = match context.get_raw(0) {
        ValueRef::Text(text) => String::from_utf8_lossy(text),
        _ => return Ok(None),
    };
    let mut ordered = String::with_capacity(text.len() + 4);
    let mut rest = &*text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let end = rest[at..].find(|letter: char| !letter.is_ascii_digit());
        let end = end.map_or(rest.len(), |end| at + end);
        let digits = rest[at..end].trim_start_matches('0');
        ordered.push_str(&rest[..at]);
        // One letter, '0' for none and so on; longer numbers than sixty digits are no counts.
        ordered.push(char::from(b'0' + digits.len().min(60) as u8));
        ordered.push_str(digits);
        rest = &rest[end..];
    }
    ordered.push_str(rest);
    Ok(Some(ordered))
}

fn relevance_of(context: &Context<'_>) -> Answer {
    let p = number(context, 0, "relevance: p")?;
    let marginal = number(context, 1, "relevance: marginal")?;
    let lambda = share(context, 2, "relevance: lambda")?;
    let (Some(p), Some(marginal), Some(lambda)) = (p, marginal, lambda) else { return Ok(None) };
    Ok(relevance(p, marginal, lambda))
}

fn frex_of(context: &Context<'_>) -> Answer {
    let frequency = share(context, 0, "frex: frequency")?;
    let exclusivity = share(context, 1, "frex: exclusivity")?;
    let weight = if context.len() > 2 { share(context, 2, "frex: weight")? } else { Some(0.5) };
    let (Some(frequency), Some(exclusivity), Some(weight)) = (frequency, exclusivity, weight)
    else {
        return Ok(None);
    };
    Ok(Some(frex(frequency, exclusivity, weight)))
}

fn jsd(context: &Context<'_>, topics: &mut Topics) -> Answer {
    let mut whole = [0; 4];
    let names = ["jsd: run_a", "jsd: topic_a", "jsd: run_b", "jsd: topic_b"];
    for (at, (place, name)) in whole.iter_mut().zip(names).enumerate() {
        *place = match context.get_raw(at) {
            ValueRef::Null => return Ok(None),
            ValueRef::Integer(number) => number,
            other => return Err(wrong(format!("{name} is a whole number, not {}", kind(other)))),
        };
    }
    let refused = |error: StoreError| wrong(format!("jsd: {error}"));
    let [run_a, topic_a, run_b, topic_b] = whole;
    topics.look_for_changes().map_err(refused)?;
    let a = topics.topic(run_a, topic_a).map_err(refused)?;
    let b = topics.topic(run_b, topic_b).map_err(refused)?;
    Ok(match (a, b) {
        (Some(a), Some(b)) if a.corpus == b.corpus => Some(jensen_shannon(&a.words, &b.words)),
        _ => None,
    })
}

/// The argument as a number; `None` for NULL.
pub(super) fn number(context: &Context<'_>, at: usize, name: &str) -> Answer {
    match context.get_raw(at) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        ValueRef::Real(number) => Ok(Some(number)),
        other => Err(wrong(format!("{name} is a number, not {}", kind(other)))),
    }
}

/// The argument as a number from 0 to 1; `None` for NULL.
pub(super) fn share(context: &Context<'_>, at: usize, name: &str) -> Answer {
    match number(context, at, name)? {
        Some(number) if !(0.0..=1.0).contains(&number) => {
            Err(wrong(format!("{name} is from 0 to 1, not {number}")))
        }
        other => Ok(other),
    }
}

pub(super) fn kind(value: ValueRef<'_>) -> &'static str {
    match value {
        ValueRef::Null => "NULL",
        ValueRef::Integer(_) | ValueRef::Real(_) => "a number with a fraction",
        ValueRef::Text(_) => "text",
        ValueRef::Blob(_) => "a blob",
    }
}

pub(super) fn wrong(words: String) -> Error {
    Error::UserFunctionError(words.into())
}

#[derive(Debug)]
struct TopicWords {
    corpus: i64,
    words: Vec<(i64, f64)>,
}

/// Saved topics that were asked for, on a connection of their own: a function may not use the
/// one it is called on.
#[derive(Debug)]
struct Topics {
    path: PathBuf,
    reader: Option<Connection>,
    version: i64,
    known: HashMap<(i64, i64), Option<Arc<TopicWords>>>,
    words: usize,
}

impl Topics {
    fn of(path: &Path) -> Self {
        Self { path: path.into(), reader: None, version: 0, known: HashMap::new(), words: 0 }
    }

    /// Forgets all topics when the store has been written to.
    fn look_for_changes(&mut self) -> Result<()> {
        let reader = match &self.reader {
            Some(reader) => reader,
            None => self.reader.insert(Store::open_reader(&self.path)?),
        };
        let version = reader.query_row("PRAGMA data_version", [], |row| row.get(0));
        let version = version.map_err(|source| StoreError::at(&self.path, source))?;
        if version != self.version || self.words > KEPT_WORDS {
            self.version = version;
            self.known.clear();
            self.words = 0;
        }
        Ok(())
    }

    /// The words of a topic; `None` if there is no such topic.
    fn topic(&mut self, run: i64, topic: i64) -> Result<Option<Arc<TopicWords>>> {
        if let Some(known) = self.known.get(&(run, topic)) {
            return Ok(known.clone());
        }
        let Some(reader) = &self.reader else { return Ok(None) };
        let found = read(reader, run, topic).map_err(|e| StoreError::at(&self.path, e))?;
        self.words += found.as_ref().map_or(0, |topic| topic.words.len());
        let found = found.map(Arc::new);
        self.known.insert((run, topic), found.clone());
        Ok(found)
    }
}

fn read(reader: &Connection, run: i64, topic: i64) -> rusqlite::Result<Option<TopicWords>> {
    let mut statement = reader.prepare_cached(CORPUS_OF_TOPIC)?;
    let Some(corpus) = statement.query_map([run, topic], |row| row.get(0))?.next().transpose()?
    else {
        return Ok(None);
    };
    let mut statement = reader.prepare_cached(WORDS_OF_TOPIC)?;
    let rows = statement.query_map([run, topic], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Some(TopicWords { corpus, words: rows.collect::<rusqlite::Result<_>>()? }))
}

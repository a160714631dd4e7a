//! MALLET's `--output-state`: one line per token, `doc source pos typeindex type topic`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::imported::{ImportError, TopicWeights};
use super::mallet_weights::other_file;
use topoi_ingest::IngestError;
use topoi_ingest::error::{InputLocation, Mistake, utf8};
use topoi_ingest::source::Source;

/// Default β of MALLET, for a state that does not contain β.
pub(super) const BETA: f64 = 0.01;
const GREATEST_BETA: f64 = 1e9;

/// A number of topics up to this may exceed the number of words, as in a small sample.
pub(super) const FEW_TOPICS: usize = 1000;

/// Parses a state from `source` line by line; `path` is for messages. Memory holds one number for each (topic, word)
/// that has tokens, whatever the numbers of topics in the file.
///
/// # Errors
/// [`ImportError::Value`], naming the line.
pub(super) fn read(source: &mut Source, path: &Path) -> Result<TopicWeights, ImportError> {
    let wrong = |line, problem| ImportError::Value { path: path.to_path_buf(), line, problem };
    let unreadable = |mistake: Mistake| {
        wrong(mistake.place.line, format!("{}; give import a MALLET state", mistake.problem))
    };
    let mut counts: HashMap<usize, BTreeMap<String, f64>> = HashMap::new();
    let mut words = BTreeSet::new();
    let (mut beta, mut alphas, mut last) = (BETA, None, (0, 0));
    loop {
        let number = source.number() + 1;
        let place = InputLocation { line: number, ..source.place() };
        let Some(line) = source.next_line().map_err(unreadable)? else { break };
        let line = utf8(line, &place).map_err(|mistake| {
            wrong(number, format!("{}; give import a MALLET state", mistake.problem))
        })?;
        if let Some(named) = line.strip_prefix("#beta :") {
            beta = beta_of(named.trim()).map_err(|problem| wrong(number, problem))?;
        }
        if let Some(named) = line.strip_prefix("#alpha :") {
            alphas = Some(named.split_ascii_whitespace().count());
        }
        if line.starts_with("#doc name") {
            let problem = other_file(line).unwrap_or_default();
            return Err(ImportError::File { path: path.to_path_buf(), problem });
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((word, topic)) = token(line) else {
            let path = path.to_path_buf();
            return Err(match other_file(line) {
                Some(problem) => ImportError::File { path, problem },
                None => ImportError::Line { path, line: number },
            });
        };
        if let Some(topics) = alphas.filter(|&topics| topic >= topics) {
            let problem = format!(
                "topic {topic}, but #alpha names {topics} topics, counted from 0; correct the line"
            );
            return Err(wrong(number, problem));
        }
        last = last.max((topic, number));
        *counts.entry(topic).or_default().entry(word.to_string()).or_default() += 1.0;
        if !words.contains(word) {
            words.insert(word.to_string());
        }
    }
    let (topic, line) = last;
    if topic >= words.len().max(FEW_TOPICS) {
        let words = words.len();
        let problem = format!(
            "topic {topic}, but the state has only {words} words, and no more topics than words can \
             be told apart; correct the line"
        );
        return Err(wrong(line, problem));
    }
    let topics = if words.is_empty() { 0 } else { topic + 1 };
    let topics = (0..topics).map(|topic| counts.remove(&topic).unwrap_or_default()).collect();
    Ok(TopicWeights::Words { topics, smoothed: Some((words, beta)) })
}

/// Word and topic of a line, counted from the right, as the source may contain spaces.
fn token(line: &str) -> Option<(&str, usize)> {
    let mut cells = line.rsplit(' ');
    let (topic, word) = (cells.next()?.parse().ok()?, cells.next()?);
    (cells.count() >= 4).then_some((word, topic))
}

fn beta_of(named: &str) -> Result<f64, String> {
    let beta = named.parse().ok().filter(|beta| (0.0..=GREATEST_BETA).contains(beta));
    beta.ok_or_else(|| {
        let named: String = named.chars().take(30).collect();
        format!("#beta is {named:?}, not a number from 0 to 1e9; correct the line")
    })
}

/// Converts an error of the file reader.
pub(super) fn unreadable(path: &Path, error: IngestError) -> ImportError {
    let reason = match error {
        IngestError::Unreadable { source, .. } => source.to_string(),
        other => other.to_string(),
    };
    ImportError::Read { path: path.to_path_buf(), reason }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn message(state: impl AsRef<[u8]>) -> String {
        let mut source = Source::from_bytes("state", state.as_ref().to_vec()).expect("open");
        read(&mut source, Path::new("state")).map(|_| ()).expect_err("no state").to_string()
    }

    #[test]
    fn a_beta_that_is_no_number_from_0_on_is_refused_with_its_line() {
        for beta in ["NaN", "-0.1", "inf", "1e300", "much", ""] {
            let message = message(format!("#x\n#beta : {beta}\n0 NA 0 0 cat 0\n0 NA 1 1 dog 1\n"));
            assert_eq!(
                message,
                format!("state:2: #beta is {beta:?}, not a number from 0 to 1e9; correct the line")
            );
        }
    }

    #[test]
    fn a_topic_that_cannot_be_costs_no_memory() {
        let state = "0 NA 0 0 cat 0\n0 NA 1 1 dog 999999\n0 NA 2 1 dog 1\n";
        assert_eq!(
            message(state),
            "state:2: topic 999999, but the state has only 2 words, and no more topics than words \
             can be told apart; correct the line"
        );
        assert_eq!(
            message(format!("#alpha : 0.5 0.5 \n{state}")),
            "state:3: topic 999999, but #alpha names 2 topics, counted from 0; correct the line"
        );
        assert!(message(format!("0 NA 0 0 cat {}\n", u64::MAX)).contains("only 1 words"));
    }

    #[test]
    fn a_line_of_a_hundred_megabytes_and_one_that_is_no_text_are_refused() {
        let mut state = b"0 NA 0 0 cat 0\n".to_vec();
        state.extend(b"0 NA 1 0 ".iter().chain(&vec![b'x'; 100 << 20]));
        assert_eq!(
            message(state),
            "state:2: a line longer than 64 MiB; give import a MALLET state"
        );
        let message = message(b"0 NA 0 0 caf\xe9 0\n");
        assert!(message.starts_with("state:1: not UTF-8"), "{message}");
    }
}

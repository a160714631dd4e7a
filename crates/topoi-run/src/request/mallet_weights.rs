//! MALLET's `--topic-word-weights-file`: one line per topic and word, `topic`, `word` and `weight` with tabs between.
//! The weight is the number of tokens and β.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::imported::{ImportError, TopicWeights};
use super::mallet_state::FEW_TOPICS;
use topoi_ingest::error::{InputLocation, utf8};
use topoi_ingest::source::Source;

/// The files that determine topics.
const GIVE: &str = "give the file of --topic-word-weights-file (--from mallet-weights) or of \
                    --output-state (--from mallet-state)";

/// Parses weights from `source` line by line; `path` is for messages. Memory holds one number for each line.
///
/// # Errors
/// [`ImportError::Value`], naming the line; [`ImportError::File`] for another file of MALLET.
pub(super) fn read(source: &mut Source, path: &Path) -> Result<TopicWeights, ImportError> {
    let wrong = |line, problem| ImportError::Value { path: path.to_path_buf(), line, problem };
    let mut words: Vec<String> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut found: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    let mut last = (0, 0);
    loop {
        let line = source.number() + 1;
        let place = InputLocation { line, ..source.place() };
        let no_weights = |problem| wrong(line, format!("{problem}; give import MALLET's weights"));
        let text = source.next_line().map_err(|mistake| no_weights(mistake.problem))?;
        let Some(text) = text else { break };
        let text = utf8(text, &place).map_err(|mistake| no_weights(mistake.problem))?;
        if text.is_empty() {
            continue;
        }
        let Some((topic, word, weight)) = entry(text) else {
            return Err(match other_file(text) {
                Some(problem) => ImportError::File { path: path.to_path_buf(), problem },
                None => wrong(
                    line,
                    "a line of MALLET's weights is `topic word weight`, with tabs".into(),
                ),
            });
        };
        if !(0.0..f64::INFINITY).contains(&weight) {
            let problem = format!("weight {weight} is not a number from 0 on; correct the line");
            return Err(wrong(line, problem));
        }
        last = last.max((topic, line));
        let number = numbers.get(word).copied().unwrap_or_else(|| {
            let number = words.len();
            words.push(word.to_string());
            numbers.insert(word.to_string(), number);
            number
        });
        let topic = found.entry(topic).or_default();
        if weight > 0.0 {
            topic.push((number, weight));
        }
    }
    let (topic, line) = last;
    if topic >= words.len().max(FEW_TOPICS) {
        let words = words.len();
        let problem =
            format!("topic {topic}, but the file has only {words} words; correct the line");
        return Err(wrong(line, problem));
    }
    if let Some(missing) = (0..found.len()).find(|topic| !found.contains_key(topic)) {
        let problem =
            format!("no line is of topic {missing}, but some are of topic {topic}; give all");
        return Err(ImportError::File { path: path.to_path_buf(), problem });
    }
    Ok(TopicWeights::Numbers { words, topics: found.into_values().collect() })
}

fn entry(line: &str) -> Option<(usize, &str, f64)> {
    let mut cells = line.split('\t');
    let entry = (cells.next()?.parse().ok()?, cells.next()?, cells.next()?.trim().parse().ok()?);
    cells.next().is_none().then_some(entry)
}

/// The problem with a file of MALLET that another format or none reads, from its first line that is not as expected.
pub(super) fn other_file(line: &str) -> Option<String> {
    if line.starts_with("#doc source") {
        return Some("a state of MALLET's sampler; use --from mallet-state".into());
    }
    let documents = "proportions of documents, which do not determine the words of topics";
    if line.starts_with("#doc") {
        return Some(format!("{documents}; {GIVE}"));
    }
    let cells: Vec<&str> = line.trim_end_matches('\t').split('\t').collect();
    let is_number = |cell: &str| cell.trim().parse::<f64>().is_ok();
    match cells[..] {
        [topic, ..] if topic.parse::<usize>().is_err() => None,
        [_, _, weight] if is_number(weight) => {
            Some("MALLET's weights of words; use --from mallet-weights".into())
        }
        [_, alpha, _] if is_number(alpha) => {
            Some(format!("topic keys, whose few words of a topic do not determine it; {GIVE}"))
        }
        [_, _, ref shares @ ..]
            if shares.len() > 1 && shares.iter().all(|cell| is_number(cell)) =>
        {
            Some(format!("{documents}; {GIVE}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<TopicWeights, String> {
        let mut source = Source::from_bytes("weights", text.as_bytes().to_vec()).expect("open");
        read(&mut source, Path::new("weights")).map_err(|error| error.to_string())
    }

    #[test]
    fn weights_are_by_topic_and_word_in_any_order_of_lines() {
        let text = "1\tcat\t0.01\n0\tcat\t2.01\n0\tdog\t0\n1\tdog\t1.01E-2\n";
        let Ok(TopicWeights::Numbers { words, topics }) = read_text(text) else {
            panic!("weights")
        };
        assert_eq!(words, ["cat", "dog"]);
        assert_eq!(topics, [vec![(0, 2.01)], vec![(0, 0.01), (1, 0.0101)]]);
    }

    #[test]
    fn mistakes_and_other_files_of_mallet_are_refused_with_what_to_give() {
        let told = |text: &str| read_text(text).expect_err("wrong");
        assert_eq!(
            told("0\tcat\t1\n0\tdog\n"),
            "weights:2: a line of MALLET's weights is `topic word weight`, with tabs"
        );
        for weight in ["NaN", "-1", "inf"] {
            let expected = "is not a number from 0 on; correct the line";
            assert!(told(&format!("0\tcat\t{weight}\n")).ends_with(expected), "{weight}");
        }
        assert_eq!(
            told("0\tcat\t1\n999999\tcat\t1\n"),
            "weights:2: topic 999999, but the file has only 1 words; correct the line"
        );
        assert_eq!(
            told("0\tcat\t1\n2\tcat\t1\n"),
            "weights: no line is of topic 1, but some are of topic 2; give all"
        );
        for (text, what) in [
            ("0\t0.5\tcat dog bee \n", "weights: topic keys"),
            ("0\tfile.txt\t0.25\t0.75\n", "weights: proportions of documents"),
            ("#doc name topic proportion ...\n", "weights: proportions of documents"),
        ] {
            let told = told(text);
            assert!(told.starts_with(what) && told.ends_with("(--from mallet-state)"), "{told}");
        }
        let state = told("#doc source pos typeindex type topic\n0 NA 0 0 cat 0\n");
        assert_eq!(state, "weights: a state of MALLET's sampler; use --from mallet-state");
    }
}

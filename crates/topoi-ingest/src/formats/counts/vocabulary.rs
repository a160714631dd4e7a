//! The words of a file of numbered words: word n on line n, or a gensim dictionary.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::{IngestError, InputLocation, Mistake, Reading, Result, utf8};
use crate::formats::definition::Format;
use crate::source::{Source, plain_name, printable};

const ONE_A_LINE: &str = "each line of a vocabulary is one word";

/// Finds the vocabulary beside a file of counts.
/// Candidates are `vocab.NAME.txt` beside `docword.NAME.txt` of UCI, and `FILE.vocab`, `NAME.vocab` and
/// `vocab.txt` for any format, plain or compressed.
///
/// # Errors
/// [`IngestError::NoVocabulary`], with the candidates.
pub(crate) fn find_beside(counts: &Path, format: Format) -> Result<PathBuf> {
    let candidates = candidates(counts);
    match candidates.iter().find(|candidate| candidate.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(IngestError::NoVocabulary {
            file: printable(counts),
            format: format.name(),
            looked_for: candidates
                .iter()
                .filter(|path| !matches!(path.extension(), Some(e) if e == "gz" || e == "zst"))
                .map(|path| printable(path))
                .collect(),
        }),
    }
}

fn candidates(counts: &Path) -> Vec<PathBuf> {
    let name = counts.file_name().unwrap_or_default().to_string_lossy();
    let plain = plain_name(&name);
    let mut names = Vec::new();
    if let Some(rest) = plain.strip_prefix("docword.") {
        names.push(format!("vocab.{rest}"));
    }
    names.push(format!("{plain}.vocab"));
    if let Some((stem, _)) = plain.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        names.push(format!("{stem}.vocab"));
    }
    names.push("vocab.txt".into());
    let endings = ["", ".gz", ".zst"];
    let all = names.iter().flat_map(|name| endings.map(|ending| format!("{name}{ending}")));
    all.map(|name| counts.with_file_name(name)).collect()
}

/// Reads the vocabulary at `path`.
///
/// # Errors
/// If it has an empty line, a repeated word, or invalid UTF-8.
pub(crate) fn read(path: &Path) -> Result<Vec<String>> {
    Ok(read_from(Source::open(path)?)?)
}

/// Refuses a vocabulary whose number of words differs from the one in `counts`.
pub(crate) fn check_length(path: &Path, found: usize, counts: &str, expected: u64) -> Reading<()> {
    if found as u64 == expected && expected < u64::from(u32::MAX) {
        return Ok(());
    }
    let place = InputLocation { file: printable(path).into(), line: 0 };
    let problem = format!("{found} words, but {counts} says {expected}");
    let remedy = "give the vocabulary that belongs to it with --vocab FILE";
    Err(Mistake::source(place, problem, remedy))
}

fn read_from(mut source: Source) -> Reading<Vec<String>> {
    let (mut words, mut lines) = (Vec::new(), Vec::new());
    let mut empty = None;
    while let Some(line) = source.next_line()? {
        let line = line.trim_ascii().to_vec();
        let place = source.place();
        if line.is_empty() {
            // Empty lines at the end of the file are harmless.
            empty.get_or_insert(place);
            continue;
        }
        if let Some(place) = empty {
            let problem = "an empty line where a word should be";
            return Err(Mistake::source(place, problem, ONE_A_LINE));
        }
        words.push(utf8(&line, &place)?.to_string());
        lines.push(place.line);
    }
    if let Some(dictionary) = gensim_dictionary(&words) {
        return Ok(dictionary);
    }
    let words = unquoted(words);
    refuse_repeats(&words, source.name())?;
    Ok(words)
}

/// The words without quotes, where all of them are in quotes, as R writes them.
fn unquoted(words: Vec<String>) -> Vec<String> {
    let inner = |word: &String| {
        let inner = word.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.is_empty()).then(|| inner.replace("\"\"", "\""))
    };
    words.iter().map(inner).collect::<Option<Vec<String>>>().unwrap_or(words)
}

/// Parses gensim's `Dictionary.save_as_text`: the number of documents, then lines `id word frequency`. Returns
/// the words by id, or `None` for other lines or missing ids.
fn gensim_dictionary(lines: &[String]) -> Option<Vec<String>> {
    let entries = lines.get(1..)?;
    lines[0].parse::<u64>().ok()?;
    let mut words = vec![String::new(); entries.len()];
    for entry in entries {
        let mut parts = entry.split('\t');
        let (id, word) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
        parts.next()?.parse::<u64>().ok()?;
        let place = words.get_mut(id).filter(|place| place.is_empty() && !word.is_empty())?;
        word.clone_into(place);
    }
    (!words.is_empty()).then_some(words)
}

fn refuse_repeats(words: &[String], file: &str) -> Reading<()> {
    let mut lines = HashMap::with_capacity(words.len());
    for (line, word) in (1u64..).zip(words) {
        if let Some(first) = lines.insert(word, line) {
            let place = InputLocation { file: file.into(), line };
            let problem = format!("the word {word:?} stands on line {first} already");
            return Err(Mistake::source(place, problem, "each word may stand once"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &[u8]) -> String {
        let source = Source::from_bytes("vocab.x.txt", text.to_vec()).expect("open");
        let mistake = read_from(source).expect_err("a mistake");
        format!("{}: {}", mistake.place, mistake.problem)
    }

    fn words(text: &[u8]) -> Vec<String> {
        read_from(Source::from_bytes("x", text.to_vec()).expect("open")).expect("words")
    }

    #[test]
    fn each_line_is_a_word() {
        assert_eq!(words(b"state \r\nvalue iteration\n\n"), ["state", "value iteration"]);
        assert_eq!(words(b"3\n1\tvalue\t2\n0\tstate\t3\n"), ["state", "value"]);
        assert_eq!(words(b"3\n7\tvalue\t2\n"), ["3", "7\tvalue\t2"]);
    }

    #[test]
    fn each_mistake_is_named_with_its_place() {
        let length = check_length(Path::new("v"), 2, "docword.x.txt", 3).expect_err("length");
        assert_eq!(length.problem, "2 words, but docword.x.txt says 3");
        assert_eq!(problem(b"a\n\nb\n"), "vocab.x.txt:2: an empty line where a word should be");
        let twice = "vocab.x.txt:3: the word \"a\" stands on line 1 already";
        assert_eq!(problem(b"a\nb\na\n"), twice);
        assert_eq!(problem(b"a\nb\xe9\n"), "vocab.x.txt:2: not UTF-8 (byte 2 of the line)");
    }

    #[test]
    fn the_vocabulary_is_looked_for_beside_the_counts() {
        let error = find_beside(
            Path::new("a/docword.nips.txt.gz"),
            Format::named("uci").expect("a format"),
        )
        .expect_err("none");
        assert_eq!(
            error.to_string(),
            "a/docword.nips.txt.gz: the uci format needs its vocabulary, and none is beside it \
             (looked for a/vocab.nips.txt, a/docword.nips.txt.vocab, a/docword.nips.vocab, \
             a/vocab.txt); nothing was added"
        );
    }
}

//! The vocabulary of a docword file: word n on line n.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::{IngestError, Place, Result};
use super::lines::utf8;
use super::source::Source;

/// The vocabulary beside a docword file: `vocab.NAME.txt` (or `.txt.gz`) for `docword.NAME.txt`
/// (or `.txt.gz`), or `FILE.vocab` for any FILE.
///
/// # Errors
/// [`IngestError::NoVocabulary`], which names the files that were looked for.
pub(super) fn beside(docword: &Path) -> Result<PathBuf> {
    let candidates = candidates(docword);
    match candidates.iter().find(|candidate| candidate.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(IngestError::NoVocabulary {
            file: docword.display().to_string(),
            looked_for: candidates.iter().map(|path| path.display().to_string()).collect(),
        }),
    }
}

fn candidates(docword: &Path) -> Vec<PathBuf> {
    let name = docword.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let mut names = Vec::new();
    if let Some(rest) = plain.strip_prefix("docword.") {
        names.extend([format!("vocab.{rest}"), format!("vocab.{rest}.gz")]);
    }
    names.push(format!("{plain}.vocab"));
    names.into_iter().map(|name| docword.with_file_name(name)).collect()
}

/// Reads the vocabulary at `path` for `docword`, whose header says it has `expected` words.
///
/// # Errors
/// When it has another number of words, an empty line, a word twice, or bytes that are not UTF-8.
pub(super) fn read(path: &Path, docword: &str, expected: u64) -> Result<Vec<String>> {
    read_from(Source::open(path)?, docword, expected)
}

fn read_from(mut source: Source, docword: &str, expected: u64) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut empty = None;
    while let Some(line) = source.next_line()? {
        let line = line.trim_ascii().to_vec();
        let place = source.place();
        if line.is_empty() {
            // Empty lines at the end of the file do no harm.
            empty.get_or_insert(place);
            continue;
        }
        if let Some(place) = empty {
            return Err(IngestError::EmptyWord(place));
        }
        words.push(utf8(&line, &place)?.to_string());
    }
    refuse_repeats(&words, source.name())?;
    let found = words.len() as u64;
    if found == expected && found < u64::from(u32::MAX) {
        return Ok(words);
    }
    let file = source.name().to_string();
    Err(IngestError::VocabularyLength { file, found, docword: docword.into(), expected })
}

fn refuse_repeats(words: &[String], file: &str) -> Result<()> {
    let mut lines = HashMap::with_capacity(words.len());
    for (line, word) in (1u64..).zip(words) {
        if let Some(first) = lines.insert(word, line) {
            let place = Place { file: file.into(), line };
            return Err(IngestError::DuplicateWord { place, word: word.clone(), first });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &[u8], expected: u64) -> String {
        let source = Source::from_bytes("vocab.x.txt", text.to_vec()).expect("open");
        let error = read_from(source, "docword.x.txt", expected).expect_err("an error");
        error.to_string().split(';').next().unwrap_or_default().to_string()
    }

    #[test]
    fn each_line_is_a_word() {
        let source =
            Source::from_bytes("x", b"state \r\nvalue iteration\n\n".to_vec()).expect("open");
        assert_eq!(read_from(source, "d", 2).expect("words"), ["state", "value iteration"]);
    }

    #[test]
    fn each_mistake_is_named_with_its_place() {
        assert_eq!(error(b"a\nb\n", 3), "vocab.x.txt: 2 words, but docword.x.txt says 3");
        assert_eq!(error(b"a\nb\nc\n", 2), "vocab.x.txt: 3 words, but docword.x.txt says 2");
        assert_eq!(error(b"a\n\nb\n", 2), "vocab.x.txt:2: an empty line where a word should be");
        assert_eq!(
            error(b"a\nb\na\n", 3),
            "vocab.x.txt:3: the word \"a\" stands on line 1 already"
        );
        assert_eq!(error(b"a\nb\xe9\n", 2), "vocab.x.txt:2: not UTF-8 (byte 2 of the line)");
    }

    #[test]
    fn the_vocabulary_is_looked_for_beside_the_docword_file() {
        let names = |path: &str| {
            let paths = candidates(Path::new(path));
            paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            names("a/docword.nips.txt.gz"),
            "a/vocab.nips.txt a/vocab.nips.txt.gz a/docword.nips.txt.vocab"
        );
        assert_eq!(names("counts"), "counts.vocab");
    }
}

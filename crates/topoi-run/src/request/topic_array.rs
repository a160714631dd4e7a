//! Topics in an array of NumPy, a row a topic and a column a word: gensim's `get_topics()`, scikit-learn's
//! `components_`, and what `topoi export --to npy` writes.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::imported::{ImportError, TopicWeights, read_error};
use crate::export::npy::{TOPIC_WORDS, WORDS};
use topoi_core::npy::{MAGIC, read_matrix};
use topoi_ingest::source::{lines_of, read_list};

/// A list of words beside an array, one a line.
const LINES: &str = "words.txt";

/// The array and the words of its columns: of a folder those that an export wrote; of a file the words given by `vocab`,
/// else those beside it.
pub(super) fn files(path: &Path, vocab: Option<&Path>) -> Result<(PathBuf, PathBuf), ImportError> {
    let array = if path.is_dir() { path.join(TOPIC_WORDS) } else { path.to_path_buf() };
    if let Some(vocab) = vocab {
        return Ok((array, vocab.to_path_buf()));
    }
    let beside = [WORDS, LINES].map(|name| array.with_file_name(name));
    match beside.into_iter().find(|path| path.is_file()) {
        Some(words) => Ok((array, words)),
        None => Err(ImportError::File {
            problem: format!(
                "an array has no words; give --vocab FILE with those of its columns, one a line, or put \
                 {WORDS} or {LINES} beside it"
            ),
            path: array,
        }),
    }
}

/// Reads an array and the words of its columns.
///
/// # Errors
/// [`ImportError::File`], naming the file.
pub(super) fn read(path: &Path, words: &Path) -> Result<TopicWeights, ImportError> {
    let wrong = |problem| ImportError::File { path: path.to_path_buf(), problem };
    let bytes = std::fs::read(path).map_err(|error| read_error(path, &error))?;
    let weights = read_matrix(&bytes).map_err(|error| wrong(error.to_string()))?;
    drop(bytes);
    let names = read_list_of(WORD_OF_COLUMN, words)?;
    let (rows, columns) = weights.dim();
    if columns != names.len() {
        let remedy = match rows == names.len() {
            true => "a row is a topic: np.save(FILE, array.T)",
            false => "give the words of its columns",
        };
        let (count, words) = (names.len(), words.display());
        return Err(wrong(format!("{columns} columns, but {count} words in {words}; {remedy}")));
    }
    let mut topics = Vec::with_capacity(rows);
    for (topic, row) in weights.rows().into_iter().enumerate() {
        if let Some(word) = row.iter().position(|weight| !weight.is_finite() || *weight < 0.0) {
            let (weight, word) = (row[word], &names[word]);
            return Err(wrong(format!(
                "weight {weight} of {word:?} in topic {topic} is not a number from 0 on; topics are \
                 probabilities or counts, which LDA and NMF have and LSI has not"
            )));
        }
        let weights = row.iter().copied().enumerate().filter(|&(_, weight)| weight > 0.0);
        let weights: Vec<(usize, f64)> = weights.collect();
        if weights.is_empty() {
            return Err(wrong(format!(
                "topic {topic} has no word of weight above 0; leave it out"
            )));
        }
        topics.push(weights);
    }
    Ok(TopicWeights::Numbers { words: names, topics })
}

/// What a list beside an array has for each of its rows or columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) name: &'static str,
    /// What has one.
    pub(super) of: &'static str,
}

const WORD_OF_COLUMN: Item = Item { name: "word", of: "column" };

/// The items of a list: an array of JSON, or one a line.
pub(super) fn read_list_of(item: Item, path: &Path) -> Result<Vec<String>, ImportError> {
    let name = item.name;
    let wrong = |problem: String| ImportError::File { path: path.to_path_buf(), problem };
    if starts_with(path, MAGIC) {
        return Err(wrong(format!(
            "an array, not a text; write the {name}s one a line: \
             open(FILE, 'w').write('\\n'.join({name}s))"
        )));
    }
    let text = read_list(path).map_err(|error| super::mallet_state::unreadable(path, error))?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let items: Vec<String> = match serde_json::from_str(&text) {
        Ok(items) => items,
        Err(error) if is_json => return Err(wrong(format!("not an array of {name}s: {error}"))),
        Err(_) => lines_of(&text).map(String::from).collect(),
    };
    item.check_unique(&items).map_err(wrong)?;
    Ok(items)
}

impl Item {
    /// Refuses a list that has an item twice.
    pub(super) fn check_unique(self, items: &[String]) -> Result<(), String> {
        let Self { name, of } = self;
        let mut first = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            if let Some(earlier) = first.insert(item.as_str(), at) {
                return Err(format!(
                    "{item:?} is {name} {earlier} and {name} {at}, from 0; give every {of} a {name} of its own"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a file begins with these bytes; one that cannot be read does not.
pub(super) fn starts_with(path: &Path, magic: &[u8]) -> bool {
    let mut start = vec![];
    let read = std::fs::File::open(path)
        .and_then(|file| file.take(magic.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == magic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::imported::{Import, ImportFormat};
    use topoi_core::npy::{Number, header};

    fn array(rows: &[&[f64]]) -> Vec<u8> {
        let shape = [rows.len() as u64, rows[0].len() as u64];
        let numbers = rows.iter().flat_map(|row| row.iter()).flat_map(|x| x.to_le_bytes());
        header(Number::F64, shape).into_iter().chain(numbers).collect()
    }

    #[test]
    fn words_are_beside_an_array_in_lines_or_json_or_are_named() {
        let folder = tempfile::tempdir().expect("tempdir");
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).expect("write");
        write("topics.npy", &array(&[&[3.0, 1.0, 0.0], &[0.0, 0.0, 0.5]]));
        let import =
            |vocab: Option<&Path>| Import::from_file(&at("topics.npy"), ImportFormat::Npy, vocab);
        let error = import(None).expect_err("no words").to_string();
        assert!(error.contains("--vocab FILE"), "{error}");
        write("named", "cat\r\ndog\r\nbee\r\n".as_bytes());
        write("words.txt", "cat\ndog\nbee".as_bytes());
        let words = ["bee", "cat"].map(String::from);
        let expected = ndarray::array![[0.0, 1.0], [1.0, 0.0]];
        let check = |vocab: Option<&Path>| {
            let (import, k) = import(vocab).expect("an array");
            assert_eq!(k, 2);
            assert_eq!(import.topics(&words).expect("topics").topics.topics, expected);
            import
        };
        check(Some(&at("named")));
        let earlier = check(None);
        write("words.json", br#"["cat", "dog", "bee"]"#);
        check(None);
        // The words are part of what was imported.
        write("words.txt", "cat\nbee\ndog".as_bytes());
        assert!(matches!(earlier.topics(&words), Err(ImportError::Changed(_))));
    }

    #[test]
    fn wrong_arrays_and_words_are_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("tempdir");
        let (path, words) = (folder.path().join("topics.npy"), folder.path().join("words.txt"));
        let message = |bytes: &[u8], list: &[u8]| {
            std::fs::write(&path, bytes).expect("write");
            std::fs::write(&words, list).expect("write");
            let error = read(&path, &words).expect_err("wrong").to_string();
            error.replace(&folder.path().display().to_string(), "F")
        };
        let sound = array(&[&[3.0, 1.0, 1.0], &[0.0, 0.0, 0.5]]);
        assert_eq!(
            message(&sound, b"a\nb\n"),
            "F/topics.npy: 3 columns, but 2 words in F/words.txt; a row is a topic: np.save(FILE, array.T)"
        );
        assert_eq!(
            message(&sound, b"a\nb\nc\nd\n"),
            "F/topics.npy: 3 columns, but 4 words in F/words.txt; give the words of its columns"
        );
        assert_eq!(
            message(&sound, b"a\nb\na\n"),
            "F/words.txt: \"a\" is word 0 and word 2, from 0; give every column a word of its own"
        );
        let list = b"a\nb\nc\n";
        for weight in [f64::NAN, f64::INFINITY, -0.5] {
            let told = message(&array(&[&[1.0, 0.0, 0.0], &[0.0, weight, 1.0]]), list);
            let expected =
                format!("F/topics.npy: weight {weight} of \"b\" in topic 1 is not a number");
            assert!(told.starts_with(&expected), "{told}");
        }
        assert_eq!(
            message(&array(&[&[1.0, 0.0, 0.0], &[0.0; 3]]), list),
            "F/topics.npy: topic 1 has no word of weight above 0; leave it out"
        );
        assert_eq!(message(b"topic,term\n", list), "F/topics.npy: not an array that np.save wrote");
        let told = message(&sound, &sound);
        assert!(told.starts_with("F/words.txt: an array, not a text"), "{told}");
    }
}

//! Vectors of documents (embeddings) that another program made, a row a document: an array of NumPy, or a table of Parquet.

use std::path::{Path, PathBuf};

use super::document_topics::MatchedBy;
use super::imported::{Import, ImportError, read_error};
use super::topic_array::{Item, read_list_of, starts_with};
use crate::work::work_error::WorkError;
use topoi_core::npy::read_single_matrix;
use topoi_core::vectors::UnitVectors;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::vectors::DocumentVectors;
use topoi_store::id::DocumentId;
use topoi_store::{Store, StoreError};

const KEY_OF_ROW: Item = Item { name: "key", of: "row" };
/// Lists of keys beside an array, in the order in which they are looked for.
const BESIDE: [&str; 2] = ["documents.json", "keys.txt"];
/// Maximum number of characters of a key in a message.
const LONGEST_KEY: usize = 40;

/// Vectors, a row a document.
#[derive(Debug)]
pub(super) struct VectorTable {
    path: PathBuf,
    vectors: UnitVectors,
    /// The file of the keys, and the key of each row.
    keys: Option<(PathBuf, Vec<String>)>,
}

/// The documents of a corpus with their vectors.
#[derive(Debug)]
pub struct MatchedVectors {
    /// The vectors, by document.
    pub found: DocumentVectors,
    /// How the rows were matched.
    pub matched_by: MatchedBy,
    /// Path of the file.
    pub path: PathBuf,
}

/// The list of the keys of rows: that in `given`, else one beside an array; `None` without either, and for a table, which has
/// a column of them.
pub(super) fn keys_of(path: &Path, given: Option<&Path>) -> Option<PathBuf> {
    let beside =
        || BESIDE.map(|name| path.with_file_name(name)).into_iter().find(|it| it.is_file());
    given.map(Path::to_path_buf).or_else(|| if is_table(path) { None } else { beside() })
}

fn is_table(path: &Path) -> bool {
    starts_with(path, b"PAR1")
}

/// Reads vectors and the keys of their rows.
///
/// # Errors
/// [`ImportError::File`], naming the file.
pub(super) fn read(path: &Path, keys: Option<&Path>) -> Result<VectorTable, ImportError> {
    let wrong = |problem| ImportError::File { path: path.to_path_buf(), problem };
    let listed =
        |file: &Path| read_list_of(KEY_OF_ROW, file).map(|keys| (file.to_path_buf(), keys));
    let named = keys.map(listed).transpose()?;
    let (dimensions, numbers, beside) =
        if is_table(path) { columns_of(path)? } else { array_of(path)? };
    let vectors = UnitVectors::from_rows(dimensions, numbers);
    let vectors = vectors.map_err(|error| wrong(error.to_string()))?;
    let (rows, keys) = (vectors.len(), named.or(beside.map(|keys| (path.to_path_buf(), keys))));
    if let Some((file, keys)) = keys.as_ref().filter(|(_, keys)| keys.len() != rows) {
        let (count, file) = (keys.len(), file.display());
        return Err(wrong(format!(
            "{rows} rows, but {count} keys in {file}; give every row a key of its own"
        )));
    }
    Ok(VectorTable { path: path.to_path_buf(), vectors, keys })
}

/// Number of dimensions, numbers row by row, and keys.
type Rows = (usize, Vec<f32>, Option<Vec<String>>);

fn array_of(path: &Path) -> Result<Rows, ImportError> {
    let bytes = std::fs::read(path).map_err(|error| read_error(path, &error))?;
    let numbers = read_single_matrix(&bytes).map_err(|error| ImportError::File {
        path: path.to_path_buf(),
        problem: error.to_string(),
    })?;
    drop(bytes);
    let dimensions = numbers.ncols();
    let numbers = match numbers.is_standard_layout() {
        true => numbers.into_raw_vec_and_offset().0,
        false => numbers.iter().copied().collect(),
    };
    Ok((dimensions, numbers, None))
}

#[cfg(feature = "parquet")]
fn columns_of(path: &Path) -> Result<Rows, ImportError> {
    let read = || {
        let table = topoi_ingest::vector_table::parquet_vectors(path)?;
        table.keys.as_deref().map_or(Ok(()), |keys| KEY_OF_ROW.check_unique(keys))?;
        Ok((table.dimensions, table.numbers, table.keys))
    };
    read().map_err(|problem| ImportError::File { path: path.to_path_buf(), problem })
}

#[cfg(not(feature = "parquet"))]
fn columns_of(path: &Path) -> Result<Rows, ImportError> {
    let problem = "a table of Parquet; build topoi with `--features parquet`, which reads it, or save its vectors with \
                   np.save"
        .into();
    Err(ImportError::File { path: path.to_path_buf(), problem })
}

impl VectorTable {
    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.vectors.len()
    }

    /// Finds the documents of the rows in a corpus.
    ///
    /// # Errors
    /// [`ImportError::File`] for a key that no document has, or for rows that have no keys and are not as many as
    /// documents.
    fn matched_with(self, store: &Store, corpus: &Corpus) -> Result<MatchedVectors, WorkError> {
        let (ids, matched_by) = match &self.keys {
            Some((file, keys)) => (by_keys(file, keys, store, corpus)?, MatchedBy::Keys),
            None => (self.by_order(store, corpus)?, MatchedBy::Order),
        };
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&row| ids[row]);
        let is_sorted = order.iter().copied().eq(0..ids.len());
        let vectors =
            if is_sorted { self.vectors } else { self.vectors.select(order.iter().copied()) };
        let ids = order.into_iter().map(|row| ids[row]).collect();
        let found = DocumentVectors { ids, vectors };
        Ok(MatchedVectors { found, matched_by, path: self.path })
    }

    fn by_order(&self, store: &Store, corpus: &Corpus) -> Result<Vec<DocumentId>, WorkError> {
        let documents = store.tokens_of_documents(corpus.id)?;
        let (rows, count, name) = (self.rows(), documents.len(), &corpus.name);
        if rows != count {
            let problem = format!(
                "{rows} rows, but {name} has {count} documents; give the keys of the rows, one a line, with \
                 --keys FILE (`topoi documents {name}` lists them)"
            );
            return Err(ImportError::File { path: self.path.clone(), problem }.into());
        }
        Ok(documents.into_iter().map(|(id, _)| id).collect())
    }
}

/// The documents with these keys.
fn by_keys(
    file: &Path,
    keys: &[String],
    store: &Store,
    corpus: &Corpus,
) -> Result<Vec<DocumentId>, WorkError> {
    let wrong = |problem| WorkError::from(ImportError::File { path: file.to_path_buf(), problem });
    let find = |(row, key): (usize, &String)| match store.id_of_document(corpus, key) {
        Err(StoreError::NoDocument { .. }) => {
            let (key, name) = (shortened(key), &corpus.name);
            Err(wrong(format!(
                "no document of {name} has the key {key:?} of row {row}, from 0; give keys of `topoi documents {name}`"
            )))
        }
        found => Ok(found?),
    };
    keys.iter().enumerate().map(find).collect()
}

fn shortened(key: &str) -> String {
    key.chars().take(LONGEST_KEY).collect()
}

impl Import {
    /// The vectors of a corpus's documents in a file of vectors; `None` for other files.
    ///
    /// # Errors
    /// [`ImportError`], and those of the store.
    pub fn vectors(
        &self,
        store: &Store,
        corpus: &str,
    ) -> Result<Option<MatchedVectors>, WorkError> {
        let Some(table) = self.vector_table()? else { return Ok(None) };
        let corpus = store.corpus(corpus)?;
        store.require_documents(&corpus)?;
        table.matched_with(store, &corpus).map(Some)
    }
}

impl MatchedVectors {
    /// Refuses more clusters than vectors.
    ///
    /// # Errors
    /// [`ImportError::File`].
    pub fn check_clusters(&self, k: usize) -> Result<(), ImportError> {
        let rows = self.found.ids.len();
        if k <= rows {
            return Ok(());
        }
        let problem = format!(
            "{rows} rows, which make at most as many clusters and not {k}; use -k {rows} or less"
        );
        Err(ImportError::File { path: self.path.clone(), problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::npy::{Number, Order, header, header_of};

    fn array(rows: &[&[f64]]) -> Vec<u8> {
        let shape = [rows.len() as u64, rows[0].len() as u64];
        let numbers =
            rows.iter().flat_map(|row| row.iter().flat_map(|number| number.to_le_bytes()));
        header(Number::F64, shape).into_iter().chain(numbers).collect()
    }

    #[test]
    fn wrong_arrays_and_keys_are_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("tempdir");
        let (path, keys) = (folder.path().join("e.npy"), folder.path().join("keys.txt"));
        let message = |bytes: &[u8], list: Option<&[u8]>| {
            std::fs::write(&path, bytes).expect("write");
            if let Some(list) = list {
                std::fs::write(&keys, list).expect("write");
            }
            let error = read(&path, list.map(|_| keys.as_path())).expect_err("wrong").to_string();
            error.replace(&folder.path().display().to_string(), "F")
        };
        let sound = array(&[&[3.0, 1.0], &[0.0, 0.5]]);
        assert_eq!(
            message(&sound, Some(b"a\nb\nc\n")),
            "F/e.npy: 2 rows, but 3 keys in F/keys.txt; give every row a key of its own"
        );
        assert_eq!(
            message(&sound, Some(b"a\na\n")),
            "F/keys.txt: \"a\" is key 0 and key 1, from 0; give every row a key of its own"
        );
        assert!(
            message(&sound, Some(&sound))
                .starts_with("F/keys.txt: an array, not a text; write the keys")
        );
        let error = message(&array(&[&[1.0, 0.0], &[0.0, 0.0]]), None);
        assert!(error.starts_with("F/e.npy: row 1, from 0, is all zeros"), "{error}");
        for number in [f64::NAN, f64::INFINITY, 1e300] {
            let error = message(&array(&[&[1.0, number]]), None);
            assert!(
                error.starts_with("F/e.npy: row 0, from 0, has a number in column 1"),
                "{error}"
            );
        }
        let wide = array(&[&[1.0; 8193]]);
        assert!(message(&wide, None).starts_with("F/e.npy: vectors of 8193 dimensions"));
        let half: Vec<u8> =
            header_of("<f2", Order::Rows, [1, 2]).into_iter().chain([0; 4]).collect();
        let error = message(&half, None);
        assert!(error.contains("the type <f2; save them as floats"), "{error}");
        assert_eq!(message(b"a,b\n", None), "F/e.npy: not an array that np.save wrote");
        let (torn, expected) = (
            message(b"PAR1 and no more", None),
            match cfg!(feature = "parquet") {
                true => "F/e.npy: not a sound Parquet file (",
                false => "F/e.npy: a table of Parquet; build topoi with `--features parquet`, ",
            },
        );
        assert!(torn.starts_with(expected), "{torn}");
    }

    #[test]
    fn arrays_stored_by_column_have_the_same_rows() {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("e.npy");
        // Rows (3, 4), (0, 1) and (2, 0).
        let numbers = [3.0_f32, 0.0, 2.0, 4.0, 1.0, 0.0].into_iter().flat_map(f32::to_le_bytes);
        let bytes = header_of("<f4", Order::Columns, [3, 2]).into_iter().chain(numbers);
        std::fs::write(&path, bytes.collect::<Vec<u8>>()).expect("write");
        let table = read(&path, None).expect("vectors");
        let rows: Vec<&[f32]> = table.vectors.rows().collect();
        assert_eq!(rows, [[0.6, 0.8], [0.0, 1.0], [1.0, 0.0]]);
    }
}

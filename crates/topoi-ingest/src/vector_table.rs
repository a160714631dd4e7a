//! Vectors of documents in a table of Parquet.

use std::fmt;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::formats::sheets::columnar::guarded;

/// Names of the column of keys; the first that a table has is read.
const KEYS: [&str; 2] = ["key", "id"];
/// Number of rows that are unpacked together.
const ROWS_AT_ONCE: usize = 1024;

/// Vectors of a table, a row a document.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorTable {
    /// Numbers of a vector, d.
    pub dimensions: usize,
    /// n × d, row by row. Numbers beyond single precision are infinite, missing ones NaN.
    pub numbers: Vec<f32>,
    /// The key of each row, where there is a column of keys.
    pub keys: Option<Vec<String>>,
}

/// Reads the one column of lists of floats in a table of Parquet, and its column `key` or `id`. Memory: the vectors, 4
/// bytes a number, and a batch.
///
/// # Errors
/// One line that says what is wrong and what to do.
pub fn parquet_vectors(path: &Path) -> Result<VectorTable, String> {
    let file = File::open(path).map_err(|error| format!("{error}; check its permissions"))?;
    match guarded(|| read(file)) {
        Some(Ok(table)) => table,
        Some(Err(error)) => Err(unsound(&error)),
        None => Err(unsound(&"it contradicts itself")),
    }
}

fn unsound(error: &dyn fmt::Display) -> String {
    let error = error.to_string().replace(char::is_control, " ");
    format!("not a sound Parquet file ({error}); write it anew, or save its vectors with np.save")
}

/// The outer error is of the file, the inner one of what is in it.
fn read(file: File) -> Result<Result<VectorTable, String>, ArrowError> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let fields = builder.schema().fields().clone();
    let of_vectors: Vec<usize> =
        (0..fields.len()).filter(|&at| is_vector(fields[at].data_type())).collect();
    let [vectors] = of_vectors[..] else {
        let found: Vec<&str> = of_vectors.iter().map(|&at| fields[at].name().as_str()).collect();
        return Ok(Err(match found[..] {
            [] => "no column of lists of floats; write each document's vector as a list".into(),
            _ => format!("the columns {} are all lists of floats; keep one", found.join(", ")),
        }));
    };
    let keys = KEYS.iter().find_map(|name| fields.iter().position(|field| field.name() == name));
    let mut table = VectorTable { dimensions: 0, numbers: vec![], keys: keys.map(|_| vec![]) };
    for batch in builder.with_batch_size(ROWS_AT_ONCE).build()? {
        if let Err(problem) = table.append(&batch?, vectors, keys)? {
            return Ok(Err(problem));
        }
    }
    Ok(Ok(table))
}

fn is_vector(kind: &DataType) -> bool {
    match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item.data_type().is_floating()
        }
        _ => false,
    }
}

impl VectorTable {
    fn append(
        &mut self,
        batch: &RecordBatch,
        vectors: usize,
        keys: Option<usize>,
    ) -> Result<Result<(), String>, ArrowError> {
        let lists =
            cast(batch.column(vectors), &DataType::new_large_list(DataType::Float32, true))?;
        let lists = lists.as_list::<i64>();
        for at in 0..lists.len() {
            let row = self.numbers.len().checked_div(self.dimensions).unwrap_or(0);
            let vector = lists.value(at);
            let length = if lists.is_null(at) { 0 } else { vector.len() };
            if self.numbers.is_empty() {
                self.dimensions = length;
            }
            if length == 0 || length != self.dimensions {
                let expected = self.dimensions.max(1);
                return Ok(Err(format!(
                    "row {row}, from 0, has {length} numbers, not {expected}; leave the row out or make its vector anew"
                )));
            }
            let numbers = vector.as_primitive::<Float32Type>();
            self.numbers.extend(numbers.iter().map(|number| number.unwrap_or(f32::NAN)));
        }
        let (Some(column), Some(all)) = (keys, &mut self.keys) else { return Ok(Ok(())) };
        let texts: ArrayRef = cast(batch.column(column), &DataType::Utf8)?;
        for text in texts.as_string::<i32>() {
            let Some(text) = text else {
                let row = all.len();
                return Ok(Err(format!("row {row}, from 0, has no key; give every row a key")));
            };
            all.push(text.into());
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{Float64Builder, ListBuilder};
    use arrow_array::{Int64Array, StringArray};
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;

    type Row = Option<Vec<Option<f64>>>;

    fn lists(rows: &[Row]) -> ArrayRef {
        let mut builder = ListBuilder::new(Float64Builder::new());
        rows.iter().for_each(|row| builder.append_option(row.clone()));
        Arc::new(builder.finish())
    }

    fn table(columns: Vec<(&str, ArrayRef)>) -> Result<VectorTable, String> {
        let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
        let file = tempfile::NamedTempFile::new().expect("a file");
        let handle = file.reopen().expect("opened");
        let mut writer = ArrowWriter::try_new(handle, batch.schema(), None).expect("a writer");
        writer.write(&batch).and_then(|()| writer.close().map(drop)).expect("written");
        parquet_vectors(file.path())
    }

    #[test]
    fn lists_of_floats_are_read_with_their_keys() {
        let rows =
            [vec![3.0, 4.0], vec![0.0, 1e300]].map(|row| Some(row.into_iter().map(Some).collect()));
        let vectors = lists(&rows);
        let texts = || Arc::new(StringArray::from(vec!["x", "y"])) as ArrayRef;
        let found = table(vec![("text", texts()), ("embedding", vectors.clone())]).expect("read");
        assert_eq!((found.dimensions, found.keys), (2, None));
        assert_eq!(found.numbers, [3.0, 4.0, 0.0, f32::INFINITY]);
        let numbers = Arc::new(Int64Array::from(vec![7, 8]));
        let found = table(vec![("id", numbers), ("v", vectors.clone())]).expect("read");
        assert_eq!(found.keys.expect("keys"), ["7", "8"]);
        let found = table(vec![("id", texts()), ("v", vectors), ("key", texts())]).expect("read");
        assert_eq!(found.keys.expect("keys"), ["x", "y"]);
    }

    #[test]
    fn what_is_no_vector_is_refused_with_the_row() {
        let full = |row: &[f64]| Some(row.iter().copied().map(Some).collect());
        let problem = |rows: &[Row]| table(vec![("v", lists(rows))]).expect_err("refused");
        assert!(
            problem(&[full(&[1.0, 2.0]), full(&[1.0])])
                .starts_with("row 1, from 0, has 1 numbers, not 2")
        );
        assert!(problem(&[full(&[1.0]), None]).starts_with("row 1, from 0, has 0 numbers, not 1"));
        assert!(problem(&[full(&[])]).starts_with("row 0, from 0, has 0 numbers"));
        let texts = || Arc::new(StringArray::from(vec![Some("x"), None])) as ArrayRef;
        assert!(table(vec![("v", texts())]).expect_err("texts").starts_with("no column of lists"));
        let vectors = || lists(&[full(&[1.0]), full(&[2.0])]);
        let two = table(vec![("v", vectors()), ("w", vectors())]).expect_err("two");
        assert_eq!(two, "the columns v, w are all lists of floats; keep one");
        let keys = table(vec![("key", texts()), ("v", vectors())]).expect_err("a key is missing");
        assert!(keys.starts_with("row 1, from 0, has no key"));
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), b"PAR1 and no more").expect("written");
        let error = parquet_vectors(file.path()).expect_err("torn");
        assert!(error.starts_with("not a sound Parquet file ("), "{error}");
    }
}

//! Tables of Parquet and Arrow files, read by row group or batch.

use std::cell::Cell;
use std::fmt::Display;
use std::fs;
use std::io::BufReader;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use arrow_array::{Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::reader::FileReaderBuilder;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{Table, open_table, push_cell};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::files::File;

pub(in crate::formats) static PARQUET: FormatDef = FormatDef {
    name: "parquet",
    help: "tables of Parquet",
    endings: &["parquet"],
    has_signature: |source| Ok(source.head().starts_with(b"PAR1")),
    is_table: true,
    ..FormatDef::with_open(|input| open_table(input, |file, _| parquet(file)))
};

pub(in crate::formats) static ARROW: FormatDef = FormatDef {
    name: "arrow",
    help: "tables of Arrow (IPC, Feather 2)",
    endings: &["arrow", "feather"],
    has_signature: |source| Ok(source.head().starts_with(b"ARROW1\0\0")),
    is_table: true,
    ..FormatDef::with_open(|input| open_table(input, |file, _| arrow(file)))
};

/// Number of rows that are unpacked together.
const ROWS_AT_ONCE: usize = 1024;

fn parquet(file: &mut File<'_>) -> Reading<Box<dyn Table>> {
    let opened = opened(file)?;
    let read = || -> Result<_, ArrowError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(opened)?;
        Ok((builder.schema().clone(), builder.with_batch_size(ROWS_AT_ONCE).build()?))
    };
    let (schema, batches) = sound(guarded(read), file.place, "Parquet")?;
    Ok(Box::new(RecordBatches::new(schema, Box::new(batches), file.place, "Parquet")))
}

fn arrow(file: &mut File<'_>) -> Reading<Box<dyn Table>> {
    let bytes = BufReader::new(opened(file)?);
    let batches = guarded(|| FileReaderBuilder::new().build(bytes));
    let batches = sound(batches, file.place, "Arrow")?;
    Ok(Box::new(RecordBatches::new(batches.schema(), Box::new(batches), file.place, "Arrow")))
}

fn sound<T>(read: Option<Result<T, ArrowError>>, place: &InputLocation, kind: &str) -> Reading<T> {
    match read {
        Some(Ok(read)) => Ok(read),
        Some(Err(error)) => Err(unsound(place, kind, &error)),
        None => Err(unsound(place, kind, &CONTRADICTION)),
    }
}

/// The file on disk: these formats are read from the end.
fn opened(file: &File<'_>) -> Reading<fs::File> {
    let on_disk: Option<&Path> =
        file.path.filter(|path| path.is_file() && !file.source.is_compressed());
    let Some(path) = on_disk else {
        let problem = "a table that is read from its end comes packed or through a pipe";
        return Err(Mistake::source(file.place.clone(), problem, "give the file as it is"));
    };
    let unreadable =
        |error| Mistake::source(file.place.clone(), format!("{error}"), "check its permissions");
    fs::File::open(path).map_err(unreadable)
}

/// Runs `work` on a file that may be inconsistent: the readers of these formats panic on some inputs. Returns
/// `None` after a panic, without printing it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    thread_local! {
        static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                usual(info);
            }
        }));
    });
    IS_GUARDED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    outcome.ok()
}

/// The error for a file on which its reader panicked.
const CONTRADICTION: &str = "what it says of itself contradicts what is in it";

fn unsound(place: &InputLocation, kind: &str, error: &dyn Display) -> Mistake {
    let error = error.to_string().replace(char::is_control, " ");
    let problem = format!("not a sound {kind} file ({error})");
    Mistake::source(place.clone(), problem, "write it anew, or write its table as CSV")
        .undecodable()
}

/// A table that is read by batch.
struct RecordBatches {
    schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    /// The rows of the current batch, concatenated.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    at: usize,
    rows: u64,
    place: InputLocation,
    kind: &'static str,
}

impl RecordBatches {
    fn new(
        schema: SchemaRef,
        batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
        place: &InputLocation,
        kind: &'static str,
    ) -> Self {
        let (bytes, ends, place) = (Vec::new(), Vec::new(), place.clone());
        Self { schema, batches, bytes, ends, at: 0, rows: 0, place, kind }
    }

    fn unpack(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        // Nulls become blank cells; times are written in ISO 8601.
        let options = FormatOptions::new().with_display_error(false);
        let columns: Vec<(&dyn Array, ArrayFormatter<'_>)> = batch
            .columns()
            .iter()
            .map(|column| {
                Ok((column.as_ref(), ArrayFormatter::try_new(column.as_ref(), &options)?))
            })
            .collect::<Result<_, ArrowError>>()?;
        for row in 0..batch.num_rows() {
            for (at, (column, formatter)) in columns.iter().enumerate() {
                let cell = if column.is_null(row) {
                    String::new()
                } else {
                    formatter.value(row).try_to_string()?
                };
                push_cell(&mut self.bytes, at == 0, &cell);
            }
            self.ends.push(self.bytes.len());
        }
        Ok(())
    }
}

impl Table for RecordBatches {
    fn names(&mut self, _: bool) -> Reading<Vec<u8>> {
        let mut names = Vec::new();
        for (at, field) in self.schema.fields().iter().enumerate() {
            push_cell(&mut names, at == 0, field.name());
        }
        Ok(names)
    }

    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>> {
        while self.at >= self.ends.len() {
            self.at = 0;
            self.bytes.clear();
            self.ends.clear();
            let place = InputLocation { line: self.rows + 1, ..self.place.clone() };
            let next = guarded(|| self.batches.next().transpose());
            let Some(batch) = sound(next, &place, self.kind)? else { return Ok(None) };
            let unpacked = guarded(|| self.unpack(&batch));
            sound(unpacked, &place, self.kind)?;
        }
        let start = self.at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let row = &self.bytes[start..self.ends[self.at]];
        self.at += 1;
        self.rows += 1;
        Ok(Some((self.rows, row)))
    }
}

//! The formats of exports: a file each, and a row here.

use std::path::PathBuf;

use super::error::ExportError;
use super::html::comparison::SavedComparison;
use super::output::Output;
use super::saved_model::SavedModel;
use super::{csv_tables, dfr_browser, documents, html, json, ldavis, mallet, matrix_market};
use topoi_store::Store;

/// All formats, in the order in which they are offered.
pub const FORMATS: &[Format] = &[
    html::FORMAT,
    csv_tables::FORMAT,
    json::FORMAT,
    ldavis::FORMAT,
    mallet::FORMAT,
    matrix_market::FORMAT,
    dfr_browser::FORMAT,
    documents::CSV,
    documents::JSON_LINES,
    #[cfg(feature = "parquet")]
    super::documents_parquet::FORMAT,
];

/// The file or folder that was written.
type Written = Result<PathBuf, ExportError>;

/// What a saved run is written as.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is written, in a line.
    pub help: &'static str,
    /// How the name of a run's file or folder ends where none is given: `run-3` and this.
    pub ending: &'static str,
    /// Writes a run; returns the file or folder.
    pub write: fn(&SavedModel<'_>, Output, &Options<'_>) -> Written,
    /// Whether it spreads topics over a field of the documents.
    pub spreads: bool,
    /// Writes several runs side by side, in a format that can hold them.
    pub compare: Option<fn(&SavedComparison, Output) -> Written>,
}

/// What can be asked of a format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The field of documents over which topics are spread, where that is not the date.
    pub by: Option<&'a str>,
    /// Cells of CSV as they are, also those that a spreadsheet would run.
    pub raw: bool,
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }

    /// The file or folder that run `run` is written to by default, in the working directory.
    pub fn usual_place(self, run: i64) -> PathBuf {
        format!("run-{run}{}", self.ending).into()
    }
}

/// Writes a saved run in a format to `output`; returns the file or folder.
///
/// # Errors
/// [`ExportError::NotSpread`] where the format is given a field and has no place for one; [`ExportError`]; then
/// nothing is left of what was written.
pub fn export(
    model: &SavedModel<'_>,
    format: Format,
    output: Output,
    options: Options<'_>,
) -> Result<PathBuf, ExportError> {
    if options.by.is_some() && !format.spreads {
        return Err(ExportError::NotSpread(format.name));
    }
    (format.write)(model, output, &options)
}

/// The file that the comparison of these runs is written to by default, in the working directory.
pub fn usual_place_of_comparison(runs: &[i64]) -> PathBuf {
    let numbers: Vec<String> = runs.iter().map(i64::to_string).collect();
    format!("compare-{}.html", numbers.join("-")).into()
}

/// Writes several runs side by side to `output`, which only a page can hold; returns the file.
///
/// # Errors
/// [`ExportError::OneRun`] for another format; [`ExportError`]; then nothing is left of what was
/// written.
pub fn export_comparison(
    store: &Store,
    runs: &[i64],
    format: Format,
    output: Output,
) -> Result<PathBuf, ExportError> {
    let Some(compare) = format.compare else {
        return Err(ExportError::OneRun { format: format.name, runs: runs.len() });
    };
    compare(&SavedComparison::read(store, runs)?, output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn formats_have_names_and_places_of_their_own() {
        let names: BTreeSet<_> = FORMATS.iter().map(|format| format.name).collect();
        let places: BTreeSet<_> = FORMATS.iter().map(|format| format.usual_place(3)).collect();
        assert_eq!((names.len(), places.len()), (FORMATS.len(), FORMATS.len()));
        for format in FORMATS {
            assert_eq!(Format::named(format.name).map(|found| found.ending), Some(format.ending));
        }
        assert!(Format::named("pdf").is_none());
    }
}

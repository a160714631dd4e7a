//! The table of export formats: a module each, and a row here.

use std::path::PathBuf;

use super::error::ExportError;
use super::html::comparison::SavedComparison;
use super::output::Output;
use super::saved_model::SavedModel;
use super::{
    bertopic, csv_tables, dfr_browser, document_side, documents, draws, gephi, html, json, ldavis,
    mallet, matrix_market, npy, octis,
};
use topoi_store::Store;
use topoi_store::id::RunId;

/// All formats in the order of help.
pub const FORMATS: &[Format] = &[
    html::FORMAT,
    csv_tables::FORMAT,
    json::FORMAT,
    ldavis::FORMAT,
    mallet::FORMAT,
    matrix_market::FORMAT,
    npy::FORMAT,
    dfr_browser::FORMAT,
    bertopic::FORMAT,
    octis::FORMAT,
    gephi::FORMAT,
    documents::CSV,
    documents::JSON_LINES,
    draws::SHARES,
    draws::DRAWS,
    document_side::FORMAT,
    #[cfg(feature = "parquet")]
    super::documents_parquet::FORMAT,
];

/// Path of the written file or folder.
type Written = Result<PathBuf, ExportError>;

/// An export format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Suffix of the default name, after `run-3`.
    pub ending: &'static str,
    /// Writes a run; returns the file or folder.
    pub write: fn(&SavedModel<'_>, Output, &ExportOptions<'_>) -> Written,
    /// Whether it accepts a field of the documents to show topics over.
    pub spreads: bool,
    /// Writes a comparison of several runs; `None` for a format of one run.
    pub compare: Option<fn(&SavedComparison, Output) -> Written>,
}

/// Options of an export.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// The document field to show topics over; `None` for the date.
    pub by: Option<&'a str>,
    /// Leaves CSV cells that a spreadsheet would evaluate as formulas unescaped.
    pub raw: bool,
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }

    /// Default file or folder for run `run`, in the working directory.
    pub fn default_path(self, run: RunId) -> PathBuf {
        format!("run-{run}{}", self.ending).into()
    }

    /// Default file for the comparison of these runs, in the working directory.
    pub fn default_comparison_path(self, runs: &[RunId]) -> PathBuf {
        let numbers: Vec<String> = runs.iter().map(RunId::to_string).collect();
        format!("compare-{}{}", numbers.join("-"), self.ending).into()
    }
}

/// Writes a saved run in a format to `output`; returns the file or folder. After an error nothing is left of it.
///
/// # Errors
/// [`ExportError::NotSpread`] for a field that the format does not accept; [`ExportError`].
pub fn export(
    model: &SavedModel<'_>,
    format: Format,
    output: Output,
    options: ExportOptions<'_>,
) -> Result<PathBuf, ExportError> {
    if options.by.is_some() && !format.spreads {
        return Err(ExportError::NotSpread(format.name));
    }
    (format.write)(model, output, &options)
}

/// Writes a comparison of several runs to `output`; returns the file. After an error nothing is left of it.
///
/// # Errors
/// [`ExportError::OneRun`] for a format of one run; [`ExportError`].
pub fn export_comparison(
    store: &Store,
    runs: &[RunId],
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
        let places: BTreeSet<_> =
            FORMATS.iter().map(|format| format.default_path(RunId(3))).collect();
        assert_eq!((names.len(), places.len()), (FORMATS.len(), FORMATS.len()));
        for format in FORMATS {
            assert_eq!(Format::named(format.name).map(|found| found.ending), Some(format.ending));
        }
        assert!(Format::named("pdf").is_none());
    }
}

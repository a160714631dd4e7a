//! The formats of exports, and the functions that write them.

use std::path::PathBuf;

use super::error::ExportError;
use super::html::comparison::SavedComparison;
use super::output::Output;
use super::saved_model::SavedModel;
use super::{csv_tables, dfr_browser, documents, html, json, ldavis, mallet, matrix_market};
use crate::store::Store;

/// What a saved run is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A folder of CSV tables: topics, words, documents, correlations, metrics
    Csv,
    /// One JSON object with all of it
    Json,
    /// What pyLDAvis and LDAvis show
    Ldavis,
    /// A folder of matrices with the names of their rows and columns
    MatrixMarket,
    /// A folder with MALLET's topic keys, document topics and word weights
    Mallet,
    /// One CSV file of documents with their fields and the proportions of all topics
    DocumentsCsv,
    /// The same as JSON Lines
    DocumentsJsonl,
    /// The same as a table of Parquet
    #[cfg(feature = "parquet")]
    DocumentsParquet,
    /// The data folder of dfr-browser
    DfrBrowser,
    /// One page that needs nothing else; of several runs, one that compares them
    Html,
}

impl Format {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ldavis => "ldavis",
            Self::MatrixMarket => "matrix-market",
            Self::Mallet => "mallet",
            Self::DocumentsCsv => "documents-csv",
            Self::DocumentsJsonl => "documents-jsonl",
            #[cfg(feature = "parquet")]
            Self::DocumentsParquet => "documents-parquet",
            Self::DfrBrowser => "dfr-browser",
            Self::Html => "html",
        }
    }

    /// The file or folder that run `run` is written to by default, in the working directory.
    pub fn usual_place(self, run: i64) -> PathBuf {
        match self {
            Self::Csv => format!("run-{run}-csv"),
            Self::Json => format!("run-{run}.json"),
            Self::Ldavis => format!("run-{run}-ldavis.json"),
            Self::MatrixMarket => format!("run-{run}-matrix-market"),
            Self::Mallet => format!("run-{run}-mallet"),
            Self::DocumentsCsv => format!("run-{run}-documents.csv"),
            Self::DocumentsJsonl => format!("run-{run}-documents.jsonl"),
            #[cfg(feature = "parquet")]
            Self::DocumentsParquet => format!("run-{run}-documents.parquet"),
            Self::DfrBrowser => format!("run-{run}-dfr-browser"),
            Self::Html => format!("run-{run}.html"),
        }
        .into()
    }
}

/// Writes a saved run in a format to `output`; returns the file or folder. `by` is the field of documents over
/// which dfr-browser spreads topics, where it is not the date. In the cells of CSV, what a
/// spreadsheet would run is quoted, unless `raw`.
///
/// # Errors
/// [`ExportError::NotSpread`] where another format is given a field; [`ExportError`]; then nothing
/// is left of what was written.
pub fn export(
    model: &SavedModel<'_>,
    format: Format,
    output: Output,
    by: Option<&str>,
    raw: bool,
) -> Result<PathBuf, ExportError> {
    if by.is_some() && format != Format::DfrBrowser {
        return Err(ExportError::NotSpread(format.name()));
    }
    match format {
        Format::Csv => csv_tables::write(model, output, raw),
        Format::Json => json::write(model, output),
        Format::Ldavis => ldavis::write(model, output),
        Format::MatrixMarket => matrix_market::write(model, output),
        Format::Mallet => mallet::write(model, output),
        Format::DocumentsCsv => documents::write_csv(model, output, raw),
        Format::DocumentsJsonl => documents::write_json_lines(model, output),
        #[cfg(feature = "parquet")]
        Format::DocumentsParquet => super::documents_parquet::write(model, output),
        Format::DfrBrowser => dfr_browser::write(model, output, by, raw),
        Format::Html => html::write(model, output),
    }
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
    if format != Format::Html {
        return Err(ExportError::OneRun { format: format.name(), runs: runs.len() });
    }
    let saved = SavedComparison::read(store, runs)?;
    html::comparison::write(&saved, output)
}

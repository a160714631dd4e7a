//! The formats there are.

use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::output::Output;
use super::saved_model::SavedModel;
use super::{csv_tables, html, json, ldavis, mallet, matrix_market};

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
    /// One page that needs nothing else
    Html,
}

impl Format {
    /// Where run `run` goes unless told otherwise, in the working directory.
    pub fn usual_place(self, run: i64) -> PathBuf {
        match self {
            Self::Csv => format!("run-{run}-csv"),
            Self::Json => format!("run-{run}.json"),
            Self::Ldavis => format!("run-{run}-ldavis.json"),
            Self::MatrixMarket => format!("run-{run}-matrix-market"),
            Self::Mallet => format!("run-{run}-mallet"),
            Self::Html => format!("run-{run}.html"),
        }
        .into()
    }
}

/// Writes a saved run in a format; returns the file or folder.
///
/// # Errors
/// [`ExportError`]; then nothing is left of what was written.
pub fn export(
    model: &SavedModel<'_>,
    format: Format,
    place: &Path,
    replaces: bool,
) -> Result<PathBuf, ExportError> {
    let output = Output::at(place, replaces)?;
    match format {
        Format::Csv => csv_tables::write(model, output),
        Format::Json => json::write(model, output),
        Format::Ldavis => ldavis::write(model, output),
        Format::MatrixMarket => matrix_market::write(model, output),
        Format::Mallet => mallet::write(model, output),
        Format::Html => html::write(model, output),
    }
}

//! The shares of the topics as bars.

use maud::Markup;

use super::{figures, summaries};
use crate::export::error::ExportError;
use crate::export::figures::shares;
use crate::export::saved_model::SavedModel;

pub(super) fn draw(model: &SavedModel<'_>) -> Result<Markup, ExportError> {
    Ok(figures(&[(shares("Shares of the topics", &summaries(model)), "")]))
}

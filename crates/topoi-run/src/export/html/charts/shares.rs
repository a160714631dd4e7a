//! The shares of the topics as bars.

use maud::Markup;

use super::{figures, summaries};
use crate::export::error::ExportError;
use crate::export::figures::shares;
use crate::export::html::RunPage;

pub(super) fn draw(page: &RunPage<'_>) -> Result<Markup, ExportError> {
    Ok(figures(&[(shares("Shares of the topics", &summaries(page.model)), "")]))
}

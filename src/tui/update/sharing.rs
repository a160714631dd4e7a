//! Copying and exporting what is shown.

use crate::tui::clipboard::MOST_BYTES;
use crate::tui::effect::{Effect, Export, Format, Source};
use crate::tui::state::corpus::Pane;
use crate::tui::state::{Screen, State, sheet};

/// Copies the row under the cursor; of a document that is read, its text.
pub fn copy_row(state: &mut State) -> Vec<Effect> {
    let reading = state.corpus.reading.as_ref().filter(|_| state.screen == Screen::Corpus);
    let text = match reading.filter(|reading| !reading.shows_words()) {
        Some(reading) => {
            let pieces = reading.sheet.iter().flat_map(|sheet| &sheet.pieces);
            Some(pieces.map(|piece| piece.text.as_str()).collect())
        }
        None => sheet::row(state).map(|sheet| sheet.lines()),
    };
    copy(state, text)
}

/// Copies all rows, with the names of the columns.
pub fn copy_table(state: &mut State) -> Vec<Effect> {
    let text = sheet::shown(state).filter(|sheet| !sheet.rows.is_empty());
    copy(state, text.map(|sheet| sheet.table()))
}

fn copy(state: &mut State, text: Option<String>) -> Vec<Effect> {
    match text {
        None => state.notice = Some("there is nothing to copy here".into()),
        Some(text) if text.len() > MOST_BYTES => {
            state.notice = Some(format!(
                "{} kB are more than terminals take ({} kB); e writes a file",
                text.len() / 1000,
                MOST_BYTES / 1000
            ));
        }
        Some(text) => return vec![Effect::Copy(text)],
    }
    Vec::new()
}

/// Writes what is shown to a file: of documents, all that the filter lets through.
pub fn export(state: &mut State, format: Format) -> Vec<Effect> {
    let corpus = &state.corpus;
    let lists_documents = state.screen == Screen::Corpus
        && corpus.reading.is_none()
        && corpus.pane == Pane::Documents;
    let found = match corpus.shown.as_ref().filter(|_| lists_documents) {
        Some(page) => Some(Source::Documents {
            corpus: page.corpus.clone(),
            filter: corpus.documents.filter.clone(),
            order: corpus.document_order(),
        }),
        None => sheet::shown(state).filter(|sheet| !sheet.rows.is_empty()).map(Source::Sheet),
    };
    let Some(source) = found else {
        state.notice = Some("there is nothing to export here".into());
        return Vec::new();
    };
    vec![Effect::Export(Box::new(Export { source, format }))]
}

//! Screen 2: documents and terms of a corpus.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::table::{Column, Table, Width};
use super::{document, parts};
use crate::tui::data::CorpusPage;
use crate::tui::layout;
use crate::tui::state::corpus::Pane;
use crate::tui::state::{Screen, State};
use crate::tui::text;

/// Draws the screen.
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) {
    if let Some(reading) = &state.corpus.reading {
        return document::draw(state, reading, area, buffer);
    }
    let Some(page) = &state.corpus.shown else {
        let inside = parts::titled(buffer, area, state.look, "Corpus");
        if state.corpus.answered {
            let none = Line::raw(" There is no corpus yet: `topoi ingest CORPUS PATH` makes one.");
            parts::lines(buffer, inside, &[Line::raw(""), none]);
        }
        return;
    };
    let split = layout::split(Screen::Corpus, area);
    documents(state, page, split.list, buffer);
    terms(state, page, split.detail, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, state.look);
    }
}

fn documents(state: &State, page: &CorpusPage, area: Rect, buffer: &mut Buffer) {
    let corpus = &page.corpus;
    let title = format!("{}: {} documents", corpus.name, text::count(corpus.documents));
    let inside = parts::titled(buffer, area, state.look, &title);
    if let Some(parts) = corpus.parts_elsewhere {
        let where_ = format!(
            "They are in {parts} stores elsewhere, each a part; `topoi --store PART` shows those \
             of one."
        );
        parts::lines(buffer, inside, &parts::paragraph(&where_, inside.width, Style::new()));
        return;
    }
    let columns = [
        Column::text("key", Width::Share(1)),
        Column::text("title", Width::Share(2)),
        Column::number("tokens", 9),
    ];
    let table = Table {
        columns: &columns,
        list: &state.corpus.documents,
        len: page.documents.len(),
        focused: state.corpus.pane == Pane::Documents,
    };
    table.draw(buffer, inside, state.look, |index| {
        let document = &page.documents[index];
        vec![
            Span::raw(document.key.clone()),
            Span::raw(document.title.clone().unwrap_or_default()),
            Span::raw(text::count(document.tokens)),
        ]
    });
}

fn terms(state: &State, page: &CorpusPage, area: Rect, buffer: &mut Buffer) {
    let corpus = &page.corpus;
    let (all, shown) = (corpus.terms, page.terms.len() as u64);
    let natural = state.corpus.terms.sort.is_none() && state.corpus.terms.filter.is_empty();
    let title = match page.matching_terms > shown {
        true if natural => {
            format!("{} terms, the {} most frequent", text::count(all), text::count(shown))
        }
        true => format!("{} terms, the first {}", text::count(all), text::count(shown)),
        false => format!("{} terms", text::count(all)),
    };
    let inside = parts::titled(buffer, area, state.look, &title);
    let columns = [
        Column::text("term", Width::Share(1)),
        Column::number("tokens", 11),
        Column::number("documents", 10),
        Column::number("in", 6),
    ];
    let table = Table {
        columns: &columns,
        list: &state.corpus.terms,
        len: page.terms.len(),
        focused: state.corpus.pane == Pane::Terms,
    };
    table.draw(buffer, inside, state.look, |index| {
        let term = &page.terms[index];
        let share = term.document_frequency as f64 / corpus.documents.max(1) as f64;
        vec![
            Span::raw(term.text.clone()),
            Span::raw(text::count(term.total_count)),
            Span::raw(text::count(term.document_frequency)),
            Span::raw(text::percent(share)),
        ]
    });
}

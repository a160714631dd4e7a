//! Documents and terms of a corpus.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use topoi_core::numbers::thousands;

use crate::records::column::Width;
use crate::records::terms::TermRow;
use crate::records::{documents, terms};
use crate::tui::view::parts;
use crate::tui::view::table::{Column, RecordColumns, Table};

use super::question::CorpusPage;
use super::{CorpusScreen, Pane};
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::text;

const SHARES: layout::Shares = layout::Shares { beside: 66, below: 60 };
/// From this width on, the terms have room beside the documents.
const BESIDE_FROM: u16 = 130;
/// Cells for the topic that a document is most about, and in lists narrower than that.
const TOPIC: usize = 24;
const NARROW_TOPIC: usize = 16;
const NARROW: u16 = 90;

fn split(area: Rect) -> layout::Split {
    layout::split_from(BESIDE_FROM, SHARES, area)
}

/// Rows of a list on the screen.
pub fn rows(pane: Pane, body: Rect) -> usize {
    let parts = split(body);
    layout::table_rows(if pane == Pane::Terms { parts.detail } else { parts.list })
}

pub fn draw(screen: &CorpusScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(page) = &screen.shown else {
        let inside = parts::titled(buffer, area, look, "Corpus");
        if screen.answered {
            let none = Line::raw(" There is no corpus yet: g n ingests documents.");
            parts::lines(buffer, inside, &[Line::raw(""), none]);
        }
        return;
    };
    let split = split(area);
    draw_documents(screen, page, look, split.list, buffer);
    draw_terms(screen, page, look, split.detail, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
}

fn draw_documents(
    screen: &CorpusScreen,
    page: &CorpusPage,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let corpus = &page.corpus;
    let title = format!("{}: {} documents", corpus.name, thousands(corpus.documents));
    let inside = parts::titled(buffer, area, look, &title);
    if let Some(parts) = corpus.parts_elsewhere {
        let where_ = format!(
            "They are in {parts} stores elsewhere, each a part; `topoi --store PART` shows those \
             of one."
        );
        parts::lines(buffer, inside, &parts::paragraph(&where_, inside.width, Style::new()));
        return;
    }
    let all = documents::columns();
    let has_topics = page.topics.iter().any(|topic| !topic.is_empty());
    let topic = if inside.width < NARROW { NARROW_TOPIC } else { TOPIC };
    let taken = if has_topics { topic as u16 + 2 } else { 0 };
    let room = inside.width.saturating_sub(taken);
    let mut listed = RecordColumns::new(&all, room).chosen("documents", look);
    let named = listed.place("title");
    let of_run = page.run.map(|run| format!("topic, run {run}")).unwrap_or_default();
    if has_topics {
        listed.columns.push(Column::text(&of_run, Width::Cells(topic)));
    }
    if page.documents.is_empty() && !screen.documents.filter.is_empty() && !screen.waiting {
        let filter = text::cut(screen.documents.filter.as_str(), 40);
        let none = format!("No key and no title holds {filter:?}: F searches the texts.");
        let below = parts::below(inside, 2);
        parts::lines(buffer, below, &parts::paragraph(&none, inside.width, Style::new()));
    }
    let table = Table {
        columns: &listed.columns,
        list: &screen.documents,
        len: page.documents.len(),
        focused: screen.pane == Pane::Documents,
    };
    table.draw(buffer, inside, look, |index| {
        let mut cells = listed.cells(&page.documents[index]);
        if let Some((at, name)) = named.zip(page.names.get(index)) {
            cells[at] = Span::raw(name.clone());
        }
        if has_topics {
            cells.push(Span::raw(page.topics.get(index).cloned().unwrap_or_default()));
        }
        cells
    });
}

fn draw_terms(
    screen: &CorpusScreen,
    page: &CorpusPage,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let corpus = &page.corpus;
    let (all, shown) = (corpus.terms, page.terms.len() as u64);
    let natural = screen.terms.sort.is_none() && screen.terms.filter.is_empty();
    let title = match page.matching_terms > shown {
        true if natural => {
            format!("{} terms, the {} most frequent", thousands(all), thousands(shown))
        }
        true => format!("{} terms, the first {}", thousands(all), thousands(shown)),
        false => format!("{} terms", thousands(all)),
    };
    let inside = parts::titled(buffer, area, look, &title);
    let all = terms::columns();
    let listed = RecordColumns::new(&all, inside.width).chosen("terms", look);
    let table = Table {
        columns: &listed.columns,
        list: &screen.terms,
        len: page.terms.len(),
        focused: screen.pane == Pane::Terms,
    };
    table.draw(buffer, inside, look, |index| {
        listed.cells(&TermRow { term: &page.terms[index], corpus, dropped_by: None })
    });
}

//! The corpora, and the selected one in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use topoi_core::numbers::{four_digits, thousands};

use super::CorporaScreen;
use crate::records::corpora::{CorpusRow, columns};
use crate::tui::bench::Bench;
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::parts;
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::text;

/// Cells for the names of values.
const NAMES: usize = 11;

pub const SHARES: layout::Shares = layout::Shares { beside: 55, below: 55 };

pub fn draw(screen: &CorporaScreen, bench: &Bench, area: Rect, buffer: &mut Buffer) {
    let look = bench.look;
    let Some(rows) = &screen.rows else {
        parts::titled(buffer, area, look, "Corpora");
        return;
    };
    if rows.is_empty() {
        return empty(bench, area, buffer);
    }
    let split = layout::split(SHARES, area);
    let title = format!("Corpora {}", thousands(rows.len() as u64));
    let inside = parts::titled(buffer, split.list, look, &title);
    let (columns, visible) = (columns(), screen.visible());
    let listed = Listed::new(&columns, inside.width).chosen("corpora", look);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    table.draw(buffer, inside, look, |index| listed.cells(visible[index]));
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(row) = screen.selected() {
        let inside = parts::titled(buffer, split.detail, look, &row.corpus.name);
        parts::lines(buffer, inside, &detail(row, look, inside.width));
    }
}

fn detail(row: &CorpusRow, look: Look, width: u16) -> Vec<Line<'static>> {
    let corpus = &row.corpus;
    let cells = corpus.documents as f64 * corpus.terms as f64;
    let per_document = corpus.tokens as f64 / corpus.documents.max(1) as f64;
    let runs = match row.active {
        0 => thousands(row.runs as u64),
        active => format!("{}, {active} of them queued or running", thousands(row.runs as u64)),
    };
    let named = |name, value| parts::named(look, name, NAMES, value);
    let place = match corpus.parts_elsewhere {
        Some(parts) => format!(", in {parts} stores elsewhere, each a part"),
        None => String::new(),
    };
    let mut lines = vec![
        named("documents", format!("{}{place}", thousands(corpus.documents))),
        named("terms", thousands(corpus.terms)),
        named(
            "tokens",
            format!("{}, {} a document", thousands(corpus.tokens), four_digits(per_document)),
        ),
        named(
            "nonzeros",
            format!(
                "{}, {} of all pairs",
                thousands(corpus.nonzeros),
                text::percent(corpus.nonzeros as f64 / cells.max(1.0))
            ),
        ),
        named("made", format!("{} UTC", text::minute(&corpus.created_at))),
        named("runs", runs),
    ];
    let settings = parts::settings(&corpus.settings);
    let value_cells = usize::from(width).saturating_sub(NAMES + 3).max(1);
    for (index, line) in text::wrap(&settings, value_cells).into_iter().enumerate() {
        lines.push(named(if index == 0 { "settings" } else { "" }, line));
    }
    lines
}

fn empty(bench: &Bench, area: Rect, buffer: &mut Buffer) {
    let look = bench.look;
    let inside = parts::titled(buffer, area, look, "Corpora");
    let room = usize::from(inside.width).saturating_sub(30);
    let lines = [
        Line::raw(""),
        Line::from(vec![
            Span::raw(" There is no corpus yet: "),
            Span::styled("i", look.key()),
            Span::raw(" ingests documents, or from a shell:"),
        ]),
        Line::raw(""),
        Line::styled(
            format!("   {} ingest CORPUS PATH...", text::cut(&bench.program, room)),
            look.key(),
        ),
        Line::raw(""),
        Line::styled(" It appears here with its first documents.", Style::new()),
    ];
    parts::lines(buffer, inside, &lines);
}

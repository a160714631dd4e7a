//! A word's topics as bars, its documents, its occurrences one under the other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::question::{TopicOfWord, WordAnswer, WordRows, columns};
use super::{WordScreen, WordView};
use crate::records::found;
use crate::tui::screens::search::hit;
use crate::tui::view::hit_areas;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{RecordColumns, Table};
use crate::tui::view::{layout, parts, text};
use topoi_core::numbers::thousands;
use topoi_ingest::search::context::{Context, ContextOrder, Contexts};
use topoi_ingest::search::word::TermDocument;

/// Rows of the list on the screen.
pub fn rows(view: WordView, body: Rect) -> usize {
    let (_, below) = layout::strip(body);
    match view {
        WordView::Contexts => usize::from(below.height.saturating_sub(1)).max(1),
        _ => layout::table_rows(below),
    }
}

pub fn draw(screen: &WordScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (strip, below) = layout::strip(area);
    draw_strip(screen, look, strip, buffer);
    let Some(answer) = &screen.answer else {
        parts::titled(buffer, below, look, &screen.term);
        return;
    };
    let inside = parts::titled(buffer, below, look, &title(screen, answer));
    match &answer.found {
        Err(error) => {
            parts::lines(buffer, inside, &parts::paragraph(error, inside.width, Style::new()));
        }
        Ok(WordRows::Topics { rows, .. }) => topics(screen, rows, look, inside, buffer),
        Ok(WordRows::Documents(rows)) => documents(screen, rows, look, inside, buffer),
        Ok(WordRows::Contexts(found)) => contexts(screen, found, look, inside, buffer),
    }
}

fn draw_strip(screen: &WordScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let names = [
        (WordView::Topics, "t topics"),
        (WordView::Documents, "d documents"),
        (WordView::Contexts, "c contexts"),
    ];
    let spans = names.map(|(view, name)| match view == screen.view {
        true => Span::styled(format!(" [{name}]"), look.heading()),
        false => Span::raw(format!("  {name} ")),
    });
    buffer.set_line(area.x, area.y, &Line::from(spans.to_vec()), area.width);
}

fn title(screen: &WordScreen, answer: &WordAnswer) -> String {
    let Some(term) = &answer.term else { return screen.term.clone() };
    let counts = format!(
        "{}: {} times in {} documents",
        term.shown(),
        thousands(term.total_count),
        thousands(term.document_frequency)
    );
    match &answer.found {
        Ok(WordRows::Topics { run, .. }) => format!("{counts}, topics of run {run}"),
        Ok(WordRows::Documents(rows)) if (rows.len() as u64) < term.document_frequency => {
            format!("{counts}, the {} with most of it", thousands(rows.len() as u64))
        }
        Ok(WordRows::Contexts(found)) => {
            let order = match screen.order {
                ContextOrder::Document => "as they stand",
                ContextOrder::Before => "by the words before",
                ContextOrder::After => "by the words after",
            };
            let shown = found.rows.len() as u64;
            match shown < term.total_count {
                true => format!("{counts}, the first {}, {order}", thousands(shown)),
                false => format!("{counts}, {order}"),
            }
        }
        _ => counts,
    }
}

fn topics(
    screen: &WordScreen,
    rows: &[TopicOfWord],
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let all = columns();
    let listed = RecordColumns::new(&all, area.width);
    let visible = screen.list.visible(rows);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    let bar = listed.place("");
    let cells = if area.width >= 100 { 30 } else { 12 };
    table.draw(buffer, area, look, |at| {
        let mut drawn = listed.cells(visible[at]);
        if let Some(bar) = bar {
            drawn[bar] = Span::styled(parts::bar(visible[at].of_word, cells), look.bar());
        }
        drawn
    });
}

fn documents(
    screen: &WordScreen,
    rows: &[TermDocument],
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let columns = found::documents_with_term();
    RecordColumns::new(&columns, area.width).draw_rows(&screen.list, rows, look, area, buffer);
}

fn contexts(
    screen: &WordScreen,
    found: &Contexts,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let visible = screen.list.visible(&found.rows);
    let width = usize::from(area.width);
    let widest = |of: fn(&Context) -> &str, most: usize| {
        visible.iter().map(|row| text::width(of(row))).max().unwrap_or(0).min(most)
    };
    let (keys, hits) = (widest(|row| &row.key, width / 6), widest(|row| &row.hit, width / 4));
    let left = width.saturating_sub(keys + hits + 6) / 2;
    let right = width.saturating_sub(keys + hits + left + 6);
    let shown = screen.list.window(visible.len(), usize::from(area.height));
    for (y, at) in (area.top()..area.bottom()).zip(shown) {
        let is_selected = at == screen.list.cursor;
        let row = visible[at];
        let before = text::cut_start(row.left.trim_end(), left);
        let space = " ".repeat(left.saturating_sub(text::width(&before)));
        let line = Line::from(vec![
            Span::raw(format!(
                "{} {}  {space}{before} ",
                if is_selected { ">" } else { " " },
                text::align_left(&row.key, keys)
            )),
            Span::styled(text::align_left(&row.hit, hits), hit(look)),
            Span::raw(format!(" {}", text::cut(row.right.trim_start(), right))),
        ]);
        buffer.set_line(area.x, y, &line, area.width);
        hit_areas::mark_row(Rect { y, height: 1, ..area }, at);
        if is_selected {
            buffer.set_style(Rect { y, height: 1, ..area }, look.selected());
        }
    }
}

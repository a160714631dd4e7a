//! The topics after edits, and what has changed of the one under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::ShapeScreen;
use super::question::Refusal;
use crate::records::shaping::columns;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::table::RecordColumns;
use crate::tui::view::text;
use topoi_core::shape::effect::{TopicEffect, TopicSnapshot};

/// Rows below the table: a rule, the topic before and after, and the edits.
const BELOW: u16 = 7;

/// Rows of the table.
pub fn rows(body: Rect) -> usize {
    usize::from(body.height.saturating_sub(BELOW + 2))
}

pub fn draw(screen: &ShapeScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let title = match &screen.sheet {
        Some(sheet) => {
            // A preview has no passes over the documents, which the saved run has.
            let state = screen.draft.state_after(&sheet.edits);
            format!("Topics of run {}, {state}; shares before refining", sheet.run)
        }
        None => "Topics to be shaped".into(),
    };
    let inside = parts::titled(buffer, area, look, &title);
    let Some(sheet) = &screen.sheet else {
        let words = match (&screen.refusal, screen.run) {
            (Some(Refusal::Missing(cost)), _) => {
                let lines = screen.factor_job.lines(cost, look, inside.width);
                parts::lines(buffer, inside, &lines);
                return;
            }
            (Some(Refusal::Refused(refusal)), _) => refusal.as_str(),
            (None, None) => "No run was chosen: A in a run.",
            (None, Some(_)) => "the topics are being read",
        };
        parts::lines(buffer, inside, &parts::paragraph(words, inside.width, Style::new()));
        return;
    };
    let height = inside.height.saturating_sub(BELOW);
    let columns = columns();
    let (listed, table) = (RecordColumns::new(&columns, inside.width), Rect { height, ..inside });
    listed.draw_rows(&screen.list, &sheet.topics, look, table, buffer);
    let below = parts::below(inside, height);
    let Some(row) = screen.selected() else { return };
    let marked = screen.marked.map(|topic| format!(", topic {topic} marked")).unwrap_or_default();
    let below = parts::titled(buffer, below, look, &format!("Topic {}{marked}", row.topic));
    parts::lines(buffer, below, &lines(row, look, below.width));
    let last = parts::below(below, BELOW - 2);
    let said: Vec<String> = sheet.edits.iter().rev().map(topoi_core::shape::Edit::said).collect();
    if !said.is_empty() {
        let line = text::cut(&said.join("; "), usize::from(last.width).saturating_sub(8));
        parts::lines(buffer, last, &[named(look, "edits", line)]);
    }
}

fn lines(row: &TopicEffect, look: Appearance, width: u16) -> Vec<Line<'static>> {
    let cells = usize::from(width).saturating_sub(8);
    let seen = |seen: &Option<TopicSnapshot>| match seen {
        None => "not there".into(),
        Some(seen) => {
            let npmi = seen.npmi.map(|npmi| format!(" npmi {npmi:.2}")).unwrap_or_default();
            format!("{}{npmi}  {}", text::percent(seen.share), seen.words.join(" "))
        }
    };
    let name = |words: &[String]| if words.is_empty() { "-".into() } else { words.join(" ") };
    let line = |name: &str, words: String| named(look, name, text::cut(&words, cells));
    vec![
        line("was", seen(&row.before)),
        line("is", seen(&row.after)),
        line("gained", name(&row.gained)),
        line("lost", name(&row.lost)),
        line("anchor", name(&row.anchors)),
    ]
}

fn named(look: Appearance, name: &str, words: String) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name:<8}"), look.key()), Span::raw(words)])
}

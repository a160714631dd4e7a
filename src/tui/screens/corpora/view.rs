//! The selected corpus in full.

use ratatui::text::{Line, Span};
use topoi_core::numbers::{four_digits, thousands};

use crate::records::corpora::CorpusRow;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use crate::tui::workbench::Workbench;

/// Cells for the names of values.
const NAMES: usize = 11;

pub fn detail(row: &CorpusRow, look: Appearance, width: u16) -> Vec<Line<'static>> {
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

/// How the first corpus is made.
pub fn first_steps(workbench: &Workbench, width: u16) -> Vec<Line<'static>> {
    let look = workbench.look;
    let room = usize::from(width).saturating_sub(30);
    vec![
        Line::raw(""),
        Line::from(vec![
            Span::raw(" There is no corpus yet: "),
            Span::styled("i", look.key()),
            Span::raw(" ingests documents, or from a shell:"),
        ]),
        Line::raw(""),
        Line::styled(
            format!("   {} ingest CORPUS PATH...", text::cut(&workbench.program, room)),
            look.key(),
        ),
        Line::raw(""),
        Line::raw(" It appears here with its first documents."),
    ]
}

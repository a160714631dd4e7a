//! The form of a job over a screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::{JobForm, Stage};
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};

const WIDEST: u16 = 90;
/// Cells for the names of fields.
const NAME: usize = 8;

pub fn draw(form: &JobForm, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let width = WIDEST.min(area.width.saturating_sub(4));
    let cells = usize::from(width.saturating_sub(4));
    let mut lines = parts::paragraph(form.kind.meaning(), width - 2, Style::new());
    lines.push(Line::default());
    for (at, field) in form.fields.iter().enumerate() {
        let here = at == form.at && form.stage == Stage::Filling;
        let room = cells.saturating_sub(NAME + 6);
        let mut spans = vec![
            Span::raw(if here { " > " } else { "   " }),
            Span::styled(text::align_left(field.name, NAME), look.heading()),
        ];
        match here {
            true => spans.extend(field.value.line(look, " ", room + 2).spans),
            false => {
                let value = text::cut_start(field.value.as_str(), room);
                spans.push(Span::raw(format!(" {value}")));
            }
        }
        lines.push(Line::from(spans));
        if here {
            lines.push(Line::raw(format!(
                "     {}",
                text::cut(field.help, cells.saturating_sub(5))
            )));
        }
    }
    lines.push(Line::default());
    match &form.stage {
        Stage::Filling => {
            if let Some(error) = &form.error {
                lines.extend(parts::paragraph(error, width - 2, look.bad()));
            }
            lines.push(keys(
                look,
                &[("Enter", "what it will do"), ("Tab", "next field"), ("Esc", "close")],
            ));
        }
        Stage::Estimating => lines.push(Line::raw(" looking at what it will do")),
        Stage::Estimated(estimate) => {
            for line in estimate {
                lines.extend(parts::paragraph(line, width - 2, Style::new()));
            }
            lines.push(Line::default());
            lines.push(keys(look, &[("y", "do it"), ("n", "change it")]));
        }
    }
    let command = format!(" {}", text::cut(&form.command(), cells));
    let height = (lines.len() as u16 + 2).min(area.height);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let boxed = Rect { x, y, width, height };
    Clear.render(boxed, buffer);
    let block =
        Block::bordered().border_style(look.rule()).title(format!(" {} ", form.kind.title()));
    let block = block.title_bottom(format!("{command} "));
    let inside = block.inner(boxed);
    block.render(boxed, buffer);
    parts::lines(buffer, inside, &lines);
}

fn keys(look: Appearance, keys: &[(&'static str, &'static str)]) -> Line<'static> {
    let one = |(key, word): &(&'static str, &'static str)| {
        [Span::styled(format!(" {key}"), look.key()), Span::raw(format!(" {word}  "))]
    };
    Line::from_iter(keys.iter().flat_map(one))
}

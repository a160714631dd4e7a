//! The models in groups, with a sentence each, while one is chosen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::form::LaunchState;
use super::view::field_line;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use topoi_core::model::Model;
use topoi_core::model::plan::{Extent, PlannedStage};
use topoi_core::model::topic_model::Card;
use topoi_run::request::fields;

/// A model that takes this many times as long as the first one is slow.
const SLOW: f64 = 5.0;
/// The corpus that models are timed by: the papers of a conference.
const PAPERS: Extent =
    Extent { words: 5000.0, documents: 2500.0, nonzeros: 1.3e6, tokens: 3.3e6, k: 50.0 };

/// Why one would choose a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Start,
    Others,
    Slow,
    Baselines,
}

impl Group {
    const ALL: [Self; 4] = [Self::Start, Self::Others, Self::Slow, Self::Baselines];

    fn title(self) -> &'static str {
        match self {
            Self::Start => "start here",
            Self::Others => "other quick ones",
            Self::Slow => "slow",
            Self::Baselines => "to hold others against",
        }
    }

    fn of(model: &Model) -> Self {
        let seconds = |model: &Model| -> f64 {
            model.any().plan(PAPERS).iter().map(PlannedStage::total).sum()
        };
        let first = Model::default();
        match model.card() {
            card if card.name == first.name() => Self::Start,
            card if card.is_baseline => Self::Baselines,
            _ if seconds(model) > SLOW * seconds(&first) => Self::Slow,
            _ => Self::Others,
        }
    }
}

/// The models by group.
fn grouped() -> Vec<(Group, &'static Card)> {
    let mut models: Vec<(Group, &Card)> =
        Model::all().iter().map(|model| (Group::of(model), model.card())).collect();
    models.sort_by_key(|(group, _)| *group);
    models
}

/// The models in the order in which they are chosen.
pub fn in_groups() -> Vec<&'static Card> {
    grouped().into_iter().map(|(_, card)| card).collect()
}

/// Draws the first fields, and instead of the others the models; returns what is below.
pub fn draw(form: &LaunchState, look: Appearance, area: Rect, buffer: &mut Buffer) -> Rect {
    let (grouped, chosen) = (grouped(), form.value(fields::MODEL));
    let mut lines: Vec<Line> =
        form.fields().into_iter().take(2).map(|field| field_line(form, field, look)).collect();
    let mut at_chosen = 0;
    for group in Group::ALL {
        let models: Vec<&Card> =
            grouped.iter().filter(|(own, _)| *own == group).map(|(_, card)| *card).collect();
        if !models.is_empty() {
            lines.push(Line::styled(format!("   {}", group.title()), look.heading()));
        }
        for card in models {
            let is_chosen = card.name == chosen;
            let (mark, style) =
                if is_chosen { (" >   ", look.selected()) } else { ("     ", Style::new()) };
            if is_chosen {
                at_chosen = lines.len();
            }
            let room = usize::from(area.width).saturating_sub(17);
            lines.push(Line::from(vec![
                Span::styled(format!("{mark}{}", text::align_left(card.name, 10)), style),
                Span::raw(format!("  {}", text::cut(card.help, room))),
            ]));
        }
    }
    // On a small screen the chosen one stays in sight, below the fields.
    let rows = usize::from(area.height);
    let hidden = lines.len().saturating_sub(rows).min((at_chosen + 3).saturating_sub(rows));
    lines.drain(2..2 + hidden);
    parts::lines(buffer, area, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_model_stands_alone_at_the_top_and_every_model_in_one_group() {
        let grouped = grouped();
        assert_eq!(grouped.len(), Model::all().len());
        let of = |wanted: Group| -> Vec<&str> {
            let those = grouped.iter().filter(|(group, _)| *group == wanted);
            those.map(|(_, card)| card.name).collect()
        };
        assert_eq!(of(Group::Start), [Model::default().name()]);
        assert_eq!(of(Group::Baselines), ["aw", "svd"]);
        let slow = of(Group::Slow);
        assert!(["raw", "palm", "lda-gibbs", "nmf-kl"].iter().all(|name| slow.contains(name)));
    }
}

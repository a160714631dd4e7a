//! The key tables of a run.

use super::stability;
use super::state::RunView;
use crate::tui::keymap::{Action, Action as A, Binding, Keys, LIST, key};
use crate::tui::screens::launch::NEW_RUN;

pub const LABEL: Action = Action::Own("label");
pub const ORDER: Action = Action::Own("order");
pub const SCALE: Action = Action::Own("scale");
pub const ZOOM_IN: Action = Action::Own("zoom in");
pub const ZOOM_OUT: Action = Action::Own("zoom out");

/// Shows a side of the run.
pub const fn look(view: RunView) -> Action {
    Action::Own(view.name().1)
}

/// From everywhere to a side of the run.
pub const SHORTCUTS: &[Binding] = &[
    key(&["g t"], look(RunView::Topics), "", "the topics of the run"),
    key(&["g w"], look(RunView::Topic), "", "its topic in full"),
    key(&["g x"], look(RunView::Correlations), "", "its correlations"),
    key(&["g m"], look(RunView::Map), "", "its map"),
    key(&["g i"], look(RunView::Facts), "", "its facts"),
];

static CORRELATIONS: Keys =
    Keys::new("Correlations", &[key(&["o"], ORDER, "order", "by likeness, or by number")]);

static MAP: Keys = Keys::new(
    "Map",
    &[
        key(&["+", "="], ZOOM_IN, "zoom in", "enlarge, around the selected anchor"),
        key(&["a"], SCALE, "axes", "compressed outwards, or to scale"),
        key(&["-"], ZOOM_OUT, "out", "make smaller"),
    ],
);

static FACTS: Keys = Keys::new(
    "Facts",
    &[
        key(&["j", "Down"], A::Down, "down", "down"),
        key(&["k", "Up"], A::Up, "up", "up"),
        key(&["PgDn", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(&["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(&["n"], NEW_RUN, "new run", "a new run, through the launch form"),
    ],
);

static RUN: Keys = Keys::new(
    "Run",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "", "the topic in full"),
        key(&["]", "Tab"], A::NextView, "next view", "next view"),
        key(&["[", "Shift-Tab"], A::PreviousView, "", "previous view"),
        key(&["t"], look(RunView::Topics), "", "the topics"),
        key(&["w"], look(RunView::Topic), "words", "the topic in full: words, documents"),
        key(&["x"], look(RunView::Correlations), "correlations", "which topics occur together"),
        key(&["m"], look(RunView::Map), "map", "the words and the hull of the anchors"),
        key(&["i"], look(RunView::Facts), "facts", "settings, stages, metrics"),
        key(&["L"], LABEL, "label", "name the topic"),
        key(&["T"], stability::COMPUTE, "trust", "which topics come back on halves; asks"),
        key(&["h", "Left"], A::Back, "", "back to the topics, then to the runs"),
    ],
);

pub static NAMING: Keys = Keys::new(
    "While typing a name",
    &[
        key(&["Enter"], A::Accept, "save", "save the name; an empty one takes it away"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave the name as it was"),
        key(&["Backspace"], A::Erase, "erase", "erase a character"),
        key(&["Ctrl-U"], A::EraseAll, "", "erase all"),
    ],
);

/// The tables of a side of the run.
pub fn of(view: RunView) -> Vec<&'static Keys> {
    match view {
        RunView::Topics | RunView::Topic => vec![&RUN, &LIST],
        RunView::Correlations => vec![&CORRELATIONS, &RUN, &LIST],
        RunView::Map => vec![&MAP, &RUN, &LIST],
        RunView::Facts => vec![&FACTS, &RUN],
    }
}

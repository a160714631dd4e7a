//! The key tables of a run.

use super::stability;
use super::state::RunView;
use crate::tui::keymap::{Action, Action as A, Binding, Keys, LIST, SCROLL, key};
use crate::tui::screens::shape;

pub const LABEL: Action = Action::Own("label");
pub const ORDER: Action = Action::Own("order");
pub const SCALE: Action = Action::Own("scale");
pub const ZOOM_IN: Action = Action::Own("zoom in");
pub const ZOOM_OUT: Action = Action::Own("zoom out");
/// Words that are special to their topic come further to the front,
pub const MORE_SPECIAL: Action = Action::Own("more special");
/// or those that are probable.
pub const MORE_PROBABLE: Action = Action::Own("more probable");
pub const NEXT_TOPIC: Action = Action::Own("next topic");
pub const PREVIOUS_TOPIC: Action = Action::Own("previous topic");
pub const RIGHTWARDS: Action = Action::Own("rightwards");
pub const LEFTWARDS: Action = Action::Own("leftwards");
/// From topic to topic on the map.
pub const TO_THE_LEFT: Action = Action::Own("to the left");
pub const TO_THE_RIGHT: Action = Action::Own("to the right");
pub const UPWARDS: Action = Action::Own("upwards");
pub const DOWNWARDS: Action = Action::Own("downwards");
pub const WORD: Action = Action::Own("word");
pub const ELSEWHERE: Action = Action::Own("in other runs");
pub const BY_FIELD: Action = Action::Own("by field");
pub const RISING: Action = Action::Own("rising words");
pub const SHAPE: Action = Action::Own("shape by hand");
pub const MARK: Action = Action::Own("mark the topic");
pub const COMPARE: Action = Action::Own("compare topics");
pub const JUDGE: Action = Action::Own("judge the topics");

/// Shows a side of the run.
pub const fn look(view: RunView) -> Action {
    Action::Own(view.name().1)
}

/// From everywhere to a side of the run.
pub const SHORTCUTS: &[Binding] = &[
    key(&["g t"], look(RunView::Topics), "", "the topics of the run"),
    key(&["g w"], look(RunView::Topic), "", "its topic in full"),
    key(&["g d"], look(RunView::Documents), "", "the documents of its topic"),
    key(&["g B"], look(RunView::Correlations), "", "its correlations"),
    key(&["g m"], look(RunView::Map), "", "its map"),
    key(&["g I"], look(RunView::Facts), "", "its facts"),
];

static TOPICS: Keys = Keys::new(
    "Topics",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "the topic in full"),
        key(&["<"], MORE_SPECIAL, "λ", "words special to the topic first"),
        key(&[">"], MORE_PROBABLE, "", "words probable in the topic first"),
        key(&["o"], ORDER, "order", "by share, by likeness, by number"),
        key(&["Space"], MARK, "", "mark the topic, to compare it with another"),
        key(&["c"], COMPARE, "", "the marked topic beside this one"),
    ],
);

static TOPIC: Keys = Keys::new(
    "Topic",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "documents", "the documents of the topic"),
        key(&["W"], WORD, "word", "where the word under the cursor is used"),
        key(&["]"], NEXT_TOPIC, "next topic", "the next topic of the list"),
        key(&["["], PREVIOUS_TOPIC, "", "the topic before it"),
        key(&["<"], MORE_SPECIAL, "λ", "words special to the topic first"),
        key(&[">"], MORE_PROBABLE, "", "words probable in the topic first"),
    ],
);

static DOCUMENTS: Keys = Keys::new(
    "Documents of a topic",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "read", "read the document, its topic lit"),
        key(&["]"], NEXT_TOPIC, "next topic", "the next topic of the list"),
        key(&["["], PREVIOUS_TOPIC, "", "the topic before it"),
    ],
);

static CORRELATIONS: Keys = Keys::new(
    "Correlations",
    &[
        key(&["o"], ORDER, "order", "by likeness, or by number"),
        key(&[">"], RIGHTWARDS, "more columns", "to columns further right"),
        key(&["<"], LEFTWARDS, "", "to columns further left"),
    ],
);

static MAP: Keys = Keys::new(
    "Map",
    &[
        key(&["Right"], TO_THE_RIGHT, "", "to the next topic at the right"),
        key(&["Left"], TO_THE_LEFT, "", "at the left"),
        key(&["Up"], UPWARDS, "", "above"),
        key(&["Down"], DOWNWARDS, "", "below"),
        key(&["Enter"], A::Enter, "topic", "the topic in full"),
        key(&["+", "="], ZOOM_IN, "zoom in", "enlarge, around the selected anchor"),
        key(&["z"], SCALE, "axes", "compressed outwards, or to scale"),
        key(&["-"], ZOOM_OUT, "out", "make smaller"),
    ],
);

static RUN: Keys = Keys::new(
    "Run",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "", "the topic in full"),
        key(&["]", "Tab"], A::NextView, "", "next view"),
        key(&["[", "Shift-Tab"], A::PreviousView, "", "previous view"),
        key(&["t"], look(RunView::Topics), "", "the topics"),
        key(&["w"], look(RunView::Topic), "words", "the topic in full: its words"),
        key(&["d"], look(RunView::Documents), "documents", "the documents of the topic"),
        key(&["B"], look(RunView::Correlations), "correlations", "which topics occur together"),
        key(&["m"], look(RunView::Map), "map", "the words and the hull of the anchors"),
        key(&["I"], look(RunView::Facts), "facts", "settings, stages, metrics"),
        key(&["R"], ELSEWHERE, "other runs", "the topic in other runs"),
        key(&["f"], BY_FIELD, "by field", "topics by groups of documents, over time"),
        key(&["U"], RISING, "rising", "words that rise in what an update added"),
        key(&["L"], LABEL, "label", "name the topic"),
        key(&["A"], SHAPE, "shape", "anchor, merge, split topics by hand"),
        key(&["J"], JUDGE, "judge", "say how good the topics are, task by task"),
        key(&["T"], stability::COMPUTE, "trust", "which topics come back on halves; asks"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

pub static NAMING: Keys = Keys::new(
    "While typing a name",
    &[
        key(&["Enter"], A::Accept, "save", "save the name; an empty one is taken away"),
        key(&["Tab", "Down"], A::NextField, "another", "the next name that is proposed"),
        key(&["Shift-Tab", "Up"], A::PreviousField, "", "the one before"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave the name as it was"),
    ],
);

/// The tables of a side of the run.
pub fn of(view: RunView) -> Vec<&'static Keys> {
    match view {
        RunView::Topics => vec![&TOPICS, &shape::keys::BEGIN, &RUN, &LIST],
        RunView::Topic => vec![&TOPIC, &shape::keys::BEGIN, &RUN, &LIST],
        RunView::Documents => vec![&DOCUMENTS, &RUN, &LIST],
        RunView::Correlations => vec![&CORRELATIONS, &RUN, &LIST],
        RunView::Map => vec![&MAP, &RUN, &LIST],
        RunView::Facts => vec![&SCROLL, &RUN],
    }
}

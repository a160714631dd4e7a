//! The key tables of judging.

use crate::tui::keymap::{Action, Action as A, Keys, key};

/// Choices, by their numbers.
pub const CHOICES: [Action; 6] = [
    Action::Own("choose 1"),
    Action::Own("choose 2"),
    Action::Own("choose 3"),
    Action::Own("choose 4"),
    Action::Own("choose 5"),
    Action::Own("choose 6"),
];
pub const SKIP: Action = Action::Own("pass over the task");
pub const TAKE_BACK: Action = Action::Own("take the answer back");
pub const NAME: Action = Action::Own("name who judges");

pub static ASKED: Keys = Keys::new(
    "While judging",
    &[
        key(&["1"], CHOICES[0], "to 6: the answer", "the first is the answer"),
        key(&["2"], CHOICES[1], "", "the second"),
        key(&["3"], CHOICES[2], "", "the third"),
        key(&["4"], CHOICES[3], "", "the fourth"),
        key(&["5"], CHOICES[4], "", "the fifth"),
        key(&["6"], CHOICES[5], "", "the sixth"),
        key(&["Space"], SKIP, "skip", "pass the task over"),
        key(&["u"], TAKE_BACK, "undo", "take the last answer back"),
    ],
);

pub static SIDES: Keys = Keys::new(
    "Judging",
    &[
        key(&["Tab"], A::NextView, "other task", "words, topics, ratings, scores"),
        key(&["Shift-Tab"], A::PreviousView, "", "the one before"),
        key(&["L"], NAME, "who", "somebody else judges"),
        key(&["h", "Left"], A::Back, "", "back; answers are kept"),
    ],
);

pub static NAMING: Keys = Keys::new(
    "While typing who judges",
    &[
        key(&["Enter"], A::Accept, "go on", "go on as they"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "go on as before"),
    ],
);

//! The keys that shape topics.

use crate::tui::keymap::{Action, Action as A, Keys, key};

pub const ANCHOR: Action = Action::Own("anchor");
pub const NEW_TOPIC: Action = Action::Own("new topic");
pub const MERGE: Action = Action::Own("merge");
pub const SPLIT: Action = Action::Own("split");
pub const SPLIT_BY: Action = Action::Own("split by words");
pub const FORBID: Action = Action::Own("forbid");
pub const PIN: Action = Action::Own("pin");
pub const DROP: Action = Action::Own("drop");
pub const LABEL: Action = Action::Own("label");
pub const UNDO: Action = Action::Own("undo");
pub const REDO: Action = Action::Own("redo");
pub const SAVE: Action = Action::Own("save as a run");
pub const MAKE: Action = Action::Own("make what anchors need");
pub const STOP: Action = Action::Own("stop making it");

pub static SHAPE: Keys = Keys::new(
    "Shape topics",
    &[
        key(&["a"], ANCHOR, "anchor", "anchor the topic by words taken together"),
        key(&["+"], NEW_TOPIC, "new", "a new topic, anchored by words"),
        key(&["M"], MERGE, "merge", "mark the topic; on another: merge the two"),
        key(&["v"], SPLIT, "split", "split it by the words farthest apart in it"),
        key(&["V"], SPLIT_BY, "", "split it by two words"),
        key(&["X"], FORBID, "forbid", "take a word out of all topics"),
        key(&["p"], PIN, "pin", "let it keep its words; the others move"),
        key(&["x"], DROP, "drop", "take the topic away"),
        key(&["L"], LABEL, "", "name the topic"),
        key(&["u"], UNDO, "undo", "take the last edit back"),
        key(&["Ctrl-R"], REDO, "redo", "make the edit again that was taken back"),
        key(&["K"], SAVE, "save", "save the edits as a run of its own; asks"),
        key(&["h", "Left"], A::Back, "", "back; the edits stay"),
    ],
);

/// Wherever a topic is seen: to this screen, with an edit of it begun.
pub static BEGIN: Keys = Keys::new(
    "Shape the topic",
    &[
        key(&["a"], ANCHOR, "", "anchor it by the word looked at, or others"),
        key(&["M"], MERGE, "", "mark it, to merge it with another"),
        key(&["v"], SPLIT, "", "split it, or at a word: by it and another"),
        key(&["X"], FORBID, "", "take the word, or its anchor, out of all"),
        key(&["p"], PIN, "", "let it keep its words; the others move"),
    ],
);

pub static MISSING: Keys = Keys::new(
    "Where a run did not keep what anchors need",
    &[
        key(&["Enter"], MAKE, "make it", "make it from the documents, once"),
        key(&["h", "Left"], A::Back, "back", "back"),
    ],
);

pub static MAKING: Keys = Keys::new(
    "While it is being made",
    &[
        key(&["Esc", "Ctrl-C"], STOP, "stop", "stop; nothing is kept"),
        key(&["h", "Left"], A::Back, "back", "back; it goes on"),
    ],
);

pub static TYPING: Keys = Keys::new(
    "While typing words",
    &[
        key(&["Enter"], A::Accept, "do it", "take the words; what follows is shown"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave the topic as it is"),
    ],
);

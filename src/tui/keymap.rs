//! The key tables that every screen shares, and what a key table is. Dispatch, footer and help all
//! read them; the tables of a screen are in its folder.
//!
//! A key is named as people write it: `j`, `G`, `Ctrl-D`, `PgDn`, `Shift-Tab`; a sequence is its keys
//! with blanks between, `g g`. Tables, footer and help have the same names, so that
//! what is shown is what works.

use std::borrow::Cow;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::overlays::job::kind::JobKind;
use super::screen::Screen;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Shows the screen of this name.
    Go(&'static str),
    /// Shows the screen of this name for what is selected here.
    Open(&'static str),
    /// Shows the form for a new run, filled from what is selected here.
    NewRun,
    /// Shows the screen of this name and does this there.
    At(&'static str, &'static Action),
    Back,
    Quit,
    Interrupt,
    Help,
    /// Opens the glossary.
    Glossary,
    /// Opens the palette.
    Palette,
    ToggleMouse,
    /// Opens the line for a note on what is selected.
    Note,
    /// Opens the form of a job.
    Job(JobKind),
    Suspend,
    Redraw,
    Up,
    Down,
    Left,
    Right,
    Top,
    Bottom,
    PageUp,
    PageDown,
    HalfUp,
    HalfDown,
    StartFilter,
    Sort,
    ReverseSort,
    ScrollLeft,
    ScrollRight,
    CopyRow,
    CopyTable,
    ExportCsv,
    ExportJson,
    Enter,
    NextView,
    PreviousView,
    NextField,
    PreviousField,
    Erase,
    EraseAfter,
    EraseWord,
    EraseAll,
    Accept,
    Clear,
    Yes,
    No,
    /// What only one screen knows, by a name that its key table gives it.
    Own(&'static str),
}

impl Action {
    /// Whether it does something only where there are rows.
    pub fn needs_rows(self) -> bool {
        matches!(
            self,
            Self::Enter
                | Self::Up
                | Self::Down
                | Self::Top
                | Self::Bottom
                | Self::PageUp
                | Self::PageDown
                | Self::HalfUp
                | Self::HalfDown
                | Self::CopyRow
                | Self::CopyTable
                | Self::ExportCsv
                | Self::ExportJson
        )
    }

    /// Whether it is for the screen that is shown: it leads nowhere else and changes nothing around it.
    pub fn is_of_the_screen(self) -> bool {
        self.needs_rows()
            || matches!(
                self,
                Self::Own(_)
                    | Self::Left
                    | Self::Right
                    | Self::NextView
                    | Self::PreviousView
                    | Self::StartFilter
                    | Self::Sort
                    | Self::ReverseSort
                    | Self::ScrollLeft
                    | Self::ScrollRight
            )
    }

    /// The name it has in the configuration.
    pub fn name(&self) -> String {
        let name = match self {
            Self::Go(screen) => format!("go to {screen}"),
            Self::Open(screen) => format!("open {screen}"),
            Self::At(screen, action) => format!("{screen} {}", action.name()),
            Self::Job(kind) => words(&format!("{kind:?}")),
            Self::Own(name) => (*name).to_string(),
            other => words(&format!("{other:?}")),
        };
        name.to_lowercase().replace([' ', ','], "-").replace("--", "-")
    }
}

/// `PageDown` as two words.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}

#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Any of these. The first is shown in the footer.
    pub keys: &'static [&'static str],
    pub action: Action,
    /// One line for the help.
    pub help: &'static str,
    /// A word or two for the footer; `None` keeps it to the help.
    pub hint: Option<&'static str>,
}

/// Keys that hold together, in the order of footer and help.
#[derive(Debug, Clone)]
pub struct Keys {
    /// The heading in the help.
    pub title: &'static str,
    pub bindings: Cow<'static, [Binding]>,
}

impl Keys {
    pub const fn new(title: &'static str, bindings: &'static [Binding]) -> Self {
        Self { title, bindings: Cow::Borrowed(bindings) }
    }
}

/// An empty hint keeps the key out of the footer.
pub const fn key(
    keys: &'static [&'static str],
    action: Action,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    let hint = if hint.is_empty() { None } else { Some(hint) };
    Binding { keys, action, help, hint }
}

use Action as A;

/// Follows the row under the cursor.
pub const fn enter(hint: &'static str, help: &'static str) -> Binding {
    key(&["Enter", "l", "Right"], A::Enter, hint, help)
}

/// On screens where the arrows move nothing sideways.
pub const BACK: Binding = key(&["h", "Left"], A::Back, "", "back");

/// On screens whose letters are keys.
pub const NEW_RUN: Binding =
    key(&["n"], A::NewRun, "new run", "a new run, through the launch form");

/// What the footer says of sorting.
pub const SORT_HINT: (&str, &str) = ("s", "sort");

/// On screens that have a list.
pub static LIST: Keys = Keys::new(
    "In lists",
    &[
        key(&["j", "Down"], A::Down, "", "down"),
        key(&["k", "Up"], A::Up, "", "up"),
        key(&["g g", "Home"], A::Top, "", "to the top"),
        key(&["G", "End"], A::Bottom, "", "to the bottom"),
        key(&["PgDn"], A::PageDown, "", "a page down"),
        key(&["PgUp"], A::PageUp, "", "a page up"),
        key(&["Ctrl-D"], A::HalfDown, "", "half a page down"),
        key(&["Ctrl-U"], A::HalfUp, "", "half a page up"),
        key(&["/"], A::StartFilter, "filter", "show only rows with this text"),
        NEW_RUN,
        key(&[SORT_HINT.0], A::Sort, SORT_HINT.1, "sort by the next column"),
        key(&["S"], A::ReverseSort, "", "reverse the order"),
        key(&[">", "Shift-Right"], A::ScrollRight, "", "columns further to the right"),
        key(&["<", "Shift-Left"], A::ScrollLeft, "", "columns further to the left"),
        key(&["y"], A::CopyRow, "copy", "copy the row, or the passage and its source"),
        key(&["Y"], A::CopyTable, "", "copy all rows, or the whole text"),
        key(&["e"], A::ExportCsv, "export", "write all rows to a CSV file"),
        key(&["E"], A::ExportJson, "", "write all rows to a JSON file"),
    ],
);

/// On sides of screens that scroll and have no rows to choose.
pub static SCROLL: Keys = Keys::new(
    "To scroll",
    &[
        key(&["j", "Down"], A::Down, "down", "down"),
        key(&["k", "Up"], A::Up, "up", "up"),
        key(&["PgDn", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(&["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(&["g g", "Home"], A::Top, "", "to the top"),
        key(&["G", "End"], A::Bottom, "", "to the end"),
        NEW_RUN,
    ],
);

pub static FILTER: Keys = Keys::new(
    "While typing a filter",
    &[
        key(&["Enter"], A::Accept, "keep", "keep the filter"),
        key(&["Esc", "Ctrl-C"], A::Clear, "clear", "clear the filter"),
        key(&["Down"], A::Down, "", "down"),
        key(&["Up"], A::Up, "", "up"),
    ],
);

/// Wherever a line is typed, after the keys that are its own.
pub static EDIT: Keys = Keys::new(
    "In a line that is typed",
    &[
        key(&["Backspace"], A::Erase, "erase", "erase a character"),
        key(&["Delete"], A::EraseAfter, "", "erase the character under the cursor"),
        key(&["Ctrl-W"], A::EraseWord, "", "erase a word"),
        key(&["Ctrl-U"], A::EraseAll, "", "erase all"),
        key(&["Left"], A::Left, "", "a character to the left"),
        key(&["Right"], A::Right, "", "a character to the right"),
        key(&["Home"], A::Top, "", "to the beginning"),
        key(&["End"], A::Bottom, "", "to the end"),
    ],
);

pub static CONFIRM: Keys = Keys::new(
    "At a question",
    &[
        key(&["y"], A::Yes, "yes", "do it"),
        key(&["n", "Esc", "q", "Ctrl-C"], A::No, "no", "leave it"),
    ],
);

pub static PALETTE: Keys = Keys::new(
    "In the palette",
    &[
        key(&["Enter"], A::Accept, "do it", "do it, or go there"),
        key(&["Down", "Ctrl-N", "Tab"], A::Down, "next", "next"),
        key(&["Up", "Ctrl-P", "Shift-Tab"], A::Up, "", "previous"),
        key(&["PgDn"], A::PageDown, "", "a page down"),
        key(&["PgUp"], A::PageUp, "", "a page up"),
        key(&["Esc", "Ctrl-C"], A::Clear, "close", "close the palette"),
    ],
);

pub static GLOSSARY: Keys = Keys::new(
    "In the glossary",
    &[
        key(&["Down", "Ctrl-N"], A::Down, "down", "down; a letter looks for words"),
        key(&["Up", "Ctrl-P"], A::Up, "up", "up"),
        key(&["PgDn", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(&["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(&["Esc", "?", "Enter", "Ctrl-C"], A::Clear, "close", "close the glossary"),
    ],
);

pub static NOTE: Keys = Keys::new(
    "In a note",
    &[
        key(&["Enter"], A::Accept, "save", "save it; without words it is a bookmark"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave it as it was"),
    ],
);

/// In a form: completes what is typed of a path, else goes to the next field.
pub const COMPLETE_PATH: Action = Action::Own("complete a path");

pub static JOB: Keys = Keys::new(
    "In the form of a job",
    &[
        key(&["Enter"], A::Accept, "what it will do", "what it will do and cost; then it asks"),
        key(&["Tab"], COMPLETE_PATH, "next", "complete a path; next field"),
        key(&["Down"], A::NextField, "", "next field"),
        key(&["Shift-Tab", "Up"], A::PreviousField, "", "previous field"),
        key(&["Right"], A::Right, "", "next choice, or character of a text"),
        key(&["Left"], A::Left, "", "previous choice, or character of a text"),
        key(&["Esc", "Ctrl-C"], A::Clear, "close", "close the form"),
    ],
);

pub static HELP: Keys = Keys::new(
    "In this help",
    &[
        key(&["j", "Down"], A::Down, "down", "down"),
        key(&["k", "Up"], A::Up, "up", "up"),
        key(&["PgDn", "Space", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(&["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(&["g g", "Home"], A::Top, "", "to the top"),
        key(&["G", "End"], A::Bottom, "", "to the bottom"),
        key(&["?"], A::Glossary, "words", "every word and metric in a sentence"),
        key(&["Esc", "q", "F1", "Ctrl-C"], A::Clear, "close", "close the help"),
    ],
);

pub static TOO_SMALL: Keys = Keys::new(
    "On a terminal that is too small",
    &[
        key(&["q", "Ctrl-C"], A::Quit, "quit", "leave the workbench; runs go on"),
        key(&["Ctrl-Z"], A::Suspend, "", "suspend; `fg` returns"),
    ],
);

/// The keys of every screen besides those that go to screens.
const EVERYWHERE: &[Binding] = &[
    key(&["?", "F1"], A::Help, "help", "this help"),
    key(&[":", "Ctrl-P"], A::Palette, "all", "every action; go to a topic, run, document"),
    key(&["q", "Esc", "Backspace"], A::Back, "back", "out of a filter, then back"),
    key(&["Ctrl-C"], A::Interrupt, "", "twice leaves the workbench; runs go on"),
    key(&["N"], A::Note, "", "note something of it, or bookmark it"),
    key(&["g n"], A::Job(JobKind::Ingest), "", "new documents: ingest; asks first"),
    key(&["g D"], A::Job(JobKind::Delete), "", "delete a corpus; asks first"),
    key(&["g e"], A::Job(JobKind::Export), "", "export a run for other tools; asks first"),
    key(&["g f"], A::Job(JobKind::Figure), "", "a figure of this as SVG, PDF or PNG"),
    key(&["g o"], A::Job(JobKind::HeldOut), "", "score a run on held-out documents; asks"),
    key(&["F2"], A::ToggleMouse, "", "mouse on or off; Shift-drag selects"),
    key(&["Ctrl-Z"], A::Suspend, "", "suspend; `fg` returns"),
    key(&["Ctrl-L"], A::Redraw, "", "redraw the screen"),
];

/// The digits of the screens in their order.
const DIGITS: [&[&str]; 9] =
    [&["1"], &["2"], &["3"], &["4"], &["5"], &["6"], &["7"], &["8"], &["9"]];

/// The keys that hold on every screen: a digit for each screen that has a tab, the shortcuts of screens, and what
/// is no screen's.
pub fn everywhere(screens: &[Box<dyn Screen>]) -> Keys {
    let digits = screens
        .iter()
        .filter(|screen| screen.has_tab())
        .zip(DIGITS)
        .map(|(screen, digit)| key(digit, Action::Go(screen.name()), "", screen.help()));
    let shortcuts = screens.iter().flat_map(|screen| {
        let at = |binding: &'static Binding| Binding {
            action: Action::At(screen.name(), &binding.action),
            ..*binding
        };
        screen.shortcuts().iter().map(at)
    });
    let bindings = digits.chain(shortcuts).chain(EVERYWHERE.iter().copied()).collect();
    Keys { title: "Everywhere", bindings }
}

/// The hints of the footer: (key, word) of the tables in turn, without those hidden by an
/// earlier table; help and back come last.
pub fn hints(tables: &[&Keys]) -> Vec<(&'static str, &'static str)> {
    let mut hints: Vec<(&str, &str)> = Vec::new();
    let mut last = Vec::new();
    for table in tables {
        for binding in table.bindings.iter() {
            let (Some(hint), Some(&key)) = (binding.hint, binding.keys.first()) else { continue };
            if hints.iter().chain(&last).any(|&(other, _)| other == key) {
                continue;
            }
            let ends = matches!(binding.action, Action::Help | Action::Back | Action::Quit);
            if ends { last.push((key, hint)) } else { hints.push((key, hint)) }
        }
    }
    last.sort_by_key(|&(key, _)| key != "?");
    hints.extend(last);
    hints
}

/// What a key, after those of an unfinished sequence, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyMatch {
    Action(Action),
    Prefix,
    Nothing,
}

/// The name of a key; `None` for a release and for keys no terminal sends reliably.
pub fn key_name(key: &KeyEvent) -> Option<String> {
    if key.kind == KeyEventKind::Release || key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let plain = |name: &str| Some(name.to_string());
    match key.code {
        // Many terminals send the byte of Ctrl-H for Backspace and that of Ctrl-J for Enter.
        KeyCode::Char('h') if control => plain("Backspace"),
        KeyCode::Char('j') if control => plain("Enter"),
        KeyCode::Char(c) if control => Some(format!("Ctrl-{}", c.to_ascii_uppercase())),
        KeyCode::Char(' ') => plain("Space"),
        KeyCode::Char(c) => Some(c.to_string()),
        KeyCode::Enter => plain("Enter"),
        KeyCode::Esc => plain("Esc"),
        KeyCode::Tab => plain("Tab"),
        KeyCode::BackTab => plain("Shift-Tab"),
        KeyCode::Backspace => plain("Backspace"),
        KeyCode::Delete => plain("Delete"),
        KeyCode::Up => plain("Up"),
        KeyCode::Down => plain("Down"),
        KeyCode::Left if shift => plain("Shift-Left"),
        KeyCode::Right if shift => plain("Shift-Right"),
        KeyCode::Left => plain("Left"),
        KeyCode::Right => plain("Right"),
        KeyCode::Home => plain("Home"),
        KeyCode::End => plain("End"),
        KeyCode::PageUp => plain("PgUp"),
        KeyCode::PageDown => plain("PgDn"),
        KeyCode::F(number) => Some(format!("F{number}")),
        _ => None,
    }
}

/// The character a key types, if it types one.
pub fn typed(key: &KeyEvent) -> Option<char> {
    let with = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char(c) if with.is_empty() && key.kind != KeyEventKind::Release => Some(c),
        _ => None,
    }
}

/// The character that the key of this name types, if it types one.
pub fn typed_by(name: &str) -> Option<char> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Some(letter),
        _ => (name == "Space").then_some(' '),
    }
}

/// What the keys of `sequence` do; earlier tables hide later ones.
pub fn find(tables: &[&Keys], sequence: &str) -> KeyMatch {
    let bindings = || tables.iter().flat_map(|table| table.bindings.iter());
    if let Some(binding) = bindings().find(|binding| binding.keys.contains(&sequence)) {
        return KeyMatch::Action(binding.action);
    }
    let begins =
        |keys: &&str| keys.strip_prefix(sequence).is_some_and(|rest| rest.starts_with(' '));
    if bindings().flat_map(|binding| binding.keys).any(begins) {
        KeyMatch::Prefix
    } else {
        KeyMatch::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_people_write_them() {
        let key = |code, modifiers| key_name(&KeyEvent::new(code, modifiers)).expect("named");
        assert_eq!(key(KeyCode::Char('j'), KeyModifiers::NONE), "j");
        assert_eq!(key(KeyCode::Char('G'), KeyModifiers::SHIFT), "G");
        assert_eq!(key(KeyCode::Char('d'), KeyModifiers::CONTROL), "Ctrl-D");
        assert_eq!(key(KeyCode::Char('h'), KeyModifiers::CONTROL), "Backspace");
        assert_eq!(key(KeyCode::BackTab, KeyModifiers::SHIFT), "Shift-Tab");
    }

    #[test]
    fn a_sequence_is_found_after_its_prefix() {
        assert_eq!(find(&[&LIST], "g"), KeyMatch::Prefix);
        assert_eq!(find(&[&LIST], "g g"), KeyMatch::Action(Action::Top));
        assert_eq!(find(&[&LIST], "g x"), KeyMatch::Nothing);
    }
}

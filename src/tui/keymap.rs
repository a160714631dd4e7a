//! The key table: what every key does where. Dispatch, footer and help all read it.

pub use super::context::Context;
use super::data::RunView;
use super::state::Screen;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described once, in its binding")]
pub enum Action {
    Go(Screen),
    Look(RunView),
    NextView,
    PreviousView,
    Order,
    Scale,
    ZoomIn,
    ZoomOut,
    Name,
    Mark,
    Compare,
    Bounds,
    Back,
    Quit,
    Interrupt,
    Help,
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
    Open,
    NewRun,
    CancelRun,
    Resume,
    Trust,
    StartFilter,
    Sort,
    ReverseSort,
    CopyRow,
    CopyTable,
    ExportCsv,
    ExportJson,
    OtherPane,
    RunQuery,
    Complete,
    EraseAfter,
    EraseWord,
    TextOrWords,
    Marks,
    NextTopic,
    NextDocument,
    PreviousDocument,
    OtherRun,
    NextField,
    PreviousField,
    Launch,
    Erase,
    EraseAll,
    Accept,
    Clear,
    Yes,
    No,
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// Its keys; any of them. The first is shown in the footer.
    pub keys: &'static [&'static str],
    /// What it does.
    pub action: Action,
    /// One line for the help.
    pub help: &'static str,
    /// A word or two for the footer; `None` keeps it to the help.
    pub hint: Option<&'static str>,
}

const fn key(
    context: Context,
    keys: &'static [&'static str],
    action: Action,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    let hint = if hint.is_empty() { None } else { Some(hint) };
    Binding { context, keys, action, help, hint }
}

/// The table. The order within a context is that of footer and help.
pub const BINDINGS: &[Binding] = {
    use Action as A;
    use Context as C;
    &[
        key(C::Corpora, &["Enter", "l", "Right"], A::Open, "open", "open the corpus"),
        key(C::Corpora, &["q"], A::Quit, "quit", "leave the workbench; runs go on"),
        key(C::Corpus, &["Enter"], A::Open, "read", "read the document"),
        key(C::Corpus, &["Tab", "Shift-Tab"], A::NextField, "other list", "documents or terms"),
        key(C::Corpus, &["h", "Left"], A::Left, "", "to the documents"),
        key(C::Corpus, &["l", "Right"], A::Right, "", "to the terms"),
        key(C::Document, &["]"], A::NextDocument, "next", "next document of the list"),
        key(C::Document, &["["], A::PreviousDocument, "", "previous document of the list"),
        key(C::Document, &["t"], A::NextTopic, "topic", "show the words of one topic reversed"),
        key(C::Document, &["r"], A::OtherRun, "run", "colours by the next run"),
        key(C::Document, &["m"], A::Marks, "marks", "number the words of topics, or not"),
        key(C::Document, &["w", "Tab"], A::TextOrWords, "words", "its words, or its text"),
        key(C::Document, &["h", "Left"], A::Back, "", "back to the documents"),
        key(C::Sql, &["Tab", "Enter", "i"], A::OtherPane, "query", "to the query"),
        key(C::Sql, &["h", "Left"], A::Left, "", "a column to the left"),
        key(C::Sql, &["l", "Right"], A::Right, "columns", "a column to the right"),
        key(C::Prompt, &["Enter", "F5"], A::RunQuery, "run", "run the query"),
        key(C::Prompt, &["Tab"], A::Complete, "complete", "complete a name; again for the next"),
        key(C::Prompt, &["Up", "Ctrl-P"], A::Up, "history", "the query before"),
        key(C::Prompt, &["Down", "Ctrl-N"], A::Down, "", "the query after"),
        key(C::Prompt, &["Left"], A::Left, "", "a letter to the left"),
        key(C::Prompt, &["Right"], A::Right, "", "a letter to the right"),
        key(C::Prompt, &["Home"], A::Top, "", "to the beginning"),
        key(C::Prompt, &["End", "Ctrl-E"], A::Bottom, "", "to the end"),
        key(C::Prompt, &["Backspace"], A::Erase, "", "erase a letter"),
        key(C::Prompt, &["Delete", "Ctrl-D"], A::EraseAfter, "", "erase the letter after"),
        key(C::Prompt, &["Ctrl-W"], A::EraseWord, "", "erase a word"),
        key(C::Prompt, &["Ctrl-U"], A::EraseAll, "", "erase all"),
        key(C::Prompt, &["Esc"], A::OtherPane, "rows, digits", "to the rows; then digits work"),
        key(C::Prompt, &["F1"], A::Help, "help", "this help"),
        key(C::Prompt, &["Ctrl-C"], A::Interrupt, "", "interrupt the query; else leave, twice"),
        key(C::Prompt, &["Ctrl-Z"], A::Suspend, "", "suspend; `fg` comes back"),
        key(C::Prompt, &["Ctrl-L"], A::Redraw, "", "draw the screen anew"),
        key(C::Launch, &["Tab", "Down", "j"], A::NextField, "next", "next field"),
        key(C::Launch, &["Shift-Tab", "Up", "k"], A::PreviousField, "", "previous field"),
        key(C::Launch, &["Left", "h"], A::Left, "", "previous choice"),
        key(C::Launch, &["Right", "l"], A::Right, "choose", "next choice"),
        key(C::Launch, &["Enter"], A::Launch, "launch", "save the run and start its worker"),
        key(C::Launch, &["Backspace", "Delete"], A::Erase, "erase", "erase a character"),
        key(C::Launch, &["Ctrl-U"], A::EraseAll, "", "erase the field"),
        key(C::Runs, &["Enter", "l", "Right"], A::Open, "open", "open the run's topics"),
        key(C::Runs, &["Space"], A::Mark, "mark", "mark the run, or unmark it"),
        key(C::Runs, &["c"], A::Compare, "compare", "compare the marked runs"),
        key(C::Runs, &["x"], A::CancelRun, "cancel run", "cancel the run; asks first"),
        key(C::Runs, &["r"], A::Resume, "resume", "go on with a run that was stopped"),
        key(C::Runs, &["T"], A::Trust, "", "which topics come back from half the texts"),
        key(C::Runs, &["h", "Left"], A::Back, "", "back to the corpora"),
        key(C::Correlations, &["o"], A::Order, "order", "by likeness, or by number"),
        key(C::Map, &["+", "="], A::ZoomIn, "zoom in", "enlarge, around the selected anchor"),
        key(C::Map, &["a"], A::Scale, "axes", "compressed outwards, or to scale"),
        key(C::Map, &["-"], A::ZoomOut, "out", "make smaller"),
        key(C::Facts, &["j", "Down"], A::Down, "down", "down"),
        key(C::Facts, &["k", "Up"], A::Up, "up", "up"),
        key(C::Facts, &["PgDn", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(C::Facts, &["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(C::Facts, &["n"], A::NewRun, "new run", "a new run, through the launch form"),
        key(C::Run, &["Enter", "l", "Right"], A::Open, "", "the topic in full"),
        key(C::Run, &["]", "Tab"], A::NextView, "next view", "next view"),
        key(C::Run, &["[", "Shift-Tab"], A::PreviousView, "", "previous view"),
        key(C::Run, &["t"], A::Look(RunView::Topics), "", "the topics"),
        key(
            C::Run,
            &["w"],
            A::Look(RunView::Topic),
            "words",
            "the topic in full: words, documents",
        ),
        key(
            C::Run,
            &["x"],
            A::Look(RunView::Correlations),
            "correlations",
            "which topics occur together",
        ),
        key(C::Run, &["m"], A::Look(RunView::Map), "map", "the words and the hull of the anchors"),
        key(C::Run, &["i"], A::Look(RunView::Facts), "facts", "settings, stages, metrics"),
        key(C::Run, &["L"], A::Name, "label", "name the topic"),
        key(C::Run, &["T"], A::Trust, "trust", "which topics come back from half the texts"),
        key(C::Run, &["h", "Left"], A::Back, "", "back to the topics, then to the runs"),
        key(C::Compare, &["]", "m"], A::NextView, "metrics", "metrics, or topics again"),
        key(C::Compare, &["[", "t"], A::PreviousView, "", "topics, or metrics again"),
        key(C::Compare, &["Tab"], A::NextField, "other run", "the next of the other runs"),
        key(C::Compare, &["Shift-Tab"], A::PreviousField, "", "the one before"),
        key(C::Compare, &["o"], A::Order, "order", "by number, or the least alike first"),
        key(C::Compare, &["Enter", "l", "Right"], A::Open, "open", "the topic in its run"),
        key(C::Compare, &["h", "Left"], A::Back, "", "back to the runs"),
        key(
            C::ChooseK,
            &["Enter", "l", "Right"],
            A::Open,
            "best run",
            "the run with the best value",
        ),
        key(C::ChooseK, &["]", "Tab"], A::NextView, "bounds", "the bounds on K"),
        key(C::ChooseK, &["[", "Shift-Tab"], A::PreviousView, "", "which K to look at first"),
        key(C::ChooseK, &["b"], A::Bounds, "", "compute the bounds on K, and show them"),
        key(C::ChooseK, &["h", "Left"], A::Back, "", "back to the runs"),
        key(C::Bounds, &["]", "Tab"], A::NextView, "begin", "which K to look at first"),
        key(
            C::Bounds,
            &["[", "Shift-Tab"],
            A::PreviousView,
            "metrics",
            "the metrics of the runs by K",
        ),
        key(C::Bounds, &["b"], A::Bounds, "compute", "compute the bounds of the corpus"),
        key(C::Bounds, &["n"], A::NewRun, "new run", "a new run, through the launch form"),
        key(C::Bounds, &["h", "Left"], A::Back, "", "back to the runs"),
        key(C::Advice, &["]", "Tab"], A::NextView, "metrics", "the metrics of the runs by K"),
        key(C::Advice, &["[", "Shift-Tab"], A::PreviousView, "bounds", "the bounds on K"),
        key(C::Advice, &["b"], A::Bounds, "", "compute the bounds on K, and show them"),
        key(C::Advice, &["n"], A::NewRun, "new run", "a new run, through the launch form"),
        key(C::Advice, &["h", "Left"], A::Back, "", "back to the runs"),
        key(C::List, &["j", "Down"], A::Down, "", "down"),
        key(C::List, &["k", "Up"], A::Up, "", "up"),
        key(C::List, &["g g", "Home"], A::Top, "", "to the top"),
        key(C::List, &["G", "End"], A::Bottom, "", "to the bottom"),
        key(C::List, &["PgDn"], A::PageDown, "", "a page down"),
        key(C::List, &["PgUp"], A::PageUp, "", "a page up"),
        key(C::List, &["Ctrl-D"], A::HalfDown, "", "half a page down"),
        key(C::List, &["Ctrl-U"], A::HalfUp, "", "half a page up"),
        key(C::List, &["/"], A::StartFilter, "filter", "show only rows with this text"),
        key(C::List, &["n"], A::NewRun, "new run", "a new run, through the launch form"),
        key(C::List, &["s"], A::Sort, "sort", "sort by the next column"),
        key(C::List, &["S"], A::ReverseSort, "", "turn the order round"),
        key(C::List, &["y"], A::CopyRow, "copy", "copy the row, or the text that is read"),
        key(C::List, &["Y"], A::CopyTable, "", "copy all rows"),
        key(C::List, &["e"], A::ExportCsv, "export", "write all rows to a CSV file"),
        key(C::List, &["E"], A::ExportJson, "", "write all rows to a JSON file"),
        key(C::Everywhere, &["1"], A::Go(Screen::Corpora), "", "Corpora"),
        key(C::Everywhere, &["2"], A::Go(Screen::Corpus), "", "Corpus: documents, terms"),
        key(C::Everywhere, &["3"], A::Go(Screen::Launch), "", "Launch: a new run"),
        key(C::Everywhere, &["4"], A::Go(Screen::Runs), "", "Runs, live"),
        key(C::Everywhere, &["5"], A::Go(Screen::Run), "", "Run: its topics"),
        key(C::Everywhere, &["6"], A::Go(Screen::Compare), "", "Compare: runs side by side"),
        key(C::Everywhere, &["7"], A::Go(Screen::ChooseK), "", "K: spectrum, metrics by K"),
        key(C::Everywhere, &["g t"], A::Look(RunView::Topics), "", "the topics of the run"),
        key(C::Everywhere, &["g w"], A::Look(RunView::Topic), "", "its topic in full"),
        key(C::Everywhere, &["g x"], A::Look(RunView::Correlations), "", "its correlations"),
        key(C::Everywhere, &["g m"], A::Look(RunView::Map), "", "its map"),
        key(C::Everywhere, &["g i"], A::Look(RunView::Facts), "", "its facts"),
        key(C::Everywhere, &["8"], A::Go(Screen::Sql), "", "SQL"),
        key(C::Everywhere, &["?", "F1"], A::Help, "help", "this help"),
        key(C::Everywhere, &["q", "Esc"], A::Back, "back", "out of a filter, then back"),
        key(C::Everywhere, &["Ctrl-C"], A::Interrupt, "", "twice leaves the workbench; runs go on"),
        key(C::Everywhere, &["Ctrl-Z"], A::Suspend, "", "suspend; `fg` comes back"),
        key(C::Everywhere, &["Ctrl-L"], A::Redraw, "", "draw the screen anew"),
        key(C::Filter, &["Enter"], A::Accept, "keep", "keep the filter"),
        key(C::Filter, &["Esc", "Ctrl-C"], A::Clear, "clear", "clear the filter"),
        key(C::Filter, &["Backspace"], A::Erase, "erase", "erase a character"),
        key(C::Filter, &["Ctrl-U"], A::EraseAll, "", "erase all"),
        key(C::Filter, &["Down"], A::Down, "", "down"),
        key(C::Filter, &["Up"], A::Up, "", "up"),
        key(C::Naming, &["Enter"], A::Accept, "save", "save the name; an empty one takes it away"),
        key(C::Naming, &["Esc", "Ctrl-C"], A::Clear, "leave it", "leave the name as it was"),
        key(C::Naming, &["Backspace"], A::Erase, "erase", "erase a character"),
        key(C::Naming, &["Ctrl-U"], A::EraseAll, "", "erase all"),
        key(C::Question, &["y"], A::Yes, "yes", "do it"),
        key(C::Question, &["n", "Esc", "q", "Ctrl-C"], A::No, "no", "leave it"),
        key(C::Help, &["j", "Down"], A::Down, "down", "down"),
        key(C::Help, &["k", "Up"], A::Up, "up", "up"),
        key(C::Help, &["PgDn", "Space", "Ctrl-D"], A::PageDown, "", "a page down"),
        key(C::Help, &["PgUp", "Ctrl-U"], A::PageUp, "", "a page up"),
        key(C::Help, &["Esc", "q", "?", "F1", "Ctrl-C"], A::Clear, "close", "close the help"),
        key(C::TooSmall, &["q", "Ctrl-C"], A::Quit, "quit", "leave the workbench; runs go on"),
        key(C::TooSmall, &["Ctrl-Z"], A::Suspend, "", "suspend; `fg` comes back"),
    ]
};

/// The hints of the footer: (key, word) of the contexts in turn, without those hidden by an
/// earlier context; help and back come last.
pub fn hints(contexts: &[Context]) -> Vec<(&'static str, &'static str)> {
    let mut hints: Vec<(&str, &str)> = Vec::new();
    let mut last = Vec::new();
    for &context in contexts {
        for binding in BINDINGS.iter().filter(|binding| binding.context == context) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys a terminal cannot deliver apart, or that belong to multiplexers and flow control.
    const FORBIDDEN: &[&str] = &[
        "Ctrl-I",
        "Ctrl-M",
        "Ctrl-[",
        "Ctrl-H",
        "Ctrl-B",
        "Ctrl-A",
        "Ctrl-S",
        "Ctrl-Q",
        "Ctrl-Enter",
        "Shift-Enter",
    ];

    #[test]
    fn no_key_is_bound_twice_in_a_context() {
        for (index, binding) in BINDINGS.iter().enumerate() {
            for other in &BINDINGS[index + 1..] {
                if other.context == binding.context {
                    for key in binding.keys {
                        assert!(!other.keys.contains(key), "{key} twice in {:?}", other.context);
                    }
                }
            }
        }
    }

    #[test]
    fn no_key_is_also_the_beginning_of_a_sequence() {
        let all: Vec<&str> = BINDINGS.iter().flat_map(|binding| binding.keys).copied().collect();
        for key in &all {
            let prefix = format!("{key} ");
            assert!(!all.iter().any(|other| other.starts_with(&prefix)), "{key}");
        }
    }

    #[test]
    fn every_binding_is_described_and_deliverable() {
        for binding in BINDINGS {
            assert!(!binding.help.is_empty() && !binding.keys.is_empty());
            assert!(binding.help.len() < 44, "too long for the help: {}", binding.help);
            for key in binding.keys {
                assert!(!FORBIDDEN.contains(key) && !key.starts_with("Alt-"), "{key}");
                let only_suspends = *key != "Ctrl-Z" || binding.action == Action::Suspend;
                assert!(only_suspends, "Ctrl-Z suspends");
            }
        }
    }

    #[test]
    fn the_footer_ends_with_help_and_the_way_out() {
        let hints = hints(&[Context::Corpora, Context::List, Context::Everywhere]);
        assert_eq!(hints[hints.len() - 2..], [("?", "help"), ("q", "quit")]);
    }
}

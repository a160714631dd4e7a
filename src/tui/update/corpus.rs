//! Screen 2: documents go on from page to page.

use super::lists::distance;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::state::corpus::{Anchor, CorpusState, Pane};
use topoi::store::corpus::document_page::Page;

/// Sends the keys to the other list.
pub fn other_pane(state: &mut State) -> Vec<Effect> {
    let other = match state.corpus.pane {
        Pane::Documents => Pane::Terms,
        Pane::Terms => Pane::Documents,
    };
    to_pane(state, other)
}

/// Sends the keys to a list.
pub fn to_pane(state: &mut State, pane: Pane) -> Vec<Effect> {
    state.corpus.pane = pane;
    Vec::new()
}

/// Moves among the documents; past an end of the page, the next page is read.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    let Some(rows) = distance(state, action) else { return Vec::new() };
    let corpus = &mut state.corpus;
    if corpus.waiting {
        return Vec::new();
    }
    let turned = match action {
        Action::Top => turn_to_first(corpus),
        Action::Bottom => turn_to_last(corpus),
        _ if rows > 0 => turn_forth(corpus),
        _ => turn_back(corpus),
    };
    if turned {
        return vec![Effect::Read(state.question())];
    }
    let len = corpus.page_len();
    corpus.documents.step(rows, len);
    Vec::new()
}

fn turn_to_first(corpus: &mut CorpusState) -> bool {
    let elsewhere = corpus.before_page() > 0;
    if elsewhere {
        corpus.turn(Page::First, Anchor::Start(0));
        corpus.documents.cursor = 0;
    }
    elsewhere
}

fn turn_to_last(corpus: &mut CorpusState) -> bool {
    let elsewhere = end_of_page(corpus) < matching(corpus);
    if elsewhere {
        corpus.turn(Page::Last, Anchor::Last);
        corpus.documents.cursor = usize::MAX;
    }
    elsewhere
}

/// From the last document of the page to the next page.
fn turn_forth(corpus: &mut CorpusState) -> bool {
    let end = end_of_page(corpus);
    let at_end = corpus.documents.cursor + 1 >= corpus.page_len() && end < matching(corpus);
    let last = corpus.shown.as_ref().and_then(|page| page.documents.last()).map(|d| d.id);
    match last {
        Some(id) if at_end => {
            corpus.turn(Page::After(id), Anchor::Start(end));
            corpus.documents.cursor = 0;
            true
        }
        _ => false,
    }
}

/// From the first document of the page to the page before.
fn turn_back(corpus: &mut CorpusState) -> bool {
    let start = corpus.before_page();
    let first = corpus.shown.as_ref().and_then(|page| page.documents.first()).map(|d| d.id);
    match first {
        Some(id) if corpus.documents.cursor == 0 && start > 0 => {
            corpus.turn(Page::Before(id), Anchor::End(start));
            corpus.documents.cursor = usize::MAX;
            true
        }
        _ => false,
    }
}

fn end_of_page(corpus: &CorpusState) -> u64 {
    corpus.before_page() + corpus.page_len() as u64
}

fn matching(corpus: &CorpusState) -> u64 {
    corpus.shown.as_ref().map_or(0, |page| page.matching)
}

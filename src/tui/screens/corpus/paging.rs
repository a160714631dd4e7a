//! Documents go on from page to page.

use super::state::{Anchor, CorpusScreen};
use crate::tui::bench::Bench;
use crate::tui::keymap::Action;
use topoi::store::corpus::document::Page;

/// Moves among the documents by so many rows; past an end of the page, the next page is read.
pub fn step(corpus: &mut CorpusScreen, action: Action, rows: isize, bench: &mut Bench) {
    if corpus.waiting {
        return;
    }
    let turned = match action {
        Action::Top => turn_to_first(corpus),
        Action::Bottom => turn_to_last(corpus),
        _ if rows > 0 => turn_forth(corpus),
        _ => turn_back(corpus),
    };
    if turned {
        return bench.ask();
    }
    let len = corpus.page_len();
    corpus.documents.step(rows, len);
}

fn turn_to_first(corpus: &mut CorpusScreen) -> bool {
    let elsewhere = corpus.before_page() > 0;
    if elsewhere {
        corpus.turn(Page::First, Anchor::Start(0));
        corpus.documents.cursor = 0;
    }
    elsewhere
}

fn turn_to_last(corpus: &mut CorpusScreen) -> bool {
    let elsewhere = end_of_page(corpus) < matching(corpus);
    if elsewhere {
        corpus.turn(Page::Last, Anchor::Last);
        corpus.documents.cursor = usize::MAX;
    }
    elsewhere
}

/// From the last document of the page to the next page.
fn turn_forth(corpus: &mut CorpusScreen) -> bool {
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
fn turn_back(corpus: &mut CorpusScreen) -> bool {
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

fn end_of_page(corpus: &CorpusScreen) -> u64 {
    corpus.before_page() + corpus.page_len() as u64
}

fn matching(corpus: &CorpusScreen) -> u64 {
    corpus.shown.as_ref().map_or(0, |page| page.matching)
}

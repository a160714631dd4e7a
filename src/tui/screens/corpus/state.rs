//! What the screen keeps: a corpus, its documents page by page and its most frequent terms.

use super::document::DocumentState;
use super::question::{CorpusPage, PageQuestion};
use crate::tui::keymap::Action;
use crate::tui::list::ListState;
use crate::tui::list::sorting::Sort;
use crate::tui::workbench::Workbench;
use topoi_store::corpus::document::{DocumentOrder, DocumentSortKey, Page};
use topoi_store::corpus::term::{TermOrder, TermSortKey};
use topoi_store::id::{CorpusId, RunId};

/// Documents that are read at once.
pub const PAGE_DOCUMENTS: usize = 200;
/// Terms that are read at once.
pub const FREQUENT_TERMS: usize = 1000;

/// The list the keys go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Documents,
    Terms,
}

/// The position of a page among all documents that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// So many documents come before it.
    Start(u64),
    /// So many documents come before its end.
    End(u64),
    /// It is the last page.
    Last,
}

#[derive(Debug, Clone)]
pub struct CorpusScreen {
    /// Row id of the corpus; `None` is the first by name.
    pub id: Option<CorpusId>,
    pub page: Page,
    pub anchor: Anchor,
    /// The requested page has not arrived yet.
    pub waiting: bool,
    /// What is shown; `None` before the first answer or without a corpus.
    pub shown: Option<Box<CorpusPage>>,
    pub answered: bool,
    /// Where the user is among the documents of the page.
    pub documents: ListState,
    /// Where the user is among the terms.
    pub terms: ListState,
    pub pane: Pane,
    /// The document that is read.
    pub reading: Option<Box<DocumentState>>,
    /// The run that was open when the user came here; of another corpus, it colours nothing.
    pub open_run: Option<RunId>,
    /// The run that colours words then: the newest that had topics.
    pub colours_of: Option<RunId>,
}

impl Default for CorpusScreen {
    fn default() -> Self {
        Self {
            id: None,
            page: Page::First,
            anchor: Anchor::Start(0),
            waiting: true,
            shown: None,
            answered: false,
            documents: ListState::default(),
            terms: ListState::default(),
            pane: Pane::default(),
            reading: None,
            open_run: None,
            colours_of: None,
        }
    }
}

impl CorpusScreen {
    pub fn document_order(&self) -> DocumentOrder {
        let order = |sort: &Sort| DocumentOrder {
            by: match sort.by.as_str() {
                "key" => DocumentSortKey::Key,
                "title" => DocumentSortKey::Title,
                "tokens" => DocumentSortKey::Tokens,
                _ => DocumentSortKey::Added,
            },
            descending: sort.descending,
        };
        self.documents.sort.as_ref().map(order).unwrap_or_default()
    }

    pub fn term_order(&self) -> TermOrder {
        let order = |sort: &Sort| TermOrder {
            by: match sort.by.as_str() {
                "term" => TermSortKey::Text,
                "documents" => TermSortKey::Documents,
                _ => TermSortKey::Tokens,
            },
            descending: sort.descending,
        };
        self.terms.sort.as_ref().map(order).unwrap_or_default()
    }

    pub fn page_question(&self) -> PageQuestion {
        PageQuestion {
            id: self.id,
            filter: self.documents.filter.as_str().into(),
            order: self.document_order(),
            page: self.page,
            runs: self.runs(),
            term_filter: self.terms.filter.as_str().into(),
            term_order: self.term_order(),
        }
    }

    /// The runs that may colour words, the first that can before the others.
    pub fn runs(&self) -> Vec<RunId> {
        self.open_run.into_iter().chain(self.colours_of).collect()
    }

    pub fn terms_len(&self) -> usize {
        self.shown.as_ref().map_or(0, |page| page.terms.len())
    }

    pub fn page_len(&self) -> usize {
        self.shown.as_ref().map_or(0, |page| page.documents.len())
    }

    /// How many documents come before the page.
    pub fn before_page(&self) -> u64 {
        let matching = self.shown.as_ref().map_or(0, |page| page.matching);
        let len = self.page_len() as u64;
        match self.anchor {
            Anchor::Start(before) => before,
            Anchor::End(end) => end.saturating_sub(len),
            Anchor::Last => matching.saturating_sub(len),
        }
    }

    /// Goes to another page; its documents come with the next answer.
    pub fn turn(&mut self, page: Page, anchor: Anchor) {
        self.page = page;
        self.anchor = anchor;
        self.waiting = true;
    }

    pub fn receive_page(&mut self, page: Option<Box<CorpusPage>>) {
        self.id = page.as_ref().map(|page| page.corpus.id).or(self.id);
        self.colours_of = page.as_ref().and_then(|page| page.run).or(self.colours_of);
        self.shown = page;
        self.answered = true;
        self.waiting = false;
        let last = self.page_len().saturating_sub(1);
        self.documents.cursor = self.documents.cursor.min(last);
    }
}

/// Moves by this number of rows; past an end of the page, the next page is read.
pub fn step(corpus: &mut CorpusScreen, action: Action, rows: isize, workbench: &mut Workbench) {
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
        return workbench.ask();
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

//! A word: the topics of a run that hold it, its documents, and each occurrence in its context.

pub mod question;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::question::{WordAnswer, WordQuestion, WordRows};
use crate::records::found;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{corpus, corpus_or_corpora, run, shape};
use crate::tui::workbench::Workbench;
use topoi_ingest::search::context::ContextOrder;
use topoi_store::id::{CorpusId, DocumentId, RunId};

pub const NAME: &str = "Word";

const TOPICS: Action = Action::Own("topics of a word");
const DOCUMENTS: Action = Action::Own("documents of a word");
const CONTEXTS: Action = Action::Own("contexts of a word");
const BEFORE: Action = Action::Own("by the word before");
const AFTER: Action = Action::Own("by the word after");
const IN_ORDER: Action = Action::Own("in the order of documents");

static KEYS: Keys = Keys::new(
    "Word",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "follow", "the topic, or read the document"),
        key(&["Tab"], A::NextView, "next view", "topics, documents, contexts"),
        key(&["Shift-Tab"], A::PreviousView, "", "the view before"),
        key(&["t"], TOPICS, "", "the topics that hold it"),
        key(&["d"], DOCUMENTS, "", "the documents that have it most often"),
        key(&["c"], CONTEXTS, "", "each occurrence in its context"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);
static CONTEXT_KEYS: Keys = Keys::new(
    "Contexts",
    &[
        key(&["b"], BEFORE, "before", "sort by the words before"),
        key(&["a"], AFTER, "after", "sort by the words after"),
        key(&["o"], IN_ORDER, "", "as they stand in the corpus"),
    ],
);

/// What is shown of the word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WordView {
    #[default]
    Topics,
    Documents,
    Contexts,
}

impl WordView {
    pub const ALL: [Self; 3] = [Self::Topics, Self::Documents, Self::Contexts];
}

#[derive(Debug, Clone, Default)]
pub struct WordScreen {
    corpus: Option<CorpusId>,
    term: String,
    run: Option<RunId>,
    view: WordView,
    order: ContextOrder,
    /// `None` before the first answer to the current question.
    answer: Option<Box<WordAnswer>>,
    list: ListState,
}

impl WordScreen {
    fn found(&self) -> Option<&WordRows> {
        self.answer.as_ref()?.found.as_ref().ok()
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        match self.found() {
            None => list.filter_rows(&[(); 0], |(), _| true),
            Some(WordRows::Topics { rows, .. }) => {
                list.arrange(rows, &question::columns(), |row, filter| {
                    matches(filter, &row.words) || matches(filter, &row.topic.to_string())
                });
            }
            Some(WordRows::Documents(rows)) => {
                list.arrange(rows, &found::documents_with_term(), |row, filter| {
                    matches(filter, &row.document.key)
                        || matches(filter, row.document.title.as_deref().unwrap_or_default())
                })
            }
            Some(WordRows::Contexts(contexts)) => {
                list.filter_rows(&contexts.rows, |row, filter| {
                    [&row.key, &row.left, &row.right].into_iter().any(|text| matches(filter, text))
                })
            }
        }
        list.clamp();
        self.list = list;
    }

    fn look(&mut self, view: WordView) {
        if view != self.view {
            self.view = view;
            self.answer = None;
            self.list = ListState::default();
            self.arrange();
        }
    }

    fn turn(&mut self, by: usize) {
        let at = WordView::ALL.iter().position(|view| *view == self.view).unwrap_or(0);
        self.look(WordView::ALL[(at + by) % WordView::ALL.len()]);
    }

    fn sort(&mut self, order: ContextOrder) {
        self.order = order;
        self.list.cursor = 0;
    }

    /// What is shaped: the topic under the cursor, and the word.
    fn to_shape(&self) -> Selection {
        let Some(WordRows::Topics { run, rows }) = self.found() else {
            return Selection::default();
        };
        let topic = self.list.selected(rows).map(|row| row.topic);
        let term = Some(self.term.clone());
        Selection { run: Some(*run), topic, term, ..Selection::default() }
    }

    fn follow(&self, workbench: &mut Workbench) {
        let read = |document: DocumentId, documents: Vec<DocumentId>| Selection {
            corpus: self.corpus,
            document: Some(document),
            documents,
            run: self.run,
            term: Some(self.term.clone()),
            ..Selection::default()
        };
        match self.found() {
            Some(WordRows::Topics { run, rows }) => {
                if let Some(row) = self.list.selected(rows) {
                    let topic = Some(row.topic);
                    workbench.follow(
                        run::NAME,
                        Selection { run: Some(*run), topic, ..Selection::default() },
                    );
                }
            }
            Some(WordRows::Documents(rows)) => {
                if let Some(row) = self.list.selected(rows) {
                    let all = self.list.visible(rows).iter().map(|row| row.document.id).collect();
                    workbench.follow(corpus::NAME, read(row.document.id, all));
                }
            }
            Some(WordRows::Contexts(contexts)) => {
                if let Some(row) = self.list.selected(&contexts.rows) {
                    let mut all: Vec<DocumentId> =
                        self.list.visible(&contexts.rows).iter().map(|row| row.document).collect();
                    all.dedup();
                    workbench.follow(corpus::NAME, read(row.document, all));
                }
            }
            None => {}
        }
    }
}

impl Screen for WordScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Word: topics, documents, contexts"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &CONTEXT_KEYS, &shape::keys::BEGIN]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match self.view {
            WordView::Contexts => vec![&CONTEXT_KEYS, &KEYS, &LIST],
            WordView::Topics => vec![&KEYS, &shape::keys::BEGIN, &LIST],
            WordView::Documents => vec![&KEYS, &LIST],
        }
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match action {
            Action::NextView => self.turn(1),
            Action::PreviousView => self.turn(2),
            TOPICS => self.look(WordView::Topics),
            DOCUMENTS => self.look(WordView::Documents),
            CONTEXTS => self.look(WordView::Contexts),
            BEFORE => self.sort(ContextOrder::Before),
            AFTER => self.sort(ContextOrder::After),
            IN_ORDER => self.sort(ContextOrder::Document),
            Action::Enter => self.follow(workbench),
            _ => return shape::begin(action, self.to_shape(), workbench),
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(WordQuestion {
            corpus: self.corpus,
            term: self.term.clone(),
            run: self.run,
            view: self.view,
            order: self.order,
        })
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        if let Some(answer) = answer.take::<Box<WordAnswer>>() {
            self.answer = Some(answer);
            self.arrange();
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = &navigation.open else { return };
        let Some(term) = open.term.clone() else { return };
        let corpus = open.corpus.or(workbench.open_corpus);
        let run = open.run.or(workbench.open_run);
        *self = Self { corpus, term, run, ..Self::default() };
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(corpus_or_corpora(workbench));
    }

    fn crumb(&self) -> Option<String> {
        Some(format!("word {}", self.term))
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows(self.view, workbench.body())
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        Some(match self.found()? {
            WordRows::Topics { rows, .. } => {
                let name = format!("{}-topics", self.term);
                columns::sheet(name, &question::columns(), self.list.visible(rows))
            }
            WordRows::Documents(rows) => {
                let name = format!("{}-documents", self.term);
                columns::sheet(name, &found::documents_with_term(), self.list.visible(rows))
            }
            WordRows::Contexts(contexts) => {
                let name = format!("{}-contexts", self.term);
                columns::sheet(name, &found::contexts(), self.list.visible(&contexts.rows))
            }
        })
    }

    fn subject(&self) -> Selection {
        Selection {
            corpus: self.corpus,
            run: self.run,
            term: (!self.term.is_empty()).then(|| self.term.clone()),
            ..Selection::default()
        }
    }
}

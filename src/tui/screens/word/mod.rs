//! A word or query in use: each occurrence in its context, the words beside it, how often groups of documents have it;
//! of a word also the topics of a run that hold it, and its documents.

mod columns;
pub mod question;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::question::{WordAnswer, WordQuestion, WordRows};
use crate::records::found;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{ExportTable, sheet};
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{corpus, corpus_or_corpora, run, shape};
use crate::tui::workbench::Workbench;
use topoi_ingest::search::context::ContextOrder;
use topoi_run::concordance::CitedContext;
use topoi_run::notes::citation::CitationForm;
use topoi_store::id::{CorpusId, DocumentId, RunId};

pub const NAME: &str = "Word";

/// The view of groups, for what leads here.
pub const BY_FIELD_VIEW: &str = "by field";

/// Words on each side of an occurrence that are beside it.
const SPAN: usize = 5;

const TOPICS: Action = Action::Own("topics of a word");
const DOCUMENTS: Action = Action::Own("documents of a word");
const CONTEXTS: Action = Action::Own("contexts of a word");
const COLLOCATES: Action = Action::Own("words beside it");
const BY_FIELD: Action = Action::Own("use by field");
const ORDER: Action = Action::Own("order of contexts");

static KEYS: Keys = Keys::new(
    "Word",
    &[
        key(
            &["Enter", "l", "Right"],
            A::Enter,
            "follow",
            "read the passage; what the row is about",
        ),
        key(&["Tab"], A::NextView, "next view", "contexts, words beside it, groups, topics"),
        key(&["Shift-Tab"], A::PreviousView, "", "the view before"),
        key(&["C"], CONTEXTS, "", "each occurrence in its context"),
        key(&["w"], COLLOCATES, "", "the words beside it (collocates)"),
        key(&["f"], BY_FIELD, "", "how often by a field; f again: the next"),
        key(&["t"], TOPICS, "", "the topics that hold it"),
        key(&["d"], DOCUMENTS, "", "the documents that have it most often"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);
static CONTEXT_KEYS: Keys = Keys::new(
    "Contexts",
    &[key(&["o"], ORDER, "order", "by words before, after, as in the corpus")],
);

/// What is shown of the word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WordView {
    #[default]
    Contexts,
    Collocates,
    ByField,
    Topics,
    Documents,
}

impl WordView {
    pub const ALL: [Self; 5] =
        [Self::Contexts, Self::Collocates, Self::ByField, Self::Topics, Self::Documents];

    /// Its key and name in the strip.
    const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Contexts => ("C", "contexts"),
            Self::Collocates => ("w", "beside it"),
            Self::ByField => ("f", "by field"),
            Self::Topics => ("t", "topics"),
            Self::Documents => ("d", "documents"),
        }
    }

    /// Whether it is of a word alone, and of no phrase or other query.
    const fn is_of_terms(self) -> bool {
        matches!(self, Self::Topics | Self::Documents)
    }
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// A term of the corpus.
    Term(String),
    /// A query.
    Query(String),
}

impl Default for Sought {
    fn default() -> Self {
        Self::Term(String::new())
    }
}

impl Sought {
    /// As it is written.
    pub fn text(&self) -> &str {
        let (Self::Term(text) | Self::Query(text)) = self;
        text
    }

    /// The query that finds it.
    pub fn query(&self) -> String {
        match self {
            Self::Term(term) => format!("\"{term}\""),
            Self::Query(query) => query.clone(),
        }
    }

    fn views(&self) -> Vec<WordView> {
        let is_term = matches!(self, Self::Term(_));
        WordView::ALL.into_iter().filter(|view| is_term || !view.is_of_terms()).collect()
    }
}

#[derive(Debug, Clone, Default)]
pub struct WordScreen {
    corpus: Option<CorpusId>,
    sought: Sought,
    run: Option<RunId>,
    view: WordView,
    order: ContextOrder,
    /// The place of the field that makes groups among those of the corpus.
    field: usize,
    /// How sources are cited.
    citation: CitationForm,
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
                list.arrange(rows, &columns::topics(), |row, filter| {
                    matches(filter, &row.words) || matches(filter, &row.topic.to_string())
                });
            }
            Some(WordRows::Documents(rows)) => {
                list.arrange(rows, &found::documents_with_term(), |row, filter| {
                    matches(filter, &row.document.key)
                        || matches(filter, row.document.title.as_deref().unwrap_or_default())
                })
            }
            Some(WordRows::Contexts { rows, .. }) => list.filter_rows(rows, |row, filter| {
                let context = &row.context;
                let texts = [&context.key, &context.left, &context.right, &row.source];
                texts.into_iter().any(|text| matches(filter, text))
            }),
            Some(WordRows::Collocates(found)) => {
                list.arrange(&found.rows, &found::collocates(), |row, filter| {
                    matches(filter, &row.word)
                });
            }
            Some(WordRows::ByField { field, groups, topic, .. }) => {
                list.arrange(groups, &columns::usage(field, topic.is_some()), |row, filter| {
                    matches(filter, &row.usage.part.to_string())
                });
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
        let views = self.sought.views();
        let at = views.iter().position(|view| *view == self.view).unwrap_or(0);
        let by = if by == 1 { 1 } else { views.len() - 1 };
        self.look(views[(at + by) % views.len()]);
    }

    fn turn_order(&mut self) {
        self.order = match self.order {
            ContextOrder::Document => ContextOrder::Before,
            ContextOrder::Before => ContextOrder::After,
            ContextOrder::After => ContextOrder::Document,
        };
        self.list.cursor = 0;
    }

    /// Shows groups, or those of the next field.
    fn turn_field(&mut self, workbench: &mut Workbench) {
        if let Some(WordRows::ByField { field, fields: 1, .. }) = self.found() {
            return workbench.say(format!("{field} is the only field that makes groups"));
        }
        if self.view == WordView::ByField {
            self.field += 1;
            self.answer = None;
            self.list = ListState::default();
        }
        self.look(WordView::ByField);
    }

    fn term(&self) -> Option<String> {
        match &self.sought {
            Sought::Term(term) if !term.is_empty() => Some(term.clone()),
            _ => None,
        }
    }

    /// The occurrence under the cursor.
    fn context(&self) -> Option<&CitedContext> {
        match self.found()? {
            WordRows::Contexts { rows, .. } => self.list.selected(rows),
            _ => None,
        }
    }

    /// What is shaped: the topic under the cursor, and the word.
    fn to_shape(&self) -> Selection {
        let Some(WordRows::Topics { run, rows }) = self.found() else {
            return Selection::default();
        };
        let topic = self.list.selected(rows).map(|row| row.topic);
        let term = self.term();
        Selection { run: Some(*run), topic, term, ..Selection::default() }
    }

    fn follow(&self, workbench: &mut Workbench) {
        let (term, query) = (self.term(), Some(self.sought.query()));
        let query = query.filter(|_| term.is_none());
        let read = |document: DocumentId, documents: Vec<DocumentId>| Selection {
            corpus: self.corpus,
            document: Some(document),
            documents,
            run: self.run,
            term: term.clone(),
            query: query.clone(),
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
            Some(WordRows::Contexts { rows, .. }) => {
                if let Some(row) = self.list.selected(rows) {
                    let shown = self.list.visible(rows);
                    let mut all: Vec<DocumentId> =
                        shown.iter().map(|row| row.context.document).collect();
                    all.dedup();
                    let passage = Some(question::passage_of(&row.context));
                    let document = read(row.context.document, all);
                    workbench.follow(corpus::NAME, Selection { passage, ..document });
                }
            }
            Some(WordRows::Collocates(found)) => {
                if let Some(row) = self.list.selected(&found.rows) {
                    let near = format!("{} NEAR/{SPAN} \"{}\"", self.sought.query(), row.word);
                    let (corpus, query) = (self.corpus, Some(near));
                    workbench.follow(NAME, Selection { corpus, query, ..Selection::default() });
                }
            }
            Some(WordRows::ByField { field, groups, .. }) => {
                if let Some(row) = self.list.selected(groups) {
                    let within = question::condition(field, &row.usage.part);
                    let query = Some(format!("{} {within}", self.sought.query()));
                    let corpus = self.corpus;
                    workbench.follow(NAME, Selection { corpus, query, ..Selection::default() });
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
        "Word: contexts, words beside it, over time"
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
            WordView::Documents | WordView::Collocates | WordView::ByField => vec![&KEYS, &LIST],
        }
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match action {
            Action::NextView => self.turn(1),
            Action::PreviousView => self.turn(2),
            TOPICS | DOCUMENTS if self.term().is_none() => {
                workbench.say("topics and documents are of a single word");
            }
            TOPICS => self.look(WordView::Topics),
            DOCUMENTS => self.look(WordView::Documents),
            CONTEXTS => self.look(WordView::Contexts),
            COLLOCATES => self.look(WordView::Collocates),
            BY_FIELD => self.turn_field(workbench),
            ORDER => self.turn_order(),
            Action::Enter => self.follow(workbench),
            _ => return shape::begin(action, self.to_shape(), workbench),
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(WordQuestion {
            corpus: self.corpus,
            sought: self.sought.clone(),
            run: self.run,
            view: self.view,
            order: self.order,
            field: self.field,
            citation: self.citation.clone(),
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
        let term = open.term.clone().map(Sought::Term);
        let Some(sought) = term.or(open.query.clone().map(Sought::Query)) else { return };
        let corpus = open.corpus.or(workbench.open_corpus);
        let run = open.run.or(workbench.open_run);
        let citation = workbench.citation.clone();
        let is_by_field = open.view == Some(BY_FIELD_VIEW);
        let view = if is_by_field { WordView::ByField } else { WordView::Contexts };
        *self = Self { corpus, sought, run, view, citation, ..Self::default() };
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(corpus_or_corpora(workbench));
    }

    fn crumb(&self) -> Option<String> {
        Some(match &self.sought {
            Sought::Term(term) => format!("word {term}"),
            Sought::Query(query) => query.clone(),
        })
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
        let name = self.sought.text().replace('"', "");
        Some(match self.found()? {
            WordRows::Topics { rows, .. } => {
                let name = format!("{name}-topics");
                sheet(name, &columns::topics(), self.list.visible(rows))
            }
            WordRows::Documents(rows) => {
                let name = format!("{name}-documents");
                sheet(name, &found::documents_with_term(), self.list.visible(rows))
            }
            WordRows::Contexts { rows, .. } => {
                let name = format!("{name}-contexts");
                sheet(name, &found::contexts(), self.list.visible(rows))
            }
            WordRows::Collocates(found) => {
                let name = format!("{name}-collocates");
                sheet(name, &found::collocates(), self.list.visible(&found.rows))
            }
            WordRows::ByField { field, groups, topic, .. } => {
                let name = format!("{name}-by-{field}");
                let columns = columns::usage(field, topic.is_some());
                sheet(name, &columns, self.list.visible(groups))
            }
        })
    }

    /// The occurrence with its context and source.
    fn text(&self, _workbench: &Workbench) -> Option<String> {
        let CitedContext { context, source, .. } = self.context()?;
        Some(format!("{}{}{}\n\u{2014} {source}\n", context.left, context.hit, context.right))
    }

    /// Of an occurrence, its passage.
    fn noted(&self, _workbench: &Workbench) -> Option<Selection> {
        let row = self.context()?;
        let (document, passage) = (Some(row.context.document), row.passage.clone());
        Some(Selection { corpus: self.corpus, document, passage, ..Selection::default() })
    }

    fn subject(&self) -> Selection {
        Selection {
            corpus: self.corpus,
            run: self.run,
            term: self.term(),
            query: self.term().is_none().then(|| self.sought.query()),
            ..Selection::default()
        }
    }
}

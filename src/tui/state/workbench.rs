//! The whole state: the screens, and what lies over them.

use super::choose_k::{ChooseKState, ChooseKView};
use super::compare::CompareState;
use super::corpora::CorporaState;
use super::corpus::{CorpusState, Pane};
use super::launch::LaunchState;
use super::list::ListState;
use super::run::RunState;
use super::runs::RunsState;
use super::sql::{SqlPane, SqlState};
use crate::tui::data::{Query, Request, RunView};
use crate::tui::keymap::Context;
use crate::tui::layout;
use crate::tui::look::Look;

/// A screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// The corpora of the store.
    Corpora,
    /// A corpus.
    Corpus,
    /// The launch form.
    Launch,
    /// The runs.
    Runs,
    /// A run.
    Run,
    /// Runs side by side.
    Compare,
    /// The runs of a corpus by their K.
    ChooseK,
    /// The user's own queries.
    Sql,
}

impl Screen {
    /// All screens, by digit.
    pub const ALL: &'static [Self] = &[
        Self::Corpora,
        Self::Corpus,
        Self::Launch,
        Self::Runs,
        Self::Run,
        Self::Compare,
        Self::ChooseK,
        Self::Sql,
    ];

    /// The digit that goes there.
    pub fn digit(self) -> u8 {
        match self {
            Self::Corpora => 1,
            Self::Corpus => 2,
            Self::Launch => 3,
            Self::Runs => 4,
            Self::Run => 5,
            Self::Compare => 6,
            Self::ChooseK => 7,
            Self::Sql => 8,
        }
    }

    /// Its name in the line of tabs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Corpora => "Corpora",
            Self::Corpus => "Corpus",
            Self::Launch => "Launch",
            Self::Runs => "Runs",
            Self::Run => "Run",
            Self::Compare => "Compare",
            Self::ChooseK => "K",
            Self::Sql => "SQL",
        }
    }

    fn context(self) -> Context {
        match self {
            Self::Corpora => Context::Corpora,
            Self::Corpus => Context::Corpus,
            Self::Launch => Context::Launch,
            Self::Runs => Context::Runs,
            Self::Run => Context::Run,
            Self::Compare => Context::Compare,
            Self::ChooseK => Context::ChooseK,
            Self::Sql => Context::Sql,
        }
    }
}

/// What lies over a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// The help, from this line on.
    Help(usize),
    /// Whether to cancel the run of this number.
    CancelRun(i64),
}

/// Everything the workbench knows.
#[derive(Debug, Clone)]
pub struct State {
    /// The screen that is shown.
    pub screen: Screen,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// What the terminal can show.
    pub look: Look,
    /// The store's file, to be shown.
    pub store: String,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// The keys of an unfinished sequence.
    pub pending: String,
    /// Something the user should know; goes with the next key.
    pub notice: Option<String>,
    /// Ctrl-C was the last key.
    pub interrupted: bool,
    /// The generation of the last question to the store.
    pub generation: u64,
    /// Counts changes; the screen is drawn when it has moved.
    pub revision: u64,
    /// Number of runs that are queued or running.
    pub active: usize,
    /// Screen 1.
    pub corpora: CorporaState,
    /// Screen 2.
    pub corpus: CorpusState,
    /// Screen 3.
    pub launch: LaunchState,
    /// Screen 4.
    pub runs: RunsState,
    /// Screen 5.
    pub run: RunState,
    /// Screen 6.
    pub compare: CompareState,
    /// Screen 7.
    pub choose_k: ChooseKState,
    /// Screen 8.
    pub sql: SqlState,
}

impl State {
    /// The workbench as it opens: on the corpora.
    pub fn new(store: &str, look: Look, size: (u16, u16)) -> Self {
        Self {
            screen: Screen::Corpora,
            size,
            look,
            store: store.into(),
            overlay: None,
            pending: String::new(),
            notice: None,
            interrupted: false,
            generation: 0,
            revision: 0,
            active: 0,
            corpora: CorporaState::default(),
            corpus: CorpusState::default(),
            launch: LaunchState::default(),
            runs: RunsState::default(),
            run: RunState::default(),
            compare: CompareState::default(),
            choose_k: ChooseKState::default(),
            sql: SqlState::default(),
        }
    }

    /// The contexts whose keys hold now, the most special first.
    pub fn contexts(&self) -> Vec<Context> {
        match self.overlay {
            _ if !layout::is_enough(self.size) => vec![Context::TooSmall],
            Some(Overlay::Help(_)) => vec![Context::Help],
            Some(Overlay::CancelRun(_)) => vec![Context::Question],
            None if self.is_naming() => vec![Context::Naming],
            None if self.list().is_some_and(|list| list.typing) => vec![Context::Filter],
            None => self.screen_contexts(),
        }
    }

    /// The contexts of the screen itself, whatever lies over it.
    pub fn screen_contexts(&self) -> Vec<Context> {
        match self.screen {
            Screen::Launch => vec![Context::Launch, Context::Everywhere],
            Screen::Run if self.run.view == RunView::Facts => {
                vec![Context::Facts, Context::Run, Context::Everywhere]
            }
            Screen::Run if self.run.view == RunView::Map => {
                vec![Context::Map, Context::Run, Context::List, Context::Everywhere]
            }
            Screen::Run if self.run.view == RunView::Correlations => {
                vec![Context::Correlations, Context::Run, Context::List, Context::Everywhere]
            }
            Screen::Sql if self.sql.pane == SqlPane::Prompt => vec![Context::Prompt],
            Screen::Corpus if self.corpus.reading.is_some() => {
                vec![Context::Document, Context::List, Context::Everywhere]
            }
            Screen::ChooseK if self.choose_k.shown() == ChooseKView::Bounds => {
                vec![Context::Bounds, Context::Everywhere]
            }
            Screen::ChooseK if self.choose_k.shown() == ChooseKView::Advice => {
                vec![Context::Advice, Context::Everywhere]
            }
            screen => vec![screen.context(), Context::List, Context::Everywhere],
        }
    }

    /// Whether the name of a topic is being typed.
    pub fn is_naming(&self) -> bool {
        self.screen == Screen::Run && self.run.naming.is_some()
    }

    /// The list the keys go to, on screens that have one.
    pub fn list(&self) -> Option<&ListState> {
        match self.screen {
            Screen::Sql if self.sql.pane == SqlPane::Prompt => None,
            Screen::Sql => Some(&self.sql.list),
            Screen::Corpus if self.corpus.reading.is_some() => {
                self.corpus.reading.as_ref().map(|reading| &reading.list)
            }
            Screen::Corpora => Some(&self.corpora.list),
            Screen::Corpus if self.corpus.pane == Pane::Terms => Some(&self.corpus.terms),
            Screen::Corpus => Some(&self.corpus.documents),
            Screen::Launch => None,
            Screen::Runs => Some(&self.runs.list),
            Screen::Run if self.run.view == RunView::Facts => None,
            Screen::Run => Some(&self.run.list),
            Screen::Compare => Some(self.compare.list()),
            Screen::ChooseK if self.choose_k.shown() != ChooseKView::Metrics => None,
            Screen::ChooseK => Some(&self.choose_k.list),
        }
    }

    /// The same, to be changed.
    pub fn list_mut(&mut self) -> Option<&mut ListState> {
        match self.screen {
            Screen::Sql if self.sql.pane == SqlPane::Prompt => None,
            Screen::Sql => Some(&mut self.sql.list),
            Screen::Corpus if self.corpus.reading.is_some() => {
                self.corpus.reading.as_mut().map(|reading| &mut reading.list)
            }
            Screen::Corpora => Some(&mut self.corpora.list),
            Screen::Corpus => Some(self.corpus.list()),
            Screen::Launch => None,
            Screen::Runs => Some(&mut self.runs.list),
            Screen::Run if self.run.view == RunView::Facts => None,
            Screen::Run => Some(&mut self.run.list),
            Screen::Compare if self.compare.shows_metrics => Some(&mut self.compare.metrics),
            Screen::Compare => Some(&mut self.compare.list),
            Screen::ChooseK if self.choose_k.shown() != ChooseKView::Metrics => None,
            Screen::ChooseK => Some(&mut self.choose_k.list),
        }
    }

    /// Number of rows in that list.
    pub fn list_len(&self) -> usize {
        match self.screen {
            Screen::Corpora => self.corpora.visible().len(),
            Screen::Sql => self.sql.rows(),
            Screen::Corpus => match &self.corpus.reading {
                Some(reading) => reading.len(layout::list_rows(self)),
                None if self.corpus.pane == Pane::Terms => self.corpus.terms_len(),
                None => self.corpus.page_len(),
            },
            Screen::Launch => 0,
            Screen::Runs => self.runs.visible().len(),
            Screen::Run => self.run.visible().len(),
            Screen::Compare => self.compare.rows(),
            Screen::ChooseK => self.choose_k.visible().len(),
        }
    }

    /// The question whose answer the screen shows, of a new generation.
    pub fn question(&mut self) -> Request {
        self.generation += 1;
        let query = match self.screen {
            Screen::Corpora => Query::Corpora,
            Screen::Sql => Query::Sql,
            Screen::Corpus => match (&self.corpus.reading, self.corpus.id) {
                (Some(reading), Some(corpus)) => {
                    Query::Document { corpus, id: reading.id, run: reading.run }
                }
                _ => Query::Corpus(self.corpus.query()),
            },
            Screen::Launch => Query::Launch,
            Screen::Runs => Query::Runs {
                selected: self.runs.wanted.or(self.runs.selected().map(|row| row.run.id)),
            },
            Screen::Run => Query::Run { id: self.run.id, view: self.run.view },
            Screen::Compare => Query::Compare { runs: self.compare.runs.clone() },
            Screen::ChooseK => {
                Query::ChooseK { corpus: self.choose_k.of_corpus, run: self.choose_k.run }
            }
        };
        Request { generation: self.generation, query }
    }
}

//! Looking through all texts of a corpus: a query, the documents for which it holds, each with what was
//! found in it.

pub mod question;
mod view;

pub use self::view::hit;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::question::{IndexState, SearchAnswer, SearchQuestion};
use crate::records::found;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, Action as A, Binding, Keys, LIST, key};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::{ListState, matches};
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::screens::{corpus, corpus_or_corpora, word};
use crate::tui::workbench::Workbench;
use topoi_ingest::search::SearchHit;
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::CorpusId;

pub const NAME: &str = "Search";

/// Seconds from which on an index is made only when that is confirmed.
const LONG: f64 = 60.0;

const TYPE: Action = Action::Own("type a query");
const CONTEXTS: Action = Action::Own("contexts of the query");
const BY_FIELD: Action = Action::Own("the query by field");

static KEYS: Keys = Keys::new(
    "Search",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "read", "read the document where it has it"),
        key(&["Tab", "C"], CONTEXTS, "contexts", "every occurrence in its context"),
        key(&["f"], BY_FIELD, "", "how often by a field, over time"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);
static TYPING: Keys = Keys::new(
    "While typing a query",
    &[
        key(&["Enter"], A::Accept, "search", "look for it"),
        key(&["Esc", "Ctrl-C", "Down"], A::Clear, "list", "to what was found before"),
    ],
);
const SHORTCUTS: &[Binding] = &[key(&["F"], TYPE, "", "look through all texts")];

#[derive(Debug, Clone, Default)]
pub struct SearchScreen {
    /// Row id of the corpus; `None` is the first by name.
    corpus: Option<CorpusId>,
    /// What is typed.
    pub query: Input,
    is_typing: bool,
    /// What is looked for.
    asked: Option<String>,
    /// `None` before the first answer.
    answer: Option<Box<SearchAnswer>>,
    /// It was typed, and has no answer yet.
    is_new: bool,
    /// An index is being made for this corpus by a process that was started here.
    factor_job: Option<String>,
    pub list: ListState,
}

impl SearchScreen {
    fn rows(&self) -> &[SearchHit] {
        let found = self.answer.as_ref().and_then(|answer| answer.found.as_ref());
        found.and_then(|found| found.as_ref().ok()).map_or(&[], |found| &found.documents)
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds = |row: &SearchHit, filter: &str| {
            matches(filter, &row.document.key) || matches(filter, &found::marked(&row.snippet))
        };
        list.filter_rows(self.rows(), holds);
        self.list = list;
    }

    fn visible(&self) -> Vec<&SearchHit> {
        self.list.visible(self.rows())
    }

    fn name_of_corpus(&self) -> &str {
        let corpus = self.answer.as_ref().and_then(|answer| answer.corpus.as_ref());
        corpus.map_or("", |corpus| &corpus.name)
    }

    fn look_for(&mut self, workbench: &mut Workbench) {
        let query = self.query.as_str().trim();
        self.is_typing = query.is_empty();
        if !query.is_empty() {
            self.asked = Some(query.into());
            self.list = ListState::default();
            // What was found before is not shown under another query.
            if let Some(answer) = &mut self.answer {
                answer.found = None;
            }
            self.is_new = true;
            workbench.ask();
        }
    }

    /// A search makes the index that it needs; where that takes long, the user decides.
    fn make_index_for_search(&mut self, workbench: &mut Workbench) {
        let index = self.answer.as_ref().map(|answer| answer.index);
        let is_short = matches!(index, Some(IndexState::Wanted { seconds, .. }) if seconds < LONG);
        if std::mem::take(&mut self.is_new) && is_short {
            self.make_index(workbench);
        }
    }

    fn follow(&mut self, workbench: &mut Workbench) {
        let Some(row) = self.list.selected(self.rows()) else {
            return self.make_index(workbench);
        };
        let documents = self.visible().iter().map(|row| row.document.id).collect();
        let corpus = self.answer.as_ref().and_then(|answer| answer.corpus.as_ref());
        workbench.follow(
            corpus::NAME,
            Selection {
                corpus: corpus.map(|corpus| corpus.id),
                document: Some(row.document.id),
                documents,
                query: self.asked.clone(),
                ..Selection::default()
            },
        );
    }

    /// Leads on to the occurrences of what is looked for, or to groups of documents that have it.
    fn follow_contexts(&self, by_field: bool, workbench: &mut Workbench) {
        let corpus = self.answer.as_ref().and_then(|answer| answer.corpus.as_ref());
        let (corpus, query) = (corpus.map(|corpus| corpus.id), self.asked.clone());
        if query.is_none() {
            return workbench.say("nothing is looked for yet: F types a query");
        }
        let view = by_field.then_some(word::BY_FIELD_VIEW);
        workbench.follow(word::NAME, Selection { corpus, query, view, ..Selection::default() });
    }

    /// Makes the missing index; its cost is on the screen.
    fn make_index(&mut self, workbench: &mut Workbench) {
        let Some(answer) = &self.answer else { return };
        let (Some(corpus), IndexState::Wanted { .. }) = (&answer.corpus, answer.index) else {
            return;
        };
        if self.factor_job.as_ref() != Some(&corpus.name) {
            let job = BackgroundJob::SearchIndex(corpus.name.clone());
            workbench.say(format!("making the search index of {}", corpus.name));
            self.factor_job = Some(corpus.name.clone());
            workbench.perform(Effect::StartJob(job));
        }
    }
}

impl Screen for SearchScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Search: all texts of a corpus"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &TYPING]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        if self.is_typing { vec![&TYPING] } else { vec![&KEYS, &LIST] }
    }

    fn shortcuts(&self) -> &'static [Binding] {
        SHORTCUTS
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&TYPING]
    }

    fn input(&self) -> Option<(String, &Input)> {
        self.is_typing.then(|| (" search ".into(), &self.query))
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.is_typing.then_some(&mut self.query)
    }

    /// What is typed at the end of a query that was looked for replaces it.
    fn type_in(&mut self, text: &str, workbench: &mut Workbench) {
        let is_old = self.asked.as_deref() == Some(self.query.as_str());
        if is_old && self.query.halves().1.is_empty() {
            self.query.clear();
        }
        if !self.query.insert(text) {
            workbench.say(format!("at most {} letters have room here", self.query.longest()));
        }
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match action {
            // The query that there is can be changed, or another typed over it.
            TYPE => {
                let query = self.query.as_str().to_string();
                self.query.set(&query);
                self.is_typing = true;
            }
            CONTEXTS | BY_FIELD => self.follow_contexts(action == BY_FIELD, workbench),
            Action::Accept => self.look_for(workbench),
            Action::Clear => {
                self.is_typing = false;
                if self.asked.is_none() {
                    workbench.ask();
                    return self.leave(workbench);
                }
            }
            Action::Enter => self.follow(workbench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(SearchQuestion { corpus: self.corpus, query: self.asked.clone() })
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        let Some(answer) = answer.take::<Box<SearchAnswer>>() else { return };
        let before = self.list.selected(self.rows()).map(|row| row.document.id);
        self.corpus = answer.corpus.as_ref().map(|corpus| corpus.id);
        self.answer = Some(answer);
        self.arrange();
        let mut list = std::mem::take(&mut self.list);
        list.find(self.rows(), |row| Some(row.document.id) == before);
        self.list = list;
        self.make_index_for_search(workbench);
    }

    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        let EffectOutcome::JobEnded { job: BackgroundJob::SearchIndex(corpus), outcome } = news
        else {
            return;
        };
        self.factor_job = None;
        match outcome {
            Ok(_) => workbench.say(format!("the search index of {corpus} is made")),
            Err(error) => workbench.say(error.clone()),
        }
        if workbench.shown == NAME {
            workbench.ask();
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let wanted =
            navigation.open.as_ref().and_then(|open| open.corpus).or(workbench.open_corpus);
        if wanted.is_some() && wanted != self.corpus {
            let query = std::mem::take(&mut self.query);
            *self = Self { corpus: wanted, query, ..Self::default() };
        }
        if let Some(query) = navigation.open.as_ref().and_then(|open| open.query.clone()) {
            self.query.set(&query);
            self.asked = Some(query);
        }
        self.is_typing = self.asked.is_none();
    }

    fn back(&mut self, workbench: &mut Workbench) {
        self.leave(workbench);
    }

    fn crumb(&self) -> Option<String> {
        Some(self.asked.as_ref().map_or("search".into(), |query| format!("search {query}")))
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
        view::rows(workbench.body())
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        let name = format!("{}-search", self.name_of_corpus());
        Some(columns::sheet(name, &found::columns(), self.visible()))
    }

    fn subject(&self) -> Selection {
        let row = self.list.selected(self.rows());
        Selection {
            corpus: self.corpus,
            document: row.map(|row| row.document.id),
            query: self.asked.clone(),
            ..Selection::default()
        }
    }

    fn returned(&mut self, seen: &Selection) {
        let mut list = std::mem::take(&mut self.list);
        list.find(self.rows(), |row| Some(row.document.id) == seen.document);
        self.list = list;
    }

    fn remember(&self) -> serde_json::Value {
        serde_json::json!({ "corpus": self.corpus, "query": self.asked })
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        self.corpus = left["corpus"]
            .as_i64()
            .map(CorpusId)
            .filter(|&id| previous.store.corpus_by_id(id).is_ok());
        self.asked = left["query"].as_str().map(str::to_string);
        self.query.set(self.asked.as_deref().unwrap_or_default());
        self.is_typing = self.asked.is_none();
    }
}

impl SearchScreen {
    fn leave(&mut self, workbench: &mut Workbench) -> bool {
        workbench.go(corpus_or_corpora(workbench));
        true
    }
}

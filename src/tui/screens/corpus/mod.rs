//! A corpus: its documents page by page, its most frequent terms, a document that is read.

mod document;
mod document_view;
mod hits;
pub mod question;
mod reading;
mod state;
mod view;
mod wrap;

pub use state::{CorpusScreen, FREQUENT_TERMS, PAGE_DOCUMENTS, Pane};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::document::{DocumentState, word_columns};
use self::question::{CorpusPage, DocumentQuestion};
use self::state::Anchor;
use crate::records::terms::TermRow;
use crate::records::{documents, terms};
use crate::tui::effect::Source;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::distance;
use crate::tui::list::{Extent, ListState};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::saved_position::{left_list, restore_list};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::screens::corpora;
use crate::tui::workbench::Workbench;
use topoi_store::corpus::document::Page;
use topoi_store::id::CorpusId;

pub const NAME: &str = "Corpus";

static KEYS: Keys = Keys::new(
    "Corpus",
    &[
        key(&["Enter"], A::Enter, "open", "read the document; where the term is used"),
        key(&["W"], reading::WORD, "", "where the term is used"),
        key(&["Tab", "Shift-Tab"], A::NextField, "other list", "documents or terms"),
        key(&["h", "Left"], A::Left, "", "to the documents"),
        key(&["l", "Right"], A::Right, "", "to the terms"),
    ],
);

impl CorpusScreen {
    fn name_of_corpus(&self) -> &str {
        self.shown.as_ref().map_or("", |page| page.corpus.name.as_str())
    }

    /// Leads on to where the term under the cursor is used.
    fn follow_term(&self, workbench: &mut Workbench) {
        let page = self.shown.as_ref();
        let Some(term) = page.and_then(|page| page.terms.get(self.terms.cursor)) else { return };
        let (term, run) = (Some(term.shown().to_string()), workbench.open_run);
        workbench.follow("Word", Selection { corpus: self.id, term, run, ..Selection::default() });
    }

    fn show_corpus(&mut self, id: Option<CorpusId>) {
        if id.is_some() && id != self.id {
            *self = Self { id, ..Self::default() };
        }
    }

    /// Documents and terms are filtered and sorted by the store.
    fn read_anew(&mut self, workbench: &mut Workbench) {
        if self.pane == Pane::Documents {
            self.turn(Page::First, Anchor::Start(0));
        }
        workbench.ask();
    }

    /// Tells both lists which part of the corpus they have.
    fn set_pages(&mut self) {
        let (documents, terms) = (self.page_len(), self.terms_len());
        let (mut of_documents, mut of_terms) = (Extent::default(), Extent::default());
        if let Some(page) = &self.shown {
            let (before, matching) = (self.before_page(), page.matching);
            of_documents = Extent { before, matching, all: page.corpus.documents };
            let is_filtered = self.terms.is_filtered();
            let matching = if is_filtered { page.matching_terms } else { terms as u64 };
            of_terms = Extent { before: 0, matching, all: page.corpus.terms };
        }
        let is_known = !self.waiting;
        self.documents.set_page(documents, is_known.then_some(of_documents));
        self.terms.set_page(terms, is_known.then_some(of_terms));
        self.documents.sort_columns = columns::sorted_by(&documents::columns());
        self.terms.sort_columns = columns::sorted_by(&terms::columns());
    }

    fn documents_sheet(&self) -> ExportTable {
        let page = self.shown.iter().flat_map(|page| &page.documents);
        let name = format!("{}-documents", self.name_of_corpus());
        columns::sheet(name, &documents::columns(), page)
    }

    fn terms_sheet(&self) -> ExportTable {
        let name = format!("{}-terms", self.name_of_corpus());
        let corpus = self.shown.as_ref().map(|page| (&page.corpus, &page.terms));
        let rows: Vec<TermRow> = corpus
            .into_iter()
            .flat_map(|(corpus, terms)| {
                terms.iter().map(move |term| TermRow { term, corpus, dropped_by: None })
            })
            .collect();
        columns::sheet(name, &terms::columns(), &rows)
    }

    fn words_sheet(&self, reading: &DocumentState) -> Option<ExportTable> {
        let key = &reading.sheet.as_ref()?.document.key;
        let name = format!("{}-{key}-words", self.name_of_corpus());
        Some(columns::sheet(name, &word_columns(), reading.visible_words()))
    }
}

impl Screen for CorpusScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Corpus: documents, terms"
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &reading::KEYS]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![if self.reading.is_some() { &reading::KEYS } else { &KEYS }, &LIST]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if self.reading.is_some() {
            return reading::act(self, action, workbench);
        }
        if let (Pane::Terms, Action::Enter | reading::WORD) = (self.pane, action) {
            self.follow_term(workbench);
            return true;
        }
        match action {
            Action::NextField if self.pane == Pane::Documents => self.pane = Pane::Terms,
            Action::NextField | Action::Left => self.pane = Pane::Documents,
            Action::Right => self.pane = Pane::Terms,
            _ if self.pane == Pane::Terms => return false,
            Action::Enter => reading::follow(self, workbench),
            _ => {
                let Some(rows) = distance(action, self.list_rows(workbench)) else { return false };
                state::step(self, action, rows, workbench);
            }
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        match (&self.reading, self.id) {
            (Some(reading), Some(corpus)) => {
                let (id, runs, query) = (reading.id, reading.runs.clone(), reading.query.clone());
                AnyQuestion::new(DocumentQuestion { corpus, id, runs, query })
            }
            _ => AnyQuestion::new(self.page_question()),
        }
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        if answer.get::<Option<Box<CorpusPage>>>().is_some() {
            self.receive_page(answer.take().flatten());
            // What a workbench begins with is open as if the user had opened it.
            workbench.open_corpus = workbench.open_corpus.or(self.id);
        } else if let (Some(reading), Some(sheet)) = (&mut self.reading, answer.take()) {
            reading.receive(sheet);
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let wanted = navigation.open.as_ref().and_then(|open| open.corpus);
        if wanted.is_some() {
            self.reading = None;
            workbench.open_corpus = wanted;
        }
        self.show_corpus(workbench.open_corpus);
        self.open_run = workbench.open_run;
        if let Some((open, document)) =
            navigation.open.as_ref().and_then(|o| Some((o, o.document?)))
        {
            reading::open(self, document, open, workbench);
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        match self.reading.take() {
            Some(_) => workbench.ask(),
            None => workbench.go(corpora::NAME),
        }
    }

    fn crumb(&self) -> Option<String> {
        match &self.reading {
            Some(reading) => {
                let sheet = reading.sheet.as_ref();
                Some(sheet.map_or("document".into(), |s| format!("document {}", s.document.key)))
            }
            None => Some(format!("corpus {}", self.name_of_corpus())),
        }
    }

    fn settle(&mut self, workbench: &mut Workbench) {
        match &mut self.reading {
            Some(reading) => {
                reading.wrap(document_view::text_cells(workbench.body()));
                reading.set_page(document_view::rows(reading, workbench.body()));
            }
            None => self.set_pages(),
        }
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        match &self.reading {
            Some(reading) => document_view::draw(reading, workbench.look, area, buffer),
            None => view::draw(self, workbench.look, area, buffer),
        }
    }

    fn list(&self) -> Option<&ListState> {
        Some(match (&self.reading, self.pane) {
            (Some(reading), _) if reading.in_legend => &reading.legend,
            (Some(reading), _) => &reading.list,
            (None, Pane::Terms) => &self.terms,
            (None, Pane::Documents) => &self.documents,
        })
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        let Some(reading) = &mut self.reading else {
            let is_terms = self.pane == Pane::Terms;
            return Some(if is_terms { &mut self.terms } else { &mut self.documents });
        };
        Some(if reading.in_legend { &mut reading.legend } else { &mut reading.list })
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        match &self.reading {
            Some(reading) => document_view::rows(reading, workbench.body()),
            None => view::rows(self.pane, workbench.body()),
        }
    }

    fn focus_list(&mut self) {
        match &mut self.reading {
            Some(reading) => reading.in_legend = !reading.in_legend,
            None if self.pane == Pane::Terms => self.pane = Pane::Documents,
            None => self.pane = Pane::Terms,
        }
    }

    fn moved(&mut self, _workbench: &mut Workbench) {
        if let Some(reading) = &mut self.reading {
            reading.light();
        }
    }

    fn rearrange(&mut self, workbench: &mut Workbench) {
        match &mut self.reading {
            Some(reading) => reading.arrange(),
            None => self.read_anew(workbench),
        }
    }

    fn sheet(&self) -> Option<ExportTable> {
        match (&self.reading, self.pane) {
            (Some(reading), _) => self.words_sheet(reading),
            (None, Pane::Documents) => Some(self.documents_sheet()),
            (None, Pane::Terms) => Some(self.terms_sheet()),
        }
    }

    /// Of a document that is read, the passage with its source.
    fn text(&self, workbench: &Workbench) -> Option<String> {
        reading::cited(self, workbench)
    }

    /// Of a document that is read, its text.
    fn whole_text(&self) -> Option<String> {
        let reading = self.reading.as_ref().filter(|reading| !reading.shows_words())?;
        Some(reading.sheet.as_ref()?.text.clone())
    }

    /// Of a document that is read, the passage; of documents in a list, the selected one.
    fn noted(&self, workbench: &Workbench) -> Option<Selection> {
        let subject = self.subject();
        if let Some(reading) = &self.reading {
            let passage = reading.passage_in_sight(self.list_rows(workbench));
            return Some(Selection {
                passage: passage.filter(|_| !reading.shows_words()),
                ..subject
            });
        }
        let page = self.shown.as_ref().filter(|_| self.pane == Pane::Documents)?;
        let document = page.documents.get(self.documents.cursor).map(|document| document.id);
        Some(Selection { document, ..subject })
    }

    /// Of documents, all that the filter lets through.
    fn export(&self) -> Option<Source> {
        match &self.shown {
            Some(page) if self.reading.is_none() && self.pane == Pane::Documents => {
                Some(Source::Documents {
                    corpus: page.corpus.clone(),
                    filter: self.documents.filter.as_str().into(),
                    order: self.document_order(),
                })
            }
            _ => self.sheet().filter(|sheet| !sheet.rows.is_empty()).map(Source::ExportTable),
        }
    }

    fn subject(&self) -> Selection {
        let corpus_name = self.shown.as_ref().map(|page| page.corpus.name.clone());
        let document = self.reading.as_ref().map(|reading| reading.id);
        let is_in_terms = document.is_none() && self.pane == Pane::Terms;
        let term = self.shown.as_ref().filter(|_| is_in_terms);
        let term = term.and_then(|page| page.terms.get(self.terms.cursor));
        let term = term.map(|term| term.shown().to_string());
        Selection { corpus: self.id, corpus_name, document, term, ..Selection::default() }
    }

    /// Of documents read one after the other, the cursor is on the last.
    fn returned(&mut self, seen: &Selection) {
        let documents = self.shown.iter().flat_map(|page| &page.documents);
        let place = documents.into_iter().position(|document| Some(document.id) == seen.document);
        self.documents.cursor = place.unwrap_or(self.documents.cursor);
    }

    fn remember(&self) -> serde_json::Value {
        serde_json::json!({
            "corpus": self.id,
            "documents": left_list(&self.documents),
            "terms": left_list(&self.terms),
        })
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        self.id = left["corpus"]
            .as_i64()
            .map(CorpusId)
            .filter(|&id| previous.store.corpus_by_id(id).is_ok());
        restore_list(&left["documents"], &mut self.documents);
        restore_list(&left["terms"], &mut self.terms);
    }
}

//! What the palette asks the store: corpora, runs, topics and documents for what is typed.

use super::{EntryAction, PaletteEntry, fuzzy};
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screen::Selection;
use crate::tui::screens::{corpus, run};
use topoi_store::StoreError;
use topoi_store::corpus::document::{DocumentOrder, Page};
use topoi_store::id::{CorpusId, RunId};
use topoi_store::result::topic::Topic;
use topoi_store::run::RunStatus;

/// The most of a kind that are listed.
const MOST: usize = 20;
/// Words of a topic that are looked at.
const WORDS: usize = 40;
/// Words of a topic in its entry.
const SHOWN_WORDS: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteQuestion {
    pub typed: String,
    /// Whose documents and topics are meant.
    pub corpus: Option<CorpusId>,
    pub run: Option<RunId>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PaletteAnswer {
    pub entries: Vec<PaletteEntry>,
}

impl Question for PaletteQuestion {
    type Answer = PaletteAnswer;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<PaletteAnswer, StoreError> {
        let typed = self.typed.trim();
        if typed.is_empty() {
            return Ok(PaletteAnswer::default());
        }
        let mut entries = self.corpora(asking)?;
        entries.extend(self.runs(asking));
        entries.extend(self.topics(asking)?);
        entries.extend(self.documents(asking)?);
        Ok(PaletteAnswer { entries })
    }
}

fn open(of: &str, words: String, to: &'static str, subject: Selection) -> PaletteEntry {
    PaletteEntry {
        of: of.into(),
        words,
        key: "",
        does: EntryAction::Open { to, subject: subject.into() },
    }
}

impl PaletteQuestion {
    fn best(&self, mut entries: Vec<PaletteEntry>) -> Vec<PaletteEntry> {
        entries.retain(|entry| entry.score(&self.typed).is_some());
        entries.sort_by_key(|entry| entry.score(&self.typed).map(|score| -score));
        entries.truncate(MOST);
        entries
    }

    fn corpora(&self, asking: &QuestionContext<'_>) -> Result<Vec<PaletteEntry>, StoreError> {
        let entry = |corpus: topoi_store::corpus::Corpus| {
            let subject = Selection { corpus: Some(corpus.id), ..Selection::default() };
            open(
                "corpus",
                format!("{}, {} documents", corpus.name, corpus.documents),
                corpus::NAME,
                subject,
            )
        };
        Ok(self.best(asking.store.corpora()?.into_iter().map(entry).collect()))
    }

    fn runs(&self, asking: &QuestionContext<'_>) -> Vec<PaletteEntry> {
        let entry = |run: &topoi_store::run::Run| {
            let subject = Selection { run: Some(run.id), ..Selection::default() };
            let words = format!("run {}, {} k {} of {}", run.id, run.model, run.k, run.corpus);
            open("run", words, run::NAME, subject)
        };
        self.best(asking.runs.iter().map(entry).collect())
    }

    /// Topics of the open run, else of the newest one that has some.
    fn topics(&self, asking: &mut QuestionContext<'_>) -> Result<Vec<PaletteEntry>, StoreError> {
        let is_meant = |run: &&topoi_store::run::Run| match self.run {
            Some(id) => run.id == id,
            None => run.status == RunStatus::Finished,
        };
        let Some(run) = asking.runs.iter().find(is_meant) else { return Ok(Vec::new()) };
        let topics = asking.cache.topics(asking.store, run, WORDS)?;
        let entry = |topic: &Topic| {
            let subject =
                Selection { run: Some(run.id), topic: Some(topic.topic), ..Selection::default() };
            let words = words(topic, &self.typed);
            open(
                "topic",
                format!("topic {} of run {}: {words}", topic.topic, run.id),
                run::NAME,
                subject,
            )
        };
        Ok(self.best(topics.iter().map(entry).collect()))
    }

    fn documents(&self, asking: &QuestionContext<'_>) -> Result<Vec<PaletteEntry>, StoreError> {
        let store = asking.store;
        let corpora = store.corpora()?;
        let is_meant = |corpus: &&topoi_store::corpus::Corpus| match self.corpus {
            Some(id) => corpus.id == id,
            None => true,
        };
        let Some(corpus) = corpora.iter().find(is_meant) else { return Ok(Vec::new()) };
        let (order, typed) = (DocumentOrder::default(), self.typed.trim());
        let found = store.documents_matching(corpus.id, typed, order, Page::First, MOST)?;
        let entry = |document: topoi_store::corpus::document::Document| {
            let (corpus_id, id) = (Some(corpus.id), Some(document.id));
            let subject = Selection {
                corpus: corpus_id,
                document: id,
                run: self.run,
                ..Selection::default()
            };
            let title = document.title.map(|title| format!(" {title}")).unwrap_or_default();
            open("document", format!("{}{title}", document.key), corpus::NAME, subject)
        };
        Ok(found.into_iter().map(entry).collect())
    }
}

/// The name of a topic and its first words, with those that were typed among them.
fn words(topic: &Topic, typed: &str) -> String {
    let typed: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let is_typed = |word: &str| typed.iter().any(|typed| fuzzy::score(typed, word).is_some());
    let all = topic.words.iter().map(|word| word.word.as_str()).enumerate();
    let shown = all.filter(|(place, word)| *place < SHOWN_WORDS || is_typed(word));
    let words: Vec<&str> =
        topic.label.iter().map(String::as_str).chain(shown.map(|(_, word)| word)).collect();
    words.join(" ")
}

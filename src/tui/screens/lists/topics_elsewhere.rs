//! The topics of a run in the documents of another corpus.

use crate::records::column::Column;
use crate::records::topics_elsewhere::{TopicInBoth, columns, names, rows};
use crate::tui::keymap::{Action, BACK, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{run, two_corpora};
use crate::tui::workbench::Workbench;
use topoi_core::numbers::{counted, thousands};
use topoi_run::saved::infer::{CorpusInference, Inference, infer_corpus};
use topoi_run::work::work_error::WorkError;
use topoi_store::corpus::Corpus;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

pub const NAME: &str = "Topics elsewhere";

const OTHER_RUN: Action = Action::Own("other run");

/// At most this many documents of the other corpus are read, at equal distances: the standard error of a share is then
/// below 0.004.
const DOCUMENTS: u64 = 20_000;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopicsElsewhere {
    /// How many runs of the corpus further back than the one that is open, or the newest.
    further: usize,
}

/// What is read, and how much of it the run knows.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    run: Run,
    there: Corpus,
    /// `None` where the run cannot say what a document is about.
    found: Option<CorpusInference>,
}

impl ListSpec for TopicsElsewhere {
    /// `None` where the corpus has no finished run.
    type About = Option<About>;
    type Row = TopicInBoth;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Topics elsewhere: the topics of a run in another corpus";
    const FILE: &'static str = "topics-elsewhere";
    const NOTHING: &'static str = "No corpora were chosen: t on the screen of two corpora.";
    const EMPTY: &'static str = "No run of the first corpus can say what the documents of the second are about: n makes one.";
    const BACK: Back = Some(|_| two_corpora::NAME);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.other_corpus.is_some();
    const COLUMNS: fn() -> Vec<Column<TopicInBoth>> = columns;
    const ROWS_ABOVE: u16 = 2;
    const ABOVE: fn(&Listing<Self>) -> String =
        |listing| listing.about.as_ref().map(about).unwrap_or_default();
    const KEYS: &'static Keys = &Keys::new(
        "Topics in another corpus",
        &[
            enter("open", "the topic in its run"),
            key(&["R"], OTHER_RUN, "other run", "the topics of the next run of the corpus"),
            BACK,
        ],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let (Some(one), Some(other)) = (asked.of.corpus, asked.of.other_corpus) else {
            return Ok(None);
        };
        let is_finished = |run: &&Run| run.corpus_id == one && run.status == RunStatus::Finished;
        let runs: Vec<&Run> = asking.runs.iter().filter(is_finished).collect();
        let open = runs.iter().position(|run| Some(run.id) == asked.of.run).unwrap_or(0);
        let Some(&run) = runs.get((open + asked.spec.further) % runs.len().max(1)) else {
            return Ok(Some(Listing { about: None, rows: Vec::new() }));
        };
        let (store, there) = (asking.store, asking.store.corpus_by_id(other)?);
        let names = names(store, run.id)?;
        let of_run = Selection { run: Some(run.id), ..asked.of.clone() };
        let asked = ListQuestion { spec: Self::default(), of: of_run };
        let version = store.documents_version()?;
        let found =
            asking.cache.answered(&asked, &there, version, || inferred(store, run, &there))?;
        let known = found.as_ref().filter(|found| found.documents.0 > 0);
        let shares = known.map(|found| found.topics.clone()).unwrap_or_default();
        let about = About { run: run.clone(), there, found };
        Ok(Some(Listing { about: Some(about), rows: rows(run.id, shares, &names) }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        let about = listing.and_then(|listing| listing.about.as_ref());
        about.map_or_else(
            || "The topics of a run in another corpus".into(),
            |about| {
                let About { run, there, .. } = about;
                format!("The topics of run {} of {} in {}", run.id, run.corpus, there.name)
            },
        )
    }

    fn follow(
        row: &Self::Row,
        _shown: &[&Self::Row],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        let (run, topic) = (Some(row.run), Some(row.shares.topic));
        let view = Some(run::RunView::Topic.name().1);
        (run::NAME, Selection { run, topic, view, ..Selection::default() })
    }

    fn act(&mut self, action: Action, _: Option<&Self::Row>, _: &mut Workbench) -> bool {
        self.further += usize::from(action == OTHER_RUN);
        action == OTHER_RUN
    }

    fn crumb(listing: Option<&Listing<Self>>) -> Option<String> {
        Some(format!("topics in {}", listing?.about.as_ref()?.there.name))
    }
}

/// The topics in the documents of a corpus; `None` where the run has not what it takes.
fn inferred(
    store: &Store,
    run: &Run,
    there: &Corpus,
) -> Result<Option<CorpusInference>, StoreError> {
    let every = there.documents.div_ceil(DOCUMENTS).max(1);
    match Inference::from_run(store, run) {
        Ok(inference) => infer_corpus(store, &inference, run, there, every).map(Some),
        Err(WorkError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// What was read, and how much of it the run knows.
fn about(about: &About) -> String {
    let About { run, there, found: Some(found) } = about else { return String::new() };
    let (with, without) = found.documents;
    let (known, unknown) = found.tokens;
    let read = match with + without < there.documents {
        true => {
            format!("{} of {}", thousands(with + without), counted(there.documents, "document"))
        }
        false => counted(there.documents, "document"),
    };
    format!(
        "Shares here are of {}, there of {read} of {}; {:.0}% of the tokens are words of the run.",
        run.corpus,
        there.name,
        100.0 * known as f64 / (known + unknown).max(1) as f64
    )
}

//! A topic of a run as the other runs of its corpus have it.

use crate::records::{column::Column, topics};
use crate::tui::keymap::{BACK, Keys, enter};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{run, run::question::WORDS, run_or_runs};
use topoi_run::request::RunSettings;
use topoi_run::saved::same_topic::{TopicElsewhere, in_other_runs};
use topoi_store::result::topic::Topic;
use topoi_store::run::{Run, RunStatus};

pub const NAME: &str = "Same topic";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SameTopic;

impl ListSpec for SameTopic {
    /// The topic, and the name of its corpus.
    type About = (Topic, String);
    type Row = TopicElsewhere;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Same topic: a topic in other runs";
    const FILE: &'static str = "same-topic";
    const NOTHING: &'static str = "No topic was chosen: R while a topic is read.";
    const EMPTY: &'static str = "No other finished run of this corpus has any of its words.";
    const BACK: Back = Some(run_or_runs);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.topic.is_some();
    const COLUMNS: fn() -> Vec<Column<TopicElsewhere>> = topics::elsewhere;
    const KEYS: &'static Keys = &Keys::new(
        "The same topic in other runs",
        &[enter("open", "the topic in the other run, which is opened"), BACK],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let (store, cache) = (asking.store, &mut *asking.cache);
        let run = asking.runs.iter().find(|run| Some(run.id) == asked.of.run);
        let Some(run) = run else { return Ok(None) };
        let mut topics = cache.topics(store, run, WORDS)?.into_iter();
        let Some(topic) = topics.find(|it| Some(it.topic) == asked.of.topic) else {
            return Ok(None);
        };
        let is_other = |other: &&Run| {
            other.corpus_id == run.corpus_id
                && other.id != run.id
                && other.status == RunStatus::Finished
                && !RunSettings::is_half(other)
        };
        let others = asking.runs.iter().filter(is_other);
        let read = |other: &Run| cache.topics(store, other, WORDS);
        let rows = in_other_runs(store, run.corpus_id, &topic, others, read)?;
        Ok(Some(Listing { about: (topic, run.corpus.clone()), rows }))
    }

    fn title(of: &Selection, listing: Option<&Listing<Self>>) -> String {
        let Some(Listing { about: (topic, corpus), .. }) = listing else {
            return "A topic in other runs".into();
        };
        let words: Vec<&str> = topic.words.iter().take(3).map(|word| word.word.as_str()).collect();
        let name = topic.label.clone().unwrap_or_else(|| words.join(" "));
        let run = of.run.unwrap_or_default();
        format!("Topic {} of run {run}, {name}, in the other runs of {corpus}", topic.topic)
    }

    fn follow(
        row: &Self::Row,
        _shown: &[&Self::Row],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        let (run, topic) = (Some(row.run.id), Some(row.topic.topic));
        let view = Some(run::RunView::Topic.name().1);
        (run::NAME, Selection { run, topic, view, ..Selection::default() })
    }

    fn crumb(_listing: Option<&Listing<Self>>) -> Option<String> {
        Some("in other runs".into())
    }
}

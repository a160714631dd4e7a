//! Changes of vocabulary, topics and labels between a run and the run that it was updated from.

use std::collections::BTreeSet;

use super::news::{NearestTopic, News, TopicNews};
use crate::request::RunRequest;
use crate::request::start::{ALIKE, directions_of, matches, topic_cosines, topics_of};
use crate::work::work_error::WorkError;
use topoi_core::model::topic_model::TopicLabel;
use topoi_core::numbers::{counted, thousands};
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// An updated run compared with the run it was updated from.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Changes {
    /// The earlier run.
    pub from: RunId,
    /// Terms that are only in the vocabulary of the updated run.
    pub terms_new: u64,
    /// Terms that are only in the vocabulary of the earlier run.
    pub terms_gone: u64,
    /// The topics of the updated run, by number.
    pub topics: Vec<TopicChange>,
    /// Topics that came and went with the added documents.
    pub news: News,
    /// Labels taken over from the earlier run.
    pub labels_carried: Vec<CarriedLabel>,
    /// Labels of the earlier run that no topic has.
    pub labels_lost: Vec<LostLabel>,
}

/// A topic and the earlier topic that it is matched with.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TopicChange {
    pub topic: TopicNumber,
    /// Number of the earlier topic; `None` for an unmatched topic.
    pub earlier: Option<TopicNumber>,
    /// The cosine of their probabilities.
    pub cosine: Option<f64>,
    /// Whether the earlier topic has the same number and is alike.
    pub is_same: bool,
}

/// A label that a topic has kept.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CarriedLabel {
    pub topic: TopicNumber,
    pub label: String,
}

/// A label of the earlier run that no topic has.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LostLabel {
    /// The number of the earlier topic.
    pub topic: TopicNumber,
    /// Its label.
    pub label: String,
    /// The most similar topic of the updated run.
    pub nearest: TopicNumber,
    /// The cosine of their probabilities.
    pub cosine: f64,
}

/// Words and documents that are named in a sentence.
const NAMED: usize = 5;
/// The cosine with an earlier topic from which on a new one is said to have split from it.
const SPLIT: f64 = 0.5;
/// Share of unknown tokens that is worth a sentence.
const MUCH_UNKNOWN: f64 = 0.05;

fn and_more(all: usize) -> String {
    match all.saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

impl Changes {
    /// The changes in `run`; `None` if it is unfinished, not updated from another, or the earlier run was deleted.
    pub fn from_run(store: &Store, run: &Run) -> Result<Option<Self>, WorkError> {
        let Some(from) = updated_from(run)? else { return Ok(None) };
        let before = match store.run(from) {
            Err(StoreError::UnknownRun(_)) => return Ok(None),
            found => found?,
        };
        let terms = |run: &Run| -> Result<Vec<TermId>, StoreError> {
            let vocabulary = run.vocabulary_id.map(|id| store.vocabulary(id)).transpose()?;
            Ok(vocabulary.map(|found| found.term_ids).unwrap_or_default())
        };
        let now = terms(run)?;
        let (has, had): (BTreeSet<TermId>, BTreeSet<TermId>) =
            (now.iter().copied().collect(), terms(&before)?.into_iter().collect());
        let earlier = directions_of(store, run.id, from, &now)?;
        let cosines = topic_cosines(&earlier, &topics_of(store, run.id, run.id, &now)?);
        let mut changes = Self {
            from,
            terms_new: has.difference(&had).count() as u64,
            terms_gone: had.difference(&has).count() as u64,
            topics: (0..cosines.ncols()).map(TopicNumber::from_index).map(unmatched).collect(),
            news: News::from_run(store, run.id)?,
            labels_carried: Vec::new(),
            labels_lost: Vec::new(),
        };
        for added in &mut changes.news.topics_added {
            let Some(of_it) = cosines.columns().into_iter().nth(added.topic.index()) else {
                continue;
            };
            let of_it = of_it.into_iter().zip((0..).map(TopicNumber));
            let largest = of_it.max_by(|a, b| a.0.total_cmp(b.0));
            added.nearest = largest.map(|(&cosine, topic)| NearestTopic { topic, cosine });
        }
        for (earlier, topic) in matches(&cosines).into_iter().enumerate() {
            let Some(topic) = topic else { continue };
            let cosine = cosines[(earlier, topic)];
            let change = &mut changes.topics[topic];
            (change.earlier, change.cosine) =
                (Some(TopicNumber::from_index(earlier)), Some(cosine));
            change.is_same = earlier == topic && cosine >= ALIKE;
        }
        let labels = store.topic_labels(run.id)?;
        for (topic, label) in store.topic_labels(from)?.into_iter().enumerate() {
            let Some(label) = label.map(|label| label.text) else { continue };
            let is_label =
                |now: &Option<TopicLabel>| now.as_ref().is_some_and(|now| now.text == label);
            if labels.get(topic).is_some_and(is_label) {
                changes
                    .labels_carried
                    .push(CarriedLabel { topic: TopicNumber::from_index(topic), label });
                continue;
            }
            // A user has given it to another topic since.
            if labels.iter().any(is_label) {
                continue;
            }
            let of_it = cosines.row(topic).into_iter().copied().zip((0..).map(TopicNumber));
            let nearest = of_it.reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((cosine, nearest)) = nearest else { continue };
            changes.labels_lost.push(LostLabel {
                topic: TopicNumber::from_index(topic),
                label,
                nearest,
                cosine,
            });
        }
        Ok(Some(changes))
    }

    /// The changes of the vocabulary in words.
    pub fn vocabulary_in_words(&self) -> String {
        format!(
            "vocabulary: {} new, {} no longer among the best",
            counted(self.terms_new, "term"),
            thousands(self.terms_gone)
        )
    }

    /// The number of topics that are the same, in words.
    pub fn topics_in_words(&self) -> String {
        format!(
            "topics: {} of {} are what they were under the same number in run {}",
            self.topics.iter().filter(|topic| topic.is_same).count(),
            self.topics.len() - self.news.topics_added.len(),
            self.from
        )
    }

    /// The topics that came and went, a sentence each; `name` tells a topic from its number.
    pub fn news_in_words(&self, name: impl Fn(TopicNumber) -> String) -> Vec<String> {
        let share = |share: f64| format!("{:.1}%", 100.0 * share);
        let of_lists = [
            (&self.news.topics_added, "is new"),
            (&self.news.topics_faded, "fades"),
            (&self.news.topics_back, "is back"),
        ];
        let sentence = |news: &TopicNews, what| {
            let (added, all) = (share(news.added_share), share(news.document_share));
            let name = name(news.topic);
            let split = news.nearest.filter(|nearest| nearest.cosine >= SPLIT).map(|nearest| {
                format!("; it split from topic {} (cosine {:.2})", nearest.topic, nearest.cosine)
            });
            format!(
                "topic {name} {what}: {added} of the documents added of late, {all} of all{}",
                split.unwrap_or_default()
            )
        };
        let of_list = |(list, what): (&Vec<TopicNews>, &'static str)| {
            list.iter().map(|news| sentence(news, what)).collect::<Vec<_>>()
        };
        let mut sentences: Vec<String> = of_lists.into_iter().flat_map(of_list).collect();
        let News { rising_words, unknown_share, unexplained_share, unexplained_documents, .. } =
            &self.news;
        if !rising_words.is_empty() {
            let first = rising_words.iter().take(NAMED);
            let first: Vec<String> = first
                .map(|word| format!("{} {}/{}", word.word, word.added, word.earlier))
                .collect();
            sentences.push(format!(
                "rising words (added documents with them/earlier ones): {}{}",
                first.join(", "),
                and_more(rising_words.len())
            ));
        }
        if let Some(unknown) = unknown_share.filter(|share| *share >= MUCH_UNKNOWN) {
            let unknown = share(unknown);
            sentences.push(format!("{unknown} of the added tokens were not in the vocabulary"));
        }
        if let Some(unexplained) = unexplained_share.filter(|share| *share > 0.0) {
            let first = unexplained_documents.iter().take(NAMED);
            let first: Vec<&str> = first.map(|document| document.key.as_str()).collect();
            sentences.push(format!(
                "the topics before explain {} of the added documents worse than the frequencies of words do: {}{}",
                share(unexplained),
                first.join(", "),
                and_more(unexplained_documents.len())
            ));
        }
        sentences
    }

    /// A lost label and the nearest topic, in words.
    pub fn lost_label_in_words(
        &self,
        LostLabel { topic, label, nearest, cosine }: &LostLabel,
    ) -> String {
        format!(
            "the label {label:?} of topic {topic} of run {} is not carried: the topic that is most like it, {nearest}, \
             has cosine {cosine:.2}, and {ALIKE} is the least",
            self.from
        )
    }
}

/// The run that a finished run was updated from.
pub fn updated_from(run: &Run) -> Result<Option<RunId>, WorkError> {
    let settings = RunRequest::from_run(run)?.settings;
    let start = settings.start.filter(|_| settings.keeps_numbers);
    Ok(start.filter(|_| run.status == RunStatus::Finished))
}

fn unmatched(topic: TopicNumber) -> TopicChange {
    TopicChange { topic, earlier: None, cosine: None, is_same: false }
}

//! Changes by edits: the words that topics gain and lose, their shares and their coherence.

use ndarray::{Array1, ArrayView1};
use rayon::prelude::*;

use super::base::Base;
use super::outline::{Part, TopicPlan};
use super::shaper::Shaped;
use crate::metric::anchors::mst_incoherence::joint_npmi;
use crate::metric::words::top_words::top_words;

/// Top words of a topic that are compared.
pub const WORDS: usize = 10;

/// A topic before and after edits.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicEffect {
    /// Its number in the list of edits.
    pub topic: usize,
    /// How it changed.
    pub change: TopicChange,
    /// The label a person gave it.
    pub label: Option<String>,
    /// Its anchors; words that are anchors together are joined by a plus.
    pub anchors: Vec<String>,
    /// Before the edits; `None` for a new topic.
    pub before: Option<TopicSnapshot>,
    /// After the edits; `None` for a removed topic.
    pub after: Option<TopicSnapshot>,
    /// Top words that it did not have before.
    pub gained: Vec<String>,
    /// Top words that it no longer has.
    pub lost: Vec<String>,
}

/// A topic before or after edits.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicSnapshot {
    /// p(topic).
    pub share: f64,
    /// Mean NPMI of the pairs of its ten top words, from the co-occurrence of tokens in Y; `None`
    /// for topics without anchors, which have no Y.
    pub npmi: Option<f64>,
    /// Its most probable words, most probable first.
    pub words: Vec<String>,
}

/// How edits changed a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopicChange {
    /// Same anchors and same top words.
    Same,
    /// Same anchors, other top words.
    Moved,
    /// Other anchors, or made from other topics.
    Changed,
    /// Pinned: keeps its words.
    Pinned,
    /// Not there before.
    New,
    /// Dropped or merged into another.
    Gone,
}

impl TopicChange {
    /// The change in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Pinned => "pinned",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }
}

/// The change of every topic before or after the edits, by topic number.
pub fn effect(base: &Base, before: &Shaped, after: &Shaped) -> Vec<TopicEffect> {
    let (all_before, all_after) = (snapshots(base, before), snapshots(base, after));
    let place = |shaped: &Shaped, number: usize| {
        shaped.outline.topics.iter().position(|topic| topic.number == number)
    };
    let of_number = |number: usize| -> Option<TopicEffect> {
        let (had, has) = (place(before, number), place(after, number));
        let plan =
            |shaped: &Shaped, at: Option<usize>| at.map(|at| shaped.outline.topics[at].clone());
        let (old, new) = (plan(before, had), plan(after, has));
        let (mut was, is) =
            (had.map(|at| all_before[at].clone()), has.map(|at| all_after[at].clone()));
        if was.is_some() && new.as_ref().is_some_and(|new| new.pinned) {
            was = finished(base, number).or(was);
        }
        let words = |seen: &Option<TopicSnapshot>| {
            seen.as_ref().map_or(Vec::new(), |seen| seen.words.clone())
        };
        let without = |some: Vec<String>, others: Vec<String>| -> Vec<String> {
            some.into_iter().filter(|word| !others.contains(word)).collect()
        };
        let shown = new.as_ref().or(old.as_ref())?;
        Some(TopicEffect {
            topic: number,
            change: change(old.as_ref(), new.as_ref(), words(&was) == words(&is)),
            label: shown.label.clone(),
            anchors: anchors(base, shown),
            gained: without(words(&is), words(&was)),
            lost: without(words(&was), words(&is)),
            before: was,
            after: is,
        })
    };
    (0..before.outline.next.max(after.outline.next)).filter_map(of_number).collect()
}

fn change(old: Option<&TopicPlan>, new: Option<&TopicPlan>, same_words: bool) -> TopicChange {
    match (old, new) {
        (None, _) => TopicChange::New,
        (_, None) => TopicChange::Gone,
        (Some(old), Some(new)) if old.parts != new.parts => TopicChange::Changed,
        (_, Some(new)) if new.pinned => TopicChange::Pinned,
        _ if same_words => TopicChange::Same,
        _ => TopicChange::Moved,
    }
}

fn anchors(base: &Base, topic: &TopicPlan) -> Vec<String> {
    let text = |part: &Part| match part {
        Part::Anchor(anchor) => base.texts(anchor).join("+"),
        Part::Topic(number) => number.to_string(),
    };
    topic.parts.iter().map(text).collect()
}

fn snapshots(base: &Base, shaped: &Shaped) -> Vec<TopicSnapshot> {
    let p = probabilities(base);
    // One row for each topic, because its words are visited several times.
    let topics = shaped.topics.topics.t().as_standard_layout().into_owned();
    let of_topic =
        |at: usize| snapshot(base, p.as_ref(), topics.row(at), shaped.topics.weights[at]);
    (0..topics.nrows()).into_par_iter().map(of_topic).collect()
}

/// The topic as saved by the run; pinned topics keep that form.
fn finished(base: &Base, topic: usize) -> Option<TopicSnapshot> {
    let p = probabilities(base);
    let share = *base.weights.get(topic)?;
    Some(snapshot(base, p.as_ref(), base.topics.column(topic), share))
}

fn probabilities(base: &Base) -> Option<Array1<f64>> {
    base.factor.as_ref().map(|factor| {
        let d = factor.compressed.probabilities();
        d / d.sum()
    })
}

fn snapshot(
    base: &Base,
    p: Option<&Array1<f64>>,
    topic: ArrayView1<'_, f64>,
    share: f64,
) -> TopicSnapshot {
    let words = top_words(topic, WORDS);
    TopicSnapshot {
        share,
        npmi: p.map(|p| npmi(base, p.view(), &words)),
        words: words.iter().map(|&word| base.words[word].clone()).collect(),
    }
}

/// The mean NPMI of the pairs of `words`; `p` are word probabilities.
fn npmi(base: &Base, p: ArrayView1<'_, f64>, words: &[usize]) -> f64 {
    let Some(factor) = &base.factor else { return f64::NAN };
    let total = factor.compressed.probabilities().sum();
    let (mut sum, mut pairs) = (0.0, 0);
    for (at, &i) in words.iter().enumerate() {
        for &j in &words[at + 1..] {
            sum += joint_npmi(factor.compressed.joint(i, j) / total, p[i] * p[j]);
            pairs += 1;
        }
    }
    sum / f64::from(pairs.max(1))
}

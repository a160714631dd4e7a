//! What edits change: the words that topics gain and lose, their shares and their coherence.

use ndarray::{Array1, ArrayView1};
use rayon::prelude::*;

use super::base::Base;
use super::outline::{Part, TopicPlan};
use super::shaper::Shaped;
use crate::metric::anchors::mst_incoherence::joint_npmi;
use crate::metric::words::top_words::top_words;

/// Words of a topic that are compared.
pub const WORDS: usize = 10;

/// A topic before and after edits.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicEffect {
    /// Its number among those of the list of edits.
    pub topic: usize,
    /// What became of it.
    pub fate: Fate,
    /// What a person called it.
    pub label: Option<String>,
    /// Its anchors, words that are taken together with a plus.
    pub anchors: Vec<String>,
    /// Before; `None` for a new topic.
    pub before: Option<Seen>,
    /// After; `None` for one that is gone.
    pub after: Option<Seen>,
    /// Its first words that it did not have.
    pub gained: Vec<String>,
    /// The first words it had and has no more.
    pub lost: Vec<String>,
}

/// A topic at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// p(topic).
    pub share: f64,
    /// The mean NPMI of two of its first ten words, from the co-occurrence of tokens that Y has; `None`
    /// for topics without anchors, of which there is no Y.
    pub npmi: Option<f64>,
    /// Its most probable words, the most probable first.
    pub words: Vec<String>,
}

/// What became of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It has the anchors it had, and its first words.
    Same,
    /// It has the anchors it had, and other words.
    Moved,
    /// It has other anchors, or is made of other topics.
    Changed,
    /// It holds the words it has.
    Pinned,
    /// It was not there before.
    New,
    /// It was dropped or merged into another.
    Gone,
}

impl Fate {
    /// In a word.
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

/// Every topic that is there before or after, in the order of their numbers.
pub fn effect(base: &Base, before: &Shaped, after: &Shaped) -> Vec<TopicEffect> {
    let (all_before, all_after) = (seen(base, before), seen(base, after));
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
        let words =
            |seen: &Option<Seen>| seen.as_ref().map_or(Vec::new(), |seen| seen.words.clone());
        let without = |some: Vec<String>, others: Vec<String>| -> Vec<String> {
            some.into_iter().filter(|word| !others.contains(word)).collect()
        };
        let shown = new.as_ref().or(old.as_ref())?;
        Some(TopicEffect {
            topic: number,
            fate: fate(old.as_ref(), new.as_ref(), words(&was) == words(&is)),
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

fn fate(old: Option<&TopicPlan>, new: Option<&TopicPlan>, same_words: bool) -> Fate {
    match (old, new) {
        (None, _) => Fate::New,
        (_, None) => Fate::Gone,
        (Some(old), Some(new)) if old.parts != new.parts => Fate::Changed,
        (_, Some(new)) if new.pinned => Fate::Pinned,
        _ if same_words => Fate::Same,
        _ => Fate::Moved,
    }
}

fn anchors(base: &Base, topic: &TopicPlan) -> Vec<String> {
    let text = |part: &Part| match part {
        Part::Anchor(anchor) => base.texts(anchor).join("+"),
        Part::Topic(number) => number.to_string(),
    };
    topic.parts.iter().map(text).collect()
}

fn seen(base: &Base, shaped: &Shaped) -> Vec<Seen> {
    let p = probabilities(base);
    // A topic a row: its words are gone through several times.
    let topics = shaped.topics.topics.t().as_standard_layout().into_owned();
    let of_topic =
        |at: usize| of_words(base, p.as_ref(), topics.row(at), shaped.topics.weights[at]);
    (0..topics.nrows()).into_par_iter().map(of_topic).collect()
}

/// A topic as the run has it, which is how a pinned one stays.
fn finished(base: &Base, topic: usize) -> Option<Seen> {
    let p = probabilities(base);
    let share = *base.weights.get(topic)?;
    Some(of_words(base, p.as_ref(), base.topics.column(topic), share))
}

fn probabilities(base: &Base) -> Option<Array1<f64>> {
    base.factor.as_ref().map(|factor| {
        let d = factor.compressed.probabilities();
        d / d.sum()
    })
}

fn of_words(base: &Base, p: Option<&Array1<f64>>, topic: ArrayView1<'_, f64>, share: f64) -> Seen {
    let words = top_words(topic, WORDS);
    Seen {
        share,
        npmi: p.map(|p| npmi(base, p.view(), &words)),
        words: words.iter().map(|&word| base.words[word].clone()).collect(),
    }
}

/// The mean NPMI of two of `words`, of which `p` is the probability.
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

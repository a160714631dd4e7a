//! From edits to topics.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use super::aside::Kept;
use super::base::{Base, Factor};
use super::edits::Edits;
use super::error::ShapeError;
use super::outline::{Outline, Part, TopicPlan};
use crate::model::jsmf::AnchorTopics;
use crate::model::jsmf::compressed::{Anchor, Held};
use crate::model::jsmf::law::words_alone;
use crate::model::topics::Topics;

/// Topics that edits make.
#[derive(Debug, Clone)]
pub struct Shaped {
    /// Which there are.
    pub outline: Outline,
    /// Their words, shares and correlations; column i is topic i of the outline. No topic has a word that
    /// is forbidden.
    pub topics: Topics,
    /// The columns of topics that are pinned.
    pub held: Vec<usize>,
    /// The worst KKT gap of the least squares; 0 where there are none.
    pub worst_gap: f64,
}

/// Makes topics of one list of edits after another, each from where the last ended.
#[derive(Debug)]
pub struct Shaper {
    base: Base,
    last: Option<(Vec<Anchor>, Array2<f64>)>,
    /// Words that were forbidden last, and what anchors need without them.
    aside: Option<(BTreeSet<usize>, Factor)>,
}

impl Shaper {
    /// Shapes these topics.
    pub fn new(base: Base) -> Self {
        Self { base, last: None, aside: None }
    }

    /// What is shaped.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The topics that `edits` make. The first list after [`Self::new`] always gives the same bits; later
    /// ones differ from them by rounding, as they start from the mixtures before.
    ///
    /// # Cost
    /// That of [`crate::model::jsmf::compressed::Compressed::mixtures`]; a split that is not told its words,
    /// and a forbidden anchor, 2·W·K² flops more; for words that were not forbidden before 8·W·K².
    ///
    /// # Errors
    /// [`ShapeError`]; then nothing is changed.
    pub fn shape(&mut self, edits: &Edits) -> Result<Shaped, ShapeError> {
        let outline = Outline::of(&self.base, edits)?;
        match self.base.factor {
            Some(_) => self.by_anchors(outline),
            None => summed(&self.base, outline),
        }
    }

    fn by_anchors(&mut self, outline: Outline) -> Result<Shaped, ShapeError> {
        let base = &self.base;
        let kept = Kept::of(base.words.len(), &outline.forbidden);
        let Factor { compressed, .. } = match kept.is_all() {
            true => base.factor()?,
            false => without(&mut self.aside, base, &outline.forbidden, &kept)?,
        };
        let (all_anchors, topic_of) = outline.anchors();
        let anchors: Vec<Anchor> = all_anchors.iter().map(|anchor| kept.anchor(anchor)).collect();
        let dependent = compressed.dependent(&anchors).map_err(|at| outline.apart(base, at))?;
        if let Some(place) = dependent {
            let (topic, words) = outline.named(base, place);
            return Err(ShapeError::Dependent { topic, words });
        }
        let held = held(base, compressed.probabilities(), &outline, &topic_of, &kept);
        let guess =
            self.last.as_ref().map(|(before, weights)| guess(before, weights, &all_anchors, &kept));
        let found =
            compressed.mixtures(&anchors, &held, guess).map_err(|at| outline.apart(base, at))?;
        let k = outline.topics.len();
        let mut topics_of_words = Array2::zeros((compressed.words(), k));
        for (mut sums, weights) in topics_of_words.rows_mut().into_iter().zip(found.weights.rows())
        {
            weights.iter().zip(&topic_of).for_each(|(weight, &topic)| sums[topic] += weight);
        }
        let (mut topics, weights) = AnchorTopics::bayes(&topics_of_words, &found.d);
        let held: Vec<usize> = pinned(&outline);
        for &column in &held {
            let own = base.topics.column(outline.topics[column].number).to_owned();
            topics.column_mut(column).assign(&without_forbidden(&own, &kept));
        }
        let alone = words_alone(&anchors).filter(|words| words.len() == k && held.is_empty());
        let correlations = compressed.correlations(&topics, alone.as_deref());
        self.last = Some((all_anchors, kept.spread(found.weights)));
        let first = |topic: &TopicPlan| match topic.parts.first() {
            Some(Part::Anchor(anchor)) => anchor.first().copied(),
            _ => None,
        };
        let topics = Topics {
            anchors: outline.topics.iter().map(first).collect(),
            topics: kept.spread(topics),
            topics_of_words: kept.spread(topics_of_words),
            weights,
            correlations: Some(correlations),
        };
        Ok(Shaped { outline, topics, held, worst_gap: found.worst_gap })
    }
}

impl Shaped {
    /// The words that are not forbidden, and the topics over these.
    pub fn over_kept(self) -> (Kept, Topics) {
        let kept = Kept::of(self.topics.topics.nrows(), &self.outline.forbidden);
        if kept.is_all() {
            return (kept, self.topics);
        }
        let topics = Topics {
            topics: kept.rows(&self.topics.topics),
            topics_of_words: kept.rows(&self.topics.topics_of_words),
            anchors: self.topics.anchors.map(|anchors| kept.anchor(&anchors)),
            ..self.topics
        };
        (kept, topics)
    }
}

/// What anchors need without the words that are forbidden, made when they are others than last.
fn without<'a>(
    aside: &'a mut Option<(BTreeSet<usize>, Factor)>,
    base: &Base,
    forbidden: &BTreeSet<usize>,
    kept: &Kept,
) -> Result<&'a Factor, ShapeError> {
    let found = match aside.take() {
        Some(found) if found.0 == *forbidden => found,
        _ => (forbidden.clone(), kept.factor(base.factor()?)),
    };
    Ok(&aside.insert(found).1)
}

/// p(word | topic) of the words that are kept, made to sum to 1 where one is not.
fn without_forbidden(topic: &Array1<f64>, kept: &Kept) -> Array1<f64> {
    if kept.is_all() {
        return topic.clone();
    }
    let own = kept.entries(topic);
    let sum = own.sum();
    own / sum
}

/// The columns that are pinned.
fn pinned(outline: &Outline) -> Vec<usize> {
    (0..outline.topics.len()).filter(|&column| outline.topics[column].pinned).collect()
}

/// The shares of words that pinned topics have, `p(topic) p(word | topic) / p(word)`.
fn held(
    base: &Base,
    d: &Array1<f64>,
    outline: &Outline,
    topic_of: &[usize],
    kept: &Kept,
) -> Vec<Held> {
    // Both probabilities are among the words that are kept.
    let total = d.sum()
        / if kept.is_all() { 1.0 } else { kept.rows(&base.topics).dot(&base.weights).sum() };
    let of_place = |(place, &topic): (usize, &usize)| {
        let plan = &outline.topics[topic];
        let shares = |number: usize| {
            let joint = &base.topics.column(number) * base.weights[number];
            &kept.entries(&joint) * total / d
        };
        // The parts of a topic that was merged have equal shares of it.
        plan.pinned.then(|| (place, shares(plan.number) / plan.parts.len() as f64))
    };
    topic_of.iter().enumerate().filter_map(of_place).collect()
}

/// Mixtures of `anchors` that begin with those `before`, where an anchor was one of theirs.
fn guess(before: &[Anchor], weights: &Array2<f64>, anchors: &[Anchor], kept: &Kept) -> Array2<f64> {
    let mut guess = Array2::zeros((kept.words().len(), anchors.len()));
    let from = |anchor: &Anchor| before.iter().position(|other| other == anchor);
    let columns: Vec<(usize, usize)> =
        (0..).zip(anchors).filter_map(|(to, anchor)| Some((to, from(anchor)?))).collect();
    for (mut row, &word) in guess.rows_mut().into_iter().zip(kept.words()) {
        columns.iter().for_each(|&(to, from)| row[to] = weights[(word, from)]);
    }
    guess
}

/// Topics that are sums of the base's.
fn summed(base: &Base, outline: Outline) -> Result<Shaped, ShapeError> {
    let mut own = base.topics.clone();
    let mut left: Array1<f64> = Array1::ones(own.ncols());
    for &word in &outline.forbidden {
        left -= &own.row(word);
        own.row_mut(word).fill(0.0);
    }
    let joint = &own * &base.weights.view().insert_axis(Axis(0));
    let (words, k) = (joint.nrows(), outline.topics.len());
    let (mut topics, mut weights) = (Array2::zeros((words, k)), Array1::zeros(k));
    for (column, topic) in outline.topics.iter().enumerate() {
        let mut sum = Array1::zeros(words);
        for part in &topic.parts {
            if let Part::Topic(number) = part {
                sum += &joint.column(*number);
                weights[column] += base.weights[*number] * left[*number];
            }
        }
        let total: f64 = sum.sum();
        // A topic without a share has words all the same.
        match (total > 0.0, &topic.parts[..]) {
            (false, [Part::Topic(number), ..]) => {
                let words: f64 = own.column(*number).sum();
                if words <= 0.0 {
                    return Err(ShapeError::Wordless { topic: topic.number });
                }
                sum.assign(&(&own.column(*number) / words));
            }
            _ => sum /= total,
        }
        topics.column_mut(column).assign(&sum);
    }
    weights.mapv_inplace(|weight: f64| weight.max(0.0));
    let total: f64 = weights.sum();
    weights.mapv_inplace(|weight| if total > 0.0 { weight / total } else { 1.0 / k as f64 });
    let (held, topics) = (pinned(&outline), Topics::without_anchors(topics, weights));
    Ok(Shaped { outline, topics, held, worst_gap: 0.0 })
}

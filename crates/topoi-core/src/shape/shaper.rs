//! Computes topics from edits.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use super::base::{Base, CoOccurrenceFactor};
use super::edits::Edits;
use super::error::ShapeError;
use super::kept_words::KeptWords;
use super::outline::{Outline, Part, TopicPlan};
use crate::model::jsmf::AnchorTopics;
use crate::model::jsmf::compressed::{Anchor, FixedShares};
use crate::model::jsmf::law::words_alone;
use crate::model::topics::Topics;

/// The topics after edits.
#[derive(Debug, Clone)]
pub struct Shaped {
    /// Their numbers and parts.
    pub outline: Outline,
    /// Their words, shares and correlations. Column i is topic i of the outline. Forbidden words
    /// have probability 0.
    pub topics: Topics,
    /// The columns of pinned topics.
    pub held: Vec<usize>,
    /// The worst KKT gap of the least squares; 0 for topics without anchors.
    pub worst_gap: f64,
}

/// Computes the topics of one list of edits after another. Each computation starts from the last
/// result.
#[derive(Debug)]
pub struct Shaper {
    base: Base,
    last: Option<(Vec<Anchor>, Array2<f64>)>,
    /// The last forbidden words, and the factorised co-occurrence without them.
    restricted: Option<(BTreeSet<usize>, CoOccurrenceFactor)>,
}

impl Shaper {
    /// A shaper of the topics of `base`.
    pub fn new(base: Base) -> Self {
        Self { base, last: None, restricted: None }
    }

    /// The topics that edits start from.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The topics after `edits`. The first list after [`Self::new`] always gives the same bits.
    /// Later lists differ by rounding, because they start from the last weights.
    ///
    /// # Cost
    /// That of [`crate::model::jsmf::compressed::CompressedCoOccurrence::mixtures`]. A split without words and
    /// a forbidden anchor take 2·W·K² flops more, newly forbidden words 8·W·K².
    ///
    /// # Errors
    /// Any [`ShapeError`]; then nothing is changed.
    pub fn shape(&mut self, edits: &Edits) -> Result<Shaped, ShapeError> {
        let outline = Outline::new(&self.base, edits)?;
        match self.base.factor {
            Some(_) => self.by_anchors(outline),
            None => summed(&self.base, outline),
        }
    }

    fn by_anchors(&mut self, outline: Outline) -> Result<Shaped, ShapeError> {
        let base = &self.base;
        let kept = KeptWords::new(base.words.len(), &outline.forbidden);
        let CoOccurrenceFactor { compressed, .. } = match kept.is_all() {
            true => base.factor()?,
            false => factor_without(&mut self.restricted, base, &outline.forbidden, &kept)?,
        };
        let (all_anchors, topic_of) = outline.anchors();
        let anchors: Vec<Anchor> = all_anchors.iter().map(|anchor| kept.anchor(anchor)).collect();
        let dependent = compressed
            .first_dependent_row(&anchors)
            .map_err(|at| outline.nothing_in_common(base, at))?;
        if let Some(place) = dependent {
            let (topic, words) = outline.describe_anchor(base, place);
            return Err(ShapeError::Dependent { topic, words });
        }
        let held = held(base, compressed.probabilities(), &outline, &topic_of, &kept);
        let guess =
            self.last.as_ref().map(|(before, weights)| guess(before, weights, &all_anchors, &kept));
        let found = compressed
            .mixtures(&anchors, &held, guess)
            .map_err(|at| outline.nothing_in_common(base, at))?;
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
        self.last = Some((all_anchors, kept.expand(found.weights)));
        let first = |topic: &TopicPlan| match topic.parts.first() {
            Some(Part::Anchor(anchor)) => anchor.first().copied(),
            _ => None,
        };
        let topics = Topics {
            anchors: outline.topics.iter().map(first).collect(),
            topics: kept.expand(topics),
            topics_of_words: kept.expand(topics_of_words),
            weights,
            correlations: Some(correlations),
        };
        Ok(Shaped { outline, topics, held, worst_gap: found.worst_gap })
    }
}

impl Shaped {
    /// The words that are not forbidden, and the topics over them.
    pub fn over_kept(self) -> (KeptWords, Topics) {
        let kept = KeptWords::new(self.topics.topics.nrows(), &self.outline.forbidden);
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

/// The factorised co-occurrence without the forbidden words; recomputed when these have changed.
fn factor_without<'a>(
    restricted: &'a mut Option<(BTreeSet<usize>, CoOccurrenceFactor)>,
    base: &Base,
    forbidden: &BTreeSet<usize>,
    kept: &KeptWords,
) -> Result<&'a CoOccurrenceFactor, ShapeError> {
    let found = match restricted.take() {
        Some(found) if found.0 == *forbidden => found,
        _ => (forbidden.clone(), kept.factor(base.factor()?)),
    };
    Ok(&restricted.insert(found).1)
}

/// p(word | topic) over the kept words, normalised where a word is forbidden.
fn without_forbidden(topic: &Array1<f64>, kept: &KeptWords) -> Array1<f64> {
    if kept.is_all() {
        return topic.clone();
    }
    let own = kept.entries(topic);
    let sum = own.sum();
    own / sum
}

/// The columns of pinned topics.
fn pinned(outline: &Outline) -> Vec<usize> {
    (0..outline.topics.len()).filter(|&column| outline.topics[column].pinned).collect()
}

/// For pinned topics, p(topic | word) = `p(topic) p(word | topic) / p(word)` of every kept word.
fn held(
    base: &Base,
    d: &Array1<f64>,
    outline: &Outline,
    topic_of: &[usize],
    kept: &KeptWords,
) -> Vec<FixedShares> {
    // Both probabilities are over the kept words.
    let total = d.sum()
        / if kept.is_all() { 1.0 } else { kept.rows(&base.topics).dot(&base.weights).sum() };
    let of_place = |(place, &topic): (usize, &usize)| {
        let plan = &outline.topics[topic];
        let shares = |number: usize| {
            let joint = &base.topics.column(number) * base.weights[number];
            &kept.entries(&joint) * total / d
        };
        // The parts of a merged topic get equal shares of it.
        plan.pinned.then(|| (place, shares(plan.number) / plan.parts.len() as f64))
    };
    topic_of.iter().enumerate().filter_map(of_place).collect()
}

/// Starting weights for `anchors`: those of the same anchors in `before`, 0 for new ones.
fn guess(
    before: &[Anchor],
    weights: &Array2<f64>,
    anchors: &[Anchor],
    kept: &KeptWords,
) -> Array2<f64> {
    let mut guess = Array2::zeros((kept.words().len(), anchors.len()));
    let from = |anchor: &Anchor| before.iter().position(|other| other == anchor);
    let columns: Vec<(usize, usize)> =
        (0..).zip(anchors).filter_map(|(to, anchor)| Some((to, from(anchor)?))).collect();
    for (mut row, &word) in guess.rows_mut().into_iter().zip(kept.words()) {
        columns.iter().for_each(|&(to, from)| row[to] = weights[(word, from)]);
    }
    guess
}

/// Topics that are sums of the run's topics.
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
        // A topic without a share still has words.
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

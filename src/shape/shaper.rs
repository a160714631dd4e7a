//! From edits to topics.

use ndarray::{Array1, Array2, Axis};

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
    /// Their words, shares and correlations; column i is topic i of the outline.
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
}

impl Shaper {
    /// Shapes these topics.
    pub fn new(base: Base) -> Self {
        Self { base, last: None }
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
    /// and a forbidden anchor, 2·W·K² flops more.
    ///
    /// # Errors
    /// [`ShapeError`]; then nothing is changed.
    pub fn shape(&mut self, edits: &Edits) -> Result<Shaped, ShapeError> {
        let outline = Outline::of(&self.base, edits)?;
        match self.base.factor {
            Some(_) => self.by_anchors(outline),
            None => Ok(summed(&self.base, outline)),
        }
    }

    fn by_anchors(&mut self, outline: Outline) -> Result<Shaped, ShapeError> {
        let base = &self.base;
        let Factor { compressed, .. } = base.factor()?;
        let (anchors, topic_of) = outline.anchors();
        let dependent = compressed.dependent(&anchors).map_err(|at| outline.apart(base, at))?;
        if let Some(place) = dependent {
            let (topic, words) = outline.named(base, place);
            return Err(ShapeError::Dependent { topic, words });
        }
        let held = held(base, compressed.probabilities(), &outline, &topic_of);
        let guess = self.last.as_ref().map(|(before, weights)| guess(before, weights, &anchors));
        let found =
            compressed.mixtures(&anchors, &held, guess).map_err(|at| outline.apart(base, at))?;
        let k = outline.topics.len();
        let mut topics_of_words = Array2::zeros((compressed.words(), k));
        for (column, &topic) in found.weights.columns().into_iter().zip(&topic_of) {
            let mut sum = topics_of_words.column_mut(topic);
            sum += &column;
        }
        let (mut topics, weights) = AnchorTopics::bayes(&topics_of_words, &found.d);
        let held: Vec<usize> = pinned(&outline);
        for &column in &held {
            let own = base.topics.column(outline.topics[column].number);
            topics.column_mut(column).assign(&own);
        }
        let alone = words_alone(&anchors).filter(|words| words.len() == k && held.is_empty());
        let correlations = compressed.correlations(&topics, alone.as_deref());
        self.last = Some((anchors, found.weights));
        let first = |topic: &TopicPlan| match topic.parts.first() {
            Some(Part::Anchor(anchor)) => anchor.first().copied(),
            _ => None,
        };
        let topics = Topics {
            anchors: outline.topics.iter().map(first).collect(),
            topics,
            topics_of_words,
            weights,
            correlations: Some(correlations),
        };
        Ok(Shaped { outline, topics, held, worst_gap: found.worst_gap })
    }
}

/// The columns that are pinned.
fn pinned(outline: &Outline) -> Vec<usize> {
    (0..outline.topics.len()).filter(|&column| outline.topics[column].pinned).collect()
}

/// The shares of words that pinned topics have, `p(topic) p(word | topic) / p(word)`.
fn held(base: &Base, d: &Array1<f64>, outline: &Outline, topic_of: &[usize]) -> Vec<Held> {
    let total = d.sum();
    let of_place = |(place, &topic): (usize, &usize)| {
        let plan = &outline.topics[topic];
        let shares = |number: usize| {
            let joint = &base.topics.column(number) * base.weights[number];
            &joint * total / d
        };
        // The parts of a topic that was merged have equal shares of it.
        plan.pinned.then(|| (place, shares(plan.number) / plan.parts.len() as f64))
    };
    topic_of.iter().enumerate().filter_map(of_place).collect()
}

/// Mixtures of `anchors` that begin with those `before`, where an anchor was one of theirs.
fn guess(before: &[Anchor], weights: &Array2<f64>, anchors: &[Anchor]) -> Array2<f64> {
    let mut guess = Array2::zeros((weights.nrows(), anchors.len()));
    for (mut column, anchor) in guess.columns_mut().into_iter().zip(anchors) {
        if let Some(from) = before.iter().position(|other| other == anchor) {
            column.assign(&weights.column(from));
        }
    }
    guess
}

/// Topics that are sums of the base's.
fn summed(base: &Base, outline: Outline) -> Shaped {
    let joint = &base.topics * &base.weights.view().insert_axis(Axis(0));
    let (words, k) = (joint.nrows(), outline.topics.len());
    let (mut topics, mut weights) = (Array2::zeros((words, k)), Array1::zeros(k));
    for (column, topic) in outline.topics.iter().enumerate() {
        let mut sum = Array1::zeros(words);
        for part in &topic.parts {
            if let Part::Topic(number) = part {
                sum += &joint.column(*number);
                weights[column] += base.weights[*number];
            }
        }
        let total: f64 = sum.sum();
        // A topic without a share has words all the same.
        match (total > 0.0, &topic.parts[..]) {
            (false, [Part::Topic(number), ..]) => sum.assign(&base.topics.column(*number)),
            _ => sum /= total,
        }
        topics.column_mut(column).assign(&sum);
    }
    let total: f64 = weights.sum();
    weights.mapv_inplace(|weight| if total > 0.0 { weight / total } else { 1.0 / k as f64 });
    let (held, topics) = (pinned(&outline), Topics::without_anchors(topics, weights));
    Shaped { outline, topics, held, worst_gap: 0.0 }
}

//! The topics after edits, and the parts of each.

use std::collections::BTreeSet;

use super::base::Base;
use super::edits::{Edit, Edits};
use super::error::ShapeError;
use crate::model::jsmf::compressed::{Anchor, NothingInCommon};

/// Words of a topic's neighbourhood that are candidates for splitting it.
const NEIGHBOURHOOD: usize = 40;

/// A part of a topic. A topic is the sum of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The topic of an anchor.
    Anchor(Anchor),
    /// A topic of the run, by number.
    Topic(usize),
}

/// The composition of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicPlan {
    /// Its number in the list of edits.
    pub number: usize,
    /// Its parts: one, or those of the merged topics.
    pub parts: Vec<Part>,
    /// Whether it keeps the words that it has in the run.
    pub pinned: bool,
    /// The label a person gave it.
    pub label: Option<String>,
}

/// The topics after a list of edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// By number.
    pub topics: Vec<TopicPlan>,
    /// The number of the next new topic.
    pub next: usize,
    /// Words that no topic may have.
    pub forbidden: BTreeSet<usize>,
}

impl Outline {
    /// The topics of `base` after `edits`.
    ///
    /// # Errors
    /// Any [`ShapeError`].
    pub fn new(base: &Base, edits: &Edits) -> Result<Self, ShapeError> {
        let topic = |(number, parts): (usize, &Vec<Part>)| {
            let label = base.labels.get(number).cloned().flatten();
            TopicPlan { number, parts: parts.clone(), pinned: false, label }
        };
        let topics: Vec<TopicPlan> = base.parts.iter().enumerate().map(topic).collect();
        let mut outline = Self { next: topics.len(), topics, forbidden: BTreeSet::new() };
        edits.edits.iter().try_for_each(|edit| outline.apply(base, edit))?;
        outline.topics.sort_by_key(|topic| topic.number);
        match outline.topics.len() {
            left @ 0..2 => Err(ShapeError::TooFew { left }),
            _ => Ok(outline),
        }
    }

    /// All anchors, and for each the index of its topic.
    pub fn anchors(&self) -> (Vec<Anchor>, Vec<usize>) {
        let of_topic = |(place, topic): (usize, &TopicPlan)| -> Vec<(Anchor, usize)> {
            let anchor = |part: &Part| match part {
                Part::Anchor(anchor) => Some((anchor.clone(), place)),
                Part::Topic(_) => None,
            };
            topic.parts.iter().filter_map(anchor).collect()
        };
        self.topics.iter().enumerate().flat_map(of_topic).unzip()
    }

    fn apply(&mut self, base: &Base, edit: &Edit) -> Result<(), ShapeError> {
        match edit {
            Edit::Anchor { words, topic } => self.anchor(base, words, *topic),
            Edit::Merge { topics } => self.merge(topics),
            Edit::Split { topic, words } => self.split(base, *topic, words),
            Edit::Forbid { word } => self.forbid(base, word),
            Edit::Drop { topic } => {
                let place = self.index_of_unpinned(*topic)?;
                self.topics.remove(place);
                Ok(())
            }
            Edit::Pin { topic } => self.pin(base, *topic),
            Edit::Label { topic, text } => {
                let place = self.index_of(*topic)?;
                self.topics[place].label = Some(text.clone()).filter(|text| !text.is_empty());
                Ok(())
            }
        }
    }

    fn anchor(
        &mut self,
        base: &Base,
        words: &[String],
        topic: Option<usize>,
    ) -> Result<(), ShapeError> {
        base.factor()?;
        let own = topic.map(|topic| self.index_of_unpinned(topic)).transpose()?;
        let anchor = self.read_anchor(base, words, own)?;
        match own {
            Some(place) => self.topics[place].parts = vec![Part::Anchor(anchor)],
            None => self.push(vec![Part::Anchor(anchor)]),
        }
        Ok(())
    }

    fn push(&mut self, parts: Vec<Part>) {
        let plan = TopicPlan { number: self.next, parts, pinned: false, label: None };
        self.topics.push(plan);
        self.next += 1;
    }

    /// Parses an anchor for the topic at index `own`.
    fn read_anchor(
        &self,
        base: &Base,
        words: &[String],
        own: Option<usize>,
    ) -> Result<Anchor, ShapeError> {
        let mut anchor = Anchor::new();
        for text in words {
            let word = base.word(text)?;
            if self.forbidden.contains(&word) {
                return Err(ShapeError::Forbidden { word: text.clone() });
            }
            let other = self.topic_of(word).filter(|&place| Some(place) != own);
            if let Some(place) = other {
                let topic = self.topics[place].number;
                return Err(ShapeError::WordTwice { word: text.clone(), topic });
            }
            if !anchor.contains(&word) {
                anchor.push(word);
            }
        }
        match anchor.is_empty() {
            true => Err(ShapeError::Incomplete { what: "an anchor needs a word or more".into() }),
            false => Ok(anchor),
        }
    }

    /// The index of the topic that has the word as an anchor.
    fn topic_of(&self, word: usize) -> Option<usize> {
        let has = |part: &Part| matches!(part, Part::Anchor(anchor) if anchor.contains(&word));
        self.topics.iter().position(|topic| topic.parts.iter().any(has))
    }

    fn merge(&mut self, topics: &[usize]) -> Result<(), ShapeError> {
        let [first, others @ ..] = topics else { return Err(merge_needs_two()) };
        let mut all: Vec<usize> = topics.to_vec();
        all.sort_unstable();
        all.dedup();
        if others.is_empty() || all.len() < topics.len() {
            return Err(merge_needs_two());
        }
        for &topic in topics {
            self.index_of_unpinned(topic)?;
        }
        for &topic in others {
            let place = self.index_of(topic)?;
            let mut taken = self.topics.remove(place);
            let place = self.index_of(*first)?;
            let into = &mut self.topics[place];
            into.parts.append(&mut taken.parts);
            into.label = into.label.take().or(taken.label);
        }
        Ok(())
    }

    fn split(
        &mut self,
        base: &Base,
        topic: usize,
        words: &[Vec<String>],
    ) -> Result<(), ShapeError> {
        let place = self.index_of_unpinned(topic)?;
        let halves: Vec<Part> = match words {
            [] if self.topics[place].parts.len() > 1 => {
                std::mem::take(&mut self.topics[place].parts)
            }
            [] => self.farthest_pair(base, place)?.map(|word| Part::Anchor(vec![word])).into(),
            [one, other] => {
                base.factor()?;
                let halves = [
                    self.read_anchor(base, one, Some(place))?,
                    self.read_anchor(base, other, Some(place))?,
                ];
                if halves[0].iter().any(|word| halves[1].contains(word)) {
                    let word = base.words[halves[0][0]].clone();
                    return Err(ShapeError::WordTwice { word, topic });
                }
                halves.map(Part::Anchor).into()
            }
            other => {
                let what = format!(
                    "topic {topic} is to be split into {}, and a split makes two; give the words of \
                     either half, or none",
                    other.len()
                );
                return Err(ShapeError::Incomplete { what });
            }
        };
        let mut halves = halves.into_iter();
        self.topics[place].parts = halves.next().into_iter().collect();
        halves.for_each(|half| self.push(vec![half]));
        Ok(())
    }

    /// Among the most probable words nearest to the anchor of the topic at index `place`, the two
    /// whose rows are farthest apart.
    fn farthest_pair(&self, base: &Base, place: usize) -> Result<[usize; 2], ShapeError> {
        let factor = base.factor()?;
        let (anchors, topics) = self.anchors();
        let topic = self.topics[place].number;
        let nearest = factor
            .compressed
            .nearest(&anchors)
            .map_err(|found| self.nothing_in_common(base, found))?;
        let probabilities = factor.compressed.probabilities();
        let mut own: Vec<usize> = factor.candidates.clone();
        own.retain(|&word| {
            let of = self.topic_of(word);
            topics[nearest[word]] == place
                && !self.forbidden.contains(&word)
                && of.is_none_or(|of| of == place)
        });
        own.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]).then(a.cmp(&b)));
        own.truncate(NEIGHBOURHOOD);
        let pairs =
            own.iter().enumerate().flat_map(|(at, &a)| own[at + 1..].iter().map(move |&b| (a, b)));
        let distance = |&(a, b): &(usize, usize)| factor.compressed.squared_distance(a, b);
        let farthest = pairs.max_by(|a, b| distance(a).total_cmp(&distance(b)));
        let found = farthest.map(|(a, b)| [a.min(b), a.max(b)]);
        found.ok_or_else(|| ShapeError::Incomplete {
            what: format!(
                "topic {topic} has fewer than two words that could be anchors; give the words to split it by"
            ),
        })
    }

    /// The error for the anchor at index `place`, whose words have nothing in common.
    pub(super) fn nothing_in_common(
        &self,
        base: &Base,
        NothingInCommon(place): NothingInCommon,
    ) -> ShapeError {
        let (topic, words) = self.describe_anchor(base, place);
        ShapeError::NothingInCommon { topic, words }
    }

    /// The topic number of the anchor at index `place`, and the anchor's words.
    pub(super) fn describe_anchor(&self, base: &Base, place: usize) -> (usize, Vec<String>) {
        let (anchors, topics) = self.anchors();
        (self.topics[topics[place]].number, base.texts(&anchors[place]))
    }

    fn forbid(&mut self, base: &Base, text: &str) -> Result<(), ShapeError> {
        let word = base.word(text)?;
        let found = self.topic_of(word);
        if let Some(topic) = found.map(|place| &self.topics[place]).filter(|topic| topic.pinned) {
            return Err(ShapeError::ForbiddenAndPinned { word: text.into(), topic: topic.number });
        }
        self.forbidden.insert(word);
        let Some(place) = found else { return Ok(()) };
        let without = |part: Part| match part {
            Part::Anchor(mut anchor) => {
                anchor.retain(|&other| other != word);
                (!anchor.is_empty()).then_some(Part::Anchor(anchor))
            }
            other => Some(other),
        };
        let parts = std::mem::take(&mut self.topics[place].parts);
        self.topics[place].parts = parts.into_iter().filter_map(without).collect();
        if self.topics[place].parts.is_empty() {
            let next = self.next_anchor(base, place)?;
            self.topics[place].parts = vec![Part::Anchor(vec![next])];
        }
        Ok(())
    }

    /// The word farthest from all anchors, for the topic at index `place`.
    fn next_anchor(&self, base: &Base, place: usize) -> Result<usize, ShapeError> {
        let factor = base.factor()?;
        let (given, _) = self.anchors();
        let is_free =
            |&word: &usize| !self.forbidden.contains(&word) && self.topic_of(word).is_none();
        let candidates: Vec<usize> = factor.candidates.iter().copied().filter(is_free).collect();
        let found = factor.compressed.farthest(&given, &candidates, 1);
        let found = found.map_err(|found| self.nothing_in_common(base, found))?;
        let none = || ShapeError::NoneLeft { topic: self.topics[place].number };
        found.rows.first().copied().ok_or_else(none)
    }

    fn pin(&mut self, base: &Base, topic: usize) -> Result<(), ShapeError> {
        let place = self.index_of(topic)?;
        if base.parts.get(topic) != Some(&self.topics[place].parts) {
            let what = format!(
                "topic {topic} is not as the run has it, so that there is nothing to pin it to; save the \
                 edits as a run first, and pin the topic there"
            );
            return Err(ShapeError::Incomplete { what });
        }
        self.topics[place].pinned = true;
        Ok(())
    }

    /// The index of the topic with this number.
    fn index_of(&self, number: usize) -> Result<usize, ShapeError> {
        let found = self.topics.iter().position(|topic| topic.number == number);
        found.ok_or_else(|| {
            let mut numbers: Vec<usize> = self.topics.iter().map(|topic| topic.number).collect();
            numbers.sort_unstable();
            ShapeError::UnknownTopic { topic: number, there: in_ranges(&numbers) }
        })
    }

    /// The index of the topic with this number, which must not be pinned.
    fn index_of_unpinned(&self, number: usize) -> Result<usize, ShapeError> {
        let place = self.index_of(number)?;
        match self.topics[place].pinned {
            true => Err(ShapeError::Pinned { topic: number }),
            false => Ok(place),
        }
    }
}

fn merge_needs_two() -> ShapeError {
    ShapeError::Incomplete { what: "a merge needs two topics or more, each once".into() }
}

/// Formats numbers as ranges: "0 to 3, 7, 9 to 12".
fn in_ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        run => format!("{} to {}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

//! The number of tokens of each topic in documents. Each document has a short list, because most
//! topics are in no document. With few topics every list contains all of them, each at a fixed
//! position.

/// Topics that are processed together.
pub(super) const GROUP: usize = 8;

/// Largest number of topics that are all in every list: empty entries then cost less than
/// searching. With longer documents it rises to their mean length, but not above `MAX_WHOLE_TOPICS_LONG`.
const MAX_WHOLE_TOPICS: usize = 96;
const MAX_WHOLE_TOPICS_LONG: usize = 256;

/// Eight of a document's topics with their token counts as f32. Entries without a topic have the
/// number K and count 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct TopicGroup {
    pub topics: [u16; GROUP],
    pub counts: [f32; GROUP],
}

/// The position of a topic in a document's list.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListPosition {
    pub group: usize,
    pub column: usize,
}

/// The topics of a lane's documents.
#[derive(Debug, Default)]
pub(super) struct DocumentTopics {
    /// Cumulative starts of the documents' lists, and the end of the last one.
    starts: Vec<u32>,
    /// Number of topics in each document.
    used: Vec<u32>,
    all: Vec<TopicGroup>,
    none: u16,
    is_whole: bool,
}

/// The topics of one document; with `WHOLE` the list contains all topics.
#[derive(Debug)]
pub(super) struct DocumentList<'a, const WHOLE: bool> {
    groups: &'a mut [TopicGroup],
    used: &'a mut u32,
    none: u16,
}

impl DocumentTopics {
    /// Documents with these numbers of tokens, none with a topic yet.
    pub(super) fn new(lengths: &[u32], topics: usize) -> Self {
        let none = topics as u16;
        let tokens: usize = lengths.iter().map(|&length| length as usize).sum();
        let is_whole = topics
            <= MAX_WHOLE_TOPICS.max(MAX_WHOLE_TOPICS_LONG.min(tokens / lengths.len().max(1)));
        let mut starts = vec![0u32];
        for &length in lengths {
            let most = if is_whole { topics } else { topics.min(length as usize) };
            starts.push(starts[starts.len() - 1] + most.div_ceil(GROUP) as u32);
        }
        let mut all = Vec::with_capacity(starts[starts.len() - 1] as usize);
        for ends in starts.windows(2) {
            all.extend((0..ends[1] - ends[0]).map(|group| {
                let topic = |at: usize| (group as usize * GROUP + at).min(topics) as u16;
                let numbers = std::array::from_fn(|at| if is_whole { topic(at) } else { none });
                TopicGroup { topics: numbers, counts: [0.0; GROUP] }
            }));
        }
        let used = if is_whole { topics as u32 } else { 0 };
        Self { starts, used: vec![used; lengths.len()], all, none, is_whole }
    }

    /// Approximate bytes for a document of `length` tokens.
    pub(super) fn bytes(length: usize, topics: usize) -> usize {
        let most = if topics <= MAX_WHOLE_TOPICS { topics } else { topics.min(length) };
        most.div_ceil(GROUP) * size_of::<TopicGroup>()
    }

    /// Whether every list contains all topics.
    pub(super) fn are_whole(&self) -> bool {
        self.is_whole
    }

    /// The topics of a document, by its number in the lane.
    #[inline(always)]
    pub(super) fn document<const WHOLE: bool>(&mut self, document: u32) -> DocumentList<'_, WHOLE> {
        let at = document as usize;
        let used = &mut self.used[at];
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        DocumentList { groups: &mut self.all[range], used, none: self.none }
    }

    /// Adds a token of a topic to a document.
    pub(super) fn add(&mut self, document: u32, topic: u16) {
        match self.are_whole() {
            true => self.document::<true>(document).add(topic),
            false => self.document::<false>(document).add(topic),
        }
    }

    /// Prefetches the topics of a document that is processed soon.
    #[inline(always)]
    pub(super) fn fetch(&self, document: u32) {
        if let Some(first) = self.all.get(self.starts[document as usize] as usize) {
            std::hint::black_box(first.topics[0]);
        }
    }

    /// The counts of each document's topics, as (topic, count).
    pub(super) fn counts(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, u32)>> {
        self.starts.windows(2).map(|ends| {
            let groups = self.all[ends[0] as usize..ends[1] as usize].iter();
            let entries = groups.flat_map(|group| group.topics.iter().zip(&group.counts));
            entries
                .filter(|(_, count)| **count > 0.0)
                .map(|(&topic, &count)| (usize::from(topic), count as u32))
        })
    }
}

impl<const WHOLE: bool> DocumentList<'_, WHOLE> {
    /// The groups with topics.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[TopicGroup] {
        &self.groups[..(*self.used as usize).div_ceil(GROUP)]
    }

    /// The position of a topic.
    #[inline(always)]
    pub(super) fn place(&self, topic: u16) -> Option<ListPosition> {
        if WHOLE {
            let at = usize::from(topic);
            return Some(ListPosition { group: at / GROUP, column: at % GROUP });
        }
        self.groups().iter().enumerate().find_map(|(group, TopicGroup { topics, .. })| {
            // All are compared before one is selected: a few instructions for the whole group.
            let is_here = topics.iter().fold(false, |any, &own| any | (own == topic));
            let column = || topics.iter().position(|&own| own == topic).unwrap_or(0);
            is_here.then(|| ListPosition { group, column: column() })
        })
    }

    /// Adds a token of a topic.
    #[inline(always)]
    pub(super) fn add(&mut self, topic: u16) {
        let place = self.place(topic).unwrap_or_else(|| {
            let at = *self.used as usize;
            *self.used += 1;
            let place = ListPosition { group: at / GROUP, column: at % GROUP };
            self.groups[place.group].topics[place.column] = topic;
            place
        });
        self.groups[place.group].counts[place.column] += 1.0;
    }

    /// Removes a token of the topic at a position.
    #[inline(always)]
    pub(super) fn take(&mut self, place: ListPosition) {
        let count = &mut self.groups[place.group].counts[place.column];
        *count -= 1.0;
        if WHOLE || *count > 0.0 {
            return;
        }
        // The last topic moves to the freed position.
        *self.used -= 1;
        let at = *self.used as usize;
        let TopicGroup { topics, counts } = &mut self.groups[at / GROUP];
        let topic = std::mem::replace(&mut topics[at % GROUP], self.none);
        let count = std::mem::replace(&mut counts[at % GROUP], 0.0);
        if (at / GROUP, at % GROUP) != (place.group, place.column) {
            self.groups[place.group].topics[place.column] = topic;
            self.groups[place.group].counts[place.column] = count;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn come_and_go<const WHOLE: bool>(topics: u16) {
        let mut documents = DocumentTopics::new(&[0, 30, 3], topics.into());
        assert_eq!(documents.are_whole(), WHOLE);
        let mut expected: BTreeMap<usize, u32> = BTreeMap::new();
        let mut state = 7u32;
        let mut tokens = Vec::new();
        for _ in 0..2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if tokens.len() < 30 && !state.is_multiple_of(3) {
                let topic = (state >> 8) as u16 % topics;
                documents.add(1, topic);
                tokens.push(topic);
                *expected.entry(topic.into()).or_default() += 1;
            } else if let Some(topic) = tokens.pop() {
                let mut list = documents.document::<WHOLE>(1);
                let place = list.place(topic).expect("it is there");
                list.take(place);
                *expected.get_mut(&usize::from(topic)).expect("counted") -= 1;
            }
            expected.retain(|_, count| *count > 0);
            let found: Vec<BTreeMap<usize, u32>> =
                documents.counts().map(|document| document.collect()).collect();
            assert_eq!(found[1], expected);
            assert!(found[0].is_empty() && found[2].is_empty());
        }
    }

    #[test]
    fn topics_come_and_go_as_in_a_map() {
        come_and_go::<true>(20);
        come_and_go::<false>(200);
    }
}

//! How many tokens of each topic documents have: a short list each, as most topics are in no document. Where there
//! are few topics, all of them are in every list, each at its place.

/// Topics that are looked at together.
pub(super) const TOGETHER: usize = 8;

/// So many topics are all in every list: what is not there costs less than looking for what is. Of documents with
/// more tokens than that so many as a document has tokens, at most `MANY`.
const FEW: usize = 96;
const MANY: usize = 256;

/// Some of a document's topics and how many of its tokens have them, as numbers to calculate with. Places without
/// a topic have the number K and count nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Some8 {
    pub topics: [u16; TOGETHER],
    pub counts: [f32; TOGETHER],
}

/// Where a topic stands in a document's list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub group: usize,
    pub column: usize,
}

/// The topics of a lane's documents.
#[derive(Debug, Default)]
pub(super) struct DocumentTopics {
    /// Where each document's topics begin, and the last one's end.
    starts: Vec<u32>,
    /// How many topics a document has.
    used: Vec<u32>,
    all: Vec<Some8>,
    none: u16,
    is_whole: bool,
}

/// The topics of one document; `WHOLE` where all of them are in the list.
#[derive(Debug)]
pub(super) struct List<'a, const WHOLE: bool> {
    groups: &'a mut [Some8],
    used: &'a mut u32,
    none: u16,
}

impl DocumentTopics {
    /// Documents of so many tokens each, none of which has a topic yet, of `topics` in all.
    pub(super) fn new(lengths: &[u32], topics: usize) -> Self {
        let none = topics as u16;
        let tokens: usize = lengths.iter().map(|&length| length as usize).sum();
        let is_whole = topics <= FEW.max(MANY.min(tokens / lengths.len().max(1)));
        let mut starts = vec![0u32];
        for &length in lengths {
            let most = if is_whole { topics } else { topics.min(length as usize) };
            starts.push(starts[starts.len() - 1] + most.div_ceil(TOGETHER) as u32);
        }
        let mut all = Vec::with_capacity(starts[starts.len() - 1] as usize);
        for ends in starts.windows(2) {
            all.extend((0..ends[1] - ends[0]).map(|group| {
                let topic = |at: usize| (group as usize * TOGETHER + at).min(topics) as u16;
                let numbers = std::array::from_fn(|at| if is_whole { topic(at) } else { none });
                Some8 { topics: numbers, counts: [0.0; TOGETHER] }
            }));
        }
        let used = if is_whole { topics as u32 } else { 0 };
        Self { starts, used: vec![used; lengths.len()], all, none, is_whole }
    }

    /// What a document of so many tokens takes, about.
    pub(super) fn bytes(length: usize, topics: usize) -> usize {
        let most = if topics <= FEW { topics } else { topics.min(length) };
        most.div_ceil(TOGETHER) * size_of::<Some8>()
    }

    /// Whether all topics are in every list.
    pub(super) fn are_whole(&self) -> bool {
        self.is_whole
    }

    /// The topics of a document, by its number in the lane.
    #[inline(always)]
    pub(super) fn of<const WHOLE: bool>(&mut self, document: u32) -> List<'_, WHOLE> {
        let at = document as usize;
        let used = &mut self.used[at];
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        List { groups: &mut self.all[range], used, none: self.none }
    }

    /// One more token of a topic in a document.
    pub(super) fn add(&mut self, document: u32, topic: u16) {
        match self.are_whole() {
            true => self.of::<true>(document).add(topic),
            false => self.of::<false>(document).add(topic),
        }
    }

    /// Has the processor fetch the topics of a document that comes soon.
    #[inline(always)]
    pub(super) fn fetch(&self, document: u32) {
        if let Some(first) = self.all.get(self.starts[document as usize] as usize) {
            std::hint::black_box(first.topics[0]);
        }
    }

    /// The counts of each document's topics.
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

impl<const WHOLE: bool> List<'_, WHOLE> {
    /// The groups that have topics.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[Some8] {
        &self.groups[..(*self.used as usize).div_ceil(TOGETHER)]
    }

    /// The place of a topic.
    #[inline(always)]
    pub(super) fn place(&self, topic: u16) -> Option<Place> {
        if WHOLE {
            let at = usize::from(topic);
            return Some(Place { group: at / TOGETHER, column: at % TOGETHER });
        }
        self.groups().iter().enumerate().find_map(|(group, Some8 { topics, .. })| {
            // All are compared before one is looked for: a few instructions for the whole group.
            let is_here = topics.iter().fold(false, |any, &own| any | (own == topic));
            let column = || topics.iter().position(|&own| own == topic).unwrap_or(0);
            is_here.then(|| Place { group, column: column() })
        })
    }

    /// One more token of a topic.
    #[inline(always)]
    pub(super) fn add(&mut self, topic: u16) {
        let place = self.place(topic).unwrap_or_else(|| {
            let at = *self.used as usize;
            *self.used += 1;
            let place = Place { group: at / TOGETHER, column: at % TOGETHER };
            self.groups[place.group].topics[place.column] = topic;
            place
        });
        self.groups[place.group].counts[place.column] += 1.0;
    }

    /// One token less of the topic at a place.
    #[inline(always)]
    pub(super) fn take(&mut self, place: Place) {
        let count = &mut self.groups[place.group].counts[place.column];
        *count -= 1.0;
        if WHOLE || *count > 0.0 {
            return;
        }
        // The last one takes the place.
        *self.used -= 1;
        let at = *self.used as usize;
        let Some8 { topics, counts } = &mut self.groups[at / TOGETHER];
        let topic = std::mem::replace(&mut topics[at % TOGETHER], self.none);
        let count = std::mem::replace(&mut counts[at % TOGETHER], 0.0);
        if (at / TOGETHER, at % TOGETHER) != (place.group, place.column) {
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
                let mut list = documents.of::<WHOLE>(1);
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

//! A list of the topics that occur in a document.

use super::{GROUP, Position, TopicsOfDocument, TopicsOfDocuments};

/// Eight of a document's topics with their token counts. Entries without a topic have the number K
/// and count 0.
#[derive(Debug, Clone, Copy)]
struct Group {
    topics: [u16; GROUP],
    counts: [f32; GROUP],
}

/// The topics that occur in documents.
#[derive(Debug, Default)]
pub(in crate::model::lda_gibbs) struct Sparse {
    /// Cumulative starts of the documents' lists, and the end of the last one.
    starts: Vec<u32>,
    /// Number of topics in each document.
    used: Vec<u32>,
    groups: Vec<Group>,
    /// K.
    none: u16,
}

/// The topics that occur in a document.
#[derive(Debug)]
pub(in crate::model::lda_gibbs) struct SparseDocument<'a> {
    groups: &'a mut [Group],
    used: &'a mut u32,
    none: u16,
}

impl Sparse {
    /// Documents with these numbers of tokens, none with a topic yet.
    pub(super) fn new(lengths: &[u32], topics: usize) -> Self {
        let mut starts = vec![0u32];
        for &length in lengths {
            let most = topics.min(length as usize).div_ceil(GROUP) as u32;
            starts.push(starts[starts.len() - 1] + most);
        }
        let none = topics as u16;
        let group = Group { topics: [none; GROUP], counts: [0.0; GROUP] };
        let groups = vec![group; starts[starts.len() - 1] as usize];
        Self { starts, used: vec![0; lengths.len()], groups, none }
    }

    /// Bytes for a document of `length` tokens.
    pub(super) fn bytes(length: usize, topics: usize) -> usize {
        topics.min(length).div_ceil(GROUP) * size_of::<Group>()
    }

    /// Calls `visit` with (document, topic, count).
    pub(super) fn for_each(&self, visit: &mut impl FnMut(usize, usize, u32)) {
        for (document, ends) in self.starts.windows(2).enumerate() {
            let groups = &self.groups[ends[0] as usize..ends[1] as usize];
            let entries = groups.iter().flat_map(|group| group.topics.iter().zip(&group.counts));
            let some = entries.filter(|(_, count)| **count > 0.0);
            some.for_each(|(&topic, &count)| visit(document, topic.into(), count as u32));
        }
    }
}

impl TopicsOfDocuments for Sparse {
    type Document<'a> = SparseDocument<'a>;

    #[inline(always)]
    fn document(&mut self, number: u32) -> SparseDocument<'_> {
        let at = number as usize;
        let used = &mut self.used[at];
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        SparseDocument { groups: &mut self.groups[range], used, none: self.none }
    }

    #[inline(always)]
    fn fetch(&self, number: u32) {
        if let Some(first) = self.groups.get(self.starts[number as usize] as usize) {
            std::hint::black_box(first.topics[0]);
        }
    }
}

impl TopicsOfDocument for SparseDocument<'_> {
    const IS_DENSE: bool = false;

    #[inline(always)]
    fn groups(&self) -> usize {
        (*self.used as usize).div_ceil(GROUP)
    }

    #[inline(always)]
    fn counts(&self, group: usize) -> [f32; GROUP] {
        self.groups[group].counts
    }

    #[inline(always)]
    fn count(&self, position: Position) -> f32 {
        self.groups[position.group].counts[position.column]
    }

    #[inline(always)]
    fn topic(&self, position: Position) -> usize {
        self.groups[position.group].topics[position.column].into()
    }

    #[inline(always)]
    fn position(&self, topic: u16) -> Option<Position> {
        let groups = self.groups[..self.groups()].iter().enumerate();
        groups.into_iter().find_map(|(group, Group { topics, .. })| {
            // All are compared before one is selected: a few instructions for the whole group.
            let is_here = topics.iter().fold(false, |any, &own| any | (own == topic));
            let column = || topics.iter().position(|&own| own == topic).unwrap_or(0);
            is_here.then(|| Position { group, column: column() })
        })
    }

    #[inline(always)]
    fn add(&mut self, topic: u16) {
        let place = self.position(topic).unwrap_or_else(|| {
            let place = Position::new(*self.used as usize);
            *self.used += 1;
            self.groups[place.group].topics[place.column] = topic;
            place
        });
        self.groups[place.group].counts[place.column] += 1.0;
    }

    #[inline(always)]
    fn take(&mut self, position: Position) {
        let count = &mut self.groups[position.group].counts[position.column];
        *count -= 1.0;
        if *count > 0.0 {
            return;
        }
        // The last topic moves to the freed position.
        *self.used -= 1;
        let at = *self.used as usize;
        let Group { topics, counts } = &mut self.groups[at / GROUP];
        let topic = std::mem::replace(&mut topics[at % GROUP], self.none);
        let count = std::mem::replace(&mut counts[at % GROUP], 0.0);
        if (at / GROUP, at % GROUP) != (position.group, position.column) {
            self.groups[position.group].topics[position.column] = topic;
            self.groups[position.group].counts[position.column] = count;
        }
    }
}

//! A count for every topic.

use super::{GROUP, Position, TopicsOfDocument, TopicsOfDocuments};

/// Bytes that come into the cache together.
const LINE: usize = 64;

/// A number of tokens, exact as f32 up to 2²⁴.
pub(in crate::model::lda_gibbs) trait Count: Copy + Default {
    fn to_f32(self) -> f32;
    fn to_u32(self) -> u32;
    fn more(self) -> Self;
    fn less(self) -> Self;
}

macro_rules! count {
    ($($type:ty),*) => {$(
        impl Count for $type {
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }

            fn to_u32(self) -> u32 {
                self.into()
            }

            #[inline(always)]
            fn more(self) -> Self {
                self.wrapping_add(1)
            }

            #[inline(always)]
            fn less(self) -> Self {
                self.wrapping_sub(1)
            }
        }
    )*};
}
count!(u8, u16, u32);

/// The counts of all topics in documents.
#[derive(Debug)]
pub(in crate::model::lda_gibbs) struct Dense<C> {
    /// Groups of a document.
    groups: usize,
    /// Document by document, padded with zeros.
    counts: Vec<[C; GROUP]>,
}

/// The counts of all topics in a document.
#[derive(Debug)]
pub(in crate::model::lda_gibbs) struct DenseDocument<'a, C>(&'a mut [[C; GROUP]]);

impl<C: Count> Dense<C> {
    /// Documents without tokens.
    pub(super) fn new(documents: usize, topics: usize) -> Self {
        let groups = topics.div_ceil(GROUP);
        Self { groups, counts: vec![[C::default(); GROUP]; documents * groups] }
    }

    /// Calls `visit` with (document, topic, count).
    pub(super) fn for_each(&self, visit: &mut impl FnMut(usize, usize, u32)) {
        for (document, counts) in self.counts.chunks_exact(self.groups.max(1)).enumerate() {
            for (topic, count) in counts.as_flattened().iter().enumerate() {
                if count.to_u32() > 0 {
                    visit(document, topic, count.to_u32());
                }
            }
        }
    }
}

impl<C: Count> TopicsOfDocuments for Dense<C> {
    type Document<'a>
        = DenseDocument<'a, C>
    where
        C: 'a;

    #[inline(always)]
    fn document(&mut self, number: u32) -> Self::Document<'_> {
        let begin = number as usize * self.groups;
        DenseDocument(&mut self.counts[begin..begin + self.groups])
    }

    #[inline(always)]
    fn fetch(&self, number: u32) {
        let begin = number as usize * self.groups;
        let counts = &self.counts[begin..begin + self.groups];
        for line in counts.chunks(LINE / size_of::<[C; GROUP]>()) {
            std::hint::black_box(line[0][0]);
        }
    }
}

impl<C: Count> TopicsOfDocument for DenseDocument<'_, C> {
    const IS_DENSE: bool = true;

    #[inline(always)]
    fn groups(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn counts(&self, group: usize) -> [f32; GROUP] {
        self.0[group].map(C::to_f32)
    }

    #[inline(always)]
    fn count(&self, position: Position) -> f32 {
        self.0[position.group][position.column].to_f32()
    }

    #[inline(always)]
    fn topic(&self, position: Position) -> usize {
        position.group * GROUP + position.column
    }

    #[inline(always)]
    fn position(&self, topic: u16) -> Option<Position> {
        Some(Position::new(topic.into()))
    }

    #[inline(always)]
    fn add(&mut self, topic: u16) {
        let count = &mut self.0.as_flattened_mut()[usize::from(topic)];
        *count = count.more();
    }

    #[inline(always)]
    fn take(&mut self, position: Position) {
        let count = &mut self.0[position.group][position.column];
        *count = count.less();
    }
}

//! The entries of the counts that earlier topics have taken: A(M, N) = 0, without a copy of A.

/// The topics of each word or each document, K bits each. An entry of the counts is removed when
/// its word and its document share a topic.
#[derive(Debug, Clone)]
pub(super) struct Memberships {
    /// Number of u64 for each member.
    width: usize,
    bits: Vec<u64>,
}

impl Memberships {
    /// `members` words or documents that belong to none of `topics` topics.
    pub(super) fn new(members: usize, topics: usize) -> Self {
        let width = topics.div_ceil(64);
        Self { width, bits: vec![0; members * width] }
    }

    /// Appends a member that belongs to no topic.
    pub(super) fn push(&mut self) {
        self.bits.resize(self.bits.len() + self.width, 0);
    }

    /// The topics of a member, one bit each.
    #[inline]
    pub(super) fn topics_of(&self, member: usize) -> &[u64] {
        &self.bits[member * self.width..(member + 1) * self.width]
    }

    /// Adds a member to a topic.
    pub(super) fn join(&mut self, member: usize, topic: usize) {
        self.bits[member * self.width + topic / 64] |= 1 << (topic % 64);
    }
}

/// Whether two members share a topic.
#[inline]
pub(super) fn share(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The first topic that two members share.
pub(super) fn first_shared(a: &[u64], b: &[u64]) -> Option<usize> {
    let both = a.iter().zip(b).map(|(a, b)| a & b).enumerate().find(|(_, both)| *both != 0);
    both.map(|(at, both)| 64 * at + both.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_one_topic_share_it() {
        let mut words = Memberships::new(3, 130);
        let mut documents = Memberships::new(1, 130);
        documents.push();
        words.join(2, 129);
        words.join(1, 0);
        documents.join(1, 129);
        assert!(share(words.topics_of(2), documents.topics_of(1)));
        assert_eq!(first_shared(words.topics_of(2), documents.topics_of(1)), Some(129));
        assert_eq!(first_shared(words.topics_of(1), documents.topics_of(1)), None);
        assert!(
            !share(words.topics_of(1), documents.topics_of(1))
                && !share(words.topics_of(2), documents.topics_of(0))
        );
    }
}

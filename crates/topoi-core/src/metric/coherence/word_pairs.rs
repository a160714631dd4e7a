//! The words and the pairs of words that are counted: those that share a topic.

/// Marks a word that is not counted.
const NOT_COUNTED: u32 = u32::MAX;

/// The top words of the topics, and for each the words it shares a topic with.
///
/// Coherence compares words within a topic only, so K topics of M words need at most K·M² numbers,
/// whatever the size of the vocabulary.
#[derive(Debug, Clone)]
pub struct WordPairs {
    slot_of_word: Vec<u32>,
    /// Partners of slot s are `partners[starts[s]..starts[s + 1]]`, ascending.
    starts: Vec<usize>,
    partners: Vec<u32>,
}

impl WordPairs {
    /// The pairs within each of `topics`, lists of word numbers below `words`.
    pub fn from_topics(topics: &[Vec<usize>], words: usize) -> Self {
        let mut slot_of_word = vec![NOT_COUNTED; words];
        topics.iter().flatten().for_each(|&word| slot_of_word[word] = 0);
        let mut slots = 0;
        for slot in slot_of_word.iter_mut().filter(|slot| **slot != NOT_COUNTED) {
            *slot = slots;
            slots += 1;
        }
        let mut edges: Vec<(u32, u32)> = topics
            .iter()
            .flat_map(|topic| topic.iter().flat_map(move |&v| topic.iter().map(move |&w| (v, w))))
            .filter(|(v, w)| v != w)
            .map(|(v, w)| (slot_of_word[v], slot_of_word[w]))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; slots as usize + 1];
        edges.iter().for_each(|&(slot, _)| starts[slot as usize + 1] += 1);
        for slot in 0..slots as usize {
            starts[slot + 1] += starts[slot];
        }
        let partners = edges.into_iter().map(|(_, partner)| partner).collect();
        Self { slot_of_word, starts, partners }
    }

    /// Number of distinct words S. Slots are numbered 0 to S − 1.
    pub fn slots(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of ordered pairs.
    pub fn edges(&self) -> usize {
        self.partners.len()
    }

    /// The slot of a word, if it is counted.
    pub fn slot(&self, word: usize) -> Option<usize> {
        let slot = *self.slot_of_word.get(word)?;
        (slot != NOT_COUNTED).then_some(slot as usize)
    }

    /// The edges from `slot`, as (edge number, slot at the other end).
    pub fn edges_of(&self, slot: usize) -> impl Iterator<Item = (usize, usize)> {
        let range = self.starts[slot]..self.starts[slot + 1];
        range.clone().zip(self.partners[range].iter().map(|&partner| partner as usize))
    }

    /// The number of the edge from one slot to another, if they share a topic.
    pub fn edge(&self, from: usize, to: usize) -> Option<usize> {
        let start = self.starts[from];
        let partners = &self.partners[start..self.starts[from + 1]];
        partners.binary_search(&(to as u32)).ok().map(|at| start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_share_a_topic_are_joined_both_ways_and_no_others() {
        let pairs = WordPairs::from_topics(&[vec![7, 2], vec![2, 5, 9]], 11);
        assert_eq!((pairs.slots(), pairs.edges()), (4, 8));
        let slot = |word| pairs.slot(word).expect("a top word");
        assert_eq!([2, 5, 7, 9].map(slot), [0, 1, 2, 3]);
        assert_eq!(pairs.slot(3), None);
        assert_eq!(pairs.slot(99), None);
        let of_2: Vec<usize> = pairs.edges_of(slot(2)).map(|(_, partner)| partner).collect();
        assert_eq!(of_2, [5, 7, 9].map(slot));
        assert_eq!(pairs.edge(slot(7), slot(9)), None);
        let edge = pairs.edge(slot(9), slot(5)).expect("of the second topic");
        assert!(pairs.edges_of(slot(9)).any(|found| found == (edge, slot(5))));
    }
}

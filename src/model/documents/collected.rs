//! θ of the documents of all parts of a corpus, brought together.

use super::pass::DocumentTopics;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

impl DocumentTopics {
    /// Those of all parts in the order of the parts, on part 0; none on the others. What travels is
    /// what is held: 12 bytes a proportion, 16 a document.
    ///
    /// # Errors
    /// When the other parts cannot be reached.
    pub fn collected(self, of: &Documents<'_>) -> Result<Self, StreamError> {
        if of.parts().count() == 1 {
            return Ok(self);
        }
        let mut all = Self::default();
        for part in of.parts().collect(self.to_bytes())? {
            all.append(Self::of_bytes(&part));
        }
        Ok(all)
    }

    /// Numbers of documents and of proportions, then the four arrays, all little-endian.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16 + 16 * self.documents.len() + 12 * self.topics.len());
        for length in [self.documents.len(), self.topics.len()] {
            bytes.extend((length as u64).to_le_bytes());
        }
        bytes.extend(self.documents.iter().flat_map(|id| id.to_le_bytes()));
        bytes.extend(self.ends.iter().flat_map(|&end| (end as u64).to_le_bytes()));
        bytes.extend(self.topics.iter().flat_map(|topic| topic.to_le_bytes()));
        bytes.extend(self.proportions.iter().flat_map(|share| share.to_le_bytes()));
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let [documents, entries] = [0, 1].map(|at| u64::from_le_bytes(words[at]) as usize);
        let rest = &words[2..];
        let topics = &bytes[16 + 16 * documents..];
        let (topics, proportions) = topics.split_at(4 * entries);
        Self {
            documents: rest[..documents].iter().map(|&id| i64::from_le_bytes(id)).collect(),
            ends: rest[documents..2 * documents]
                .iter()
                .map(|&end| u64::from_le_bytes(end) as usize)
                .collect(),
            topics: topics.as_chunks().0.iter().map(|&topic| u32::from_le_bytes(topic)).collect(),
            proportions: proportions
                .as_chunks()
                .0
                .iter()
                .map(|&share| f64::from_le_bytes(share))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_every_bit() {
        let some = DocumentTopics {
            documents: vec![3, -9, 1 << 40],
            ends: vec![2, 2, 3],
            topics: vec![0, 7, 5],
            proportions: vec![0.25, 0.1 + 0.2, 1e-300],
        };
        assert_eq!(DocumentTopics::of_bytes(&some.to_bytes()), some);
        let none = DocumentTopics::default();
        assert_eq!(DocumentTopics::of_bytes(&none.to_bytes()), none);
    }
}

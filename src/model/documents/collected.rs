//! θ of the documents of all parts of a corpus, brought together.

use crate::formula::packed_documents::PackedDocuments;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

impl PackedDocuments {
    /// Those of all parts in the order of the parts, on part 0; none on the others. What travels is
    /// what is held.
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

    /// Numbers of documents and of proportions, then the six arrays, all little-endian.
    fn to_bytes(&self) -> Vec<u8> {
        let (documents, entries) = (self.documents.len(), self.topics.len());
        let mut bytes = Vec::with_capacity(16 + 24 * documents + 12 * entries + self.text.len());
        for length in [documents, entries] {
            bytes.extend((length as u64).to_le_bytes());
        }
        bytes.extend(self.documents.iter().flat_map(|id| id.to_le_bytes()));
        for ends in [&self.ends, &self.text_ends] {
            bytes.extend(ends.iter().flat_map(|&end| (end as u64).to_le_bytes()));
        }
        bytes.extend(self.topics.iter().flat_map(|topic| topic.to_le_bytes()));
        bytes.extend(self.proportions.iter().flat_map(|share| share.to_le_bytes()));
        bytes.extend(self.text.as_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let [documents, entries] = [0, 1].map(|at| u64::from_le_bytes(words[at]) as usize);
        let rest = &words[2..];
        let ends = |at: usize| {
            let of = &rest[at * documents..(at + 1) * documents];
            of.iter().map(|&end| u64::from_le_bytes(end) as usize).collect()
        };
        let topics = &bytes[16 + 24 * documents..];
        let (topics, proportions) = topics.split_at(4 * entries);
        let (proportions, text) = proportions.split_at(8 * entries);
        Self {
            documents: rest[..documents].iter().map(|&id| i64::from_le_bytes(id)).collect(),
            ends: ends(1),
            text_ends: ends(2),
            topics: topics.as_chunks().0.iter().map(|&topic| u32::from_le_bytes(topic)).collect(),
            proportions: proportions
                .as_chunks()
                .0
                .iter()
                .map(|&share| f64::from_le_bytes(share))
                .collect(),
            text: String::from_utf8_lossy(text).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_every_bit() {
        let mut some = PackedDocuments::default();
        for (id, theta) in
            [(3, [0.25, 0.75]), (-9, [0.1 + 0.2, 0.7 - 1e-17]), (1 << 40, [1.0, 0.0])]
        {
            some.push(id, &theta, &[0.1, 0.1]);
        }
        assert_eq!(PackedDocuments::of_bytes(&some.to_bytes()), some);
        let none = PackedDocuments::default();
        assert_eq!(PackedDocuments::of_bytes(&none.to_bytes()), none);
    }
}

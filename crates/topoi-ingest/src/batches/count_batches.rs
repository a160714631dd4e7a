//! Documents of counted words, in batches.

use super::record::Prepared;
use super::{BYTES, Batch, Batches, DOCUMENTS, Item};
use crate::error::{InputLocation, Mistake, Reading, Scope};
use crate::formats::counts::triples::Triples;
use crate::share::Share;
use crate::source::Mark;
use topoi_store::corpus::content_hash;
use topoi_store::ingest::sort_and_sum;

const EMPTY: &str = "empty: no line of the file counts a word";

/// A source of triples whose words have positions in the corpus.
pub(crate) struct CountBatches {
    triples: Triples,
    /// Position in the corpus of word n − 1.
    positions: Vec<u32>,
    stem: String,
    share: Share,
    /// The document after the last one that was read or reported.
    expected: u64,
    entries: Vec<(u32, u32)>,
    bytes: Vec<u8>,
}

impl CountBatches {
    /// The documents of `triples` from the first, or from the mark in `resume`, whose second part is the cursor
    /// at that mark.
    /// Returns `None` if the bytes before the mark have changed.
    pub(crate) fn new(
        triples: Triples,
        positions: Vec<u32>,
        share: Share,
        resume: Option<(&Mark, &str)>,
    ) -> Reading<Option<Self>> {
        let stem = triples.source.stem().to_string();
        let (entries, bytes) = (Vec::new(), Vec::new());
        let mut batches = Self { triples, positions, stem, share, expected: 1, entries, bytes };
        if let Some((mark, cursor)) = resume {
            let mut numbers = cursor.split(' ').map(|number| number.parse().unwrap_or(0));
            batches.triples.read = numbers.next().unwrap_or(0);
            batches.triples.last = numbers.next().unwrap_or(0);
            batches.expected = numbers.next().unwrap_or(1);
            batches.triples.malformed = numbers.next().filter(|&id| id > 0);
            if !batches.triples.source.skip_to(mark)? {
                return Ok(None);
            }
        }
        Ok(Some(batches))
    }

    /// Appends the next document to `items`, after the missing ones before it; false at the end.
    fn next(&mut self, items: &mut Vec<Item>) -> Reading<bool> {
        let Some(id) = self.triples.next_document(&mut self.entries)? else {
            self.note_gap(self.triples.layout.documents.saturating_add(1), items);
            return Ok(false);
        };
        self.note_gap(id, items);
        self.expected = id + 1;
        let key = format!("{}:{id}", self.stem);
        if !self.share.has(&key) {
            return Ok(true);
        }
        for entry in &mut self.entries {
            entry.0 = self.positions[entry.0 as usize];
        }
        let place = self.triples.source.place();
        if let Some(position) = sort_and_sum(&mut self.entries) {
            let word = self.positions.iter().position(|&p| p == position).unwrap_or(0) + 1;
            let problem = format!("word {word} occurs more than 4294967295 times in document {id}");
            return Err(Mistake::document(place, problem, "correct the count"));
        }
        if self.entries.is_empty() {
            items.push(Item::Empty { place, key, documents: 1, reason: EMPTY });
            return Ok(true);
        }
        let hash = content_hash::hash_entries(&self.entries, &mut self.bytes);
        let entries = self.entries.clone();
        let prepared = Prepared { key, hash, entries, ..Prepared::default() };
        items.push(Item::Document(place, prepared));
        Ok(true)
    }

    /// A malformed document has a ledger row of its own and must not be reported as empty.
    fn skip_malformed(&mut self, items: &mut Vec<Item>) {
        let in_header = 1..=self.triples.layout.documents;
        if let Some(id) = self.triples.malformed.filter(|id| in_header.contains(id)) {
            self.note_gap(id, items);
            self.expected = self.expected.max(id.saturating_add(1));
        }
    }

    /// Reports the documents before `id` as empty. They share one item, so a header that announces a billion
    /// documents costs nothing.
    fn note_gap(&mut self, id: u64, items: &mut Vec<Item>) {
        let documents = id.saturating_sub(self.expected);
        let key = match documents {
            0 => return,
            1 => format!("{}:{}", self.stem, self.expected),
            _ => format!("{}:{}-{}", self.stem, self.expected, id - 1),
        };
        self.expected = id;
        if !self.share.is_first() {
            return;
        }
        let place = InputLocation { file: self.triples.source.name().into(), line: 0 };
        items.push(Item::Empty { place, key, documents, reason: EMPTY });
    }
}

impl Batches for CountBatches {
    fn next_batch(&mut self) -> Batch {
        let mut items = Vec::new();
        let (mut is_last, mut nonzeros) = (false, 0);
        while !is_last && items.len() < DOCUMENTS && 8 * nonzeros < BYTES {
            match self.next(&mut items) {
                Ok(more) => {
                    is_last = !more;
                    nonzeros += self.entries.len();
                }
                Err(mistake) => {
                    is_last = mistake.scope == Scope::Source;
                    self.skip_malformed(&mut items);
                    items.push(Item::Mistake(mistake));
                }
            }
        }
        let Triples { source, read, last, malformed, .. } = &mut self.triples;
        let cursor = format!("{read} {last} {} {}", self.expected, malformed.unwrap_or(0));
        Batch { items, mark: source.mark(), cursor, consumed: source.consumed(), is_last }
    }
}

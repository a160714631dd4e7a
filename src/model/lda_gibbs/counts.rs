//! How often each word has each topic.

use ndarray::Array2;

/// Topics that are handled together: one vector of the widest processors.
pub(super) const GROUP: usize = 8;

/// Counts of eight neighbouring topics.
pub(super) type Counts8 = [i32; GROUP];

/// n_wk and n_k. Rows are filled up to whole groups with topics that do not occur.
#[derive(Debug, Clone)]
pub(super) struct WordTopics {
    topics: usize,
    /// n_wk: W rows.
    rows: Vec<Counts8>,
    /// n_k.
    pub totals: Vec<Counts8>,
}

impl WordTopics {
    /// No tokens.
    pub fn new(words: usize, topics: usize) -> Self {
        let width = topics.div_ceil(GROUP);
        Self { topics, rows: vec![[0; GROUP]; words * width], totals: vec![[0; GROUP]; width] }
    }

    /// Groups to a row.
    pub fn width(&self) -> usize {
        self.totals.len()
    }

    /// n_w: a word's row, and n_k, both to be changed.
    #[inline(always)]
    pub fn parts_mut(&mut self, word: usize) -> (&mut [Counts8], &mut [Counts8]) {
        let width = self.totals.len();
        (&mut self.rows[word * width..(word + 1) * width], &mut self.totals)
    }

    /// One more token of `word` with `topic`.
    pub fn add(&mut self, word: usize, topic: usize) {
        let (row, totals) = self.parts_mut(word);
        row.as_flattened_mut()[topic] += 1;
        totals.as_flattened_mut()[topic] += 1;
    }

    /// Takes over what another one says.
    pub fn copy_from(&mut self, other: &Self) {
        self.rows.copy_from_slice(&other.rows);
        self.totals.copy_from_slice(&other.totals);
    }

    /// Adds how each of `lanes`, all of which started from these counts, has changed.
    pub fn merge<'l>(&mut self, lanes: impl Iterator<Item = &'l Self> + Clone) {
        let change = |own: &mut Vec<Counts8>, part: fn(&Self) -> &Vec<Counts8>| {
            let before = own.clone();
            for lane in lanes.clone() {
                let both = own.as_flattened_mut().iter_mut().zip(before.as_flattened());
                for ((own, before), lane) in both.zip(part(lane).as_flattened()) {
                    *own += lane - before;
                }
            }
        };
        change(&mut self.rows, |counts| &counts.rows);
        change(&mut self.totals, |counts| &counts.totals);
    }

    /// W × K.
    pub fn to_matrix(&self) -> Array2<f64> {
        let width = self.width();
        Array2::from_shape_fn((self.rows.len() / width, self.topics), |(word, topic)| {
            f64::from(self.rows[word * width + topic / GROUP][topic % GROUP])
        })
    }

    /// n_k for the K topics.
    pub fn topic_totals(&self) -> &[i32] {
        &self.totals.as_flattened()[..self.topics]
    }

    /// n_wk of all words, with the topics that do not occur.
    pub fn entries(&self) -> &[i32] {
        self.rows.as_flattened()
    }
}

//! B by rows for reading documents: the K probabilities of a word are adjacent.

use ndarray::Array2;
use pulp::Arch;
use rayon::prelude::*;

use super::lanes::LANES;
use super::single_lanes::LANES as SINGLE_LANES;
use super::sweep::Sweep;
use crate::stream::aligned::Aligned;
use crate::stream::documents::Batch;

/// η, the smoothing of topics with zeros: every word gets η extra tokens in every topic, so that no
/// document has probability 0. As in MALLET, and the same for all models.
pub const ETA: f64 = 0.01;

/// Smallest number of rows that a thread writes at a time.
const WORDS_AT_ONCE: usize = 256;

/// B (W × K), smoothed where it has zeros. Rows are padded with zeros to a multiple of eight
/// numbers.
#[derive(Debug, Clone)]
pub struct TopicRows {
    topics: usize,
    width: usize,
    rows: Aligned,
    single: SingleRows,
}

/// B in single precision, with rows padded to a multiple of sixteen. Each row is scaled by a power
/// of 2 so that its largest entry is in [1, 2), and no relevant entry underflows.
#[derive(Debug, Clone)]
pub(super) struct SingleRows {
    width: usize,
    rows: Aligned<f32>,
    /// The factor that restores each row.
    scales: Vec<f64>,
}

/// Writes `from` to `row`, scaled. Returns the factor that restores it.
fn scale_row(row: &mut [f32], from: &[f64]) -> f64 {
    let most = from.iter().fold(0.0, |most: f64, &entry| most.max(entry));
    // The bits of a power of 2 are its exponent.
    let exponent = (most.to_bits() >> 52).clamp(1, 2045);
    let scale = f64::from_bits((2046 - exponent) << 52);
    row.iter_mut().zip(from).for_each(|(to, &entry)| *to = (entry * scale) as f32);
    f64::from_bits(exponent << 52)
}

impl SingleRows {
    fn zeros(words: usize, topics: usize) -> Self {
        let width = topics.next_multiple_of(SINGLE_LANES);
        Self { width, rows: Aligned::zeros(words * width), scales: vec![0.0; words] }
    }

    /// K rounded up to whole lanes.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A word's row, padded with zeros.
    pub(super) fn row(&self, word: u32) -> &[f32] {
        &self.rows[word as usize * self.width..][..self.width]
    }

    /// The factor that restores a row.
    pub(super) fn scale(&self, word: u32) -> f64 {
        self.scales[word as usize]
    }
}

/// The different words of a document and their counts.
#[derive(Debug, Clone, Copy)]
pub struct DocumentCounts<'d> {
    /// Word numbers, ascending.
    pub words: &'d [u32],
    /// Their counts, above 0.
    pub counts: &'d [f64],
}

impl DocumentCounts<'_> {
    /// n, the number of tokens.
    pub fn tokens(self) -> f64 {
        self.counts.iter().sum()
    }
}

impl Batch {
    /// The documents as input of sweeps.
    pub(crate) fn counts(&self) -> impl Iterator<Item = DocumentCounts<'_>> {
        self.documents().map(|(words, counts, _)| DocumentCounts { words, counts })
    }
}

impl TopicRows {
    /// The rows of B (W × K, columns that sum to 1), smoothed by [`ETA`] if an entry is 0. `tokens`
    /// is the number of tokens of all topics; each topic is assumed to have an equal share:
    /// `B̃ = (1 − λ) B + λ/W`, `λ = W η / (tokens/K + W η)`. Topics without zeros are not changed.
    pub fn with_smoothing(topics: &Array2<f64>, tokens: f64) -> Self {
        if topics.iter().all(|&entry| entry > 0.0) {
            return Self::new(topics);
        }
        let share = ETA * topics.len() as f64;
        let share = share / (tokens + share);
        let even = share / topics.nrows() as f64;
        Self::new(&topics.mapv(|entry| (1.0 - share) * entry + even))
    }

    /// The rows of B (W × K) without smoothing.
    pub fn new(topics: &Array2<f64>) -> Self {
        let (words, k) = topics.dim();
        let width = k.next_multiple_of(LANES);
        let single = SingleRows::zeros(words, k);
        let mut rows = Self { topics: k, width, rows: Aligned::zeros(words * width), single };
        rows.fill(|word, row| {
            row.iter_mut().zip(topics.row(word)).for_each(|(to, &entry)| *to = entry);
        });
        rows
    }

    /// Overwrites each word's row of B with the result of `write`, on all threads.
    pub fn fill(&mut self, write: impl Fn(usize, &mut [f64]) + Sync) {
        let (topics, width) = (self.topics, self.width.max(1));
        let SingleRows { width: single, rows, scales } = &mut self.single;
        let rows = rows.par_chunks_exact_mut((*single).max(1)).zip(scales);
        let rows = self.rows.par_chunks_exact_mut(width).zip(rows);
        rows.with_min_len(WORDS_AT_ONCE).enumerate().for_each(|(word, (row, (single, scale)))| {
            write(word, &mut row[..topics]);
            *scale = scale_row(single, &row[..topics]);
        });
    }

    /// K, the number of topics.
    pub fn topics(&self) -> usize {
        self.topics
    }

    /// W, the number of words.
    pub fn words(&self) -> usize {
        self.rows.len().checked_div(self.width).unwrap_or(0)
    }

    /// K rounded up to whole lanes: the length of weights and gradients.
    pub fn width(&self) -> usize {
        self.width
    }

    /// p(word | topic) for every topic.
    pub fn row(&self, word: u32) -> &[f64] {
        &self.rows[word as usize * self.width..][..self.topics]
    }

    /// The rows in single precision.
    pub(super) fn single(&self) -> &SingleRows {
        &self.single
    }

    /// B as a matrix, W × K.
    pub fn to_matrix(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.words(), self.topics), |(word, topic)| {
            self.rows[word * self.width + topic]
        })
    }

    /// Computes s_w = Σ_k B_wk v_k for each word w of a document, into `shares`, and Σ_w x_w B_wk /
    /// s_w for each topic, into `gradient`: the gradient of Σ_w x_w log s_w with respect to v.
    ///
    /// `weights` (v) and `gradient` have [`TopicRows::width`] numbers, with zeros beyond K.
    /// `shares` has the length of the document. 4·K flops for each word.
    pub fn sweep(
        &self,
        document: DocumentCounts<'_>,
        weights: &[f64],
        shares: &mut [f64],
        gradient: &mut [f64],
    ) {
        let (rows, width) = (&self.rows[..], self.width);
        Arch::new().dispatch(Sweep { rows, width, document, weights, shares, gradient });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sweep_is_what_its_formulas_say(
            k in 1usize..20, entries in prop::collection::vec(0.01f64..1.0, 12 * 20),
            counts in prop::collection::vec(1u32..5, 0..7),
        ) {
            let b = Array2::from_shape_fn((12, k), |(w, t)| entries[w * 20 + t]);
            let rows = TopicRows::new(&b);
            let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            let words = &[0, 2, 3, 5, 8, 9, 11][..counts.len()];
            let document = DocumentCounts { words, counts: &counts };
            let mut v = vec![0.0; rows.width()];
            (0..k).for_each(|t| v[t] = (t + 1) as f64);
            let (mut shares, mut gradient) = (vec![0.0; counts.len()], vec![1.0; rows.width()]);
            rows.sweep(document, &v, &mut shares, &mut gradient);
            for (place, &w) in document.words.iter().enumerate() {
                let s: f64 = (0..k).map(|t| b[(w as usize, t)] * v[t]).sum();
                prop_assert!((shares[place] - s).abs() < 1e-12 * s);
            }
            for t in 0..k {
                let places = document.words.iter().zip(&counts).zip(&shares);
                let g: f64 = places.map(|((&w, x), s)| x * b[(w as usize, t)] / s).sum();
                prop_assert!((gradient[t] - g).abs() <= 1e-12 * g);
            }
            prop_assert!(gradient[k..].iter().all(|&g| g == 0.0));
            prop_assert_eq!(rows.to_matrix(), b);
            prop_assert_eq!(rows.words(), 12);
        }
    }

    #[test]
    fn single_precision_loses_nothing_of_a_row_that_counts() {
        let tiny = f64::from_bits(7);
        let rows =
            [[0.3, 1e-9], [1e-200, 3e-201], [1e-308, tiny], [0.0, 0.0], [tiny, 0.0], [1.0, 1e-300]];
        let single = TopicRows::new(&ndarray::arr2(&rows)).single;
        for (word, row) in (0..).zip(rows) {
            let most = row[0].max(row[1]);
            for (found, entry) in single.row(word).iter().zip(row) {
                let miss = f64::from(*found) * single.scale(word) - entry;
                assert!(miss.abs() <= 1e-7 * most, "{row:?}: {found} · {}", single.scale(word));
            }
            assert!(single.row(word)[2..].iter().all(|&padding| padding == 0.0));
        }
    }

    #[test]
    fn only_topics_with_zeros_are_smoothed_and_columns_still_sum_to_1() {
        let b = Array2::from_shape_vec((2, 2), vec![1.0, 0.25, 0.0, 0.75]).expect("2 × 2");
        // λ = 2 · 2 · 0.01 / (0.36 + 0.04), a tenth.
        let smoothed = TopicRows::with_smoothing(&b, 0.36).to_matrix();
        assert!((smoothed[(1, 0)] - 0.05).abs() < 1e-15);
        assert!(smoothed.columns().into_iter().all(|column| (column.sum() - 1.0).abs() < 1e-15));
        let positive = b.mapv(|entry| 0.5 * entry + 0.25);
        assert_eq!(TopicRows::with_smoothing(&positive, 9.0).to_matrix(), positive);
    }
}

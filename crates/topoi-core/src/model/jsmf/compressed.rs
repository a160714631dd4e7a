//! A rectified co-occurrence C* ≈ Y·Yᵀ, from which topics of any anchors are computed without the
//! corpus.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::AnchorTopics;
use crate::linalg::dense::{cholesky, product, transposed_product, upper_inverse};
use crate::linalg::extreme_rows::{ExtremeRows, dependent_row, extreme_rows_given};
use crate::linalg::orthonormal::orthonormalise;
use crate::linalg::simplex_least_squares::{SimplexFit, simplex_fit};
use crate::model::setting::Choices;

/// The words of an anchor. The rows of several words are combined
/// ([`CompressedCoOccurrence::mixtures`]).
pub type Anchor = Vec<usize>;

/// What is done with negative entries of Y·Yᵀ, which rectification leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum NegativeEntries {
    /// They are set to 0 in the rows that matter: those of anchors, and those whose sum d is not positive. The
    /// correction is E (W × few); d is corrected by its column sums, and X by E·Q. C*_SS has no negative entries
    /// either. The authors' published program does so for the rows of anchors, after the anchors are found.
    #[default]
    Zeroed,
    /// They stay, as printed: rows are divided by their sums also where these are negative, and C*_SS = Y_S·Y_Sᵀ. A
    /// row with a sum of 0, which cannot be divided by it, is taken for 0.
    Kept,
}

impl Choices for NegativeEntries {}

/// Y (W × K) and what is derived from it for every choice of anchors.
#[derive(Debug, Clone)]
pub struct CompressedCoOccurrence {
    y: Array2<f64>,
    q: Array2<f64>,
    /// Y·Rᵀ.
    plain: Array2<f64>,
    /// Row sums of Y·Yᵀ.
    sums: Array1<f64>,
    /// Words without a positive row sum.
    empty_words: Vec<usize>,
    negative: NegativeEntries,
    /// Rows with those of empty words corrected.
    first: CorrectedRows,
}

/// p(anchor | word), and the word probabilities.
#[derive(Debug, Clone)]
pub struct WordMixtures {
    /// Weights p(anchor | word), W × V. Rows are nonnegative and sum to 1.
    pub weights: Array2<f64>,
    /// p(word), W numbers, positive where negative entries are set to zero.
    pub d: Array1<f64>,
    /// The largest KKT gap of the W simplex least squares, relative to the largest squared vertex.
    pub worst_gap: f64,
}

/// No word occurs with all words of an anchor, so the anchor has no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NothingInCommon(
    /// Index of the anchor.
    pub usize,
);

/// A topic with fixed p(anchor | word): the index of its anchor and W shares.
pub type FixedShares = (usize, Array1<f64>);

impl CompressedCoOccurrence {
    /// From Y (W × K′) of full rank.
    pub fn new(y: Array2<f64>) -> Self {
        Self::with_negative_entries(y, NegativeEntries::default())
    }

    /// From Y (W × K′) of full rank, with a choice of what is done with negative entries of Y·Yᵀ.
    pub fn with_negative_entries(y: Array2<f64>, negative: NegativeEntries) -> Self {
        let (q, r) = orthonormalise(&y);
        let plain = product(&y, &r.t().as_standard_layout().to_owned());
        let sums = y.dot(&y.sum_axis(Axis(0)));
        let empty_words: Vec<usize> = (0..sums.len()).filter(|&word| sums[word] <= 0.0).collect();
        let first = match negative {
            NegativeEntries::Zeroed => CorrectedRows::new(&y, &q, &plain, &sums, &empty_words),
            NegativeEntries::Kept => CorrectedRows::as_printed(&plain, &sums),
        };
        Self { y, q, plain, sums, empty_words, negative, first }
    }

    /// C* restricted to `words`.
    pub fn restricted_to(&self, words: &[usize]) -> Self {
        Self::with_negative_entries(self.y.select(Axis(0), words), self.negative)
    }

    /// Number of words, W.
    pub fn words(&self) -> usize {
        self.y.nrows()
    }

    /// p(word), up to scale and corrections of rows.
    pub fn probabilities(&self) -> &Array1<f64> {
        &self.first.d
    }

    /// C*_ij of two words.
    pub fn joint(&self, i: usize, j: usize) -> f64 {
        self.y.row(i).dot(&self.y.row(j)).max(0.0)
    }

    /// The squared distance between the normalised rows of two words.
    pub fn squared_distance(&self, i: usize, j: usize) -> f64 {
        let apart = &self.first.x.row(i) - &self.first.x.row(j);
        apart.dot(&apart)
    }

    /// `count` words of `candidates`. Each is the farthest from the span of the `given` anchors and
    /// of the words chosen before it. Returns fewer where the candidates' rows have a lower rank.
    ///
    /// # Errors
    /// [`NothingInCommon`] for one of `given`.
    pub fn farthest(
        &self,
        given: &[Anchor],
        candidates: &[usize],
        count: usize,
    ) -> Result<ExtremeRows, NothingInCommon> {
        let given = self.anchor_rows(&self.first, given)?;
        let rows = self.first.x.select(Axis(0), candidates);
        Ok(extreme_rows_given(&rows, &given, count).renumbered(candidates))
    }

    /// The index of the first of `anchors` whose row depends on those before it.
    ///
    /// # Errors
    /// [`NothingInCommon`].
    pub fn first_dependent_row(
        &self,
        anchors: &[Anchor],
    ) -> Result<Option<usize>, NothingInCommon> {
        let rows = self.anchor_rows(&self.first, anchors)?;
        Ok(dependent_row(&rows, DEPENDENCE_TOLERANCE))
    }

    /// For every word, the index of the anchor with the nearest row.
    ///
    /// # Errors
    /// [`NothingInCommon`].
    pub fn nearest(&self, anchors: &[Anchor]) -> Result<Vec<usize>, NothingInCommon> {
        let rows = self.anchor_rows(&self.first, anchors)?;
        let halves: Vec<f64> = rows.rows().into_iter().map(|row| 0.5 * row.dot(&row)).collect();
        let products = product(&self.first.x, &rows.t().as_standard_layout().to_owned());
        let away = |row: ArrayView1<'_, f64>, at: usize| halves[at] - row[at];
        let nearest = |row: ArrayView1<'_, f64>| {
            (0..row.len()).min_by(|&a, &b| away(row, a).total_cmp(&away(row, b)))
        };
        Ok(products.rows().into_iter().map(|row| nearest(row).unwrap_or(0)).collect())
    }

    /// p(anchor | word) of every word: its row as a mixture of the anchors' rows, by least squares
    /// over the simplex. Unless negative entries of Y·Yᵀ are kept, they are set to zero in the rows of
    /// anchors and of words without a positive row sum.
    ///
    /// The row of an anchor of several words is the normalised, entrywise harmonic mean of their
    /// rows: it has weight on words that occur with all of them. Shares in `held` are fixed; the
    /// rest of a word's row is a mixture of the other anchors' rows. The search starts from `guess`
    /// (W × V).
    ///
    /// # Cost
    /// About 8·W·K² flops and the simplex least squares, which are short with a near guess. 2·W·K
    /// more for each word of a multiword anchor.
    ///
    /// # Source
    /// Lee et al. 2021, algorithm 5 and lemma 2; Lund, Cook, Seppi and Boyd-Graber 2017, "Tandem
    /// Anchoring: a Multiword Anchor Approach for Interactive Topic Modeling".
    ///
    /// # Errors
    /// [`NothingInCommon`].
    pub fn mixtures(
        &self,
        anchors: &[Anchor],
        held: &[FixedShares],
        guess: Option<Array2<f64>>,
    ) -> Result<WordMixtures, NothingInCommon> {
        let c = match self.negative {
            NegativeEntries::Kept => self.first.clone(),
            NegativeEntries::Zeroed => {
                let mut rows = self.empty_words.clone();
                rows.extend(anchors.iter().flatten());
                rows.sort_unstable();
                rows.dedup();
                CorrectedRows::new(&self.y, &self.q, &self.plain, &self.sums, &rows)
            }
        };
        let vertices = self.anchor_rows(&c, anchors)?;
        let transposed = vertices.t().as_standard_layout().to_owned();
        let (gram, linear) = (product(&vertices, &transposed), product(&c.x, &transposed));
        let SimplexFit { mut weights, worst_gap, .. } = match held {
            [] => simplex_fit(gram, linear, guess),
            held => fit_with_fixed(&gram, &linear, held, guess),
        };
        for (place, anchor) in anchors.iter().enumerate() {
            let is_held = || held.iter().any(|(at, _)| *at == place);
            if let [word] = anchor[..]
                && !is_held()
            {
                weights.row_mut(word).fill(0.0);
                weights[(word, place)] = 1.0;
            }
        }
        Ok(WordMixtures { weights, d: c.d, worst_gap })
    }

    /// Topics of single-word anchors by LAW.
    ///
    /// # Panics
    /// When an anchor has several words.
    pub(super) fn topics_of_words(&self, anchors: Vec<usize>, distances: Vec<f64>) -> AnchorTopics {
        let alone: Vec<Anchor> = anchors.iter().map(|&word| vec![word]).collect();
        let found = self.mixtures(&alone, &[], None).expect("each is a word's own row");
        let joint = self.joint_of(&anchors);
        let WordMixtures { weights, d, worst_gap } = found;
        AnchorTopics::by_bayes(anchors, distances, weights, worst_gap, &d, &joint)
    }

    /// C*_SS of these words, K × K.
    fn joint_of(&self, words: &[usize]) -> Array2<f64> {
        let rows = self.y.select(Axis(0), words);
        let joint = rows.dot(&rows.t());
        match self.negative {
            NegativeEntries::Zeroed => joint.mapv(|joint| joint.max(0.0)),
            NegativeEntries::Kept => joint,
        }
    }

    /// A (K × K) of topics B (W × K). Where every topic has a word `alone` that is exclusive to it,
    /// A = `B_S⁻¹ C*_SS B_S⁻¹`. Otherwise A makes B·A·Bᵀ nearest to Y·Yᵀ, with negative entries set
    /// to 0.
    pub fn correlations(&self, topics: &Array2<f64>, alone: Option<&[usize]>) -> Array2<f64> {
        if let Some(words) = alone {
            let own = Array1::from_iter(words.iter().zip(0..).map(|(&word, k)| topics[(word, k)]));
            let scale = Array2::from_shape_fn((own.len(), own.len()), |(k, l)| own[k] * own[l]);
            return self.joint_of(words) / &scale;
        }
        let mut gram = transposed_product(topics, topics);
        let ridge = gram.diag().sum() * 1e-12;
        gram.diag_mut().mapv_inplace(|entry| entry + ridge);
        let seen = transposed_product(topics, &self.y);
        let Some(root) = cholesky(&gram).map(|factor| upper_inverse(&factor)) else {
            return Array2::zeros(gram.dim());
        };
        let solved = root.dot(&root.t().dot(&seen));
        solved.dot(&solved.t()).mapv(|joint| joint.max(0.0))
    }

    /// The rows of anchors in the basis Q, V × K′.
    fn anchor_rows(
        &self,
        c: &CorrectedRows,
        anchors: &[Anchor],
    ) -> Result<Array2<f64>, NothingInCommon> {
        let mut rows = Array2::zeros((anchors.len(), c.x.ncols()));
        for (place, anchor) in anchors.iter().enumerate() {
            let row = match anchor[..] {
                [word] => c.x.row(word).to_owned(),
                _ => {
                    let whole = self.harmonic_mean_row(anchor).ok_or(NothingInCommon(place))?;
                    whole.dot(&self.q)
                }
            };
            rows.row_mut(place).assign(&row);
        }
        Ok(rows)
    }

    /// The normalised harmonic mean of the words' rows of C̄*; `None` where it is zero.
    fn harmonic_mean_row(&self, anchor: &[usize]) -> Option<Array1<f64>> {
        let mut reciprocals = Array1::zeros(self.words());
        for &word in anchor {
            let joint = self.y.dot(&self.y.row(word)).mapv(|joint| joint.max(0.0));
            let sum = joint.sum();
            // 1 / 0 is infinite, and one infinite reciprocal makes the mean zero.
            reciprocals.zip_mut_with(&joint, |all, &one| *all += sum / one);
        }
        let row: Array1<f64> = reciprocals.mapv(|sum: f64| sum.recip());
        let sum = row.sum();
        (sum.is_finite() && sum > 0.0).then(|| row / sum)
    }
}

/// Relative distance from the span of others up to which a row depends on them.
const DEPENDENCE_TOLERANCE: f64 = 1e-6;

/// Least squares over the simplex with the weights of some vertices fixed.
fn fit_with_fixed(
    gram: &Array2<f64>,
    linear: &Array2<f64>,
    held: &[FixedShares],
    guess: Option<Array2<f64>>,
) -> SimplexFit {
    let k = gram.nrows();
    let is_held = |place: &usize| held.iter().any(|(at, _)| at == place);
    let free: Vec<usize> = (0..k).filter(|place| !is_held(place)).collect();
    let mut weights = Array2::zeros(linear.dim());
    for (place, shares) in held {
        weights.column_mut(*place).assign(&shares.mapv(|share| share.clamp(0.0, 1.0)));
    }
    let mut rest = columns(linear, &free);
    for (word, mut row) in rest.rows_mut().into_iter().enumerate() {
        let sum: f64 = weights.row(word).sum();
        if sum > 1.0 {
            weights.row_mut(word).mapv_inplace(|share| share / sum);
        }
        // A fully fixed word has no rest, and any mixture of it gets no weight.
        let left = (1.0 - sum).max(LEAST_REST);
        for (at, &place) in free.iter().enumerate() {
            let taken = weights.row(word).dot(&gram.column(place));
            row[at] = (row[at] - taken) / left;
        }
    }
    let own = columns(&gram.select(Axis(0), &free), &free);
    let guess = guess.map(|guess| columns(&guess, &free));
    let fit = simplex_fit(own, rest, guess);
    for (word, row) in fit.weights.rows().into_iter().enumerate() {
        let left = (1.0 - weights.row(word).sum()).max(0.0);
        for (&place, weight) in free.iter().zip(row) {
            weights[(word, place)] = left * weight;
        }
    }
    SimplexFit { weights, ..fit }
}

/// Selected columns, in row order.
fn columns(matrix: &Array2<f64>, which: &[usize]) -> Array2<f64> {
    matrix.select(Axis(1), which).as_standard_layout().into_owned()
}

/// Smallest remaining share of a word. Less is rounding error.
const LEAST_REST: f64 = 1e-9;

/// Normalised rows of (Y·Yᵀ + E) in the basis Q, with E the negative part of rows and columns
/// `rows` of Y·Yᵀ.
#[derive(Debug, Clone)]
struct CorrectedRows {
    /// W × K.
    x: Array2<f64>,
    /// Row sums of Y·Yᵀ + E, made positive unless negative entries are kept.
    d: Array1<f64>,
}

impl CorrectedRows {
    /// Without a correction: `plain` over `d`.
    fn as_printed(plain: &Array2<f64>, d: &Array1<f64>) -> Self {
        let inverse = d.mapv(|sum| if sum == 0.0 { 0.0 } else { sum.recip() });
        Self { x: plain * &inverse.insert_axis(Axis(1)), d: d.to_owned() }
    }

    fn new(
        y: &Array2<f64>,
        q: &Array2<f64>,
        plain: &Array2<f64>,
        d: &Array1<f64>,
        rows: &[usize],
    ) -> Self {
        let mut x = plain.to_owned();
        let mut d = d.to_owned();
        if !rows.is_empty() {
            // Columns `rows` of E: W × |rows|.
            let chosen = y.select(Axis(0), rows).t().as_standard_layout().to_owned();
            let e = product(y, &chosen).mapv(|joint| (-joint).max(0.0));
            let mut is_chosen = vec![false; y.nrows()];
            rows.iter().for_each(|&row| is_chosen[row] = true);
            let q_rows = q.select(Axis(0), rows);
            // Other rows have E in the chosen columns only.
            let mut shift = product(&e, &q_rows);
            // The chosen rows have all of E, which is symmetric.
            let whole = transposed_product(&e, q);
            let sums = e.sum_axis(Axis(0));
            d += &e.sum_axis(Axis(1));
            for (at, &row) in rows.iter().enumerate() {
                shift.row_mut(row).assign(&whole.row(at));
                let twice: f64 = e.row(row).sum();
                d[row] += sums[at] - twice;
            }
            x += &shift;
        }
        // A word whose corrected row is still empty keeps a tiny probability.
        let floor = d.iter().fold(0.0, |most: f64, &x| most.max(x)) * 1e-15;
        d.mapv_inplace(|sum| sum.max(floor));
        for (mut row, &sum) in x.rows_mut().into_iter().zip(&d) {
            row /= sum;
        }
        Self { x, d }
    }
}

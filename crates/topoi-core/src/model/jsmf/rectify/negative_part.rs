//! The negative part of Y·Yᵀ on its large rows, as a sparse matrix.

use std::ops::Range;

use faer::{MatMut, MatRef};
use ndarray::{Array2, Axis};
use pulp::Arch;
use rayon::prelude::*;

use super::sparse_rows::{AddScaledRows, NegativeEntries, SparseRows};
use crate::linalg::dense::{multiply, product, transposed_product};

/// Words in a tile. A tile against l = 1,500 large rows takes 0.8 MB and stays in cache.
const TILE: usize = 128;

/// E, the correction that makes the large rows of Y·Yᵀ nonnegative: `E_ij = max(−Y_i·Y_j, 0)` where
/// i or j is one of the l rows of Y with the largest norms, 0 elsewhere. It is symmetric and mostly
/// sparse: under 1% of the large rows on text, but half of them where documents are a few words
/// long.
///
/// Cosines between rows of Y are computed tile by tile in f32 and discarded. Entries that are
/// negative, or too near 0 to tell, are computed again in f64. Where many are negative, E is
/// computed and multiplied as a dense matrix of f32. A correction that alternates with others, and
/// half of which changes in an iteration, needs no more digits (papers/benchmarks.md, "The default
/// run today").
/// # Source
/// Lee et al. 2021, algorithm 3 and §3.1. The bound |C_ij| ≤ ‖y_i‖‖y_j‖ justifies ignoring small
/// rows.
#[derive(Debug, Clone)]
pub struct NegativePart {
    entries: Entries,
    /// Word numbers of the large rows, ascending.
    large: Vec<u32>,
    /// Multiplicity of each word's entries in E: 1 for large rows, 2 for others.
    sides: Vec<f64>,
}

/// Entries of every word's row in the columns of large rows.
#[derive(Debug, Clone)]
enum Entries {
    Sparse {
        by_word: SparseRows,
        /// The same entries of words that are not large, by large row.
        mirrored: SparseRows,
    },
    /// W × l.
    Dense(Array2<f32>),
}

/// Share of negative entries from which on E is dense. Products then take less time than with a
/// list of entries.
const DENSE_SHARE: f64 = 0.1;
/// One of this many tiles is sampled to estimate the share of negative entries.
const SAMPLED_TILE_OF: usize = 8;

impl NegativePart {
    /// E of Y (W × K, in row order) on its `large` largest rows. Costs 2·l·W·K flops in f32, and
    /// 2·K flops in f64 for each entry where E is sparse.
    pub fn new(y: &Array2<f64>, large: usize) -> Self {
        let words = y.nrows();
        let norms: Vec<f64> = y.rows().into_iter().map(|row| row.dot(&row).sqrt()).collect();
        let large = largest_rows(&norms, large.min(words));
        let at_large: Vec<usize> = large.iter().map(|&word| word as usize).collect();
        let directions = directions(y, &norms);
        let tiling = Tiling {
            y,
            directions: &directions,
            columns: directions.select(Axis(0), &at_large),
            large: &large,
        };
        let mut sides = vec![2.0; words];
        at_large.iter().for_each(|&word| sides[word] = 1.0);
        let entries = if tiling.negative_share() < DENSE_SHARE {
            let by_word = tiling.sparse();
            let mirrored = mirror(&by_word, &large, &sides);
            Entries::Sparse { by_word, mirrored }
        } else {
            let y = y.mapv(|entry| entry as f32);
            let columns = y.select(Axis(0), &at_large).t().as_standard_layout().into_owned();
            let mut products = product(&y, &columns);
            products.par_mapv_inplace(|joint| (-joint).max(0.0));
            Entries::Dense(products)
        };
        Self { entries, large, sides }
    }

    /// E·V for V of W × b: 2·b flops for each entry.
    pub fn multiply(&self, v: &Array2<f64>) -> Array2<f64> {
        match &self.entries {
            Entries::Sparse { by_word, mirrored } => self.multiply_sparse(by_word, mirrored, v),
            Entries::Dense(entries) => self.multiply_dense(entries, v),
        }
    }

    fn multiply_sparse(
        &self,
        by_word: &SparseRows,
        mirrored: &SparseRows,
        v: &Array2<f64>,
    ) -> Array2<f64> {
        let width = v.ncols();
        let mut product = Array2::zeros(v.dim());
        let rows = product.as_slice_mut().expect("in row order");
        let v = v.as_slice().expect("matrices here are in row order");
        let arch = Arch::new();
        rows.par_chunks_mut(width.max(1)).with_min_len(TILE).enumerate().for_each(|(word, out)| {
            arch.dispatch(AddScaledRows { entries: by_word.row(word), v, out });
            if let Ok(rank) = self.large.binary_search(&(word as u32)) {
                arch.dispatch(AddScaledRows { entries: mirrored.row(rank), v, out });
            }
        });
        product
    }

    fn multiply_dense(&self, entries: &Array2<f32>, v: &Array2<f64>) -> Array2<f64> {
        let at_large: Vec<usize> = self.large.iter().map(|&word| word as usize).collect();
        let mut small = v.mapv(|entry| entry as f32);
        let mut found = product(entries, &small.select(Axis(0), &at_large));
        at_large.iter().for_each(|&word| small.row_mut(word).fill(0.0));
        let mirrored = transposed_product(entries, &small);
        for (&word, more) in at_large.iter().zip(mirrored.rows()) {
            let mut row = found.row_mut(word);
            row += &more;
        }
        found.mapv(f64::from)
    }

    /// The nonzero entries of a word's row, columns ascending. `buffer` stores them where E is
    /// dense.
    fn row<'a>(&'a self, word: usize, buffer: &'a mut Vec<(u32, f64)>) -> &'a [(u32, f64)] {
        match &self.entries {
            Entries::Sparse { by_word, .. } => by_word.row(word),
            Entries::Dense(entries) => {
                let row = entries.row(word);
                let row =
                    self.large.iter().zip(row).map(|(&column, &value)| (column, value.into()));
                buffer.clear();
                buffer.extend(row.filter(|entry| entry.1 > 0.0));
                buffer
            }
        }
    }

    /// Σ_ij E_ij.
    pub fn sum(&self) -> f64 {
        let row_sum = |word| match &self.entries {
            Entries::Sparse { by_word, .. } => by_word.row(word).iter().map(|entry| entry.1).sum(),
            Entries::Dense(entries) => {
                entries.row(word).iter().map(|&entry| f64::from(entry)).sum()
            }
        };
        let sums: Vec<f64> = (0..self.sides.len()).into_par_iter().map(row_sum).collect();
        self.sides.iter().zip(sums).map(|(sides, sum)| sides * sum).sum()
    }

    /// Share of nonzero entries in the large rows.
    pub fn density(&self) -> f64 {
        let entries = match &self.entries {
            Entries::Sparse { by_word, .. } => by_word.entries.len(),
            Entries::Dense(entries) => entries.iter().filter(|&&entry| entry > 0.0).count(),
        };
        entries as f64 / (self.large.len() * self.sides.len()).max(1) as f64
    }

    /// ‖E − E′‖ / ‖E‖ for another correction E′ of the same words; 0 where E is 0.
    pub fn relative_change(&self, before: &Self) -> f64 {
        if let (Entries::Dense(now), Entries::Dense(then)) = (&self.entries, &before.entries) {
            return self.dense_change(now, then, &before.large);
        }
        let (mut change, mut size) = (0.0, 0.0);
        let mut buffers = [Vec::new(), Vec::new()];
        for (word, sides) in self.sides.iter().enumerate() {
            let [now, then] = &mut buffers;
            let (now, then) = (self.row(word, now), before.row(word, then));
            size += sides * now.iter().map(|&(_, x)| x.powi(2)).sum::<f64>();
            change += sides * squared_difference(now, then);
        }
        if size > 0.0 { (change / size).sqrt() } else { 0.0 }
    }

    /// [`Self::relative_change`] between dense corrections; `columns` are the words of the columns
    /// of `then`.
    fn dense_change(&self, now: &Array2<f32>, then: &Array2<f32>, columns: &[u32]) -> f64 {
        let place = |among: &[u32], word: &u32| among.binary_search(word).ok();
        let same: Vec<Option<usize>> = self.large.iter().map(|word| place(columns, word)).collect();
        let is_gone = |&at: &usize| place(&self.large, &columns[at]).is_none();
        let gone: Vec<usize> = (0..columns.len()).filter(is_gone).collect();
        let of_row = |word: usize| {
            let (now, then) = (now.row(word), then.row(word));
            let changes = now.iter().zip(&same).map(|(x, at)| x - at.map_or(0.0, |at| then[at]));
            let changes = changes.chain(gone.iter().map(|&at| then[at]));
            let squares = |entry: f32| f64::from(entry) * f64::from(entry);
            let change: f64 = changes.map(squares).sum();
            let size: f64 = now.iter().copied().map(squares).sum();
            (self.sides[word] * change, self.sides[word] * size)
        };
        let rows: Vec<(f64, f64)> = (0..self.sides.len()).into_par_iter().map(of_row).collect();
        let (change, size) =
            rows.iter().fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
        if size > 0.0 { (change / size).sqrt() } else { 0.0 }
    }
}

/// Rows scaled to unit length, in f32. Zero rows stay zero.
fn directions(y: &Array2<f64>, norms: &[f64]) -> Array2<f32> {
    let scale = |word: usize| if norms[word] > 0.0 { 1.0 / norms[word] } else { 0.0 };
    Array2::from_shape_fn(y.dim(), |(word, k)| (y[(word, k)] * scale(word)) as f32)
}

/// The `count` rows with the largest norms, ascending. Of equal norms the lower row comes first.
fn largest_rows(norms: &[f64], count: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..norms.len() as u32).collect();
    rows.sort_by(|&a, &b| norms[b as usize].total_cmp(&norms[a as usize]).then(a.cmp(&b)));
    rows.truncate(count);
    rows.sort_unstable();
    rows
}

/// Inputs of the tiles of Y·Yᵀ.
struct Tiling<'a> {
    y: &'a Array2<f64>,
    directions: &'a Array2<f32>,
    /// Directions of the large rows.
    columns: Array2<f32>,
    large: &'a [u32],
}

impl Tiling<'_> {
    fn tiles(&self) -> usize {
        self.y.nrows().div_ceil(TILE)
    }

    fn buffer(&self) -> Vec<f32> {
        vec![0.0; TILE * self.large.len()]
    }

    /// The share of negative cosines, in a sample of the tiles.
    fn negative_share(&self) -> f64 {
        let counts = (0..self.tiles().div_ceil(SAMPLED_TILE_OF)).into_par_iter().map_init(
            || self.buffer(),
            |buffer, tile| {
                let (cosines, _) = self.cosines(tile * SAMPLED_TILE_OF, buffer);
                (cosines.iter().filter(|&&cosine| cosine < 0.0).count(), cosines.len())
            },
        );
        let (negative, all) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        negative as f64 / all.max(1) as f64
    }

    fn sparse(&self) -> SparseRows {
        let tiles: Vec<SparseRows> = (0..self.tiles())
            .into_par_iter()
            .map_init(|| self.buffer(), |buffer, tile| self.entries(tile, buffer))
            .collect();
        let mut by_word = SparseRows::default();
        tiles.into_iter().for_each(|tile| by_word.append(tile));
        by_word
    }

    /// The cosines of a tile's words with the large rows, row by row, and the range of the words'
    /// rows in Y.
    fn cosines<'r>(&self, tile: usize, buffer: &'r mut [f32]) -> (&'r [f32], Range<usize>) {
        let (words, width) = self.y.dim();
        let (first, last) = (tile * TILE, ((tile + 1) * TILE).min(words));
        let rows = first * width..last * width;
        let (n, large) = (last - first, self.large.len());
        let cosines = &mut buffer[..n * large];
        let directions = self.directions.as_slice().expect("in row order");
        let columns = self.columns.as_slice().expect("in row order");
        multiply(
            MatMut::from_row_major_slice_mut(cosines, n, large),
            MatRef::from_row_major_slice(&directions[rows.clone()], n, width),
            MatRef::from_row_major_slice(columns, large, width).transpose(),
        );
        (cosines, rows)
    }

    /// The negative entries of a tile's rows.
    fn entries(&self, tile: usize, buffer: &mut [f32]) -> SparseRows {
        let (cosines, rows) = self.cosines(tile, buffer);
        let width = self.y.ncols();
        let y = self.y.as_slice().expect("in row order");
        Arch::new().dispatch(NegativeEntries {
            cosines,
            // Rounding of both factors and of the sum of products below 1.
            error: (width + 3) as f32 * f32::EPSILON / 2.0,
            rows: &y[rows],
            width,
            y,
            columns: self.large,
        })
    }
}

/// The entries of the small rows by large row, with a counting sort.
fn mirror(by_word: &SparseRows, large: &[u32], sides: &[f64]) -> SparseRows {
    let small = || (0..sides.len()).filter(|&word| sides[word] > 1.0);
    let mut rank_of = vec![0usize; sides.len()];
    large.iter().enumerate().for_each(|(rank, &word)| rank_of[word as usize] = rank);
    let mut next = vec![0usize; large.len() + 1];
    for word in small() {
        for &(column, _) in by_word.row(word) {
            next[rank_of[column as usize] + 1] += 1;
        }
    }
    for rank in 0..large.len() {
        next[rank + 1] += next[rank];
    }
    let ends = next[1..].to_vec();
    let mut entries = vec![(0, 0.0); ends.last().copied().unwrap_or(0)];
    for word in small() {
        for &(column, value) in by_word.row(word) {
            let rank = rank_of[column as usize];
            entries[next[rank]] = (word as u32, value);
            next[rank] += 1;
        }
    }
    SparseRows { ends, entries }
}

fn squared_difference(mut a: &[(u32, f64)], mut b: &[(u32, f64)]) -> f64 {
    let mut sum = 0.0;
    loop {
        let column = |entries: &[(u32, f64)]| entries.first().map_or(u32::MAX, |e| e.0);
        let next = column(a).min(column(b));
        if next == u32::MAX {
            return sum;
        }
        let take = |entries: &mut &[(u32, f64)]| match entries.split_first() {
            Some((&(at, value), rest)) if at == next => {
                *entries = rest;
                value
            }
            _ => 0.0,
        };
        sum += (take(&mut a) - take(&mut b)).powi(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{standard_normal, stream};

    fn random_y(words: usize) -> Array2<f64> {
        let mut rng = stream(5, "negative part");
        Array2::from_shape_simple_fn((words, 6), || standard_normal(&mut rng))
    }

    fn stored(y: &Array2<f64>, large: usize) -> Array2<f64> {
        let norms: Vec<f64> = y.rows().into_iter().map(|row| row.dot(&row).sqrt()).collect();
        let rows = largest_rows(&norms, large);
        let mut e = y.dot(&y.t()).mapv(|x| (-x).max(0.0));
        for ((i, j), entry) in e.indexed_iter_mut() {
            if !rows.contains(&(i as u32)) && !rows.contains(&(j as u32)) {
                *entry = 0.0;
            }
        }
        e
    }

    /// As [`random_y`], with few rows that point away from others.
    fn one_sided_y(words: usize) -> Array2<f64> {
        let mut y = random_y(words);
        y.column_mut(0).mapv_inplace(|x| x.abs() + 2.5);
        y
    }

    /// Comparison to `digits` of the largest entry.
    fn holds_what_the_stored_matrix_does(y: &Array2<f64>, later: &Array2<f64>, digits: f64) {
        let v = random_y(700);
        let e = stored(y, 300);
        let found = NegativePart::new(y, 300);
        let expected = e.dot(&v);
        let scale = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (a, b) in found.multiply(&v).iter().zip(&expected) {
            assert!((a - b).abs() < digits * scale, "{a} {b}");
        }
        assert!((found.sum() - e.sum()).abs() < digits * e.sum());
        let difference = stored(later, 700) - stored(y, 700);
        let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected = norm(&difference) / norm(&stored(later, 700));
        let change = NegativePart::new(later, 700).relative_change(&NegativePart::new(y, 700));
        assert!((change - expected).abs() < digits * expected.max(1.0), "{change} {expected}");
    }

    #[test]
    fn product_sum_and_change_are_those_of_the_stored_matrix_sparse_dense_or_one_after_the_other() {
        let (dense, sparse) = (random_y(700), one_sided_y(700));
        let is_dense = |y| matches!(NegativePart::new(y, 300).entries, Entries::Dense(_));
        assert!(is_dense(&dense) && !is_dense(&sparse));
        // Dense corrections are in single precision; a sum of 700 products has an error of about
        // √700 · 2⁻²⁴.
        let (single, double) = (2e-6, 1e-13);
        holds_what_the_stored_matrix_does(&dense, &(&dense * 0.9 + &sparse * 0.01), single);
        holds_what_the_stored_matrix_does(&sparse, &(&sparse * 0.9 + &dense * 0.01), double);
        holds_what_the_stored_matrix_does(&sparse, &dense, single);
        holds_what_the_stored_matrix_does(&dense, &sparse, single);
    }
}

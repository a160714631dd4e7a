//! The negative part of Y·Yᵀ on its large rows, as a sparse matrix.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, Axis};
use pulp::Arch;
use rayon::prelude::*;

use super::sparse_rows::{AddScaledRows, NegativeEntries, SparseRows};

/// Words in a tile: a tile against l = 1,500 large rows takes 0.8 MB and stays in cache.
const TILE: usize = 128;

/// E, the correction that makes the large rows of Y·Yᵀ nonnegative:
/// `E_ij = max(−Y_i·Y_j, 0)` where i or j is one of the l rows of Y with the largest norms, 0
/// elsewhere. Symmetric and sparse (under 1% of the large rows on text).
///
/// Cosines between rows of Y are made tile by tile in f32, looked through and forgotten; what they
/// show to be negative, or too near to zero to tell, is computed in f64.
///
/// # Source
/// Lee et al. 2021, algorithm 3 and §3.1 (the bound |C_ij| ≤ ‖y_i‖‖y_j‖ that leaves small rows
/// alone).
#[derive(Debug, Clone)]
pub struct NegativePart {
    /// Entries of every word's row in the columns of large rows.
    by_word: SparseRows,
    /// The same entries of the words that are not large, seen from the large rows.
    mirrored: SparseRows,
    /// The large rows as words, ascending.
    large: Vec<u32>,
    /// How often each word's entries stand in E: 1 for large rows, 2 for others.
    sides: Vec<f64>,
}

impl NegativePart {
    /// E of Y (W × K, in row order) on its `large` largest rows: 2·l·W·K flops in f32, and 2·K in f64
    /// an entry.
    pub fn of(y: &Array2<f64>, large: usize) -> Self {
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
        let tiles: Vec<SparseRows> = (0..words.div_ceil(TILE))
            .into_par_iter()
            .map_init(
                || vec![0.0f32; TILE * large.len()],
                |cosines, tile| tiling.entries(tile, cosines),
            )
            .collect();
        let mut by_word = SparseRows::default();
        tiles.into_iter().for_each(|tile| by_word.append(tile));
        let mut sides = vec![2.0; words];
        at_large.iter().for_each(|&word| sides[word] = 1.0);
        let mirrored = mirror(&by_word, &large, &sides);
        Self { by_word, mirrored, large, sides }
    }

    /// E·V for V of W × b: 2·b flops an entry.
    pub fn multiply(&self, v: &Array2<f64>) -> Array2<f64> {
        let width = v.ncols();
        let mut product = Array2::zeros(v.dim());
        let rows = product.as_slice_mut().expect("in row order");
        let v = v.as_slice().expect("matrices here are in row order");
        let arch = Arch::new();
        rows.par_chunks_mut(width.max(1)).with_min_len(TILE).enumerate().for_each(|(word, out)| {
            arch.dispatch(AddScaledRows { entries: self.by_word.row(word), v, out });
            if let Ok(rank) = self.large.binary_search(&(word as u32)) {
                arch.dispatch(AddScaledRows { entries: self.mirrored.row(rank), v, out });
            }
        });
        product
    }

    /// Σ_ij E_ij.
    pub fn sum(&self) -> f64 {
        let row_sum = |word| self.by_word.row(word).iter().map(|&(_, value)| value).sum::<f64>();
        self.sides.iter().enumerate().map(|(word, sides)| sides * row_sum(word)).sum()
    }

    /// Share of the entries of the large rows that are not zero.
    pub fn density(&self) -> f64 {
        let entries = (self.large.len() * self.sides.len()).max(1);
        self.by_word.entries.len() as f64 / entries as f64
    }

    /// ‖E − E′‖ / ‖E‖ for another correction E′ of the same words; 0 where E is 0.
    pub fn relative_change(&self, before: &Self) -> f64 {
        let (mut change, mut size) = (0.0, 0.0);
        for (word, sides) in self.sides.iter().enumerate() {
            let (now, then) = (self.by_word.row(word), before.by_word.row(word));
            size += sides * now.iter().map(|&(_, x)| x.powi(2)).sum::<f64>();
            change += sides * squared_difference(now, then);
        }
        if size > 0.0 { (change / size).sqrt() } else { 0.0 }
    }
}

/// Rows made unit length, in f32; rows of zeros stay.
fn directions(y: &Array2<f64>, norms: &[f64]) -> Array2<f32> {
    let scale = |word: usize| if norms[word] > 0.0 { 1.0 / norms[word] } else { 0.0 };
    Array2::from_shape_fn(y.dim(), |(word, k)| (y[(word, k)] * scale(word)) as f32)
}

/// The `count` rows with the largest norms, ascending; equal norms go to the lower row.
fn largest_rows(norms: &[f64], count: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..norms.len() as u32).collect();
    rows.sort_by(|&a, &b| norms[b as usize].total_cmp(&norms[a as usize]).then(a.cmp(&b)));
    rows.truncate(count);
    rows.sort_unstable();
    rows
}

/// What the tiles of Y·Yᵀ are made from.
struct Tiling<'a> {
    y: &'a Array2<f64>,
    directions: &'a Array2<f32>,
    /// Those of the large rows.
    columns: Array2<f32>,
    large: &'a [u32],
}

impl Tiling<'_> {
    /// The negative entries of a tile's rows.
    fn entries(&self, tile: usize, cosines: &mut [f32]) -> SparseRows {
        let (words, width) = self.y.dim();
        let (first, last) = (tile * TILE, ((tile + 1) * TILE).min(words));
        let rows = first * width..last * width;
        let (n, large) = (last - first, self.large.len());
        let cosines = &mut cosines[..n * large];
        let directions = self.directions.as_slice().expect("in row order");
        let columns = self.columns.as_slice().expect("in row order");
        matmul(
            MatMut::from_row_major_slice_mut(cosines, n, large),
            Accum::Replace,
            MatRef::from_row_major_slice(&directions[rows.clone()], n, width),
            MatRef::from_row_major_slice(columns, large, width).transpose(),
            1.0,
            Par::Seq,
        );
        let y = self.y.as_slice().expect("in row order");
        Arch::new().dispatch(NegativeEntries {
            cosines,
            // Rounding of both factors and of as many sums of products below 1.
            error: (width + 3) as f32 * f32::EPSILON / 2.0,
            rows: &y[rows],
            width,
            y,
            columns: self.large,
        })
    }
}

/// The entries of the small rows by the large row they stand in: a counting sort.
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

    #[test]
    fn product_sum_and_change_are_those_of_the_stored_matrix() {
        let (y, v) = (random_y(700), random_y(700));
        let e = stored(&y, 300);
        let found = NegativePart::of(&y, 300);
        let expected = e.dot(&v);
        let scale = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (a, b) in found.multiply(&v).iter().zip(&expected) {
            assert!((a - b).abs() < 1e-13 * scale, "{a} {b}");
        }
        assert!((found.sum() - e.sum()).abs() < 1e-13 * e.sum());
        let later = &y * 0.9 + &v * 0.1;
        let difference = stored(&later, 700) - stored(&y, 700);
        let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected = norm(&difference) / norm(&stored(&later, 700));
        let change = NegativePart::of(&later, 700).relative_change(&NegativePart::of(&y, 700));
        assert!((change - expected).abs() < 1e-13, "{change} {expected}");
    }
}

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
/// Y·Yᵀ is made tile by tile in f32, looked through and forgotten. That is safe because E is a
/// small correction: its entries keep six digits, and an entry whose sign f32 gets wrong is zero
/// to seven digits of its rows' norms.
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
    /// E of Y (W × K) on its `large` largest rows: 2·l·W·K flops in f32.
    pub fn of(y: &Array2<f64>, large: usize) -> Self {
        let (words, k) = y.dim();
        let large = largest_rows(y, large.min(words));
        let at_large: Vec<usize> = large.iter().map(|&word| word as usize).collect();
        let columns = to_f32(&y.select(Axis(0), &at_large));
        let narrow = to_f32(y);
        let tiles: Vec<SparseRows> = narrow
            .par_chunks((TILE * k).max(1))
            .map_init(
                || vec![0.0f32; TILE * large.len()],
                |tile, rows| negative_entries(rows, k, &columns, &large, tile),
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
        let row_sum =
            |word| self.by_word.row(word).iter().map(|&(_, value)| f64::from(value)).sum::<f64>();
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
            size += sides * now.iter().map(|&(_, x)| f64::from(x).powi(2)).sum::<f64>();
            change += sides * squared_difference(now, then);
        }
        if size > 0.0 { (change / size).sqrt() } else { 0.0 }
    }
}

fn to_f32(a: &Array2<f64>) -> Vec<f32> {
    a.iter().map(|&x| x as f32).collect()
}

/// The `count` rows with the largest norms, ascending; equal norms go to the lower row.
fn largest_rows(y: &Array2<f64>, count: usize) -> Vec<u32> {
    let norms: Vec<f64> = y.rows().into_iter().map(|row| row.dot(&row)).collect();
    let mut rows: Vec<u32> = (0..norms.len() as u32).collect();
    rows.sort_by(|&a, &b| norms[b as usize].total_cmp(&norms[a as usize]).then(a.cmp(&b)));
    rows.truncate(count);
    rows.sort_unstable();
    rows
}

/// The negative entries of `rows`·`columns`ᵀ, with their signs turned.
fn negative_entries(
    rows: &[f32],
    k: usize,
    columns: &[f32],
    large: &[u32],
    tile: &mut [f32],
) -> SparseRows {
    let n = rows.len() / k.max(1);
    let tile = &mut tile[..n * large.len()];
    matmul(
        MatMut::from_row_major_slice_mut(tile, n, large.len()),
        Accum::Replace,
        MatRef::from_row_major_slice(rows, n, k),
        MatRef::from_row_major_slice(columns, large.len(), k).transpose(),
        1.0,
        Par::Seq,
    );
    Arch::new().dispatch(NegativeEntries { rows: tile, columns: large })
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

fn squared_difference(mut a: &[(u32, f32)], mut b: &[(u32, f32)]) -> f64 {
    let mut sum = 0.0;
    loop {
        let column = |entries: &[(u32, f32)]| entries.first().map_or(u32::MAX, |e| e.0);
        let next = column(a).min(column(b));
        if next == u32::MAX {
            return sum;
        }
        let take = |entries: &mut &[(u32, f32)]| match entries.split_first() {
            Some((&(at, value), rest)) if at == next => {
                *entries = rest;
                f64::from(value)
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
        let rows = largest_rows(y, large);
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
            assert!((a - b).abs() < 1e-5 * scale, "{a} {b}");
        }
        assert!((found.sum() - e.sum()).abs() < 1e-5 * e.sum());
        let later = &y * 0.9 + &v * 0.1;
        let difference = stored(&later, 700) - stored(&y, 700);
        let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected = norm(&difference) / norm(&stored(&later, 700));
        let change = NegativePart::of(&later, 700).relative_change(&NegativePart::of(&y, 700));
        assert!((change - expected).abs() < 1e-5, "{change} {expected}");
    }
}

//! Exact norms of the rows of C, a panel of rows at a time.

use std::ops::Range;

use ndarray::Array1;
use rayon::prelude::*;

use super::cooccurrence::CoOccurrence;
use super::error::Result;
use super::row_panels::{panels, upper_rows};

/// ‖C_i‖² for every row i of C.
///
/// C is formed and forgotten in panels of rows, upper triangle only: half of Σ_m (words of m)²
/// additions, a pass over the corpus for every panel (W²/2²¹ of them up to W = 8,000, 32 up to
/// W = 16,000, then W²/2²³), 16 to 64 MB a thread. The sums of an entry are made in document order, so the result
/// is the same to the bit for any number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn squared_row_norms(c: &CoOccurrence<'_>) -> Result<Array1<f64>> {
    let shares: Vec<Vec<f64>> =
        panels(c).into_par_iter().map(|panel| panel_norms(c, panel)).collect::<Result<_>>()?;
    let mut norms = Array1::zeros(c.words());
    for share in shares {
        norms += &Array1::from(share);
    }
    Ok(norms)
}

/// What rows `panel` of the upper triangle add to the squared norm of every row: entry (i, j)
/// counts for row i and, by symmetry, for row j.
fn panel_norms(c: &CoOccurrence<'_>, panel: Range<usize>) -> Result<Vec<f64>> {
    let words = c.words();
    let entries = upper_rows(c, panel.clone())?;
    let mut norms = vec![0.0; words];
    for (row, i) in entries.chunks_exact(words).zip(panel) {
        let own: f64 = row[i..].iter().map(|x| x * x).sum();
        norms[i] += own;
        for (norm, x) in norms[i + 1..].iter_mut().zip(&row[i + 1..]) {
            *norm += x * x;
        }
    }
    Ok(norms)
}

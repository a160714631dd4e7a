//! Covariances of coefficients on orthonormal rows Y, by groups of documents.
//!
//! # Source
//! Bell and McCaffrey 2002, "Bias reduction in standard errors for linear regression with
//! multi-stage samples", in the notation of Pustejovsky and Tipton 2018, "Small-sample methods for
//! cluster-robust variance estimation": the meat is Σ u uᵀ with u = Y_gᵀ(I − H_g)^(−1/2)e_g for the
//! residuals e_g of a group and H_g = Y_gY_gᵀ. It is CR2, and HC2 where each document is a group. R's
//! sandwich has it as `vcovHC(type = "HC2")`, clubSandwich as `vcovCR(type = "CR2")`.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::groups::Groups;
use crate::linalg::dense::symmetric_eigen;

/// 1 − λ of an eigenvalue λ of H_g below which the group alone determines a coefficient. Its residual
/// there is 0.
const DETERMINED: f64 = 1e-10;

/// How the scores of groups are adjusted for the coefficients that were fitted to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adjusted {
    /// By (I − H_g)^(−1/2): HC2, CR2.
    ByLeverage,
    /// Not at all: HC0, CR0, to be multiplied by a factor.
    Not,
}

/// Sums of residuals over groups.
#[derive(Debug, Clone)]
pub(super) struct ResidualSums {
    /// By topic, the meat of the sandwich.
    pub(super) meats: Vec<Array2<f64>>,
    /// By topic, Σ e².
    pub(super) squares: Vec<f64>,
    /// By topic, Σ over groups of (Σ e)².
    pub(super) group_squares: Vec<f64>,
}

/// The residuals of all topics in some rows, times the roots of the documents' weights.
pub(super) trait Residuals: Sync {
    /// Number of topics.
    fn topics(&self) -> usize;

    /// Rows × topics, for these rows of the design.
    fn residuals(&self, rows: &mut dyn ExactSizeIterator<Item = usize>) -> Array2<f64>;
}

/// The sums of residuals for the covariance.
pub(super) fn residual_sums(
    y: &Array2<f64>,
    residuals: &impl Residuals,
    groups: &Groups,
    adjusted: Adjusted,
) -> ResidualSums {
    let (p, topics) = (y.ncols(), residuals.topics());
    match groups.are_clusters() {
        true => {
            let zero = || ResidualSums {
                meats: vec![Array2::zeros((p, p)); topics],
                squares: vec![0.0; topics],
                group_squares: vec![0.0; topics],
            };
            let merge = |all: &mut ResidualSums, part: ResidualSums| {
                all.meats.iter_mut().zip(&part.meats).for_each(|(sum, part)| *sum += part);
                all.squares.iter_mut().zip(part.squares).for_each(|(sum, part)| *sum += part);
                let own = all.group_squares.iter_mut();
                own.zip(part.group_squares).for_each(|(sum, part)| *sum += part);
            };
            let add = |sums: &mut ResidualSums, range: Range<usize>| {
                range.for_each(|group| {
                    add_cluster(sums, y, residuals, groups.cluster(group), adjusted)
                });
            };
            groups.sum(zero, add, merge)
        }
        false => sums_of_documents(y, residuals, groups, adjusted),
    }
}

fn add_cluster(
    sums: &mut ResidualSums,
    y: &Array2<f64>,
    residuals: &impl Residuals,
    rows: &[usize],
    adjusted: Adjusted,
) {
    let own = y.select(Axis(0), rows);
    let left = residuals.residuals(&mut rows.iter().copied());
    let scores = match adjusted {
        Adjusted::ByLeverage => Adjuster::new(own.view()).scores(own.view(), &left),
        Adjusted::Not => own.t().dot(&left),
    };
    for topic in 0..left.ncols() {
        let (left, score) = (left.column(topic), scores.column(topic));
        sums.squares[topic] += left.dot(&left);
        sums.group_squares[topic] += left.sum().powi(2);
        for (one, mut row) in score.iter().zip(sums.meats[topic].outer_iter_mut()) {
            row.scaled_add(*one, &score);
        }
    }
}

/// As one product of matrices for many rows: products of pairs of columns, by squares of residuals.
fn sums_of_documents(
    y: &Array2<f64>,
    residuals: &impl Residuals,
    groups: &Groups,
    adjusted: Adjusted,
) -> ResidualSums {
    let (p, topics) = (y.ncols(), residuals.topics());
    let pairs = p * (p + 1) / 2;
    let zero = || (Array2::<f64>::zeros((pairs, topics)), vec![0.0; topics]);
    let add = |(meats, squares): &mut (Array2<f64>, Vec<f64>), range: Range<usize>| {
        let mut left = residuals.residuals(&mut range.clone());
        left.mapv_inplace(|e| e * e);
        for (sum, column) in squares.iter_mut().zip(left.columns()) {
            *sum += column.sum();
        }
        let own = y.slice(s![range, ..]);
        let mut products = Array2::zeros((own.nrows(), pairs));
        for (row, mut products) in own.outer_iter().zip(products.outer_iter_mut()) {
            let rest = 1.0 - row.dot(&row);
            let factor = match adjusted {
                Adjusted::Not => 1.0,
                Adjusted::ByLeverage if rest > DETERMINED => 1.0 / rest,
                Adjusted::ByLeverage => 0.0,
            };
            let mut at = 0;
            for one in 0..p {
                for other in 0..=one {
                    products[at] = factor * row[one] * row[other];
                    at += 1;
                }
            }
        }
        *meats += &products.t().dot(&left);
    };
    let merge = |all: &mut (Array2<f64>, Vec<f64>), part: (Array2<f64>, Vec<f64>)| {
        all.0 += &part.0;
        all.1.iter_mut().zip(part.1).for_each(|(sum, part)| *sum += part);
    };
    let (packed, squares) = groups.sum(zero, add, merge);
    let meat = |topic: usize| {
        let mut meat = Array2::zeros((p, p));
        let mut at = 0;
        for one in 0..p {
            for other in 0..=one {
                meat[(one, other)] = packed[(at, topic)];
                meat[(other, one)] = packed[(at, topic)];
                at += 1;
            }
        }
        meat
    };
    let meats = (0..topics).map(meat).collect();
    ResidualSums { meats, group_squares: squares.clone(), squares }
}

/// (I − H_g)^(−1/2) of a group, in whichever of both forms is smaller.
enum Adjuster {
    /// A matrix for its rows, on the left of residuals.
    Rows(Array2<f64>),
    /// A matrix for columns, on the left of scores: f(YYᵀ)Y = Y f(YᵀY).
    Columns(Array2<f64>),
}

impl Adjuster {
    fn new(y: ArrayView2<'_, f64>) -> Self {
        Self::from_function(y, |left| if left > DETERMINED { left.powf(-0.5) } else { 0.0 })
    }

    /// A function of 1 − λ for the eigenvalues λ of H_g.
    fn from_function(y: ArrayView2<'_, f64>, function_of: impl Fn(f64) -> f64) -> Self {
        let factor = |value: f64| function_of(1.0 - value);
        if y.nrows() <= y.ncols() {
            Self::Rows(function(&y.dot(&y.t()), factor))
        } else {
            Self::Columns(function(&y.t().dot(&y), factor))
        }
    }

    /// Yᵀ(I − H)^(−1/2)e for columns of residuals.
    fn scores(&self, y: ArrayView2<'_, f64>, left: &Array2<f64>) -> Array2<f64> {
        match self {
            Self::Rows(matrix) => y.t().dot(&matrix.dot(left)),
            Self::Columns(matrix) => matrix.dot(&y.t().dot(left)),
        }
    }
}

/// A function of a symmetric matrix.
fn function(matrix: &Array2<f64>, of: impl Fn(f64) -> f64) -> Array2<f64> {
    let (values, vectors) = symmetric_eigen(&matrix.as_standard_layout().to_owned());
    let mut scaled = vectors.clone();
    for (mut column, value) in scaled.columns_mut().into_iter().zip(&values) {
        column *= of(*value);
    }
    scaled.dot(&vectors.t())
}

/// A symmetric matrix to the power −1/2.
pub(super) fn inverse_root(matrix: &Array2<f64>) -> Array2<f64> {
    let most = matrix.diag().iter().fold(0.0, |most: f64, d| most.max(*d));
    function(matrix, |value| if value > 1e-14 * most { value.powf(-0.5) } else { 0.0 })
}

/// What a combination zᵀγ of coefficients on Y rests on: by combination (columns of `z`), the sum
/// over groups of |Y_g z|² and the largest of them, with documents' weights.
pub(super) fn shares_of_groups(
    y: &Array2<f64>,
    weights: Option<&[f64]>,
    z: &Array2<f64>,
    groups: &Groups,
) -> Vec<(f64, f64)> {
    let zero = || vec![(0.0, 0.0_f64); z.ncols()];
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let add = |sums: &mut Vec<(f64, f64)>, range: Range<usize>| {
        if groups.are_clusters() {
            for group in range {
                let rows = groups.cluster(group);
                let parts = y.select(Axis(0), rows).dot(z);
                for (sum, column) in sums.iter_mut().zip(parts.columns()) {
                    let own: f64 =
                        rows.iter().zip(column).map(|(row, part)| weight(*row) * part * part).sum();
                    *sum = (sum.0 + own, sum.1.max(own));
                }
            }
        } else {
            let parts = y.slice(s![range.clone(), ..]).dot(z);
            for (row, parts) in range.zip(parts.outer_iter()) {
                for (sum, part) in sums.iter_mut().zip(parts) {
                    let own = weight(row) * part * part;
                    *sum = (sum.0 + own, sum.1.max(own));
                }
            }
        }
    };
    let merge = |all: &mut Vec<(f64, f64)>, part: Vec<(f64, f64)>| {
        for (sum, part) in all.iter_mut().zip(part) {
            *sum = (sum.0 + part.0, sum.1.max(part.1));
        }
    };
    groups.sum(zero, add, merge)
}

/// By combination (columns of `z`), the share of Σ |Y_g z|² that is of directions in which no group
/// alone determines the fit. Where a group does, its residuals are 0 and tell nothing of the error.
pub(super) fn undetermined(y: &Array2<f64>, z: &Array2<f64>, groups: &Groups) -> Vec<f64> {
    let zero = || vec![(0.0, 0.0); z.ncols()];
    let add = |sums: &mut Vec<(f64, f64)>, range: Range<usize>| {
        for group in range {
            let single = [group];
            let rows = if groups.are_clusters() { groups.cluster(group) } else { &single };
            let own = y.select(Axis(0), rows);
            let parts = own.dot(z);
            let free = match Adjuster::from_function(own.view(), |left| {
                f64::from(u8::from(left > DETERMINED))
            }) {
                Adjuster::Rows(matrix) => matrix.dot(&parts),
                Adjuster::Columns(matrix) => own.dot(&matrix.dot(z)),
            };
            for (sum, (part, free)) in
                sums.iter_mut().zip(parts.columns().into_iter().zip(free.columns()))
            {
                *sum = (sum.0 + part.dot(&part), sum.1 + part.dot(&free));
            }
        }
    };
    let merge = |all: &mut Vec<(f64, f64)>, part: Vec<(f64, f64)>| {
        for (sum, part) in all.iter_mut().zip(part) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
    };
    let sums = groups.sum(zero, add, merge);
    sums.into_iter().map(|(all, free)| if all > 0.0 { free / all } else { 0.0 }).collect()
}

/// Sums over groups that the degrees of freedom of combinations follow from. For combinations s and
/// t (columns of `z`), with q_gs = S_g(I − S_g)^(−1/2)z_s for S_g = Y_gᵀY_g: P_ghst = δ_gh
/// z_sᵀS_g(I − S_g)⁻¹z_t − q_gs·q_ht is the product of both groups' contributions where errors are
/// independent and alike.
pub(super) struct WorkingSums {
    /// By s and t, Σ_g q_gs q_gtᵀ.
    outer: Vec<Vec<Array2<f64>>>,
    /// By s and t, Σ_g (P_ggss·P_ggtt − (q_gs·q_gs)(q_gt·q_gt)).
    same: Array2<f64>,
    /// By s and t, Σ_g (P_ggst² − (q_gs·q_gt)²).
    mixed: Array2<f64>,
    /// By s, Σ_g P_ggss.
    traces: Vec<f64>,
}

impl WorkingSums {
    /// The sums for the pairs of columns of `z`: all of them, or each with itself alone.
    pub(super) fn new(y: &Array2<f64>, z: &Array2<f64>, groups: &Groups, are_pairs: bool) -> Self {
        let (p, count) = z.dim();
        let others = |one: usize| if are_pairs { 0..count } else { one..one + 1 };
        let zero = || Self {
            outer: (0..count)
                .map(|one| others(one).map(|_| Array2::zeros((p, p))).collect())
                .collect(),
            same: Array2::zeros((count, count)),
            mixed: Array2::zeros((count, count)),
            traces: vec![0.0; count],
        };
        let add = |sums: &mut Self, range: Range<usize>| {
            for group in range {
                let single = [group];
                let rows = if groups.are_clusters() { groups.cluster(group) } else { &single };
                let own = y.select(Axis(0), rows);
                let parts = own.dot(z);
                let adjuster = Adjuster::new(own.view());
                let (q, products) = match &adjuster {
                    Adjuster::Rows(matrix) => {
                        let adjusted = matrix.dot(&parts);
                        (own.t().dot(&adjusted), adjusted.t().dot(&adjusted))
                    }
                    Adjuster::Columns(matrix) => {
                        let scores = own.t().dot(&parts);
                        let adjusted = matrix.dot(&scores);
                        // zᵀS(I − S)⁻¹z = zᵀ f(S) S f(S) z, and S f(S) z are the adjusted scores.
                        let products = z.t().dot(matrix).dot(&adjusted);
                        (adjusted, products)
                    }
                };
                for one in 0..count {
                    let of_one = q.column(one);
                    let own = of_one.dot(&of_one);
                    sums.traces[one] += products[(one, one)] - own;
                    for (at, other) in others(one).enumerate() {
                        let of_other = q.column(other);
                        let (theirs, both) = (of_other.dot(&of_other), of_one.dot(&of_other));
                        let (d_one, d_other) = (products[(one, one)], products[(other, other)]);
                        sums.same[(one, other)] +=
                            (d_one - own) * (d_other - theirs) - own * theirs;
                        sums.mixed[(one, other)] +=
                            (products[(one, other)] - both).powi(2) - both * both;
                        for (a, mut row) in of_one.iter().zip(sums.outer[one][at].outer_iter_mut())
                        {
                            row.scaled_add(*a, &of_other);
                        }
                    }
                }
            }
        };
        let merge = |all: &mut Self, part: Self| {
            let own = all.outer.iter_mut().flatten();
            own.zip(part.outer.iter().flatten()).for_each(|(sum, part)| *sum += part);
            all.same += &part.same;
            all.mixed += &part.mixed;
            all.traces.iter_mut().zip(part.traces).for_each(|(sum, part)| *sum += part);
        };
        groups.sum(zero, add, merge)
    }

    /// Satterthwaite's degrees of freedom of the variance of each combination: (Σ_g P_gg)² / Σ_gh
    /// P_gh².
    pub(super) fn degrees(&self) -> Vec<f64> {
        let of = |one: usize| {
            let outer = &self.outer[one][if self.outer[one].len() > 1 { one } else { 0 }];
            let squares: f64 = outer.iter().map(|x| x * x).sum();
            self.traces[one].powi(2) / (self.same[(one, one)] + squares)
        };
        (0..self.traces.len()).map(of).collect()
    }

    /// The degrees of freedom η of Hotelling's T² of all combinations, which must be orthonormal:
    /// q(q + 1) / Σ_st Var(D_st) (Pustejovsky and Tipton 2018, eq. 16: HTZ).
    pub(super) fn hotelling(&self) -> f64 {
        let q = self.traces.len();
        let mut sum = 0.0;
        for one in 0..q {
            for other in 0..q {
                let outer = &self.outer[one][other];
                let squares: f64 = outer.iter().map(|x| x * x).sum();
                let crossed: f64 = outer.iter().zip(outer.t().iter()).map(|(a, b)| a * b).sum();
                sum += self.same[(one, other)] + squares + self.mixed[(one, other)] + crossed;
            }
        }
        let q = q as f64;
        q * (q + 1.0) / sum
    }
}

/// The quadratic form zᵀVz, at least 0.
pub(super) fn variance(matrix: &Array2<f64>, z: &Array1<f64>) -> f64 {
    z.dot(&matrix.dot(z)).max(0.0)
}

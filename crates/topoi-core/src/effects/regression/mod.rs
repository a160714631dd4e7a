//! Least squares of topic shares on a design, with standard errors.

mod absorb;
pub mod adjust;
mod groups;
mod joint;
mod pooled;
mod sandwich;
mod whitened;

use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::EffectsError;
use super::design::Design;
use crate::fields::spread::{ENOUGH_DOCUMENTS, SpreadSource, TOO_FEW_DOCUMENTS, is_beyond_chance};
use crate::progress::Progress;
use absorb::Absorbed;
use groups::{Groups, ROWS_AT_ONCE};
pub use joint::JointTest;
use joint::joint_test;
use pooled::Pooling;
use sandwich::{
    Adjusted, Residuals, WorkingSums, residual_sums, shares_of_groups, undetermined, variance,
};
use whitened::Whitened;

/// Confidence level of intervals.
pub const LEVEL: f64 = 0.95;
/// An estimate that rests on this many documents or more has as many degrees of freedom as the
/// regression.
const MANY_DOCUMENTS: f64 = 1000.0;
/// Share of the degrees of freedom that an estimate could have, from which its own spread is used
/// although it rests on few documents or clusters: then both sides of a difference have as many, and
/// what is skewed cancels.
const LEAST_SHARE_OF_DEGREES: f64 = 0.5;
/// In a regression of more documents than this, one of fewer than [`ENOUGH_DOCUMENTS`] has not that
/// share.
const MOST_OF_FEW: usize = 2000;
/// Share of an estimate that must not be determined by single documents or clusters, for its error to
/// be known.
const LEAST_UNDETERMINED: f64 = 0.5;

/// The topic shares to regress.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// Documents of the design × topics.
    pub shares: Array2<f32>,
    /// By document, one over its number of tokens.
    pub inverse_tokens: &'a [f64],
    /// By topic, the variance of a share from one token; 0 where it is not known. A document of n
    /// tokens is taken to have this over n, beside a variance that all documents have.
    pub token_variances: &'a [f64],
}

/// What documents are independent of each other.
#[derive(Debug, Clone)]
pub enum Dependence {
    /// All: heteroscedasticity-robust errors.
    Independent,
    /// Documents of different clusters: cluster-robust errors. The cluster of every document of the
    /// design.
    Clustered(Vec<u32>),
    /// Documents that have neither cluster in common: errors clustered in two ways.
    ///
    /// # Source
    /// Cameron, Gelbach and Miller 2011, "Robust inference with multiway clustering": the sum of both
    /// covariances less that by pairs of clusters.
    TwoWay([Vec<u32>; 2]),
}

/// The spread that standard errors are computed from.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Serialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SpreadChoice {
    /// The estimate's own where it rests on [`ENOUGH_DOCUMENTS`] or more, or has half of the degrees of
    /// freedom that it could have. Otherwise that of all documents, unless its own is larger by more
    /// than chance.
    #[default]
    Auto,
    /// The estimate's own (robust).
    Own,
    /// That of all documents.
    Pooled,
}

/// The settings of a regression, and the combinations of coefficients to estimate.
#[derive(Debug, Clone)]
pub struct RegressionRequest<'a> {
    /// Which documents are independent.
    pub dependence: &'a Dependence,
    /// The spread of standard errors.
    pub spread: SpreadChoice,
    /// By absorbed field, the level of every document of the design.
    pub absorbed: Vec<Vec<u32>>,
    /// Combinations of coefficients to estimate beside the coefficients: a weight for each.
    pub combinations: Vec<Vec<f64>>,
}

/// An estimate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Standard error; `None` with too few documents.
    pub error: Option<f64>,
    /// Ends of the [`LEVEL`] interval.
    pub interval: Option<(f64, f64)>,
    /// Two-sided p-value of the hypothesis that the value is 0.
    pub p: Option<f64>,
    /// Degrees of freedom of Student's t distribution.
    pub degrees: f64,
    /// The spread that the error is computed from.
    pub spread: Option<SpreadSource>,
    /// Effective number of documents (clusters) behind the estimate (see
    /// [`crate::fields::spread`]).
    pub rests_on: f64,
}

/// The coefficients of the regressions of all topics.
#[derive(Debug, Clone)]
pub struct Regression {
    /// Names of the coefficients, the constant first if there is one.
    pub names: Vec<String>,
    /// Number of documents used.
    pub documents: usize,
    /// Number of clusters of each way.
    pub clusters: Vec<usize>,
    /// Topics × coefficients.
    pub coefficients: Array2<f64>,
    /// Number of coefficients that absorbed fields stand for.
    pub absorbed: usize,
    /// By coefficient, the variance inflation factor.
    pub inflation: Vec<f64>,
    /// The coefficients, then the combinations that were asked for.
    combinations: Vec<Combination>,
    /// Coefficients × topics on orthonormal rows.
    gamma: Array2<f64>,
    /// By topic, the covariance of `gamma` from the estimates' own spread, and from that of all
    /// documents.
    own: Vec<Array2<f64>>,
    pooled: Vec<Array2<f64>>,
    /// By topic, what uncertain topics add to the covariance.
    topics: Option<Vec<Array2<f64>>>,
    /// Degrees of freedom of the pooled spread.
    pooled_degrees: f64,
    whitened: Whitened,
    groups: Vec<Groups>,
    adjusted: Adjusted,
    spread: SpreadChoice,
}

/// A combination zᵀγ.
#[derive(Debug, Clone)]
struct Combination {
    z: Array1<f64>,
    rests_on: f64,
    /// Whether residuals tell its error: no group alone determines most of it.
    has_error: bool,
    /// Degrees of freedom of its own spread.
    degrees: f64,
}

/// Regresses the shares of every topic on a design by (weighted) least squares.
///
/// Covariances are HC2 and CR2 with Satterthwaite's degrees of freedom (see the module `sandwich`).
/// With absorbed fields or two-way clusters they are HC1 and CR1, times n/(n − k) or G/(G − 1) ·
/// (n − 1)/(n − k) for the smaller number of clusters G and all k coefficients, with n − k or G − 1
/// degrees, as in R's fixest. The pooled spread has one variance for all documents, the variance of
/// their tokens over their number, and with clusters a covariance within them, by moments.
///
/// # Cost
/// Two passes over the n documents with n·K·p and n·K·p² multiplications for K topics and p
/// coefficients; 16·n·p bytes beside the shares.
///
/// # Errors
/// [`EffectsError::Collinear`], [`EffectsError::FewClusters`], [`EffectsError::Absorbed`],
/// [`EffectsError::NoLevel`], [`EffectsError::Cancelled`].
pub fn regress(
    mut design: Design,
    outcomes: Outcomes<'_>,
    request: &RegressionRequest<'_>,
    progress: &dyn Progress,
) -> Result<Regression, EffectsError> {
    let mut combinations = request.combinations.clone();
    let absorbed = match request.absorbed.is_empty() {
        true => None,
        false => {
            if design.has_constant {
                for row in &mut combinations {
                    if row.remove(0).abs() > 1e-9 {
                        return Err(EffectsError::NoLevel);
                    }
                }
            }
            design.without_constant();
            Some(Absorbed::new(request.absorbed.clone(), design.weights.clone()))
        }
    };
    let groups = groups_of(request.dependence, design.documents.len());
    if let Some(few) = groups.iter().map(Groups::count).find(|count| *count < 2) {
        return Err(EffectsError::FewClusters(few));
    }
    let whitened = Whitened::new(&mut design, absorbed.as_ref())?;
    let Outcomes { mut shares, inverse_tokens, token_variances } = outcomes;
    if let Some(absorbed) = &absorbed {
        absorbed.take_out_shares_in_words(&mut shares, progress)?;
    }
    progress.begin("effects", 2, "");
    let roots: Option<Vec<f64>> =
        design.weights.as_ref().map(|all| all.iter().map(|weight| weight.sqrt()).collect());
    let mut fit = Fit {
        y: &whitened.rows,
        shares: &shares,
        roots: roots.as_deref(),
        gamma: Array2::zeros((0, 0)),
    };
    fit.gamma = fit.products();
    progress.step(1, None);
    if progress.cancelled() {
        return Err(EffectsError::Cancelled);
    }
    let Fit { gamma, .. } = &fit;
    let (n, p) = whitened.rows.dim();
    let absorbed_count = |clusters: Option<&[u32]>| {
        absorbed.as_ref().map_or(0, |absorbed| absorbed.coefficients(clusters))
    };
    let taken = absorbed_count(None);
    let adjusted = match absorbed.is_some() || groups.len() > 1 {
        true => Adjusted::Not,
        false => Adjusted::ByLeverage,
    };
    let sums: Vec<_> =
        groups.iter().map(|groups| residual_sums(&whitened.rows, &fit, groups, adjusted)).collect();
    progress.step(2, None);
    let k = p + match request.dependence {
        Dependence::Clustered(clusters) => absorbed_count(Some(clusters)),
        _ => taken,
    };
    let rest = n.saturating_sub(k).max(1) as f64;
    let fewest = groups.iter().map(Groups::count).min().unwrap_or(n) as f64;
    let factor = match (adjusted, request.dependence) {
        (Adjusted::ByLeverage, _) => 1.0,
        (Adjusted::Not, Dependence::Independent) => n as f64 / rest,
        (Adjusted::Not, _) => fewest / (fewest - 1.0) * (n as f64 - 1.0) / rest,
    };
    let own = (0..gamma.ncols()).map(|topic| {
        let mut meat = sums[0].meats[topic].clone();
        if let [_, second, both] = &sums[..] {
            meat = meat + &second.meats[topic] - &both.meats[topic];
            meat = positive_part(&meat);
        }
        meat * factor
    });
    let own = own.collect();
    let all_squares: Vec<f64> = sums[0].squares.clone();
    let group_squares: Vec<&[f64]> =
        sums.iter().take(2).map(|sums| &sums.group_squares[..]).collect();
    let pooling = Pooling::new(&whitened.rows, &design, inverse_tokens, &groups, taken);
    let pooled = pooling.covariances(&all_squares, &group_squares, token_variances);
    let pooled_degrees = pooling.degrees;

    let mut rows: Vec<Vec<f64>> =
        (0..p).map(|one| (0..p).map(|at| f64::from(u8::from(at == one))).collect()).collect();
    rows.append(&mut combinations);
    let z = Array2::from_shape_fn((p, rows.len()), |(at, one)| {
        whitened.back.column(at).iter().zip(&rows[one]).map(|(back, row)| back * row).sum()
    });
    let weights = design.weights.as_deref();
    let mut rests_on = vec![f64::INFINITY; rows.len()];
    for groups in groups.iter().take(2) {
        let found = shares_of_groups(&whitened.rows, weights, &z, groups);
        for (rests_on, (all, most)) in rests_on.iter_mut().zip(found) {
            *rests_on = rests_on.min(if most > 0.0 { all / most } else { 0.0 });
        }
    }
    let mut has_error = vec![true; rows.len()];
    let few: Vec<usize> = (0..rows.len()).filter(|at| rests_on[*at] < ENOUGH_DOCUMENTS).collect();
    // Of many documents none determines a coefficient that rests on more than one.
    if groups[0].are_clusters() || n <= MOST_OF_FEW {
        for groups in groups.iter().take(2) {
            let found = undetermined(&whitened.rows, &z.select(Axis(1), &few), groups);
            for (at, free) in few.iter().zip(found) {
                has_error[*at] &= free > LEAST_UNDETERMINED;
            }
        }
    }
    for at in &few {
        has_error[*at] &= rests_on[*at] > TOO_FEW_DOCUMENTS + 1e-9;
    }
    let mut degrees = vec![if groups[0].are_clusters() { fewest - 1.0 } else { rest }; rows.len()];
    if adjusted == Adjusted::ByLeverage {
        let needs = |at: &usize| {
            let is_known = match request.spread {
                SpreadChoice::Pooled => true,
                SpreadChoice::Own => rests_on[*at] >= MANY_DOCUMENTS,
                // Of many documents a few have not half of the degrees of freedom.
                SpreadChoice::Auto if rests_on[*at] < ENOUGH_DOCUMENTS => n > MOST_OF_FEW,
                SpreadChoice::Auto => rests_on[*at] >= MANY_DOCUMENTS,
            };
            groups[0].are_clusters() || !is_known
        };
        let chosen: Vec<usize> = (0..rows.len()).filter(needs).collect();
        if !groups[0].are_clusters() && n > MOST_OF_FEW {
            let few = (0..rows.len()).filter(|at| rests_on[*at] < ENOUGH_DOCUMENTS);
            few.for_each(|at| degrees[at] = rests_on[at]);
        }
        // One at a time for many columns: a p × p matrix for each.
        for chosen in chosen.chunks(16) {
            let z = z.select(Axis(1), chosen);
            let found = WorkingSums::new(&whitened.rows, &z, &groups[0], false).degrees();
            chosen.iter().zip(found).for_each(|(at, found)| degrees[*at] = found.min(rest));
        }
    }
    let combination = |(at, z): (usize, ndarray::ArrayView1<'_, f64>)| Combination {
        z: z.to_owned(),
        rests_on: rests_on[at],
        has_error: has_error[at],
        degrees: degrees[at],
    };
    let combinations = z.columns().into_iter().enumerate().map(combination);
    Ok(Regression {
        coefficients: whitened.back.dot(gamma).reversed_axes(),
        combinations: combinations.collect(),
        documents: n,
        clusters: match groups[0].are_clusters() {
            true => groups.iter().take(2).map(Groups::count).collect(),
            false => Vec::new(),
        },
        absorbed: taken,
        inflation: whitened.inflation.clone(),
        gamma: gamma.clone(),
        own,
        pooled,
        topics: None,
        pooled_degrees,
        spread: request.spread,
        names: design.names.clone(),
        groups,
        adjusted,
        whitened,
    })
}

/// The groups of documents that depend on each other; of two ways also the pairs.
fn groups_of(dependence: &Dependence, documents: usize) -> Vec<Groups> {
    match dependence {
        Dependence::Independent => vec![Groups::from_single_documents(documents)],
        Dependence::Clustered(clusters) => vec![Groups::from_clusters(clusters)],
        Dependence::TwoWay([first, second]) => {
            let mut pairs = std::collections::HashMap::new();
            let pair = |(first, second): (&u32, &u32)| {
                let next = pairs.len() as u32;
                *pairs.entry((*first, *second)).or_insert(next)
            };
            let both: Vec<u32> = first.iter().zip(second).map(pair).collect();
            vec![
                Groups::from_clusters(first),
                Groups::from_clusters(second),
                Groups::from_clusters(&both),
            ]
        }
    }
}

/// A symmetric matrix without its negative eigenvalues, which the difference of covariances may
/// have.
fn positive_part(matrix: &Array2<f64>) -> Array2<f64> {
    let (values, vectors) = crate::linalg::dense::symmetric_eigen(matrix);
    let mut scaled = vectors.clone();
    for (mut column, value) in scaled.columns_mut().into_iter().zip(&values) {
        column *= value.max(0.0);
    }
    scaled.dot(&vectors.t())
}

/// A fit on orthonormal rows.
struct Fit<'a> {
    y: &'a Array2<f64>,
    shares: &'a Array2<f32>,
    roots: Option<&'a [f64]>,
    gamma: Array2<f64>,
}

impl Fit<'_> {
    /// Shares of these rows, times the roots of their weights.
    fn shares(&self, rows: &[usize]) -> Array2<f64> {
        let mut shares = Array2::zeros((rows.len(), self.shares.ncols()));
        for (row, mut to) in rows.iter().zip(shares.outer_iter_mut()) {
            let root = self.roots.map_or(1.0, |roots| roots[*row]);
            to.iter_mut()
                .zip(self.shares.row(*row))
                .for_each(|(to, share)| *to = root * f64::from(*share));
        }
        shares
    }

    /// YᵀE, coefficients × topics.
    fn products(&self) -> Array2<f64> {
        let rows: Vec<usize> = (0..self.y.nrows()).collect();
        let of = |rows: &[usize]| {
            let mut sum = Array2::zeros((self.y.ncols(), self.shares.ncols()));
            for rows in rows.chunks(ROWS_AT_ONCE) {
                let y = self.y.slice(ndarray::s![rows[0]..rows[0] + rows.len(), ..]);
                sum += &y.t().dot(&self.shares(rows));
            }
            sum
        };
        let parts: Vec<Array2<f64>> = rows.par_chunks(16 * ROWS_AT_ONCE).map(of).collect();
        let zero = Array2::zeros((self.y.ncols(), self.shares.ncols()));
        parts.iter().fold(zero, |sum, part| sum + part)
    }
}

impl Residuals for Fit<'_> {
    fn topics(&self) -> usize {
        self.shares.ncols()
    }

    fn residuals(&self, rows: &mut dyn ExactSizeIterator<Item = usize>) -> Array2<f64> {
        let rows: Vec<usize> = rows.collect();
        self.shares(&rows) - self.y.select(Axis(0), &rows).dot(&self.gamma)
    }
}

impl Regression {
    /// Adds what uncertain topics add to the covariances: by topic, that of the coefficients.
    pub fn add_topic_uncertainty(&mut self, covariances: &[Array2<f64>]) {
        // γ = T⁻¹β, and T⁻¹ as the solution of least squares on an invertible matrix.
        let inverse = inverse_of(&self.whitened.back);
        let of = |covariance: &Array2<f64>| inverse.dot(covariance).dot(&inverse.t());
        self.topics = Some(covariances.iter().map(of).collect());
    }

    /// Coefficient `number` of a topic.
    pub fn coefficient(&self, topic: usize, number: usize) -> Estimate {
        self.estimate(topic, &self.combinations[number])
    }

    /// The estimate for a topic of combination `number` of those requested.
    pub fn combination(&self, topic: usize, number: usize) -> Estimate {
        self.estimate(topic, &self.combinations[self.names.len() + number])
    }

    /// Whether an estimate takes the spread of all documents, unless its own is beyond chance.
    /// Without degrees of freedom between clusters there is only its own.
    fn takes_pooled(&self, rests_on: f64, degrees: f64) -> bool {
        rests_on < ENOUGH_DOCUMENTS
            && degrees < LEAST_SHARE_OF_DEGREES * self.pooled_degrees
            && self.pooled_degrees >= 1.0
    }

    fn estimate(&self, topic: usize, combination: &Combination) -> Estimate {
        let Combination { z, rests_on, has_error, degrees } = combination;
        let value = z.dot(&self.gamma.column(topic));
        let more = self.topics.as_ref().map_or(0.0, |topics| variance(&topics[topic], z));
        let own = variance(&self.own[topic], z);
        let pooled = variance(&self.pooled[topic], z);
        let pooled = (pooled, self.pooled_degrees, SpreadSource::Pooled);
        let own = (own, *degrees, SpreadSource::Own);
        let (square, degrees, spread) = match self.spread {
            SpreadChoice::Own => own,
            SpreadChoice::Pooled => pooled,
            SpreadChoice::Auto if self.takes_pooled(*rests_on, *degrees) => {
                match is_beyond_chance(own.0, pooled.0, *rests_on) {
                    true => (own.0, pooled.1, own.2),
                    false => pooled,
                }
            }
            SpreadChoice::Auto => own,
        };
        let is_enough = *has_error && degrees > 0.0;
        let error = is_enough.then(|| (square + more).sqrt());
        let student = StudentsT::new(0.0, 1.0, degrees).ok().zip(error);
        let interval = student.map(|(t, error)| {
            let half = t.inverse_cdf(0.5 + LEVEL / 2.0) * error;
            (value - half, value + half)
        });
        // Without any spread, for example of shares that are all 0, there is no test.
        let p = student.map(|(t, error)| 2.0 * t.cdf(-value.abs() / error));
        let p = p.filter(|p| p.is_finite());
        Estimate {
            value,
            error,
            interval,
            p,
            degrees,
            spread: error.map(|_| spread),
            rests_on: *rests_on,
        }
    }

    /// By topic, whether all of these coefficients are 0. `None` where one of them has no error.
    ///
    /// The statistic is Wald's over the number of coefficients. Of clusters it is Hotelling's T² with
    /// the degrees of freedom that Pustejovsky and Tipton (2018) approximate; otherwise it has those of
    /// the regression. Where a coefficient takes the pooled spread, so does the test.
    pub fn joint(&self, columns: std::ops::Range<usize>) -> Vec<Option<JointTest>> {
        let chosen = &self.combinations[columns];
        let z = ndarray::stack(Axis(1), &chosen.iter().map(|one| one.z.view()).collect::<Vec<_>>());
        let Ok(z) = z else { return vec![None; self.gamma.ncols()] };
        let is_pooled = chosen.iter().any(|one| self.takes_pooled(one.rests_on, one.degrees));
        let values = z.t().dot(&self.gamma);
        let rest = if self.groups[0].are_clusters() {
            self.groups.iter().map(Groups::count).min().unwrap_or(1) as f64 - 1.0
        } else {
            (self.documents - self.names.len() - self.absorbed) as f64
        };
        let hotelling = (self.adjusted == Adjusted::ByLeverage && self.groups[0].are_clusters())
            .then(|| {
                // Orthonormal combinations of the same space.
                let orthonormal = z.dot(&sandwich::inverse_root(&z.t().dot(&z)));
                WorkingSums::new(&self.whitened.rows, &orthonormal, &self.groups[0], true)
                    .hotelling()
            });
        let of = |topic: usize| {
            if chosen.iter().any(|one| !one.has_error) {
                return None;
            }
            let more = self.topics.as_ref().map(|topics| &topics[topic]);
            let test = |covariance: &Array2<f64>, degrees: f64, hotelling: Option<f64>| {
                let mut covariance = z.t().dot(covariance).dot(&z);
                if let Some(more) = more {
                    covariance += &z.t().dot(more).dot(&z);
                }
                joint_test(&values.column(topic).to_owned(), &covariance, degrees, hotelling)
            };
            let own = || test(&self.own[topic], rest, hotelling);
            let pooled = || test(&self.pooled[topic], self.pooled_degrees, None);
            match self.spread {
                SpreadChoice::Own => own(),
                SpreadChoice::Pooled => pooled(),
                SpreadChoice::Auto if is_pooled => pooled(),
                SpreadChoice::Auto => own(),
            }
        };
        (0..self.gamma.ncols()).map(of).collect()
    }
}

/// The inverse of a matrix of full rank.
fn inverse_of(matrix: &Array2<f64>) -> Array2<f64> {
    let gram = matrix.t().dot(matrix);
    let root = sandwich::inverse_root(&gram);
    root.dot(&root).dot(&matrix.t())
}

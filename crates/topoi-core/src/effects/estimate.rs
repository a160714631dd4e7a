//! Regressions of topic shares that are known with uncertainty.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::EffectsError;
use super::design::Design;
use super::sandwich::{ResidualSums, Sandwich};
use super::support::rests_on;
use crate::fields::spread::{SpreadSource, error_of};
use crate::linalg::cholesky_update::CholeskyFactor;
use crate::progress::Progress;
use crate::random::{dirichlet::dirichlet, stream};

/// Rows of a chunk; each chunk has a random stream of its own. The number is fixed because it
/// decides the order of additions.
const CHUNK: usize = 512;
/// Confidence level of intervals.
pub const LEVEL: f64 = 0.95;

/// Posterior distributions of the documents' topic shares.
pub trait Posteriors: Sync {
    /// Number of topics.
    fn topics(&self) -> usize;

    /// Writes the parameters of the Dirichlet posterior of a document's shares to `into`. All are
    /// above 0.
    fn parameters(&self, document: usize, into: &mut [f64]);
}

/// The standard errors of coefficients, by their assumption about documents.
#[derive(Debug, Clone)]
pub enum StandardErrors {
    /// Homoscedastic: shares vary equally in all documents (ordinary least squares).
    Homoscedastic,
    /// Heteroscedasticity-robust: documents are independent (White's HC1, with the factor n / (n −
    /// p)).
    Robust,
    /// Cluster-robust: documents of different clusters are independent. Contains the cluster of
    /// every row of the design (Liang and Zeger, with the factor G / (G − 1) · (n − 1) / (n − p)).
    Clustered(Vec<u32>),
}

/// The coefficients of the regressions of all topics.
#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    /// Names of the coefficients, the constant first.
    pub names: Vec<String>,
    /// Number of documents used.
    pub documents: usize,
    /// Number of clusters, where errors are clustered.
    pub clusters: Option<usize>,
    /// Topics × coefficients.
    pub coefficients: Array2<f64>,
    /// Degrees of freedom of Student's t distribution.
    pub degrees: f64,
    spread: SpreadSource,
    /// By topic, the covariance of the coefficients with the requested standard errors.
    own: Vec<Array2<f64>>,
    /// By topic, the covariance with the pooled spread of all documents.
    pooled: Vec<Array2<f64>>,
    /// By coefficient, the effective number of documents (clusters).
    rests_on: Vec<f64>,
    /// The rows to predict, with their effective number of documents (clusters).
    predictions: Vec<(Array1<f64>, f64)>,
}

/// An estimate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean over the draws.
    pub value: f64,
    /// Standard error; `None` with too few documents.
    pub error: Option<f64>,
    /// Ends of the [`LEVEL`] interval.
    pub interval: Option<(f64, f64)>,
    /// Two-sided p-value of the hypothesis that the value is 0.
    pub p: Option<f64>,
    /// The spread that the error is computed from.
    pub spread: Option<SpreadSource>,
    /// Effective number of documents (clusters) behind the estimate (see
    /// [`crate::fields::spread`]).
    pub rests_on: f64,
}

/// Regresses the shares of every topic on a design by the method of composition, with `draws` draws
/// of the shares. Coefficients are means over the draws. Their covariance follows Rubin's rule: the
/// mean of the draws' covariances plus (1 + 1/draws) times the covariance between draws.
/// Predictions are made for the rows of `at`.
///
/// # Cost
/// For each draw two passes over the n documents with n·K·(p + ln K) and n·K·p² multiplications,
/// for K topics and p coefficients. Memory: a chunk of rows for every thread, and K·p².
///
/// # Errors
/// [`EffectsError::Collinear`], [`EffectsError::FewClusters`].
pub fn estimate(
    design: &Design,
    posteriors: &impl Posteriors,
    errors: &StandardErrors,
    (draws, seed): (usize, u64),
    at: &[Vec<f64>],
    progress: &dyn Progress,
) -> Result<Effects, EffectsError> {
    let scaled = Scaled::new(design.rows.view());
    let inverse = inverse(&scaled.rows.t().dot(&scaled.rows), &design.names)?;
    let (n, p, k) = (scaled.rows.nrows(), scaled.rows.ncols(), posteriors.topics());
    let (chunks, groups) = chunks(n, errors);
    if groups < 2 {
        return Err(EffectsError::FewClusters(groups));
    }
    let work = Regression { design, scaled: &scaled, posteriors, errors, seed };
    let sandwich = Sandwich::new(&scaled, inverse, &chunks, groups, errors);
    let (mut all, mut own) = (Vec::new(), vec![Array2::<f64>::zeros((p, p)); k]);
    let mut pooled = own.clone();
    progress.begin("effects", draws as u64, "");
    for draw in 0..draws {
        if progress.cancelled() {
            break;
        }
        let products = work.products(&chunks, draw);
        let coefficients = sandwich.inverse.dot(&products);
        let residual_sums = work.residual_sums(&chunks, draw, &coefficients);
        for ((own, pooled), sums) in own.iter_mut().zip(&mut pooled).zip(residual_sums) {
            *pooled += &sandwich.pooled(&sums);
            *own += &sandwich.own(&sums);
        }
        all.push(coefficients);
        progress.step(draw as u64 + 1, None);
    }
    let count = all.len().max(1) as f64;
    let mean = all.iter().fold(Array2::zeros((p, k)), |sum, one| sum + one) / count;
    let back = scaled.back_transform();
    let whole = |within: Vec<Array2<f64>>| -> Vec<Array2<f64>> {
        let covariance = |(topic, within): (usize, Array2<f64>)| {
            let mut whole = within / count;
            for one in &all {
                let off = (&one.column(topic) - &mean.column(topic)).insert_axis(Axis(1));
                whole += &(off.dot(&off.t()) * ((1.0 + 1.0 / count) / (count - 1.0).max(1.0)));
            }
            back.dot(&whole).dot(&back.t())
        };
        within.into_iter().enumerate().map(covariance).collect()
    };
    let mut combinations = Array2::zeros((p, p + at.len()));
    combinations.slice_mut(ndarray::s![.., ..p]).assign(&Array2::eye(p));
    for (mut column, row) in combinations.columns_mut().into_iter().skip(p).zip(at) {
        column.assign(&Array1::from(row.clone()));
    }
    let weights = sandwich.inverse.dot(&back.t()).dot(&combinations);
    let mut rests_on = rests_on(scaled.rows.view(), &weights, &chunks);
    let of_predictions = rests_on.split_off(p);
    let is_clustered = matches!(errors, StandardErrors::Clustered(_));
    Ok(Effects {
        names: design.names.clone(),
        documents: n,
        clusters: is_clustered.then_some(groups),
        coefficients: back.dot(&mean).reversed_axes(),
        degrees: if is_clustered { groups as f64 - 1.0 } else { n as f64 - p as f64 },
        spread: match errors {
            StandardErrors::Homoscedastic => SpreadSource::Pooled,
            StandardErrors::Robust => SpreadSource::Robust,
            StandardErrors::Clustered(_) => SpreadSource::Clustered,
        },
        own: whole(own),
        pooled: whole(pooled),
        rests_on,
        predictions: at.iter().cloned().map(Array1::from).zip(of_predictions).collect(),
    })
}

impl Effects {
    /// The prediction for a topic at row `number` of those requested: the product of row and
    /// coefficients.
    pub fn predicted(&self, topic: usize, number: usize) -> Estimate {
        let (row, rests_on) = &self.predictions[number];
        self.estimate(topic, row, *rests_on)
    }

    /// Coefficient `number` of a topic.
    pub fn coefficient(&self, topic: usize, number: usize) -> Estimate {
        let mut row = Array1::zeros(self.names.len());
        row[number] = 1.0;
        self.estimate(topic, &row, self.rests_on[number])
    }

    fn estimate(&self, topic: usize, row: &Array1<f64>, rests_on: f64) -> Estimate {
        let value = self.coefficients.row(topic).dot(row);
        let error =
            |covariances: &[Array2<f64>]| row.dot(&covariances[topic].dot(row)).max(0.0).sqrt();
        let found = error_of((error(&self.own), self.spread), error(&self.pooled), rests_on);
        let student = StudentsT::new(0.0, 1.0, self.degrees).ok().zip(found);
        let interval = student.map(|(t, (error, _))| {
            let half = t.inverse_cdf(0.5 + LEVEL / 2.0) * error;
            (value - half, value + half)
        });
        let p = student.map(|(t, (error, _))| 2.0 * t.cdf(-value.abs() / error));
        let (error, spread) = found.unzip();
        // Without any spread, for example of shares that are all 0, there is no test.
        let p = p.filter(|p| p.is_finite());
        Estimate { value, error, interval, p, spread, rests_on }
    }
}

/// The rows of a design, centred and divided by their standard deviations. Unscaled, a year would
/// be nearly collinear with the constant.
pub(super) struct Scaled {
    pub(super) rows: Array2<f64>,
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Scaled {
    fn new(rows: ArrayView2<'_, f64>) -> Self {
        let mut rows = rows.to_owned();
        let (mut means, mut deviations) = (vec![0.0], vec![1.0]);
        for mut column in rows.columns_mut().into_iter().skip(1) {
            let mean = column.mean().unwrap_or(0.0);
            column -= mean;
            let deviation = (column.dot(&column) / column.len().max(1) as f64).sqrt();
            // A constant column becomes 0 and is found to depend on the constant.
            let deviation = if deviation > 1e-12 * mean.abs() { deviation } else { f64::INFINITY };
            column /= deviation;
            means.push(mean);
            deviations.push(deviation);
        }
        Self { rows, means, deviations }
    }

    /// The p × p matrix that turns coefficients of the scaled rows into coefficients of the design.
    fn back_transform(&self) -> Array2<f64> {
        let mut back = Array2::eye(self.means.len());
        for column in 1..self.means.len() {
            back[(column, column)] = 1.0 / self.deviations[column];
            back[(0, column)] = -self.means[column] / self.deviations[column];
        }
        back
    }
}

fn inverse(gram: &Array2<f64>, names: &[String]) -> Result<Array2<f64>, EffectsError> {
    let mut factor = CholeskyFactor::new(gram.nrows());
    for (at, row) in gram.outer_iter().enumerate() {
        if !factor.append(row.iter().take(at + 1).copied()) {
            return Err(EffectsError::Collinear { term: names[at].clone() });
        }
    }
    let mut inverse = Array2::eye(gram.nrows());
    for mut column in inverse.columns_mut() {
        let mut solved = column.to_vec();
        factor.solve(&mut solved);
        column.assign(&Array1::from(solved));
    }
    Ok(inverse)
}

/// Splits the rows into chunks of whole groups. Returns for each chunk its groups, each a list of
/// rows, and the total number of groups.
fn chunks(rows: usize, errors: &StandardErrors) -> (Vec<Vec<Vec<usize>>>, usize) {
    let mut groups: Vec<Vec<usize>> = match errors {
        StandardErrors::Clustered(of) => {
            let count = of.iter().max().map_or(0, |last| *last as usize + 1);
            let mut groups = vec![Vec::new(); count];
            of.iter().enumerate().for_each(|(row, group)| groups[*group as usize].push(row));
            groups
        }
        _ => (0..rows).map(|row| vec![row]).collect(),
    };
    groups.retain(|group| !group.is_empty());
    let count = groups.len();
    let mut chunks: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut room = 0;
    for group in groups {
        if room < group.len() {
            chunks.push(Vec::new());
            room = CHUNK.max(group.len());
        }
        room -= group.len();
        if let Some(last) = chunks.last_mut() {
            last.push(group);
        }
    }
    (chunks, count)
}

struct Regression<'a, P> {
    design: &'a Design,
    scaled: &'a Scaled,
    posteriors: &'a P,
    errors: &'a StandardErrors,
    seed: u64,
}

impl<P: Posteriors> Regression<'_, P> {
    /// The rows of a chunk and their shares in a draw.
    fn draw_shares(
        &self,
        chunk: &[Vec<usize>],
        number: usize,
        draw: usize,
    ) -> (Array2<f64>, Array2<f64>) {
        let rows: Vec<usize> = chunk.iter().flatten().copied().collect();
        let mut shares = Array2::zeros((rows.len(), self.posteriors.topics()));
        let mut rng = stream(self.seed, &format!("effects, draw {draw}, chunk {number}"));
        for (row, mut shares) in rows.iter().zip(shares.outer_iter_mut()) {
            let shares = shares.as_slice_mut().unwrap_or_default();
            self.posteriors.parameters(self.design.documents[*row], shares);
            dirichlet(&mut rng, shares);
        }
        (self.scaled.rows.select(Axis(0), &rows), shares)
    }

    /// XᵀY of a draw, coefficients × topics.
    fn products(&self, chunks: &[Vec<Vec<usize>>], draw: usize) -> Array2<f64> {
        let of = |(number, chunk): (usize, &Vec<Vec<usize>>)| {
            let (rows, shares) = self.draw_shares(chunk, number, draw);
            rows.t().dot(&shares)
        };
        let parts: Vec<Array2<f64>> = chunks.par_iter().enumerate().map(of).collect();
        let size = (self.scaled.rows.ncols(), self.posteriors.topics());
        parts.iter().fold(Array2::zeros(size), |sum, part| sum + part)
    }

    /// By topic, sums of the residuals e of a draw.
    fn residual_sums(
        &self,
        chunks: &[Vec<Vec<usize>>],
        draw: usize,
        coefficients: &Array2<f64>,
    ) -> Vec<ResidualSums> {
        let p = if matches!(self.errors, StandardErrors::Homoscedastic) {
            0
        } else {
            coefficients.nrows()
        };
        let topics = self.posteriors.topics();
        let of = |(number, chunk): (usize, &Vec<Vec<usize>>)| {
            let (rows, shares) = self.draw_shares(chunk, number, draw);
            let left = shares - rows.dot(coefficients);
            let mut residual_sums = vec![ResidualSums::zeros(p); topics];
            let mut from = 0;
            for group in chunk {
                let span = ndarray::s![from..from + group.len(), ..];
                from += group.len();
                let left = left.slice(span);
                for (sums, left) in residual_sums.iter_mut().zip(left.columns()) {
                    sums.squares += left.dot(&left);
                    sums.sums += left.sum().powi(2);
                }
                if p == 0 {
                    continue;
                }
                let sums = rows.slice(span).t().dot(&left);
                for (sums, sum) in residual_sums.iter_mut().zip(sums.columns()) {
                    for (one, mut row) in sum.iter().zip(sums.products.outer_iter_mut()) {
                        row.scaled_add(*one, &sum);
                    }
                }
            }
            residual_sums
        };
        let parts: Vec<Vec<ResidualSums>> = chunks.par_iter().enumerate().map(of).collect();
        let mut residual_sums = vec![ResidualSums::zeros(p); topics];
        for part in parts {
            residual_sums.iter_mut().zip(part).for_each(|(sum, part)| sum.add(&part));
        }
        residual_sums
    }
}

#[cfg(test)]
#[path = "test_estimate.rs"]
mod tests;

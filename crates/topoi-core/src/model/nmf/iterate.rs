//! The iterations.

use ndarray::{Array1, Array2, Axis};
use rand::RngExt;
use rayon::prelude::*;

use super::divergence::{Divergence, DivergenceTotals, UpdateRule, gram};
use super::kernel::{IterationInputs, LEAST_ENTRY, Lane};
use super::relevance::{DataSize, Relevance};
use super::rows::{GROUP, Group, Rows, add};
use super::{NmfSettings, Prior};
use crate::model::checkpoint::{Checkpoint, only_row, row, row_of};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::{StatefulLanes, add_in_pairs};

/// Iterations back with which the objective is compared to detect convergence.
pub(super) const ITERATIONS_BACK: usize = 10;

/// Numbers that a thread sums at a time.
const NUMBERS_AT_ONCE: usize = 1 << 14;

/// Number of successive falls of the objective after which W is extrapolated further.
const SUCCESSIVE_FALLS: usize = 10;

/// Largest factor by which an entry of W changes for extrapolation.
const MAX_CHANGE: f64 = 10.0;

/// The factors while they are iterated.
pub(super) struct Updates<'a> {
    settings: NmfSettings,
    extent: DataSize,
    documents: StatefulLanes<'a, Lane>,
    w: Rows,
    before: Rows,
    falls: usize,
    scale: Vec<f64>,
    sums: Vec<f64>,
    /// Sums over all documents that other rules than Kullback–Leibler need.
    totals: DivergenceTotals,
    relevance: Option<Relevance>,
    objectives: Vec<f64>,
    is_converged: bool,
}

/// Random topics of equal weight. The documents' weights are made equal when they are first
/// visited.
pub(super) fn start(settings: &NmfSettings, extent: DataSize, seed: u64) -> State {
    let mut rng = stream(seed, "nmf start");
    let mut w =
        Array2::from_shape_simple_fn((extent.words, settings.topics), || 0.5 + rng.random::<f64>());
    let weight = topic_norm(settings, extent);
    for mut column in w.columns_mut() {
        let factor = weight / column.sum();
        column *= factor;
    }
    State {
        w,
        before: Array2::zeros((0, settings.topics)),
        falls: 0,
        h: Vec::new(),
        scale: Array1::ones(settings.topics),
        relevance: Array1::zeros(0),
        sums: Array1::from_elem(settings.topics, extent.tokens / settings.topics as f64 / weight),
        objectives: Vec::new(),
        is_converged: false,
    }
}

/// The initial sum of a topic's entries in W: 1, or, where a prior penalises both factors, the same
/// as in H.
fn topic_norm(settings: &NmfSettings, extent: DataSize) -> f64 {
    match settings.prior {
        Prior::Flat => 1.0,
        Prior::Relevance { .. } => (extent.tokens / settings.topics as f64).sqrt(),
    }
}

impl<'a> Updates<'a> {
    /// Continues from `state`.
    pub(super) fn new(
        documents: &'a Documents<'a>,
        settings: NmfSettings,
        extent: DataSize,
        state: State,
    ) -> Self {
        let mut h = state.h.iter();
        let lane = || Lane::new(h.next().map_or(Rows::new(settings.topics), Rows::from_matrix));
        let mut updates = Self {
            settings,
            extent,
            documents: StatefulLanes::new(documents, lane),
            w: Rows::from_matrix(&state.w),
            before: Rows::from_matrix(&state.before),
            falls: state.falls,
            scale: state.scale.to_vec(),
            sums: state.sums.to_vec(),
            totals: DivergenceTotals::new(&state.sums.to_vec(), extent.documents),
            relevance: None,
            objectives: state.objectives,
            is_converged: state.is_converged,
        };
        let norms = updates.norms();
        updates.relevance = Relevance::new(settings.prior, extent, &norms);
        if let Some(relevance) = updates.relevance.as_mut().filter(|_| !state.relevance.is_empty())
        {
            relevance.scales = state.relevance.to_vec();
        }
        updates
    }

    /// Iterates until `iterations` are done in total or the objective has converged.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn run_until(
        &mut self,
        iterations: usize,
        progress: &dyn Progress,
    ) -> Result<(), StreamError> {
        while !self.is_converged && self.objectives.len() < iterations {
            if self.is_without_prior() {
                self.extrapolate();
            }
            let objective = self.iterate()?;
            let is_rise = self.objectives.last().is_some_and(|&last| objective > last);
            // The extrapolation went too far: the next iteration does not extrapolate.
            let is_rise = self.is_without_prior() && progress.decide(is_rise);
            self.falls = if is_rise { 0 } else { self.falls + 1 };
            self.objectives.push(objective);
            progress.step(self.objectives.len() as u64, Some(objective / self.extent.tokens));
            if let Some(&before) = self.objectives.iter().rev().nth(ITERATIONS_BACK) {
                // An iteration that extrapolated too far may end above the earlier objective; that
                // is not convergence.
                let is_flat = (before - objective).abs() < self.settings.tolerance * before.abs();
                self.is_converged = progress.decide(is_flat && !is_rise);
            }
        }
        Ok(())
    }

    fn is_without_prior(&self) -> bool {
        self.settings.prior == Prior::Flat
    }

    /// Extrapolates W in the direction of the last iteration, W ∘ (W / before)^β, unless that
    /// raised the objective. β is 1/2 at first and 3/4 after successive falls. The powers use
    /// square roots, which are the same on every processor.
    fn extrapolate(&mut self) {
        if self.falls == 0 || self.before.len() == 0 {
            self.before = self.w.clone();
            return;
        }
        let k = self.settings.topics;
        let is_sure = self.falls > SUCCESSIVE_FALLS;
        self.before.par_rows_mut().zip(self.w.par_rows()).for_each(|(before, now)| {
            for (before, &now) in before[..k].iter_mut().zip(now) {
                let change = (now / *before).clamp(1.0 / MAX_CHANGE, MAX_CHANGE);
                let root = change.sqrt();
                let power = if is_sure { root * root.sqrt() } else { root };
                *before = (now * power).max(LEAST_ENTRY);
            }
        });
        std::mem::swap(&mut self.w, &mut self.before);
    }

    /// Updates H, then W, then λ, each given the others. Returns the objective at the new H and the
    /// old W and λ, which falls between iterations unless W was extrapolated.
    fn iterate(&mut self) -> Result<f64, StreamError> {
        let columns = column_sums(&self.w);
        let penalty = |topic| self.relevance.as_ref().map_or(0.0, |own| own.penalty(topic));
        let penalties: Vec<f64> = (0..columns.len()).map(penalty).collect();
        let rule = self.rule();
        let divisors: Vec<f64> = match rule.is_kl_l1() {
            true => columns.iter().zip(&penalties).map(|(sum, penalty)| sum + penalty).collect(),
            false => columns.clone(),
        };
        let (scale, divisors) = (in_groups(&self.scale), in_groups(&divisors));
        let updates = self.settings.updates;
        let by_coordinates = self.is_without_prior();
        let (penalty, gram) = (in_groups(&penalties), gram(&self.w, rule));
        let fixed = IterationInputs {
            w: &self.w,
            scale: &scale,
            divisors: &divisors,
            updates,
            by_coordinates,
            rule,
            penalty: &penalty,
            gram: &gram,
        };
        let share = 1.0 / topic_norm(&self.settings, self.extent) / self.settings.topics as f64;
        let words = self.extent.words;
        let lanes: Vec<_> = self.documents.states_mut().collect();
        lanes.into_par_iter().for_each(|lane| lane.begin(words, rule));
        self.documents.pass(|lane, batch| lane.add(batch, fixed, |length| length * share))?;
        let products = self.add_up()?;
        let mut cross =
            self.documents.sum(|lane| lane.cross, |sum, more| *sum += more).unwrap_or(0.0);
        self.documents.documents().add_up(std::slice::from_mut(&mut cross))?;
        let mixed: f64 = match rule.divergence {
            Divergence::Kl => columns.iter().zip(&self.sums).map(|(w, h)| w * h).sum(),
            Divergence::Euclidean | Divergence::ItakuraSaito => self.totals.squared_fit(&gram),
        };
        let counted = if rule.divergence == Divergence::Kl { self.extent.tokens } else { 0.0 };
        let prior = self.relevance.as_ref().map_or(0.0, |own| own.cost(&self.norms()));
        match rule.is_kl_l1() {
            true => self.renew_topics(&products),
            false => {
                self.totals.renew((&mut self.w, &products), &self.sums, &penalties, rule);
            }
        }
        let norms = self.norms();
        if let Some(relevance) = &mut self.relevance {
            relevance.renew(&norms);
        }
        Ok(cross - counted + mixed + prior)
    }

    /// Sums the products and H over the lanes of all parts.
    fn add_up(&mut self) -> Result<Rows, StreamError> {
        let k = self.settings.topics;
        let mut products = Rows::zeros(self.extent.words, k);
        let mut sums = vec![[0.0; GROUP]; self.w.width()];
        let lanes = self.documents.numbers(|lane| lane.products.groups().as_flattened());
        let numbers = products.groups_mut().as_flattened_mut();
        numbers.par_chunks_mut(NUMBERS_AT_ONCE).enumerate().for_each(|(at, to)| {
            let start = at * NUMBERS_AT_ONCE;
            // No numbers where the lane has no documents.
            let of_lanes = lanes.iter().map(|lane| lane.get(start..start + to.len()));
            add_in_pairs(to, &of_lanes.map(Option::unwrap_or_default).collect::<Vec<&[f64]>>());
        });
        let of_lanes = self.documents.numbers(|lane| lane.sums.as_flattened());
        add_in_pairs(sums.as_flattened_mut(), &of_lanes);
        let of = self.documents.documents();
        of.add_up(products.groups_mut().as_flattened_mut())?;
        of.add_up(sums.as_flattened_mut())?;
        self.sums = sums.as_flattened()[..k].to_vec();
        let rule = self.rule();
        if !rule.is_kl_l1() {
            let lanes = [
                self.documents.numbers(|lane| lane.other.squares.as_flattened()),
                self.documents.numbers(|lane| lane.other.outer.groups().as_flattened()),
                self.documents.numbers(|lane| lane.other.divisors.groups().as_flattened()),
            ];
            self.totals = DivergenceTotals::sum(&lanes, (k, rule), of)?;
        }
        Ok(products)
    }

    /// W ← W ∘ (X/(WH))Hᵀ / (sums of H + penalty). Without a prior the columns are then normalised,
    /// and H is rescaled.
    fn renew_topics(&mut self, products: &Rows) {
        let k = self.settings.topics;
        let penalty = |topic| self.relevance.as_ref().map_or(0.0, |own| own.penalty(topic));
        // A topic that no document uses keeps a finite factor.
        let factor = |(topic, sum): (usize, &f64)| 1.0 / (sum + penalty(topic)).max(LEAST_ENTRY);
        let factors: Vec<f64> = self.sums.iter().enumerate().map(factor).collect();
        self.w.par_rows_mut().zip(products.par_rows()).for_each(|(row, product)| {
            for ((entry, product), factor) in row[..k].iter_mut().zip(product).zip(&factors) {
                *entry = (*entry * product * factor).max(LEAST_ENTRY);
            }
        });
        if self.relevance.is_some() {
            return;
        }
        self.scale = column_sums(&self.w);
        let scale = &self.scale;
        self.w.par_rows_mut().for_each(|row| {
            row[..k].iter_mut().zip(scale).for_each(|(entry, sum)| *entry /= sum);
        });
        self.sums.iter_mut().zip(&self.scale).for_each(|(sum, scale)| *sum *= scale);
    }

    fn rule(&self) -> UpdateRule {
        UpdateRule::new(self.settings.divergence, self.settings.prior)
    }

    /// ‖w_k‖₁ + ‖h_k‖₁; half the squares with the half-normal prior.
    fn norms(&self) -> Vec<f64> {
        if self.rule().is_squared {
            return self.totals.norms(&self.w);
        }
        column_sums(&self.w).iter().zip(&self.sums).map(|(w, h)| w + h).collect()
    }

    /// The state after the iterations done so far.
    pub(super) fn into_state(self) -> State {
        State {
            w: self.w.to_matrix(),
            before: self.before.to_matrix(),
            falls: self.falls,
            h: self.documents.states().map(|lane| lane.h.to_matrix()).collect(),
            scale: Array1::from(self.scale),
            relevance: self.relevance.map_or(Array1::zeros(0), |own| Array1::from(own.scales)),
            sums: Array1::from(self.sums),
            objectives: self.objectives,
            is_converged: self.is_converged,
        }
    }
}

/// Sums of the K columns.
fn column_sums(rows: &Rows) -> Vec<f64> {
    let mut sums = vec![[0.0; GROUP]; rows.width()];
    for row in 0..rows.len() {
        add(&mut sums, rows.row(row));
    }
    sums.as_flattened()[..rows.columns()].to_vec()
}

/// K numbers in groups, padded with ones.
fn in_groups(numbers: &[f64]) -> Vec<Group> {
    let group = |own: &[f64]| std::array::from_fn(|at| own.get(at).copied().unwrap_or(1.0));
    numbers.chunks(GROUP).map(group).collect()
}

/// The state of the iterations for X ≈ W·H.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// W, words × K.
    pub w: Array2<f64>,
    /// W of the iteration before, where it is extrapolated; empty before the first.
    pub before: Array2<f64>,
    /// Iterations since the objective last rose.
    pub falls: usize,
    /// H, documents × K of each lane; empty before the first iteration.
    pub h: Vec<Array2<f64>>,
    /// Factors by which the rows of H are multiplied.
    pub scale: Array1<f64>,
    /// λ; empty without a prior.
    pub relevance: Array1<f64>,
    /// Σ_j h_kj, scaled.
    pub sums: Array1<f64>,
    /// The objective of every iteration.
    pub objectives: Vec<f64>,
    /// Whether the objective has converged.
    pub is_converged: bool,
}

impl Checkpoint for State {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let mut arrays = vec![
            self.w.clone(),
            self.before.clone(),
            row_of(&self.scale),
            row_of(&self.relevance),
            row_of(&self.sums),
            row(&self.objectives),
            row(&[f64::from(u8::from(self.is_converged)), self.falls as f64]),
        ];
        arrays.extend(self.h.iter().cloned());
        arrays
    }

    fn from_arrays(mut arrays: Vec<Array2<f64>>) -> Option<Self> {
        if arrays.len() < 7 {
            return None;
        }
        let h = arrays.split_off(7);
        let [w, before, scale, relevance, sums, objectives, end] =
            <[Array2<f64>; 7]>::try_from(arrays).ok()?;
        Some(Self {
            w,
            before,
            falls: *end.get((0, 1))? as usize,
            h,
            scale: only_row(scale)?,
            relevance: only_row(relevance)?,
            sums: only_row(sums)?,
            objectives: objectives.index_axis(Axis(0), 0).to_vec(),
            is_converged: *end.get((0, 0))? > 0.0,
        })
    }
}

/// The largest relative rise of the objective between iterations.
pub(super) fn largest_rise(objectives: &[f64]) -> f64 {
    let rises = objectives.windows(2).map(|pair| (pair[1] - pair[0]) / pair[0].abs());
    rises.fold(0.0, f64::max)
}

//! The models there are: what each is called and needs, and how a run calls it.

use ndarray::Array2;

use super::measure::of_run;
use super::request::RunSettings;
use crate::linalg::block_krylov::KrylovSettings;
use crate::model::ModelError;
use crate::model::aw::anchor_words_of;
use crate::model::enn::enn_topics;
use crate::model::jsmf::Jsmf;
use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
use crate::model::palm::palm_topics;
use crate::model::raw::rectified_anchor_words;
use crate::model::rectify::alternating::AlternatingSettings;
use crate::model::rectify::enn::EnnSettings;
use crate::model::rectify::palm::PalmSettings;
use crate::model::separable::{
    Detector, NovelWord, Separable, SeparableSettings, separable_topics,
};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::store::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::formed::formed_cooccurrence;
use crate::stream::row_norms::squared_row_norms;

/// A model as people choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelCard {
    /// Its name on the command line and in the store.
    pub name: &'static str,
    /// One line on what it is and when to choose it.
    pub help: &'static str,
    /// Iterations it makes at most unless told otherwise; 0 where it does not iterate.
    pub iterations: usize,
    /// Whether runs of different K can share one factorisation.
    pub shares_factorisation: bool,
    /// How many W × W matrices it holds in memory; 0 for a model that streams.
    pub formed_matrices: usize,
    /// Columns of W numbers it holds, where that does not go with K; 0 where it does.
    pub columns: usize,
}

/// The models, the default first.
pub const MODELS: &[ModelCard] = &[
    ModelCard {
        name: "lr-jsmf",
        help: "rectified anchor words, streamed: the fastest, and the one to start with",
        iterations: 50,
        shares_factorisation: true,
        formed_matrices: 0,
        columns: 0,
    },
    ModelCard {
        name: "enn",
        help: "as lr-jsmf, but from the whole co-occurrence matrix in memory",
        iterations: 50,
        shares_factorisation: false,
        formed_matrices: 1,
        columns: 0,
    },
    ModelCard {
        name: "palm",
        help: "rectified by nonnegative proximal steps, streamed; slow to converge",
        iterations: 500,
        shares_factorisation: false,
        formed_matrices: 0,
        columns: 0,
    },
    ModelCard {
        name: "raw",
        help: "rectified by alternating projections of the whole matrix: the slow reference",
        iterations: 1000,
        shares_factorisation: false,
        formed_matrices: 2,
        columns: 0,
    },
    ModelCard {
        name: "aw",
        help: "anchor words without rectification: the classic baseline",
        iterations: 0,
        shares_factorisation: false,
        formed_matrices: 2,
        columns: 0,
    },
    ModelCard {
        name: "rp",
        help: "novel words by solid angles, streamed; also says how many topics there are",
        iterations: 0,
        shares_factorisation: false,
        formed_matrices: 0,
        columns: 2048,
    },
    ModelCard {
        name: "ddp",
        help: "novel words by data-dependent projections of the whole matrix",
        iterations: 0,
        shares_factorisation: false,
        formed_matrices: 1,
        columns: 0,
    },
    ModelCard {
        name: "rp-doc",
        help: "novel words by random projections over documents; leave rare words out for it",
        iterations: 0,
        shares_factorisation: false,
        formed_matrices: 0,
        columns: 2048,
    },
    ModelCard {
        name: "binning",
        help: "novel words by a projection for each of some groups of documents: rough, one pass",
        iterations: 0,
        shares_factorisation: false,
        formed_matrices: 0,
        columns: 640,
    },
];

impl ModelCard {
    /// Bytes of memory it takes for W words and K topics, within a factor of two.
    pub fn bytes(&self, words: usize, k: usize) -> usize {
        let formed = 8 * words * words * self.formed_matrices;
        // The Krylov basis, 8 times K + 10 columns, and as much again for work.
        formed + 8 * words * ((k + 10) * 16).max(self.columns) + 50_000_000
    }
}

/// The card of the model called `name`.
pub fn model_card(name: &str) -> Option<&'static ModelCard> {
    MODELS.iter().find(|card| card.name == name)
}

/// What any model returns to its run.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The topics.
    pub topics: Topics,
    /// (eigenvalue, residual norm) of the co-occurrence, largest first; empty where the model
    /// computes none.
    pub spectrum: Vec<(f64, f64)>,
    /// How far from converged it stopped, and what it chose: metrics of the run.
    pub convergence: Vec<Metric>,
    /// Words that may be novel, best first; empty where the model looks for none.
    pub novel_words: Vec<NovelWord>,
    /// (ζ, K̂); empty where the model knows no solid angles.
    pub topic_estimates: Vec<(f64, u64)>,
}

/// A model to fit: what of a run's row decides its topics.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// The model's card.
    pub card: &'a ModelCard,
    /// K.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Everything else.
    pub settings: &'a RunSettings,
}

/// Fits a model to a streamed co-occurrence.
///
/// # Errors
/// [`ModelError`].
pub fn fit(
    order: Order<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fitted, ModelError> {
    let k = order.k;
    let found = match order.card.name {
        "lr-jsmf" => lr_jsmf(c, &order.lr_jsmf(), order.seed, progress)?,
        "enn" => {
            enn_topics(|| form(c, progress), order.krylov(), order.enn(), order.seed, progress)?
        }
        "palm" => {
            let squared_norm = || Ok(squared_row_norms(c)?.sum());
            palm_topics(c, squared_norm, order.krylov(), &order.palm(), order.seed, progress)?
        }
        "raw" => {
            let settings = order.alternating();
            rectified_anchor_words(|| form(c, progress), &settings, order.seed, progress)?
        }
        "aw" => anchor_words_of(|| form(c, progress), k, progress)?,
        "rp" => return order.separable(Detector::SolidAngles, c, progress),
        "ddp" => return order.separable(Detector::DataDependent, c, progress),
        "rp-doc" => return order.separable(Detector::DocumentProjections, c, progress),
        "binning" => return order.separable(Detector::Bins, c, progress),
        other => unreachable!("{other} has a card and no way to be fitted"),
    };
    Ok(fitted(found, k))
}

impl Order<'_> {
    fn iterations(&self) -> usize {
        self.settings.iterations.unwrap_or(self.card.iterations)
    }

    fn lr_jsmf(&self) -> LrJsmfSettings {
        LrJsmfSettings {
            tolerance: self.settings.tolerance,
            enn: self.enn(),
            factorised: self.settings.factorise.unwrap_or(self.k).max(self.k),
            ..LrJsmfSettings::new(self.k)
        }
    }

    fn enn(&self) -> EnnSettings {
        let own = EnnSettings::new(self.k, self.iterations());
        EnnSettings { large_rows: self.settings.rows.unwrap_or(own.large_rows), ..own }
    }

    fn krylov(&self) -> KrylovSettings {
        LrJsmfSettings { factorised: self.k, ..self.lr_jsmf() }.krylov()
    }

    fn palm(&self) -> PalmSettings {
        PalmSettings { iterations: self.iterations(), ..PalmSettings::new(self.k) }
    }

    fn alternating(&self) -> AlternatingSettings {
        AlternatingSettings {
            iterations: self.iterations(),
            ..AlternatingSettings::new(self.k, self.krylov())
        }
    }
}

impl Order<'_> {
    fn separable(
        &self,
        detector: Detector,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let own = SeparableSettings::new(detector, self.k);
        let asked = &self.settings.separable;
        let by_paper = asked.distance.map(|_| SeparableSettings::paper_clustering(detector));
        let settings = SeparableSettings {
            clustering: asked.clustering.or(by_paper).unwrap_or(own.clustering),
            distance: asked.distance,
            margin: asked.margin,
            least_angle: asked.least_angle,
            projections: asked.projections.unwrap_or(own.projections),
            ..own
        };
        let found = separable_topics(c.documents(), &settings, self.seed, progress)?;
        Ok(separable_fitted(found))
    }
}

fn separable_fitted(found: Separable) -> Fitted {
    let mut convergence = vec![
        of_run("kkt_gap", found.topics.worst_gap),
        of_run("novel_words", found.novel_words.len() as f64),
        of_run("distance", found.distance),
    ];
    convergence.extend(found.margin.map(|margin| of_run("margin", margin)));
    if let Some((topics, from, to)) = found.k_hat {
        convergence.push(of_run("k_hat", topics as f64));
        convergence.push(of_run("k_hat_from_distance", from));
        convergence.push(of_run("k_hat_to_distance", to));
    }
    convergence.retain(|metric| metric.value.is_finite());
    let estimates = found.estimates.iter();
    Fitted {
        topics: found.topics.into(),
        spectrum: Vec::new(),
        convergence,
        novel_words: found.novel_words,
        topic_estimates: estimates.map(|found| (found.distance, found.topics as u64)).collect(),
    }
}

/// C in memory, as a stage of its own.
fn form(c: &CoOccurrence<'_>, progress: &dyn Progress) -> Result<Array2<f64>, ModelError> {
    progress.begin("form", 0, "");
    Ok(formed_cooccurrence(c)?)
}

fn fitted(found: Jsmf, k: usize) -> Fitted {
    let mut convergence = vec![of_run("kkt_gap", found.topics.worst_gap)];
    let mut spectrum = Vec::new();
    if let Some(pairs) = found.eigenpairs {
        convergence.push(of_run("factorisation_residual", pairs.relative_residual));
        spectrum = pairs.values.into_iter().zip(pairs.residuals).take(k).collect();
    }
    if let Some(rectification) = found.rectification {
        convergence.push(of_run("rectification_iterations", rectification.iterations as f64));
        convergence.push(of_run("rectification_change", rectification.last_change));
        if let Some((objective, rise)) = rectification.objective {
            convergence.push(of_run("objective", objective));
            convergence.push(of_run("objective_rise", rise));
        }
    }
    convergence.retain(|metric| metric.value.is_finite());
    let (novel_words, topic_estimates) = Default::default();
    Fitted { topics: found.topics.into(), spectrum, convergence, novel_words, topic_estimates }
}

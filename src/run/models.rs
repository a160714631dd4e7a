//! The models there are: what each is called and needs, and how a run calls it.

use ndarray::Array2;

use super::measure::of_run;
use super::request::RunSettings;
use super::work_error::WorkError;
use crate::linalg::block_krylov::KrylovSettings;
use crate::metric::row_norms::RowNorms;
use crate::model::ModelError;
use crate::model::aw::anchor_words_of;
use crate::model::enn::enn_topics;
use crate::model::jsmf::Jsmf;
use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
use crate::model::nmf::NmfSettings;
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
use crate::store::corpus::Corpus;
use crate::store::metric::Metric;
use crate::store::run::Run;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::formed::formed_cooccurrence;

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
    /// Bytes it holds for each document and topic.
    pub document_bytes: usize,
    /// Bytes it holds for each token.
    pub token_bytes: usize,
}

/// A streamed model that holds nothing but W × K blocks.
const STREAMED: ModelCard = ModelCard {
    shares_factorisation: false,
    name: "",
    help: "",
    iterations: 0,
    formed_matrices: 0,
    columns: 0,
    document_bytes: 0,
    token_bytes: 0,
};

/// H, and as much again twice while it is kept for a run that may be interrupted.
const NMF_DOCUMENT_BYTES: usize = 24;

/// The models, the default first.
pub const MODELS: &[ModelCard] = &[
    ModelCard {
        name: "lr-jsmf",
        help: "rectified anchor words, streamed: the fastest, and the one to start with",
        iterations: 50,
        shares_factorisation: true,
        ..STREAMED
    },
    ModelCard {
        name: "enn",
        help: "as lr-jsmf, but from the whole co-occurrence matrix in memory",
        iterations: 50,
        formed_matrices: 1,
        ..STREAMED
    },
    ModelCard {
        name: "palm",
        help: "rectified by nonnegative proximal steps, streamed; slow to converge",
        iterations: 500,
        ..STREAMED
    },
    ModelCard {
        name: "raw",
        help: "rectified by alternating projections of the whole matrix: the slow reference",
        iterations: 1000,
        formed_matrices: 2,
        ..STREAMED
    },
    ModelCard {
        name: "aw",
        help: "anchor words without rectification: the classic baseline",
        formed_matrices: 2,
        ..STREAMED
    },
    ModelCard {
        name: "rp",
        help: "novel words by solid angles, streamed; also says how many topics there are",
        columns: 2048,
        ..STREAMED
    },
    ModelCard {
        name: "ddp",
        help: "novel words by data-dependent projections of the whole matrix",
        formed_matrices: 1,
        ..STREAMED
    },
    ModelCard {
        name: "rp-doc",
        help: "novel words by random projections over documents; leave rare words out for it",
        columns: 2048,
        ..STREAMED
    },
    ModelCard {
        name: "binning",
        help: "novel words by a projection for each of some groups of documents: rough, one pass",
        columns: 640,
        ..STREAMED
    },
    ModelCard {
        name: "svd",
        help: "latent semantic analysis: singular vectors of the counts, streamed; a baseline",
        ..STREAMED
    },
    ModelCard {
        name: "r1d",
        help: "rank-one downdate: words and documents taken out topic by topic, streamed",
        iterations: 100,
        ..STREAMED
    },
    ModelCard {
        name: "nmf-kl",
        help: "nonnegative factorisation by divergence, as PLSA: a good fit to the documents",
        iterations: 200,
        document_bytes: NMF_DOCUMENT_BYTES,
        ..STREAMED
    },
    ModelCard {
        name: "nmf-ard",
        help: "as nmf-kl, and says how many of the topics are relevant",
        iterations: 500,
        document_bytes: NMF_DOCUMENT_BYTES,
        ..STREAMED
    },
    ModelCard {
        name: "lda-gibbs",
        help: "latent Dirichlet allocation by Gibbs sampling: the yardstick; many sweeps",
        iterations: 200,
        // Two for a token's topic, the others while it is kept for a run that may be interrupted.
        token_bytes: 10,
        ..STREAMED
    },
];

/// How large a corpus is, as a run sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusSize {
    /// Terms of the vocabulary, W.
    pub words: usize,
    /// Documents.
    pub documents: usize,
    /// Tokens.
    pub tokens: usize,
}

impl CorpusSize {
    /// Of a corpus seen through a vocabulary of `words` terms; all of its tokens count.
    pub fn of(corpus: &Corpus, words: usize) -> Self {
        Self { words, documents: corpus.documents as usize, tokens: corpus.tokens as usize }
    }
}

/// What stands in the place of a model for topics that another program made.
pub const IMPORTED: ModelCard = ModelCard {
    name: "imported",
    help: "topics from a file that another program wrote",
    ..STREAMED
};

impl ModelCard {
    /// Whether sums over documents are all it needs of a corpus, so that its documents can be in
    /// parts on several machines.
    pub fn streams(&self) -> bool {
        self.formed_matrices == 0 && self.token_bytes == 0
    }

    /// Bytes of memory it takes for K topics, within a factor of two.
    pub fn bytes(&self, size: CorpusSize, k: usize) -> usize {
        let CorpusSize { words, documents, tokens } = size;
        let formed = 8 * words * words * self.formed_matrices;
        let held = self.document_bytes * documents * k + self.token_bytes * tokens;
        // The Krylov basis, 8 times K + 10 columns, and as much again for work.
        formed + held + 8 * words * ((k + 10) * 16).max(self.columns) + 50_000_000
    }
}

/// The card of the model called `name`.
pub fn model_card(name: &str) -> Option<&'static ModelCard> {
    MODELS.iter().chain([&IMPORTED]).find(|card| card.name == name)
}

/// What any model returns to its run.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The topics.
    pub topics: Topics,
    /// (eigenvalue, residual norm) of the co-occurrence, or (singular value, residual norm) of the
    /// counts, largest first; empty where the model computes none.
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
            let squared_norm = || Ok(RowNorms::of(c)?.sum());
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
        "svd" => return order.svd(c, progress),
        "r1d" => return order.r1d(c, progress),
        "nmf-kl" => return order.nmf(NmfSettings::kl(k), c, progress),
        "nmf-ard" => return order.nmf(NmfSettings::ard(k), c, progress),
        "lda-gibbs" => return order.lda_gibbs(c, progress),
        other => unreachable!("{other} has a card and no way to be fitted"),
    };
    Ok(fitted(found, k))
}

impl<'a> Order<'a> {
    /// What the row of `run` decides.
    ///
    /// # Errors
    /// [`WorkError::UnknownModel`].
    pub fn of(run: &Run, settings: &'a RunSettings) -> Result<Self, WorkError> {
        let card = model_card(&run.model)
            .ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })?;
        Ok(Self { card, k: run.k as usize, seed: run.seed, settings })
    }
}

impl Order<'_> {
    /// Iterations at most.
    pub(super) fn iterations(&self) -> usize {
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

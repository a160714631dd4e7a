//! Corpora with known topics in memory, and what `rp` finds in them with its stages done once.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ndarray::Array2;
use sprs::TriMat;
use topoi_core::model::separable::{
    Clustering, Counting, NothingKept, Rp, Separable, SolidAngles, TopicEstimate, separable_topics,
};
use topoi_core::progress::{Progress, Silent};
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;
use topoi_core::synth::KnownCorpus;

use crate::fingerprint;
use crate::laboratory::text;
use crate::pages::saved::Cell;

/// ζ and K̂, for each ζ that is tried.
pub type Estimates = Vec<(f64, u64)>;

/// A corpus in memory, and what the stages of `rp` with one seed left of it.
pub struct Drawn {
    source: MatrixSource,
    /// Tokens of each word.
    pub tokens: Vec<u32>,
    seed: u64,
    stages: Stages,
}

impl Drawn {
    /// Draws a corpus, for `rp` with this seed.
    pub fn new(corpus: KnownCorpus, seed: u64) -> Result<Self, String> {
        fingerprint::note(format!("synth {}", corpus.kind));
        let words = corpus.words.len();
        let mut counts = TriMat::new((corpus.documents as usize, words));
        let mut tokens = vec![0; words];
        let mut row = 0;
        corpus.draw(|document: &[(u32, u32)]| {
            for &(word, count) in document {
                counts.add_triplet(row, word as usize, count);
                tokens[word as usize] += count;
            }
            row += 1;
            Ok::<(), String>(())
        })?;
        let source = MatrixSource::new(counts.to_csr(), 512);
        Ok(Self { source, tokens, seed, stages: Stages::default() })
    }

    /// What `rp` finds; ways of counting and thresholds share its projections.
    pub fn found(
        &self,
        topics: usize,
        counting: Counting,
        distance: Option<f64>,
    ) -> Result<Separable, String> {
        fingerprint::note("k-hat");
        let positions: Vec<u32> = (0..self.tokens.len() as u32).collect();
        let documents = Documents::new(&self.source, &positions, 2, &Silent);
        let detector = SolidAngles { k_hat: counting, ..SolidAngles::default() };
        let clustering = Some(Clustering::Pooled);
        let settings = Rp { detector, distance, clustering, ..Rp::default() };
        let (kept, progress) = (&NothingKept, &self.stages);
        separable_topics(&documents, &settings, topics, self.seed, kept, progress).map_err(text)
    }
}

/// What stages left.
#[derive(Default)]
struct Stages(Mutex<BTreeMap<&'static str, Vec<Array2<f64>>>>);

impl Progress for Stages {
    fn begin(&self, _: &'static str, _: u64, _: &'static str) {}
    fn step(&self, _: u64, _: Option<f64>) {}
    fn cancelled(&self) -> bool {
        false
    }
    fn recall(&self, stage: &'static str) -> Option<Vec<Array2<f64>>> {
        self.0.lock().ok()?.get(stage).cloned()
    }
    fn keep(&self, stage: &'static str, arrays: &[Array2<f64>]) {
        if let Ok(mut kept) = self.0.lock() {
            kept.insert(stage, arrays.to_vec());
        }
    }
}

/// ζ and K̂ of what was found.
pub fn estimates(found: &[TopicEstimate]) -> Estimates {
    found.iter().map(|one| (one.distance, one.topics as u64)).collect()
}

/// The widest range of ζ, in the logarithm, of which each that was tried tells `topics`.
pub fn widest(estimates: &Estimates, topics: usize) -> Option<(f64, f64)> {
    let runs = estimates.chunk_by(|a, b| a.1 == b.1);
    let ranges =
        runs.filter(|run| run[0].1 == topics as u64).map(|run| (run[0].0, run[run.len() - 1].0));
    ranges.max_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)))
}

/// What all corpora have in common: the ζ that tell the true K of each, and how wide each one's range is.
pub fn in_common(ranges: &[Option<(f64, f64)>]) -> [Cell; 2] {
    let found: Vec<(f64, f64)> = ranges.iter().copied().flatten().collect();
    let from = found.iter().map(|range| range.0).fold(0.0, f64::max);
    let to = found.iter().map(|range| range.1).fold(f64::INFINITY, f64::min);
    let shared = match found.len() == ranges.len() && from <= to {
        true => format!("{from:.3} to {to:.3}"),
        false => "none".into(),
    };
    let widths = found.iter().map(|(from, to)| to / from).collect();
    [Cell::words(shared), Cell::Values(widths).rounded()]
}

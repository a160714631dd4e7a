//! K̂ on the corpora of figure 2: by the rule that is here, and by line 16′ of Ding et al. 2015 as printed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ndarray::Array2;
use sprs::TriMat;
use topoi::model::separable::{
    Counting, Detector, NothingKept, Separable, SeparableSettings, separable_topics,
};
use topoi::progress::{Progress, Silent};
use topoi::stream::documents::Documents;
use topoi::stream::memory::MatrixSource;
use topoi::synth::length::Length;
use topoi::synth::separable::{self as corpora, separable};

use super::{Method, claim};
use crate::laboratory::text;
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table};

/// How K̂ is told: by this program's rule, and as the paper prints it.
pub const RULES: [Method; 2] = [("rp", "rp"), ("line 16′ as printed", "rp --k-hat paper")];
/// True numbers of topics.
const TOPICS: [usize; 4] = [5, 10, 20, 50];
/// ζ for which the count as printed is shown, or the nearest that is tried.
const DISTANCES: [f64; 4] = [0.05, 1.0, 4.0, 8.0];
/// Words and documents, as in the first figure but more documents.
const WORDS: usize = 500;
const DOCUMENTS: u64 = 20_000;
/// The share of the words that are novel.
const NOVEL: f64 = 0.2;

/// ζ and K̂, for each ζ that is tried.
pub type Estimates = Vec<(f64, u64)>;

/// A corpus in memory.
struct Drawn {
    source: MatrixSource,
    /// For each topic the tokens of the novel word of it that has most of them.
    tokens: Vec<u32>,
}

impl Drawn {
    fn new(topics: usize, seed: u64) -> Result<Self, String> {
        let corpus = separable(&corpora::SeparableSettings {
            documents: DOCUMENTS,
            words: WORDS,
            topics,
            rho: NOVEL,
            length: Length::Fixed(100),
            alpha: 0.1,
            seed,
        });
        let corpus = corpus.map_err(text)?;
        let novel = (NOVEL * WORDS as f64).round() as u32;
        let own = |topic: &topoi::synth::Topic| -> Vec<u32> {
            topic.iter().map(|&(word, _)| word).filter(|&word| word < novel).collect()
        };
        let own: Vec<Vec<u32>> = corpus.topics.iter().map(own).collect();
        let mut counts = TriMat::new((DOCUMENTS as usize, WORDS));
        let mut sums = vec![0; WORDS];
        let mut row = 0;
        corpus.draw(|document: &[(u32, u32)]| {
            for &(word, count) in document {
                counts.add_triplet(row, word as usize, count);
                sums[word as usize] += count;
            }
            row += 1;
            Ok::<(), String>(())
        })?;
        let most = |words: &Vec<u32>| words.iter().map(|&w| sums[w as usize]).max().unwrap_or(0);
        let tokens = own.iter().map(most).collect();
        Ok(Self { source: MatrixSource::new(counts.to_csr(), 512), tokens })
    }

    /// What `rp` finds with either way of counting, whose stages are done once.
    fn counted(
        &self,
        topics: usize,
        seed: u64,
        counting: Counting,
        kept: &Kept,
    ) -> Result<Separable, String> {
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let documents = Documents::new(&self.source, &positions, 2, &Silent);
        let settings =
            SeparableSettings { counting, ..SeparableSettings::new(Detector::SolidAngles, topics) };
        separable_topics(&documents, &settings, seed, &NothingKept, kept).map_err(text)
    }
}

/// What stages left, for the other way of counting.
#[derive(Default)]
struct Kept(Mutex<BTreeMap<&'static str, Vec<Array2<f64>>>>);

impl Progress for Kept {
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

/// Counts topics of corpora with K = 5, 10, 20 and 50.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let corpora = saved.repeats(2, 5);
    saved.about = format!(
        "{corpora} corpora for each K; W = {WORDS}, a fifth of the words novel, α = 0.1, {DOCUMENTS} documents of \
         100 tokens; `rp`, with `--k-hat paper` for line 16′. 61 values of ζ are tried, each 1.12 times the one \
         before."
    );
    let mut told = Table::new(
        "K̂ of each corpus, and how many times the least ζ that tells the true K the largest is",
        &[
            "true K",
            "K̂",
            "ζ of the true K in all corpora",
            "largest ζ over least",
            "tokens of the best novel word of the topic where it has fewest",
        ],
        corpora as usize,
        0,
    );
    let heads = DISTANCES.map(|distance| format!("ζ = {distance}"));
    let heads: Vec<&str> =
        std::iter::once("true K").chain(heads.iter().map(String::as_str)).collect();
    let mut printed =
        Table::new("K̂ by line 16′ as printed, at the nearest ζ tried", &heads, corpora as usize, 1);
    let mut lines = [const { Vec::new() }; 2];
    for topics in TOPICS {
        let mut chosen = Vec::new();
        let mut ranges = Vec::new();
        let mut at_distances = DISTANCES.map(|_| Vec::new());
        let mut fewest = Vec::new();
        for seed in 1..=corpora {
            let drawn = Drawn::new(topics, seed)?;
            fewest.push(drawn.tokens.iter().min().map_or(0, |&tokens| tokens).to_string());
            let kept = Kept::default();
            for (counting, lines) in [Counting::Steady, Counting::Paper].into_iter().zip(&mut lines)
            {
                let found = drawn.counted(topics, seed, counting, &kept)?;
                let estimates: Estimates =
                    found.estimates.iter().map(|one| (one.distance, one.topics as u64)).collect();
                if counting == Counting::Steady {
                    chosen.push(found.k_hat.map_or("–".into(), |(k_hat, ..)| k_hat.to_string()));
                    ranges.push(widest(&estimates, topics));
                } else {
                    for (values, distance) in at_distances.iter_mut().zip(DISTANCES) {
                        values.extend(nearest(&estimates, distance));
                    }
                }
                if seed == 1 {
                    let at = estimates.iter().map(|&(zeta, k_hat)| (zeta, k_hat as f64));
                    lines.push(Points { name: format!("K = {topics}"), at: at.collect() });
                }
            }
        }
        let found: Vec<(f64, f64)> = ranges.iter().copied().flatten().collect();
        let from = found.iter().map(|range| range.0).fold(0.0, f64::max);
        let to = found.iter().map(|range| range.1).fold(f64::INFINITY, f64::min);
        let shared = if found.len() == ranges.len() && from <= to {
            format!("{from:.3} to {to:.3}")
        } else {
            "none".into()
        };
        let widths = found.iter().map(|(from, to)| to / from).collect();
        let cells = vec![
            Cell::words(chosen.join(", ")),
            Cell::words(shared),
            Cell::Values(widths).rounded(),
            Cell::words(fewest.join(", ")),
        ];
        told.push(topics, cells);
        printed.push(topics, at_distances.map(|values| Cell::Values(values).rounded()).into());
    }
    for ((rule, _), series) in RULES.iter().zip(lines) {
        saved.pictures.push(Picture {
            title: format!("K̂ by ζ, the first corpus of each K: {rule}"),
            x: "ζ".into(),
            y: "K̂".into(),
            logarithmic: (true, true),
            drawing: Drawing::Series(series),
        });
    }
    saved.tables = vec![told, printed];
    Ok(())
}

/// The widest range of ζ, in the logarithm, of which each that was tried tells `topics`.
pub fn widest(estimates: &Estimates, topics: usize) -> Option<(f64, f64)> {
    let runs = estimates.chunk_by(|a, b| a.1 == b.1);
    let ranges =
        runs.filter(|run| run[0].1 == topics as u64).map(|run| (run[0].0, run[run.len() - 1].0));
    ranges.max_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)))
}

/// K̂ at the ζ that is nearest in the logarithm.
fn nearest(estimates: &Estimates, distance: f64) -> Option<f64> {
    let off = |zeta: f64| (zeta / distance).ln().abs();
    let nearest = estimates.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)))?;
    Some(nearest.1 as f64)
}

/// What the paper says of K̂, on these corpora.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [told, printed] = saved.tables.as_slice() else { return Vec::new() };
    let (mut right, mut wide, mut corpora, mut off) = (0, 0, 0, Vec::new());
    for row in &told.rows {
        let (Cell::Words(chosen), Cell::Values(widths)) = (&row.cells[0], &row.cells[2]) else {
            continue;
        };
        for k_hat in chosen.split(", ") {
            corpora += 1;
            right += usize::from(k_hat == row.name);
            if k_hat != row.name {
                off.push(format!("{k_hat} for {}", row.name));
            }
        }
        wide += widths.iter().filter(|&&width| width >= 10.0).count();
    }
    let off = if off.is_empty() { String::new() } else { format!(" ({})", off.join(", ")) };
    let exact = printed.rows.iter().flat_map(|row| {
        let topics = row.name.parse::<f64>().unwrap_or(f64::NAN);
        row.cells.iter().map(move |cell| cell.mean() == Some(topics))
    });
    let exact: Vec<bool> = exact.collect();
    let counts = printed.rows.iter().map(|row| {
        let means = row.cells.iter().filter_map(Cell::mean).map(|mean| format!("{mean:.1}"));
        format!("{} for K = {}", means.collect::<Vec<_>>().join(", "), row.name)
    });
    let counts = counts.collect::<Vec<_>>().join("; ");
    vec![
        claim(
            "(2015, §VI-A) a wide range of ζ tells the true K: by the rule of `rp`",
            format!(
                "K̂ is the true K on {right} of {corpora} corpora{off}; a range 10 wide or more tells it on {wide}"
            ),
            (right + wide, 2 * corpora),
        ),
        claim(
            "the same by line 16′ as printed",
            format!("means at ζ = 0.05, 1, 4 and 8: {counts}"),
            (exact.iter().filter(|&&is_exact| is_exact).count(), exact.len()),
        ),
    ]
}

//! Figures 1 and 2 of Cheng et al. 2015 as Markdown tables, means over five seeds.
//!
//! `cargo bench --bench cheng2015 [-- figure1 | figure2]`. Corpora are drawn from LDA in memory.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/it/common/lda.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod lda;

use ndarray::Array2;
use topoi::bound::lda::{LdaSettings, topic_bounds};
use topoi::bound::second_moment::{Negated, SecondMoment};
use topoi::bound::second_moment::{deviation, mean_pair_rate};
use topoi::bound::topic_spectrum::{Coefficients, Prior, TopicSpectrum};
use topoi::linalg::accuracy::Accuracy;
use topoi::linalg::block_krylov::{InMemory, KrylovSettings, SymmetricOperator, block_krylov};
use topoi::linalg::dense::symmetric_eigen;
use topoi::progress::Silent;
use topoi::random::stream;
use topoi::stream::cooccurrence::CoOccurrence;
use topoi::stream::cooccurrence::formed::formed_cooccurrence;
use topoi::stream::documents::Documents;
use topoi::stream::memory::MatrixSource;

const SEEDS: u64 = 5;
/// K, α and β of figures 1 (a–c) and 2.
const TOPICS: usize = 10;
const ALPHA: f64 = 1.0;
const BETA: f64 = 0.1;

/// A panel: its name, what varies, the sizes, and what varies of a size.
type Panel = (&'static str, &'static str, Vec<Size>, fn(&Size) -> usize);

/// D, L, V.
#[derive(Clone, Copy)]
struct Size {
    documents: usize,
    length: usize,
    words: usize,
}

const DOCUMENTS: &[usize] = &[100, 200, 400, 800, 1600, 3200, 6400, 12_800];
const LENGTHS: &[usize] = &[50, 100, 200, 400, 800, 1600, 3200];
const WORDS: &[usize] = &[100, 200, 500, 1000, 2000, 3000];

fn by_length() -> Vec<Size> {
    LENGTHS.iter().map(|&length| Size { documents: 2000, length, words: 1000 }).collect()
}

fn by_documents() -> Vec<Size> {
    DOCUMENTS.iter().map(|&documents| Size { documents, length: 500, words: 1000 }).collect()
}

fn by_words() -> Vec<Size> {
    WORDS.iter().map(|&words| Size { documents: 2000, length: 500, words }).collect()
}

/// Calls `measure` with the co-occurrence of a corpus of this size, and its topics.
fn drawn<const N: usize>(
    size: Size,
    seed: u64,
    measure: impl Fn(&CoOccurrence<'_>, &Array2<f64>) -> [f64; N],
) -> [f64; N] {
    let mut rng = stream(seed, "cheng2015");
    let topics = lda::topics(&mut rng, size.words, TOPICS, BETA);
    let lengths = std::iter::repeat_n(size.length, size.documents);
    let counts = lda::documents(&mut rng, &topics, ALPHA, lengths);
    let source = MatrixSource::new(counts, 500);
    let positions: Vec<u32> = (0..size.words as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    measure(&CoOccurrence::new(&documents).expect("in memory"), &topics)
}

fn mean<const N: usize>(of_seed: impl Fn(u64) -> [f64; N]) -> [f64; N] {
    let mut sum = [0.0; N];
    for seed in 1..=SEEDS {
        for (sum, value) in sum.iter_mut().zip(of_seed(seed)) {
            *sum += value / SEEDS as f64;
        }
    }
    sum
}

fn header(columns: &[&str]) {
    println!("\n| {} |\n|{}", columns.join(" | "), " ---: |".repeat(columns.len()));
}

fn small(value: f64) -> String {
    if value.is_finite() { format!("{value:.2e}") } else { "∞".into() }
}

fn line(first: usize, values: &[String]) {
    println!("| {first} | {} |", values.join(" | "));
}

/// The `pairs` largest eigenvalues.
fn largest<O: SymmetricOperator>(operator: &O, pairs: usize) -> Vec<f64> {
    let settings = KrylovSettings {
        pairs,
        kept: pairs + 10,
        block: 12,
        accuracy: Accuracy::Relative(1e-3),
        max_passes: 60,
    };
    let found = block_krylov(operator, settings, &mut stream(1, "bench krylov"), &Silent);
    found.unwrap_or_else(|_| unreachable!("in memory")).values.to_vec()
}

/// ‖R‖_F, ‖R‖₂, σ_K and σ_{K+1} of M̂₂, δ_R for δ = 0.1 and δ = 1.
fn deviations(c: &CoOccurrence<'_>, topics: &Array2<f64>) -> [f64; 6] {
    let alpha_0 = TOPICS as f64 * ALPHA;
    let mean = c.row_sums().view().insert_axis(ndarray::Axis(1));
    let share = alpha_0 / (alpha_0 + 1.0);
    let formed = formed_cooccurrence(c).expect("in memory");
    let r = formed - &mean.dot(&mean.t()) * share - lda::second_moment(topics, ALPHA);
    let frobenius = r.iter().map(|x| x * x).sum::<f64>().sqrt();
    let spectral = largest(&InMemory(&r), 1)[0].max(largest(&Negated(InMemory(&r)), 1)[0]);
    let values = largest(&SecondMoment::new(c, alpha_0), TOPICS + 1);
    let rate = mean_pair_rate(c.documents()).expect("in memory");
    let threshold = |delta| deviation(c.totals().documents, c.words(), rate, delta);
    [frobenius, spectral, values[TOPICS - 1], values[TOPICS], threshold(0.1), threshold(1.0)]
}

/// Panels a to c: how far the measured moment is from the true one.
fn figure_1_of_corpora() {
    let panels: [Panel; 3] = [
        ("a", "L", by_length(), |size| size.length),
        ("b", "D", by_documents(), |size| size.documents),
        ("c", "V", by_words(), |size| size.words),
    ];
    for (panel, name, sizes, varied) in panels {
        println!("\n### Figure 1 ({panel})");
        header(&[name, "‖R‖_F", "‖R‖₂", "σ₁₀", "σ₁₁", "δ_R, δ = 0.1", "δ_R, δ = 1"]);
        for size in sizes {
            let values = mean(|seed| drawn(size, seed, deviations));
            line(varied(&size), &values.map(small));
        }
    }
}

/// σ₁ and σ_K of M₂ itself, from the Gram matrix of the topics.
fn of_true_moment(words: usize, topics: usize, beta: f64, seed: u64) -> [f64; 2] {
    let o = lda::topics(&mut stream(seed, "cheng2015 topics"), words, topics, beta);
    let k = topics as f64;
    let (values, _) = symmetric_eigen(&(o.t().dot(&o) / (k * (k * ALPHA + 1.0))));
    [values[0], values[topics - 1]]
}

/// Panels d to f: the spectrum of the true moment and its bounds.
fn figure_1_of_topics() {
    let betas = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0];
    let numbers = [5, 10, 20, 50, 100];
    let words = [200, 500, 1000, 2000, 3000];
    let columns =
        |name| [name, "σ₁", "σ̄₁ appendix", "σ̄₁ theorem", "σ̄₁ solved", "σ_K", "σ̲_K appendix"];
    let row = |words: usize, topics: usize, beta: f64| {
        let [first, last] = mean(|seed| of_true_moment(words, topics, beta, seed));
        let theory = |coefficients| {
            let prior = Prior { alpha: ALPHA, beta };
            TopicSpectrum { prior, words, coefficients, delta: 0.1 }
        };
        let most = Coefficients::ALL.map(|c| small(theory(c).largest(topics).value));
        let least = theory(Coefficients::Appendix).smallest(topics).value;
        let [appendix, theorem, solved] = most;
        [small(first), appendix, theorem, solved, small(last), small(least)].join(" | ")
    };
    println!("\n### Figure 1 (d)");
    header(&columns("β"));
    betas.iter().for_each(|&beta| println!("| {beta} | {} |", row(1000, TOPICS, beta)));
    println!("\n### Figure 1 (e)");
    header(&columns("K"));
    numbers.iter().for_each(|&topics| println!("| {topics} | {} |", row(1000, topics, BETA)));
    println!("\n### Figure 1 (f)");
    header(&columns("V"));
    words.iter().for_each(|&words| println!("| {words} | {} |", row(words, TOPICS, BETA)));
}

/// Lower and upper bound for δ = 0.1 and 0.5, then both as in the paper, from M̂₂ of the true α₀.
/// An upper bound that there is not counts as the number of words.
fn bounds(c: &CoOccurrence<'_>, _topics: &Array2<f64>) -> [f64; 8] {
    let values = largest(&SecondMoment::new(c, TOPICS as f64 * ALPHA), TOPICS + 1);
    let of_delta = |delta| {
        let settings = LdaSettings { alpha: ALPHA, beta: BETA, delta, seed: 1 };
        let found = topic_bounds(c, &settings, &Silent).expect("in memory");
        let upper = found.uppers[0].topics.unwrap_or(c.words());
        let prior = Prior { alpha: ALPHA, beta: BETA };
        let coefficients = Coefficients::Appendix;
        let theory = TopicSpectrum { prior, words: c.words(), coefficients, delta };
        let is_possible = |&k: &usize| values[0] <= theory.largest(k).value + found.threshold;
        let known_upper = (1..=c.words()).rev().find(is_possible).unwrap_or(0);
        let known_lower = values.iter().filter(|&&value| value > found.threshold).count();
        [found.lower as f64, upper as f64, known_lower as f64, known_upper as f64]
    };
    let (strict, even) = (of_delta(0.1), of_delta(0.5));
    [strict[0], strict[1], strict[2], strict[3], even[0], even[1], even[2], even[3]]
}

fn figure_2() {
    let panels: [Panel; 2] = [
        ("documents", "D", by_documents(), |size| size.documents),
        ("length", "L", by_length(), |size| size.length),
    ];
    for (panel, name, sizes, varied) in panels {
        println!("\n### Figure 2, by {panel}");
        header(&[
            name,
            "lower, δ = 0.1",
            "upper",
            "lower, α₀ known",
            "upper, α₀ known",
            "lower, δ = 0.5",
            "upper",
            "lower, α₀ known",
            "upper, α₀ known",
        ]);
        for size in sizes {
            let values = mean(|seed| drawn(size, seed, bounds));
            line(varied(&size), &values.map(|value| format!("{value:.1}")));
        }
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wants = |figure: &str| wanted.is_empty() || wanted.iter().any(|name| name == figure);
    println!("K = {TOPICS}, α = {ALPHA}, β = {BETA}, means over {SEEDS} seeds.");
    if wants("figure1") {
        figure_1_of_corpora();
        figure_1_of_topics();
    }
    if wants("figure2") {
        figure_2();
    }
}

//! Figure 1: the measured moment beside the true one, and the spectrum of the true one beside its bounds.

use std::ops::RangeInclusive;

use ndarray::{Array2, Axis};
use topoi_core::bound::second_moment::{Negated, SecondMoment, deviation, mean_pair_rate};
use topoi_core::bound::topic_spectrum::{Coefficients, Prior, TopicSpectrum};
use topoi_core::linalg::block_krylov::DenseOperator;
use topoi_core::linalg::dense::symmetric_eigen;
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::cooccurrence::formed::formed_cooccurrence;

use super::{
    ALPHA, BETA, Size, TOPICS, add, by_documents, by_length, by_words, drawn, largest, lda, repeats,
};
use crate::pages::saved::{Claim, Drawing, Picture, Row, Saved, Table};

const OF_CORPORA: [&str; 6] = ["‖R‖_F", "‖R‖₂", "σ₁₀", "σ₁₁", "δ_R, δ = 0.1", "δ_R, δ = 1"];
const OF_TOPICS: [&str; 6] =
    ["σ₁", "σ̄₁ appendix", "σ̄₁ theorem", "σ̄₁ solved", "σ_K", "σ̲_K appendix"];

/// A panel's name and its sizes.
type Panel = (&'static str, Vec<(usize, Size)>);

/// Measures panels a to f.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (quick, seeds) = (saved.quick, repeats(saved));
    saved.about = format!(
        "LDA corpora drawn in memory, α = {ALPHA}, K = {TOPICS} and β = {BETA} where they do not vary, means ± deviations \
         over {seeds} seeds (the paper: 5). The paper prints curves and names no δ."
    );
    let panels: [Panel; 3] = [
        ("a: by the length of documents (L), D = 2000, V = 1000", by_length(quick)),
        ("b: by the number of documents (D), L = 500, V = 1000", by_documents(quick)),
        ("c: by the size of the vocabulary (V), L = 500, D = 2000", by_words(quick)),
    ];
    for (title, sizes) in panels {
        let lines = sizes.iter().map(|size| size.0).collect();
        let values = |at: usize, seed| drawn(sizes[at].1, seed, deviations);
        add(saved, title, OF_CORPORA, (-2, lines), values);
    }
    let betas = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0];
    let title = "d: by the prior (100 β), V = 1000, K = 10";
    let hundredths = betas.map(|beta: f64| (beta * 100.0).round() as usize).to_vec();
    add(saved, title, OF_TOPICS, (-2, hundredths), |at, seed| {
        spectrum(1000, TOPICS, betas[at], seed)
    });
    let topics = [5, 10, 20, 50, 100];
    let title = "e: by the number of topics (K), V = 1000, β = 0.1";
    add(saved, title, OF_TOPICS, (-2, topics.to_vec()), |at, seed| {
        spectrum(1000, topics[at], BETA, seed)
    });
    let words = [200, 500, 1000, 2000, 3000];
    let title = "f: by the size of the vocabulary (V), K = 10, β = 0.1";
    add(saved, title, OF_TOPICS, (-2, words.to_vec()), |at, seed| {
        spectrum(words[at], TOPICS, BETA, seed)
    });
    for (at, table) in saved.tables.iter().enumerate() {
        saved.pictures.push(Picture {
            title: format!("Figure 1 {}", table.title),
            x: table.head[0].clone(),
            y: "value".into(),
            logarithmic: (true, true),
            drawing: Drawing::Lines { table: at, columns: Vec::new() },
        });
    }
    Ok(())
}

/// ‖R‖_F, ‖R‖₂, σ_K and σ_{K+1} of M̂₂, δ_R for δ = 0.1 and δ = 1.
pub(super) fn deviations(c: &CoOccurrence<'_>, topics: &Array2<f64>) -> [f64; 6] {
    let alpha_0 = TOPICS as f64 * ALPHA;
    let mean = c.row_sums().view().insert_axis(Axis(1));
    let share = alpha_0 / (alpha_0 + 1.0);
    let formed = formed_cooccurrence(c).expect("in memory");
    let r = formed - &mean.dot(&mean.t()) * share - lda::second_moment(topics, ALPHA);
    let frobenius = r.iter().map(|x| x * x).sum::<f64>().sqrt();
    let spectral =
        largest(&DenseOperator(&r), 1)[0].max(largest(&Negated(DenseOperator(&r)), 1)[0]);
    let values = largest(&SecondMoment::new(c, alpha_0), TOPICS + 1);
    let rate = mean_pair_rate(c.documents()).expect("in memory");
    let threshold = |delta| deviation(c.totals().documents, c.words(), rate, delta);
    [frobenius, spectral, values[TOPICS - 1], values[TOPICS], threshold(0.1), threshold(1.0)]
}

/// σ₁ and σ_K of M₂ itself, from the Gram matrix of the topics, and their bounds.
pub(super) fn spectrum(words: usize, topics: usize, beta: f64, seed: u64) -> [f64; 6] {
    let o = lda::topics(&mut stream(seed, "cheng2015 topics"), words, topics, beta);
    let k = topics as f64;
    let (values, _) = symmetric_eigen(&(o.t().dot(&o) / (k * (k * ALPHA + 1.0))));
    let theory = |coefficients| {
        let prior = Prior { alpha: ALPHA, beta };
        TopicSpectrum { prior, words, coefficients, delta: 0.1 }
    };
    let [appendix, theorem, solved] =
        [Coefficients::Appendix, Coefficients::Theorem, Coefficients::Solved]
            .map(|c| theory(c).largest(topics).value);
    let least = theory(Coefficients::Appendix).smallest(topics).value;
    [values[0], appendix, theorem, solved, values[topics - 1], least]
}

/// In how many rows of the tables one column is at least another, and the least and largest ratio.
fn above(tables: &[Table], upper: &str, lower: &str) -> (usize, usize, f64, f64) {
    let ratio = |table: &Table, row: &Row| Some(table.mean(row, upper)? / table.mean(row, lower)?);
    let all: Vec<f64> = tables
        .iter()
        .flat_map(|table| table.rows.iter().filter_map(move |row| ratio(table, row)))
        .collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(0.0, f64::max);
    (all.iter().filter(|&&ratio| ratio >= 1.0).count(), all.len(), least, most)
}

/// In how many rows of the tables one column over another is in the range.
fn between(tables: &[Table], upper: &str, lower: &str, range: RangeInclusive<f64>) -> usize {
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.filter_map(|(table, row)| Some(table.mean(row, upper)? / table.mean(row, lower)?))
        .filter(|ratio| range.contains(ratio))
        .count()
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    if saved.tables.len() != 6 {
        return Vec::new();
    }
    let (corpora, topics) = saved.tables.split_at(3);
    let (_, of, least, most) = above(corpora, "δ_R, δ = 1", "‖R‖_F");
    let (strict, _, strict_least, _) = above(corpora, "δ_R, δ = 0.1", "‖R‖_F");
    let (tight, lines, _, nearest) = above(corpora, "σ₁₀", "δ_R, δ = 0.1");
    let (loose, ..) = above(corpora, "σ₁₀", "δ_R, δ = 1");
    let (upper, all, loose_least, loose_most) = above(topics, "σ̄₁ appendix", "σ₁");
    let (lower, _, under_least, under_most) = above(topics, "σ_K", "σ̲_K appendix");
    let near = |bound: &str, of: &str| between(topics, bound, of, 0.1..=10.0);
    let matching = near("σ̄₁ appendix", "σ₁") + near("σ̲_K appendix", "σ_K");
    let with_most = corpora[..2].iter().filter(|table| {
        let row = table.rows.last();
        let pair =
            row.and_then(|row| Some((table.mean(row, "σ₁₀")?, table.mean(row, "δ_R, δ = 0.1")?)));
        pair.is_some_and(|(value, threshold)| value > threshold)
    });
    let with_most = with_most.count();
    vec![
        Claim::new(
            "δ_R is an accurate upper bound on ‖M̂₂ − M₂‖_F",
            "a case is a line of a, b and c: δ_R for δ = 1, the root of the mean square, is 1 to 2 times ‖R‖_F",
            format!(
                "for δ = 1 δ_R is {least:.2} to {most:.2} times ‖R‖_F; for δ = 0.1 at \
                 least {strict_least:.2} times, in {strict} of {of} lines above it"
            ),
            (between(corpora, "δ_R, δ = 1", "‖R‖_F", 1.0..=2.0), of),
        ),
        Claim::new(
            "with enough data σ_K is above δ_R, so that thresholding tells K",
            "a case is the longest documents of a and the most of b: σ₁₀ is above δ_R for δ = 0.1",
            format!(
                "σ₁₀ is above δ_R for δ = 0.1 in {tight} of {lines} lines, {nearest:.2} of it at most; for δ = 1 in {loose}"
            ),
            (with_most, 2),
        ),
        Claim::new(
            "σ̄₁ and σ̲_K bound the spectrum of M₂",
            "a case is a line of d, e and f and one of the two: it is on its side of σ₁ or σ_K",
            format!("σ̄₁ (appendix) in {upper} of {all} lines, σ̲_K in {lower}"),
            (upper + lower, 2 * all),
        ),
        Claim::new(
            "σ̄₁ and σ̲_K match the spectrum of M₂ well",
            "a case is a line of d, e and f and one of the two: it is within a factor of 10",
            format!(
                "σ̄₁ (appendix) is {loose_least:.1} to {loose_most:.0} times σ₁, σ_K {under_least:.1} to \
                 {under_most:.1} times σ̲_K; σ̄₁ of the theorem as printed and the solved one are further off"
            ),
            (matching, 2 * all),
        ),
    ]
}

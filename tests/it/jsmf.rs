//! The JSMF family against known truth and against naive, independent implementations.

use std::sync::atomic::{AtomicBool, Ordering};

use ndarray::{Array1, Array2, Axis, s};
use rand::RngExt;
use sprs::TriMat;
use topoi_core::linalg::accuracy::Accuracy;
use topoi_core::linalg::block_krylov::{
    DenseOperator, Eigenpairs, KrylovSettings, SymmetricOperator, block_krylov,
};
use topoi_core::linalg::dense::symmetric_eigen;
use topoi_core::model::aw::anchor_words;
use topoi_core::model::enn::enn_topics;
use topoi_core::model::jsmf::compressed::NegativeEntries;
use topoi_core::model::jsmf::law::{law, law_with};
use topoi_core::model::jsmf::rectify::alternating::{
    AlternatingSettings, alternating_projections, projected,
};
use topoi_core::model::jsmf::rectify::enn::{EnnSettings, enn};
use topoi_core::model::jsmf::rectify::palm::{PalmSettings, palm};
use topoi_core::model::jsmf::{AnchorRequest, AnchorTopics};
use topoi_core::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
use topoi_core::model::raw::rectified_anchor_words;
use topoi_core::progress::{Progress, Silent};
use topoi_core::random::stream;
use topoi_core::stream::StreamError;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::cooccurrence::formed::formed_cooccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

const WORDS: usize = 120;
const TOPICS: usize = 5;

/// A separable B (W × K): the first K words are anchors, a tenth of their topic's mass each.
fn separable_topics(seed: u64) -> Array2<f64> {
    let mut rng = stream(seed, "separable topics");
    let mut b = Array2::from_shape_simple_fn((WORDS, TOPICS), || rng.random::<f64>().powi(4));
    for anchor in 0..TOPICS {
        b.row_mut(anchor).fill(0.0);
    }
    b /= &b.sum_axis(Axis(0));
    b *= 0.9;
    for anchor in 0..TOPICS {
        b[(anchor, anchor)] = 0.1;
    }
    b
}

/// A = E[θθᵀ] of a Dirichlet with parameters 0.2, 0.3, …: full rank, entries sum to 1.
fn dirichlet_second_moment() -> Array2<f64> {
    let alpha: Array1<f64> = (0..TOPICS).map(|k| 0.2 + 0.1 * k as f64).collect();
    let all = alpha.sum();
    Array2::from_shape_fn((TOPICS, TOPICS), |(k, l)| {
        let own = if k == l { alpha[k] } else { 0.0 };
        (alpha[k] * alpha[l] + own) / (all * (all + 1.0))
    })
}

/// U·√Λ of the K largest eigenpairs, by a full eigensolver.
fn compressed(c: &Array2<f64>, k: usize) -> Array2<f64> {
    let (values, vectors) = symmetric_eigen(c);
    let roots: Array1<f64> = values.iter().take(k).map(|value| value.max(0.0).sqrt()).collect();
    &vectors.slice(s![.., ..k]) * &roots
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

fn relative(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
    norm(&(a - b)) / norm(b)
}

fn assert_same(a: &AnchorTopics, b: &AnchorTopics) {
    assert_eq!(a.anchors, b.anchors);
    assert!(largest(&(&a.topics - &b.topics)) < 1e-8);
    assert!(largest(&(&a.correlations - &b.correlations)) < 1e-8);
}

#[test]
fn on_exact_separable_data_aw_and_law_return_the_truth() {
    for seed in 1..=5 {
        let (b, a) = (separable_topics(seed), dirichlet_second_moment());
        let c = b.dot(&a).dot(&b.t());
        let full = anchor_words(c.clone(), TOPICS).expect("rank K");
        let compressed = law(&compressed(&c, TOPICS), TOPICS).expect("rank K");
        assert_same(&full, &compressed);
        for found in [&full, &compressed] {
            let mut anchors = found.anchors.clone();
            anchors.sort_unstable();
            assert_eq!(anchors, [0, 1, 2, 3, 4]);
            let expected = b.select(Axis(1), &found.anchors);
            assert!(largest(&(&found.topics - &expected)) < 1e-8, "seed {seed}");
            let expected = a.select(Axis(0), &found.anchors).select(Axis(1), &found.anchors);
            assert!(largest(&(&found.correlations - &expected)) < 1e-8, "seed {seed}");
        }
    }
}

#[test]
fn law_on_y_is_aw_on_its_square() {
    for seed in 1..=5 {
        let mut rng = stream(seed, "nonnegative Y");
        let y = Array2::from_shape_simple_fn((WORDS, TOPICS), || rng.random::<f64>().powi(3));
        let square = y.dot(&y.t());
        assert_same(
            &law(&y, TOPICS).expect("rank K"),
            &anchor_words(square, TOPICS).expect("rank K"),
        );
    }
}

/// b of the simplex that makes ‖x − b·V‖ least, by trying every set of vertices (rows of V).
fn nearest_mixture(x: &[f64], v: &[Vec<f64>]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut best = (f64::INFINITY, Vec::new());
    for set in 1..1 << v.len() {
        let chosen: Vec<usize> = (0..v.len()).filter(|k| set >> k & 1 == 1).collect();
        // The normal equations with a multiplier for the sum: one row and column more.
        let n = chosen.len() + 1;
        let mut system = vec![vec![1.0; n + 1]; n];
        for (row, &i) in chosen.iter().enumerate() {
            for (column, &j) in chosen.iter().enumerate() {
                system[row][column] = dot(&v[i], &v[j]);
            }
            system[row][n] = dot(&v[i], x);
        }
        system[n - 1][n - 1] = 0.0;
        let Some(solved) = solved(system) else { continue };
        if solved[..n - 1].iter().any(|&b| b < -1e-12) {
            continue;
        }
        let mut b = vec![0.0; v.len()];
        chosen.iter().zip(&solved).for_each(|(&k, &weight)| b[k] = weight);
        let mixed = |at: usize| (0..v.len()).map(|k| b[k] * v[k][at]).sum::<f64>();
        let off = (0..x.len()).map(|at| (x[at] - mixed(at)).powi(2)).sum::<f64>();
        if off < best.0 {
            best = (off, b);
        }
    }
    best.1
}

/// The solution of a linear system (n × n + 1) by elimination; `None` where it has none.
fn solved(mut system: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = system.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()))?;
        system.swap(column, pivot);
        if system[column][column].abs() < 1e-14 {
            return None;
        }
        let pivot = system[column].clone();
        for row in (0..n).filter(|&row| row != column) {
            let times = system[row][column] / pivot[column];
            system[row].iter_mut().zip(&pivot).for_each(|(own, of_pivot)| *own -= times * of_pivot);
        }
    }
    Some((0..n).map(|row| system[row][n] / system[row][row]).collect())
}

/// Algorithm 5 of Lee 2021, line by line: S, B and A of Y (W × K).
fn printed_law(y: &Array2<f64>) -> (Vec<usize>, Array2<f64>, Array2<f64>) {
    let (words, k) = y.dim();
    // d = Y(Yᵀe).
    let sums: Vec<f64> = (0..k).map(|at| (0..words).map(|i| y[(i, at)]).sum()).collect();
    let d: Vec<f64> = (0..words).map(|i| (0..k).map(|at| y[(i, at)] * sums[at]).sum()).collect();
    // Y = Q·R, by Gram and Schmidt.
    let (mut q, mut r) = (y.clone(), Array2::<f64>::zeros((k, k)));
    for at in 0..k {
        for before in 0..at {
            let share: f64 = (0..words).map(|i| q[(i, before)] * q[(i, at)]).sum();
            r[(before, at)] = share;
            (0..words).for_each(|i| q[(i, at)] -= share * q[(i, before)]);
        }
        let norm = (0..words).map(|i| q[(i, at)].powi(2)).sum::<f64>().sqrt();
        r[(at, at)] = norm;
        (0..words).for_each(|i| q[(i, at)] /= norm);
    }
    // X = diag(d)⁻¹·Y·Rᵀ.
    let entry = |i: usize, a: usize| (0..k).map(|b| y[(i, b)] / d[i] * r[(a, b)]).sum();
    let x: Vec<Vec<f64>> = (0..words).map(|i| (0..k).map(|a| entry(i, a)).collect()).collect();
    // S: pivots of QR on Xᵀ.
    let (mut residual, mut anchors) = (x.clone(), Vec::new());
    for _ in 0..k {
        let norm = |i: usize| residual[i].iter().map(|x| x * x).sum::<f64>();
        let pivot = (0..words).max_by(|&a, &b| norm(a).total_cmp(&norm(b))).expect("words");
        let (length, direction) = (norm(pivot), residual[pivot].clone());
        for row in &mut residual {
            let share: f64 = row.iter().zip(&direction).map(|(a, b)| a * b / length).sum();
            row.iter_mut().zip(&direction).for_each(|(a, b)| *a -= share * b);
        }
        anchors.push(pivot);
    }
    // B̆ by least squares over the simplex, B by Bayes' rule, A = B_S⁻¹·Y_S·Y_Sᵀ·B_S⁻¹.
    let vertices: Vec<Vec<f64>> = anchors.iter().map(|&word| x[word].clone()).collect();
    let mixtures: Vec<Vec<f64>> = x.iter().map(|x| nearest_mixture(x, &vertices)).collect();
    let mut b = Array2::from_shape_fn((words, k), |(i, at)| mixtures[i][at] * d[i]);
    for at in 0..k {
        let mass: f64 = b.column(at).sum();
        b.column_mut(at).mapv_inplace(|joint| joint / mass);
    }
    let a = Array2::from_shape_fn((k, k), |(i, j)| {
        let joint: f64 = (0..k).map(|at| y[(anchors[i], at)] * y[(anchors[j], at)]).sum();
        joint / (b[(anchors[i], i)] * b[(anchors[j], j)])
    });
    (anchors, b, a)
}

#[test]
fn law_is_algorithm_5_line_by_line_also_where_entries_and_sums_are_negative() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let unrectified = compressed(&formed, TOPICS);
        let mut without_mass = unrectified.clone();
        // The mass of a word, and of a whole stretch of words, is less than nothing.
        for word in [11, 40, 41, 42] {
            without_mass.row_mut(word).mapv_inplace(|entry| -0.05 * entry);
        }
        // A part of what all words have in common is taken out of the anchors' rows: entries are negative, sums are not.
        let mut negative = unrectified.clone();
        let mean = unrectified.sum_axis(Axis(0));
        for word in 0..TOPICS {
            let share = unrectified.row(word).dot(&mean) / mean.dot(&mean);
            negative.row_mut(word).scaled_add(-0.3 * share, &mean);
        }
        for (y, sums_are_positive) in [(unrectified, true), (without_mass, false), (negative, true)]
        {
            let found = law(&y, TOPICS).expect("rank K");
            let (anchors, b, a) = printed_law(&y);
            assert_eq!(found.anchors, anchors);
            assert!(largest(&(&found.correlations - &a)) < 1e-7 * largest(&a));
            // A probability below 0, as Bayes' rule gives it for such a word, is 0 in a topic that is saved.
            assert_eq!(b.iter().all(|&probability| probability > -1e-12), sums_are_positive);
            let mut clipped = b.mapv(|probability| probability.max(0.0));
            clipped /= &clipped.sum_axis(Axis(0));
            assert!(largest(&(&found.topics - &clipped)) < 1e-7);
            // Where C*_SS has negative entries it is not what becomes of them when they are set to 0.
            let all = Vec::from_iter(0..WORDS);
            let negative_entries = NegativeEntries::Zeroed;
            let zeroed =
                AnchorRequest { rank: TOPICS, candidates: &all, seeds: &[], negative_entries };
            let zeroed = law_with(&y, zeroed).expect("rank K");
            assert!(zeroed.correlations.iter().all(|&joint| joint >= 0.0));
            let are_negative = a.iter().any(|&joint| joint < 0.0);
            assert_eq!(found.correlations.iter().any(|&joint| joint < 0.0), are_negative);
        }
    });
}

/// Documents sampled from the model, a hundred tokens each.
fn sampled(documents: usize) -> MatrixSource {
    let b = separable_topics(1);
    let mut rng = stream(7, "sampled documents");
    let mut counts = TriMat::new((documents, WORDS));
    for document in 0..documents {
        let main = rng.random_range(0..TOPICS);
        let mut tokens = vec![0u32; WORDS];
        for _ in 0..100 {
            let topic = if rng.random::<f64>() < 0.7 { main } else { rng.random_range(0..TOPICS) };
            let mut left = rng.random::<f64>();
            let word = b.column(topic).iter().position(|p| {
                left -= p;
                left < 0.0
            });
            tokens[word.unwrap_or(WORDS - 1)] += 1;
        }
        for (word, &count) in tokens.iter().enumerate().filter(|(_, count)| **count > 0) {
            counts.add_triplet(document, word, count);
        }
    }
    MatrixSource::new(counts.to_csr(), 64)
}

/// Calls `test` with the operator of sampled documents.
fn with_sampled(test: impl FnOnce(&CoOccurrence<'_>)) {
    let source = sampled(3000);
    let positions: Vec<u32> = (0..WORDS as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    test(&CoOccurrence::new(&documents).expect("in memory"));
}

fn krylov(tolerance: f64) -> KrylovSettings {
    KrylovSettings {
        pairs: TOPICS,
        kept: TOPICS + 3,
        block: 4,
        accuracy: Accuracy::Relative(tolerance),
        max_passes: 200,
    }
}

fn eigenpairs(c: &Array2<f64>) -> Eigenpairs {
    block_krylov(&DenseOperator(c), krylov(1e-12), &mut stream(1, "test krylov"), &Silent)
        .unwrap_or_else(|never| match never {})
}

#[test]
fn alternating_projections_are_those_of_the_dense_formulas() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let settings = AlternatingSettings {
            iterations: 30,
            settled: 0.0,
            ..AlternatingSettings::new(TOPICS, 1000, krylov(1e-12))
        };
        let mut rectified = formed.clone();
        let found =
            alternating_projections(&mut rectified, &eigenpairs(&formed), &settings, &Silent)
                .expect("not cancelled");
        assert_eq!(projected(&found.y), rectified);
        let mut expected = formed;
        let mut change = 0.0;
        for _ in 0..30 {
            let y = compressed(&expected, TOPICS);
            let semidefinite = y.dot(&y.t());
            let missing = (1.0 - semidefinite.sum()) / (WORDS * WORDS) as f64;
            let next = semidefinite.mapv(|joint| (joint + missing).max(0.0));
            change = relative(&next, &expected);
            expected = next;
        }
        assert!(relative(&rectified, &expected) < 1e-9);
        assert!((found.last_change - change).abs() < 1e-9 * (1.0 + change));
    });
}

#[test]
fn enn_follows_a_full_eigensolver_and_rectifies_what_alternating_projections_rectify() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let pairs = eigenpairs(&formed);
        let settings = EnnSettings { rank: TOPICS, iterations: 40, large_rows: WORDS };
        let found = enn(&pairs.values, &pairs.vectors, settings, &Silent).expect("not cancelled");
        let mut y = compressed(&formed, TOPICS);
        for _ in 0..40 {
            let low_rank = y.dot(&y.t());
            let correction = low_rank.mapv(|joint| (-joint).max(0.0));
            let sum = low_rank.sum() + correction.sum();
            let operator = low_rank + correction + (1.0 - sum) / (WORDS * WORDS) as f64;
            y = compressed(&operator, TOPICS);
        }
        let square = |y: &Array2<f64>| y.dot(&y.t());
        // One block step an iteration lags behind an exact eigensolver a little.
        let lag = relative(&square(&found.y), &square(&y));
        assert!(lag < 1e-4, "{lag}");
        let projections = AlternatingSettings {
            iterations: 200,
            settled: 0.0,
            ..AlternatingSettings::new(TOPICS, 1000, krylov(1e-12))
        };
        let mut alternated = formed;
        alternating_projections(&mut alternated, &pairs, &projections, &Silent)
            .expect("not cancelled");
        let apart = relative(&square(&found.y), &alternated);
        assert!(apart < 0.01, "{apart}");
    });
}

/// An operator in memory that fails as a streamed one may.
struct Formed(Array2<f64>);

impl SymmetricOperator for Formed {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.0.nrows()
    }

    fn multiply(&self, v: ndarray::ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        Ok(self.0.dot(&v))
    }
}

#[test]
fn the_objective_of_palm_never_rises_and_is_that_of_the_formula() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let squared_norm = formed.iter().map(|x| x * x).sum();
        let operator = Formed(formed.clone());
        let pairs = block_krylov(&operator, krylov(1e-9), &mut stream(1, "palm"), &Silent)
            .expect("in memory");
        let settings = PalmSettings { settled: 0.0, ..PalmSettings::new(TOPICS, 400) };
        let found = palm(&operator, squared_norm, &pairs, &settings, &Silent).expect("in memory");
        assert_eq!(found.objectives.len(), 400);
        assert!(found.y.iter().all(|&entry| entry >= 0.0));
        for pair in found.objectives.windows(2) {
            assert!(pair[1] <= pair[0] * (1.0 + 1e-12), "{pair:?}");
        }
        // X has come to Y, so that J is the distance of Y·Yᵀ from C.
        let miss = &formed - &found.y.dot(&found.y.t());
        let distance = 0.5 * miss.iter().map(|x| x * x).sum::<f64>();
        assert!((found.objective() - distance).abs() < 1e-3 * distance);
    });
}

/// Is cancelled once the topics are there.
#[derive(Default)]
struct UntilTopics(AtomicBool);

impl Progress for UntilTopics {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
    fn keep(&self, stage: &'static str, _arrays: &[Array2<f64>]) {
        self.0.fetch_or(stage == "topics", Ordering::Relaxed);
    }
}

#[test]
fn enn_stops_when_cancelled_also_while_it_makes_what_edits_need() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let (settings, progress) = (EnnSettings::new(TOPICS, 5, None), UntilTopics::default());
        let settings = (settings, NegativeEntries::Kept);
        let found = enn_topics(|| Ok(formed.clone()), krylov(1e-6), settings, 1, &progress);
        assert!(progress.cancelled(), "the topics were found");
        assert!(found.is_err_and(|error| error.to_string().contains("cancelled")));
    });
}

#[test]
fn the_family_agrees_on_sampled_documents() {
    with_sampled(|c| {
        let formed = formed_cooccurrence(c).expect("in memory");
        let mut settings = LrJsmfSettings::new(TOPICS);
        settings.tolerance = 1e-9;
        let streamed = lr_jsmf(c, &settings, None, 1, &Silent).expect("topics").topics;
        let enn_settings = (EnnSettings::new(TOPICS, 50, None), settings.negative_entries);
        let full = enn_topics(|| Ok(formed.clone()), settings.krylov(), enn_settings, 1, &Silent);
        let full = full.expect("topics").topics;
        assert_eq!(streamed.anchors, full.anchors);
        assert!(largest(&(&streamed.topics - &full.topics)) < 1e-6);
        let projections = AlternatingSettings::new(TOPICS, 1000, settings.krylov());
        let reference = rectified_anchor_words(|| Ok(formed.clone()), &projections, 1, &Silent);
        let reference = reference.expect("topics").topics;
        let mut anchors = [streamed.anchors.clone(), reference.anchors.clone()];
        anchors.iter_mut().for_each(|rows| rows.sort_unstable());
        assert_eq!(anchors[0], [0, 1, 2, 3, 4]);
        assert_eq!(anchors[0], anchors[1]);
        for (topic, anchor) in streamed.anchors.iter().enumerate() {
            let other = reference.anchors.iter().position(|a| a == anchor).expect("the same set");
            let difference = &streamed.topics.column(topic) - &reference.topics.column(other);
            assert!(difference.iter().map(|x| x.abs()).sum::<f64>() < 0.02);
        }
    });
}

//! The bounds on the number of topics against naive implementations and corpora of known K.

use ndarray::{Array1, Array2};
use rand::RngExt;
use sprs::CsMat;
use strum::VariantArray;
use topoi_core::bound::gaussian::{GaussianSettings, component_bounds};
use topoi_core::bound::lda::{LdaSettings, TopicBounds, topic_bounds};
use topoi_core::bound::second_moment::SecondMoment;
use topoi_core::bound::spectrum::{MomentSpectrum, least_eigenvalue};
use topoi_core::bound::topic_spectrum::{Coefficients, Prior, TopicSpectrum};
use topoi_core::linalg::block_krylov::SymmetricOperator;
use topoi_core::linalg::dense::symmetric_eigen;
use topoi_core::progress::Silent;
use topoi_core::random::{standard_normal, stream};
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

/// Calls `work` with the streamed co-occurrence of a corpus in memory.
fn streamed<T>(counts: &CsMat<u32>, work: impl FnOnce(&CoOccurrence<'_>) -> T) -> T {
    let source = MatrixSource::new(counts.clone(), 37);
    let positions: Vec<u32> = (0..counts.cols() as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    work(&CoOccurrence::new(&documents).expect("in memory"))
}

fn bounds(counts: &CsMat<u32>, settings: &LdaSettings) -> TopicBounds {
    streamed(counts, |c| topic_bounds(c, settings, &Silent).expect("in memory"))
}

/// C and m by their definitions: means over documents of (x xᵀ − diag x)/(n(n − 1)) and x/n.
fn naive_means(counts: &CsMat<u32>) -> (Array2<f64>, Array1<f64>) {
    let words = counts.cols();
    let (mut pairs, mut mean) = (Array2::<f64>::zeros((words, words)), Array1::<f64>::zeros(words));
    let documents = counts.rows() as f64;
    for row in counts.outer_iterator() {
        let mut x = Array1::<f64>::zeros(words);
        row.iter().for_each(|(word, &count)| x[word] = f64::from(count));
        let n = x.sum();
        for i in 0..words {
            mean[i] += x[i] / n / documents;
            for j in 0..words {
                let own = if i == j { x[i] } else { 0.0 };
                pairs[(i, j)] += (x[i] * x[j] - own) / (n * (n - 1.0)) / documents;
            }
        }
    }
    (pairs, mean)
}

fn second_moment((pairs, mean): &(Array2<f64>, Array1<f64>), alpha_0: f64) -> Array2<f64> {
    let share = alpha_0 / (alpha_0 + 1.0);
    let mut moment = pairs.clone();
    for i in 0..mean.len() {
        for j in 0..mean.len() {
            moment[(i, j)] -= share * mean[i] * mean[j];
        }
    }
    moment
}

/// A corpus of 150 words, 300 documents of these lengths, 4 topics.
fn small_corpus(lengths: std::ops::Range<usize>) -> CsMat<u32> {
    let mut rng = stream(5, "small corpus");
    let topics = crate::common::lda::topics(&mut rng, 150, 4, 0.3);
    let lengths: Vec<usize> = (0..300).map(|_| rng.random_range(lengths.clone())).collect();
    crate::common::lda::documents(&mut rng, &topics, 0.7, lengths.into_iter())
}

#[test]
fn the_streamed_operator_is_the_definition() {
    let counts = small_corpus(5..65);
    let means = naive_means(&counts);
    let mut rng = stream(1, "v");
    let v = Array2::from_shape_simple_fn((150, 3), || standard_normal(&mut rng));
    for alpha_0 in [0.5, 2.8, f64::INFINITY] {
        let dense = second_moment(&means, alpha_0.min(1e300));
        let product = streamed(&counts, |c| {
            SecondMoment::new(c, alpha_0).multiply(v.view()).expect("in memory")
        });
        let expected = dense.dot(&v);
        assert!((&product - &expected).iter().all(|x| x.abs() < 1e-15), "α₀ {alpha_0}");
    }
}

#[test]
fn one_spectrum_serves_every_alpha_and_its_least_value_is_found() {
    let counts = small_corpus(5..65);
    let means = naive_means(&counts);
    for alpha_0 in [0.1, 0.7, 2.8, 30.0] {
        let (expected, _) = symmetric_eigen(&second_moment(&means, alpha_0));
        let (found, least) = streamed(&counts, |c| {
            // At this threshold all of the corpus's own eigenvalues are looked for.
            let spectrum = MomentSpectrum::above(c, 3e-4, 1, &Silent).expect("in memory");
            let least =
                least_eigenvalue(c, alpha_0, -expected[149], 1, &Silent).expect("in memory");
            (spectrum.values_with_residuals(alpha_0), least)
        });
        assert!(found.len() >= 24);
        for (at, &(value, residual)) in found.iter().enumerate() {
            assert!(value <= expected[at] + 1e-12, "Ritz values are never above");
            assert!((value - expected[at]).abs() <= residual + 1e-12);
        }
        for (value, expected) in found.iter().map(|pair| pair.0).zip(&expected).take(8) {
            assert!((value - expected).abs() < 2e-3 * expected, "{value} {expected}");
        }
        let true_least = expected[149];
        assert!(least >= true_least - 1e-12 && least <= 0.9 * true_least, "{least} {true_least}");
    }
}

#[test]
fn both_bounds_are_those_of_a_search_through_every_number_of_topics() {
    let counts = small_corpus(200..600);
    let settings = LdaSettings { alpha: 0.7, beta: 3.0, delta: 0.5, seed: 1 };
    let found = bounds(&counts, &settings);
    // δ_R again from the definition.
    let length = |row: sprs::CsVecView<'_, u32>| row.iter().map(|(_, &c)| f64::from(c)).sum();
    let lengths = counts.outer_iterator().map(length);
    let rate = lengths.map(|n: f64| 1.0 / (n * (n - 1.0))).sum::<f64>() / 300.0;
    let threshold = ((2.0 * rate + 2.0 / 150f64.powi(2)) / (300.0 * 0.5)).sqrt();
    assert!((found.threshold / threshold - 1.0).abs() < 1e-12);
    let means = naive_means(&counts);
    let eigenvalues = |k: usize| symmetric_eigen(&second_moment(&means, k as f64 * 0.7)).0;
    let spectra: Vec<Array1<f64>> = (1..=150).map(eigenvalues).collect();
    let numbered = || (1..).zip(&spectra);
    let above = |values: &Array1<f64>| values.iter().filter(|&&v| v > threshold).count();
    let lower = numbered().find(|(k, values)| above(values) <= *k).expect("one").0;
    assert_eq!(found.lower, lower);
    assert!(lower > 1, "a bound that is not vacuous is compared");
    let prior = Prior { alpha: 0.7, beta: 3.0 };
    for (upper, coefficients) in found.uppers.iter().zip(Coefficients::VARIANTS) {
        let theory = TopicSpectrum { prior, words: 150, coefficients: *coefficients, delta: 0.5 };
        let most = numbered().filter(|(k, v)| v[0] <= theory.largest(*k).value + threshold);
        let most = most.last().expect("one").0;
        assert_eq!(upper.topics, Some(most).filter(|&k| k < 150), "{coefficients:?}");
    }
    assert!(found.uppers[0].topics.is_some(), "a bound that is not vacuous is compared");
}

#[test]
fn the_corpus_of_the_papers_second_figure_has_its_bounds() {
    // V = 1000, L = 500, K = 10, α = 1, β = 0.1, D = 12,800.
    let mut rng = stream(1, "figure 2");
    let topics = crate::common::lda::topics(&mut rng, 1000, 10, 0.1);
    let counts =
        crate::common::lda::documents(&mut rng, &topics, 1.0, std::iter::repeat_n(500, 12_800));
    let found = bounds(&counts, &LdaSettings { delta: 0.5, ..LdaSettings::default() });
    assert_eq!(found.lower, 10);
    assert!(!found.is_cut_off && found.least > -found.threshold);
    let upper = found.uppers[0].topics.expect("an upper bound");
    assert!((10..=40).contains(&upper), "{upper}");
    // The guarantee of this upper bound is void at such a size, and says so.
    assert_eq!(found.uppers[0].probability, 0.0);
    assert_eq!((found.uppers[2].topics, found.uppers[1].topics), (None, None));
    assert!((found.length - 500.0).abs() < 1.0);
    let strict = bounds(&counts, &LdaSettings { delta: 0.1, ..LdaSettings::default() });
    assert!((4..10).contains(&strict.lower), "{}", strict.lower);
    assert_eq!(found.eigengap.expect("a gap").after, 10);
}

#[test]
fn the_lower_bound_is_never_above_the_true_number_of_topics() {
    // 50 corpora, δ = 0.1. All that theorem 2.1 promises is that each is right nine times in
    // ten: by it alone, a correct program could fail here for all but 0.5% of seeds. Markov's
    // inequality is far from tight, and the seeds are fixed: a failure is a change of results.
    let settings = LdaSettings { alpha: 0.5, beta: 0.2, delta: 0.1, seed: 1 };
    for seed in 0..50 {
        let mut rng = stream(seed, "fifty corpora");
        let k = rng.random_range(2..7);
        let topics = crate::common::lda::topics(&mut rng, 200, k, 0.2);
        let lengths: Vec<usize> = (0..2500).map(|_| rng.random_range(60..200)).collect();
        let counts = crate::common::lda::documents(&mut rng, &topics, 0.5, lengths.into_iter());
        let found = bounds(&counts, &settings);
        assert!(found.lower <= k, "seed {seed}: {} > {k}", found.lower);
        assert!(
            found.lower > 1 || k == 2,
            "seed {seed}: it says something, {} of {k}",
            found.lower
        );
    }
}

#[test]
fn the_number_of_components_of_seeded_mixtures_is_between_the_bounds() {
    // 20 mixtures at δ = 0.02, so that the theorem promises both bounds for 1 − 5δ = 90% of all
    // mixtures, 19 of 20. By it alone, a correct program could fail here for over half of all seeds
    // (two failures or more of probability 0.1); it is far from tight, and the seeds are fixed.
    let (mut held, mut told) = (0, 0);
    for seed in 0..20 {
        let mut rng = stream(seed, "mixtures");
        let k: usize = rng.random_range(3..11);
        let m: usize = rng.random_range(20..101);
        let centres = Array2::from_shape_simple_fn((k, m), || 2.0 * standard_normal(&mut rng));
        let weights = crate::common::lda::dirichlet(&mut rng, k, 3.0);
        let mut points = Array2::zeros((20_000, m));
        for mut point in points.rows_mut() {
            let mut rest = rng.random::<f64>();
            let mut at = 0;
            while at + 1 < k && rest >= weights[at] {
                rest -= weights[at];
                at += 1;
            }
            for (x, centre) in point.iter_mut().zip(centres.row(at)) {
                *x = centre + standard_normal(&mut rng);
            }
        }
        let settings =
            GaussianSettings { alpha: 3.0, delta: 0.02, sigma: Some(1.0), sigma_mu: Some(2.0) };
        let found = component_bounds(&points, &settings).expect("points");
        held += usize::from(found.lower <= k && found.upper.is_none_or(|upper| k <= upper));
        told += usize::from(found.lower > 1);
        // Estimated deviations come near the given ones.
        let own = GaussianSettings { sigma: None, sigma_mu: None, ..settings };
        let own = component_bounds(&points, &own).expect("points");
        assert!((own.sigma - 1.0).abs() < 0.03, "{}", own.sigma);
        assert!((own.sigma_mu - 2.0).abs() < 0.6, "{}", own.sigma_mu);
    }
    assert!(held >= 19, "{held} of 20");
    assert!(told >= 15, "the lower bound says something of {told} of 20");
}

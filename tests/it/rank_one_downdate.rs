//! R1D and the singular value decomposition, at the library: against the paper's pseudo-code on
//! dense matrices, and against corpora with known topics.

use ndarray::{Array2, array};
use proptest::prelude::*;
use sprs::TriMat;
use topoi_core::model::ModelError;
use topoi_core::model::r1d::{R1d, Settings, Start, r1d};
use topoi_core::model::svd::{self, Svd, svd};
use topoi_core::model::topic_model::TopicModel;
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;
use topoi_core::synth::KnownCorpus;
use topoi_core::synth::bitmap::{BitmapCorpusSettings, bitmap};
use topoi_core::synth::zipf::{ZipfSettings, zipf};

/// A words × documents, as a source of documents.
fn source(a: &Array2<u32>) -> MatrixSource {
    let mut counts = TriMat::new((a.ncols(), a.nrows()));
    for ((word, document), &count) in a.indexed_iter().filter(|(_, count)| **count > 0) {
        counts.add_triplet(document, word, count);
    }
    MatrixSource::new(counts.to_csr(), 3)
}

fn tried(source: &MatrixSource, words: usize, k: usize, of: &Settings) -> Result<R1d, ModelError> {
    let positions: Vec<u32> = (0..words as u32).collect();
    let documents = Documents::new(source, &positions, 2, &Silent);
    r1d(&documents, k, of, &Silent)
}

fn r1d_of(source: &MatrixSource, words: usize, k: usize, settings: &Settings) -> R1d {
    tried(source, words, k, settings).expect("topics")
}

fn svd_of(source: &MatrixSource, words: usize, topics: usize) -> Svd {
    let positions: Vec<u32> = (0..words as u32).collect();
    let documents = Documents::new(source, &positions, 2, &Silent);
    svd(&documents, topics, &svd::Settings::default(), 1, &Silent).expect("topics")
}

/// §3 of the paper, in hundredths: two topics, and noise that is enough to entangle them.
fn entangled() -> Array2<u32> {
    array![[99, 99, 2, 2], [101, 101, 0, 0], [0, 0, 100, 100], [0, 0, 100, 100]]
}

#[test]
fn the_svd_entangles_two_topics_that_r1d_keeps_apart() {
    let source = source(&entangled());
    let found = svd_of(&source, 4, 2);
    // The first singular vector is nearly (1, 1, 1, 1)/2, so the first topic is both topics.
    for word in 0..4 {
        assert!((found.vectors[(word, 0)] - 0.5).abs() < 0.1, "{}", found.vectors);
        assert!((found.topics.topics[(word, 0)] - 0.25).abs() < 0.05);
    }
    // The two counts of the noise come along with their small weight, unless size is penalised.
    let penalised = Settings { rho: 0.05, ..Settings::default() };
    assert_eq!(r1d_of(&source, 4, 2, &penalised).words, [vec![2, 3], vec![0, 1]]);
    let by_word = Settings { grow_from: Start::Word, ..penalised };
    assert_eq!(r1d_of(&source, 4, 2, &by_word).words, [vec![0, 1], vec![2, 3]]);
    let found = r1d_of(&source, 4, 2, &Settings::default());
    assert_eq!(found.words, [vec![0, 2, 3], vec![0, 1]]);
    assert!(found.topics.topics[(0, 0)] < 0.011);
}

#[test]
fn singular_triples_are_those_of_a_dense_decomposition() {
    let a = Array2::from_shape_fn((7, 40), |(i, j)| ((i * i * 3 + j * 7 + i * j * j) % 11) as u32);
    let found = svd_of(&source(&a), 7, 3);
    let x = a.mapv(f64::from);
    let gram = x.dot(&x.t());
    for (k, u) in found.vectors.columns().into_iter().enumerate() {
        let value = found.values[k] * found.values[k];
        let off = &gram.dot(&u) - &(&u * value);
        assert!(off.dot(&off).sqrt() < 1e-3 * value, "{k}");
        assert!(u.sum() >= 0.0);
        let side = u.mapv(|entry| entry.max(0.0));
        let topic = &side / side.sum();
        assert!((&topic - &found.topics.topics.column(k)).iter().all(|x| x.abs() < 1e-12));
    }
    // The squares of all singular values sum to those of the counts.
    let all = svd_of(&source(&a), 7, 7).values.mapv(|value| value * value).sum();
    assert!((all / x.mapv(|entry| entry * entry).sum() - 1.0).abs() < 1e-12);
}

#[test]
fn the_documents_side_of_the_decomposition_is_its_right_vectors() {
    let a = Array2::from_shape_fn((7, 40), |(i, j)| ((i * i * 3 + j * 7 + i * j * j) % 11) as u32);
    let (source, positions) = (source(&a), Vec::from_iter(0..7));
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let settings = svd::Settings { tolerance: 1e-10 };
    let found = svd(&documents, 3, &settings, 1, &Silent).expect("topics");
    let side = settings.document_side(&documents, 3, 1, &Silent).expect("topics").expect("V");
    assert_eq!(side.ids, Vec::from_iter(1..=40));
    // V is orthonormal, and X·V = U·Σ.
    let off = side.values.t().dot(&side.values) - Array2::<f64>::eye(3);
    assert!(off.iter().all(|off| off.abs() < 1e-8), "{off}");
    let off = a.mapv(f64::from).dot(&side.values) - &found.vectors * &found.values;
    assert!(off.iter().all(|off| off.abs() < 1e-6 * found.values[0]), "{off}");
    let lda = topoi_core::model::lda_gibbs::Settings::default();
    assert_eq!(lda.document_side(&documents, 3, 1, &Silent).expect("none"), None);
}

/// The paper's functions R1D and ApproxRankOneSubmatrix as they are printed (line 12 mended), on a
/// dense matrix: M with u and N with v of every topic, and the objective after every half step.
struct Printed {
    rows: Vec<(Vec<usize>, Vec<f64>)>,
    columns: Vec<(Vec<usize>, Vec<f64>)>,
    objectives: Vec<Vec<f64>>,
    /// A(M, N)ᵀ·u and σ·v of every topic.
    sides: Vec<(Vec<f64>, Vec<f64>)>,
    /// How near a word or document came to neither gaining nor losing, relative to what it weighs.
    nearest_tie: f64,
}

fn printed(mut a: Array2<f64>, k: usize, settings: &Settings) -> Printed {
    let (m, n) = a.dim();
    let Settings { gamma, monotone, rho: size_penalty, .. } = *settings;
    let gamma_bar = gamma / (gamma - 1.0);
    let (rows, columns, objectives, sides) = Default::default();
    let mut printed = Printed { rows, columns, objectives, sides, nearest_tie: 0.0 };
    let mut nearest_tie = f64::INFINITY;
    let mut gains = |projection: f64, squares: f64, penalty: f64| {
        let gain = gamma_bar * projection * projection - squares - penalty;
        if squares > 0.0 {
            nearest_tie = nearest_tie.min(gain.abs() / squares);
        }
        gain > 0.0
    };
    for _ in 0..k {
        let norm = |j: usize| a.column(j).dot(&a.column(j)).sqrt();
        let j0 = (0..n).fold(0, |best, j| if norm(j) > norm(best) { j } else { best });
        let mut sigma = norm(j0);
        if sigma == 0.0 {
            break;
        }
        let rho_bar = size_penalty * (gamma_bar - 1.0) * sigma * sigma / m as f64;
        let rho = rho_bar * (gamma - 1.0);
        let mut in_m = vec![true; m];
        let mut in_n: Vec<bool> = (0..n).map(|j| j == j0).collect();
        let mut u: Vec<f64> = a.column(j0).iter().map(|x| x / sigma).collect();
        let objective = |in_m: &[bool], in_n: &[bool], outer: &dyn Fn(usize, usize) -> f64| {
            let mut sum = 0.0;
            for i in (0..m).filter(|&i| in_m[i]) {
                for j in (0..n).filter(|&j| in_n[j]) {
                    let off = a[(i, j)] - outer(i, j);
                    sum += a[(i, j)] * a[(i, j)] - gamma * off * off - rho;
                }
            }
            sum
        };
        let mut objectives = Vec::new();
        let mut last = sigma * sigma * (1.0 - size_penalty);
        let mut v = Vec::new();
        for _ in 0..settings.iterations {
            let before = (in_m.clone(), in_n.clone());
            let size = in_m.iter().filter(|&&is| is).count() as f64;
            let v_bar: Vec<f64> = (0..n)
                .map(|j| (0..m).filter(|&i| in_m[i]).map(|i| a[(i, j)] * u[i]).sum())
                .collect();
            for j in 0..n {
                let squares: f64 = (0..m).filter(|&i| in_m[i]).map(|i| a[(i, j)] * a[(i, j)]).sum();
                let takes = gains(v_bar[j], squares, rho_bar * size);
                in_n[j] = takes || (monotone && in_n[j]);
            }
            objectives.push(objective(&in_m, &in_n, &|i, j| u[i] * v_bar[j]));
            let norm = (0..n).filter(|&j| in_n[j]).map(|j| v_bar[j] * v_bar[j]).sum::<f64>().sqrt();
            v = (0..n).map(|j| if in_n[j] { v_bar[j] / norm } else { 0.0 }).collect::<Vec<f64>>();
            let size = in_n.iter().filter(|&&is| is).count() as f64;
            let u_bar: Vec<f64> = (0..m)
                .map(|i| (0..n).filter(|&j| in_n[j]).map(|j| a[(i, j)] * v[j]).sum())
                .collect();
            for i in 0..m {
                let squares: f64 = (0..n).filter(|&j| in_n[j]).map(|j| a[(i, j)] * a[(i, j)]).sum();
                let takes = gains(u_bar[i], squares, rho_bar * size);
                in_m[i] = takes && (!monotone || in_m[i]);
            }
            objectives.push(objective(&in_m, &in_n, &|i, j| u_bar[i] * v[j]));
            sigma = (0..m).filter(|&i| in_m[i]).map(|i| u_bar[i] * u_bar[i]).sum::<f64>().sqrt();
            u = (0..m).map(|i| if in_m[i] { u_bar[i] / sigma } else { 0.0 }).collect();
            let end = objectives[objectives.len() - 1];
            if before == (in_m.clone(), in_n.clone()) && end - last <= 1e-10 * last {
                break;
            }
            last = end;
        }
        let side = (0..n).map(|j| {
            let of_n = |i: &usize| in_m[*i] && in_n[j];
            (0..m).filter(of_n).map(|i| a[(i, j)] * u[i]).sum()
        });
        printed.sides.push((side.collect(), v.iter().map(|v| sigma * v).collect()));
        printed.rows.push(((0..m).filter(|&i| in_m[i]).collect(), u));
        printed.columns.push(((0..n).filter(|&j| in_n[j]).collect(), v));
        printed.objectives.push(objectives);
        for i in (0..m).filter(|&i| in_m[i]) {
            for j in (0..n).filter(|&j| in_n[j]) {
                a[(i, j)] = 0.0;
            }
        }
    }
    printed.nearest_tie = nearest_tie;
    printed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_streamed_search_is_the_printed_one(
        entries in prop::collection::vec(0u32..12, 6 * 11),
        gamma in 1.5f64..6.0,
        monotone in any::<bool>(),
        start in prop::sample::select(vec![Start::Document, Start::Word]),
        rho in prop::sample::select(vec![0.0, 0.05, 0.2]),
    ) {
        // A word seen once in every document makes all of them long enough.
        let mut a = Array2::from_shape_vec((6, 11), entries).expect("6 × 11");
        a.row_mut(0).mapv_inplace(|count| count + 2);
        let settings =
            Settings { gamma, monotone, rho, grow_from: start, ..Settings::default() };
        // From a word it is the printed search of the transpose, which ends with the other half of
        // a step: then u agrees as far as the search has come to rest.
        let (printed, tolerance) = match start {
            Start::Word => (printed(a.t().mapv(f64::from), 2, &settings), 1e-3),
            _ => (printed(a.mapv(f64::from), 2, &settings), 1e-9),
        };
        // Rounding decides a tie.
        prop_assume!(printed.nearest_tie > 1e-9);
        let topics = if start == Start::Word { &printed.columns } else { &printed.rows };
        let found = match tried(&source(&a), 6, 2, &settings) {
            Ok(found) => found,
            Err(ModelError::TooFewFactors { found, .. }) => {
                prop_assert_eq!(found, topics.len());
                return Ok(());
            }
            Err(other) => panic!("{other}"),
        };
        for (topic, (words, u)) in topics.iter().enumerate() {
            prop_assert_eq!(&found.words[topic], words);
            let sum: f64 = u.iter().sum();
            for (word, value) in u.iter().enumerate() {
                prop_assert!((found.topics.topics[(word, topic)] - value / sum).abs() < tolerance);
            }
        }
        // H, which is found by a fit of its own.
        let (source, positions) = (source(&a), Vec::from_iter(0..6));
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let side = settings.document_side(&documents, 2, 1, &Silent).expect("topics").expect("H");
        prop_assert_eq!(&side.ids, &Vec::from_iter(1..=11));
        for (topic, (products, scaled)) in printed.sides.iter().enumerate() {
            for document in (0..11).filter(|_| start == Start::Document) {
                let found = side.values[(document, topic)];
                prop_assert!((found - products[document]).abs() < 1e-8 * products[document].max(1.0));
                // σ·v, as far as the search has come to rest.
                prop_assert!((found - scaled[document]).abs() < 0.01 * scaled[document].max(1.0));
            }
        }
        for objectives in &printed.objectives {
            let rises = objectives.windows(2).all(|pair| pair[1] >= pair[0] * (1.0 - 1e-12));
            prop_assert!(rises, "{objectives:?}");
        }
        prop_assert!(found.objective_fall < 1e-12, "{}", found.objective_fall);
    }
}

/// A corpus's documents, its words, and the topic each word belongs to.
fn known(corpus: KnownCorpus) -> (MatrixSource, usize, Vec<usize>) {
    let words = corpus.words.len();
    let mut owner = vec![0; words];
    let mut most = vec![0.0; words];
    for (topic, column) in corpus.topics.iter().enumerate() {
        for &(word, probability) in column {
            if probability > most[word as usize] {
                (most[word as usize], owner[word as usize]) = (probability, topic);
            }
        }
    }
    let mut counts = TriMat::new((corpus.documents as usize, words));
    let mut document = 0;
    let drawn: Result<(), ()> = corpus.draw(|entries| {
        entries
            .iter()
            .for_each(|&(word, count)| counts.add_triplet(document, word as usize, count));
        document += 1;
        Ok(())
    });
    drawn.expect("documents");
    (MatrixSource::new(counts.to_csr(), 256), words, owner)
}

/// How many of a model's topics have all their words from one true topic, and how many true topics
/// are found so.
fn pure(found: &R1d, owner: &[usize]) -> (usize, usize) {
    let owners = found.words.iter().map(|words| {
        let first = owner[words[0]];
        words.iter().all(|&word| owner[word] == first).then_some(first)
    });
    let pure: Vec<usize> = owners.flatten().collect();
    let distinct: std::collections::BTreeSet<usize> = pure.iter().copied().collect();
    (pure.len(), distinct.len())
}

#[test]
fn topics_of_an_epsilon_separable_corpus_are_taken_out_one_by_one() {
    // §5 with ε = 0.05 for all words outside a topic together. With the fixed seeds all 50 topics
    // of either start are pure and all different; the claim is 95 of 100.
    for start in [Start::Document, Start::Word] {
        let (mut all_pure, mut all_distinct) = (0, 0);
        for seed in 0..10 {
            let (words, topics) = (100, 5);
            let epsilon = 0.05 / (words - words / topics) as f64;
            let corpus =
                ZipfSettings { documents: 3000, words, topics, epsilon, longest: 200, seed };
            let (source, words, owner) = known(zipf(&corpus).expect("a corpus"));
            let found =
                r1d_of(&source, words, 5, &Settings { grow_from: start, ..Settings::default() });
            assert!(found.objective_fall < 1e-12 && found.unstable == 0);
            let (pure, distinct) = pure(&found, &owner);
            all_pure += pure;
            all_distinct += distinct;
        }
        assert!(all_pure * 100 >= 95 * 50 && all_distinct >= 48, "{all_pure} {all_distinct}");
    }
}

#[test]
fn features_of_bitmap_images_are_taken_out_one_by_one() {
    for seed in 0..3 {
        let settings =
            BitmapCorpusSettings { documents: 4000, side: 12, topics: 6, shown: 2, seed };
        let (source, words, owner) = known(bitmap(&settings).expect("a corpus"));
        let features: Vec<Vec<usize>> =
            (0..6).map(|topic| (0..words).filter(|&word| owner[word] == topic).collect()).collect();
        let of = Settings { grow_from: Start::Word, ..Settings::default() };
        let found = r1d_of(&source, words, 6, &of);
        for feature in features {
            assert!(found.words.contains(&feature));
        }
        // An image shows two features, and a topic that starts with it stays with both.
        let of = Settings::default();
        assert_eq!(pure(&r1d_of(&source, words, 2, &of), &owner), (0, 0));
    }
}

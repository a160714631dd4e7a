//! Coherence against brute force: every window made as a set, every formula written again.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sprs::TriMat;
use topoi_core::metric::coherence::pair_counts::PairCounts;
use topoi_core::metric::coherence::pair_counts::document_frequencies;
use topoi_core::metric::coherence::variants::{COHERENCE_VARIANTS, CoherenceVariant};
use topoi_core::metric::coherence::windows::{Repeats, WindowRule, window_frequencies};
use topoi_core::metric::coherence::word_pairs::WordPairs;
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

type Unit = BTreeSet<usize>;

/// Words 0 to 7 are a vocabulary; larger numbers are words outside it.
const WORDS: usize = 8;

fn is_word(token: u32) -> bool {
    (token as usize) < WORDS
}

/// Every window as the set of its words.
fn all_windows(documents: &[Vec<u32>], width: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    for document in documents {
        let windows: Vec<&[u32]> = if document.len() <= width {
            vec![document]
        } else {
            document.windows(width).collect()
        };
        units.extend(windows.into_iter().map(words_of));
    }
    units
}

fn words_of(tokens: &[u32]) -> Unit {
    tokens.iter().filter(|&&token| is_word(token)).map(|&token| token as usize).collect()
}

/// What gensim's loop does, window by window: it adds the last token and takes away the token
/// that was first, even when another copy of it is inside.
fn windows_of_gensim(documents: &[Vec<u32>], width: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    for document in documents {
        let first = &document[..document.len().min(width)];
        let mut words = words_of(first);
        units.push(words.clone());
        for start in 1..(document.len() + 1).saturating_sub(width) {
            words.remove(&(document[start - 1] as usize));
            let last = document[start + width - 1];
            if is_word(last) {
                words.insert(last as usize);
            }
            units.push(words.clone());
        }
    }
    units
}

fn count(units: &[Unit], v: usize, w: usize) -> f64 {
    units.iter().filter(|unit| unit.contains(&v) && unit.contains(&w)).count() as f64
}

fn probability(units: &[Unit], v: usize, w: usize) -> f64 {
    count(units, v, w) / units.len() as f64
}

/// Pairs (i, j) of ranks, i the higher, from the definition: for every i, every j below.
fn ranked_pairs(words: &[usize]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for below in 1..words.len() {
        for above in 0..below {
            pairs.push((words[above], words[below]));
        }
    }
    pairs
}

fn average(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

fn pmi(units: &[Unit], v: usize, w: usize, epsilon: f64) -> f64 {
    let (pv, pw) = (probability(units, v, v), probability(units, w, w));
    if pv * pw == 0.0 { 0.0 } else { ((probability(units, v, w) + epsilon) / (pv * pw)).ln() }
}

fn npmi(units: &[Unit], v: usize, w: usize, epsilon: f64) -> f64 {
    pmi(units, v, w, epsilon) / -(probability(units, v, w) + epsilon).ln()
}

fn exact_npmi(units: &[Unit], v: usize, w: usize) -> f64 {
    match probability(units, v, w) {
        0.0 => -1.0,
        1.0 => 1.0,
        _ => npmi(units, v, w, 0.0),
    }
}

fn c_v(units: &[Unit], words: &[usize], epsilon: f64) -> f64 {
    let entry = |i: usize, j: usize| npmi(units, words[i], words[j], epsilon);
    let n = words.len();
    let whole = |j: usize| (0..n).map(|i| entry(i, j)).sum::<f64>();
    let cosines: Vec<f64> = (0..n)
        .map(|i| {
            let dot: f64 = (0..n).map(|j| entry(i, j) * whole(j)).sum();
            let own: f64 = (0..n).map(|j| entry(i, j).powi(2)).sum();
            let all: f64 = (0..n).map(|j| whole(j).powi(2)).sum();
            if own * all == 0.0 { 0.0 } else { dot / (own.sqrt() * all.sqrt()) }
        })
        .collect();
    average(&cosines)
}

/// The score of a topic by the definition on the documentation page.
fn by_definition(name: &str, topics: &[Vec<usize>], words: &[usize], units: &[Unit]) -> f64 {
    let d = |v: usize, w: usize| count(units, v, w);
    let over = |score: &dyn Fn(usize, usize) -> f64, words: &[usize]| -> Vec<f64> {
        ranked_pairs(words).into_iter().map(|(v, w)| score(v, w)).collect()
    };
    let sum = |score: &dyn Fn(usize, usize) -> f64| over(score, words).iter().sum::<f64>();
    let mean = |score: &dyn Fn(usize, usize) -> f64| average(&over(score, words));
    let unless_absent = |v: usize, value: f64| if d(v, v) == 0.0 { 0.0 } else { value };
    match name {
        "umass@mimno" => sum(&|v, w| unless_absent(v, ((d(v, w) + 1.0) / d(v, v)).ln())),
        "umass@jsmf" => sum(&|v, w| unless_absent(v, ((d(v, w) + 0.01) / d(v, v)).ln())),
        "umass@mallet" => sum(&|v, w| ((d(v, w) + 0.01) / (d(v, v) + 0.01)).ln()),
        "umass@stm" => {
            let mut listed: Vec<usize> = Vec::new();
            for &word in topics.iter().flatten() {
                if !listed.contains(&word) {
                    listed.push(word);
                }
            }
            let words: Vec<usize> =
                listed.into_iter().filter(|word| words.contains(word)).collect();
            over(&|v, w| ((d(v, w) + 0.01) / (d(v, v) + 0.01)).ln(), &words).iter().sum()
        }
        "umass@gensim" => mean(&|v, w| {
            let share = probability(units, v, w) + 1e-12;
            unless_absent(v, (share / probability(units, v, v)).ln())
        }),
        "uci@exact" | "uci@gensim" => mean(&|v, w| pmi(units, v, w, 1e-12)),
        "npmi@exact" => mean(&|v, w| exact_npmi(units, v, w)),
        "npmi@gensim" | "npmi@octis" => mean(&|v, w| npmi(units, v, w, 1e-12)),
        "cv@exact" | "cv@gensim" => c_v(units, words, 1e-12),
        other => panic!("{other} has no definition here"),
    }
}

fn check_scores(
    variant: &CoherenceVariant,
    topics: &[Vec<usize>],
    counts: &PairCounts<'_>,
    units: &[Unit],
) {
    let name = variant.full_name();
    for (words, score) in topics.iter().zip(variant.scores(topics, counts)) {
        let expected = by_definition(&name, topics, words, units);
        let scale = expected.abs().max(1.0);
        assert!((score - expected).abs() < 1e-9 * scale, "{name} {words:?}: {score} {expected}");
    }
}

fn documents() -> impl Strategy<Value = Vec<Vec<u32>>> {
    // Few words and short windows, so that words repeat within them.
    prop::collection::vec(prop::collection::vec(0..WORDS as u32 + 3, 2..40), 1..12)
}

fn topics() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let topic = (Just((0..WORDS).collect::<Vec<_>>()).prop_shuffle(), 1..=WORDS);
    let topic = topic.prop_map(|(words, length)| words[..length].to_vec());
    prop::collection::vec(topic, 1..4)
}

proptest! {
    #[test]
    fn windows_are_counted_as_brute_force_counts_them(
        documents in documents(), topics in topics(), width in 1usize..15,
    ) {
        let pairs = WordPairs::from_topics(&topics, WORDS);
        let rules = [Repeats::Counted, Repeats::Cleared].map(|repeats| WindowRule { width, repeats });
        let found = window_frequencies(&documents, &pairs, &rules).expect("in memory");
        let brute = [all_windows(&documents, width), windows_of_gensim(&documents, width)];
        for (counts, units) in found.iter().zip(&brute) {
            prop_assert_eq!(counts.units(), units.len() as u64);
            for topic in &topics {
                for &v in topic {
                    for &w in topic {
                        prop_assert_eq!(counts.both(v, w) as f64, count(units, v, w), "{} {}", v, w);
                    }
                }
            }
            for variant in COHERENCE_VARIANTS {
                check_scores(variant, &topics, counts, units);
            }
        }
    }

    #[test]
    fn documents_are_counted_as_sets(documents in documents(), topics in topics()) {
        let mut matrix = TriMat::new((documents.len(), WORDS));
        for (row, document) in documents.iter().enumerate() {
            for &token in document.iter().filter(|&&token| is_word(token)) {
                matrix.add_triplet(row, token as usize, 1u32);
            }
        }
        let source = MatrixSource::new(matrix.to_csr(), 3);
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let kept = Documents::new(&source, &positions, 2, &Silent);
        let pairs = WordPairs::from_topics(&topics, WORDS);
        let counts = document_frequencies(&kept, &pairs).expect("in memory");
        let long: Vec<Unit> = documents
            .iter()
            .filter(|document| document.iter().filter(|&&token| is_word(token)).count() >= 2)
            .map(|document| words_of(document))
            .collect();
        prop_assert_eq!(counts.units(), long.len() as u64);
        prop_assume!(!long.is_empty());
        for variant in COHERENCE_VARIANTS {
            check_scores(variant, &topics, &counts, &long);
        }
    }
}

#[test]
fn the_three_windows_of_a_b_a_c_d() {
    let documents = vec![vec![0, 1, 0, 2, 3]];
    let pairs = WordPairs::from_topics(&[vec![0, 1, 2, 3]], 4);
    let rules =
        [Repeats::Counted, Repeats::Cleared].map(|repeats| WindowRule { width: 3, repeats });
    let found = window_frequencies(&documents, &pairs, &rules).expect("in memory");
    let of = |counts: &PairCounts<'_>| (counts.alone(0), counts.both(0, 2), counts.both(3, 0));
    assert_eq!(found[0].units(), 3);
    assert_eq!(of(&found[0]), (3, 2, 1));
    // What gensim 4.4.0 says of the same text.
    assert_eq!(of(&found[1]), (1, 0, 0));
}

#[test]
fn a_word_that_never_occurs_makes_no_score_infinite() {
    let documents = vec![vec![0, 1, 0, 1], vec![1, 0]];
    let topics = vec![vec![2, 0, 1]];
    let pairs = WordPairs::from_topics(&topics, 3);
    let rules = [WindowRule { width: 3, repeats: Repeats::Counted }];
    let counts = window_frequencies(&documents, &pairs, &rules).expect("in memory");
    for variant in COHERENCE_VARIANTS {
        let score = variant.scores(&topics, &counts[0])[0];
        assert!(score.is_finite(), "{}: {score}", variant.full_name());
    }
}

//! The loops of the papers, line by line, against `--as paper`.

use ndarray::Array2;
use sprs::TriMat;

use super::detect::kept_sums::NothingKept;
use super::discovery::separable_topics;
use super::{Binning, NovelWordDetector, Rp, Settings};
use crate::model::ModelError;
use crate::model::topic_model::TopicModel;
use crate::progress::Silent;
use crate::random::{ShortStream, key, standard_normal, stream};
use crate::stream::documents::Documents;
use crate::stream::memory::MatrixSource;
use crate::stream::split::test_halves::{Dense, corpus};
use crate::synth::swimmer::{Rendering, SwimmerSettings, swimmer};

const SEED: u64 = 4;

/// The anchors that a model finds, in their order; `None` where it says that there are too few.
fn anchors<D: NovelWordDetector>(
    documents: &Documents<'_>,
    settings: &Settings<D>,
    topics: usize,
) -> Option<Vec<usize>> {
    match separable_topics(documents, settings, topics, SEED, &NothingKept, &Silent) {
        Ok(found) => Some(found.topics.anchors),
        Err(ModelError::TooFewNovelWords { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// D_ij = Ê_ii − Ê_ij − Ê_ji + Ê_jj.
fn apart(e: &Array2<f64>, i: usize, j: usize) -> f64 {
    e[(i, i)] - e[(i, j)] - e[(j, i)] + e[(j, j)]
}

/// Lines 12 to 20 of algorithm 3 (2013), lines 14 to 21 of algorithm 2 (2015): words by their value, each that is
/// at D ≥ ζ/2 from all taken before it, until there are K. Words that do not occur have no row and are skipped.
fn printed_loop(dense: &Dense, values: &[f64], distance: f64, topics: usize) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| dense.sums[i] > 0.0).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let (mut taken, mut i) = (Vec::new(), 0);
    while taken.len() < topics {
        let word = *order.get(i)?;
        if taken.iter().all(|&other| apart(&dense.e, word, other) >= distance / 2.0) {
            taken.push(word);
        }
        i += 1;
    }
    Some(taken)
}

/// Lines 3 to 11 of algorithm 3 (2013): the share of √M groups of equal size that each word wins.
fn shares_of_bins(documents: &Documents<'_>, dense: &Dense) -> Vec<f64> {
    let mut numbers = Vec::new();
    let blocks = 0..documents.block_sizes().len();
    documents.visit(blocks, |batch| numbers.extend(&batch.numbers)).expect("in memory");
    let (words, documents) = dense.x.dim();
    let bins = (documents as f64).sqrt().ceil() as usize;
    // What is drawn for a document: its place in a random order, and a component of its group's direction.
    let draw = |(document, &number): (usize, &u64)| {
        let mut random = ShortStream::new(key(SEED, "bins of documents"), number);
        (random.below(u64::MAX), document, random.standard_normal())
    };
    let mut drawn: Vec<(u64, usize, f64)> = numbers.iter().enumerate().map(draw).collect();
    drawn.sort_by_key(|&(place, _, _)| place);
    let mut shares = vec![0.0; words];
    for bin in 0..bins {
        let group = &drawn[bin * documents / bins..(bin + 1) * documents / bins];
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for word in 0..words {
            let row: f64 = group.iter().map(|&(_, m, _)| dense.x[(word, m)]).sum();
            let along: f64 = group.iter().map(|&(_, m, d)| dense.x[(word, m)] * d).sum();
            if row > 0.0 && along / row > most {
                (best, most) = (Some(word), along / row);
            }
        }
        if let Some(word) = best {
            shares[word] += 1.0 / bins as f64;
        }
    }
    shares
}

/// Equation 5 of 2015 for P directions: 1,000 times the directions along which a word's projection exceeds that of every
/// word at D ≥ ζ/2 from it. Of equal words, which the paper does not order, the one that is ahead of all others more
/// often comes first: 1 is added for each such direction.
fn solid_angles(dense: &Dense, directions: usize, distance: f64) -> Vec<f64> {
    let words = dense.e.nrows();
    let mut angles = vec![0.0; words];
    for direction in 0..directions {
        let mut rng = stream(SEED, &format!("direction {direction}"));
        let d: Vec<f64> = (0..words).map(|_| standard_normal(&mut rng)).collect();
        let along = |i: usize| (0..words).map(|j| dense.e[(i, j)] * d[j]).sum::<f64>();
        let v: Vec<f64> = (0..words).map(along).collect();
        let first = (0..words).max_by(|&a, &b| v[a].total_cmp(&v[b])).expect("words");
        angles[first] += 1.0;
        for i in 0..words {
            let far = |j: &usize| *j != i && apart(&dense.e, i, *j) >= distance / 2.0;
            if (0..words).filter(far).all(|j| v[i] > v[j]) {
                angles[i] += 1000.0;
            }
        }
    }
    angles
}

fn clean_swimmer() -> (MatrixSource, Vec<u32>) {
    let settings = SwimmerSettings { rendering: Rendering::Clean, seed: 1 };
    let pictures = swimmer(&settings).expect("a corpus").collected();
    let mut counts = TriMat::new((pictures.len(), 1024));
    for (picture, entries) in pictures.iter().enumerate() {
        entries.iter().for_each(|&(pixel, n)| counts.add_triplet(picture, pixel as usize, n));
    }
    (MatrixSource::new(counts.to_csr(), 50), (0..1024).collect())
}

#[test]
fn binning_as_in_the_paper_is_algorithm_3_line_by_line() {
    let (mut went_on, mut found_none) = (0, 0);
    for (documents, words) in [(40, 12), (120, 30), (300, 9)] {
        let (source, positions) = corpus(documents, words);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let dense = Dense::new(&documents, SEED);
        let shares = shares_of_bins(&documents, &dense);
        for (topics, d) in [(3, 0.01), (8, 0.01), (8, 0.05), (9, 1e-6), (9, 3.0), (9, 1e6)] {
            let expected = printed_loop(&dense, &shares, d, topics);
            let settings = Binning { distance: Some(d), ..Binning::as_in_paper() };
            assert_eq!(anchors(&documents, &settings, topics), expected, "{topics} {d}");
            let without = |words: &Vec<usize>| words.iter().any(|&word| shares[word] == 0.0);
            went_on += usize::from(expected.as_ref().is_some_and(without));
            found_none += usize::from(expected.is_none());
        }
    }
    assert!(went_on > 0 && found_none > 0, "{went_on} {found_none}");
}

#[test]
fn rp_as_in_the_paper_is_algorithm_2_line_by_line() {
    let mut went_on = 0;
    for (documents, words) in [(40, 12), (150, 16), (300, 9)] {
        let (source, positions) = corpus(documents, words);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let dense = Dense::new(&documents, SEED);
        for (topics, zeta) in [(3, 0.05), (8, 0.05), (9, 0.01), (9, 3.0)] {
            let mut settings = Rp { distance: Some(zeta), ..Rp::as_in_paper() };
            settings.detector.projections = Some(30);
            let angles = solid_angles(&dense, 30, zeta);
            let expected = printed_loop(&dense, &angles, zeta, topics);
            assert_eq!(anchors(&documents, &settings, topics), expected, "{topics} {zeta}");
            let without = |words: &Vec<usize>| words.iter().any(|&word| angles[word] == 0.0);
            went_on += usize::from(expected.as_ref().is_some_and(without));
        }
    }
    assert!(went_on > 0);
}

#[test]
fn the_printed_loops_find_a_word_for_each_limb_position_of_the_clean_swimmer_or_go_on() {
    let (source, positions) = clean_swimmer();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let dense = Dense::new(&documents, SEED);
    // d of the paper's §6.1 for images.
    let settings = Binning { distance: Some(1.0), ..Binning::as_in_paper() };
    let expected = printed_loop(&dense, &shares_of_bins(&documents, &dense), 1.0, 16);
    assert!(expected.is_some());
    assert_eq!(anchors(&documents, &settings, 16), expected);
    let found = anchors(&documents, &Rp::as_in_paper(), 16).expect("sixteen");
    for (at, &word) in found.iter().enumerate() {
        assert!(found[..at].iter().all(|&other| apart(&dense.e, word, other) >= 0.025));
    }
    // Without a distance the loop takes the one that the model finds.
    assert!(anchors(&documents, &Binning::as_in_paper(), 16).is_some());
}

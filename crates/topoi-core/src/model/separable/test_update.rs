//! Sums to which documents are added give the projections of all documents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rand::RngExt;
use sprs::TriMat;

use super::detect::kept_sums::{EarlierSums, KeptSums, NothingKept};
use super::detect::projections::Projections;
use super::discovery::separable_topics;
use super::{Directions, Rp, SolidAngles};
use crate::model::ModelError;
use crate::progress::{Progress, Silent};
use crate::random::{standard_normal, stream};
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::memory::MatrixSource;
use crate::stream::split::halves::{Halves, Splitter};
use crate::stream::split::{SplitCoOccurrence, SplitSums, split_sums};

const WORDS: usize = 40;
const ALL: usize = 900;
const OLD: usize = 803;
const SEED: u64 = 9;

/// Four topics of ten words, and some of others in every document; the last word is in new documents
/// alone, and blocks of 50 hold both kinds.
fn corpus() -> MatrixSource {
    let mut rng = stream(2, "corpus that grows");
    let mut counts = TriMat::new((ALL, WORDS));
    for document in 0..ALL {
        for word in 0..WORDS {
            let likely = if word % 4 == document % 4 { 0.6 } else { 0.05 };
            if rng.random::<f64>() < likely && (word + 1 < WORDS || document >= OLD) {
                counts.add_triplet(document, word, rng.random_range(1..5u32));
            }
        }
    }
    MatrixSource::new(counts.to_csr(), 50)
}

/// Sums in memory.
#[derive(Debug, Default)]
struct Memory {
    earlier: Option<EarlierSums>,
    loaded: BTreeMap<usize, Array2<f64>>,
    begun: Mutex<Vec<[SplitSums; 2]>>,
    saved: Mutex<BTreeMap<usize, Array2<f64>>>,
}

impl KeptSums for Memory {
    fn earlier(&self) -> Option<&EarlierSums> {
        self.earlier.as_ref()
    }

    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError> {
        let sums = &self.loaded[&which.start];
        assert_eq!(sums.ncols(), which.len());
        Ok(sums.clone())
    }

    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError> {
        self.begun.lock().expect("begun").push([split.clone(), scale.clone()]);
        Ok(())
    }

    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        self.saved.lock().expect("saved").insert(first, sums.to_owned());
        Ok(())
    }
}

impl Memory {
    /// For the run after this one, whose last document had this id.
    fn for_the_next(self, last_document: i64) -> Self {
        let [split, scale] = self.begun.into_inner().expect("begun").pop().expect("it began");
        let earlier = EarlierSums { last_document, split, scale };
        let loaded = self.saved.into_inner().expect("saved");
        Self { earlier: Some(earlier), loaded, ..Self::default() }
    }
}

fn positions() -> Vec<u32> {
    (0..WORDS as u32).collect()
}

fn settings() -> Rp {
    let detector = SolidAngles { projections: Some(300), ..SolidAngles::default() };
    Rp { detector, ..Rp::default() }
}

/// A run of the first `count` documents.
fn run(
    count: usize,
    kept: &dyn KeptSums,
    progress: &dyn Progress,
) -> Result<super::Separable, ModelError> {
    let (source, positions) = (corpus().part(0..count), positions());
    let documents = Documents::new(&source, &positions, 2, progress);
    separable_topics(&documents, &settings(), 4, SEED, kept, progress)
}

/// Dense halves of the first `count` documents: X and X′.
fn halves(count: usize) -> [Array2<f64>; 2] {
    let (source, positions) = (corpus().part(0..count), positions());
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let mut columns: [Vec<Array1<f64>>; 2] = Default::default();
    let mut split = Halves::default();
    let blocks = 0..documents.block_sizes().len();
    let visited = documents.visit(blocks, |batch| {
        Splitter::new(SEED).split(batch, &mut split);
        for (columns, half) in columns.iter_mut().zip([&split.first, &split.second]) {
            columns.extend(half.documents().map(|side| {
                let mut column = Array1::zeros(WORDS);
                for (&word, &share) in side.words.iter().zip(side.values) {
                    column[word as usize] = share;
                }
                column
            }));
        }
    });
    visited.expect("in memory");
    columns.map(|columns| {
        Array2::from_shape_fn((WORDS, columns.len()), |(word, document)| columns[document][word])
    })
}

/// Ê of all documents, formed, times directions whose component for word j is normal with variance
/// p_j²/p⁰_j, p⁰ being the shares in the first `old` documents; and that without scale.
fn expected(old: usize) -> Array2<f64> {
    let [x, y] = halves(ALL);
    let rho = |x: &Array2<f64>, y: &Array2<f64>| (x.sum_axis(Axis(1)) + y.sum_axis(Axis(1))) / 2.0;
    let (all, m) = (rho(&x, &y), x.ncols() as f64);
    let [old_x, old_y] = halves(old);
    let before = rho(&old_x, &old_y);
    let product = y.dot(&x.t());
    let e = Array2::from_shape_fn((WORDS, WORDS), |(i, j)| m * product[(i, j)] / (all[i] * all[j]));
    let mut directions = Array2::zeros((WORDS, 300));
    for (direction, mut column) in directions.columns_mut().into_iter().enumerate() {
        let mut rng = stream(SEED, &format!("direction {direction}"));
        for (word, entry) in column.iter_mut().enumerate() {
            let normal = standard_normal(&mut rng);
            let shares = [all[word] / m, before[word] / old_x.ncols() as f64];
            if shares[1] > 0.0 {
                *entry = normal * shares[0] / shares[1].sqrt() * m / old_x.ncols() as f64;
            }
        }
    }
    e.dot(&directions)
}

/// The projections of all documents along the first 300 directions, with what is kept.
fn projected(kept: &dyn KeptSums) -> Array2<f64> {
    let (source, positions) = (corpus(), positions());
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let sums = split_sums(&documents, SEED, None).expect("in memory");
    let split = SplitCoOccurrence::new(&documents, SEED, sums);
    let projections = Projections::new(&split, kept, Directions::Scaled, SEED).expect("in memory");
    let mut found = Array2::zeros((WORDS, 300));
    for which in [0..256, 256..300] {
        let some = projections.along(which.clone()).expect("in memory");
        found.slice_mut(s![.., which]).assign(&some);
    }
    found
}

#[test]
fn sums_and_new_documents_come_to_the_projections_of_all_documents() {
    let first = Memory::default();
    run(OLD, &first, &Silent).expect("topics");
    let second = first.for_the_next(OLD as i64);
    let (found, expected) = (projected(&second), expected(OLD));
    let size = expected.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let miss = (&found - &expected).iter().fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(miss < 1e-12 * size, "{miss:e} of {size}");
    // Without earlier sums the directions are scaled by the shares of all documents.
    let (found, expected) = (projected(&NothingKept), self::expected(ALL));
    let miss = (&found - &expected).iter().fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(miss < 1e-12 * size, "{miss:e} of {size}");
}

#[test]
fn an_update_of_an_update_is_an_update_with_all_new_documents() {
    let first = Memory::default();
    run(OLD, &first, &Silent).expect("topics");
    let second = first.for_the_next(OLD as i64);
    let middle = OLD + 40;
    assert_eq!(run(middle, &second, &Silent).expect("topics").projected, 40.0);
    let third = second.for_the_next(middle as i64);
    let found = projected(&third);
    let again = Memory::default();
    run(OLD, &again, &Silent).expect("topics");
    let expected = projected(&again.for_the_next(OLD as i64));
    assert!((&found - &expected).iter().all(|miss| miss.abs() < 1e-9));
}

#[test]
fn an_update_finds_the_topics_of_a_run_of_all_documents() {
    let first = Memory::default();
    let old = run(OLD, &first, &Silent).expect("topics");
    assert_eq!(old.projected, OLD as f64);
    let second = first.for_the_next(OLD as i64);
    let updated = run(ALL, &second, &Silent).expect("topics");
    let fresh = run(ALL, &NothingKept, &Silent).expect("topics");
    assert_eq!((updated.projected, fresh.projected), ((ALL - OLD) as f64, ALL as f64));
    for topic in updated.topics.topics.columns() {
        let miss = |other: &ndarray::ArrayView1<'_, f64>| {
            (&topic - other).iter().map(|x| x.abs()).sum::<f64>()
        };
        let nearest = fresh.topics.topics.columns().into_iter().map(|other| miss(&other));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        // Topics of disjoint words are at 2 from each other.
        assert!(nearest < 0.2, "{nearest}");
    }
}

/// A stage and the matrices it kept.
type Left = (&'static str, Vec<Array2<f64>>);

/// Lets the work recall the stages named in `done`.
#[derive(Default)]
struct Notebook {
    done: BTreeMap<&'static str, Vec<Array2<f64>>>,
    kept: Mutex<Vec<Left>>,
}

impl Progress for Notebook {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        false
    }
    fn recall(&self, stage: &'static str) -> Option<Vec<Array2<f64>>> {
        self.done.get(stage).cloned()
    }
    fn keep(&self, stage: &'static str, arrays: &[Array2<f64>]) {
        self.kept.lock().expect("kept").push((stage, arrays.to_vec()));
    }
}

#[test]
fn an_interrupted_update_and_any_number_of_threads_come_to_the_same_bits() {
    let first = Memory::default();
    run(OLD, &first, &Silent).expect("topics");
    let second = first.for_the_next(OLD as i64);
    let whole = Notebook::default();
    let expected = run(ALL, &second, &whole).expect("topics");
    let saved = second.saved.lock().expect("saved").clone();
    let kept = whole.kept.into_inner().expect("kept");
    assert_eq!(kept.len(), 4);
    for after in 1..=kept.len() {
        let notebook =
            Notebook { done: kept[..after].iter().cloned().collect(), ..Notebook::default() };
        let resumed = run(ALL, &second, &notebook).expect("topics");
        assert!(resumed.topics.topics == expected.topics.topics, "after {after}");
        assert_eq!(resumed.novel_words, expected.novel_words);
        assert_eq!(resumed.projected, expected.projected);
    }
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let found = pool.install(|| run(ALL, &second, &Silent)).expect("topics");
        assert!(found.topics.topics == expected.topics.topics, "{threads} threads");
        assert!(*second.saved.lock().expect("saved") == saved, "{threads} threads");
    }
}

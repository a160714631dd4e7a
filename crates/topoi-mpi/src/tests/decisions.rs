//! Parts on different processors. Their numbers differ in some bits, but all stop at the same steps because part 0
//! decides.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;
use sprs::TriMat;

use crate::progress::{FollowerProgress, LeaderProgress};
use topoi_core::model::Model;
use topoi_core::progress::{Progress, Silent};
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::Result;
use topoi_core::stream::in_threads::in_parts;
use topoi_core::stream::memory::MatrixSource;
use topoi_core::stream::parts::Parts;
use topoi_run::request::{Origin, RunSettings};
use topoi_run::work::about_documents::complete;
use topoi_run::work::fit::{FitTask, fit};

const DOCUMENTS: usize = 300;
const WORDS: usize = 60;

/// A part whose sums differ a little from those of the other parts.
struct PerturbedParts<'a> {
    parts: &'a dyn Parts,
    /// Set after the corpus is counted, because counts are checked.
    is_perturbed: AtomicBool,
}

impl Parts for PerturbedParts<'_> {
    fn count(&self) -> usize {
        self.parts.count()
    }

    fn number(&self) -> usize {
        self.parts.number()
    }

    fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        self.parts.add_up(numbers)?;
        if self.number() == 1 && self.is_perturbed.load(Ordering::Relaxed) {
            // A difference far larger than rounding, so that a tolerance is reached at other steps.
            for (number, sign) in
                numbers.iter_mut().zip([1.0, -1.0, -1.0, 1.0, -1.0].iter().cycle())
            {
                // Whole numbers are counts, which are the same in all parts.
                if number.fract() != 0.0 {
                    *number *= 1.0 + 1e-5 * sign;
                }
            }
        }
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.parts.share(own)
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.parts.collect(own)
    }
}

fn source_of(parts: &dyn Parts) -> MatrixSource {
    let mut rng = stream(11, "corpus of unlike parts");
    let mut counts = TriMat::new((DOCUMENTS, WORDS));
    for document in 0..DOCUMENTS {
        for word in 0..WORDS {
            let likely = if word % 4 == document * 7 % 5 % 4 { 0.7 } else { 0.06 };
            if rng.random::<f64>() < likely {
                counts.add_triplet(document, word, rng.random_range(1..6u32));
            }
        }
    }
    let at = |part: usize| part * DOCUMENTS / parts.count();
    MatrixSource::new(counts.to_csr(), 9).part(at(parts.number())..at(parts.number() + 1))
}

/// Runs `model` to its end. An error if this part's exchanges are not those of the others.
fn run(
    model: &Model,
    parts: &dyn Parts,
    progress: &dyn Progress,
) -> std::result::Result<(), String> {
    let parts = PerturbedParts { parts, is_perturbed: AtomicBool::new(false) };
    let (source, positions) = (source_of(&parts), (0..WORDS as u32).collect::<Vec<_>>());
    let documents = Documents::new(&source, &positions, 2, progress).with_parts(&parts);
    let c = CoOccurrence::new(&documents).map_err(|error| error.to_string())?;
    parts.is_perturbed.store(true, Ordering::Relaxed);
    let settings = RunSettings { refine: Some(1), documents: true, ..RunSettings::default() };
    let origin = Origin::Model(model.clone());
    let task = FitTask {
        origin: &origin,
        k: 4,
        seed: 3,
        settings: &settings,
        start: None,
        numbered: None,
        sums: None,
        seeds: &[],
        shaped: None,
        assigned: None,
        keeps_own_documents: false,
    };
    let fitted = fit(model, task, &c, progress).map_err(|error| error.to_string())?;
    complete(fitted, task, &c, progress).map_err(|error| error.to_string())?;
    // A part with another number of exchanges meets another exchange here, or none.
    match parts.share(b"done".to_vec()).map_err(|error| error.to_string())? {
        all if all.iter().all(|said| said == b"done") => Ok(()),
        _ => Err("exchanges of other steps".into()),
    }
}

#[test]
fn parts_whose_bits_differ_stop_at_the_same_steps() {
    // The steps of `palm` diverge with differences of this size.
    let streams = |model: &&Model| model.card().streams() && model.name() != "palm";
    for model in Model::all().iter().filter(streams) {
        let ends = in_parts(3, |parts| match parts.number() {
            0 => run(model, parts, &LeaderProgress { own: &Silent, parts }),
            _ => run(model, parts, &FollowerProgress { parts }),
        });
        assert_eq!(ends, [Ok(()), Ok(()), Ok(())], "{}", model.name());
    }
}

#[test]
fn a_part_that_decides_by_itself_is_an_error() {
    let ends = in_parts(2, |parts| {
        let progress: &dyn Progress = &Silent;
        // The first stops after three steps, the second after five.
        for step in 1.. {
            parts.share(vec![0]).map_err(|error| error.to_string())?;
            if progress.decide(step == 3 + 2 * parts.number()) {
                break;
            }
        }
        Ok::<_, String>(())
    });
    assert!(ends[0].is_ok() && ends[1].is_err(), "{ends:?}");
}

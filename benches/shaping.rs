//! How long an edit of topics takes on NIPS, from the edit to what it changes, as the workbench asks for it:
//! medians of seven, each from the topics without an edit; and the processor time of all threads together, which
//! a machine that does other work beside it does not change much.
//!
//! Needs the UCI NIPS corpus: `TOPOI_NIPS=DIRECTORY cargo bench --bench shaping`, the directory
//! holding docword.nips.txt.gz and vocab.nips.txt. Without it, it says so and measures nothing.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use topoi_core::shape::effect::effect;
use topoi_core::shape::{Edit, Edits, Shaper};
use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_run::request::{RunRequest, RunSettings};
use topoi_run::shaping::base::base_of;
use topoi_run::work::do_work;
use topoi_run::work::reporter::Reporter;
use topoi_store::run::{RunEnd, RunStatus};
use topoi_store::{Access, Store};

const ROUNDS: usize = 7;
/// (terms, topics); NIPS has 14,036 terms.
const SIZES: [(usize, usize); 2] = [(5_000, 50), (15_000, 100)];
/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };

fn main() {
    let Some(directory) = std::env::var_os("TOPOI_NIPS").map(PathBuf::from) else {
        println!("shaping: set TOPOI_NIPS to the directory of docword.nips.txt.gz to measure this");
        return;
    };
    let home = tempfile::tempdir().expect("tempdir");
    let mut store = Store::open(&home.path().join("nips.db"), Access::Create).expect("store");
    let request = IngestRequest::new("nips", [directory.join("docword.nips.txt.gz")]);
    ingest(&store, &request, &NoProgress).expect("NIPS in the directory");
    println!("milliseconds, {} threads", rayon::current_num_threads());
    for (terms, k) in SIZES {
        let settings =
            RunSettings { terms, refine: Some(0), documents: false, ..RunSettings::default() };
        let request = RunRequest { settings, ..RunRequest::new("nips", k) };
        let number = request.submit(&store).expect("a run");
        let run = store.run(number).expect("its row");
        let reporter = Reporter::new(store.path(), number, Arc::default());
        do_work(&mut store, &run, &reporter, || FINISHED).expect("topics");
        let run = store.run(number).expect("its row");
        let begun = Instant::now();
        let mut shaper = Shaper::new(base_of(&store, &run).expect("a factor"));
        let read = milliseconds(begun);
        let begun = Instant::now();
        let before = shaper.shape(&Edits::default()).expect("topics");
        println!(
            "{} terms, {k} topics: {read:.0} to read, {:.0} the first",
            shaper.base().words.len(),
            milliseconds(begun)
        );
        let word = |shaper: &Shaper, rank: usize| {
            let d =
                shaper.base().factor.as_ref().map(|own| own.compressed.probabilities().to_vec());
            let d = d.unwrap_or_default();
            let mut words: Vec<usize> = (0..d.len()).collect();
            words.sort_by(|&a, &b| d[b].total_cmp(&d[a]));
            shaper.base().words[words[rank]].clone()
        };
        let (one, other) = (word(&shaper, 40), word(&shaper, 60));
        let edits: [(&str, Edit); 7] = [
            ("anchor", Edit::Anchor { words: vec![one.clone()], topic: Some(3) }),
            (
                "anchor of two",
                Edit::Anchor { words: vec![one.clone(), other.clone()], topic: Some(3) },
            ),
            ("merge", Edit::Merge { topics: vec![3, 7] }),
            ("split", Edit::Split { topic: 4, words: Vec::new() }),
            ("forbid", Edit::Forbid { word: one }),
            ("drop", Edit::Drop { topic: 5 }),
            ("pin", Edit::Pin { topic: 2 }),
        ];
        for (name, edit) in edits {
            let (mut times, mut work): (Vec<f64>, Vec<f64>) = Default::default();
            for _ in 0..ROUNDS {
                shaper.shape(&Edits::default()).expect("topics");
                let list = [edit.clone()].into_iter().collect();
                let (begun, worked) = (Instant::now(), processor_milliseconds());
                match shaper.shape(&list) {
                    Ok(after) => drop(effect(shaper.base(), &before, &after)),
                    Err(refused) => println!("{name}: {refused}"),
                }
                times.push(milliseconds(begun));
                work.push(processor_milliseconds() - worked);
            }
            times.sort_by(f64::total_cmp);
            work.sort_by(f64::total_cmp);
            println!(
                "  {name:14} {:6.0} (worst {:.0}), processor {:6.0}",
                times[ROUNDS / 2],
                times[ROUNDS - 1],
                work[ROUNDS / 2]
            );
        }
    }
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// What the threads of this process have worked so far; 0 where the system does not say.
fn processor_milliseconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of_task = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    tasks.filter_map(of_task).sum::<f64>() / 1e6
}

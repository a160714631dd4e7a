//! The stages of an `lr-jsmf` run on NIPS, K = 50, 5,000 terms: medians of five runs. How far they
//! are from what the machine gives: papers/roofline.md.
//!
//! Needs the UCI NIPS corpus: `TOPOI_NIPS=DIRECTORY cargo bench --bench nips`, the directory
//! holding docword.nips.txt.gz and vocab.nips.txt. Without it, it says so and measures nothing.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_run::request::RunRequest;
use topoi_run::work::do_work;
use topoi_run::work::reporter::Reporter;
use topoi_store::run::{RunEnd, RunStatus};
use topoi_store::{Access, Store};

const RUNS: usize = 5;
/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };

fn main() {
    let Some(directory) = std::env::var_os("TOPOI_NIPS").map(PathBuf::from) else {
        println!("nips: set TOPOI_NIPS to the directory of docword.nips.txt.gz to measure this");
        return;
    };
    let home = tempfile::tempdir().expect("tempdir");
    let mut store = Store::open(&home.path().join("nips.db"), Access::Create).expect("store");
    let request = IngestRequest::new("nips", [directory.join("docword.nips.txt.gz")]);
    ingest(&store, &request, &NoProgress).expect("NIPS in the directory");
    let mut seconds: BTreeMap<usize, (String, Vec<f64>)> = BTreeMap::new();
    for _ in 0..RUNS {
        let number = RunRequest::new("nips", 50).submit(&store).expect("a run");
        let run = store.run(number).expect("its row");
        let reporter = Reporter::new(store.path(), number, Arc::default());
        do_work(&mut store, &run, &reporter, || FINISHED).expect("topics");
        reporter.write(&mut store).expect("stages");
        for (position, stage) in store.stages(number).expect("stages").into_iter().enumerate() {
            let entry = seconds.entry(position).or_insert_with(|| (stage.name, Vec::new()));
            entry.1.push(stage.seconds.unwrap_or_default());
        }
    }
    let mut total = 0.0;
    for (name, mut times) in seconds.into_values() {
        times.sort_by(f64::total_cmp);
        total += times[times.len() / 2];
        println!("{name:10} {:6.3} s", times[times.len() / 2]);
    }
    println!("{:10} {total:6.3} s", "all");
}

//! The experiments of Ding et al. 2013 and 2015 on corpora with known truth, as Markdown tables.
//!
//! `cargo bench --bench ding -- [figure2] [baselines] [swimmer] [semi] [cost]`; without a name all of them. `semi`
//! needs the UCI NIPS corpus: TOPOI_NIPS=DIRECTORY, the directory holding docword.nips.txt.gz and
//! vocab.nips.txt; without it, it says so and measures nothing. `figure2` takes long.
//!
//! Every corpus is written, ingested and run like a user's. Models in the lists here that this
//! version of topoi lacks are left out of the tables; a model that fails on a corpus has a dash
//! there, and says why on standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod cost;
mod figure2;
mod laboratory;
mod semi;
mod swimmer;

/// The experiments, in the order they are made.
const EXPERIMENTS: &[(&str, fn())] = &[
    ("figure2", figure2::measure),
    ("baselines", figure2::baselines),
    ("swimmer", swimmer::measure),
    ("semi", semi::measure),
    ("cost", cost::measure),
];

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_known = |name: &String| EXPERIMENTS.iter().any(|(known, _)| known == name);
    if let Some(strange) = chosen.iter().find(|name| !is_known(name)) {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|(name, _)| *name).collect();
        println!("ding: there is no experiment {strange:?}; there are {}", names.join(", "));
        return;
    }
    for (name, measure) in EXPERIMENTS {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            measure();
        }
    }
}

//! Lee, Cho, Dong, Mimno and Bindel 2021.

pub mod hulls;
pub mod steps;
pub mod topics;
pub mod vocabularies;
pub mod words;

use super::ding2013::Method;
use super::laboratory::Laboratory;
use topoi_store::id::RunId;

/// The UCI file.
pub const NIPS: &str = "docword.nips.txt.gz";
/// Stages of a model, without what a run does around it.
pub const MODEL: &[&str] = &["form", "factorise", "rectify", "topics", "refine"];

/// The five methods under the paper's names, with its settings; and `lr-jsmf` as it is here.
pub const METHODS: &[Method] = &[
    ("AW", "aw"),
    ("PALM", "palm --as paper"),
    ("ENN", "enn --as paper"),
    ("LR-JSMF", "lr-jsmf --as paper"),
    ("LR-JSMF, all rows", "lr-jsmf --as paper --rows 1000000"),
    ("LR-JSMF, as here", "lr-jsmf"),
    ("AP, 50", "raw --as paper --iterations 50"),
];

/// AP until it converges, where it is compared with.
pub const CONVERGED: Method = ("AP", "raw --as paper");

/// Whether another seed could lead a method to other topics. The others start a Krylov method at random and go on until it
/// has converged.
pub fn is_random(name: &str) -> bool {
    name.starts_with("LR-JSMF")
}

/// The seven measures and what tables call them.
pub const MEASURES: &[(&str, &str)] = &[
    ("relative_recovery", "recovery"),
    ("relative_approximation", "approximation"),
    ("relative_dominancy", "dominancy"),
    ("specificity", "specificity"),
    ("dissimilarity", "dissimilarity"),
    ("log_relative_volume", "log volume"),
    ("mst_incoherence", "MST-incoherence"),
];

/// The measures of the last run and the processor time of its model.
pub fn measures(laboratory: &Laboratory, run: RunId) -> Vec<Option<f64>> {
    let measured = MEASURES.iter().map(|(name, _)| laboratory.metric(run, name));
    measured.chain([Some(laboratory.seconds(run, MODEL))]).collect()
}

/// The heads of a table of measures.
pub fn heads(first: &'static str) -> Vec<&'static str> {
    let names = MEASURES.iter().map(|(_, title)| *title);
    std::iter::once(first).chain(names).chain(["seconds"]).collect()
}

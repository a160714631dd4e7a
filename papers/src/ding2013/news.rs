//! Tables 2 and 8 to 11: topics of the New York Times by RP and RecL2.

use super::side_by_side::{Found, SAME, every_topic, fitted, summary};
use super::{Method, RECOVER_L2};
use crate::ding2015::NEWS;
use crate::ding2015::topics::{THEMES, by_theme, seeds_with};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Claim, Saved};

/// The methods of the tables, Gibbs first: the others' topics are put beside its.
const COMPARED: &[Method] = &[
    ("lda-gibbs", "lda-gibbs --alpha 0.1 --beta 0.1"),
    ("RP, as 2013", "rp-doc --as paper"),
    ("rp-doc", "rp-doc"),
    ("rp", "rp"),
    ("RecL2", RECOVER_L2),
];
/// Methods whose topics are all printed.
const PRINTED: [&str; 4] = ["lda-gibbs", "RP, as 2013", "rp", "RecL2"];
/// Words of a topic that are shown, as in the paper.
const SHOWN: usize = 7;

/// Fits the methods, and puts their topics beside the themes of the paper and beside each other.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (topics, terms) = if saved.quick { (50, 2000) } else { (100, 3000) };
    let seeds = saved.repeats(1, 3);
    saved.names(COMPARED);
    saved.about = format!(
        "small New York Times (9,172 articles of other years than the paper's 300,000), K = {topics}, {terms} terms (the paper: \
         15,000): the topic that gives the theme's words most probability, its first words, and that probability, of \
         seed 1; for how many of {seeds} seeds two of these words are the theme's; how many topics are also those of Gibbs of \
         the same seed (ℓ1 distance at most 1 of 2); and all topics of seed 1. RP of the paper is `rp-doc --as paper`."
    );
    let mut laboratory = Laboratory::of_file(NEWS)?;
    let all = fitted(&mut laboratory, COMPARED, (topics, terms, seeds))?;
    let papers: Vec<&Found> = all.iter().filter(|found| PRINTED.contains(&found.name)).collect();
    let [first, named] = by_theme(&all, seeds);
    let title = "Tables 8 to 11: every topic, each beside the one of lda-gibbs it is matched with";
    saved.tables = vec![first, named, summary(&all, seeds), every_topic(title, &papers, SHOWN)];
    Ok(())
}

/// What the paper says of the tables.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [_, named, summary, _] = saved.tables.as_slice() else { return Vec::new() };
    let same = |name: &str| summary.at(name, SAME);
    let mut claims = Vec::new();
    for name in ["RP, as 2013", "rp-doc", "rp"] {
        let (with, seeds) = seeds_with(named, name);
        let found = with.iter().filter(|&&count| 2 * count > seeds).count();
        claims.push(Claim::new(
            &format!("RP (`{name}`) has topics of weather, feeling, election and game"),
            "a case is a theme: with most seeds a topic has two of its words among the first",
            format!("seeds of {seeds} with such a topic: {}", told(&with)),
            (found, with.len()),
        ));
    }
    let (with, seeds) = seeds_with(named, "RecL2");
    let missing = with.iter().take(2).filter(|&&count| 2 * count <= seeds).count();
    claims.push(Claim::new(
        "topics on weather and emotions are missing in RecL2",
        "a case is a theme: not with most seeds a topic has two of its words among the first",
        format!("seeds of {seeds} with such a topic: {}", told(&with)),
        (missing, with.len().min(2)),
    ));
    let own: Vec<(&str, f64)> = ["RP, as 2013", "rp-doc", "rp"]
        .into_iter()
        .filter_map(|name| Some((name, same(name)?)))
        .collect();
    let of_rec = same("RecL2").unwrap_or_default();
    let shown: Vec<String> = own.iter().map(|(name, same)| format!("{name} {same:.2}")).collect();
    claims.push(Claim::new(
        "recognisable themes are more abundant with RP than with RecL2",
        "a case is RP as printed, `rp-doc` and `rp`: it has more of the topics of Gibbs than RecL2 has",
        format!("share of the topics of Gibbs: {}, RecL2 {of_rec:.2}", shown.join(", ")),
        (own.iter().filter(|(_, same)| *same > of_rec).count(), own.len()),
    ));
    claims
}

fn told(with: &[usize]) -> String {
    let each = THEMES.iter().zip(with).map(|((theme, _), count)| format!("{theme} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

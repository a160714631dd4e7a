//! Tables 1 and 4 to 7: topics of NIPS by RP, DDP, Gibbs and RecL2.

use super::side_by_side::{Found, NEAR, SAME, every_topic, first_words, fitted, summary};
use super::{Method, RECOVER_L2, RECOVER_L2_OF_ANY};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// K and W of the paper.
const TOPICS: usize = 40;
const TERMS: usize = 2500;
/// Words of a topic that are shown.
const SHOWN: usize = 7;
/// The themes of table 1, each by words of the paper's.
const THEMES: &[(&str, &[&str])] = &[
    ("chip design", &["chip", "circuit", "analog", "vlsi", "voltage"]),
    ("visual cortex", &["visual", "cells", "cortex", "orientation", "cortical"]),
    ("learning", &["training", "error", "generalization", "learning", "test"]),
    ("speech", &["speech", "recognition", "hmm", "speaker", "word"]),
];
/// The methods, Gibbs first: the others' topics are put beside its.
const COMPARED: &[Method] = &[
    ("lda-gibbs", "lda-gibbs --alpha 0.1 --beta 0.1"),
    ("rp", "rp"),
    ("ddp", "ddp"),
    ("RecL2", RECOVER_L2),
    ("rp, as 2015", "rp --as paper"),
    ("ddp, as 2013", "ddp --as paper"),
    ("aw", "aw"),
    ("RecL2, any word", RECOVER_L2_OF_ANY),
];

/// Fits all methods and puts their topics beside each other.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(1, 3);
    saved.names(COMPARED);
    saved.about = format!(
        "K = {TOPICS}, W = {TERMS}, on all 2,483 papers of the UCI file (the paper had 1,700, and \
         chose its words otherwise); the {SHOWN} most probable words of each topic, of seed 1. Topics of two \
         methods count as the same where their ℓ1 distance is at most {NEAR} of 2: means ± deviations over \
         {seeds} seeds, each beside Gibbs of the same seed, and Gibbs beside that of another."
    );
    let mut laboratory = Laboratory::of_file("docword.nips.txt.gz")?;
    let all = fitted(&mut laboratory, COMPARED, (TOPICS, TERMS, seeds))?;
    let papers: Vec<&Found> = all.iter().take(4).collect();
    let title = "Tables 4 to 7: every topic, each beside the one of lda-gibbs it is matched with";
    saved.tables = vec![themes(&all), summary(&all, seeds), every_topic(title, &papers, SHOWN)];
    Ok(())
}

/// Table 1: the topic of each method that gives the words of a theme most probability.
fn themes(all: &[Found]) -> Table {
    let names: Vec<&str> = all.iter().map(|found| found.name).collect();
    let mut table = Table::new(
        "Table 1: the topic that gives the theme's words most probability, and that probability",
        &[&["theme"][..], &names].concat(),
        1,
        3,
    );
    for (theme, words) in THEMES {
        let on_theme = |topic: &Vec<(String, f64)>| -> f64 {
            topic.iter().filter(|(word, _)| words.contains(&word.as_str())).map(|&(_, p)| p).sum()
        };
        let best = |found: &Found| {
            let topic =
                found.topics(1).iter().max_by(|a, b| on_theme(a).total_cmp(&on_theme(b)))?;
            Some(Cell::words(format!("{} ({:.2})", first_words(topic, SHOWN), on_theme(topic))))
        };
        let cells = all.iter().map(|found| best(found).unwrap_or_else(|| Cell::words("–")));
        table.push(theme, cells.collect());
    }
    table
}

/// What the paper says of the tables.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [themes, summary, _] = saved.tables.as_slice() else { return Vec::new() };
    let same = |name: &str| summary.at(name, SAME);
    let names: Vec<&str> = summary.rows.iter().map(|row| row.name.as_str()).collect();
    let counts: Vec<String> =
        names.iter().filter_map(|name| Some(format!("{name} {:.2}", same(name)?))).collect();
    let npmi = |name: &str| summary.at(name, "NPMI").unwrap_or(f64::NAN);
    let aw = same("RecL2").unwrap_or(0.0);
    let of: Vec<f64> = ["rp", "ddp"].iter().filter_map(|name| same(name)).collect();
    let chip = themes.rows.first().and_then(|row| {
        let at = themes.head.iter().position(|name| name == "RecL2")?;
        match &row.cells[at - 1] {
            Cell::Words(words) => Some(words.clone()),
            Cell::Values(_) => None,
        }
    });
    let chip = chip.unwrap_or_default();
    let has_chip = chip.contains("chip") || chip.contains("circuit");
    vec![
        Claim::new(
            "most topics of RP and DDP are also found by Gibbs",
            &format!(
                "a case is `rp` and `ddp`: over half of the topics of Gibbs have one of theirs within ℓ1 {NEAR}"
            ),
            format!(
                "share of the {TOPICS} topics of Gibbs that have one within ℓ1 {NEAR}: {}",
                counts.join(", ")
            ),
            (of.iter().filter(|&&same| same > 0.5).count(), of.len()),
        ),
        Claim::new(
            "recognisable themes are more abundant with RP and DDP than with RecL2",
            "a case is `rp` and `ddp`: it has more of the topics of Gibbs than RecL2 has",
            format!(
                "shared with Gibbs: see above; NPMI rp {:.3}, ddp {:.3}, RecL2 {:.3}, Gibbs {:.3}",
                npmi("rp"),
                npmi("ddp"),
                npmi("RecL2"),
                npmi("lda-gibbs")
            ),
            (of.iter().filter(|&&same| same > aw).count(), of.len()),
        ),
        Claim::new(
            "RecL2 has no topic of chip design",
            "neither chip nor circuit is among the first words of its topic nearest to the theme",
            format!("its nearest: {chip}"),
            (usize::from(!has_chip), 1),
        ),
    ]
}

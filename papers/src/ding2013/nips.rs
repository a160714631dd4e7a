//! Tables 1 and 4 to 7: topics of NIPS by RP, DDP, Gibbs and RecL2.

use ndarray::Array2;
use topoi_core::linalg::assignment::assignment;

use super::{Method, claim};
use crate::laboratory::Laboratory;
use topoi_papers::pages::saved::{Cell, Claim, Saved, Table};

/// K and W of the paper.
const TOPICS: usize = 40;
const TERMS: usize = 2500;
/// Words of a topic that are shown.
const SHOWN: usize = 7;
/// The head of the column of shares.
const SAME: &str = "share of the topics of Gibbs";
/// l1 distance up to which topics of two methods are taken for the same.
const NEAR: f64 = 1.0;
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
    ("RecL2", "aw --anchors arora"),
    ("rp, as 2015", "rp --as paper"),
    ("ddp, as 2013", "ddp --as paper"),
    ("aw", "aw"),
];

/// Words with their probabilities, for each topic.
type Topics = Vec<Vec<(String, f64)>>;

/// The runs of a method, one for each seed it could be made with.
struct Found {
    name: &'static str,
    /// Seed, NPMI and topics.
    runs: Vec<(u64, f64, Topics)>,
}

impl Found {
    /// The topics of this seed; those of another where it has none.
    fn topics(&self, seed: u64) -> &Topics {
        let of_seed = self.runs.iter().find(|run| run.0 == seed);
        &of_seed.unwrap_or(&self.runs[0]).2
    }
}

/// Fits all methods and puts their topics beside each other.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(1, 3);
    saved.about = format!(
        "K = {TOPICS}, W = {TERMS}, on all 2,483 papers of the UCI file (the paper had 1,700, and \
         chose its words otherwise); the {SHOWN} most probable words of each topic, of seed 1. Topics of two \
         methods count as the same where their ℓ1 distance is at most {NEAR} of 2: means ± deviations over \
         {seeds} seeds, each beside Gibbs of the same seed, and Gibbs beside that of another."
    );
    let mut laboratory = Laboratory::of_file("docword.nips.txt.gz")?;
    let mut all = Vec::new();
    for (name, method) in COMPARED {
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            let method = format!("{method} --terms {TERMS}");
            let Some(run) = laboratory.tried(&method, TOPICS, seed) else { continue };
            let npmi = laboratory.metric(run, "npmi").unwrap_or(f64::NAN);
            runs.push((seed, npmi, laboratory.words(run, TERMS)?));
        }
        if !runs.is_empty() {
            all.push(Found { name, runs });
        }
    }
    saved.tables = vec![themes(&all), summary(&all, seeds), every_topic(&all)];
    Ok(())
}

fn first_words(topic: &[(String, f64)]) -> String {
    topic.iter().take(SHOWN).map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
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
            Some(Cell::words(format!("{} ({:.2})", first_words(topic), on_theme(topic))))
        };
        let cells = all.iter().map(|found| best(found).unwrap_or_else(|| Cell::words("–")));
        table.push(theme, cells.collect());
    }
    table
}

/// How many topics of each method are those of Gibbs, and how coherent they are.
fn summary(all: &[Found], seeds: u64) -> Table {
    let title = format!("Topics that are also those of {}", all[0].name);
    let head = ["method", SAME, "mean l1 distance of matched topics", "NPMI"];
    let mut table = Table::new(title, &head, seeds as usize, 3);
    for found in all {
        let mut values = [const { Vec::new() }; 3];
        for (seed, npmi, topics) in &found.runs {
            values[2].push(*npmi);
            let is_gibbs = found.name == all[0].name;
            let other = if is_gibbs { seed % seeds + 1 } else { *seed };
            if is_gibbs && seeds == 1 {
                continue;
            }
            let pairs = matched(all[0].topics(other), topics);
            let same = pairs.iter().filter(|pair| pair.1 <= NEAR).count();
            values[0].push(same as f64 / TOPICS as f64);
            values[1].push(pairs.iter().map(|pair| pair.1).sum::<f64>() / pairs.len() as f64);
        }
        table.push(found.name, values.map(|values| Cell::Values(values).rounded()).into());
    }
    table
}

/// Tables 4 to 7: every topic, those of one line matched.
fn every_topic(all: &[Found]) -> Table {
    let papers: Vec<&Found> = all.iter().take(4).collect();
    let names: Vec<&str> = papers.iter().map(|found| found.name).collect();
    let title = "Tables 4 to 7: every topic, each beside the one of lda-gibbs it is matched with";
    let mut table = Table::new(title, &[&["topic"][..], &names].concat(), 1, 0);
    let pairs: Vec<Vec<(usize, f64)>> =
        papers.iter().map(|found| matched(papers[0].topics(1), found.topics(1))).collect();
    for number in 0..papers[0].topics(1).len() {
        let cell = |(found, pairs): (&&Found, &Vec<(usize, f64)>)| {
            let topic = pairs.get(number).and_then(|pair| found.topics(1).get(pair.0));
            Cell::words(topic.map_or("–".into(), |topic| first_words(topic)))
        };
        table.push(number, papers.iter().zip(&pairs).map(cell).collect());
    }
    table
}

/// The topic of `other` for each of `first`, and their l1 distance, the sum of all the least.
fn matched(first: &Topics, other: &Topics) -> Vec<(usize, f64)> {
    let maps: Vec<std::collections::HashMap<&str, f64>> = other
        .iter()
        .map(|topic| topic.iter().map(|(word, p)| (word.as_str(), *p)).collect())
        .collect();
    let distance = |i: usize, j: usize| {
        let shared: f64 = first[i]
            .iter()
            .map(|(word, p)| p.min(maps[j].get(word.as_str()).copied().unwrap_or(0.0)))
            .sum();
        2.0 - 2.0 * shared
    };
    let distances = Array2::from_shape_fn((first.len(), other.len()), |(i, j)| distance(i, j));
    let found = assignment(&distances.mapv(|distance| -distance)).into_iter().enumerate();
    found.filter_map(|(i, j)| Some((j?, distances[(i, j?)]))).collect()
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
        claim(
            "most topics of RP and DDP are also found by Gibbs",
            format!(
                "share of the {TOPICS} topics of Gibbs that have one within ℓ1 {NEAR}: {}",
                counts.join(", ")
            ),
            (of.iter().filter(|&&same| same > 0.5).count(), of.len()),
        ),
        claim(
            "recognisable themes are more abundant with RP and DDP than with RecL2",
            format!(
                "shared with Gibbs: see above; NPMI rp {:.3}, ddp {:.3}, RecL2 {:.3}, Gibbs {:.3}",
                npmi("rp"),
                npmi("ddp"),
                npmi("RecL2"),
                npmi("lda-gibbs")
            ),
            (of.iter().filter(|&&same| same > aw).count(), of.len()),
        ),
        claim(
            "RecL2 has no topic of chip design",
            format!("its nearest: {chip}"),
            (usize::from(!has_chip), 1),
        ),
    ]
}

//! Tables 1 and 4 to 7: topics of NIPS by RP, DDP, Gibbs and RecL2.

use ndarray::Array2;
use topoi::linalg::assignment::assignment;

use super::{Method, claim};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// K and W of the paper.
const TOPICS: usize = 40;
const TERMS: usize = 2500;
/// Words of a topic that are shown.
const SHOWN: usize = 7;
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

/// The topics of a method.
struct Found {
    name: &'static str,
    npmi: f64,
    topics: Vec<Vec<(String, f64)>>,
}

/// Fits all methods and puts their topics beside each other.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    saved.about = format!(
        "K = {TOPICS}, W = {TERMS}, seed 1, on all 2,483 papers of the UCI file (the paper had 1,700, and \
         chose its words otherwise); the {SHOWN} most probable words of each topic. Topics of two methods \
         count as the same where their ℓ1 distance is at most {NEAR} of 2."
    );
    let mut laboratory = Laboratory::of_file("docword.nips.txt.gz")?;
    let mut all = Vec::new();
    for (name, method) in COMPARED {
        let Some(run) = laboratory.tried(&format!("{method} --terms {TERMS}"), TOPICS, 1) else {
            continue;
        };
        let topics = laboratory.words(run, TERMS)?;
        let npmi = laboratory.metric(run, "npmi").unwrap_or(f64::NAN);
        all.push(Found { name, npmi, topics });
    }
    saved.tables = vec![themes(&all), summary(&all), every_topic(&all)];
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
            let topic = found.topics.iter().max_by(|a, b| on_theme(a).total_cmp(&on_theme(b)))?;
            Some(Cell::words(format!("{} ({:.2})", first_words(topic), on_theme(topic))))
        };
        let cells = all.iter().map(|found| best(found).unwrap_or_else(|| Cell::words("–")));
        table.push(theme, cells.collect());
    }
    table
}

/// How many topics of each method are those of Gibbs, and how coherent they are.
fn summary(all: &[Found]) -> Table {
    let title = format!("Topics that are also those of {}, of {TOPICS}", all[0].name);
    let head = ["method", "the same", "mean l1 distance of matched topics", "NPMI"];
    let mut table = Table::new(title, &head, 1, 3);
    for found in all {
        let pairs = matched(&all[0].topics, &found.topics);
        let same = pairs.iter().filter(|pair| pair.1 <= NEAR).count();
        let mean = pairs.iter().map(|pair| pair.1).sum::<f64>() / pairs.len() as f64;
        table.push(found.name, vec![Cell::words(same), Cell::one(mean), Cell::one(found.npmi)]);
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
        papers.iter().map(|found| matched(&papers[0].topics, &found.topics)).collect();
    for number in 0..papers[0].topics.len() {
        let cell = |(found, pairs): (&&Found, &Vec<(usize, f64)>)| {
            let topic = pairs.get(number).and_then(|pair| found.topics.get(pair.0));
            Cell::words(topic.map_or("–".into(), |topic| first_words(topic)))
        };
        table.push(number, papers.iter().zip(&pairs).map(cell).collect());
    }
    table
}

/// The topic of `other` for each of `first`, and their l1 distance, the sum of all the least.
fn matched(first: &[Vec<(String, f64)>], other: &[Vec<(String, f64)>]) -> Vec<(usize, f64)> {
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
    let same = |name: &str| {
        let row = summary.rows.iter().find(|row| row.name == name)?;
        match &row.cells[0] {
            Cell::Words(count) => count.parse::<usize>().ok(),
            Cell::Values(_) => None,
        }
    };
    let names: Vec<&str> = summary.rows.iter().skip(1).map(|row| row.name.as_str()).collect();
    let counts: Vec<String> =
        names.iter().filter_map(|name| Some(format!("{name} {}", same(name)?))).collect();
    let npmi = |name: &str| summary.at(name, "NPMI").unwrap_or(f64::NAN);
    let aw = same("RecL2").unwrap_or(0);
    let of: Vec<usize> = ["rp", "ddp"].iter().filter_map(|name| same(name)).collect();
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
                "of {TOPICS} topics of Gibbs these have one within ℓ1 {NEAR}: {}",
                counts.join(", ")
            ),
            (of.iter().filter(|&&same| 2 * same > TOPICS).count(), of.len()),
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

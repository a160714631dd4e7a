//! Topics of real text by several methods, beside each other.

use ndarray::Array2;
use topoi_core::linalg::assignment::assignment;

use super::Method;
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Table};

/// The head of the column of shares.
pub const SAME: &str = "share of the topics of Gibbs";
/// l1 distance up to which topics of two methods are taken for the same.
pub const NEAR: f64 = 1.0;

/// Words with their probabilities, for each topic.
pub type Topics = Vec<Vec<(String, f64)>>;

/// The runs of a method, one for each seed it could be made with.
pub struct Found {
    /// What tables call the method.
    pub name: &'static str,
    /// Seed, NPMI and topics.
    pub runs: Vec<(u64, f64, Topics)>,
}

impl Found {
    /// The topics of this seed; those of another where it has none.
    pub fn topics(&self, seed: u64) -> &Topics {
        let of_seed = self.runs.iter().find(|run| run.0 == seed);
        &of_seed.unwrap_or(&self.runs[0]).2
    }
}

/// Fits the methods with each seed; those that fail with all are left out.
pub fn fitted(
    laboratory: &mut Laboratory,
    methods: &[Method],
    (topics, terms, seeds): (usize, usize, u64),
) -> Result<Vec<Found>, String> {
    let mut all = Vec::new();
    for &(name, method) in methods {
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            let method = format!("{method} --terms {terms}");
            let Some(run) = laboratory.tried(&method, topics, seed) else { continue };
            let npmi = laboratory.metric(run, "npmi").unwrap_or(f64::NAN);
            runs.push((seed, npmi, laboratory.words(run, terms)?));
        }
        if !runs.is_empty() {
            all.push(Found { name, runs });
        }
    }
    Ok(all)
}

/// The first words of a topic.
pub fn first_words(topic: &[(String, f64)], count: usize) -> String {
    topic.iter().take(count).map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
}

/// How many topics of each method are those of Gibbs, and how coherent they are.
pub fn summary(all: &[Found], seeds: u64) -> Table {
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
            values[0].push(same as f64 / topics.len() as f64);
            values[1].push(pairs.iter().map(|pair| pair.1).sum::<f64>() / pairs.len() as f64);
        }
        table.push(found.name, values.map(|values| Cell::Values(values).rounded()).into());
    }
    table
}

/// Every topic of seed 1, each beside the one of the first method it is matched with: its first words, `shown` of them.
pub fn every_topic(title: &str, papers: &[&Found], shown: usize) -> Table {
    let names: Vec<&str> = papers.iter().map(|found| found.name).collect();
    let mut table = Table::new(title, &[&["topic"][..], &names].concat(), 1, 0);
    let pairs: Vec<Vec<(usize, f64)>> =
        papers.iter().map(|found| matched(papers[0].topics(1), found.topics(1))).collect();
    for number in 0..papers[0].topics(1).len() {
        let cell = |(found, pairs): (&&Found, &Vec<(usize, f64)>)| {
            let topic = pairs.get(number).and_then(|pair| found.topics(1).get(pair.0));
            Cell::words(topic.map_or("–".into(), |topic| first_words(topic, shown)))
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

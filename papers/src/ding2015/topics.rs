//! Table II: topics of the New York Times by RP.

use super::NEWS;
use crate::ding2013::{Method, claim};
use crate::laboratory::Laboratory;
use topoi_papers::pages::saved::{Cell, Claim, Row, Saved, Table};

/// The themes of the table, each by words of the paper's that are no names of 2000.
const THEMES: &[(&str, &[&str])] = &[
    ("weather", &["weather", "wind", "air", "storm", "rain", "cold"]),
    ("feeling", &["feeling", "sense", "love", "character", "heart", "emotion"]),
    ("election", &["election", "ballot", "vote", "recount", "votes", "voters"]),
    ("game", &["yard", "game", "team", "season", "play", "nfl"]),
];
/// Words of a topic that are shown.
const SHOWN: usize = 6;
/// The methods.
const COMPARED: &[Method] = &[("rp", "rp"), ("rp, as 2015", "rp --as paper")];

/// Finds the topic of each theme.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms) = if saved.quick { (50, 2000) } else { (100, 3000) };
    let seeds = saved.repeats(1, 3);
    saved.about = format!(
        "small New York Times (9,172 articles of other years than the paper's 300,000), K = {k}, {terms} terms: \
         the topic that gives the theme's words most probability, its {SHOWN} first words, and that probability, of \
         seed 1; and for how many of {seeds} seeds two of these words are the theme's."
    );
    let mut laboratory = Laboratory::of_file(NEWS)?;
    let names: Vec<&str> = COMPARED.iter().map(|(name, _)| *name).collect();
    let heads = [&["theme"][..], &names].concat();
    let mut first = Table::new("Topics by theme", &heads, 1, 3);
    let mut named =
        Table::new(format!("Seeds, of {seeds}, with a topic of the theme"), &heads, 1, 0);
    let mut cells = vec![Vec::new(); THEMES.len()];
    let mut counts = vec![Vec::new(); THEMES.len()];
    for (_, method) in COMPARED {
        let mut found = Vec::new();
        for seed in 1..=seeds {
            let run = laboratory.tried(&format!("{method} --terms {terms}"), k, seed);
            found.extend(run.map(|run| laboratory.words(run, terms)).transpose()?);
        }
        for (at, (_, words)) in THEMES.iter().enumerate() {
            let best: Vec<Topic> =
                found.iter().filter_map(|topics| of_theme(topics, words)).collect();
            cells[at]
                .push(Cell::words(best.first().map_or("–".into(), |topic| topic.shown.clone())));
            let count = best.iter().filter(|topic| topic.of_theme >= 2).count();
            counts[at].push(Cell::words(count));
        }
    }
    for ((theme, _), (cells, counts)) in THEMES.iter().zip(cells.into_iter().zip(counts)) {
        first.push(theme, cells);
        named.push(theme, counts);
    }
    saved.tables = vec![first, named];
    Ok(())
}

/// The topic of a theme.
struct Topic {
    /// Its first words, and the probability of the theme's words.
    shown: String,
    /// How many of its first words are the theme's.
    of_theme: usize,
}

/// The topic that gives these words most probability.
fn of_theme(topics: &[Vec<(String, f64)>], words: &[&str]) -> Option<Topic> {
    let is_own = |word: &str| words.contains(&word);
    let on_theme = |topic: &[(String, f64)]| -> f64 {
        topic.iter().filter(|(word, _)| is_own(word)).map(|&(_, p)| p).sum()
    };
    let topic = topics.iter().max_by(|a, b| on_theme(a).total_cmp(&on_theme(b)))?;
    let first: Vec<&str> = topic.iter().take(SHOWN).map(|(word, _)| word.as_str()).collect();
    let of_theme = first.iter().filter(|word| is_own(word)).count();
    Some(Topic { shown: format!("{} ({:.3})", first.join(" "), on_theme(topic)), of_theme })
}

/// What the paper says of the table.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [_, named] = saved.tables.as_slice() else { return Vec::new() };
    let of_method = |(at, (name, _)): (usize, &Method)| {
        let count = |row: &Row| match row.cells.get(at) {
            Some(Cell::Words(count)) => count.parse::<usize>().unwrap_or(0),
            _ => 0,
        };
        let told: Vec<String> =
            named.rows.iter().map(|row| format!("{} {}", row.name, count(row))).collect();
        let here = format!(
            "`{name}` has a topic with two of the theme's words among its first {SHOWN} in so many runs: {}",
            told.join(", ")
        );
        let found = named.rows.iter().filter(|row| count(row) > 0).count();
        let said = "RP finds topics that can be labelled weather, feeling, election, game";
        claim(said, here, (found, named.rows.len()))
    };
    COMPARED.iter().enumerate().map(of_method).collect()
}

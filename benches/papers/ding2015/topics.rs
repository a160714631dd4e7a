//! Table II: topics of the New York Times by RP.

use super::NEWS;
use crate::ding2013::{Method, claim};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// The themes of the table, each by words of the paper's that are no names of 2000.
const THEMES: &[(&str, &[&str])] = &[
    ("weather", &["weather", "wind", "air", "storm", "rain", "cold"]),
    ("feeling", &["feeling", "sense", "love", "character", "heart", "emotion"]),
    ("election", &["election", "ballot", "vote", "recount", "votes", "voters"]),
    ("game", &["yard", "game", "team", "season", "play", "nfl"]),
];
/// The methods.
const COMPARED: &[Method] = &[("rp", "rp"), ("rp, as 2015", "rp --as paper")];

/// Finds the topic of each theme.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms) = if saved.quick { (50, 2000) } else { (100, 5000) };
    saved.about = format!(
        "small New York Times (9,172 articles of other years than the paper's 300,000), K = {k}, {terms} terms, \
         seed 1: the topic that gives the theme's words most probability, its 6 first words, and that \
         probability."
    );
    let mut laboratory = Laboratory::of_file(NEWS)?;
    let mut found = Vec::new();
    for (name, method) in COMPARED {
        let run = laboratory.tried(&format!("{method} --terms {terms}"), k, 1);
        if let Some(run) = run {
            found.push((*name, laboratory.words(run, terms)?));
        }
    }
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    let heads = [&["theme"][..], &names].concat();
    let mut table = Table::new("Topics by theme", &heads, 1, 3);
    for (theme, words) in THEMES {
        let on_theme = |topic: &Vec<(String, f64)>| -> f64 {
            topic.iter().filter(|(word, _)| words.contains(&word.as_str())).map(|&(_, p)| p).sum()
        };
        let cell = |topics: &Vec<Vec<(String, f64)>>| {
            let best = topics.iter().max_by(|a, b| on_theme(a).total_cmp(&on_theme(b)));
            Cell::words(best.map_or("–".into(), |topic| {
                let first: Vec<&str> =
                    topic.iter().take(6).map(|(word, _)| word.as_str()).collect();
                format!("{} ({:.3})", first.join(" "), on_theme(topic))
            }))
        };
        table.push(theme, found.iter().map(|(_, topics)| cell(topics)).collect());
    }
    saved.tables.push(table);
    Ok(())
}

/// What the paper says of the table.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let has = |row: &&crate::pages::saved::Row| match &row.cells[0] {
        Cell::Words(words) => {
            let theme = THEMES.iter().find(|(name, _)| *name == row.name);
            let shown =
                theme.map_or(0, |(_, own)| words.split(' ').filter(|w| own.contains(w)).count());
            shown >= 2
        }
        Cell::Values(_) => false,
    };
    let named: Vec<&str> = table.rows.iter().filter(has).map(|row| row.name.as_str()).collect();
    let here = format!(
        "`rp` has a topic with two of the theme's words among its first 6 for: {}",
        named.join(", ")
    );
    vec![claim(
        "RP finds topics that can be labelled weather, feeling, election, game",
        here,
        (named.len(), table.rows.len()),
    )]
}

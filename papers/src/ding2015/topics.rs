//! Table II: topics of the New York Times by RP.

use super::NEWS;
use crate::ding2013::Method;
use crate::ding2013::side_by_side::{Found, fitted};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Row, Saved, Table};

/// The themes of the table, each by words of the paper's that are no names of 2000.
pub const THEMES: &[(&str, &[&str])] = &[
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
    let seeds = saved.repeats(1, 5);
    saved.names(COMPARED);
    saved.about = format!(
        "small New York Times (9,172 articles of other years than the paper's 300,000), K = {k}, {terms} terms: \
         the topic that gives the theme's words most probability, its {SHOWN} first words, and that probability, of \
         seed 1; and for how many of {seeds} seeds two of these words are the theme's."
    );
    let mut laboratory = Laboratory::of_file(NEWS)?;
    saved.tables = by_theme(&fitted(&mut laboratory, COMPARED, (k, terms, seeds))?, seeds).into();
    Ok(())
}

/// The topic of each theme by each method, and for how many seeds its words are among the first.
pub fn by_theme(all: &[Found], seeds: u64) -> [Table; 2] {
    let names: Vec<&str> = all.iter().map(|found| found.name).collect();
    let heads = [&["theme"][..], &names].concat();
    let mut first = Table::new("Topics by theme", &heads, 1, 3);
    let mut named =
        Table::new(format!("Seeds, of {seeds}, with a topic of the theme"), &heads, 1, 0);
    for (theme, words) in THEMES {
        let best = |found: &Found| -> Vec<Topic> {
            found.runs.iter().filter_map(|(.., topics)| of_theme(topics, words)).collect()
        };
        let best: Vec<Vec<Topic>> = all.iter().map(best).collect();
        let shown = |of: &Vec<Topic>| of.first().map_or("–".into(), |topic| topic.shown.clone());
        first.push(theme, best.iter().map(|of| Cell::words(shown(of))).collect());
        let count = |of: &Vec<Topic>| of.iter().filter(|topic| topic.of_theme >= 2).count();
        named.push(theme, best.iter().map(|of| Cell::words(count(of))).collect());
    }
    [first, named]
}

/// Of the table of seeds, those of each theme by one method, and of how many.
pub fn seeds_with(named: &Table, method: &str) -> (Vec<usize>, usize) {
    let seeds = named.title.split([' ', ',']).find_map(|word| word.parse().ok()).unwrap_or(1);
    let at = named.head.iter().position(|head| head == method).unwrap_or_default();
    let count = |row: &Row| match at.checked_sub(1).and_then(|at| row.cells.get(at)) {
        Some(Cell::Words(count)) => count.parse().ok(),
        _ => None,
    };
    (named.rows.iter().filter_map(count).collect(), seeds)
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
    let of_method = |(name, _): &Method| {
        let (with, seeds) = seeds_with(named, name);
        let each = THEMES.iter().zip(&with).map(|((theme, _), count)| format!("{theme} {count}"));
        let said = format!(
            "RP (`{name}`) finds topics that can be labelled weather, feeling, election, game"
        );
        let rule = format!(
            "a case is a theme: with most seeds a topic has two of its words among the first {SHOWN}"
        );
        let here = each.collect::<Vec<_>>().join(", ");
        let found = with.iter().filter(|&&count| 2 * count > seeds).count();
        let here = format!("seeds of {seeds} with such a topic: {here}");
        Claim::new(&said, &rule, here, (found, with.len()))
    };
    COMPARED.iter().map(of_method).collect()
}

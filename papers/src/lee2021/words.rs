//! Table 1: prominent and characteristic words of five topics of NIPS.

use topoi_store::id::RunId;
use topoi_store::result::topic::Word;

use super::NIPS;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Row, Saved, Table};

/// Vocabularies: a small one beside the paper's.
const TERMS: [usize; 2] = [2000, 10_000];
const TOPICS: usize = 5;
/// Words of each kind.
const SHOWN: usize = 6;

/// The head of the column of new words.
const NEW: &str = "new";

/// Prints the words of both vocabularies.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    // It has one size.
    saved.quick = false;
    let seeds = saved.repeats(3, 3);
    saved.about = format!(
        "NIPS, `lr-jsmf --as paper`, K = {TOPICS}: the {SHOWN} most probable words of each topic, and the \
         {SHOWN} that co-occur most with its anchor, of seed 1; `code` marks characteristic words that are not among the \
         prominent ones. How many those are, for each topic of {seeds} seeds, stands first."
    );
    let mut laboratory = Laboratory::of_file(NIPS)?;
    let title = format!("Characteristic words, of {SHOWN}, that are not prominent");
    let seeds_heads: Vec<String> = (1..=seeds).map(|seed| format!("seed {seed}")).collect();
    let heads: Vec<&str> =
        std::iter::once("terms").chain(seeds_heads.iter().map(String::as_str)).collect();
    let mut counts = Table::new(title, &heads, 1, 0);
    let mut shown = Vec::new();
    for terms in TERMS {
        let mut of_seeds = Vec::new();
        for seed in 1..=seeds {
            let method = format!("lr-jsmf --as paper --terms {terms}");
            let run = laboratory.run(&laboratory.request(&method, TOPICS, seed)?)?;
            let table = topics(&laboratory, run, terms)?;
            let new = table.rows.iter().filter_map(|row| table.mean(row, NEW));
            let new: Vec<String> = new.map(|count| count.to_string()).collect();
            of_seeds.push(Cell::words(new.join(", ")));
            if seed == 1 {
                shown.push(table);
            }
        }
        counts.push(terms, of_seeds);
    }
    saved.tables.push(counts);
    saved.tables.extend(shown);
    Ok(())
}

/// The words of each topic of a run.
fn topics(laboratory: &Laboratory, run: RunId, terms: usize) -> Result<Table, String> {
    let heads = ["anchor", "prominent words", "characteristic words", NEW];
    let mut table = Table::new(format!("{terms} terms"), &heads, 1, 0);
    for topic in laboratory.store.topics(run, SHOWN).map_err(text)? {
        let prominent: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        let shown = |word: &Word| match prominent.contains(&word.word.as_str()) {
            true => word.word.clone(),
            false => format!("`{}`", word.word),
        };
        let own: Vec<String> = topic.characteristic.iter().take(SHOWN).map(shown).collect();
        let new = own.iter().filter(|word| word.starts_with('`')).count();
        let cells = vec![
            Cell::words(prominent.join(" ")),
            Cell::words(own.join(" ")),
            Cell::Values(vec![new as f64]),
        ];
        table.push(topic.anchor.clone().unwrap_or("–".into()), cells);
    }
    Ok(table)
}

/// What the paper says of the table.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(counts) = saved.tables.first() else { return Vec::new() };
    let of = |row: &Row| -> Vec<f64> {
        let words = row.cells.iter().filter_map(|cell| match cell {
            Cell::Words(words) => Some(words),
            Cell::Values(_) => None,
        });
        words.flat_map(|words| words.split(", ").filter_map(|count| count.parse().ok())).collect()
    };
    let told = |row: &Row| {
        let all = of(row);
        let with = all.iter().filter(|&&count| count > 0.0).count();
        format!(
            "with {} terms {with} of {} topics have such words, {:.1} of {SHOWN} in the mean",
            row.name,
            all.len(),
            all.iter().sum::<f64>() / all.len() as f64
        )
    };
    let all: Vec<f64> = counts.rows.iter().flat_map(of).collect();
    let with = all.iter().filter(|&&count| count > 0.0).count();
    vec![Claim::new(
        "characteristic words add to the prominent ones and make topics more specific",
        "a case is a topic of a seed and a vocabulary: a characteristic word is not among the prominent ones",
        counts.rows.iter().map(told).collect::<Vec<_>>().join("; "),
        (with, all.len()),
    )]
}

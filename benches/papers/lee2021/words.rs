//! Table 1: prominent and characteristic words of five topics of NIPS.

use topoi::store::result::topic::Word;

use super::NIPS;
use crate::ding2013::claim;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// Vocabularies: a small one beside the paper's.
const TERMS: [usize; 2] = [2000, 10_000];
const TOPICS: usize = 5;
/// Words of each kind.
const SHOWN: usize = 6;

/// Prints the words of both vocabularies.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    // It has one size.
    saved.quick = false;
    saved.about = format!(
        "NIPS, `lr-jsmf --as paper`, K = {TOPICS}, seed 1: the {SHOWN} most probable words of each topic, and the \
         {SHOWN} that co-occur most with its anchor; `code` marks characteristic words that are not among the \
         prominent ones."
    );
    let mut laboratory = Laboratory::of_file(NIPS)?;
    for terms in TERMS {
        let request =
            laboratory.request(&format!("lr-jsmf --as paper --terms {terms}"), TOPICS, 1)?;
        let run = laboratory.run(&request)?;
        let mut table = Table::new(
            format!("{terms} terms"),
            &["anchor", "prominent words", "characteristic words", "new"],
            1,
            0,
        );
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
        saved.tables.push(table);
    }
    Ok(())
}

/// What the paper says of the table.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let new = |table: &Table| {
        table.rows.iter().map(|row| table.mean(row, "new").unwrap_or(0.0)).collect::<Vec<f64>>()
    };
    let told = |table: &Table| {
        let counts: Vec<String> = new(table).iter().map(|count| format!("{count}")).collect();
        format!("{} of {SHOWN} with {}", counts.join(", "), table.title)
    };
    let Some(large) = saved.tables.last() else { return Vec::new() };
    let with = new(large).iter().filter(|&&count| count > 0.0).count();
    vec![claim(
        "characteristic words add to the prominent ones and make topics more specific",
        format!(
            "words that are new: {}",
            saved.tables.iter().map(told).collect::<Vec<_>>().join("; ")
        ),
        (with, large.rows.len()),
    )]
}

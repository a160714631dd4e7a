//! Whether `palm` finds an anchor for every topic: a column of Y that its first step sets to 0 stays there, and a
//! topic is lost.

use super::NIPS;
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Saved, Table};

const TERMS: usize = 1000;
const ITERATIONS: usize = 100;
const TOPICS: [usize; 5] = [5, 10, 20, 50, 100];

/// Runs `palm` for growing K on three corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(1, 3);
    saved.about = format!(
        "`palm --iterations {ITERATIONS} --terms {TERMS}` on real text, mean ± deviation over {seeds} seeds; \
         the approximation is `relative_approximation`, seconds are processor time of the model alone."
    );
    let heads = TOPICS.map(|topics| format!("K = {topics}"));
    let heads: Vec<&str> =
        std::iter::once("corpus").chain(heads.iter().map(String::as_str)).collect();
    let titles = [
        ("Runs that find K anchors", 0),
        ("Approximation", 3),
        ("Relative change of Y in the last iteration", -1),
        ("Seconds", 1),
    ];
    let mut tables =
        titles.map(|(title, digits)| Table::new(title, &heads, seeds as usize, digits));
    tables[0].of = 1;
    for (name, file) in [
        ("NIPS", NIPS),
        ("New York Times", crate::ding2015::NEWS),
        ("20 Newsgroups", "20ng_counts.jsonl.gz"),
    ] {
        let mut laboratory = Laboratory::of_file(file)?;
        let mut cells = [const { Vec::new() }; 4];
        for topics in TOPICS {
            let mut values = [const { Vec::new() }; 3];
            let mut found = 0;
            for seed in 1..=seeds {
                let method = format!("palm --iterations {ITERATIONS} --terms {TERMS}");
                let Some(run) = laboratory.tried(&method, topics, seed) else { continue };
                found += 1;
                values[0].extend(laboratory.metric(run, "relative_approximation"));
                values[1].extend(laboratory.metric(run, "rectification_change"));
                values[2].push(laboratory.seconds(run, super::MODEL));
            }
            cells[0].push(Cell::words(format!("{found} of {seeds}")));
            for (cells, values) in cells[1..].iter_mut().zip(values) {
                cells.push(Cell::Values(values).rounded());
            }
        }
        for (table, cells) in tables.iter_mut().zip(cells) {
            table.push(name, cells);
        }
    }
    saved.tables = tables.into();
    Ok(())
}

/// What the paper takes for granted.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(found) = saved.tables.first() else { return Vec::new() };
    let (mut all, mut of) = (0, 0);
    for cell in found.rows.iter().flat_map(|row| &row.cells) {
        let Cell::Words(words) = cell else { continue };
        let mut counts = words.split(" of ").filter_map(|count| count.parse::<usize>().ok());
        all += counts.next().unwrap_or(0);
        of += counts.next().unwrap_or(0);
    }
    vec![Claim::new(
        "PALM gives a Y of rank K, with an anchor for each topic",
        "a case is a run: it finds K anchors",
        format!("{all} of {of} runs find K anchors, for K = 5 to 100"),
        (all, of),
    )]
}

//! Figure 6: solid angles in descending order, and the number of topics they tell.

use topoi::store::Store;
use topoi::synth::length::Length;
use topoi::synth::semi::{NovelWords, SemiSettings, semi};

use super::topics_of_news;
use crate::ding2013::claim;
use crate::ding2013::number_of_topics::{RULES, widest};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Thresholds of the paper's figure.
const DISTANCES: [f64; 5] = [0.05, 0.1, 1.0, 5.0, 10.0];

/// Measures angles and K̂ of semi-synthetic corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms, documents) = if saved.quick { (20, 1000, 5000) } else { (100, 5000, 200_000) };
    saved.about = format!(
        "solid angles q̂ of the words that win a direction, P = 150 K, for the ζ of the paper, on {documents} \
         documents of 300 tokens from {k} topics of `lda-gibbs` on small New York Times (the paper: 100 \
         topics, 2,000,000 documents); and K̂ for 61 values of ζ."
    );
    let (words, topics) = topics_of_news(k, terms)?;
    let mut told = Table::new(
        "K̂ by ζ: how many topics each ζ tells (a plateau is the widest range of ζ with the true K)",
        &["corpus, rule", "true K", "K̂ chosen", "ζ that tell the true K", "how wide"],
        1,
        1,
    );
    for (name, novel) in
        [("Semi-Syn+Novel", NovelWords::OnePerTopic), ("Semi-Syn", NovelWords::None)]
    {
        let from = "lda-gibbs on the New York Times".into();
        let (length, alpha, seed) = (Length::Fixed(300), 0.03, 1);
        let settings = SemiSettings { from, novel, documents, length, alpha, seed };
        let corpus = semi(words.clone(), topics.clone(), &settings).map_err(text)?;
        let mut laboratory = Laboratory::of_known(corpus)?;
        let mut series = Vec::new();
        for distance in DISTANCES {
            let method = format!("rp --distance {distance} --terms 1000000");
            let Some(run) = laboratory.tried(&method, k, 1) else { continue };
            series.push(Points {
                name: format!("ζ = {distance}"),
                at: angles(&laboratory.store, run)?,
            });
        }
        saved.pictures.push(Picture {
            title: format!("{name}: solid angles in descending order, K = {k}"),
            x: "place".into(),
            y: "solid angle".into(),
            logarithmic: (false, true),
            drawing: Drawing::Series(series),
        });
        tell(&mut told, &mut laboratory, &format!("{name}, K = {k}"), k)?;
    }
    saved.tables.push(told);
    Ok(())
}

/// Places and angles, at most 400 of them.
fn angles(store: &Store, run: i64) -> Result<Vec<(f64, f64)>, String> {
    let mut scores: Vec<f64> = store
        .novel_words(run, usize::MAX >> 1)
        .map_err(text)?
        .iter()
        .map(|word| word.score)
        .collect();
    scores.retain(|&score| score > 0.0);
    scores.sort_by(|a, b| b.total_cmp(a));
    let placed = scores.into_iter().take(400).enumerate();
    Ok(placed.map(|(at, score)| (at as f64 + 1.0, rounded(score))).collect())
}

fn tell(
    table: &mut Table,
    laboratory: &mut Laboratory,
    name: &str,
    k: usize,
) -> Result<(), String> {
    for (rule, method) in RULES {
        let method = format!("{method} --terms 1000000");
        let Some(run) = laboratory.tried(&method, k, 1) else { continue };
        let estimates = laboratory.store.topic_estimates(run).map_err(text)?;
        let chosen = laboratory.metric(run, "k_hat").map_or("–".into(), |k| format!("{k}"));
        let (range, width) = widest(&estimates, k)
            .map_or(("none".into(), Cell::Values(vec![])), |(from, to)| {
                (format!("{from:.3} to {to:.3}"), Cell::one(to / from))
            });
        let cells = vec![Cell::words(k), Cell::words(chosen), Cell::words(range), width];
        table.push(format!("{name}, {rule}"), cells);
    }
    Ok(())
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let of_rule = |rule: &str| {
        let rows: Vec<_> = table.rows.iter().filter(|row| row.name.ends_with(rule)).collect();
        let wide = rows.iter().filter(|row| row.cells[3].mean().unwrap_or(0.0) >= 10.0).count();
        let right = rows.iter().filter(|row| row.cells[1] == row.cells[0]).count();
        let here = format!(
            "by the rule of {rule}: a range 10 wide or more on {wide} of {} corpora, and K̂ is the true K on {right}",
            rows.len()
        );
        let said = "a range of ζ 50 wide tells the true K on both kinds of documents";
        claim(said, here, (wide, rows.len()))
    };
    RULES.map(|(rule, _)| of_rule(rule)).into()
}

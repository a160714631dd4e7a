//! Figure 6: solid angles in descending order, and the number of topics they tell.

use topoi::store::Store;
use topoi::synth::length::Length;
use topoi::synth::semi::{NovelWords, SemiSettings, semi};
use topoi::synth::separable::{SeparableSettings, separable};

use super::topics_of_news;
use crate::ding2013::{Method, claim};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Thresholds of the paper's figure.
const DISTANCES: [f64; 5] = [0.05, 0.1, 1.0, 5.0, 10.0];
/// How K̂ is told: by this program's rule, and as the paper prints it.
const RULES: [Method; 2] = [("rp", "rp"), ("line 16′ as printed", "rp --k-hat paper")];

/// Measures angles and K̂ of semi-synthetic and of separable corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms, documents, seeds) =
        if saved.quick { (20, 1000, 5000, 2) } else { (100, 5000, 200_000, 5) };
    saved.about = format!(
        "solid angles q̂ of the words that win a direction, P = 150 K, for the ζ of the paper, on {documents} \
         documents of 300 tokens from {k} topics of `lda-gibbs` on small New York Times (the paper: 100 \
         topics, 2,000,000 documents); and K̂ for 61 values of ζ on them and on separable corpora (W = 500, a \
         fifth novel, 20,000 documents of 100 tokens, {seeds} each)."
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
        tell(&mut told, &mut laboratory, &format!("{name}, K = {k}"), k, 1)?;
    }
    for &topics in if saved.quick { &[5, 10, 20][..] } else { &[5, 10, 20, 50] } {
        for seed in 1..=seeds {
            let (words, rho, alpha, length) = (500, 0.2, 0.1, Length::Fixed(100));
            let documents = 20_000;
            let settings = SeparableSettings { documents, words, topics, rho, length, alpha, seed };
            let mut laboratory = Laboratory::of_known(separable(&settings).map_err(text)?)?;
            tell(
                &mut told,
                &mut laboratory,
                &format!("separable {seed}, K = {topics}"),
                topics,
                seed,
            )?;
        }
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
    seed: u64,
) -> Result<(), String> {
    for (rule, method) in RULES {
        let method = format!("{method} --terms 1000000");
        let Some(run) = laboratory.tried(&method, k, seed) else { continue };
        let estimates = laboratory.store.topic_estimates(run).map_err(text)?;
        let mut runs: Vec<(f64, f64)> = Vec::new();
        let mut goes_on = false;
        for &(distance, topics) in &estimates {
            let is_right = topics == k as u64;
            match runs.last_mut() {
                Some(run) if is_right && goes_on => run.1 = distance,
                _ if is_right => runs.push((distance, distance)),
                _ => {}
            }
            goes_on = is_right;
        }
        let widest = runs.into_iter().max_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        let chosen = laboratory.metric(run, "k_hat").map_or("–".into(), |k| format!("{k}"));
        let (range, width) = widest.map_or(("none".into(), Cell::Values(vec![])), |(from, to)| {
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
    let of = |kind: &str, rule: &str| {
        let rows: Vec<_> = table
            .rows
            .iter()
            .filter(|row| row.name.starts_with(kind) && row.name.ends_with(rule))
            .collect();
        let wide = rows.iter().filter(|row| row.cells[3].mean().unwrap_or(0.0) >= 10.0).count();
        let right = rows.iter().filter(|row| row.cells[1] == row.cells[0]).count();
        (wide, right, rows.len())
    };
    let mut claims = Vec::new();
    for (rule, _) in RULES {
        for (kind, said) in [
            ("Semi-Syn", "a range of ζ 50 wide tells the true K on both kinds of documents"),
            ("separable", "(not in the paper) the same on separable corpora"),
        ] {
            let (wide, right, rows) = of(kind, rule);
            if rows > 0 {
                let here = format!(
                    "by the rule of {rule}: a range 10 wide or more on {wide} of {rows} corpora, and K̂ is the \
                     true K on {right}"
                );
                claims.push(claim(said, here, (wide, rows)));
            }
        }
    }
    claims
}

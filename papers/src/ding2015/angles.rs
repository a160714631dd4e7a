//! Figure 6: solid angles in descending order, and the number of topics they tell.

use topoi_core::model::separable::{Counting, Separable};
use topoi_core::synth::length::Length;
use topoi_core::synth::semi::{NovelWords, SemiSettings, semi};

use super::topics_of_news;
use crate::ding2013::number_of_topics::RULES;
use crate::drawn::{Drawn, estimates, in_common, widest};
use crate::laboratory::text;
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Thresholds of the paper's figure.
const DISTANCES: [f64; 5] = [0.05, 0.1, 1.0, 5.0, 10.0];
const KINDS: [(&str, NovelWords); 2] =
    [("Semi-Syn+Novel", NovelWords::OnePerTopic), ("Semi-Syn", NovelWords::None)];

/// Measures angles and K̂ of semi-synthetic corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms, documents) = if saved.quick { (20, 1000, 5000) } else { (50, 2000, 20_000) };
    let corpora = saved.repeats(2, 5);
    saved.names(&RULES);
    saved.about = format!(
        "solid angles q̂ of the words that win a direction, P = 150 K, for the ζ of the paper, on {documents} \
         documents of 300 tokens from {k} topics of `lda-gibbs` on small New York Times, {terms} terms (the paper: 100 \
         topics, 2,000,000 documents, 14,943 terms), of the first corpus; and K̂ for 61 values of ζ on {corpora} corpora \
         of each kind."
    );
    let (words, topics) = topics_of_news(k, terms)?;
    let mut told = Table::new(
        "K̂ of each corpus, the ζ that tell the true K of all, and how many times the least of them the largest is",
        &["corpus, rule", "true K", "K̂", "ζ of the true K in all corpora", "largest ζ over least"],
        corpora as usize,
        1,
    );
    for (name, novel) in KINDS {
        let mut chosen = [const { Vec::new() }; 2];
        let mut ranges = [const { Vec::new() }; 2];
        for seed in 1..=corpora {
            let from = "lda-gibbs on the New York Times".into();
            let (length, alpha) = (Length::Fixed(300), 0.03);
            let settings = SemiSettings { from, novel, documents, length, alpha, seed };
            let corpus = semi(words.clone(), topics.clone(), &settings).map_err(text)?;
            let drawn = Drawn::new(corpus, seed)?;
            if seed == 1 {
                saved.pictures.push(picture(name, k, &drawn)?);
            }
            for (at, counting) in [Counting::Steady, Counting::Paper].into_iter().enumerate() {
                let found = drawn.found(k, counting, None)?;
                let k_hat = found.k_hat.map_or("–".into(), |(k_hat, ..)| k_hat.to_string());
                chosen[at].push(k_hat);
                ranges[at].push(widest(&estimates(&found.estimates), k));
            }
        }
        for (((rule, _), chosen), ranges) in RULES.iter().zip(chosen).zip(ranges) {
            let [shared, widths] = in_common(&ranges);
            let cells = vec![Cell::words(k), Cell::words(chosen.join(", ")), shared, widths];
            told.push(format!("{name}, K = {k}, {rule}"), cells);
        }
    }
    saved.tables.push(told);
    Ok(())
}

fn picture(name: &str, k: usize, drawn: &Drawn) -> Result<Picture, String> {
    let mut series = Vec::new();
    for distance in DISTANCES {
        let found = drawn.found(k, Counting::Steady, Some(distance))?;
        series.push(Points { name: format!("ζ = {distance}"), at: angles(&found) });
    }
    Ok(Picture {
        title: format!("{name}: solid angles in descending order, K = {k}"),
        x: "place".into(),
        y: "solid angle".into(),
        logarithmic: (false, true),
        drawing: Drawing::Series(series),
    })
}

/// Places and angles, at most 400 of them.
fn angles(found: &Separable) -> Vec<(f64, f64)> {
    let scores = found.novel_words.iter().map(|word| word.score).filter(|&score| score > 0.0);
    let mut scores: Vec<f64> = scores.collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let placed = scores.into_iter().take(400).enumerate();
    placed.map(|(at, score)| (at as f64 + 1.0, rounded(score))).collect()
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let of_rule = |by: &str| {
        let (mut right, mut wide, mut corpora) = (0, 0, 0);
        for row in table.rows.iter().filter(|row| row.name.ends_with(by)) {
            let [Cell::Words(k), Cell::Words(chosen), _, Cell::Values(widths)] =
                row.cells.as_slice()
            else {
                continue;
            };
            corpora += chosen.split(", ").count();
            right += chosen.split(", ").filter(|k_hat| k_hat == k).count();
            wide += widths.iter().filter(|&&width| width >= 50.0).count();
        }
        let here = format!(
            "by {by}: a range 50 wide or more on {wide} of {corpora} corpora, and K̂ is the true K on {right}"
        );
        let said = "a range of ζ 50 wide tells the true K on both kinds of documents";
        let rule = "a case is a corpus: a range of ζ, its end 50 times its begin or more, tells the true K";
        Claim::new(&format!("{said} (`{by}`)"), rule, here, (wide, corpora))
    };
    RULES.map(|(rule, _)| of_rule(rule)).into()
}

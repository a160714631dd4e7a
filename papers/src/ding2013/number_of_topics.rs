//! K̂ on the corpora of figure 2: by the rule that is here, and by line 16′ of Ding et al. 2015 as printed.

use topoi_core::model::separable::Counting;
use topoi_core::synth::length::Length;
use topoi_core::synth::separable::{SeparableSettings, separable};

use super::Method;
use crate::drawn::{Drawn, Estimates, estimates, in_common, widest};
use crate::laboratory::text;
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table};

/// How K̂ is told: by this program's rule, and as the paper prints it.
pub const RULES: [Method; 2] = [("rp", "rp"), ("line 16′ as printed", "rp --k-hat paper")];
/// True numbers of topics.
const TOPICS: [usize; 4] = [5, 10, 20, 50];
/// ζ for which the count as printed is shown, or the nearest that is tried.
const DISTANCES: [f64; 4] = [0.05, 1.0, 4.0, 8.0];
/// Words and documents, as in the first figure but more documents.
const WORDS: usize = 500;
const DOCUMENTS: u64 = 20_000;
/// The share of the words that are novel.
const NOVEL: f64 = 0.2;

/// The corpus of this seed; and for each topic the tokens of the novel word of it that has most of them.
fn drawn(topics: usize, seed: u64) -> Result<(Drawn, Vec<u32>), String> {
    let corpus = separable(&SeparableSettings {
        documents: DOCUMENTS,
        words: WORDS,
        topics,
        rho: NOVEL,
        length: Length::Fixed(100),
        alpha: 0.1,
        seed,
    });
    let corpus = corpus.map_err(text)?;
    let novel = (NOVEL * WORDS as f64).round() as u32;
    let own = |topic: &topoi_core::synth::Topic| -> Vec<u32> {
        topic.iter().map(|&(word, _)| word).filter(|&word| word < novel).collect()
    };
    let own: Vec<Vec<u32>> = corpus.topics.iter().map(own).collect();
    let drawn = Drawn::new(corpus, seed)?;
    let most =
        |words: &Vec<u32>| words.iter().map(|&w| drawn.tokens[w as usize]).max().unwrap_or(0);
    let tokens = own.iter().map(most).collect();
    Ok((drawn, tokens))
}

/// Counts topics of corpora with K = 5, 10, 20 and 50.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let corpora = saved.repeats(2, 5);
    saved.names(&RULES);
    saved.about = format!(
        "{corpora} corpora for each K; W = {WORDS}, a fifth of the words novel, α = 0.1, {DOCUMENTS} documents of \
         100 tokens; `rp`, with `--k-hat paper` for line 16′. 61 values of ζ are tried, each 1.12 times the one \
         before."
    );
    let mut told = Table::new(
        "K̂ of each corpus, and how many times the least ζ that tells the true K the largest is",
        &[
            "true K",
            "K̂",
            "ζ of the true K in all corpora",
            "largest ζ over least",
            "tokens of the best novel word of the topic where it has fewest",
        ],
        corpora as usize,
        0,
    );
    let heads = DISTANCES.map(|distance| format!("ζ = {distance}"));
    let heads: Vec<&str> =
        std::iter::once("true K").chain(heads.iter().map(String::as_str)).collect();
    let mut printed =
        Table::new("K̂ by line 16′ as printed, at the nearest ζ tried", &heads, corpora as usize, 1);
    let mut lines = [const { Vec::new() }; 2];
    for topics in TOPICS {
        let mut chosen = Vec::new();
        let mut ranges = Vec::new();
        let mut at_distances = DISTANCES.map(|_| Vec::new());
        let mut fewest = Vec::new();
        for seed in 1..=corpora {
            let (drawn, tokens) = drawn(topics, seed)?;
            fewest.push(tokens.iter().min().map_or(0, |&tokens| tokens).to_string());
            for (counting, lines) in [Counting::Steady, Counting::Paper].into_iter().zip(&mut lines)
            {
                let found = drawn.found(topics, counting, None)?;
                let estimates = estimates(&found.estimates);
                if counting == Counting::Steady {
                    chosen.push(found.k_hat.map_or("–".into(), |(k_hat, ..)| k_hat.to_string()));
                    ranges.push(widest(&estimates, topics));
                } else {
                    for (values, distance) in at_distances.iter_mut().zip(DISTANCES) {
                        values.extend(nearest(&estimates, distance));
                    }
                }
                if seed == 1 {
                    let at = estimates.iter().map(|&(zeta, k_hat)| (zeta, k_hat as f64));
                    lines.push(Points { name: format!("K = {topics}"), at: at.collect() });
                }
            }
        }
        let [shared, widths] = in_common(&ranges);
        let cells =
            vec![Cell::words(chosen.join(", ")), shared, widths, Cell::words(fewest.join(", "))];
        told.push(topics, cells);
        printed.push(topics, at_distances.map(|values| Cell::Values(values).rounded()).into());
    }
    for ((rule, _), series) in RULES.iter().zip(lines) {
        saved.pictures.push(Picture {
            title: format!("K̂ by ζ, the first corpus of each K: {rule}"),
            x: "ζ".into(),
            y: "K̂".into(),
            logarithmic: (true, true),
            drawing: Drawing::Series(series),
        });
    }
    saved.tables = vec![told, printed];
    Ok(())
}

/// K̂ at the ζ that is nearest in the logarithm.
fn nearest(estimates: &Estimates, distance: f64) -> Option<f64> {
    let off = |zeta: f64| (zeta / distance).ln().abs();
    let nearest = estimates.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)))?;
    Some(nearest.1 as f64)
}

/// What the paper says of K̂, on these corpora.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [told, printed] = saved.tables.as_slice() else { return Vec::new() };
    let (mut right, mut wide, mut corpora, mut off) = (0, 0, 0, Vec::new());
    for row in &told.rows {
        let (Cell::Words(chosen), Cell::Values(widths)) = (&row.cells[0], &row.cells[2]) else {
            continue;
        };
        for k_hat in chosen.split(", ") {
            corpora += 1;
            right += usize::from(k_hat == row.name);
            if k_hat != row.name {
                off.push(format!("{k_hat} for {}", row.name));
            }
        }
        wide += widths.iter().filter(|&&width| width >= 10.0).count();
    }
    let off = if off.is_empty() { String::new() } else { format!(" ({})", off.join(", ")) };
    let exact = printed.rows.iter().flat_map(|row| {
        let topics = row.name.parse::<f64>().unwrap_or(f64::NAN);
        row.cells.iter().map(move |cell| cell.mean() == Some(topics))
    });
    let exact: Vec<bool> = exact.collect();
    let counts = printed.rows.iter().map(|row| {
        let means = row.cells.iter().filter_map(Cell::mean).map(|mean| format!("{mean:.1}"));
        format!("{} for K = {}", means.collect::<Vec<_>>().join(", "), row.name)
    });
    let counts = counts.collect::<Vec<_>>().join("; ");
    vec![
        Claim::new(
            "(2015, §VI-A) a wide range of ζ tells the true K: by the rule of `rp`",
            "a case is a corpus and one of two: K̂ is the true K; a range of ζ, its end 10 times its begin or more, tells the true K",
            format!(
                "K̂ is the true K on {right} of {corpora} corpora{off}; a range 10 wide or more tells it on {wide}"
            ),
            (right + wide, 2 * corpora),
        ),
        Claim::new(
            "(2015, §VI-A) a wide range of ζ tells the true K: by line 16′ as printed",
            "a case is a K and a ζ of the table: K̂ is the true K in the mean of the corpora",
            format!("means at ζ = 0.05, 1, 4 and 8: {counts}"),
            (exact.iter().filter(|&&is_exact| is_exact).count(), exact.len()),
        ),
    ]
}

//! Figure 2: lower and upper bound on the number of topics.

use ndarray::Array2;
use topoi_core::bound::lda::{LdaSettings, topic_bounds};
use topoi_core::bound::second_moment::SecondMoment;
use topoi_core::bound::topic_spectrum::{Coefficients, Prior, TopicSpectrum};
use topoi_core::progress::Silent;
use topoi_core::stream::cooccurrence::CoOccurrence;

use super::{ALPHA, BETA, TOPICS, add, by_documents, by_length, drawn, largest, repeats};
use crate::pages::saved::{Claim, Drawing, Picture, Saved, Table};

const HEADS: [&str; 8] = [
    "lower, δ = 0.1",
    "upper, δ = 0.1",
    "lower, α₀ known, δ = 0.1",
    "upper, α₀ known, δ = 0.1",
    "lower, δ = 0.5",
    "upper, δ = 0.5",
    "lower, α₀ known, δ = 0.5",
    "upper, α₀ known, δ = 0.5",
];

/// Measures both panels.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (quick, seeds) = (saved.quick, repeats(saved));
    saved.about = format!(
        "the same corpora, true K = {TOPICS}, means ± deviations over {seeds} seeds (the paper: 5). An upper bound that there is not \
         counts as V. \"α₀ known\" is the paper's: M̂₂ with the true α₀ = 10, which is not to be had outside an \
         experiment; there a lower bound of 0 is possible."
    );
    for (title, sizes) in [
        ("By the number of documents (D), L = 500, V = 1000", by_documents(quick)),
        ("By the length of documents (L), D = 2000, V = 1000", by_length(quick)),
    ] {
        let lines = sizes.iter().map(|size| size.0).collect();
        add(saved, title, HEADS, (1, lines), |at, seed| drawn(sizes[at].1, seed, bounds));
        saved.pictures.push(Picture {
            title: format!("Bounds on K. {title}"),
            x: saved.tables[saved.tables.len() - 1].head[0].clone(),
            y: "topics".into(),
            logarithmic: (true, true),
            drawing: Drawing::Lines {
                table: saved.tables.len() - 1,
                columns: [HEADS[0], HEADS[1], HEADS[4], HEADS[5], HEADS[7]]
                    .map(String::from)
                    .into(),
            },
        });
    }
    Ok(())
}

/// Lower and upper bound for δ = 0.1 and 0.5, each also as in the paper, from M̂₂ of the true α₀.
pub(super) fn bounds(c: &CoOccurrence<'_>, _topics: &Array2<f64>) -> [f64; 8] {
    let values = largest(&SecondMoment::new(c, TOPICS as f64 * ALPHA), TOPICS + 1);
    let of_delta = |delta| {
        let settings = LdaSettings { alpha: ALPHA, beta: BETA, delta, seed: 1 };
        let found = topic_bounds(c, &settings, &Silent).expect("in memory");
        let upper = found.uppers[0].topics.unwrap_or(c.words());
        let prior = Prior { alpha: ALPHA, beta: BETA };
        let coefficients = Coefficients::Appendix;
        let theory = TopicSpectrum { prior, words: c.words(), coefficients, delta };
        let is_possible = |&k: &usize| values[0] <= theory.largest(k).value + found.threshold;
        let known_upper = (1..=c.words()).rev().find(is_possible).unwrap_or(0);
        let known_lower = values.iter().filter(|&&value| value > found.threshold).count();
        [found.lower as f64, upper as f64, known_lower as f64, known_upper as f64]
    };
    let (strict, even) = (of_delta(0.1), of_delta(0.5));
    [strict[0], strict[1], strict[2], strict[3], even[0], even[1], even[2], even[3]]
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [documents, length] = saved.tables.as_slice() else { return Vec::new() };
    let last = |head: &str| {
        let of = |table: &Table| table.mean(table.rows.last()?, head);
        [of(documents).unwrap_or(f64::NAN), of(length).unwrap_or(f64::NAN)]
    };
    let lowers = [HEADS[0], HEADS[4]].map(last);
    let (strict, even) = (lowers[0], lowers[1]);
    let uppers = [HEADS[1], HEADS[5], HEADS[7]].map(last);
    let k = TOPICS as f64;
    let wrong = saved.tables.iter().flat_map(|table| {
        table.rows.iter().filter(|row| {
            let is_above =
                |head: &&str| table.mean(row, head).is_some_and(|bound| bound > k + 1e-9);
            let is_below =
                |head: &&str| table.mean(row, head).is_some_and(|bound| bound < k - 1e-9);
            [HEADS[0], HEADS[4]].iter().any(is_above) || [HEADS[1], HEADS[5]].iter().any(is_below)
        })
    });
    let (wrong, lines) = (wrong.count(), documents.rows.len() + length.rows.len());
    let reached = [strict, even].iter().flatten().filter(|&&bound| (bound - k).abs() < 0.5).count();
    let settled = |table: &Table, head: &str| {
        let mut last = table.rows.iter().rev().filter_map(|row| table.mean(row, head));
        let (Some(last), Some(before)) = (last.next(), last.next()) else { return false };
        last > k + 0.5 && (last / before - 1.0).abs() <= 0.1
    };
    let heads = [HEADS[1], HEADS[5], HEADS[7]];
    let apart = saved.tables.iter().flat_map(|table| heads.map(|head| settled(table, head)));
    let apart = apart.filter(|&is_settled| is_settled).count();
    vec![
        Claim::new(
            "the lower and the upper bound on K hold",
            "a case is a line: without α₀ known, for both δ, no lower bound is above K and no upper one below",
            format!("in {} of {lines} lines", lines - wrong),
            (lines - wrong, lines),
        ),
        Claim::new(
            "the lower bound converges to the true number of topics",
            "a case is a panel and a δ: at its largest size the bound is within 0.5 of K",
            format!(
                "at D = {} and at L = {} it is {:.1} and {:.1} for δ = 0.1, {:.1} and {:.1} for δ = 0.5",
                documents.rows.last().map_or("", |row| &row.name),
                length.rows.last().map_or("", |row| &row.name),
                strict[0],
                strict[1],
                even[0],
                even[1]
            ),
            (reached, 4),
        ),
        Claim::new(
            "the upper bound converges to another value",
            "a case is a panel and a kind of upper bound: at its two largest sizes it is the same within a tenth, and above K",
            format!(
                "there {:.1} and {:.1} for δ = 0.1, {:.1} and {:.1} for δ = 0.5, with α₀ known {:.1} and {:.1}",
                uppers[0][0], uppers[0][1], uppers[1][0], uppers[1][1], uppers[2][0], uppers[2][1]
            ),
            (apart, 6),
        ),
    ]
}

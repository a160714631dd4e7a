//! Figure 3: seven measures and seconds by the number of topics, on five corpora.

use topoi_core::synth::length::Length;
use topoi_core::synth::semi::{NovelWords, SemiSettings, semi};
use topoi_run::saved::topics::semi_topics;

use super::{CONVERGED, MEASURES, METHODS, NIPS, heads, is_random, measures};
use crate::ding2013::Method;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Saved, Table};

/// Made corpora in the place of the paper's Movies and Songs: their documents and mean lengths.
const MADE: [(&str, u64, u32); 2] =
    [("shaped like Movies", 63_000, 143), ("shaped like Songs", 14_600, 119)];

/// How much is measured of each corpus.
struct Size {
    terms: usize,
    topics: &'static [usize],
    /// Of the random models.
    seeds: u64,
}

/// Measures all methods for each K on each corpus.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(3, 3);
    saved.names(METHODS);
    saved.names(&[CONVERGED]);
    let size = match saved.quick {
        true => Size { terms: 1500, topics: &[5, 25], seeds },
        false => Size { terms: 5000, topics: &[5, 25, 50, 100], seeds },
    };
    let terms = size.terms;
    let smaller = if saved.quick { 10 } else { 1 };
    saved.about = format!(
        "{terms} terms. NIPS, small New York Times and 20 Newsgroups are real; in the place of the paper's \
         Movies and Songs are corpora of their number and length of documents{} (`synth semi` with topics of \
         `lr-jsmf` on 20 Newsgroups). \"LR-JSMF, as here\" is `lr-jsmf` with its own settings: passes over the documents \
         improve its topics, and its measures are of those. Means ± deviations over {seeds} seeds for LR-JSMF; the \
         others use the seed only to start a Krylov method that converges. Seconds are processor time, of the model alone.",
        if saved.quick { ", a tenth of the documents," } else { "" }
    );
    for (name, file) in [
        ("NIPS", NIPS),
        ("New York Times", crate::ding2015::NEWS),
        ("20 Newsgroups", "20ng_counts.jsonl.gz"),
    ] {
        let mut laboratory = Laboratory::of_file(file)?;
        let converged = (name == "NIPS").then_some(&CONVERGED);
        add(saved, name, &mut laboratory, &size, converged)?;
    }
    let mut newsgroups = Laboratory::of_file("20ng_counts.jsonl.gz")?;
    let request = newsgroups.request(&format!("lr-jsmf --terms {terms}"), 50, 1)?;
    let run = newsgroups.run(&request)?;
    let (words, from) = semi_topics(&newsgroups.store, run).map_err(text)?;
    for (name, documents, tokens) in MADE {
        let (documents, length) = (documents / smaller, Length::Poisson(tokens));
        let source = "lr-jsmf on 20 Newsgroups".into();
        let (novel, alpha, seed) = (NovelWords::None, 0.1, 1);
        let settings = SemiSettings { from: source, novel, documents, length, alpha, seed };
        let corpus = semi(words.clone(), from.clone(), &settings).map_err(text)?;
        let mut laboratory = Laboratory::of_known(corpus)?;
        add(saved, name, &mut laboratory, &size, None)?;
    }
    for (_, measure) in MEASURES.iter().take(5).chain([&("", "seconds")]) {
        saved.pictures.push(Picture {
            title: format!("NIPS: {measure} by K"),
            x: "K".into(),
            y: (*measure).into(),
            logarithmic: (false, ["approximation", "seconds"].contains(measure)),
            drawing: Drawing::Split {
                table: 0,
                column: (*measure).into(),
                // There are six kinds of lines.
                without: ["LR-JSMF, all rows", "LR-JSMF, as here"].map(String::from).into(),
            },
        });
    }
    Ok(())
}

fn add(
    saved: &mut Saved,
    name: &str,
    laboratory: &mut Laboratory,
    size: &Size,
    converged: Option<&Method>,
) -> Result<(), String> {
    let mut table = Table::new(name, &heads("K, method"), 1, 3);
    for &k in size.topics {
        for (method, model) in METHODS.iter().chain(converged) {
            let seeds = if is_random(method) { size.seeds } else { 1 };
            let mut values = vec![Vec::new(); MEASURES.len() + 1];
            for seed in 1..=seeds {
                let method = format!("{model} --terms {}", size.terms);
                let Some(run) = laboratory.tried(&method, k, seed) else { continue };
                for (values, value) in values.iter_mut().zip(measures(laboratory, run)) {
                    values.extend(value);
                }
            }
            let cells = values.into_iter().map(|values| Cell::Values(values).rounded()).collect();
            table.push(format!("{k} {method}"), cells);
        }
    }
    saved.tables.push(table);
    Ok(())
}

/// By how many percent the first five measures of `method` are off those of `reference`, and where, for each corpus and K.
fn off(tables: &[Table], method: &str, reference: &str) -> Vec<(f64, String)> {
    let mut all = Vec::new();
    for table in tables {
        for row in table.rows.iter().filter(|row| row.name.ends_with(&format!(" {method}"))) {
            let k = row.name.split(' ').next().unwrap_or_default();
            for (_, measure) in MEASURES.iter().take(5) {
                let (Some(own), Some(other)) =
                    (table.mean(row, measure), table.at(&format!("{k} {reference}"), measure))
                else {
                    continue;
                };
                all.push((
                    (own / other - 1.0).abs() * 100.0,
                    format!("{measure} on {}, K = {k}", table.title),
                ));
            }
        }
    }
    all
}

/// The least and the largest ratio of the seconds of `slow` to those of `fast`.
fn ratios(tables: &[Table], fast: &str, slow: &str) -> (f64, f64) {
    let mut range = (f64::INFINITY, 0.0f64);
    for table in tables {
        for row in table.rows.iter().filter(|row| row.name.ends_with(&format!(" {fast}"))) {
            let k = row.name.split(' ').next().unwrap_or_default();
            let own = table.mean(row, "seconds");
            let other = table.at(&format!("{k} {slow}"), "seconds");
            if let (Some(own), Some(other)) = (own, other) {
                range = (range.0.min(other / own), range.1.max(other / own));
            }
        }
    }
    range
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let tables = &saved.tables;
    let mut claims = Vec::new();
    let case = "a case is one of the first five measures on a corpus for a K: it is";
    for (method, said, limit, is_near) in [
        ("ENN", "the measures are those of AP without visible loss", 5.0, true),
        ("LR-JSMF", "the measures are those of AP without visible loss", 5.0, true),
        ("LR-JSMF, all rows", "the measures are those of AP without visible loss", 5.0, true),
        ("PALM", "PALM deviates slightly from AP and follows its trend", 25.0, true),
        ("AW", "AW without rectification is far off", 25.0, false),
    ] {
        let all = off(tables, method, "AP, 50");
        let Some((most, place)) = all.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        let mean = all.iter().map(|one| one.0).sum::<f64>() / all.len() as f64;
        let rule = match is_near {
            true => format!("{case} within {limit}% of that of AP after 50 iterations"),
            false => format!("{case} more than {limit}% off that of AP after 50 iterations"),
        };
        let here = format!("{mean:.1}% off in the mean, {most:.1}% at most ({place})");
        let holds = all.iter().filter(|(percent, _)| (*percent <= limit) == is_near).count();
        claims.push(Claim::new(&format!("{method}: {said}"), &rule, here, (holds, all.len())));
    }
    let spread = tables.iter().flat_map(|table| {
        let rows = table.rows.iter().filter(|row| row.name.ends_with(" LR-JSMF"));
        rows.flat_map(|row| row.cells.iter().take(5))
            .map(|cell| cell.deviation().unwrap_or(0.0) / cell.mean().unwrap_or(f64::NAN) * 100.0)
    });
    let spread: Vec<f64> = spread.filter(|percent| percent.is_finite()).collect();
    let most = spread.iter().copied().fold(0.0, f64::max);
    let mean = spread.iter().sum::<f64>() / spread.len() as f64;
    let small = spread.iter().filter(|&&percent| percent <= 2.0).count();
    claims.push(Claim::new(
        "the randomness of LR-JSMF has very low variance over runs",
        "a case is one of the first five measures on a corpus for a K: its deviation over seeds is at most 2% of it",
        format!(
            "deviation over the seeds: {mean:.2}% of the measure in the mean, {most:.1}% at most; up to 2% in \
             {small} of {} cases",
            spread.len()
        ),
        (small, spread.len()),
    ));
    let mut counts = (0, 0);
    let mut shown = Vec::new();
    for method in ["ENN", "LR-JSMF"] {
        for (reference, name) in
            [("AP, 50", "50 iterations of AP"), ("AP", "AP until it converges")]
        {
            let (least, largest) = ratios(tables, method, reference);
            if least.is_finite() {
                counts = (counts.0 + usize::from(least >= 10.0), counts.1 + 1);
                shown.push(format!("{method} {least:.1} to {largest:.1} times as fast as {name}"));
            }
        }
    }
    claims.push(Claim::new(
        "ENN and LR-JSMF are one to two orders of magnitude faster than AP",
        "a case is ENN or LR-JSMF beside AP after 50 iterations, or until it converges (on NIPS): AP takes at least 10 \
         times its time on every corpus and for every K",
        shown.join(", "),
        counts,
    ));
    claims
}

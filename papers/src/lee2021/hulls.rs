//! Figure 2: the plane of the anchors by each rectification.

use std::collections::BTreeSet;

use topoi_run::saved::anchor_map::anchor_map;

use super::{METHODS, NIPS, is_random};
use crate::ding2013::claim;
use crate::laboratory::{Laboratory, text};
use topoi_papers::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Words that are drawn: every so many of them.
const DRAWN: usize = 300;
const TOPICS: usize = 10;

/// What a run leaves of its anchors.
struct Plane {
    anchors: BTreeSet<String>,
    variance: Option<f64>,
    volume: Option<f64>,
    drawing: Drawing,
}

/// Draws the planes and compares the anchors.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let terms = if saved.quick { 2000 } else { 5000 };
    let seeds = saved.repeats(3, 3);
    saved.about = format!(
        "NIPS, {terms} terms, K = {TOPICS}; each plane has the two axes along which that model's anchors differ \
         most, and shows {DRAWN} of the words. \"LR-JSMF, as here\" is `lr-jsmf` with its own settings. LR-JSMF has a \
         count of shared anchors for each of {seeds} seeds, the rest of its row is of seed 1; the others use the seed \
         only to start a Krylov method that converges."
    );
    let mut laboratory = Laboratory::of_file(NIPS)?;
    let mut table = Table::new(
        "Anchors, and how many are those of AP, converged or after 50 iterations",
        &[
            "method",
            "shared with AP",
            "with AP, 50",
            "of variance in the plane",
            "log volume",
            "anchors",
        ],
        1,
        3,
    );
    let (mut of_ap, mut of_50) = (None, None);
    let converged = [("AP", "raw --as paper")];
    for (name, method) in converged.iter().chain(METHODS.iter().rev()) {
        let mut planes = Vec::new();
        for seed in 1..=if is_random(name) { seeds } else { 1 } {
            planes.extend(plane(&mut laboratory, &format!("{method} --terms {terms}"), seed)?);
        }
        let Some(first) = planes.first() else { continue };
        match *name {
            "AP" => of_ap = Some(first.anchors.clone()),
            "AP, 50" => of_50 = Some(first.anchors.clone()),
            _ => {}
        }
        let shared = |other: &Option<BTreeSet<String>>| {
            let Some(other) = other else { return Cell::words("–") };
            let counts = planes.iter().map(|own| own.anchors.intersection(other).count());
            Cell::words(counts.map(|count| count.to_string()).collect::<Vec<_>>().join(", "))
        };
        let words: Vec<&str> = first.anchors.iter().map(String::as_str).collect();
        table.push(
            name,
            vec![
                shared(&of_ap),
                shared(&of_50),
                Cell::Values(first.variance.into_iter().collect()).rounded(),
                Cell::Values(first.volume.into_iter().collect()).rounded(),
                Cell::words(words.join(" ")),
            ],
        );
        saved.pictures.push(Picture {
            title: format!("{name}: words, anchors and their hull"),
            x: "first axis".into(),
            y: "second axis".into(),
            logarithmic: (false, false),
            drawing: first.drawing.clone(),
        });
    }
    saved.tables.push(table);
    Ok(())
}

fn plane(laboratory: &mut Laboratory, method: &str, seed: u64) -> Result<Option<Plane>, String> {
    let Some(run) = laboratory.tried(method, TOPICS, seed) else { return Ok(None) };
    let Some(map) = anchor_map(&laboratory.store, run).map_err(text)? else { return Ok(None) };
    let at = |place: usize| (rounded(map.words[place].x), rounded(map.words[place].y));
    let places: Vec<usize> = map.anchors.iter().flatten().copied().collect();
    let step = (map.words.len() / DRAWN).max(1);
    let corners = map.hull.iter().filter_map(|&topic| map.anchors[topic]).map(at);
    let drawing = Drawing::Points(vec![
        Points { name: "words".into(), at: (0..map.words.len()).step_by(step).map(at).collect() },
        Points { name: "anchors".into(), at: places.iter().copied().map(at).collect() },
        Points { name: "hull".into(), at: corners.collect() },
    ]);
    let anchors = places.iter().map(|&at| map.words[at].word.clone()).collect();
    let volume = laboratory.metric(run, "log_relative_volume");
    Ok(Some(Plane { anchors, variance: map.variance, volume, drawing }))
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    // The least over the seeds.
    let shared = |name: &str, column: usize| {
        let row = table.rows.iter().find(|row| row.name == name);
        match row.map(|row| &row.cells[column]) {
            Some(Cell::Words(counts)) => {
                counts.split(", ").filter_map(|count| count.parse().ok()).min().unwrap_or(0)
            }
            _ => 0usize,
        }
    };
    let cases = [("ENN", 0), ("ENN", 1), ("LR-JSMF", 0), ("LR-JSMF", 1)];
    let same = cases.iter().filter(|(name, column)| shared(name, *column) == TOPICS).count();
    let (palm, aw) = (shared("PALM", 0), shared("AW", 0));
    vec![
        claim(
            "ENN and LR-JSMF find the same anchors as AP",
            format!(
                "of {TOPICS} anchors of AP after as many iterations, 50, ENN has {} and LR-JSMF {}; of AP until it \
                 converges {} and {}, and AP after 50 iterations {} itself",
                shared("ENN", 1),
                shared("LR-JSMF", 1),
                shared("ENN", 0),
                shared("LR-JSMF", 0),
                shared("AP, 50", 0)
            ),
            (same, cases.len()),
        ),
        claim(
            "PALM is off but better than AW without rectification",
            format!("of AP until it converges PALM has {palm}, AW {aw}"),
            (usize::from(palm > aw && palm < TOPICS), 1),
        ),
    ]
}

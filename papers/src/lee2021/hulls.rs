//! Figure 2: the plane of the anchors by each rectification.

use std::collections::BTreeSet;

use topoi_run::saved::anchor_map::anchor_map;

use super::{CONVERGED, METHODS, NIPS, is_random};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Words that are drawn, about as many.
const DRAWN: usize = 300;
/// Methods that are drawn beside each other, as in the paper.
const BESIDE: [&str; 5] = ["AW", "AP", "PALM", "ENN", "LR-JSMF"];
const TOPICS: usize = 10;

/// What a run leaves of its anchors.
struct Plane {
    anchors: BTreeSet<String>,
    variance: Option<f64>,
    volume: Option<f64>,
    points: Vec<Points>,
}

/// Draws the planes and compares the anchors.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let terms = if saved.quick { 2000 } else { 5000 };
    let seeds = saved.repeats(3, 3);
    saved.names(METHODS);
    saved.names(&[CONVERGED]);
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
    let mut drawn = Vec::new();
    for (name, method) in [CONVERGED].iter().chain(METHODS.iter().rev()) {
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
        drawn.push((name.to_string(), first.points.clone()));
    }
    let beside = BESIDE.iter().filter_map(|name| drawn.iter().find(|(of, _)| of == name).cloned());
    saved.pictures.push(Picture {
        title: "Words, anchors and their hull, by each method".into(),
        x: "first axis".into(),
        y: "second axis".into(),
        logarithmic: (false, false),
        drawing: Drawing::Planes(beside.collect()),
    });
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
    let points = vec![
        Points { name: "words".into(), at: (0..map.words.len()).step_by(step).map(at).collect() },
        Points { name: "anchors".into(), at: places.iter().copied().map(at).collect() },
        Points { name: "hull".into(), at: corners.collect() },
    ];
    let anchors = places.iter().map(|&at| map.words[at].word.clone()).collect();
    let volume = laboratory.metric(run, "log_relative_volume");
    Ok(Some(Plane { anchors, variance: map.variance, volume, points }))
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
        Claim::new(
            "ENN and LR-JSMF find the same anchors as AP",
            &format!(
                "a case is ENN or LR-JSMF beside AP after as many iterations, or until it converges: all {TOPICS} anchors are \
                 the same for every seed"
            ),
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
        Claim::new(
            "PALM is off but better than AW without rectification",
            "PALM shares at least 2 anchors more with AP than AW does (with one more it could be chance), and not all",
            format!("of AP until it converges PALM has {palm}, AW {aw}"),
            (usize::from(palm >= aw + 2 && palm < TOPICS), 1),
        ),
    ]
}

//! Figure 2: the plane of the anchors by each rectification.

use std::collections::BTreeSet;

use topoi::run::saved::anchor_map::anchor_map;

use super::{METHODS, NIPS};
use crate::ding2013::claim;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Points, Saved, Table, rounded};

/// Words that are drawn: every so many of them.
const DRAWN: usize = 300;
const TOPICS: usize = 10;

/// Draws the planes and compares the anchors.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let terms = if saved.quick { 2000 } else { 5000 };
    saved.about = format!(
        "NIPS, {terms} terms, K = {TOPICS}; each plane has the two axes along which that model's anchors differ \
         most, and shows {DRAWN} of the words."
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
    let (mut of_ap, mut of_50) = (BTreeSet::new(), BTreeSet::new());
    let converged = [("AP", "raw --as paper")];
    for (name, method) in converged.iter().chain(METHODS.iter().rev()) {
        let Some(run) = laboratory.tried(&format!("{method} --terms {terms}"), TOPICS, 1) else {
            continue;
        };
        let Some(map) = anchor_map(&laboratory.store, run).map_err(text)? else { continue };
        let anchors: Vec<usize> = map.anchors.iter().flatten().copied().collect();
        let words: BTreeSet<String> =
            anchors.iter().map(|&at| map.words[at].word.clone()).collect();
        if *name == "AP" {
            of_ap = words.clone();
        } else if *name == "AP, 50" {
            of_50 = words.clone();
        }
        let at = |place: usize| (rounded(map.words[place].x), rounded(map.words[place].y));
        let step = (map.words.len() / DRAWN).max(1);
        let corners = map.hull.iter().filter_map(|&topic| map.anchors[topic]).map(at);
        saved.pictures.push(Picture {
            title: format!("{name}: words, anchors and their hull"),
            x: "first axis".into(),
            y: "second axis".into(),
            logarithmic: (false, false),
            drawing: Drawing::Points(vec![
                Points {
                    name: "words".into(),
                    at: (0..map.words.len()).step_by(step).map(at).collect(),
                },
                Points { name: "anchors".into(), at: anchors.iter().copied().map(at).collect() },
                Points { name: "hull".into(), at: corners.collect() },
            ]),
        });
        let volume = laboratory.metric(run, "log_relative_volume");
        table.push(
            name,
            vec![
                Cell::words(words.intersection(&of_ap).count()),
                if of_50.is_empty() {
                    Cell::words("–")
                } else {
                    Cell::words(words.intersection(&of_50).count())
                },
                Cell::Values(map.variance.into_iter().collect()).rounded(),
                Cell::Values(volume.into_iter().collect()).rounded(),
                Cell::words(words.into_iter().collect::<Vec<_>>().join(" ")),
            ],
        );
    }
    saved.tables.push(table);
    Ok(())
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let shared = |name: &str, column: usize| {
        let row = table.rows.iter().find(|row| row.name == name);
        match row.map(|row| &row.cells[column]) {
            Some(Cell::Words(count)) => count.parse::<usize>().unwrap_or(0),
            _ => 0,
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

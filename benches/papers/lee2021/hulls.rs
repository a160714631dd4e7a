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
        "Anchors, and how many are those of AP",
        &["method", "shared with AP", "of variance in the plane", "log volume", "anchors"],
        1,
        3,
    );
    let mut of_ap = BTreeSet::new();
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
                Cell::Values(vec![words.intersection(&of_ap).count() as f64]),
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
    let shared = |name: &str| table.at(name, "shared with AP").unwrap_or(0.0);
    let same = ["ENN", "LR-JSMF"].iter().filter(|name| shared(name) >= TOPICS as f64).count();
    let (palm, aw) = (shared("PALM"), shared("AW"));
    vec![
        claim(
            "ENN and LR-JSMF find the same anchors as AP",
            format!(
                "of {TOPICS} anchors ENN shares {} and LR-JSMF {}; AP stopped after 50 iterations shares {}",
                shared("ENN"),
                shared("LR-JSMF"),
                shared("AP, 50")
            ),
            (same, 2),
        ),
        claim(
            "PALM is off but better than AW without rectification",
            format!("PALM shares {palm}, AW {aw}"),
            (usize::from(palm > aw && palm < TOPICS as f64), 1),
        ),
    ]
}

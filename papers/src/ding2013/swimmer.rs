//! Figures 3 to 5: pictures of the swimmer, and how many of its 16 limb positions are found.

use std::collections::BTreeSet;

use topoi_core::synth::swimmer::{Rendering, SwimmerSettings, swimmer};

use super::{METHODS, Method};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Saved, Table};

/// The pictures of the paper: 200 tokens, the background a tenth of the body.
const NOISY: Rendering = Rendering::Noisy { tokens: 200, background: 1 };
/// How the paper says `ddp` was set for these pictures.
const AS_SET: Method = ("ddp, d = 1, γ = 3", "ddp --distance 1 --margin 3");
/// As many positions as the paper's baselines miss, more or less.
const SEVERAL: f64 = 3.0;
/// Sides of a picture.
const SIDE: usize = 32;

/// Draws pictures of both kinds, and true topics.
pub fn pictures(saved: &mut Saved) -> Result<(), String> {
    // It has one size.
    saved.quick = false;
    saved.about =
        "pictures 0, 85, 170 and 255 of the 256 drawn here (`topoi synth swimmer`), noisy ones \
                   of 200 tokens with background 1, and four of the 16 limb positions."
            .into();
    for (name, rendering) in [("clean", Rendering::Clean), ("noisy", NOISY)] {
        let corpus = swimmer(&SwimmerSettings { rendering, seed: 1 }).map_err(text)?;
        let mut all = Vec::new();
        let keep = |document: &[(u32, u32)]| {
            all.push(document.iter().map(|&(pixel, count)| (pixel, f64::from(count))).collect());
            Ok::<(), String>(())
        };
        corpus.draw(keep)?;
        let shown = [0, 85, 170, 255].map(|at: usize| &all[at]);
        saved.pictures.push(side_by_side(&format!("Pictures, {name}"), &shown));
    }
    let corpus = swimmer(&SwimmerSettings { rendering: NOISY, seed: 1 }).map_err(text)?;
    let shown = [0, 5, 10, 15].map(|at: usize| &corpus.topics[at]);
    saved.pictures.push(side_by_side("True topics: a position of each limb", &shown));
    Ok(())
}

/// Pictures beside each other, a column of background between them.
fn side_by_side(title: &str, pictures: &[&Vec<(u32, f64)>]) -> Picture {
    let width = pictures.len() * (SIDE + 1) - 1;
    let mut cells = vec![vec![0.0; width]; SIDE];
    for (at, picture) in pictures.iter().enumerate() {
        let most = picture.iter().map(|&(_, value)| value).fold(0.0, f64::max);
        for &(pixel, value) in *picture {
            let (row, column) = (pixel as usize / SIDE, pixel as usize % SIDE);
            cells[row][at * (SIDE + 1) + column] = (value / most * 100.0).round() / 100.0;
        }
    }
    Picture {
        title: title.into(),
        x: String::new(),
        y: String::new(),
        logarithmic: (false, false),
        drawing: Drawing::Cells(cells),
    }
}

/// Counts the positions that each method finds.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(2, 5);
    saved.names(METHODS);
    saved.names(&[AS_SET]);
    saved.about = format!(
        "positions found of 16, mean ± deviation over {seeds} seeds. \"found\": some topic has over half of \
         its probability on the position's 7 pixels; \"of limbs\": the same among the 112 pixels of limbs, \
         leaving out torso and background, which the pictures give to no topic."
    );
    let of = seeds as usize;
    for (title, rendering, rules) in [
        ("Clean pictures", Rendering::Clean, ""),
        ("Noisy: 200 tokens a picture, background 1, all pixels that occur", NOISY, ""),
        (
            "Noisy, without pixels of fewer than 50 tokens (`--min-count 50`)",
            NOISY,
            "--min-count 50",
        ),
    ] {
        let mut table = Table::new(title, &["model", "found", "of limbs", "l1 error"], of, 2);
        for &(name, method) in METHODS.iter().chain([&AS_SET]) {
            let cells = found(&format!("{method} {rules}"), rendering, seeds)?;
            table.push(name, cells.map(|values| Cell::Values(values).rounded()).into());
        }
        saved.tables.push(table);
    }
    Ok(())
}

fn found(method: &str, rendering: Rendering, seeds: u64) -> Result<[Vec<f64>; 3], String> {
    let mut values = [const { Vec::new() }; 3];
    for seed in 1..=seeds {
        let corpus = swimmer(&SwimmerSettings { rendering, seed }).map_err(text)?;
        let mut laboratory = Laboratory::of_known(corpus)?;
        let Some(number) = laboratory.tried(method, 16, seed) else { continue };
        let limbs = Limbs::of(&laboratory);
        let topics = laboratory.words(number, usize::MAX >> 1)?;
        values[0].push(limbs.found(&topics, |_| true));
        values[1].push(limbs.found(&topics, |word| limbs.all.contains(word)));
        values[2].push(laboratory.beside_truth(number)?.l1_error);
    }
    Ok(values)
}

/// The pixels of the limb positions.
struct Limbs {
    each: Vec<BTreeSet<String>>,
    all: BTreeSet<String>,
}

impl Limbs {
    fn of(laboratory: &Laboratory) -> Self {
        let topics = laboratory.truth.iter().flat_map(|truth| &truth.topics);
        let each: Vec<BTreeSet<String>> = topics.map(|t| t.keys().cloned().collect()).collect();
        Self { all: each.iter().flatten().cloned().collect(), each }
    }

    /// How many positions have over half of some topic's probability on the pixels that `counts`.
    fn found(&self, topics: &[Vec<(String, f64)>], counts: impl Fn(&String) -> bool) -> f64 {
        let share = |topic: &[(String, f64)], own: &BTreeSet<String>| {
            let sum = |of: &dyn Fn(&String) -> bool| -> f64 {
                topic.iter().filter(|(word, _)| of(word)).map(|&(_, p)| p).sum()
            };
            sum(&|word| own.contains(word)) / sum(&|word| counts(word))
        };
        let is_found = |own: &&BTreeSet<String>| topics.iter().any(|topic| share(topic, own) > 0.5);
        self.each.iter().filter(is_found).count() as f64
    }
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [clean, noisy, pruned] = saved.tables.as_slice() else { return Vec::new() };
    let of = |table: &Table, name: &str| {
        let row = table.rows.iter().find(|row| row.name == name)?;
        Some((table.mean(row, "found")?, table.mean(row, "of limbs")?))
    };
    let counts = |table: &Table, names: &[&str]| {
        let told = |name: &&str| match of(table, name) {
            Some((own, limbs)) => format!("{name} {own:.1} ({limbs:.1})"),
            None => format!("{name} fails"),
        };
        let all: Vec<String> = names.iter().map(told).collect();
        all.join(", ")
    };
    let full = |table: &Table, names: &[&str]| {
        let is_full = |name: &&&str| of(table, name).is_some_and(|(_, limbs)| limbs >= 15.99);
        (names.iter().filter(is_full).count(), names.len())
    };
    let proposed =
        &["rp", "rp, as 2015", "rp-doc", "rp-doc, as 2013", "ddp", "ddp, as 2013", AS_SET.0];
    let baselines = &[
        "lda-gibbs, α = β = 0.1",
        "lda-gibbs, α = 0.1, β = 0.01",
        "lda-gibbs, α = 50/K, β = 0.1",
        "nmf-ard",
        "nmf-ard, ℓ2",
        "nmf-kl",
    ];
    let missed = baselines
        .iter()
        .filter(|name| of(noisy, name).is_none_or(|(_, limbs)| limbs <= 16.0 - SEVERAL))
        .count();
    let rec = &["RecL2", "aw"];
    let of_rec: Vec<f64> = rec.iter().filter_map(|name| Some(of(clean, name)?.0)).collect();
    let fails = of_rec.iter().filter(|&&found| found < 8.0).count();
    vec![
        Claim::new(
            "RP and DDP recover all 16 of noisy pictures",
            "a case is a row of RP or DDP: with all pixels, all 16 are found \"of limbs\" for every seed",
            format!(
                "found (of limbs), all pixels: {}. Without rare pixels: {}",
                counts(noisy, proposed),
                counts(pruned, proposed)
            ),
            full(noisy, proposed),
        ),
        Claim::new(
            "of noisy pictures Gibbs misses 5 and NMF 6",
            "a case is a row of Gibbs or NMF: with all pixels, 3 or more of 16 are missed \"of limbs\" in the mean",
            format!(
                "all pixels: {}. Without rare pixels: {}",
                counts(noisy, baselines),
                counts(pruned, baselines)
            ),
            (missed, baselines.len()),
        ),
        Claim::new(
            "RecL2 finds 4 of 16 even of clean pictures, as the corners are linearly dependent",
            "a case is RecL2 and AW: fewer than 8 of 16 are found of clean pictures in the mean",
            format!(
                "clean: {}. With its diagonal the co-occurrence of the pictures has rank 13, without (as the \
                 estimate of it is) 124 of 124, so that nothing forbids it all 16",
                counts(clean, rec)
            ),
            (fails, of_rec.len()),
        ),
    ]
}

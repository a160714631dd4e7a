//! Saved results against the program as it is today.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use topoi_papers::catalogue::FIGURES;
use topoi_papers::fingerprint::{changed, computed};
use topoi_papers::measuring::{measured, stale};
use topoi_papers::pages::markdown::command;
use topoi_papers::pages::saved::{Cell, Program, Saved, Table};

/// By how much a value may differ from the saved one, as a part of it: they have six digits, and processors round
/// differently.
const TOLERANCE: f64 = 1e-4;
/// Figures that are made here again, and with how many corpora or seeds: as many as take some seconds. None where the
/// figure repeats nothing.
const CHEAP: &[(&str, Option<u64>)] = &[
    ("2008 section3", None),
    ("2008 section5", Some(1)),
    ("2013 fig3", None),
    ("2013 khat", Some(1)),
    ("2015-cheng gmm", None),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn no_model_computes_something_else_than_when_a_figure_was_measured() {
    let stale = stale(&root()).expect("results");
    let lines = stale.iter().map(|(figure, changed)| {
        let saved = Saved { corpora: !figure.needs.is_empty(), ..figure.empty() };
        format!("{}: {}\n    make it anew: {}", figure.name, changed.join(", "), command(&saved))
    });
    let lines: Vec<String> = lines.collect();
    assert!(lines.is_empty(), "changed since they were measured:\n{}", lines.join("\n"));
}

#[test]
fn figures_that_take_seconds_are_what_was_saved() {
    for &(name, seeds) in CHEAP {
        let figure = FIGURES.iter().find(|figure| figure.name == name).expect("a figure");
        let saved = Saved::read(&figure.empty().path(&root())).expect("its results");
        let made = measured(figure, saved.quick, seeds).expect("measured");
        let pairs = saved.tables.iter().zip(&made.tables);
        let differences: Vec<String> = pairs.flat_map(|(then, now)| different(then, now)).collect();
        assert_eq!(saved.tables.len(), made.tables.len(), "{name}");
        assert!(differences.is_empty(), "{name}, now and saved:\n{}", differences.join("\n"));
    }
}

#[test]
fn what_figures_use_has_a_fingerprint_that_tells_settings_apart() {
    let names = [
        "synth separable",
        "synth lda",
        "synth semi",
        "synth swimmer",
        "synth zipf",
        "synth bitmap",
        "k-hat",
        "bounds",
        "measure npmi",
        "measure held_out_log_probability",
        "measure relative_approximation",
        "model aw",
        "model aw --anchors arora --anchor-documents 100/M",
        "model lr-jsmf",
        "model lr-jsmf --as paper",
        "model rp",
        "model rp --as paper",
        "model lda-gibbs",
        "model lda-gibbs --alpha 50/K --beta 0.1 --fixed-alpha",
        "model r1d --grow-from word --monotone",
    ];
    let names: BTreeSet<String> = names.iter().map(ToString::to_string).collect();
    let today = computed(&names).expect("fingerprints");
    assert_eq!(today, computed(&names).expect("the same again"));
    for (name, numbers) in &today {
        assert!(
            !numbers.is_empty() && numbers.iter().all(|x| x.is_finite()),
            "{name}: {numbers:?}"
        );
    }
    assert_ne!(today["model lr-jsmf"], today["model lr-jsmf --as paper"]);
    assert_ne!(today["model rp"], today["model rp --as paper"]);

    let program =
        Program { uses: today.clone(), commit: "0123456789".into(), ..Program::default() };
    let saved = Saved { program, ..Saved::default() };
    assert_eq!(changed(&saved, &today), Vec::<String>::new());
    let mut other = today;
    other.get_mut("model rp").expect("rp")[0] += 1e-3;
    assert_eq!(changed(&saved, &other), ["model rp"]);
    assert_eq!(changed(&Saved::default(), &other).len(), 1, "results without their program");
}

/// Where two tables differ. Where `now` has fewer seeds, its values are the first of those that were saved; cells of
/// words are of all seeds, and are compared where there are as many.
fn different(then: &Table, now: &Table) -> Vec<String> {
    let place = |name: &str, head: &str| format!("{}, {name}, {head}", now.title);
    let mut all = Vec::new();
    if then.of == now.of && then.title != now.title {
        all.push(format!("{} is {}", now.title, then.title));
    }
    for (old, new) in then.rows.iter().zip(&now.rows) {
        if old.name != new.name {
            all.push(format!("{}: {} is {}", now.title, new.name, old.name));
        }
        for (head, (before, after)) in now.head[1..].iter().zip(old.cells.iter().zip(&new.cells)) {
            let is_same = match (before, after) {
                _ if now.is_timed(head) => true,
                (Cell::Words(a), Cell::Words(b)) => a == b || then.of != now.of,
                (Cell::Values(a), Cell::Values(b)) => is_begin(a, b, then.of),
                _ => false,
            };
            if !is_same {
                all.push(format!("{}: {after:?} and {before:?}", place(&new.name, head)));
            }
        }
    }
    if then.rows.len() != now.rows.len() {
        all.push(format!("{}: {} rows and {}", now.title, now.rows.len(), then.rows.len()));
    }
    all
}

/// Whether `few` are the first of `all`; where some of `all` are missing, whether each is one of them.
fn is_begin(all: &[f64], few: &[f64], of: usize) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * a.abs().max(1e-3);
    match all.len() == of {
        true => few.len() <= of && all.iter().zip(few).all(|(&a, &b)| near(a, b)),
        false => few.iter().all(|&b| all.iter().any(|&a| near(a, b))),
    }
}

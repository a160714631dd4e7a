//! The figures and tables of the papers, measured: `cargo run --release -p topoi-papers -- 2013 fig2 --quick`.
//!
//! `--list` prints them all, with what each needs and how long it takes. `2013` alone is every figure of that paper,
//! `all` every figure there is, `stale` those whose models compute something else than when they were measured. What
//! is measured is saved below `papers/results`, with the program that measured it; pages and pictures are made
//! of it afterwards, or of what was saved before by `--write` alone.
//!
//! `--quick` takes fewer corpora, seeds and sizes; `--seeds N` as many corpora or seeds, whatever the size. Real text is
//! read from the directory that TOPOI_CORPORA names (`docword.nips.txt.gz` and `vocab.nips.txt` of UCI,
//! `20ng_counts.jsonl.gz`, `nyt_small.jsonl.gz`); figures that need it are left out where it is not there.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measured")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use topoi_papers::catalogue::{FIGURES, Figure};
use topoi_papers::measuring::{measured, stale};
use topoi_papers::pages;
use topoi_papers::pages::changes;
use topoi_papers::pages::saved::Saved;

/// What `--help` prints.
const HELP: &str = "\
Measures the figures and tables of the papers; saves them below papers/results, and makes pages and pictures of them.

usage: cargo run --release -p topoi-papers -- [FIGURE ...] [--quick] [--seeds N]

  FIGURE      a paper and a figure, `2013 fig2`; a paper alone, `2013`, for all of its figures; `all`; or `stale`, those
              whose models compute something else than when they were measured
  --quick     fewer corpora, seeds and sizes
  --seeds N   as many corpora or seeds, whatever the size
  --list      print all figures, what each needs, and how long it took (as without FIGURE)
  --write     make pages and pictures of what was saved before
  --diff REV  write what changed since this revision of the repository to papers/changes.md
  --help      print this

Real text is read from the directory that TOPOI_CORPORA names.";

/// Flags without a value.
const FLAGS: [&str; 5] = ["--quick", "--list", "--write", "--help", "-h"];

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("papers: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut words: Vec<String>) -> Result<(), String> {
    let mut after = |flag: &str| {
        let at = words.iter().position(|word| word == flag)?;
        Some(words.drain(at..words.len().min(at + 2)).nth(1).unwrap_or_default())
    };
    let seeds = after("--seeds").map(|given| match given.parse() {
        Ok(seeds) if seeds > 0 => Ok(seeds),
        _ => Err(format!("--seeds {given:?}: write a number above 0")),
    });
    let (seeds, revision) = (seeds.transpose()?, after("--diff"));
    let (flags, names): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with('-'));
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    if let Some(unknown) = flags.iter().find(|given| !FLAGS.contains(&given.as_str())) {
        return Err(format!("there is no flag {unknown}; --help prints those there are"));
    }
    if has("--help") || has("-h") {
        println!("{HELP}");
        return Ok(());
    }
    let chosen = chosen(&names)?;
    if has("--list") || (names.is_empty() && !has("--write") && revision.is_none()) {
        list();
        return Ok(());
    }
    for figure in chosen {
        let saved = measured(figure, has("--quick"), seeds).and_then(|saved| {
            saved.write(&root())?;
            Ok(saved.seconds.unwrap_or_default())
        });
        match saved {
            Ok(seconds) => println!("{}: saved, {seconds:.0} s of processor time", figure.name),
            Err(reason) => eprintln!("{}: {reason}", figure.name),
        }
    }
    if let Some(revision) = revision {
        changes::write(&root(), &revision)?;
    }
    written()
}

/// The figures that are named: a paper and a figure, a paper alone for all of its figures, `all`, or `stale`.
fn chosen(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    if let [name] = names
        && name == "stale"
    {
        let stale = stale(&root())?;
        for (figure, changed) in &stale {
            println!("{}: changed since it was measured: {}", figure.name, changed.join(", "));
        }
        return Ok(stale.into_iter().map(|(figure, _)| figure).collect());
    }
    let mut found = Vec::new();
    let mut paper = None;
    for name in names {
        let whole = paper.map_or(name.clone(), |paper| format!("{paper} {name}"));
        let own = FIGURES.iter().filter(|figure| figure.name == whole);
        let of_paper = FIGURES.iter().filter(|figure| name == "all" || figure.paper() == name);
        let is_paper = of_paper.clone().next().is_some();
        if own.clone().next().is_none() && !is_paper {
            return Err(format!("there is no figure {whole:?}; --list prints them"));
        }
        found.push((is_paper, name, own.chain(of_paper).collect::<Vec<_>>()));
        if is_paper {
            paper = Some(name);
        }
    }
    // A paper stands for all of its figures where none of them is named after it.
    let mut figures = Vec::new();
    for (at, (is_paper, _, of)) in found.iter().enumerate() {
        let is_named = found.get(at + 1).is_some_and(|(is_paper, ..)| !is_paper);
        if !(*is_paper && is_named) {
            figures.extend(of.iter().copied());
        }
    }
    Ok(figures)
}

fn list() {
    println!(
        "| figure | what is measured | page | needs | saved | processor time |\n|---|---|---|---|---|---|"
    );
    let mut seconds = 0.0;
    for figure in FIGURES {
        let saved = Saved::read(&figure.empty().path(&root())).ok();
        let size = saved.as_ref().map_or("no", |saved| if saved.quick { "quick" } else { "whole" });
        let took = saved.and_then(|saved| saved.seconds);
        seconds += took.unwrap_or_default();
        let took = took.map_or("–".into(), pages::markdown::duration);
        let needs = if figure.needs.is_empty() { "nothing" } else { figure.needs };
        let has_place = |page: &&&str| {
            let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
            pages::places(&text).any(|place| place == figure.name)
        };
        let page = pages::PAGES.iter().find(has_place).unwrap_or(&"none");
        println!("| {} | {} | {page} | {needs} | {size} | {took} |", figure.name, figure.shows);
    }
    println!("| all | | | | | {} |", pages::markdown::duration(seconds));
}

/// Where the repository is.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Judges anew what was saved, and makes the pages and pictures of it.
fn written() -> Result<(), String> {
    for mut saved in Saved::all(&root())? {
        if let Some(figure) = FIGURES.iter().find(|figure| figure.name == saved.figure) {
            saved.claims = (figure.judge)(&saved);
            saved.write(&root())?;
        }
    }
    for (name, text) in pages::made(&root())? {
        let path = root().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| e.to_string())?;
        std::fs::write(path, text).map_err(|e| e.to_string())?;
    }
    Ok(())
}

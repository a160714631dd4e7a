//! The figures and tables of the papers, measured: `cargo run --release -p topoi-papers -- 2013 fig2 --quick`.
//!
//! `--list` prints them all, with what each needs. `2013` alone is every figure of that paper, `all`
//! every figure there is. What is measured is saved below `papers/results`; pages and pictures are made
//! of it afterwards, or of what was saved before by `--write` alone.
//!
//! `--quick` takes fewer corpora, seeds and sizes; `--seeds N` as many corpora or seeds, whatever the size; `--row NAME`
//! measures only some rows, and keeps the others as they were saved, where that is spelt out in `--help`. Real text is
//! read from the directory that TOPOI_CORPORA names (`docword.nips.txt.gz` and `vocab.nips.txt` of UCI,
//! `20ng_counts.jsonl.gz`, `nyt_small.jsonl.gz`); figures that need it are left out where it is not there.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measured")]

mod biggs2008;
mod catalogue;
mod cheng2015;
mod ding2013;
mod ding2015;
mod drawn;
mod laboratory;
mod lee2021;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::catalogue::{FIGURES, Figure};
use topoi_papers::pages;
use topoi_papers::pages::saved::Saved;

/// What `--help` prints.
const HELP: &str = "\
Measures the figures and tables of the papers; saves them below papers/results, and makes pages and pictures of them.

usage: cargo run --release -p topoi-papers -- [FIGURE ...] [--quick] [--seeds N] [--row NAME]

  FIGURE     a paper and a figure, `2013 fig2`; a paper alone, `2013`, for all of its figures; or `all`
  --quick    fewer corpora, seeds and sizes
  --seeds N  as many corpora or seeds, whatever the size
  --row NAME only the rows whose names begin so, the others stay as they were saved at the same size
             (`2013 fig2`, `2015 fig5`)
  --list     print all figures, what each needs, and whether it was measured (as without FIGURE)
  --write    make pages and pictures of what was saved before
  --help     print this

Real text is read from the directory that TOPOI_CORPORA names.";

/// Flags without a value.
const FLAGS: [&str; 5] = ["--quick", "--list", "--write", "--help", "-h"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (size, words) = match size(words) {
        Ok(given) => given,
        Err(reason) => return failed(&reason),
    };
    let (flags, names): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with('-'));
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    if let Some(unknown) = flags.iter().find(|given| !FLAGS.contains(&given.as_str())) {
        return failed(&format!("there is no flag {unknown}; --help prints those there are"));
    }
    if has("--help") || has("-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let chosen = match chosen(&names) {
        Ok(chosen) => chosen,
        Err(reason) => return failed(&reason),
    };
    if has("--list") || (chosen.is_empty() && !has("--write")) {
        list();
        return ExitCode::SUCCESS;
    }
    for figure in chosen {
        let size = Size { quick: has("--quick"), ..size.clone() };
        match measured(figure, size) {
            Ok(seconds) => println!("{}: saved, {seconds:.0} s of processor time", figure.name),
            Err(reason) => eprintln!("{}: {reason}", figure.name),
        }
    }
    match written() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => failed(&reason),
    }
}

fn failed(reason: &str) -> ExitCode {
    eprintln!("papers: {reason}");
    ExitCode::FAILURE
}

/// How much of a figure is measured.
#[derive(Clone, Default)]
struct Size {
    quick: bool,
    seeds: Option<u64>,
    row: Option<String>,
}

/// What stands after `--seeds` and `--row`, and the other words.
fn size(mut words: Vec<String>) -> Result<(Size, Vec<String>), String> {
    let mut after = |flag: &str| {
        let at = words.iter().position(|word| word == flag)?;
        Some(words.drain(at..words.len().min(at + 2)).nth(1).unwrap_or_default())
    };
    let seeds = after("--seeds").map(|given| match given.parse() {
        Ok(seeds) if seeds > 0 => Ok(seeds),
        _ => Err(format!("--seeds {given:?}: write a number above 0")),
    });
    let row = after("--row");
    if row.as_deref() == Some("") {
        return Err("--row: write what the rows' names begin with".into());
    }
    Ok((Size { quick: false, seeds: seeds.transpose()?, row }, words))
}

/// The figures that are named: a paper and a figure, a paper alone for all of its figures, or `all`.
fn chosen(names: &[String]) -> Result<Vec<&'static Figure>, String> {
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
    println!("| figure | what is measured | page | needs | saved |\n|---|---|---|---|---|");
    for figure in FIGURES {
        let saved = Saved::read(&figure.empty().path(&root()))
            .map_or("no", |saved| if saved.quick { "quick" } else { "whole" });
        let needs = if figure.needs.is_empty() { "nothing" } else { figure.needs };
        let has_place = |page: &&&str| {
            let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
            pages::places(&text).any(|place| place == figure.name)
        };
        let page = pages::PAGES.iter().find(has_place).unwrap_or(&"none");
        println!("| {} | {} | {page} | {needs} | {saved} |", figure.name, figure.shows);
    }
}

/// Where the repository is.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Measures a figure and saves it; the processor time it took.
fn measured(figure: &Figure, Size { quick, seeds, row }: Size) -> Result<f64, String> {
    let mut saved = Saved { quick, asked: seeds, row, ..figure.empty() };
    let begun = laboratory::processor_seconds();
    (figure.measure)(&mut saved)?;
    let seconds = laboratory::processor_seconds() - begun;
    saved.seconds = Some(seconds.round());
    if saved.row.is_some() {
        let before = Saved::read(&saved.path(&root()))?;
        saved.seconds = before.seconds.map(|before| (before + seconds).round());
        saved = saved.with_rows_of(before)?;
    }
    saved.claims = (figure.judge)(&saved);
    let path = saved.path(&root());
    std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| e.to_string())?;
    std::fs::write(&path, saved.json()).map_err(|e| e.to_string())?;
    Ok(seconds)
}

/// Judges anew what was saved, and makes the pages and pictures of it.
fn written() -> Result<(), String> {
    for mut saved in Saved::all(&root())? {
        if let Some(figure) = FIGURES.iter().find(|figure| figure.name == saved.figure) {
            saved.claims = (figure.judge)(&saved);
            std::fs::write(saved.path(&root()), saved.json()).map_err(|e| e.to_string())?;
        }
    }
    for (name, text) in pages::made(&root())? {
        let path = root().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| e.to_string())?;
        std::fs::write(path, text).map_err(|e| e.to_string())?;
    }
    Ok(())
}

//! Figure 2: the error on separable corpora by documents and by tokens.

use topoi_core::synth::length::Length;
use topoi_core::synth::separable::{SeparableSettings, separable};

use super::{METHODS, PROPOSED};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Row, Saved, Table};

/// Documents and tokens of a corpus.
type Size = (u64, u32);

/// Methods that are drawn; more lines could not be told apart.
const DRAWN: &[&str] = &["ddp", "rp", "rp, as 2015", "RecL2", "raw", "lda-gibbs, α = β = 0.1"];
/// The baselines of the paper, by the beginnings of their names.
const COMPARED: &[&str] = &["lda-gibbs", "nmf-ard", "RecL2"];
/// What is shown beside them and is not of the paper.
const OF_ANY: &str = "RecL2, any word";

/// Measures all methods on all corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let corpora = saved.repeats(2, 50);
    saved.names(METHODS);
    saved.about = format!(
        "ℓ1 error of a topic (0 to 2) after the best matching, mean ± deviation over {corpora} corpora \
         (the paper's 50); W = 500, a fifth of the words novel, α = 0.1."
    );
    let documents: Vec<Size> =
        sizes(saved.quick).iter().map(|&documents| (documents, 100)).collect();
    let tokens: &[u32] = if saved.quick { &[50, 100, 200] } else { &[50, 100, 200, 400] };
    let tokens: Vec<Size> = tokens.iter().map(|&tokens| (500, tokens)).collect();
    add(saved, "K = 5, N = 100 tokens, by documents M", (5, corpora), &documents, |size| size.0)?;
    add(saved, "K = 10, M = 500 documents, by tokens N", (10, corpora), &tokens, |size| {
        u64::from(size.1)
    })?;
    Ok(())
}

fn sizes(quick: bool) -> &'static [u64] {
    if quick { &[200, 500, 1000] } else { &[200, 500, 1000, 2000] }
}

fn add(
    saved: &mut Saved,
    title: &str,
    (topics, corpora): (usize, u64),
    sizes: &[Size],
    varied: fn(&Size) -> u64,
) -> Result<(), String> {
    let heads: Vec<String> = sizes.iter().map(|size| varied(size).to_string()).collect();
    let heads: Vec<&str> =
        std::iter::once("model").chain(heads.iter().map(String::as_str)).collect();
    let mut table = Table::new(title, &heads, corpora as usize, 3);
    let mut values = vec![vec![Vec::new(); sizes.len()]; METHODS.len()];
    for (at, &(documents, tokens)) in sizes.iter().enumerate() {
        for seed in 1..=corpora {
            let (words, rho, alpha, length) = (500, 0.2, 0.1, Length::Fixed(tokens));
            let settings = SeparableSettings { documents, words, topics, rho, length, alpha, seed };
            let mut laboratory = Laboratory::of_known(separable(&settings).map_err(text)?)?;
            for ((_, method), values) in METHODS.iter().zip(&mut values) {
                values[at].extend(laboratory.error(method, seed));
            }
        }
    }
    for ((name, _), values) in METHODS.iter().zip(values) {
        if values.iter().any(|values| !values.is_empty()) {
            table.push(name, values.into_iter().map(|v| Cell::Values(v).rounded()).collect());
        }
    }
    let drawn = table.rows.iter().map(|row| row.name.clone());
    let rows = drawn.filter(|name| DRAWN.contains(&name.as_str())).collect();
    let x = if title.ends_with('M') { "documents M" } else { "tokens N" };
    saved.pictures.push(Picture {
        title: title.into(),
        x: x.into(),
        y: "l1 error".into(),
        logarithmic: (true, true),
        drawing: Drawing::Rows { table: saved.tables.len(), rows },
    });
    saved.tables.push(table);
    Ok(())
}

/// The row with the least error at a size, among those that `of` takes.
fn least(table: &Table, head: &str, of: impl Fn(&str) -> bool) -> Option<(f64, String)> {
    let of = table.rows.iter().filter(|row| of(&row.name));
    let errors = of.filter_map(|row| Some((table.mean(row, head)?, row.name.clone())));
    errors.min_by(|a, b| a.0.total_cmp(&b.0))
}

fn is_one_of(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// What the paper says of `own` at every size: each has no larger error than the best of the others.
fn better(tables: &[Table], said: &str, own: &[&str], others: impl Fn(&str) -> bool) -> Claim {
    let (mut won, mut of, mut worst) =
        (vec![0; own.len()], 0, (0.0, String::from("nowhere beaten")));
    for table in tables {
        for head in &table.head[1..] {
            let Some((best, whose)) = least(table, head, &others) else { continue };
            of += 1;
            for (name, won) in own.iter().zip(&mut won) {
                let Some(error) = table.at(name, head) else { continue };
                *won += usize::from(error <= best);
                if error - best > worst.0 {
                    let place = table.title.split(',').next().unwrap_or_default();
                    let axis = if table.title.ends_with('M') { "M" } else { "N" };
                    let beaten = format!(
                        "beaten most at {place}, {axis} = {head}: {name} {error:.3}, {whose} {best:.3}"
                    );
                    worst = (error - best, beaten);
                }
            }
        }
    }
    let counts = own.iter().zip(&won).map(|(name, won)| format!("{name} in {won}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let rule = "a case is a method at an M or an N: its mean error is at most that of the best of the others";
    let here = format!("the least error of {of} sizes: {counts}; {}", worst.1);
    Claim::new(said, rule, here, (won.iter().sum(), own.len() * of))
}

/// What the paper says of the figure. Its RP is `rp-doc`.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let tables = &saved.tables;
    let compared = |name: &str| is_one_of(name, COMPARED) && name != OF_ANY;
    let all_others = |name: &str| !is_one_of(name, PROPOSED);
    let said = "RP and DDP are uniformly better than Gibbs, NMF (Tan and Févotte) and RecL2";
    let printed = format!("{said}; as printed (`--as paper`)");
    let mut claims = vec![
        better(tables, &printed, &["rp-doc, as 2013", "ddp, as 2013"], compared),
        better(
            tables,
            &format!("{said}; `rp` and `ddp` as they are here"),
            &["rp", "ddp"],
            compared,
        ),
        better(
            tables,
            "(not of the paper) `rp` and `ddp` are uniformly better than every other model here",
            &["rp", "ddp"],
            all_others,
        ),
    ];
    claims.extend(worst_in_all(tables));
    claims.extend(poor_baselines(tables));
    claims
}

/// The mean error of a method over all sizes.
fn mean_error(table: &Table, name: &str) -> Option<f64> {
    let row = table.rows.iter().find(|row| row.name == name)?;
    let errors: Vec<f64> = row.cells.iter().filter_map(Cell::mean).collect();
    Some(errors.iter().sum::<f64>() / errors.len() as f64)
}

/// The mean error of Gibbs with each prior.
fn of_gibbs(table: &Table) -> Vec<(f64, String)> {
    let of = |row: &Row| {
        let prior = row.name.strip_prefix("lda-gibbs, ")?.to_string();
        Some((mean_error(table, &row.name)?, prior))
    };
    table.rows.iter().filter_map(of).collect()
}

/// The paper: "Gibbs performs relatively poor in the first setting and NMF in the second".
fn poor_baselines(tables: &[Table]) -> Option<Claim> {
    let [documents, tokens, ..] = tables else { return None };
    let (first, second) = (of_gibbs(documents), of_gibbs(tokens));
    let (nmf_first, nmf_second) =
        (mean_error(documents, "nmf-ard")?, mean_error(tokens, "nmf-ard")?);
    let told = |means: &[(f64, String)]| {
        let all: Vec<String> =
            means.iter().map(|(error, prior)| format!("{error:.3} with {prior}")).collect();
        all.join(", ")
    };
    let here = format!(
        "mean error by documents: Gibbs {}, nmf-ard {nmf_first:.3}; by tokens: Gibbs {}, nmf-ard {nmf_second:.3}",
        told(&first),
        told(&second)
    );
    let poor = first.iter().filter(|(error, _)| *error > nmf_first).count()
        + second.iter().filter(|(error, _)| nmf_second > *error).count();
    let of = first.len() + second.len();
    let rule = "a case is a prior of Gibbs and one of two: its mean error is above that of nmf-ard by documents; below by tokens";
    Some(Claim::new(
        "Gibbs is relatively poor by documents and NMF by tokens",
        rule,
        here,
        (poor, of),
    ))
}

/// The paper: "RecL2 perform worse in all the settings".
fn worst_in_all(tables: &[Table]) -> Option<Claim> {
    let name = |row: &&Row| row.name == "RecL2";
    let of_paper = |name: &str| {
        (is_one_of(name, COMPARED) && name != OF_ANY)
            || (is_one_of(name, PROPOSED) && !name.starts_with("binning"))
    };
    let (mut worst, mut of) = (0, 0);
    for table in tables {
        for head in &table.head[1..] {
            let errors = table.rows.iter().filter(|row| of_paper(&row.name));
            let largest = errors.max_by(|a, b| {
                table.mean(a, head).unwrap_or(0.0).total_cmp(&table.mean(b, head).unwrap_or(0.0))
            });
            of += 1;
            worst += usize::from(largest.as_ref().is_some_and(name));
        }
    }
    let here =
        format!("it has the largest error of the paper's methods in {worst} of {of} settings");
    let rule = "a case is an M or an N: of the paper's methods RecL2 has the largest mean error";
    (of > 0).then(|| Claim::new("RecL2 performs worst in all settings", rule, here, (worst, of)))
}

//! Table I: held-out log probability of real text.

use super::NEWS;
use crate::ding2013::{Method, RECOVER_L2, RECOVER_L2_OF_ANY};
use crate::laboratory::{Laboratory, made};
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// The methods, those of the paper first.
const COMPARED: &[Method] = &[
    ("RecoverL2", RECOVER_L2),
    ("RecoverL2, any word", RECOVER_L2_OF_ANY),
    ("aw", "aw"),
    ("lda-gibbs", "lda-gibbs"),
    ("rp", "rp"),
    ("rp, as 2015", "rp --as paper"),
    ("lr-jsmf", "lr-jsmf"),
];
/// Scores all methods over several splits of the documents.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (topics, terms): (&[usize], usize) =
        if saved.quick { (&[25], 1000) } else { (&[25, 50], 1500) };
    let splits = saved.repeats(2, 5);
    saved.names(COMPARED);
    saved.about = format!(
        "small New York Times, {terms} terms, a fifth of the documents held out, {splits} splits (the paper: 5 of \
         300,000 articles, 14,943 terms); nats a token from left to right, mean ± deviation over splits; α \
         estimated from the training documents in the same way for all."
    );
    let heads: Vec<String> = topics.iter().map(|k| format!("K = {k}")).collect();
    let heads: Vec<&str> =
        std::iter::once("model").chain(heads.iter().map(String::as_str)).collect();
    let mut table = Table::new("Held-out log probability of a token", &heads, splits as usize, 3);
    let mut laboratory = Laboratory::of_file(NEWS)?;
    for (name, method) in COMPARED {
        let mut cells = Vec::new();
        for &k in topics {
            let mut values = Vec::new();
            for split in 0..splits {
                let method = format!("{method} --terms {terms}");
                let run = made(&method, laboratory.held_out(&method, k, 1 + split));
                let value = run.and_then(|run| laboratory.metric(run, "held_out_log_probability"));
                values.extend(value);
            }
            cells.push(Cell::Values(values).rounded());
        }
        if cells.iter().any(|cell| cell.mean().is_some()) {
            table.push(name, cells);
        }
    }
    saved.tables.push(table);
    Ok(())
}

/// What the paper says of the table.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let heads = &table.head[1..];
    let at = |name: &str, head: &str| table.at(name, head);
    let papers = ["RecoverL2", "rp, as 2015", "aw", "rp"];
    let best = heads.iter().filter(|head| {
        let gibbs = at("lda-gibbs", head).unwrap_or(f64::NEG_INFINITY);
        papers.iter().all(|name| at(name, head).is_none_or(|value| value <= gibbs))
    });
    let apart = |head: &String| {
        let values: Vec<f64> = papers.iter().filter_map(|name| at(name, head)).collect();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (
            at("lda-gibbs", head).unwrap_or(f64::NAN) - most,
            most - values.iter().copied().fold(most, f64::min),
        )
    };
    let below: Vec<String> = heads.iter().map(|h| format!("{:.3} at {h}", apart(h).0)).collect();
    let spread: Vec<String> = heads.iter().map(|h| format!("{:.3} at {h}", apart(h).1)).collect();
    let similar = heads.iter().filter(|head| apart(head).1 <= 0.3 && apart(head).0 > 0.0).count();
    vec![
        Claim::new(
            "Gibbs has the best descriptive power (K = 50, 150, 200; at K = 100 RP has)",
            "a case is a K: the mean of Gibbs is at least that of RP, RecoverL2 and AW",
            format!("above the best of RP and RecoverL2 by (nats) {}", below.join(", ")),
            (best.count(), heads.len()),
        ),
        Claim::new(
            "RP and RecoverL2 are similar (within 0.3 in the paper) and somewhat lower",
            "a case is a K: RP in both forms, RecoverL2 and AW are within 0.3 nats, and Gibbs is above them",
            format!("the four are apart by {}", spread.join(", ")),
            (similar, heads.len()),
        ),
    ]
}

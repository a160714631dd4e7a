//! Table 3: what the methods cost. The paper gives orders; here they are measured.

use topoi_core::synth::lda::{LdaSettings, lda};
use topoi_core::synth::length::Length;

use super::{Method, PROPOSED, RECOVER_L2};
use crate::laboratory::{Laboratory, processor_seconds, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Saved, Table};

/// Methods of the table; their runs are timed whole, with what a run does before and after.
const TIMED: &[Method] = &[
    ("ddp", "ddp"),
    ("ddp, as 2013", "ddp --as paper"),
    ("rp", "rp"),
    ("rp, as 2015", "rp --as paper"),
    ("rp-doc", "rp-doc"),
    ("rp-doc, as 2013", "rp-doc --as paper"),
    ("binning", "binning"),
    ("binning, as 2013", "binning --as paper"),
    ("RecL2", RECOVER_L2),
    ("lda-gibbs", "lda-gibbs"),
    ("nmf-kl", "nmf-kl"),
];

/// Methods that are drawn: as many as there are kinds of lines.
const DRAWN: [&str; 6] = ["ddp", "rp", "binning", "RecL2", "lda-gibbs", "nmf-kl"];

/// Times every method on corpora of growing size.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let documents: &[u64] = if saved.quick { &[500, 2000, 8000] } else { &[1000, 4000, 16_000] };
    let rounds = saved.repeats(1, 3);
    saved.names(TIMED);
    saved.about = format!(
        "processor time of a run, all threads together, mean ± deviation of {rounds} of each; LDA corpora of 100 tokens a \
         document, W = 2,000, K = 10."
    );
    let heads: Vec<String> = documents.iter().map(ToString::to_string).collect();
    let heads: Vec<&str> =
        std::iter::once("model").chain(heads.iter().map(String::as_str)).collect();
    let mut table = Table::new("Seconds, by documents M", &heads, rounds as usize, 2);
    let mut values = vec![Vec::new(); TIMED.len()];
    for &documents in documents {
        let (words, topics, length) = (2000, 10, Length::Fixed(100));
        let settings =
            LdaSettings { documents, words, topics, length, alpha: 0.1, beta: 0.05, seed: 1 };
        let mut laboratory = Laboratory::of_known(lda(&settings).map_err(text)?)?;
        for ((_, method), values) in TIMED.iter().zip(&mut values) {
            let mut seconds = Vec::new();
            for seed in 1..=rounds {
                let begun = processor_seconds();
                if laboratory.tried(method, topics, seed).is_some() {
                    seconds.push(processor_seconds() - begun);
                }
            }
            values.push(Cell::Values(seconds).rounded());
        }
    }
    TIMED.iter().zip(values).for_each(|((name, _), cells)| table.push(name, cells));
    saved.pictures.push(Picture {
        title: "Processor time by documents".into(),
        x: "documents M".into(),
        y: "seconds".into(),
        logarithmic: (true, true),
        drawing: Drawing::Rows { table: 0, rows: DRAWN.map(String::from).into() },
    });
    saved.tables.push(table);
    Ok(())
}

/// What the paper says of cost.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    let (Some(first), Some(last)) = (table.head.get(1), table.head.last()) else {
        return Vec::new();
    };
    let growth = |name: &str| Some(table.at(name, last)? / table.at(name, first)?);
    let documents = |head: &str| head.parse::<f64>().unwrap_or(f64::NAN);
    let times = documents(last) / documents(first);
    let is_proposed = |name: &&str| PROPOSED.iter().any(|own| name.starts_with(own));
    let names = table.rows.iter().map(|row| row.name.as_str()).filter(is_proposed);
    let grown: Vec<(&str, f64)> = names.filter_map(|name| Some((name, growth(name)?))).collect();
    let linear = grown.iter().filter(|(_, growth)| *growth <= 1.2 * times).count();
    let text: Vec<String> = grown.iter().map(|(name, by)| format!("{name} {by:.1}")).collect();
    let slower = |own: &str| Some(table.at("RecL2", last)? / table.at(own, last)?);
    let beside = ["ddp, as 2013", "ddp", "rp, as 2015", "rp"];
    let beside: Vec<(&str, f64)> =
        beside.iter().filter_map(|name| Some((*name, slower(name)?))).collect();
    let told: Vec<String> =
        beside.iter().map(|(name, times)| format!("{times:.1} times that of `{name}`")).collect();
    let of_ddp: Vec<f64> =
        beside.iter().filter(|(name, _)| name.starts_with("ddp")).map(|one| one.1).collect();
    vec![
        Claim::new(
            "the cost of RP, Binning and DDP grows linearly with the documents",
            "a case is a method: its time grows at most 1.2 times as much as the documents from the fewest to the most",
            format!("times the time for {times:.0} times the documents: {}", text.join(", ")),
            (linear, grown.len()),
        ),
        Claim::new(
            "DDP takes less time than RecL2",
            "a case is DDP as printed and as it is here: RecL2 takes longer at the largest M",
            format!("the time of RecL2 at M = {last} is {}", told.join(", ")),
            (of_ddp.iter().filter(|&&times| times > 1.0).count(), of_ddp.len()),
        ),
    ]
}

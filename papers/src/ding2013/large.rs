//! The corpora of figure 2 with more documents than the paper draws.

use topoi_core::synth::length::Length;
use topoi_core::synth::separable::{SeparableSettings, separable};

use super::{Method, RECOVER_L2};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Drawing, Picture, Saved, Table};

/// Methods whose errors other pages speak of.
const COMPARED: &[Method] = &[
    ("rp", "rp"),
    ("ddp", "ddp"),
    ("rp-doc", "rp-doc"),
    ("binning", "binning"),
    ("RecL2", RECOVER_L2),
    ("raw", "raw"),
    ("lr-jsmf", "lr-jsmf"),
    ("lda-gibbs", "lda-gibbs"),
    ("nmf-kl", "nmf-kl"),
];
/// Methods that are drawn: as many as there are kinds of lines.
const DRAWN: [&str; 6] = ["rp", "ddp", "rp-doc", "binning", "raw", "lda-gibbs"];

/// Measures the errors.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let documents: &[u64] = if saved.quick { &[2000, 5000] } else { &[2000, 5000, 20_000] };
    let corpora = saved.repeats(2, 5);
    saved.names(COMPARED);
    saved.about = format!(
        "ℓ1 error of a topic (0 to 2) after the best matching, mean ± deviation over {corpora} corpora; W = 500, K = 10, 100 \
         tokens a document, a fifth of the words novel, α = 0.1, all models with their own settings."
    );
    let heads: Vec<String> = documents.iter().map(ToString::to_string).collect();
    let heads: Vec<&str> =
        std::iter::once("model").chain(heads.iter().map(String::as_str)).collect();
    let title = "K = 10, N = 100 tokens, by documents M";
    let mut table = Table::new(title, &heads, corpora as usize, 3);
    let mut values = vec![vec![Vec::new(); documents.len()]; COMPARED.len()];
    for (at, &documents) in documents.iter().enumerate() {
        for seed in 1..=corpora {
            let (words, topics, rho, alpha, length) = (500, 10, 0.2, 0.1, Length::Fixed(100));
            let settings = SeparableSettings { documents, words, topics, rho, length, alpha, seed };
            let mut laboratory = Laboratory::of_known(separable(&settings).map_err(text)?)?;
            for ((_, method), values) in COMPARED.iter().zip(&mut values) {
                values[at].extend(laboratory.error(method, seed));
            }
        }
    }
    for ((name, _), values) in COMPARED.iter().zip(values) {
        table.push(name, values.into_iter().map(|v| Cell::Values(v).rounded()).collect());
    }
    saved.pictures.push(Picture {
        title: title.into(),
        x: "documents M".into(),
        y: "l1 error".into(),
        logarithmic: (true, true),
        drawing: Drawing::Rows { table: 0, rows: DRAWN.map(String::from).into() },
    });
    saved.tables.push(table);
    Ok(())
}

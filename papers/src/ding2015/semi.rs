//! Figure 5: the error on documents drawn from topics of real text.

use topoi_core::synth::length::Length;
use topoi_core::synth::semi::{NovelWords, SemiSettings, semi};

use super::topics_of_news;
use crate::ding2013::{Method, RECOVER_L2};
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Saved, Table};

/// The methods, those of the paper first.
const COMPARED: &[Method] = &[
    ("rp", "rp"),
    ("rp, as 2015", "rp --as paper"),
    ("RecoverL2", RECOVER_L2),
    ("aw", "aw"),
    ("lda-gibbs", "lda-gibbs --alpha 0.1 --beta 0.01"),
    ("lda-gibbs, α = 50/K, β = 0.1", "lda-gibbs --alpha 50/K --beta 0.1 --fixed-alpha"),
    ("lr-jsmf, not refined", "lr-jsmf --refine 0"),
];
/// What "goes to 0" is: halved for four times the documents, as sampling noise alone is, with some room.
const SLOPE: f64 = -0.4;
/// And near it.
const NEAR: f64 = 0.2;

/// Measures all methods on both kinds of corpora.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let (k, terms) = if saved.quick { (20, 1000) } else { (30, 1500) };
    let seeds = saved.repeats(1, 3);
    saved.names(COMPARED);
    let documents = [500, 2000, 8000];
    saved.about = format!(
        "ℓ1 error of a topic (0 to 2), mean ± deviation over {seeds} corpora of 300 tokens a document, α = 0.03, \
         from {k} topics of `lda-gibbs` on small New York Times, {terms} terms (the paper: 100 topics, \
         14,943 terms). Semi-Syn+Novel has one novel word a topic inserted, Semi-Syn has the topics as they are."
    );
    let (words, topics) = topics_of_news(k, terms)?;
    let heads: Vec<String> = documents.iter().map(ToString::to_string).collect();
    let heads: Vec<&str> =
        std::iter::once("model").chain(heads.iter().map(String::as_str)).collect();
    for (title, novel) in [
        ("Semi-Syn+Novel, by documents M", NovelWords::OnePerTopic),
        ("Semi-Syn, by documents M", NovelWords::None),
    ] {
        let mut values = vec![vec![Vec::new(); documents.len()]; COMPARED.len()];
        for (at, documents) in documents.into_iter().enumerate() {
            for seed in 1..=seeds {
                let from = "lda-gibbs on the New York Times".into();
                let (length, alpha) = (Length::Fixed(300), 0.03);
                let settings = SemiSettings { from, novel, documents, length, alpha, seed };
                let corpus = semi(words.clone(), topics.clone(), &settings).map_err(text)?;
                let mut laboratory = Laboratory::of_known(corpus)?;
                for ((_, method), values) in COMPARED.iter().zip(&mut values) {
                    let method = format!("{method} --terms 1000000");
                    values[at].extend(laboratory.error(&method, seed));
                }
            }
        }
        let mut table = Table::new(title, &heads, seeds as usize, 3);
        for ((name, _), values) in COMPARED.iter().zip(values) {
            if values.iter().any(|values| !values.is_empty()) {
                table.push(name, values.into_iter().map(|v| Cell::Values(v).rounded()).collect());
            }
        }
        saved.pictures.push(Picture {
            title: title.into(),
            x: "documents M".into(),
            y: "l1 error".into(),
            logarithmic: (true, true),
            drawing: Drawing::Rows { table: saved.tables.len(), rows: Vec::new() },
        });
        saved.tables.push(table);
    }
    Ok(())
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [novel, plain] = saved.tables.as_slice() else { return Vec::new() };
    let heads = &novel.head[1..];
    let errors = |table: &Table, name: &str| -> Vec<f64> {
        heads.iter().filter_map(|head| table.at(name, head)).collect()
    };
    let shown = |errors: &[f64]| -> String {
        errors.iter().map(|error| format!("{error:.3}")).collect::<Vec<_>>().join(", ")
    };
    // Of Gibbs with the better prior.
    let gibbs = |table: &Table, head: &str| {
        let rows = table.rows.iter().filter(|row| row.name.starts_with("lda-gibbs"));
        rows.filter_map(|row| table.mean(row, head)).reduce(f64::min)
    };
    let of_gibbs = |table: &Table| -> Vec<f64> {
        heads.iter().filter_map(|head| gibbs(table, head)).collect()
    };
    let beside_gibbs = |table: &Table, name: &str, slack: f64| {
        let pairs =
            heads.iter().filter_map(|head| Some((table.at(name, head)?, gibbs(table, head)?)));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        (pairs.iter().filter(|(own, gibbs)| *own <= gibbs * slack).count(), pairs.len())
    };
    let mut claims = Vec::new();
    for name in ["rp", "rp, as 2015"] {
        let (on_novel, on_plain) = (errors(novel, name), errors(plain, name));
        let [first, .., before, last] = on_novel.as_slice() else { continue };
        let documents: Vec<f64> = heads.iter().filter_map(|head| head.parse().ok()).collect();
        let [fewest, .., fewer, most] = documents.as_slice() else { continue };
        let slope = |from: (f64, f64)| (last / from.1).ln() / (most / from.0).ln();
        let (whole, step) = (slope((*fewest, *first)), slope((*fewer, *before)));
        let cases = [whole <= SLOPE, step <= SLOPE, *last <= NEAR];
        claims.push(Claim::new(
            &format!("on Semi-Syn+Novel the error of RP (`{name}`) goes to 0 as M grows"),
            &format!(
                "three cases: the slope of its logarithm by that of M is at most {SLOPE} (noise alone: −0.5) from the \
                 fewest documents to the most; the same in the last step; the last error is at most {NEAR}"
            ),
            format!("{}; slope {whole:.2} from end to end, {step:.2} in the last step", shown(&on_novel)),
            (cases.iter().filter(|&&holds| holds).count(), cases.len()),
        ));
        let (won, of) = beside_gibbs(novel, name, 1.0);
        claims.push(Claim::new(
            &format!("on Semi-Syn+Novel the error of RP (`{name}`) is less than that of Gibbs"),
            "a case is an M: its error is at most that of Gibbs with the better prior",
            format!("{} beside {} of Gibbs", shown(&on_novel), shown(&of_gibbs(novel))),
            (won, of),
        ));
        let (near, of) = beside_gibbs(plain, name, 1.25);
        claims.push(Claim::new(
            &format!("on Semi-Syn the error of RP (`{name}`) is comparable to that of Gibbs"),
            "a case is an M: its error is at most a quarter above that of Gibbs with the better prior",
            format!("{} beside {}", shown(&on_plain), shown(&of_gibbs(plain))),
            (near, of),
        ));
    }
    claims
}

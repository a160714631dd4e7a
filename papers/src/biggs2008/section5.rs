//! Sections 5 and 6: topics of separable corpora and features of bitmaps; and how soon each is done.

use topoi_core::synth::KnownCorpus;
use topoi_core::synth::bitmap::{BitmapCorpusSettings, bitmap};
use topoi_core::synth::zipf::{ZipfSettings, zipf};
use topoi_store::id::RunId;

use crate::ding2013::Method;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// Both starts, and monotone sets.
const STARTS: &[Method] = &[
    ("from documents", "r1d"),
    ("from words", "r1d --grow-from word"),
    ("from documents, monotone", "r1d --monotone"),
    ("from words, monotone", "r1d --grow-from word --monotone"),
];

/// When the best of the objective is found.
const FOUND: &str = "a case is a start: all topics of all corpora are found";

/// Steps that a topic is allowed.
const LIMITS: [usize; 4] = [2, 5, 10, 15];

/// The corpora of the sections: name, topics, and how they are drawn.
type Kind = (&'static str, fn(u64) -> Result<KnownCorpus, String>);

const KINDS: [Kind; 2] = [
    ("ε-separable text", |seed| {
        let (documents, words, topics, longest) = (3000, 100, 5, 200);
        // ε of the paper is of all words of other topics together.
        let epsilon = 0.05 / (words - words / topics) as f64;
        zipf(&ZipfSettings { documents, words, topics, epsilon, longest, seed }).map_err(text)
    }),
    ("bitmaps of 2 features each", |seed| {
        let (documents, side, topics, shown) = (4000, 12, 6, 2);
        bitmap(&BitmapCorpusSettings { documents, side, topics, shown, seed }).map_err(text)
    }),
];

/// Counts the topics that are found, and the steps of each.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    let seeds = saved.repeats(3, 10);
    saved.names(STARTS);
    saved.about = format!(
        "{seeds} corpora of each kind: 3,000 documents of 5 topics over 100 words (ε = 0.05, Zipf lengths below \
         200), and 4,000 pictures of 6 features, two in each. \"found\": topics whose words are all of one true \
         topic, another one each; \"done after 5\": the share of \
         topics whose words and documents no longer change when a topic may take 5 steps."
    );
    for (kind, corpus) in KINDS {
        let limits = LIMITS.map(|limit| format!("done after {limit}"));
        let mut heads = vec!["start", "found, share of all", "l1 error"];
        heads.extend(limits.iter().map(String::as_str));
        let mut table = Table::new(kind, &heads, seeds as usize, 3);
        for (name, method) in STARTS {
            let mut values = vec![Vec::new(); 2 + LIMITS.len()];
            for seed in 1..=seeds {
                let mut laboratory = Laboratory::of_known(corpus(seed)?)?;
                let k = laboratory.truth.as_ref().map_or(0, |truth| truth.topics.len());
                let Some(run) = laboratory.tried(method, k, 1) else { continue };
                values[0].push(found(&laboratory, run)?);
                values[1].push(laboratory.beside_truth(run)?.l1_error);
                for (limit, values) in LIMITS.iter().zip(&mut values[2..]) {
                    let method = format!("{method} --iterations {limit}");
                    let Some(run) = laboratory.tried(&method, k, 1) else { continue };
                    let unstable = laboratory.metric(run, "unstable_topics").unwrap_or(f64::NAN);
                    values.push(1.0 - unstable / k as f64);
                }
            }
            let cells = values.into_iter().map(|values| Cell::Values(values).rounded());
            table.push(name, cells.collect());
        }
        saved.tables.push(table);
    }
    Ok(())
}

/// The share of the true topics that some topic has the words of and no others.
fn found(laboratory: &Laboratory, run: RunId) -> Result<f64, String> {
    let topics = laboratory.words(run, usize::MAX >> 1)?;
    let truth = laboratory.truth.as_ref().ok_or("there is no truth")?;
    // A word belongs to the topic that gives it most: in ε-separable corpora all have a share of each.
    let owner = |word: &str| {
        let given = truth.topics.iter().map(|topic| topic.get(word).copied().unwrap_or(0.0));
        given.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(topic, _)| topic)
    };
    let mut pure: Vec<usize> = Vec::new();
    for topic in &topics {
        let mut owners: Vec<usize> =
            topic.iter().filter(|(_, p)| *p > 0.0).filter_map(|(word, _)| owner(word)).collect();
        owners.sort_unstable();
        owners.dedup();
        if let [owner] = owners.as_slice() {
            pure.push(*owner);
        }
    }
    pure.sort_unstable();
    pure.dedup();
    Ok(pure.len() as f64 / truth.topics.len() as f64)
}

/// What the paper says of the model.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let [text, pictures] = saved.tables.as_slice() else { return Vec::new() };
    let of = |table: &Table, name: &str| table.at(name, "found, share of all").unwrap_or(0.0);
    let told = |table: &Table| {
        let all: Vec<String> =
            STARTS.iter().map(|(name, _)| format!("{:.2} {name}", of(table, name))).collect();
        all.join(", ")
    };
    let count = |table: &Table| STARTS.iter().filter(|(name, _)| of(table, name) > 0.999).count();
    let done = |limit: usize| -> Vec<f64> {
        let head = format!("done after {limit}");
        let all =
            saved.tables.iter().flat_map(|table| STARTS.iter().map(move |(name, _)| (table, name)));
        all.filter_map(|(table, name)| table.at(name, &head)).collect()
    };
    let least = |limit| done(limit).into_iter().fold(f64::INFINITY, f64::min);
    vec![
        Claim::new(
            "the best of the objective is a topic of an ε-separable corpus (theorem 2)",
            FOUND,
            format!("found by the search: {}", told(text)),
            (count(text), STARTS.len()),
        ),
        Claim::new(
            "the best of the objective is a feature of a bitmap (theorem 12)",
            FOUND,
            format!("found by the search: {}", told(pictures)),
            (count(pictures), STARTS.len()),
        ),
        Claim::new(
            "the loop usually converges in 10 to 15 iterations",
            "a case is a start on a kind of corpus: at least 0.9 of its topics are done after 15 steps",
            format!(
                "at least {:.0}% of the topics of each line are done after 5 steps, {:.0}% after 10, {:.0}% after 15",
                100.0 * least(5),
                100.0 * least(10),
                100.0 * least(15)
            ),
            (done(15).iter().filter(|&&share| share >= 0.9).count(), done(15).len()),
        ),
    ]
}

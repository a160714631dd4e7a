//! Whether a model still computes what it computed when a figure was measured.
//!
//! While a figure is measured, everything of the program that it uses leaves its name: a model with its settings, a
//! measure, a generator of corpora. Each name has a fingerprint: a few numbers that it computes on one small corpus
//! with one seed. They are saved with the figure; a test compares them with today's. Numbers and not a hash, as
//! processors round differently: they agree to [`TOLERANCE`], and a change that moves a topic's words by a
//! thousandth does not.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Mutex;

use crate::cheng2015;
use crate::drawn::Drawn;
use crate::laboratory::{Laboratory, text};
use crate::pages::saved::{Saved, rounded_to};
use topoi_core::model::separable::Counting;
use topoi_core::synth::KnownCorpus;
use topoi_core::synth::bitmap::{BitmapCorpusSettings, bitmap};
use topoi_core::synth::lda::{LdaSettings, lda};
use topoi_core::synth::length::Length;
use topoi_core::synth::semi::{NovelWords, SemiSettings, semi};
use topoi_core::synth::separable::{SeparableSettings, separable};
use topoi_core::synth::swimmer::{Rendering, SwimmerSettings, swimmer};
use topoi_core::synth::zipf::{ZipfSettings, zipf};

/// By how much numbers of one fingerprint differ at most between processors.
pub const TOLERANCE: f64 = 1e-6;
/// Digits that are saved.
const DIGITS: i32 = 9;
/// The small corpus: documents of [`TOKENS`] tokens, words, topics. More than two blocks of documents, so that what
/// is done for each block is done for several.
const DOCUMENTS: u64 = 1200;
const TOKENS: u64 = 20;
const WORDS: u64 = 60;
const TOPICS: usize = 3;

/// The names of what was used since [`begin`].
static USED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Forgets what was used until now.
pub fn begin() {
    if let Ok(mut used) = USED.lock() {
        used.clear();
    }
}

/// Notes that something of this name is used.
pub(crate) fn note(name: impl Into<String>) {
    if let Ok(mut used) = USED.lock() {
        used.insert(name.into());
    }
}

/// The names of what was used since [`begin`].
pub fn used() -> BTreeSet<String> {
    USED.lock().map(|used| used.clone()).unwrap_or_default()
}

/// The name of a method: its model with the settings that are the model's own.
pub(crate) fn of_method(method: &str) -> String {
    let mut words = method.split_whitespace();
    let mut kept = vec!["model"];
    while let Some(word) = words.next() {
        match word {
            "--terms" | "--min-count" => drop(words.next()),
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

/// What these names compute today. A method that cannot be run on the small corpus has no numbers.
///
/// # Errors
/// When a name is of nothing that is here, or the small corpus cannot be made.
pub fn computed(names: &BTreeSet<String>) -> Result<BTreeMap<String, Vec<f64>>, String> {
    let mut laboratory = small_corpus()?;
    let mut measured = None;
    let mut all = BTreeMap::new();
    for name in names {
        let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
        let numbers = match kind {
            "model" => of_topics(&mut laboratory, rest)?,
            "measure" => {
                let run = match measured {
                    Some(run) => run,
                    None => *measured.insert(laboratory.held_out("aw", TOPICS, 1)?),
                };
                laboratory.metric(run, rest).into_iter().collect()
            }
            "synth" => of_generator(rest)?,
            "k-hat" => of_k_hat()?,
            "bounds" => cheng2015::fingerprint(),
            _ => return Err(format!("{name}: nothing of this name has a fingerprint")),
        };
        all.insert(name.clone(), numbers.into_iter().map(|x| rounded_to(x, DIGITS)).collect());
    }
    Ok(all)
}

/// What computes something else than when `saved` was measured.
pub fn changed(saved: &Saved, today: &BTreeMap<String, Vec<f64>>) -> Vec<String> {
    if saved.program.commit.is_empty() {
        return vec!["the program it was measured with is not known".into()];
    }
    let is_same = |name: &str, then: &[f64]| {
        let Some(now) = today.get(name) else { return false };
        then.len() == now.len()
            && then.iter().zip(now).all(|(a, b)| (a - b).abs() <= TOLERANCE * a.abs().max(1.0))
    };
    let uses = saved.program.uses.iter().filter(|(name, then)| !is_same(name, then));
    uses.map(|(name, _)| name.clone()).collect()
}

/// Numbers between −1 and 1 that are the same for ever: splitmix64, independent of the program's own random numbers.
fn fixed(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / (u64::MAX as f64 / 2.0) - 1.0
    })
}

/// A corpus of [`TOPICS`] topics: a document has one for three quarters of its tokens; a topic has a third of the
/// words for itself, the first of them most often, and the other words a little.
fn small_corpus() -> Result<Laboratory, String> {
    let home = tempfile::tempdir().map_err(text)?;
    let file = home.path().join("small.jsonl");
    let mut lines = std::io::BufWriter::new(std::fs::File::create(&file).map_err(text)?);
    let mut drawn = fixed(2021).map(|x| (x + 1.0) / 2.0);
    let mut uniform = || drawn.next().unwrap_or_default();
    let own = WORDS / TOPICS as u64;
    for document in 0..DOCUMENTS {
        let main = document % TOPICS as u64;
        let mut counts = BTreeMap::new();
        for _ in 0..TOKENS {
            let topic = if uniform() < 0.75 { main } else { (uniform() * TOPICS as f64) as u64 };
            let word = match uniform() {
                // The square favours the first words.
                x if x < 0.9 => topic * own + (uniform().powi(2) * own as f64) as u64,
                _ => (uniform() * WORDS as f64) as u64,
            };
            *counts.entry(format!("word{}", letters(word.min(WORDS - 1)))).or_insert(0) += 1;
        }
        let line = serde_json::json!({ "id": document.to_string(), "counts": counts });
        writeln!(lines, "{line}").map_err(text)?;
    }
    lines.flush().map_err(text)?;
    Laboratory::ingested(home, "small", &file, None)
}

/// The number of a word in letters, as digits may end a word.
fn letters(number: u64) -> String {
    [number / 26, number % 26].map(|digit| char::from(b'a' + digit as u8)).iter().collect()
}

/// Two projections of each topic of a method, in the order of the first.
fn of_topics(laboratory: &mut Laboratory, method: &str) -> Result<Vec<f64>, String> {
    let weights: [Vec<f64>; 2] = [1, 2].map(|seed| fixed(seed).take(WORDS as usize).collect());
    // A setting of one figure may be of no use on another corpus, which is no error here.
    let request = laboratory.request(method, TOPICS, 1)?;
    let Ok(run) = laboratory.run(&request) else { return Ok(Vec::new()) };
    let place = |word: &str| {
        let letters = word.as_bytes().iter().rev().take(2).map(|byte| usize::from(byte - b'a'));
        letters.zip([1, 26]).map(|(digit, weight)| digit * weight).sum::<usize>()
    };
    let topics = laboratory.words(run, usize::MAX >> 1)?;
    let projected = topics.iter().map(|topic| {
        let along = |weights: &Vec<f64>| topic.iter().map(|(w, p)| weights[place(w)] * p).sum();
        weights.each_ref().map(along)
    });
    let mut projected: Vec<[f64; 2]> = projected.collect();
    projected.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Ok(projected.concat())
}

/// The tokens and what is known of the topics of a small corpus of this kind, and a projection of its counts.
fn of_generator(kind: &str) -> Result<Vec<f64>, String> {
    let (documents, words, topics, length, alpha, seed) = (50, 40, 3, Length::Fixed(30), 0.1, 1);
    let corpora: Vec<KnownCorpus> = match kind {
        "separable" => {
            let rho = 0.2;
            let settings = SeparableSettings { documents, words, topics, rho, length, alpha, seed };
            vec![separable(&settings).map_err(text)?]
        }
        "lda" => {
            let settings =
                LdaSettings { documents, words, topics, length, alpha, beta: 0.05, seed };
            vec![lda(&settings).map_err(text)?]
        }
        "semi" => {
            let names = (0..words).map(|word| word.to_string()).collect::<Vec<_>>();
            let even = |topic: u32| {
                (0..words as u32).map(move |w| (w, if w % 3 == topic { 3.0 } else { 1.0 } / 66.0))
            };
            let from: Vec<Vec<(u32, f64)>> = (0..3).map(|topic| even(topic).collect()).collect();
            let of = |novel, length| {
                let settings =
                    SemiSettings { from: String::new(), novel, documents, length, alpha, seed };
                semi(names.clone(), from.clone(), &settings).map_err(text)
            };
            vec![of(NovelWords::OnePerTopic, length)?, of(NovelWords::None, Length::Poisson(30))?]
        }
        "swimmer" => {
            let noisy = Rendering::Noisy { tokens: 200, background: 1 };
            let of = |rendering| swimmer(&SwimmerSettings { rendering, seed }).map_err(text);
            vec![of(Rendering::Clean)?, of(noisy)?]
        }
        "zipf" => {
            let (epsilon, longest) = (0.001, 200);
            let settings = ZipfSettings { documents, words, topics, epsilon, longest, seed };
            vec![zipf(&settings).map_err(text)?]
        }
        "bitmap" => {
            let settings = BitmapCorpusSettings { documents, side: 12, topics: 6, shown: 2, seed };
            vec![bitmap(&settings).map_err(text)?]
        }
        _ => return Err(format!("synth {kind}: a generator without a fingerprint")),
    };
    let mut numbers = Vec::new();
    for corpus in corpora {
        let weights: Vec<f64> = fixed(3).take(2000).collect();
        let (mut tokens, mut along) = (0.0, 0.0);
        let mut row = 0;
        corpus.draw(|document: &[(u32, u32)]| {
            for &(word, count) in document {
                tokens += f64::from(count);
                along += weights[(row * 7 + word as usize) % weights.len()] * f64::from(count);
            }
            row += 1;
            Ok::<(), String>(())
        })?;
        numbers.extend([tokens, along]);
    }
    Ok(numbers)
}

/// Solid angles and K̂ by both rules.
fn of_k_hat() -> Result<Vec<f64>, String> {
    let (documents, words, topics, rho, length) = (2000, 60, 3, 0.2, Length::Fixed(50));
    let settings = SeparableSettings { documents, words, topics, rho, length, alpha: 0.1, seed: 1 };
    let drawn = Drawn::new(separable(&settings).map_err(text)?, 1)?;
    let mut numbers = Vec::new();
    for counting in [Counting::Steady, Counting::Paper] {
        let found = drawn.found(topics, counting, None)?;
        numbers.extend(found.k_hat.map(|(k_hat, ..)| k_hat as f64));
        numbers.push(found.estimates.iter().map(|one| one.topics as f64).sum());
    }
    Ok(numbers)
}

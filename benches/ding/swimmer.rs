//! Ding et al. 2013, section 6.3: how many of the swimmer's 16 limb positions are found.

use std::collections::BTreeSet;

use topoi::synth::swimmer::{Rendering, SwimmerSettings, swimmer};
use topoi::vocabulary::choice::VocabularyChoice;
use topoi::vocabulary::rules::Rules;

use crate::laboratory::{Laboratory, cell, head, present, run};

/// The models of the table.
const WANTED: &[&str] = &["ddp", "rp-doc", "rp", "binning", "aw", "raw", "lr-jsmf"];
/// Corpora that are averaged over, and seeds of the models on the one clean corpus.
const SEEDS: u64 = 5;
/// Pixels of fewer tokens in all pictures together are left out of noisy vocabularies.
const FEWEST: u64 = 50;

/// Prints the tables.
pub fn measure() {
    println!(
        "\nLimb positions found, of 16 (mean ± deviation over {SEEDS} seeds). \"found\": some topic \
         has over half of its probability on the position's 7 pixels. \"of limbs\": the same among \
         the 112 pixels of limbs, leaving out torso and background, which the pictures give to no \
         topic."
    );
    println!("\nclean\n");
    table(Rendering::Clean, None);
    let noisy = Rendering::Noisy { tokens: 200, background: 1 };
    println!("\nnoisy: 200 tokens a picture, background 1, all pixels that occur\n");
    table(noisy, None);
    println!("\nnoisy, without pixels of fewer than {FEWEST} tokens\n");
    table(noisy, Some(FEWEST));
}

fn table(rendering: Rendering, fewest: Option<u64>) {
    head(&["model", "found", "of limbs", "l1 error", "words"]);
    for model in present(WANTED) {
        let (mut found, mut of_limbs, mut errors, mut words) = (vec![], vec![], vec![], vec![]);
        for seed in 1..=SEEDS {
            let corpus = swimmer(&SwimmerSettings { rendering, seed }).expect("a corpus");
            let mut laboratory = Laboratory::new(corpus);
            let mut request = laboratory.request(model, seed);
            let rules = Rules { min_count: fewest, ..Rules::default() };
            request.settings.vocabulary = fewest.map(|_| VocabularyChoice::Rules(rules));
            let Some(number) = run(&mut laboratory.store, &request) else { continue };
            let limbs = Limbs::of(&laboratory);
            let topics = laboratory.topics(number);
            found.push(limbs.found(&topics, |_| true));
            of_limbs.push(limbs.found(&topics, |word| limbs.all.contains(word)));
            errors.push(laboratory.with_truth(number).l1_error);
            words.push(laboratory.words(number) as f64);
        }
        let cells = [found, of_limbs, errors, words].map(|values| cell(&values, SEEDS as usize));
        println!("| {model} | {} |", cells.join(" | "));
    }
}

/// The pixels of the limb positions.
struct Limbs {
    each: Vec<BTreeSet<String>>,
    all: BTreeSet<String>,
}

impl Limbs {
    fn of(laboratory: &Laboratory) -> Self {
        let topics = laboratory.truth.topics.iter();
        let each: Vec<BTreeSet<String>> = topics.map(|t| t.keys().cloned().collect()).collect();
        Self { all: each.iter().flatten().cloned().collect(), each }
    }

    /// How many positions have over half of some topic's probability on the pixels that `counts`.
    fn found(&self, topics: &[Vec<(String, f64)>], counts: impl Fn(&String) -> bool) -> f64 {
        let share = |topic: &[(String, f64)], own: &BTreeSet<String>| {
            let sum = |of: &dyn Fn(&String) -> bool| -> f64 {
                topic.iter().filter(|(word, _)| of(word)).map(|&(_, p)| p).sum()
            };
            sum(&|word| own.contains(word)) / sum(&|word| counts(word))
        };
        let is_found = |own: &&BTreeSet<String>| topics.iter().any(|topic| share(topic, own) > 0.5);
        self.each.iter().filter(is_found).count() as f64
    }
}

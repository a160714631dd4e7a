//! Faults of real collections planted in a synthetic one: near-duplicates and boilerplate.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use serde_json::json;

use super::corpus::{Generator, KnownCorpus, numbered};
use super::error::{Result, SynthError};
use crate::random::stream;

/// Words of the boilerplate, which belong to no topic. A document with boilerplate has each of them
/// once.
pub const BOILERPLATE_WORDS: usize = 20;
/// Probability with which a copy loses each token of its original.
pub const COPY_LOSS: f64 = 0.05;

/// The faults to plant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InjectedFaults {
    /// Probability that a document is a copy of the one before it, with [`COPY_LOSS`] of the tokens
    /// lost.
    pub copies: f64,
    /// Probability that a document has the boilerplate.
    pub boilerplate: f64,
}

impl InjectedFaults {
    /// Plants the faults in `corpus`. Topics and the other documents stay the same.
    ///
    /// # Errors
    /// [`SynthError::OutOfRange`] when a probability is not between 0 and 1.
    pub fn plant(self, mut corpus: KnownCorpus, seed: u64) -> Result<KnownCorpus> {
        for (field, value) in [("copies", self.copies), ("boilerplate", self.boilerplate)] {
            if !(0.0..=1.0).contains(&value) {
                let range = "from 0 to 1".to_owned();
                return Err(SynthError::OutOfRange { field, value: value.to_string(), range });
            }
        }
        if self == Self::default() {
            return Ok(corpus);
        }
        let first = corpus.words.len() as u32;
        corpus.words.extend(numbered("boilerplate", BOILERPLATE_WORDS));
        corpus.settings.insert("copies".into(), json!(self.copies));
        corpus.settings.insert("boilerplate".into(), json!(self.boilerplate));
        let rng = stream(seed, "synth faults");
        let last = Vec::new();
        Ok(corpus.with_generator(|whole| {
            Box::new(FaultyGenerator { whole, faults: self, first, last, rng })
        }))
    }
}

struct FaultyGenerator {
    whole: Box<dyn Generator>,
    faults: InjectedFaults,
    /// The first word of the boilerplate.
    first: u32,
    /// The last document, drawn or copied, without boilerplate.
    last: Vec<(u32, u32)>,
    rng: ChaCha12Rng,
}

impl Generator for FaultyGenerator {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        if self.rng.random::<f64>() < self.faults.copies && !self.last.is_empty() {
            let rng = &mut self.rng;
            for (_, count) in &mut self.last {
                *count = (0..*count).filter(|_| rng.random::<f64>() >= COPY_LOSS).count() as u32;
            }
            self.last.retain(|&(_, count)| count > 0);
        } else {
            self.whole.next_document(&mut self.last);
        }
        document.clone_from(&self.last);
        if self.rng.random::<f64>() < self.faults.boilerplate {
            document.extend((0..BOILERPLATE_WORDS as u32).map(|at| (self.first + at, 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::lda::{LdaSettings, lda};
    use crate::synth::length::Length;

    fn corpus(documents: u64) -> KnownCorpus {
        let length = Length::Fixed(40);
        let sizes = LdaSettings {
            documents,
            words: 300,
            topics: 4,
            length,
            alpha: 0.1,
            beta: 0.1,
            seed: 3,
        };
        lda(&sizes).expect("a corpus")
    }

    #[test]
    fn documents_are_copied_and_have_the_boilerplate_as_often_as_asked_for() {
        // 2,000 documents: deviations √(p(1 − p)/n) of 0.011 and 0.009, bounds at 5 deviations;
        // false alarms for fewer than two seeds in a million.
        let faults = InjectedFaults { copies: 0.4, boilerplate: 0.8 };
        let planted = faults.plant(corpus(2000), 3).expect("planted");
        assert_eq!(planted.words.len(), 320);
        let documents = planted.collected();
        let share = |count: usize| count as f64 / 2000.0;
        let with = documents.iter().filter(|document| document.iter().any(|&(w, _)| w >= 300));
        assert!((share(with.count()) - 0.8).abs() < 0.045);
        let is_within = |copy: &[(u32, u32)], of: &[(u32, u32)]| {
            copy.iter().filter(|&&(word, _)| word < 300).all(|&(word, count)| {
                of.iter().any(|&(other, most)| other == word && count <= most)
            })
        };
        let copies = documents.windows(2).filter(|pair| is_within(&pair[1], &pair[0])).count();
        assert!((share(copies) - 0.4).abs() < 0.055, "{copies}");
    }

    #[test]
    fn without_faults_a_corpus_is_as_it_was_and_shares_beyond_1_are_refused() {
        let same = InjectedFaults::default().plant(corpus(50), 3).expect("nothing to plant");
        assert_eq!(same.words.len(), 300);
        assert_eq!(same.collected(), corpus(50).collected());
        let wrong = InjectedFaults { copies: 1.5, ..InjectedFaults::default() }.plant(corpus(5), 3);
        let told = wrong.err().expect("refused").to_string();
        assert_eq!(told, "copies is 1.5, but must be from 0 to 1");
    }
}

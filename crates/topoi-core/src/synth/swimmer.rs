//! `swimmer`: 256 pictures of a swimmer; the positions of its limbs are the topics.

use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::corpus::{Generator, KnownCorpus, Topic, pixel_names, topic_from_weights};
use super::draw::alias_table::AliasTable;
use super::error::Result;
use super::limits::{MAX_TOKENS, check_range};
use super::mixture::{DOCUMENTS, WordCounter};
use crate::random::stream;

/// Rows and columns of a picture.
const SIDE: usize = 32;
/// Limbs: left arm, right arm, left leg, right leg.
const LIMBS: usize = 4;
/// Positions of every limb.
const POSITIONS: usize = 4;
/// Number of pictures, one for every combination of limb positions.
const PICTURES: u64 = 256;
/// The value of a body pixel.
const BODY: u32 = 10;
/// Pixels of a limb.
const LIMB_PIXELS: usize = 7;
/// The column of the torso.
const MIDDLE: usize = 16;

/// How pictures become documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rendering {
    /// Body pixels have 10 tokens, other pixels none.
    Clean,
    /// Tokens are drawn from the picture: body pixels have weight 10, others `background`.
    Noisy {
        /// Tokens in a picture; 200 in the paper.
        tokens: u32,
        /// Weight of a background pixel; 1 in the paper.
        background: u32,
    },
}

/// Settings of a `swimmer` corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SwimmerSettings {
    /// How pictures become documents.
    pub rendering: Rendering,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// A `swimmer` corpus: 256 pictures of 32 × 32 pixels, with a torso of 12 pixels and four limbs of
/// 7 pixels, each in one of four positions. The topics are the 16 limb positions, uniform on their
/// pixels, in the order left arm, right arm, left leg, right leg. With positions counted from 0,
/// picture number 64·LA + 16·RA + 4·LL + RL has these positions.
///
/// # Source
/// Donoho and Stodden 2003, redrawn as described in `sample_corpora/README.md`; noise as in Ding,
/// Rohban, Ishwar, Saligrama 2013, section 6.3 (after Tan and Févotte).
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn swimmer(settings: &SwimmerSettings) -> Result<KnownCorpus> {
    if let Rendering::Noisy { tokens, background } = settings.rendering {
        check_range("tokens", tokens, 1..=MAX_TOKENS)?;
        check_range("background", background, 0..=BODY)?;
    }
    let truth = (0..LIMBS * POSITIONS)
        .map(|at| {
            topic_from_weights(limb(at / POSITIONS, at % POSITIONS).map(|pixel| (pixel, 1.0)))
        })
        .collect();
    let generator = Box::new(PictureGenerator {
        rendering: settings.rendering,
        next: 0,
        rng: stream(settings.seed, DOCUMENTS),
        counter: WordCounter::new(SIDE * SIDE),
    });
    let words = pixel_names(SIDE, SIDE);
    let mut corpus = KnownCorpus::new("swimmer", words, truth, PICTURES, settings, generator);
    corpus.settings.insert("documents".into(), PICTURES.into());
    Ok(corpus)
}

/// The torso, which is in every picture, uniform on its pixels.
pub fn torso() -> Topic {
    topic_from_weights((10..=21).map(|row| (pixel(row, MIDDLE), 1.0)))
}

fn pixel(row: usize, column: usize) -> u32 {
    (row * SIDE + column) as u32
}

/// The pixels of a limb, ascending. The left arm is defined directly, the others are its mirror
/// images.
fn limb(limb: usize, position: usize) -> [u32; LIMB_PIXELS] {
    let mut pixels = std::array::from_fn(|along| {
        let left = MIDDLE - 1;
        let (row, column) = match position {
            0 => (9 - along, left),
            1 => (10 - along, left - along),
            2 => (11, left - along),
            _ => (12 + along / 2, left - along),
        };
        let column = if limb.is_multiple_of(2) { column } else { 2 * MIDDLE - column };
        pixel(if limb < 2 { row } else { SIDE - 1 - row }, column)
    });
    pixels.sort_unstable();
    pixels
}

/// The pixels of picture `number`: torso and limbs, ascending.
fn body(number: usize) -> Vec<u32> {
    let mut pixels: Vec<u32> = torso().into_iter().map(|(pixel, _)| pixel).collect();
    for at in 0..LIMBS {
        pixels.extend(limb(at, number / POSITIONS.pow((LIMBS - 1 - at) as u32) % POSITIONS));
    }
    pixels.sort_unstable();
    pixels
}

struct PictureGenerator {
    rendering: Rendering,
    next: usize,
    rng: ChaCha12Rng,
    counter: WordCounter,
}

impl Generator for PictureGenerator {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        let body = body(self.next);
        self.next += 1;
        let Rendering::Noisy { tokens, background } = self.rendering else {
            document.clear();
            document.extend(body.into_iter().map(|pixel| (pixel, BODY)));
            return;
        };
        let mut values = vec![f64::from(background); SIDE * SIDE];
        body.into_iter().for_each(|pixel| values[pixel as usize] = f64::from(BODY));
        let values: Vec<(u32, f64)> = (0..).zip(values).collect();
        let table = AliasTable::new(&values);
        (0..tokens).for_each(|_| self.counter.add(table.draw(&mut self.rng)));
        self.counter.drain_into(document);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn documents(rendering: Rendering) -> Vec<Vec<(u32, u32)>> {
        swimmer(&SwimmerSettings { rendering, seed: 1 }).expect("a corpus").collected()
    }

    #[test]
    fn clean_pictures_are_those_of_the_sample_corpora() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_corpora");
        let text = std::fs::read_to_string(folder.join("docword.swimmer.txt")).expect("sample");
        let mut expected: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
        for line in text.lines().skip(3) {
            let numbers: Vec<usize> = line.split(' ').map(|n| n.parse().expect("n")).collect();
            let entry = (numbers[1] as u32 - 1, numbers[2] as u32);
            expected.entry(numbers[0] - 1).or_default().push(entry);
        }
        expected.values_mut().for_each(|entries| entries.sort_unstable());
        assert_eq!(documents(Rendering::Clean), expected.into_values().collect::<Vec<_>>());
        let words = std::fs::read_to_string(folder.join("vocab.swimmer.txt")).expect("sample");
        assert_eq!(pixel_names(SIDE, SIDE), words.lines().collect::<Vec<_>>());
    }

    #[test]
    fn sixteen_limb_positions_of_seven_pixels_each_their_own() {
        let settings = SwimmerSettings { rendering: Rendering::Clean, seed: 1 };
        let topics = swimmer(&settings).expect("a corpus").topics;
        let pixels =
            || topics.iter().flatten().chain(&torso()).map(|&(p, _)| p).collect::<Vec<_>>();
        assert_eq!(topics.iter().map(Vec::len).collect::<Vec<_>>(), [7; 16]);
        assert_eq!(pixels().len(), 16 * 7 + 12);
        assert_eq!(pixels().into_iter().collect::<BTreeSet<_>>().len(), 16 * 7 + 12);
        // Left arm 1, right arm 2, left leg 1, right leg 0 is document 101, as the sample says.
        let drawn: BTreeSet<u32> = body(100).into_iter().collect();
        for topic in [1, 4 + 2, 8 + 1, 12] {
            assert!(topics[topic].iter().all(|(pixel, _)| drawn.contains(pixel)), "{topic}");
        }
    }

    #[test]
    fn noisy_pictures_have_body_pixels_ten_times_as_often_as_background() {
        let noisy = documents(Rendering::Noisy { tokens: 200, background: 1 });
        // 51,200 tokens; the 40 pixels of a body have 400 of 1384 weights: deviation 0.002, bound
        // at 5 deviations.
        let (mut of_body, mut all) = (0, 0);
        for (number, document) in noisy.iter().enumerate() {
            let body: BTreeSet<u32> = body(number).into_iter().collect();
            assert_eq!(document.iter().map(|&(_, count)| count).sum::<u32>(), 200);
            for &(pixel, count) in document {
                all += count;
                of_body += if body.contains(&pixel) { count } else { 0 };
            }
        }
        let share = f64::from(of_body) / f64::from(all);
        assert!((share - 400.0 / 1384.0).abs() < 0.01, "{share}");
        let dark = documents(Rendering::Noisy { tokens: 50, background: 0 });
        let is_body = |(number, document): (usize, &Vec<(u32, u32)>)| {
            document.iter().all(|(pixel, _)| body(number).contains(pixel))
        };
        assert!(dark.iter().enumerate().all(is_body));
    }
}

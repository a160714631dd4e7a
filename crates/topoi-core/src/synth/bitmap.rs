//! `bitmap`: decomposable bitmap images, whose features are the topics.

use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::corpus::{Generator, KnownCorpus, Topic, pixel_names, topic_from_weights};
use super::draw::below;
use super::error::Result;
use super::limits::check_range;
use super::mixture::{DOCUMENTS, TOPICS};
use crate::random::stream;

/// Settings of a `bitmap` corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BitmapCorpusSettings {
    /// n, the number of images.
    pub documents: u64,
    /// Rows and columns of an image; m is its square.
    pub side: usize,
    /// t, the number of features that the pixels are partitioned into.
    pub topics: usize,
    /// l, the number of features in each image, at most t/2.
    pub shown: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// A `bitmap` corpus. The pixels are partitioned into t rectangles of many sizes: the largest is
/// cut in two at a random position across its longer side, until there are t. In every image all
/// pixels of exactly l rectangles, chosen uniformly, are black (one token) and all others white.
/// The topics are the features, uniform on their pixels, the largest first.
///
/// # Source
/// Biggs, Ghodsi, Vavasis 2008, "Nonnegative matrix factorization via rank-one downdate", section
/// 6. The paper allows any partition; rectangles are visible in plots.
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn bitmap(settings: &BitmapCorpusSettings) -> Result<KnownCorpus> {
    let BitmapCorpusSettings { documents, side, topics, shown, seed } = *settings;
    check_range("documents", documents, 1..=u64::from(u32::MAX))?;
    check_range("side", side, 2..=256)?;
    check_range("topics", topics, 2..=side * side)?;
    check_range("shown", shown, 1..=topics / 2)?;
    let truth: Vec<Topic> = features(&mut stream(seed, TOPICS), side, topics)
        .iter()
        .map(|feature| topic_from_weights(feature.pixels(side).map(|pixel| (pixel, 1.0))))
        .collect();
    let generator = Box::new(ImageGenerator {
        features: truth.iter().map(|t| t.iter().map(|&(pixel, _)| pixel).collect()).collect(),
        order: (0..topics).collect(),
        shown,
        rng: stream(seed, DOCUMENTS),
    });
    let words = pixel_names(side, side);
    let mut corpus = KnownCorpus::new("bitmap", words, truth, documents, settings, generator);
    corpus.settings.insert("words".into(), corpus.words.len().into());
    Ok(corpus)
}

#[derive(Debug, Clone, Copy)]
struct Rectangle {
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
}

impl Rectangle {
    fn area(self) -> usize {
        self.rows * self.columns
    }

    /// Its pixels in images of `side` columns, ascending.
    fn pixels(self, side: usize) -> impl Iterator<Item = u32> {
        let pixel = move |at| {
            ((self.top + at / self.columns) * side + self.left + at % self.columns) as u32
        };
        (0..self.area()).map(pixel)
    }

    /// Two parts, cut at a random position across the longer side.
    fn cut(self, rng: &mut ChaCha12Rng) -> [Self; 2] {
        if self.rows > self.columns {
            let at = 1 + below(rng, self.rows - 1);
            let below = Self { top: self.top + at, rows: self.rows - at, ..self };
            return [Self { rows: at, ..self }, below];
        }
        let at = 1 + below(rng, self.columns - 1);
        let beside = Self { left: self.left + at, columns: self.columns - at, ..self };
        [Self { columns: at, ..self }, beside]
    }
}

/// A partition of the image into `count` rectangles, the largest first.
fn features(rng: &mut ChaCha12Rng, side: usize, count: usize) -> Vec<Rectangle> {
    let mut found = vec![Rectangle { top: 0, left: 0, rows: side, columns: side }];
    while found.len() < count {
        // While there are fewer rectangles than pixels, the largest has at least two.
        let largest = found.remove(0);
        for part in largest.cut(rng) {
            let before = found.partition_point(|other| other.area() >= part.area());
            found.insert(before, part);
        }
    }
    found
}

struct ImageGenerator {
    features: Vec<Vec<u32>>,
    /// A permutation of the features. The first `shown` are those of the last image.
    order: Vec<usize>,
    shown: usize,
    rng: ChaCha12Rng,
}

impl Generator for ImageGenerator {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        for at in 0..self.shown {
            // Fisher–Yates shuffle, stopped after the features needed.
            let other = at + below(&mut self.rng, self.order.len() - at);
            self.order.swap(at, other);
        }
        document.clear();
        for &feature in &self.order[..self.shown] {
            document.extend(self.features[feature].iter().map(|&pixel| (pixel, 1)));
        }
        document.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::SynthError;
    use std::collections::BTreeSet;

    fn settings() -> BitmapCorpusSettings {
        BitmapCorpusSettings { documents: 6000, side: 12, topics: 8, shown: 3, seed: 2 }
    }

    #[test]
    fn features_are_a_partition_the_largest_first() {
        for topics in [2, 8, 143, 144] {
            let settings = BitmapCorpusSettings { topics, shown: 1, documents: 1, ..settings() };
            let corpus = bitmap(&settings).expect("a corpus");
            let mut pixels: Vec<u32> = corpus.topics.iter().flatten().map(|&(p, _)| p).collect();
            pixels.sort_unstable();
            assert_eq!(pixels, (0..144).collect::<Vec<u32>>());
            assert!(corpus.topics.is_sorted_by(|a, b| a.len() >= b.len()));
            assert_eq!(corpus.topics.len(), topics);
        }
    }

    #[test]
    fn images_show_whole_features_each_as_often_as_any_other() {
        let corpus = bitmap(&settings()).expect("a corpus");
        let features: Vec<BTreeSet<u32>> =
            corpus.topics.iter().map(|t| t.iter().map(|&(pixel, _)| pixel).collect()).collect();
        let mut shares = [0.0f64; 8];
        for document in corpus.collected() {
            assert!(document.iter().all(|&(_, count)| count == 1) && document.is_sorted());
            let black: BTreeSet<u32> = document.iter().map(|&(pixel, _)| pixel).collect();
            let mut shown = 0;
            for (share, feature) in shares.iter_mut().zip(&features) {
                match feature.is_subset(&black) {
                    true => (shown, *share) = (shown + 1, *share + 1.0 / 6000.0),
                    false => assert!(feature.is_disjoint(&black)),
                }
            }
            assert_eq!(shown, 3);
        }
        // 6,000 images, deviation 0.0063. Bounds at 5.2 deviations for 8 shares: a false alarm for
        // fewer than two seeds in a million.
        assert!(shares.iter().all(|share| (share - 3.0 / 8.0).abs() < 0.033), "{shares:?}");
    }

    #[test]
    fn at_most_half_of_the_features_are_shown() {
        let error =
            bitmap(&BitmapCorpusSettings { shown: 5, ..settings() }).err().expect("refused");
        let is_shown =
            matches!(&error, SynthError::OutOfRange { field: "shown", value, .. } if value == "5");
        assert!(is_shown, "{error:?}");
        assert!(bitmap(&BitmapCorpusSettings { topics: 145, ..settings() }).is_err());
    }
}

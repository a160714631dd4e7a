//! The weights of a word's topics, kept right while its tokens change theirs.
//!
//! p(k) ∝ n_mk·q_k + α_k·q_k with q_k = (n_wk + β)/(n_k + Wβ): the first part is that of the few topics of the
//! document; of the second, which all tokens of the word share, sums are kept. Where lists of documents have all
//! topics, both parts are one.

use super::document_topics::{List, Place, Some8, TOGETHER};

/// Topics whose α_k·q_k are summed together: a search goes over sums first, then within one.
pub(super) const CHUNK: usize = 16;

/// What a sweep holds fixed.
#[derive(Clone, Copy)]
pub(super) struct Fixed<'a> {
    /// α, filled up to whole groups and chunks with zeros.
    pub alpha: &'a [f32],
    /// β.
    pub beta: f32,
    /// W·β.
    pub beta_sum: f32,
    /// What the sweep's random numbers come from; each word of a lane has a stream of its own.
    pub key: u64,
}

/// The weights of a word's topics.
#[derive(Debug)]
pub(super) struct Weights {
    /// n_wk.
    row: Vec<i32>,
    /// n_k.
    totals: Vec<i32>,
    /// 1/(n_k + Wβ).
    inverse: Vec<f32>,
    /// q_k, filled up to whole groups with zeros, one at least.
    q: Vec<f32>,
    /// α_k·q_k, filled up with zeros.
    shared: Vec<[f32; CHUNK]>,
    /// Of each chunk.
    sums: Vec<f32>,
    sum: f64,
    /// Sums of n_mk·q_k over the topics of the document that stand in the same column of their groups.
    of_document: [f32; TOGETHER],
    all_of_document: f32,
}

impl Weights {
    /// Of no word yet; n_k are given.
    pub(super) fn new(totals: &[i32], fixed: Fixed<'_>) -> Self {
        let topics = totals.len();
        let chunks = topics.div_ceil(CHUNK);
        Self {
            row: vec![0; topics],
            totals: totals.to_vec(),
            inverse: totals.iter().map(|&total| 1.0 / (total as f32 + fixed.beta_sum)).collect(),
            q: vec![0.0; (topics + 1).next_multiple_of(TOGETHER)],
            shared: vec![[0.0; CHUNK]; chunks],
            sums: vec![0.0; chunks],
            sum: 0.0,
            of_document: [0.0; TOGETHER],
            all_of_document: 0.0,
        }
    }

    /// Before the tokens of a word whose n_wk are `row`.
    #[inline(always)]
    pub(super) fn open<const WHOLE: bool>(&mut self, row: &[i32], fixed: Fixed<'_>) {
        self.row.copy_from_slice(row);
        let parts = self.row.iter().zip(&self.inverse);
        for (q, (&own, inverse)) in self.q.iter_mut().zip(parts) {
            *q = (own as f32 + fixed.beta) * inverse;
        }
        if WHOLE {
            return;
        }
        let parts = fixed.alpha.chunks(CHUNK).zip(self.q.chunks(CHUNK));
        for (chunk, (alpha, q)) in self.shared.iter_mut().zip(parts) {
            chunk
                .iter_mut()
                .zip(alpha.iter().zip(q))
                .for_each(|(own, (alpha, q))| *own = alpha * q);
        }
        for (sum, chunk) in self.sums.iter_mut().zip(&self.shared) {
            *sum = sum_of(chunk);
        }
        self.sum = self.sums.iter().map(|&sum| f64::from(sum)).sum();
    }

    /// The word's n_wk.
    #[inline(always)]
    pub(super) fn row(&self) -> &[i32] {
        &self.row
    }

    /// n_k.
    pub(super) fn into_totals(self) -> Vec<i32> {
        self.totals
    }

    /// A token of the word goes from one topic to another.
    #[inline(always)]
    pub(super) fn change<const WHOLE: bool>(&mut self, old: usize, new: usize, fixed: Fixed<'_>) {
        self.add::<WHOLE>(old, -1, fixed);
        self.add::<WHOLE>(new, 1, fixed);
    }

    /// n_wk and n_k grow by `by`.
    #[inline(always)]
    fn add<const WHOLE: bool>(&mut self, topic: usize, by: i32, fixed: Fixed<'_>) {
        self.row[topic] += by;
        self.totals[topic] += by;
        self.inverse[topic] = 1.0 / (self.totals[topic] as f32 + fixed.beta_sum);
        self.q[topic] = (self.row[topic] as f32 + fixed.beta) * self.inverse[topic];
        if WHOLE {
            return;
        }
        let chunk = topic / CHUNK;
        self.shared[chunk][topic % CHUNK] = fixed.alpha[topic] * self.q[topic];
        let before = std::mem::replace(&mut self.sums[chunk], sum_of(&self.shared[chunk]));
        self.sum += f64::from(self.sums[chunk]) - f64::from(before);
    }

    /// Before tokens of the word in a document with these topics, and after one of them has changed.
    #[inline(always)]
    pub(super) fn look_at<const WHOLE: bool>(
        &mut self,
        document: &List<'_, WHOLE>,
        fixed: Fixed<'_>,
    ) {
        let groups = document.groups().iter();
        let mut sums = [0.0; TOGETHER];
        if WHOLE {
            let parts = fixed.alpha.as_chunks::<TOGETHER>().0.iter();
            let parts = parts.zip(self.q.as_chunks::<TOGETHER>().0);
            for (Some8 { counts, .. }, (alpha, q)) in groups.zip(parts) {
                (0..TOGETHER).for_each(|at| sums[at] += (counts[at] + alpha[at]) * q[at]);
            }
        } else {
            for Some8 { topics, counts } in groups {
                let q = |at: usize| self.q[usize::from(topics[at])];
                (0..TOGETHER).for_each(|at| sums[at] += counts[at] * q(at));
            }
        }
        self.of_document = sums;
        self.all_of_document = sum_of_8(sums);
    }

    /// The topic at the share `unit` (0 to below 1) of p(k), where the token itself, whose topic is at `place`, is
    /// left out of the counts; `None` if it stays. The others lie behind the old one in their order.
    #[inline(always)]
    pub(super) fn draw<const WHOLE: bool>(
        &self,
        document: &List<'_, WHOLE>,
        place: Place,
        unit: f32,
        fixed: Fixed<'_>,
    ) -> Option<usize> {
        let Some8 { topics, counts } = &document.groups()[place.group];
        let (old, own) = (usize::from(topics[place.column]), counts[place.column]);
        let of_word = (self.row[old] - 1) as f32 + fixed.beta;
        let of_all = (self.totals[old] - 1) as f32 + fixed.beta_sum;
        let stays = (own - 1.0 + fixed.alpha[old]) * of_word / of_all;
        let alpha = |topic: usize| if WHOLE { fixed.alpha[topic] } else { 0.0 };
        let in_document = (own + alpha(old)) * self.q[old];
        let in_shared = if WHOLE { 0.0 } else { self.shared[old / CHUNK][old % CHUNK] };
        let shared = if WHOLE { 0.0 } else { self.sum as f32 - in_shared };
        let of_document = self.all_of_document - in_document;
        let left = unit * (of_document + shared + stays) - stays;
        if left < 0.0 {
            return None;
        }
        if WHOLE || left < of_document {
            let of_topic =
                |topic: u16, count| (count + alpha(topic.into())) * self.q[usize::from(topic)];
            let found = self.search_document(document, place, left, in_document, of_topic);
            if WHOLE || found.is_some() {
                return found;
            }
        }
        Some(self.search((left - of_document).max(0.0), old, in_shared))
    }

    /// The topic in whose weight, by its number and count, `left` lies, but for the old one. Rounding can lead past
    /// the end.
    #[inline(always)]
    fn search_document<const WHOLE: bool>(
        &self,
        document: &List<'_, WHOLE>,
        place: Place,
        mut left: f32,
        in_document: f32,
        of_topic: impl Fn(u16, f32) -> f32,
    ) -> Option<usize> {
        let mut last = None;
        for (column, sum) in self.of_document.iter().enumerate() {
            let is_here = column == place.column;
            let sum = if is_here { sum - in_document } else { *sum };
            if left >= sum {
                left -= sum;
                continue;
            }
            for (at, Some8 { topics, counts }) in document.groups().iter().enumerate() {
                let (topic, count) = (topics[column], counts[column]);
                let weight = of_topic(topic, count);
                if weight == 0.0 || (is_here && at == place.group) {
                    continue;
                }
                last = Some(usize::from(topic));
                if left < weight {
                    return last;
                }
                left -= weight;
            }
        }
        last
    }

    /// The topic in whose α_k·q_k `left` lies, but for the old one. Rounding can lead past the end.
    #[inline(always)]
    fn search(&self, mut left: f32, old: usize, in_shared: f32) -> usize {
        let mut chunk = 0;
        for (at, &sum) in self.sums[..self.sums.len() - 1].iter().enumerate() {
            let sum = if at == old / CHUNK { sum - in_shared } else { sum };
            if left < sum {
                break;
            }
            left -= sum;
            chunk += 1;
        }
        let mut at = 0;
        for (column, &own) in self.shared[chunk][..CHUNK - 1].iter().enumerate() {
            let own = if chunk * CHUNK + column == old { 0.0 } else { own };
            if left < own {
                break;
            }
            left -= own;
            at += 1;
        }
        (chunk * CHUNK + at).min(self.row.len() - 1)
    }
}

/// In few steps one after the other.
#[inline(always)]
fn sum_of(chunk: &[f32; CHUNK]) -> f32 {
    sum_of_8(std::array::from_fn(|at| chunk[at] + chunk[at + CHUNK / 2]))
}

#[inline(always)]
fn sum_of_8([a, b, c, d, e, f, g, h]: [f32; 8]) -> f32 {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lda_gibbs::document_topics::DocumentTopics;

    #[test]
    fn a_topic_is_drawn_as_often_as_its_probability_says() {
        // Topics of more than one chunk, of which the last is not full.
        drawn_as_often_as_said::<false>(300);
        drawn_as_often_as_said::<true>(77);
    }

    fn drawn_as_often_as_said<const WHOLE: bool>(topics: usize) {
        let count = |salt: usize| move |at: usize| ((at * salt) % 7 * (at % 3).min(1)) as i32;
        let (of_word, of_document) = (count(5), count(11));
        let total = |at: usize| 50 + of_word(at) + (at % 13) as i32;
        let mut alpha = vec![0.3; topics];
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let fixed = Fixed { alpha: &alpha, beta: 0.2, beta_sum: 8.0, key: 0 };
        let totals: Vec<i32> = (0..topics).map(total).collect();
        let mut weights = Weights::new(&totals, fixed);
        weights.open::<WHOLE>(&(0..topics).map(of_word).collect::<Vec<_>>(), fixed);
        let mut documents = DocumentTopics::new(&[2000], topics);
        for at in 0..topics {
            (0..of_document(at)).for_each(|_| documents.add(0, at as u16));
        }
        let list = documents.of::<WHOLE>(0);
        for (topic, by) in [(7, -1), (7, 1), (topics - 1, 3), (topics - 1, -3)] {
            weights.add::<WHOLE>(topic, by, fixed);
        }
        weights.look_at(&list, fixed);
        for old in [8, 10, 74] {
            assert!(of_word(old) > 0 && of_document(old) > 0);
            let place = list.place(old as u16).expect("it is there");
            let chances: Vec<f64> = (0..topics)
                .map(|at| {
                    let one = f64::from(u8::from(at == old));
                    let own = f64::from(of_document(at)) - one + 0.3;
                    own * (f64::from(of_word(at)) - one + 0.2) / (f64::from(total(at)) - one + 8.0)
                })
                .collect();
            let all: f64 = chances.iter().sum();
            let draws = 400_000u32;
            let mut found = vec![0.0; topics];
            for draw in 0..draws {
                // Evenly spread, so that nothing is left to chance but rounding.
                let unit = (draw as f32 + 0.5) / draws as f32;
                found[weights.draw(&list, place, unit, fixed).unwrap_or(old)] += 1.0;
            }
            for (topic, (found, chance)) in found.iter().zip(&chances).enumerate() {
                let expected = chance / all * f64::from(draws);
                // A sum of 300 single-precision numbers is off by some 1e-6 of it, and a topic is found in two
                // places: two draws of 400,000 at most, and their neighbours.
                assert!((found - expected).abs() < 6.0, "{topic}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn sums_are_kept_right_by_changes() {
        let topics = 140usize;
        let mut alpha: Vec<f32> = (0..topics).map(|at| 0.1 + at as f32 * 0.01).collect();
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let fixed = Fixed { alpha: &alpha, beta: 0.1, beta_sum: 3.0, key: 0 };
        let mut weights = Weights::new(&vec![9; topics], fixed);
        let row: Vec<i32> = (0..topics as i32).map(|at| at % 5).collect();
        weights.open::<false>(&row, fixed);
        for (topic, by) in [(4, -1), (139, 1), (0, 1), (4, -1), (7, 3)] {
            weights.add::<false>(topic, by, fixed);
        }
        let kept = (weights.q.clone(), weights.shared.clone(), weights.sums.clone(), weights.sum);
        let row = weights.row.clone();
        weights.open::<false>(&row, fixed);
        assert_eq!((kept.0, kept.1, kept.2), (weights.q, weights.shared, weights.sums));
        assert!((kept.3 - weights.sum).abs() < 1e-12 * weights.sum);
    }
}

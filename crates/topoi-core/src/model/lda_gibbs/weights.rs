//! The weights of a word's topics, updated while its tokens change theirs.
//!
//! p(k) ∝ n_mk·q_k + α_k·q_k with q_k = (n_wk + β)/(n_k + Wβ). The first part is nonzero for the
//! few topics of the document. The second part is shared by all tokens of the word, and its sums
//! are maintained. Where document lists contain all topics, the two parts are added.

use super::document_topics::{DocumentList, GROUP, ListPosition, TopicGroup};

/// Topics whose α_k·q_k are summed together. A search first visits these sums, then the topics
/// within one.
pub(super) const CHUNK: usize = 16;

/// Inputs that are constant during a sweep.
#[derive(Clone, Copy)]
pub(super) struct SweepInputs<'a> {
    /// α, padded with zeros to whole groups and chunks.
    pub alpha: &'a [f32],
    /// β.
    pub beta: f32,
    /// W·β.
    pub beta_sum: f32,
    /// Key of the sweep's random numbers. Each word of a lane has a stream of its own.
    pub key: u64,
}

/// The weights of a word's topics.
#[derive(Debug)]
pub(super) struct WordWeights {
    /// n_wk.
    row: Vec<i32>,
    /// n_k.
    totals: Vec<i32>,
    /// 1/(n_k + Wβ).
    inverse: Vec<f32>,
    /// q_k, padded to whole groups with at least one zero.
    q: Vec<f32>,
    /// α_k·q_k, padded with zeros.
    shared: Vec<[f32; CHUNK]>,
    /// Sum of each chunk of `shared`.
    sums: Vec<f32>,
    sum: f64,
    /// Sums of n_mk·q_k over the document's topics in the same column of their groups.
    of_document: [f32; GROUP],
    all_of_document: f32,
}

impl WordWeights {
    /// Weights without a word; `totals` are n_k.
    pub(super) fn new(totals: &[i32], fixed: SweepInputs<'_>) -> Self {
        let topics = totals.len();
        let chunks = topics.div_ceil(CHUNK);
        Self {
            row: vec![0; topics],
            totals: totals.to_vec(),
            inverse: totals.iter().map(|&total| 1.0 / (total as f32 + fixed.beta_sum)).collect(),
            q: vec![0.0; (topics + 1).next_multiple_of(GROUP)],
            shared: vec![[0.0; CHUNK]; chunks],
            sums: vec![0.0; chunks],
            sum: 0.0,
            of_document: [0.0; GROUP],
            all_of_document: 0.0,
        }
    }

    /// Starts the tokens of a word whose n_wk are `row`.
    #[inline(always)]
    pub(super) fn begin_word<const WHOLE: bool>(&mut self, row: &[i32], fixed: SweepInputs<'_>) {
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

    /// Moves a token of the word from one topic to another.
    #[inline(always)]
    pub(super) fn move_token<const WHOLE: bool>(
        &mut self,
        old: usize,
        new: usize,
        fixed: SweepInputs<'_>,
    ) {
        self.add::<WHOLE>(old, -1, fixed);
        self.add::<WHOLE>(new, 1, fixed);
    }

    /// Adds `by` to n_wk and n_k.
    #[inline(always)]
    fn add<const WHOLE: bool>(&mut self, topic: usize, by: i32, fixed: SweepInputs<'_>) {
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

    /// Computes the document's part, before tokens of the word in a document and after one of them
    /// has changed.
    #[inline(always)]
    pub(super) fn load_document<const WHOLE: bool>(
        &mut self,
        document: &DocumentList<'_, WHOLE>,
        fixed: SweepInputs<'_>,
    ) {
        let groups = document.groups().iter();
        let mut sums = [0.0; GROUP];
        if WHOLE {
            let parts = fixed.alpha.as_chunks::<GROUP>().0.iter();
            let parts = parts.zip(self.q.as_chunks::<GROUP>().0);
            for (TopicGroup { counts, .. }, (alpha, q)) in groups.zip(parts) {
                (0..GROUP).for_each(|at| sums[at] += (counts[at] + alpha[at]) * q[at]);
            }
        } else {
            for TopicGroup { topics, counts } in groups {
                let q = |at: usize| self.q[usize::from(topics[at])];
                (0..GROUP).for_each(|at| sums[at] += counts[at] * q(at));
            }
        }
        self.of_document = sums;
        self.all_of_document = sum_of_8(sums);
    }

    /// Draws a topic from p(k) at the quantile `unit` in [0, 1), with the token itself, whose topic
    /// is at `place`, removed from the counts. `None` if the topic stays. The old topic comes first
    /// in the order, followed by the others.
    #[inline(always)]
    pub(super) fn draw<const WHOLE: bool>(
        &self,
        document: &DocumentList<'_, WHOLE>,
        place: ListPosition,
        unit: f32,
        fixed: SweepInputs<'_>,
    ) -> Option<usize> {
        let TopicGroup { topics, counts } = &document.groups()[place.group];
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

    /// The topic of the document, except the old one, whose weight interval contains `left`.
    /// Rounding can lead past the end.
    #[inline(always)]
    fn search_document<const WHOLE: bool>(
        &self,
        document: &DocumentList<'_, WHOLE>,
        place: ListPosition,
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
            for (at, TopicGroup { topics, counts }) in document.groups().iter().enumerate() {
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

    /// The topic, except the old one, whose interval of α_k·q_k contains `left`. Rounding can lead
    /// past the end.
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

/// The sum of a chunk, with few dependent steps.
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
        // Topics in more than one chunk, the last one not full.
        drawn_as_often_as_said::<false>(300);
        drawn_as_often_as_said::<true>(77);
    }

    fn drawn_as_often_as_said<const WHOLE: bool>(topics: usize) {
        let count = |salt: usize| move |at: usize| ((at * salt) % 7 * (at % 3).min(1)) as i32;
        let (of_word, of_document) = (count(5), count(11));
        let total = |at: usize| 50 + of_word(at) + (at % 13) as i32;
        let mut alpha = vec![0.3; topics];
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let fixed = SweepInputs { alpha: &alpha, beta: 0.2, beta_sum: 8.0, key: 0 };
        let totals: Vec<i32> = (0..topics).map(total).collect();
        let mut weights = WordWeights::new(&totals, fixed);
        weights.begin_word::<WHOLE>(&(0..topics).map(of_word).collect::<Vec<_>>(), fixed);
        let mut documents = DocumentTopics::new(&[2000], topics);
        for at in 0..topics {
            (0..of_document(at)).for_each(|_| documents.add(0, at as u16));
        }
        let list = documents.document::<WHOLE>(0);
        for (topic, by) in [(7, -1), (7, 1), (topics - 1, 3), (topics - 1, -3)] {
            weights.add::<WHOLE>(topic, by, fixed);
        }
        weights.load_document(&list, fixed);
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
                // Evenly spaced quantiles, so that only rounding matters.
                let unit = (draw as f32 + 0.5) / draws as f32;
                found[weights.draw(&list, place, unit, fixed).unwrap_or(old)] += 1.0;
            }
            for (topic, (found, chance)) in found.iter().zip(&chances).enumerate() {
                let expected = chance / all * f64::from(draws);
                // A sum of 300 single-precision numbers has a relative error of about 1e-6, and a
                // topic has two intervals: at most two draws of 400,000, and their neighbours.
                assert!((found - expected).abs() < 6.0, "{topic}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn sums_are_kept_right_by_changes() {
        let topics = 140usize;
        let mut alpha: Vec<f32> = (0..topics).map(|at| 0.1 + at as f32 * 0.01).collect();
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let fixed = SweepInputs { alpha: &alpha, beta: 0.1, beta_sum: 3.0, key: 0 };
        let mut weights = WordWeights::new(&vec![9; topics], fixed);
        let row: Vec<i32> = (0..topics as i32).map(|at| at % 5).collect();
        weights.begin_word::<false>(&row, fixed);
        for (topic, by) in [(4, -1), (139, 1), (0, 1), (4, -1), (7, 3)] {
            weights.add::<false>(topic, by, fixed);
        }
        let kept = (weights.q.clone(), weights.shared.clone(), weights.sums.clone(), weights.sum);
        let row = weights.row.clone();
        weights.begin_word::<false>(&row, fixed);
        assert_eq!((kept.0, kept.1, kept.2), (weights.q, weights.shared, weights.sums));
        assert!((kept.3 - weights.sum).abs() < 1e-12 * weights.sum);
    }
}

//! The weights of a word's topics, updated while its tokens change theirs.
//!
//! p(k) ∝ n_mk·q_k + α_k·q_k with q_k = (n_wk + β)/(n_k + Wβ). The first part is nonzero for the
//! few topics of the document. The second part is shared by all tokens of the word, and its sums
//! are maintained. Where documents have a count for every topic, the two parts are added.

use super::document_topics::{GROUP, Position, TopicsOfDocument};

/// Topics whose α_k·q_k are summed together. A search first visits these sums, then the topics
/// within one.
pub(super) const CHUNK: usize = 16;

/// Groups of a document's topics whose sums are kept together, so that they are added independently
/// of each other, and a search skips them.
const BLOCK: usize = 8;

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
    /// The same sums up to the end of each block of groups.
    of_blocks: Vec<[f32; GROUP]>,
    all_of_document: f32,
}

impl WordWeights {
    /// Weights without a word; `totals` are n_k.
    pub(super) fn new(totals: &[i32], fixed: SweepInputs<'_>) -> Self {
        let topics = totals.len();
        let chunks = topics.div_ceil(CHUNK);
        Self {
            totals: totals.to_vec(),
            inverse: totals.iter().map(|&total| 1.0 / (total as f32 + fixed.beta_sum)).collect(),
            q: vec![0.0; (topics + 1).next_multiple_of(GROUP)],
            shared: vec![[0.0; CHUNK]; chunks],
            sums: vec![0.0; chunks],
            sum: 0.0,
            of_document: [0.0; GROUP],
            of_blocks: vec![[0.0; GROUP]; topics.div_ceil(GROUP * BLOCK)],
            all_of_document: 0.0,
        }
    }

    /// Starts the tokens of a word whose n_wk are `row`.
    #[inline(always)]
    pub(super) fn begin_word<D: TopicsOfDocument>(&mut self, row: &[i32], fixed: SweepInputs<'_>) {
        let parts = row.iter().zip(&self.inverse);
        for (q, (&own, inverse)) in self.q.iter_mut().zip(parts) {
            *q = (own as f32 + fixed.beta) * inverse;
        }
        if D::IS_DENSE {
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

    /// n_k.
    pub(super) fn into_totals(self) -> Vec<i32> {
        self.totals
    }

    /// Moves a token of the word, whose n_wk are `row`, from one topic to another.
    #[inline(always)]
    pub(super) fn move_token<D: TopicsOfDocument>(
        &mut self,
        row: &mut [i32],
        old: usize,
        new: usize,
        fixed: SweepInputs<'_>,
    ) {
        self.add::<D>(row, old, -1, fixed);
        self.add::<D>(row, new, 1, fixed);
    }

    /// Adds `by` to n_wk and n_k.
    #[inline(always)]
    fn add<D: TopicsOfDocument>(
        &mut self,
        row: &mut [i32],
        topic: usize,
        by: i32,
        fixed: SweepInputs<'_>,
    ) {
        row[topic] += by;
        self.totals[topic] += by;
        self.inverse[topic] = 1.0 / (self.totals[topic] as f32 + fixed.beta_sum);
        self.q[topic] = (row[topic] as f32 + fixed.beta) * self.inverse[topic];
        if D::IS_DENSE {
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
    pub(super) fn load_document<D: TopicsOfDocument>(
        &mut self,
        document: &D,
        fixed: SweepInputs<'_>,
    ) {
        let groups = document.groups();
        let mut sums = [0.0; GROUP];
        for (block, of_block) in self.of_blocks.iter_mut().enumerate() {
            let range = block * BLOCK..groups.min((block + 1) * BLOCK);
            if range.is_empty() {
                break;
            }
            let mut own = [0.0; GROUP];
            if D::IS_DENSE {
                let alpha = &fixed.alpha.as_chunks::<GROUP>().0[range.clone()];
                let q = &self.q.as_chunks::<GROUP>().0[range.clone()];
                for (group, (alpha, q)) in range.zip(alpha.iter().zip(q)) {
                    let counts = document.counts(group);
                    (0..GROUP).for_each(|at| own[at] += (counts[at] + alpha[at]) * q[at]);
                }
            } else {
                for group in range {
                    let counts = document.counts(group);
                    let q = |column| self.q[document.topic(Position { group, column })];
                    (0..GROUP).for_each(|at| own[at] += counts[at] * q(at));
                }
            }
            (0..GROUP).for_each(|at| sums[at] += own[at]);
            *of_block = sums;
        }
        self.of_document = sums;
        self.all_of_document = sum_of_8(sums);
    }

    /// Draws a topic from p(k) at the quantile `unit` in [0, 1) for a token of the word whose n_wk
    /// are `row`, with the token itself, whose topic is at `place`, removed from the counts. `None`
    /// if the topic stays. The old topic comes first in the order, followed by the others.
    #[inline(always)]
    pub(super) fn draw<D: TopicsOfDocument>(
        &self,
        row: &[i32],
        document: &D,
        place: Position,
        unit: f32,
        fixed: SweepInputs<'_>,
    ) -> Option<usize> {
        let (old, own) = (document.topic(place), document.count(place));
        let of_word = (row[old] - 1) as f32 + fixed.beta;
        let of_all = (self.totals[old] - 1) as f32 + fixed.beta_sum;
        let stays = (own - 1.0 + fixed.alpha[old]) * of_word / of_all;
        let alpha = |topic: usize| if D::IS_DENSE { fixed.alpha[topic] } else { 0.0 };
        let in_document = (own + alpha(old)) * self.q[old];
        let in_shared = if D::IS_DENSE { 0.0 } else { self.shared[old / CHUNK][old % CHUNK] };
        let shared = if D::IS_DENSE { 0.0 } else { self.sum as f32 - in_shared };
        let of_document = self.all_of_document - in_document;
        let left = unit * (of_document + shared + stays) - stays;
        if left < 0.0 {
            return None;
        }
        if D::IS_DENSE || left < of_document {
            let of_topic = |topic: usize, count| (count + alpha(topic)) * self.q[topic];
            let found = self.search_document(document, place, left, in_document, of_topic);
            if D::IS_DENSE || found.is_some() {
                return found;
            }
        }
        Some(self.search((left - of_document).max(0.0), old, in_shared))
    }

    /// The topic of the document, except the old one, whose weight interval contains `left`.
    /// Rounding can lead past the end.
    #[inline(always)]
    fn search_document<D: TopicsOfDocument>(
        &self,
        document: &D,
        place: Position,
        mut left: f32,
        in_document: f32,
        of_topic: impl Fn(usize, f32) -> f32,
    ) -> Option<usize> {
        let mut last = None;
        for (column, sum) in self.of_document.iter().enumerate() {
            let is_here = column == place.column;
            let sum = if is_here { sum - in_document } else { *sum };
            if left >= sum {
                left -= sum;
                continue;
            }
            let own = |block: usize| match is_here && place.group / BLOCK <= block {
                true => self.of_blocks[block][column] - in_document,
                false => self.of_blocks[block][column],
            };
            let last_block = document.groups().saturating_sub(1) / BLOCK;
            let skipped = (0..last_block).take_while(|&block| left >= own(block)).count();
            left -= if skipped == 0 { 0.0 } else { own(skipped - 1) };
            for group in skipped * BLOCK..document.groups() {
                let at = Position { group, column };
                let topic = document.topic(at);
                let weight = of_topic(topic, document.count(at));
                if weight == 0.0 || (is_here && group == place.group) {
                    continue;
                }
                last = Some(topic);
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
        (chunk * CHUNK + at).min(self.totals.len() - 1)
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
    use crate::model::lda_gibbs::document_topics::{
        DocumentTopics, SparseDocument, TopicsOfDocuments, in_its_form,
    };

    #[test]
    fn a_topic_is_drawn_as_often_as_its_probability_says() {
        // Topics in more than one chunk, the last one not full.
        drawn_as_often_as_said(300, 2000);
        drawn_as_often_as_said(77, 200);
        drawn_as_often_as_said(77, 2000);
    }

    fn drawn_as_often_as_said(topics: usize, length: u32) {
        let mut documents = DocumentTopics::new(&[length], topics);
        in_its_form!(&mut documents, of_documents => drawn_from(of_documents, topics));
    }

    fn drawn_from<D: TopicsOfDocuments>(documents: &mut D, topics: usize) {
        let count = |salt: usize| move |at: usize| ((at * salt) % 7 * (at % 3).min(1)) as i32;
        let (of_word, of_document) = (count(5), count(11));
        let total = |at: usize| 50 + of_word(at) + (at % 13) as i32;
        let mut alpha = vec![0.3; topics];
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let fixed = SweepInputs { alpha: &alpha, beta: 0.2, beta_sum: 8.0, key: 0 };
        let totals: Vec<i32> = (0..topics).map(total).collect();
        let mut weights = WordWeights::new(&totals, fixed);
        let mut row: Vec<i32> = (0..topics).map(of_word).collect();
        weights.begin_word::<D::Document<'_>>(&row, fixed);
        let mut list = documents.document(0);
        for at in 0..topics {
            (0..of_document(at)).for_each(|_| list.add(at as u16));
        }
        for (topic, by) in [(7, -1), (7, 1), (topics - 1, 3), (topics - 1, -3)] {
            weights.add::<D::Document<'_>>(&mut row, topic, by, fixed);
        }
        weights.load_document(&list, fixed);
        for old in [8, 10, 74] {
            assert!(of_word(old) > 0 && of_document(old) > 0);
            let place = list.position(old as u16).expect("it is there");
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
                found[weights.draw(&row, &list, place, unit, fixed).unwrap_or(old)] += 1.0;
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
        let mut row: Vec<i32> = (0..topics as i32).map(|at| at % 5).collect();
        weights.begin_word::<SparseDocument<'_>>(&row, fixed);
        for (topic, by) in [(4, -1), (139, 1), (0, 1), (4, -1), (7, 3)] {
            weights.add::<SparseDocument<'_>>(&mut row, topic, by, fixed);
        }
        let kept = (weights.q.clone(), weights.shared.clone(), weights.sums.clone(), weights.sum);
        weights.begin_word::<SparseDocument<'_>>(&row, fixed);
        assert_eq!((kept.0, kept.1, kept.2), (weights.q, weights.shared, weights.sums));
        assert!((kept.3 - weights.sum).abs() < 1e-12 * weights.sum);
    }
}

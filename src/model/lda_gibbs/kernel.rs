//! Sampling the topics of the tokens of a lane's documents.
//!
//! The weights of all K topics are computed side by side, once for the tokens that a word has in a
//! document, and kept right where one of them changes its topic. Half of all tokens and more keep
//! theirs: whether they do is decided first, from the sum of the weights alone, and only the others
//! search for theirs. So a token that stays writes nothing that the next must wait for.

use pulp::{Simd, WithSimd};

use super::counts::{Counts, Counts8, GROUP};
use super::proportions::Histograms;
use crate::random::ShortStream;
use crate::stream::documents::Batch;

type Group = [f32; GROUP];

/// Groups whose weights are summed together: a search goes over sums first, then within one.
const CHUNK: usize = 16;

/// What a sweep holds fixed.
#[derive(Clone, Copy)]
pub(super) struct Fixed<'a> {
    /// α, filled up with zeros.
    pub alpha: &'a [Group],
    /// β.
    pub beta: f32,
    /// W·β.
    pub beta_sum: f32,
    /// K.
    pub topics: usize,
    /// What the sweep's random numbers come from; each document has a stream of its own.
    pub key: u64,
}

/// A lane's tokens, and what it samples them with.
#[derive(Debug)]
pub(super) struct Lane {
    /// The topic of every token, in the order of documents and of words within them.
    pub topics: Vec<u16>,
    /// n_wk and n_k as this lane sees them: its own changes are in them, those of other lanes in
    /// this sweep are not.
    pub counts: Counts,
    /// Of the lane's documents, as the last sweep left them.
    pub histograms: Histograms,
    at: usize,
    weights: Weights,
}

impl Lane {
    /// A lane whose tokens have these topics.
    pub(super) fn new(words: usize, topics: usize, of_tokens: Vec<u16>) -> Self {
        Self {
            topics: of_tokens,
            counts: Counts::new(words, topics),
            histograms: Histograms::new(topics),
            at: 0,
            weights: Weights::new(topics),
        }
    }

    /// Before a pass over the lane's documents that starts from `counts`.
    pub(super) fn begin(&mut self, counts: &Counts, topics: usize) {
        self.at = 0;
        self.counts.copy_from(counts);
        self.histograms = Histograms::new(topics);
    }

    /// Counts the tokens.
    pub(super) fn count(&mut self, batch: &Batch) {
        for (&word, &count) in batch.words.iter().zip(&batch.counts) {
            let (row, totals) = self.counts.of_word(word as usize);
            for &topic in &self.topics[self.at..self.at + count as usize] {
                row.as_flattened_mut()[usize::from(topic)] += 1;
                totals.as_flattened_mut()[usize::from(topic)] += 1;
            }
            self.at += count as usize;
        }
    }

    /// Draws a new topic for every token of the documents, one after the other.
    pub(super) fn sample(&mut self, batch: &Batch, fixed: Fixed<'_>) {
        pulp::Arch::new().dispatch(Kernel { lane: self, batch, fixed });
    }
}

struct Kernel<'a> {
    lane: &'a mut Lane,
    batch: &'a Batch,
    fixed: Fixed<'a>,
}

impl WithSimd for Kernel<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let Self { lane, batch, fixed } = self;
        lane.weights.begin(&lane.counts.totals, fixed);
        for (&id, (words, counts, length)) in batch.ids.iter().zip(batch.documents()) {
            let mut random = ShortStream::of(fixed.key, id as u64);
            let end = lane.at + length as usize;
            lane.weights.open(&lane.topics[lane.at..end], fixed);
            for (&word, &count) in words.iter().zip(counts) {
                let of_word = lane.at..lane.at + count as usize;
                lane.at = of_word.end;
                let (row, totals) = lane.counts.of_word(word as usize);
                lane.weights.multiply(row, fixed.beta);
                for topic in &mut lane.topics[of_word] {
                    let old = usize::from(*topic);
                    if let Some(new) = lane.weights.draw(old, row, random.unit() as f32, fixed) {
                        lane.weights.change(old, new, row, totals, fixed);
                        *topic = new as u16;
                        // The products of a word's only token are not used again.
                        if count > 1.0 {
                            lane.weights.remultiply(old, row, fixed.beta);
                            lane.weights.remultiply(new, row, fixed.beta);
                        }
                    }
                }
            }
            lane.histograms.count(&lane.weights.own.as_flattened()[..fixed.topics]);
        }
    }
}

/// The weights of the topics of a document's token, and what they are made of.
#[derive(Debug)]
struct Weights {
    /// n_mk.
    own: Vec<Counts8>,
    /// 1/(n_k + Wβ).
    inverse: Vec<Group>,
    /// 1/(n_k − 1 + Wβ).
    inverse_without: Vec<Group>,
    /// (n_mk + α_k)/(n_k + Wβ).
    factors: Vec<Group>,
    /// (n_mk + α_k)·(n_wk + β)/(n_k + Wβ).
    products: Vec<Group>,
    /// Of the products of each [`CHUNK`], column by column.
    sums: Vec<Group>,
}

impl Weights {
    fn new(topics: usize) -> Self {
        let width = topics.div_ceil(GROUP);
        let zeros = vec![[0.0; GROUP]; width];
        Self {
            own: vec![[0; GROUP]; width],
            inverse: zeros.clone(),
            inverse_without: zeros.clone(),
            factors: zeros.clone(),
            products: zeros,
            sums: vec![[0.0; GROUP]; width.div_ceil(CHUNK)],
        }
    }

    /// Before documents that start from n_k = `totals`.
    #[inline(always)]
    fn begin(&mut self, totals: &[Counts8], fixed: Fixed<'_>) {
        for (group, totals) in totals.iter().enumerate() {
            for (at, &total) in totals.iter().enumerate() {
                self.inverse[group][at] = inverse(total, fixed);
                self.inverse_without[group][at] = inverse(total - 1, fixed);
            }
        }
    }

    /// Before the tokens of a document that have these topics.
    #[inline(always)]
    fn open(&mut self, topics: &[u16], fixed: Fixed<'_>) {
        self.own.fill([0; GROUP]);
        for &topic in topics {
            self.own.as_flattened_mut()[usize::from(topic)] += 1;
        }
        let parts = self.own.iter().zip(fixed.alpha).zip(&self.inverse);
        for (factors, ((own, alpha), inverse)) in self.factors.iter_mut().zip(parts) {
            for at in 0..GROUP {
                factors[at] = (own[at] as f32 + alpha[at]) * inverse[at];
            }
        }
    }

    /// The products for a word whose n_wk are `row`.
    #[inline(always)]
    fn multiply(&mut self, row: &[Counts8], beta: f32) {
        let factors = self.factors.chunks(CHUNK).zip(row.chunks(CHUNK));
        let chunks = self.products.chunks_mut(CHUNK).zip(factors).zip(&mut self.sums);
        for ((products, (factors, row)), sums) in chunks {
            *sums = product(products, factors, row, beta);
        }
    }

    /// The topic at the share `unit` (0 to below 1) of p(k) ∝ (n_mk + α_k)·(n_wk + β)/(n_k + Wβ),
    /// where the token itself, whose topic is `old`, is left out of the counts; `None` if it stays.
    /// The others lie behind the old one in their order.
    #[inline(always)]
    fn draw(&mut self, old: usize, row: &[Counts8], unit: f32, fixed: Fixed<'_>) -> Option<usize> {
        let (group, column) = (old / GROUP, old % GROUP);
        let of_document = (self.own[group][column] - 1) as f32 + fixed.alpha[group][column];
        let of_word = (row[group][column] - 1) as f32 + fixed.beta;
        let stays = of_document * self.inverse_without[group][column] * of_word;
        let all: f32 = self.sums.iter().map(sum).sum();
        let product = self.products[group][column];
        let left = unit * (all - product + stays) - stays;
        if left < 0.0 {
            return None;
        }
        self.products[group][column] = 0.0;
        add_at(&mut self.sums[group / CHUNK], column, -product);
        Some(self.search(left).min(fixed.topics - 1))
    }

    /// The topic in whose product `left` lies: chunk, column, group. Rounding can lead past the end.
    #[inline(always)]
    fn search(&self, mut left: f32) -> usize {
        let mut chunk = 0;
        for sums in &self.sums[..self.sums.len() - 1] {
            let of_chunk = sum(sums);
            if left < of_chunk {
                break;
            }
            left -= of_chunk;
            chunk += 1;
        }
        let starts = starts(&self.sums[chunk]);
        let column = starts[1..].iter().map(|&start| usize::from(left >= start)).sum::<usize>();
        left -= starts[column];
        let from = chunk * CHUNK;
        let products = &self.products[from..self.products.len().min(from + CHUNK)];
        let (mut end, mut group) = (0.0, from);
        for products in &products[..products.len() - 1] {
            end += products[column];
            group += usize::from(left >= end);
        }
        group * GROUP + column
    }

    /// A token of the word whose counts are `row` goes from one topic to another.
    #[inline(always)]
    fn change(
        &mut self,
        old: usize,
        new: usize,
        row: &mut [Counts8],
        totals: &mut [Counts8],
        fixed: Fixed<'_>,
    ) {
        let (group, at) = (old / GROUP, old % GROUP);
        totals[group][at] -= 1;
        row[group][at] -= 1;
        self.own[group][at] -= 1;
        self.inverse[group][at] = self.inverse_without[group][at];
        self.inverse_without[group][at] = inverse(totals[group][at] - 1, fixed);
        let of_document = self.own[group][at] as f32 + fixed.alpha[group][at];
        self.factors[group][at] = of_document * self.inverse[group][at];
        let (group, at) = (new / GROUP, new % GROUP);
        totals[group][at] += 1;
        row[group][at] += 1;
        self.own[group][at] += 1;
        self.inverse_without[group][at] = self.inverse[group][at];
        self.inverse[group][at] = inverse(totals[group][at], fixed);
        let of_document = self.own[group][at] as f32 + fixed.alpha[group][at];
        self.factors[group][at] = of_document * self.inverse[group][at];
    }

    /// Brings the products of a topic of the word up to date.
    #[inline(always)]
    fn remultiply(&mut self, topic: usize, row: &[Counts8], beta: f32) {
        let (group, at) = (topic / GROUP, topic % GROUP);
        let product = self.factors[group][at] * (row[group][at] as f32 + beta);
        let before = std::mem::replace(&mut self.products[group][at], product);
        add_at(&mut self.sums[group / CHUNK], at, product - before);
    }
}

#[inline(always)]
fn inverse(total: i32, fixed: Fixed<'_>) -> f32 {
    1.0 / (total as f32 + fixed.beta_sum)
}

/// products = factors · (row + β); returns their sums, column by column.
#[inline(always)]
fn product(products: &mut [Group], factors: &[Group], row: &[Counts8], beta: f32) -> Group {
    let mut sums = [0.0; GROUP];
    for ((products, factors), row) in products.iter_mut().zip(factors).zip(row) {
        let own: Group = std::array::from_fn(|at| factors[at] * (row[at] as f32 + beta));
        for at in 0..GROUP {
            sums[at] += own[at];
        }
        *products = own;
    }
    // The compiler would otherwise shape this loop after the sums across the columns that follow, and
    // not use whole vectors.
    std::hint::black_box(sums)
}

/// Adds `number` to the column `at`, in registers: a single store would make the loads of the whole
/// group that follow wait.
#[inline(always)]
fn add_at(sums: &mut Group, at: usize, number: f32) {
    for (column, sum) in sums.iter_mut().enumerate() {
        *sum += if column == at { number } else { 0.0 };
    }
}

#[inline(always)]
fn sum(group: &Group) -> f32 {
    let [a, b, c, d, e, f, g, h] = group;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// What the numbers before each one come to, in few steps one after the other.
#[inline(always)]
fn starts(group: &Group) -> Group {
    let [a, b, c, d, e, f, g, _] = *group;
    let (ab, cd, ef) = (a + b, c + d, e + f);
    let abcd = ab + cd;
    [0.0, a, ab, ab + c, abcd, abcd + e, abcd + ef, abcd + (ef + g)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_drawn_as_often_as_its_probability_says() {
        // Topics of more than one chunk, of which the last is not full.
        let topics = 300;
        let count = |salt: usize| move |at: usize| ((at * salt) % 7 * (at % 3).min(1)) as i32;
        let (of_word, of_document) = (count(5), count(11));
        let total = |at: usize| 50 + of_word(at) + (at % 13) as i32;
        let groups = |number: &dyn Fn(usize) -> i32| -> Vec<Counts8> {
            let own = |group| std::array::from_fn(|at| GROUP * group + at);
            let number = |at: usize| if at < topics { number(at) } else { 0 };
            (0..topics.div_ceil(GROUP)).map(own).map(|group| group.map(number)).collect()
        };
        let alpha: Vec<Group> =
            groups(&|_| 1).iter().map(|group| group.map(|one| one as f32 * 0.3)).collect();
        let fixed = Fixed { alpha: &alpha, beta: 0.2, beta_sum: 8.0, topics, key: 0 };
        let (row, totals) = (groups(&of_word), groups(&total));
        let document: Vec<u16> = (0..topics)
            .flat_map(|at| std::iter::repeat_n(at as u16, of_document(at) as usize))
            .collect();
        let mut weights = Weights::new(topics);
        weights.begin(&totals, fixed);
        weights.open(&document, fixed);
        let old = (0..topics).find(|&at| of_word(at) > 2 && of_document(at) > 2).expect("one");
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
            weights.multiply(&row, fixed.beta);
            // Evenly spread, so that nothing is left to chance but rounding.
            let unit = (draw as f32 + 0.5) / draws as f32;
            found[weights.draw(old, &row, unit, fixed).unwrap_or(old)] += 1.0;
        }
        for (topic, (found, chance)) in found.iter().zip(&chances).enumerate() {
            let expected = chance / all * f64::from(draws);
            // A sum of 300 single-precision numbers is off by some 1e-6 of it: one draw of 400,000.
            assert!((found - expected).abs() < 4.0, "{topic}: {found} instead of {expected}");
        }
    }

    #[test]
    fn products_and_their_sums_are_kept_right_by_changes() {
        let topics = 140;
        let mut counts = Counts::new(1, topics);
        let alpha = vec![[0.5; GROUP]; topics.div_ceil(GROUP)];
        let fixed = Fixed { alpha: &alpha, beta: 0.1, beta_sum: 3.0, topics, key: 0 };
        let document: Vec<u16> = (0..60).map(|at| at * 7 % 140).collect();
        let (row, totals) = counts.of_word(0);
        for &topic in &document {
            row.as_flattened_mut()[usize::from(topic)] += 1;
            totals.as_flattened_mut()[usize::from(topic)] += 1;
        }
        let mut weights = Weights::new(topics);
        weights.begin(totals, fixed);
        weights.open(&document, fixed);
        weights.multiply(row, fixed.beta);
        for (old, new) in [(0, 139), (7, 8), (139, 139)] {
            weights.change(old, new, row, totals, fixed);
            weights.remultiply(old, row, fixed.beta);
            weights.remultiply(new, row, fixed.beta);
        }
        let kept = (weights.products.clone(), weights.sums.clone());
        weights.begin(totals, fixed);
        weights.multiply(row, fixed.beta);
        assert_eq!(kept.0, weights.products);
        let both = kept.1.as_flattened().iter().zip(weights.sums.as_flattened());
        both.for_each(|(kept, made)| assert!((kept - made).abs() < 1e-5, "{kept} {made}"));
    }
}

//! Birth: new topics for subjects that added documents have and no topic has.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::ALPHA_SUM;
use super::revise::SWEEPS;
use crate::formula::chance::by_chance;
use crate::model::documents::cvb0::{Cvb0, Cvb0Buffers};
use crate::model::documents::topic_rows::{DocumentCounts, ETA, TopicRows};
use crate::stream::StreamError;
use crate::stream::block::Block;
use crate::stream::documents::{Documents, whole_numbers};

/// About how many added documents, and how many earlier ones, are looked at.
pub const LOOKED_AT: u64 = 20_000;
/// Candidates for new topics.
const CANDIDATES: usize = 5;
/// Rounds that a candidate is fitted in.
const ROUNDS: usize = 8;
/// The proportion of a topic from which on a document counts as one of its documents.
const PROPORTION: f64 = 0.2;
/// The proportion of its words from which on a document is looked at for a candidate.
const NEAR: f64 = PROPORTION / 4.0;
/// The fewest documents of a new topic in the half of the added documents that it was not fitted to.
const FEWEST: u64 = 8;
/// How many times as frequent documents like it are among the added ones as among the earlier ones, at least, and beside
/// the candidate of which that is least.
const TIMES: f64 = 2.5;
/// Candidates from which on the least of them tells how much the topics favour the documents that they were fitted to.
const CONTROLS: usize = 3;
/// The most that the least new candidate counts for: where all of the added documents are of a new subject, so are all
/// candidates. Without one, a first update had 2.0.
const MOST_USUAL: f64 = 2.0;
/// How many times as frequent candidates may seem without a new subject, beside the least new one.
const TIMES_BY_CHANCE: f64 = 1.5;
/// The largest probability that all candidates together have to be as frequent by chance.
const LEVEL: f64 = 1e-3;
/// The fewest tokens, and standard deviations above the expected number, of a word that is in excess.
const EXCESS: (f64, f64) = (5.0, 3.0);

/// A new topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Birth {
    /// p(word | topic), W numbers.
    pub words: Vec<f64>,
    /// Share of its documents among the added documents, from 0 to 1.
    pub share: f64,
}

/// Looks for subjects that documents with ids above `last` have and those up to it, of `documents`, have not; each part of a
/// corpus has a `last` of its own, and all find the same births; `topics` (W × K)
/// are of `tokens` tokens.
///
/// A candidate begins with the words that half of the added documents have in excess of what the topics expect, in the
/// documents that have one such word; the next one with those of the documents that are unlike it. Candidates are fitted to
/// that half by CVB0 beside the topics, which stay. One is accepted if the other half has eight or more of its documents (a
/// proportion of .2 or more), and if documents with many of its words are at least 2.5 times as frequent there as among
/// the earlier documents, and more than 1.5 times by more than chance (.001 for all candidates).
///
/// Topics know the documents that they were fitted to better than any others, and so do their expectations: where little
/// was read, words of every added document are in excess. Hence documents are compared by words alone, and the candidate
/// that is the least new tells how much newer the others have to be. `docs/reference/updates.md` has how often topics were
/// added wrongly.
///
/// # Cost
/// A round of 5 sweeps over the added documents and about ten over those with words of a candidate, of at most 20,000
/// added documents; 100 steps of a mixture of two for these and as many earlier ones. Memory for those and two W × K
/// matrices, in each part of a corpus. The result does not depend on the number of threads.
///
/// # Source
/// The word that a candidate begins with is an anchor as in Arora et al. 2013, of what the topics do not explain. The test
/// is that of Przyborowski and Wilenski 1940, "Homogeneity of results in testing samples from Poisson series".
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn find_births(
    topics: &Array2<f64>,
    tokens: f64,
    documents: &Documents<'_>,
    last: i64,
) -> Result<Vec<Birth>, StreamError> {
    let [first, second, earlier] = read(documents, last)?;
    if first.len().min(second.len()).min(earlier.len()) < FEWEST as usize {
        return Ok(Vec::new());
    }
    let mut candidates = Candidates::new(topics, tokens, &first);
    candidates.fit(&first);
    let of_second = candidates.counts(&second);
    let all = [second.len() as u64, earlier.len() as u64];
    let like = candidates.counts_like(&[&second, &earlier]);
    let usual = match like.len() >= CONTROLS {
        true => like.iter().map(|&like| ratio(like, all)).fold(MOST_USUAL, f64::min).max(1.0),
        false => 1.0,
    };
    let accepted: Vec<bool> = of_second
        .iter()
        .zip(like)
        .map(|(&second, like)| {
            second >= FEWEST
                && ratio(like, all) >= TIMES * usual
                && by_chance(like, all, TIMES_BY_CHANCE * usual) < LEVEL / CANDIDATES as f64
        })
        .collect();
    candidates.retain(&accepted);
    let added: Vec<Bag> = first.into_iter().chain(second).collect();
    candidates.fit(&added);
    let shares = candidates.counts(&added).into_iter().map(|n| n as f64 / added.len() as f64);
    let births = candidates.columns.into_iter().zip(shares);
    Ok(births.map(|(words, share)| Birth { words, share }).collect())
}

/// How many times as frequent documents are among all added ones as among all earlier ones; one more of those is assumed.
fn ratio([added, earlier]: [u64; 2], [all_added, all_earlier]: [u64; 2]) -> f64 {
    added as f64 / all_added as f64 * (all_earlier + 1) as f64 / (earlier + 1) as f64
}

/// A document in memory.
struct Bag {
    words: Vec<u32>,
    counts: Vec<f64>,
}

impl Bag {
    /// A document of a block, by its id, words and counts.
    fn from_document((_, words, counts): (i64, &[u32], &[u32])) -> Self {
        Self { words: words.to_vec(), counts: counts.iter().copied().map(f64::from).collect() }
    }

    fn counts(&self) -> DocumentCounts<'_> {
        DocumentCounts { words: &self.words, counts: &self.counts }
    }

    /// (word, count).
    fn entries(&self) -> impl Iterator<Item = (usize, f64)> {
        self.words.iter().map(|&word| word as usize).zip(self.counts.iter().copied())
    }
}

/// The two halves of the added documents of all parts, drawn by number, and the earlier documents.
fn read(documents: &Documents<'_>, last: i64) -> Result<[Vec<Bag>; 3], StreamError> {
    let blocks = || 0..documents.block_sizes().len();
    let mut all = [0, 0];
    let counted = documents.visit(blocks(), |batch| {
        batch.ids.iter().for_each(|&id| all[usize::from(id <= last)] += 1);
    });
    documents.agree(counted)?;
    documents.add_up_counts(&mut all)?;
    let steps = all.map(|n: u64| n.div_ceil(LOOKED_AT).max(1));
    let mut read = [(); 3].map(|()| Block::default());
    let drawn = documents.visit(blocks(), |batch| {
        let each = batch.ids.iter().zip(&batch.numbers).zip(batch.documents());
        for ((&id, &number), (words, counts, _)) in each {
            // Bits of a number that documents of one source share are spread by an odd factor.
            let drawn = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let is_earlier = id <= last;
            if (drawn >> 1).is_multiple_of(steps[usize::from(is_earlier)]) {
                let group = &mut read[if is_earlier { 2 } else { (drawn & 1) as usize }];
                group.push_slices(group.document_ids.len() as i64, words, &whole_numbers(counts));
            }
        }
    });
    documents.agree(drawn)?;
    let mut bags = [Vec::new(), Vec::new(), Vec::new()];
    for (bags, block) in bags.iter_mut().zip(read) {
        let of_parts = documents.share_block(block)?;
        bags.extend(of_parts.iter().flat_map(Block::documents).map(Bag::from_document));
    }
    Ok(bags)
}

/// Candidates for new topics beside the topics there are.
struct Candidates<'a> {
    topics: &'a Array2<f64>,
    tokens: f64,
    /// p(word | candidate), W numbers each.
    columns: Vec<Vec<f64>>,
}

impl<'a> Candidates<'a> {
    /// Candidates from what `documents` have and the topics do not explain.
    fn new(topics: &'a Array2<f64>, tokens: f64, documents: &[Bag]) -> Self {
        let mut candidates = Self { topics, tokens, columns: Vec::new() };
        let excess = candidates.excess(documents);
        let unexplained: Vec<f64> = documents
            .iter()
            .map(|document| document.entries().map(|(word, n)| n * excess[word]).sum())
            .collect();
        let of = |document: &Bag| document.counts().tokens();
        let usual = unexplained.iter().sum::<f64>() / documents.iter().map(of).sum::<f64>();
        let common = smoothed(&counted(&[documents], topics.nrows()));
        let words = excess.len();
        let mut is_taken = vec![false; documents.len()];
        while candidates.columns.len() < CANDIDATES {
            let free =
                || documents.iter().zip(&unexplained).zip(&is_taken).filter(|(_, taken)| !**taken);
            let mut scores = vec![(0.0, 0_u64); excess.len()];
            for ((document, unexplained), _) in free() {
                let tokens = of(document);
                for (word, n) in document.entries().filter(|(word, _)| excess[*word] > 0.0) {
                    scores[word].0 += unexplained - n * excess[word] - usual * (tokens - n);
                    scores[word].1 += 1;
                }
            }
            let enough =
                scores.iter().zip(0..).filter(|((score, n), _)| *n >= FEWEST && *score > 0.0);
            let best = enough.max_by(|(a, x), (b, y)| a.0.total_cmp(&b.0).then(y.cmp(x)));
            let Some((_, anchor)) = best else { break };
            let has_anchor = |document: &Bag| document.words.binary_search(&anchor).is_ok();
            let mut counts = vec![0.0; words];
            let with_anchor = documents.iter().filter(|document| has_anchor(document));
            with_anchor
                .flat_map(Bag::entries)
                .for_each(|(word, n)| counts[word] += n * excess[word]);
            let column = smoothed(&counts);
            // The next candidate is of another subject.
            is_taken.par_iter_mut().zip(documents).for_each(|(taken, document)| {
                *taken |=
                    has_anchor(document) || has_proportion(document, &column, &common, PROPORTION);
            });
            candidates.columns.push(column);
        }
        candidates
    }

    /// For each word, the share of its tokens in `documents` that are more than the topics expect; 0 unless that is clear.
    fn excess(&self, documents: &[Bag]) -> Vec<f64> {
        let found = counted(&[documents], self.topics.nrows());
        let mut of_topics = vec![0.0; self.topics.ncols()];
        let take = |theta: &[f64], _: &[f32]| theta[..self.topics.ncols()].to_vec();
        let all: Vec<&Bag> = documents.iter().collect();
        for (document, theta) in documents.iter().zip(self.infer(&all, take)) {
            let tokens = document.counts().tokens();
            of_topics.iter_mut().zip(theta).for_each(|(to, share)| *to += tokens * share);
        }
        let expected = self.topics.dot(&ndarray::Array1::from(of_topics));
        let (fewest, deviations) = EXCESS;
        let excess = found.iter().zip(expected).map(|(&found, expected)| {
            let more = found - expected;
            let is_clear = found >= fewest && more > deviations * (expected + 1.0).sqrt();
            if is_clear { more / found } else { 0.0 }
        });
        excess.collect()
    }

    /// Fits the candidates to documents; the topics stay.
    fn fit(&mut self, documents: &[Bag]) {
        let (k, added) = (self.topics.ncols(), self.columns.len());
        let near = self.near(documents);
        for _ in 0..ROUNDS {
            let width = Cvb0::width_of(k + added);
            // Of each word of a document its share in each candidate.
            let take = |_: &[f64], gamma: &[f32]| -> Vec<f32> {
                gamma.chunks_exact(width).flat_map(|row| &row[k..k + added]).copied().collect()
            };
            let mut counts = vec![vec![0.0; self.topics.nrows()]; added];
            for (document, shares) in near.iter().zip(self.infer(&near, take)) {
                for ((word, n), shares) in document.entries().zip(shares.chunks_exact(added)) {
                    for (counts, share) in counts.iter_mut().zip(shares) {
                        counts[word] += n * f64::from(*share);
                    }
                }
            }
            self.columns = counts.iter().map(|counts| smoothed(counts)).collect();
        }
    }

    /// The documents that have some of a candidate's words: most have none, and are not worth a sweep.
    fn near<'d>(&self, documents: &'d [Bag]) -> Vec<&'d Bag> {
        // By the words of the topics, not of the documents: those can all be of a candidate.
        let scale = self.tokens / self.topics.ncols() as f64;
        let common = smoothed(&(self.topics.sum_axis(Axis(1)) * scale).to_vec());
        let is_near = |document: &&Bag| {
            let mut columns = self.columns.iter();
            columns.any(|column| has_proportion(document, column, &common, NEAR))
        };
        documents.par_iter().filter(is_near).collect()
    }

    /// For each candidate, the number of documents that have a large proportion of it.
    fn counts(&self, documents: &[Bag]) -> Vec<u64> {
        let k = self.topics.ncols();
        let take = |theta: &[f64], _: &[f32]| -> Vec<bool> {
            theta[k..k + self.columns.len()].iter().map(|&share| share >= PROPORTION).collect()
        };
        let mut counts = vec![0; self.columns.len()];
        for has in self.infer(&self.near(documents), take) {
            counts.iter_mut().zip(has).for_each(|(count, has)| *count += u64::from(has));
        }
        counts
    }

    /// For each candidate, the number of documents of each group that have a large proportion of its words, by these and by
    /// the frequencies of words in both groups, without the topics: those know the documents that they were fitted to
    /// better than any others, so that they would leave more of the others to a candidate.
    fn counts_like(&self, groups: &[&[Bag]; 2]) -> Vec<[u64; 2]> {
        let common = smoothed(&counted(groups, self.topics.nrows()));
        let count = |column: &[f64], group: &[Bag]| {
            let has = |document: &&Bag| has_proportion(document, column, &common, PROPORTION);
            group.par_iter().filter(has).count() as u64
        };
        self.columns.iter().map(|column| groups.map(|group| count(column, group))).collect()
    }

    /// Keeps those of which `accepted` says so.
    fn retain(&mut self, accepted: &[bool]) {
        let mut accepted = accepted.iter();
        self.columns.retain(|_| accepted.next().is_some_and(|accepted| *accepted));
    }

    /// θ and γ of each document by the topics and the candidates, as `take` takes them.
    fn infer<T: Send>(
        &self,
        documents: &[&Bag],
        take: impl Fn(&[f64], &[f32]) -> T + Sync,
    ) -> Vec<T> {
        let k = self.topics.ncols();
        let all = Array2::from_shape_fn(
            (self.topics.nrows(), k + self.columns.len()),
            |(word, topic)| match topic < k {
                true => self.topics[(word, topic)],
                false => self.columns[topic - k][word],
            },
        );
        let rows = TopicRows::with_smoothing(&all, self.tokens);
        let alpha = vec![ALPHA_SUM / all.ncols() as f64; all.ncols()];
        let solver = Cvb0::new(&rows, &alpha, 0.0).with_max_sweeps(SWEEPS);
        let find = |work: &mut Cvb0Buffers, document: &&Bag| {
            solver.infer(document.counts(), work);
            take(work.theta(), work.gamma())
        };
        documents.par_iter().map_init(Cvb0Buffers::default, find).collect()
    }
}

/// Tokens of each of `words` words in groups of documents.
fn counted(groups: &[&[Bag]], words: usize) -> Vec<f64> {
    let mut counts = vec![0.0; words];
    let documents = groups.iter().flat_map(|group| group.iter());
    documents.flat_map(Bag::entries).for_each(|(word, n)| counts[word] += n);
    counts
}

/// Whether the most likely proportion of a document's tokens that are drawn from `words`, if the others are drawn from
/// `common`, is `least` or more: the likelihood is concave in the proportion, so that it is enough that it does not fall there.
fn has_proportion(document: &Bag, words: &[f64], common: &[f64], least: f64) -> bool {
    let slope = document.entries().map(|(word, n)| {
        let (own, other) = (words[word], common[word]);
        n * (own - other) / (least * own + (1.0 - least) * other)
    });
    slope.sum::<f64>() >= 0.0
}

/// Counts of words as probabilities, with η more of each.
fn smoothed(counts: &[f64]) -> Vec<f64> {
    let all: f64 = counts.iter().sum::<f64>() + ETA * counts.len() as f64;
    counts.iter().map(|count| (count + ETA) / all).collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha12Rng;
    use sprs::{CsMat, TriMat};

    use super::*;
    use crate::model::documents::test_corpus::{drawn, random_topics};
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::in_threads::in_parts;
    use crate::stream::memory::MatrixSource;

    const WORDS: usize = 300;
    const EARLIER: usize = 800;

    #[test]
    fn a_document_has_a_proportion_where_em_finds_it_or_more() {
        use rand::RngExt;
        let rng = &mut stream(5, "birth-proportion");
        let words = 20;
        let (mut more, mut less) = (0, 0);
        for _ in 0..300 {
            let mut column =
                || smoothed(&(0..words).map(|_| rng.random::<f64>().powi(6)).collect::<Vec<_>>());
            let (own, common) = (column(), column());
            let document = Bag {
                words: (0..12).collect(),
                counts: (0..12).map(|_| rng.random_range(1.0..4.0)).collect(),
            };
            let mut share = 0.5;
            for _ in 0..20_000 {
                let of_words = document.entries().map(|(word, n)| {
                    let drawn = share * own[word];
                    n * drawn / (drawn + (1.0 - share) * common[word])
                });
                share = of_words.sum::<f64>() / document.counts().tokens();
            }
            for least in [0.05, PROPORTION, 0.6] {
                if (share - least).abs() > 1e-3 {
                    assert_eq!(
                        has_proportion(&document, &own, &common, least),
                        share > least,
                        "{share} {least}"
                    );
                    *(if share > least { &mut more } else { &mut less }) += 1;
                }
            }
        }
        assert!(more > 100 && less > 100, "{more} {less}");
    }

    /// Six topics and a seventh; EARLIER documents of the six, then `added`, of which the first `new` are of the seventh by
    /// half.
    fn corpus(rng: &mut ChaCha12Rng, added: usize, new: usize) -> (Array2<f64>, CsMat<u32>) {
        let all = random_topics(WORDS, 7, rng);
        let alpha = [0.2; 6];
        let six = all.select(Axis(1), &[0, 1, 2, 3, 4, 5]);
        let of_six = drawn(&six, &alpha, EARLIER + added, 40, rng);
        let of_seventh = drawn(&all.select(Axis(1), &[6]), &[1.0], new, 40, rng);
        let mut counts = TriMat::new(of_six.shape());
        for (document, row) in of_six.outer_iterator().enumerate() {
            row.iter().for_each(|(word, &n)| counts.add_triplet(document, word, n));
            let of_new = document.checked_sub(EARLIER).filter(|at| *at < new);
            let row = of_new.and_then(|at| of_seventh.outer_view(at));
            row.iter()
                .flat_map(|row| row.iter().map(|(word, n)| (word, *n)).collect::<Vec<_>>())
                .for_each(|(word, n)| counts.add_triplet(document, word, n));
        }
        (all, counts.to_csr())
    }

    fn births(all: &Array2<f64>, counts: CsMat<u32>, threads: usize) -> Vec<Birth> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
        let source = MatrixSource::new(counts, 100);
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let six = all.select(Axis(1), &[0, 1, 2, 3, 4, 5]);
        // The source numbers documents from 0.
        let find = || find_births(&six, 32_000.0, &documents, EARLIER as i64 - 1);
        pool.install(find).expect("in memory")
    }

    #[test]
    fn a_new_subject_is_found_with_its_words_and_the_same_bits_by_any_threads() {
        for seed in 0..5 {
            let (all, counts) = corpus(&mut stream(seed, "births"), 300, 30);
            let found = births(&all, counts.clone(), 1);
            assert_eq!(found.len(), 1, "seed {seed}");
            assert!((found[0].share - 0.1).abs() < 0.03, "{}", found[0].share);
            let apart: f64 =
                found[0].words.iter().zip(all.column(6)).map(|(a, b)| (a - b).abs()).sum();
            assert!(apart / 2.0 < 0.25, "seed {seed}: {apart}");
            assert_eq!(births(&all, counts, 3), found);
        }
    }

    #[test]
    fn parts_find_the_births_of_the_whole_to_the_bit() {
        let (all, counts) = corpus(&mut stream(1, "births"), 300, 30);
        let whole = births(&all, counts.clone(), 1);
        assert_eq!(whole.len(), 1);
        let source = MatrixSource::new(counts, 100);
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let six = all.select(Axis(1), &[0, 1, 2, 3, 4, 5]);
        // The first part has earlier documents and added ones, the second only these.
        let ranges = [0..EARLIER + 60, EARLIER + 60..EARLIER + 300];
        let of_parts = in_parts(2, |parts| {
            let part = source.part(ranges[parts.number()].clone());
            let documents = Documents::new(&part, &positions, 2, &Silent).with_parts(parts);
            find_births(&six, 32_000.0, &documents, EARLIER as i64 - 1).expect("in memory")
        });
        assert!(of_parts.iter().all(|found| *found == whole));
    }

    /// By the test at most one of a thousand cases should have a birth: two or more of 150 come with a chance of .01.
    #[test]
    fn documents_like_the_earlier_ones_have_no_new_topic() {
        let of_case = |seed| {
            let (all, counts) = corpus(&mut stream(seed, "no births"), 200, 0);
            births(&all, counts, 2).len()
        };
        let found: usize = (0..150).map(of_case).sum();
        assert!(found <= 1, "{found}");
    }
}

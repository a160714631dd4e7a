//! Agreement of the documents' largest topics with one of their fields, such as a label: two
//! partitions of the same documents, compared by NMI, AMI and purity.

use std::collections::BTreeMap;

use super::better::Better;
use super::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// `nmi@FIELD`: I(T; V) / ½(H(T) + H(V)), T a document's largest topic and V its value of the field
    pub const NMI {
        id: "nmi",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "Strehl and Ghosh 2002; scikit-learn's `normalized_mutual_info_score`",
        tags: &[],
    }
}
metric_def! {
    /// `ami@FIELD`: (I(T; V) − E) / (½(H(T) + H(V)) − E), E the mean of I over all ways to deal the
    /// same numbers of documents to topics and values; near 0 for topics that know nothing of V
    pub const AMI {
        id: "ami",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::up_to(1.0),
        source: "Vinh, Epps and Bailey 2010; scikit-learn's `adjusted_mutual_info_score`",
        tags: &[],
    }
}
metric_def! {
    /// `purity@FIELD`: share of the documents that have the value which most of the documents of their
    /// largest topic have; never falls when topics are split
    pub const PURITY {
        id: "purity",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "Manning, Raghavan and Schütze 2008, §16.3",
        tags: &[],
    }
}
metric_def! {
    /// `documents_with@FIELD`: documents of the run that have a value of the field; the three are of these
    pub const DOCUMENTS_WITH {
        id: "documents_with",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "",
        tags: &[],
    }
}
metric_def! {
    /// `values_of@FIELD`: different values that these documents have
    pub const VALUES_OF {
        id: "values_of",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(2.0),
        source: "",
        tags: &[],
    }
}

/// Relative difference below which sums of entropies are equal.
const ROUNDING: f64 = 1e-12;

/// Contingency table: the number of documents with each topic and value.
#[derive(Debug, Clone, Default)]
pub struct Contingency {
    /// (topic, value) to documents, above 0.
    cells: BTreeMap<(u64, usize), u64>,
    /// Documents of each topic.
    topics: BTreeMap<u64, u64>,
    /// Documents of each value.
    values: BTreeMap<usize, u64>,
    documents: u64,
}

impl Contingency {
    /// Counts a document of this topic and value.
    pub fn add(&mut self, topic: u64, value: usize) {
        *self.cells.entry((topic, value)).or_default() += 1;
        *self.topics.entry(topic).or_default() += 1;
        *self.values.entry(value).or_default() += 1;
        self.documents += 1;
    }

    /// Documents counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Different values counted.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// Purity: Σ over topics of the documents with the topic's most frequent value, over all
    /// documents.
    pub fn purity(&self) -> f64 {
        let mut most: BTreeMap<u64, u64> = BTreeMap::new();
        for (&(topic, _), &count) in &self.cells {
            let largest = most.entry(topic).or_default();
            *largest = count.max(*largest);
        }
        most.values().sum::<u64>() as f64 / self.documents.max(1) as f64
    }

    /// Normalised mutual information: I(T; V) over the arithmetic mean of the two entropies, as
    /// scikit-learn's default. 1 with only one topic and one value.
    pub fn nmi(&self) -> f64 {
        let mean = self.mean_entropy();
        if mean == 0.0 { 1.0 } else { self.information() / mean }
    }

    /// Adjusted mutual information: I(T; V) minus its expectation by chance, over the largest
    /// possible difference, adjusted as in scikit-learn. 1 with only one topic and one value.
    ///
    /// # Cost
    /// For every pair of a topic size and a value size the likely cells: at most a constant times
    /// the square root of the smaller size.
    pub fn ami(&self) -> f64 {
        let mean = self.mean_entropy();
        if mean == 0.0 {
            return 1.0;
        }
        let (found, by_chance) = (self.information(), self.expected_information());
        if mean - by_chance < ROUNDING * mean {
            // Chance explains everything, for example where every document is alone.
            return if mean - found < ROUNDING * mean { 1.0 } else { 0.0 };
        }
        (found - by_chance) / (mean - by_chance)
    }

    /// I(T; V) in nats.
    fn information(&self) -> f64 {
        let term = |(&(topic, value), &count): (&(u64, usize), &u64)| {
            self.term(count, self.topics[&topic], self.values[&value])
        };
        // Only rounding makes it negative.
        self.cells.iter().map(term).sum::<f64>().max(0.0)
    }

    /// The term of I for `count` documents shared by a topic of `topic` and a value of `value`
    /// documents.
    fn term(&self, count: u64, topic: u64, value: u64) -> f64 {
        let (count, documents) = (count as f64, self.documents as f64);
        count / documents * (documents * count / (topic as f64 * value as f64)).ln()
    }

    fn mean_entropy(&self) -> f64 {
        let entropy = |size: &u64| {
            let share = *size as f64 / self.documents as f64;
            -share * share.ln()
        };
        let of_topics: f64 = self.topics.values().map(entropy).sum();
        let of_values: f64 = self.values.values().map(entropy).sum();
        (of_topics + of_values) / 2.0
    }

    /// The mean of I(T; V) over all ways to assign topics and values of these sizes to the
    /// documents. The number of documents shared by a topic and a value is then hypergeometric.
    ///
    /// # Source
    /// Vinh, Epps and Bailey 2010, "Information theoretic measures for clusterings comparison", theorem 8.
    fn expected_information(&self) -> f64 {
        let (topics, values) = (sizes(self.topics.values()), sizes(self.values.values()));
        let mut sum = 0.0;
        for (&topic, &topics) in &topics {
            for (&value, &values) in &values {
                sum += (topics * values) as f64 * self.expected_term(topic, value);
            }
        }
        sum
    }

    /// The mean of [`Contingency::term`] for a topic and a value of these sizes. Probabilities are
    /// computed relative to that of the most likely count, upwards and downwards, and divided by
    /// their sum. No factorial is needed and none overflows.
    fn expected_term(&self, topic: u64, value: u64) -> f64 {
        /// Counts with a smaller probability, relative to the most likely count, do not change a
        /// sum.
        const NEGLIGIBLE: f64 = 1e-30;
        let least = (topic + value).saturating_sub(self.documents);
        let most = topic.min(value);
        let likely =
            (u128::from(topic + 1) * u128::from(value + 1) / u128::from(self.documents + 2)) as u64;
        let likely = likely.clamp(least, most);
        // Documents with neither the topic nor the value when `count` have both.
        let neither = |count: u64| (self.documents + count - topic - value) as f64;
        let information =
            |count: u64| if count == 0 { 0.0 } else { self.term(count, topic, value) };
        let (mut total, mut sum) = (1.0, information(likely));
        let (mut weight, mut count) = (1.0, likely);
        while count < most && weight > NEGLIGIBLE {
            weight *= (topic - count) as f64 * (value - count) as f64;
            count += 1;
            weight /= count as f64 * neither(count);
            total += weight;
            sum += weight * information(count);
        }
        (weight, count) = (1.0, likely);
        while count > least && weight > NEGLIGIBLE {
            weight *= count as f64 * neither(count);
            count -= 1;
            weight /= (topic - count) as f64 * (value - count) as f64;
            total += weight;
            sum += weight * information(count);
        }
        sum / total
    }
}

/// For each size, the number of sets of that size.
fn sizes<'a>(of: impl Iterator<Item = &'a u64>) -> BTreeMap<u64, u64> {
    let mut sizes = BTreeMap::new();
    of.for_each(|&size| *sizes.entry(size).or_default() += 1);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn contingency(pairs: &[(u64, usize)]) -> Contingency {
        let mut table = Contingency::default();
        pairs.iter().for_each(|&(topic, value)| table.add(topic, value));
        table
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    #[test]
    fn two_topics_of_four_documents_by_hand() {
        // Topic 0 has values x, x; topic 1 has x, y: T is ½, ½ and V is ¾, ¼.
        let table = contingency(&[(0, 0), (0, 0), (1, 0), (1, 1)]);
        near(table.purity(), 0.75);
        let (quarter, ln) = (0.25_f64, f64::ln);
        let information = 0.5 * ln(4.0 / 3.0) + quarter * ln(2.0 / 3.0) + quarter * ln(2.0);
        let mean = (ln(2.0) + 0.75 * ln(4.0 / 3.0) + quarter * ln(4.0)) / 2.0;
        near(table.nmi(), information / mean);
        // Whichever document has y, the table is this one or its mirror: chance explains all of I.
        near(table.ami(), 0.0);
    }

    #[test]
    fn the_same_partition_agrees_fully_and_independent_ones_not_at_all() {
        let same: Vec<(u64, usize)> = (0..30).map(|at| (at % 3, 7 - at as usize % 3)).collect();
        let table = contingency(&same);
        near(table.nmi(), 1.0);
        near(table.ami(), 1.0);
        assert_eq!(table.purity(), 1.0);
        let crossed: Vec<(u64, usize)> = (0..36).map(|at| (at % 2, at as usize / 2 % 3)).collect();
        let table = contingency(&crossed);
        near(table.nmi(), 0.0);
        assert!(table.ami() < 0.0, "less than chance gives");
        near(table.purity(), 1.0 / 3.0);
        assert_eq!((table.documents(), table.values()), (36, 3));
        // One topic for all says nothing about the values; with one value as well the match is
        // perfect.
        near(contingency(&[(0, 0), (0, 1), (0, 1)]).nmi(), 0.0);
        near(contingency(&[(0, 0), (0, 1), (0, 1)]).ami(), 0.0);
        assert_eq!((contingency(&[(4, 0); 3]).nmi(), contingency(&[(4, 0); 3]).ami()), (1.0, 1.0));
    }

    #[test]
    fn scikit_learn_says_the_same() {
        // scikit-learn 1.9.1, normalized_mutual_info_score(v, t) and adjusted_mutual_info_score(v, t) with
        // t = [(n*n + n//7) % 7 for n in range(N)] and
        // v = [((n*n + n//7) % 7 + (3 if n % 5 == 0 else 0) + n % 3) % 6 for n in range(N)].
        let said = [
            (60, 0.222_960_217_185_350_08, 0.067_062_357_038_257_32),
            (5000, 0.101_225_513_171_211_58, 0.099_776_189_303_141_92),
        ];
        for (documents, nmi, ami) in said {
            let topic = |n: u64| (n * n + n / 7) % 7;
            let shift = |n: u64| if n.is_multiple_of(5) { 3 } else { 0 };
            let value = |n: u64| ((topic(n) + shift(n) + n % 3) % 6) as usize;
            let pairs: Vec<(u64, usize)> = (0..documents).map(|n| (topic(n), value(n))).collect();
            near(contingency(&pairs).nmi(), nmi);
            near(contingency(&pairs).ami(), ami);
        }
        // t = [n*n % 50 for n in range(20000)], v = [n//3 for n in range(20000)]: nearly a value each.
        let pairs: Vec<(u64, usize)> =
            (0..20_000u64).map(|n| (n * n % 50, n as usize / 3)).collect();
        let table = contingency(&pairs);
        near(table.nmi(), 0.330_315_009_521_295_9);
        assert!((table.ami() + 0.013_437_531_329).abs() < 1e-9, "{}", table.ami());
        // adjusted_mutual_info_score(range(5), range(5)) is 1, although chance explains all of it.
        let each: Vec<(u64, usize)> = (0..5u64).map(|n| (n, n as usize)).collect();
        assert_eq!(contingency(&each).ami(), 1.0);
    }

    /// E of I by enumeration of all permutations of the values.
    fn by_permutations(pairs: &[(u64, usize)]) -> f64 {
        let topics: Vec<u64> = pairs.iter().map(|pair| pair.0).collect();
        let mut values: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
        let (mut sum, mut ways) = (0.0, 0u32);
        permute(&mut values, 0, &mut |values| {
            let dealt: Vec<(u64, usize)> =
                topics.iter().copied().zip(values.iter().copied()).collect();
            sum += naive_information(&dealt);
            ways += 1;
        });
        sum / f64::from(ways)
    }

    fn permute(values: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
        if from == values.len() {
            return visit(values);
        }
        for at in from..values.len() {
            values.swap(from, at);
            permute(values, from + 1, visit);
            values.swap(from, at);
        }
    }

    /// Σ over documents of log(p(topic, value) / p(topic)p(value)) / N, each share by counting.
    fn naive_information(pairs: &[(u64, usize)]) -> f64 {
        let share = |is: &dyn Fn(&(u64, usize)) -> bool| {
            pairs.iter().filter(|pair| is(pair)).count() as f64 / pairs.len() as f64
        };
        let log = |&(topic, value): &(u64, usize)| {
            let both = share(&|pair| *pair == (topic, value));
            (both / (share(&|pair| pair.0 == topic) * share(&|pair| pair.1 == value))).ln()
        };
        pairs.iter().map(log).sum::<f64>() / pairs.len() as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_chance_gives_is_the_mean_over_all_permutations(
            pairs in prop::collection::vec((0u64..3, 0usize..3), 2..8),
        ) {
            let table = contingency(&pairs);
            prop_assert!((table.information() - naive_information(&pairs)).abs() < 1e-12);
            let found = table.expected_information();
            prop_assert!((found - by_permutations(&pairs)).abs() < 1e-12, "{found}");
        }

        #[test]
        fn all_three_stay_in_their_ranges(
            pairs in prop::collection::vec((0u64..6, 0usize..9), 2..200),
        ) {
            let table = contingency(&pairs);
            prop_assert!(NMI.range.contains(table.nmi()), "{}", table.nmi());
            prop_assert!(AMI.range.contains(table.ami()), "{}", table.ami());
            prop_assert!(PURITY.range.contains(table.purity()));
            prop_assert!(table.ami() <= table.nmi() + 1e-9);
        }
    }
}

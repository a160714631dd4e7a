//! Compatible coherence variants against what the tools themselves say (`tests/data/coherence`,
//! recorded by `make.py` there).

use std::collections::BTreeMap;

use serde_json::Value;
use sprs::TriMat;
use topoi_core::metric::coherence::pair_counts::document_frequencies;
use topoi_core::metric::coherence::variants::coherence_variant;
use topoi_core::metric::coherence::windows::window_frequencies;
use topoi_core::metric::coherence::windows::{NOT_A_WORD, TokenSequences};
use topoi_core::metric::coherence::word_pairs::WordPairs;
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

/// The recorded corpus and topics, words as numbers.
struct Recorded {
    documents: Vec<Vec<u32>>,
    topics: Vec<Vec<usize>>,
    words: usize,
    tools: Value,
}

fn recorded() -> Recorded {
    let corpus = include_str!("../data/coherence/corpus.txt");
    let topics = include_str!("../data/coherence/topics.txt");
    let tools = include_str!("../data/coherence/tools.json");
    let mut numbers = BTreeMap::new();
    for word in corpus.split_whitespace() {
        let next = numbers.len();
        numbers.entry(word).or_insert(next);
    }
    let of_line =
        |line: &str| -> Vec<usize> { line.split_whitespace().map(|word| numbers[word]).collect() };
    Recorded {
        documents: corpus
            .lines()
            .map(|line| of_line(line).into_iter().map(|word| word as u32).collect())
            .collect(),
        topics: topics.lines().map(of_line).collect(),
        words: numbers.len(),
        tools: serde_json::from_str(tools).expect("JSON"),
    }
}

impl Recorded {
    /// The scores of a variant as topoi computes them: the topics' and their mean.
    fn scores(&self, name: &str) -> Vec<f64> {
        let variant = coherence_variant(name).expect("a variant");
        let pairs = WordPairs::from_topics(&self.topics, self.words);
        let mut scores = match variant.window {
            Some(rule) => {
                let found = window_frequencies(&self.documents, &pairs, &[rule]).expect("memory");
                variant.scores(&self.topics, &found[0])
            }
            None => {
                let mut counts = TriMat::new((self.documents.len(), self.words));
                for (row, document) in self.documents.iter().enumerate() {
                    for &word in document {
                        counts.add_triplet(row, word as usize, 1u32);
                    }
                }
                let source = MatrixSource::new(counts.to_csr(), 16);
                let positions: Vec<u32> = (0..self.words as u32).collect();
                let documents = Documents::new(&source, &positions, 2, &Silent);
                let found = document_frequencies(&documents, &pairs).expect("memory");
                assert_eq!(found.units(), self.documents.len() as u64);
                variant.scores(&self.topics, &found)
            }
        };
        scores.push(scores.iter().sum::<f64>() / scores.len() as f64);
        scores
    }

    /// What a tool says: the topics' scores and the run's.
    fn said(&self, name: &str) -> Vec<f64> {
        let said = &self.tools["scores"][name];
        let topics = said["topics"].as_array().expect("scores").iter();
        topics.chain([&said["run"]]).map(|score| score.as_f64().expect("a number")).collect()
    }

    fn check(&self, variant: &str, tool: &str) {
        let (found, said) = (self.scores(variant), self.said(tool));
        assert_eq!(found.len(), 6);
        for (found, said) in found.iter().zip(&said) {
            assert!((found - said).abs() < 1e-6, "{tool}: {found} is not {said}");
        }
    }
}

#[test]
fn compatible_variants_say_what_their_tools_say() {
    let recorded = recorded();
    for name in ["umass@gensim", "uci@gensim", "npmi@gensim", "npmi@octis", "cv@gensim"] {
        recorded.check(name, name);
    }
    recorded.check("umass@gensim", "umass, tomotopy");
    recorded.check("umass@stm", "umass@stm");
    recorded.check("umass@jsmf", "umass@jsmf");
}

#[test]
fn the_recorded_corpus_tells_the_variants_apart() {
    let recorded = recorded();
    // Words repeat in windows, documents are longer and shorter than C_V's, topics share words:
    // an exact count or the order of probability would give other numbers.
    for (exact, tool) in [("uci@exact", "uci@gensim"), ("cv@exact", "cv@gensim")] {
        let counts_of = |name: &str| {
            let rule = coherence_variant(name).and_then(|v| v.window).expect("windows");
            let pairs = WordPairs::from_topics(&recorded.topics, recorded.words);
            let found = window_frequencies(&recorded.documents, &pairs, &[rule]).expect("memory");
            let all: Vec<u64> = (0..recorded.words).map(|word| found[0].alone(word)).collect();
            (found[0].units(), all)
        };
        let ((units, exactly), (same, of_tool)) = (counts_of(exact), counts_of(tool));
        assert_eq!(units, same);
        assert!(exactly.iter().zip(&of_tool).any(|(exact, tool)| exact > tool));
        assert!(exactly.iter().zip(&of_tool).all(|(exact, tool)| exact >= tool));
    }
    let lengths: Vec<usize> = recorded.documents.iter().map(Vec::len).collect();
    assert!(lengths.iter().any(|&n| n < 10) && lengths.iter().any(|&n| n > 220));
    // stm's order of a topic's ten words is not that of their probability.
    let ten: Vec<&[usize]> = recorded.topics.iter().map(|words| &words[..10]).collect();
    let first_met = |word: &usize| ten.iter().copied().flatten().position(|other| other == word);
    assert!(ten.iter().any(|words| !words.is_sorted_by_key(first_met)));
}

#[test]
fn tokens_outside_the_vocabulary_take_their_place_in_windows() {
    let with = vec![vec![0, NOT_A_WORD, NOT_A_WORD, 1]];
    let pairs = WordPairs::from_topics(&[vec![0, 1]], 2);
    let rule = coherence_variant("npmi").and_then(|npmi| npmi.window).expect("windows");
    let narrow = topoi_core::metric::coherence::windows::WindowRule { width: 3, ..rule };
    let found = window_frequencies(&with, &pairs, &[narrow, rule]).expect("memory");
    assert_eq!((found[0].units(), found[0].both(0, 1)), (2, 0));
    assert_eq!((found[1].units(), found[1].both(0, 1)), (1, 1));
    assert_eq!(with.parts(), 1);
}

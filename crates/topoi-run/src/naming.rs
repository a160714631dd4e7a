//! Names to propose for topics: phrases of their clearest documents that set them apart from the others.
//!
//! # Source
//! Mei, Shen and Zhai 2007, "Automatic labeling of multinomial topic models": candidates are phrases, scored by how much
//! more a topic has of them than the corpus; Monroe, Colaresi and Quinn 2008 for the score, which says how sure that is.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::number;
use crate::saved::topics::RankedTopics;
use crate::work::work_error::WorkError;
use topoi_core::fields::log_odds::log_odds_of;
use topoi_core::metric::words::ranking::Ranking;
use topoi_ingest::phrases::each_pair;
use topoi_ingest::{CorpusSettings, Tokenizer};
use topoi_store::Store;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::run::Run;

/// Documents of a topic that are read.
const DOCUMENTS: usize = 100;
/// Words of a topic, one of which is in every phrase.
const WORDS: usize = 50;
/// Fewest documents of a topic that a phrase is in, and what it counts at most in one: a heading says nothing more often.
const FEWEST_DOCUMENTS: u32 = 3;
const MOST_IN_DOCUMENT: u32 = 3;
/// Least standard deviations by which a topic has more of a phrase than the others.
const LEAST_Z: f64 = 2.0;
/// Tokens of the prior of the log-odds.
const PRIOR: f64 = 500.0;
/// Words of which a name is made where there is no phrase.
const WORDS_OF_NAME: usize = 2;
/// Characters of a title that can be a name, and number of titles.
const LONGEST_TITLE: usize = 80;
const TITLES: usize = 2;

/// Names for a topic that nobody has given it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposedNames {
    /// Its number.
    pub topic: TopicNumber,
    /// The best: a phrase, or where there is none its most relevant words.
    pub proposed: String,
    /// Phrases, best first.
    pub phrases: Vec<ProposedPhrase>,
    /// Titles of its clearest documents that have a word of it.
    pub titles: Vec<String>,
}

/// A phrase that sets a topic apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposedPhrase {
    /// Its two words, as they are most often written in small letters.
    pub phrase: String,
    /// By how many standard deviations the topic has more of it than the others.
    pub z: f64,
    /// Documents among the topic's clearest 100 that have it.
    pub documents: u32,
}

/// Pairs of adjacent words with their numbers.
#[derive(Default)]
struct Pairs {
    /// The words by number, and their numbers.
    words: Vec<String>,
    word_numbers: HashMap<String, u32>,
    /// The pairs by number, and their numbers.
    phrases: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), usize>,
    /// Weighted occurrences of each in all documents.
    all: Vec<f64>,
}

/// What a topic has of pairs: weighted occurrences, and documents.
type OfTopic = BTreeMap<usize, (f64, u32)>;

/// Up to `most` phrases for each topic of a run, and titles. Reads the texts of the 100 clearest documents of each
/// topic; of a corpus of counts, names are words.
///
/// # Errors
/// If the store cannot be read, or the run has no topics.
pub fn proposed_names(
    store: &Store,
    run: &Run,
    most: usize,
) -> Result<Vec<ProposedNames>, WorkError> {
    let words = RankedTopics::from_run(store, run)?.first_words(Ranking::Relevance, WORDS);
    let settings = store.corpus_by_id(run.corpus_id)?.settings;
    let tokenizer = CorpusSettings::tokenizer(&settings);
    let mut clearest: Vec<Vec<TopicDocument>> = Vec::new();
    for topic in (0..).map(TopicNumber).take(words.len()) {
        clearest.push(store.documents_of_topic(run.id, topic, DOCUMENTS)?);
    }
    let (pairs, of_topics) = match &tokenizer {
        Some(tokenizer) => pairs_of(store, tokenizer, &clearest)?,
        None => (Pairs::default(), vec![OfTopic::default(); words.len()]),
    };
    let in_all: f64 = pairs.all.iter().sum();
    let numbers = (0..).map(TopicNumber);
    let named = numbers.zip(of_topics.iter().zip(&words).zip(&clearest));
    let named = named.map(|(topic, ((of_topic, words), documents))| {
        let words: Vec<&str> = words.iter().map(|word| word.word.as_str()).collect();
        let phrases = match &tokenizer {
            Some(tokenizer) => phrases_of(of_topic, (&pairs, in_all), (tokenizer, &words), most),
            None => Vec::new(),
        };
        let of_words = || words.iter().take(WORDS_OF_NAME).copied().collect::<Vec<_>>().join(", ");
        let first = phrases.first().map(|phrase| phrase.phrase.clone());
        ProposedNames {
            topic,
            proposed: first.unwrap_or_else(of_words),
            titles: titles(documents, tokenizer.as_ref(), &words),
            phrases,
        }
    });
    Ok(named.collect())
}

/// The pairs of the clearest documents, each document with its proportion of a topic.
fn pairs_of(
    store: &Store,
    tokenizer: &Tokenizer,
    clearest: &[Vec<TopicDocument>],
) -> Result<(Pairs, Vec<OfTopic>), WorkError> {
    let mut topics_of: BTreeMap<DocumentId, Vec<(usize, f64)>> = BTreeMap::new();
    for (topic, documents) in clearest.iter().enumerate() {
        for TopicDocument { document, share } in documents {
            topics_of.entry(document.id).or_default().push((topic, *share));
        }
    }
    let mut pairs = Pairs::default();
    let mut of_topics = vec![OfTopic::default(); clearest.len()];
    for (id, topics) in topics_of {
        let Some(text) = store.document_text(id)? else { continue };
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        each_pair(tokenizer, &text, &mut |first, second, _| {
            *counts.entry(pairs.number(first, second)).or_default() += 1;
        });
        for (pair, count) in counts {
            let count = f64::from(count.min(MOST_IN_DOCUMENT));
            for &(topic, share) in &topics {
                let (weight, documents) = of_topics[topic].entry(pair).or_default();
                *weight += share * count;
                *documents += 1;
                pairs.all[pair] += share * count;
            }
        }
    }
    Ok((pairs, of_topics))
}

impl Pairs {
    fn number(&mut self, first: &str, second: &str) -> usize {
        let pair = (self.word(first), self.word(second));
        if let Some(&number) = self.numbers.get(&pair) {
            return number;
        }
        self.numbers.insert(pair, self.phrases.len());
        self.phrases.push(pair);
        self.all.push(0.0);
        self.phrases.len() - 1
    }

    fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.word_numbers.get(word) {
            return number;
        }
        let number = number::next(self.words.len());
        self.word_numbers.insert(word.to_string(), number);
        self.words.push(word.to_string());
        number
    }

    /// The two words of a pair.
    fn spelled(&self, pair: usize) -> (&str, &str) {
        let (first, second) = self.phrases[pair];
        (&self.words[first as usize], &self.words[second as usize])
    }
}

fn phrases_of(
    of_topic: &OfTopic,
    (pairs, in_all): (&Pairs, f64),
    (tokenizer, words): (&Tokenizer, &[&str]),
    most: usize,
) -> Vec<ProposedPhrase> {
    let terms: HashSet<String> =
        words.iter().flat_map(|word| tokenizer.terms_shown_as(word)).collect();
    // Pairs that the topic does not have set others apart.
    let here: Vec<(usize, f64)> =
        of_topic.iter().map(|(&pair, &(weight, _))| (pair, weight)).collect();
    let is_of_topic = |word: &str| tokenizer.term(word).is_some_and(|term| terms.contains(&*term));
    let found = log_odds_of(&here, &pairs.all, in_all, PRIOR).into_iter();
    let found = found.take_while(|found| found.z >= LEAST_Z).filter_map(|found| {
        let (first, second) = pairs.spelled(found.word);
        let (_, documents) = *of_topic.get(&found.word)?;
        let is_phrase = documents >= FEWEST_DOCUMENTS
            && first != second
            && (is_of_topic(first) || is_of_topic(second));
        let phrase = format!("{first} {second}");
        is_phrase.then_some(ProposedPhrase { phrase, z: found.z, documents })
    });
    found.take(most).collect()
}

/// Short titles of documents that have one of the words.
fn titles(
    documents: &[TopicDocument],
    tokenizer: Option<&Tokenizer>,
    words: &[&str],
) -> Vec<String> {
    let has_word = |title: &str| match tokenizer {
        Some(tokenizer) => tokenizer
            .tokens(title)
            .iter()
            .any(|term| words.iter().any(|word| tokenizer.terms_shown_as(word).contains(term))),
        None => words.iter().any(|word| title.to_lowercase().contains(word)),
    };
    let titles = documents.iter().filter_map(|of| of.document.title.as_deref());
    let short = titles.filter(|title| title.chars().count() <= LONGEST_TITLE && has_word(title));
    short.take(TITLES).map(String::from).collect()
}

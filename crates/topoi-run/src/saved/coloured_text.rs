//! The text of a document with the most probable topic of each word.

use std::collections::HashMap;

use topoi_ingest::tokens::given::GivenTokens;
use topoi_ingest::tokens::words_in_text::pieces;
use topoi_ingest::{CorpusSettings, TokenSettings, Tokenizer};
use topoi_store::corpus::Corpus;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::result::word::WordTopic;
use topoi_store::{Store, StoreError};

/// The most probable topic of every word of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct WordTopics {
    /// The run's number.
    pub run: RunId,
    /// Only for look-ups, as the order of iteration differs between processes.
    topic_of: HashMap<String, TopicNumber>,
}

/// A part of a text: a word with its topic, or the text between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text, unchanged.
    pub text: String,
    /// The topic of a word of the run's vocabulary.
    pub topic: Option<TopicNumber>,
    /// The term of a word of the run's vocabulary.
    pub term: Option<String>,
}

impl WordTopics {
    /// The topics of words in run `run`: argmax over topics t of p(word | t) · p(t).
    pub fn from_run(store: &Store, run: RunId) -> Result<Self, StoreError> {
        let words = store.word_topics(run)?;
        Ok(Self { run, topic_of: by_word(words) })
    }

    /// The topics of words in a document: argmax over topics t of p(word | t) · θ_t if the run saved its θ. For words
    /// that none of the document's topics has, the topic in all documents.
    pub fn in_document(
        &self,
        store: &Store,
        document: DocumentId,
    ) -> Result<DocumentWordTopics<'_>, StoreError> {
        let words = store.word_topics_in(self.run, document)?;
        let own = by_word(words);
        Ok(DocumentWordTopics { of_run: self, own })
    }
}

/// The most probable topic of every word in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentWordTopics<'a> {
    of_run: &'a WordTopics,
    /// Only for look-ups, as the order of iteration differs between processes.
    own: HashMap<String, TopicNumber>,
}

/// The topics by term, and by the form that is shown of it.
fn by_word(words: Vec<WordTopic>) -> HashMap<String, TopicNumber> {
    let both = |WordTopic { word, form, topic, .. }| {
        [Some(word), form].into_iter().flatten().map(move |word| (word, topic))
    };
    words.into_iter().flat_map(both).collect()
}

impl DocumentWordTopics<'_> {
    /// The most probable topic of a word of the run's vocabulary in this document.
    pub fn topic(&self, word: &str) -> Option<TopicNumber> {
        self.own.get(word).or_else(|| self.of_run.topic_of.get(word)).copied()
    }

    /// Splits `text` into pieces, with the topics of the words of the vocabulary. Words are split as at the ingest of
    /// the corpus; `tokens` are those given by the source (JSON).
    pub fn pieces(&self, corpus: &Corpus, text: &str, tokens: Option<&str>) -> Vec<Piece> {
        let parts = match tokens.and_then(GivenTokens::from_json) {
            Some(given) => pieces(text, given.placed(text)),
            None => CorpusSettings::tokenizer(&corpus.settings)
                .unwrap_or_else(|| Tokenizer::new(&TokenSettings::default()))
                .pieces(text),
        };
        let mut pieces: Vec<Piece> = Vec::new();
        for (part, terms) in parts {
            let found = terms.into_iter().find_map(|term| Some((self.topic(&term)?, term)));
            match pieces.last_mut().filter(|last| found.is_none() && last.topic.is_none()) {
                Some(last) => last.text.push_str(part),
                None => {
                    let (topic, term) = found.unzip();
                    pieces.push(Piece { text: part.to_string(), topic, term });
                }
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::formula::packed_documents::PackedDocument;
    use topoi_ingest::{IngestRequest, NoProgress, ingest};
    use topoi_store::Access;
    use topoi_store::id::{CorpusId, TermId};
    use topoi_store::result::document_topic::SavedDocuments;
    use topoi_store::result::topic::{SavedResult, SavedTopic};
    use topoi_store::result::topic_shares::TopicShares;
    use topoi_store::run::{NewRun, RunEnd, RunStatus};

    #[test]
    fn a_word_has_the_topic_of_the_largest_share_by_bayes_rule() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        std::fs::write(&file, "The KERNEL machine, of a neuron\n").expect("write");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
        let run =
            NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        let run = store.create_run(&run).expect("run");
        let terms = store.terms(CorpusId(1)).expect("terms");
        let ids: Vec<TermId> = terms.iter().map(|term| term.id).collect();
        let vocabulary = store.save_vocabulary(CorpusId(1), "{}", b"v", &ids).expect("vocabulary");
        let seen = store.corpus_state(CorpusId(1)).expect("state");
        store.set_run_material(run, vocabulary, b"m", seen).expect("material");
        let id = |word: &str| terms.iter().find(|term| term.text == word).expect("a term").id;
        let topic = |token_share, terms| SavedTopic {
            shares: TopicShares { document_share: 0.5, token_share: Some(token_share) },
            anchor_term_id: None,
            terms,
            characteristic: Vec::new(),
        };
        let topics = vec![
            // By p(word | topic) alone, "kernel" would be of topic 0; with p(topic) it is of 1.
            topic(0.2, vec![(id("kernel"), 0.6), (id("neuron"), 0.4)]),
            topic(0.8, vec![(id("machine"), 0.7), (id("kernel"), 0.3)]),
        ];
        let end = || RunEnd { seconds: Some(1.0), ..RunEnd::new(RunStatus::Finished) };
        let mut documents = SavedDocuments { alpha: vec![0.1; 2], ..SavedDocuments::default() };
        let about = PackedDocument::new(1, &[1.0, 0.0], &[0.1; 2]);
        documents.packed.push(&about).expect("in memory");
        let result = SavedResult { topics, documents, ..SavedResult::default() };
        store.finish_run(run, &result, end).expect("save");
        let words = store.word_topics(run).expect("read");
        let kernel = words.iter().find(|word| word.word == "kernel").expect("kernel");
        assert!((kernel.probability - 0.24 / 0.36).abs() < 1e-12);
        let topics = WordTopics::from_run(&store, run).expect("read");
        let corpus = store.corpus("c").expect("corpus");
        let text = "The KERNEL machine, of a neuron";
        let coloured = |document| {
            let pieces =
                topics.in_document(&store, document).expect("read").pieces(&corpus, text, None);
            assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(), text);
            let word = |piece: Piece| piece.topic.map(|topic| (piece.text, topic));
            pieces.into_iter().filter_map(word).collect::<Vec<_>>()
        };
        let words = |topics: [u64; 3]| {
            ["KERNEL", "machine", "neuron"]
                .map(String::from)
                .into_iter()
                .zip(topics.map(TopicNumber))
        };
        // The run has no document 2.
        assert!(coloured(DocumentId(2)).into_iter().eq(words([1, 1, 0])));
        // Document 1 is about topic 0 alone, which does not have "machine".
        assert!(coloured(DocumentId(1)).into_iter().eq(words([0, 1, 0])));
    }
}

//! The counterparts of a topic in other runs of its corpus.

use std::collections::BTreeMap;

use topoi_store::id::{CorpusId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// The counterpart of a topic in another run.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicElsewhere {
    /// The other run.
    pub run: Run,
    /// The topic with the largest overlap; the first of equals.
    pub topic: Topic,
    /// Σ min(p, q) / Σ p over the words of the first topic, from 0 to 1; p and q are the probabilities of a word in
    /// the first and in the other topic.
    pub overlap: f64,
}

/// The topic with the largest overlap in each of `others`, sorted by overlap. Runs without overlap are left out.
/// `topics` reads the topics of a run.
///
/// # Cost
/// A look-up for every word of `topic` in every run. Only the words read with the topic are compared.
pub fn in_other_runs<'r>(
    store: &Store,
    corpus: CorpusId,
    topic: &Topic,
    others: impl Iterator<Item = &'r Run>,
    mut topics: impl FnMut(&Run) -> Result<Vec<Topic>, StoreError>,
) -> Result<Vec<TopicElsewhere>, StoreError> {
    let mut terms = Vec::new();
    for word in &topic.words {
        let known = store.find_term(corpus, &word.word)?;
        terms.extend(known.map(|(_, term)| (term.id, word.probability)));
    }
    let whole: f64 = terms.iter().map(|(_, probability)| probability).sum();
    let mut found = Vec::new();
    for run in others {
        let mut shared: BTreeMap<TopicNumber, f64> = BTreeMap::new();
        for &(term, probability) in &terms {
            for held in store.topics_of_term(run.id, term)? {
                *shared.entry(held.topic).or_default() += probability.min(held.probability);
            }
        }
        let larger = |best: (TopicNumber, f64), next: (TopicNumber, f64)| {
            if next.1 > best.1 { next } else { best }
        };
        let Some((number, sum)) = shared.into_iter().reduce(larger).filter(|best| best.1 > 0.0)
        else {
            continue;
        };
        let named = topics(run)?.into_iter().find(|other| other.topic == number);
        let overlap = (sum / whole).min(1.0);
        found.extend(named.map(|topic| TopicElsewhere { run: run.clone(), topic, overlap }));
    }
    found.sort_by(|a, b| b.overlap.total_cmp(&a.overlap).then(b.run.id.cmp(&a.run.id)));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_ingest::{IngestRequest, NoProgress, ingest};
    use topoi_store::Access;
    use topoi_store::id::{RunId, TermId};
    use topoi_store::result::topic::{SavedResult, SavedTopic};
    use topoi_store::result::topic_shares::TopicShares;
    use topoi_store::run::{NewRun, RunEnd, RunStatus};

    /// A run whose topics have the words of the corpus with these probabilities.
    fn run(store: &mut Store, topics: &[&[(&str, f64)]]) -> Run {
        let known = store.terms(CorpusId(1)).expect("terms");
        let id = |word: &str| known.iter().find(|term| term.text == word).expect("a term").id;
        let topic = |words: &&[(&str, f64)]| SavedTopic {
            shares: TopicShares { document_share: 1.0 / topics.len() as f64, token_share: None },
            anchor_term_id: None,
            terms: words.iter().map(|&(word, probability)| (id(word), probability)).collect(),
            characteristic: Vec::new(),
        };
        let topics: Vec<SavedTopic> = topics.iter().map(topic).collect();
        let k = topics.len() as u64;
        let new = NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k, seed: 1, settings: "{}" };
        let run = store.create_run(&new).expect("run");
        let ids: Vec<TermId> = known.iter().map(|term| term.id).collect();
        let vocabulary = store.save_vocabulary(CorpusId(1), "{}", b"v", &ids).expect("vocabulary");
        let seen = store.corpus_state(CorpusId(1)).expect("state");
        store.set_run_material(run, vocabulary, b"m", seen).expect("material");
        let end = || RunEnd { seconds: Some(1.0), ..RunEnd::new(RunStatus::Finished) };
        let result = SavedResult { topics, ..SavedResult::default() };
        store.finish_run(run, &result, end).expect("save");
        store.run(run).expect("read")
    }

    #[test]
    fn the_topic_that_shares_most_probability_is_found_in_every_run_that_has_the_words() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        std::fs::write(&file, "king rook pawn comet orbit planet\n").expect("write");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
        let chess: &[(&str, f64)] = &[("rook", 0.5), ("king", 0.3), ("pawn", 0.2)];
        let sky: &[(&str, f64)] = &[("comet", 0.6), ("orbit", 0.4)];
        let first = run(&mut store, &[chess, sky]);
        let near = run(&mut store, &[sky, &[("king", 0.9), ("rook", 0.1)], &[("pawn", 1.0)]]);
        let same = run(&mut store, &[sky, chess]);
        let strange = run(&mut store, &[sky]);
        let topic = store.topics(first.id, 40).expect("topics").remove(0);
        let others = [&near, &same, &strange].into_iter();
        let read = |run: &Run| store.topics(run.id, 40);
        let found = in_other_runs(&store, CorpusId(1), &topic, others, read).expect("found");
        let found: Vec<(RunId, TopicNumber, f64)> = found
            .iter()
            .map(|other| (other.run.id, other.topic.topic, (other.overlap * 1e9).round() / 1e9))
            .collect();
        // The topic has king .9 and rook .1, and shares .3 and .1.
        assert_eq!(found, [(same.id, TopicNumber(1), 1.0), (near.id, TopicNumber(1), 0.4)]);
    }
}

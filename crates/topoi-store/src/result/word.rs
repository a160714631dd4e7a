//! Results of a run about single words: most probable topic, position in the plane of the anchors, and novelty.

use super::finite;
use crate::Store;
use crate::error::Result;
use crate::id::{DocumentId, RunId, TermId, TopicNumber};
use crate::integer::saturated;

/// The words of a run's vocabulary, in its order.
const WORDS_OF_RUN: &str = "SELECT term.text, term.form FROM run \
    JOIN vocabulary_term AS v ON v.vocabulary_id = run.vocabulary_id JOIN term ON term.id = v.term_id \
    WHERE run.id = ?1 ORDER BY v.position";
const TOPIC_SHARES: &str = "SELECT topic, coalesce(token_share, document_share) FROM topic \
    WHERE run_id = ?1 ORDER BY topic";
/// p(topic | word) of the words of a document is proportional to p(word | topic) times the document's proportion of the
/// topic. With `max`, SQLite takes the bare columns from the row with the largest value; ties go to the first topic.
const MOST_PROBABLE_HERE: &str = "WITH here AS MATERIALIZED (SELECT v.position, v.term_id FROM run \
    JOIN vocabulary_term AS v ON v.vocabulary_id = run.vocabulary_id WHERE run.id = ?1 AND v.term_id IN \
    (SELECT CAST(key AS INTEGER) FROM document_counts, json_each(counts) WHERE document_counts.document_id = ?2)), \
    about AS MATERIALIZED (SELECT topic, proportion FROM document_topic WHERE run_id = ?1 AND document_id = ?2), \
    word AS (SELECT here.term_id, about.topic, about.proportion * \
    (json_extract(p.probabilities, '$[' || here.position || ']') / 1e12) AS joint \
    FROM about CROSS JOIN topic_probabilities AS p ON p.run_id = ?1 AND p.topic = about.topic CROSS JOIN here) \
    SELECT term.text, word.topic, max(word.joint), sum(word.joint), term.form FROM word \
    JOIN term ON term.id = word.term_id WHERE word.joint > 0 GROUP BY word.term_id";

/// A word of a run and its most probable topic.
#[derive(Debug, Clone, PartialEq)]
pub struct WordTopic {
    /// The term.
    pub word: String,
    /// Its displayed form, if that differs.
    pub form: Option<String>,
    /// The topic t with the largest p(t | word).
    pub topic: TopicNumber,
    /// p(t | word), above 0 and at most 1.
    pub probability: f64,
}

/// The rank and probability of a term in a topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermInTopic {
    /// The topic's number.
    pub topic: TopicNumber,
    /// The term's rank among the topic's words, from 1.
    pub rank: u64,
    /// p(term | topic).
    pub probability: f64,
}

impl Store {
    /// The topics of a run in which a term has a probability above zero, by number. Reads the probabilities of all
    /// topics.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`](crate::StoreError::DamagedRun) if they are missing or invalid.
    pub fn topics_of_term(&self, run: RunId, term_id: TermId) -> Result<Vec<TermInTopic>> {
        let vocabulary = self.terms_of_run(run)?;
        let Ok(position) = vocabulary.binary_search(&term_id) else { return Ok(Vec::new()) };
        let mut held = Vec::new();
        for (topic, _) in self.shares_of_topics(run)? {
            let probabilities = self.probabilities(run, topic.index(), vocabulary.len())?;
            let probability = probabilities[position];
            // Of equal ones, the first of the vocabulary is before.
            let above = |(at, other): (usize, &f64)| {
                *other > probability || (*other == probability && at < position)
            };
            if probability > 0.0 {
                let rank = 1 + probabilities.iter().enumerate().filter(|each| above(*each)).count();
                held.push(TermInTopic { topic, rank: rank as u64, probability });
            }
        }
        Ok(held)
    }

    /// The most probable topic of every word of a run with a probability above zero in some topic, by Bayes' rule from
    /// p(word | topic) and the topics' shares of tokens, or of documents if the run has no other; of equal ones the
    /// first. Reads the probabilities of all topics: O(V K).
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`](crate::StoreError::DamagedRun) if they are missing or invalid.
    pub fn word_topics(&self, run: RunId) -> Result<Vec<WordTopic>> {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let words: Vec<(String, Option<String>)> = self.rows(WORDS_OF_RUN, [run], read)?;
        let none = (TopicNumber::default(), 0.0, 0.0);
        let mut best = vec![none; words.len()];
        for (topic, share) in self.shares_of_topics(run)? {
            let probabilities = self.probabilities(run, topic.index(), words.len())?;
            for ((of, most, all), probability) in best.iter_mut().zip(probabilities) {
                let joint = probability * share;
                *all += joint;
                if joint > *most {
                    (*of, *most) = (topic, joint);
                }
            }
        }
        let found = words.into_iter().zip(best).filter(|(_, (_, most, _))| *most > 0.0);
        let topic = |((word, form), (topic, most, all))| WordTopic {
            word,
            form,
            topic,
            probability: most / all,
        };
        Ok(found.map(topic).collect())
    }

    fn shares_of_topics(&self, run: RunId) -> Result<Vec<(TopicNumber, f64)>> {
        self.rows(TOPIC_SHARES, [run], |row| Ok((row.get(0)?, finite(row, 1)?)))
    }

    /// As [`Store::word_topics`], for the words of a document, with its proportions as p(topic). Words that
    /// none of its topics contains are left out; empty if the run has no proportions of the document.
    pub fn word_topics_in(&self, run: RunId, document: DocumentId) -> Result<Vec<WordTopic>> {
        let read = |row: &rusqlite::Row<'_>| {
            let (joint, all) = (finite(row, 2)?, finite(row, 3)?);
            let probability = if all > 0.0 { joint / all } else { 0.0 };
            Ok(WordTopic { word: row.get(0)?, topic: row.get(1)?, form: row.get(4)?, probability })
        };
        let mut found = self.rows(MOST_PROBABLE_HERE, (run, document), read)?;
        found.retain(|word| word.probability > 0.0);
        Ok(found)
    }
}

/// A page of words of a run with their positions.
const POSITIONS_AFTER: &str = "SELECT place.term_id, coalesce(term.form, term.text) AS word, place.x, place.y FROM word_position AS place \
                     JOIN term ON term.id = place.term_id \
                     WHERE place.run_id = ?1 AND place.term_id > ?2 \
                     ORDER BY place.term_id LIMIT ?3";

/// A word and its position in the plane of the anchors.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WordPosition {
    /// Term row id.
    pub term_id: TermId,
    /// The word as displayed.
    pub word: String,
    /// Coordinate on the first principal axis of the anchors.
    pub x: f64,
    /// Coordinate on the second principal axis of the anchors.
    pub y: f64,
}

impl Store {
    /// At most `limit` words of a run with their positions, by ascending term row id above `after`: 0 for the
    /// first page, the last id of a page for the next. Empty if the run saved none.
    pub fn word_positions(
        &self,
        run: RunId,
        after: TermId,
        limit: usize,
    ) -> Result<Vec<WordPosition>> {
        self.rows(POSITIONS_AFTER, (run, after, saturated(limit)), |row| {
            Ok(WordPosition {
                term_id: row.get("term_id")?,
                word: row.get("word")?,
                x: finite(row, "x")?,
                y: finite(row, "y")?,
            })
        })
    }

    pub(crate) fn insert_positions(
        &self,
        run: RunId,
        positions: &[(TermId, f64, f64)],
    ) -> Result<()> {
        let rows = positions
            .iter()
            .map(|&(term_id, x, y)| [run.into(), term_id.into(), x.into(), y.into()]);
        self.insert_rows("word_position (run_id, term_id, x, y)", rows)
    }
}

/// A candidate novel word of a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SavedNovelWord {
    /// The word as displayed.
    pub word: String,
    /// The topic that has it as a novel word.
    pub topic: Option<TopicNumber>,
    /// Its score: solid angle, share of directions or bins, or margin.
    pub score: f64,
}

impl Store {
    /// The first `limit` candidate novel words of a run, best first; empty if the model finds none.
    pub fn novel_words(&self, run: RunId, limit: usize) -> Result<Vec<SavedNovelWord>> {
        self.rows(
            "SELECT coalesce(term.form, term.text), novel.topic, novel.score FROM novel_word AS novel \
             JOIN term ON term.id = novel.term_id \
             WHERE novel.run_id = ?1 ORDER BY novel.rank LIMIT ?2",
            (run, saturated(limit)),
            |row| {
                Ok(SavedNovelWord { word: row.get(0)?, topic: row.get(1)?, score: finite(row, 2)? })
            },
        )
    }

    /// (ζ, K̂) of a run, by ascending ζ; empty if the model has no solid angles.
    pub fn topic_estimates(&self, run: RunId) -> Result<Vec<(f64, u64)>> {
        let sql = "SELECT distance, topics FROM topic_estimate WHERE run_id = ?1 ORDER BY distance";
        self.rows(sql, [run], |row| Ok((finite(row, 0)?, row.get(1)?)))
    }

    /// Inserts `words` (term row id, topic, score), best first, and `estimates` (ζ, K̂).
    pub(crate) fn insert_novel_words(
        &self,
        run: RunId,
        words: &[(TermId, Option<TopicNumber>, f64)],
        estimates: &[(f64, u64)],
    ) -> Result<()> {
        for (index, (term_id, topic, score)) in words.iter().enumerate() {
            self.execute(
                "INSERT INTO novel_word (run_id, rank, term_id, topic, score) \
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                (run, index + 1, term_id, topic, score),
            )?;
        }
        for (distance, topics) in estimates {
            self.execute(
                "INSERT INTO topic_estimate (run_id, distance, topics) VALUES (?1, ?2, ?3)",
                (run, distance, topics),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::id::CorpusId;
    use crate::ingest::{IngestWriter, NewDocument};
    use crate::result::topic::{SavedResult, SavedTopic};
    use crate::result::topic_shares::TopicShares;
    use crate::run::{NewRun, RunEnd, RunStatus};

    /// A store with one document of five words and two runs.
    fn store_with_runs(directory: &tempfile::TempDir) -> (Store, [RunId; 2]) {
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let entries =
            ["ale", "bee", "cap", "day", "eel"].map(|w| (writer.term(w).expect("term"), 1));
        let document = NewDocument::counted("k", &entries);
        writer.add(document).expect("add");
        writer.finish().expect("finish");
        let run =
            NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        let runs = [(); 2].map(|()| store.create_run(&run).expect("run"));
        (store, runs)
    }

    /// The view `topic_term` finds the same by sorting the words of every topic.
    #[test]
    fn the_topics_of_words_are_those_of_the_view() {
        let directory = tempfile::tempdir().expect("tempdir");
        let (mut store, [run, _]) = store_with_runs(&directory);
        let ids: Vec<TermId> =
            store.terms(CorpusId(1)).expect("terms").iter().map(|term| term.id).collect();
        let vocabulary = store.save_vocabulary(CorpusId(1), "{}", b"v", &ids[..4]).expect("saved");
        let seen = store.corpus_state(CorpusId(1)).expect("state");
        store.set_run_material(run, vocabulary, b"m", seen).expect("material");
        // The first two words are equal in topic 0, the fourth is in neither, the fifth is not of the run.
        let topic = |share, words: &[(usize, f64)]| SavedTopic {
            shares: TopicShares { document_share: share, token_share: None },
            anchor_term_id: None,
            terms: words.iter().map(|&(word, p)| (ids[word], p)).collect(),
            characteristic: Vec::new(),
        };
        let topics =
            vec![topic(0.75, &[(0, 0.4), (1, 0.4), (2, 0.2)]), topic(0.25, &[(2, 0.7), (1, 0.3)])];
        let result = SavedResult { topics, ..SavedResult::default() };
        store.finish_run(run, &result, || RunEnd::new(RunStatus::Finished)).expect("save");
        let all: Vec<_> = store.word_topics(run).expect("topics");
        let all: Vec<_> =
            all.iter().map(|it| (it.word.as_str(), it.topic.0, it.probability)).collect();
        let [ale, bee, cap] = [("ale", 0, 1.0), ("bee", 0, 0.8), ("cap", 1, 0.175 / 0.325)];
        let near = |(one, other): (&(&str, u64, f64), (&str, u64, f64))| {
            (one.0, one.1) == (other.0, other.1) && (one.2 - other.2).abs() < 1e-9
        };
        assert!(all.len() == 3 && all.iter().zip([ale, bee, cap]).all(near), "{all:?}");
        for &id in &ids {
            let read = |row: &rusqlite::Row<'_>| {
                let (topic, rank) = (row.get(0)?, row.get(1)?);
                Ok(TermInTopic { topic, rank, probability: row.get(2)? })
            };
            let sql = "SELECT topic, rank, probability FROM topic_term WHERE run_id = ?1 \
                       AND term_id = ?2 ORDER BY topic";
            let by_view = store.rows(sql, (run, id), read).expect("the view");
            assert_eq!(store.topics_of_term(run, id).expect("topics"), by_view);
        }
    }

    #[test]
    fn positions_are_read_by_page_and_deleted_with_their_run() {
        let directory = tempfile::tempdir().expect("tempdir");
        let (mut store, [first, second]) = store_with_runs(&directory);
        let ids: Vec<TermId> =
            store.terms(CorpusId(1)).expect("terms").iter().map(|term| term.id).collect();
        // Saved in any order; the fourth word has no position.
        let positions =
            [(4, 0.5), (0, -0.25), (2, 1.0 / 3.0), (1, 0.0)].map(|(w, x)| (ids[w], x, -x));
        let end = || RunEnd::new(RunStatus::Finished);
        let result = SavedResult { positions: positions.to_vec(), ..SavedResult::default() };
        store.finish_run(first, &result, end).expect("save");
        let page = |store: &Store, after, limit| -> Vec<(String, f64, f64)> {
            let found = store.word_positions(first, after, limit).expect("page");
            found.into_iter().map(|place| (place.word, place.x, place.y)).collect()
        };
        assert_eq!(
            page(&store, TermId(0), 2),
            [("ale".into(), -0.25, 0.25), ("bee".into(), 0.0, 0.0)]
        );
        let third = 1.0 / 3.0;
        assert_eq!(
            page(&store, ids[1], 9),
            [("cap".into(), third, -third), ("eel".into(), 0.5, -0.5)]
        );
        assert!(page(&store, ids[4], 9).is_empty());
        assert!(store.word_positions(second, TermId(0), 9).expect("none").is_empty());
        // A word that is given twice is an error, and then nothing of the result is kept.
        let twice = SavedResult { positions: vec![positions[0]; 2], ..SavedResult::default() };
        assert!(store.finish_run(second, &twice, end).is_err());
        assert!(store.word_positions(second, TermId(0), 9).expect("none").is_empty());
        store.execute("DELETE FROM run WHERE id = ?1", [first]).expect("delete");
        assert_eq!(
            store.scalar::<i64>("SELECT count(*) FROM word_position", []).expect("count"),
            0
        );
    }
}

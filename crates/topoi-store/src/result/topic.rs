//! Topics of runs, their words, correlations, spectrum, and agreement between runs.

use ndarray::Array2;

use super::document_topic::SavedDocuments;
use super::metric::Metric;
use super::novelty::Novelty;
use super::series::Revises;
use super::topic_shares::{TopicShares, is_share};
use super::warning::Warning;
use super::{SavedHash, finite};
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId, TermId, TopicNumber};
use crate::integer::saturated;
use crate::run::RunEnd;
use crate::run::kept::SavedFactor;
use crate::{Store, open};
use topoi_core::formula::word_probabilities;
use topoi_core::model::topic_model::TopicLabel;

const IS_NOT_OVER: &str =
    "SELECT EXISTS (SELECT 1 FROM run WHERE id = ?1 AND status IN ('queued', 'running'))";

const SET_HASHES: &str = "UPDATE run SET result_hash = ?2, saved_hash = ?3, request_hash = ?4 \
    WHERE id = ?1";

/// Words per topic that table `top_term` has.
const TOP_WORDS: usize = 100;

/// A word of a topic and its probability.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Word {
    /// The word as displayed.
    pub word: String,
    /// p(word
    /// topic); for characteristic words p(word
    /// anchor).
    pub probability: f64,
}

/// A topic for display.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Topic {
    /// Its number, 0 to K − 1; never changes.
    pub topic: TopicNumber,
    /// Its share of the corpus.
    #[serde(flatten)]
    pub shares: TopicShares,
    /// Its anchor word, if the model has anchors.
    pub anchor: Option<String>,
    /// Its label from a user.
    pub label: Option<String>,
    /// Who gave the label: a person, or the command that was asked.
    pub labelled_by: Option<String>,
    /// Its most probable words, in descending order.
    pub words: Vec<Word>,
    /// The words that co-occur most with the anchor.
    pub characteristic: Vec<Word>,
}

/// A topic to be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedTopic {
    /// Its share of the corpus.
    pub shares: TopicShares,
    /// The anchor's term row id, if the model has anchors.
    pub anchor_term_id: Option<TermId>,
    /// (term row id, probability) in descending order; zeros are left out.
    pub terms: Vec<(TermId, f64)>,
    /// (term row id, probability) of the characteristic words, in descending order.
    pub characteristic: Vec<(TermId, f64)>,
}

/// The result of a finished run, to be saved.
#[derive(Debug, Default)]
pub struct SavedResult {
    /// K topics.
    pub topics: Vec<SavedTopic>,
    /// K × K joint probabilities of topics, row by row; empty if the model has none.
    pub correlations: Vec<f64>,
    /// Metrics of the run and of its topics.
    pub metrics: Vec<Metric>,
    /// Warnings, gravest first.
    pub warnings: Vec<Warning>,
    /// (eigenvalue, residual norm), largest first.
    pub spectrum: Vec<(f64, f64)>,
    /// (term row id, x, y) of words in the plane of the anchors; empty if the model has none.
    pub positions: Vec<(TermId, f64, f64)>,
    /// (term row id, topic, score) of candidate novel words, best first; empty if the model finds none.
    pub novel_words: Vec<(TermId, Option<TopicNumber>, f64)>,
    /// (ζ, K̂); empty if the model has no solid angles.
    pub topic_estimates: Vec<(f64, u64)>,
    /// Proportions of documents; empty if the run has none.
    pub documents: SavedDocuments,
    /// (document, its tokens in the vocabulary) of documents that are too short.
    pub left_out: Vec<(DocumentId, u64)>,
    /// Starting vectors for a later run, W × columns, if the model has them.
    pub basis: Option<Array2<f32>>,
    /// The factor from which topics of other anchors can be computed, if the model has it.
    pub factor: Option<SavedFactor>,
    /// Initial labels of topics.
    pub labels: Vec<(TopicNumber, TopicLabel)>,
    /// Topics whose words were pinned by hand.
    pub held: Vec<TopicNumber>,
    /// Identifies the result to the bit.
    pub hash: Vec<u8>,
    /// What is new in the documents that an update added.
    pub novelty: Novelty,
    /// What it shares with an earlier run; `None` for a result that is whole.
    pub revises: Option<Revises>,
}

impl Store {
    /// Saves a run's result and ends the run, in one transaction.
    /// `end` is called just before the commit. Checkpoints of the run's stages are deleted. A run is finished
    /// exactly when its result is saved. A run that is over already is not changed.
    ///
    /// # Errors
    /// If the store cannot be written; then nothing is kept.
    pub fn finish_run<'a>(
        &mut self,
        run: RunId,
        result: &SavedResult,
        end: impl FnOnce() -> RunEnd<'a>,
    ) -> Result<()> {
        self.execute_batch(open::LARGE_CACHE)?;
        self.transaction(|store| {
            if !store.scalar::<bool>(IS_NOT_OVER, [run])? {
                return Ok(());
            }
            store.insert_result(run, result)?;
            store.delete_checkpoints(run)?;
            store.end_run(run, end())
        })?;
        self.execute_batch(open::USUAL_CACHE)
    }

    pub(crate) fn insert_result(&self, run: RunId, result: &SavedResult) -> Result<()> {
        if let Some(revises) = &result.revises {
            self.join_series(run, revises, result.topics.len())?;
        }
        let vocabulary = self.terms_of_run(run)?;
        for (number, topic) in result.topics.iter().enumerate() {
            let TopicShares { document_share, token_share } = topic.shares;
            self.execute(
                "INSERT INTO topic (run_id, topic, document_share, token_share, anchor_term_id) \
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                (run, number, document_share, token_share, topic.anchor_term_id),
            )?;
            self.insert_probabilities(run, number, &topic.terms, &vocabulary)?;
            let top = topic.terms.iter().take(TOP_WORDS);
            let top: Vec<_> =
                top.map(|&(term, p)| (term, word_probabilities::rounded(p))).collect();
            self.insert_words("top_term", run, number, &top)?;
            self.insert_words("characteristic_term", run, number, &topic.characteristic)?;
        }
        let k = saturated(result.topics.len().max(1));
        let joint = (0..).zip(&result.correlations).map(|(index, &joint)| {
            let (a, b): (i64, i64) = (index / k, index % k);
            [run.into(), a.into(), b.into(), joint.into()]
        });
        self.insert_rows("topic_correlation (run_id, topic_a, topic_b, joint)", joint)?;
        for (position, (value, residual)) in result.spectrum.iter().enumerate() {
            self.execute(
                "INSERT INTO spectrum (run_id, position, value, residual) \
                     VALUES (?1, ?2, ?3, ?4)",
                (run, position + 1, value, residual),
            )?;
        }
        self.insert_metrics(run, &result.metrics)?;
        self.insert_warnings(run, &result.warnings)?;
        self.insert_positions(run, &result.positions)?;
        let alpha = &result.documents.alpha;
        let mut saved = SavedHash::new(&result.topics, &result.correlations, alpha);
        self.insert_document_topics(run, &result.documents, &mut saved)?;
        self.insert_left_out(run, &result.left_out)?;
        self.insert_novelty(run, &result.novelty)?;
        self.insert_novel_words(run, &result.novel_words, &result.topic_estimates)?;
        if let Some(basis) = &result.basis {
            self.insert_basis(run, basis)?;
        }
        if let Some(factor) = &result.factor {
            self.insert_factor(run, factor)?;
        }
        let held = "UPDATE topic SET held = 1 WHERE run_id = ?1 AND topic = ?2";
        self.execute_each(held, result.held.iter().map(|topic| (run, *topic)))?;
        for (topic, label) in &result.labels {
            self.set_topic_label(run, *topic, Some(label))?;
        }
        let request = self.request_hash(&self.run(run)?)?;
        self.execute(SET_HASHES, (run, &result.hash, saved.finish(&result.hash), request))?;
        Ok(())
    }

    /// The term row ids of a run's vocabulary, in its order, which is theirs; empty for a run without.
    pub(super) fn terms_of_run(&self, run: RunId) -> Result<Vec<TermId>> {
        let vocabulary = self.run(run)?.vocabulary_id.map(|id| self.vocabulary(id)).transpose()?;
        Ok(vocabulary.map(|vocabulary| vocabulary.term_ids).unwrap_or_default())
    }

    fn insert_probabilities(
        &self,
        run: RunId,
        topic: usize,
        words: &[(TermId, f64)],
        vocabulary: &[TermId],
    ) -> Result<()> {
        let mut numbers = vec![0; vocabulary.len()];
        for (term, probability) in words {
            let Ok(position) = vocabulary.binary_search(term) else {
                let what = format!("a word of its topic {topic} is not in its vocabulary");
                return Err(StoreError::DamagedRun { run, what });
            };
            numbers[position] = word_probabilities::whole_number(*probability);
        }
        let probabilities = word_probabilities::write(numbers.into_iter());
        self.execute(
            "INSERT INTO topic_probabilities (run_id, topic, probabilities) VALUES (?1, ?2, ?3)",
            (run, topic, probabilities),
        )?;
        Ok(())
    }

    fn insert_words(
        &self,
        table: &str,
        run: RunId,
        topic: usize,
        words: &[(TermId, f64)],
    ) -> Result<()> {
        let topic = saturated(topic);
        let rows = (1..).zip(words).map(|(rank, &(term, share)): (i64, _)| {
            [run.into(), topic.into(), rank.into(), term.into(), share.into()]
        });
        self.insert_rows(&format!("{table} (run_id, topic, rank, term_id, probability)"), rows)
    }

    /// The topics of a run whose words were pinned by hand.
    pub fn held_topics(&self, run: RunId) -> Result<Vec<TopicNumber>> {
        let sql = "SELECT topic FROM topic WHERE run_id = ?1 AND held ORDER BY topic";
        self.rows(sql, [run], |row| row.get(0))
    }

    /// The topics of a run by number, each with its `words` most probable and most characteristic words.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] for missing topics and invalid shares.
    pub fn topics(&self, run: RunId, words: usize) -> Result<Vec<Topic>> {
        let mut topics = self.rows(
            "SELECT topic.topic, topic.document_share, topic.token_share, \
             coalesce(term.form, term.text) AS anchor, topic.label, topic.labelled_by FROM topic LEFT JOIN term ON term.id = topic.anchor_term_id \
             WHERE topic.run_id = ?1 ORDER BY topic.topic",
            [run],
            |row| {
                Ok(Topic {
                    topic: row.get("topic")?,
                    shares: TopicShares::read(row)?,
                    anchor: row.get("anchor")?,
                    label: row.get("label")?,
                    labelled_by: row.get("labelled_by")?,
                    words: Vec::new(),
                    characteristic: Vec::new(),
                })
            },
        )?;
        self.check_topics(run, topics.iter().map(|topic| (topic.topic, topic.shares)))?;
        let vocabulary = if words > TOP_WORDS { self.terms_of_run(run)? } else { Vec::new() };
        for topic in &mut topics {
            topic.words = match words <= TOP_WORDS {
                true => self.words_of("top_term", run, topic.topic, words)?,
                false => self.many_words(run, topic.topic, words, &vocabulary)?,
            };
            topic.characteristic = self.words_of("characteristic_term", run, topic.topic, words)?;
        }
        Ok(topics)
    }

    fn words_of(
        &self,
        table: &str,
        run: RunId,
        topic: TopicNumber,
        limit: usize,
    ) -> Result<Vec<Word>> {
        let sql = format!(
            "SELECT coalesce(term.form, term.text), w.probability FROM {table} AS w \
             JOIN term ON term.id = w.term_id \
             WHERE w.run_id = ?1 AND w.topic = ?2 AND w.rank <= ?3 ORDER BY w.rank"
        );
        self.rows(&sql, (run, topic, saturated(limit)), |row| {
            Ok(Word { word: row.get(0)?, probability: finite(row, 1)? })
        })
    }

    /// The `limit` most probable words of a topic, which may be more than `top_term` has.
    fn many_words(
        &self,
        run: RunId,
        topic: TopicNumber,
        limit: usize,
        vocabulary: &[TermId],
    ) -> Result<Vec<Word>> {
        let words = self.saved_probabilities(run, topic.index(), vocabulary)?;
        let spelled = |(term, probability)| {
            let word =
                self.scalar("SELECT coalesce(form, text) FROM term WHERE id = ?1", [term])?;
            Ok(Word { word, probability })
        };
        words.into_iter().take(limit).map(spelled).collect()
    }

    /// Refuses topics with gaps in their numbers or with invalid shares.
    fn check_topics(
        &self,
        run: RunId,
        topics: impl Iterator<Item = (TopicNumber, TopicShares)>,
    ) -> Result<()> {
        for (number, (topic, shares)) in (0..).map(TopicNumber).zip(topics) {
            if number != topic {
                return Err(StoreError::DamagedRun { run, what: "topics of it are gone".into() });
            }
            if let Some((name, wrong)) = shares.invalid() {
                let what = format!("the {name} share of its topic {topic} is {wrong:e}");
                return Err(StoreError::DamagedRun { run, what });
            }
        }
        Ok(())
    }

    /// The topics of a run with all words, as [`Store::finish_run`] saved them.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] for missing topics and words and for invalid shares and probabilities.
    pub fn saved_topics(&self, run: RunId) -> Result<Vec<SavedTopic>> {
        let mut numbers = Vec::new();
        let mut topics = self.rows(
            "SELECT topic, document_share, token_share, anchor_term_id FROM topic \
             WHERE run_id = ?1 ORDER BY topic",
            [run],
            |row| {
                numbers.push(row.get("topic")?);
                Ok(SavedTopic {
                    shares: TopicShares::read(row)?,
                    anchor_term_id: row.get("anchor_term_id")?,
                    terms: Vec::new(),
                    characteristic: Vec::new(),
                })
            },
        )?;
        let shares = topics.iter().map(|topic| topic.shares);
        self.check_topics(run, numbers.into_iter().zip(shares))?;
        let vocabulary = self.terms_of_run(run)?;
        for (number, topic) in topics.iter_mut().enumerate() {
            topic.terms = self.saved_probabilities(run, number, &vocabulary)?;
            if !topic.terms.starts_with(&self.saved_words("top_term", run, number)?) {
                let what =
                    format!("the first words of its topic {number} are not its most probable");
                return Err(StoreError::DamagedRun { run, what });
            }
            topic.characteristic = self.saved_words("characteristic_term", run, number)?;
        }
        Ok(topics)
    }

    /// The words of a topic, the most probable first, of equal ones the first of the vocabulary; zeros are left out.
    fn saved_probabilities(
        &self,
        run: RunId,
        topic: usize,
        vocabulary: &[TermId],
    ) -> Result<Vec<(TermId, f64)>> {
        let probabilities = self.probabilities(run, topic, vocabulary.len())?;
        let words = vocabulary.iter().copied().zip(probabilities);
        let mut words: Vec<(TermId, f64)> = words.filter(|(_, p)| *p > 0.0).collect();
        words.sort_unstable_by(|(x, a), (y, b)| b.total_cmp(a).then(x.cmp(y)));
        Ok(words)
    }

    /// p(word | topic) of the `words` words of a run's vocabulary, in its order.
    pub(super) fn probabilities(&self, run: RunId, topic: usize, words: usize) -> Result<Vec<f64>> {
        let sql = "SELECT probabilities FROM topic_probabilities WHERE run_id = ?1 AND topic = ?2";
        let text: Option<String> = self.rows(sql, (run, topic), |row| row.get(0))?.pop();
        let read = match &text {
            Some(text) => word_probabilities::read(text, words),
            None => Err("are gone"),
        };
        read.map_err(|wrong| {
            let what = format!("the probabilities of the words of its topic {topic} {wrong}");
            StoreError::DamagedRun { run, what }
        })
    }

    /// (term row id, probability) of the words of a topic, in the order of the run's vocabulary; zeros are left out.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] if they are missing or invalid.
    pub(crate) fn topic_terms(&self, run: RunId, topic: usize) -> Result<Vec<(TermId, f64)>> {
        let vocabulary = self.terms_of_run(run)?;
        let probabilities = self.probabilities(run, topic, vocabulary.len())?;
        Ok(vocabulary.into_iter().zip(probabilities).filter(|(_, p)| *p > 0.0).collect())
    }

    fn saved_words(&self, table: &str, run: RunId, topic: usize) -> Result<Vec<(TermId, f64)>> {
        let sql = format!(
            "SELECT rank, term_id, probability FROM {table} WHERE run_id = ?1 AND topic = ?2"
        );
        let mut words: Vec<(i64, (TermId, f64))> =
            self.rows(&sql, (run, topic), |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
        words.sort_unstable_by_key(|(rank, _)| *rank);
        let damaged = |what| Err(StoreError::DamagedRun { run, what });
        if words.iter().zip(1..).any(|((rank, _), expected)| *rank != expected) {
            return damaged(format!("the ranks of the words of its topic {topic} have gaps"));
        }
        match words.iter().find(|(_, (_, probability))| !is_share(*probability)) {
            None => Ok(words.into_iter().map(|(_, word)| word).collect()),
            Some((_, (_, wrong))) => {
                damaged(format!("the probability of a word of its topic {topic} is {wrong:e}"))
            }
        }
    }

    /// K × K joint probabilities of a run's topics, row by row; empty if the model has none.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] if some are missing.
    pub fn saved_correlations(&self, run: RunId) -> Result<Vec<f64>> {
        let joint = self.rows(
            "SELECT joint FROM topic_correlation WHERE run_id = ?1 ORDER BY topic_a, topic_b",
            [run],
            |row| finite(row, 0),
        )?;
        let topics = "SELECT count(*) FROM topic WHERE run_id = ?1";
        if joint.is_empty()
            || Some(joint.len()) == self.scalar::<usize>(topics, [run])?.checked_pow(2)
        {
            return Ok(joint);
        }
        Err(StoreError::DamagedRun { run, what: "some of its correlations are gone".into() })
    }

    /// (eigenvalue, residual norm) of a run, largest first; empty if the model has none.
    pub fn spectrum(&self, run: RunId) -> Result<Vec<(f64, Option<f64>)>> {
        self.rows(
            "SELECT value, residual FROM spectrum WHERE run_id = ?1 ORDER BY position",
            [run],
            |row| Ok((finite(row, 0)?, row.get(1)?)),
        )
    }
}

const INSERT: &str = "INSERT OR REPLACE INTO topic_agreement \
                      (run_id, topic, other_run_id, other_topic, words, jaccard, l1) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// A topic of a run and the matching topic of another run.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicAgreement {
    /// Number of the topic, from 0.
    pub topic: TopicNumber,
    /// The other run's topic; `None` if all are matched to others.
    pub other: Option<TopicNumber>,
    /// Jaccard index of their most probable words, in [0, 1].
    pub jaccard: f64,
    /// ℓ₁ distance of their word probabilities, in [0, 2].
    pub l1: f64,
}

impl Store {
    /// Saves how far `run` agrees with each of the runs in `others`, in one transaction. Agreements are
    /// computed over `words` words per topic and replace those with the same runs.
    pub fn save_agreements(
        &mut self,
        run: RunId,
        words: usize,
        others: &[(RunId, Vec<TopicAgreement>)],
    ) -> Result<()> {
        self.transaction(|store| {
            for (other, agreements) in others {
                for &TopicAgreement { topic, other: match_, jaccard, l1 } in agreements {
                    store.execute(INSERT, (run, topic, other, match_, words, jaccard, l1))?;
                }
            }
            Ok(())
        })
    }

    /// The saved agreements of `run` with other runs: (other run, agreement) by other run and topic.
    pub fn agreements(&self, run: RunId) -> Result<Vec<(RunId, TopicAgreement)>> {
        self.rows(
            "SELECT other_run_id, topic, other_topic, jaccard, l1 FROM topic_agreement \
             WHERE run_id = ?1 ORDER BY other_run_id, topic",
            [run],
            |row| {
                let agreement = TopicAgreement {
                    topic: row.get("topic")?,
                    other: row.get("other_topic")?,
                    jaccard: finite(row, "jaccard")?,
                    l1: finite(row, "l1")?,
                };
                Ok((row.get("other_run_id")?, agreement))
            },
        )
    }
}

//! Words that distinguish groups of documents, over the corpus or within a topic.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use ndarray::Array2;

use super::by::NotGrouped;
use super::fields::{FieldError, Part, Rule, fields};
use crate::work::recompute::{read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::fields::date::PeriodLength;
use topoi_core::fields::log_odds::{Keyword, log_odds};
use topoi_core::fields::values::MissingMarks;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Counts that are kept at most, terms times groups.
const MOST_COUNTS: usize = 1 << 24;

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The field that makes the groups.
    pub field: String,
    /// What dates are put together by.
    pub per: Option<PeriodLength>,
    /// A condition on the columns of the table `document`.
    pub condition: Option<String>,
    /// The run and the topic within which words are counted; without, all words are.
    pub within: Option<(&'a Run, TopicNumber)>,
    /// α₀ of the prior, in tokens.
    pub prior: f64,
    /// Words of a group.
    pub words: usize,
}

/// A word that distinguishes a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupWord {
    /// Where its group stands among the groups.
    pub group: usize,
    /// Its place in the group, from 1.
    pub rank: usize,
    /// As it stands in the vocabulary.
    pub word: String,
    /// Its tokens in the group, within a topic expected ones.
    pub here: f64,
    /// Its tokens in the other groups.
    pub there: f64,
    /// The log-odds ratio.
    pub log_odds: f64,
    /// That by its standard deviation.
    pub z: f64,
}

/// Groups and their words.
#[derive(Debug, Clone)]
pub struct Keywords {
    /// How the field makes groups.
    pub rule: Rule,
    /// The groups with their documents, in their order.
    pub groups: Vec<(Part, u64)>,
    /// The words of the first group, the largest z first, then those of the next.
    pub words: Vec<GroupWord>,
    /// Documents in no group.
    pub not_grouped: NotGrouped,
}

/// The words that distinguish each group that a field of a corpus makes from the others together. One pass over
/// the corpus's fields and one over its words; within a topic, K operations for each count.
///
/// # Errors
/// [`FieldError`]; when the store cannot be read.
pub fn keywords(
    store: &Store,
    corpus: &Corpus,
    question: &Question<'_>,
) -> Result<Keywords, WorkError> {
    let names = [question.field.clone()];
    let field = fields(store, corpus, &names)?.remove(0);
    let rule = field.rule(&corpus.name, question.per)?;
    let mut members =
        groups_of_documents(store, corpus, &names, &rule, question.condition.as_deref())?;
    let terms: Vec<String> = store.terms(corpus.id)?.into_iter().map(|term| term.text).collect();
    if members.groups.len() * terms.len().max(1) > MOST_COUNTS {
        let most = MOST_COUNTS / terms.len().max(1);
        return Err(FieldError::TooManyGroups { fields: question.field.clone(), most }.into());
    }
    if members.groups.is_empty() {
        let and = if question.condition.is_some() { " and is chosen by --where" } else { "" };
        let (fields, corpus) = (question.field.clone(), corpus.name.clone());
        return Err(FieldError::NoGroups { fields, and: and.into(), corpus }.into());
    }
    let mut counts = Array2::<f64>::zeros((members.groups.len(), terms.len()));
    let within =
        question.within.map(|(run, topic)| Within::from_run(store, run, topic)).transpose()?;
    let blocks = CorpusBlocks::open(store, corpus.id)?;
    let of_document = std::mem::take(&mut members.of_document);
    blocks.visit::<WorkError>(0..blocks.sizes().len(), &mut |block| {
        let thetas = match (&within, block.document_ids.first(), block.document_ids.last()) {
            (Some(within), Some(&first), Some(&last)) => {
                within.thetas(store, DocumentId(first), DocumentId(last))?
            }
            _ => HashMap::default(),
        };
        for (id, positions, tokens) in block.documents() {
            let id = DocumentId(id);
            let Some(&group) = of_document.get(&id) else { continue };
            let mut row = counts.row_mut(group as usize);
            for (&position, &count) in positions.iter().zip(tokens) {
                let share = match &within {
                    None => 1.0,
                    Some(within) => within.share(position, thetas.get(&id)),
                };
                row[position as usize] += share * f64::from(count);
            }
        }
        Ok(())
    })?;
    let all: Vec<f64> = counts.columns().into_iter().map(|column| column.sum()).collect();
    let mut words = Vec::new();
    for (group, row) in counts.rows().into_iter().enumerate() {
        let found = log_odds(&row.to_vec(), &all, question.prior);
        words.extend(words_of_group(group, found, &terms, question.words));
    }
    Ok(Keywords { rule, groups: members.groups, words, not_grouped: members.not_grouped })
}

/// At most `most` words of those that are more in a group than elsewhere, numbered from 1.
fn words_of_group(
    group: usize,
    found: Vec<Keyword>,
    terms: &[String],
    most: usize,
) -> impl Iterator<Item = GroupWord> {
    let found = found.into_iter().filter(|word| word.z > 0.0).take(most);
    (1..).zip(found).map(move |(rank, word)| GroupWord {
        group,
        rank,
        word: terms[word.word].clone(),
        here: word.here,
        there: word.there,
        log_odds: word.log_odds,
        z: word.z,
    })
}

/// The words that distinguish two corpora from each other: those of the first, then those of the second, the largest z
/// first and `words` at most of each. Words are the same where their terms are.
///
/// # Errors
/// When the store cannot be read.
pub fn keywords_of_corpora(
    store: &Store,
    (one, other): (&Corpus, &Corpus),
    prior: f64,
    words: usize,
) -> Result<[Vec<GroupWord>; 2], StoreError> {
    let mut counts: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (place, corpus) in [one, other].into_iter().enumerate() {
        for term in store.terms(corpus.id)? {
            counts.entry(term.text).or_default()[place] += term.total_count as f64;
        }
    }
    let (terms, counts): (Vec<String>, Vec<[f64; 2]>) = counts.into_iter().unzip();
    let all: Vec<f64> = counts.iter().map(|count| count[0] + count[1]).collect();
    Ok([0, 1].map(|place| {
        let here: Vec<f64> = counts.iter().map(|count| count[place]).collect();
        words_of_group(place, log_odds(&here, &all, prior), &terms, words).collect()
    }))
}

/// Which group every document is in.
pub(crate) struct GroupedDocuments {
    pub(crate) groups: Vec<(Part, u64)>,
    pub(crate) of_document: HashMap<DocumentId, u32, FixedState>,
    pub(crate) not_grouped: NotGrouped,
}

/// The groups that a field makes of the documents for which a condition holds.
pub(crate) fn groups_of_documents(
    store: &Store,
    corpus: &Corpus,
    names: &[String],
    rule: &Rule,
    condition: Option<&str>,
) -> Result<GroupedDocuments, WorkError> {
    let chosen = condition.map(|text| store.documents_where(corpus.id, text)).transpose()?;
    let missing = MissingMarks::new(&corpus.missing);
    let mut not_grouped = NotGrouped::new(1);
    let pieces = store.fold_fields(
        corpus.id,
        Vec::new,
        |to: &mut Vec<(DocumentId, Option<String>)>, id, fields| {
            let mut values = Vec::new();
            missing.some(fields, names, &mut values);
            to.push((id, values.pop().flatten()));
        },
    )?;
    let mut parts: BTreeMap<Part, Vec<DocumentId>> = BTreeMap::new();
    for (id, value) in pieces.into_iter().flatten() {
        if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&id)) {
            not_grouped.other += 1;
            continue;
        }
        match value.as_deref().map(|value| rule.part(value)) {
            None => not_grouped.without[0] += 1,
            Some(None) => {
                not_grouped.unreadable[0] += 1;
                not_grouped.example[0] = not_grouped.example[0].take().or(value);
            }
            Some(Some(part)) => parts.entry(part).or_default().push(id),
        }
    }
    let mut of_document = HashMap::default();
    let mut groups = Vec::new();
    for (number, (part, ids)) in (0u32..).zip(parts) {
        groups.push((part, ids.len() as u64));
        of_document.extend(ids.into_iter().map(|id| (id, number)));
    }
    Ok(GroupedDocuments { groups, of_document, not_grouped })
}

/// How probable it is that a word of a document is of a topic: p(t | w, d) ∝ p(w | t) · θ_dt.
struct Within {
    run: RunId,
    topic: usize,
    /// The word of the run's vocabulary at a position of the corpus.
    word: HashMap<u32, usize, FixedState>,
    /// B (W × K).
    topics: Array2<f64>,
}

impl Within {
    fn from_run(store: &Store, run: &Run, topic: TopicNumber) -> Result<Self, WorkError> {
        let vocabulary = vocabulary(store, run)?;
        let topics = read_topics(run, &store.saved_topics(run.id)?, &vocabulary)?;
        if topic.index() >= topics.ncols() {
            return Err(StoreError::UnknownTopic { run: run.id, topic }.into());
        }
        if store.alpha(run.id)?.is_empty() {
            return Err(WorkError::NoDocuments { run: run.id });
        }
        let word = vocabulary.positions.iter().copied().zip(0..).collect();
        Ok(Self { run: run.id, topic: topic.index(), word, topics })
    }

    fn thetas(
        &self,
        store: &Store,
        first: DocumentId,
        last: DocumentId,
    ) -> Result<HashMap<DocumentId, Vec<f64>, FixedState>, StoreError> {
        Ok(store.proportions_between(self.run, first, last)?.into_iter().collect())
    }

    fn share(&self, position: u32, theta: Option<&Vec<f64>>) -> f64 {
        let Some((&word, theta)) = self.word.get(&position).zip(theta) else { return 0.0 };
        let row = self.topics.row(word);
        let all: f64 = row.iter().zip(theta).map(|(p, share)| p * share).sum();
        if all > 0.0 { row[self.topic] * theta[self.topic] / all } else { 0.0 }
    }
}

//! How shares of a run's topics depend on the fields of its documents.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use super::fields::{FieldError, fields};
use super::no_shares::NoShares;
use crate::number;
use crate::work::recompute::vocabulary;
use crate::work::work_error::WorkError;
use topoi_core::effects::EffectsError;
use topoi_core::effects::design::{CoefficientSupport, Design, FieldValue, FieldValues, Reference};
use topoi_core::effects::estimate::{Effects, Estimate, Posteriors, StandardErrors, estimate};
use topoi_core::effects::expression::Expression;
use topoi_core::fields::kind::Kind;
use topoi_core::fields::spread::ENOUGH_DOCUMENTS;
use topoi_core::fields::values::MissingMarks;
use topoi_core::numbers::counted;
use topoi_core::progress::Progress;
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::DocumentId;
use topoi_store::run::Run;

/// Fewer clusters than this are said beside the errors that they make.
const FEW_CLUSTERS: usize = 20;
/// Categories that a field may have.
const MOST_CATEGORIES: usize = 200;

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// As `~ party + s(year)`.
    pub expression: Expression,
    /// The field whose groups are independent, where documents of one are not.
    pub groups: Option<String>,
    /// Whether errors assume that shares vary alike in all documents.
    pub is_alike: bool,
    /// A condition on the columns of the table `document`.
    pub condition: Option<String>,
    /// Values to predict at, one or more for each field; each combination is one prediction.
    pub at: Vec<(String, Vec<String>)>,
    /// A field to predict along, and at how many places: numbers and dates evenly apart, or categories.
    pub along: Option<(String, usize)>,
    /// Draws of the shares.
    pub draws: usize,
    /// Of their random numbers.
    pub seed: u64,
}

/// Shares of all topics at some values of the fields.
#[derive(Debug, Clone)]
pub struct Predicted {
    /// The fields with their values.
    pub at: Vec<(String, String)>,
    /// Where that is along the field of [`Question::along`], if that is of numbers, or of dates, in years.
    pub place: Option<f64>,
    /// By topic.
    pub shares: Vec<Estimate>,
}

/// What was estimated.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The coefficients of all topics.
    pub effects: Effects,
    /// What was asked for with `at`.
    pub predicted: Vec<Predicted>,
    /// By coefficient, the documents that it is of.
    pub levels: Vec<CoefficientSupport>,
    /// What the values of categories are compared with.
    pub references: Vec<Reference>,
    /// Documents the run knows the shares of and that are left out, as a value of theirs is missing or cannot be read.
    pub left_out: u64,
    /// Documents of the corpus of which the run has no shares.
    pub no_shares: NoShares,
}

/// What the documents of a run say.
#[derive(Default)]
struct Told {
    ids: Vec<DocumentId>,
    /// By field and document.
    values: Vec<Vec<Option<String>>>,
    shares: Vec<f32>,
}

/// Shares with the tokens that tell them: Dirichlet with θ·(n + Σα), which is what the counts of topics and α were
/// that θ was made of.
struct Shares {
    topics: usize,
    shares: Vec<f32>,
    tokens: Vec<f64>,
}

/// A parameter of less is as good as none, and of 0 there is no distribution.
const LEAST: f64 = 1e-6;

impl Posteriors for Shares {
    fn topics(&self) -> usize {
        self.topics
    }

    fn parameters(&self, document: usize, into: &mut [f64]) {
        let shares = &self.shares[document * self.topics..][..self.topics];
        for (parameter, share) in into.iter_mut().zip(shares) {
            *parameter = (f64::from(*share) * self.tokens[document]).max(LEAST);
        }
    }
}

/// Regresses the shares of a run's topics on fields of its documents. One pass over the fields, the shares and the
/// words of the documents, then what [`estimate`] costs; memory 4·n·K bytes for the shares of n documents.
///
/// # Errors
/// [`FieldError`], [`EffectsError`]; [`WorkError::NoDocuments`] when the run did not look at its documents.
pub fn effects(
    store: &Store,
    run: &Run,
    question: &Question,
    progress: &dyn Progress,
) -> Result<Answer, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let mut names: Vec<String> =
        question.expression.fields().into_iter().map(str::to_string).collect();
    let regressed = names.len();
    if let Some(groups) = question.groups.as_ref().filter(|groups| !names.contains(groups)) {
        names.push(groups.clone());
    }
    let along = question.along.as_ref().map(|(field, _)| field);
    for field in question.at.iter().map(|(field, _)| field).chain(along) {
        if !names[..regressed].contains(field) {
            let known = format!("the expression has {}", names[..regressed].join(", "));
            return Err(
                FieldError::NoField { corpus: corpus.name, field: field.clone(), known }.into()
            );
        }
    }
    let known = fields(store, &corpus, &names)?;
    let kind = |name: &str| {
        known.iter().find(|field| field.name == name).map(|field| field.kind).unwrap_or_default()
    };
    let no_shares = NoShares::new(store, run)?;
    let missing = MissingMarks::new(&corpus.missing);
    let told = told(store, run, &names, &missing, question.condition.as_deref())?;
    let tokens = tokens_of(store, run, &told.ids)?;
    let documents = told.ids.len();
    let mut by_name = BTreeMap::new();
    for (name, values) in names[..regressed].iter().zip(&told.values) {
        by_name.insert(name.clone(), read(name, kind(name), values)?);
    }
    if let Some(place) =
        question.groups.as_ref().and_then(|groups| names.iter().position(|n| n == groups))
    {
        // A document without a group has no place among them.
        for values in by_name.values_mut() {
            values.only_where(|document| told.values[place][document].is_some());
        }
    }
    let design = Design::new(&question.expression, &by_name, documents)?;
    let errors = errors(question, &names, &told, &design);
    let shares = Shares { topics: number::size(run.k), shares: told.shares, tokens };
    let with = (question.draws, question.seed);
    let mut asked = Vec::new();
    let mut rows = Vec::new();
    for at in combinations(&question.at) {
        let value =
            |(field, value): &(String, String)| (field.clone(), read_at(kind(field), value));
        rows.push(design.mean_row(&at.iter().map(value).collect())?);
        asked.push((at, None));
    }
    if let Some((field, most)) = &question.along {
        for value in places(&by_name[field], &design.documents, *most) {
            let (told, place) = match &value {
                FieldValue::Number(number) => (number.to_string(), Some(*number)),
                FieldValue::Category(category) => (category.clone(), None),
            };
            rows.push(design.mean_row(&[(field.clone(), value)].into())?);
            asked.push((vec![(field.clone(), told)], place));
        }
    }
    let effects = estimate(&design, &shares, &errors, with, &rows, progress)?;
    let predicted = |(number, (at, place))| {
        let shares = (0..shares.topics).map(|topic| effects.predicted(topic, number)).collect();
        Predicted { at, place, shares }
    };
    let clusters =
        if let StandardErrors::Clustered(clusters) = &errors { Some(&clusters[..]) } else { None };
    Ok(Answer {
        left_out: (documents - effects.documents) as u64,
        predicted: asked.into_iter().enumerate().map(predicted).collect(),
        levels: design.levels(clusters),
        references: design.references(),
        no_shares,
        effects,
    })
}

/// What a reader has to know of an answer, in lines.
pub fn notes(answer: &Answer) -> Vec<String> {
    let Effects { clusters, .. } = &answer.effects;
    let (units, single) =
        if clusters.is_some() { ("clusters", "cluster") } else { ("documents", "document") };
    let all = || (0..answer.effects.names.len()).map(|at| answer.effects.coefficient(0, at));
    let mut lines = Vec::new();
    if !answer.references.is_empty() {
        let told = answer.references.iter().map(|Reference { field, value, documents }| {
            format!("{field}={value} ({})", counted(*documents, "document"))
        });
        lines.push(format!("compared with {}", told.collect::<Vec<_>>().join(", ")));
    }
    let without = all().filter(|one| one.error.is_none()).count() as u64;
    if without > 0 {
        lines.push(format!(
            "{} without an interval and p: one {single} has most of the weight",
            counted(without, "coefficient")
        ));
    }
    if clusters.is_some_and(|clusters| clusters < FEW_CLUSTERS) {
        lines.push(format!(
            "95% intervals by fewer than {FEW_CLUSTERS} clusters hold the truth less often than that"
        ));
    }
    if all().any(|one| one.error.is_some() && one.rests_on < ENOUGH_DOCUMENTS) {
        lines.push(format!(
            "coefficients that rest on fewer than {ENOUGH_DOCUMENTS} {units} have errors by the spread of all documents where \
             that is larger than their own (column spread)"
        ));
    }
    lines
}

fn told(
    store: &Store,
    run: &Run,
    names: &[String],
    missing: &MissingMarks,
    condition: Option<&str>,
) -> Result<Told, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let chosen = condition.map(|text| store.documents_where(corpus.id, text)).transpose()?;
    let first = || Told { values: vec![Vec::new(); names.len()], ..Told::default() };
    let pieces =
        store.fold_fields_and_proportions(run.id, first, |to, id, json, _, proportions| {
            if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&id)) {
                return;
            }
            let mut values = Vec::new();
            missing.some(json, names, &mut values);
            to.ids.push(id);
            to.values.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
            #[expect(
                clippy::cast_possible_truncation,
                reason = "proportions are saved to seven digits"
            )]
            to.shares.extend(proportions.iter().map(|share| *share as f32));
        })?;
    let join = |mut all: Told, piece: Told| {
        all.ids.extend(piece.ids);
        all.values.iter_mut().zip(piece.values).for_each(|(all, values)| all.extend(values));
        all.shares.extend(piece.shares);
        all
    };
    pieces.into_iter().reduce(join).ok_or(WorkError::NoDocuments { run: run.id })
}

/// The tokens of documents that are in the vocabulary of the run, and Σα.
fn tokens_of(store: &Store, run: &Run, ids: &[DocumentId]) -> Result<Vec<f64>, WorkError> {
    let alpha: f64 = store.alpha(run.id)?.iter().sum();
    let places: HashMap<DocumentId, usize, FixedState> = ids.iter().copied().zip(0..).collect();
    let mut tokens = vec![alpha; ids.len()];
    let known: std::collections::HashSet<u32, FixedState> =
        vocabulary(store, run)?.positions.into_iter().collect();
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    blocks.visit::<WorkError>(0..blocks.sizes().len(), &mut |block| {
        for (id, positions, counts) in block.documents() {
            if let Some(&place) = places.get(&DocumentId(id)) {
                let own =
                    positions.iter().zip(counts).filter(|(position, _)| known.contains(position));
                tokens[place] += own.map(|(_, &count)| f64::from(count)).sum::<f64>();
            }
        }
        Ok(())
    })?;
    Ok(tokens)
}

fn read(name: &str, kind: Kind, values: &[Option<String>]) -> Result<FieldValues, EffectsError> {
    match kind.def().number {
        Some(number) => {
            Ok(FieldValues::Number(values.iter().map(|value| number(value.as_deref()?)).collect()))
        }
        None => {
            let mut each: Vec<&String> = values.iter().flatten().collect();
            each.sort_unstable();
            each.dedup();
            match each.len() {
                ..=MOST_CATEGORIES => Ok(FieldValues::Category(values.to_vec())),
                categories => Err(EffectsError::ManyCategories {
                    field: name.into(),
                    categories,
                    most: MOST_CATEGORIES,
                }),
            }
        }
    }
}

fn read_at(kind: Kind, value: &str) -> FieldValue {
    kind.number(value).map_or_else(|| FieldValue::Category(value.into()), FieldValue::Number)
}

fn errors(question: &Question, names: &[String], told: &Told, design: &Design) -> StandardErrors {
    let Some(groups) = &question.groups else {
        return if question.is_alike {
            StandardErrors::Homoscedastic
        } else {
            StandardErrors::Robust
        };
    };
    let place = names.iter().position(|name| name == groups).unwrap_or(0);
    let mut numbers: HashMap<&str, u32, FixedState> = HashMap::default();
    let group = |document: &usize| {
        let value = told.values[place][*document].as_deref().unwrap_or_default();
        let next = number::next(numbers.len());
        *numbers.entry(value).or_insert(next)
    };
    StandardErrors::Clustered(design.documents.iter().map(group).collect())
}

/// Places along a field as documents have it: numbers evenly apart from the least to the largest, or the categories of
/// most documents.
fn places(values: &FieldValues, documents: &[usize], most: usize) -> Vec<FieldValue> {
    match values {
        FieldValues::Number(numbers) => {
            let own = || documents.iter().filter_map(|&document| numbers[document]);
            let (least, largest) = (own().fold(f64::MAX, f64::min), own().fold(f64::MIN, f64::max));
            let steps = most.saturating_sub(1).max(1);
            let place = |step: usize| {
                // The last is the largest, whatever rounding makes of it.
                (least + (largest - least) * step as f64 / steps as f64).clamp(least, largest)
            };
            (0..=steps).map(|step| FieldValue::Number(place(step))).collect()
        }
        FieldValues::Category(categories) => {
            let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
            for category in documents.iter().filter_map(|&document| categories[document].as_ref()) {
                *counts.entry(category).or_default() += 1;
            }
            let mut counts: Vec<(&String, usize)> = counts.into_iter().collect();
            counts.sort_by_key(|(_, documents)| std::cmp::Reverse(*documents));
            counts
                .into_iter()
                .take(most)
                .map(|(name, _)| FieldValue::Category(name.clone()))
                .collect()
        }
    }
}

/// Every combination of a value of each field, which may be there several times.
fn combinations(at: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    let mut by_field: Vec<(&String, Vec<&String>)> = Vec::new();
    for (field, values) in at {
        let known = by_field.iter().position(|(name, _)| *name == field);
        let place = known.unwrap_or(by_field.len());
        if known.is_none() {
            by_field.push((field, Vec::new()));
        }
        for value in values {
            if !by_field[place].1.contains(&value) {
                by_field[place].1.push(value);
            }
        }
    }
    if by_field.is_empty() {
        return Vec::new();
    }
    by_field.iter().fold(vec![Vec::new()], |all, (field, values)| {
        let with = |one: &Vec<(String, String)>| {
            let add = |value: &&String| {
                one.iter().cloned().chain([((*field).clone(), (*value).clone())]).collect()
            };
            values.iter().map(add).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

//! How shares of a run's topics depend on the fields of its documents.

mod asked;
mod documents;
pub mod notes;
mod uncertain_topics;

use std::collections::BTreeMap;

use ndarray::Array2;

use super::fields::{FieldError, fields};
use super::no_shares::NoShares;
use super::shares::ShareReader;
use crate::work::work_error::WorkError;
use asked::Asked;
use documents::RunDocuments;
use topoi_core::effects::EffectsError;
use topoi_core::effects::design::fields::FieldValues;
use topoi_core::effects::design::{CoefficientSupport, Design, Reference};
use topoi_core::effects::formula::Formula;
use topoi_core::effects::regression::{
    Dependence, Estimate, Outcomes, Regression, RegressionRequest, SpreadChoice, regress,
};
use topoi_core::fields::kind::COUNTS;
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_core::progress::Progress;
use topoi_store::Store;
use topoi_store::id::TopicNumber;
use topoi_store::run::Run;

/// The field that every document has: the number of its tokens. A field of this name in the corpus
/// comes first.
pub const TOKENS: &str = "tokens";

/// A regression of topic shares on fields, with the predictions and differences to make of it.
#[derive(Debug, Clone)]
pub struct Question {
    /// As `~ party + s(year)`.
    pub formula: Formula,
    /// The topics; none for all.
    pub topics: Vec<TopicNumber>,
    /// One or two fields: documents of different values are independent.
    pub clusters: Vec<String>,
    /// Fields whose values' means are taken out.
    pub absorb: Vec<String>,
    /// The field of documents' weights.
    pub weights: Option<String>,
    /// The spread of standard errors.
    pub spread: SpreadChoice,
    /// How shares are estimated.
    pub shares: ShareEstimate,
    /// Whether the uncertainty of the topics is added, from runs on halves of the documents.
    pub are_topics_uncertain: bool,
    /// A condition on the columns of the table `document`.
    pub condition: Option<String>,
    /// Values to predict at, one or more for each field; each combination is one prediction.
    pub at: Vec<(String, Vec<String>)>,
    /// A field with values, the first of which is compared with each other: the differences of their
    /// predictions, at each combination of `at`.
    pub contrast: Option<(String, Vec<String>)>,
    /// Fields whose average marginal effects are asked for: of a number the mean slope, of categories
    /// the mean differences from the reference.
    pub marginal: Vec<String>,
    /// A field to predict along, and the number of places: numbers and dates evenly apart, or
    /// categories; at each combination of `at`.
    pub along: Option<(String, usize)>,
    /// Fields of the formula for whose values predictions along a field are made each, beside those of
    /// `at`: of categories those of most documents, of numbers their quartiles.
    pub by: Vec<String>,
    /// Number of values of a field of `by`.
    pub most_by: usize,
}

impl Question {
    /// The question of the coefficients of a formula alone.
    pub fn new(formula: Formula) -> Self {
        Self {
            formula,
            topics: Vec::new(),
            clusters: Vec::new(),
            absorb: Vec::new(),
            weights: None,
            spread: SpreadChoice::default(),
            shares: ShareEstimate::default(),
            are_topics_uncertain: false,
            condition: None,
            at: Vec::new(),
            contrast: None,
            marginal: Vec::new(),
            along: None,
            by: Vec::new(),
            most_by: 0,
        }
    }

    /// The fields of the formula, then those of clusters, absorbed ones and weights, each once.
    fn fields(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.formula.fields().into_iter().map(str::to_string).collect();
        for name in self.clusters.iter().chain(&self.absorb).chain(&self.weights) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

/// A combination of coefficients that was asked for: a prediction, a difference or a slope.
#[derive(Debug, Clone)]
pub struct Predicted {
    /// What it is, in words.
    pub name: String,
    /// The values of [`Question::at`] alone, as a series of predictions along a field has them.
    pub series: String,
    /// The place along the field of [`Question::along`] if that is of numbers, or of dates, in years.
    pub place: Option<f64>,
    /// The value along that field, as text.
    pub value: String,
    /// By topic of [`Answer::topics`].
    pub estimates: Vec<Estimate>,
}

/// A test of a term: whether all of its coefficients are 0.
#[derive(Debug, Clone)]
pub struct TermTest {
    /// The term.
    pub term: String,
    /// By topic of [`Answer::topics`]; `None` where a coefficient has no error.
    pub tests: Vec<Option<topoi_core::effects::regression::JointTest>>,
}

/// What was estimated.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The topics, in the order of the estimates.
    pub topics: Vec<TopicNumber>,
    /// The coefficients of these topics.
    pub regression: Regression,
    /// The predictions, differences and slopes that were asked for.
    pub predicted: Vec<Predicted>,
    /// A test of every term.
    pub tests: Vec<TermTest>,
    /// By coefficient, the documents that it is of.
    pub levels: Vec<CoefficientSupport>,
    /// What the values of categories are compared with.
    pub references: Vec<Reference>,
    /// Documents with shares that are left out, as a value of theirs is missing or cannot be read.
    pub left_out: u64,
    /// Of these, documents of weight 0.
    pub without_weight: u64,
    /// Documents of the corpus of which the run has no shares.
    pub no_shares: NoShares,
    /// The condition number of the topics' words, which linear estimates depend on.
    pub condition: f64,
    /// The runs on halves that the uncertainty of topics is from.
    pub halves: Vec<topoi_store::id::RunId>,
    /// What a reader has to know, in lines.
    pub notes: Vec<String>,
}

impl Answer {
    /// Number of lines of a figure of predictions along a field: series times topics.
    pub fn lines(&self) -> usize {
        let mut series: Vec<&str> = self.predicted.iter().map(|one| one.series.as_str()).collect();
        series.sort_unstable();
        series.dedup();
        series.len() * self.topics.len()
    }

    /// Place of a topic among the estimates.
    pub fn place(&self, topic: TopicNumber) -> Option<usize> {
        self.topics.iter().position(|other| *other == topic)
    }
}

/// Regresses the shares of a run's topics on fields of its documents. One pass over the fields and words of the
/// documents, then what [`regress`] costs; memory 4·n·K bytes for the shares of n documents. With uncertain topics
/// once more for each half.
///
/// # Errors
/// [`FieldError`], [`EffectsError`]; [`WorkError::NoDocuments`] when the run has no documents;
/// [`WorkError::NoHalves`].
pub fn effects(
    store: &Store,
    run: &Run,
    question: &Question,
    progress: &dyn Progress,
) -> Result<Answer, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let names = question.fields();
    let formula_fields = question.formula.fields();
    let asked = question.at.iter().chain(&question.contrast).map(|(field, _)| field);
    let asked = asked.chain(question.along.as_ref().map(|(field, _)| field));
    for field in asked.chain(&question.marginal).chain(&question.by) {
        if !formula_fields.contains(field.as_str()) {
            let all = formula_fields.iter().copied().collect::<Vec<_>>().join(", ");
            let known = format!("the formula has {all}");
            let (corpus, field) = (corpus.name, field.clone());
            return Err(FieldError::NoField { corpus, field, known }.into());
        }
    }
    let (known, counts_tokens) = match fields(store, &corpus, &names) {
        Err(FieldError::NoField { field, .. }) if field == TOKENS => {
            let others: Vec<String> =
                names.iter().filter(|name| *name != TOKENS).cloned().collect();
            let known =
                if others.is_empty() { Vec::new() } else { fields(store, &corpus, &others)? };
            (known, true)
        }
        other => (other?, false),
    };
    for field in &known {
        field.check_readable(&corpus.name)?;
    }
    let kind = |name: &str| match known.iter().find(|field| field.name == name) {
        Some(field) => field.kind,
        None => COUNTS,
    };
    let reader = ShareReader::new(store, run, question.shares, &question.topics)?;
    let mut documents = RunDocuments::read(
        store,
        run,
        &reader,
        (&names, counts_tokens),
        question.condition.as_deref(),
    )?;
    let values: BTreeMap<String, FieldValues> =
        names.iter().map(|name| (name.clone(), documents.field(name, kind(name)))).collect();
    let weights = question.weights.as_ref().map(|field| weights_of(field, &values[field]));
    let weights = weights.transpose()?;
    let others: Vec<&FieldValues> =
        question.clusters.iter().chain(&question.absorb).map(|field| &values[field]).collect();
    let is_usable = |document: usize| {
        others.iter().all(|values| values.has(document))
            && weights.as_ref().is_none_or(|weights| weights[document] > 0.0)
    };
    let count = documents.ids.len();
    let mut design = Design::new(&question.formula, &values, count, is_usable)?;
    if let Some(weights) = &weights {
        let own: Vec<f64> = design.documents.iter().map(|&document| weights[document]).collect();
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        design.weights = Some(own.into_iter().map(|weight| weight / mean).collect());
    }
    let of_documents = |field: &String| -> Vec<u32> {
        // Levels that no document has are left out, so that clusters are counted rightly.
        let mut numbers = std::collections::HashMap::new();
        let number = |document: &usize| {
            let next = crate::number::next(numbers.len());
            *numbers.entry(values[field].level(*document)).or_insert(next)
        };
        design.documents.iter().map(number).collect()
    };
    let dependence = match &question.clusters[..] {
        [] => Dependence::Independent,
        [one] => Dependence::Clustered(of_documents(one)),
        [one, other, ..] => Dependence::TwoWay([of_documents(one), of_documents(other)]),
    };
    let asked = Asked::new(question, &design, kind)?;
    let request = RegressionRequest {
        dependence: &dependence,
        spread: question.spread,
        absorbed: question.absorb.iter().map(of_documents).collect(),
        combinations: asked.rows.clone(),
    };
    let clusters = match &dependence {
        Dependence::Clustered(clusters) | Dependence::TwoWay([clusters, _]) => Some(&clusters[..]),
        Dependence::Independent => None,
    };
    let skipped = usize::from(design.has_constant && !question.absorb.is_empty());
    let levels = design.levels(clusters).split_off(skipped);
    let references = design.references();
    let terms: Vec<(String, std::ops::Range<usize>)> = design
        .terms()
        .map(|(name, columns)| (name, columns.start - skipped..columns.end - skipped))
        .collect();
    let inverse_tokens = documents.inverse_tokens_of(&design.documents);
    let shares = documents.take_shares(&design.documents);
    let again = question.are_topics_uncertain.then(|| (design.clone(), shares.clone()));
    let outcomes = |shares: Array2<f32>| Outcomes {
        shares,
        inverse_tokens: &inverse_tokens,
        token_variances: &reader.token_variances,
    };
    let mut regression = regress(design, outcomes(shares), &request, progress)?;
    let without_weight = weights
        .as_ref()
        .map_or(0, |weights| (0..count).filter(|&at| weights[at] == 0.0).count() as u64);
    let halves = match &again {
        None => Vec::new(),
        Some((design, own)) => uncertain_topics::add(
            (store, run),
            (&documents, &reader),
            (&design.documents, own),
            &mut regression,
            &|shares| regress(design.clone(), outcomes(shares), &request, progress),
        )?,
    };
    let tests = terms
        .into_iter()
        .map(|(term, columns)| TermTest { term, tests: regression.joint(columns) });
    let mut answer = Answer {
        tests: tests.collect(),
        left_out: (count - regression.documents) as u64,
        without_weight,
        predicted: asked.answered(&regression),
        levels,
        references,
        no_shares: NoShares::new(store, run)?,
        condition: reader.condition,
        topics: reader.topics.clone(),
        regression,
        halves,
        notes: Vec::new(),
    };
    answer.notes = notes::notes(&answer, question);
    answer.notes.extend(reader.notes());
    answer.notes.extend(notes::used_to_choose(store, run, question)?);
    Ok(answer)
}

/// The weights of all documents; 0 without one.
fn weights_of(field: &str, values: &FieldValues) -> Result<Vec<f64>, EffectsError> {
    if !values.are_numbers() {
        let (field, factor) = (field.into(), "a weight".into());
        return Err(EffectsError::NotANumber { field, factor });
    }
    let weight = |document: usize| match values.number(document) {
        Some(weight) if weight < 0.0 => {
            Err(EffectsError::NegativeWeight { field: field.into(), value: weight.to_string() })
        }
        other => Ok(other.unwrap_or(0.0)),
    };
    (0..values.documents()).map(weight).collect()
}

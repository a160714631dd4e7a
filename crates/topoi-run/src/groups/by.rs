//! The topics of a run in the groups that fields of its documents make: shares with intervals, what distinguishes
//! groups, and a smooth line over time.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::fields::{Field, FieldError, Part, Rule, fields_of_parts};
use super::grouped::{Grouped, Groups, MOST_SHARES};
use super::no_shares::NoShares;
use super::shares::ShareReader;
use crate::work::work_error::WorkError;
use topoi_core::fields::date::PeriodLength;
use topoi_core::fields::kind::Grouping;
use topoi_core::fields::smooth::{Point, Smooth, smooth};
use topoi_core::fields::sums::{Difference, GroupSums, PooledSpread, Share};
use topoi_core::fields::values::MissingMarks;
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_core::stream::parts::{Parts, SinglePart, share_failure, share_made};
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::run::Run;

/// What documents weigh in the share of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Each the same: a share is the mean of the documents' shares.
    #[default]
    Documents,
    /// As many tokens as they have: a share is that of the group's tokens.
    Tokens,
}

/// What is asked of the fields of a run's documents.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Question {
    /// The fields; with several, groups have a value of each.
    pub fields: Vec<String>,
    /// The topic, where it is one.
    pub topic: Option<TopicNumber>,
    /// What documents weigh.
    pub weight: Weight,
    /// What dates are put together by.
    pub per: Option<PeriodLength>,
    /// A condition on the columns of the table `document`.
    pub condition: Option<String>,
    /// How shares are estimated.
    pub shares: ShareEstimate,
}

/// A group of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What it is of each field.
    pub parts: Vec<Part>,
    /// How many of its documents the run looked at.
    pub documents: u64,
}

/// A topic in a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Where its group stands among the groups.
    pub group: usize,
    /// The topic's number.
    pub topic: TopicNumber,
    /// Its share in the group.
    pub share: Share,
    /// How far that is from its share in all other groups together; `None` of one group alone.
    pub difference: Option<Difference>,
    /// The smooth line over time there.
    pub smooth: Option<Smooth>,
}

/// Documents that are in no group, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NotGrouped {
    /// Of each field, the documents without a value.
    pub without: Vec<u64>,
    /// Of each field, the documents whose value cannot be read.
    pub unreadable: Vec<u64>,
    /// Of each field, one of these values.
    pub example: Vec<Option<String>>,
    /// Documents for which the condition does not hold.
    pub other: u64,
}

impl NotGrouped {
    /// No documents, for this number of fields.
    pub(super) fn new(fields: usize) -> Self {
        Self {
            without: vec![0; fields],
            unreadable: vec![0; fields],
            example: vec![None; fields],
            other: 0,
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.other += other.other;
        for (sum, more) in self.without.iter_mut().zip(other.without) {
            *sum += more;
        }
        for (sum, more) in self.unreadable.iter_mut().zip(other.unreadable) {
            *sum += more;
        }
        for (own, other) in self.example.iter_mut().zip(other.example) {
            *own = own.take().or(other);
        }
    }
}

/// What a run says of groups of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The fields with their kinds.
    pub fields: Vec<Field>,
    /// How each makes groups.
    pub rules: Vec<Rule>,
    /// The groups in their order: periods in that of time.
    pub groups: Vec<Group>,
    /// Topics in groups: over time by topic and time, else those first whose share is surest to differ from that
    /// in the other groups.
    pub cells: Vec<Cell>,
    /// Documents in no group.
    pub not_grouped: NotGrouped,
    /// Documents of the corpus of which the run has no shares.
    pub no_shares: NoShares,
    /// How shares are estimated.
    pub shares: ShareEstimate,
    /// Lines about topics that are hard to tell from others.
    pub hard_topics: Vec<String>,
}

impl Answer {
    /// Whether the groups are periods.
    pub fn is_over_time(&self) -> bool {
        matches!(self.rules[..], [Rule::Period(..)])
    }
}

/// The topics of `run` in the groups that the fields of its documents make. One pass over the fields of the
/// corpus, and one over the words of the run's documents, by all threads.
///
/// # Errors
/// [`FieldError`]; [`WorkError::NoDocuments`] when the run did not look at its documents;
/// [`WorkError::DocumentsInParts`] when they are in other stores.
pub fn by(store: &Store, run: &Run, question: &Question) -> Result<Answer, WorkError> {
    by_in_parts(store, run, question, &SinglePart)
}

/// As [`by`], of a corpus in parts: all parts call this with their stores and the run as they have it, and have the same
/// answer. What they send each other are sums by groups, whatever the number of documents.
///
/// # Errors
/// Those of [`by`], on all parts.
pub fn by_in_parts(
    store: &Store,
    run: &Run,
    question: &Question,
    parts: &dyn Parts,
) -> Result<Answer, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    if let Some(parts) = store.parts_elsewhere(corpus.id)? {
        return Err(WorkError::DocumentsInParts { run: run.id, parts });
    }
    let names = &question.fields;
    let found = fields_of_parts(store, &corpus, names, parts)?;
    let of = |name: &String| found.iter().find(|field| field.name == *name).cloned();
    let fields: Vec<Field> = names.iter().filter_map(of).collect();
    let is_of_dates = |field: &Field| field.kind.def().grouping == Grouping::Periods;
    if let Some(per) = question.per.filter(|_| !fields.iter().any(is_of_dates)) {
        let told = fields.iter().map(|field| format!("{} is {}", field.name, field.kind.name()));
        let fields = told.collect::<Vec<_>>().join(", ");
        return Err(FieldError::NoDates { per: per.name(), fields }.into());
    }
    let rules: Result<Vec<Rule>, FieldError> =
        fields.iter().map(|field| field.rule(&corpus.name, question.per)).collect();
    let rules = rules?;
    let own = read_sums(store, run, &corpus, question, &rules);
    let (reader, own) = own.map_err(|error| share_failure(parts, error))?;
    let mut all: Vec<ReadSums> = share_made(parts, Ok::<_, WorkError>(own))?;
    for (_, other) in (0..).zip(&all).filter(|(part, _)| *part != parts.number()) {
        reader.add_counts(&other.counts);
    }
    let mut no_shares = NoShares::default();
    all.iter().for_each(|sums| no_shares.merge(sums.no_shares));
    no_shares.continued_by = all.first().and_then(|sums| sums.no_shares.continued_by);
    let grouped = all.drain(..).filter_map(|sums| sums.groups).reduce(|mut all, groups| {
        all.merge(groups);
        all
    });
    let Some(grouped) = grouped else { return Err(WorkError::NoDocuments { run: run.id }) };
    if grouped.is_too_many {
        let most = MOST_SHARES / reader.topics.len().max(1);
        return Err(FieldError::TooManyGroups { fields: names.join(", "), most }.into());
    }
    if grouped.sums.is_empty() {
        let mut and =
            question.per.map_or_else(String::new, |per| format!(" and tells its {}", per.name()));
        and += if question.condition.is_some() { " and is chosen by --where" } else { "" };
        let (fields, corpus) = (names.join(", "), corpus.name);
        return Err(FieldError::NoGroups { fields, and, corpus }.into());
    }
    let Groups { sums: groups, not_grouped, .. } = grouped;
    let told = groups
        .iter()
        .map(|(parts, sums)| Group { parts: parts.clone(), documents: sums.documents });
    let mut answer = Answer {
        groups: told.collect(),
        fields,
        rules,
        cells: Vec::new(),
        not_grouped,
        no_shares,
        shares: question.shares,
        hard_topics: reader.notes(),
    };
    answer.cells = cells(&groups, &reader, answer.is_over_time());
    Ok(answer)
}

/// What one part has read of its documents.
#[derive(Serialize, Deserialize)]
struct ReadSums {
    /// `None` where the run has no documents.
    groups: Option<Groups>,
    no_shares: NoShares,
    /// Of the reader.
    counts: (u64, Vec<u64>),
}

fn read_sums(
    store: &Store,
    run: &Run,
    corpus: &Corpus,
    question: &Question,
    rules: &[Rule],
) -> Result<(ShareReader, ReadSums), WorkError> {
    let chosen = question.condition.as_deref();
    let chosen = chosen.map(|text| store.documents_where(corpus.id, text)).transpose()?;
    let missing = MissingMarks::new(&corpus.missing);
    let reader = ShareReader::new(store, run, question.shares, question.topic.as_slice())?;
    let reading = (&question.fields[..], rules, &missing);
    let grouped = grouped((store, run, &reader), reading, chosen.as_ref(), question.weight)?;
    let read = ReadSums {
        groups: grouped.map(Grouped::in_order),
        no_shares: NoShares::new(store, run)?,
        counts: reader.counts(),
    };
    Ok((reader, read))
}

fn grouped(
    (store, run, reader): (&Store, &Run, &ShareReader),
    (names, rules, missing): (&[String], &[Rule], &MissingMarks),
    chosen: Option<&HashSet<DocumentId>>,
    weight: Weight,
) -> Result<Option<Grouped>, WorkError> {
    let first = || Grouped::none(names.len());
    let pieces = reader.fold(store, run, first, |to, document| {
        if chosen.is_some_and(|chosen| !chosen.contains(&document.id)) {
            to.not_grouped.other += 1;
            return;
        }
        let mut values = std::mem::take(&mut to.values);
        missing.some(document.fields, names, &mut values);
        to.values = values;
        let weight = match weight {
            Weight::Documents => 1.0,
            Weight::Tokens => document.tokens as f64,
        };
        to.add(rules, document.shares, weight, document.inverse_tokens);
    })?;
    Ok(pieces.into_iter().reduce(|mut all, piece| {
        all.merge(piece);
        all
    }))
}

fn cells(groups: &[(Vec<Part>, GroupSums)], reader: &ShareReader, is_over_time: bool) -> Vec<Cell> {
    let k = reader.topics.len();
    let mut all = GroupSums::new(k);
    groups.iter().for_each(|(_, sums)| all.merge(sums));
    let rests: Vec<GroupSums> = groups.iter().map(|(_, sums)| all.without(sums)).collect();
    let sums = groups.iter().map(|(_, sums)| sums);
    let pooled = PooledSpread::new(k, sums, &reader.token_variances);
    let mut cells = Vec::new();
    for (topic, number) in reader.topics.iter().enumerate() {
        let cell = |(group, (_, sums)): (usize, &(Vec<Part>, GroupSums))| {
            let share = pooled.share(sums, topic)?;
            let rest = pooled.share(&rests[group], topic).filter(|_| groups.len() > 1);
            let difference = rest.map(|rest| share.minus(rest));
            Some(Cell { group, topic: *number, share, difference, smooth: None })
        };
        let from = cells.len();
        cells.extend(groups.iter().enumerate().filter_map(cell));
        if is_over_time {
            draw(groups, &mut cells[from..]);
        }
    }
    if !is_over_time {
        let sure =
            |cell: &Cell| cell.difference.map_or(f64::NEG_INFINITY, Difference::distance_from_zero);
        cells.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
    }
    cells
}

/// Draws the smooth line of one topic through its cells, which are periods.
fn draw(groups: &[(Vec<Part>, GroupSums)], cells: &mut [Cell]) {
    let point = |cell: &Cell| {
        let (parts, sums) = &groups[cell.group];
        let at = match parts.first() {
            Some(Part::Period(period)) => period.number().into(),
            _ => cell.group as f64,
        };
        let Share { share, error, .. } = cell.share;
        Point { at, share, error, documents: sums.documents as f64 }
    };
    let points: Vec<Point> = cells.iter().map(point).collect();
    for (cell, line) in cells.iter_mut().zip(smooth(&points).into_iter().flatten()) {
        cell.smooth = Some(line);
    }
}

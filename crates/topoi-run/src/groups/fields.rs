//! The fields of a corpus's documents: what kind they are, which values they have, and how documents are put into
//! groups by them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use crate::work::work_error::WorkError;
use topoi_core::fields::date::{Period, PeriodLength};
use topoi_core::fields::kind::{Grouping, Kind, ValueSummary};
use topoi_core::fields::values::{MissingMarks, all, some, text};
use topoi_core::shell_word::shell_word;
use topoi_core::stream::parts::{Parts, share_made};
use topoi_store::corpus::Corpus;
use topoi_store::{Store, StoreError};

/// Why documents cannot be put into groups by a field.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// No document has the field.
    #[error("corpus {corpus:?} has no field {field:?}; {known}")]
    NoField {
        /// Name of the corpus.
        corpus: String,
        /// Its name, as it was written.
        field: String,
        /// What it has, in words.
        known: String,
    },
    /// Its values cannot be read as what it is said to be.
    #[error("no value of the field {field:?} can be read as a {kind}, as {example:?} cannot")]
    NotOfKind {
        /// Name of the corpus.
        corpus: String,
        /// Its name, as it was written.
        field: String,
        /// Name of the kind that they are said to be of.
        kind: &'static str,
        /// One of its values.
        example: String,
    },
    /// Dates are to be put together that are no dates.
    #[error("--per {per} puts dates together, and none of the fields is of dates: {fields}")]
    NoDates {
        /// What they are put together by.
        per: &'static str,
        /// The fields with their kinds.
        fields: String,
    },
    /// So many groups are no groups.
    #[error("{fields} makes more than {most} groups")]
    TooManyGroups {
        /// Their names, with commas.
        fields: String,
        /// How many there may be.
        most: usize,
    },
    /// No document is left.
    #[error("no document has a value of {fields} that can be read{and}")]
    NoGroups {
        /// Their names, with commas.
        fields: String,
        /// What else was asked.
        and: String,
        /// Name of the corpus.
        corpus: String,
    },
    /// The store cannot be read.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// A field and what its values look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// As the documents call it.
    pub name: String,
    /// What it is: as somebody said, else as its values look.
    pub kind: Kind,
    /// Whether somebody said so.
    pub is_set: bool,
    /// Documents of the corpus without a value.
    pub without: u64,
    /// Those of them whose value is a mark of missing ones, such as NA.
    pub marked: u64,
    /// Its values.
    pub tally: ValueSummary,
}

/// The values of some fields met so far, and how many documents have them: values are looked at once, not once
/// for each document.
type Counts = HashMap<String, HashMap<String, u64, FixedState>, FixedState>;

/// Values of a field whose counts are held before they are added up.
const HELD: usize = 1 << 14;

/// What a thread has met.
#[derive(Default)]
struct Met {
    documents: u64,
    counts: Counts,
    fields: BTreeMap<String, (ValueSummary, u64)>,
}

impl Met {
    fn add(&mut self, name: &str, value: String, missing: &MissingMarks) {
        if missing.is_mark(&value) {
            self.fields.entry(name.into()).or_default().1 += 1;
            return;
        }
        // A name is copied once, not for each document.
        let counts = match self.counts.get_mut(name) {
            Some(counts) => counts,
            None => self.counts.entry(name.into()).or_default(),
        };
        *counts.entry(value).or_default() += 1;
        if counts.len() > HELD {
            let counts = std::mem::take(counts);
            tally(&mut self.fields, name, counts);
        }
    }

    fn finished(mut self) -> Summaries {
        for (name, counts) in std::mem::take(&mut self.counts) {
            tally(&mut self.fields, &name, counts);
        }
        Summaries { documents: self.documents, fields: self.fields, said: Vec::new() }
    }
}

fn tally(
    fields: &mut BTreeMap<String, (ValueSummary, u64)>,
    name: &str,
    counts: HashMap<String, u64, FixedState>,
) {
    let tally = &mut fields.entry(name.into()).or_default().0;
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_unstable();
    counts.iter().for_each(|(value, documents)| tally.add(value, *documents));
}

/// The fields of a corpus by name; only those of `names` where there are any. One pass over its documents, by all
/// threads.
///
/// # Errors
/// [`FieldError::NoField`]; when the store cannot be read.
pub fn fields(store: &Store, corpus: &Corpus, names: &[String]) -> Result<Vec<Field>, FieldError> {
    Summaries::read(store, corpus, names)?.into_fields(store, corpus, names)
}

/// As [`fields`], of all parts of a corpus in parts; `store` is that of this part. What somebody said of a field in part 0
/// counts.
pub(super) fn fields_of_parts(
    store: &Store,
    corpus: &Corpus,
    names: &[String],
    parts: &dyn Parts,
) -> Result<Vec<Field>, WorkError> {
    let own = Summaries::read(store, corpus, names).map_err(WorkError::from);
    let mut all = share_made(parts, own)?.into_iter();
    let mut found = all.next().unwrap_or_default();
    all.for_each(|other| found.merge(other));
    Ok(found.into_fields(store, corpus, names)?)
}

/// The values of the fields of a corpus's documents, additive over documents.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Summaries {
    documents: u64,
    /// The values of each field, and the documents whose value is a mark of missing ones.
    fields: BTreeMap<String, (ValueSummary, u64)>,
    /// (field, kind) as somebody said.
    said: Vec<(String, String)>,
}

impl Summaries {
    fn read(store: &Store, corpus: &Corpus, names: &[String]) -> Result<Self, FieldError> {
        let missing = MissingMarks::new(&corpus.missing);
        let met = store.fold_fields(corpus.id, Met::default, |met, _, fields| {
            met.documents += 1;
            if names.is_empty() {
                for (name, value) in all(fields) {
                    if let Some(value) = text(&value) {
                        met.add(&name, value, &missing);
                    }
                }
            } else {
                let mut values = Vec::new();
                some(fields, names, &mut values);
                for (name, value) in names.iter().zip(values) {
                    if let Some(value) = value {
                        met.add(name, value, &missing);
                    }
                }
            }
        })?;
        let said = store.field_kinds(corpus.id)?;
        let mut all = Self { said, ..Self::default() };
        met.into_iter().map(Met::finished).for_each(|met| all.merge(met));
        Ok(all)
    }

    fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        for (name, (values, marked)) in other.fields {
            let own = self.fields.entry(name).or_default();
            own.0.merge(values);
            own.1 += marked;
        }
    }

    /// The fields, by name.
    ///
    /// # Errors
    /// [`FieldError::NoField`] for one of `names` that no document has.
    fn into_fields(
        self,
        store: &Store,
        corpus: &Corpus,
        names: &[String],
    ) -> Result<Vec<Field>, FieldError> {
        let Self { documents, fields, said } = self;
        if let Some(field) = names.iter().find(|name| !fields.contains_key(*name)) {
            return Err(no_field(store, corpus, field)?);
        }
        let field = |(name, (tally, marked)): (String, (ValueSummary, u64))| {
            let said = said.iter().find(|(field, _)| *field == name);
            let said = said.and_then(|(_, kind)| kind.parse::<Kind>().ok());
            Field {
                kind: said.unwrap_or_else(|| tally.kind(&name)),
                is_set: said.is_some(),
                without: documents - tally.values,
                marked,
                name,
                tally,
            }
        };
        Ok(fields.into_iter().map(field).collect())
    }
}

fn no_field(store: &Store, corpus: &Corpus, field: &str) -> Result<FieldError, FieldError> {
    store.require_documents(corpus)?;
    let known: Vec<String> =
        fields(store, corpus, &[])?.into_iter().map(|field| field.name).collect();
    let known = match known.is_empty() {
        true => format!(
            "its documents have no fields: JSON Lines and CSV bring them, and names of files with `topoi fields {} --from-path \
             '{{author}}-{{year}}.txt'`",
            shell_word(&corpus.name)
        ),
        false => format!("it has {}", known.join(", ")),
    };
    Ok(FieldError::NoField { corpus: corpus.name.clone(), field: field.into(), known })
}

/// Groups that numbers with many values are put into.
const RANGES: usize = 5;
/// Numbers with no more values than this are groups of their own.
const FEW_NUMBERS: usize = 20;

/// How a value becomes a group.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Every value is a group.
    Value,
    /// Every period is.
    Period(PeriodLength, Kind),
    /// Every number of a value of this kind is, in their order.
    Number(Kind),
    /// Ranges of these numbers with about as many documents each are, which end at these.
    Range(Kind, Vec<f64>),
}

/// What a group is of one field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// Dates within a year, month or another period.
    Period(Period),
    /// A value of a field of numbers.
    Number(f64),
    /// From one number up to another.
    Range {
        /// The least number of all, or the largest of the range before.
        low: f64,
        /// The largest number that falls into it.
        high: f64,
        /// Whether `low` falls into it: into the first range alone.
        with_low: bool,
    },
    /// A value as it stands.
    Value(String),
}

// No number of a part is none: such values cannot be read.
impl Eq for Part {}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Period(one), Self::Period(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (
                Self::Range { low: one, high: end, .. },
                Self::Range { low: other, high: other_end, .. },
            ) => one.total_cmp(other).then(end.total_cmp(other_end)),
            (Self::Value(one), Self::Value(other)) => one.cmp(other),
            // Parts of one field are of one sort.
            _ => Ordering::Equal,
        }
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Period(period) => write!(f, "{period}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Range { low, high, with_low: true } => write!(f, "{low} to {high}"),
            Self::Range { low, high, with_low: false } => write!(f, "over {low} to {high}"),
            Self::Value(value) => f.write_str(value),
        }
    }
}

impl Field {
    /// How documents are put into groups by it, dates by `per`; without that by years, or by months where there
    /// are fewer than 4 years and months are known.
    ///
    /// # Errors
    /// [`FieldError::NotOfKind`].
    pub fn rule(&self, corpus: &str, per: Option<PeriodLength>) -> Result<Rule, FieldError> {
        self.check_readable(corpus)?;
        let has_few = self.tally.distinct().is_some_and(|n| n <= FEW_NUMBERS);
        Ok(match self.kind.def().grouping {
            Grouping::Periods => Rule::Period(per.unwrap_or_else(|| self.period()), self.kind),
            Grouping::Numbers if has_few => Rule::Number(self.kind),
            Grouping::Numbers => Rule::Range(self.kind, self.tally.quantiles(self.kind, RANGES)),
            Grouping::Values => Rule::Value,
        })
    }

    /// Checks that some value can be read as its kind.
    pub(super) fn check_readable(&self, corpus: &str) -> Result<(), FieldError> {
        if self.tally.values == 0 || self.tally.unreadable(self.kind) < self.tally.values {
            return Ok(());
        }
        Err(FieldError::NotOfKind {
            corpus: corpus.into(),
            field: self.name.clone(),
            kind: self.kind.name(),
            example: self.tally.unreadable_value(self.kind).unwrap_or_default().into(),
        })
    }

    fn period(&self) -> PeriodLength {
        match self.tally.years_spanned() {
            Some(years) if years < 4 && !self.tally.are_years() => PeriodLength::Month,
            _ => PeriodLength::Year,
        }
    }
}

impl Rule {
    /// What it takes a value for.
    pub fn expected_value(&self) -> &'static str {
        match self {
            Self::Period(PeriodLength::Decade | PeriodLength::Year, _) => "a date",
            Self::Period(PeriodLength::Quarter, _) => "a date that tells its quarter",
            Self::Period(PeriodLength::Month, _) => "a date that tells its month",
            Self::Period(PeriodLength::Week, _) => "a date that tells its week",
            Self::Number(kind) | Self::Range(kind, _) => kind.def().value,
            Self::Value => "a value",
        }
    }

    /// The group of a value; `None` where it cannot be read.
    pub fn part(&self, value: &str) -> Option<Part> {
        match self {
            Self::Value => Some(Part::Value(value.into())),
            Self::Period(per, kind) => Some(Part::Period(kind.date(value)?.period(*per)?)),
            Self::Number(kind) => Some(Part::Number(kind.number(value)?)),
            Self::Range(kind, ends) => {
                let number = kind.number(value)?;
                let at = ends[1..ends.len() - 1].partition_point(|end| *end < number);
                Some(Part::Range { low: ends[at], high: ends[at + 1], with_low: at == 0 })
            }
        }
    }
}

//! The mean topics of the groups that a field makes, for queries here: the views `topic_by_field` and `topic_by_time` of the
//! schema, which every program can read, have a row for every topic of every document behind them; here they are computed in
//! one parallel pass, a million documents in a second. `share_by_field` and `share_by_time` are here alone: the same of the
//! linear estimate, which needs the words of documents.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rusqlite::functions::{Context, FunctionFlags};
use serde_json::{Value, json};

use super::functions::function_error;
use super::reader::FunctionReader;
use crate::Store;
use crate::corpus::Corpus;
use crate::error::{Result, StoreError};
use crate::id::RunId;
use topoi_core::fields::values;
use topoi_core::formula::linear_proportions::ShareEstimate;

/// The views by the functions below: those of the schema, which they stand before, and those of linear estimates. Other
/// programs cannot call the functions, so that the views are not in the store.
fn views() -> String {
    let mut sql = String::new();
    for (names, column, estimate) in [
        (["topic_by_field", "topic_by_time"], "mean_proportion", ShareEstimate::Posterior),
        (["share_by_field", "share_by_time"], "share", ShareEstimate::Linear),
    ] {
        for (name, grouping) in names.into_iter().zip([Grouping::Value, Grouping::Year]) {
            let value = match grouping {
                Grouping::Value => "json_extract(mean.value, '$[0]') AS value",
                Grouping::Year => "CAST(json_extract(mean.value, '$[0]') AS BIGINT) AS year",
            };
            let function = function_of(grouping, estimate);
            sql += &format!(
                "CREATE TEMP VIEW IF NOT EXISTS {name} AS \
                 SELECT run.id AS run_id, CAST(named.value AS TEXT) AS field, {value}, CAST(share.key AS BIGINT) AS topic, \
                     CAST(json_extract(mean.value, '$[1]') AS BIGINT) AS documents, CAST(share.value AS DOUBLE) AS {column} \
                 FROM main.run CROSS JOIN json_each(field_names(run.id)) AS named \
                 CROSS JOIN json_each({function}(run.id, named.value)) AS mean \
                 CROSS JOIN json_each(mean.value, '$[2]') AS share; "
            );
        }
    }
    sql
}

/// Name of the function with the means.
fn function_of(grouping: Grouping, estimate: ShareEstimate) -> &'static str {
    match (grouping, estimate) {
        (Grouping::Value, ShareEstimate::Posterior) => "means_by_value",
        (Grouping::Year, ShareEstimate::Posterior) => "means_by_year",
        (Grouping::Value, ShareEstimate::Linear) => "shares_by_value",
        (Grouping::Year, ShareEstimate::Linear) => "shares_by_year",
    }
}

/// Sums of a task at most, groups times topics: 32 MB.
const MOST_SUMS: usize = 1 << 22;

/// Bytes of JSON that are kept at most before the next is.
const MOST_KEPT: usize = 1 << 26;

impl Store {
    /// Puts the views that are computed here before those of the schema.
    pub(super) fn define_views(&self) -> Result<()> {
        let reads_only: bool = self.scalar("PRAGMA query_only", [])?;
        self.execute_batch("PRAGMA query_only = OFF")?;
        let made = self.execute_batch(&views());
        if reads_only {
            self.execute_batch("PRAGMA query_only = ON")?;
        }
        made
    }
}

/// Registers the functions of the views on the connection of `store`.
pub(super) fn define(store: &Store) -> rusqlite::Result<()> {
    let means = Arc::new(Mutex::new(GroupMeans::new(store)));
    let flags = FunctionFlags::SQLITE_UTF8;
    let names = {
        let means = means.clone();
        move |context: &Context<'_>| {
            let mut means = means.lock().unwrap_or_else(|e| e.into_inner());
            means.field_names(context).map_err(|error| function_error(error.to_string()))
        }
    };
    let connection = &store.connection;
    connection.create_scalar_function("field_names", 1, flags, names)?;
    for grouping in [Grouping::Value, Grouping::Year] {
        for estimate in [ShareEstimate::Posterior, ShareEstimate::Linear] {
            let means = means.clone();
            let function = move |context: &Context<'_>| {
                let mut means = means.lock().unwrap_or_else(|e| e.into_inner());
                let found = means.means(context, grouping, estimate);
                found.map_err(|error| function_error(error.to_string()))
            };
            let name = function_of(grouping, estimate);
            connection.create_scalar_function(name, 2, flags, function)?;
        }
    }
    Ok(())
}

/// What makes the groups of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Grouping {
    Value,
    Year,
}

#[derive(Debug)]
struct GroupMeans {
    reader: FunctionReader,
    /// By run, and by run, field, grouping and estimate: JSON.
    names: HashMap<RunId, Option<Arc<str>>>,
    means: HashMap<(RunId, String, Grouping, ShareEstimate), Option<Arc<str>>>,
}

impl GroupMeans {
    fn new(store: &Store) -> Self {
        let (names, means) = (HashMap::new(), HashMap::new());
        Self { reader: FunctionReader::new(store), names, means }
    }

    fn clear_if_changed(&mut self) -> Result<()> {
        if self.reader.has_changed()? {
            self.names.clear();
            self.means.clear();
        }
        Ok(())
    }

    /// A JSON array of the names of fields that documents of a run's corpus have; NULL without such a run.
    fn field_names(&mut self, context: &Context<'_>) -> Result<Option<Arc<str>>> {
        self.clear_if_changed()?;
        let Ok(run) = context.get(0) else { return Ok(None) };
        if let Some(known) = self.names.get(&run) {
            return Ok(known.clone());
        }
        let found = field_names(self.reader.store()?, run)?;
        self.names.insert(run, found.clone());
        Ok(found)
    }

    /// A JSON array of the groups that a field makes of a run's documents: value, number of documents, mean proportions. NULL
    /// without such a run.
    fn means(
        &mut self,
        context: &Context<'_>,
        grouping: Grouping,
        estimate: ShareEstimate,
    ) -> Result<Option<Arc<str>>> {
        self.clear_if_changed()?;
        let (Ok(run), Ok(field)) = (context.get(0), context.get::<String>(1)) else {
            return Ok(None);
        };
        let key = (run, field, grouping, estimate);
        if let Some(known) = self.means.get(&key) {
            return Ok(known.clone());
        }
        let found = means(self.reader.store()?, run, &key.1, (grouping, estimate))?;
        // A join of the views asks for the same ones again and again.
        let kept: usize = self.means.values().flatten().map(|json| json.len()).sum();
        if kept > MOST_KEPT {
            self.means.clear();
        }
        self.means.insert(key, found.clone());
        Ok(found)
    }
}

/// The corpus of a run; `None` without such a run.
fn corpus_of(store: &Store, run: RunId) -> Result<Option<Corpus>> {
    match store.run(run) {
        Ok(run) => store.corpus_by_id(run.corpus_id).map(Some),
        Err(StoreError::UnknownRun(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

fn field_names(store: &Store, run: RunId) -> Result<Option<Arc<str>>> {
    let Some(corpus) = corpus_of(store, run)? else { return Ok(None) };
    let pieces = store.fold_fields(corpus.id, BTreeSet::new, |names, _, fields| {
        for name in values::names(fields) {
            if !names.contains(name.as_ref()) {
                names.insert(name.into_owned());
            }
        }
    })?;
    let names: BTreeSet<String> = pieces.into_iter().flatten().collect();
    Ok(Some(json!(names).to_string().into()))
}

/// The sums of the documents of a group.
#[derive(Debug, Clone)]
struct Group {
    value: Value,
    documents: u64,
    proportions: Vec<f64>,
}

impl Group {
    fn none(value: Value, topics: usize) -> Self {
        Self { value, documents: 0, proportions: vec![0.0; topics] }
    }

    fn add(&mut self, documents: u64, proportions: &[f64]) {
        self.documents += documents;
        self.proportions.iter_mut().zip(proportions).for_each(|(sum, more)| *sum += more);
    }

    /// Numbers before texts, as SQLite sorts.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.value, &other.value) {
            (Value::Number(a), Value::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()),
            (Value::Number(_), _) => Some(std::cmp::Ordering::Less),
            (_, Value::Number(_)) => Some(std::cmp::Ordering::Greater),
            (a, b) => Some(a.as_str().cmp(&b.as_str())),
        }
        .unwrap_or(std::cmp::Ordering::Equal)
    }
}

/// The groups that a thread has met, by their values as JSON.
type Groups = HashMap<String, Group>;

fn means(
    store: &Store,
    run: RunId,
    field: &str,
    (grouping, estimate): (Grouping, ShareEstimate),
) -> Result<Option<Arc<str>>> {
    let Some(corpus) = corpus_of(store, run)? else { return Ok(None) };
    let marks: Vec<&str> = corpus.missing.iter().map(|mark| mark.trim_matches('"')).collect();
    let is_too_much = AtomicBool::new(false);
    let add = |groups: &mut Groups, key: String, value: Value, documents, proportions: &[f64]| {
        let known = groups.len();
        match groups.entry(key) {
            Entry::Occupied(mut group) => group.get_mut().add(documents, proportions),
            Entry::Vacant(_) if (known + 1) * proportions.len() > MOST_SUMS => {
                is_too_much.store(true, Ordering::Relaxed);
            }
            Entry::Vacant(none) => {
                none.insert(Group::none(value, proportions.len())).add(documents, proportions);
            }
        }
    };
    let add_to = |groups: &mut Groups, fields: Option<&str>, proportions: &[f64]| {
        let value = fields.and_then(|fields| values::one(fields, field));
        if let Some(value) = value.and_then(|value| group_of(value, &marks, grouping)) {
            add(groups, value.to_string(), value, 1, proportions);
        }
    };
    let pieces: Vec<Groups> = match estimate {
        ShareEstimate::Posterior => store.fold_fields_and_proportions(
            run,
            Groups::new,
            |groups, _, fields, _, proportions| add_to(groups, fields, proportions),
        )?,
        ShareEstimate::Linear => {
            let run = store.run(run)?;
            let Some(linear) = store.linear_proportions(&run)? else { return Ok(None) };
            let first = || (Groups::new(), vec![0.0; linear.topics()]);
            let pieces = store.fold_counts(&run, first, |(groups, shares), document| {
                if linear.estimate(document.terms, document.counts, shares) > 0.0 {
                    add_to(groups, document.fields, shares);
                }
            })?;
            pieces.into_iter().map(|(groups, _)| groups).collect()
        }
    };
    let mut all = Groups::new();
    for (key, group) in pieces.into_iter().flatten() {
        add(&mut all, key, group.value, group.documents, &group.proportions);
    }
    if is_too_much.into_inner() {
        return Err(StoreError::Query(format!(
            "the field {field:?} has too many values for their topics to be summed here; ask main.topic_by_field, \
             which takes longer, or another field"
        )));
    }
    let mut groups: Vec<Group> = all.into_values().collect();
    groups.sort_by(Group::order);
    let row = |Group { value, documents, proportions }: Group| {
        let means = proportions.iter().map(|sum| sum / documents as f64).collect::<Vec<f64>>();
        json!([value, documents, means])
    };
    Ok(Some(Value::Array(groups.into_iter().map(row).collect()).to_string().into()))
}

/// The value of a document's group, a number or a text; `None` for a value that is missing, and without a year where they are
/// grouped by it. As the views of the schema have it.
fn group_of(value: Value, marks: &[&str], grouping: Grouping) -> Option<Value> {
    let value = match value {
        Value::Null => return None,
        Value::Bool(is_true) => json!(u8::from(is_true)),
        Value::Array(_) | Value::Object(_) => Value::String(value.to_string()),
        other => other,
    };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    match grouping {
        Grouping::Value => {
            let text = text.trim_matches([' ', '"']);
            (!text.is_empty() && !marks.contains(&text)).then_some(value)
        }
        Grouping::Year => {
            let text = text.trim_matches('"');
            year_of(text).filter(|_| !marks.contains(&text)).map(|year| json!(year))
        }
    }
}

/// The year of a text that begins with one, as 1999, 1999-05-03 and 19990503 do.
fn year_of(text: &str) -> Option<u32> {
    let (year, rest) = text.split_at_checked(4)?;
    let is_date = match rest.as_bytes() {
        [] | [b'-' | b'/', ..] => true,
        [b'0' | b'1', month, b'0'..=b'3', day] => month.is_ascii_digit() && day.is_ascii_digit(),
        _ => false,
    };
    (is_date && year.bytes().all(|digit| digit.is_ascii_digit())).then(|| year.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_those_of_the_view() {
        for (text, year) in [
            ("1999", Some(1999)),
            ("1999-05-03", Some(1999)),
            ("1999/5", Some(1999)),
            ("19990503", Some(1999)),
            ("0042", Some(42)),
            ("199", None),
            ("19993003", None),
            ("19990543", None),
            ("1999 or so", None),
            ("x999", None),
            ("été", None),
        ] {
            assert_eq!(year_of(text), year, "{text}");
        }
    }

    #[test]
    fn missing_values_have_no_group_and_numbers_stay_numbers() {
        let group = |value| group_of(value, &["NA", "-9"], Grouping::Value);
        for missing in [json!(null), json!(""), json!(" \" "), json!("NA"), json!(" NA"), json!(-9)]
        {
            assert_eq!(group(missing), None);
        }
        for kept in [json!("na"), json!(1999), json!(" a "), json!(0.5)] {
            assert_eq!(group(kept.clone()), Some(kept));
        }
        assert_eq!(group(json!(true)), Some(json!(1)));
        assert_eq!(group(json!([1, "a"])), Some(json!("[1,\"a\"]")));
    }
}

//! Predictions, differences and slopes as combinations of coefficients.

use std::collections::BTreeMap;

use super::{Predicted, Question};
use topoi_core::effects::EffectsError;
use topoi_core::effects::design::Design;
use topoi_core::effects::design::fields::FieldValue;
use topoi_core::effects::regression::Regression;
use topoi_core::fields::kind::Kind;

/// The combinations that a question asks for.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Weights of the coefficients.
    pub(super) rows: Vec<Vec<f64>>,
    names: Vec<Predicted>,
}

impl Asked {
    /// # Errors
    /// [`EffectsError::NotSeen`] for a value that no document has.
    pub(super) fn new(
        question: &Question,
        design: &Design,
        kind: impl Fn(&str) -> Kind,
    ) -> Result<Self, EffectsError> {
        let value = |field: &str, text: &str| FieldValue {
            text: text.into(),
            // Quartiles of dates are years with fractions, which are no dates.
            number: kind(field)
                .number(text)
                .or_else(|| kind(field).def().number.and_then(|_| text.parse().ok())),
        };
        let mut asked = Self::default();
        let by = question
            .by
            .iter()
            .map(|field| (field.clone(), levels(design, field, question.most_by)));
        let at: Vec<(String, Vec<String>)> = question.at.iter().cloned().chain(by).collect();
        for at in combinations(&at) {
            let fixed: BTreeMap<String, FieldValue> =
                at.iter().map(|(field, text)| (field.clone(), value(field, text))).collect();
            let with = |field: &str, own: FieldValue| {
                let mut fixed = fixed.clone();
                fixed.insert(field.into(), own);
                design.mean_row(&fixed)
            };
            let series = at
                .iter()
                .map(|(field, text)| format!("{field}={text}"))
                .collect::<Vec<_>>()
                .join(" ");
            if let Some((field, most)) = &question.along {
                for own in places(design, field, *most) {
                    let (place, text) = (own.number, own.text.clone());
                    asked.add(&series, format!("{field}={text}"), with(field, own)?, place, text);
                }
            }
            if let Some((field, values)) = &question.contrast {
                let (first, others) = values.split_first().unzip();
                let first: &String = first.ok_or_else(|| EffectsError::NotSeen {
                    field: field.clone(),
                    value: String::new(),
                    known: "a contrast has two values or more".into(),
                })?;
                let row = with(field, value(field, first))?;
                for other in others.unwrap_or_default() {
                    let theirs = with(field, value(field, other))?;
                    let name = format!("{field}={first} - {other}");
                    asked.add(&series, name, difference(&row, &theirs), None, String::new());
                }
            }
            if question.along.is_none() && question.contrast.is_none() && !question.at.is_empty() {
                asked.add(&series, String::new(), design.mean_row(&fixed)?, None, series.clone());
            }
        }
        for field in &question.marginal {
            match design.categories(field) {
                Some(categories) if !design.is_number(field) => {
                    let at = |category: &String| {
                        let own = FieldValue::from_category(category.clone());
                        design.mean_row(&BTreeMap::from([(field.clone(), own)]))
                    };
                    let (reference, _) = &categories[0];
                    let from = at(reference)?;
                    for (category, _) in &categories[1..] {
                        let row = difference(&at(category)?, &from);
                        let name = format!("{field}={category} - {reference}");
                        asked.add("", name, row, None, String::new());
                    }
                }
                _ => {
                    let row = design.mean_slope(field)?;
                    asked.add("", format!("slope of {field}"), row, None, String::new());
                }
            }
        }
        Ok(asked)
    }

    fn add(
        &mut self,
        series: &str,
        name: String,
        row: Vec<f64>,
        place: Option<f64>,
        value: String,
    ) {
        self.rows.push(row);
        let name = match (series, name.as_str()) {
            ("", _) => name,
            (_, "") => series.to_string(),
            _ => format!("{series}: {name}"),
        };
        let series = series.to_string();
        self.names.push(Predicted { name, series, place, value, estimates: Vec::new() });
    }

    /// What was asked, with the estimates of all topics.
    pub(super) fn answered(self, regression: &Regression) -> Vec<Predicted> {
        let topics = regression.coefficients.nrows();
        let answer = |(number, one): (usize, Predicted)| {
            let estimates =
                (0..topics).map(|topic| regression.combination(topic, number)).collect();
            Predicted { estimates, ..one }
        };
        self.names.into_iter().enumerate().map(answer).collect()
    }
}

/// The categories of a field with most documents, or the quartiles of its numbers.
fn levels(design: &Design, field: &str, most: usize) -> Vec<String> {
    match design.quartiles(field) {
        Some(numbers) => numbers.iter().map(f64::to_string).collect(),
        None => places(design, field, most).into_iter().map(|value| value.text).collect(),
    }
}

fn difference(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// Places along a field as documents have it: numbers evenly apart from the least to the largest, or the categories of
/// most documents.
fn places(design: &Design, field: &str, most: usize) -> Vec<FieldValue> {
    if let Some((least, largest)) = design.range(field) {
        let steps = most.saturating_sub(1).max(1);
        let place = |step: usize| {
            // The last is the largest, whatever rounding makes of it.
            (least + (largest - least) * step as f64 / steps as f64).clamp(least, largest)
        };
        return (0..=steps).map(|step| FieldValue::from_number(place(step))).collect();
    }
    let mut categories = design.categories(field).unwrap_or_default();
    categories.sort_by_key(|(_, documents)| std::cmp::Reverse(*documents));
    let name = |(name, _)| FieldValue::from_category(name);
    categories.into_iter().take(most).map(name).collect()
}

/// Every combination of a value of each field, which may be there several times; one without values if there are none.
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

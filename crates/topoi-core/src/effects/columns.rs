//! Design columns of a factor of a regression.

use super::EffectsError;
use super::design::FieldValue;
use super::expression::Factor;
use super::spline::Spline;

/// How a factor becomes columns.
#[derive(Debug, Clone)]
pub(super) enum FactorColumns {
    /// One column with the number itself.
    Number,
    Spline(Spline),
    /// One indicator column for each value, in alphabetical order. The first value is the
    /// reference.
    Categories(Vec<String>),
}

impl FactorColumns {
    /// Number of columns. `is_full` gives the reference value of categories a column, too.
    pub(super) fn count(&self, is_full: bool) -> usize {
        match self {
            Self::Number => 1,
            Self::Spline(spline) => spline.columns(),
            Self::Categories(all) => all.len() - usize::from(!is_full),
        }
    }

    /// Names of the columns.
    pub(super) fn names(&self, field: &str, is_full: bool) -> Vec<String> {
        match self {
            Self::Number => vec![field.into()],
            Self::Spline(spline) => {
                (1..=spline.columns()).map(|number| format!("s({field}){number}")).collect()
            }
            Self::Categories(all) => {
                let own = &all[usize::from(!is_full)..];
                own.iter().map(|category| format!("{field}={category}")).collect()
            }
        }
    }
}

pub(super) fn columns_of(
    factor: &Factor,
    given: &[FieldValue],
) -> Result<FactorColumns, EffectsError> {
    let field = factor.field().to_string();
    let mut numbers = Vec::new();
    let mut categories = Vec::new();
    for value in given {
        match value {
            FieldValue::Number(number) => numbers.push(*number),
            FieldValue::Category(category) => categories.push(category.clone()),
        }
    }
    categories.sort();
    categories.dedup();
    match factor {
        _ if given.is_empty() => Err(EffectsError::FewDocuments { documents: 0, terms: 2 }),
        _ if categories.len() == 1 => {
            Err(EffectsError::OneValue { field, value: categories.remove(0) })
        }
        _ if numbers.first().is_some_and(|first| numbers.iter().all(|number| number == first)) => {
            Err(EffectsError::OneValue { field, value: numbers[0].to_string() })
        }
        Factor::Spline(..) if !categories.is_empty() => {
            Err(EffectsError::SplineOfCategory { field })
        }
        Factor::Spline(_, columns) => match Spline::new(&numbers, *columns) {
            Ok(spline) => Ok(FactorColumns::Spline(spline)),
            Err(values) => Err(EffectsError::FewForSpline { field, values }),
        },
        Factor::Field(_) if categories.is_empty() => Ok(FactorColumns::Number),
        Factor::Field(_) => Ok(FactorColumns::Categories(categories)),
    }
}

/// The columns of a value. `is_full` gives the reference value of categories a column, too.
pub(super) fn cells(columns: &FactorColumns, value: &FieldValue, is_full: bool) -> Vec<f64> {
    match (columns, value) {
        (FactorColumns::Number, FieldValue::Number(number)) => vec![*number],
        (FactorColumns::Spline(spline), FieldValue::Number(number)) => spline.at(*number),
        (FactorColumns::Categories(all), FieldValue::Category(category)) => {
            let own = &all[usize::from(!is_full)..];
            own.iter().map(|other| f64::from(u8::from(other == category))).collect()
        }
        // A field has either numbers or categories: [`columns_of`] checked all its values.
        _ => vec![0.0; columns.count(is_full)],
    }
}

/// Checks that a number is within the range of the observed values, or that a category is one of
/// them.
pub(super) fn check_observed(
    field: &str,
    columns: &FactorColumns,
    given: &[FieldValue],
    value: &FieldValue,
) -> Result<(), EffectsError> {
    let refused = |value: String, known: String| {
        Err(EffectsError::NotSeen { field: field.into(), value, known })
    };
    let numbers = || {
        given
            .iter()
            .filter_map(|value| if let FieldValue::Number(n) = value { Some(*n) } else { None })
    };
    match (columns, value) {
        (FactorColumns::Categories(all), FieldValue::Category(category))
            if !all.contains(category) =>
        {
            refused(category.clone(), format!("it has {}", all.join(", ")))
        }
        (FactorColumns::Categories(all), FieldValue::Number(number)) => {
            refused(number.to_string(), format!("it has {}", all.join(", ")))
        }
        (FactorColumns::Number | FactorColumns::Spline(_), _) => {
            let (least, most) = match columns {
                FactorColumns::Spline(spline) => spline.range(),
                _ => numbers()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), n| (a.min(n), b.max(n))),
            };
            match value {
                FieldValue::Number(number) if (least..=most).contains(number) => Ok(()),
                FieldValue::Number(number) => {
                    refused(number.to_string(), format!("they lie from {least} to {most}"))
                }
                FieldValue::Category(text) => {
                    refused(text.clone(), format!("it has numbers from {least} to {most}"))
                }
            }
        }
        _ => Ok(()),
    }
}

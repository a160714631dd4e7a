//! The numbers that a regression sees: a row a document, a column a coefficient.

use std::collections::BTreeMap;

use ndarray::Array2;

use super::EffectsError;
use super::expression::{Expression, Factor};
use super::spline::Spline;

/// What a field says of every document; `None` where it says nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers, dates as years.
    Number(Vec<Option<f64>>),
    /// Categories, by their names.
    Category(Vec<Option<String>>),
}

impl Values {
    /// Takes away the values of documents for which `has` does not hold.
    pub fn only_where(&mut self, has: impl Fn(usize) -> bool) {
        match self {
            Self::Number(values) => {
                (0..).zip(values).filter(|(at, _)| !has(*at)).for_each(|(_, value)| *value = None);
            }
            Self::Category(values) => {
                (0..).zip(values).filter(|(at, _)| !has(*at)).for_each(|(_, value)| *value = None);
            }
        }
    }
}

/// The value of a field to predict at.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Of a number or date.
    Number(f64),
    /// One of the values of a category.
    Category(String),
}

/// How a factor becomes columns.
#[derive(Debug, Clone)]
enum Columns {
    /// The number itself.
    Number,
    Spline(Spline),
    /// The categories but the first, which the others are compared with.
    Categories(Vec<String>),
}

/// The rows of the documents that have all fields of an expression.
#[derive(Debug, Clone)]
pub struct Design {
    /// The name of every coefficient, the constant first.
    pub names: Vec<String>,
    /// Which documents have all fields, ascending.
    pub documents: Vec<usize>,
    /// Documents × coefficients.
    pub rows: Array2<f64>,
    terms: Vec<Vec<usize>>,
    factors: Vec<(Factor, Columns)>,
    /// By factor and document of `documents`.
    given: Vec<Vec<At>>,
}

impl Design {
    /// Lays out an expression; `fields` has the values of each of its fields for all of `documents` documents.
    /// Of categories the first in the order of their letters has no column: coefficients are differences from it.
    ///
    /// # Errors
    /// As [`EffectsError`] says, but for collinear terms, which [`super::estimate::estimate`] finds.
    pub fn new(
        expression: &Expression,
        fields: &BTreeMap<String, Values>,
        documents: usize,
    ) -> Result<Self, EffectsError> {
        let value = |field: &str, document: usize| match fields.get(field) {
            Some(Values::Number(values)) => values[document].map(At::Number),
            Some(Values::Category(values)) => values[document].clone().map(At::Category),
            None => None,
        };
        let names = expression.fields();
        let has_all = |&document: &usize| names.iter().all(|name| value(name, document).is_some());
        let kept: Vec<usize> = (0..documents).filter(has_all).collect();
        let mut design = Self {
            names: vec!["(constant)".into()],
            rows: Array2::zeros((0, 0)),
            terms: Vec::new(),
            factors: Vec::new(),
            given: Vec::new(),
            documents: Vec::new(),
        };
        for term in &expression.terms {
            let mut places = Vec::new();
            for factor in term {
                let known = design.factors.iter().position(|(other, _)| other == factor);
                if known.is_none() {
                    let given: Vec<At> = kept
                        .iter()
                        .filter_map(|&document| value(factor.field(), document))
                        .collect();
                    design.factors.push((factor.clone(), columns_of(factor, &given)?));
                    design.given.push(given);
                }
                places.push(known.unwrap_or(design.factors.len() - 1));
            }
            design.terms.push(places);
        }
        design.documents = kept;
        let names: Vec<String> =
            design.terms.iter().flat_map(|term| design.names_of(term)).collect();
        design.names.extend(names);
        let (documents, terms) = (design.documents.len(), design.names.len());
        if documents <= terms {
            return Err(EffectsError::FewDocuments { documents, terms });
        }
        let mut rows = Array2::zeros((documents, terms));
        for (at, mut row) in rows.outer_iter_mut().enumerate() {
            let filled = design.row(|factor| design.given[factor][at].clone());
            row.iter_mut().zip(filled).for_each(|(cell, value)| *cell = value);
        }
        design.rows = rows;
        Ok(design)
    }

    /// The mean of all documents' rows, had their fields the values of `at`: what is predicted from it is the mean
    /// of the documents' predictions.
    ///
    /// # Errors
    /// [`EffectsError::NotSeen`].
    pub fn mean_row(&self, at: &BTreeMap<String, At>) -> Result<Vec<f64>, EffectsError> {
        let mut fixed = vec![None; self.factors.len()];
        for (place, (factor, columns)) in self.factors.iter().enumerate() {
            if let Some(value) = at.get(factor.field()) {
                check_seen(factor.field(), columns, &self.given[place], value)?;
                fixed[place] = Some(value.clone());
            }
        }
        let mut mean = vec![0.0; self.names.len()];
        for document in 0..self.documents.len() {
            let row = self.row(|factor| {
                fixed[factor].clone().unwrap_or_else(|| self.given[factor][document].clone())
            });
            mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        mean.iter_mut().for_each(|sum| *sum /= self.documents.len() as f64);
        Ok(mean)
    }

    fn row(&self, value: impl Fn(usize) -> At) -> Vec<f64> {
        let mut row = vec![1.0];
        for term in &self.terms {
            let mut products = vec![1.0];
            for &factor in term {
                let cells = cells(&self.factors[factor].1, &value(factor));
                let times =
                    |product: &f64| cells.iter().map(|cell| product * cell).collect::<Vec<_>>();
                products = products.iter().flat_map(times).collect();
            }
            row.extend(products);
        }
        row
    }

    fn names_of(&self, term: &[usize]) -> Vec<String> {
        let mut names = vec![String::new()];
        for &factor in term {
            let (factor, columns) = &self.factors[factor];
            let field = factor.field();
            let own: Vec<String> = match columns {
                Columns::Number => vec![field.into()],
                Columns::Spline(spline) => {
                    (1..=spline.columns()).map(|number| format!("s({field}){number}")).collect()
                }
                Columns::Categories(all) => {
                    all[1..].iter().map(|category| format!("{field}={category}")).collect()
                }
            };
            let joined = |name: &String| {
                let join = |own: &String| match name.is_empty() {
                    true => own.clone(),
                    false => format!("{name}:{own}"),
                };
                own.iter().map(join).collect::<Vec<_>>()
            };
            names = names.iter().flat_map(joined).collect();
        }
        names
    }
}

fn columns_of(factor: &Factor, given: &[At]) -> Result<Columns, EffectsError> {
    let field = factor.field().to_string();
    let mut numbers = Vec::new();
    let mut categories = Vec::new();
    for value in given {
        match value {
            At::Number(number) => numbers.push(*number),
            At::Category(category) => categories.push(category.clone()),
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
            Ok(spline) => Ok(Columns::Spline(spline)),
            Err(values) => Err(EffectsError::FewForSpline { field, values }),
        },
        Factor::Field(_) if categories.is_empty() => Ok(Columns::Number),
        Factor::Field(_) => Ok(Columns::Categories(categories)),
    }
}

fn cells(columns: &Columns, value: &At) -> Vec<f64> {
    match (columns, value) {
        (Columns::Number, At::Number(number)) => vec![*number],
        (Columns::Spline(spline), At::Number(number)) => spline.at(*number),
        (Columns::Categories(all), At::Category(category)) => {
            all[1..].iter().map(|other| f64::from(u8::from(other == category))).collect()
        }
        // A field has numbers or categories, not both: [`columns_of`] saw all of them.
        (Columns::Number, At::Category(_)) => vec![0.0],
        (Columns::Spline(spline), At::Category(_)) => vec![0.0; spline.columns()],
        (Columns::Categories(all), At::Number(_)) => vec![0.0; all.len() - 1],
    }
}

/// Of a number, that it is no further out than those seen; of a category, that it is one of them.
fn check_seen(
    field: &str,
    columns: &Columns,
    given: &[At],
    value: &At,
) -> Result<(), EffectsError> {
    let refused = |value: String, known: String| {
        Err(EffectsError::NotSeen { field: field.into(), value, known })
    };
    let numbers =
        || given.iter().filter_map(|value| if let At::Number(n) = value { Some(*n) } else { None });
    match (columns, value) {
        (Columns::Categories(all), At::Category(category)) if !all.contains(category) => {
            refused(category.clone(), format!("it has {}", all.join(", ")))
        }
        (Columns::Categories(all), At::Number(number)) => {
            refused(number.to_string(), format!("it has {}", all.join(", ")))
        }
        (Columns::Number | Columns::Spline(_), _) => {
            let (least, most) = match columns {
                Columns::Spline(spline) => spline.range(),
                _ => numbers()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), n| (a.min(n), b.max(n))),
            };
            match value {
                At::Number(number) if (least..=most).contains(number) => Ok(()),
                At::Number(number) => {
                    refused(number.to_string(), format!("they lie from {least} to {most}"))
                }
                At::Category(text) => {
                    refused(text.clone(), format!("it has numbers from {least} to {most}"))
                }
            }
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> BTreeMap<String, Values> {
        let party = ["b", "a", "c", "a", "b", "c", "a", "b"].map(|name| Some(name.to_string()));
        let mut year: Vec<Option<f64>> = (0..8).map(|at| Some(2000.0 + f64::from(at))).collect();
        year[3] = None;
        [
            ("party".to_string(), Values::Category(party.to_vec())),
            ("year".to_string(), Values::Number(year)),
            ("same".to_string(), Values::Number(vec![Some(2.0); 8])),
        ]
        .into()
    }

    fn design(typed: &str) -> Result<Design, EffectsError> {
        Design::new(&Expression::parse(typed).expect("an expression"), &fields(), 8)
    }

    #[test]
    fn categories_are_compared_with_the_first_and_products_are_products() {
        let design = design("party * year").expect("a design");
        let names = ["(constant)", "party=b", "party=c", "year", "party=b:year", "party=c:year"];
        assert_eq!(design.names, names);
        // Document 3 has no year.
        assert_eq!(design.documents, [0, 1, 2, 4, 5, 6, 7]);
        assert_eq!(design.rows.row(2).to_vec(), [1.0, 0.0, 1.0, 2002.0, 0.0, 2002.0]);
        assert_eq!(design.rows.row(1).to_vec(), [1.0, 0.0, 0.0, 2001.0, 0.0, 0.0]);
    }

    #[test]
    fn the_mean_row_is_that_of_all_documents_with_the_values_in_place_of_their_own() {
        let design = design("party + year").expect("a design");
        let year = (0..8).filter(|at| *at != 3).map(|at| 2000.0 + f64::from(at)).sum::<f64>() / 7.0;
        let at = BTreeMap::from([("party".to_string(), At::Category("c".into()))]);
        assert_eq!(design.mean_row(&at).expect("a row"), [1.0, 0.0, 1.0, year]);
        let at = BTreeMap::from([("year".to_string(), At::Number(1990.0))]);
        let said = design.mean_row(&at).expect_err("refused").to_string();
        assert_eq!(
            said,
            "\"year\" has no value \"1990\" among these documents; they lie from 2000 to 2007"
        );
    }

    #[test]
    fn what_cannot_be_estimated_is_refused() {
        let said = |typed: &str| design(typed).expect_err("refused").to_string();
        assert!(said("same").starts_with("\"same\" has one value in all documents, 2"));
        assert!(said("s(party)").starts_with("s(party) is for numbers and dates"));
        assert!(said("party + s(year, 5)").starts_with("7 documents have all fields"));
    }
}

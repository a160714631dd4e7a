//! The numbers that a regression sees: a row a document, a column a coefficient.

use std::collections::{BTreeMap, HashSet};

use ndarray::Array2;

use super::EffectsError;
use super::columns::{Columns, cells, check_seen, columns_of};
use super::expression::{Expression, Factor};

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

/// The rows of the documents that have all fields of an expression.
#[derive(Debug, Clone)]
pub struct Design {
    /// The name of every coefficient, the constant first.
    pub names: Vec<String>,
    /// Which documents have all fields, ascending.
    pub documents: Vec<usize>,
    /// Documents × coefficients.
    pub rows: Array2<f64>,
    terms: Vec<Vec<Place>>,
    factors: Vec<(Factor, Columns)>,
    /// By factor and document of `documents`.
    given: Vec<Vec<At>>,
}

/// A factor of a term.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its place among the factors of the design.
    factor: usize,
    /// Whether a category has a column for each of its values here, the first too.
    is_full: bool,
}

/// The documents that a coefficient is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Level {
    /// Those that have its categories; of numbers alone, all.
    pub documents: u64,
    /// The clusters that these are of, where there are clusters.
    pub clusters: Option<u64>,
}

/// The value of a category that the others are compared with.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reference {
    /// Name of the field.
    pub field: String,
    /// The value, the first in the order of letters.
    pub value: String,
    /// Documents that have it.
    pub documents: u64,
}

impl Design {
    /// Lays out an expression; `fields` has the values of each of its fields for all of `documents` documents.
    /// Of categories the first in the order of their letters has no column: coefficients are differences from it. As
    /// in R, it has one in a term whose other factors are in no term before: `~ a + a:x` gives each value of `a` its
    /// slope.
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
        for (at, term) in expression.terms.iter().enumerate() {
            let mut places = Vec::new();
            for (place, factor) in term.iter().enumerate() {
                let known = design.factors.iter().position(|(other, _)| other == factor);
                if known.is_none() {
                    let given: Vec<At> = kept
                        .iter()
                        .filter_map(|&document| value(factor.field(), document))
                        .collect();
                    design.factors.push((factor.clone(), columns_of(factor, &given)?));
                    design.given.push(given);
                }
                places.push(Place {
                    factor: known.unwrap_or(design.factors.len() - 1),
                    is_full: expression.is_full(at, place),
                });
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
            let filled = design.row(|factor| Some(design.given[factor][at].clone()));
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
            let given = |factor: usize| self.given[factor][document].clone();
            let row =
                self.row(|factor| Some(fixed[factor].clone().unwrap_or_else(|| given(factor))));
            mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        mean.iter_mut().for_each(|sum| *sum /= self.documents.len() as f64);
        Ok(mean)
    }

    /// By coefficient, the documents that it is of; `clusters` has the cluster of every document.
    pub fn levels(&self, clusters: Option<&[u32]>) -> Vec<Level> {
        let mut levels = vec![Level { documents: 0, clusters: None }; self.names.len()];
        let mut met = vec![HashSet::new(); self.names.len()];
        for document in 0..self.documents.len() {
            let row = self.row(|factor| {
                let value = &self.given[factor][document];
                matches!(value, At::Category(_)).then(|| value.clone())
            });
            for (at, _) in row.iter().enumerate().filter(|(_, cell)| **cell != 0.0) {
                levels[at].documents += 1;
                met[at].extend(clusters.map(|clusters| clusters[document]));
            }
        }
        for (level, met) in levels.iter_mut().zip(&met) {
            level.clusters = clusters.map(|_| met.len() as u64);
        }
        levels
    }

    /// Of each field of categories, what its other values are compared with.
    pub fn references(&self) -> Vec<Reference> {
        let of = |((factor, columns), given): (&(Factor, Columns), &Vec<At>)| {
            let Columns::Categories(all) = columns else { return None };
            let value = all.first()?.clone();
            let is_it = |at: &&At| matches!(at, At::Category(own) if *own == value);
            let documents = given.iter().filter(is_it).count() as u64;
            Some(Reference { field: factor.field().into(), value, documents })
        };
        self.factors.iter().zip(&self.given).filter_map(of).collect()
    }

    /// The row of these values; of a number without one, 1.
    fn row(&self, value: impl Fn(usize) -> Option<At>) -> Vec<f64> {
        let mut row = vec![1.0];
        for term in &self.terms {
            let mut products = vec![1.0];
            for place in term {
                let columns = &self.factors[place.factor].1;
                let cells = match value(place.factor) {
                    Some(value) => cells(columns, &value, place.is_full),
                    None => vec![1.0; columns.count(place.is_full)],
                };
                let times =
                    |product: &f64| cells.iter().map(|cell| product * cell).collect::<Vec<_>>();
                products = products.iter().flat_map(times).collect();
            }
            row.extend(products);
        }
        row
    }

    fn names_of(&self, term: &[Place]) -> Vec<String> {
        let mut names = vec![String::new()];
        for place in term {
            let (factor, columns) = &self.factors[place.factor];
            let own = columns.names(factor.field(), place.is_full);
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

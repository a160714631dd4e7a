//! The design matrix of a regression: a row for each document, a column for each coefficient.

use std::collections::{BTreeMap, HashSet};

use ndarray::Array2;

use super::EffectsError;
use super::columns::{FactorColumns, cells, check_observed, columns_of};
use super::expression::{Expression, Factor};

/// The values of a field, one for each document; `None` where it is missing.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValues {
    /// Numbers; dates as years.
    Number(Vec<Option<f64>>),
    /// Categories, by name.
    Category(Vec<Option<String>>),
}

impl FieldValues {
    /// Sets the values of documents for which `has` is false to missing.
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

/// A value of a field at which to predict.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue {
    /// A number, or a date in years.
    Number(f64),
    /// One of the values of a category.
    Category(String),
}

/// The design matrix over the documents that have values of all fields of an expression.
#[derive(Debug, Clone)]
pub struct Design {
    /// Names of the coefficients, the constant first.
    pub names: Vec<String>,
    /// Indices of the documents that have values of all fields, ascending.
    pub documents: Vec<usize>,
    /// The design matrix: documents × coefficients.
    pub rows: Array2<f64>,
    terms: Vec<Vec<TermFactor>>,
    factors: Vec<(Factor, FactorColumns)>,
    /// By factor and by document of `documents`.
    given: Vec<Vec<FieldValue>>,
}

/// A factor of a term.
#[derive(Debug, Clone, Copy)]
struct TermFactor {
    /// Its index among the factors of the design.
    factor: usize,
    /// Whether a category has a column for its first value, too.
    is_full: bool,
}

/// The documents that a coefficient is estimated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CoefficientSupport {
    /// Documents that have the coefficient's categories; all documents for a coefficient of numbers
    /// alone.
    pub documents: u64,
    /// Number of clusters with these documents, where errors are clustered.
    pub clusters: Option<u64>,
}

/// The reference value of a categorical field.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reference {
    /// Name of the field.
    pub field: String,
    /// The reference value, the first in alphabetical order.
    pub value: String,
    /// Documents with this value.
    pub documents: u64,
}

impl Design {
    /// Builds the design of an expression. `fields` has the values of each field for all of
    /// `documents` documents.
    ///
    /// The first value of a category, in alphabetical order, is the reference: it has no column,
    /// and coefficients are differences from it. As in R, it has a column in a term whose other
    /// factors occur in no earlier term: `~ a + a:x` gives each value of `a` a slope of its own.
    ///
    /// # Errors
    /// Any [`EffectsError`] except `Collinear`, which [`super::estimate::estimate`] returns.
    pub fn new(
        expression: &Expression,
        fields: &BTreeMap<String, FieldValues>,
        documents: usize,
    ) -> Result<Self, EffectsError> {
        let value = |field: &str, document: usize| match fields.get(field) {
            Some(FieldValues::Number(values)) => values[document].map(FieldValue::Number),
            Some(FieldValues::Category(values)) => {
                values[document].clone().map(FieldValue::Category)
            }
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
                    let given: Vec<FieldValue> = kept
                        .iter()
                        .filter_map(|&document| value(factor.field(), document))
                        .collect();
                    design.factors.push((factor.clone(), columns_of(factor, &given)?));
                    design.given.push(given);
                }
                places.push(TermFactor {
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

    /// The mean row of all documents, with the fields in `at` set to its values. Its prediction is
    /// the mean of the documents' predictions.
    ///
    /// # Errors
    /// [`EffectsError::NotSeen`].
    pub fn mean_row(&self, at: &BTreeMap<String, FieldValue>) -> Result<Vec<f64>, EffectsError> {
        let mut fixed = vec![None; self.factors.len()];
        for (place, (factor, columns)) in self.factors.iter().enumerate() {
            if let Some(value) = at.get(factor.field()) {
                check_observed(factor.field(), columns, &self.given[place], value)?;
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

    /// The support of each coefficient. `clusters` has the cluster of every document.
    pub fn levels(&self, clusters: Option<&[u32]>) -> Vec<CoefficientSupport> {
        let mut levels =
            vec![CoefficientSupport { documents: 0, clusters: None }; self.names.len()];
        let mut clusters_of = vec![HashSet::new(); self.names.len()];
        for document in 0..self.documents.len() {
            let row = self.row(|factor| {
                let value = &self.given[factor][document];
                matches!(value, FieldValue::Category(_)).then(|| value.clone())
            });
            for (at, _) in row.iter().enumerate().filter(|(_, cell)| **cell != 0.0) {
                levels[at].documents += 1;
                clusters_of[at].extend(clusters.map(|clusters| clusters[document]));
            }
        }
        for (level, clusters_of) in levels.iter_mut().zip(&clusters_of) {
            level.clusters = clusters.map(|_| clusters_of.len() as u64);
        }
        levels
    }

    /// The reference value of each categorical field.
    pub fn references(&self) -> Vec<Reference> {
        let of = |((factor, columns), given): (&(Factor, FactorColumns), &Vec<FieldValue>)| {
            let FactorColumns::Categories(all) = columns else { return None };
            let value = all.first()?.clone();
            let is_it = |at: &&FieldValue| matches!(at, FieldValue::Category(own) if *own == value);
            let documents = given.iter().filter(is_it).count() as u64;
            Some(Reference { field: factor.field().into(), value, documents })
        };
        self.factors.iter().zip(&self.given).filter_map(of).collect()
    }

    /// The row of these values. Numbers without a value count as 1.
    fn row(&self, value: impl Fn(usize) -> Option<FieldValue>) -> Vec<f64> {
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

    fn names_of(&self, term: &[TermFactor]) -> Vec<String> {
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

    fn fields() -> BTreeMap<String, FieldValues> {
        let party = ["b", "a", "c", "a", "b", "c", "a", "b"].map(|name| Some(name.to_string()));
        let mut year: Vec<Option<f64>> = (0..8).map(|at| Some(2000.0 + f64::from(at))).collect();
        year[3] = None;
        [
            ("party".to_string(), FieldValues::Category(party.to_vec())),
            ("year".to_string(), FieldValues::Number(year)),
            ("same".to_string(), FieldValues::Number(vec![Some(2.0); 8])),
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
        let at = BTreeMap::from([("party".to_string(), FieldValue::Category("c".into()))]);
        assert_eq!(design.mean_row(&at).expect("a row"), [1.0, 0.0, 1.0, year]);
        let at = BTreeMap::from([("year".to_string(), FieldValue::Number(1990.0))]);
        let unseen = EffectsError::NotSeen {
            field: "year".into(),
            value: "1990".into(),
            known: "they lie from 2000 to 2007".into(),
        };
        assert_eq!(design.mean_row(&at), Err(unseen));
    }

    #[test]
    fn what_cannot_be_estimated_is_refused() {
        let refused = |typed: &str| design(typed).expect_err("refused");
        let one_value = EffectsError::OneValue { field: "same".into(), value: "2".into() };
        assert_eq!(refused("same"), one_value);
        assert_eq!(refused("s(party)"), EffectsError::SplineOfCategory { field: "party".into() });
        let few = refused("party + s(year, 5)");
        assert!(matches!(few, EffectsError::FewDocuments { documents: 7, .. }), "{few:?}");
    }
}

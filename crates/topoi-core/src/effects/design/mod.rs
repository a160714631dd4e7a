//! The design matrix of a regression: a row for each document, a column for each coefficient.

mod columns;
pub mod fields;
mod polynomial;
mod spline;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use ndarray::Array2;
use rayon::prelude::*;

use super::EffectsError;
use super::formula::{Factor, Formula};
use columns::{FactorColumns, GivenCells, columns_of};
use fields::{FieldValue, FieldValues};
use spline::quantile;

/// Categories that a field may have in a formula.
pub const MOST_CATEGORIES: usize = 200;
/// Rows that a task sums.
const ROWS_PER_TASK: usize = 1 << 14;
/// Half the distance over which a slope is measured, as a share of the range of the field.
const SLOPE_STEP: f64 = 1e-7;

/// The design matrix over the documents that have values of all fields of a formula.
#[derive(Debug, Clone)]
pub struct Design {
    /// Names of the coefficients, the constant first if there is one.
    pub names: Vec<String>,
    /// Indices of the documents that are used, ascending.
    pub documents: Vec<usize>,
    /// The design matrix: documents × coefficients.
    pub rows: Array2<f64>,
    /// Whether the first column is the constant.
    pub has_constant: bool,
    /// The weight of each document of `documents`; `None` if all weigh the same.
    pub weights: Option<Vec<f64>>,
    terms: Vec<Term>,
    factors: Vec<DesignFactor>,
}

/// A term of the formula.
#[derive(Debug, Clone)]
struct Term {
    factors: Vec<TermFactor>,
    /// Its columns.
    columns: Range<usize>,
}

/// A factor of a term.
#[derive(Debug, Clone, Copy)]
struct TermFactor {
    /// Its index among the factors of the design.
    factor: usize,
    /// Whether a category has a column for its reference, too.
    is_full: bool,
}

#[derive(Debug, Clone)]
struct DesignFactor {
    factor: Factor,
    columns: FactorColumns,
    /// By document of [`Design::documents`].
    given: GivenCells,
    /// The columns of each category, one row each; empty for numbers.
    of_category: Vec<Vec<f64>>,
}

impl DesignFactor {
    /// All columns of a document, the reference of a category included.
    fn cells(&self, document: usize) -> &[f64] {
        match &self.given {
            GivenCells::Codes(codes) => &self.of_category[codes[document] as usize],
            GivenCells::Cells { cells, width, .. } => &cells[document * width..][..*width],
        }
    }

    /// The categories with their documents; `None` for numbers.
    fn categories(&self) -> Option<Vec<(String, u64)>> {
        let (FactorColumns::Categories(names), GivenCells::Codes(codes)) =
            (&self.columns, &self.given)
        else {
            return None;
        };
        let mut counts = vec![0; names.len()];
        codes.iter().for_each(|code| counts[*code as usize] += 1);
        Some(names.iter().cloned().zip(counts).collect())
    }
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
    /// The reference value.
    pub value: String,
    /// Documents with this value.
    pub documents: u64,
}

impl Design {
    /// Builds the design of a formula. `fields` has the values of each field for all of `documents`
    /// documents, of which those are used that have all of them and that `is_usable` accepts.
    ///
    /// Columns are R's: the first category, in alphabetical order, is the reference unless the formula
    /// names another. It has no column, and coefficients are differences from it; it has one in a term
    /// whose other factors occur together in no earlier term, as in `~ a + a:x`, and in the first term
    /// of categories without a constant. Within a term the first factor varies fastest.
    ///
    /// # Errors
    /// Any [`EffectsError`] except those of the estimation.
    pub fn new(
        formula: &Formula,
        fields: &BTreeMap<String, FieldValues>,
        documents: usize,
        is_usable: impl Fn(usize) -> bool,
    ) -> Result<Self, EffectsError> {
        let of_field = |field: &str| {
            fields.get(field).ok_or(EffectsError::FewDocuments { documents: 0, terms: 2 })
        };
        let used: Vec<&FieldValues> =
            formula.fields().into_iter().map(of_field).collect::<Result<_, _>>()?;
        let has_all = |&document: &usize| {
            is_usable(document) && used.iter().all(|values| values.has(document))
        };
        let mut design = Self {
            names: if formula.has_constant { vec!["(constant)".into()] } else { Vec::new() },
            documents: (0..documents).filter(has_all).collect(),
            rows: Array2::zeros((0, 0)),
            has_constant: formula.has_constant,
            weights: None,
            terms: Vec::new(),
            factors: Vec::new(),
        };
        for (at, term) in formula.terms.iter().enumerate() {
            let mut factors = Vec::new();
            for (place, factor) in term.iter().enumerate() {
                let factor = design.factor(factor, of_field(factor.field())?)?;
                factors.push(TermFactor { factor, is_full: formula.is_full(at, place) });
            }
            design.terms.push(Term { factors, columns: 0..0 });
        }
        if !formula.has_constant {
            design.give_first_category_all_columns();
        }
        for at in 0..design.terms.len() {
            let names = design.names_of(&design.terms[at].factors);
            design.terms[at].columns = design.names.len()..design.names.len() + names.len();
            design.names.extend(names);
        }
        let (documents, terms) = (design.documents.len(), design.names.len());
        if documents <= terms {
            return Err(EffectsError::FewDocuments { documents, terms });
        }
        let mut rows = Array2::zeros((documents, terms));
        rows.as_slice_mut().unwrap_or_default().par_chunks_mut(terms).enumerate().for_each(
            |(document, row)| {
                design.fill_row(row, |factor| design.factors[factor].cells(document));
            },
        );
        design.rows = rows;
        Ok(design)
    }

    /// The index of a factor, which is added if it is new.
    fn factor(&mut self, factor: &Factor, values: &FieldValues) -> Result<usize, EffectsError> {
        if let Some(known) = self.factors.iter().position(|other| other.factor == *factor) {
            return Ok(known);
        }
        let (columns, given) = columns_of(factor, values, &self.documents, MOST_CATEGORIES)?;
        let of_category = match columns.are_categories() {
            true => {
                let count = columns.count(true);
                let row =
                    |one: usize| (0..count).map(|at| f64::from(u8::from(at == one))).collect();
                (0..count).map(row).collect()
            }
            false => Vec::new(),
        };
        self.factors.push(DesignFactor { factor: factor.clone(), columns, given, of_category });
        Ok(self.factors.len() - 1)
    }

    /// Without a constant R gives the first factor of categories of the first term that has one a
    /// column for its reference.
    fn give_first_category_all_columns(&mut self) {
        let factors = &self.factors;
        let places = self.terms.iter_mut().flat_map(|term| &mut term.factors);
        let first = { places }.find(|place| factors[place.factor].columns.are_categories());
        if let Some(place) = first {
            place.is_full = true;
        }
    }

    /// The mean row of all documents, with the fields in `at` set to its values. Its prediction is
    /// the mean of the documents' predictions.
    ///
    /// # Errors
    /// [`EffectsError::NotSeen`].
    pub fn mean_row(&self, at: &BTreeMap<String, FieldValue>) -> Result<Vec<f64>, EffectsError> {
        let mut fixed: Vec<Option<Vec<f64>>> = vec![None; self.factors.len()];
        for (fixed, DesignFactor { factor, columns, .. }) in fixed.iter_mut().zip(&self.factors) {
            if let Some(value) = at.get(factor.field()) {
                columns.check(factor.field(), value)?;
                *fixed = Some(columns.cells(value));
            }
        }
        Ok(self.mean_of_rows(|document, row| {
            let cells = |factor: usize| match &fixed[factor] {
                Some(cells) => cells.as_slice(),
                None => self.factors[factor].cells(document),
            };
            self.fill_row(row, cells);
        }))
    }

    /// The mean over documents of the slope of their predictions along a field of numbers.
    ///
    /// # Errors
    /// [`EffectsError::NotSeen`] for a field of categories.
    pub fn mean_slope(&self, field: &str) -> Result<Vec<f64>, EffectsError> {
        let numbers = self.numbers(field).ok_or_else(|| EffectsError::NotANumber {
            field: field.into(),
            factor: "a slope".into(),
        })?;
        let (least, most) = range(numbers);
        let step = SLOPE_STEP * (most - least);
        let names = self.names.len();
        Ok(self.mean_of_rows(|document, row| {
            let ends =
                [(numbers[document] - step).max(least), (numbers[document] + step).min(most)];
            let rows = ends.map(|number| {
                let value = FieldValue::from_number(number);
                let cells: Vec<Option<Vec<f64>>> = self
                    .factors
                    .iter()
                    .map(|own| (own.factor.field() == field).then(|| own.columns.cells(&value)))
                    .collect();
                let mut row = vec![0.0; names];
                self.fill_row(&mut row, |factor| match &cells[factor] {
                    Some(cells) => cells.as_slice(),
                    None => self.factors[factor].cells(document),
                });
                row
            });
            let between = (ends[1] - ends[0]).max(f64::MIN_POSITIVE);
            for (at, cell) in row.iter_mut().enumerate() {
                *cell = (rows[1][at] - rows[0][at]) / between;
            }
        }))
    }

    /// The numbers of a field of numbers, by document.
    fn numbers(&self, field: &str) -> Option<&[f64]> {
        let own = self.factors.iter().filter(|own| own.factor.field() == field);
        own.filter_map(|own| match &own.given {
            GivenCells::Cells { numbers, .. } => Some(numbers.as_slice()),
            GivenCells::Codes(_) => None,
        })
        .next()
    }

    /// Whether a field of the formula is of numbers.
    pub fn is_number(&self, field: &str) -> bool {
        self.numbers(field).is_some()
    }

    /// The least and the largest number of a field of numbers.
    pub fn range(&self, field: &str) -> Option<(f64, f64)> {
        self.numbers(field).map(range)
    }

    /// The quartiles of a field of numbers.
    pub fn quartiles(&self, field: &str) -> Option<[f64; 3]> {
        let mut sorted = self.numbers(field)?.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some([0.25, 0.5, 0.75].map(|share| quantile(&sorted, share)))
    }

    /// The categories of a field with their documents, the reference first.
    pub fn categories(&self, field: &str) -> Option<Vec<(String, u64)>> {
        let mut own = self.factors.iter().filter(|own| own.factor.field() == field);
        own.find_map(DesignFactor::categories)
    }

    /// The weighted mean of rows that `fill` writes.
    fn mean_of_rows(&self, fill: impl Fn(usize, &mut [f64]) + Sync) -> Vec<f64> {
        let documents: Vec<usize> = (0..self.documents.len()).collect();
        let sum = |documents: &[usize]| {
            let (mut sum, mut row) = (vec![0.0; self.names.len()], vec![0.0; self.names.len()]);
            for &document in documents {
                fill(document, &mut row);
                let weight = self.weights.as_ref().map_or(1.0, |weights| weights[document]);
                sum.iter_mut().zip(&row).for_each(|(sum, cell)| *sum += weight * cell);
            }
            sum
        };
        let parts: Vec<Vec<f64>> = documents.par_chunks(ROWS_PER_TASK).map(sum).collect();
        let mut mean = vec![0.0; self.names.len()];
        for part in parts {
            mean.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        let all =
            self.weights.as_ref().map_or(documents.len() as f64, |weights| weights.iter().sum());
        mean.iter_mut().for_each(|sum| *sum /= all);
        mean
    }

    /// The support of each coefficient. `clusters` has the cluster of every document.
    pub fn levels(&self, clusters: Option<&[u32]>) -> Vec<CoefficientSupport> {
        let ones: Vec<Vec<f64>> =
            self.factors.iter().map(|own| vec![1.0; own.columns.count(true)]).collect();
        let mut levels =
            vec![CoefficientSupport { documents: 0, clusters: None }; self.names.len()];
        let mut clusters_of = vec![HashSet::new(); self.names.len()];
        let mut row = vec![0.0; self.names.len()];
        for document in 0..self.documents.len() {
            self.fill_row(&mut row, |factor| match self.factors[factor].columns.are_categories() {
                true => self.factors[factor].cells(document),
                false => &ones[factor],
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

    /// The reference value of each categorical field that has one.
    pub fn references(&self) -> Vec<Reference> {
        let has_reference = |at: usize| {
            let mut places = self.terms.iter().flat_map(|term| &term.factors);
            places.any(|place| place.factor == at && !place.is_full)
        };
        let of = |(at, own): (usize, &DesignFactor)| {
            let field = own.factor.field();
            if !own.columns.are_categories() || !has_reference(at) {
                return None;
            }
            let (value, documents) = own.categories()?.swap_remove(0);
            Some(Reference { field: field.into(), value, documents })
        };
        self.factors.iter().enumerate().filter_map(of).collect()
    }

    /// The terms with their columns, the constant not among them.
    pub fn terms(&self) -> impl Iterator<Item = (String, Range<usize>)> + '_ {
        self.terms.iter().map(|term| {
            let factors = term.factors.iter();
            let names = factors.map(|place| self.factors[place.factor].factor.name());
            (names.collect::<Vec<_>>().join(":"), term.columns.clone())
        })
    }

    /// Leaves the constant out, which absorbed fields contain.
    pub(in crate::effects) fn without_constant(&mut self) {
        if !std::mem::take(&mut self.has_constant) {
            return;
        }
        self.names.remove(0);
        self.rows = self.rows.slice(ndarray::s![.., 1..]).to_owned();
        for term in &mut self.terms {
            term.columns = term.columns.start - 1..term.columns.end - 1;
        }
    }

    /// Writes a row. `cells` has all columns of a factor.
    fn fill_row<'c>(&self, row: &mut [f64], cells: impl Fn(usize) -> &'c [f64]) {
        let mut end = usize::from(self.has_constant);
        row[..end].fill(1.0);
        for term in &self.terms {
            let start = end;
            row[start] = 1.0;
            end += 1;
            for place in &term.factors {
                let all = cells(place.factor);
                let is_short =
                    self.factors[place.factor].columns.are_categories() && !place.is_full;
                let own = &all[usize::from(is_short)..];
                // The first factor varies fastest; from the last, so that products are not overwritten
                // before they are used.
                let width = end - start;
                end = start + width * own.len();
                for (at, cell) in own.iter().enumerate().rev() {
                    for before in 0..width {
                        row[start + at * width + before] = row[start + before] * cell;
                    }
                }
            }
        }
    }

    fn names_of(&self, term: &[TermFactor]) -> Vec<String> {
        let mut names = vec![String::new()];
        for place in term {
            let DesignFactor { factor, columns, .. } = &self.factors[place.factor];
            let own = columns.names(factor, place.is_full);
            let join = |own: &String| {
                let joined = |name: &String| match name.is_empty() {
                    true => own.clone(),
                    false => format!("{name}:{own}"),
                };
                names.iter().map(joined).collect::<Vec<_>>()
            };
            names = own.iter().flat_map(join).collect();
        }
        names
    }
}

fn range(numbers: &[f64]) -> (f64, f64) {
    numbers
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(*n), high.max(*n)))
}

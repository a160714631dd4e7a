//! Columns of the design that a factor of a formula makes.

use super::fields::{FieldValue, FieldValues};
use super::polynomial::Polynomials;
use super::spline::Spline;
use crate::effects::EffectsError;
use crate::effects::formula::{Factor, NumberFunction};

/// How a factor becomes columns.
#[derive(Debug, Clone)]
pub(super) enum FactorColumns {
    /// A function of the number; its range.
    Number(NumberMap, (f64, f64)),
    Spline(Spline),
    Polynomials(Polynomials),
    /// One indicator column for each category, the reference first and the others in their order.
    Categories(Vec<String>),
}

/// A function of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum NumberMap {
    Identity,
    Function(NumberFunction),
    /// (x − mean) / deviation.
    Scaled(f64, f64),
}

impl NumberMap {
    fn at(self, x: f64) -> f64 {
        match self {
            Self::Identity => x,
            Self::Scaled(mean, deviation) => (x - mean) / deviation,
            Self::Function(function) => match function {
                NumberFunction::Log => x.ln(),
                NumberFunction::Log2 => x.log2(),
                NumberFunction::Log10 => x.log10(),
                NumberFunction::Log1p => x.ln_1p(),
                NumberFunction::Sqrt => x.sqrt(),
                NumberFunction::Exp => x.exp(),
                NumberFunction::Power(exponent) => x.powf(exponent),
                // It is `Scaled` once the values are known.
                NumberFunction::Scale => x,
            },
        }
    }
}

/// The columns of the documents' values of one factor.
#[derive(Debug, Clone)]
pub(super) enum GivenCells {
    /// The category's place in [`FactorColumns::Categories`].
    Codes(Vec<u32>),
    /// Numbers by document, and their columns, `width` for each.
    Cells { numbers: Vec<f64>, cells: Vec<f64>, width: usize },
}

impl FactorColumns {
    /// Number of columns. `is_full` gives the reference of categories a column, too.
    pub(super) fn count(&self, is_full: bool) -> usize {
        match self {
            Self::Number(..) => 1,
            Self::Spline(spline) => spline.columns(),
            Self::Polynomials(polynomials) => polynomials.columns(),
            Self::Categories(all) => all.len() - usize::from(!is_full),
        }
    }

    /// Names of the columns.
    pub(super) fn names(&self, factor: &Factor, is_full: bool) -> Vec<String> {
        let numbered =
            |columns: usize| (1..=columns).map(|at| format!("{}{at}", factor.name())).collect();
        match self {
            Self::Number(..) => vec![factor.name()],
            Self::Spline(spline) => numbered(spline.columns()),
            Self::Polynomials(polynomials) => numbered(polynomials.columns()),
            Self::Categories(all) => {
                let own = &all[usize::from(!is_full)..];
                own.iter().map(|category| format!("{}={category}", factor.field())).collect()
            }
        }
    }

    /// Whether the factor is of categories.
    pub(super) fn are_categories(&self) -> bool {
        matches!(self, Self::Categories(_))
    }

    /// The columns of a number, appended to `to`.
    fn number_cells(&self, number: f64, to: &mut Vec<f64>) {
        match self {
            Self::Number(map, _) => to.push(map.at(number)),
            Self::Spline(spline) => to.extend(spline.at(number)),
            Self::Polynomials(polynomials) => to.extend(polynomials.at(number)),
            Self::Categories(_) => {}
        }
    }

    /// All columns of a value that [`Self::check`] accepts; those of a category include the
    /// reference.
    pub(super) fn cells(&self, value: &FieldValue) -> Vec<f64> {
        match self {
            Self::Categories(all) => {
                all.iter().map(|category| f64::from(u8::from(*category == value.text))).collect()
            }
            _ => {
                let mut cells = Vec::new();
                self.number_cells(value.number.unwrap_or_default(), &mut cells);
                cells
            }
        }
    }

    /// Checks that a number is within the range of the documents' values, or that a category is one of
    /// theirs.
    ///
    /// # Errors
    /// [`EffectsError::NotSeen`].
    pub(super) fn check(&self, field: &str, value: &FieldValue) -> Result<(), EffectsError> {
        let (least, most) = match self {
            Self::Categories(all) if all.contains(&value.text) => return Ok(()),
            Self::Categories(all) => {
                let known = format!("it has {}", some_of(all));
                return Err(EffectsError::NotSeen {
                    field: field.into(),
                    value: value.text.clone(),
                    known,
                });
            }
            Self::Number(_, range) => *range,
            Self::Spline(spline) => spline.range(),
            Self::Polynomials(polynomials) => polynomials.range(),
        };
        let known = match value.number {
            Some(number) if (least..=most).contains(&number) => return Ok(()),
            Some(_) => format!("they lie from {least} to {most}"),
            None => format!("it has numbers from {least} to {most}"),
        };
        Err(EffectsError::NotSeen { field: field.into(), value: value.text.clone(), known })
    }
}

/// Up to ten names, and how many more there are.
fn some_of(names: &[String]) -> String {
    let shown = names.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(10) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The columns of a factor over `documents`, which all have a value of its field, and their cells.
pub(super) fn columns_of(
    factor: &Factor,
    values: &FieldValues,
    documents: &[usize],
    most_categories: usize,
) -> Result<(FactorColumns, GivenCells), EffectsError> {
    if documents.is_empty() {
        return Err(EffectsError::FewDocuments { documents: 0, terms: 2 });
    }
    let wants_categories = match factor {
        Factor::Category { .. } => true,
        Factor::Field(_) => !values.are_numbers(),
        _ => false,
    };
    match wants_categories {
        true => categories(factor, values, documents, most_categories),
        false => numbers(factor, values, documents),
    }
}

fn categories(
    factor: &Factor,
    values: &FieldValues,
    documents: &[usize],
    most: usize,
) -> Result<(FactorColumns, GivenCells), EffectsError> {
    let field = factor.field().to_string();
    let mut is_there = vec![false; values.levels().len()];
    documents.iter().for_each(|&document| is_there[values.level(document)] = true);
    let mut places: Vec<usize> = (0..is_there.len()).filter(|&at| is_there[at]).collect();
    values.sort_levels(&mut places);
    let name = |at: &usize| values.levels()[*at].clone();
    if let [one] = places[..] {
        return Err(EffectsError::OneValue { field, value: name(&one) });
    }
    if places.len() > most {
        return Err(EffectsError::ManyCategories { field, categories: places.len(), most });
    }
    if let Factor::Category { reference: Some(reference), .. } = factor {
        let Some(at) = places.iter().position(|at| values.levels()[*at] == *reference) else {
            let known = format!("it has {}", some_of(&places.iter().map(name).collect::<Vec<_>>()));
            return Err(EffectsError::NotSeen { field, value: reference.clone(), known });
        };
        let reference = places.remove(at);
        places.insert(0, reference);
    }
    let mut codes = vec![0; is_there.len()];
    places.iter().zip(0..).for_each(|(&at, code)| codes[at] = code);
    let given = documents.iter().map(|&document| codes[values.level(document)]).collect();
    Ok((FactorColumns::Categories(places.iter().map(name).collect()), GivenCells::Codes(given)))
}

fn numbers(
    factor: &Factor,
    values: &FieldValues,
    documents: &[usize],
) -> Result<(FactorColumns, GivenCells), EffectsError> {
    let field = factor.field().to_string();
    if !values.are_numbers() {
        return Err(EffectsError::NotANumber { field, factor: factor.name() });
    }
    let numbers: Vec<f64> =
        documents.iter().map(|&document| values.number(document).unwrap_or_default()).collect();
    if numbers.iter().all(|number| *number == numbers[0]) {
        return Err(EffectsError::OneValue { field, value: numbers[0].to_string() });
    }
    let range = numbers
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(*n), high.max(*n)));
    let few =
        |values| EffectsError::FewValues { field: field.clone(), factor: factor.name(), values };
    let columns = match factor {
        Factor::Spline { columns, is_natural, .. } => {
            FactorColumns::Spline(Spline::new(&numbers, *columns, *is_natural).map_err(few)?)
        }
        Factor::Polynomial { degree, .. } => {
            FactorColumns::Polynomials(Polynomials::new(&numbers, *degree).map_err(few)?)
        }
        Factor::Function { function: NumberFunction::Scale, .. } => {
            let count = numbers.len() as f64;
            let mean = numbers.iter().sum::<f64>() / count;
            let square = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
            FactorColumns::Number(NumberMap::Scaled(mean, (square / (count - 1.0)).sqrt()), range)
        }
        Factor::Function { function, .. } => {
            FactorColumns::Number(NumberMap::Function(*function), range)
        }
        Factor::Field(_) | Factor::Category { .. } => {
            FactorColumns::Number(NumberMap::Identity, range)
        }
    };
    let width = columns.count(true);
    let mut cells = Vec::with_capacity(numbers.len() * width);
    for number in &numbers {
        columns.number_cells(*number, &mut cells);
    }
    if let Some(at) = cells.iter().position(|cell| !cell.is_finite()) {
        let value = numbers[at / width].to_string();
        return Err(EffectsError::NotFinite { field, factor: factor.name(), value });
    }
    Ok((columns, GivenCells::Cells { numbers, cells, width }))
}

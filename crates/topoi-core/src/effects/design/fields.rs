//! The values of a field that a formula names.

/// No value.
const MISSING: u32 = u32::MAX;

/// The values of a field, one for each document: texts, and the numbers of a field of numbers or
/// dates.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValues {
    /// The different values.
    levels: Vec<String>,
    /// The number of each level, for a field of numbers or of dates (in years).
    numbers: Option<Vec<Option<f64>>>,
    /// By document, its level; [`MISSING`] without a value.
    codes: Vec<u32>,
}

/// Reads a number from a text.
pub type ReadNumber<'r> = &'r dyn Fn(&str) -> Option<f64>;

/// A value of a field at which to predict.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValue {
    /// As typed.
    pub text: String,
    /// The number, or the date in years, if it is one.
    pub number: Option<f64>,
}

impl FieldValue {
    /// A number.
    pub fn from_number(number: f64) -> Self {
        Self { text: number.to_string(), number: Some(number) }
    }

    /// A category.
    pub fn from_category(text: impl Into<String>) -> Self {
        Self { text: text.into(), number: None }
    }
}

impl FieldValues {
    /// Values by their place among `levels`; `None` for documents without one. `number` reads the
    /// levels of a field of numbers or dates, where a level that is none counts as missing.
    pub fn new(
        levels: Vec<String>,
        codes: impl IntoIterator<Item = Option<u32>>,
        number: Option<ReadNumber<'_>>,
    ) -> Self {
        let numbers: Option<Vec<Option<f64>>> =
            number.map(|number| levels.iter().map(|level| number(level)).collect());
        let is_readable = |code: &u32| {
            let Some(numbers) = &numbers else { return true };
            numbers[*code as usize].is_some()
        };
        let codes = codes.into_iter().map(|code| code.filter(is_readable).unwrap_or(MISSING));
        let codes = codes.collect();
        Self { levels, numbers, codes }
    }

    /// Categories.
    pub fn categories<'v>(values: impl IntoIterator<Item = Option<&'v str>>) -> Self {
        let mut levels: Vec<String> = Vec::new();
        let mut known = std::collections::HashMap::new();
        let codes: Vec<Option<u32>> = values
            .into_iter()
            .map(|value| {
                let value = value?;
                Some(*known.entry(value).or_insert_with(|| {
                    levels.push(value.to_string());
                    levels.len() as u32 - 1
                }))
            })
            .collect();
        Self::new(levels, codes, None)
    }

    /// Numbers.
    pub fn numbers(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let mut levels = Vec::new();
        let mut known = std::collections::HashMap::new();
        let codes: Vec<Option<u32>> = values
            .into_iter()
            .map(|value| {
                let value = value?;
                Some(*known.entry(value.to_bits()).or_insert_with(|| {
                    levels.push(value.to_string());
                    levels.len() as u32 - 1
                }))
            })
            .collect();
        Self::new(levels, codes, Some(&|text: &str| text.parse().ok()))
    }

    /// Whether the field is of numbers or dates.
    pub fn are_numbers(&self) -> bool {
        self.numbers.is_some()
    }

    /// Number of documents.
    pub fn documents(&self) -> usize {
        self.codes.len()
    }

    /// Whether a document has a value.
    pub fn has(&self, document: usize) -> bool {
        self.codes[document] != MISSING
    }

    /// The number of a document.
    pub fn number(&self, document: usize) -> Option<f64> {
        let level = self.codes.get(document).filter(|code| **code != MISSING)?;
        self.numbers.as_ref()?[*level as usize]
    }

    /// The different values, those of no document included.
    pub(super) fn levels(&self) -> &[String] {
        &self.levels
    }

    /// The level of a document that has a value.
    pub fn level(&self, document: usize) -> usize {
        self.codes[document] as usize
    }

    /// Sorts levels by number, or by text where they are none.
    pub(super) fn sort_levels(&self, places: &mut [usize]) {
        let number = |at: usize| self.numbers.as_ref().and_then(|numbers| numbers[at]);
        places.sort_by(|&a, &b| match (number(a), number(b)) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => self.levels[a].cmp(&self.levels[b]),
        });
    }
}

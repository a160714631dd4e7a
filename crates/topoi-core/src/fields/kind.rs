//! Kinds of fields, derived from their values.

use std::collections::BTreeMap;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::date::Date;

/// Largest number of different values that are counted separately. For a field with more, only the
/// number of documents with a value is known.
pub const MAX_DISTINCT: usize = 10_000;
/// Share of the values that must be dates (or numbers) for a field of dates (or numbers). The rest
/// is reported as unreadable.
const LEAST_PARSED_SHARE: f64 = 0.9;
/// Mean length, in letters, above which values are prose.
const MAX_MEAN_LETTERS: f64 = 60.0;
/// Range in which whole numbers are years, when nothing else says what they are. Counts rarely lie
/// in this range alone.
const YEARS: std::ops::RangeInclusive<f64> = 1500.0..=2100.0;

/// The kind of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Names of groups.
    Category,
    /// Quantities, such as a length or a price.
    Number,
    /// Dates, or years.
    Date,
    /// Prose, or names of single documents.
    Text,
}

impl Kind {
    /// Its name on the command line and in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Parses a finite number.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A summary of the values of a field, built document by document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueSummary {
    /// Documents with a value.
    pub values: u64,
    /// Number of documents with each value; empty when there are more than [`MAX_DISTINCT`].
    counts: BTreeMap<String, u64>,
    has_too_many: bool,
    dates: u64,
    years: u64,
    numbers: u64,
    letters: u64,
    least: Option<f64>,
    most: Option<f64>,
    first_year: Option<i32>,
    last_year: Option<i32>,
    /// An example of a value that is not a date.
    no_date: Option<String>,
}

impl ValueSummary {
    /// Adds a value of `documents` documents. It must not be empty.
    pub fn add(&mut self, text: &str, documents: u64) {
        self.values += documents;
        self.letters += documents * text.chars().count() as u64;
        match Date::parse(text) {
            Some(date) => {
                self.dates += documents;
                self.years += documents * u64::from(date.is_year());
                self.first_year = combine(self.first_year, Some(date.year()), i32::min);
                self.last_year = combine(self.last_year, Some(date.year()), i32::max);
            }
            None if self.no_date.is_none() => self.no_date = Some(text.into()),
            None => {}
        }
        if let Some(number) = number(text) {
            self.numbers += documents;
            self.least = combine(self.least, Some(number), f64::min);
            self.most = combine(self.most, Some(number), f64::max);
        }
        self.count(text, documents);
    }

    fn count(&mut self, text: &str, documents: u64) {
        if self.has_too_many {
            return;
        }
        if let Some(count) = self.counts.get_mut(text) {
            *count += documents;
        } else if self.counts.len() == MAX_DISTINCT {
            self.has_too_many = true;
            self.counts.clear();
        } else {
            self.counts.insert(text.into(), documents);
        }
    }

    /// Adds the values of another summary.
    pub fn merge(&mut self, other: Self) {
        self.values += other.values;
        self.dates += other.dates;
        self.years += other.years;
        self.numbers += other.numbers;
        self.letters += other.letters;
        self.least = combine(self.least, other.least, f64::min);
        self.most = combine(self.most, other.most, f64::max);
        self.first_year = combine(self.first_year, other.first_year, i32::min);
        self.last_year = combine(self.last_year, other.last_year, i32::max);
        self.no_date = self.no_date.take().or(other.no_date);
        if other.has_too_many {
            self.has_too_many = true;
            self.counts.clear();
        }
        other.counts.into_iter().for_each(|(text, documents)| self.count(&text, documents));
    }

    /// Number of different values; `None` when there are more than [`MAX_DISTINCT`].
    pub fn distinct(&self) -> Option<usize> {
        (!self.has_too_many).then_some(self.counts.len())
    }

    /// The `most` commonest values with their numbers of documents. Equally common values are in
    /// alphabetical order.
    pub fn commonest(&self, most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> =
            self.counts.iter().map(|(text, &n)| (text.as_str(), n)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        all.truncate(most);
        all
    }

    /// Documents whose value does not parse as `kind`.
    pub fn unreadable(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Date => self.values - self.dates,
            Kind::Number => self.values - self.numbers,
            Kind::Category | Kind::Text => 0,
        }
    }

    /// An example of a value that is not a date.
    pub fn no_date(&self) -> Option<&str> {
        self.no_date.as_deref()
    }

    /// Whether all dates are years only.
    pub fn are_years(&self) -> bool {
        self.years == self.dates
    }

    /// Years from the first date to the last, inclusive; `None` without dates.
    pub fn years_spanned(&self) -> Option<i32> {
        Some(self.last_year? - self.first_year? + 1)
    }

    /// The ends of `ranges` ranges of numbers with about equally many documents: one more than
    /// there are ranges, and fewer where many documents share a number. For a field with too many
    /// values, ranges of equal width.
    pub fn quantiles(&self, ranges: usize) -> Vec<f64> {
        let (Some(least), Some(most)) = (self.least, self.most) else { return Vec::new() };
        let mut numbers: Vec<(f64, u64)> =
            self.counts.iter().filter_map(|(text, &n)| Some((number(text)?, n))).collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ends = vec![least];
        if self.has_too_many {
            let step = (most - least) / ranges as f64;
            ends.extend((1..ranges).map(|at| least + step * at as f64));
        }
        let mut before = 0;
        for (number, documents) in numbers {
            before += documents;
            let is_full = before * ranges as u64 >= self.numbers * ends.len() as u64;
            if is_full && ends.len() < ranges && number > ends[ends.len() - 1] {
                ends.push(number);
            }
        }
        ends.push(most);
        ends
    }

    /// The kind suggested by the values. Whole numbers are years where all lie between 1500 and
    /// 2100 or the field's name says so.
    pub fn kind(&self, name: &str) -> Kind {
        let mostly =
            |count: u64| self.values > 0 && count as f64 >= LEAST_PARSED_SHARE * self.values as f64;
        let name = name.to_lowercase();
        let says_date =
            ["date", "year", "time", "published"].iter().any(|word| name.contains(word));
        let all_years =
            [self.least, self.most].iter().flatten().all(|number| YEARS.contains(number));
        let are_dates = self.years < self.dates || says_date || all_years;
        if mostly(self.dates) && are_dates {
            return Kind::Date;
        }
        if mostly(self.numbers) {
            return Kind::Number;
        }
        let names_documents = self.distinct().is_none_or(|n| n > 20 && 2 * n as u64 > self.values);
        if names_documents || self.letters as f64 > MAX_MEAN_LETTERS * self.values as f64 {
            return Kind::Text;
        }
        Kind::Category
    }
}

/// Combines two optional values by `choice`, such as their minimum.
fn combine<T: Copy>(one: Option<T>, other: Option<T>, choice: fn(T, T) -> T) -> Option<T> {
    one.zip(other).map(|(one, other)| choice(one, other)).or(one).or(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, values: &[&str]) -> Kind {
        let mut tally = ValueSummary::default();
        values.iter().for_each(|value| tally.add(value, 1));
        tally.kind(name)
    }

    #[test]
    fn kinds_are_told_from_values_and_in_doubt_from_the_name() {
        assert_eq!(kind("a", &["1999", "2004", "2011"]), Kind::Date);
        assert_eq!(kind("a", &["1999", "2004", "250"]), Kind::Number);
        assert_eq!(kind("year", &["1066", "1215"]), Kind::Date);
        assert_eq!(kind("score", &["1066", "1215"]), Kind::Number);
        assert_eq!(kind("a", &["3 May 1999", "June 2000"]), Kind::Date);
        assert_eq!(kind("a", &["1.5", "-2", "1e3"]), Kind::Number);
        assert_eq!(kind("a", &["Sports", "Arts", "Sports"]), Kind::Category);
        let titles: Vec<String> = (0..30).map(|n| format!("On {n} things")).collect();
        assert_eq!(kind("a", &titles.iter().map(String::as_str).collect::<Vec<_>>()), Kind::Text);
        assert_eq!(
            kind("a", &["a long sentence that says more than a name of a group ever would, twice"]),
            Kind::Text
        );
    }

    #[test]
    fn a_few_values_that_cannot_be_read_do_not_change_the_kind_and_are_counted() {
        let mut tally = ValueSummary::default();
        (1..20).for_each(|day| tally.add(&format!("1999-05-{day:02}"), 1));
        tally.add("unknown", 1);
        assert_eq!((tally.kind("when"), tally.unreadable(Kind::Date)), (Kind::Date, 1));
        assert_eq!(tally.no_date(), Some("unknown"));
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let values = ["a", "b", "1999", "a", "2000-01-01", "7"];
        let of = |values: &[&str]| {
            let mut tally = ValueSummary::default();
            values.iter().for_each(|value| tally.add(value, 1));
            tally
        };
        let mut sum = of(&values[..2]);
        sum.merge(of(&values[2..]));
        assert_eq!(sum, of(&values));
        assert_eq!(sum.commonest(2), [("a", 2), ("1999", 1)]);
    }
}

//! What kind of thing the values of a field are.

use std::collections::BTreeMap;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::date::Date;

/// Different values of a field that are kept apart; of one with more, only how many documents have it is known.
pub const MOST_VALUES: usize = 10_000;
/// So large a share of the values has to be dates or numbers for the field to be of dates or numbers: what a
/// source has of others is told as unreadable.
const MOSTLY: f64 = 0.9;
/// Values of more letters than this, on average, are prose.
const SHORT: f64 = 60.0;
/// Years, where nothing but whole numbers tells that they are: nobody counts in this range alone.
const YEARS: std::ops::RangeInclusive<f64> = 1500.0..=2100.0;

/// What the values of a field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Names of groups.
    Category,
    /// Values that add up, such as a length or a price.
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

/// A number as a field has it.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// What the values of a field look like, document by document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Documents that have a value.
    pub values: u64,
    /// How many documents have each value; empty when there are more than [`MOST_VALUES`].
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
    /// One that is no date, for who believes that all are.
    no_date: Option<String>,
}

impl Tally {
    /// Adds the value of so many documents; it is not empty.
    pub fn add(&mut self, text: &str, documents: u64) {
        self.values += documents;
        self.letters += documents * text.chars().count() as u64;
        match Date::read(text) {
            Some(date) => {
                self.dates += documents;
                self.years += documents * u64::from(date.is_year());
                self.first_year = lesser(self.first_year, Some(date.year()), i32::min);
                self.last_year = lesser(self.last_year, Some(date.year()), i32::max);
            }
            None if self.no_date.is_none() => self.no_date = Some(text.into()),
            None => {}
        }
        if let Some(number) = number(text) {
            self.numbers += documents;
            self.least = lesser(self.least, Some(number), f64::min);
            self.most = lesser(self.most, Some(number), f64::max);
        }
        self.count(text, documents);
    }

    fn count(&mut self, text: &str, documents: u64) {
        if self.has_too_many {
            return;
        }
        if let Some(count) = self.counts.get_mut(text) {
            *count += documents;
        } else if self.counts.len() == MOST_VALUES {
            self.has_too_many = true;
            self.counts.clear();
        } else {
            self.counts.insert(text.into(), documents);
        }
    }

    /// Adds what another has seen.
    pub fn merge(&mut self, other: Self) {
        self.values += other.values;
        self.dates += other.dates;
        self.years += other.years;
        self.numbers += other.numbers;
        self.letters += other.letters;
        self.least = lesser(self.least, other.least, f64::min);
        self.most = lesser(self.most, other.most, f64::max);
        self.first_year = lesser(self.first_year, other.first_year, i32::min);
        self.last_year = lesser(self.last_year, other.last_year, i32::max);
        self.no_date = self.no_date.take().or(other.no_date);
        if other.has_too_many {
            self.has_too_many = true;
            self.counts.clear();
        }
        other.counts.into_iter().for_each(|(text, documents)| self.count(&text, documents));
    }

    /// Different values; `None` when there are more than [`MOST_VALUES`].
    pub fn distinct(&self) -> Option<usize> {
        (!self.has_too_many).then_some(self.counts.len())
    }

    /// The commonest values, with how many documents have them; of equal ones the first.
    pub fn commonest(&self, most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> =
            self.counts.iter().map(|(text, &n)| (text.as_str(), n)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        all.truncate(most);
        all
    }

    /// Documents whose value cannot be read as of `kind`.
    pub fn unreadable(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Date => self.values - self.dates,
            Kind::Number => self.values - self.numbers,
            Kind::Category | Kind::Text => 0,
        }
    }

    /// One of the values that are no date.
    pub fn no_date(&self) -> Option<&str> {
        self.no_date.as_deref()
    }

    /// Whether all dates are years, and no more is known of them.
    pub fn are_years(&self) -> bool {
        self.years == self.dates
    }

    /// Years from the first date to the last; `None` without any.
    pub fn years_spanned(&self) -> Option<i32> {
        Some(self.last_year? - self.first_year? + 1)
    }

    /// The ends of so many ranges of numbers with about as many documents each: one more than there are, fewer
    /// where one number is in many. Of a field with very many values, ranges of equal width.
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

    /// The kind that the values look like. Whole numbers are years where all lie from 1500 to 2100, or the
    /// field's name says so.
    pub fn kind(&self, name: &str) -> Kind {
        let mostly = |count: u64| self.values > 0 && count as f64 >= MOSTLY * self.values as f64;
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
        if names_documents || self.letters as f64 > SHORT * self.values as f64 {
            return Kind::Text;
        }
        Kind::Category
    }
}

/// The lesser, or by another `choice` the greater, of those that are there.
fn lesser<T: Copy>(one: Option<T>, other: Option<T>, choice: fn(T, T) -> T) -> Option<T> {
    one.zip(other).map(|(one, other)| choice(one, other)).or(one).or(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, values: &[&str]) -> Kind {
        let mut tally = Tally::default();
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
        let mut tally = Tally::default();
        (1..20).for_each(|day| tally.add(&format!("1999-05-{day:02}"), 1));
        tally.add("unknown", 1);
        assert_eq!((tally.kind("when"), tally.unreadable(Kind::Date)), (Kind::Date, 1));
        assert_eq!(tally.no_date(), Some("unknown"));
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let values = ["a", "b", "1999", "a", "2000-01-01", "7"];
        let of = |values: &[&str]| {
            let mut tally = Tally::default();
            values.iter().for_each(|value| tally.add(value, 1));
            tally
        };
        let mut sum = of(&values[..2]);
        sum.merge(of(&values[2..]));
        assert_eq!(sum, of(&values));
        assert_eq!(sum.commonest(2), [("a", 2), ("1999", 1)]);
    }
}

//! The kinds of fields, and how they follow from values. A kind is a variant of [`Kind`] with its [`KindDef`] here:
//! grouping, regression, the command line and pages take from there what they do with it.

use std::collections::BTreeMap;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::date::{Date, DateForm};

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

/// What the values of a field are, in the order in which texts list the kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Names of groups.
    #[default]
    Category,
    /// Quantities, such as a length or a price.
    Number,
    /// Dates, or years.
    Date,
    /// Dates of which those of two meanings have the day first: `3/5/2019`.
    #[serde(rename = "date-dmy")]
    #[strum(serialize = "date-dmy")]
    DateDayFirst,
    /// Dates of which those of two meanings have the month first.
    #[serde(rename = "date-mdy")]
    #[strum(serialize = "date-mdy")]
    DateMonthFirst,
    /// Seconds or milliseconds since 1970.
    #[serde(rename = "date-epoch")]
    #[strum(serialize = "date-epoch")]
    DateOfEpoch,
    /// Days since 1900, as spreadsheets count them.
    #[serde(rename = "date-excel")]
    #[strum(serialize = "date-excel")]
    DateOfSheets,
    /// Prose, or names of single documents.
    Text,
}

/// All kinds, in the order in which a field's values are held against them: it is of the first that they look like.
pub const BY_LOOKS: [Kind; Kind::VARIANTS.len()] = [
    Kind::Date,
    Kind::DateDayFirst,
    Kind::DateMonthFirst,
    Kind::DateOfEpoch,
    Kind::DateOfSheets,
    Kind::Number,
    Kind::Text,
    Kind::Category,
];

/// The kind of what is counted, such as a document's tokens.
pub const COUNTS: Kind = Kind::Number;

/// What is done with fields of a kind.
#[derive(Debug, Clone, Copy)]
pub struct KindDef {
    /// What messages call one of its values, with an article.
    pub value: &'static str,
    /// The number of a value, by which regression and ranges take it; `None` for a kind whose values are names.
    pub number: Option<fn(&str) -> Option<f64>>,
    /// The date of a value, of kinds of dates.
    pub date: Option<fn(&str) -> Option<Date>>,
    /// How its values make groups of documents.
    pub grouping: Grouping,
    /// Maximum number of fields of this kind with a figure on the page of a run.
    pub on_page: usize,
    /// Whether the values of a field, which has a name, look like this kind.
    looks: fn(&ValueSummary, &str) -> bool,
}

/// How the values of a field make groups of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Each value is a group.
    Values,
    /// Each number is one, or where there are many, ranges of them are.
    Numbers,
    /// Periods are, such as years.
    Periods,
}

const CATEGORY: KindDef = KindDef {
    value: "a value",
    number: None,
    date: None,
    grouping: Grouping::Values,
    on_page: 3,
    looks: |_, _| true,
};

const NUMBER: KindDef = KindDef {
    value: "a number",
    number: Some(|text| text.trim().parse::<f64>().ok().filter(|number| number.is_finite())),
    date: None,
    grouping: Grouping::Numbers,
    on_page: 0,
    looks: |tally, _| tally.are_mostly(tally.read(Kind::Number).documents),
};

/// Dates that a function reads.
macro_rules! dates {
    ($date:expr, $looks:expr) => {
        KindDef {
            value: "a date",
            number: Some(|text| $date(text).map(Date::in_years)),
            date: Some($date),
            grouping: Grouping::Periods,
            on_page: 1,
            looks: $looks,
        }
    };
}

const DATE: KindDef = dates!(Date::parse, look_like_dates);
const DAY_FIRST: KindDef =
    dates!(|text: &str| Date::parse_as(text, DateForm::DayFirst), |tally, _| {
        tally.are_rather(Kind::DateDayFirst, Kind::DateMonthFirst)
    });
const MONTH_FIRST: KindDef =
    dates!(|text: &str| Date::parse_as(text, DateForm::MonthFirst), |tally, _| tally
        .are_rather(Kind::DateMonthFirst, Kind::DateDayFirst));
const EPOCH: KindDef = dates!(|text: &str| Date::parse_as(text, DateForm::Epoch), |_, _| false);
const SHEETS: KindDef = dates!(|text: &str| Date::parse_as(text, DateForm::Sheets), |_, _| false);

const TEXT: KindDef = KindDef {
    value: "a value",
    number: None,
    date: None,
    grouping: Grouping::Values,
    on_page: 0,
    looks: look_like_prose,
};

/// Whole numbers are years where all lie from 1500 to 2100, or the field's name says so.
fn look_like_dates(tally: &ValueSummary, name: &str) -> bool {
    let name = name.to_lowercase();
    let says_date = ["date", "year", "time", "published"].iter().any(|word| name.contains(word));
    let numbers = tally.read(Kind::Number);
    let all_years =
        [numbers.least, numbers.most].iter().flatten().all(|number| YEARS.contains(number));
    let dates = tally.read(Kind::Date).documents;
    tally.are_mostly(dates) && (tally.years < dates || says_date || all_years)
}

fn look_like_prose(tally: &ValueSummary, _: &str) -> bool {
    let names_documents = tally.distinct().is_none_or(|n| n > 20 && 2 * n as u64 > tally.values);
    names_documents || tally.letters as f64 > MAX_MEAN_LETTERS * tally.values as f64
}

impl Kind {
    /// Its name on the command line and in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What is done with fields of this kind.
    pub fn def(self) -> &'static KindDef {
        match self {
            Self::Category => &CATEGORY,
            Self::Number => &NUMBER,
            Self::Date => &DATE,
            Self::DateDayFirst => &DAY_FIRST,
            Self::DateMonthFirst => &MONTH_FIRST,
            Self::DateOfEpoch => &EPOCH,
            Self::DateOfSheets => &SHEETS,
            Self::Text => &TEXT,
        }
    }

    /// The names of all kinds, as a sentence lists them; dates are one kind, in several forms.
    pub fn all_names() -> String {
        let names = Self::VARIANTS.iter().map(|kind| kind.name());
        let names: Vec<&str> = names.filter(|name| !name.contains(FORM_MARK)).collect();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        format!("{} or {last}", others.join(", "))
    }

    /// This kind with its values in a form, which is one of [`Kind::date_forms`]; `None` if it is no kind of dates.
    pub fn in_form(self, form: &str) -> Option<Self> {
        format!("{}{FORM_MARK}{form}", self.name()).parse().ok()
    }

    /// The forms of dates with several meanings.
    pub fn date_forms() -> impl Iterator<Item = &'static str> {
        Self::VARIANTS.iter().filter_map(|kind| Some(kind.name().split_once(FORM_MARK)?.1))
    }

    /// The forms in which all of these values are dates, though none is without a form.
    pub fn possible_forms(values: &[&str]) -> Vec<&'static str> {
        let reads = |kind: &Kind| {
            let date = kind.def().date;
            date.is_some_and(|date| values.iter().all(|value| date(value).is_some()))
        };
        let forms = Self::VARIANTS.iter().filter(|kind| reads(kind));
        forms.filter_map(|kind| Some(kind.name().split_once(FORM_MARK)?.1)).collect()
    }

    /// The date of a value; `None` where it cannot be read as one.
    pub fn date(self, text: &str) -> Option<Date> {
        self.def().date?(text)
    }

    /// The number of a value; `None` where it cannot be read as one.
    pub fn number(self, text: &str) -> Option<f64> {
        self.def().number?(text)
    }
}

/// Stands between the name of a kind and that of a form of its values.
const FORM_MARK: char = '-';

/// The values of a field that can be read as numbers of one kind.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct Readable {
    /// Documents that have one.
    documents: u64,
    least: Option<f64>,
    most: Option<f64>,
    /// A value that is none.
    other: Option<String>,
}

impl Readable {
    fn add(&mut self, number: Option<f64>, text: &str, documents: u64) {
        match number {
            Some(number) => {
                self.documents += documents;
                self.least = combine(self.least, Some(number), f64::min);
                self.most = combine(self.most, Some(number), f64::max);
            }
            None if self.other.is_none() => self.other = Some(text.into()),
            None => {}
        }
    }

    fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.least = combine(self.least, other.least, f64::min);
        self.most = combine(self.most, other.most, f64::max);
        self.other = self.other.take().or(other.other);
    }
}

/// A summary of the values of a field, built document by document.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ValueSummary {
    /// Documents with a value.
    pub values: u64,
    /// Number of documents with each value; empty when there are more than [`MAX_DISTINCT`].
    counts: BTreeMap<String, u64>,
    has_too_many: bool,
    letters: u64,
    /// By kind; of kinds whose values are names nothing is counted.
    readable: [Readable; Kind::VARIANTS.len()],
    /// Documents whose date is a year and no more.
    years: u64,
}

impl ValueSummary {
    /// Adds a value of `documents` documents. It must not be empty.
    pub fn add(&mut self, text: &str, documents: u64) {
        self.values += documents;
        self.letters += documents * text.chars().count() as u64;
        let date = Date::parse(text).map(Date::in_years);
        // Other forms of dates begin with a digit, and are not read of names of groups.
        let has_forms = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        for (kind, readable) in Kind::VARIANTS.iter().zip(&mut self.readable) {
            let Some(number) = kind.def().number else { continue };
            let is_read = *kind == Kind::Date || kind.def().date.is_some() && !has_forms;
            let number = if is_read { date } else { number(text) };
            readable.add(number, text, documents);
            // Only a whole number of years can be a year and no more: other dates are not read again.
            let may_be_year = *kind == Kind::Date && number.is_some_and(|at| at.fract() == 0.0);
            if may_be_year && Date::parse(text).is_some_and(Date::is_year) {
                self.years += documents;
            }
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
        self.years += other.years;
        self.letters += other.letters;
        for (readable, other) in self.readable.iter_mut().zip(other.readable) {
            readable.merge(other);
        }
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

    /// The first value in the order of letters; `None` when there are more than [`MAX_DISTINCT`].
    pub fn first(&self) -> Option<&str> {
        self.counts.keys().next().map(String::as_str)
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

    fn read(&self, kind: Kind) -> &Readable {
        &self.readable[kind as usize]
    }

    fn are_mostly(&self, documents: u64) -> bool {
        self.values > 0 && documents as f64 >= LEAST_PARSED_SHARE * self.values as f64
    }

    /// Whether nearly all values are dates in a form, and fewer in the `other`.
    fn are_rather(&self, form: Kind, other: Kind) -> bool {
        let documents = self.read(form).documents;
        self.are_mostly(documents) && documents > self.read(other).documents
    }

    /// Documents whose value cannot be read as of `kind`.
    pub fn unreadable(&self, kind: Kind) -> u64 {
        kind.def().number.map_or(0, |_| self.values - self.read(kind).documents)
    }

    /// One of the values that cannot be read as of `kind`.
    pub fn unreadable_value(&self, kind: Kind) -> Option<&str> {
        self.read(kind).other.as_deref()
    }

    /// Whether all dates are years only.
    pub fn are_years(&self) -> bool {
        self.years == self.read(Kind::Date).documents
    }

    /// Years from the first date to the last, inclusive; `None` without dates.
    pub fn years_spanned(&self) -> Option<i32> {
        let dates = self.read(Kind::Date);
        Some((dates.most?.floor() - dates.least?.floor()) as i32 + 1)
    }

    /// The ends of `ranges` ranges of numbers of `kind` with about as many documents each: one more than there are,
    /// fewer where one number is in many. Of a field with very many values, ranges of equal width.
    pub fn quantiles(&self, kind: Kind, ranges: usize) -> Vec<f64> {
        let &Readable { documents: all, least, most, .. } = self.read(kind);
        let (Some(least), Some(most)) = (least, most) else { return Vec::new() };
        let mut numbers: Vec<(f64, u64)> =
            self.counts.iter().filter_map(|(text, &n)| Some((kind.number(text)?, n))).collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ends = vec![least];
        if self.has_too_many {
            let step = (most - least) / ranges as f64;
            ends.extend((1..ranges).map(|at| least + step * at as f64));
        }
        let mut before = 0;
        for (number, documents) in numbers {
            before += documents;
            let is_full = before * ranges as u64 >= all * ends.len() as u64;
            if is_full && ends.len() < ranges && number > ends[ends.len() - 1] {
                ends.push(number);
            }
        }
        ends.push(most);
        ends
    }

    /// The kind that the values of a field of this name look like.
    pub fn kind(&self, name: &str) -> Kind {
        let is_it = |kind: &Kind| (kind.def().looks)(self, name);
        BY_LOOKS.into_iter().find(is_it).unwrap_or(Kind::Category)
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
        assert_eq!(kind("a", &["10/31/2019", "3/5/2019"]), Kind::DateMonthFirst);
        assert_eq!(kind("a", &["31.10.19", "3.5.19"]), Kind::DateDayFirst);
        assert_eq!(kind("a", &["3/5/2019", "4/6/2019"]), Kind::Category);
        assert_eq!(kind("year", &["-0044", "14", "1066", "850"]), Kind::Number);
        assert_eq!(kind("year", &["-0044", "814", "1066", "850"]), Kind::Date);
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
    fn every_kind_is_looked_for_once_and_last_the_one_that_all_values_look_like() {
        for kind in Kind::VARIANTS {
            assert_eq!(BY_LOOKS.iter().filter(|other| *other == kind).count(), 1, "{kind:?}");
            let is_name = kind.def().grouping == Grouping::Values;
            assert_eq!(is_name, kind.def().number.is_none(), "{kind:?}");
        }
        let [.., last] = BY_LOOKS;
        assert!((last.def().looks)(&ValueSummary::default(), ""));
        assert_eq!(Kind::all_names(), "category, number, date or text");
        let forms: Vec<&str> = Kind::date_forms().collect();
        assert_eq!(forms, ["dmy", "mdy", "epoch", "excel"]);
        assert_eq!(Kind::Date.in_form("mdy"), Some(Kind::DateMonthFirst));
        assert_eq!(Kind::Number.in_form("mdy"), None);
        assert_eq!(Kind::possible_forms(&["3/5/2019", "4/6/19"]), ["dmy", "mdy"]);
        assert_eq!(Kind::possible_forms(&["1546300800", "1546300800000"]), ["epoch"]);
        assert_eq!(Kind::possible_forms(&["43769"]), ["excel"]);
        assert!(Kind::possible_forms(&["x"]).is_empty());
    }

    #[test]
    fn a_few_values_that_cannot_be_read_do_not_change_the_kind_and_are_counted() {
        let mut tally = ValueSummary::default();
        (1..20).for_each(|day| tally.add(&format!("1999-05-{day:02}"), 1));
        tally.add("unknown", 1);
        assert_eq!((tally.kind("when"), tally.unreadable(Kind::Date)), (Kind::Date, 1));
        assert_eq!(tally.unreadable_value(Kind::Date), Some("unknown"));
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

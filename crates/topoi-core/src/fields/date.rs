//! Dates as sources write them, and the periods that contain them.

use std::fmt;

use super::date_forms::{in_iso, in_order};
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};
use time::Month;
use time::util::days_in_year;

/// A date with the precision with which it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: i32,
    month: Option<u8>,
    day: Option<u8>,
}

/// The Julian day of Monday, 29 December 1969, from which weeks are counted.
const FIRST_MONDAY: i32 = 2_440_585;

const JULIAN_DAY_OF_1970: i32 = 2_440_588;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// How dates are written that have several meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateForm {
    /// `3/5/2019` is in May. Years can have two digits: those from 69 are of the 20th century.
    DayFirst,
    /// `3/5/2019` is in March.
    MonthFirst,
    /// Seconds or milliseconds since 1970, from 1973 on.
    Epoch,
    /// Days since 30 December 1899.
    Sheets,
}

impl Date {
    /// What the form says, and of all other dates what [`Date::parse`] does. A day that is none in the form, as in
    /// `10/31/2019` with the day first, is not accepted.
    pub fn parse_as(text: &str, form: DateForm) -> Option<Self> {
        let days = match form {
            DateForm::DayFirst | DateForm::MonthFirst => {
                return match in_order(text, form == DateForm::DayFirst) {
                    Some(iso) => Self::as_written(&iso),
                    None => Self::parse(text),
                };
            }
            DateForm::Sheets => number_in(text, 10_000.0..100_000.0).map(|days| days - 25_569.0),
            DateForm::Epoch => number_in(text, 1e8..1e11)
                .or_else(|| number_in(text, 1e11..1e14).map(|milliseconds| milliseconds / 1000.0))
                .map(|seconds| seconds / 86_400.0),
        };
        days.map_or_else(|| Self::parse(text), |days| Self::from_days(days.floor() as i32))
    }

    /// The date `days` days after 1 January 1970.
    fn from_days(days: i32) -> Option<Self> {
        let date = time::Date::from_julian_day(JULIAN_DAY_OF_1970.checked_add(days)?).ok()?;
        let (month, day) = (Some(u8::from(date.month())), Some(date.day()));
        Some(Self { year: date.year(), month, day })
    }

    /// Parses `1999`, `1999-05`, `1999-05-03` (also with `/` or `.`, and with a time after it),
    /// `19990503`, `03.05.1999`, and in English `3 May 1999`, `May 3, 1999`, `May 1999` and
    /// `Mon, 03 May 1999 10:00:00 +0000`; and what else has one meaning: `31/10/1999`, `3. Mai 1999`, `1999-W18`,
    /// `1999-Q2`, `c. 1850`, `1850s` and `1850-1860` by their middle; years of three digits, and those before Christ as
    /// negative numbers: `850`, `-0044`, `44 BC`. `03/05/1999` has two and is not accepted.
    pub fn parse(text: &str) -> Option<Self> {
        Self::as_written(text).or_else(|| Self::as_written(&in_iso(text)?))
    }

    fn as_written(text: &str) -> Option<Self> {
        let text = text.trim();
        let year = text.strip_prefix('-').unwrap_or(text);
        let is_year = matches!(year.len(), 3..=5) && year.bytes().all(|byte| byte.is_ascii_digit());
        // A plain number of five digits is none.
        if is_year && (year.len() < 5 || year.starts_with('0')) && (year.len() != 4 || text != year)
        {
            let year: i32 = text.parse().ok()?;
            return (year != 0).then_some(Self { year, month: None, day: None });
        }
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Self::from_parts(&text[..4], Some(&text[4..6]), Some(&text[6..]));
        }
        let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
        let separator = date.chars().find(|c| !c.is_ascii_digit());
        match separator {
            None if time.is_empty() => Self::from_parts(date, None, None),
            Some(c @ ('-' | '/' | '.')) if is_time(time) => {
                let mut parts = date.split(c);
                let [first, second, third] = std::array::from_fn(|_| parts.next());
                match (first?, second?, third) {
                    _ if parts.next().is_some() => None,
                    (day, month, Some(year)) if c == '.' && year.len() == 4 => {
                        Self::from_parts(year, Some(month), Some(day))
                    }
                    (year, month, day) => Self::from_parts(year, Some(month), day),
                }
            }
            _ => Self::in_words(text),
        }
    }

    fn in_words(text: &str) -> Option<Self> {
        let words: Vec<&str> =
            text.split([' ', ',']).filter(|word| !word.is_empty()).take(7).collect();
        let is_weekday = |word: &&str| {
            let day = word.to_ascii_lowercase();
            ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|d| day.starts_with(d))
        };
        let words = if words.first().is_some_and(is_weekday) { &words[1..] } else { &words };
        let (date, rest) = match words {
            [month, day, year, rest @ ..] if month_of(month).is_some() => {
                ((*year, month_of(month), Some(*day)), rest)
            }
            [day, month, year, rest @ ..] if month_of(month).is_some() => {
                ((*year, month_of(month), Some(*day)), rest)
            }
            [month, year] => ((*year, Some(month_of(month)?), None), &[][..]),
            _ => return None,
        };
        let (year, month, day) = date;
        let day =
            day.map(|day| day.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.'));
        let month = month.map(|month| month.to_string());
        if rest.first().is_some_and(|time| !is_time(time)) {
            return None;
        }
        Self::from_parts(year, month.as_deref(), day)
    }

    fn from_parts(year: &str, month: Option<&str>, day: Option<&str>) -> Option<Self> {
        let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
            let is_number =
                digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| text.parse::<i32>().ok())?
        };
        let year = number(year, 4..=4).filter(|&year| year > 0)?;
        let month = month.map(|text| number(text, 1..=2).filter(|m| (1..=12).contains(m)));
        let month = if let Some(month) = month { Some(month? as u8) } else { None };
        let longest = match month {
            Some(month) => i32::from(Month::try_from(month).ok()?.length(year)),
            None => 31,
        };
        let day = day.map(|text| number(text, 1..=2).filter(|d| (1..=longest).contains(d)));
        let day = if let Some(day) = day { Some(day? as u8) } else { None };
        Some(Self { year, month, day })
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.year
    }

    /// The month from 1, where it is known.
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// The day of the month, where it is known.
    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// Whether only the year is known.
    pub fn is_year(self) -> bool {
        self.month.is_none()
    }

    /// The date in years, with the elapsed share of the year as fraction. Without a month it is the
    /// year; without a day the start of the month.
    pub fn in_years(self) -> f64 {
        let day = calendar_date(self.year, self.month.unwrap_or(1), self.day.unwrap_or(1));
        let over = day.map_or(0, |day| day.ordinal() - 1);
        f64::from(self.year) + f64::from(over) / f64::from(days_in_year(self.year))
    }

    /// The period that contains the date; `None` where the date is less precise than the period.
    pub fn period(self, per: PeriodLength) -> Option<Period> {
        let Self { year, month, day } = self;
        let at = match per {
            PeriodLength::Decade => year.div_euclid(10),
            PeriodLength::Year => year,
            PeriodLength::Quarter => 4 * year + i32::from(month? - 1) / 3,
            PeriodLength::Month => 12 * year + i32::from(month? - 1),
            PeriodLength::Week => {
                (calendar_date(year, month?, day?)?.to_julian_day() - FIRST_MONDAY).div_euclid(7)
            }
        };
        Some(Period { per, at })
    }
}

impl fmt::Display for Date {
    /// As in ISO 8601: `1999`, `1999-05` or `1999-05-03`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.year < 0 { "-" } else { "" })?;
        write!(f, "{:04}", self.year.unsigned_abs())?;
        for part in [self.month, self.month.and(self.day)].into_iter().flatten() {
            write!(f, "-{part:02}")?;
        }
        Ok(())
    }
}

fn number_in(text: &str, range: std::ops::Range<f64>) -> Option<f64> {
    text.trim().parse().ok().filter(|number| range.contains(number))
}

fn month_of(word: &str) -> Option<usize> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let is_it = |month: &&str| word.len() >= 3 && (month.starts_with(&word) || word == "sept");
    let found = MONTHS.iter().position(is_it)?;
    Some(if word == "sept" { 9 } else { found + 1 })
}

/// Whether text after a date can be a time of day: empty, or starting with a digit.
fn is_time(text: &str) -> bool {
    text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit())
}

fn calendar_date(year: i32, month: u8, day: u8) -> Option<time::Date> {
    time::Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()
}

/// The length of the periods that dates are grouped by.
#[derive(EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum PeriodLength {
    /// Ten years, starting with a year that ends in 0.
    Decade,
    /// January to December.
    Year,
    /// Three months.
    Quarter,
    /// A calendar month.
    Month,
    /// A week of ISO 8601, from Monday.
    Week,
}

impl PeriodLength {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A decade, year, quarter, month or week. Later ones are larger.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Period {
    per: PeriodLength,
    at: i32,
}

impl Period {
    /// The number of the period. Periods of one length have consecutive numbers.
    pub fn number(self) -> i32 {
        self.at
    }
}

impl fmt::Display for Period {
    /// `1990s`, `1999`, `1999-Q2`, `1999-05`, `1999-W18`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match self.per {
            PeriodLength::Decade => write!(f, "{}0s", at),
            PeriodLength::Year => write!(f, "{}", Date { year: at, month: None, day: None }),
            PeriodLength::Quarter => write!(f, "{:04}-Q{}", at.div_euclid(4), at.rem_euclid(4) + 1),
            PeriodLength::Month => {
                write!(f, "{:04}-{:02}", at.div_euclid(12), at.rem_euclid(12) + 1)
            }
            PeriodLength::Week => {
                let monday = time::Date::from_julian_day(FIRST_MONDAY + 7 * at);
                let (year, week, _) = monday.map_err(|_| fmt::Error)?.to_iso_week_date();
                write!(f, "{year:04}-W{week:02}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(text: &str, per: PeriodLength) -> Option<String> {
        Date::parse(text)?.period(per).map(|period| period.to_string())
    }

    #[test]
    fn dates_are_read_in_the_common_written_forms_and_no_others() {
        for (text, expected) in [
            ("1999", "1999 None None"),
            (" 1999-5 ", "1999 Some(5) None"),
            ("1999/05/03 10:11", "1999 Some(5) Some(3)"),
            ("1999-05-03T10:11:12Z", "1999 Some(5) Some(3)"),
            ("19990503", "1999 Some(5) Some(3)"),
            ("03.05.1999", "1999 Some(5) Some(3)"),
            ("3 May 1999", "1999 Some(5) Some(3)"),
            ("3rd Sept. 1999", "1999 Some(9) Some(3)"),
            ("May 3, 1999", "1999 Some(5) Some(3)"),
            ("September 1999", "1999 Some(9) None"),
            ("Mon, 03 May 2004 10:00:00 +0000", "2004 Some(5) Some(3)"),
            ("2000-02-29", "2000 Some(2) Some(29)"),
        ] {
            let date = Date::parse(text).expect(text);
            assert_eq!(
                format!("{} {:?} {:?}", date.year, date.month, date.day),
                expected,
                "{text}"
            );
        }
        for text in [
            "",
            "no date",
            "99",
            "1900-02-29",
            "1999-13",
            "03/05/1999",
            "in 1999",
            "1262304000",
            "é",
            "May",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn periods_have_the_names_that_calendars_give_them() {
        for (per, name) in <PeriodLength as VariantArray>::VARIANTS
            .iter()
            .zip(["1990s", "1999", "1999-Q2", "1999-05", "1999-W18"])
        {
            assert_eq!(period("1999-05-03", *per).as_deref(), Some(name));
        }
        assert_eq!(period("1999-05", PeriodLength::Week), None);
        assert_eq!(period("1999", PeriodLength::Quarter), None);
        for (date, week) in [
            ("2005-01-01", "2004-W53"),
            ("2007-12-31", "2008-W01"),
            ("2008-12-28", "2008-W52"),
            ("2010-01-03", "2009-W53"),
            ("1970-01-01", "1970-W01"),
            ("1900-01-01", "1900-W01"),
        ] {
            assert_eq!(period(date, PeriodLength::Week).as_deref(), Some(week), "{date}");
        }
    }
}

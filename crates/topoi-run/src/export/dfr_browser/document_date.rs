//! Dates of documents for dfr-browser.

use std::collections::BTreeSet;

use topoi_core::fields::date::Date;

/// The date a text is; else the first year from 1000 to 2999 that stands alone in it, as in `Spring 1999`.
pub(super) fn date_in(text: &str) -> Option<Date> {
    Date::parse(text).or_else(|| {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        Date::parse(numbers.find(|n| n.len() == 4 && ("1000"..="2999").contains(n))?)
    })
}

/// The year in four digits.
pub(super) fn year_of(date: Date) -> String {
    format!("{:04}", date.year())
}

/// The period by which documents are counted over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Year,
    Month,
    Day,
}

/// A unit with more periods than this is fine enough.
const MANY: usize = 3;

impl TimeUnit {
    /// The coarsest unit with more than three periods, but no finer than all dates are known, and its number of periods;
    /// `None` for a single period.
    pub(super) fn from_dates(dates: &BTreeSet<Date>) -> Option<(Self, usize)> {
        let years = dates.iter().map(|date| date.year()).collect::<BTreeSet<_>>().len();
        let months = dates.iter().map(|date| (date.year(), date.month())).collect::<BTreeSet<_>>();
        let months = months.len();
        let has_months = dates.iter().all(|date| date.month().is_some());
        let has_days = dates.iter().all(|date| date.day().is_some());
        let (unit, found) = if years > MANY || !has_months {
            (Self::Year, years)
        } else if months > MANY || !has_days {
            (Self::Month, months)
        } else {
            (Self::Day, dates.len())
        };
        (found > 1).then_some((unit, found))
    }

    /// Its name in dfr-browser's settings.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Day => "day",
        }
    }

    /// Width of a bar in days, on a topic's page and in the list.
    pub(super) fn bars(self) -> (u32, u32) {
        match self {
            // Its own defaults.
            Self::Year => (90, 300),
            Self::Month => (20, 25),
            Self::Day => (1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_exactly_as_they_are_written() {
        for (text, expected) in [
            ("1999", Some("1999")),
            (" 1999-5 ", Some("1999-05")),
            ("1999-05-03", Some("1999-05-03")),
            ("1999/05/03 10:11", Some("1999-05-03")),
            ("1999-05-03T10:11:12Z", Some("1999-05-03")),
            ("20000229", Some("2000-02-29")),
            ("1900-02-29", Some("1900")),
            ("3 May 1999", Some("1999-05-03")),
            ("Mon, 03 May 2004 10:00:00 +0000", Some("2004-05-03")),
            ("Spring 1999–2000", Some("1999")),
            ("1999-13-01", Some("1999")),
            ("0987", Some("0987")),
            ("1262304000", None),
            ("99", None),
            ("", None),
            ("no date", None),
            ("é1999", Some("1999")),
        ] {
            let found = date_in(text).map(|date| date.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn units_are_as_coarse_as_they_can_and_as_fine_as_dates_allow() {
        let unit = |dates: &[&str]| {
            let dates = dates.iter().filter_map(|date| date_in(date)).collect();
            TimeUnit::from_dates(&dates)
        };
        assert_eq!(unit(&["1999", "2000"]), Some((TimeUnit::Year, 2)));
        assert_eq!(
            unit(&["1999-01-01", "2000-01-01", "2001-01-01", "2002-01-01"]),
            Some((TimeUnit::Year, 4))
        );
        assert_eq!(
            unit(&["1999-01-01", "1999-02-01", "1999-03", "1999-04-01"]),
            Some((TimeUnit::Month, 4))
        );
        assert_eq!(unit(&["1999-01-01", "1999-01-02"]), Some((TimeUnit::Day, 2)));
        assert_eq!(unit(&["1999-01-01", "1999"]), None);
        assert_eq!(unit(&["1999-01-01"]), None);
    }
}

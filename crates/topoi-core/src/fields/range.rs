//! Ranges of the values of a field: `1815..1816`, `1815-06..`, `..2.5`.

use super::date::Date;

/// Parses the dates of a kind of fields.
pub type DateParser = fn(&str) -> Option<Date>;

/// Values from one to another, both included; numbers, or dates, of which `1816` is all of the year.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldRange {
    /// Numbers.
    Numbers {
        /// The smallest.
        from: Option<f64>,
        /// The largest.
        to: Option<f64>,
        /// The same as dates, if they can be years: `1815..1816` has `1815-06-18`.
        dates: Option<DateRange>,
    },
    /// Dates.
    Dates(DateRange),
}

/// Dates from one to another; a bound without month or day is of the whole year or month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    from: Option<Date>,
    to: Option<Date>,
}

impl FieldRange {
    /// Parses two bounds with `..` between them, one of which may be missing. `None` if `text` is no such range.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once("..")?;
        let [from, to] = [from.trim(), to.trim()];
        if from.is_empty() && to.is_empty() {
            return None;
        }
        let numbers = both(from, to, number);
        let dates = both(from, to, Date::parse).map(|(from, to)| DateRange { from, to });
        match (numbers, dates) {
            (Some((from, to)), dates) => Some(Self::Numbers { from, to, dates }),
            (None, dates) => dates.map(Self::Dates),
        }
    }

    /// Whether a value is in the range. Dates are read by `date`, where the field is of a kind of dates.
    pub fn contains(&self, value: &str, date: Option<DateParser>) -> bool {
        let is_number = date.is_none();
        let date = || date.unwrap_or(Date::parse)(value);
        let has_date = |dates: &DateRange| date().is_some_and(|date| dates.contains(date));
        match (self, number(value.trim())) {
            (Self::Numbers { from, to, .. }, Some(value)) if is_number => {
                from.is_none_or(|from| value >= from) && to.is_none_or(|to| value <= to)
            }
            (Self::Numbers { dates, .. }, _) => dates.as_ref().is_some_and(has_date),
            (Self::Dates(dates), _) => has_date(dates),
        }
    }
}

impl DateRange {
    fn contains(&self, date: Date) -> bool {
        let parts = |date: Date| {
            [Some(date.year()), date.month().map(i32::from), date.day().map(i32::from)]
        };
        // Parts that one of them does not have decide nothing.
        let order = |bound: Date| {
            let known = parts(date).into_iter().zip(parts(bound));
            let known = known.map_while(|(value, bound)| Some(value?.cmp(&bound?)));
            known.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        self.from.is_none_or(|from| order(from).is_ge())
            && self.to.is_none_or(|to| order(to).is_le())
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Both bounds parsed; an empty one is none.
fn both<T>(
    from: &str,
    to: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<(Option<T>, Option<T>)> {
    let bound = |text: &str| if text.is_empty() { Some(None) } else { parse(text).map(Some) };
    Some((bound(from)?, bound(to)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::date::DateForm;

    fn has(range: &str, value: &str) -> bool {
        FieldRange::parse(range).expect("a range").contains(value, None)
    }

    #[test]
    fn years_have_their_months_and_days() {
        for (value, is_in) in [
            ("1815", true),
            ("1815-06-18", true),
            ("1816-12-31", true),
            ("18 June 1816", true),
            ("1817-01-01", false),
            ("1814", false),
            ("somewhen", false),
        ] {
            assert_eq!(has("1815..1816", value), is_in, "{value}");
        }
        assert!(has("1815-06..1816-02", "1815") && has("1815-06..1816-02", "1816-02-29"));
        assert!(!has("1815-06..1816-02", "1815-05-31") && !has("1815-06..1816-02", "1816-03"));
        assert!(has("1815-06..", "1999") && has("..1815-06", "44 BC"));
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert!(has("9..10.5", "10") && has("9..10.5", "9.0") && has("-3..", "-2"));
        assert!(!has("9..10.5", "100") && !has("9..10.5", "ten"));
    }

    #[test]
    fn a_form_of_dates_is_kept() {
        let range = FieldRange::parse("2019-05..2019-06").expect("a range");
        assert!(range.contains("3/5/2019", Some(|text| Date::parse_as(text, DateForm::DayFirst))));
        assert!(
            !range.contains("3/5/2019", Some(|text| Date::parse_as(text, DateForm::MonthFirst)))
        );
        let years = FieldRange::parse("2018..2019").expect("a range");
        assert!(years.contains("1556668800", Some(|text| Date::parse_as(text, DateForm::Epoch))));
    }

    #[test]
    fn what_is_no_range_is_none() {
        for text in ["", "..", "1815", "a..b", "1815..b"] {
            assert_eq!(FieldRange::parse(text), None, "{text}");
        }
    }
}

//! Which of many runs are kept: the newest, and one of each of the last weeks, months and years.

use std::collections::BTreeSet;
use std::str::FromStr;

use topoi_core::fields::date::{Date, Period, PeriodLength};
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// How many runs are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retention {
    /// The newest ones.
    newest: usize,
    /// The newest one of each of as many periods that have any, the last ones.
    periods: Vec<(PeriodLength, usize)>,
}

/// What is no [`Retention`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} does not say which runs are kept; write 7, or 7,4w,12m: the newest seven, and one of each of the last four weeks and twelve months (y: years)"
)]
pub struct InvalidRetention(String);

impl FromStr for Retention {
    type Err = InvalidRetention;

    /// Parses numbers apart by commas, of runs, of weeks (`4w`), months (`12m`) or years (`3y`).
    fn from_str(text: &str) -> Result<Self, InvalidRetention> {
        let invalid = || InvalidRetention(text.into());
        let mut retention = Self::default();
        for part in text.split(',').map(str::trim) {
            let period = match part.as_bytes().last() {
                Some(b'w') => Some(PeriodLength::Week),
                Some(b'm') => Some(PeriodLength::Month),
                Some(b'y') => Some(PeriodLength::Year),
                _ => None,
            };
            let number = part.strip_suffix(['w', 'm', 'y']).unwrap_or(part);
            let number = number.parse::<usize>().map_err(|_| invalid())?;
            match period {
                Some(period) => retention.periods.push((period, number)),
                None if retention.newest == 0 => retention.newest = number,
                None => return Err(invalid()),
            }
        }
        Ok(retention)
    }
}

impl Retention {
    /// The runs to keep, of runs that are newest first.
    pub fn kept<'a>(&self, runs: impl Iterator<Item = &'a Run> + Clone) -> BTreeSet<RunId> {
        let mut kept: BTreeSet<RunId> = runs.clone().take(self.newest).map(|run| run.id).collect();
        for &(length, number) in &self.periods {
            let mut periods: BTreeSet<Option<i32>> = BTreeSet::new();
            for run in runs.clone() {
                let period = Date::parse(&run.created_at).and_then(|date| date.period(length));
                let is_first = periods.insert(period.map(Period::number));
                if is_first && periods.len() <= number {
                    kept.insert(run.id);
                }
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of every day from 1 January to 30 June 2026, numbered, newest first.
    fn runs() -> Vec<Run> {
        let days = [31, 28, 31, 30, 31, 30];
        let dates = (1..).zip(days).flat_map(|(month, days)| {
            (1..=days).map(move |day| format!("2026-{month:02}-{day:02}T03:00:00Z"))
        });
        let run = |(id, created_at)| Run { id: RunId(id), created_at, ..Run::default() };
        let mut runs: Vec<Run> = (1..).zip(dates).map(run).collect();
        runs.reverse();
        runs
    }

    fn kept(text: &str) -> Vec<i64> {
        let retention: Retention = text.parse().expect("a retention");
        retention.kept(runs().iter()).into_iter().map(|id| id.0).rev().collect()
    }

    #[test]
    fn the_newest_and_the_last_of_weeks_and_months_are_kept() {
        assert_eq!(kept("3"), [181, 180, 179]);
        assert_eq!(kept("0"), [0; 0]);
        // 30 June 2026 is a Tuesday, so that the weeks before end on days 179, 172 ...
        assert_eq!(kept("1,3w"), [181, 179, 172]);
        assert_eq!(kept("2, 4m"), [181, 180, 151, 120, 90]);
        assert_eq!(kept("5y"), [181]);
        assert_eq!(kept("1000"), (1..=181).rev().collect::<Vec<_>>());
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for text in ["", "w", "7d", "7,8", "-1", "4w,x"] {
            assert!(text.parse::<Retention>().is_err(), "{text}");
        }
    }
}

//! Figures of how topics' shares depend on fields.

use super::TopicSummary;
use crate::groups::effects::{Answer, Predicted};
use topoi_core::effects::regression::Estimate;
use topoi_core::plot::axis::Axis;
use topoi_core::plot::bars::{Bar, Bars};
use topoi_core::plot::chart::{Chart, Mark, Series};
use topoi_core::plot::figure::Figure;
use topoi_store::id::TopicNumber;

/// What a figure of effects shows beside the answer.
#[derive(Debug, Clone)]
pub struct EffectsFigure<'a> {
    /// Title above the figure; `None` for what it shows.
    pub title: Option<String>,
    /// The formula as typed.
    pub formula: &'a str,
    /// The condition on documents, if there is one.
    pub condition: Option<&'a str>,
    /// The topics shown, all of the answer.
    pub topics: &'a [(TopicNumber, &'a TopicSummary)],
}

impl EffectsFigure<'_> {
    /// The note below the figure: what it is of, how many documents, and all that a reader has to know.
    fn note(&self, answer: &Answer) -> String {
        let mut note = format!("{}; n = {}", self.formula, answer.regression.documents);
        if answer.left_out > 0 {
            note += &format!(", {} left out", answer.left_out);
        }
        if let [clusters, rest @ ..] = &answer.regression.clusters[..] {
            note += &format!(", {clusters} clusters");
            rest.iter().for_each(|more| note += &format!(" by {more}"));
        }
        if let Some(condition) = self.condition {
            note += &format!(", where {condition}");
        }
        note += ". 95% intervals.";
        let no_shares = answer.no_shares.documents();
        if no_shares > 0 {
            note += &format!(" Of {no_shares} more documents the run has no shares.");
        }
        for line in &answer.notes {
            note += &format!(" {line}.");
        }
        note
    }

    fn names(&self) -> String {
        self.topics.iter().map(|(_, topic)| topic.title()).collect::<Vec<_>>().join(", ")
    }

    /// A bar for each of these estimates of each topic.
    fn bars(&self, rows: &[(String, Vec<Estimate>)]) -> Vec<Bar> {
        let is_one = self.topics.len() == 1;
        let of_topic = |(place, (_, topic)): (usize, &(TopicNumber, &TopicSummary))| {
            let bar = move |(name, estimates): &(String, Vec<Estimate>)| Bar {
                name: if is_one { name.clone() } else { format!("{}: {name}", topic.title()) },
                detail: String::new(),
                value: estimates[place].value,
                interval: estimates[place].interval,
            };
            rows.iter().map(bar).collect::<Vec<_>>()
        };
        self.topics.iter().enumerate().flat_map(of_topic).collect()
    }

    /// The coefficients without the constant, or if there are any the differences and slopes that were
    /// asked for.
    pub fn estimates(&self, answer: &Answer) -> Figure {
        let regression = &answer.regression;
        let topics = 0..answer.topics.len();
        let coefficient = |(at, name): (usize, &String)| {
            let estimates = topics.clone().map(|topic| regression.coefficient(topic, at)).collect();
            (name.clone(), estimates)
        };
        let is_effect = |(_, name): &(usize, &String)| *name != "(constant)";
        let rows: Vec<(String, Vec<Estimate>)> = match answer.predicted.is_empty() {
            true => {
                regression.names.iter().enumerate().filter(is_effect).map(coefficient).collect()
            }
            false => answer
                .predicted
                .iter()
                .map(|one| (one.name.clone(), one.estimates.clone()))
                .collect(),
        };
        let title = format!("Effects on topic {}", self.names());
        Bars {
            title: self.title.clone().unwrap_or(title),
            x: Axis { is_share: true, has_zero: true, ..Axis::new("difference of the share") },
            bars: self.bars(&rows),
            are_points: true,
            note: self.note(answer),
        }
        .figure()
    }

    /// Predicted shares along the values of a field: a line with a band for each topic or each value of
    /// the other fields for numbers and dates, else points.
    pub fn along(&self, answer: &Answer, field: &str) -> Figure {
        let title = format!("Predicted share of topic {} along {field}", self.names());
        let title = self.title.clone().unwrap_or(title);
        let places: Option<Vec<f64>> = answer.predicted.iter().map(|one| one.place).collect();
        if places.is_none() {
            let row = |one: &Predicted| {
                let name = match one.series.is_empty() {
                    true => one.value.clone(),
                    false => format!("{}, {}", one.value, one.series),
                };
                (name, one.estimates.clone())
            };
            let rows: Vec<(String, Vec<Estimate>)> = answer.predicted.iter().map(row).collect();
            let (x, bars) = (Axis::with_shares("predicted share"), self.bars(&rows));
            return Bars { title, x, bars, are_points: true, note: self.note(answer) }.figure();
        }
        let mut names: Vec<&str> = Vec::new();
        for one in &answer.predicted {
            if !names.contains(&one.series.as_str()) {
                names.push(&one.series);
            }
        }
        let line = |place: usize, series: &str| {
            let own = answer.predicted.iter().filter(|one| one.series == series);
            let mark = |one: &Predicted| {
                let estimate = one.estimates[place];
                let mark = Mark::new(one.place.unwrap_or_default(), estimate.value);
                estimate.interval.map_or(mark, |(low, high)| mark.between(low, high))
            };
            own.map(mark).collect()
        };
        let mut series = Vec::new();
        for (place, (_, topic)) in self.topics.iter().enumerate() {
            for name in &names {
                let title = if self.topics.len() > 1 { topic.title() } else { String::new() };
                let name = [title.as_str(), name]
                    .iter()
                    .filter(|part| !part.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(", ");
                let at = series.len() % names.len();
                series.push(Series { name, marks: Vec::new(), line: line(place, names[at]) });
            }
        }
        Chart {
            title,
            x: Axis::new(field),
            y: Axis { is_share: true, ..Axis::new("predicted share") },
            series,
            note: self.note(answer),
        }
        .figure()
    }
}

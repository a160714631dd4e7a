//! Figures of how topics' shares depend on fields.

use super::TopicSummary;
use crate::groups::effects::{Answer, Predicted, notes};
use topoi_core::plot::axis::Axis;
use topoi_core::plot::bars::{Bar, Bars};
use topoi_core::plot::chart::{Chart, Mark, Series};
use topoi_core::plot::figure::Figure;
use topoi_store::id::TopicNumber;

/// The note below every figure of effects.
fn note(answer: &Answer) -> String {
    let mut note = format!(
        "95% intervals, with what is not known of the shares; {} documents, {} left out.",
        answer.effects.documents, answer.left_out
    );
    let no_shares = answer.no_shares.documents();
    if no_shares > 0 {
        note += &format!(" Of {no_shares} more the run has no shares.");
    }
    for line in notes(answer) {
        note += &format!(" {line}.");
    }
    note
}

/// The coefficients of one topic without the intercept, with their intervals.
pub fn coefficients(
    answer: &Answer,
    topic: &TopicSummary,
    number: TopicNumber,
    expression: &str,
) -> Figure {
    let bar = |(at, name): (usize, &String)| {
        let estimate = answer.effects.coefficient(number.index(), at);
        Bar {
            name: name.clone(),
            detail: String::new(),
            value: estimate.value,
            interval: estimate.interval,
        }
    };
    Bars {
        title: format!("Effects on topic {}", topic.title()),
        x: Axis { is_share: true, ..Axis::new(&format!("change of the share, {expression}")) },
        bars: answer.effects.names.iter().enumerate().skip(1).map(bar).collect(),
        are_points: true,
        note: note(answer),
    }
    .figure()
}

/// Predicted shares along the values of a field: lines with bands for numbers and dates, else points of the first topic.
pub fn along(answer: &Answer, topics: &[(TopicNumber, &TopicSummary)], field: &str) -> Figure {
    let value = |one: &Predicted| one.at.first().map_or(String::new(), |(_, value)| value.clone());
    let places: Option<Vec<f64>> = answer.predicted.iter().map(|one| one.place).collect();
    let names: Vec<String> = topics.iter().map(|(_, topic)| topic.title()).collect();
    let title = format!("Predicted share of topic {} along {field}", names.join(", "));
    let Some(places) = places else {
        let bar = |one: &Predicted| {
            let estimate = topics.first().map(|(topic, _)| one.shares[topic.index()]);
            Bar {
                name: value(one),
                detail: String::new(),
                value: estimate.map_or(0.0, |estimate| estimate.value),
                interval: estimate.and_then(|estimate| estimate.interval),
            }
        };
        let x = Axis::with_shares("predicted share");
        let bars = answer.predicted.iter().map(bar).collect();
        return Bars { title, x, bars, are_points: true, note: note(answer) }.figure();
    };
    let series = |((number, _), name): (&(TopicNumber, &TopicSummary), &String)| {
        let mark = |(one, x): (&Predicted, &f64)| {
            let estimate = one.shares[number.index()];
            let mark = Mark::new(*x, estimate.value);
            estimate.interval.map_or(mark, |(low, high)| mark.between(low, high))
        };
        Series {
            name: if topics.len() > 1 { name.clone() } else { String::new() },
            marks: Vec::new(),
            line: answer.predicted.iter().zip(&places).map(mark).collect(),
        }
    };
    Chart {
        title,
        x: Axis::new(field),
        y: Axis { is_share: true, ..Axis::new("predicted share") },
        series: topics.iter().zip(&names).map(series).collect(),
        note: note(answer),
    }
    .figure()
}

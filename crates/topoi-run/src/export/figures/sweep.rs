//! Figures of metrics by the number of topics.

use crate::choose_k::sweep::{Sweep, SweptMetric};
use topoi_core::plot::axis::Axis;
use topoi_core::plot::chart::{Chart, Mark, Series};
use topoi_core::plot::figure::Figure;

/// A metric by K: a point per run, and a line through the means of the runs of each K.
pub fn metric_by_k(title: Option<&str>, sweep: &Sweep, metric: &SweptMetric) -> Figure {
    let mut marks: Vec<Mark> = Vec::new();
    for (run, value) in sweep.runs.iter().zip(&metric.values) {
        marks.extend(value.map(|value| Mark::new(run.k as f64, value)));
    }
    let mut line: Vec<Mark> = Vec::new();
    for group in marks.chunk_by(|one, other| one.x == other.x) {
        let mean = group.iter().map(|mark| mark.y).sum::<f64>() / group.len() as f64;
        line.push(Mark::new(group[0].x, mean));
    }
    let (corpus, model) = match sweep.runs.first() {
        Some(run) => (run.corpus.as_str(), run.model.as_str()),
        None => ("", ""),
    };
    let usual = || format!("{} by the number of topics ({corpus}, {model})", metric.name);
    Chart {
        title: title.map_or_else(usual, str::to_string),
        x: Axis {
            names: line.iter().map(|mark| (mark.x, mark.x.to_string())).collect(),
            ..Axis::new("K")
        },
        y: Axis::new(&metric.name),
        note: "A point a run; the line goes through the means of each K.".into(),
        series: vec![Series { name: String::new(), marks, line }],
    }
    .figure()
}

//! Figures of topics in groups of documents, and over time.

use super::TopicSummary;
use crate::groups::by::{Answer, Cell, Group};
use crate::groups::fields::{Part, Rule};
use topoi_core::plot::axis::Axis;
use topoi_core::plot::bars::{Bar, Bars};
use topoi_core::plot::chart::{Chart, Mark, Series};
use topoi_core::plot::figure::Figure;
use topoi_core::plot::heat::{self, Heat};
use topoi_core::plot::text::percent;
use topoi_store::id::{RunId, TopicNumber};

/// Maximum number of groups in a figure.
pub const MAX_GROUPS: usize = 40;
/// Maximum number of lines in a figure.
pub const MAX_LINES: usize = 6;

/// What a figure shows of an answer.
#[derive(Debug, Clone)]
pub struct FigureRequest<'a> {
    /// Title above the figure.
    pub title: String,
    /// All topics of the run.
    pub topics: &'a [TopicSummary],
    /// Numbers of the topics shown; empty for all.
    pub chosen: Vec<TopicNumber>,
    /// Maximum number of groups; those with the most documents are shown.
    pub max_groups: usize,
    /// Further notes below the figure.
    pub notes: Vec<String>,
    /// Whether a heat map has neither numbers nor tooltips, for a page that is to be small.
    pub is_dense: bool,
}

/// Topics in groups: all or several topics as a heat map, one topic as bars with intervals, and topics over time as
/// lines with bands. For a date and another field, one topic has a line per value of that field.
pub fn figure(answer: &Answer, shown: &FigureRequest<'_>) -> Figure {
    let dates = answer.rules.iter().filter(|rule| matches!(rule, Rule::Period(..))).count();
    match shown.chosen[..] {
        [] => heat_map(answer, shown),
        _ if answer.is_over_time() => over_time(answer, shown),
        [topic] if dates == 1 && answer.rules.len() == 2 => side_by_side(answer, shown, topic),
        [topic] => bars(answer, shown, topic),
        _ => heat_map(answer, shown),
    }
}

/// The groups shown, in their order, and the number of groups left out.
fn groups(answer: &Answer, max: usize) -> (Vec<usize>, usize) {
    let mut groups: Vec<usize> = (0..answer.groups.len()).collect();
    groups.sort_by_key(|&group| std::cmp::Reverse(answer.groups[group].documents));
    groups.truncate(max);
    groups.sort_unstable();
    let left_out = answer.groups.len() - groups.len();
    (groups, left_out)
}

fn name(group: &Group) -> String {
    group.parts.iter().map(Part::to_string).collect::<Vec<_>>().join(" · ")
}

fn fields(answer: &Answer) -> String {
    answer.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(" · ")
}

fn note(parts: &[&str], left_out: usize, shown: &FigureRequest<'_>) -> String {
    let mut sentences: Vec<String> = parts.iter().map(|part| (*part).to_string()).collect();
    if left_out > 0 {
        sentences.push(format!("{left_out} groups of fewer documents are not shown"));
    }
    sentences.extend(shown.notes.iter().cloned());
    sentences.iter().map(|sentence| format!("{sentence}. ")).collect::<String>().trim_end().into()
}

fn heat_map(answer: &Answer, shown: &FigureRequest<'_>) -> Figure {
    let (groups, left_out) = groups(answer, shown.max_groups);
    let place: std::collections::HashMap<usize, usize> =
        groups.iter().enumerate().map(|(at, &group)| (group, at)).collect();
    let mut rows: Vec<(usize, Vec<Option<&Cell>>)> = (0..shown.topics.len())
        .filter(|&topic| {
            shown.chosen.is_empty() || shown.chosen.contains(&TopicNumber::from_index(topic))
        })
        .map(|topic| (topic, vec![None; groups.len()]))
        .collect();
    for cell in &answer.cells {
        let row = rows.iter_mut().find(|(topic, _)| TopicNumber::from_index(*topic) == cell.topic);
        if let Some(((_, cells), &at)) = row.zip(place.get(&cell.group)) {
            cells[at] = Some(cell);
        }
    }
    // Orders topics by the group with their largest share, so that topics of a group or period are neighbours.
    let share = |cell: &Option<&Cell>| cell.map_or(0.0, |cell| cell.share.share);
    let peak = |cells: &[Option<&Cell>]| {
        let largest = cells.iter().map(share).fold(0.0, f64::max);
        (cells.iter().position(|cell| share(cell) == largest), largest)
    };
    rows.sort_by(|(_, a), (_, b)| {
        let ((place, largest), (other, other_largest)) = (peak(a), peak(b));
        place.cmp(&other).then(other_largest.total_cmp(&largest))
    });
    let most = rows.iter().flat_map(|(_, cells)| cells.iter().map(share)).fold(0.0, f64::max);
    let drawn = |cell: &Option<&Cell>| {
        cell.map(|cell| {
            let share = cell.share.share;
            let between = cell.share.interval().map_or(String::new(), |(low, high)| {
                format!(" ({} to {})", percent(low), percent(high))
            });
            heat::Cell {
                strength: if most > 0.0 { (share.max(0.0) / most).sqrt() } else { 0.0 },
                // Estimates of nearly nothing are below 0 as often as above.
                number: format!("{:.0}", (100.0 * share).round() + 0.0),
                tip: format!("{}{between}", percent(share)),
            }
        })
    };
    let legend = [0.0, 0.5, 1.0].map(|strength| (strength, percent(strength * strength * most)));
    let says = match shown.is_dense {
        false => {
            "Per cent of the documents' topics, by the group that has most of each; shades grow with the square root"
        }
        true => {
            "Topics by the group that has most of each; shades grow with the square root of the share"
        }
    };
    Heat {
        title: shown.title.clone(),
        rows: rows.iter().map(|(topic, _)| shown.topics[*topic].title()).collect(),
        columns: groups.iter().map(|&group| name(&answer.groups[group])).collect(),
        cells: rows.iter().map(|(_, cells)| cells.iter().map(drawn).collect()).collect(),
        legend: legend.into(),
        note: note(&[says], left_out, shown),
        is_dense: shown.is_dense,
    }
    .figure()
}

fn bars(answer: &Answer, shown: &FigureRequest<'_>, topic: TopicNumber) -> Figure {
    let (groups, left_out) = groups(answer, shown.max_groups);
    let of = |cell: &&Cell| cell.topic == topic && groups.contains(&cell.group);
    let mut cells: Vec<&Cell> = answer.cells.iter().filter(of).collect();
    // Categories are ordered by share, numbers and periods by value.
    match answer.rules.contains(&Rule::Value) {
        true => cells.sort_by(|a, b| b.share.share.total_cmp(&a.share.share)),
        false => cells.sort_by_key(|cell| cell.group),
    }
    let bar = |cell: &&Cell| Bar {
        name: name(&answer.groups[cell.group]),
        detail: String::new(),
        value: cell.share.share,
        interval: cell.share.interval(),
    };
    Bars {
        title: shown.title.clone(),
        x: Axis::with_shares("share of the topic in the documents of the group"),
        bars: cells.iter().map(bar).collect(),
        note: note(&["Means with their 95% intervals"], left_out, shown),
        ..Bars::default()
    }
    .figure()
}

/// Position of a group in time, and the name of its period.
fn when(answer: &Answer, group: usize) -> Option<(f64, String)> {
    answer.groups[group].parts.iter().find_map(|part| match part {
        Part::Period(period) => Some((f64::from(period.number()), period.to_string())),
        _ => None,
    })
}

fn time_axis(answer: &Answer) -> Axis {
    let mut names: Vec<(f64, String)> =
        (0..answer.groups.len()).filter_map(|group| when(answer, group)).collect();
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    names.dedup_by(|a, b| a.0 == b.0);
    let date = answer.rules.iter().position(|rule| matches!(rule, Rule::Period(..)));
    let label = date.map_or("", |date| answer.fields[date].name.as_str());
    Axis { names, ..Axis::new(label) }
}

fn mark(answer: &Answer, cell: &Cell) -> Option<Mark> {
    let mark = Mark::new(when(answer, cell.group)?.0, cell.share.share);
    Some(cell.share.interval().map_or(mark, |(low, high)| mark.between(low, high)))
}

fn over_time(answer: &Answer, shown: &FigureRequest<'_>) -> Figure {
    let series = |&topic: &TopicNumber| {
        let cells = || answer.cells.iter().filter(|cell| cell.topic == topic);
        let line = |cell: &Cell| {
            let smooth = cell.smooth?;
            let mark = Mark::new(when(answer, cell.group)?.0, smooth.smooth);
            Some(mark.between(smooth.smooth_low, smooth.smooth_high))
        };
        Series {
            name: shown.topics.get(topic.index()).map(TopicSummary::title).unwrap_or_default(),
            marks: cells().filter_map(|cell| mark(answer, cell)).collect(),
            line: cells().filter_map(line).collect(),
        }
    };
    let mut chart = Chart {
        title: shown.title.clone(),
        x: time_axis(answer),
        y: Axis::with_shares("share of the documents"),
        series: shown.chosen.iter().take(MAX_LINES).map(series).collect(),
        note: note(
            &[
                "Points: means with their 95% intervals",
                "Line: local linear regression with its 95% band",
            ],
            0,
            shown,
        ),
    };
    if let [one] = &mut chart.series[..] {
        one.name.clear();
    }
    chart.figure()
}

/// One topic over time, with a line for each value of another field, up to [`MAX_LINES`] with the most documents.
fn side_by_side(answer: &Answer, shown: &FigureRequest<'_>, topic: TopicNumber) -> Figure {
    let other = |group: usize| {
        let parts = &answer.groups[group].parts;
        parts.iter().find(|part| !matches!(part, Part::Period(_))).map(Part::to_string)
    };
    let mut documents: Vec<(String, u64)> = Vec::new();
    for (number, group) in answer.groups.iter().enumerate() {
        let Some(name) = other(number) else { continue };
        match documents.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += group.documents,
            None => documents.push((name, group.documents)),
        }
    }
    documents.sort_by_key(|group| std::cmp::Reverse(group.1));
    let left_out = documents.len().saturating_sub(MAX_LINES);
    let series = |(name, _): &(String, u64)| {
        let is_of = |cell: &&Cell| {
            cell.topic == topic && other(cell.group).as_deref() == Some(name.as_str())
        };
        let cells = answer.cells.iter().filter(is_of);
        let mut marks: Vec<Mark> = cells.filter_map(|cell| mark(answer, cell)).collect();
        marks.sort_by(|a, b| a.x.total_cmp(&b.x));
        let line = marks.iter().map(|mark| Mark { interval: None, ..*mark }).collect();
        Series { name: name.clone(), marks, line }
    };
    Chart {
        title: shown.title.clone(),
        x: time_axis(answer),
        y: Axis::with_shares("share of the documents"),
        series: documents.iter().take(MAX_LINES).map(series).collect(),
        note: note(&["Means with their 95% intervals, joined"], left_out, shown),
    }
    .figure()
}

/// The title of a figure of one topic or of all by the fields.
pub fn title(
    answer: &Answer,
    topics: &[TopicSummary],
    chosen: &[TopicNumber],
    run: RunId,
) -> String {
    let by = fields(answer);
    match chosen {
        [topic] => {
            let name = topics.get(topic.index()).map(TopicSummary::title).unwrap_or_default();
            format!("Topic {name} by {by} (run {run})")
        }
        _ => format!("Topics by {by} (run {run})"),
    }
}

//! The words of a run in the plane of its anchors, on a canvas of Braille dots.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{RunScreen, RunViewData, RunWithTopics, keys};
use crate::tui::keymap::Action;
use crate::tui::view::dots::DotCanvas;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::text;
use topoi_core::numbers::thousands;
use topoi_run::saved::anchor_map::AnchorMap;
use topoi_run::saved::topics::are_refined;
use topoi_store::id::TopicNumber;
use topoi_store::result::topic::Topic;

/// The mark of a topic, from this share of the largest topic's on.
const MARKS: [(f64, &str); 3] = [(0.6, "●"), (0.3, "○"), (0.0, "·")];
/// Words of the selected topic that are named, where there is room.
const NAMED_WORDS: usize = 8;
/// The longest name on the map, in cells.
const NAME: usize = 16;
/// The share of the canvas that stays free at each side.
const MARGIN: f64 = 0.04;

/// Straight parts that an edge of the hull is drawn in: compressed axes bend it.
const EDGE_PARTS: usize = 48;

pub fn draw(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let map = match &sheet.more {
        RunViewData::Map(Some(map)) => map,
        RunViewData::Map(None) => {
            let inside = parts::titled(buffer, area, look, "Map");
            let none = Line::raw(" This run has no map: only models with anchors have one.");
            parts::lines(buffer, parts::below(inside, 1), &[none]);
            return;
        }
        _ => {
            parts::titled(buffer, area, look, "Map");
            return;
        }
    };
    let inside = parts::titled(buffer, area, look, &title(screen, sheet, map));
    let selected = screen.selected();
    let canvas = canvas(inside);
    let plane = Plane::new(screen, map, canvas);
    let mut dots = DotCanvas::new(canvas);
    for word in &map.words {
        dots.set(plane.dot(word.x, word.y), 0);
    }
    let corner = |topic: usize| map.anchors[topic].map(|at| (map.words[at].x, map.words[at].y));
    let corners: Vec<(f64, f64)> = map.hull.iter().filter_map(|&topic| corner(topic)).collect();
    for (at, &(x, y)) in corners.iter().enumerate() {
        let (next_x, next_y) = corners[(at + 1) % corners.len()];
        let on_edge = |step: usize| {
            let share = step as f64 / EDGE_PARTS as f64;
            plane.dot(x + (next_x - x) * share, y + (next_y - y) * share)
        };
        (0..EDGE_PARTS).for_each(|step| dots.line(on_edge(step), on_edge(step + 1), 1));
    }
    dots.draw(buffer, &[Style::new(), look.bar()]);
    Names { taken: Vec::new(), canvas, look }.draw(map, sheet, selected, &plane, buffer);
    if let Some(topic) = selected {
        let below = parts::below(inside, canvas.height);
        parts::lines(buffer, below, &legend(map, topic, usize::from(area.width)));
    }
}

fn title(screen: &RunScreen, sheet: &RunWithTopics, map: &AnchorMap) -> String {
    let anchors = if are_refined(&sheet.metrics) { "first anchors" } else { "anchors" };
    let mut title =
        format!("Map of {} words, hull of the {anchors}", thousands(map.words.len() as u64));
    if let Some(variance) = map.variance {
        title.push_str(&format!(", {} of variance", text::percent(variance)));
    }
    title.push_str(if screen.is_to_scale { ", to scale" } else { ", compressed outwards" });
    if screen.zoom > 0 {
        title.push_str(&format!(", zoom ×{}", 1 << screen.zoom));
    }
    title
}

fn legend(map: &AnchorMap, topic: &Topic, width: usize) -> Vec<Line<'static>> {
    let anchor = topic.anchor.as_deref().unwrap_or("no anchor");
    let on_hull = map.hull.contains(&(topic.topic.index()));
    let place = if on_hull { "a corner of the hull" } else { "inside the hull" };
    let name = topic.label.as_ref().map(|label| format!(" {label:?}")).unwrap_or_default();
    let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
    let first = format!(
        " topic {}{name}, {}: anchor {anchor}, {place}   ● ○ · topics by share   * its words",
        topic.topic,
        text::size(&topic.shares)
    );
    let second = format!("   {}", words.join(" "));
    [first, second].map(|line| Line::raw(text::cut(&line, width.saturating_sub(1)))).to_vec()
}

/// From places of words to dots.
struct Plane {
    x: Axis,
    y: Axis,
}

impl Plane {
    /// What all words, or with a zoom those around the selected anchor, fill.
    fn new(screen: &RunScreen, map: &AnchorMap, canvas: Rect) -> Self {
        let anchor = screen.selected().and_then(|topic| {
            let at = map.anchors.get(topic.topic.index()).copied().flatten()?;
            Some((map.words[at].x, map.words[at].y))
        });
        let (columns, rows) = (f64::from(canvas.width) * 2.0, f64::from(canvas.height) * 4.0);
        let xs = map.words.iter().map(|word| word.x).collect();
        let ys = map.words.iter().map(|word| word.y).collect();
        let zoom = f64::from(1u32 << screen.zoom);
        let (x, y) = (anchor.map(|anchor| anchor.0), anchor.map(|anchor| anchor.1));
        let is_to_scale = screen.is_to_scale;
        Self {
            x: Axis::new(xs, is_to_scale, columns, x.filter(|_| zoom > 1.0), zoom),
            y: Axis::new(ys, is_to_scale, rows, y.filter(|_| zoom > 1.0), zoom),
        }
    }

    fn dot(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.dot(x), self.y.length - self.y.dot(y))
    }
}

/// An axis: a few anchors are far out and most words crowd together, so that places are
/// compressed by asinh outwards from their median, in units of their median distance from it.
struct Axis {
    median: f64,
    unit: Option<f64>,
    low: f64,
    dots_per_unit: f64,
    length: f64,
}

impl Axis {
    fn new(
        values: Vec<f64>,
        is_to_scale: bool,
        length: f64,
        around: Option<f64>,
        zoom: f64,
    ) -> Self {
        let middle = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        let median = middle(values.clone());
        let distance = middle(values.iter().map(|value| (value - median).abs()).collect());
        let unit = (!is_to_scale && distance > 0.0).then_some(distance);
        let mut axis = Self { median, unit, low: 0.0, dots_per_unit: 1.0, length };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            let place = axis.place(value);
            (low, high) = (low.min(place), high.max(place));
        }
        let room = ((high - low) * MARGIN).max(1e-12);
        (low, high) = (low - room, high + room);
        if let Some(around) = around.map(|around| axis.place(around)) {
            let half = (high - low) / zoom / 2.0;
            (low, high) = (around - half, around + half);
        }
        axis.low = low;
        axis.dots_per_unit = length / (high - low);
        axis
    }

    fn place(&self, value: f64) -> f64 {
        self.unit.map_or(value, |unit| ((value - self.median) / unit).asinh())
    }

    fn dot(&self, value: f64) -> f64 {
        (self.place(value) - self.low) * self.dots_per_unit
    }
}

/// Names on the canvas, none over another.
struct Names {
    taken: Vec<Rect>,
    canvas: Rect,
    look: Appearance,
}

impl Names {
    fn draw(
        &mut self,
        map: &AnchorMap,
        sheet: &RunWithTopics,
        selected: Option<&Topic>,
        plane: &Plane,
        buffer: &mut Buffer,
    ) {
        let dot = |at: usize| plane.dot(map.words[at].x, map.words[at].y);
        let anchor = |topic: usize| map.anchors.get(topic).copied().flatten();
        let most = sheet.topics.iter().map(|topic| topic.shares.size()).fold(0.0, f64::max);
        // Where there is no room for all, the largest have it.
        let mut others: Vec<&Topic> = sheet.topics.iter().collect();
        others.retain(|topic| selected.is_none_or(|selected| selected.topic != topic.topic));
        others.sort_by(|a, b| b.shares.size().total_cmp(&a.shares.size()));
        let placed =
            others.into_iter().filter_map(|topic| Some((topic, anchor(topic.topic.index())?)));
        if let Some((topic, at)) = selected.and_then(|t| Some((t, anchor(t.topic.index())?))) {
            self.put(buffer, dot(at), mark(topic, most), name(topic), self.look.selected());
        }
        for (topic, at) in placed.clone() {
            self.mark(buffer, dot(at), mark(topic, most), self.look.heading());
        }
        for word in selected.iter().flat_map(|topic| topic.words.iter().take(NAMED_WORDS)) {
            let found = map.words.iter().position(|place| place.word == word.word);
            if let Some(at) = found {
                self.put(buffer, dot(at), "*", &word.word, self.look.key());
            }
        }
        for (topic, at) in placed {
            self.name(buffer, dot(at), name(topic), self.look.heading());
        }
    }

    /// The cell of a dot, if it is on the canvas.
    fn cell(&self, dot: (f64, f64)) -> Option<Rect> {
        let (x, y) = ((dot.0 / 2.0).floor(), (dot.1 / 4.0).floor());
        let canvas = self.canvas;
        let is_on =
            x >= 0.0 && y >= 0.0 && x < f64::from(canvas.width) && y < f64::from(canvas.height);
        is_on.then(|| Rect::new(canvas.x + x as u16, canvas.y + y as u16, 1, 1))
    }

    fn is_free(&self, area: Rect) -> bool {
        !self.taken.iter().any(|other| other.intersects(area))
    }

    /// Draws a mark, if its cell is free; whether it was.
    fn mark(&mut self, buffer: &mut Buffer, dot: (f64, f64), mark: &str, style: Style) -> bool {
        let Some(at) = self.cell(dot).filter(|&at| self.is_free(at)) else { return false };
        buffer.set_string(at.x, at.y, mark, style);
        self.taken.push(at);
        true
    }

    /// Draws a name beside its mark, above or below it, wherever that is free.
    fn name(&mut self, buffer: &mut Buffer, dot: (f64, f64), name: &str, style: Style) {
        let Some(at) = self.cell(dot) else { return };
        let name = text::cut(name, NAME);
        let width = text::width(&name) as u16;
        if width == 0 {
            return;
        }
        let canvas = self.canvas;
        let left = at.x.checked_sub(width).filter(|&x| x >= canvas.x);
        let rows = [Some(at.y), at.y.checked_sub(1), Some(at.y + 1)].into_iter().flatten();
        let mut places = rows.flat_map(|y| {
            let beside = (y == at.y).then_some(at.x + 1).or(Some(at.x));
            [beside, left].into_iter().flatten().map(move |x| Rect { x, y, width, height: 1 })
        });
        let fits = |area: &Rect| canvas.intersection(*area) == *area && self.is_free(*area);
        if let Some(place) = places.find(fits) {
            buffer.set_stringn(place.x, place.y, &name, usize::from(width), style);
            // Names that touch are unreadable.
            self.taken.push(Rect { width: width + 1, ..place });
        }
    }

    fn put(&mut self, buffer: &mut Buffer, dot: (f64, f64), mark: &str, name: &str, style: Style) {
        if self.mark(buffer, dot, mark, style) {
            self.name(buffer, dot, name, style);
        }
    }
}

fn mark(topic: &Topic, most: f64) -> &'static str {
    let share = if most > 0.0 { topic.shares.size() / most } else { 0.0 };
    MARKS.into_iter().find(|(from, _)| share >= *from).map_or("·", |(_, mark)| mark)
}

/// Its label, else its first word.
fn name(topic: &Topic) -> &str {
    topic.label.as_ref().or(topic.words.first().map(|word| &word.word)).map_or("", String::as_str)
}

/// The topic that is nearest in a direction from the selected one, as the map is drawn now; without a
/// selected one that has a place, the first that has.
pub fn neighbour(screen: &RunScreen, area: Rect, direction: Action) -> Option<TopicNumber> {
    let sheet = screen.sheet.as_ref()?;
    let RunViewData::Map(Some(map)) = &sheet.more else { return None };
    let plane = Plane::new(screen, map, canvas(parts::below(area, 1)));
    let place = |topic: TopicNumber| {
        let at = map.anchors.get(topic.index()).copied().flatten()?;
        Some(plane.dot(map.words[at].x, map.words[at].y))
    };
    let shown = screen.visible();
    let mut placed = shown.iter().filter_map(|topic| Some((topic.topic, place(topic.topic)?)));
    let Some((own, from)) = screen.selected().and_then(|t| Some((t.topic, place(t.topic)?))) else {
        return placed.next().map(|(topic, _)| topic);
    };
    let distance = |to: (f64, f64)| {
        let (right, down) = (to.0 - from.0, to.1 - from.1);
        let (along, across) = match direction {
            keys::TO_THE_RIGHT => (right, down),
            keys::TO_THE_LEFT => (-right, down),
            keys::DOWNWARDS => (down, right),
            _ => (-down, right),
        };
        // What lies more to the side than ahead is reached by another arrow.
        (along > 0.0 && across.abs() <= along).then_some(along + 2.0 * across.abs())
    };
    let ahead = placed.filter_map(|(topic, to)| Some((topic, distance(to)?)));
    let nearest = ahead.filter(|(topic, _)| *topic != own);
    nearest.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(topic, _)| topic)
}

/// What is left for the map above the two lines about the selected topic.
fn canvas(inside: Rect) -> Rect {
    Rect { height: inside.height.saturating_sub(2), ..inside }
}

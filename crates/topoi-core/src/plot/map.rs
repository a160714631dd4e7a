//! Points in a plane, coloured by group, with equal scales on both axes.

use super::colour::SERIES;
use super::figure::{EDGE, Figure, Font, SMALL, TEXT, coordinate};
use super::text::{cut, escaped, width};

/// Width of the figure.
const WIDTH: f64 = 760.0;
/// Largest height of the area of the points.
const HEIGHT: f64 = 620.0;
/// Smallest height of that area.
const LEAST_HEIGHT: f64 = 120.0;
/// Radius of a point.
const RADIUS: f64 = 2.8;
/// Maximum width of a name in the legend.
const ROOM: f64 = 310.0;
/// Places beyond it, and those that are no numbers, are not drawn.
const MOST: f64 = 1e100;
/// Colour of points of no named group, which can be seen on white and on black.
const OTHERS: &str = "#a0a0a0";

/// Number of groups that have a colour and shape of their own: every colour as circles and as triangles.
pub const MAX_GROUPS: usize = 2 * SERIES.len();

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// Horizontal place.
    pub x: f64,
    /// Vertical place.
    pub y: f64,
    /// The number of its group in [`Map::groups`]; `None` for a point of no named group.
    pub group: Option<usize>,
    /// What is shown where a pointer rests on it.
    pub tip: String,
}

/// A group that the legend names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name in the legend.
    pub name: String,
    /// A short name at the middle of its points.
    pub label: String,
}

/// The data of the figure.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// Title above the figure.
    pub title: String,
    /// At most [`MAX_GROUPS`] groups.
    pub groups: Vec<Group>,
    /// The legend's name of points of no named group.
    pub others: String,
    /// The points.
    pub dots: Vec<Dot>,
    /// Note below the figure on how to read it.
    pub note: String,
}

/// From places to coordinates of the figure.
struct Scale {
    middle: (f64, f64),
    factor: f64,
    top: f64,
    height: f64,
}

impl Scale {
    fn new(dots: &[&Dot], top: f64) -> Self {
        let ends = |of: fn(&Dot) -> f64| {
            let all = dots.iter().map(|dot| of(dot));
            all.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let (across, down) = (ends(|dot| dot.x), ends(|dot| dot.y));
        let length = |(low, high): (f64, f64)| (high - low).max(0.0);
        let room = (WIDTH - 2.0 * EDGE - 4.0 * RADIUS, HEIGHT - 4.0 * RADIUS);
        let fits = |room: f64, length: f64| if length > 0.0 { room / length } else { f64::MAX };
        let factor = fits(room.0, length(across)).min(fits(room.1, length(down)));
        // All points at one place.
        let factor = if factor < f64::MAX { factor } else { 0.0 };
        let middle =
            |(low, high): (f64, f64)| if low <= high { f64::midpoint(low, high) } else { 0.0 };
        let height = (factor * length(down) + 4.0 * RADIUS).max(LEAST_HEIGHT);
        Self { middle: (middle(across), middle(down)), factor, top, height }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = WIDTH / 2.0 + self.factor * (x - self.middle.0);
        (across, self.top + self.height / 2.0 - self.factor * (y - self.middle.1))
    }
}

impl Map {
    /// Lays out the figure.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(&self.title, WIDTH);
        let top = self.legend(&mut figure);
        let has_place = |dot: &&Dot| dot.x.abs() <= MOST && dot.y.abs() <= MOST;
        let dots: Vec<&Dot> = self.dots.iter().filter(has_place).collect();
        let scale = Scale::new(&dots, top);
        // Points of no named group are below the others.
        let (named, others): (Vec<&Dot>, Vec<&Dot>) =
            dots.into_iter().partition(|dot| dot.group.is_some());
        for dot in others.iter().chain(&named) {
            figure.push(&shape(dot.group, scale.at(dot.x, dot.y), &dot.tip));
        }
        for (number, group) in self.groups.iter().enumerate() {
            let own = || named.iter().filter(|dot| dot.group == Some(number));
            let Some((x, y)) = median(own().map(|dot| dot.x)).zip(median(own().map(|dot| dot.y)))
            else {
                continue;
            };
            label(&mut figure, scale.at(x, y), &group.label);
        }
        figure.finish(top + scale.height + 8.0, &self.note)
    }

    /// Draws the legend in rows; returns its lower edge.
    fn legend(&self, figure: &mut Figure) -> f64 {
        let (mut x, mut y) = (EDGE, figure.top());
        let has_others = self.dots.iter().any(|dot| dot.group.is_none());
        let groups = self.groups.iter().map(|group| group.name.as_str()).enumerate();
        let groups = groups.map(|(number, name)| (Some(number), name));
        let others = has_others.then_some((None, self.others.as_str()));
        for (group, name) in groups.chain(others) {
            let needed = 18.0 + width(&cut(name, TEXT, ROOM), TEXT) + 16.0;
            if x > EDGE && x + needed > WIDTH - EDGE {
                (x, y) = (EDGE, y + TEXT + 8.0);
            }
            let middle = y + TEXT / 2.0;
            figure.push(&shape(group, (x + 6.0, middle), ""));
            figure.text((x + 18.0, middle + 4.5), name, Font { room: ROOM, ..Font::default() });
            x += needed;
        }
        y + TEXT + 14.0
    }
}

/// The number in the middle, of an even number of them the lower one.
fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied()
}

/// A name on a white ground, so that it can be read above points.
fn label(figure: &mut Figure, (x, y): (f64, f64), name: &str) {
    let (room, height) = (width(name, SMALL) + 6.0, SMALL + 5.0);
    let x = x.clamp(EDGE + room / 2.0, WIDTH - EDGE - room / 2.0);
    figure.push(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" fill-opacity=\".85\"/>",
        coordinate(x - room / 2.0),
        coordinate(y - height / 2.0),
        coordinate(room),
        coordinate(height)
    ));
    let font = Font {
        size: SMALL,
        anchor: "middle",
        colour: Some("#000000"),
        is_bold: true,
        ..Font::default()
    };
    figure.text((x, y + SMALL / 2.0 - 1.5), name, font);
}

/// The mark of a group: a circle, of the groups after the number of colours a triangle.
fn shape(group: Option<usize>, (x, y): (f64, f64), tip: &str) -> String {
    let colour = group.map_or(OTHERS, |group| SERIES[group % SERIES.len()]);
    let (name, open) = match group {
        Some(group) if group >= SERIES.len() => {
            let corners = [(0.0, -1.35), (1.25, 0.95), (-1.25, 0.95)].map(|(dx, dy)| {
                format!("{},{}", coordinate(x + dx * RADIUS), coordinate(y + dy * RADIUS))
            });
            ("polygon", format!("<polygon points=\"{}\"", corners.join(" ")))
        }
        _ => {
            let radius = if group.is_some() { RADIUS } else { 0.7 * RADIUS };
            let (x, y, radius) = (coordinate(x), coordinate(y), coordinate(radius));
            ("circle", format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""))
        }
    };
    let open = format!("{open} fill=\"{colour}\" fill-opacity=\".8\"");
    match tip {
        "" => format!("{open}/>"),
        tip => format!("{open}><title>{}</title></{name}>", escaped(tip)),
    }
}

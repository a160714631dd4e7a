//! A graph: circles in a plane, joined by lines of different strengths.

use std::fmt::Write as _;

use super::colour::{RULE, SERIES};
use super::figure::{EDGE, Figure, Font, SMALL, coordinate};
use super::text::{escaped, percent, width};

const WIDTH: f64 = 760.0;
/// Height of the plane.
const HEIGHT: f64 = 560.0;
/// Room for names at both sides of the plane.
const SIDE: f64 = 90.0;
/// Radius of a circle of size 1, which has all of the area that circles have together.
const RADIUS: f64 = 70.0;
/// Steps of the layout.
const STEPS: usize = 400;

/// A circle.
#[derive(Debug, Clone)]
pub struct Node {
    /// The name beside it.
    pub name: String,
    /// Its size, a share.
    pub size: f64,
}

/// A line between two circles.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The places of both nodes.
    pub nodes: (usize, usize),
    /// From 0 to 1.
    pub strength: f64,
}

/// The data of the figure.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Title above the figure.
    pub title: String,
    /// The circles.
    pub nodes: Vec<Node>,
    /// The lines.
    pub edges: Vec<Edge>,
    /// Note below the figure on how to read it.
    pub note: String,
}

impl Graph {
    /// Lays out the figure. The same data give the same places.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(&self.title, WIDTH);
        let top = figure.top();
        let places: Vec<(f64, f64)> = self
            .places()
            .into_iter()
            .map(|(x, y)| {
                let across = SIDE + x * (WIDTH - 2.0 * SIDE);
                (across, top + EDGE + y * (HEIGHT - 2.0 * EDGE))
            })
            .collect();
        for Edge { nodes: (one, other), strength } in &self.edges {
            let (from, to) = (places[*one], places[*other]);
            let mut line = String::new();
            let _ = write!(
                line,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-opacity=\".55\" \
                 stroke-width=\"{}\"><title>{}</title></line>",
                coordinate(from.0),
                coordinate(from.1),
                coordinate(to.0),
                coordinate(to.1),
                SERIES[5],
                coordinate(1.0 + 9.0 * strength),
                escaped(&format!(
                    "{} and {}: {strength:.2}",
                    self.nodes[*one].name, self.nodes[*other].name
                ))
            );
            figure.push(&line);
        }
        for (node, (x, y)) in self.nodes.iter().zip(&places) {
            let radius = (RADIUS * node.size.max(0.0).sqrt()).max(3.0);
            figure.push(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{RULE}\"><title>{}</title></circle>",
                coordinate(*x),
                coordinate(*y),
                coordinate(radius),
                SERIES[0],
                escaped(&format!("{}: {}", node.name, percent(node.size)))
            ));
            let room = 2.0 * SIDE;
            let font = Font { size: SMALL, anchor: "middle", room, ..Font::default() };
            let half = width(&node.name, SMALL).min(room) / 2.0;
            let at = x.clamp(EDGE + half, WIDTH - EDGE - half);
            figure.text((at, y + radius + SMALL + 1.0), &node.name, font);
        }
        figure.finish(top + HEIGHT + EDGE, &self.note)
    }

    /// Places from 0 to 1, by forces: all circles repel each other, lines draw theirs together.
    ///
    /// # Source
    /// Fruchterman and Reingold 1991, "Graph drawing by force-directed placement".
    fn places(&self) -> Vec<(f64, f64)> {
        let count = self.nodes.len();
        let turn = |at: usize| std::f64::consts::TAU * at as f64 / count.max(1) as f64;
        let mut places: Vec<(f64, f64)> =
            (0..count).map(|at| (libm::cos(turn(at)), libm::sin(turn(at)))).collect();
        let usual = (4.0 / count.max(1) as f64).sqrt();
        for step in 0..STEPS {
            let mut moves = vec![(0.0, 0.0); count];
            let mut push = |one: usize, other: usize, force: &dyn Fn(f64) -> f64| {
                let (dx, dy) = (places[one].0 - places[other].0, places[one].1 - places[other].1);
                let far = libm::hypot(dx, dy).max(1e-6);
                let by = force(far) / far;
                moves[one].0 += by * dx;
                moves[one].1 += by * dy;
                moves[other].0 -= by * dx;
                moves[other].1 -= by * dy;
            };
            for one in 0..count {
                for other in 0..one {
                    push(one, other, &|far| usual * usual / far);
                }
            }
            for Edge { nodes: (one, other), strength } in &self.edges {
                push(*one, *other, &|far| -strength * far * far / usual);
            }
            let most = 0.2 * (1.0 - step as f64 / STEPS as f64);
            for (place, (dx, dy)) in places.iter_mut().zip(moves) {
                // A weak pull to the middle keeps what nothing joins.
                let (dx, dy) = (dx - 0.3 * place.0, dy - 0.3 * place.1);
                let far = libm::hypot(dx, dy).max(1e-9);
                let by = far.min(most) / far;
                *place = (place.0 + by * dx, place.1 + by * dy);
            }
        }
        let ends = |of: fn(&(f64, f64)) -> f64| {
            let all = places.iter().map(of);
            all.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
        };
        let (across, down) = (ends(|place| place.0), ends(|place| place.1));
        let within = |value: f64, (low, high): (f64, f64)| {
            if high > low { (value - low) / (high - low) } else { 0.5 }
        };
        places.iter().map(|(x, y)| (within(*x, across), within(*y, down))).collect()
    }
}

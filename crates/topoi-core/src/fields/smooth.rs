//! A smooth line through the topic shares of periods, with a confidence band.
//!
//! Local linear regression (Fan and Gijbels 1996, §3). At each period a straight line is fitted to
//! the periods around it, and its value there is taken. Periods are weighted by their documents and
//! by the tricube of their distance. The half-width of the window is a quarter of the whole time
//! and at least 3 periods. The band covers the sampling error of the line, a weighted sum of the
//! shares; it does not cover the bias of a straight line within a window.

use super::interval::NORMAL;

/// Smallest half-width of the window, in periods.
const LEAST_HALF_WIDTH: f64 = 3.0;
/// The half-width as a share of the whole time.
const HALF_WIDTH_SHARE: f64 = 0.25;

/// A topic's share in the documents of a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The period's number.
    pub at: f64,
    /// The topic's share, from 0 to 1.
    pub share: f64,
    /// Standard error; `None` for a single document.
    pub error: Option<f64>,
    /// Documents of the period; the weight of the point.
    pub documents: f64,
}

/// A smooth line at one of its points.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Smooth {
    /// Value of the line, a share.
    pub smooth: f64,
    /// Lower end of the 95% band.
    pub smooth_low: f64,
    /// Upper end of the 95% band.
    pub smooth_high: f64,
}

/// The line at each of the points, which are in the order of time. `None` for fewer than 3 points.
pub fn smooth(points: &[Point]) -> Option<Vec<Smooth>> {
    let (first, last) = (points.first()?, points.last()?);
    if points.len() < 3 {
        return None;
    }
    let width = ((last.at - first.at) * HALF_WIDTH_SHARE).max(LEAST_HALF_WIDTH);
    Some(points.iter().map(|point| at(point.at, width, points)).collect())
}

fn at(at: f64, width: f64, points: &[Point]) -> Smooth {
    let weight = |point: &Point| {
        let far = ((point.at - at) / width).abs();
        if far < 1.0 { point.documents * (1.0 - far.powi(3)).powi(3) } else { 0.0 }
    };
    let near: Vec<(f64, &Point)> =
        points.iter().map(|point| (weight(point), point)).filter(|pair| pair.0 > 0.0).collect();
    let moment = |power: i32| near.iter().map(|(w, p)| w * (p.at - at).powi(power)).sum::<f64>();
    let [none, first, second] = [0, 1, 2].map(moment);
    let determinant = none * second - first * first;
    // The share of a point in the value of the line.
    let part = |w: f64, point: &Point| match determinant > 1e-9 * none * second {
        true => w * (second - first * (point.at - at)) / determinant,
        false => w / none,
    };
    // A single document has no spread of its own; the largest spread of the others is used.
    let spread = |point: &Point| Some(point.error? * point.documents.sqrt());
    let largest = near.iter().filter_map(|(_, point)| spread(point)).fold(0.0, f64::max);
    let error = |point: &Point| point.error.unwrap_or(largest / point.documents.sqrt());
    let (mut smooth, mut variance) = (0.0, 0.0);
    for (w, point) in &near {
        let part = part(*w, point);
        smooth += part * point.share;
        variance += (part * error(point)).powi(2);
    }
    let half = NORMAL * variance.sqrt();
    Smooth { smooth, smooth_low: smooth - half, smooth_high: smooth + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(at: f64, share: f64, error: Option<f64>) -> Point {
        Point { at, share, error, documents: 10.0 + at % 3.0 }
    }

    #[test]
    fn a_straight_line_stays_as_it_is_up_to_its_ends() {
        let points: Vec<Point> =
            (0..12).map(|at| point(at.into(), 0.1 + 0.02 * f64::from(at), Some(0.01))).collect();
        for (smooth, point) in smooth(&points).expect("a line").into_iter().zip(&points) {
            assert!((smooth.smooth - point.share).abs() < 1e-12);
            // The line uses its neighbours, so its error is below that of a single point.
            let half = smooth.smooth_high - smooth.smooth;
            assert!(half > 0.0 && half < NORMAL * 0.011);
        }
    }

    #[test]
    fn two_periods_have_no_line_and_gaps_are_spanned() {
        assert_eq!(smooth(&[point(0.0, 0.1, None), point(1.0, 0.2, None)]), None);
        let far = [0.0, 1.0, 40.0].map(|at| point(at, 0.25, Some(0.0)));
        assert!(smooth(&far).expect("a line").iter().all(|s| (s.smooth - 0.25).abs() < 1e-12));
    }
}

//! Axes: from values to positions, and their ticks.

use super::text::percent;
use crate::numbers::four_digits;

/// Largest magnitude that is drawn: differences of larger values overflow.
const LARGEST: f64 = 1e300;

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal differences are equal distances.
    #[default]
    Linear,
    /// Equal ratios are equal distances; values of 0 and less are not drawn.
    Log,
}

/// The settings of an axis.
#[derive(Debug, Clone, Default)]
pub struct Axis {
    /// The label beside it.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Whether values are shares, printed in per cent.
    pub is_share: bool,
    /// Whether it always includes 0.
    pub has_zero: bool,
    /// Names of values, such as periods; they replace the numeric ticks.
    pub names: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: &str) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A linear axis of shares that includes 0.
    pub fn with_shares(label: &str) -> Self {
        Self { is_share: true, has_zero: true, ..Self::new(label) }
    }

    /// The name of a value, else its number.
    pub(super) fn format_value(&self, value: f64) -> String {
        let named = self.names.iter().find(|(at, _)| *at == value).map(|(_, name)| name.clone());
        named.unwrap_or_else(|| if self.is_share { percent(value) } else { four_digits(value) })
    }
}

/// An axis with known ends, which are logarithms for [`Scale::Log`].
#[derive(Debug, Clone)]
pub(super) struct Ruler {
    low: f64,
    high: f64,
    scale: Scale,
}

impl Ruler {
    /// Fits the axis to the values that can be drawn, with a margin of 4%.
    pub(super) fn around(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        let scale = axis.scale;
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = values
            .map(|value| scaled(scale, value))
            .filter(|value| value.abs() <= LARGEST)
            .fold(ends, |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let zero = axis.has_zero && scale == Scale::Linear;
        if zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        let mut room = 0.04 * (high - low);
        let is_flat = high - low <= 1e-12 * high.abs().max(1e-290);
        if is_flat {
            room = match scale {
                Scale::Log => 0.5,
                Scale::Linear if high.abs() < 1e-290 => 1.0,
                Scale::Linear => 0.5 * high.abs(),
            };
        }
        // No margin below an axis that begins at 0.
        let low = if zero && low == 0.0 { low } else { low - room };
        let high = if zero && high == 0.0 && !is_flat { high } else { high + room };
        Self { low, high, scale }
    }

    /// Position of a value, from 0 to 1; `None` for a value that cannot be drawn.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let value = scaled(self.scale, value);
        let at = (value - self.low) / (self.high - self.low);
        (value.abs() <= LARGEST).then_some(at.clamp(0.0, 1.0))
    }

    /// About `wanted` ticks with their names.
    pub(super) fn ticks(&self, axis: &Axis, wanted: usize) -> Vec<(f64, String)> {
        if !axis.names.is_empty() {
            let step = axis.names.len().div_ceil(wanted.max(1));
            return axis.names.iter().step_by(step).cloned().collect();
        }
        let decades = self.high - self.low;
        if self.scale == Scale::Log && decades >= 0.6 {
            return self.decades(wanted);
        }
        let (low, high) = match self.scale {
            Scale::Linear => (self.low, self.high),
            Scale::Log => (10_f64.powf(self.low), 10_f64.powf(self.high)),
        };
        let (low, high) = if axis.is_share { (100.0 * low, 100.0 * high) } else { (low, high) };
        let step = nice_step((high - low) / wanted.max(1) as f64);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step - 1e-9).ceil();
        let last = (high / step + 1e-9).floor();
        // Bounds the loop for degenerate steps.
        let count = ((last - first).max(0.0) as usize).min(20 * wanted.max(1));
        let tick = |number: usize| {
            let value = (first + number as f64) * step;
            // No "-0".
            let value = if value == 0.0 { 0.0 } else { value };
            let name = match digits {
                _ if value == 0.0 => "0".into(),
                _ if value.abs() >= 1e6 || digits > 6 => format!("{value:.2e}"),
                _ => format!("{value:.digits$}"),
            };
            match axis.is_share {
                true => (value / 100.0, format!("{name}%")),
                false => (value, name),
            }
        };
        (0..=count).map(tick).collect()
    }

    fn decades(&self, wanted: usize) -> Vec<(f64, String)> {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let step = ((last - first) as usize).div_ceil(wanted.max(1)).max(1);
        let between: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        let first = first.div_euclid(step as i32) * step as i32;
        for power in (first..=last).step_by(step) {
            for part in between {
                let value = part * 10_f64.powi(power);
                if (self.low - 1e-9..=self.high + 1e-9).contains(&value.log10()) {
                    ticks.push((value, power_name(*part, power)));
                }
            }
        }
        ticks
    }
}

fn scaled(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Log if value > 0.0 => value.log10(),
        Scale::Log => f64::NAN,
    }
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let of = [1.0, 2.0, 5.0, 10.0].into_iter().find(|of| of * power >= least * (1.0 - 1e-9));
    of.unwrap_or(10.0) * power
}

fn power_name(part: f64, power: i32) -> String {
    match power {
        0..=3 => format!("{:.0}", part * 10_f64.powi(power)),
        -3..0 => format!("{:.*}", (-power) as usize, part * 10_f64.powi(power)),
        _ => {
            let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
            let raised: String = power
                .to_string()
                .chars()
                .map(|c| c.to_digit(10).map_or("⁻", |digit| digits[digit as usize]))
                .collect();
            if part == 1.0 { format!("10{raised}") } else { format!("{part:.0}·10{raised}") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis, values: &[f64]) -> Vec<String> {
        let ruler = Ruler::around(axis, values.iter().copied());
        ruler.ticks(axis, 5).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_ends() {
        let plain = Axis::new("x");
        assert_eq!(names(&plain, &[0.0, 10.0]), ["0", "5", "10"]);
        assert_eq!(names(&plain, &[-0.03, 0.02]), ["-0.02", "0", "0.02"]);
        assert_eq!(names(&Axis::with_shares("y"), &[0.02, 0.13]), ["0%", "5%", "10%"]);
        let log = Axis { scale: Scale::Log, ..plain };
        assert_eq!(names(&log, &[1.0, 1e8]), ["1", "100", "10⁴", "10⁶", "10⁸"].map(String::from));
        assert_eq!(names(&log, &[0.01, 0.3]), ["0.01", "0.02", "0.05", "0.1", "0.2"]);
        assert_eq!(names(&log, &[3.0, 4.0]), ["3.0", "3.5", "4.0"]);
    }

    #[test]
    fn values_that_are_all_alike_or_none_have_an_axis_too() {
        for values in [&[][..], &[f64::NAN], &[0.0], &[5.0, 5.0], &[1e300], &[-1e-300]] {
            for scale in [Scale::Linear, Scale::Log] {
                let axis = Axis { scale, ..Axis::new("x") };
                let ruler = Ruler::around(&axis, values.iter().copied());
                assert!(ruler.high > ruler.low, "{values:?}");
                assert!(ruler.ticks(&axis, 5).len() < 101, "{values:?}");
            }
        }
    }

    #[test]
    fn values_lie_between_the_ends_and_what_has_no_logarithm_nowhere() {
        let axis = Axis { scale: Scale::Log, ..Axis::new("x") };
        let ruler = Ruler::around(&axis, [1.0, 100.0].into_iter());
        assert!((ruler.at(10.0).expect("within") - 0.5).abs() < 1e-12);
        assert_eq!([0.0, -1.0, f64::NAN].map(|value| ruler.at(value)), [None; 3]);
    }
}

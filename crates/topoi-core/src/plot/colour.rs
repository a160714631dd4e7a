//! Colours of figures.

/// Colours of series: contrast of at least 3 : 1 against white and against the dark background, distinguishable with
/// protanopia, deuteranopia and tritanopia.
pub const SERIES: [&str; 6] = ["#0072b2", "#e06000", "#8040e0", "#c08080", "#e00040", "#8080a0"];

/// Background of a figure in dark mode.
pub const DARK_PAPER: &str = "#181818";

/// Colour of texts.
pub const INK: &str = "#222222";
/// Colour of notes.
pub const FAINT_INK: &str = "#5c5c5c";
/// Colour of grid lines.
pub const RULE: &str = "#dddddd";

/// Red, green and blue.
type Rgb = [f64; 3];

const WHITE: Rgb = [255.0, 255.0, 255.0];
const BLUE: Rgb = [8.0, 64.0, 129.0];
const RED: Rgb = [178.0, 52.0, 10.0];

/// The colour of a cell, white at 0, deep blue at 1, deep red at −1, and the colour of a text on it.
pub fn shade(strength: f64) -> (String, &'static str) {
    let full = if strength < 0.0 { RED } else { BLUE };
    let share = if strength.is_finite() { strength.abs().min(1.0) } else { 0.0 };
    let mixed: Vec<f64> = WHITE
        .iter()
        .zip(full)
        .map(|(white, full)| (white + share * (full - white)).round())
        .collect();
    let [red, green, blue] = [mixed[0], mixed[1], mixed[2]].map(|part| part as u8);
    let text = if luminance([red, green, blue]) > 0.179 { "#000000" } else { "#ffffff" };
    (format!("#{red:02x}{green:02x}{blue:02x}"), text)
}

/// How bright a colour is to the eye, from 0 to 1 (WCAG 2.2, relative luminance).
fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn linear(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(colour: &str) -> [u8; 3] {
        [1, 3, 5].map(|at| u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour"))
    }

    /// WCAG 2.2.
    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(parts(one)), luminance(parts(other)));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// What people without one of three kinds of cones see (Machado, Oliveira and Fernandes 2009), and all others.
    const SIGHTS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    ];

    /// CIE L*a*b*.
    fn lab(colour: [f64; 3]) -> [f64; 3] {
        let [red, green, blue] = colour.map(|part| part.clamp(0.0, 1.0));
        let of = |r: f64, g: f64, b: f64, white: f64| {
            let t = (r * red + g * green + b * blue) / white;
            if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
        };
        let x = of(0.4124, 0.3576, 0.1805, 0.9505);
        let y = of(0.2126, 0.7152, 0.0722, 1.0);
        let z = of(0.0193, 0.1192, 0.9505, 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn colours_of_series_stand_out_and_are_told_apart_by_all() {
        for (number, one) in SERIES.iter().enumerate() {
            for paper in ["#ffffff", DARK_PAPER] {
                assert!(contrast(one, paper) >= 3.0, "{one} on {paper}");
            }
            for other in &SERIES[..number] {
                for sight in SIGHTS {
                    let seen = |colour: &str| {
                        let parts = parts(colour).map(linear);
                        lab(sight.map(|row| row.iter().zip(parts).map(|(m, p)| m * p).sum()))
                    };
                    let far: f64 =
                        seen(one).iter().zip(seen(other)).map(|(a, b)| (a - b).powi(2)).sum();
                    assert!(far.sqrt() > 18.0, "{one} beside {other}: {}", far.sqrt());
                }
            }
        }
    }

    #[test]
    fn texts_can_be_read_on_every_shade() {
        for step in -100..=100 {
            let (cell, text) = shade(f64::from(step) / 100.0);
            assert!(contrast(&cell, text) >= 4.5, "{text} on {cell}");
        }
        assert_eq!(shade(f64::NAN).0, "#ffffff");
    }
}

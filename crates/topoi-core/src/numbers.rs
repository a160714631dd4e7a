//! Numbers formatted for people.

/// A number with its noun in the right form: "1 topic", "2,483 documents", "0 vocabularies".
pub fn counted(number: u64, one: &str) -> String {
    let many = match one.strip_suffix("ry") {
        Some(stem) => format!("{stem}ries"),
        None => format!("{one}s"),
    };
    format!("{} {}", thousands(number), if number == 1 { one } else { &many })
}

/// An integer with commas between thousands.
pub fn thousands(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// A number to four significant digits, in scientific notation where it is tiny or huge. Integers
/// from ten on (mostly counts) are written in full.
pub fn four_digits(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    if number.fract() == 0.0 && (10.0..1e15).contains(&number.abs()) {
        return thousands(number as i64);
    }
    let rounded = format!("{number:.3e}");
    // Of the rounded number: 9.9996 has two digits before the point.
    let magnitude = rounded.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok());
    match magnitude {
        Some(power @ -3..6) => format!("{number:.*}", usize::try_from(3 - power).unwrap_or(0)),
        _ => rounded,
    }
}

/// A number to four significant digits, followed by its standard error, if any, to two:
/// `0.3309 ± 0.012`.
pub fn with_error(value: f64, error: Option<f64>) -> String {
    let error = error.map(|error| format!(" ± {}", two_digits(error)));
    four_digits(value) + &error.unwrap_or_default()
}

/// A standard error to two significant digits.
pub fn two_digits(error: f64) -> String {
    let magnitude = error.abs().log10().floor();
    match (-4.0..3.0).contains(&magnitude) {
        true => format!("{error:.*}", (1.0 - magnitude).max(0.0) as usize),
        false => format!("{error:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_of_small_and_large_numbers() {
        assert_eq!(four_digits(0.000_664_9), "6.649e-4");
        assert_eq!(four_digits(-51.43), "-51.43");
        assert_eq!(four_digits(12_345.678), "12346");
        assert_eq!([9.9996, 0.000_999_96].map(four_digits), ["10.00", "0.001000"]);
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(four_digits), ["NaN", "-inf"]);
        assert_eq!(four_digits(2_613_245.0), "2,613,245");
        assert_eq!(with_error(0.330_94, Some(0.012_3)), "0.3309 ± 0.012");
        assert_eq!(with_error(0.330_94, None), "0.3309");
        assert_eq!(
            [0.003, 1.26, 0.0, 2.5e-6].map(two_digits),
            ["0.0030", "1.3", "0.0e0", "2.5e-6"]
        );
        let read = [0, 999, 1000, 3_280_697, -1234].map(thousands);
        assert_eq!(read, ["0", "999", "1,000", "3,280,697", "-1,234"]);
    }
}

//! Numbers in JSON notation, and which of them are kept as numbers.

/// Whether any program reads this number in JSON notation exactly: a 64-bit integer, or a number whose digits a
/// double preserves. Other numbers are kept as text.
pub(crate) fn is_exact(number: &str) -> bool {
    if !number.contains(['.', 'e', 'E']) {
        return number.parse::<i64>().is_ok();
    }
    let double = number.parse::<f64>().ok().filter(|double| double.is_finite());
    double.is_some_and(|double| {
        digits(number).is_some_and(|d| Some(d) == digits(&format!("{double:e}")))
    })
}

/// A number's digits without leading and trailing zeros, and its power of ten.
fn digits(number: &str) -> Option<(String, i64)> {
    let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let kept = all.trim_end_matches('0');
    let zeros = all.len() - kept.len();
    let (fraction, zeros) = (i64::try_from(fraction).ok()?, i64::try_from(zeros).ok()?);
    let power = power.parse::<i64>().ok()?.checked_sub(fraction)?.checked_add(zeros)?;
    let kept = kept.trim_start_matches('0');
    Some((kept.into(), if kept.is_empty() { 0 } else { power }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_exact_that_keep_all_their_digits() {
        for number in [
            "0",
            "-0",
            "17",
            "-1.5",
            "1.10",
            "1e3",
            "1.0E+2",
            "0.1",
            "1e-7",
            "9223372036854775807",
            "0.0e99",
        ] {
            assert!(is_exact(number), "{number}");
        }
        let others = [
            "9223372036854775808",
            "123456789012345678901",
            "0.1000000000000000055",
            "1e400",
            "12345678901234567.5",
            "1e99999999999999999999",
        ];
        for number in others {
            assert!(!is_exact(number), "{number}");
        }
    }

    proptest! {
        #[test]
        fn every_double_is_exact(number: f64) {
            prop_assume!(number.is_finite());
            let written = format!("{number:e}");
            prop_assert!(is_exact(&written));
            // Of two decimals of 16 or 17 digits that are equally near to a double, such as 244504807929123.12 and .13, programs
            // write one or the other.
            let json = serde_json::json!(number).to_string();
            let places = [&json, &written].map(|number| digits(number).and_then(|(digits, _)| digits.parse::<u64>().ok()));
            let is_tie = matches!(places, [Some(a), Some(b)] if a > 10_u64.pow(15) && a.abs_diff(b) == 1);
            prop_assert!(is_exact(&json) || is_tie);
        }
    }
}

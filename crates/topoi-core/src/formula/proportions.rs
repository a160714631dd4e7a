//! The stored form of a document's topic proportions: short, exact to a millionth, and plain JSON,
//! so that any reader of SQLite can use it.
//!
//! Usually it is an array of K integers, in ten-millionths, that sum to [`WHOLE`]. With hundreds of
//! topics most proportions are almost exactly proportional to α, and an object is shorter:
//! `{"3":0.61,"17":0.29,"rest":0.004}` lists the proportions of some topics, and each other topic
//! has `rest` times its α.

use std::fmt::Write;

/// The sum of a document's integers.
pub const WHOLE: u32 = 10_000_000;

/// Number of topics below which an array is always written.
const MANY_TOPICS: usize = 100;

/// Largest distance of an unlisted proportion from `rest` times its α.
const NEAR: f64 = 1e-6;

/// Largest distance of an object's sum from 1.
const ROUNDING: f64 = 1e-6;

/// Proportions that sum to 1 as integers that sum to [`WHOLE`], each within one of its exact value.
/// They are rounded down, and the difference goes to the largest remainders, of equal ones to the
/// first.
pub fn whole_numbers(proportions: &[f64]) -> Vec<u32> {
    let sum: f64 = proportions.iter().sum();
    let scale = if sum > 0.0 { f64::from(WHOLE) / sum } else { 0.0 };
    let mut numbers: Vec<u32> = proportions.iter().map(|p| (p * scale) as u32).collect();
    let missing = i64::from(WHOLE) - numbers.iter().map(|&n| i64::from(n)).sum::<i64>();
    let missing = usize::try_from(missing).unwrap_or_default().min(numbers.len());
    if missing > 0 {
        let remainders = proportions.iter().map(|p| (p * scale).fract());
        let mut order: Vec<(f64, usize)> = remainders.zip(0..).collect();
        let largest_first =
            |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        order.select_nth_unstable_by(missing - 1, largest_first);
        order[..missing].iter().for_each(|&(_, topic)| numbers[topic] += 1);
    }
    numbers
}

/// Appends proportions to `text`, in the shorter of the two forms. `alpha` has an entry for each
/// topic.
pub fn write(proportions: &[f64], alpha: &[f64], text: &mut String) {
    let numbers = whole_numbers(proportions);
    let start = text.len();
    let mut separator = '[';
    for number in &numbers {
        text.push(separator);
        text.push_str(itoa::Buffer::new().format(*number));
        separator = ',';
    }
    text.push(']');
    if numbers.len() >= MANY_TOPICS
        && let Some(named) = named(proportions, &numbers, alpha, text.len() - start)
    {
        text.truncate(start);
        text.push_str(&named);
    }
}

/// Smallest number of bytes of a listed proportion with its topic.
const LEAST_NAMED: usize = r#""3":0.5,"#.len();

/// The object with the proportions that are not a multiple of α. `None` without usable α, or where
/// it is not shorter than `bytes` bytes.
fn named(proportions: &[f64], numbers: &[u32], alpha: &[f64], bytes: usize) -> Option<String> {
    let ratios = proportions.iter().zip(alpha).map(|(p, alpha)| p / alpha);
    let least = ratios.fold(f64::INFINITY, f64::min);
    if !least.is_finite() || alpha.len() != proportions.len() {
        return None;
    }
    let is_named = |&topic: &usize| (proportions[topic] - least * alpha[topic]).abs() > NEAR;
    let (named, others): (Vec<usize>, Vec<usize>) = (0..numbers.len()).partition(is_named);
    if named.len() * LEAST_NAMED >= bytes {
        return None;
    }
    let left = WHOLE - named.iter().map(|&topic| numbers[topic]).sum::<u32>();
    let rest = share(left) / others.iter().map(|&topic| alpha[topic]).sum::<f64>();
    let named = named.into_iter().map(|topic| (topic as u64, share(numbers[topic])));
    rest.is_finite().then(|| object(named, rest)).filter(|object| object.len() < bytes)
}

/// The object of the listed proportions, by topic and to the last bit, and of `rest`.
fn object(named: impl Iterator<Item = (u64, f64)>, rest: f64) -> String {
    let mut text = String::from("{");
    for (topic, proportion) in named {
        // Writing to memory does not fail.
        let _ = write!(text, "\"{topic}\":{proportion:?},");
    }
    let _ = write!(text, "\"rest\":{rest:?}}}");
    text
}

fn share(number: u32) -> f64 {
    f64::from(number) / f64::from(WHOLE)
}

/// Parses the output of [`write()`] into `proportions`, which gets an entry for each topic of
/// `alpha`.
///
/// # Errors
/// What is wrong, in words that follow "its proportions". Stores may come from anybody.
pub fn read(text: &str, alpha: &[f64], proportions: &mut Vec<f64>) -> Result<(), &'static str> {
    proportions.clear();
    if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        read_numbers(inside.as_bytes(), alpha.len(), proportions)
    } else {
        read_named(text, alpha, proportions)
    }
}

const NO_JSON: &str = "are no JSON that topoi writes";
const WRONG_NUMBER: &str = "are not as many as the run has topics";
const WRONG_SUM: &str = "do not sum to 1";

fn read_numbers(
    digits: &[u8],
    topics: usize,
    proportions: &mut Vec<f64>,
) -> Result<(), &'static str> {
    let (mut number, mut length, mut sum) = (0u32, 0, 0u64);
    for byte in digits.iter().chain(b",") {
        match byte {
            b'0'..=b'9' if length < 8 => {
                number = number * 10 + u32::from(byte - b'0');
                length += 1;
            }
            b',' if length > 0 && proportions.len() < topics => {
                proportions.push(share(number));
                sum += u64::from(number);
                (number, length) = (0, 0);
            }
            b',' if length > 0 => return Err(WRONG_NUMBER),
            _ => return Err(NO_JSON),
        }
    }
    if proportions.len() != topics {
        return Err(WRONG_NUMBER);
    }
    if sum == u64::from(WHOLE) { Ok(()) } else { Err(WRONG_SUM) }
}

fn read_named(text: &str, alpha: &[f64], proportions: &mut Vec<f64>) -> Result<(), &'static str> {
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or(NO_JSON)?;
    let (named, rest) = inside.rsplit_once(',').unwrap_or(("", inside));
    let number = |text: &str| {
        let number: f64 = text.parse().map_err(|_| NO_JSON)?;
        if (0.0..f64::INFINITY).contains(&number) { Ok(number) } else { Err(NO_JSON) }
    };
    let rest = number(rest.strip_prefix("\"rest\":").ok_or(NO_JSON)?)?;
    proportions.extend(alpha.iter().map(|alpha| rest * alpha));
    let mut next = 0;
    for entry in named.split(',').filter(|entry| !entry.is_empty()) {
        let (topic, proportion) = entry.split_once(':').ok_or(NO_JSON)?;
        let topic = topic.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let topic: usize = topic.and_then(|text| text.parse().ok()).ok_or(NO_JSON)?;
        if topic < next {
            return Err(NO_JSON);
        }
        next = topic + 1;
        *proportions.get_mut(topic).ok_or(WRONG_NUMBER)? = number(proportion)?;
    }
    let sum: f64 = proportions.iter().sum();
    if (sum - 1.0).abs() <= ROUNDING { Ok(()) } else { Err(WRONG_SUM) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shares(weights: &[f64]) -> Vec<f64> {
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    fn back(text: &str, alpha: &[f64]) -> Result<Vec<f64>, &'static str> {
        let mut found = Vec::new();
        read(text, alpha, &mut found).map(|()| found)
    }

    #[test]
    fn few_topics_are_whole_numbers_that_sum_to_ten_million() {
        let mut text = String::new();
        write(&[1.0 / 3.0; 3], &[0.1; 3], &mut text);
        assert_eq!(text, "[3333334,3333333,3333333]");
        assert_eq!(back("[10000000]", &[1.0]), Ok(vec![1.0]));
    }

    #[test]
    fn of_many_topics_those_with_nothing_but_alpha_are_not_named() {
        let alpha: Vec<f64> = (0..500).map(|topic| 0.01 + f64::from(topic % 7) * 0.003).collect();
        let mut masses = alpha.clone();
        masses[3] += 40.0;
        masses[417] += 12.5;
        let theta = shares(&masses);
        let mut text = String::new();
        write(&theta, &alpha, &mut text);
        assert!(text.starts_with("{\"3\":0.") && text.len() < 80, "{text}");
        let found = back(&text, &alpha).expect("read");
        assert!(found.iter().zip(&theta).all(|(a, b)| (a - b).abs() < 1.5e-7));
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_document_of_the_run_is_refused() {
        let alpha = [0.1, 0.2];
        for (text, what) in [
            ("", NO_JSON),
            ("[]", NO_JSON),
            ("[1,]", NO_JSON),
            ("[-1,10000001]", NO_JSON),
            ("[99999999999,1]", NO_JSON),
            ("[10000000]", WRONG_NUMBER),
            ("[1,2,9999997]", WRONG_NUMBER),
            ("[1,2]", WRONG_SUM),
            ("{\"0\":1.0}", NO_JSON),
            ("{\"0\":0.5,\"rest\":9e999}", NO_JSON),
            ("{\"1\":0.5,\"0\":0.5,\"rest\":0.0}", NO_JSON),
            ("{\"2\":1.0,\"rest\":0.0}", WRONG_NUMBER),
            ("{\"1\":0.5,\"rest\":0.0}", WRONG_SUM),
        ] {
            assert_eq!(back(text, &alpha), Err(what), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_to_a_millionth(
            weights in prop::collection::vec(0.0_f64..1.0, 1..300),
            power in 1..12,
        ) {
            let masses: Vec<f64> = weights.iter().map(|w| w.powi(power) + 1e-9).collect();
            let theta = shares(&masses);
            let alpha: Vec<f64> = weights.iter().map(|w| 0.01 + w).collect();
            let mut text = String::new();
            write(&theta, &alpha, &mut text);
            let found = back(&text, &alpha).expect("read");
            prop_assert!(found.iter().zip(&theta).all(|(a, b)| (a - b).abs() < 1.2e-6));
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[{]?[-0-9.,:e\"rst]{0,40}[\\]}]?") {
            let _ = back(&text, &[0.1; 3]);
        }
    }
}

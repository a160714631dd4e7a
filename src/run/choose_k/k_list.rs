//! The numbers of topics of a sweep, as people write them.

use std::str::FromStr;

/// Values that a range without a step has at most.
const EVENLY: usize = 10;
/// Values that a sweep has at most.
const MOST: usize = 200;

/// Numbers of topics, ascending, each once, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KList(Vec<usize>);

impl KList {
    /// The numbers.
    pub fn values(&self) -> &[usize] {
        &self.0
    }

    /// The largest.
    pub fn largest(&self) -> usize {
        self.0.last().copied().unwrap_or_default()
    }
}

/// Why a text is no list of numbers of topics.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no list of numbers of topics; write 10..100:10, 10..100, or 5,10,20")]
pub struct WrongKList {
    text: String,
}

impl FromStr for KList {
    type Err = WrongKList;

    /// Numbers and ranges with commas between them. `10..100:10` is 10, 20, … 100; without the
    /// step a range has at most ten values.
    fn from_str(text: &str) -> Result<Self, WrongKList> {
        let wrong = || WrongKList { text: text.into() };
        let mut values = Vec::new();
        for part in text.split(',') {
            values.extend(range(part.trim()).ok_or_else(wrong)?);
        }
        values.sort_unstable();
        values.dedup();
        if values.is_empty() || values.len() > MOST { Err(wrong()) } else { Ok(Self(values)) }
    }
}

fn range(text: &str) -> Option<Vec<usize>> {
    let Some((from, rest)) = text.split_once("..") else { return Some(vec![text.parse().ok()?]) };
    let (to, step) = match rest.split_once(':') {
        Some((to, step)) => (to, Some(step.trim().parse::<usize>().ok()?)),
        None => (rest, None),
    };
    let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    let step = step.unwrap_or_else(|| to.saturating_sub(from).div_ceil(EVENLY - 1).max(1));
    if step == 0 || from > to || (to - from) / step >= MOST {
        return None;
    }
    Some((from..=to).step_by(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Option<Vec<usize>> {
        text.parse::<KList>().ok().map(|list| list.0)
    }

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(list("10..40:10"), Some(vec![10, 20, 30, 40]));
        assert_eq!(list("10..100"), Some((1..=10).map(|ten| ten * 10).collect()));
        assert_eq!(list("3..5"), Some(vec![3, 4, 5]));
        assert_eq!(list("20, 5,20,7..8"), Some(vec![5, 7, 8, 20]));
        assert_eq!(list("50"), Some(vec![50]));
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        for text in ["", "ten", "5..", "9..3", "2..9:0", "2..1000000:1", "1,,2", "-3"] {
            assert_eq!(list(text), None, "{text}");
        }
        let error = "x".parse::<KList>().expect_err("no number").to_string();
        assert!(error.contains("\"x\"") && error.contains("10..100:10"), "{error}");
    }
}

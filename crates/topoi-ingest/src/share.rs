//! The documents of the sources that one of several machines takes.

use std::str::FromStr;

/// Every document whose key has a hash that leaves the remainder `number` when divided by `of`. The shares of all machines
/// have every document once, and a document that comes again, corrected, is in the share that had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Share {
    number: u64,
    of: u64,
}

impl Share {
    /// All documents.
    pub const ALL: Self = Self { number: 0, of: 1 };

    /// Share `number`, from 0, of `of` shares; `None` if there is no such share.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        (number < of).then_some(Self { number, of })
    }

    /// Whether the document with this key is in the share.
    pub(crate) fn has(self, key: &str) -> bool {
        let hash = *blake3::hash(key.as_bytes()).as_bytes();
        let [first, ..] = hash.as_chunks().0 else { return self.is_first() };
        u64::from_le_bytes(*first) % self.of == self.number
    }

    /// Whether the document with this number in its source, of which no key is known, is in the share.
    pub(crate) fn has_number(self, document: u64) -> bool {
        document % self.of == self.number
    }

    /// Whether it is the share that reports what is of no document.
    pub(crate) fn is_first(self) -> bool {
        self.number == 0
    }
}

/// As `2/4`: the third of four.
impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        let share = numbers.and_then(|(number, of)| Self::new(number, of));
        share.ok_or("it is a part and how many there are, such as 0/4 to 3/4")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_every_document_once() {
        for of in 1..9 {
            let shares: Vec<Share> = (0..of).filter_map(|number| Share::new(number, of)).collect();
            let mut documents = vec![0; shares.len()];
            for document in 0..1000 {
                let has = |key: &str| shares.iter().position(|share| share.has(key));
                let key = format!("news:{document}");
                let share = has(&key).expect("a share");
                assert_eq!(shares.iter().filter(|share| share.has(&key)).count(), 1);
                assert_eq!(shares.iter().filter(|share| share.has_number(document)).count(), 1);
                documents[share] += 1;
            }
            // Hashes are what they are on every machine; more than four deviations apart would be odd.
            let (mean, deviation) = (1000.0 / of as f64, (1000.0 / of as f64).sqrt());
            let is_odd = |n: &i32| (f64::from(*n) - mean).abs() > 4.0 * deviation;
            assert!(!documents.iter().any(is_odd), "{documents:?}");
        }
        assert_eq!(Share::new(4, 4), None);
    }

    #[test]
    fn a_share_is_read_as_it_is_typed() {
        assert_eq!("2/4".parse(), Ok(Share { number: 2, of: 4 }));
        for text in ["4/4", "1", "1/", "/2", "-1/2", "0/0", "a/b", "1/2/3"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}

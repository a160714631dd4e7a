//! Sums over a corpus whose documents are distributed over several processes (parts).

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::documents::Documents;
use super::error::{Result, StreamError};

/// Exchanges between the parts of a corpus. All parts make the same calls in the same order; a call
/// returns when all have made it.
pub trait Parts: Sync {
    /// N, the number of parts, at least 1.
    fn count(&self) -> usize;

    /// The number of this part, from 0.
    fn number(&self) -> usize;

    /// Replaces `numbers`, of equal length on every part, by their sums over the parts, made as
    /// [`add_in_pairs`](super::documents::lanes::add_in_pairs) makes them: all parts get the same bits every time.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    fn add_up(&self, numbers: &mut [f64]) -> Result<()>;

    /// Sends `own` to all parts. Returns what each part sent, in their order.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>>;

    /// Sends `own` to part 0. Part 0 gets what each part sent, in their order; the others get
    /// nothing.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>>;

    /// Number, bytes and time of all exchanges so far.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }

    /// How long this part has been waiting for the others, in the exchange that it is in.
    fn waiting(&self) -> Waiting {
        Waiting::default()
    }
}

/// A part's exchanges with the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Traffic {
    /// Messages between all parts: each takes at least the latency of the network.
    pub exchanges: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Seconds in exchanges, most of them possibly spent waiting for the slowest part.
    pub seconds: f64,
}

/// A part in an exchange, or between two.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Waiting {
    /// How long the current exchange has lasted; zero between exchanges.
    pub now: Duration,
    /// The longest time so far between two exchanges, in which the part did its own work.
    pub longest_work: Duration,
}

/// The whole corpus as one part, without exchanges.
#[derive(Debug, Clone, Copy, Default)]
pub struct SinglePart;

impl Parts for SinglePart {
    fn count(&self) -> usize {
        1
    }

    fn number(&self) -> usize {
        0
    }

    fn add_up(&self, _: &mut [f64]) -> Result<()> {
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        Ok(vec![own])
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        Ok(vec![own])
    }
}

/// What all parts made, in their order, if all of them succeeded: each part sends `own` to all. Numbers keep their bits;
/// those that are not finite cannot be sent.
///
/// # Errors
/// The part's own error; `StreamError::Part` for another's; `StreamError::Exchange` when one cannot be reached.
pub fn share_made<T, E>(
    parts: &dyn Parts,
    own: std::result::Result<T, E>,
) -> std::result::Result<Vec<T>, E>
where
    T: Serialize + DeserializeOwned,
    E: std::fmt::Display + From<StreamError>,
{
    let own = own.map_err(|error| share_failure(parts, error))?;
    if parts.count() == 1 {
        return Ok(vec![own]);
    }
    // An empty message cannot be read, so that all parts fail.
    let all = parts.share(serde_json::to_vec(&Ok::<&T, String>(&own)).unwrap_or_default())?;
    let read = |(part, bytes): (usize, &Vec<u8>)| {
        let made: std::result::Result<T, String> = serde_json::from_slice(bytes)
            .map_err(|error| StreamError::Part { part, reason: error.to_string() })?;
        made.map_err(|reason| StreamError::Part { part, reason }.into())
    };
    all.iter().enumerate().map(read).collect()
}

/// `made` if all parts made theirs, which is not sent.
///
/// # Errors
/// As [`share_made`].
pub fn all_made<T, E>(
    parts: &dyn Parts,
    made: std::result::Result<T, E>,
) -> std::result::Result<T, E>
where
    E: std::fmt::Display + From<StreamError>,
{
    let (made, own) = match made {
        Ok(made) => (Some(made), Ok(())),
        Err(error) => (None, Err(error)),
    };
    share_made(parts, own)?;
    made.ok_or_else(|| StreamError::Cancelled.into())
}

/// Sends all parts, which are in [`share_made`], the `error` of this one, and returns it.
pub fn share_failure<E: std::fmt::Display>(parts: &dyn Parts, error: E) -> E {
    let sent = serde_json::to_vec(&Err::<(), String>(error.to_string()));
    // The own error comes first.
    let _ = parts.share(sent.unwrap_or_default());
    error
}

/// The first byte of a part's report: its work succeeded, was cancelled, or failed. The error
/// message follows `FAILED`.
const SUCCEEDED: u8 = 0;
const CANCELLED: u8 = 1;
const FAILED: u8 = 2;

impl Documents<'_> {
    /// Returns `made` if the same work succeeded on every part, and an error on all parts if it
    /// failed on any. No part then waits for sums that will not come.
    ///
    /// # Errors
    /// The part's own error; `StreamError::Cancelled` or `StreamError::Part` for another's.
    pub fn agree<T>(&self, made: Result<T>) -> Result<T> {
        if self.parts().count() == 1 {
            return made;
        }
        let how = match &made {
            Ok(_) => vec![SUCCEEDED],
            Err(StreamError::Cancelled) => vec![CANCELLED],
            Err(error) => [&[FAILED], error.to_string().as_bytes()].concat(),
        };
        let all = self.parts().share(how)?;
        let made = made?;
        match all.iter().enumerate().find(|(_, how)| how[0] != SUCCEEDED) {
            None => Ok(made),
            Some((_, how)) if how[0] == CANCELLED => Err(StreamError::Cancelled),
            Some((part, how)) => {
                let reason = String::from_utf8_lossy(&how[1..]).into_owned();
                Err(StreamError::Part { part, reason })
            }
        }
    }

    /// Replaces `numbers` by their sums over the parts.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        self.parts().add_up(numbers)
    }

    /// Replaces `counts` by their sums over the parts. The sums must stay below 2⁵³.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn add_up_counts(&self, counts: &mut [u64]) -> Result<()> {
        if self.parts().count() == 1 {
            return Ok(());
        }
        let mut numbers: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        self.parts().add_up(&mut numbers)?;
        counts.iter_mut().zip(numbers).for_each(|(count, sum)| *count = sum as u64);
        Ok(())
    }

    /// Sends `own` to all parts. Returns the numbers of each part, in their order.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn share_numbers(&self, own: &[f64]) -> Result<Vec<Vec<f64>>> {
        let bytes = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let read = |bytes: &Vec<u8>| {
            bytes.as_chunks().0.iter().map(|&number| f64::from_le_bytes(number)).collect()
        };
        Ok(self.parts().share(bytes)?.iter().map(read).collect())
    }

    /// The maximum of `own` over the parts.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn max_over_parts(&self, own: f64) -> Result<f64> {
        Ok(self.share_numbers(&[own])?.into_iter().flatten().fold(own, f64::max))
    }

    /// Checks that the corpus is not in parts, for work that is not a sum over documents.
    ///
    /// # Errors
    /// `StreamError::NeedsWhole`.
    pub fn require_whole(&self) -> Result<()> {
        match self.parts().count() {
            1 => Ok(()),
            parts => Err(StreamError::NeedsWhole { parts }),
        }
    }
}

//! The sums that `rp` adds to and keeps. Part 0 reads and writes them; the others get what it reads.

use std::fmt;
use std::ops::Range;

use ndarray::{Array2, ArrayView2};

use super::matrices::{pack, unpack};
use topoi_core::model::separable::{EarlierSums, KeptSums};
use topoi_core::stream::StreamError;
use topoi_core::stream::parts::Parts;
use topoi_core::stream::split::SplitSums;
use topoi_run::work::kept_sums::{RunSums, seen_from};
use topoi_store::run::kept::SummedDocuments;

/// The first byte of a message that holds matrices; after any other byte stands an error message.
const MADE: u8 = 0;

/// The sums of a run, as one of the parts sees them.
pub(super) struct SharedSums<'a> {
    parts: &'a dyn Parts,
    /// On part 0 alone.
    own: Option<RunSums>,
    earlier: Option<EarlierSums>,
}

impl<'a> SharedSums<'a> {
    /// Shares the sums that part 0 has with all parts; `None` where the run neither adds to sums nor keeps
    /// any. `own` is looked at on part 0 alone.
    ///
    /// # Errors
    /// When the parts cannot reach each other.
    pub(super) fn of(
        parts: &'a dyn Parts,
        own: Option<RunSums>,
    ) -> Result<Option<Self>, StreamError> {
        let arrays = own
            .as_ref()
            .map(|own| own.summed().map_or(Vec::new(), |summed| summed.to_arrays().into()));
        let bytes = arrays.map(|arrays| [&[MADE][..], &pack(&arrays)].concat());
        let all = parts.share(bytes.unwrap_or_default())?;
        let Some((_, bytes)) = all.first().and_then(|bytes| bytes.split_first()) else {
            return Ok(None);
        };
        let summed = unpack(bytes).and_then(SummedDocuments::from_arrays);
        let earlier = summed.map(|summed| seen_from(&summed, parts.number()));
        Ok(Some(Self { parts, own, earlier }))
    }

    /// Sends what part 0 has made, or its error, to all parts.
    fn by_first(
        &self,
        made: Option<Result<Vec<Array2<f64>>, StreamError>>,
    ) -> Result<Vec<Array2<f64>>, StreamError> {
        let (bytes, failed) = match made {
            None => (Vec::new(), None),
            Some(Ok(arrays)) => ([&[MADE][..], &pack(&arrays)].concat(), None),
            Some(Err(error)) => {
                ([&[MADE + 1][..], error.to_string().as_bytes()].concat(), Some(error))
            }
        };
        let all = self.parts.share(bytes)?;
        if let Some(error) = failed {
            return Err(error);
        }
        match all.first().and_then(|bytes| bytes.split_first()) {
            Some((&MADE, bytes)) => unpack(bytes).ok_or_else(|| {
                StreamError::Exchange("sums of part 0 came as something else".into())
            }),
            Some((_, reason)) => {
                let reason = String::from_utf8_lossy(reason).into_owned();
                Err(StreamError::Part { part: 0, reason })
            }
            None => Err(StreamError::Exchange("part 0 has told nothing of its sums".into())),
        }
    }
}

impl KeptSums for SharedSums<'_> {
    fn earlier(&self) -> Option<&EarlierSums> {
        self.earlier.as_ref()
    }

    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError> {
        let loaded = self.own.as_ref().map(|own| own.load(which).map(|sums| vec![sums]));
        let sums = self.by_first(loaded)?.pop();
        sums.ok_or_else(|| StreamError::Exchange("part 0 has told no sums".into()))
    }

    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError> {
        let begun = self.own.as_ref().map(|own| own.begin(split, scale).map(|()| Vec::new()));
        self.by_first(begun).map(drop)
    }

    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        let saved = self.own.as_ref().map(|own| own.save(first, sums).map(|()| Vec::new()));
        self.by_first(saved).map(drop)
    }
}

impl fmt::Debug for SharedSums<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSums").field("own", &self.own).finish_non_exhaustive()
    }
}

//! The sums that `rp` extends and keeps. Part 0 reads and writes them, and sends what it reads to the others.

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

/// The first byte of a message with matrices. Any other first byte precedes an error message.
const MATRICES: u8 = 0;

/// The sums of a run, in one of the parts.
pub(super) struct SharedSums<'a> {
    parts: &'a dyn Parts,
    /// In part 0 only.
    own: Option<RunSums>,
    earlier: Option<EarlierSums>,
}

impl<'a> SharedSums<'a> {
    /// Sends the sums of part 0 to all parts; `None` if the run neither extends nor keeps sums. Only the `own` of part 0
    /// is used.
    ///
    /// # Errors
    /// [`StreamError::Exchange`] if the parts cannot communicate.
    pub(super) fn new(
        parts: &'a dyn Parts,
        own: Option<RunSums>,
    ) -> Result<Option<Self>, StreamError> {
        let arrays =
            own.as_ref().map(|own| own.summed().map_or(Vec::new(), |summed| summed.to_arrays()));
        let bytes = arrays.map(|arrays| [&[MATRICES][..], &pack(&arrays)].concat());
        let all = parts.share(bytes.unwrap_or_default())?;
        let Some((_, bytes)) = all.first().and_then(|bytes| bytes.split_first()) else {
            return Ok(None);
        };
        let summed = unpack(bytes).and_then(SummedDocuments::from_arrays);
        let earlier = summed.map(|summed| seen_from(&summed, parts.number()));
        Ok(Some(Self { parts, own, earlier }))
    }

    /// Sends the result of part 0 to all parts.
    fn share_first(
        &self,
        own: Option<Result<Vec<Array2<f64>>, StreamError>>,
    ) -> Result<Vec<Array2<f64>>, StreamError> {
        let (bytes, failed) = match own {
            None => (Vec::new(), None),
            Some(Ok(arrays)) => ([&[MATRICES][..], &pack(&arrays)].concat(), None),
            Some(Err(error)) => {
                ([&[MATRICES + 1][..], error.to_string().as_bytes()].concat(), Some(error))
            }
        };
        let all = self.parts.share(bytes)?;
        if let Some(error) = failed {
            return Err(error);
        }
        match all.first().and_then(|bytes| bytes.split_first()) {
            Some((&MATRICES, bytes)) => unpack(bytes).ok_or_else(|| {
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
        let sums = self.share_first(loaded)?.pop();
        sums.ok_or_else(|| StreamError::Exchange("part 0 has told no sums".into()))
    }

    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError> {
        let begun = self.own.as_ref().map(|own| own.begin(split, scale).map(|()| Vec::new()));
        self.share_first(begun).map(drop)
    }

    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        let saved = self.own.as_ref().map(|own| own.save(first, sums).map(|()| Vec::new()));
        self.share_first(saved).map(drop)
    }
}

impl fmt::Debug for SharedSums<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSums").field("own", &self.own).finish_non_exhaustive()
    }
}

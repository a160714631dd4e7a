//! Parts as the processes that `mpirun` starts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::collective::Root;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

use topoi_core::stream::error::{Result, StreamError};
use topoi_core::stream::parts::{Parts, Traffic};

/// Maximum number of numbers added up in one exchange: 128 MB. More would only take more memory.
const NUMBERS_AT_A_TIME: usize = 1 << 24;
/// Maximum bytes of all parts in one exchange. MPI counts in 31 bits.
const BYTES_AT_A_TIME: usize = 1 << 28;

/// The processes of this MPI job. Dropping it finalises MPI.
pub struct Mpi {
    count: usize,
    number: usize,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
    _universe: Universe,
}

impl Mpi {
    /// Joins the job. A program started without `mpirun` is a job of one process.
    ///
    /// # Errors
    /// [`StreamError::Exchange`] if MPI is initialised already, or does not support threads.
    pub fn join() -> Result<Self> {
        let refuse = |reason: &str| StreamError::Exchange(reason.into());
        // MPI is called from one thread at a time, which is not always the main thread.
        let (universe, threading) = mpi::initialize_with_threading(Threading::Serialized)
            .ok_or_else(|| refuse("MPI is in use already"))?;
        if threading < Threading::Serialized {
            return Err(refuse("this MPI does not allow for threads"));
        }
        let world = SimpleCommunicator::world();
        Ok(Self {
            count: world.size() as usize,
            number: world.rank() as usize,
            bytes: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            _universe: universe,
        })
    }

    /// Counts an exchange's bytes and time.
    fn count_exchange(&self, bytes: usize, begun: Instant) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }

    /// Every part adds up its share of the numbers, in the order of the parts, and sends the sums to all others. This
    /// sends the fewest bytes possible, and the order of summation does not depend on timing.
    fn add_up_chunk(&self, numbers: &mut [f64]) {
        let begun = Instant::now();
        let world = SimpleCommunicator::world();
        let share = numbers.len().div_ceil(self.count);
        let mut sent = numbers.to_vec();
        sent.resize(share * self.count, 0.0);
        let mut received = vec![0.0; share * self.count];
        world.all_to_all_into(&sent[..], &mut received[..]);
        let (sums, others) = received.split_at_mut(share);
        for other in others.chunks_exact(share) {
            sums.iter_mut().zip(other).for_each(|(sum, number)| *sum += number);
        }
        world.all_gather_into(&*sums, &mut sent[..]);
        numbers.copy_from_slice(&sent[..numbers.len()]);
        self.count_exchange(2 * 8 * share * (self.count - 1), begun);
    }

    /// Gathers the bytes of all parts by `gather`, in rounds of at most [`BYTES_AT_A_TIME`]. `gather` takes this part's
    /// bytes, a buffer for those of all parts, and their lengths. Without `receives` the result is empty.
    fn exchange(
        &self,
        own: &[u8],
        receives: bool,
        gather: impl Fn(&[u8], &mut [u8], &[i32]),
    ) -> Vec<Vec<u8>> {
        let begun = Instant::now();
        let mut lengths = vec![0u64; self.count];
        SimpleCommunicator::world().all_gather_into(&(own.len() as u64), &mut lengths[..]);
        let mut all: Vec<Vec<u8>> = vec![Vec::new(); if receives { self.count } else { 0 }];
        let most = (BYTES_AT_A_TIME / self.count) as u64;
        let longest = lengths.iter().copied().max().unwrap_or(0);
        for round in 0..longest.div_ceil(most) {
            let of_round = |&length: &u64| length.saturating_sub(round * most).min(most) as i32;
            let counts: Vec<i32> = lengths.iter().map(of_round).collect();
            let start = (round * most).min(own.len() as u64) as usize;
            let sent = &own[start..start + counts[self.number] as usize];
            let room: usize = counts.iter().map(|&count| count as usize).sum();
            let mut received = vec![0; if receives { room } else { 0 }];
            gather(sent, &mut received, &counts);
            let mut rest = &received[..];
            for (part, &count) in all.iter_mut().zip(&counts) {
                let (bytes, after) = rest.split_at(count as usize);
                part.extend_from_slice(bytes);
                rest = after;
            }
        }
        let receivers = if receives { self.count - 1 } else { 1 };
        self.count_exchange(own.len() * receivers, begun);
        all
    }
}

impl Drop for Mpi {
    /// Aborts the whole job if this part has panicked: the others would wait for it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            SimpleCommunicator::world().abort(101);
        }
    }
}

/// The offset of each part's bytes in a buffer of the bytes of all parts in order.
fn offsets(counts: &[i32]) -> Vec<i32> {
    counts
        .iter()
        .scan(0, |end, count| {
            let start = *end;
            *end += count;
            Some(start)
        })
        .collect()
}

impl Parts for Mpi {
    fn count(&self) -> usize {
        self.count
    }

    fn number(&self) -> usize {
        self.number
    }

    fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        if self.count > 1 {
            numbers.chunks_mut(NUMBERS_AT_A_TIME).for_each(|chunk| self.add_up_chunk(chunk));
        }
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        Ok(self.exchange(&own, true, |sent, received, counts| {
            let mut received = PartitionMut::new(received, counts, offsets(counts));
            SimpleCommunicator::world().all_gather_varcount_into(sent, &mut received);
        }))
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let is_first = self.number == 0;
        Ok(self.exchange(&own, is_first, |sent, received, counts| {
            let world = SimpleCommunicator::world();
            let first = world.process_at_rank(0);
            if is_first {
                let mut received = PartitionMut::new(received, counts, offsets(counts));
                first.gather_varcount_into_root(sent, &mut received);
            } else {
                first.gather_varcount_into(sent);
            }
        }))
    }

    fn traffic(&self) -> Traffic {
        let nanoseconds = self.nanoseconds.load(Ordering::Relaxed);
        Traffic {
            bytes: self.bytes.load(Ordering::Relaxed),
            seconds: Duration::from_nanos(nanoseconds).as_secs_f64(),
        }
    }
}

//! Parts as the processes that `mpirun` starts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::collective::Root;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Equivalence};

use super::watch::watched;
use topoi_core::stream::documents::lanes::add_in_pairs;
use topoi_core::stream::error::{Result, StreamError};
use topoi_core::stream::parts::{Parts, Traffic, Waiting};
use topoi_run::life::spawn::end_because;
use topoi_run::life::worker::end_by_signals;

/// Maximum number of numbers added up in one exchange: 128 MB. More would only take more memory.
const NUMBERS_AT_A_TIME: usize = 1 << 24;
/// Maximum bytes of all parts in one exchange. MPI counts in 31 bits.
const BYTES_AT_A_TIME: usize = 1 << 28;
/// Maximum bytes received of the others for sums made in one exchange. For so few, the time that an exchange takes is its
/// latency; for more, it is shorter in two, with fewer bytes.
const FEW_BYTES: usize = 1 << 15;
/// Bytes of a message that are sent with its length. Most messages are shorter, and need one exchange.
const BYTES_WITH_LENGTH: usize = 504;

/// Whether this part is in an exchange, since when, and the longest time between two.
#[derive(Debug, Clone, Copy)]
enum Clock {
    Working { since: Instant, longest: Duration },
    Exchanging { since: Instant, longest: Duration },
}

impl Clock {
    fn begin_exchange(&mut self) {
        if let Self::Working { since, longest } = *self {
            let longest = longest.max(since.elapsed());
            *self = Self::Exchanging { since: Instant::now(), longest };
        }
    }

    fn end_exchange(&mut self) {
        if let Self::Exchanging { longest, .. } = *self {
            *self = Self::Working { since: Instant::now(), longest };
        }
    }

    fn waiting(&self) -> Waiting {
        match *self {
            Self::Working { longest, .. } => Waiting { now: Duration::ZERO, longest_work: longest },
            Self::Exchanging { since, longest } => {
                Waiting { now: since.elapsed(), longest_work: longest }
            }
        }
    }
}

/// How long part 0 waits for MPI to end once the work is over: some versions hang there over slow networks.
const TIME_TO_END: Duration = Duration::from_secs(60);

/// The processes of this MPI job. Dropping it finalises MPI.
pub struct Mpi {
    count: usize,
    number: usize,
    exchanges: AtomicU64,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
    clock: Mutex<Clock>,
    universe: Option<Universe>,
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
            exchanges: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            clock: Mutex::new(Clock::Working { since: Instant::now(), longest: Duration::ZERO }),
            universe: Some(universe),
        })
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes an exchange in which this part sends `bytes`, and counts it.
    fn counted<T>(&self, bytes: usize, exchange: impl FnOnce(&SimpleCommunicator) -> T) -> T {
        self.clock().begin_exchange();
        let begun = Instant::now();
        let made = exchange(&SimpleCommunicator::world());
        self.clock().end_exchange();
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        made
    }

    /// The values of all parts, of as many each, in the order of the parts.
    fn gather_all<T: Equivalence + Clone + Default>(&self, own: &[T]) -> Vec<T> {
        let mut all = vec![T::default(); own.len() * self.count];
        self.counted(size_of_val(own) * (self.count - 1), |world| {
            world.all_gather_into(own, &mut all[..]);
        });
        all
    }

    /// Every part adds up all numbers.
    fn add_up_few(&self, numbers: &mut [f64]) {
        let all = self.gather_all(numbers);
        add_parts(&all, numbers);
    }

    /// Every part adds up its share of the numbers, and sends the sums to all others: the fewest bytes possible.
    fn add_up_chunk(&self, numbers: &mut [f64]) {
        let share = numbers.len().div_ceil(self.count);
        let mut sent = numbers.to_vec();
        sent.resize(share * self.count, 0.0);
        let mut received = vec![0.0; share * self.count];
        self.counted(8 * share * (self.count - 1), |world| {
            world.all_to_all_into(&sent[..], &mut received[..]);
        });
        let mut sums = vec![0.0; share];
        add_parts(&received, &mut sums);
        let all = self.gather_all(&sums);
        numbers.copy_from_slice(&all[..numbers.len()]);
    }

    /// Gathers the bytes of all parts. Those that are not sent with their lengths are gathered by `gather`, in rounds of at
    /// most [`BYTES_AT_A_TIME`]; it takes this part's bytes, a buffer for those of all parts, and their lengths. Without
    /// `receives` the result is empty.
    fn exchange(
        &self,
        own: &[u8],
        receives: bool,
        gather: impl Fn(&SimpleCommunicator, &[u8], &mut [u8], &[i32]),
    ) -> Vec<Vec<u8>> {
        let heads = self.gather_all(&head(own));
        let heads = heads.as_chunks::<HEAD>().0;
        let lengths: Vec<u64> = heads.iter().map(length_in).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let received = if receives { heads } else { &[] };
        if longest <= BYTES_WITH_LENGTH as u64 {
            let bytes = |head: &[u8; HEAD]| head[8..][..length_in(head) as usize].to_vec();
            return received.iter().map(bytes).collect();
        }
        let mut all: Vec<Vec<u8>> = vec![Vec::new(); received.len()];
        let most = (BYTES_AT_A_TIME / self.count) as u64;
        for round in 0..longest.div_ceil(most) {
            let of_round = |&length: &u64| length.saturating_sub(round * most).min(most) as i32;
            let counts: Vec<i32> = lengths.iter().map(of_round).collect();
            let start = (round * most).min(own.len() as u64) as usize;
            let sent = match counts[self.number] as usize {
                // The address of an empty `Vec` of bytes is 1, which is MPI_IN_PLACE.
                0 => &[0][..0],
                own_count => &own[start..start + own_count],
            };
            let room: usize = counts.iter().map(|&count| count as usize).sum();
            let mut received = vec![0; if receives { room } else { 0 }];
            let receivers = if receives { self.count - 1 } else { 1 };
            self.counted(sent.len() * receivers, |world| {
                gather(world, sent, &mut received, &counts);
            });
            let mut rest = &received[..];
            for (part, &count) in all.iter_mut().zip(&counts) {
                let (bytes, after) = rest.split_at(count as usize);
                part.extend_from_slice(bytes);
                rest = after;
            }
        }
        all
    }
}

/// Bytes of [`head`].
const HEAD: usize = 8 + BYTES_WITH_LENGTH;

/// The length of a message and its first bytes, or zeros after its last.
fn head(message: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&(message.len() as u64).to_le_bytes());
    let first = message.len().min(BYTES_WITH_LENGTH);
    head[8..][..first].copy_from_slice(&message[..first]);
    head
}

/// The length of the message with this head.
fn length_in(head: &[u8; HEAD]) -> u64 {
    head.first_chunk().map_or(0, |length| u64::from_le_bytes(*length))
}

/// Sets `sums` to the sums of the numbers of all parts, in an order on which timing has no influence.
fn add_parts(all: &[f64], sums: &mut [f64]) {
    let parts: Vec<&[f64]> = all.chunks_exact(sums.len().max(1)).collect();
    add_in_pairs(sums, &parts);
}

impl Drop for Mpi {
    /// Aborts the whole job if this part has panicked: the others would wait for it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            SimpleCommunicator::world().abort(101);
        }
        end_by_signals();
        // The other parts can be here long before part 0, which saves the result.
        let (is_first, begun) = (self.number == 0, Instant::now());
        let overdue = || {
            let line = "error: part 0: MPI has not ended within a minute of the work; what was saved is saved";
            (is_first && begun.elapsed() > TIME_TO_END).then(|| line.into())
        };
        watched(overdue, |line| end_because(&line), || drop(self.universe.take()));
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
            for chunk in numbers.chunks_mut(NUMBERS_AT_A_TIME) {
                if size_of_val(chunk) * (self.count - 1) <= FEW_BYTES {
                    self.add_up_few(chunk);
                } else {
                    self.add_up_chunk(chunk);
                }
            }
        }
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        Ok(self.exchange(&own, true, |world, sent, received, counts| {
            let mut received = PartitionMut::new(received, counts, offsets(counts));
            world.all_gather_varcount_into(sent, &mut received);
        }))
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let is_first = self.number == 0;
        Ok(self.exchange(&own, is_first, |world, sent, received, counts| {
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
            exchanges: self.exchanges.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            seconds: Duration::from_nanos(nanoseconds).as_secs_f64(),
        }
    }

    fn waiting(&self) -> Waiting {
        self.clock().waiting()
    }
}

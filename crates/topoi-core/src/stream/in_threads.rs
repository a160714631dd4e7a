//! Parts of a corpus as threads of one process that exchange through shared memory. Tests run it in
//! place of MPI.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::documents::lanes::add_in_pairs;
use super::error::{Result, StreamError};
use super::parts::Parts;

/// Shared memory through which all parts exchange.
struct Exchange {
    count: usize,
    deposits: Mutex<Deposits>,
    changed: Condvar,
}

struct Deposits {
    /// What each part has deposited for the current exchange.
    contents: Vec<Option<Vec<u8>>>,
    /// Number of parts that have read the current exchange.
    readers: usize,
    /// Whether a part has left. Its deposit will not come, so waiting ends.
    someone_left: bool,
}

impl Exchange {
    fn new(count: usize) -> Self {
        let deposits = Deposits { contents: vec![None; count], readers: 0, someone_left: false };
        Self { count, deposits: Mutex::new(deposits), changed: Condvar::new() }
    }

    fn deposits(&self) -> MutexGuard<'_, Deposits> {
        self.deposits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'l>(&self, deposits: MutexGuard<'l, Deposits>) -> MutexGuard<'l, Deposits> {
        self.changed.wait(deposits).unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// `StreamError::Exchange` when another part has left without this exchange.
    fn exchange(&self, number: usize, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let mut deposits = self.deposits();
        // A part deposits the next only after all have read the last.
        while deposits.contents[number].is_some() {
            if deposits.someone_left {
                return Err(StreamError::Exchange("a part has left".into()));
            }
            deposits = self.wait(deposits);
        }
        deposits.contents[number] = Some(own);
        self.changed.notify_all();
        while deposits.contents.contains(&None) {
            if deposits.someone_left {
                return Err(StreamError::Exchange("a part has left".into()));
            }
            deposits = self.wait(deposits);
        }
        let all = deposits.contents.iter().flatten().cloned().collect();
        deposits.readers += 1;
        if deposits.readers == self.count {
            deposits.contents.fill(None);
            deposits.readers = 0;
            self.changed.notify_all();
        }
        Ok(all)
    }
}

/// Reports to the others that a part has left, also when it panics.
struct LeaveGuard<'a>(&'a Exchange);

impl Drop for LeaveGuard<'_> {
    fn drop(&mut self) {
        self.0.deposits().someone_left = true;
        self.0.changed.notify_all();
    }
}

struct ThreadPart<'a> {
    exchange: &'a Exchange,
    number: usize,
}

impl Parts for ThreadPart<'_> {
    fn count(&self) -> usize {
        self.exchange.count
    }

    fn number(&self) -> usize {
        self.number
    }

    fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        let own = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.exchange.exchange(self.number, own)?;
        let read = |part: &Vec<u8>| -> Vec<f64> {
            assert_eq!(part.len(), 8 * numbers.len(), "all parts add up the same");
            part.as_chunks().0.iter().map(|&number| f64::from_le_bytes(number)).collect()
        };
        let all: Vec<Vec<f64>> = all.iter().map(read).collect();
        add_in_pairs(numbers, &all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.exchange.exchange(self.number, own)
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let all = self.exchange.exchange(self.number, own)?;
        Ok(if self.number == 0 { all } else { Vec::new() })
    }
}

/// Runs `work` as each of `count` parts at once, with two threads each. Returns the results in
/// order.
pub fn in_parts<T: Send>(count: usize, work: impl Fn(&dyn Parts) -> T + Sync) -> Vec<T> {
    let exchange = Exchange::new(count);
    std::thread::scope(|scope| {
        let start = |number| {
            let (exchange, work) = (&exchange, &work);
            scope.spawn(move || {
                // A pool of its own: a waiting part must not take the threads of another.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("pool");
                let _leaving = LeaveGuard(exchange);
                pool.install(|| work(&ThreadPart { exchange, number }))
            })
        };
        let parts: Vec<_> = (0..count).map(start).collect();
        parts.into_iter().map(|part| part.join().expect("no panic")).collect()
    })
}

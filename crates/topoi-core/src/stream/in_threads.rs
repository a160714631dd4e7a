//! Parts of a corpus as threads of one process, which exchange through shared memory: what tests run in place of MPI.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::error::{Result, StreamError};
use super::parts::Parts;

/// Where all parts put down what they have for each other.
struct Table {
    count: usize,
    laid: Mutex<Laid>,
    changed: Condvar,
}

struct Laid {
    /// What each part has put down for the present exchange.
    places: Vec<Option<Vec<u8>>>,
    /// How many have read it.
    readers: usize,
    /// Whether a part has left: nobody waits for what it will not put down.
    someone_left: bool,
}

impl Table {
    fn new(count: usize) -> Self {
        let laid = Laid { places: vec![None; count], readers: 0, someone_left: false };
        Self { count, laid: Mutex::new(laid), changed: Condvar::new() }
    }

    fn laid(&self) -> MutexGuard<'_, Laid> {
        self.laid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'l>(&self, laid: MutexGuard<'l, Laid>) -> MutexGuard<'l, Laid> {
        self.changed.wait(laid).unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// When another part has ended its work without this exchange.
    fn exchange(&self, number: usize, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let mut laid = self.laid();
        // Nobody puts down the next before everybody has read the last.
        while laid.places[number].is_some() {
            if laid.someone_left {
                return Err(StreamError::Exchange("a part has left".into()));
            }
            laid = self.wait(laid);
        }
        laid.places[number] = Some(own);
        self.changed.notify_all();
        while laid.places.contains(&None) {
            if laid.someone_left {
                return Err(StreamError::Exchange("a part has left".into()));
            }
            laid = self.wait(laid);
        }
        let all = laid.places.iter().flatten().cloned().collect();
        laid.readers += 1;
        if laid.readers == self.count {
            laid.places.fill(None);
            laid.readers = 0;
            self.changed.notify_all();
        }
        Ok(all)
    }
}

/// Tells the others that a part has gone, also when it panics.
struct Leaving<'a>(&'a Table);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.laid().someone_left = true;
        self.0.changed.notify_all();
    }
}

struct OneOf<'a> {
    table: &'a Table,
    number: usize,
}

impl Parts for OneOf<'_> {
    fn count(&self) -> usize {
        self.table.count
    }

    fn number(&self) -> usize {
        self.number
    }

    fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        let own = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.table.exchange(self.number, own)?;
        numbers.fill(0.0);
        for part in all {
            assert_eq!(part.len(), 8 * numbers.len(), "all parts add up the same");
            for (sum, number) in numbers.iter_mut().zip(part.as_chunks().0) {
                *sum += f64::from_le_bytes(*number);
            }
        }
        Ok(())
    }

    fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.table.exchange(self.number, own)
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let all = self.table.exchange(self.number, own)?;
        Ok(if self.number == 0 { all } else { Vec::new() })
    }
}

/// Does `work` as each of `count` parts at once, two threads each; returns their results, in order.
pub fn in_parts<T: Send>(count: usize, work: impl Fn(&dyn Parts) -> T + Sync) -> Vec<T> {
    let table = Table::new(count);
    std::thread::scope(|scope| {
        let start = |number| {
            let (table, work) = (&table, &work);
            scope.spawn(move || {
                // Of its own: a part that waits must not take the threads of another.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("pool");
                let _leaving = Leaving(table);
                pool.install(|| work(&OneOf { table, number }))
            })
        };
        let parts: Vec<_> = (0..count).map(start).collect();
        parts.into_iter().map(|part| part.join().expect("no panic")).collect()
    })
}

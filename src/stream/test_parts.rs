//! Parts of a corpus as threads of a test, which exchange through shared memory.

use std::sync::{Barrier, Mutex};

use super::error::Result;
use super::parts::Parts;

/// What all parts put down for each other.
struct Table {
    places: Vec<Mutex<Vec<u8>>>,
    barrier: Barrier,
}

impl Table {
    fn exchange(&self, number: usize, own: Vec<u8>) -> Vec<Vec<u8>> {
        *self.places[number].lock().expect("whole") = own;
        self.barrier.wait();
        let all = self.places.iter().map(|place| place.lock().expect("whole").clone()).collect();
        // Nobody puts down the next before everybody has read this.
        self.barrier.wait();
        all
    }
}

struct OneOf<'a> {
    table: &'a Table,
    number: usize,
}

impl Parts for OneOf<'_> {
    fn count(&self) -> usize {
        self.table.places.len()
    }

    fn number(&self) -> usize {
        self.number
    }

    fn add_up(&self, numbers: &mut [f64]) -> Result<()> {
        let own = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.table.exchange(self.number, own);
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
        Ok(self.table.exchange(self.number, own))
    }

    fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let all = self.table.exchange(self.number, own);
        Ok(if self.number == 0 { all } else { Vec::new() })
    }
}

/// Does `work` as each of `count` parts at once, two threads each; what each came to, in order.
pub(crate) fn in_parts<T: Send>(count: usize, work: impl Fn(&dyn Parts) -> T + Sync) -> Vec<T> {
    let places = (0..count).map(|_| Mutex::default()).collect();
    let table = Table { places, barrier: Barrier::new(count) };
    std::thread::scope(|scope| {
        let start = |number| {
            let (table, work) = (&table, &work);
            scope.spawn(move || {
                // Of its own: a part that waits must not take the threads of another.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("pool");
                pool.install(|| work(&OneOf { table, number }))
            })
        };
        let parts: Vec<_> = (0..count).map(start).collect();
        parts.into_iter().map(|part| part.join().expect("no panic")).collect()
    })
}

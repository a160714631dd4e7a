//! What this machine gives, for rooflines: memory, cache, dense products, reading of blocks, all
//! with all threads. papers/roofline.md holds the stages of a run against these.
//!
//! `cargo bench --bench roofline` prints a table; `-- --json` prints the rates as one JSON object.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use ndarray::Array2;
use pulp::{Arch, Simd, WithSimd};
use rand::RngExt;
use rayon::prelude::*;
use topoi_core::linalg::dense::{product, transposed_product};
use topoi_core::progress::Silent;
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::Totals;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::documents::lanes::StatefulLanes;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::{Access, Store};

/// Rates are medians of so many rounds.
const ROUNDS: usize = 7;
/// f64 of an array that no cache holds: 512 MB.
const MANY: usize = 64 << 20;
/// Rows gathered, or numbers added to, in a round by each thread.
const TOUCHES: usize = 4 << 20;
/// A row of C for 16,384 words: 128 KB.
const ROW: usize = 16 << 10;

/// A rate: its name in JSON, what a table calls it, the rate in thousand millions a second, the unit.
type Rate = (&'static str, String, f64, &'static str);

fn main() {
    let cache = second_level_cache();
    let mut rates = memory(cache);
    rates.extend(gathers(cache));
    rates.extend(products());
    rates.push(("decode", "(document, word) pairs read from blocks".into(), decoded(), "pairs/s"));
    let threads = rayon::current_num_threads();
    if std::env::args().any(|argument| argument == "--json") {
        let mut found: serde_json::Map<_, _> =
            rates.into_iter().map(|(key, _, rate, _)| (key.into(), (rate * 1e9).into())).collect();
        found.insert("threads".into(), threads.into());
        found.insert("cache_bytes".into(), cache.into());
        println!("{}", serde_json::Value::from(found));
        return;
    }
    println!("{threads} threads, {} KB of L2 cache a core, medians of {ROUNDS}\n", cache >> 10);
    println!("| what | thousand millions | |\n| --- | ---: | --- |");
    for (_, name, rate, unit) in rates {
        println!("| {name} | {rate:.2} | {unit} |");
    }
}

/// Bytes of the cache of the second level, as Linux tells; a megabyte where it does not.
fn second_level_cache() -> usize {
    let told = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size");
    let kilobytes = told.ok().and_then(|size| size.trim().trim_end_matches('K').parse().ok());
    kilobytes.map_or(1 << 20, |kilobytes: usize| kilobytes << 10)
}

/// `work` over the median seconds of some rounds, in thousand millions a second.
fn rate(work: f64, mut round: impl FnMut()) -> f64 {
    round();
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            round();
            begun.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    work / seconds[ROUNDS / 2] / 1e9
}

/// What a thread does in a round, with a state of its own, all threads at once.
fn rate_of_threads<S: Send>(
    work: f64,
    state: impl Fn(usize) -> S + Sync,
    round: impl Fn(&mut S) + Sync,
) -> f64 {
    let threads = rayon::current_num_threads();
    let states: Vec<_> = (0..threads).map(|thread| std::sync::Mutex::new(state(thread))).collect();
    rate(work * threads as f64, || {
        rayon::broadcast(|thread| {
            round(&mut states[thread.index()].lock().expect("a thread's own"));
        });
    })
}

/// Reading and copying memory, and reading what the cache holds.
fn memory(cache: usize) -> Vec<Rate> {
    let from = vec![1.0f64; MANY];
    let mut to = vec![0.0f64; MANY];
    let share = MANY / rayon::current_num_threads();
    let bytes = 8.0 * MANY as f64;
    let arch = Arch::new();
    let read = rate(bytes, || {
        let sum = |part: &[f64]| arch.dispatch(Sum(part));
        black_box(from.par_chunks(share).map(sum).sum::<f64>());
    });
    let copy = rate(2.0 * bytes, || {
        to.par_chunks_mut(share).zip(from.par_chunks(share)).for_each(|(to, from)| {
            to.copy_from_slice(from);
        });
        black_box(&to);
    });
    let held = cache / 16;
    let times = MANY / 8 / held;
    let cached = rate_of_threads(
        (8 * held * times) as f64,
        |_| vec![1.0f64; held],
        |part| {
            for _ in 0..times {
                black_box(arch.dispatch(Sum(black_box(part))));
            }
        },
    );
    vec![
        ("read", "memory read".into(), read, "bytes/s"),
        ("copy", "memory copied, read and written".into(), copy, "bytes/s"),
        ("cached", "half an L2 cache read again and again".into(), cached, "bytes/s"),
    ]
}

struct Sum<'a>(&'a [f64]);

impl WithSimd for Sum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> f64 {
        let mut sums = [0.0; 64];
        for part in self.0.chunks_exact(64) {
            for (sum, x) in sums.iter_mut().zip(part) {
                *sum += x;
            }
        }
        sums.iter().sum()
    }
}

/// Rows gathered in random order as a pass gathers those of V, and numbers added to in random order
/// as those of a row of C.
fn gathers(cache: usize) -> Vec<Rate> {
    let place = |bytes: usize| format!("{:.1} MB", bytes as f64 / f64::from(1 << 20));
    let (small, large) = (cache / 2, 2 * cache);
    let name = |columns: usize, bytes| format!("rows of {columns} f64 gathered, {}", place(bytes));
    vec![
        ("gather_8_cached", name(8, small), gathered::<8>(small), "bytes/s"),
        ("gather_16_cached", name(16, small), gathered::<16>(small), "bytes/s"),
        ("gather_8", name(8, large), gathered::<8>(large), "bytes/s"),
        ("gather_16", name(16, large), gathered::<16>(large), "bytes/s"),
        ("add", "f64 of 128 KB added to".into(), added(), "additions/s"),
    ]
}

/// Bytes a second of rows of S numbers from an array of so many bytes for each thread.
fn gathered<const S: usize>(bytes: usize) -> f64 {
    let rows = bytes / (8 * S);
    let state = |thread| (vec![[1.0f64; S]; rows], places(thread, rows));
    rate_of_threads((8 * S * TOUCHES) as f64, state, |(table, places)| {
        black_box(Arch::new().dispatch(Gather { table, places }));
    })
}

/// Random places below `below`, others for each thread.
fn places(thread: usize, below: usize) -> Vec<u32> {
    let mut rng = stream(thread as u64, "places in an array");
    (0..TOUCHES).map(|_| rng.random_range(0..below as u32)).collect()
}

struct Gather<'a, const S: usize> {
    table: &'a [[f64; S]],
    places: &'a [u32],
}

impl<const S: usize> WithSimd for Gather<'_, S> {
    type Output = [f64; S];

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> [f64; S] {
        let mut sum = [0.0; S];
        for &place in self.places {
            let row = &self.table[place as usize];
            for s in 0..S {
                sum[s] += 0.5 * row[s];
            }
        }
        sum
    }
}

fn added() -> f64 {
    let state = |thread| (vec![0.0f64; ROW], places(thread, ROW));
    rate_of_threads(TOUCHES as f64, state, |(row, places)| {
        for &place in places.iter() {
            row[place as usize] += 0.5;
        }
        black_box(row);
    })
}

/// Large products, and those of the shapes that stages have: tall in f64, a tile in f32.
fn products() -> Vec<Rate> {
    let wave = |n, p| Array2::from_shape_fn((n, p), |(i, j)| ((i * 7 + j * 13) as f64).sin());
    let (large, square) = (wave(4096, 1024), wave(1024, 1024));
    let (tall, block, small) = (wave(15_000, 110), wave(15_000, 32), wave(110, 110));
    let f64_large = rate(2.0 * 4096.0 * 1024.0 * 1024.0, || {
        black_box(product(&large, &square));
    });
    let f64_tall = rate(2.0 * 15_000.0 * 110.0 * 110.0, || {
        black_box(product(&tall, &small));
    });
    let f64_inner = rate(2.0 * 15_000.0 * 110.0 * 32.0, || {
        black_box(transposed_product(&tall, &block));
    });
    vec![
        ("f64", "f64, 4096 × 1024 by 1024 × 1024".into(), f64_large, "flop/s"),
        ("f64_tall", "f64, 15000 × 110 by 110 × 110".into(), f64_tall, "flop/s"),
        ("f64_inner", "f64, 110 × 15000 by 15000 × 32".into(), f64_inner, "flop/s"),
        (
            "f32",
            "f32, 4096 × 1024 by 1024 × 1024".into(),
            single([4096, 1024, 1024, 512]),
            "flop/s",
        ),
        (
            "f32_tile",
            "f32, 15360 × 100 by 100 × 2000".into(),
            single([15_360, 100, 2000, 128]),
            "flop/s",
        ),
    ]
}

/// n × p by p × q in f32, so many rows at a time on each thread.
fn single([n, p, q, rows]: [usize; 4]) -> f64 {
    use faer::linalg::matmul::matmul;
    let (a, b) = (vec![0.5f32; n * p], vec![0.25f32; p * q]);
    rate((2 * n * p * q) as f64, || {
        a.par_chunks(rows * p).for_each_init(
            || vec![0.0f32; rows * q],
            |tile, a| {
                matmul(
                    faer::MatMut::from_row_major_slice_mut(tile, rows, q),
                    faer::Accum::Replace,
                    faer::MatRef::from_row_major_slice(a, rows, p),
                    faer::MatRef::from_row_major_slice(&b, p, q),
                    1.0,
                    faer::Par::Seq,
                );
                black_box(&tile);
            },
        );
    })
}

/// Pairs a second, in thousand millions, of a pass that does nothing but read blocks from the store,
/// unpack them and see them through a vocabulary.
fn decoded() -> f64 {
    let (documents, words, each) = (30_000, 15_000, 200);
    let directory = tempfile::tempdir().expect("tempdir");
    let store = Store::open(&directory.path().join("bench.db"), Access::Create).expect("store");
    let settings = "{\"kind\":\"counts\"}";
    let mut writer = IngestWriter::begin(&store, "bench", settings, "bench", "uci").expect("begin");
    for word in 0..words {
        writer.term(&format!("w{word}")).expect("term");
    }
    for document in 0..documents {
        let entries: Vec<(u32, u32)> =
            (0..each).map(|n| (n * (words / each) + (document + n) % (words / each), 1)).collect();
        writer.add(NewDocument::counted(&document.to_string(), &entries)).expect("add");
    }
    writer.finish().expect("finish");
    let id = store.corpus("bench").expect("there").id;
    let blocks = CorpusBlocks::open(&store, id).expect("blocks");
    let positions: Vec<u32> = (0..words).collect();
    let seen = Documents::new(&blocks, &positions, 2, &Silent);
    let mut lanes = StatefulLanes::new(&seen, Totals::default);
    rate(f64::from(documents * each), || {
        lanes.pass(|totals, batch| totals.add(batch)).expect("a pass");
    })
}

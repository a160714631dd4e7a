//! The cost model of passes and runs over a corpus in parts, which `benches/parts` prints.

#[path = "../../benches/parts/cost.rs"]
mod cost;

use cost::{Cluster, Pass, WholeRun};

const CLUSTER: Cluster = Cluster { rate: 1e9, bandwidth: 1e9, latency: 1e-5, spread: 0.0 };

#[test]
fn streaming_is_divided_among_machines_and_the_exchange_is_not() {
    let pass = Pass { nonzeros: 1e9, words: 1e4, columns: 100.0 };
    let alone = pass.time(1, &CLUSTER, 1);
    assert!((alone.streaming - 100.0).abs() < 1e-9 && alone.exchange == 0.0);
    let ten = pass.time(10, &CLUSTER, 1);
    assert!((ten.streaming - 10.0).abs() < 1e-9);
    // 2 · 9/10 · 8 MB at 1 GB/s, and 18 messages.
    assert!((ten.exchange - 0.0144 - 18e-5).abs() < 1e-9);
    assert!((ten.overhead() - ten.exchange / ten.total()).abs() < 1e-12);
}

#[test]
fn a_pass_lasts_until_the_slowest_machine_is_done() {
    let pass = Pass { nonzeros: 1e9, words: 1e4, columns: 100.0 };
    let uneven = Cluster { spread: 0.05, ..CLUSTER };
    let slower = pass.time(1000, &uneven, 1).streaming / pass.time(1000, &CLUSTER, 1).streaming;
    // The maximum of 1000 normal draws is between 2.4 and 5 deviations for all but 1 in 3000 seeds.
    assert!((1.12..1.29).contains(&slower), "{slower}");
}

#[test]
fn a_run_in_parts_saves_documents_topics_in_one_of_them_or_in_all() {
    let run = WholeRun {
        nonzeros: 1e9,
        documents: 1e7,
        words: 1e4,
        seconds_per_nonzero: 1e-6,
        summed_columns: 100.0,
        held_columns: 300.0,
        repeated: 7.0,
        short_exchanges: 400.0,
        document_bytes: 100.0,
        seconds_per_saved: 1e-5,
        is_collected: true,
    };
    let alone = run.cost(1, &CLUSTER, 1);
    assert!((alone.total() - 1000.0 - 100.0 - 7.0).abs() < 1e-6);
    let ten = run.cost(10, &CLUSTER, 1);
    assert!((ten.streaming - 100.0).abs() < 1e-6);
    assert!((ten.sums - 0.0144 - 18e-5).abs() < 1e-9);
    // Four rounds of 400 messages; nine tenths of 1 GB come from elsewhere.
    assert!((ten.latency - 0.016).abs() < 1e-9 && (ten.collecting - 0.9).abs() < 1e-9);
    assert!((ten.saving - 100.0).abs() < 1e-9 && (ten.repeated - 7.0).abs() < 1e-9);
    assert!((ten.memory - 24e6).abs() < 1.0);
    let apart = WholeRun { is_collected: false, ..run }.cost(10, &CLUSTER, 1);
    assert!((apart.saving - 10.0).abs() < 1e-9 && apart.collecting == 0.0);
}

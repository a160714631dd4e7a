//! Uniting parts as a job. The parts are threads here instead of processes.

use std::path::Path;

use super::corpus::{DOCUMENTS, fill};
use crate::error::PartsError;
use crate::unify::unify;
use topoi_core::stream::in_threads::in_parts;
use topoi_store::part::unify::PartTerms;
use topoi_store::{Access, Store};

fn united(store: &Path, pattern: &str, count: usize) -> Result<usize, PartsError> {
    let mut all = in_parts(count, |parts| {
        let mut store =
            (parts.number() == 0).then(|| Store::open(store, Access::Create).expect("open"));
        unify(store.as_mut(), "c", pattern, parts)
    });
    all.swap_remove(0)
}

#[test]
fn a_job_unites_its_parts_as_one_process_does() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = |name: &str| directory.path().join(name);
    for (number, range) in [(0, 0..50), (1, 50..DOCUMENTS)] {
        fill(&path(&format!("job-{number}.db")), range.clone());
        fill(&path(&format!("read-{number}.db")), range);
    }
    let pattern = path("job-{rank}.db").to_string_lossy().into_owned();
    assert_eq!(united(&path("job.db"), &pattern, 2).expect("united"), 2);
    let files = [path("read-0.db"), path("read-1.db")];
    let tables = files.each_ref().map(|file| PartTerms::from_store(file, "c").expect("terms"));
    let mut read = Store::open(&path("read.db"), Access::Create).expect("open");
    for (file, told) in files.iter().zip(read.unify("c", &tables).expect("united")) {
        Store::open(file, Access::Create).expect("open").assign_part("c", &told).expect("adopted");
    }
    let job = Store::open(&path("job.db"), Access::Create).expect("open");
    let whole = |store: &Store| {
        let corpus = store.corpus("c").expect("a corpus");
        let counts = (corpus.documents, corpus.terms, corpus.tokens, corpus.nonzeros);
        (counts, store.terms_hash(corpus.id).expect("a hash"))
    };
    assert_eq!(whole(&job), whole(&read));
    for number in 0..2 {
        let part = |name: &str| {
            let store =
                Store::open(&path(&format!("{name}-{number}.db")), Access::Create).expect("open");
            store.part(store.corpus("c").expect("a corpus").id).expect("read").expect("a part")
        };
        assert_eq!(part("job"), part("read"));
    }
}

#[test]
fn a_part_that_cannot_be_read_is_named_and_nothing_is_written() {
    let directory = tempfile::tempdir().expect("tempdir");
    fill(&directory.path().join("part-0.db"), 0..20);
    let pattern = directory.path().join("part-{rank}.db").to_string_lossy().into_owned();
    let whole = directory.path().join("whole.db");
    let said = united(&whole, &pattern, 2).expect_err("refused").to_string();
    assert!(said.starts_with("part 1 (") && said.contains("part-1.db"), "{said}");
    assert!(Store::open(&whole, Access::Create).expect("open").corpus("c").is_err());
    let said = united(&whole, "/one.db", 2).expect_err("refused").to_string();
    assert!(said.contains("names one file for all parts"), "{said}");
}

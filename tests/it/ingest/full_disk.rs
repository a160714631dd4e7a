//! A disk without space.

use std::fs;
use std::path::Path;
use std::process::Command;

use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_store::{Access, Store};

use super::bench::bench;

/// The environment variable that names the directory for the ingest that runs out of space.
const FULL_DISK: &str = "TOPOI_TEST_FULL_DISK";

#[test]
#[ignore = "started by a_full_disk_changes_nothing, under a limit on the size of files"]
fn ingest_onto_a_full_disk() {
    let directory = std::env::var(FULL_DISK).expect("the directory");
    let directory = Path::new(&directory);
    let store = Store::open(&directory.join("topoi.db"), Access::Create).expect("open");
    let request = IngestRequest::new("small", [directory.join("docword.large.txt")]);
    let error = ingest(&store, &request, &NoProgress).expect_err("no space");
    fs::write(directory.join("error"), error.to_string()).expect("write");
}

#[test]
fn a_full_disk_changes_nothing() {
    let bench = bench();
    let lines: String =
        (1..=100_000).map(|n| format!("{} {} 1\n", n / 100 + 1, n % 100 + 1)).collect();
    bench.write("docword.large.txt", format!("1001\n100\n100000\n{lines}"));
    let words: String = (0..100).map(|n| format!("word{n}\n")).collect();
    bench.write("vocab.large.txt", words);
    let before = bench.rows();
    // Half a megabyte, and a write beyond it an error rather than the end of the process.
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("this test"))
        .args(["--exact", "ingest::full_disk::ingest_onto_a_full_disk", "--ignored"])
        .env(FULL_DISK, bench.directory.path())
        .output()
        .expect("start");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    assert_eq!(
        fs::read_to_string(bench.path("error")).expect("read"),
        format!(
            "{}: no space left on the device; what was saved before is whole: free some \
             space and give the same command again",
            bench.path("topoi.db").display()
        )
    );
    assert_eq!(before, bench.rows());
    bench.check();
    assert_eq!(bench.ingest("small", &["docword.large.txt"]).expect("space").counts.added, 1001);
    bench.check();
}

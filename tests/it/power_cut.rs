//! What a power cut leaves of a store: `benches/power_cut.py` at a few moments.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Home;

/// How many here; `TOPOI_POWER_CUTS=1000` cuts more often.
const CUTS: &str = "40";

/// Whether processes can be traced here.
fn can_trace() -> bool {
    let trace = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let command = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    trace("strace", &["-o", "/dev/null", "true"]) && trace("python3", &["--version"])
}

#[test]
fn a_power_cut_leaves_a_sound_store_with_all_that_was_reported() {
    if !can_trace() {
        assert!(std::env::var_os("CI").is_none(), "strace is missing, or may not trace");
        return;
    }
    let cuts = std::env::var("TOPOI_POWER_CUTS").unwrap_or_else(|_| CUTS.into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/power_cut.py");
    let mut command = Command::new("python3");
    let output = command.arg(script).arg(Home::program()).args(["--moments", &cuts]).output();
    let output = output.expect("python3");
    let told = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{error}");
    assert!(told.contains(": 0 stores damaged or without what had been reported"), "{told}");
}

//! The destination of `--into` of exports and figures.

use std::io::IsTerminal;
use std::path::Path;

use topoi_run::export::output::Output;

/// Whether `--into` means standard output.
pub fn is_standard_output(place: &Path) -> bool {
    ["-", "/dev/stdout"].iter().any(|name| place.as_os_str() == *name)
}

/// The destination of `--into`.
pub fn output_at(place: &Path, replaces: bool) -> anyhow::Result<Output> {
    if !is_standard_output(place) {
        return Ok(Output::at(place, replaces));
    }
    anyhow::ensure!(
        !std::io::stdout().is_terminal(),
        "standard output is a terminal; name a file with --into, or give the output to a program with |"
    );
    Ok(Output::standard())
}

//! Lack of threads as an error: rayon and the standard library panic if the system starts no further thread.

use std::any::Any;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// The remedy.
pub const NO_THREAD: &str = "the system starts no further thread; allow more processes (`ulimit -u`) or memory \
                             (`ulimit -v`), or take fewer threads: RAYON_NUM_THREADS=1";

/// How the panics of rayon and the standard library begin.
const WORDS: [&str; 2] =
    ["The global thread pool has not been initialized", "failed to spawn thread"];

static LACKED: AtomicBool = AtomicBool::new(false);

/// Hides panics for lack of threads, and those that follow from them.
pub fn notice_lack_of_threads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic_message(panic.payload());
        if WORDS.iter().any(|beginning| words.starts_with(beginning)) {
            LACKED.store(true, Ordering::SeqCst);
        }
        if !threads_lacked() {
            usual(panic);
        }
    }));
}

/// Starts rayon's threads now, as their first use panics if it cannot start them.
pub fn start_rayon() -> Result<(), rayon::ThreadPoolBuildError> {
    match rayon::ThreadPoolBuilder::new().build_global() {
        // An error without a source means that the threads were already started.
        Err(error) if error.source().is_some() => Err(error),
        _ => Ok(()),
    }
}

/// Whether this process failed to start a thread.
pub fn threads_lacked() -> bool {
    LACKED.load(Ordering::SeqCst)
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}

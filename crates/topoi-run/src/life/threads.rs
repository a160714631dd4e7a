//! A lack of threads as an error: rayon and the standard library panic where the system starts no further thread.

use std::any::Any;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// What to do about it.
pub const NO_THREAD: &str = "the system starts no further thread; allow more processes (`ulimit -u`) or memory \
                             (`ulimit -v`), or take fewer threads: RAYON_NUM_THREADS=1";

/// How rayon and the standard library begin to say it.
const WORDS: [&str; 2] =
    ["The global thread pool has not been initialized", "failed to spawn thread"];

static LACKED: AtomicBool = AtomicBool::new(false);

/// Keeps panics for want of a thread, and those that follow from them, off the screen.
pub fn notice_lack_of_threads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = words_of(panic.payload());
        if WORDS.iter().any(|beginning| words.starts_with(beginning)) {
            LACKED.store(true, Ordering::SeqCst);
        }
        if !threads_lacked() {
            usual(panic);
        }
    }));
}

/// Starts rayon's threads now: their first use would start them, and panic where it cannot.
///
/// # Errors
/// When the system starts no further thread.
pub fn start_rayon() -> Result<(), rayon::ThreadPoolBuildError> {
    match rayon::ThreadPoolBuilder::new().build_global() {
        // Without a source, the error is that the threads were started before.
        Err(error) if error.source().is_some() => Err(error),
        _ => Ok(()),
    }
}

/// Whether this process was refused a thread.
pub fn threads_lacked() -> bool {
    LACKED.load(Ordering::SeqCst)
}

/// What a panic says.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}

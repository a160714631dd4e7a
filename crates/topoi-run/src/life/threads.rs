//! What a process does to which the system gives no further thread: threads are started by libraries that know no other
//! way to say so than to panic.

use std::any::Any;
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

/// Whether this process was refused a thread.
pub fn threads_lacked() -> bool {
    LACKED.load(Ordering::SeqCst)
}

/// What a panic says.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}

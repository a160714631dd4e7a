//! The English of messages is in `tests/it/messages`, a file a test.

use std::cell::{Cell, RefCell};

/// What the program said in a test. When it is dropped, it is compared with the test's snapshot in
/// `tests/it/messages`; `INSTA_UPDATE=always cargo test` writes the snapshots anew.
#[derive(Default)]
pub struct Messages(RefCell<Vec<String>>);

impl Messages {
    /// Adds a message. Paths, durations and sizes are masked; a message that comes several times in a row is there once.
    pub fn keeps(&self, message: &str) {
        let message = format!("{}\n", message.trim_end())
            .replace(env!("CARGO_MANIFEST_DIR"), "<here>")
            .replace(&*std::env::temp_dir().to_string_lossy(), "/tmp");
        let masks = [
            (r"\d+m\d\d\b|\b\d+(\.\d+)? ?(s|ms|seconds)\b", "<time>"),
            (r"\b\d+(\.\d+)? (kB|MB|GB|KiB|MiB|GiB)\b", "<size>"),
            (r"/tmp/\.tmp\w+", "<tmp>"),
            (r"\.\d+\.part\b", ".<process>.part"),
        ];
        let masked = masks.iter().fold(message, |text, (pattern, mask)| {
            regex::Regex::new(pattern).expect("a pattern").replace_all(&text, *mask).into_owned()
        });
        let mut messages = self.0.borrow_mut();
        if messages.last() != Some(&masked) {
            messages.push(masked);
        }
    }
}

thread_local! {
    /// How many [`Messages`] of this test were compared: the second and later snapshots are numbered.
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

impl Drop for Messages {
    fn drop(&mut self) {
        let messages = self.0.take();
        let thread = std::thread::current();
        if messages.is_empty() || std::thread::panicking() {
            return;
        }
        let nth = COMPARED.get() + 1;
        COMPARED.set(nth);
        let test = thread.name().expect("a thread with the name of the test").replace("::", "__");
        let name = if nth == 1 { test } else { format!("{test}-{nth}") };
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../messages");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, messages.join("\n")));
    }
}

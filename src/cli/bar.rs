//! A line of progress for work that is done in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use super::follow::interrupt_flag;
use crate::progress::Progress;

/// A line on standard error, which indicatif hides when that is no terminal; Ctrl-C cancels.
pub struct Bar {
    line: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bar {
    /// One for work on `what`, such as "run 7".
    ///
    /// # Errors
    /// When the handler of Ctrl-C cannot be set.
    pub fn new(what: &str) -> std::io::Result<Self> {
        let line = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{prefix}  {msg:12} {pos}/{len}") {
            line.set_style(style);
        }
        line.set_prefix(what.to_string());
        Ok(Self { line, stop: interrupt_flag()? })
    }

    /// Takes the line off the screen.
    pub fn finish(&self) {
        self.line.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &'static str, total: u64, _residual: &'static str) {
        self.line.set_message(stage);
        self.line.set_length(total);
        self.line.set_position(0);
    }

    fn step(&self, step: u64, _residual: Option<f64>) {
        self.line.set_position(step);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

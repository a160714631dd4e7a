//! A line of progress for work that is done in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::follow::interrupt_flag;
use topoi::progress::Progress;

/// A line on standard error, which indicatif hides when that is no terminal; Ctrl-C cancels.
pub struct Bar {
    line: ProgressBar,
    begun: Instant,
    patience: Duration,
    is_shown: AtomicBool,
    stop: Arc<AtomicBool>,
}

impl Bar {
    /// One for work on `what`, such as "run 7".
    ///
    /// # Errors
    /// When the handler of Ctrl-C cannot be set.
    pub fn new(what: &str) -> std::io::Result<Self> {
        Self::titled(what, Duration::ZERO)
    }

    /// One for work called `title`, which is not shown before it has taken as long as `patience`.
    ///
    /// # Errors
    /// When the handler of Ctrl-C cannot be set.
    pub fn titled(title: &str, patience: Duration) -> std::io::Result<Self> {
        let line = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{prefix}  {msg:12} {pos}/{len}") {
            line.set_style(style);
        }
        line.set_prefix(title.to_string());
        let (begun, is_shown) = (Instant::now(), AtomicBool::new(false));
        let bar = Self { line, begun, patience, is_shown, stop: interrupt_flag()? };
        bar.show();
        Ok(bar)
    }

    fn show(&self) {
        if self.begun.elapsed() >= self.patience && !self.is_shown.swap(true, Ordering::Relaxed) {
            self.line.set_draw_target(ProgressDrawTarget::stderr());
        }
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
        self.show();
        self.line.set_position(step);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

//! Progress lines: a plain one, and one for work in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::follow::interrupt_flag;
use super::messages::is_quiet;
use crate::shown::TerminalText;
use topoi_core::progress::Progress;

/// A progress line on standard error, hidden if that is no terminal.
pub struct Line(ProgressBar);

impl Line {
    /// `template` is in indicatif's syntax; `total` is 0 if unknown.
    pub fn new(template: &str, total: u64) -> Self {
        let line = Self(ProgressBar::new(total));
        if is_quiet() {
            line.0.set_draw_target(ProgressDrawTarget::hidden());
        }
        line.look(template);
        line
    }

    /// Hidden until [`Self::show`].
    fn hidden(template: &str) -> Self {
        let target = ProgressDrawTarget::hidden();
        let line = Self(ProgressBar::with_draw_target(Some(0), target));
        line.look(template);
        line
    }

    fn show(&self) {
        if !is_quiet() {
            self.0.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn look(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style.progress_chars("=> "));
        }
    }

    /// Starts again from 0 with another template and total.
    pub fn restart(&self, template: &str, total: Option<u64>) {
        self.look(template);
        self.0.reset();
        match total {
            Some(total) => self.0.set_length(total),
            None => self.0.unset_length(),
        }
    }

    /// Sets `{prefix}`.
    pub fn set_title(&self, text: &TerminalText) {
        self.0.set_prefix(text.to_string());
    }

    /// Sets `{msg}`.
    pub fn set_message(&self, text: &TerminalText) {
        self.0.set_message(text.to_string());
    }

    pub fn set_total(&self, total: u64) {
        self.0.set_length(total);
    }

    pub fn set_position(&self, position: u64) {
        self.0.set_position(position);
    }

    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// The progress line of work in this process; Ctrl-C cancels the work.
pub struct Bar {
    line: Line,
    begun: Instant,
    patience: Duration,
    is_shown: AtomicBool,
    stop: Arc<AtomicBool>,
}

impl Bar {
    /// `what` is the subject of the work, such as "run 7".
    pub fn new(what: &TerminalText) -> std::io::Result<Self> {
        Self::titled(what, Duration::ZERO)
    }

    /// Hidden until the work has taken `patience`.
    pub fn titled(title: &TerminalText, patience: Duration) -> std::io::Result<Self> {
        let line = Line::hidden("{prefix}  {msg:12} {pos}/{len}");
        line.set_title(title);
        let (begun, is_shown) = (Instant::now(), AtomicBool::new(false));
        let bar = Self { line, begun, patience, is_shown, stop: interrupt_flag()? };
        bar.show();
        Ok(bar)
    }

    fn show(&self) {
        if self.begun.elapsed() >= self.patience && !self.is_shown.swap(true, Ordering::Relaxed) {
            self.line.show();
        }
    }

    pub fn finish(&self) {
        self.line.finish();
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &'static str, total: u64, _residual: &'static str) {
        self.line.set_message(&TerminalText::line(stage));
        self.line.set_total(total);
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

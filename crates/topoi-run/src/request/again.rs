//! A request made again with changes.

use super::settings::RUN_SETTINGS;
use super::{Origin, RunRequest};

impl RunRequest {
    /// This request for another corpus, model or K. Settings that do not apply to them are reset.
    pub fn moved_to(&self, corpus: &str, origin: Origin, k: usize) -> Self {
        let mut moved = Self { corpus: corpus.into(), origin, k, ..self.clone() };
        for setting in RUN_SETTINGS {
            setting.fit(&mut moved, self);
        }
        moved
    }
}

//! What the user has set for the workbench, in `config.toml`: theme, mouse, citations, keys, columns.
//!
//! A mistake in it stops nothing: it is reported with its line, and the rest is used.

mod check;
mod keys;

use std::collections::BTreeMap;
use std::path::PathBuf;

use topoi_run::notes::citation::CitationForm;

use crate::base_directory::BaseDirectory;

#[cfg(test)]
pub use check::lists;
pub use check::read;
pub use keys::{actions, rebound};

/// Which colours are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Theme {
    /// As the terminal says its background is.
    #[default]
    Auto,
    Dark,
    Light,
}

impl Theme {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub theme: Theme,
    pub mouse: bool,
    /// How sources of passages are cited.
    pub citation: CitationForm,
    /// The keys of an action, by its name.
    pub keys: BTreeMap<String, Vec<String>>,
    /// The columns of a list, by its name, in their order.
    pub columns: BTreeMap<String, Vec<String>>,
}

impl Default for Config {
    fn default() -> Self {
        let (citation, keys, columns) = Default::default();
        Self { theme: Theme::Auto, mouse: true, citation, keys, columns }
    }
}

/// What is wrong with a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Mistake {
    pub line: usize,
    pub text: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.text)
    }
}

/// `$XDG_CONFIG_HOME/topoi/config.toml`, else `~/.config/topoi/config.toml`; `None` where there is no
/// home either.
pub fn path() -> Option<PathBuf> {
    Some(BaseDirectory::Config.path()?.join("topoi").join("config.toml"))
}

/// What the file says, and what is wrong with it; nothing at all where there is none.
pub fn load() -> (Config, Vec<Mistake>) {
    let Some(path) = path() else { return Default::default() };
    match std::fs::read_to_string(&path) {
        Ok(text) => read(&text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
        Err(error) => {
            let text = format!("{}: {error}", path.display());
            (Config::default(), vec![Mistake { line: 1, text }])
        }
    }
}

//! Where the workbench was left, and what was asked: files in the state directory, one of each a
//! store. Nothing of it matters to a result; what cannot be read is ignored.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::base_directory::BaseDirectory;

use super::list::ListState;
use super::screen::PreviousSession;
use super::state::State;

/// Where the workbench was left.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SavedPosition {
    /// The name of the screen that was shown.
    screen: String,
    /// What each screen wants to be remembered, by its name.
    screens: BTreeMap<String, serde_json::Value>,
}

impl SavedPosition {
    /// What there is to remember of a state.
    pub fn of(state: &State) -> Self {
        let screens = state.screens.iter().map(|screen| (screen.name().into(), screen.remember()));
        Self { screen: state.workbench.shown.into(), screens: screens.collect() }
    }

    /// Brings a new state to where the workbench was left; corpora and runs that are gone since
    /// are left out.
    pub fn restore(&self, state: &mut State, previous: &PreviousSession<'_>) {
        state.show(&self.screen);
        for screen in &mut state.screens {
            let left = self.screens.get(screen.name()).unwrap_or(&serde_json::Value::Null);
            screen.restore(left, previous, &mut state.workbench);
        }
    }
}

/// Filter and order of a list.
pub fn left_list(list: &ListState) -> serde_json::Value {
    serde_json::json!({ "filter": list.filter.as_str(), "sort": list.sort })
}

/// Brings a list to what [`left_list`] said; what cannot be read is ignored.
pub fn restore_list(left: &serde_json::Value, list: &mut ListState) {
    list.filter.clear();
    list.filter.insert(left["filter"].as_str().unwrap_or_default());
    list.sort = serde_json::from_value(left["sort"].clone()).unwrap_or_default();
}

/// The files of a store.
#[derive(Debug, Clone)]
pub struct SessionFiles {
    state: PathBuf,
    history: PathBuf,
}

impl SessionFiles {
    /// The files of the store at `path`: `$XDG_STATE_HOME/topoi`, else `~/.local/state/topoi`.
    /// `None` where there is no home either.
    pub fn of_store(path: &Path) -> Option<Self> {
        Some(Self::in_directory(&BaseDirectory::State.path()?.join("topoi"), path))
    }

    fn in_directory(directory: &Path, store: &Path) -> Self {
        let store = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_path_buf());
        let hash = blake3::hash(store.as_os_str().as_encoded_bytes()).to_hex();
        let name = &hash.as_str()[..16];
        Self {
            state: directory.join(format!("{name}.json")),
            history: directory.join(format!("{name}.history")),
        }
    }

    /// Where the workbench was left, if that can be told.
    pub fn read(&self) -> Option<SavedPosition> {
        serde_json::from_slice(&std::fs::read(&self.state).ok()?).ok()
    }

    /// The queries that were asked, oldest first.
    pub fn read_history(&self) -> Vec<String> {
        let bytes = std::fs::read(&self.history).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
    }

    /// Remembers; a state that cannot be written is forgotten.
    pub fn write(&self, saved_position: &SavedPosition) {
        let _ = self.try_write(saved_position);
    }

    fn try_write(&self, saved_position: &SavedPosition) -> std::io::Result<()> {
        if let Some(directory) = self.state.parent() {
            std::fs::create_dir_all(directory)?;
        }
        // Renamed, so that a reader never sees half a file; by process, as two may write at once.
        let part = self.state.with_extension(format!("{}.part", std::process::id()));
        std::fs::write(&part, serde_json::to_vec(saved_position)?)?;
        std::fs::rename(&part, &self.state)
    }

    /// Adds a query to the history.
    pub fn add_to_history(&self, query: &str) {
        let add = || -> std::io::Result<()> {
            if let Some(directory) = self.history.parent() {
                std::fs::create_dir_all(directory)?;
            }
            let mut options = std::fs::OpenOptions::new();
            let mut file = options.append(true).create(true).open(&self.history)?;
            file.write_all(format!("{query}\n").as_bytes())
        };
        let _ = add();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::{corpora, runs};
    use crate::tui::tests::fixture::user::{press, showing};
    use topoi_store::{Access, Store};

    #[test]
    fn a_state_comes_back_and_what_is_gone_or_broken_is_ignored() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        let store = Store::open(&path, Access::Create).expect("open");
        let previous = PreviousSession { store: &store, queries: &[] };
        let memory = SessionFiles::in_directory(directory.path(), &path);
        assert_eq!(memory.read(), None);
        let mut left = showing(runs::NAME, (80, 24));
        press(&mut left, &["/", "n", "i", "p", "s", "Enter", "s"]);
        memory.write(&SavedPosition::of(&left));
        let mut state = State::new("t.db", left.workbench.look, (80, 24));
        memory.read().expect("remembered").restore(&mut state, &previous);
        assert_eq!(
            (state.workbench.shown, state.runs().list.filter.as_str()),
            (runs::NAME, "nips")
        );
        assert_eq!(state.runs().list.sort, left.runs().list.sort);
        assert!(left.runs().list.sort.is_some());
        assert_eq!(state.runs().wanted, None, "the store has no such run");
        std::fs::write(&memory.state, b"{\"screen\": 7").expect("write");
        assert_eq!(memory.read(), None);
        let mut state = State::new("t.db", left.workbench.look, (80, 24));
        std::fs::write(&memory.state, b"{\"screen\": \"Moon\"}").expect("write");
        memory.read().expect("read").restore(&mut state, &previous);
        assert_eq!(state.workbench.shown, corpora::NAME);
    }

    #[test]
    fn the_history_grows_line_by_line() {
        let directory = tempfile::tempdir().expect("tempdir");
        let memory = SessionFiles::in_directory(&directory.path().join("new"), Path::new("t.db"));
        assert!(memory.read_history().is_empty());
        memory.add_to_history("SELECT 1");
        memory.add_to_history("SELECT 2");
        assert_eq!(memory.read_history(), ["SELECT 1", "SELECT 2"]);
    }
}

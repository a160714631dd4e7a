//! The way in.

use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;

use anyhow::Context;

use super::remembered::Memory;
use super::screen::Past;
use super::state::State;
use super::terminal::watchdog;
use super::threads::queue_keeper::QueueKeeper;
use super::view::look::Look;
use super::{event_loop, terminal};
use topoi::store::{Access, Store};

/// Opens the workbench on the store at `path` (made if there is none) and runs it until the user
/// leaves. Returns the exit code.
///
/// # Errors
/// When standard input or output is no terminal, or the store cannot be opened.
pub fn open(path: &Path) -> anyhow::Result<i32> {
    anyhow::ensure!(
        stdin().is_terminal() && stdout().is_terminal(),
        "the workbench needs a terminal; `topoi --help` lists the commands that do not"
    );
    // What is wrong with the store is told on the plain terminal.
    let store = Store::open(path, Access::Create)?;
    // A killed worker could not have the next run started.
    QueueKeeper::new(path).tend();
    let (guard, screen) = terminal::Guard::take().context("cannot use the terminal")?;
    watchdog::start().context("cannot watch the terminal")?;
    let size = screen.size().context("cannot tell the terminal's size")?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut state = State::new(&name, Look::from_environment(), (size.width, size.height));
    let memory = Memory::of_store(path);
    if let Some(memory) = &memory {
        let past = Past { store: &store, queries: &memory.read_history() };
        memory.read().unwrap_or_default().restore(&mut state, &past);
    }
    state.bench.notice = store.upgraded().map(ToString::to_string);
    drop(store);
    let ran = event_loop::run(path, screen, state, memory);
    drop(guard);
    ran.map(|()| 0)
}

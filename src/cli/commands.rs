//! The list of commands, from which parsing, help and dispatch come.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::{ExitCode, Termination};

use clap::{CommandFactory, Parser, Subcommand};

use super::output::say;
use super::store_path::StorePath;
use super::{corpus, saved, store, work};

/// Exit code for wrong usage.
const USAGE: u8 = 2;

/// Topic models of large text collections, in one SQLite file.
///
/// Without a command on a terminal, topoi opens its workbench.
#[derive(Debug, Parser)]
#[command(name = "topoi", version, about, max_term_width = 100)]
pub struct CommandLine {
    /// The store: one SQLite file with everything [default: $TOPOI_STORE, else
    /// ~/.local/share/topoi/topoi.db]
    #[arg(long, global = true, value_name = "PATH")]
    store: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Makes the parser and the dispatch of the commands: each is a module with `Arguments` and `run`.
macro_rules! commands {
    ($($name:ident: $($module:ident)::+),+ $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($($module)::+::Arguments)),+
        }

        impl Command {
            fn run(&self, store: &StorePath) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$name(arguments) => {
                        Ok($($module)::+::run(arguments, store)?.report())
                    })+
                }
            }
        }
    };
}

// In the order of `topoi --help`.
commands! {
    Ingest: corpus::ingest,
    Corpora: corpus::corpora,
    Documents: corpus::documents,
    Terms: corpus::terms,
    Vocabularies: corpus::vocabularies,
    Bounds: corpus::bounds,
    Run: work::run,
    Sweep: work::sweep,
    Stability: work::stability,
    HeldOut: work::held_out,
    Infer: saved::infer,
    Runs: work::runs,
    Topics: saved::topics,
    Metrics: saved::metrics,
    Compare: saved::compare,
    Watch: work::watch,
    Log: work::log,
    Import: work::import,
    Export: saved::export,
    Cancel: work::cancel,
    Resume: work::resume,
    Update: work::update,
    Verify: saved::verify,
    Delete: store::delete,
    Queue: work::queue,
    Shard: corpus::shard,
    Unify: corpus::unify,
    Synth: corpus::synth,
    Sql: store::sql,
    Check: store::check,
    Completions: store::completions,
    Man: store::man,
    Demo: store::demo,
    Worker: work::worker,
}

impl CommandLine {
    /// Does what was typed.
    ///
    /// # Errors
    /// What the command meets; its message is one line.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let store = StorePath::find(self.store);
        match &self.command {
            Some(command) => command.run(&store),
            None => workbench(&store),
        }
    }
}

/// Opens the workbench, or prints help where there is no terminal to open it on.
fn workbench(store: &StorePath) -> anyhow::Result<ExitCode> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(ExitCode::from(u8::try_from(crate::tui::open(&store.path)?).unwrap_or(1)));
    }
    say(&CommandLine::command().render_help().to_string());
    Ok(ExitCode::from(USAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_arguments_of_a_command_are_at_odds() {
        CommandLine::command().debug_assert();
    }
}

//! The list of commands, from which parser, help and dispatch are generated.

use crate::shown::{TerminalText, shown};
use std::error::Error;
use std::io::IsTerminal;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::path::PathBuf;
use std::process::{ExitCode, Termination};
use std::time::Instant;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::messages::{MessageArgs, log, say, warn};
use super::typed::command_words::command_words;
use super::typed::run_reference::{RunLookupError, look_up_in_store_of};
use super::typed::store_path::StorePath;
use super::{corpus, reading, reporting, saved, store, work};
use crate::tui;
use topoi_store::command::CommandWords;

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
    /// Leave the mouse to the terminal while the workbench is open
    #[arg(long)]
    no_mouse: bool,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(subcommand)]
    command: Option<Command>,
    /// The command as it is saved with what it makes.
    #[arg(skip)]
    words: CommandWords,
}

/// Generates the parser and the dispatch of the commands, each of which is a module with `Arguments` and `run`.
macro_rules! commands {
    ($($name:ident: $($module:ident)::+),+ $(,)?) => {
        #[derive(Debug, Subcommand)]
        #[allow(clippy::large_enum_variant, reason = "there is one command a process")]
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
    LeftOut: corpus::left_out,
    Fields: corpus::fields,
    Keywords: reading::keywords,
    Search: reading::search,
    Collocates: reading::collocates,
    Note: reading::note,
    Notes: reading::notes,
    Terms: corpus::terms,
    Vocabularies: corpus::vocabularies,
    StopWords: corpus::stop_words,
    Phrases: corpus::phrases,
    Bounds: corpus::bounds,
    Run: work::run,
    Sweep: work::sweep,
    Stability: work::stability,
    HeldOut: work::held_out,
    Infer: saved::infer,
    Runs: work::runs,
    Topics: saved::topics,
    Label: saved::label,
    Judge: saved::judge,
    Judgements: saved::judgements,
    By: reporting::by,
    Effects: reporting::effects,
    Plot: reporting::plot,
    Results: reporting::results,
    Metrics: saved::metrics,
    Compare: saved::compare,
    Similar: saved::similar,
    Name: work::name,
    Watch: work::watch,
    Log: work::log,
    Import: work::import,
    Export: saved::export,
    Cancel: work::cancel,
    Resume: work::resume,
    Update: work::update,
    Assign: work::assign,
    Nightly: work::nightly,
    Shape: work::shape,
    Verify: saved::verify,
    Methods: reporting::methods,
    Script: reporting::script,
    Delete: store::delete,
    Queue: work::queue,
    Shard: corpus::shard,
    Unify: corpus::unify,
    Synth: corpus::synth,
    Sql: store::sql,
    Check: store::check,
    Compact: store::compact,
    Backup: store::backup,
    Config: store::config,
    Completions: store::completions,
    Man: store::man,
    Demo: store::demo,
    Worker: work::worker,
}

impl CommandLine {
    /// Parses the command line. Wrong usage is printed on one line, as all errors are; help is printed.
    pub fn typed() -> Result<Self, ExitCode> {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        look_up_in_store_of(&arguments);
        let program = taking_negative_numbers(Self::command());
        let read = |matches: &ArgMatches| {
            Ok(Self { words: command_words(&program, matches), ..Self::from_arg_matches(matches)? })
        };
        let matches = program.clone().try_get_matches();
        matches.and_then(|matches| read(&matches)).map_err(|error: clap::Error| {
            let is_help = !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
            if let Some(lookup) = error.source().and_then(|it| it.downcast_ref::<RunLookupError>())
            {
                warn(&shown!("error: {lookup}"));
                return ExitCode::FAILURE;
            }
            if is_help {
                // A closed standard output is not an error.
                let _ = error.print();
            } else {
                warn(&TerminalText::line(&usage_error(&error)));
            }
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE))
        })
    }

    /// Runs the command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.messages.apply()?;
        let typed: Vec<String> = std::env::args().skip(1).collect();
        log(&shown!("topoi {}", typed.join(" ")));
        let begun = Instant::now();
        let store = StorePath::find(self.store).for_command(self.words);
        let code = match &self.command {
            Some(command) => command.run(&store),
            None => workbench(&store, self.no_mouse),
        }?;
        // An error is logged where it is printed.
        log(&shown!("ended after {:.2} s", begun.elapsed().as_secs_f64()));
        Ok(code)
    }
}

/// Opens the workbench; prints help if there is no terminal.
fn workbench(store: &StorePath, no_mouse: bool) -> anyhow::Result<ExitCode> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        let mut options = tui::WorkbenchOptions::configured();
        options.config.mouse &= !no_mouse;
        options.is_store_named = store.is_named;
        return Ok(ExitCode::from(u8::try_from(tui::open(store.path()?, options)?).unwrap_or(1)));
    }
    say(&shown!("{}", CommandLine::command().render_help()));
    Ok(ExitCode::from(USAGE))
}

/// Accepts negative numbers as values, so that `--limit -1` is reported as a number out of range.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let taking = |argument: clap::Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(taking).mut_subcommands(taking_negative_numbers)
}

/// The error of wrong usage on one line.
fn usage_error(error: &clap::Error) -> String {
    let line = wrong_number(error).unwrap_or_else(|| one_line(&error.to_string()));
    format!("{line}; --help says more")
}

/// An error for a value that is no number: the value, its option, and the expected numbers.
fn wrong_number(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let must = match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => "it is too large",
        Some(_) => "it must be a whole number, 0 or more",
        None if source.is::<ParseFloatError>() => "it must be a number",
        None => return None,
    };
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    };
    let (value, argument) = (text(ContextKind::InvalidValue)?, text(ContextKind::InvalidArg)?);
    Some(format!("error: invalid value '{value}' for '{argument}': {must}"))
}

/// clap's paragraphs on one line, without its hint to see the help.
fn one_line(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    });
    let told = paragraphs.filter(|paragraph| !paragraph.starts_with("For more information"));
    told.collect::<Vec<_>>().join("; ").replace("; Usage: ", "; usage: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_usage_is_told_on_one_line() {
        let told = |line: &str| {
            let command = taking_negative_numbers(CommandLine::command());
            let error = command.try_get_matches_from(line.split(' ')).expect_err("wrong usage");
            usage_error(&error)
        };
        assert_eq!(
            told("topoi documents c --limit -1"),
            "error: invalid value '-1' for '--limit <N>': it must be a whole number, 0 or more; \
             --help says more"
        );
        assert_eq!(
            told("topoi documents c --limit 99999999999999999999"),
            "error: invalid value '99999999999999999999' for '--limit <N>': it is too large; --help says more"
        );
        assert_eq!(
            told("topoi phrases c --min-npmi high"),
            "error: invalid value 'high' for '--min-npmi <X>': it must be a number; --help says more"
        );
        assert_eq!(
            told("topoi documents"),
            "error: the following required arguments were not provided: <CORPUS>; usage: topoi \
             documents <CORPUS>; --help says more"
        );
    }

    #[test]
    fn no_two_arguments_of_a_command_are_at_odds() {
        CommandLine::command().debug_assert();
    }
}

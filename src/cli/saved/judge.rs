//! `judge`: asks people about the topics of a run, on a terminal, in a pipe, or by a sheet.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::path::PathBuf;
use std::time::Instant;

use clap::builder::TypedValueParser;
use serde::Serialize;
use strum::VariantArray;

use super::judge_sheet;
use crate::cli::messages::say;
use crate::cli::output::{ask, print_outcome};
use crate::cli::typed::arguments::{Printing, named};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::{TerminalText, shown};
use topoi_core::judge::{Question, RATINGS, Task};
use topoi_core::numbers::counted;
use topoi_run::judging::session::{DocumentExcerpt, JudgingSession, saved};
use topoi_run::user::user_name;
use topoi_store::id::RunId;
use topoi_store::{Access, Store};

/// Say how good a run's topics are: find intruding words and topics, or rate topics
///
/// Answers are saved one by one, and the next time goes on after the last. `topoi judgements RUN` shows the scores.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Who judges; each person has an order of their own [default: the user's name]
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,
    /// What is asked
    #[arg(long, default_value = "words", value_parser = task(), conflicts_with = "import")]
    task: Task,
    /// Tasks at most [default: all; for --export those of the round]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Write the next tasks to a new CSV file, to be answered there
    #[arg(long, value_name = "FILE", conflicts_with = "import")]
    export: Option<PathBuf>,
    /// Read the answers of such a file: all or none; an answer takes the place of an earlier one
    #[arg(long, value_name = "FILE", conflicts_with = "number")]
    import: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

fn task() -> impl TypedValueParser<Value = Task> {
    named(Task::VARIANTS, |it| it.name(), |it| it.asks())
}

/// The outcome of a session.
#[derive(Debug, Default, Serialize)]
struct SessionReport {
    run: RunId,
    judge: String,
    /// Tasks answered in this session.
    answered: u64,
    /// Tasks skipped in this session.
    skipped: u64,
    /// Tasks written to a sheet.
    exported: u64,
    /// Remaining tasks of this kind; `None` for a sheet, which may contain several kinds.
    left: Option<u64>,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let access = if args.export.is_some() { Access::Read } else { Access::Write };
    let mut store = path.open(access)?;
    let judge = args.judge.clone().unwrap_or_else(user_name);
    let mut judged = SessionReport { run: args.run, judge, ..SessionReport::default() };
    let text = if let Some(file) = &args.import {
        let read = judge_sheet::read(&store, args.run, args.judge.as_deref(), file)?;
        (judged.answered, judged.skipped) = (read.answered, read.skipped);
        judged.judge = read.judges.join(", ");
        store.save_judgements(args.run, &read.judgements)?;
        let blank = match read.blank {
            0 => String::new(),
            many => format!(", {} without an answer left out", counted(many, "line")),
        };
        shown!("{} of {} saved{blank}\n", counted(judged.answered, "answer"), judged.judge)
    } else {
        let session = JudgingSession::new(&store, args.run, args.task, &judged.judge)?;
        judged.judge = session.judge().into();
        match &args.export {
            Some(file) => {
                judged.exported = judge_sheet::write(&store, &session, args.number, file)?;
                let tasks = counted(judged.exported, "task");
                shown!("{tasks} for {} in {}\n", judged.judge, file.display())
            }
            None => {
                ask_all(&mut store, &session, args, &mut judged)?;
                let answers = counted(judged.answered, "answer");
                let run = args.run;
                shown!(
                    "{answers} of {} saved; `topoi judgements {run}` shows the scores\n",
                    judged.judge
                )
            }
        }
    };
    if args.import.is_none() {
        let session = JudgingSession::new(&store, args.run, args.task, &judged.judge)?;
        let done = session.judged(&store)?.len() as u64;
        judged.left = Some(session.items().saturating_sub(done));
    }
    let columns = columns!(SessionReport: run, judge, answered, skipped, exported, left);
    Ok(print_outcome(&judged, &columns, &text, args.printing.format())?)
}

/// A parsed line of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    Answer(u32),
    Skip,
    TakeBack,
    Stop,
}

/// Asks task by task, until all or `number` are done or the person stops; each answer is saved at once.
fn ask_all(
    store: &mut Store,
    session: &JudgingSession,
    args: &Arguments,
    judged: &mut SessionReport,
) -> anyhow::Result<()> {
    let (run, task, judge) = (args.run, args.task, session.judge());
    let mut done = session.judged(store)?;
    // Answers of this session; earlier ones can be taken back too.
    let mut given: Vec<Option<u32>> = Vec::new();
    while args.number.is_none_or(|most| (given.len() as u64) < most) {
        let Some(question) = session.next(store, &done)? else {
            say(&shown!("{judge} has done all tasks of this kind"));
            break;
        };
        let document = session.document(store, &question)?;
        show(session, &question, document.as_ref(), &done);
        let shown_at = Instant::now();
        let answer = match typed(task)? {
            Input::Stop => break,
            Input::TakeBack => {
                let is_back = store.undo_judgement(run, judge, task.name())?;
                say(&TerminalText::line(if is_back {
                    "taken back"
                } else {
                    "nothing to take back"
                }));
                given.pop();
                done = session.judged(store)?;
                continue;
            }
            Input::Skip => None,
            Input::Answer(number) => Some(number),
        };
        let seconds = shown_at.elapsed().as_secs_f64();
        store.save_judgements(run, &[saved(judge, &question, answer, Some(seconds))])?;
        done.insert(question.item);
        given.push(answer);
    }
    judged.answered = given.iter().flatten().count() as u64;
    judged.skipped = given.len() as u64 - judged.answered;
    Ok(())
}

/// Width in terminal columns that the text of a document is wrapped to.
const WIDTH: usize = 78;

fn show(
    session: &JudgingSession,
    question: &Question,
    document: Option<&DocumentExcerpt>,
    done: &BTreeSet<u64>,
) {
    let place = session.round_progress(question.item, done);
    let round = if question.task.rounds() > 1 {
        format!(" of round {}", place.round)
    } else {
        String::new()
    };
    say(&shown!("\n{} ({} of {}{round})", question.task.asks(), place.done + 1, place.of));
    if let Some(DocumentExcerpt { title, text }) = document {
        title.iter().for_each(|title| say(&TerminalText::line(title)));
        wrapped(text).iter().for_each(|line| say(&shown!("  {line}")));
    }
    let options = &question.shown.options;
    match question.task {
        Task::Ratings => {
            say(&TerminalText::line(&format!("  {}", options.join(", "))));
            (1..).zip(RATINGS).for_each(|(number, means)| say(&shown!("{number} {means}")));
        }
        Task::Words | Task::Topics => {
            let line = |(number, option)| say(&TerminalText::line(&format!("{number} {option}")));
            (1..).zip(options).for_each(line);
        }
    }
}

/// `text` wrapped to lines of at most [`WIDTH`] columns.
fn wrapped(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    textwrap::wrap(&words.join(" "), WIDTH).into_iter().map(Cow::into_owned).collect()
}

/// Asks until the input is valid. The end of the input stops.
fn typed(task: Task) -> anyhow::Result<Input> {
    let most = task.choices();
    loop {
        ask(&shown!("1-{most}, s skip, u undo, q stop:"))?;
        let mut line = Vec::new();
        let mut input = std::io::stdin().lock().take(LONGEST_LINE);
        if input.read_until(b'\n', &mut line)? == 0 {
            say(&TerminalText::line(""));
            return Ok(Input::Stop);
        }
        if let Some(typed) = parse_input(&String::from_utf8_lossy(&line), most) {
            return Ok(typed);
        }
        say(&shown!("a number from 1 to {most}, or one of the letters s, u and q"));
    }
}

/// Maximum bytes of a line.
const LONGEST_LINE: u64 = 1 << 12;

fn parse_input(line: &str, most: u32) -> Option<Input> {
    match line.trim() {
        "s" | "skip" => Some(Input::Skip),
        "u" | "undo" => Some(Input::TakeBack),
        "q" | "quit" | "stop" => Some(Input::Stop),
        number => {
            let number = number.parse().ok().filter(|number| (1..=most).contains(number))?;
            Some(Input::Answer(number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped_by_the_columns_that_a_terminal_gives_them() {
        assert_eq!(wrapped("  one\n two\t three "), ["one two three"]);
        assert_eq!(wrapped(&"word ".repeat(16)), [&"word ".repeat(15)[..74], "word"]);
        // Wide characters have two columns each, and no blanks between words.
        assert_eq!(wrapped(&"東".repeat(40)), ["東".repeat(39), "東".into()]);
    }
}

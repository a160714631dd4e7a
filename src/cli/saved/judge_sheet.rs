//! Sheets: tasks in a CSV file, for people without the program, and the import of their answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use csv::StringRecord;

use crate::cli::remedy::explained;
use topoi_core::csv_cell::{for_spreadsheets, from_spreadsheet};
use topoi_core::judge::{Question, RATINGS, Task};
use topoi_run::judging::session::{JudgingSession, parse_judge_name, saved};
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::result::judgement::SavedJudgement;

const HEAD: [&str; 12] = [
    "judge", "task", "item", "question", "shown", "option_1", "option_2", "option_3", "option_4",
    "option_5", "option_6", "answer",
];
/// Maximum bytes of a sheet.
const LARGEST_FILE: u64 = 16 << 20;

/// Writes the next `number` tasks of a session, or the rest of the round, without the solutions. Returns their
/// number.
pub fn write(
    store: &Store,
    session: &JudgingSession,
    number: Option<u64>,
    path: &Path,
) -> anyhow::Result<u64> {
    let mut done = session.judged(store)?;
    let mut lines = csv::Writer::from_writer(Vec::new());
    lines.write_record(HEAD)?;
    let (mut written, mut round) = (0, None);
    while number.is_none_or(|most| written < most) {
        let Some(question) = session.next(store, &done)? else { break };
        let of = session.round_progress(question.item, &done).round;
        if number.is_none() && *round.get_or_insert(of) != of {
            break;
        }
        let cells = cells(store, session, &question)?;
        lines.write_record(cells.iter().map(|cell| for_spreadsheets(cell).into_owned()))?;
        done.insert(question.item);
        written += 1;
    }
    let shown = path.display();
    anyhow::ensure!(written > 0, "{} has done all tasks of this kind", session.judge());
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            anyhow::anyhow!("{shown} is there already; give --export another name")
        }
        _ => anyhow::anyhow!("{shown}: {error}"),
    })?;
    let saved = file.write_all(&lines.into_inner()?);
    if saved.is_err() {
        // An incomplete sheet would be taken for a whole one.
        let _ = std::fs::remove_file(path);
    }
    saved.with_context(|| format!("{shown}"))?;
    Ok(written)
}

fn cells(
    store: &Store,
    session: &JudgingSession,
    question: &Question,
) -> anyhow::Result<Vec<String>> {
    let (options, mut shown) = options(question);
    if let Some(document) = session.document(store, question)? {
        let title = document.title.map(|title| format!("{title}: ")).unwrap_or_default();
        shown = title + &document.text;
    }
    let task = question.task;
    let asks = format!("{} Its number, 1 to {}, is the answer.", task.asks(), task.choices());
    let item = question.item.to_string();
    let mut cells = vec![session.judge().into(), task.name().into(), item, asks, shown];
    cells.extend(options);
    cells.resize(HEAD.len(), String::new());
    Ok(cells)
}

/// The choices of a task, and the text that they refer to.
fn options(question: &Question) -> (Vec<String>, String) {
    match question.task {
        Task::Ratings => (RATINGS.map(String::from).into(), question.shown.options.join(", ")),
        Task::Words | Task::Topics => (question.shown.options.clone(), String::new()),
    }
}

/// The content of a sheet.
#[derive(Debug, Default)]
pub struct Sheet {
    pub judgements: Vec<SavedJudgement>,
    /// Names of the judges, in the order of the sheet.
    pub judges: Vec<String>,
    pub answered: u64,
    pub skipped: u64,
    pub blank: u64,
}

/// Reads the answers of a sheet on run `run`; with `judge`, all are saved under that name.
pub fn read(store: &Store, run: RunId, judge: Option<&str>, path: &Path) -> anyhow::Result<Sheet> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("{shown}"))?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).with_context(|| format!("{shown}"))?;
    anyhow::ensure!(bytes.len() as u64 <= LARGEST_FILE, "{shown}: more than 16 MB hold no answers");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let head = reader.headers().map_err(|_| anyhow::anyhow!("{shown}: no CSV in UTF-8"))?.clone();
    let column = |name: &str| {
        head.iter().position(|own| own.trim_start_matches('\u{feff}') == name).ok_or_else(|| {
            anyhow::anyhow!(
                "{shown}: no column {name:?}; `topoi judge {run} --export` makes such a sheet"
            )
        })
    };
    let places = HEAD.map(column).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut sheet = Sheet::default();
    let mut sessions: BTreeMap<(Task, String), JudgingSession> = BTreeMap::new();
    for line in reader.records() {
        let line = line.map_err(|error| {
            let at = error.position().map_or(1, csv::Position::line);
            anyhow::anyhow!("{shown}:{at}: a line that is no CSV in UTF-8")
        })?;
        let at = line.position().map_or(1, csv::Position::line);
        let cell = |number: usize| cell(&line, places[number]);
        let wrong = |what: String| anyhow::anyhow!("{shown}:{at}: {what}");
        let Some(answer) = Some(cell(11).trim()).filter(|answer| !answer.is_empty()) else {
            sheet.blank += 1;
            continue;
        };
        let task = cell(1).trim().parse::<Task>().map_err(|_| {
            wrong(format!("{:?} is no task; it is words, topics or ratings", cell(1)))
        })?;
        // Tasks are in the order of the person that the sheet was made for.
        let drawn_for = cell(0).trim().to_string();
        let session = match sessions.entry((task, drawn_for.clone())) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                let made = JudgingSession::new(store, run, task, &drawn_for);
                new.insert(made.map_err(|error| wrong(explained(&error)))?)
            }
        };
        let item = cell(2).trim().parse::<u64>().ok();
        let question = item.map(|item| session.question(store, item)).transpose()?.flatten();
        let question = question.filter(|question| {
            let (own, about) = options(question);
            let alike = own.iter().zip(5..).all(|(own, number)| own == cell(number));
            alike && (task != Task::Ratings || about == cell(4))
        });
        let question = question.ok_or_else(|| {
            wrong(format!(
                "not task {:?} of run {run} as {drawn_for:?} was asked it; the answers belong to another \
                 run, or the line was changed",
                cell(2)
            ))
        })?;
        let most = task.choices();
        let number = match answer {
            "s" | "skip" => None,
            answer => {
                Some(answer.parse::<u32>().ok().filter(|of| (1..=most).contains(of)).ok_or_else(
                    || {
                        wrong(format!(
                            "{answer:?} is no answer; it is a number from 1 to {most}, or s"
                        ))
                    },
                )?)
            }
        };
        match number {
            Some(_) => sheet.answered += 1,
            None => sheet.skipped += 1,
        }
        let judge = parse_judge_name(judge.unwrap_or(&drawn_for))?;
        sheet.judgements.push(saved(&judge, &question, number, None));
        if !sheet.judges.contains(&judge) {
            sheet.judges.push(judge);
        }
    }
    anyhow::ensure!(!sheet.judgements.is_empty(), "{shown}: no line has an answer");
    Ok(sheet)
}

/// A cell without the escape for spreadsheets.
fn cell(line: &StringRecord, place: usize) -> &str {
    from_spreadsheet(line.get(place).unwrap_or_default())
}

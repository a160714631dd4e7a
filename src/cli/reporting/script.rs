//! `script`.

use std::collections::BTreeMap;

use crate::cli::output::{print_exact, print_json};
use crate::cli::saved::topics::finished_topics;
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::command_words::first_operand;
use crate::cli::typed::store_path::StorePath;
use crate::records::runs::settings_in_words;
use serde_json::json;
use topoi_core::numbers::counted;
use topoi_core::shell_word::{line_of, shell_word};
use topoi_run::request::{Origin, RunRequest};
use topoi_store::command::{CommandWords, CorpusChange};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::note::{NoteChoice, NoteSubject};
use topoi_store::run::Run;
use topoi_store::{Access, Store, StoreError};

/// Print a shell script that makes a run again, with its labels and the results that were kept
///
/// It has the commands as they were typed: of the ingests that the run has the documents of, of the run and those it
/// continues or was shaped from, and of every result of --save. Files are named as they were; run it where they are:
/// topoi script 7 > again.sh; sh again.sh new.db. What was piped into an ingest is read from the files piped-1, piped-2
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    repeated: RunNumber,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    finished_topics(&store, args.repeated.run, 1)?;
    let script = Script::new(&store, store.run(args.repeated.run)?)?;
    let format = args.repeated.printing.format();
    if format.is_json() {
        let told = json!({ "run": args.repeated.run, "script": script.text, "is_complete": script.is_complete });
        return Ok(print_json(&told, format)?);
    }
    Ok(print_exact(&script.text).map(drop)?)
}

/// What names standard input among the paths of an ingest.
const STANDARD_INPUT: &str = "-";
/// Options whose value is a run.
const OPTIONS_OF_RUNS: [&str; 2] = ["--start", "--edits-of"];
/// Options of a sweep that say which runs it has.
const OPTIONS_OF_SWEEPS: [&str; 4] = ["-k", "--k", "--seeds", "--seed"];

/// A script as it is written.
struct Script<'s> {
    store: &'s Store,
    text: String,
    /// Whether every step has its command.
    is_complete: bool,
    /// Ingests that are in the script.
    ingests: usize,
    /// The last command.
    last: CommandWords,
}

impl<'s> Script<'s> {
    fn new(store: &'s Store, run: Run) -> anyhow::Result<Self> {
        let date = run.created_at.get(..10).unwrap_or(&run.created_at);
        let text = format!(
            "#!/bin/sh\n\
             # Makes run {} of corpus {} again, and what was kept of it, in a new store:\n\
             #     sh this-script new.db\n\
             # where the files are that it names. Topoi {} made the run on {date}.\n\
             set -eu\n\
             TOPOI_STORE=\"${{1:?name the new store}}\"\n\
             export TOPOI_STORE\n\n",
            run.id,
            comment(&run.corpus),
            run.program_version
        );
        let mut script = Self { store, text, is_complete: true, ingests: 0, last: Vec::new() };
        for before in script.lineage(&run)? {
            script.add_ingests(&before)?;
            script.add_run(&before)?;
        }
        script.add_changes(&run)?;
        script.add_labels(&run)?;
        script.add_notes(&run)?;
        script.add_stability(&run)?;
        script.add_results(&run)?;
        Ok(script)
    }

    /// A run after those that it continues, starts from and was shaped from, in their order.
    fn lineage(&mut self, run: &Run) -> anyhow::Result<Vec<Run>> {
        let (mut found, mut next) = (BTreeMap::new(), vec![run.id]);
        while let Some(id) = next.pop() {
            if found.contains_key(&id) {
                continue;
            }
            match self.store.run(id) {
                Ok(run) => {
                    next.extend(before(self.store, &run)?);
                    found.insert(id, run);
                }
                Err(StoreError::UnknownRun(id)) => {
                    self.missing(&format!(
                        "run {id}, which run {} is made from, was deleted",
                        run.id
                    ));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(found.into_values().collect())
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A command; not again what was the last one.
    fn command(&mut self, words: CommandWords) {
        if words != self.last {
            self.line(&format!("topoi {}", line_of(&words)));
            self.last = words;
        }
    }

    /// What has no command: the script stops there.
    fn missing(&mut self, what: &str) {
        self.is_complete = false;
        let line = format!("echo {} >&2; exit 1", shell_word(what));
        self.line(&line);
    }

    fn add_ingests(&mut self, run: &Run) -> anyhow::Result<()> {
        let ingests = self.store.ingests_of_run(run.corpus_id, run.id)?;
        for ingest in ingests.into_iter().skip(self.ingests) {
            self.ingests += 1;
            match ingest.command {
                Some(words) if words.iter().any(|word| word == STANDARD_INPUT) => {
                    let file = format!("piped-{}", self.ingests);
                    self.line(&format!(
                        "# {file}: what ingest {} read from its standard input",
                        self.ingests
                    ));
                    self.line(&format!("topoi {} < {file}", line_of(&words)));
                    self.last = Vec::new();
                }
                Some(words) => self.command(words),
                None => self.missing(&format!(
                    "{} of {} came without a command of topoi: ingest them here",
                    counted(ingest.documents, "document"),
                    ingest.source
                )),
            }
        }
        Ok(())
    }

    fn add_run(&mut self, run: &Run) -> anyhow::Result<()> {
        let request = RunRequest::from_run(run)?;
        let words = self.store.command_of_run(run.id)?;
        match (&request.origin, words) {
            (Origin::Shaped(shaping), _) => {
                let file = format!("edits-of-run-{}.json", run.id);
                let edits = serde_json::to_string(&shaping.edits)?;
                self.line(&format!("cat > {file} <<'END'\n{edits}\nEND"));
                let parent = self.name_of(shaping.parent)?;
                self.command(["shape", &parent, "--edits", &file].map(String::from).into());
            }
            (_, Some(words)) => {
                let words = one_run_of_sweep(words, run, request.settings.factorise);
                let continues = words.first().is_some_and(|name| name == "update");
                let from = request.settings.start.filter(|_| continues);
                let words = self.with_names(words, from)?;
                self.command(words);
            }
            (_, None) => {
                let settings = settings_in_words(run).unwrap_or_default();
                self.missing(&format!(
                    "run {} came without a command of topoi: make a run of {} with {} topics here, seed {}, {settings}",
                    run.id, run.model, run.k, run.seed
                ));
            }
        }
        let latest = format!("{}@latest", run.corpus);
        self.command(vec!["name".into(), latest, self.name_of(run.id)?]);
        Ok(())
    }

    /// The name of a run in the script.
    fn name_of(&self, run: RunId) -> anyhow::Result<String> {
        let name = match self.store.run(run) {
            Err(StoreError::UnknownRun(_)) => None,
            found => found?.name,
        };
        Ok(name.unwrap_or_else(|| format!("run-{run}")))
    }

    /// A command with the names of the runs that it refers to; what is no option begins with `of`, if that is a run.
    fn with_names(
        &self,
        mut words: CommandWords,
        of: Option<RunId>,
    ) -> anyhow::Result<CommandWords> {
        if let Some(run) = of {
            let place = first_operand(&words);
            words[place] = self.name_of(run)?;
        }
        for place in 2..words.len() {
            let is_run = OPTIONS_OF_RUNS.contains(&words[place - 1].as_str());
            if let (true, Ok(run)) = (is_run, words[place].parse()) {
                words[place] = self.name_of(run)?;
            }
        }
        Ok(words)
    }

    /// What was said of fields, and a note of what else was done to the corpus between its ingests, of which no command
    /// is kept.
    fn add_changes(&mut self, run: &Run) -> anyhow::Result<()> {
        for change in self.store.changes_without_command(run.corpus_id)? {
            let what = match change {
                CorpusChange::FieldKinds => {
                    let kinds = self.store.field_kinds(run.corpus_id)?;
                    let mut words = vec!["fields".to_string(), run.corpus.clone()];
                    words.extend(kinds.iter().map(|(field, kind)| format!("--set={field}={kind}")));
                    self.command(words);
                    continue;
                }
                CorpusChange::JoinedFields => {
                    "a table that `topoi fields --join` gave documents fields of"
                }
                CorpusChange::DeletedDocuments => "a deletion of documents",
            };
            self.is_complete = false;
            let what = format!("{what} is not in this script: do it here");
            self.line(&format!("echo {} >&2", shell_word(&what)));
        }
        Ok(())
    }

    fn add_labels(&mut self, run: &Run) -> anyhow::Result<()> {
        let name = self.name_of(run.id)?;
        for (topic, label) in (0..).map(TopicNumber).zip(self.store.topic_labels(run.id)?) {
            let Some(label) = label else { continue };
            let mut words = vec!["label".into(), name.clone(), topic.to_string(), label.text];
            words.extend(label.by.into_iter().flat_map(|by| ["--by".to_string(), by]));
            self.command(words);
        }
        Ok(())
    }

    /// The notes on a run and its topics.
    fn add_notes(&mut self, run: &Run) -> anyhow::Result<()> {
        let choice = NoteChoice { run: Some(run.id), ..NoteChoice::default() };
        for note in self.store.notes(choice)? {
            let mut words = vec!["note".into(), note.text, "--run".into(), self.name_of(run.id)?];
            if let NoteSubject::Topic(_, topic) = note.subject {
                words.extend(["--topic".to_string(), topic.to_string()]);
            }
            words.extend(["--by".to_string(), note.by]);
            self.command(words);
        }
        Ok(())
    }

    /// The runs on halves of its documents, which tell how certain its topics are.
    fn add_stability(&mut self, run: &Run) -> anyhow::Result<()> {
        for half in self.store.runs()?.iter().filter(|half| half.asked_with == Some(run.id)) {
            let words = self.store.command_of_run(half.id)?;
            if let Some(words) = words.filter(|words| words[0] == "stability") {
                let words = self.with_names(words, Some(run.id))?;
                self.command(words);
            }
        }
        Ok(())
    }

    fn add_results(&mut self, run: &Run) -> anyhow::Result<()> {
        for result in self.store.results(Some(run.id))?.into_iter().rev() {
            if result.command.is_empty() {
                self.missing(&format!("result {:?} came without a command of topoi", result.name));
                continue;
            }
            let mut words = self.with_names(result.command, Some(run.id))?;
            words.splice(1..1, ["--save".to_string(), result.name]);
            self.command(words);
        }
        Ok(())
    }
}

/// The runs that a run was made from.
fn before(store: &Store, run: &Run) -> anyhow::Result<Vec<RunId>> {
    let request = RunRequest::from_run(run)?;
    let parent = match &request.origin {
        Origin::Shaped(shaping) => Some(shaping.parent),
        _ => None,
    };
    let before = [request.settings.start, parent, store.previous_in_series(run.id)?];
    Ok(before.into_iter().flatten().collect())
}

/// The command of one run of a sweep; any other command as it is.
fn one_run_of_sweep(words: CommandWords, run: &Run, pairs: Option<usize>) -> CommandWords {
    if words.first().is_none_or(|name| name != "sweep") {
        return words;
    }
    let mut one = vec!["run".to_string()];
    let mut rest = words.into_iter().skip(1);
    while let Some(word) = rest.next() {
        if OPTIONS_OF_SWEEPS.contains(&word.as_str()) {
            rest.next();
        } else {
            one.push(word);
        }
    }
    one.extend(["--k".into(), run.k.to_string(), "--seed".into(), run.seed.to_string()]);
    // The runs of a sweep share a factorisation.
    let pairs = pairs.filter(|pairs| *pairs as u64 != run.k);
    one.extend(pairs.into_iter().flat_map(|pairs| ["--factorise".into(), pairs.to_string()]));
    one
}

/// A text in a comment of a script.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

//! The form of a job: its fields, and the command that does the same.

use super::kind::JobKind;
use super::path::{Completion, completed};
use crate::tui::input::Input;
use crate::tui::keymap::{Action, COMPLETE_PATH};
use topoi_core::shell_word::{line_of, split_line};
use topoi_run::export::format::FORMATS;
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::RunId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub value: Input,
    /// The values it can have; empty where the user types one.
    pub choices: Vec<&'static str>,
    pub help: &'static str,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    Filling,
    /// The estimate is being computed.
    Estimating,
    /// The estimate is shown; the form waits for a yes.
    Estimated(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct JobForm {
    pub kind: JobKind,
    pub fields: Vec<Field>,
    /// Index of the field with the cursor.
    pub at: usize,
    pub stage: Stage,
    pub error: Option<String>,
}

/// Fields for a file or folder.
const PATHS: [&str; 3] = ["files", "table", "into"];

fn field(name: &'static str, value: impl AsRef<str>, help: &'static str) -> Field {
    let value = Input::default().with_text(value.as_ref());
    Field { name, value, choices: Vec::new(), help }
}

impl JobForm {
    pub fn new(kind: JobKind, corpus: Option<&str>, run: Option<RunId>) -> Self {
        let corpus = corpus.unwrap_or_default();
        let run = run.map(|run| run.to_string()).unwrap_or_default();
        let number = "the run's number";
        let fields = match kind {
            JobKind::Ingest => vec![
                field("corpus", corpus, "its name; a new one makes a new corpus"),
                field("files", "", "a file, a directory or a pattern such as news/*.jsonl"),
                field("table", "", "a table of author, year … by file name; empty for none"),
            ],
            JobKind::Delete => vec![field("corpus", corpus, "its name")],
            JobKind::Export => vec![
                field("run", run, number),
                Field {
                    choices: FORMATS.iter().map(|format| format.name).collect(),
                    ..field("as", FORMATS[0].name, "Left and Right choose")
                },
                field("into", "", "the file or folder; empty for one in this directory"),
            ],
            JobKind::Figure => vec![
                field("run", run, number),
                field("options", "", "of topoi plot: --by year, --effects '~ year' --topic 3"),
                field("into", "", "the file: .svg, .pdf or .png"),
                field("keep as", "", "a name to keep it under in the store; empty for none"),
            ],
            JobKind::HeldOut => vec![
                field("run", run, number),
                field("splits", "5", "how often the documents are split; a run each"),
                field("share", "0.2", "the share of the documents that is held out"),
            ],
        };
        let at = fields.iter().position(|field| field.value.is_empty()).unwrap_or(0);
        Self { kind, fields, at, stage: Stage::Filling, error: None }
    }

    /// The form with the options of a figure.
    pub fn with_options(mut self, options: &[String]) -> Self {
        if let Some(field) = self.fields.iter_mut().find(|field| field.name == "options") {
            field.value.set(&line_of(options));
            self.at = self.fields.iter().position(|field| field.name == "into").unwrap_or(0);
        }
        self
    }

    pub fn value(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|field| field.name == name);
        found.map_or("", |field| field.value.as_str().trim())
    }

    /// Why the form is incomplete, if it is.
    pub fn missing(&self) -> Option<String> {
        let may_be_empty =
            |field: &&Field| !["into", "options", "keep as", "table"].contains(&field.name);
        let is_empty = |field: &&Field| field.value.as_str().trim().is_empty();
        let empty = self.fields.iter().filter(may_be_empty).find(is_empty);
        let not_number = |name: &str| {
            let value = self.value(name);
            (!value.is_empty() && value.parse::<f64>().is_err())
                .then(|| format!("{name} is {value:?}, but must be a number"))
        };
        match empty {
            Some(field) => Some(format!("{} is empty: {}", field.name, field.help)),
            None if split_line(self.value("options")).is_none() => {
                Some("options have a quote without an end".into())
            }
            None => ["run", "splits", "share"].into_iter().find_map(not_number),
        }
    }

    /// Types into the field with the cursor, if it is one for text.
    pub fn insert(&mut self, text: &str) {
        if self.stage != Stage::Filling {
            return;
        }
        self.error = None;
        let Some(field) = self.fields.get_mut(self.at).filter(|field| field.choices.is_empty())
        else {
            return;
        };
        field.value.insert(text);
    }

    pub fn edit(&mut self, action: Action) {
        self.error = None;
        let count = self.fields.len();
        let Some(field) = self.fields.get_mut(self.at) else { return };
        let typed = field.choices.is_empty();
        match action {
            COMPLETE_PATH if PATHS.contains(&field.name) => match completed(field.value.as_str()) {
                Completion::Nothing => self.at = (self.at + 1) % count,
                Completion::Longer(text) => field.value.set(&text),
                Completion::Several(names) => self.error = Some(names),
            },
            COMPLETE_PATH | Action::NextField => self.at = (self.at + 1) % count,
            Action::PreviousField => self.at = (self.at + count - 1) % count,
            _ if typed => _ = field.value.act(action),
            Action::Left | Action::Right => {
                let value = field.value.as_str();
                let at = field.choices.iter().position(|choice| *choice == value).unwrap_or(0);
                let choices = field.choices.len();
                let next = at + if action == Action::Right { 1 } else { choices - 1 };
                field.value.set(field.choices[next % choices]);
            }
            _ => {}
        }
    }

    /// The process of the job. Each value is an argument of its own, after `--` or in `--name=value`, so that none is read
    /// as an option.
    pub fn job(&self) -> BackgroundJob {
        let own = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let arguments = match self.kind {
            JobKind::Ingest => {
                let table = expanded(self.value("table"));
                let table = (!table.is_empty()).then(|| format!("--metadata={table}"));
                let mut all = own(&["ingest"]);
                all.extend(table);
                all.extend(own(&["--", self.value("corpus")]));
                all.push(expanded(self.value("files")));
                all
            }
            JobKind::Delete => {
                own(&["delete", "--kind=corpus", "--yes", "--", self.value("corpus")])
            }
            JobKind::Export => {
                let mut all = own(&["export", self.value("run"), "--to", self.value("as")]);
                if !self.value("into").is_empty() {
                    all.push(format!("--into={}", expanded(self.value("into"))));
                }
                all
            }
            JobKind::Figure => {
                let mut all = own(&["plot", self.value("run")]);
                all.extend(split_line(self.value("options")).unwrap_or_default());
                if !self.value("into").is_empty() {
                    all.push(format!("--into={}", expanded(self.value("into"))));
                }
                if !self.value("keep as").is_empty() {
                    all.push(format!("--save={}", self.value("keep as")));
                }
                all
            }
            JobKind::HeldOut => own(&[
                "held-out",
                &format!("--like={}", self.value("run")),
                &format!("--splits={}", self.value("splits")),
                &format!("--share={}", self.value("share")),
            ]),
        };
        let of = self.fields.first().map_or("", |field| field.value.as_str().trim());
        BackgroundJob::Command { title: format!("{} {of}", self.kind.title()), arguments }
    }

    /// The equivalent command line.
    pub fn command(&self) -> String {
        match self.job() {
            BackgroundJob::Command { arguments, .. } => {
                let words = arguments.iter().filter(|word| *word != "--" && *word != "--yes");
                format!("topoi {}", line_of(&words.cloned().collect::<Vec<_>>()))
            }
            _ => String::new(),
        }
    }
}

/// `~/` is the home directory, as in a shell.
pub fn expanded(path: &str) -> String {
    match (path.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_what_is_missing_and_which_command_does_the_same() {
        let mut form = JobForm::new(JobKind::Ingest, Some("news"), None);
        assert_eq!((form.at, form.missing().is_some()), (1, true));
        form.insert("my files/*.txt\u{7}");
        assert_eq!(form.missing(), None);
        assert_eq!(form.command(), "topoi ingest news 'my files/*.txt'");
        let mut form = JobForm::new(JobKind::Export, None, Some(RunId(12)));
        form.at = 1;
        form.edit(Action::Left);
        let last = FORMATS[FORMATS.len() - 1].name;
        assert_eq!(form.command(), format!("topoi export 12 --to {last}"));
        let options = ["--by", "year", "--where", "a = 'b'"].map(String::from);
        let mut form = JobForm::new(JobKind::Figure, None, Some(RunId(12))).with_options(&options);
        form.insert("a.pdf");
        let line = r"topoi plot 12 --by year --where 'a = '\''b'\''' --into=a.pdf";
        assert_eq!((form.missing(), form.command().as_str()), (None, line));
        form.at = 1;
        form.insert(" '");
        assert!(form.missing().is_some_and(|missing| missing.contains("quote")));
        let mut form = JobForm::new(JobKind::HeldOut, None, Some(RunId(12)));
        form.fields[1].value.set("x");
        assert!(form.missing().is_some_and(|missing| missing.contains("must be a number")));
    }
}

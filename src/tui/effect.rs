//! Effects: what the state asks the event loop to do.

use super::list::columns::ExportTable;
use super::question::Request;
use topoi_core::judge::Task;
use topoi_run::choose_k::sweep::KList;
use topoi_run::life::spawn::BackgroundJob;
use topoi_run::request::RunRequest;
use topoi_run::shaping::factor::FactorCost;
use topoi_store::command::CommandWords;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::DocumentOrder;
use topoi_store::id::{CorpusId, RunId, TopicNumber};
use topoi_store::note::NoteSubject;
use topoi_store::result::judgement::SavedJudgement;

/// One thing to do; the event loop does it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the store; the answer comes as a message.
    Read(Request),
    /// Save a run for every K and start a worker.
    Launch(Box<RunRequest>, KList, Option<CommandWords>),
    /// Start a process for this job.
    StartJob(BackgroundJob),
    /// Cancel the run of this number.
    Cancel(RunId),
    /// Resume the run of this number after its last finished stage.
    Resume(RunId),
    /// Save the name of a run; `None` removes it.
    NameRun {
        run: RunId,
        name: Option<String>,
    },
    /// Save a note, an empty one as a bookmark; `None` removes the note.
    Note {
        corpus: CorpusId,
        subject: NoteSubject,
        text: Option<String>,
    },
    /// Find names to propose for the topics of a run; they come as news.
    ProposeNames(RunId),
    /// Name a topic; `None` removes its name.
    Label {
        run: RunId,
        topic: TopicNumber,
        label: Option<String>,
    },
    /// Save a judgement, or take one back.
    Judge(JudgementEdit),
    /// Compute the factor that anchors of a run need, in place of the one that is being computed.
    MakeFactor(Box<FactorCost>),
    /// Cancel it.
    StopFactor,
    /// Run the user's own query; the outcome comes as news with this ticket.
    AskSql {
        ticket: u64,
        sql: String,
    },
    /// Interrupt the query.
    InterruptSql,
    /// Add a query to the history.
    Remember(String),
    /// Put a text on the clipboard of the user's terminal.
    Copy(String),
    /// Write what is shown to a file.
    Export(Box<Export>),
    /// Have clicks and the wheel come to the workbench, or leave them to the terminal.
    Mouse(bool),
    /// Stop this process until the shell continues it.
    Suspend,
    /// Clear the screen and draw all of it.
    Redraw,
    Quit,
}

/// A change to the saved judgements. Changes are applied in order.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgementEdit {
    Save { run: RunId, judgement: Box<SavedJudgement> },
    TakeBack { run: RunId, judge: String, task: Task },
}

/// What is to be written to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    pub source: Source,
    pub format: Format,
}

/// The longest name of a file, without number and ending.
const LONGEST_NAME: usize = 80;

impl Export {
    /// The name of its file: letters, digits, `-`, `_` and `.`, and not hidden.
    pub fn file_name(&self) -> String {
        let ending = match self.format {
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Markdown => "md",
        };
        let name = match &self.source {
            Source::ExportTable(sheet) => sheet.name.clone(),
            Source::Documents { corpus, .. } => format!("{}-documents", corpus.name),
            Source::Notes { .. } => "notes".into(),
        };
        let keep = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = name.chars().map(keep).take(LONGEST_NAME).collect();
        let name = name.trim_start_matches(['.', '-']);
        format!("{}.{ending}", if name.is_empty() { "export" } else { name })
    }
}

/// Where the rows of an export come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Rows that the screen holds.
    ExportTable(ExportTable),
    /// Notes with these words, as Markdown.
    Notes { words: String },
    /// Documents with this text in key or title, read page by page.
    Documents { corpus: Corpus, filter: String, order: DocumentOrder },
}

/// How rows are written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
    /// Of notes alone.
    Markdown,
}

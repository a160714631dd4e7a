//! Names of topics from another program, such as a script around a language model: it gets a topic as JSON and prints a
//! name.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;

use topoi_core::numbers::thousands;
use topoi_run::naming::{ProposedPhrase, proposed_names};
use topoi_run::work::work_error::WorkError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::{Topic, Word};
use topoi_store::{Store, StoreError};

/// Words of each kind, phrases, documents, and characters of a document that a program gets.
const WORDS: usize = 20;
const PHRASES: usize = 10;
const DOCUMENTS: usize = 5;
const CHARACTERS: usize = 600;
/// Maximum bytes of what a program prints.
const MOST_PRINTED: u64 = 64 << 10;
/// Time between two looks at whether a program has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// A topic as a program gets it, in one line of JSON.
#[derive(Debug, Serialize)]
pub struct TopicToName {
    run: RunId,
    corpus: String,
    topic: TopicNumber,
    /// Number of topics of the run.
    topics: usize,
    /// The name it has.
    label: Option<String>,
    /// Its mean proportion in the documents.
    document_share: f64,
    words: Vec<Word>,
    characteristic: Vec<Word>,
    /// Phrases that set its clearest documents apart, best first.
    phrases: Vec<ProposedPhrase>,
    /// Its clearest documents.
    documents: Vec<ClearDocument>,
}

/// A document with much of a topic.
#[derive(Debug, Serialize)]
struct ClearDocument {
    key: String,
    title: Option<String>,
    proportion: f64,
    /// How its text begins; `None` for a corpus of counts.
    beginning: Option<String>,
}

impl TopicToName {
    /// The topics of a run that are to be named: `topic`, or those without a label.
    pub fn from_run(
        store: &Store,
        run: RunId,
        topics: Vec<Topic>,
        topic: Option<TopicNumber>,
    ) -> Result<Vec<Self>, WorkError> {
        let row = store.run(run)?;
        let mut proposed = proposed_names(store, &row, PHRASES)?;
        let (corpus, all) = (row.corpus, topics.len());
        let is_named = |of: &Topic| topic.map_or(of.label.is_none(), |topic| of.topic == topic);
        let chosen = topics.into_iter().filter(is_named);
        chosen
            .map(|Topic { topic, shares, label, words, characteristic, .. }| {
                let clearest = store.documents_of_topic(run, topic, DOCUMENTS)?;
                let documents = clearest.into_iter().map(|of| {
                    Ok(ClearDocument {
                        beginning: store.document_beginning(of.document.id, CHARACTERS)?,
                        key: of.document.key,
                        title: of.document.title,
                        proportion: of.share,
                    })
                });
                let documents = documents.collect::<Result<_, StoreError>>()?;
                let (corpus, document_share) = (corpus.clone(), shares.document_share);
                let topics = all;
                let of_topic = proposed.iter_mut().find(|proposed| proposed.topic == topic);
                let phrases = of_topic.map(|proposed| std::mem::take(&mut proposed.phrases));
                Ok(Self {
                    run,
                    corpus,
                    topic,
                    topics,
                    label,
                    document_share,
                    words,
                    characteristic,
                    phrases: phrases.unwrap_or_default(),
                    documents,
                })
            })
            .collect()
    }

    /// Number of words of each kind that a program gets.
    pub const fn words() -> usize {
        WORDS
    }

    /// The topic.
    pub fn topic(&self) -> TopicNumber {
        self.topic
    }

    /// The name that a shell command prints for it: the first line of its output that is not blank.
    ///
    /// # Errors
    /// Why there is none, in a few words.
    pub fn named_by(&self, command: &str, limit: Duration) -> Result<String, String> {
        let json = serde_json::to_string(self).map_err(|error| error.to_string())? + "\n";
        let mut program = Command::new("sh")
            .args(["-c", command])
            // Of its own, so that what it has started ends with it.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the command cannot be started ({error})"))?;
        let (mut printed, mut said) = (Vec::new(), Vec::new());
        let ended = std::thread::scope(|scope| {
            let (stdin, stdout, stderr) =
                (program.stdin.take(), program.stdout.take(), program.stderr.take());
            // A program may print its name before it has read everything, or nothing of it.
            let begin = |name: &str| std::thread::Builder::new().name(name.into());
            let threads = [
                begin("name-in").spawn_scoped(scope, move || {
                    let _ = stdin.map(|mut stdin| stdin.write_all(json.as_bytes()));
                }),
                begin("name-out").spawn_scoped(scope, || {
                    let out = stdout.map(|out| out.take(MOST_PRINTED + 1));
                    let _ = out.map(|mut out| out.read_to_end(&mut printed));
                }),
                begin("name-err").spawn_scoped(scope, || {
                    let out = stderr.map(|out| out.take(MOST_PRINTED));
                    let _ = out.map(|mut out| out.read_to_end(&mut said));
                }),
            ];
            let is_started = threads.iter().all(Result::is_ok);
            if is_started { wait(&mut program, limit) } else { end(&mut program, None) }
        })?;
        name_of(&printed, &said, ended, limit)
    }
}

/// How a program ended; `None` after the time that it has.
type Ended = Option<ExitStatus>;

fn wait(program: &mut Child, limit: Duration) -> Result<Ended, String> {
    let begun = Instant::now();
    loop {
        match program.try_wait().map_err(|error| error.to_string())? {
            Some(status) => return end(program, Some(status)),
            None if begun.elapsed() >= limit => return end(program, None),
            None => std::thread::sleep(PAUSE),
        }
    }
}

/// Ends what is left of a program and of what it has started, which could hold its output open.
fn end(program: &mut Child, status: Ended) -> Result<Ended, String> {
    let group = i32::try_from(program.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may be over.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = program.wait();
    Ok(status)
}

fn name_of(printed: &[u8], said: &[u8], ended: Ended, limit: Duration) -> Result<String, String> {
    let last_line = || {
        let said = String::from_utf8_lossy(said);
        let line = said.lines().rev().find(|line| !line.trim().is_empty());
        line.map(|line| format!(" ({})", line.trim())).unwrap_or_default()
    };
    if printed.len() as u64 > MOST_PRINTED {
        return Err(format!("the command prints more than {} bytes", thousands(MOST_PRINTED)));
    }
    match ended {
        None => return Err(format!("the command takes more than {} s", limit.as_secs())),
        Some(status) if !status.success() => {
            let how = match (status.code(), status.signal()) {
                (Some(code), _) => format!("with status {code}"),
                (None, Some(signal)) => format!("by signal {signal}"),
                (None, None) => "without success".into(),
            };
            return Err(format!("the command ended {how}{}", last_line()));
        }
        Some(_) => {}
    }
    let text =
        std::str::from_utf8(printed).map_err(|_| "the command prints no UTF-8".to_string())?;
    let name = text.lines().map(str::trim).find(|line| !line.is_empty());
    name.map(String::from).ok_or_else(|| format!("the command prints no name{}", last_line()))
}

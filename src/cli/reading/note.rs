//! `note`.

use serde::Serialize;

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::{Printing, person};
use crate::cli::typed::citation::CitationArgs;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_run::notes::{passage_of_quote, save_note};
use topoi_run::user::user_name;
use topoi_store::corpus::Corpus;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::note::{Note, NoteChoice, NoteSubject};
use topoi_store::{Access, Store};

/// Note something of a corpus, run, topic, document, passage or word; without a text it is a bookmark
///
/// There is one note of each: a new one replaces it. `topoi notes` lists them. A passage is named by its words
/// (--quote), and is kept with its source, so that both are there when the document is gone.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to note
    #[arg(default_value = "", hide_default_value = true)]
    text: String,
    /// The corpus, or the one of the document or word
    #[arg(long, value_name = "NAME", required_unless_present = "run", conflicts_with = "run")]
    corpus: Option<String>,
    /// The run, or the one of the topic
    #[arg(long, value_name = "RUN", value_parser = run_reference())]
    run: Option<RunId>,
    /// This topic of --run
    #[arg(long, requires = "run")]
    topic: Option<TopicNumber>,
    /// The document of --corpus with this key
    #[arg(long, value_name = "KEY", requires = "corpus")]
    document: Option<String>,
    /// The passage of --document with these words
    #[arg(long, value_name = "WORDS", requires = "document")]
    quote: Option<String>,
    /// A word, as --corpus has it or not
    #[arg(long, requires = "corpus", conflicts_with = "document")]
    word: Option<String>,
    /// Take the note away
    #[arg(long, conflicts_with_all = ["text", "by", "citation"])]
    remove: bool,
    /// Who notes it [default: the user's name]
    #[arg(long, value_name = "NAME", value_parser = person)]
    by: Option<String>,
    #[command(flatten)]
    citation: CitationArgs,
    #[command(flatten)]
    printing: Printing,
}

/// The note on something before and after.
#[derive(Serialize)]
struct Noted {
    about: &'static str,
    corpus: String,
    subject: String,
    note: Option<String>,
    before: Option<String>,
}

/// Maximum bytes of a note, and of a word.
const LONGEST: [usize; 2] = [100_000, 1000];

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    for (text, longest) in [(Some(&args.text), LONGEST[0]), (args.word.as_ref(), LONGEST[1])] {
        let bytes = text.map_or(0, String::len);
        anyhow::ensure!(bytes <= longest, "{bytes} bytes are too many; {longest} are kept");
    }
    let store = path.open(Access::Write)?;
    let corpus = match (args.run, &args.corpus) {
        (Some(run), _) => store.corpus_by_id(store.run(run)?.corpus_id)?,
        (None, name) => store.corpus(name.as_deref().unwrap_or_default())?,
    };
    let subject = subject(args, &store, &corpus)?;
    let before = store.note(corpus.id, &subject)?;
    let described = described(&corpus, &subject);
    let (note, text) = if args.remove {
        anyhow::ensure!(
            store.remove_note(corpus.id, &subject)?,
            "there is no note on {described}; `topoi notes` lists all"
        );
        (None, format!("the note on {described} is taken away\n"))
    } else {
        let by = args.by.clone().unwrap_or_else(user_name);
        let note = args.text.trim().to_string();
        save_note(&store, &corpus, subject.clone(), (note.clone(), by), &args.citation.form())?;
        let what = if note.is_empty() { "a bookmark" } else { "a note" };
        let replaced = before.as_ref().filter(|before| !before.text.is_empty());
        let replaced =
            replaced.map(|before| format!(", in place of: {}", before.text)).unwrap_or_default();
        (Some(note), format!("{what} on {described} is saved{replaced}\n"))
    };
    let noted = Noted {
        about: subject.about(),
        corpus: corpus.name,
        subject: described,
        note,
        before: before.map(|before| before.text),
    };
    let columns = columns!(Noted: about, corpus, subject, note, before);
    Ok(print_outcome(&noted, &columns, &TerminalText::text(&text), args.printing.format())?)
}

/// What a note is about, as messages name it.
fn described(corpus: &Corpus, subject: &NoteSubject) -> String {
    match subject {
        NoteSubject::Corpus => format!("corpus {}", corpus.name),
        NoteSubject::Document(_) | NoteSubject::Passage(_) => {
            format!("{subject} of {}", corpus.name)
        }
        other => other.to_string(),
    }
}

/// Whether two quotes have the same words.
fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// What is to be noted of, which is there.
fn subject(args: &Arguments, store: &Store, corpus: &Corpus) -> anyhow::Result<NoteSubject> {
    Ok(match (args.run, args.topic, &args.document, &args.word) {
        (Some(run), Some(topic), _, _) => NoteSubject::Topic(run, topic),
        (Some(run), None, _, _) => NoteSubject::Run(run),
        (_, _, Some(key), _) => match &args.quote {
            Some(quote) if args.remove => {
                let all =
                    store.notes(NoteChoice { corpus: Some(corpus.id), ..NoteChoice::default() })?;
                let is_it = |note: &Note| {
                    note.subject
                        .passage()
                        .is_some_and(|it| it.document == *key && same_words(&it.quote, quote))
                };
                let Some(found) = all.into_iter().find(is_it) else {
                    anyhow::bail!(
                        "there is no note on such a passage of {key}; `topoi notes` lists all"
                    )
                };
                found.subject
            }
            Some(quote) => {
                let id = store.id_of_document(corpus, key)?;
                let Some(document) = store.document(id)? else {
                    anyhow::bail!("document {key} is gone")
                };
                NoteSubject::Passage(passage_of_quote(store, &document, quote)?)
            }
            None => NoteSubject::Document(key.clone()),
        },
        (_, _, _, Some(word)) => {
            anyhow::ensure!(!word.trim().is_empty(), "the word is empty; name one");
            NoteSubject::Word(word.trim().to_string())
        }
        _ => NoteSubject::Corpus,
    })
}

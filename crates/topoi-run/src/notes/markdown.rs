//! Notes as Markdown: a heading for each corpus, quotes as block quotes with their sources.

use std::fmt::Write;

use topoi_store::note::{Note, NoteState, NoteSubject};

/// Signs that Markdown reads as more than text.
const SIGNS: &str = r"\`*_{}[]<>#|~";

/// The notes as Markdown, each with what it is about, its quote, source and text.
pub fn markdown(notes: &[Note]) -> String {
    let mut text = String::new();
    let mut corpus = None;
    for note in notes {
        if corpus != Some(&note.corpus) {
            let _ = writeln!(
                text,
                "{}# Notes on {}\n",
                if corpus.is_some() { "\n" } else { "" },
                plain(&note.corpus)
            );
            corpus = Some(&note.corpus);
        }
        write_note(note, &mut text);
    }
    text
}

fn write_note(note: &Note, text: &mut String) {
    let label = note.label.as_ref().map(|label| format!(" ({})", plain(label))).unwrap_or_default();
    let heading = match &note.subject {
        NoteSubject::Corpus => format!("Corpus {}", plain(&note.corpus)),
        NoteSubject::Run(run) => format!("Run {run}"),
        NoteSubject::Topic(run, topic) => format!("Topic {topic}{label} of run {run}"),
        NoteSubject::Document(key) => plain(key),
        NoteSubject::Passage(passage) => plain(&passage.document),
        NoteSubject::Word(word) => format!("Word {}", plain(word)),
    };
    let _ = writeln!(text, "## {heading}\n");
    if let Some(passage) = note.subject.passage() {
        for line in passage.quote.lines() {
            let _ = writeln!(text, "> {}", plain(line.trim()));
        }
        let _ = writeln!(text, ">");
    }
    if let Some(source) = &note.source {
        let quoted = if note.subject.passage().is_some() { "> \u{2014} " } else { "" };
        let _ = writeln!(text, "{quoted}{}\n", plain(source));
    }
    match note.state {
        NoteState::Present => {}
        NoteState::Moved => text.push_str("*The passage is at another place of the text now.*\n\n"),
        NoteState::Changed => text.push_str("*The document no longer has this passage.*\n\n"),
        NoteState::Gone => text.push_str("*The document is no longer in the corpus.*\n\n"),
    }
    if !note.text.is_empty() {
        let lines: Vec<String> = note.text.lines().map(plain).collect();
        let _ = writeln!(text, "{}\n", lines.join("  \n"));
    }
    let day = note.at.get(..10).unwrap_or(&note.at);
    let _ = writeln!(text, "{}, {day}\n", plain(&note.by));
}

/// Text that Markdown shows as it is.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if SIGNS.contains(sign) {
            shown.push('\\');
        }
        shown.push(if sign.is_control() { ' ' } else { sign });
    }
    shown
}

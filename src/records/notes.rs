//! Notes and bookmarks.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_store::note::{Note, NoteSubject};

pub fn columns() -> Vec<Column<Note>> {
    let column =
        |name: &'static str, kind: Kind, cell: fn(&Note) -> Value| Column::new(name, kind, cell);
    vec![
        column("about", Kind::Text, |note| json!(note.subject.about())).listed(Width::Cells(9)),
        column("corpus", Kind::Text, |note| json!(note.corpus)).listed_from(100, Width::Cells(12)),
        column("run", Kind::Number, |note| json!(run_of(note))),
        column("topic", Kind::Number, |note| json!(topic_of(note))),
        column("label", Kind::Text, |note| json!(note.label)),
        column("document", Kind::Text, |note| json!(note.subject.document())),
        column("word", Kind::Text, |note| json!(word_of(note))),
        column("subject", Kind::Text, |note| json!(subject(note)))
            .titled("of")
            .listed(Width::Share(2))
            .not_printed()
            .not_exported(),
        column("note", Kind::Text, |note| json!(note.text))
            .listed(Width::Share(3))
            .sorted(First::Smallest),
        column("quote", Kind::Text, |note| {
            json!(note.subject.passage().map(|passage| &passage.quote))
        })
        .listed_from(60, Width::Share(3)),
        column("start", Kind::Count, |note| {
            json!(note.subject.passage().map(|passage| passage.start))
        }),
        column("source", Kind::Text, |note| json!(note.source)),
        column("state", Kind::Text, |note| json!(note.state)),
        column("written_by", Kind::Text, |note| json!(note.by)),
        column("written_at", Kind::Time, |note| json!(note.at))
            .titled("written")
            .listed_from(80, Width::Cells(10))
            .sorted(First::Largest),
    ]
}

/// What a note is about, with the name of a topic.
pub fn subject(note: &Note) -> String {
    match (&note.subject, &note.label) {
        (NoteSubject::Corpus, _) => note.corpus.clone(),
        (NoteSubject::Topic(run, topic), Some(label)) => {
            format!("{label} (topic {topic} of run {run})")
        }
        (NoteSubject::Passage(passage), _) => passage.document.clone(),
        (subject, _) => subject.to_string(),
    }
}

fn run_of(note: &Note) -> Option<topoi_store::id::RunId> {
    match note.subject {
        NoteSubject::Run(run) | NoteSubject::Topic(run, _) => Some(run),
        _ => None,
    }
}

fn topic_of(note: &Note) -> Option<topoi_store::id::TopicNumber> {
    if let NoteSubject::Topic(_, topic) = note.subject { Some(topic) } else { None }
}

fn word_of(note: &Note) -> Option<&str> {
    if let NoteSubject::Word(word) = &note.subject { Some(word) } else { None }
}

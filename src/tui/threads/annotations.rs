//! What people add to a finished run: its name, notes, names of topics, judgements.

use std::path::Path;

use super::background::{Background, Job, Kind, as_notice};
use crate::cli::remedy::explained;
use crate::tui::effect::JudgementEdit;
use crate::tui::message::{EffectOutcome, Message};
use topoi_core::model::topic_model::TopicLabel;
use topoi_run::naming::proposed_names;
use topoi_run::notes::citation::CitationForm;
use topoi_run::notes::save_note;
use topoi_run::user::user_name;
use topoi_store::id::{CorpusId, RunId, TopicNumber};
use topoi_store::note::NoteSubject;
use topoi_store::{Access, Store, StoreError};

/// Phrases that are proposed for a topic.
const PROPOSED: usize = 4;

/// Saves the name of a run; `None` removes it.
pub fn name_run(background: &Background, path: &Path, run: RunId, name: Option<String>) {
    let path = path.to_path_buf();
    let save = move |_: &Job| {
        Store::open(&path, Access::Write)?.name_run(run, name.as_deref())?;
        Ok(Some(Message::Notice(match &name {
            Some(name) => format!("run {run} is called {name:?}"),
            None => format!("run {run} has no name"),
        })))
    };
    background.run(Kind::StoreWrite, "name", save, as_notice);
}

/// Saves a note on something of a corpus, with its source in the form for citations; `None` removes it.
pub fn note(
    background: &Background,
    path: &Path,
    (corpus, subject): (CorpusId, NoteSubject),
    text: Option<String>,
    form: CitationForm,
) {
    let path = path.to_path_buf();
    let save = move |_: &Job| {
        let store = Store::open(&path, Access::Write)?;
        let corpus = store.corpus_by_id(corpus)?;
        let of = match &subject {
            NoteSubject::Corpus => format!("corpus {}", corpus.name),
            other => other.to_string(),
        };
        let Some(text) = text else {
            store.remove_note(corpus.id, &subject)?;
            return Ok(Some(Message::Notice(format!("the note on {of} is taken away"))));
        };
        let what = if text.is_empty() { "bookmark" } else { "note" };
        save_note(&store, &corpus, subject, (text, user_name()), &form)?;
        Ok(Some(Message::Notice(format!("the {what} on {of} is saved; g b lists all"))))
    };
    background.run(Kind::StoreWrite, "note", save, as_notice);
}

/// Finds names to propose for the topics of a run. Where none can be found, nothing is said: they are an offer.
pub fn propose_names(background: &Background, path: &Path, run: RunId) {
    let path = path.to_path_buf();
    let find = move |_: &Job| {
        let store = Store::open(&path, Access::Read)?;
        let names = proposed_names(&store, &store.run(run)?, PROPOSED)?;
        Ok(Some(Message::EffectOutcome(EffectOutcome::Proposed { run, names })))
    };
    background.run(Kind::Read, "names", find, |_| None);
}

/// Names a topic of a run (run, topic), or removes its name.
pub fn label(
    background: &Background,
    path: &Path,
    (run, topic): (RunId, TopicNumber),
    label: Option<String>,
) {
    let path = path.to_path_buf();
    let save = move |_: &Job| {
        let given = label.clone().map(|text| TopicLabel { text, by: Some(user_name()) });
        Store::open(&path, Access::Write)?.set_topic_label(run, topic, given.as_ref())?;
        Ok(Some(Message::Notice(match &label {
            Some(label) => format!("topic {topic} of run {run} is called {label:?}"),
            None => format!("topic {topic} of run {run} has no name"),
        })))
    };
    background.run(Kind::StoreWrite, "label", save, as_notice);
}

/// Saves a judgement, or removes the last one.
pub fn judge(background: &Background, path: &Path, edit: JudgementEdit) {
    let (path, failed) = (path.to_path_buf(), edit.clone());
    let save = move |_: &Job| {
        let outcome = Ok(apply(&path, &edit)?);
        Ok(Some(Message::EffectOutcome(EffectOutcome::Judged { edit, outcome })))
    };
    background.run(Kind::StoreWrite, "judgement", save, |error| {
        let outcome = Err(explained(error.as_ref()));
        Some(Message::EffectOutcome(EffectOutcome::Judged { edit: failed, outcome }))
    });
}

/// Whether the store has changed.
fn apply(path: &Path, edit: &JudgementEdit) -> Result<bool, StoreError> {
    let mut store = Store::open(path, Access::Write)?;
    match edit {
        JudgementEdit::Save { run, judgement } => {
            store.save_judgements(*run, std::slice::from_ref(judgement)).map(|()| true)
        }
        JudgementEdit::TakeBack { run, judge, task } => {
            store.undo_judgement(*run, judge, task.name())
        }
    }
}

//! What people add to a finished run: its name and note, names of topics, judgements.

use std::path::Path;

use super::background::{Background, Job, Kind, as_notice};
use crate::cli::remedy::explained;
use crate::tui::effect::{JudgementEdit, RunAnnotation};
use crate::tui::message::{EffectOutcome, Message};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::{Access, Store, StoreError};

/// Saves the name or note of a run; `None` removes it.
pub fn describe_run(
    background: &Background,
    path: &Path,
    run: RunId,
    (what, text): (RunAnnotation, Option<String>),
) {
    let path = path.to_path_buf();
    let save = move |_: &Job| {
        let store = Store::open(&path, Access::Write)?;
        match what {
            RunAnnotation::Name => store.name_run(run, text.as_deref())?,
            RunAnnotation::Note => store.note_run(run, text.as_deref())?,
        }
        Ok(Some(Message::Notice(match (what, &text) {
            (RunAnnotation::Name, Some(name)) => format!("run {run} is called {name:?}"),
            (RunAnnotation::Name, None) => format!("run {run} has no name"),
            (RunAnnotation::Note, Some(_)) => format!("the note of run {run} is saved"),
            (RunAnnotation::Note, None) => format!("run {run} has no note"),
        })))
    };
    background.run(Kind::StoreWrite, "description", save, as_notice);
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
        Store::open(&path, Access::Write)?.set_topic_label(run, topic, label.as_deref())?;
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

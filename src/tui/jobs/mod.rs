//! Jobs of the workbench (ingest, export, …): a form, then an estimate of the cost, then a question. Each runs as a
//! process, which continues when the workbench is left.

mod form;
mod view;

pub use form::{JobForm, JobKind, Stage, expanded};
pub use view::draw;

use super::effect::Effect;
use super::keymap::Action;
use super::message::EffectOutcome;
use super::workbench::{Overlay, Workbench};
use topoi_run::life::spawn::BackgroundJob;

/// What a job would do, in lines for people, or why it cannot run.
pub type Estimate = Result<Vec<String>, String>;

/// Opens the form of a job, filled with the open corpus and run.
pub fn open(kind: JobKind, workbench: &mut Workbench, corpus: Option<&str>) {
    let run = workbench.open_run;
    workbench.overlay = Some(Overlay::Job(Box::new(JobForm::new(kind, corpus, run))));
}

/// Handles a key that is no letter while a form is open.
pub fn act(workbench: &mut Workbench, mut form: Box<JobForm>, action: Action) {
    match (&form.stage, action) {
        (Stage::Estimated(_), Action::Yes) => {
            workbench.say(format!("{} begins; it goes on when you leave", form.kind.title()));
            workbench.jobs += 1;
            return workbench.perform(Effect::StartJob(form.job()));
        }
        (Stage::Filling, Action::Clear) => return,
        (_, Action::Clear | Action::No) => form.stage = Stage::Filling,
        (Stage::Filling, Action::Accept) => match form.missing() {
            Some(missing) => form.error = Some(missing),
            None => {
                form.stage = Stage::Estimating;
                workbench.perform(Effect::Estimate(form.clone()));
            }
        },
        (Stage::Filling, action) => form.edit(action),
        _ => {}
    }
    workbench.overlay = Some(Overlay::Job(form));
}

/// Takes the result of an estimate or of a job.
pub fn hear(news: &EffectOutcome, workbench: &mut Workbench) {
    match news {
        EffectOutcome::Estimated { form, found } => {
            let Some(Overlay::Job(open)) = &mut workbench.overlay else { return };
            if open.stage == Stage::Estimating && open.fields == form.fields {
                match found {
                    Ok(lines) => open.stage = Stage::Estimated(lines.clone()),
                    Err(error) => {
                        open.stage = Stage::Filling;
                        open.error = Some(error.clone());
                    }
                }
            }
        }
        EffectOutcome::JobEnded { job: BackgroundJob::Command { title, .. }, outcome } => {
            workbench.jobs = workbench.jobs.saturating_sub(1);
            workbench.say(match outcome {
                Ok(printed) => format!("{title}: {}", first_line(printed)),
                Err(error) => format!("{title}: {error}"),
            });
            workbench.ask();
        }
        _ => {}
    }
}

fn first_line(printed: &str) -> &str {
    printed.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("done")
}

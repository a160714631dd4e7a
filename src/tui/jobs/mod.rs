//! Jobs of the workbench (ingest, export, …): a form, then an estimate of the cost, then a question. Each runs as a
//! process, which continues when the workbench is left.

mod form;
mod view;

pub use form::{JobForm, JobKind, Stage, expanded};
pub use view::draw;

use super::bench::{Bench, Overlay};
use super::effect::Effect;
use super::keymap::Action;
use super::message::News;
use topoi_run::life::spawn::BackgroundJob;

/// What a job would do, in lines for people, or why it cannot run.
pub type Estimate = Result<Vec<String>, String>;

/// Opens the form of a job, filled with the open corpus and run.
pub fn open(kind: JobKind, bench: &mut Bench, corpus: Option<&str>) {
    let run = bench.open_run;
    bench.overlay = Some(Overlay::Job(Box::new(JobForm::new(kind, corpus, run))));
}

/// Handles a key that is no letter while a form is open.
pub fn act(bench: &mut Bench, mut form: Box<JobForm>, action: Action) {
    match (&form.stage, action) {
        (Stage::Estimated(_), Action::Yes) => {
            bench.say(format!("{} begins; it goes on when you leave", form.kind.title()));
            bench.jobs += 1;
            return bench.perform(Effect::StartJob(form.job()));
        }
        (Stage::Filling, Action::Clear) => return,
        (_, Action::Clear | Action::No) => form.stage = Stage::Filling,
        (Stage::Filling, Action::Accept) => match form.missing() {
            Some(missing) => form.error = Some(missing),
            None => {
                form.stage = Stage::Estimating;
                bench.perform(Effect::Estimate(form.clone()));
            }
        },
        (Stage::Filling, action) => form.edit(action),
        _ => {}
    }
    bench.overlay = Some(Overlay::Job(form));
}

/// Takes the result of an estimate or of a job.
pub fn hear(news: &News, bench: &mut Bench) {
    match news {
        News::Estimated { form, found } => {
            let Some(Overlay::Job(open)) = &mut bench.overlay else { return };
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
        News::JobEnded { job: BackgroundJob::Command { title, .. }, outcome } => {
            bench.jobs = bench.jobs.saturating_sub(1);
            bench.say(match outcome {
                Ok(printed) => format!("{title}: {}", first_line(printed)),
                Err(error) => format!("{title}: {error}"),
            });
            bench.ask();
        }
        _ => {}
    }
}

fn first_line(printed: &str) -> &str {
    printed.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("done")
}

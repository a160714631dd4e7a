//! `update`.

use crate::shown::shown;
use std::collections::BTreeSet;
use std::process::ExitCode;

use crate::cli::arguments::RunAgain;
use crate::cli::attend::attend;
use crate::cli::in_parts::run_in_parts;
use crate::cli::output::say;
use crate::cli::store_path::StorePath;
use topoi::metric::of_models::{DOCUMENTS_PROJECTED, FACTORISATION_PASSES};
use topoi::metric::of_the_work::DOCUMENTS_USED;
use topoi::numbers::{counted, thousands};
use topoi::parts::work::{Wanted, Which};
use topoi::run::request::start::ALIKE;
use topoi::run::request::update::updating;
use topoi::run::saved::align::align;
use topoi::store::result::topic::Topic;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Access, Store};

/// Run the model of a run again after new documents, from where that run ended: lr-jsmf from its
/// eigenvectors, rp from the sums it kept (--keep-sums)
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    again: RunAgain,
}

/// Follows the new run unless it is detached, and says what the old one spared. Ctrl-C cancels it.
pub fn run(Arguments { again }: &Arguments, path: &StorePath) -> anyhow::Result<ExitCode> {
    let store = path.open(Access::Write)?;
    let request = updating(&store, &store.run(again.run)?)?;
    if let Some(pattern) = again.place.parts.clone() {
        let wanted = Wanted { run: Which::New(Box::new(request)), pattern };
        return run_in_parts(&path.path, &wanted, again.printing.format());
    }
    let number = request.submit(&store)?;
    let ended = attend(&store, number, again.detach, again.printing.format())?;
    say_what_was_spared(&store, again.run, number)?;
    say_what_changed(&store, again.run, number)?;
    Ok(ended)
}

fn say_what_was_spared(store: &Store, old: i64, new: i64) -> anyhow::Result<()> {
    let passes = |run| store.run_metric(run, FACTORISATION_PASSES.id);
    if let (Some(before), Some(now)) = (passes(old)?, passes(new)?) {
        say(&shown!("run {new} made {now} passes to factorise, run {old} made {before}"));
    }
    let of_new = |name| store.run_metric(new, name);
    if let (Some(all), Some(read)) = (of_new(DOCUMENTS_USED.id)?, of_new(DOCUMENTS_PROJECTED.id)?) {
        let spared = all - read;
        say(&shown!(
            "run {new} projected {read} new documents and has the sums of {spared} from run {old}"
        ));
    }
    Ok(())
}

/// Words that tell a topic.
const WORDS: usize = 6;

/// Says which topics are not what they were under their numbers, and what became of the vocabulary.
fn say_what_changed(store: &Store, old: i64, new: i64) -> anyhow::Result<()> {
    let (before, now) = (store.run(old)?, store.run(new)?);
    if now.status != RunStatus::Finished {
        return Ok(());
    }
    let terms = |run: &Run| -> anyhow::Result<BTreeSet<i64>> {
        let id = run.vocabulary_id.map(|id| store.vocabulary(id)).transpose()?;
        Ok(id.map(|found| found.term_ids.into_iter().collect()).unwrap_or_default())
    };
    let (had, has) = (terms(&before)?, terms(&now)?);
    say(&shown!(
        "vocabulary: {} new, {} no longer among the best",
        counted(has.difference(&had).count() as u64, "term"),
        thousands(had.difference(&has).count() as u64)
    ));
    let found = align(store, &now, &before)?;
    let (words_now, words_before) = (store.topics(new, WORDS)?, store.topics(old, WORDS)?);
    let words = |topics: &[Topic], number: u64| {
        let found = topics.iter().find(|topic| topic.topic == number);
        let words = found.into_iter().flat_map(|topic| &topic.words);
        words.map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
    };
    let kept = |&&(ours, theirs, cosine): &&(u64, u64, f64)| ours == theirs && cosine >= ALIKE;
    say(&shown!(
        "topics: {} of {} are what they were under the same number in run {old}",
        found.pairs.iter().filter(kept).count(),
        now.k
    ));
    for pair @ &(ours, theirs, cosine) in &found.pairs {
        if !kept(&pair) {
            say(&shown!(
                "  {ours}: {} (cosine {cosine:.2} with {theirs}: {})",
                words(&words_now, ours),
                words(&words_before, theirs)
            ));
        }
    }
    for &number in &found.only_first {
        say(&shown!("  {number}: {} (like no earlier topic)", words(&words_now, number)));
    }
    Ok(())
}

//! Asking for runs that differ in K and seed alone.

use super::k_list::KList;
use crate::run::request::repetition::repetition;
use crate::run::request::{RequestError, RunRequest, RunSettings};
use crate::store::Store;
use crate::store::run::{Run, RunStatus};

/// The numbers of the runs of a sweep: of `plan` with every K of the list and with so many seeds
/// from its own on. Runs that are there already, finished or waiting, are taken as they are; the
/// others are asked for here, all or none, and wait in the queue: the largest K of a seed first,
/// so that its factorisation serves the smaller ones.
///
/// # Errors
/// [`RequestError`], for the first run that cannot be.
pub fn request_sweep(
    store: &Store,
    plan: &RunRequest,
    list: &KList,
    seeds: u64,
) -> Result<Vec<i64>, RequestError> {
    let corpus = store.corpus(&plan.corpus)?;
    let hash = store.corpus_hash(corpus.id)?;
    let is_usable = |run: &Run| match run.status {
        RunStatus::Finished => run.corpus_hash.as_ref() == Some(&hash),
        status => status == RunStatus::Queued,
    };
    let known: Vec<Run> = store.runs()?.into_iter().filter(is_usable).collect();
    let requests = requests(plan, list, seeds);
    for request in &requests {
        request.check_for(store, &corpus)?;
    }
    let number = |request: &RunRequest| match repetition(&known, request) {
        Some(run) => Ok(run.id),
        None => request.submit(store),
    };
    requests.iter().map(number).collect()
}

fn requests(plan: &RunRequest, list: &KList, seeds: u64) -> Vec<RunRequest> {
    let can_share = plan.origin.card().shares_factorisation;
    let factorise = (can_share && list.values().len() > 1).then(|| list.largest());
    let of = |seed: u64, k: usize| RunRequest {
        k,
        seed: plan.seed.wrapping_add(seed),
        settings: RunSettings { factorise, ..plan.settings.clone() },
        ..plan.clone()
    };
    (0..seeds.max(1))
        .flat_map(|seed| list.values().iter().rev().map(move |&k| (seed, k)))
        .map(|(seed, k)| of(seed, k))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    #[test]
    fn the_largest_k_comes_first_and_serves_the_others() {
        let list: KList = "5..15:5".parse().expect("a list");
        let plan = RunRequest::new("c", 2);
        let all = requests(&plan, &list, 2);
        let named: Vec<(u64, usize)> =
            all.iter().map(|request| (request.seed, request.k)).collect();
        assert_eq!(named, [(1, 15), (1, 10), (1, 5), (2, 15), (2, 10), (2, 5)]);
        assert!(all.iter().all(|request| request.settings.factorise == Some(15)));
        let alone = requests(
            &RunRequest { origin: Model::named("aw").expect("a model").into(), ..plan.clone() },
            &list,
            1,
        );
        assert!(alone.iter().all(|request| request.settings.factorise.is_none()));
        let one = requests(&plan, &"7".parse().expect("a list"), 1);
        assert_eq!((one.len(), one[0].k, one[0].settings.factorise), (1, 7, None));
    }
}

//! A map of documents: their vectors in a plane, coloured by their largest topics.

use std::collections::{BTreeSet, HashMap};

use rand::RngExt;

use super::TopicSummary;
use topoi_core::numbers::{counted, thousands};
use topoi_core::plot::figure::Figure;
use topoi_core::plot::map::{Dot, Group, MAX_GROUPS, Map};
use topoi_core::plot::text::percent;
use topoi_core::random::stream;
use topoi_core::vectors::plane::plane;
use topoi_store::corpus::Corpus;
use topoi_store::id::DocumentId;
use topoi_store::result::document_topic::top_topic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Documents that are drawn at most.
pub const MAX_DOCUMENTS: usize = 2_000;

/// The documents of a run that have vectors, in the plane of the vectors of all of the corpus; `None` if there are none.
/// Of more than [`MAX_DOCUMENTS`] a sample that the run's seed determines is drawn.
pub fn map(
    store: &Store,
    (run, corpus): (&Run, &Corpus),
    title: &str,
    topics: &[TopicSummary],
) -> Result<Option<Figure>, StoreError> {
    let Some(found) = store.vectors(corpus)? else { return Ok(None) };
    let largest = largest_topics(store, run)?;
    let rows: Vec<(usize, usize)> = (0..found.ids.len())
        .filter_map(|row| Some((row, *largest.get(&found.ids[row])?)))
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let places = plane(&found.vectors, run.seed);
    let drawn = sample(rows.len(), run.seed);
    let mut documents = vec![0_usize; topics.len()];
    drawn.iter().for_each(|&at| documents[rows[at].1] += 1);
    let mut order: Vec<usize> = (0..topics.len()).filter(|&topic| documents[topic] > 0).collect();
    order.sort_by_key(|&topic| std::cmp::Reverse(documents[topic]));
    let others = order.split_off(order.len().min(MAX_GROUPS));
    let mut dots = Vec::with_capacity(drawn.len());
    for &at in &drawn {
        let (row, topic) = rows[at];
        let Some(document) = store.document(found.ids[row])? else { continue };
        let (x, y) = places.places[row];
        let name = document.title.filter(|title| !title.is_empty()).unwrap_or(document.key);
        let tip = format!("{name}: {}", topics[topic].title());
        dots.push(Dot { x, y, group: order.iter().position(|&own| own == topic), tip });
    }
    let group = |&topic: &usize| {
        let number = topic.to_string();
        Group { name: topics[topic].title(), label: number }
    };
    let note = format!(
        "{} of run {}, coloured by the topic of which each has most, in the plane of the first two principal \
         components of their vectors of {} dimensions: {} and {} of the variance. Documents that are near each other \
         here can differ in the other dimensions. Numbers of topics are at the middle of their documents.",
        match drawn.len() < rows.len() {
            true => format!(
                "A random {} of {}",
                thousands(drawn.len() as u64),
                counted(rows.len() as u64, "document")
            ),
            false => counted(rows.len() as u64, "document"),
        },
        run.id,
        found.vectors.dimensions(),
        percent(places.variance.0),
        percent(places.variance.1),
    );
    let others = format!("{} other topics", others.len());
    let groups = order.iter().map(group).collect();
    Ok(Some(Map { title: title.into(), groups, others, dots, note }.figure()))
}

/// The topic of which each document of a run has most, of equal ones the first.
fn largest_topics(store: &Store, run: &Run) -> Result<HashMap<DocumentId, usize>, StoreError> {
    let found = store.fold_proportions(run.id, Vec::new, |found, id, proportions| {
        found.extend(top_topic(proportions).map(|(topic, _)| (id, topic)));
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// At most [`MAX_DOCUMENTS`] of the numbers below `count`, ascending; every choice is equally probable (Floyd's).
fn sample(count: usize, seed: u64) -> BTreeSet<usize> {
    let mut rng = stream(seed, "map of documents");
    let mut drawn = BTreeSet::new();
    for last in count.saturating_sub(MAX_DOCUMENTS)..count {
        let at = rng.random_range(0..=last);
        if !drawn.insert(at) {
            drawn.insert(last);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_other_numbers_once_and_all_of_few() {
        assert_eq!(sample(5, 1), (0..5).collect());
        let drawn = sample(10_000, 1);
        assert_eq!(drawn.len(), MAX_DOCUMENTS);
        assert!(drawn.iter().all(|&at| at < 10_000));
        // 1,000 of the upper half are expected, with a standard deviation of 20.
        let upper = drawn.iter().filter(|&&at| at >= 5_000).count();
        assert!((900..1_100).contains(&upper), "{upper}");
        assert_ne!(drawn, sample(10_000, 2));
        assert!(sample(0, 1).is_empty());
    }
}

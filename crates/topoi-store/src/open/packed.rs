//! The step of migration 21: what stores of earlier versions say of documents, a row a topic, goes into a row a
//! document.

use rusqlite::Transaction;
use rusqlite_migration::HookResult;

use topoi_core::formula::proportions::object;

const RUNS: &str = "SELECT id FROM run WHERE approximate = 1";
const ALPHA: &str = "SELECT coalesce(alpha, 0) FROM topic WHERE run_id = ?1 ORDER BY topic";
const SAVED: &str = "SELECT document_id, topic, proportion FROM document_topic WHERE run_id = ?1 \
                     ORDER BY document_id, topic";
const INSERT: &str = "INSERT INTO document_proportions (run_id, document_id, proportions) \
                      VALUES (?1, ?2, ?3)";

/// Packs the proportions of all runs. What is damaged stays so, for `topoi check` to find.
pub(super) fn pack_proportions(transaction: &Transaction<'_>) -> HookResult {
    Ok(pack(transaction)?)
}

fn pack(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut runs = transaction.prepare(RUNS)?;
    let runs: rusqlite::Result<Vec<i64>> = runs.query_map([], |row| row.get(0))?.collect();
    let mut alphas = transaction.prepare(ALPHA)?;
    let mut saved = transaction.prepare(SAVED)?;
    let mut insert = transaction.prepare(INSERT)?;
    for run in runs? {
        let alpha: rusqlite::Result<Vec<f64>> =
            alphas.query_map([run], |row| row.get(0))?.collect();
        let alpha = alpha?;
        let mut rows = saved.query([run])?;
        let mut current: Option<(i64, Vec<(u64, f64)>)> = None;
        while let Some(row) = rows.next()? {
            let (id, topic, proportion): (i64, i64, f64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let entry = (topic.cast_unsigned(), proportion);
            match &mut current {
                Some((of, entries)) if *of == id => entries.push(entry),
                _ => {
                    if let Some((of, entries)) = current.replace((id, vec![entry])) {
                        insert.execute((run, of, packed(&entries, &alpha)))?;
                    }
                }
            }
        }
        if let Some((of, entries)) = current {
            insert.execute((run, of, packed(&entries, &alpha)))?;
        }
    }
    Ok(())
}

/// What the entries lack of 1 is shared out by α among the topics that have none.
fn packed(entries: &[(u64, f64)], alpha: &[f64]) -> String {
    let left = (1.0 - entries.iter().map(|entry| entry.1).sum::<f64>()).max(0.0);
    let is_open = |topic: &u64| entries.binary_search_by_key(topic, |entry| entry.0).is_err();
    let open: f64 = (0..).zip(alpha).filter(|(t, _)| is_open(t)).map(|(_, alpha)| alpha).sum();
    let rest = if open > 0.0 { left / open } else { 0.0 };
    object(entries.iter().copied(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::formula::proportions::read;

    #[test]
    fn what_was_saved_keeps_its_bits_and_the_rest_goes_to_the_others_by_alpha() {
        let text = packed(&[(1, 0.1 + 0.2), (3, 0.6)], &[0.3, 9.0, 0.1, 9.0]);
        let mut found = Vec::new();
        read(&text, &[0.3, 9.0, 0.1, 9.0], &mut found).expect("read");
        assert_eq!((found[1], found[3]), (0.1 + 0.2, 0.6));
        assert!((found[0] - 0.075).abs() < 1e-12 && (found[2] - 0.025).abs() < 1e-12);
    }

    #[test]
    fn a_document_whose_topics_all_had_a_row_has_no_rest() {
        assert_eq!(
            packed(&[(0, 0.5), (1, 0.5)], &[1.0, 1.0]),
            "{\"0\":0.5,\"1\":0.5,\"rest\":0.0}"
        );
    }
}

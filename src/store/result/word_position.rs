//! Where the words of a run stand in the plane of its anchors.

use crate::store::Store;
use crate::store::error::Result;

/// Words of a run after a term, with their places.
const AFTER: &str = "SELECT place.term_id, term.text AS word, place.x, place.y FROM word_position AS place \
                     JOIN term ON term.id = place.term_id \
                     WHERE place.run_id = ?1 AND place.term_id > ?2 \
                     ORDER BY place.term_id LIMIT ?3";
const INSERT: &str = "INSERT INTO word_position (run_id, term_id, x, y) VALUES (?1, ?2, ?3, ?4)";

/// A word and its place.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WordPosition {
    /// Term row id.
    pub term_id: i64,
    /// The word.
    pub word: String,
    /// On the axis along which the anchors differ most.
    pub x: f64,
    /// On the axis at a right angle to it along which they differ most.
    pub y: f64,
}

impl Store {
    /// At most `limit` words of a run with their places, in order of their term row ids, from the
    /// first one above `after`: 0 for the first page, the last id of a page for the next. Empty
    /// for runs that saved none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn word_positions(&self, run: i64, after: i64, limit: usize) -> Result<Vec<WordPosition>> {
        self.rows(AFTER, (run, after, limit as i64), |row| {
            Ok(WordPosition {
                term_id: row.get("term_id")?,
                word: row.get("word")?,
                x: row.get("x")?,
                y: row.get("y")?,
            })
        })
    }

    pub(crate) fn insert_positions(&self, run: i64, positions: &[(i64, f64, f64)]) -> Result<()> {
        for (term_id, x, y) in positions {
            self.execute(INSERT, (run, term_id, x, y))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Access;
    use crate::store::ingest::{IngestWriter, NewDocument};
    use crate::store::result::topic::SavedResult;
    use crate::store::run::{NewRun, RunEnd, RunStatus};

    /// A store with one document of five words and two runs.
    fn store_with_runs(directory: &tempfile::TempDir) -> (Store, [i64; 2]) {
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let entries =
            ["ale", "bee", "cap", "day", "eel"].map(|w| (writer.term(w).expect("term"), 1));
        let document = NewDocument::counted("k", &entries);
        writer.add(document).expect("add");
        writer.finish().expect("finish");
        let run = NewRun { corpus_id: 1, model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        let runs = [(); 2].map(|()| store.create_run(&run).expect("run"));
        (store, runs)
    }

    #[test]
    fn places_come_back_a_page_at_a_time_and_go_with_their_run() {
        let directory = tempfile::tempdir().expect("tempdir");
        let (mut store, [first, second]) = store_with_runs(&directory);
        let ids: Vec<i64> = store.terms(1).expect("terms").iter().map(|term| term.id).collect();
        // Saved in any order; the fourth word has no place.
        let positions =
            [(4, 0.5), (0, -0.25), (2, 1.0 / 3.0), (1, 0.0)].map(|(w, x)| (ids[w], x, -x));
        let end = || RunEnd::new(RunStatus::Finished);
        let result = SavedResult { positions: positions.to_vec(), ..SavedResult::default() };
        store.finish_run(first, &result, end).expect("save");
        let page = |store: &Store, after, limit| -> Vec<(String, f64, f64)> {
            let found = store.word_positions(first, after, limit).expect("page");
            found.into_iter().map(|place| (place.word, place.x, place.y)).collect()
        };
        assert_eq!(page(&store, 0, 2), [("ale".into(), -0.25, 0.25), ("bee".into(), 0.0, 0.0)]);
        let third = 1.0 / 3.0;
        assert_eq!(
            page(&store, ids[1], 9),
            [("cap".into(), third, -third), ("eel".into(), 0.5, -0.5)]
        );
        assert!(page(&store, ids[4], 9).is_empty());
        assert!(store.word_positions(second, 0, 9).expect("none").is_empty());
        // Twice the same word is a mistake, and then nothing of the result is kept.
        let twice = SavedResult { positions: vec![positions[0]; 2], ..SavedResult::default() };
        assert!(store.finish_run(second, &twice, end).is_err());
        assert!(store.word_positions(second, 0, 9).expect("none").is_empty());
        store.execute("DELETE FROM run WHERE id = ?1", [first]).expect("delete");
        assert_eq!(
            store.scalar::<i64>("SELECT count(*) FROM word_position", []).expect("count"),
            0
        );
    }
}

//! The user's own queries. Each has a connection of its own, so that it can take as long as it likes and be
//! interrupted without keeping a screen from its data.

use std::path::Path;
use std::time::Instant;

use super::background::{Background, Job, Kind};
use crate::cli::remedy::explained;
use crate::tui::message::{Answered, EffectOutcome, Message};
use crate::tui::screens::sql::LIMITS;
use topoi_store::{Access, Store};

const NAME: &str = "query";

/// Runs a query; its rows come as news with this ticket.
pub fn query(background: &Background, path: &Path, ticket: u64, sql: String) {
    let path = path.to_path_buf();
    let query = move |job: &Job| {
        let store = Store::open(&path, Access::Read)?;
        let start = Instant::now();
        let result = store.query_within(&sql, LIMITS, job.token().flag())?;
        let outcome = Ok(Answered { result, seconds: start.elapsed().as_secs_f64() });
        Ok(Some(Message::EffectOutcome(EffectOutcome::Queried { ticket, outcome })))
    };
    background.run(Kind::Read, NAME, query, move |error| {
        Some(Message::EffectOutcome(EffectOutcome::Queried {
            ticket,
            outcome: Err(explained(error.as_ref())),
        }))
    });
}

/// Ends the queries that were asked so far; they are answered with an error.
pub fn interrupt(background: &Background) {
    background.cancel(NAME);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    const ENDLESS: &str =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

    #[test]
    fn a_query_that_was_interrupted_ends_though_another_is_asked_at_once() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("create"));
        let (sender, messages) = channel();
        let background = Background::new(sender);
        query(&background, &path, 1, ENDLESS.into());
        interrupt(&background);
        query(&background, &path, 2, "SELECT 1".into());
        let mut seen = Vec::new();
        while seen.len() < 2 {
            match messages.recv_timeout(Duration::from_secs(20)).expect("both are answered") {
                Message::EffectOutcome(EffectOutcome::Queried { ticket, outcome }) => {
                    seen.push((ticket, outcome.is_ok()));
                }
                other => panic!("{other:?}"),
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, [(1, false), (2, true)]);
    }
}

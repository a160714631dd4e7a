//! Runs that were made together fold into one row: those of a sweep, and those on parts of the documents
//! that tell how stable the topics of another run are.

use std::collections::{BTreeMap, BTreeSet};

use crate::records::runs::RunRow;
use topoi_run::request::RunSettings;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};

/// Which runs belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// A sweep, by its first run.
    Sweep(RunId),
    /// What this run is held against.
    Against(RunId),
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The run it shows; of a group, the newest of its runs.
    pub row: usize,
    /// The group that it represents or belongs to.
    pub group: Option<Group>,
    /// Whether it represents the whole group.
    pub is_group: bool,
}

/// The group that a run belongs to, if it is one of several.
fn group_of(run: &Run, runs: &BTreeMap<RunId, &Run>) -> Option<Group> {
    let leader = run.asked_with.and_then(|with| runs.get(&with));
    match (run.asked_with, leader) {
        // The first run of a sweep was requested with itself.
        (Some(with), Some(leader)) if leader.asked_with != Some(with) => Some(Group::Against(with)),
        (Some(with), _) if !RunSettings::is_half(run) => Some(Group::Sweep(with)),
        (Some(with), _) => Some(Group::Against(with)),
        (None, _) => None,
    }
}

/// The groups of runs, by row.
pub fn groups(rows: &[RunRow]) -> Vec<Option<Group>> {
    let runs = rows.iter().map(|row| (row.run.id, &row.run)).collect();
    rows.iter().map(|row| group_of(&row.run, &runs)).collect()
}

/// The rows of the list, newest first: runs, and groups, of which those in `open` are followed by their
/// runs.
pub fn entries(groups: &[Option<Group>], open: &BTreeSet<Group>) -> Vec<Entry> {
    let count = |group| groups.iter().filter(|other| **other == Some(group)).count();
    let mut entries = Vec::new();
    for (row, group) in groups.iter().enumerate() {
        // A sweep of which one run is left is a run.
        let is_several = |group: &Group| matches!(group, Group::Against(_)) || count(*group) > 1;
        let Some(group) = group.filter(is_several) else {
            entries.push(Entry { row, group: None, is_group: false });
            continue;
        };
        if groups[..row].contains(&Some(group)) {
            continue;
        }
        entries.push(Entry { row, group: Some(group), is_group: true });
        if open.contains(&group) {
            let members = (row..groups.len()).filter(|at| groups[*at] == Some(group));
            entries.extend(members.map(|row| Entry { row, group: Some(group), is_group: false }));
        }
    }
    entries
}

/// The runs of a group, newest first.
pub fn members<'r>(rows: &'r [RunRow], groups: &[Option<Group>], group: Group) -> Vec<&'r RunRow> {
    let of_group = rows.iter().zip(groups).filter(|(_, own)| **own == Some(group));
    of_group.map(|(row, _)| row).collect()
}

/// What a group is, such as `sweep of 10 runs`.
pub fn what(group: Group, count: usize) -> String {
    let runs = if count == 1 { "run" } else { "runs" };
    match group {
        Group::Sweep(_) => format!("sweep of {count} {runs}"),
        Group::Against(of) => format!("to test run {of}: {count} {runs}"),
    }
}

/// The numbers of topics of some runs: `10-100`, or one.
pub fn topics(members: &[&RunRow]) -> String {
    let ks = || members.iter().map(|row| row.run.k);
    match (ks().min(), ks().max()) {
        (Some(least), Some(most)) if least < most => format!("{least}-{most}"),
        (Some(k), _) => k.to_string(),
        _ => String::new(),
    }
}

/// How far some runs are: `finished`, or `3 of 10 done`.
pub fn state(members: &[&RunRow]) -> String {
    let finished = members.iter().filter(|row| row.run.status == RunStatus::Finished).count();
    match members.len() {
        all if all == finished => "finished".into(),
        all => format!("{finished} of {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_run::life::Vitality;

    fn row(id: i64, k: u64, asked_with: Option<RunId>, settings: &str) -> RunRow {
        let settings = settings.into();
        let model = "lr-jsmf".into();
        let run = Run { id: RunId(id), k, seed: 1, model, asked_with, settings, ..Run::default() };
        RunRow {
            run,
            vitality: Vitality::AsSaved,
            progress: None,
            seconds_left: None,
            silent_for: None,
            npmi: None,
            added_since: None,
            warnings: Vec::new(),
        }
    }

    const WHOLE: &str = r#"{"terms":5000,"min_tokens":5,"threads":0,"memory":4.0,"refine_gain":0.004,"documents":true}"#;
    const HALF: &str = r#"{"terms":5000,"min_tokens":5,"threads":0,"memory":4.0,"refine_gain":0.004,"documents":true,
        "sample":{"seed":1,"from":0.0,"to":0.5}}"#;

    #[test]
    fn a_sweep_and_the_runs_that_test_another_are_a_row_each_that_opens() {
        let rows = [
            row(9, 20, Some(RunId(4)), HALF),
            row(8, 20, Some(RunId(4)), HALF),
            row(7, 10, Some(RunId(5)), WHOLE),
            row(6, 20, Some(RunId(5)), WHOLE),
            row(5, 30, Some(RunId(5)), WHOLE),
            row(4, 20, None, WHOLE),
            row(3, 20, Some(RunId(2)), HALF),
            row(2, 20, None, WHOLE),
        ];
        let of_rows = groups(&rows);
        let members = |group| members(&rows, &of_rows, group);
        let shown = |open: &[Group]| -> Vec<(i64, bool)> {
            let open = open.iter().copied().collect();
            let entries = entries(&of_rows, &open);
            entries.iter().map(|entry| (rows[entry.row].run.id.0, entry.is_group)).collect()
        };
        let (sweep, against) = (Group::Sweep(RunId(5)), Group::Against(RunId(4)));
        assert_eq!(shown(&[]), [(9, true), (7, true), (4, false), (3, true), (2, false)]);
        let opened = shown(&[sweep]);
        assert_eq!(opened[1..5], [(7, true), (7, false), (6, false), (5, false)]);
        assert_eq!(what(sweep, 3), "sweep of 3 runs");
        assert_eq!(topics(&members(sweep)), "10-30");
        assert_eq!(what(against, members(against).len()), "to test run 4: 2 runs");
        assert_eq!(entries(&of_rows, &BTreeSet::new())[3].group, Some(Group::Against(RunId(2))));
    }
}

//! Names of columns and keys, made distinct.

use std::collections::{HashMap, HashSet};

use crate::error::excerpt;

/// Makes column names distinct: a repeated name gets a number (`tag`, `tag_2`), a blank one its position
/// (`column3`). Returns remarks about the changes.
pub(super) fn distinct_columns(names: &mut [String]) -> Vec<String> {
    let mut said = Vec::new();
    for (at, name) in (1..).zip(&mut *names).filter(|(_, name)| name.is_empty()) {
        *name = format!("column{at}");
        said.push(format!("column {at} has no name and is kept as {name:?}"));
    }
    said.extend(distinct(names));
    shortened(said)
}

/// Gives repeated names a number (`tag`, `tag_2`); returns remarks about the changes.
pub(super) fn distinct(names: &mut [String]) -> Vec<String> {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let (mut seen, mut numbers) = (HashSet::new(), HashMap::new());
    let mut said = Vec::new();
    for name in names {
        if seen.insert(name.clone()) {
            continue;
        }
        let number: &mut u64 = numbers.entry(name.clone()).or_insert(1);
        let new = loop {
            *number += 1;
            let new = format!("{name}_{number}");
            if taken.insert(new.clone()) {
                break new;
            }
        };
        let (old, kept) = (excerpt(name.as_bytes()), excerpt(new.as_bytes()));
        said.push(format!("{old} stands twice, the later one is kept as {kept}"));
        *name = new;
    }
    shortened(said)
}

fn shortened(mut said: Vec<String>) -> Vec<String> {
    if said.len() > MAX_REMARKS {
        let others = said.len() - MAX_REMARKS + 1;
        said.truncate(MAX_REMARKS - 1);
        said.push(format!("{others} other names stand twice or are blank, and have numbers too"));
    }
    said
}

/// Maximum number of remarks.
const MAX_REMARKS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(names: &[&str]) -> (Vec<String>, usize) {
        let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let said = distinct_columns(&mut names);
        (names, said.len())
    }

    #[test]
    fn every_column_has_a_name_of_its_own() {
        assert_eq!(renamed(&["a", "b"]).1, 0);
        let (names, said) = renamed(&["tag", "tag", "tag_2", "tag", "", "column5", "", ""]);
        let expected =
            ["tag", "tag_3", "tag_2", "tag_4", "column5", "column5_2", "column7", "column8"];
        assert_eq!((names, said), (expected.map(String::from).to_vec(), 6));
        let many = renamed(&["a"; 2000]);
        assert_eq!((many.0[1999].as_str(), many.1), ("a_2000", MAX_REMARKS));
    }
}

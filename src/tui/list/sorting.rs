//! Lists in the order of one of their columns.

use std::cmp::Ordering;

use super::ListState;

/// The column a list is sorted by.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sort {
    pub by: String,
    pub descending: bool,
}

/// The value of a row in the column the list is sorted by.
#[derive(Debug, Clone, PartialEq)]
pub enum SortKey {
    /// Nothing; always last.
    None,
    Number(f64),
    /// A text, in lower case.
    Text(String),
}

impl SortKey {
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_lowercase())
    }
    pub fn count(number: u64) -> Self {
        Self::Number(number as f64)
    }

    fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let forth = match (self, other) {
            (Self::None, Self::None) => Ordering::Equal,
            (Self::None, _) => return Ordering::Greater,
            (_, Self::None) => return Ordering::Less,
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        };
        if descending { forth.reverse() } else { forth }
    }
}

/// Sorts rows by the key of the column; stable. Without a sort the order stays.
pub fn sort<T>(rows: &mut Vec<T>, sort: Option<&Sort>, key: impl Fn(&T, &str) -> SortKey) {
    let Some(sort) = sort else { return };
    let mut keyed: Vec<(SortKey, T)> =
        rows.drain(..).map(|row| (key(&row, &sort.by), row)).collect();
    keyed.sort_by(|(a, _), (b, _)| a.compare(b, sort.descending));
    rows.extend(keyed.into_iter().map(|(_, row)| row));
}

/// Sorts a list by its next column; after the last one, in its own order.
pub fn next(list: &mut ListState) {
    list.sort = after(list.sort.as_ref(), &list.sort_columns);
}

fn after(now: Option<&Sort>, columns: &[(String, bool)]) -> Option<Sort> {
    let place = match now {
        Some(sort) => columns.iter().position(|(name, _)| *name == sort.by)? + 1,
        None => 0,
    };
    let (by, descending) = columns.get(place)?.clone();
    Some(Sort { by, descending })
}

/// Reverses the order of a list.
pub fn reverse(list: &mut ListState) {
    match (&mut list.sort, list.sort_columns.first()) {
        (Some(sort), _) => sort.descending = !sort.descending,
        (none, Some((by, descending))) => {
            *none = Some(Sort { by: by.clone(), descending: !descending });
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_value_are_last_in_both_directions() {
        for (descending, wanted) in [(false, [1, 3, 0, 2]), (true, [0, 1, 3, 2])] {
            let keys = [Some(2.0), Some(1.0), None, Some(1.0)];
            let mut rows = vec![0, 1, 2, 3];
            let by = Sort { by: "x".into(), descending };
            sort(&mut rows, Some(&by), |&row, _| keys[row].map_or(SortKey::None, SortKey::Number));
            assert_eq!(rows, wanted);
        }
    }

    #[test]
    fn a_key_goes_through_the_columns_and_back_to_none() {
        let columns = [("a".to_string(), false), ("b".to_string(), true)];
        let first = after(None, &columns).expect("a column");
        let second = after(Some(&first), &columns).expect("a column");
        assert_eq!((second.by.as_str(), second.descending), ("b", true));
        assert_eq!(after(Some(&second), &columns), None);
        let gone = Sort { by: "gone".into(), descending: true };
        assert_eq!(after(Some(&gone), &columns), None);
    }
}

//! Records in lists, one per file. Their columns are defined once for the command line's tables, JSON and CSV, and
//! for lists, sorting, copies and exports of the workbench.
//!
//! To show one more thing of a record, add one [`column::Column`] to its `columns()`.

pub mod column;
pub mod comparisons;
pub mod corpora;
pub mod documents;
pub mod found;
pub mod judgements;
pub mod left_out;
pub mod metrics;
pub mod notes;
pub mod results;
pub mod runs;
pub mod shaping;
pub mod terms;
pub mod topics;
pub mod topics_elsewhere;
pub mod two_corpora;

#[cfg(test)]
mod tests {
    use super::column::{Column, Width};
    use super::*;
    use topoi_store::id::RunId;

    /// Columns are identified by title in the workbench, by name in JSON.
    fn check<R>(record: &str, columns: &[Column<R>]) {
        let once = |names: Vec<&str>| {
            let mut seen = std::collections::HashSet::new();
            names.iter().all(|name| seen.insert(*name))
        };
        let names = columns.iter().map(|column| &*column.name).collect();
        assert!(once(names), "{record}: two columns of one name");
        let listed = || columns.iter().filter(|column| !column.widths.is_empty());
        assert!(
            once(listed().map(|column| &*column.title).collect()),
            "{record}: two of one title"
        );
        for column in listed() {
            let is_sorted = column.widths.is_sorted_by(|(one, _), (other, _)| one < other);
            assert!(is_sorted, "{record}: {} has its widths for wider lists first", column.title);
        }
        for list in [40, 80, 200] {
            let widths = listed().filter_map(|column| column.width(list));
            let cells: usize = widths
                .map(|width| match width {
                    Width::Cells(cells) => cells + 2,
                    Width::Share(_) => 2,
                })
                .sum();
            assert!(
                cells < list.into() || list < 80,
                "{record}: {cells} cells in a list of {list}"
            );
        }
    }

    #[test]
    fn the_columns_of_every_record_have_names_of_their_own_and_room() {
        check("compared topics", &comparisons::pairs(5));
        check("compared metrics", &comparisons::metrics([1, 2].map(RunId)));
        check("corpora", &corpora::columns());
        check("documents", &documents::columns());
        check("documents of a topic", &documents::topic_columns());
        check("found documents", &found::columns());
        check("occurrences", &found::contexts());
        check("similar documents", &found::similar());
        check("documents of a term", &found::documents_with_term());
        check("judgements", &judgements::columns());
        check("metrics", &metrics::columns());
        check("runs", &runs::columns());
        check("shaped topics", &shaping::columns());
        check("terms", &terms::columns());
        check("topics", &topics::columns(&[]));
        check("topics in another corpus", &topics_elsewhere::columns());
    }
}

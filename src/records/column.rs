//! A column of a list of records.

use std::borrow::Cow;

use serde_json::Value;
use topoi_core::numbers::with_error;

/// What the values of a column are, which decides how they are written and aligned in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// The number of a run or topic: no separators.
    Number,
    Count,
    Measure,
    /// A share of one, written as a percentage.
    Share,
    Seconds,
    /// A time in the store, of which lists show the date.
    Time,
    /// What the workbench draws itself, such as a gauge.
    Drawn,
}

impl Kind {
    pub fn is_at_the_right(self) -> bool {
        !matches!(self, Self::Text | Self::Time | Self::Drawn)
    }
}

/// How wide a column of a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Cells(usize),
    /// So many parts of what the other columns leave.
    Share(usize),
}

/// Which rows come first when a list is sorted by a column for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    Smallest,
    Largest,
}

type Cell<R> = Box<dyn Fn(&R) -> Value>;
type Text<R> = Box<dyn Fn(&R) -> String>;
type Exception<R> = Box<dyn Fn(&R) -> Option<String>>;
type Error<R> = Box<dyn Fn(&R) -> Option<f64>>;

/// A column of a list of `R`: printed and exported, and in the workbench's list where it has a width.
pub struct Column<R> {
    /// The name programs know it by: the key in JSON, the head in CSV and in printed tables.
    pub name: Cow<'static, str>,
    /// The head in the workbench, where the list is also sorted by this name.
    pub title: Cow<'static, str>,
    pub kind: Kind,
    /// (width of the list, width of the column in lists at least so wide), narrowest list first;
    /// empty for a column that no list has.
    pub widths: Vec<(u16, Width)>,
    /// `None` where lists cannot be sorted by it.
    pub first: Option<First>,
    /// Whether the command line prints it.
    pub is_printed: bool,
    /// Whether it is copied and exported from the workbench.
    pub is_exported: bool,
    cell: Cell<R>,
    printed: Option<Text<R>>,
    listed: Option<Exception<R>>,
    error: Option<Error<R>>,
}

/// Columns of what only the command line prints: `columns!(Row: run, "source" = name)` are the fields
/// `run` and `name` of a `Row`, the second under another name.
macro_rules! columns {
    (@name $name:literal $field:ident) => { $name };
    (@name $field:ident) => { stringify!($field) };
    ($record:ty: $($($name:literal =)? $field:ident),+ $(,)?) => {
        Vec::from([$($crate::records::column::Column::new(
            $crate::records::column::columns!(@name $($name)? $field),
            $crate::records::column::Kind::Text,
            |record: &$record| serde_json::json!(record.$field),
        )),+])
    };
}
pub(crate) use columns;

impl<R> Column<R> {
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        kind: Kind,
        cell: impl Fn(&R) -> Value + 'static,
    ) -> Self {
        let name = name.into();
        Self {
            title: name.clone(),
            name,
            kind,
            widths: Vec::new(),
            first: None,
            is_printed: true,
            is_exported: true,
            cell: Box::new(cell),
            printed: None,
            listed: None,
            error: None,
        }
    }

    /// In the workbench's list, at its place among the columns.
    pub fn listed(self, width: Width) -> Self {
        self.listed_from(0, width)
    }

    /// In lists that are at least `list` cells wide. Further calls, for wider lists, change the width.
    pub fn listed_from(mut self, list: u16, width: Width) -> Self {
        self.widths.push((list, width));
        self
    }

    pub fn titled(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = title.into();
        self
    }

    pub fn sorted(mut self, first: First) -> Self {
        self.first = Some(first);
        self
    }

    pub fn not_printed(mut self) -> Self {
        self.is_printed = false;
        self
    }

    pub fn not_exported(mut self) -> Self {
        self.is_exported = false;
        self
    }

    /// Its text in the command line's table, where that is not its value.
    pub fn printed_as(mut self, text: impl Fn(&R) -> String + 'static) -> Self {
        self.printed = Some(Box::new(text));
        self
    }

    /// Its text in the workbench's list for rows where that is not its value.
    pub fn listed_as(mut self, text: impl Fn(&R) -> Option<String> + 'static) -> Self {
        self.listed = Some(Box::new(text));
        self
    }

    /// The standard error of a value that is an estimate: people see it beside the value.
    pub fn with_error(mut self, error: impl Fn(&R) -> Option<f64> + 'static) -> Self {
        self.error = Some(Box::new(error));
        self
    }

    /// The value, exact: what programs read, and what a list is sorted by.
    pub fn cell(&self, row: &R) -> Value {
        (self.cell)(row)
    }

    /// The value as the command line's table shows it.
    pub fn printed_cell(&self, row: &R) -> Value {
        match (&self.printed, self.estimate(row)) {
            (Some(text), _) => Value::String(text(row)),
            (None, Some((value, error))) => Value::String(with_error(value, Some(error))),
            (None, None) => self.cell(row),
        }
    }

    /// A value that is an estimate, with its standard error.
    pub fn estimate(&self, row: &R) -> Option<(f64, f64)> {
        let error = self.error.as_ref().and_then(|error| error(row))?;
        Some((self.cell(row).as_f64()?, error))
    }

    /// The text in the workbench's list; `None` where value and kind say it.
    pub fn list_text(&self, row: &R) -> Option<String> {
        self.listed.as_ref().and_then(|text| text(row))
    }

    /// Its width in a list of `list` cells; `None` where that has no room for it.
    pub fn width(&self, list: u16) -> Option<Width> {
        self.widths.iter().rev().find(|(from, _)| *from <= list).map(|(_, width)| *width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_as_wide_as_its_list_has_room_for() {
        let column = Column::<u64>::new("corpus", Kind::Text, |row| (*row).into())
            .listed_from(40, Width::Cells(8))
            .listed_from(100, Width::Share(1));
        assert_eq!(column.width(39), None);
        assert_eq!(column.width(99), Some(Width::Cells(8)));
        assert_eq!(column.width(100), Some(Width::Share(1)));
    }

    #[test]
    fn programs_get_the_value_where_people_get_words() {
        let column = Column::<f64>::new("documents", Kind::Share, |row| (*row).into())
            .printed_as(|row| format!("{:.0}%", 100.0 * row));
        assert_eq!(column.cell(&0.5), 0.5);
        assert_eq!(column.printed_cell(&0.5), "50%");
        assert_eq!(column.list_text(&0.5), None);
        let estimate = Column::<f64>::new("norm", Kind::Measure, |row| (*row).into())
            .with_error(|row| (*row < 1.0).then_some(0.0123));
        assert_eq!(
            (estimate.cell(&0.5), estimate.printed_cell(&0.5)),
            (0.5.into(), "0.5000 ± 0.012".into())
        );
        // Numbers stay numbers, so that the column is set at the right.
        assert_eq!((estimate.printed_cell(&2.0), estimate.estimate(&2.0)), (2.0.into(), None));
    }
}

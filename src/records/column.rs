//! A column of a list of records.

use std::borrow::Cow;

use serde_json::Value;
use topoi_core::numbers::with_error;

/// The kind of the values of a column, which determines their format and alignment in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// The number of a run or topic: no separators.
    Number,
    Count,
    Measure,
    /// A share, written as a percentage.
    Share,
    Seconds,
    /// A time in the store; lists show its date.
    Time,
    /// Drawn by the workbench itself, such as a gauge.
    Drawn,
}

impl Kind {
    pub fn is_at_the_right(self) -> bool {
        !matches!(self, Self::Text | Self::Time | Self::Drawn)
    }
}

/// The width of a column of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Cells(usize),
    /// This many parts of the space that the other columns leave.
    Share(usize),
}

/// Which rows come first when a list is sorted by this column for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    Smallest,
    Largest,
}

type Cell<R> = Box<dyn Fn(&R) -> Value>;
type Text<R> = Box<dyn Fn(&R) -> String>;
type Exception<R> = Box<dyn Fn(&R) -> Option<String>>;
type Error<R> = Box<dyn Fn(&R) -> Option<f64>>;

/// A column of a list of `R`. It is printed and exported; it is in the workbench's list if it has a width.
pub struct Column<R> {
    /// The name for programs: the key in JSON, the head in CSV and in printed tables.
    pub name: Cow<'static, str>,
    /// The head in the workbench, which is also the name to sort by.
    pub title: Cow<'static, str>,
    pub kind: Kind,
    /// (minimum width of the list, width of the column), narrowest list first; empty for a column outside of lists.
    pub widths: Vec<(u16, Width)>,
    /// `None` for a column that lists cannot be sorted by.
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

/// Columns that only the command line prints. `columns!(Row: run, "source" = name)` are the fields `run` and `name`
/// of a `Row`, the second under the name `source`.
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

    /// Adds it to the workbench's list.
    pub fn listed(self, width: Width) -> Self {
        self.listed_from(0, width)
    }

    /// Adds it to lists of at least `list` cells. Further calls set the width in wider lists.
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

    /// Text in the command line's table in place of the value.
    pub fn printed_as(mut self, text: impl Fn(&R) -> String + 'static) -> Self {
        self.printed = Some(Box::new(text));
        self
    }

    /// Text in the workbench's list in place of the value, for rows where it is not `None`.
    pub fn listed_as(mut self, text: impl Fn(&R) -> Option<String> + 'static) -> Self {
        self.listed = Some(Box::new(text));
        self
    }

    /// The standard error of a value that is an estimate, shown beside the value.
    pub fn with_error(mut self, error: impl Fn(&R) -> Option<f64> + 'static) -> Self {
        self.error = Some(Box::new(error));
        self
    }

    /// The same column of rows that have one of these.
    pub fn of<S: 'static>(self, part: fn(&S) -> &R) -> Column<S>
    where
        R: 'static,
    {
        let Self { name, title, kind, widths, first, is_printed, is_exported, .. } = self;
        let (cell, printed, listed, error) = (self.cell, self.printed, self.listed, self.error);
        Column {
            name,
            title,
            kind,
            widths,
            first,
            is_printed,
            is_exported,
            cell: Box::new(move |row| cell(part(row))),
            printed: printed.map(|text| Box::new(move |row: &S| text(part(row))) as Text<S>),
            listed: listed.map(|text| Box::new(move |row: &S| text(part(row))) as Exception<S>),
            error: error.map(|error| Box::new(move |row: &S| error(part(row))) as Error<S>),
        }
    }

    /// The exact value, for programs and for sorting.
    pub fn cell(&self, row: &R) -> Value {
        (self.cell)(row)
    }

    /// The value in the command line's table.
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

    /// The text in the workbench's list; `None` for the formatted value.
    pub fn list_text(&self, row: &R) -> Option<String> {
        self.listed.as_ref().and_then(|text| text(row))
    }

    /// Its width in a list of `list` cells; `None` if it does not fit.
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
        // Numbers stay numbers, so that the column is aligned right.
        assert_eq!((estimate.printed_cell(&2.0), estimate.estimate(&2.0)), (2.0.into(), None));
    }
}

//! Cells of CSV files that people open with a spreadsheet.

use std::borrow::Cow;

/// What begins a formula in a spreadsheet, or hides one behind a blank; the wide ones do where
/// people write Chinese or Japanese.
const BEGINS_A_FORMULA: [char; 10] =
    ['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// The cell as a spreadsheet shows it and does not run it: with `'` before what would be a formula.
/// A number stays as it is, and so does all else that [`as_it_was`] cannot take for such a cell.
pub fn for_spreadsheets(cell: &str) -> Cow<'_, str> {
    let inside = cell.trim_start_matches('\'');
    if !inside.starts_with(BEGINS_A_FORMULA) || is_number(cell) {
        return cell.into();
    }
    format!("'{cell}").into()
}

/// What [`for_spreadsheets`] made this cell of.
pub fn as_it_was(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(inside) if for_spreadsheets(inside) == cell => inside,
        _ => cell,
    }
}

/// Whether it is written in digits: `-inf` could be the name of something.
fn is_number(cell: &str) -> bool {
    cell.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        && cell.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_are_quoted_and_numbers_are_not() {
        for formula in
            ["=1+1", "+cmd|' /C calc'!A0", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "-", "-inf", "＝1"]
        {
            assert_eq!(for_spreadsheets(formula), format!("'{formula}"));
        }
        for other in ["-0.3", "+1", "-1e-5", "1=1", "a-b", "", "'tis", "word"] {
            assert_eq!(for_spreadsheets(other), other);
        }
        // Else it would come back as `=1`.
        assert_eq!(for_spreadsheets("'=1"), "''=1");
    }

    proptest! {
        #[test]
        fn every_cell_comes_back(cell in "['=+@\t\r0-9a-]{0,6}") {
            let written = for_spreadsheets(&cell);
            prop_assert_eq!(as_it_was(&written), &*cell);
            prop_assert!(is_number(&written) || !written.starts_with(BEGINS_A_FORMULA));
        }
    }
}

//! Escaping of CSV cells that people open in a spreadsheet.

use std::borrow::Cow;

/// Characters that start a formula in a spreadsheet, or hide one behind a blank. The full-width
/// ones do in Chinese and Japanese versions.
const FORMULA_STARTS: [char; 10] =
    ['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// The cell with `'` in front where a spreadsheet would run it as a formula. Numbers stay as they
/// are, and so does any other cell that [`from_spreadsheet`] could not tell from an escaped one.
pub fn for_spreadsheets(cell: &str) -> Cow<'_, str> {
    let inside = cell.trim_start_matches('\'');
    if !inside.starts_with(FORMULA_STARTS) || is_number(cell) {
        return cell.into();
    }
    format!("'{cell}").into()
}

/// The cell that [`for_spreadsheets`] escaped.
pub fn from_spreadsheet(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(inside) if for_spreadsheets(inside) == cell => inside,
        _ => cell,
    }
}

/// Whether the cell is a number written in digits: `-inf` could be a name.
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
        // Otherwise it would come back as `=1`.
        assert_eq!(for_spreadsheets("'=1"), "''=1");
    }

    proptest! {
        #[test]
        fn every_cell_comes_back(cell in "['=+@\t\r0-9a-]{0,6}") {
            let written = for_spreadsheets(&cell);
            prop_assert_eq!(from_spreadsheet(&written), &*cell);
            prop_assert!(is_number(&written) || !written.starts_with(FORMULA_STARTS));
        }
    }
}

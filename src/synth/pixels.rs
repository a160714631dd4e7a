//! Words that are the pixels of a picture.

/// The names of `rows` × `columns` pixels, row by row, such as `r05c17` (row, column, from 0):
/// what tells topics that can be drawn.
pub fn pixel_names(rows: usize, columns: usize) -> Vec<String> {
    let digits = |count: usize| (count.saturating_sub(1).max(1).ilog10() as usize + 1).max(2);
    let (of_row, of_column) = (digits(rows), digits(columns));
    (0..rows * columns)
        .map(|at| format!("r{:0of_row$}c{:0of_column$}", at / columns, at % columns))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_named_row_by_row() {
        let names = pixel_names(2, 3);
        assert_eq!(names, ["r00c00", "r00c01", "r00c02", "r01c00", "r01c01", "r01c02"]);
        assert_eq!(pixel_names(101, 1)[100], "r100c00");
    }
}

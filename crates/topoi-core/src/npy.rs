//! NumPy's array files (`.npy`): the header that is written, and matrices that are read.
//!
//! # Source
//! NEP 1, "A simple file format for NumPy arrays"; versions 1.0, 2.0 and 3.0 differ in the length
//! and the encoding of the header.

use ndarray::{Array2, ShapeBuilder};

/// The first bytes of an array file.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Length of a written header: a multiple of 64, so that the numbers are aligned in a memory map.
pub const HEADER_BYTES: usize = 128;
/// Maximum number of characters of a type in a message.
const LONGEST_TYPE: usize = 30;

/// The type of the numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// 4 bytes.
    F32,
    /// 8 bytes.
    F64,
}

impl Number {
    /// Length of a number in bytes.
    fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Its name in NumPy, after the byte order.
    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f4",
            Self::F64 => "f8",
        }
    }
}

/// Why bytes are no matrix that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NpyError {
    /// The file does not begin as an array file.
    #[error("not an array that np.save wrote")]
    NotAnArray,
    /// The file is an archive of arrays.
    #[error("an archive of arrays; save the one alone: np.save(FILE, array)")]
    Archive,
    /// The header cannot be parsed.
    #[error("the header of the array is damaged; save it again by np.save")]
    Header,
    /// The numbers are of another type.
    #[error("numbers of the type {0}; save them as floats: np.save(FILE, array.astype(float))")]
    Type(String),
    /// The array does not have two dimensions.
    #[error("an array of {0} dimensions, not of two")]
    Dimensions(usize),
    /// The file ends before the array.
    #[error("an array of {rows} × {columns} whose numbers end early; save it again")]
    Short {
        /// Rows of the array by its header.
        rows: usize,
        /// Columns of the array by its header.
        columns: usize,
    },
}

/// The order of the numbers of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Row by row.
    Rows,
    /// Column by column, which NumPy calls Fortran's.
    Columns,
}

/// The header of a matrix of little-endian numbers, row by row.
pub fn header(number: Number, shape: [u64; 2]) -> [u8; HEADER_BYTES] {
    header_of(&format!("<{}", number.name()), Order::Rows, shape)
}

/// The header (version 1.0) of a matrix of values of a type of NumPy, such as `<f8`, or `<U7` for texts of at most seven
/// characters. A type has at most ten characters.
pub fn header_of(type_name: &str, order: Order, [rows, columns]: [u64; 2]) -> [u8; HEADER_BYTES] {
    let is_fortran = if order == Order::Columns { "True" } else { "False" };
    let text = format!(
        "{{'descr': '{type_name}', 'fortran_order': {is_fortran}, 'shape': ({rows}, {columns}), }}"
    );
    let mut header = [b' '; HEADER_BYTES];
    header[..6].copy_from_slice(MAGIC);
    header[6..8].copy_from_slice(&[1, 0]);
    header[8..10].copy_from_slice(&(HEADER_BYTES as u16 - 10).to_le_bytes());
    // The longest has two numbers of 20 digits and ten characters of the type.
    header[10..10 + text.len()].copy_from_slice(text.as_bytes());
    header[HEADER_BYTES - 1] = b'\n';
    header
}

/// The layout of an array, as its header has it.
struct Layout {
    number: Number,
    is_big_endian: bool,
    /// Whether it is stored column by column.
    is_fortran: bool,
    shape: Vec<usize>,
    /// Where the numbers begin.
    start: usize,
}

/// Reads a matrix of floats in either byte order, row by row or column by column.
///
/// # Errors
/// [`NpyError`]; nothing is allocated that the file does not have.
pub fn read_matrix(bytes: &[u8]) -> Result<Array2<f64>, NpyError> {
    read_as(bytes, |number| number)
}

/// [`read_matrix`] in single precision, for half of the memory. Numbers beyond its range become infinite.
///
/// # Errors
/// As of [`read_matrix`].
pub fn read_single_matrix(bytes: &[u8]) -> Result<Array2<f32>, NpyError> {
    read_as(bytes, |number| number as f32)
}

fn read_as<T>(bytes: &[u8], convert: impl Fn(f64) -> T) -> Result<Array2<T>, NpyError> {
    let layout = layout(bytes)?;
    let [rows, columns] = layout.shape[..] else {
        return Err(NpyError::Dimensions(layout.shape.len()));
    };
    let short = NpyError::Short { rows, columns };
    let size = layout.number.bytes();
    let length = rows.checked_mul(columns).and_then(|count| count.checked_mul(size));
    let end = length.and_then(|length| length.checked_add(layout.start));
    let numbers = end.and_then(|end| bytes.get(layout.start..end)).ok_or(short.clone())?;
    let numbers =
        numbers.chunks_exact(size).map(|bytes| convert(number(bytes, layout.is_big_endian)));
    let shape = (rows, columns).set_f(layout.is_fortran);
    Array2::from_shape_vec(shape, numbers.collect()).map_err(|_| short)
}

/// A number of 4 or 8 bytes.
fn number(bytes: &[u8], is_big_endian: bool) -> f64 {
    let order = |at: usize| if is_big_endian { bytes.len() - 1 - at } else { at };
    let bits =
        (0..bytes.len()).fold(0u64, |bits, at| bits | u64::from(bytes[order(at)]) << (8 * at));
    match bytes.len() {
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn layout(bytes: &[u8]) -> Result<Layout, NpyError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        let is_zip = bytes.starts_with(b"PK\x03\x04");
        return Err(if is_zip { NpyError::Archive } else { NpyError::NotAnArray });
    };
    // Two bytes of the version, then the length of the text.
    let (length, text) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 10),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12),
        _ => return Err(NpyError::Header),
    };
    let start = text + length;
    let dictionary = bytes.get(text..start).and_then(|text| std::str::from_utf8(text).ok());
    let dictionary = dictionary.ok_or(NpyError::Header)?;
    let value = |name| value(dictionary, name).ok_or(NpyError::Header);
    let (is_big_endian, number) = number_type(value("descr")?)?;
    let order = value("fortran_order")?;
    let is_fortran = order.starts_with("True");
    if !is_fortran && !order.starts_with("False") {
        return Err(NpyError::Header);
    }
    let shape = shape(value("shape")?).ok_or(NpyError::Header)?;
    Ok(Layout { number, is_big_endian, is_fortran, shape, start })
}

/// What follows `'name':` in a dictionary of Python.
fn value<'a>(dictionary: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = dictionary.split_once(name)?;
    Some(rest.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start())
}

/// Whether the numbers are big-endian, and their type.
fn number_type(value: &str) -> Result<(bool, Number), NpyError> {
    let name = value.strip_prefix(['\'', '"']).and_then(|rest| rest.split(['\'', '"']).next());
    let other = |name: &str| {
        let printable = name.chars().filter(|c| !c.is_control());
        Err(NpyError::Type(printable.take(LONGEST_TYPE).collect()))
    };
    let Some(name) = name else { return other(value) };
    let number = match name.get(1..) {
        Some("f4") => Number::F32,
        Some("f8") => Number::F64,
        _ => return other(name),
    };
    match name.as_bytes().first() {
        Some(b'<' | b'=' | b'|') => Ok((false, number)),
        Some(b'>') => Ok((true, number)),
        _ => other(name),
    }
}

/// A tuple of numbers, such as `(3, 4)`; Python 2 wrote `(3L, 4L)`.
fn shape(value: &str) -> Option<Vec<usize>> {
    let (inside, _) = value.strip_prefix('(')?.split_once(')')?;
    let numbers = inside.split(',').map(|number| number.trim().trim_end_matches('L'));
    numbers.filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    /// A file of an array with the given header.
    fn file(version: u8, dictionary: &str, numbers: &[u8]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[version, 0]].concat();
        let length = dictionary.len() as u32;
        bytes.extend(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(dictionary.as_bytes());
        bytes.extend(numbers);
        bytes
    }

    fn numbers<const N: usize>(numbers: [f64; 6], bytes: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
        numbers.into_iter().flat_map(bytes).collect()
    }

    #[test]
    fn a_written_header_has_the_bytes_of_numpy() {
        // np.save(file, np.zeros((3, 50), "<f4")), NumPy 2.4
        let expected = format!(
            "\u{1}\0v\0{:<117}\n",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 50), }"
        );
        let written = header(Number::F32, [3, 50]);
        assert_eq!(written[..6], MAGIC[..]);
        assert_eq!(std::str::from_utf8(&written[6..]), Ok(expected.as_str()));
        let longest = header(Number::F64, [u64::MAX; 2]);
        assert_eq!((longest.len(), longest[126], longest[127]), (128, b' ', b'\n'));
        let longest = header_of("<U12345678", Order::Rows, [u64::MAX; 2]);
        assert_eq!((longest[126], longest[127]), (b' ', b'\n'));
    }

    #[test]
    fn floats_of_both_lengths_byte_orders_and_orders_of_axes_are_read() {
        let by_rows = [1.0, 2.0, 3.0, 4.0, 5.0, 0.5];
        let by_columns = [1.0, 4.0, 2.0, 5.0, 3.0, 0.5];
        let dictionary = |descr: &str, order: &str| {
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3), }}\n")
        };
        let short = |n: f64| (n as f32).to_le_bytes();
        for file in [
            file(1, &dictionary("<f8", "False"), &numbers(by_rows, f64::to_le_bytes)),
            file(2, &dictionary("<f8", "True"), &numbers(by_columns, f64::to_le_bytes)),
            file(3, &dictionary("<f4", "False"), &numbers(by_rows, short)),
            file(1, &dictionary(">f8", "True"), &numbers(by_columns, f64::to_be_bytes)),
            file(1, &dictionary(">f4", "False"), &numbers(by_rows, |n| (n as f32).to_be_bytes())),
            file(
                1,
                "{\"shape\": (2L, 3L), \"fortran_order\": False, \"descr\": \"<f8\"}",
                &numbers(by_rows, f64::to_le_bytes),
            ),
        ] {
            let found = read_matrix(&file).expect("a matrix");
            assert_eq!(found, array![[1.0, 2.0, 3.0], [4.0, 5.0, 0.5]]);
            let found = read_single_matrix(&file).expect("a matrix");
            assert_eq!(found, array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 0.5]]);
        }
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let of = |descr: &str, shape: &str| {
            let dictionary =
                format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
            read_matrix(&file(1, &dictionary, &[0; 16])).expect_err("no matrix")
        };
        assert_eq!(of("'<i8'", "(1, 2)"), NpyError::Type("<i8".into()));
        assert_eq!(of("'|O'", "(1, 2)"), NpyError::Type("|O".into()));
        assert!(matches!(of("[('a', '<f8')]", "(1, 2)"), NpyError::Type(_)));
        assert_eq!(of("'<f8'", "(2,)"), NpyError::Dimensions(1));
        assert_eq!(of("'<f8'", "()"), NpyError::Dimensions(0));
        assert_eq!(of("'<f8'", "(1, 3)"), NpyError::Short { rows: 1, columns: 3 });
        assert_eq!(of("'<f8'", "(1, -1)"), NpyError::Header);
        let most = usize::MAX;
        let short = NpyError::Short { rows: most, columns: most };
        assert_eq!(of("'<f8'", &format!("({most}, {most})")), short);
        assert_eq!(read_matrix(b"topic,term"), Err(NpyError::NotAnArray));
        assert_eq!(read_matrix(b"PK\x03\x04rest"), Err(NpyError::Archive));
        assert_eq!(read_matrix(b"\x93NUMPY\x01"), Err(NpyError::Header));
        assert_eq!(read_matrix(b"\x93NUMPY\x02\x00\xff\xff\xff\xff"), Err(NpyError::Header));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_matrix_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_matrix(&[&MAGIC[..], &bytes].concat());
            let mut whole = header(Number::F32, [2, 3]).to_vec();
            whole.extend(&bytes);
            prop_assert_eq!(read_matrix(&whole).is_ok(), bytes.len() >= 24);
        }
    }
}

//! Matrix Market, coordinate format: a banner, comments, `rows columns entries`, then lines `row column value`,
//! counted from 1.
//! Rows are documents unless transposed. All entries of a document must be adjacent; those of a file that is sorted by
//! words, as R's `writeMM` leaves it, are sorted in memory.

use std::fmt::Write;

use super::triples::{Layout, LineKind, Triples, integer, integers, triple_of};
use crate::error::{InputLocation, Mistake, Reading, excerpt};
use crate::formats::definition::{ContentKind, FormatDef};
use crate::source::Source;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "matrix-market",
    help: "Matrix Market, rows or columns as documents",
    content: ContentKind::VocabularyNumberCounts,
    has_signature: |source| Ok(source.peek(0)?.is_some_and(|line| line.starts_with(BANNER))),
    ..FormatDef::with_open(|mut input| {
        let transposed = input.request().transposed;
        let mut source = input.source()?;
        if is_by_words(&mut source, transposed)? && source.size().is_some() {
            source = by_documents(source, transposed)?.map_or_else(|| input.any_source(), Ok)?;
        }
        let triples = header(source, transposed)?;
        input.triples(triples)
    })
};

/// The beginning of every file of this format.
pub(crate) const BANNER: &[u8] = b"%%MatrixMarket";

/// Lines that show in which order entries are.
const LINES_OF_ORDER: usize = 64;
/// Maximum number of entries that are sorted in memory: about a gigabyte.
const MOST_SORTED: u64 = 32 << 20;

/// Whether the first entries can be in the order of their words, as R writes them: those of a word are of one document
/// after another.
fn is_by_words(source: &mut Source, transposed: bool) -> Reading<bool> {
    let mut before: Option<[u64; 2]> = None;
    let (mut is_sized, mut entries, mut changes) = (false, 0, false);
    for index in 0..LINES_OF_ORDER {
        let Some(line) = source.peek(index)? else { break };
        if line.starts_with(b"%") || line.trim_ascii().is_empty() {
            continue;
        }
        if !std::mem::replace(&mut is_sized, true) {
            continue;
        }
        let mut numbers = line.split(u8::is_ascii_whitespace).filter_map(integer);
        let (Some(row), Some(column)) = (numbers.next(), numbers.next()) else { return Ok(false) };
        let [document, word] = if transposed { [column, row] } else { [row, column] };
        if let Some([last_document, last_word]) = before {
            if word < last_word || word == last_word && document < last_document {
                return Ok(false);
            }
            changes |= document != last_document;
        }
        (before, entries) = (Some([document, word]), entries + 1);
    }
    Ok(entries > 1 && changes)
}

/// The same matrix with its entries in the order of their documents; `None` if they are, or one of them is not as it
/// should be, which is reported when it is read.
fn by_documents(source: Source, transposed: bool) -> Reading<Option<Source>> {
    let name = source.name().to_string();
    let mut triples = header(source, transposed)?;
    let Layout { documents, words, triples: announced, lines } = triples.layout;
    if announced > MOST_SORTED {
        return Ok(None);
    }
    let mut entries: Vec<[u32; 3]> = Vec::new();
    let mut is_sorted = true;
    while let Some(line) = triples.source.next_line()? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let entry = triple_of(line, lines).map(|entry| entry.map(u32::try_from));
        let Some([Ok(document), Ok(word), Ok(count)]) = entry else { return Ok(None) };
        if entries.len() as u64 == announced {
            return Ok(None);
        }
        is_sorted &= entries.last().is_none_or(|last| last[0] <= document);
        entries.push([document, word, count]);
    }
    if is_sorted {
        return Ok(None);
    }
    entries.sort_by_key(|&[document, ..]| document);
    let (rows, columns) = if transposed { (words, documents) } else { (documents, words) };
    let mut text = format!(
        "{} matrix coordinate integer general\n{rows} {columns} {announced}\n",
        String::from_utf8_lossy(BANNER)
    );
    for [document, word, count] in entries {
        let [row, column] = if transposed { [word, document] } else { [document, word] };
        let _ = writeln!(text, "{row} {column} {count}");
    }
    Ok(Source::from_bytes(&name, text.into_bytes()).ok())
}

/// Reads the banner and the line of sizes.
///
/// # Errors
/// If the banner is not of a general coordinate matrix of numbers, or the sizes are missing.
pub(super) fn header(mut source: Source, transposed: bool) -> Reading<Triples> {
    let banner = source.next_line()?.unwrap_or_default().to_vec();
    let found = String::from_utf8_lossy(&banner).to_ascii_lowercase();
    let words: Vec<&str> = found.split_ascii_whitespace().collect();
    let first_line = InputLocation { file: source.name().into(), line: 1 };
    let field = match words[..] {
        [_, "matrix", "coordinate", field @ ("real" | "integer" | "pattern"), "general"] => field,
        _ => {
            let found = excerpt(&banner);
            let problem = format!(
                "expected a coordinate matrix of real, integer or pattern, general; found {found}"
            );
            let remedy = "write the matrix as `%%MatrixMarket matrix coordinate integer general`";
            return Err(Mistake::source(first_line, problem, remedy));
        }
    };
    let sizes = loop {
        match source.next_line()? {
            Some(line) if line.starts_with(b"%") || line.trim_ascii().is_empty() => {}
            Some(line) => break integers(line),
            None => break None,
        }
    };
    let Some([rows, columns, triples]) = sizes else {
        let problem = "expected the numbers of rows, columns and entries";
        let remedy = "copy the file again, or add the line";
        return Err(Mistake::source(source.place(), problem, remedy));
    };
    let (documents, words) = if transposed { (columns, rows) } else { (rows, columns) };
    let lines = LineKind::Entry { transposed, pattern: field == "pattern" };
    Ok(Triples::new(source, Layout { documents, words, triples, lines }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Documents = Vec<(u64, Vec<(u32, u32)>)>;

    fn parse(text: &[u8], transposed: bool) -> Reading<Documents> {
        let mut triples =
            header(Source::from_bytes("x.mtx", text.to_vec()).expect("open"), transposed)?;
        let (mut documents, mut entries) = (Vec::new(), Vec::new());
        while let Some(id) = triples.next_document(&mut entries)? {
            documents.push((id, entries.clone()));
        }
        Ok(documents)
    }

    fn problem(text: &str) -> String {
        let mistake = parse(text.as_bytes(), false).expect_err("a mistake");
        format!("{}: {}", mistake.place, mistake.problem)
    }

    const REAL: &str = "%%MatrixMarket matrix coordinate real general\n% remark\n2 3 3    \n1 1 2.0\n1 3 1e0\n2 2 0\n";

    #[test]
    fn rows_or_columns_are_documents() {
        assert_eq!(
            parse(REAL.as_bytes(), false).expect("rows"),
            [(1, vec![(0, 2), (2, 1)]), (2, vec![])]
        );
        let pattern = b"%%MatrixMarket matrix coordinate pattern general\n3 2 2\n1 1\n3 2\n";
        assert_eq!(parse(pattern, true).expect("columns"), [(1, vec![(0, 1)]), (2, vec![(2, 1)])]);
    }

    #[test]
    fn each_mistake_is_named_with_its_line() {
        let dense = problem("%%MatrixMarket matrix array real general\n1 1\n3\n");
        assert!(dense.starts_with("x.mtx:1: expected a coordinate matrix"), "{dense}");
        let sizes = "x.mtx:2: expected the numbers of rows, columns and entries";
        assert_eq!(problem("%%MatrixMarket matrix coordinate real general\n2 3\n"), sizes);
        let weights = REAL.replace("2.0", "0.5");
        let found = "x.mtx:4: expected row, column and a whole count, found \"1 1 0.5\"";
        assert_eq!(problem(&weights), found);
        let unsorted = REAL.replace("1 3 1e0", "2 3 1").replace("2 2 0", "1 2 7");
        assert_eq!(problem(&unsorted), "x.mtx:6: document 1 after document 2");
        let negative = REAL.replace("1 1 2.0", "1 -1 2");
        assert_eq!(
            problem(&negative),
            "x.mtx:4: expected row, column and a whole count, found \"1 -1 2\""
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parser_panic(
            bytes: Vec<u8>, text in "([0-9 .e-]{0,12}\n){0,10}", transposed: bool,
        ) {
            let _ = parse(&bytes, transposed);
            let _ = parse(&[&REAL.as_bytes()[..46], text.as_bytes()].concat(), transposed);
        }
    }
}

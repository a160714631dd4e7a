//! The UCI bag-of-words format: three header lines (documents D, words W, triples N), then N lines `document
//! word count` with ids counted from 1. The lines of a document are adjacent.

use std::path::Path;

use super::triples::{Layout, LineKind, Triples, header_line, integer, integers};
use crate::error::Reading;
use crate::formats::definition::{ContentKind, FormatDef};
use crate::source::Source;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "uci",
    help: "docword of the UCI bag-of-words collections",
    content: ContentKind::VocabularyNumberCounts,
    has_signature: is_source,
    ..FormatDef::with_open(|mut input| {
        let triples = header(input.source()?)?;
        input.triples(triples)
    })
};

const THREE_LINES: &str = "a docword file starts with three such lines (documents, words, triples)";

/// Reads the header.
///
/// # Errors
/// If it is not three lines of one integer each.
pub(super) fn header(mut source: Source) -> Reading<Triples> {
    let documents = header_line(&mut source, "documents", THREE_LINES)?;
    let words = header_line(&mut source, "words", THREE_LINES)?;
    let triples = header_line(&mut source, "triples", THREE_LINES)?;
    Ok(Triples::new(source, Layout { documents, words, triples, lines: LineKind::Integers }))
}

/// Whether a source begins as this format does. For a file with this format's usual name, the header is enough:
/// an error in its first triple is to be reported.
pub(crate) fn is_source(source: &mut Source) -> Reading<bool> {
    let mut triples = 0;
    for index in 0..3 {
        match source.peek(index)?.and_then(integer) {
            Some(number) => triples = number,
            None => return Ok(false),
        }
    }
    let file = Path::new(source.name()).file_name().unwrap_or_default();
    if file.as_encoded_bytes().starts_with(b"docword.") {
        return Ok(true);
    }
    Ok(match source.peek(3)? {
        Some(line) if !line.trim_ascii().is_empty() => integers(line).is_some(),
        _ => triples == 0,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use topoi_store::ingest::sort_and_sum;

    type Documents = Vec<(u64, Vec<(u32, u32)>)>;

    fn parse(text: &[u8]) -> Reading<Documents> {
        let source = Source::from_bytes("docword.x.txt", text.to_vec()).expect("open");
        let mut docword = header(source)?;
        let (mut documents, mut entries) = (Vec::new(), Vec::new());
        while let Some(id) = docword.next_document(&mut entries)? {
            sort_and_sum(&mut entries);
            documents.push((id, entries.clone()));
        }
        Ok(documents)
    }

    fn error(text: &str) -> String {
        let mistake = parse(text.as_bytes()).expect_err("a mistake");
        format!("{}: {}", mistake.place, mistake.problem)
    }

    /// Reference implementation with `str::parse` and maps.
    fn parse_naively(text: &str) -> Documents {
        let mut documents: BTreeMap<u64, BTreeMap<u32, u32>> = BTreeMap::new();
        for line in text.lines().skip(3).filter(|line| !line.trim().is_empty()) {
            let mut numbers = line.split_whitespace().map(|n| n.parse::<u32>().expect("number"));
            let mut next = || numbers.next().expect("three numbers");
            let (document, word, count) = (next(), next(), next());
            *documents.entry(document.into()).or_default().entry(word - 1).or_default() += count;
        }
        documents.into_iter().map(|(id, entries)| (id, entries.into_iter().collect())).collect()
    }

    #[test]
    fn spaces_and_blank_lines_at_the_end_do_no_harm() {
        let documents = parse(b"3 \n5\t\r\n3\n 1 2 3 \r\n1\t5 1\n3 1 1\n\n \n").expect("parse");
        assert_eq!(documents, [(1, vec![(1, 3), (4, 1)]), (3, vec![(0, 1)])]);
    }

    #[test]
    fn repeated_words_are_added_up_and_sorted() {
        let documents = parse(b"1\n5\n3\n1 4 3\n1 2 1\n1 4 2\n").expect("parse");
        assert_eq!(documents, [(1, vec![(1, 1), (3, 5)])]);
    }

    #[test]
    fn each_mistake_is_named_with_its_line() {
        let start = |text: &str| error(text).split(';').next().unwrap_or_default().to_string();
        let at = |line: u32, what: &str| format!("docword.x.txt:{line}: {what}");
        let header = "expected the number of words alone on the line, found \"two\"";
        assert_eq!(start("1\ntwo\n3\n"), at(2, header));
        let header = "expected the number of triples alone on the line, found the end of the file";
        assert_eq!(start("1\n2\n"), at(2, header));
        let three = "expected three integers (document, word, count), found";
        assert_eq!(start("2\n2\n1\n1 2\n"), at(4, &format!("{three} \"1 2\"")));
        assert_eq!(start("2\n2\n1\n1 2 3 4\n"), at(4, &format!("{three} \"1 2 3 4\"")));
        assert_eq!(start("2\n2\n1\n1 2 -3\n"), at(4, &format!("{three} \"1 2 -3\"")));
        assert_eq!(start("2\n2\n1\n1 2 3x\n"), at(4, &format!("{three} \"1 2 3x\"")));
        let range = |what: &str| format!("{what} is outside the header's 1 to 2");
        assert_eq!(start("2\n2\n1\n3 2 1\n"), at(4, &range("document 3")));
        assert_eq!(start("2\n2\n1\n0 2 1\n"), at(4, &range("document 0")));
        assert_eq!(start("2\n2\n1\n1 0 1\n"), at(4, &range("word 0")));
        assert_eq!(start("2\n2\n1\n1 3 1\n"), at(4, &range("word 3")));
        assert_eq!(start("2\n2\n1\n1 2 0\n"), at(4, "the count is 0"));
        let large = "word 2 occurs more than 4294967295 times in document 1";
        assert_eq!(start("2\n2\n1\n1 2 4294967296\n"), at(4, large));
        assert_eq!(start("2\n2\n1\n1 2 99999999999999999999999\n"), at(4, large));
        assert_eq!(start("2\n2\n2\n2 2 1\n1 2 1\n"), at(5, "document 1 after document 2"));
        let few = "the file ends after 1 triples, but its header says 2";
        assert_eq!(start("2\n2\n2\n2 2 1\n"), at(4, few));
        assert_eq!(
            start("2\n2\n1\n1 2 1\n2 2 1\n"),
            at(5, "a triple more than the 1 the header says")
        );
    }

    proptest! {
        #[test]
        fn documents_read_as_the_naive_parser_reads_them(
            documents in prop::collection::vec(
                prop::collection::vec((1u32..30, 1u32..1000), 0..12), 1..20),
            end in prop::sample::select(vec!["\n", "\r\n", " \n", "\t\r\n"]),
        ) {
            let triples: usize = documents.iter().map(Vec::len).sum();
            let mut text = format!("{}{end}30{end}{triples}{end}", documents.len());
            for (id, document) in documents.iter().enumerate() {
                for (word, count) in document {
                    text += &format!("{} {word} {count}{end}", id + 1);
                }
            }
            prop_assert_eq!(parse(text.as_bytes()).expect("parse"), parse_naively(&text));
        }

        #[test]
        fn no_bytes_make_the_parser_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200), numbers in "([0-9 \n-]{0,8}){0,20}",
        ) {
            let _ = parse(&bytes);
            let _ = parse(numbers.as_bytes());
            let _ = parse(&[b"9\n9\n9\n", numbers.as_bytes()].concat());
        }
    }
}

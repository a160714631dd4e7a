//! The UCI bag-of-words format: three header lines (documents D, words W, triples N), then N
//! lines `document word count`, ids counted from 1, all lines of a document together.

use std::path::Path;

use crate::store::ingest::{IngestWriter, NewDocument};

use super::content_hash;
use super::error::{IngestError, Place, Result, excerpt};
use super::progress::IngestProgress;
use super::source::Source;
use super::summary::SourceSummary;
use super::vocabulary;

/// Nonzeros between two reports of progress.
const REPORT_EVERY: u64 = 1 << 15;

/// The single integer on a line, spaces around it allowed. Saturates.
pub(super) fn integer(line: &[u8]) -> Option<u64> {
    let mut rest = line;
    let number = next_integer(&mut rest)?;
    rest.trim_ascii().is_empty().then_some(number)
}

/// The three integers on a line. Saturates.
#[inline]
pub(super) fn triple(line: &[u8]) -> Option<[u64; 3]> {
    let mut rest = line;
    let triple = [next_integer(&mut rest)?, next_integer(&mut rest)?, next_integer(&mut rest)?];
    (rest.is_empty() || rest.trim_ascii().is_empty()).then_some(triple)
}

/// Takes an integer, and the spaces before it, off the start of `rest`; it ends at a space or at
/// the end of the line.
#[inline]
fn next_integer(rest: &mut &[u8]) -> Option<u64> {
    let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let digits = &rest[start..];
    let mut number = 0u64;
    let mut length = 0;
    for &byte in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        number = number.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
        length += 1;
    }
    let ends = digits.get(length).is_none_or(u8::is_ascii_whitespace);
    *rest = &digits[length..];
    (length > 0 && ends).then_some(number)
}

/// The documents of a docword source, one after the other.
pub(super) struct Docword<'s> {
    source: &'s mut Source,
    /// D, the number of documents the header announces.
    pub(super) documents: u64,
    /// W, the number of words.
    pub(super) words: u64,
    nonzeros: u64,
    read: u64,
    last: u64,
    pending: Option<(u64, (u32, u32))>,
}

impl<'s> Docword<'s> {
    /// Reads the header.
    ///
    /// # Errors
    /// When it is not three lines of one integer each.
    pub(super) fn open(source: &'s mut Source) -> Result<Self> {
        let documents = header_line(source, "documents")?;
        let words = header_line(source, "words")?;
        let nonzeros = header_line(source, "triples")?;
        Ok(Self { source, documents, words, nonzeros, read: 0, last: 0, pending: None })
    }

    /// Reads the next document: its id, and its (word id - 1, count) into `entries` as they
    /// stand in the source, so not sorted and perhaps with a word more than once.
    ///
    /// # Errors
    /// At the first line that is not what the header promises.
    pub(super) fn next_document(&mut self, entries: &mut Vec<(u32, u32)>) -> Result<Option<u64>> {
        entries.clear();
        let Some((document, entry)) = self.pending.take().map_or_else(|| self.next(), some)? else {
            return Ok(None);
        };
        entries.push(entry);
        while let Some((next, entry)) = self.next()? {
            if next != document {
                self.pending = Some((next, entry));
                break;
            }
            entries.push(entry);
        }
        Ok(Some(document))
    }

    /// The next triple, checked against the header.
    fn next(&mut self) -> Result<Option<(u64, (u32, u32))>> {
        let line = loop {
            match self.source.next_line()? {
                None => return self.end().map(|()| None),
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => break line,
            }
        };
        let Some([document, word, count]) = triple(line) else {
            let found = excerpt(line);
            return Err(IngestError::Triple { place: self.source.place(), found });
        };
        if self.read == self.nonzeros {
            let (place, expected) = (self.source.place(), self.nonzeros);
            return Err(IngestError::TooManyTriples { place, expected });
        }
        let in_range = (1..=self.documents).contains(&document)
            && (1..=self.words).contains(&word)
            && (1..=u64::from(u32::MAX)).contains(&count);
        if !in_range || document < self.last {
            return Err(self.wrong(document, word, count));
        }
        self.read += 1;
        self.last = document;
        // The vocabulary has fewer than 2³² words, so the header cannot promise more.
        Ok(Some((document, ((word - 1) as u32, count as u32))))
    }

    #[cold]
    fn wrong(&self, document: u64, word: u64, count: u64) -> IngestError {
        let place = self.source.place();
        if !(1..=self.documents).contains(&document) {
            let limit = self.documents;
            IngestError::OutOfRange { place, what: "document", found: document, limit }
        } else if !(1..=self.words).contains(&word) {
            IngestError::OutOfRange { place, what: "word", found: word, limit: self.words }
        } else if count == 0 {
            IngestError::CountZero(place)
        } else if count > u64::from(u32::MAX) {
            IngestError::CountTooLarge { place, document, word }
        } else {
            IngestError::Backwards { place, found: document, last: self.last }
        }
    }

    fn end(&self) -> Result<()> {
        if self.read == self.nonzeros {
            return Ok(());
        }
        let (place, found, expected) = (self.source.place(), self.read, self.nonzeros);
        Err(IngestError::TooFewTriples { place, found, expected })
    }
}

fn some<T>(value: T) -> Result<Option<T>> {
    Ok(Some(value))
}

fn header_line(source: &mut Source, what: &'static str) -> Result<u64> {
    let (number, found) = match source.next_line()? {
        Some(line) => (integer(line), excerpt(line)),
        None => (None, "the end of the file".into()),
    };
    let line = source.number().max(1);
    let place = Place { file: source.name().into(), line };
    number.ok_or(IngestError::Header { place, what, found })
}

/// Sorts by position and adds up the counts of a position that stands more than once. `None`
/// if everything fits; else the position whose counts do not fit 32 bits.
fn sort_and_sum(entries: &mut Vec<(u32, u32)>) -> Option<u32> {
    let mut overflow = None;
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        entries.sort_unstable();
        entries.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.checked_add(next.1).unwrap_or_else(|| {
                    overflow = Some(kept.0);
                    u32::MAX
                });
            }
            same
        });
    }
    overflow
}

/// Ingests a docword source with the vocabulary at `vocabulary`; all its words become terms of
/// the corpus in file order, used or not.
pub(super) fn ingest_uci(
    source: &mut Source,
    vocabulary: &Path,
    writer: &mut IngestWriter<'_>,
    progress: &dyn IngestProgress,
    summary: &mut SourceSummary,
) -> Result<()> {
    let (name, stem) = (source.name().to_string(), source.stem().to_string());
    let mut docword = Docword::open(source)?;
    let mut positions = Vec::new();
    for word in vocabulary::read(vocabulary, &name, docword.words)? {
        positions.push(writer.term(&word)?);
    }
    let (mut entries, mut bytes) = (Vec::new(), Vec::new());
    let (mut expected, mut reported) = (1, 0);
    while let Some(id) = docword.next_document(&mut entries)? {
        note_gap(writer, summary, &stem, expected..id)?;
        expected = id + 1;
        for entry in &mut entries {
            entry.0 = positions[entry.0 as usize];
        }
        if let Some(position) = sort_and_sum(&mut entries) {
            let word = positions.iter().position(|&p| p == position).unwrap_or(0) as u64 + 1;
            let place = docword.source.place();
            return Err(IngestError::CountTooLarge { place, document: id, word });
        }
        let added = writer.add(NewDocument {
            key: &format!("{stem}:{id}"),
            title: None,
            text: None,
            source: &name,
            place: &name,
            content_hash: &content_hash::of_entries(&entries, &mut bytes),
            entries: &entries,
        })?;
        summary.count(added, entries.len());
        if summary.nonzeros - reported >= REPORT_EVERY {
            reported = summary.nonzeros;
            progress.advanced(docword.source.consumed(), summary.documents(), reported);
        }
    }
    let end = docword.documents + 1;
    note_gap(writer, summary, &stem, expected..end)
}

/// Notes the documents of `ids` as empty: one row of the ledger for all of them, so that a
/// header of a billion documents costs nothing.
fn note_gap(
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
    stem: &str,
    ids: std::ops::Range<u64>,
) -> Result<()> {
    let documents = ids.end.saturating_sub(ids.start);
    let key = match documents {
        0 => return Ok(()),
        1 => format!("{stem}:{}", ids.start),
        _ => format!("{stem}:{}-{}", ids.start, ids.end - 1),
    };
    summary.empty += documents;
    Ok(writer.leave_out(
        &key,
        &summary.name,
        "empty: no line of the file counts a word",
        documents,
    )?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Documents = Vec<(u64, Vec<(u32, u32)>)>;

    fn parse(text: &[u8]) -> Result<Documents> {
        let mut source = Source::from_bytes("docword.x.txt", text.to_vec())?;
        let mut docword = Docword::open(&mut source)?;
        let (mut documents, mut entries) = (Vec::new(), Vec::new());
        while let Some(id) = docword.next_document(&mut entries)? {
            sort_and_sum(&mut entries);
            documents.push((id, entries.clone()));
        }
        Ok(documents)
    }

    fn error(text: &str) -> String {
        parse(text.as_bytes()).expect_err("an error").to_string()
    }

    /// The slow twin: `str::parse` and maps.
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
        assert_eq!(sort_and_sum(&mut vec![(7, u32::MAX), (7, 1)]), Some(7));
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

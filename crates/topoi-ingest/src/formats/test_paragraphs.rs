//! A format for tests only, added as every format is: this file and its line in the list. If anything else were
//! needed, the test below would fail.

use crate::batches::record::{Content, Record};
use crate::batches::units::RawDocument;
use crate::error::{Reading, utf8};
use crate::formats::definition::{Format, FormatDef};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::source::Source;
use crate::{IngestRequest, NoProgress, ingest};
use topoi_store::{Access, Store};

const BANNER: &[u8] = b"%%numbered paragraphs";

pub(super) static FORMAT: FormatDef = FormatDef {
    name: "paragraphs",
    help: "number, bar, text",
    has_signature: |source: &mut Source| Ok(source.peek(0)? == Some(BANNER)),
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let mut source = input.source()?;
    source.next_line()?;
    input.lines(source, Box::new(read))
}

fn read(document: RawDocument<'_>) -> Reading<Option<Record>> {
    let line = utf8(document.bytes, document.place)?.split_once(" | ");
    Ok(line.map(|(number, text)| Record::new(number.into(), Content::Text(text.into()))))
}

#[test]
fn a_format_is_its_file_and_its_line_in_the_list() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("a.txt");
    std::fs::write(&file, "%%numbered paragraphs\n7 | good words\n\n9 | more words\n")
        .expect("write");
    assert!(Format::all().any(|format| format.name() == "paragraphs"));
    let store = Store::open(&directory.path().join("s.db"), Access::Create).expect("a store");
    let request = IngestRequest::new("c", [file]);
    let summary = ingest(&store, &request, &NoProgress).expect("ingest");
    assert_eq!((summary.sources[0].format.name(), summary.counts.added), ("paragraphs", 2));
    let again = ingest(&store, &request, &NoProgress).expect("ingest");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 2));
    let chosen = IngestRequest { format: Format::named("paragraphs"), ..request };
    assert_eq!(ingest(&store, &chosen, &NoProgress).expect("ingest").counts.skipped, 2);
}

//! Tables of Parquet and Arrow files, written by the crates that read them.

use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Int32Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use topoi_ingest::IngestRequest;
use topoi_ingest::share::Share;

use super::bench::Bench;

use crate::common::Messages;

/// Rows `from..to` of a table of texts: every third year is unknown, a text has a comma, a quote and two lines.
fn batch(rows: std::ops::Range<i32>) -> RecordBatch {
    let ids = StringArray::from_iter_values(rows.clone().map(|row| format!("d{row}")));
    let texts = rows.clone().map(|row| format!("words, \"quoted\" of\nnumber{row}"));
    let years = rows.clone().map(|row| (row % 3 != 0).then_some(1990 + row));
    let days = rows.map(Some);
    RecordBatch::try_from_iter([
        ("id", Arc::new(ids) as ArrayRef),
        ("text", Arc::new(StringArray::from_iter_values(texts)) as ArrayRef),
        ("year", Arc::new(years.collect::<Int32Array>()) as ArrayRef),
        ("day", Arc::new(days.collect::<Date32Array>()) as ArrayRef),
    ])
    .expect("a batch")
}

fn parquet(compression: Compression) -> Vec<u8> {
    parquet_of(compression, &[0..3, 3..2000, 2000..2500])
}

/// A row group for each of the ranges.
pub(super) fn parquet_of(compression: Compression, groups: &[std::ops::Range<i32>]) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch(0..1).schema(), Some(properties)).expect("a writer");
    for rows in groups.iter().cloned() {
        writer.write(&batch(rows)).expect("written");
        writer.flush().expect("flushed");
    }
    writer.into_inner().expect("a file")
}

/// A sound file for fuzzing.
pub(crate) fn small_parquet() -> Vec<u8> {
    parquet_of(Compression::SNAPPY, &[0..3, 3..5])
}

/// Another.
pub(crate) fn small_arrow() -> Vec<u8> {
    arrow_of(&[0..3, 3..5])
}

fn arrow() -> Vec<u8> {
    arrow_of(&[0..3, 3..2500])
}

pub(super) fn arrow_of(batches: &[std::ops::Range<i32>]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch(0..1).schema()).expect("a writer");
    for rows in batches.iter().cloned() {
        writer.write(&batch(rows)).expect("written");
    }
    writer.into_inner().expect("a file")
}

#[test]
fn rows_of_all_row_groups_are_documents_with_their_fields() {
    let bench = Bench::new();
    for (name, format, content) in [
        ("plain.parquet", "parquet", parquet(Compression::UNCOMPRESSED)),
        ("snappy.parquet", "parquet", parquet(Compression::SNAPPY)),
        ("zstd.parquet", "parquet", parquet(Compression::ZSTD(Default::default()))),
        ("lz4.parquet", "parquet", parquet(Compression::LZ4_RAW)),
        ("gzip.parquet", "parquet", parquet(Compression::GZIP(Default::default()))),
        ("one.arrow", "arrow", arrow()),
        // Told by its first bytes.
        ("table", "arrow", arrow()),
    ] {
        bench.write(name, content);
        let summary = bench.ingest(name, &[name]).expect("ingest");
        assert_eq!(summary.sources[0].format.name(), format);
        assert_eq!(summary.counts.added, 2500, "{name}");
        let rows = bench.ask(&format!(
            "SELECT key, fields, text FROM document JOIN document_text ON document_id = document.id \
             JOIN corpus ON corpus.id = corpus_id WHERE corpus.name = '{name}' AND key IN ('d0', 'd2001') \
             ORDER BY document.id"
        ));
        assert_eq!(
            rows,
            [
                "d0 | {\"day\":\"1970-01-01\"} | words, \"quoted\" of\nnumber0",
                "d2001 | {\"day\":\"1975-06-25\"} | words, \"quoted\" of\nnumber2001",
            ],
            "{name}"
        );
        let again = bench.ingest(name, &[name]).expect("ingest");
        assert_eq!((again.counts.added, again.counts.skipped), (0, 2500));
    }
    bench.check();
}

#[test]
fn tables_that_are_no_good_are_refused_in_a_line_and_never_stop_the_program() {
    let bench = Bench::new();
    for (name, whole, begin) in
        [("a.parquet", parquet(Compression::SNAPPY), "a.parquet"), ("a.arrow", arrow(), "a.arrow")]
    {
        bench.write(name, &whole[..whole.len() / 2]);
        let said = bench.late_refusal(&IngestRequest::new("c", [bench.path(name)]));
        assert!(said.starts_with(&format!("{begin}: not a sound")), "{said}");
        // Every byte of the head and of the directory at the end, and some between.
        let ends = (0..64).chain(whole.len() - 200..whole.len());
        for at in ends.chain((64..whole.len() - 200).step_by(whole.len() / 100)) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            bench.write(name, damaged);
            if let Err(error) = bench.ingest("c", &[name]) {
                let said = error.to_string();
                assert!(said.contains(name) && !said.contains('\n'), "byte {at}: {said}");
            }
        }
    }
    bench.check();
}

#[test]
fn a_column_that_is_not_there_is_told_with_those_that_are() {
    let messages = Messages::default();
    let bench = Bench::new();
    bench.write("a.parquet", parquet(Compression::SNAPPY));
    let mut request = IngestRequest::new("c", [bench.path("a.parquet")]);
    request.names.text = Some("body".into());
    let said = bench.late_refusal(&request);
    messages.keeps(&said);
}

#[test]
fn shares_of_a_table_have_every_row_once() {
    let ids = |share: Option<Share>| {
        let bench = Bench::new();
        let path = bench.write("a.parquet", parquet(Compression::SNAPPY));
        let share = share.expect("a share");
        bench
            .ingest_as(&IngestRequest { share, ..IngestRequest::new("c", [path]) })
            .expect("ingested");
        bench.ask("SELECT key, hex(content_hash) FROM document ORDER BY key")
    };
    let mut shares: Vec<String> = (0..3).flat_map(|number| ids(Share::new(number, 3))).collect();
    shares.sort();
    let whole = ids(Some(Share::ALL));
    assert_eq!((whole.len(), &shares), (2500, &whole));
}

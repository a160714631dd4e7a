//! Text documents, many lines at a time: one thread reads, all threads take text apart, and the
//! calling thread writes, in the order of the lines, so that term positions depend on the source
//! alone.

use std::sync::mpsc::{SyncSender, sync_channel};

use rayon::prelude::*;

use crate::store::ingest::{Added, IngestWriter, NewDocument};

use super::error::{Place, Result};
use super::progress::IngestProgress;
use super::record::{Prepared, Record};
use super::source::Source;
use super::summary::SourceSummary;
use super::tokens::Tokenizer;

/// A batch is closed once it holds this many lines…
const LINES: usize = 1024;
/// … or this many bytes.
const BYTES: usize = 8 << 20;
/// Batches that wait for the writer.
const WAITING: usize = 2;

/// Reads a line as a document; `None` for a blank one.
pub(super) type ReadLine<'a> = dyn Fn(&[u8], &Place) -> Result<Option<Record>> + Sync + 'a;

/// Documents of neighbouring lines.
struct Batch {
    /// Each with the number of its line.
    documents: Vec<(u64, Prepared)>,
    /// Bytes of the source read when the batch was closed.
    consumed: u64,
}

/// Ingests a source of one document a line, which `read` reads.
pub(super) fn ingest_lines(
    source: &mut Source,
    read: &ReadLine<'_>,
    tokenizer: &Tokenizer,
    writer: &mut IngestWriter<'_>,
    progress: &dyn IngestProgress,
    summary: &mut SourceSummary,
) -> Result<()> {
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(WAITING);
        scope.spawn(move || produce(source, read, tokenizer, &send));
        for batch in receive {
            // An error drops the receiver, at which the producer stops.
            let batch: Batch = batch?;
            for (line, document) in batch.documents {
                add(writer, document, line, summary)?;
            }
            progress.advanced(batch.consumed, summary.documents(), summary.nonzeros);
        }
        Ok(())
    })
}

fn produce(
    source: &mut Source,
    read: &ReadLine<'_>,
    tokenizer: &Tokenizer,
    send: &SyncSender<Result<Batch>>,
) {
    loop {
        let batch = next_batch(source, read, tokenizer);
        let last = !matches!(batch, Ok(Some(_)));
        let sent = batch.transpose().map_or(Ok(()), |batch| send.send(batch));
        if last || sent.is_err() {
            return;
        }
    }
}

fn next_batch(
    source: &mut Source,
    read: &ReadLine<'_>,
    tokenizer: &Tokenizer,
) -> Result<Option<Batch>> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    while lines.len() < LINES && bytes < BYTES {
        let Some(line) = source.next_line()? else { break };
        let line = line.to_vec();
        bytes += line.len();
        lines.push((line, source.number()));
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let file = source.name();
    let prepare = |(line, number): (Vec<u8>, u64)| {
        let place = Place { file: file.to_string(), line: number };
        Ok(read(&line, &place)?.map(|record| (number, record.prepare(tokenizer))))
    };
    // Results first, then the earliest error: a parallel collect would return any of them.
    let prepared: Vec<_> = lines.into_par_iter().map(prepare).collect();
    let documents = prepared.into_iter().filter_map(Result::transpose).collect::<Result<_>>()?;
    Ok(Some(Batch { documents, consumed: source.consumed() }))
}

fn add(
    writer: &mut IngestWriter<'_>,
    document: Prepared,
    line: u64,
    summary: &mut SourceSummary,
) -> Result<()> {
    let Prepared { key, title, text, hash, terms } = document;
    let place = || format!("{}:{line}", summary.name);
    if terms.is_empty() {
        writer.leave_out(&key, &place(), reason(text.as_deref()), 1)?;
        summary.empty += 1;
        return Ok(());
    }
    // Only a document that is added may bring new terms.
    let mut entries = Vec::new();
    if writer.find(&key, &hash)? == Added::New {
        for (term, count) in &terms {
            entries.push((writer.term(term)?, *count));
        }
        entries.sort_unstable();
    }
    let added = writer.add(NewDocument {
        key: &key,
        title: title.as_deref(),
        text: text.as_deref(),
        source: &summary.name,
        place: &place(),
        content_hash: &hash,
        entries: &entries,
    })?;
    summary.count(added, terms.len());
    Ok(())
}

fn reason(text: Option<&str>) -> &'static str {
    match text {
        Some(text) if !text.trim().is_empty() => {
            "no word is left: all are stop words, too short, too long or without a letter"
        }
        _ => "empty",
    }
}

//! An ingest from beginning to end: plan all sources, read them in order, and commit batches of documents with
//! the position in the source.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Duration;

use super::batches::{Batch, Batches};
use super::error::{IngestError, InputLocation, Kept, Mistake, Result};
use super::formats::opening::{Context, mark_of};
use super::plan::{Planned, plan, settings, with_chunks_of};
use super::preparer::Preparer;
use super::request::{Absent, IngestRequest, OnError};
use super::settings::CorpusSettings;
use super::source::Mark;
use super::summary::{IngestProgress, IngestSummary, SourceSummary};
use super::texts::same_texts::SeenTexts;
use super::tokens::lexicon::Unmatched;
use super::writing::{leave_out_mistake, note_remark, write_batch};
use topoi_store::Store;
use topoi_store::ingest::source_position::SourcePosition;
use topoi_store::ingest::{IngestStart, IngestWriter};

/// Maximum number of batches that wait for the writer.
const WAITING: usize = 8;
/// How long the write lock is held while a source yields nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Adds the documents of all sources to the corpus.
/// An unchanged document (same key, same content) is skipped, and a changed one is replaced. Documents are
/// committed in batches. Batches committed by a killed or failed ingest stay, and the same request resumes
/// after them.
///
/// # Errors
/// The first error, in the order of sources and lines. With [`OnError::Skip`], only errors that make the whole
/// ingest impossible.
pub fn ingest(
    store: &Store,
    request: &IngestRequest,
    progress: &dyn IngestProgress,
) -> Result<IngestSummary> {
    request.check()?;
    let files = request.files()?;
    let corpus = store.find_corpus(&request.corpus)?;
    let saved = corpus.as_ref().map(|corpus| corpus.settings.as_str());
    let request = &with_chunks_of(request, saved);
    let mut planned = plan(request)?;
    let (settings, language) = settings(&planned, request, saved)?;
    let known = corpus.as_ref().map(|corpus| (store, corpus));
    let preparer = Preparer::for_sources(&settings, &planned, request, known, progress)?;
    let words =
        |text: &str, visit: &mut dyn FnMut(&str)| preparer.tokenizer.visit_words(text, visit);
    let mut writer = IngestWriter::begin_or_resume(
        store,
        IngestStart {
            corpus: request.corpus.clone(),
            settings: settings.to_json(),
            source: join(planned.iter().map(|source| source.name.as_str())),
            format: join(planned.iter().map(|source| source.format.name())),
            request: request.identity(&files, &settings.to_json()),
            batch_bytes: request.batch_bytes,
        },
    )?;
    writer.index_with(&words);
    let context = Context::new(request, &preparer);
    let read = read_all(&mut planned, &context, &settings, &mut writer, progress)
        .and_then(|done| delete_absent(request, &done.0, &mut writer).map(|()| done));
    match read {
        Ok((sources, resumed)) => {
            let counts = writer.finish()?;
            let corpus = store.corpus(&request.corpus)?;
            let guessed_encoding = preparer.guessed.load(Ordering::Relaxed);
            let mistaken_encoding = preparer.mistaken.load(Ordering::Relaxed);
            let unmatched = match known {
                Some(_) => Unmatched::default(),
                None => preparer.lexicon.unmatched(&preparer.tokenizer),
            };
            let [joined_words, apart_words] = preparer.mender.examples();
            Ok(IngestSummary {
                counts,
                sources,
                resumed,
                guessed_encoding,
                mistaken_encoding,
                language,
                unmatched,
                joined_words,
                apart_words,
                corpus,
            })
        }
        Err(IngestError::Mistake { mistake, .. }) => {
            let reason = format!("{}: {}", mistake.place, mistake.problem);
            let kept = Kept(writer.fail(&reason));
            Err(IngestError::Mistake { mistake, kept })
        }
        Err(error) => {
            writer.fail(&error.to_string());
            Err(error)
        }
    }
}

/// Deletes what the sources do not have at the end of the ingest, as far as the request asks for it.
fn delete_absent(
    request: &IngestRequest,
    sources: &[SourceSummary],
    writer: &mut IngestWriter<'_>,
) -> Result<()> {
    if request.absent == Absent::Stay {
        return Ok(());
    }
    let absent = writer.absent()?;
    let (count, all) = (absent.count(), absent.all);
    let unread: u64 = sources.iter().map(|source| source.undecodable + source.malformed).sum();
    let corpus = request.corpus.clone();
    if count > 0 && unread > 0 {
        return Err(IngestError::AbsentOrUnread { corpus, count, unread });
    }
    if request.absent == Absent::Delete && 2 * count > all {
        return Err(IngestError::MostAbsent { corpus, count, all });
    }
    writer.remove_absent(absent);
    Ok(())
}

type Done = (Vec<SourceSummary>, Option<String>);

fn read_all(
    planned: &mut [Planned],
    context: &Context<'_>,
    settings: &CorpusSettings,
    writer: &mut IngestWriter<'_>,
    progress: &dyn IngestProgress,
) -> Result<Done> {
    abandon_if_changed(planned, writer)?;
    settings.check_same(&context.request.corpus, &writer.corpus_settings()?)?;
    let resumed = writer.resumed().last().map(|at| format!("{}:{}", at.name, at.lines));
    let (mut sources, mut seen) = (Vec::new(), SeenTexts::default());
    for (index, source) in planned.iter_mut().enumerate() {
        sources.push(read_source(index, source, context, writer, &mut seen, progress)?);
    }
    Ok((sources, resumed))
}

/// Abandons the unfinished ingest if a source that it read has changed since.
fn abandon_if_changed(planned: &[Planned], writer: &mut IngestWriter<'_>) -> Result<()> {
    for at in writer.resumed() {
        let source = usize::try_from(at.position).ok().and_then(|position| planned.get(position));
        let source = source.filter(|source| source.name == at.name);
        let same = source.is_some_and(|source| {
            source.format.name() == at.format && source.identity == at.identity
        });
        if !same {
            return Ok(writer.abandon()?);
        }
    }
    Ok(())
}

fn read_source(
    index: usize,
    planned: &mut Planned,
    context: &Context<'_>,
    writer: &mut IngestWriter<'_>,
    seen: &mut SeenTexts,
    progress: &dyn IngestProgress,
) -> Result<SourceSummary> {
    let at = writer.resumed().iter().find(|at| at.position == index as u64).cloned();
    let saved = at.as_ref().and_then(|at| serde_json::from_str(&at.counts).ok());
    let mut summary = saved.unwrap_or_else(|| SourceSummary::new(&planned.name, planned.format));
    if at.as_ref().is_some_and(|at| at.finished) {
        return Ok(summary);
    }
    let size = planned.path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
    progress.source(&planned.name, size);
    let opened = {
        let mut place = |words: &[String]| place_words(words, writer);
        context.open(planned, &mut place, at.as_ref())
    };
    let batches = match opened {
        Ok(Some(batches)) => batches,
        // Size and modification time are unchanged: the disk is not reliable.
        Ok(None) => {
            let place = InputLocation { file: planned.name.as_str().into(), line: 0 };
            let remedy = "change nothing while it is read, and give the same command again";
            let problem = "changed while it was being ingested";
            return Err(Mistake::source(place, problem, remedy).into());
        }
        Err(IngestError::Mistake { mistake, .. }) if context.request.on_error == OnError::Skip => {
            leave_out_mistake(&mistake, writer, &mut summary)?;
            note_end(index, planned, &Mark::default(), String::new(), &summary, writer)?;
            return Ok(summary);
        }
        Err(error) => return Err(error),
    };
    let remarks = std::mem::take(&mut planned.remarks);
    for remark in remarks.iter().filter(|_| at.is_none()) {
        note_remark(&planned.name, &planned.name, remark, writer, &mut summary)?;
    }
    let start = at.as_ref().map(mark_of).unwrap_or_default();
    let mut reading =
        Reading { index, planned, context, progress, seen, end: start, cursor: String::new() };
    reading.cursor = at.map(|at| at.cursor).unwrap_or_default();
    reading.run(batches, writer, &mut summary)?;
    let Reading { end, cursor, .. } = reading;
    note_end(index, planned, &end, cursor, &summary, writer)?;
    Ok(summary)
}

/// All words of a vocabulary become terms in the order of its file, used or not.
fn place_words(words: &[String], writer: &mut IngestWriter<'_>) -> Result<Vec<u32>> {
    words.iter().map(|word| Ok(writer.term(word)?)).collect()
}

fn note_end(
    index: usize,
    planned: &Planned,
    mark: &Mark,
    cursor: String,
    summary: &SourceSummary,
    writer: &mut IngestWriter<'_>,
) -> Result<()> {
    let at = SourcePosition { finished: true, ..position(index, planned, mark, &cursor, summary) };
    Ok(writer.note_position(&at)?)
}

fn position(
    index: usize,
    planned: &Planned,
    mark: &Mark,
    cursor: &str,
    summary: &SourceSummary,
) -> SourcePosition {
    SourcePosition {
        position: index as u64,
        name: planned.name.clone(),
        format: planned.format.name().into(),
        identity: planned.identity.clone(),
        bytes: mark.bytes,
        lines: mark.lines,
        hash: mark.hash.clone(),
        cursor: cursor.into(),
        finished: false,
        counts: serde_json::to_string(summary).unwrap_or_default(),
    }
}

/// A source that is being read.
struct Reading<'r> {
    index: usize,
    planned: &'r Planned,
    context: &'r Context<'r>,
    progress: &'r dyn IngestProgress,
    seen: &'r mut SeenTexts,
    /// The position up to which it is written.
    end: Mark,
    cursor: String,
}

impl Reading<'_> {
    /// One thread reads, all split texts into words, and this one writes.
    fn run(
        &mut self,
        mut batches: Box<dyn Batches + '_>,
        writer: &mut IngestWriter<'_>,
        summary: &mut SourceSummary,
    ) -> Result<()> {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(WAITING);
            let read = move || {
                loop {
                    let batch = batches.next_batch();
                    let is_last = batch.is_last;
                    // An error drops the receiver, which stops the reader.
                    if send.send(batch).is_err() || is_last {
                        return;
                    }
                }
            };
            let reader = std::thread::Builder::new().name("ingest".into());
            reader.spawn_scoped(scope, read).map_err(IngestError::NoThread)?;
            while let Some(batch) = self.receive(&receive, writer, summary)? {
                self.write(batch, writer, summary)?;
            }
            Ok(())
        })
    }

    /// The next batch. While none arrives, the write lock is released.
    fn receive(
        &self,
        batches: &Receiver<Batch>,
        writer: &mut IngestWriter<'_>,
        summary: &SourceSummary,
    ) -> Result<Option<Batch>> {
        match batches.try_recv() {
            Ok(batch) => return Ok(Some(batch)),
            Err(TryRecvError::Disconnected) => return Ok(None),
            Err(TryRecvError::Empty) => {}
        }
        match batches.recv_timeout(PATIENCE) {
            Ok(batch) => return Ok(Some(batch)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if writer.is_writing() {
            self.commit(writer, summary)?;
        }
        Ok(batches.recv().ok())
    }

    fn write(
        &mut self,
        batch: Batch,
        writer: &mut IngestWriter<'_>,
        summary: &mut SourceSummary,
    ) -> Result<()> {
        let Batch { items, mark, cursor, consumed, is_last: _ } = batch;
        write_batch(items, self.context, writer, summary, self.seen)?;
        (self.end, self.cursor) = (mark, cursor);
        if writer.is_full() {
            self.commit(writer, summary)?;
        }
        self.progress.advanced(consumed, summary.documents(), summary.nonzeros);
        Ok(())
    }

    fn commit(&self, writer: &mut IngestWriter<'_>, summary: &SourceSummary) -> Result<()> {
        Ok(writer.commit(&position(self.index, self.planned, &self.end, &self.cursor, summary))?)
    }
}

/// The distinct names, joined for the ledger; of many, the first and the number of others.
fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if distinct.last() != Some(&name) {
            distinct.push(name);
        }
    }
    match distinct.len() {
        0..=10 => distinct.join(", "),
        all => format!("{} and {} others", distinct[0], all - 1),
    }
}

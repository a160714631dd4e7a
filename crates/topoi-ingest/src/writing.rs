//! Writing a batch of documents to the store.

use super::batches::Item;
use super::batches::record::{Prepared, PreparedParent};
use super::error::{InputLocation, Mistake, Result};
use super::formats::opening::Context;
use super::request::OnError;
use super::summary::SourceSummary;
use super::texts::same_texts::SeenTexts;
use super::tokens::lexicon::{KnownTerm, NewTerm, Surface};
use topoi_store::ingest::ledger::NoteKind;
use topoi_store::ingest::{Added, IngestWriter, NewDocument, NewParent};

/// Writes the items in order. With [`OnError::Stop`] the first error ends the ingest.
pub(super) fn write_batch(
    items: Vec<Item>,
    context: &Context<'_>,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
    seen: &mut SeenTexts,
) -> Result<()> {
    let mut learnt = Vec::new();
    for item in items {
        match item {
            Item::Document(place, document) => {
                let text = document.text.as_deref();
                seen.see(&document.key, text.into_iter(), &mut summary.same_texts);
                add(&place, document, writer, summary, &mut learnt)?;
            }
            Item::Parent(place, parent) => {
                let texts = parent.chunks.iter().filter_map(|chunk| chunk.text.as_deref());
                seen.see(&parent.key, texts, &mut summary.same_texts);
                add_parent(&place, parent, writer, summary, &mut learnt)?;
            }
            Item::Empty { place, key, documents, reason } => {
                writer.leave_out(&key, &place.to_string(), NoteKind::Empty, reason, documents)?;
                summary.count_left_out(NoteKind::Empty, documents);
            }
            Item::Remark { place, key, remark } => {
                note_remark(&key, &place.to_string(), &remark, writer, summary)?;
            }
            Item::Mistake(mistake) => match context.request.on_error {
                OnError::Stop => return Err(mistake.into()),
                OnError::Skip => leave_out_mistake(&mistake, writer, summary)?,
            },
        }
    }
    if !learnt.is_empty() {
        context.preparer.lexicon.learn(learnt.into_iter());
    }
    Ok(())
}

/// Records a remark about a document or source that is not left out in the ledger.
pub(super) fn note_remark(
    key: &str,
    place: &str,
    remark: &str,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
) -> Result<()> {
    writer.leave_out(key, place, NoteKind::Malformed, remark, 0)?;
    summary.remark(place, remark);
    Ok(())
}

/// Records an error in the ledger; the location is used as the unknown key.
pub(super) fn leave_out_mistake(
    mistake: &Mistake,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
) -> Result<()> {
    let Mistake { place, problem, kind, .. } = mistake;
    let place = place.to_string();
    writer.leave_out(&place, &place, *kind, problem, 1)?;
    summary.count_left_out(*kind, 1);
    Ok(())
}

fn add(
    place: &InputLocation,
    document: Prepared,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
    learnt: &mut Vec<(Surface, KnownTerm)>,
) -> Result<()> {
    // The location is formatted only for the ledger: most documents are new.
    if document.is_empty() {
        summary.dropped.add(document.dropped);
        let was_there = writer.remove(&document.key)?;
        let reason = reason(document.text.as_deref(), was_there);
        writer.leave_out(&document.key, &place.to_string(), NoteKind::Empty, reason, 1)?;
        summary.count_left_out(NoteKind::Empty, 1);
        return Ok(());
    }
    let terms = document.terms();
    let added = writer.add(new_document(&document, &terms, place, &summary.name))?;
    summary.count(added, [&document]);
    if matches!(added, Added::New | Added::Replaced) {
        learn(document, writer, learnt)?;
    }
    Ok(())
}

fn add_parent(
    place: &InputLocation,
    parent: PreparedParent,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
    learnt: &mut Vec<(Surface, KnownTerm)>,
) -> Result<()> {
    let PreparedParent { key, title, fields, hash, chunks, repairs } = parent;
    if chunks.iter().all(Prepared::is_empty) {
        chunks.iter().for_each(|chunk| summary.dropped.add(chunk.dropped));
        let was_there = writer.remove_parent(&key)?;
        let reason = reason(chunks.first().and_then(|chunk| chunk.text.as_deref()), was_there);
        writer.leave_out(&key, &place.to_string(), NoteKind::Empty, reason, 1)?;
        summary.count_left_out(NoteKind::Empty, 1);
        return Ok(());
    }
    let terms: Vec<_> = chunks.iter().map(Prepared::terms).collect();
    let documents = chunks.iter().zip(&terms);
    let documents: Vec<NewDocument<'_>> =
        documents.map(|(chunk, terms)| new_document(chunk, terms, place, &summary.name)).collect();
    let added = writer.add_parent(
        NewParent {
            key: &key,
            title: title.as_deref(),
            fields: fields.as_deref(),
            content_hash: &hash,
        },
        &documents,
    )?;
    summary.count(added, &chunks);
    if matches!(added, Added::New | Added::Replaced) {
        summary.chunks += chunks.len() as u64;
        summary.repairs.add(repairs);
        chunks.into_iter().try_for_each(|chunk| learn(chunk, writer, learnt))?;
    }
    Ok(())
}

fn new_document<'a>(
    document: &'a Prepared,
    terms: &'a [(&'a str, u32)],
    place: &InputLocation,
    source: &'a str,
) -> NewDocument<'a> {
    NewDocument {
        key: &document.key,
        title: document.title.as_deref(),
        fields: document.fields.as_deref(),
        text: document.text.as_deref(),
        tokens: document.tokens.as_deref(),
        source,
        line: place.line,
        content_hash: &document.hash,
        entries: &document.entries,
        terms,
    }
}

/// Collects the positions and forms of terms that are in the store now.
fn learn(
    document: Prepared,
    writer: &mut IngestWriter<'_>,
    learnt: &mut Vec<(Surface, KnownTerm)>,
) -> Result<()> {
    document.forms.into_iter().for_each(|(form, count)| writer.count_form(form, count));
    for NewTerm { surface, form, term, count } in document.new {
        let position = writer.term(&term)?;
        let form = form.map(|form| writer.form(position, &form));
        if let Some(form) = form {
            writer.count_form(form.get(), count);
        }
        learnt.extend(surface.map(|surface| (surface, KnownTerm { position, form })));
    }
    Ok(())
}

fn reason(text: Option<&str>, was_there: bool) -> &'static str {
    let has_words = text.is_some_and(|text| !text.trim().is_empty());
    match (has_words, was_there) {
        (true, false) => {
            "no word is left: all are stop words, too short, too long or without a letter"
        }
        (true, true) => "no word is left of it; the version that was there is deleted",
        (false, false) => "empty",
        (false, true) => "empty now; the version that was there is deleted",
    }
}

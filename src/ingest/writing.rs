//! From a batch of documents to the store.

use super::batches::Item;
use super::batches::record::Prepared;
use super::error::{Mistake, Place, Result};
use super::formats::Context;
use super::request::OnError;
use super::summary::SourceSummary;
use super::tokens::lexicon::{NewTerm, Seen, Surface};
use crate::store::ingest::ledger::NoteKind;
use crate::store::ingest::{Added, IngestWriter, NewDocument};

/// Writes the items in their order. With [`OnError::Stop`] the first mistake ends the ingest.
pub(super) fn write_batch(
    items: Vec<Item>,
    context: &Context<'_>,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
) -> Result<()> {
    let mut learnt = Vec::new();
    for item in items {
        match item {
            Item::Document(place, document) => {
                add(&place, document, writer, summary, &mut learnt)?;
            }
            Item::Empty { place, key, documents, reason } => {
                writer.leave_out(&key, &place.to_string(), NoteKind::Empty, reason, documents)?;
                summary.count_left_out(NoteKind::Empty, documents);
            }
            Item::Mistake(mistake) => match context.request.on_error {
                OnError::Stop => return Err(mistake.into()),
                OnError::Skip => leave_out_mistake(&mistake, writer, summary)?,
            },
        }
    }
    if !learnt.is_empty() {
        context.lexicon.learn(learnt.into_iter());
    }
    Ok(())
}

/// Writes a mistake to the ledger; the place stands for the key that is not known.
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
    place: &Place,
    document: Prepared,
    writer: &mut IngestWriter<'_>,
    summary: &mut SourceSummary,
    learnt: &mut Vec<(Surface, Seen)>,
) -> Result<()> {
    let Prepared { key, title, fields, text, tokens, hash, entries, forms, new } = document;
    // The place is put into words only where the ledger wants it: most documents are new.
    if entries.is_empty() && new.is_empty() {
        let was_there = writer.remove(&key)?;
        let reason = reason(text.as_deref(), was_there);
        writer.leave_out(&key, &place.to_string(), NoteKind::Empty, reason, 1)?;
        summary.count_left_out(NoteKind::Empty, 1);
        return Ok(());
    }
    let terms: Vec<(&str, u32)> = new.iter().map(|new| (new.term.as_str(), new.count)).collect();
    let added = writer.add(NewDocument {
        key: &key,
        title: title.as_deref(),
        fields: fields.as_deref(),
        text: text.as_deref(),
        tokens: tokens.as_deref(),
        source: &summary.name,
        line: place.line,
        content_hash: &hash,
        entries: &entries,
        terms: &terms,
    })?;
    summary.count(added, entries.len() + terms.len());
    if matches!(added, Added::New | Added::Replaced) {
        forms.into_iter().for_each(|(form, count)| writer.count_form(form, count));
        for NewTerm { surface, form, term, count } in new {
            let position = writer.term(&term)?;
            let form = form.map(|form| writer.form(position, &form));
            if let Some(form) = form {
                writer.count_form(form.get(), count);
            }
            learnt.extend(surface.map(|surface| (surface, Seen { position, form })));
        }
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

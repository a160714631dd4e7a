//! Text documents in batches. One thread splits the source, all threads split texts into words, and the order
//! is that of the source.

use rayon::prelude::*;

use super::record::{Content, Record};
use super::units::{Raw, RawDocument, Units};
use super::{BYTES, Batch, Batches, DOCUMENTS, FIRST_DOCUMENTS, Item};
use crate::error::{Mistake, Reading, Scope};
use crate::formats::opening::Context;
use crate::preparer::Preparer;
use crate::share::Share;

/// Minimum number of documents per task.
const AT_ONCE: usize = 16;

/// Reads a raw document; `None` for a blank one.
pub(crate) type ReadDocument<'a> =
    Box<dyn Fn(RawDocument<'_>) -> Reading<Option<Record>> + Send + Sync + 'a>;

/// A source whose documents can be read separately.
pub(crate) struct TextBatches<'a> {
    units: Box<dyn Units + 'a>,
    read: ReadDocument<'a>,
    context: Context<'a>,
    /// Lines or files before the next batch. Batch boundaries depend on the source alone, also after resuming,
    /// and so do blocks and results.
    before: u64,
}

impl<'a> TextBatches<'a> {
    /// The documents of `units`, each read by `read`, after `before` lines or files.
    pub(crate) fn new(
        units: Box<dyn Units + 'a>,
        read: ReadDocument<'a>,
        context: Context<'a>,
        before: u64,
    ) -> Self {
        Self { units, read, context, before }
    }
}

impl Batches for TextBatches<'_> {
    fn next_batch(&mut self) -> Batch {
        let mut raw = Raw::default();
        let mut is_last = false;
        let documents = usize::try_from(self.before.max(FIRST_DOCUMENTS)).unwrap_or(DOCUMENTS);
        let documents = documents.min(DOCUMENTS);
        while !is_last && raw.len() < BYTES && raw.units() < documents {
            match self.units.next(&mut raw) {
                Ok(more) => is_last = !more,
                Err(mistake) => {
                    is_last = mistake.scope == Scope::Source;
                    raw.push_mistake(mistake);
                }
            }
        }
        let (mark, cursor) = self.units.mark();
        let first = std::mem::replace(&mut self.before, mark.lines);
        let Self { units, read, context, .. } = self;
        let documents: Vec<_> = (first..).zip(raw.documents()).collect();
        let items = documents.into_par_iter().with_min_len(AT_ONCE);
        let items: Vec<[Option<Item>; 2]> =
            items.map(|document| item(document, read, context)).collect();
        let items = items.into_iter().flatten().flatten().collect();
        Batch { items, mark, cursor, consumed: units.consumed(), is_last }
    }
}

/// A document, by its number in the source, and a remark about it; neither if it is of another share.
fn item(
    (number, document): (u64, std::result::Result<RawDocument<'_>, &Mistake>),
    read: &ReadDocument<'_>,
    context: &Context<'_>,
) -> [Option<Item>; 2] {
    let preparer @ Preparer { lexicon, chunker, .. } = context.preparer;
    let share = if context.collector.is_some() { Share::ALL } else { context.request.share };
    let read = document
        .map_err(Clone::clone)
        .and_then(|document| Ok(read(document)?.map(|record| (record, document.place.clone()))));
    let (mut record, place) = match read {
        Ok(Some(read)) => read,
        Ok(None) => return [None, None],
        Err(mistake) => {
            let is_here = mistake.scope == Scope::Source || share.has_number(number);
            return [is_here.then_some(Item::Mistake(mistake)), None];
        }
    };
    // The texts that settings are guessed from are those of all documents, so that all shares have the same settings.
    if let Some(collect) = context.collector {
        if let Content::Text(text) = record.content {
            collect(text);
        }
        return [None, None];
    }
    if !share.has(&record.key) {
        return [None, None];
    }
    let remark = record.remark.take();
    let remark =
        remark.map(|remark| Item::Remark { place: place.clone(), key: record.key.clone(), remark });
    let known = lexicon.read();
    let item = match chunker {
        None => Item::Document(place, record.prepare(preparer, &known)),
        Some(chunker) => Item::Parent(place, record.prepare_chunks(chunker, preparer, &known)),
    };
    [Some(item), remark]
}

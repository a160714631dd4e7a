//! Rebuilds what can be rebuilt: blocks from counts, counts from blocks, frequencies and totals from both.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use serde_json::Value;

use crate::Store;
use crate::corpus::Corpus;
use crate::corpus::content_hash::hash_entries;
use crate::corpus::term::write_counts;
use crate::error::Result;
use crate::id::{DocumentId, TermId};
use crate::integer::saturated;
use topoi_core::stream::block::{Block, DOCUMENTS_PER_BLOCK};

const DOCUMENTS: &str = "SELECT d.id, d.tokens, d.content_hash, c.counts FROM document AS d \
    LEFT JOIN document_counts AS c ON c.document_id = d.id \
    WHERE d.corpus_id = ?1 AND d.id >= ?2 AND d.id < ?3 ORDER BY d.id";
const BLOCKS: &str = "SELECT id, first_document_id, documents, nonzeros FROM block \
    WHERE corpus_id = ?1 AND retired = 0 ORDER BY first_document_id";
const BLOCK: &str = "SELECT data FROM block WHERE id = ?1";
const SET_BLOCK: &str = "UPDATE block SET first_document_id = ?2, documents = ?3, nonzeros = ?4, \
    data = ?5 WHERE id = ?1";
const SET_TOKENS: &str = "UPDATE document SET tokens = ?2 WHERE id = ?1 AND tokens <> ?2";
const SET_COUNTS: &str = "INSERT INTO document_counts (document_id, counts) VALUES (?1, ?2) \
    ON CONFLICT (document_id) DO UPDATE SET counts = ?2 WHERE counts <> ?2";
const SET_TERM: &str = "UPDATE term SET document_frequency = ?2, total_count = ?3 \
    WHERE id = ?1 AND (document_frequency <> ?2 OR total_count <> ?3)";
const SET_TOTALS: &str = "UPDATE corpus SET documents = ?2, terms = ?3, tokens = ?4, nonzeros = ?5 \
    WHERE id = ?1 AND (documents, terms, tokens, nonzeros) <> (?2, ?3, ?4, ?5)";

/// The result of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairReport {
    /// A copy of the store before the repair.
    pub copy: PathBuf,
    /// What was rebuilt: one line per kind and corpus.
    pub mended: Vec<String>,
}

/// (term position, count), ascending by position.
type Entries = Vec<(u32, u32)>;

/// A document's row, with its counts in JSON.
struct DocumentRow {
    id: i64,
    tokens: u64,
    hash: Vec<u8>,
    counts: Option<String>,
}

/// Index entry of a block. The numbers are as saved and may be wrong.
#[derive(Clone, Copy)]
struct BlockRow {
    id: i64,
    first: i64,
    documents: i64,
    nonzeros: i64,
}

/// The range of ids `from..end`, which belongs to one block.
#[derive(Clone, Copy)]
struct IdRange {
    block: Option<BlockRow>,
    from: i64,
    end: i64,
}

/// The content of a document, and how certain it is.
enum Content {
    /// Block and counts agree, or a hash or the number of tokens decides between them.
    Certain(Entries),
    /// Only one of the two exists, and the number of tokens contradicts it.
    Doubtful(Entries),
    /// Nothing decides.
    Unknown,
}

/// A document of a range: its row, if it has one, and its content.
struct RepairedDocument {
    id: i64,
    row: Option<DocumentRow>,
    content: Content,
    /// The content in the block.
    packed: Option<Entries>,
}

/// One corpus under repair.
struct Repair<'s> {
    store: &'s Store,
    corpus: &'s Corpus,
    /// Ids of terms by position.
    ids: Vec<TermId>,
    positions: HashMap<TermId, u32>,
    /// (documents, tokens) of each term, by position.
    terms: Vec<(u64, u64)>,
    documents: u64,
    tokens: u64,
    nonzeros: u64,
    /// Whether the content of all documents is known.
    is_whole: bool,
    /// Whether doubtful documents are taken as they are: with them, the frequencies of all terms agree with
    /// those saved.
    trusts_doubtful: bool,
    /// Number of blocks, counts and lengths that were rebuilt.
    blocks: usize,
    counts: usize,
    lengths: usize,
}

impl Store {
    /// Rebuilds what can be rebuilt, in one transaction, after keeping a copy of the store. What cannot be
    /// rebuilt stays as it is, and [`Store::check`] continues to report it.
    ///
    /// # Errors
    /// [`StoreError::BeingFilled`](crate::StoreError::BeingFilled) while an ingest adds to a corpus.
    pub fn repair(&mut self) -> Result<RepairReport> {
        let copy = self.keep_copy_before_repair()?;
        let mended = self.transaction(|store| {
            let mut mended = Vec::new();
            for corpus in store.corpora()? {
                if corpus.parts_elsewhere.is_none() {
                    let _locks = store.lock_ingests(corpus.id)?;
                    mended.extend(Repair::new(store, &corpus)?.run()?);
                }
            }
            Ok(mended)
        })?;
        Ok(RepairReport { copy, mended })
    }
}

impl<'s> Repair<'s> {
    fn new(store: &'s Store, corpus: &'s Corpus) -> Result<Self> {
        let ids: Vec<TermId> = store.terms(corpus.id)?.into_iter().map(|term| term.id).collect();
        let positions = (0..).zip(&ids).map(|(position, &id)| (id, position)).collect();
        Ok(Self {
            store,
            corpus,
            terms: vec![(0, 0); ids.len()],
            ids,
            positions,
            documents: 0,
            tokens: 0,
            nonzeros: 0,
            is_whole: true,
            trusts_doubtful: false,
            blocks: 0,
            counts: 0,
            lengths: 0,
        })
    }

    fn run(mut self) -> Result<Vec<String>> {
        let ranges = self.ranges()?;
        self.trusts_doubtful = self.fits_frequencies(&ranges)?;
        for &range in &ranges {
            self.repair_range(range)?;
        }
        let (mut frequencies, mut totals) = (0, 0);
        if self.is_whole {
            for (&id, &(documents, tokens)) in self.ids.iter().zip(&self.terms) {
                frequencies += self.store.execute(SET_TERM, (id, documents, tokens))?;
            }
            let (terms, id) = (self.ids.len() as u64, self.corpus.id);
            let totals_now = (id, self.documents, terms, self.tokens, self.nonzeros);
            totals = self.store.execute(SET_TOTALS, totals_now)?;
            let hash = self.store.corpus_hash_up_to(id, DocumentId(i64::MAX))?;
            totals = totals.max(self.store.set_documents_hash(id, &hash)?);
        }
        let kinds = [
            (self.blocks, "blocks made again from counts"),
            (self.counts, "documents' counts made again from blocks"),
            (self.lengths, "documents' numbers of tokens counted again"),
            (frequencies, "terms' frequencies counted again"),
            (totals, "rows of totals counted again"),
        ];
        let done = kinds.into_iter().filter(|(count, _)| *count > 0);
        let name = &self.corpus.name;
        Ok(done.map(|(count, what)| format!("corpus {name:?}: {count} {what}")).collect())
    }

    /// The id range of each block, preceded by the range before the first block, whose block may be missing.
    fn ranges(&self) -> Result<Vec<IdRange>> {
        let blocks: Vec<BlockRow> = self.store.rows(BLOCKS, [self.corpus.id], |row| {
            let (id, first) = (row.get(0)?, row.get(1)?);
            Ok(BlockRow { id, first, documents: row.get(2)?, nonzeros: row.get(3)? })
        })?;
        let ends = blocks.iter().map(|block| block.first).chain([i64::MAX]);
        let starts = [(None, i64::MIN)].into_iter();
        let starts = starts.chain(blocks.iter().map(|&block| (Some(block), block.first)));
        Ok(starts.zip(ends).map(|((block, from), end)| IdRange { block, from, end }).collect())
    }

    /// Whether the saved frequencies of all terms agree with the documents, doubtful ones included.
    fn fits_frequencies(&mut self, ranges: &[IdRange]) -> Result<bool> {
        let (mut is_known, mut is_asked) = (true, false);
        for &range in ranges {
            for document in self.documents(range, self.unpack_of(range)?.as_ref())? {
                match &document.content {
                    _ if document.row.is_none() => is_known = false,
                    Content::Certain(entries) => self.add(entries),
                    Content::Doubtful(entries) => {
                        is_asked = true;
                        self.add(entries);
                    }
                    Content::Unknown => is_known = false,
                }
            }
        }
        let saved = self.store.terms(self.corpus.id)?.into_iter();
        let saved = saved.map(|term| (term.document_frequency, term.total_count));
        let fits = is_known && is_asked && saved.eq(self.terms.iter().copied());
        self.terms.fill((0, 0));
        (self.documents, self.tokens, self.nonzeros) = (0, 0, 0);
        Ok(fits)
    }

    /// The documents of a range, by id, combined from rows, counts and `packed`.
    fn documents(&self, range: IdRange, packed: Option<&Block>) -> Result<Vec<RepairedDocument>> {
        let bounds = (self.corpus.id, range.from, range.end);
        let rows: Vec<DocumentRow> = self.store.rows(DOCUMENTS, bounds, |row| {
            Ok(DocumentRow {
                id: row.get(0)?,
                tokens: row.get(1)?,
                hash: row.get(2)?,
                counts: row.get(3)?,
            })
        })?;
        let mut documents: BTreeMap<i64, RepairedDocument> = BTreeMap::new();
        for (id, terms, counts) in packed.into_iter().flat_map(Block::documents) {
            let packed = terms.iter().copied().zip(counts.iter().copied()).collect();
            let content = Content::Unknown;
            documents.insert(id, RepairedDocument { id, row: None, content, packed: Some(packed) });
        }
        for row in rows {
            let counted = row.counts.as_deref().and_then(|json| self.parse(json));
            let document = documents.entry(row.id);
            let document = document.or_insert_with(|| RepairedDocument::new(row.id));
            document.content = choose_content(&row, document.packed.clone(), counted);
            document.row = Some(row);
        }
        Ok(documents.into_values().collect())
    }

    /// Repairs the documents of a range.
    /// Documents of unknown content stay as they are. So do those without a row: key, title and text cannot be
    /// rebuilt.
    fn repair_range(&mut self, range: IdRange) -> Result<()> {
        let packed = self.unpack_of(range)?;
        let documents = self.documents(range, packed.as_ref())?;
        // Number of documents of the block: those up to its last id, or as many as its row says.
        let own = match (&packed, range.block) {
            (Some(packed), _) => {
                let last = packed.document_ids.last().copied().unwrap_or(range.from);
                documents.partition_point(|document| document.id <= last)
            }
            (None, Some(block)) => {
                usize::try_from(block.documents).unwrap_or(0).clamp(1, DOCUMENTS_PER_BLOCK)
            }
            (None, None) => 0,
        };
        let (mut kept, mut json) = (Vec::with_capacity(documents.len()), String::new());
        for (at, RepairedDocument { id, row, content, packed }) in documents.into_iter().enumerate()
        {
            let entries = match (row, content) {
                (Some(_), Content::Certain(entries)) => entries,
                (Some(_), Content::Doubtful(entries)) if self.trusts_doubtful => entries,
                _ => {
                    self.is_whole = false;
                    kept.extend(packed.map(|packed| (at < own, id, packed)));
                    continue;
                }
            };
            let ids = entries.iter().map(|&(p, count)| (self.ids[p as usize], count));
            write_counts(ids, &mut json);
            self.counts += self.store.execute(SET_COUNTS, (id, &json))?;
            self.lengths += self.store.execute(SET_TOKENS, (id, sum(&entries)))?;
            self.add(&entries);
            kept.push((at < own, id, entries));
        }
        self.write_blocks(range.block, packed.as_ref(), &kept)
    }

    fn unpack_of(&self, range: IdRange) -> Result<Option<Block>> {
        range.block.map(|block| self.unpack(block)).transpose().map(Option::flatten)
    }

    /// Unpacks a block; `None` if it is damaged or has unknown terms.
    fn unpack(&self, listed: BlockRow) -> Result<Option<Block>> {
        let data: Vec<u8> = self.store.scalar(BLOCK, [listed.id])?;
        let mut block = Block::default();
        let is_read = block.unpack(listed.id, listed.first, &data).is_ok();
        let known = |&term: &u32| (term as usize) < self.ids.len();
        let is_ordered = block.document_ids.is_sorted_by(|a, b| a < b);
        Ok((is_read && is_ordered && block.terms.iter().all(known)).then_some(block))
    }

    /// Writes the documents that belong to `block`; the others were in a block that is missing.
    fn write_blocks(
        &mut self,
        block: Option<BlockRow>,
        packed: Option<&Block>,
        kept: &[(bool, i64, Entries)],
    ) -> Result<()> {
        let mut made = Block::default();
        for (_, id, entries) in kept.iter().filter(|(is_own, ..)| *is_own) {
            made.push(*id, entries);
        }
        let (documents, nonzeros) =
            (saturated(made.document_ids.len()), saturated(made.terms.len()));
        let is_sound = |listed: &BlockRow| {
            packed == Some(&made) && (listed.documents, listed.nonzeros) == (documents, nonzeros)
        };
        if let Some((listed, &first)) =
            block.filter(|b| !is_sound(b)).zip(made.document_ids.first())
        {
            let values = (listed.id, first, documents, nonzeros, made.pack());
            self.blocks += self.store.execute(SET_BLOCK, values)?;
        }
        made.clear();
        for (_, id, entries) in kept.iter().filter(|(is_own, ..)| !*is_own) {
            made.push(*id, entries);
            if made.is_full() {
                self.store.insert_block(self.corpus.id, &made)?;
                self.blocks += 1;
                made.clear();
            }
        }
        self.blocks += usize::from(!made.document_ids.is_empty());
        self.store.insert_block(self.corpus.id, &made)
    }

    /// Parses a document's counts; `None` if they are invalid.
    fn parse(&self, json: &str) -> Option<Entries> {
        let Ok(Value::Object(counts)) = serde_json::from_str(json) else { return None };
        let entry = |(id, count): (&String, &Value)| {
            let position = self.positions.get(&id.parse().ok()?)?;
            let count = u32::try_from(count.as_u64()?).ok().filter(|&count| count > 0)?;
            Some((*position, count))
        };
        let mut entries = counts.iter().map(entry).collect::<Option<Entries>>()?;
        entries.sort_unstable();
        entries.is_sorted_by(|a, b| a.0 < b.0).then_some(entries)
    }

    fn add(&mut self, entries: &Entries) {
        self.documents += 1;
        self.nonzeros += entries.len() as u64;
        self.tokens += sum(entries);
        for &(position, count) in entries {
            let term = &mut self.terms[position as usize];
            term.0 += 1;
            term.1 += u64::from(count);
        }
    }
}

impl RepairedDocument {
    /// A document without a row or a block yet.
    fn new(id: i64) -> Self {
        Self { id, row: None, content: Content::Unknown, packed: None }
    }
}

/// The content that block and counts agree on; otherwise the one that matches the document's hash or number of
/// tokens.
fn choose_content(row: &DocumentRow, block: Option<Entries>, counts: Option<Entries>) -> Content {
    if let Some(entries) = &block
        && block == counts
    {
        return Content::Certain(entries.clone());
    }
    let mut found: Vec<Entries> = block.into_iter().chain(counts).collect();
    let mut bytes = Vec::new();
    if let Some(hashed) = found.iter().find(|e| hash_entries(e, &mut bytes)[..] == *row.hash) {
        return Content::Certain(hashed.clone());
    }
    let fits = |entries: &&Entries| sum(entries) == row.tokens;
    match (found.iter().filter(fits).count(), found.len()) {
        (1, _) => {
            found.retain(|entries| sum(entries) == row.tokens);
            found.pop().map_or(Content::Unknown, Content::Certain)
        }
        (0, 1) => found.pop().map_or(Content::Unknown, Content::Doubtful),
        _ => Content::Unknown,
    }
}

fn sum(entries: &Entries) -> u64 {
    entries.iter().map(|&(_, count)| u64::from(count)).sum()
}

//! Making again what can be made again from what is there: blocks from counts, counts from blocks,
//! frequencies and totals from both.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::store::Store;
use crate::store::block::Block;
use crate::store::corpus::Corpus;
use crate::store::corpus::content_hash::of_entries;
use crate::store::corpus::term::write_counts;
use crate::store::error::Result;

const DOCUMENTS: &str = "SELECT d.id, d.tokens, d.content_hash, c.counts FROM document AS d \
    LEFT JOIN document_counts AS c ON c.document_id = d.id \
    WHERE d.corpus_id = ?1 AND d.id >= ?2 AND d.id < ?3 ORDER BY d.id";
const BLOCKS: &str = "SELECT id, first_document_id, documents FROM block \
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

/// What a repair did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The store as it was.
    pub copy: PathBuf,
    /// What was made again, a line a kind and corpus.
    pub mended: Vec<String>,
}

/// (term position, count), ascending by position.
type Entries = Vec<(u32, u32)>;

/// A document's row, with its counts as people query them.
struct Row {
    id: i64,
    tokens: u64,
    hash: Vec<u8>,
    counts: Option<String>,
}

/// A block as it is listed.
#[derive(Clone, Copy)]
struct Listed {
    id: i64,
    first: i64,
    documents: usize,
}

/// One corpus under repair.
struct Repair<'s> {
    store: &'s Store,
    corpus: &'s Corpus,
    /// Ids of terms by position, and the reverse.
    ids: Vec<i64>,
    positions: HashMap<i64, u32>,
    /// (documents, tokens) by position, and in all.
    terms: Vec<(u64, u64)>,
    documents: u64,
    tokens: u64,
    nonzeros: u64,
    /// Whether all documents are known.
    is_whole: bool,
    /// Rows made again, by what they are.
    blocks: usize,
    counts: usize,
    lengths: usize,
}

impl Store {
    /// Makes again what can be, in one transaction, after keeping a copy of the store. What cannot
    /// stays as it is, and `check` goes on telling of it.
    ///
    /// # Errors
    /// When an ingest adds to a corpus meanwhile, or the store cannot be read or written.
    pub fn repair(&mut self) -> Result<Repaired> {
        let copy = self.keep_copy_before_repair()?;
        let mended = self.transaction(|store| {
            let mut mended = Vec::new();
            for corpus in store.corpora()? {
                if corpus.parts_elsewhere.is_none() {
                    let _locks = store.hold_ingests(corpus.id)?;
                    mended.extend(Repair::of(store, &corpus)?.run()?);
                }
            }
            Ok(mended)
        })?;
        Ok(Repaired { copy, mended })
    }
}

impl<'s> Repair<'s> {
    fn of(store: &'s Store, corpus: &'s Corpus) -> Result<Self> {
        let ids: Vec<i64> = store.terms(corpus.id)?.into_iter().map(|term| term.id).collect();
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
            blocks: 0,
            counts: 0,
            lengths: 0,
        })
    }

    fn run(mut self) -> Result<Vec<String>> {
        let blocks: Vec<Listed> = self.store.rows(BLOCKS, [self.corpus.id], |row| {
            Ok(Listed { id: row.get(0)?, first: row.get(1)?, documents: row.get(2)? })
        })?;
        // Documents before the first block, should the one that had them be gone.
        let first = blocks.first().map_or(i64::MAX, |block| block.first);
        self.repair_range(None, i64::MIN, first)?;
        for (at, &block) in blocks.iter().enumerate() {
            let end = blocks.get(at + 1).map_or(i64::MAX, |next| next.first);
            self.repair_range(Some(block), block.first, end)?;
        }
        let (mut frequencies, mut totals) = (0, 0);
        if self.is_whole {
            for (&id, &(documents, tokens)) in self.ids.iter().zip(&self.terms) {
                frequencies += self.store.execute(SET_TERM, (id, documents, tokens))?;
            }
            let (terms, id) = (self.ids.len() as u64, self.corpus.id);
            let totals_now = (id, self.documents, terms, self.tokens, self.nonzeros);
            totals = self.store.execute(SET_TOTALS, totals_now)?;
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

    /// Repairs the documents with ids from `from` to below `end`, which `block` has or should have.
    fn repair_range(&mut self, block: Option<Listed>, from: i64, end: i64) -> Result<()> {
        let rows: Vec<Row> = self.store.rows(DOCUMENTS, (self.corpus.id, from, end), |row| {
            Ok(Row { id: row.get(0)?, tokens: row.get(1)?, hash: row.get(2)?, counts: row.get(3)? })
        })?;
        let packed = block.map(|block| self.unpack(block)).transpose()?.flatten();
        let has_row = |id: &i64| rows.binary_search_by_key(id, |row| row.id).is_ok();
        if packed.as_ref().is_some_and(|packed| !packed.document_ids.iter().all(has_row)) {
            // Key, title and text of a document cannot be made again.
            self.is_whole = false;
            return Ok(());
        }
        let mut held: HashMap<i64, Entries> = HashMap::new();
        for (id, terms, counts) in packed.iter().flat_map(Block::documents) {
            held.insert(id, terms.iter().copied().zip(counts.iter().copied()).collect());
        }
        let mut decided = Vec::with_capacity(rows.len());
        for row in &rows {
            let counted = row.counts.as_deref().and_then(|json| self.parse(json));
            let Some(entries) = decide(row, held.remove(&row.id), counted) else {
                self.is_whole = false;
                return Ok(());
            };
            decided.push(entries);
        }
        // How many of them the block had: those up to its last, or as many as its row says.
        let own = match (&packed, block) {
            (Some(packed), _) => {
                let last = packed.document_ids.last().copied().unwrap_or(from);
                rows.partition_point(|row| row.id <= last)
            }
            (None, Some(block)) => block.documents.min(rows.len()),
            (None, None) => 0,
        };
        self.write_blocks(block, packed.as_ref(), &rows, &decided, own)?;
        let mut json = String::new();
        for (row, entries) in rows.iter().zip(&decided) {
            let ids = entries.iter().map(|&(p, count)| (self.ids[p as usize], count));
            write_counts(ids, &mut json);
            self.counts += self.store.execute(SET_COUNTS, (row.id, &json))?;
            self.lengths += self.store.execute(SET_TOKENS, (row.id, sum(entries)))?;
            self.add(entries);
        }
        Ok(())
    }

    /// The block's documents, unless they cannot be read or have terms that are not there.
    fn unpack(&self, listed: Listed) -> Result<Option<Block>> {
        let data: Vec<u8> = self.store.scalar(BLOCK, [listed.id])?;
        let mut block = Block::default();
        let is_read = block.unpack(listed.id, listed.first, &data).is_ok();
        let known = |&term: &u32| (term as usize) < self.ids.len();
        let is_ordered = block.document_ids.is_sorted_by(|a, b| a < b);
        Ok((is_read && is_ordered && block.terms.iter().all(known)).then_some(block))
    }

    /// The first `own` documents belong to `block`; those after it stood in one that is gone.
    fn write_blocks(
        &mut self,
        block: Option<Listed>,
        packed: Option<&Block>,
        rows: &[Row],
        decided: &[Entries],
        own: usize,
    ) -> Result<()> {
        let mut made = Block::default();
        for (row, entries) in rows.iter().zip(decided).take(own) {
            made.push(row.id, entries);
        }
        if let Some(listed) = block.filter(|_| packed != Some(&made) && own > 0) {
            let (documents, nonzeros) = (made.document_ids.len(), made.terms.len());
            let first = made.document_ids[0];
            let values = (listed.id, first, documents as i64, nonzeros as i64, made.pack());
            self.blocks += self.store.execute(SET_BLOCK, values)?;
        }
        made.clear();
        for (row, entries) in rows.iter().zip(decided).skip(own) {
            made.push(row.id, entries);
            if made.is_full() {
                self.store.insert_block(self.corpus.id, &made)?;
                self.blocks += 1;
                made.clear();
            }
        }
        self.blocks += usize::from(!made.document_ids.is_empty());
        self.store.insert_block(self.corpus.id, &made)
    }

    /// The entries that a document's counts say, if they are such.
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

/// What a document holds: what block and counts agree on; else the one that the document's hash, or
/// its number of tokens, was made of. `None` where nothing tells.
fn decide(row: &Row, block: Option<Entries>, counts: Option<Entries>) -> Option<Entries> {
    if block.is_some() && block == counts {
        return block;
    }
    let found: Vec<Entries> = block.into_iter().chain(counts).collect();
    let mut bytes = Vec::new();
    if let Some(hashed) = found.iter().find(|e| of_entries(e, &mut bytes)[..] == *row.hash) {
        return Some(hashed.clone());
    }
    let mut fitting = found.into_iter().filter(|entries| sum(entries) == row.tokens);
    let first = fitting.next();
    first.filter(|_| fitting.next().is_none())
}

fn sum(entries: &Entries) -> u64 {
    entries.iter().map(|&(_, count)| u64::from(count)).sum()
}

//! Checks that a corpus's blocks, counts, frequencies, totals and texts agree.

use crate::Store;
use crate::block::blocks::CorpusBlocks;
use crate::check::Findings;
use crate::corpus::Corpus;
use crate::corpus::content_hash::{
    ContentHash, hash_entries, hash_terms, hash_text, hash_text_and_tokens,
};
use crate::corpus::term::{Term, write_counts};
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, TermId};
use crate::integer::saturated;
use topoi_core::stream::block::Block;

/// A document's row and its counts in JSON.
const DOCUMENT: &str = "SELECT d.key, d.tokens, c.counts, d.title, \
    CASE WHEN d.own_fields IS NULL THEN d.fields ELSE nullif(d.own_fields, 'null') END AS fields, d.content_hash, \
    EXISTS (SELECT 1 FROM document_text WHERE document_id = d.id) FROM document AS d \
    LEFT JOIN document_counts AS c ON c.document_id = d.id WHERE d.id = ?1 AND d.corpus_id = ?2";
const DOCUMENTS_OF_BLOCKS: &str = "SELECT documents FROM block \
    WHERE corpus_id = ?1 AND retired = 0 ORDER BY first_document_id";
const IDS: &str = "SELECT id, key FROM document WHERE corpus_id = ?1 ORDER BY id";
/// Parents without a chunk; in corpora with parents, documents that are not chunks.
const ALONE: &str = "SELECT 'nothing is left of document ' || json_quote(key) || ', which was cut into chunks' \
    FROM parent_document WHERE corpus_id = ?1 \
    AND NOT EXISTS (SELECT 1 FROM chunk WHERE parent_id = parent_document.id) \
    UNION ALL SELECT 'document ' || id || ' (' || json_quote(key) || ') is a chunk without a parent' \
    FROM document WHERE corpus_id = ?1 \
    AND EXISTS (SELECT 1 FROM parent_document WHERE corpus_id = ?1) \
    AND NOT EXISTS (SELECT 1 FROM chunk JOIN parent_document AS parent ON parent.id = parent_id \
        WHERE document_id = document.id AND parent.corpus_id = ?1)";
const TEXTS: &str = "SELECT d.key, d.title, \
    CASE WHEN d.own_fields IS NULL THEN d.fields ELSE nullif(d.own_fields, 'null') END AS fields, \
    t.text, d.content_hash, t.given_tokens FROM document AS d \
    JOIN document_text AS t ON t.document_id = d.id WHERE d.corpus_id = ?1";

/// Totals of the blocks of a corpus.
#[derive(Default)]
struct BlockTotals {
    tokens: u64,
    nonzeros: u64,
    /// (documents, tokens) of each term, by position.
    terms: Vec<(u64, u64)>,
    /// Ids, ascending.
    documents: Vec<i64>,
    /// Number of blocks that could not be read; their contents are unknown.
    damaged: usize,
}

/// A document's row.
struct DocumentRow {
    key: String,
    tokens: u64,
    counts: Option<String>,
    title: Option<String>,
    fields: Option<String>,
    hash: Vec<u8>,
    has_text: bool,
}

/// The terms that the documents of a block are checked against.
struct CorpusTerms {
    /// By position.
    terms: Vec<Term>,
    /// Whether content hashes were made from the positions here; in a part they may come from the whole.
    has_own_positions: bool,
}

impl Store {
    pub(super) fn check_corpus(&self, corpus: &Corpus, findings: &mut Findings) -> Result<()> {
        if self.parts_elsewhere(corpus.id)?.is_some() {
            // Its documents are in the stores of its parts, which are checked separately.
            return Ok(());
        }
        let totals = self.check_blocks(corpus, findings)?;
        self.check_documents(corpus, &totals, findings)?;
        if totals.damaged == 0 {
            check_totals(corpus, &totals, findings);
            self.check_terms(corpus, &totals, findings)?;
        }
        self.check_texts(corpus, findings)?;
        let alone: Vec<String> = self.rows(ALONE, [corpus.id], |row| row.get(0))?;
        findings.add_first_of_corpus(&corpus.name, &alone);
        match self.vectors(corpus) {
            Err(StoreError::DamagedVectors { what, .. }) => {
                findings.add_vectors(&corpus.name, what)
            }
            read => drop(read?),
        }
        if let Some(what) = self.search_index_problem(corpus)? {
            findings.add_search_index(&corpus.name, &what);
        }
        Ok(())
    }

    /// Compares every document of every block with its row and counts; returns the totals of the blocks.
    fn check_blocks(&self, corpus: &Corpus, findings: &mut Findings) -> Result<BlockTotals> {
        let known = CorpusTerms {
            terms: self.terms(corpus.id)?,
            has_own_positions: self.part(corpus.id)?.is_none(),
        };
        let mut totals =
            BlockTotals { terms: vec![(0, 0); known.terms.len()], ..BlockTotals::default() };
        let blocks = CorpusBlocks::open(self, corpus.id)?;
        let saved: Vec<i64> = self.rows(DOCUMENTS_OF_BLOCKS, [corpus.id], |row| row.get(0))?;
        let (mut json, mut different) = (String::new(), Vec::new());
        let mut block = Block::default();
        for (at, (nonzeros, documents)) in blocks.sizes().zip(saved).enumerate() {
            match blocks.read_at(self, at, &mut block) {
                Err(StoreError::DamagedBlock { block, reason }) => {
                    totals.damaged += 1;
                    findings
                        .add_corpus(&corpus.name, &format!("block {block} is damaged ({reason})"));
                    continue;
                }
                other => other?,
            }
            for (what, saved, has) in [
                ("nonzeros", nonzeros.into(), block.terms.len()),
                ("documents", documents, block.document_ids.len()),
            ] {
                if saved != saturated(has) {
                    let first = block.document_ids.first().copied().unwrap_or_default();
                    different.push(format!(
                        "the block from document {first} on is saved with {saved} {what}, but has {has}"
                    ));
                }
            }
            for (id, positions, counts) in block.documents() {
                let id_of = |&position: &u32| known.terms.get(position as usize).map(|t| t.id);
                let ids = positions.iter().map(|position| id_of(position).unwrap_or(TermId(-1)));
                write_counts(ids.zip(counts.iter().copied()), &mut json);
                let rows = self.rows(DOCUMENT, (id, corpus.id), DocumentRow::read)?;
                different.extend(match rows.first() {
                    None => Some(format!("document {id} is in a block, but has no row")),
                    Some(row) => known
                        .contradiction(row, positions, counts, &json)
                        .map(|what| format!("document {id} ({:?}) {what}", row.key)),
                });
                totals.add(id, positions, counts);
            }
        }
        findings.add_first_of_corpus(&corpus.name, &different);
        Ok(totals)
    }

    /// Reports documents without a block, unless they may be in a damaged one.
    fn check_documents(
        &self,
        corpus: &Corpus,
        totals: &BlockTotals,
        findings: &mut Findings,
    ) -> Result<()> {
        let mut missing = Vec::new();
        if self.corpus_hash_up_to(corpus.id, DocumentId(i64::MAX))?
            != self.corpus_hash(corpus.id)?
        {
            missing.push("its documents are not those that were ingested (documents_hash)".into());
        }
        let documents: Vec<(i64, String)> =
            self.rows(IDS, [corpus.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (id, key) in &documents {
            if totals.damaged == 0 && totals.documents.binary_search(id).is_err() {
                missing.push(format!("document {id} ({key:?}) is in no block"));
            }
        }
        if !totals.documents.is_sorted_by(|a, b| a < b) {
            missing.push("a document is in two blocks, or blocks are out of order".into());
        }
        findings.add_first_of_corpus(&corpus.name, &missing);
        Ok(())
    }

    fn check_terms(
        &self,
        corpus: &Corpus,
        totals: &BlockTotals,
        findings: &mut Findings,
    ) -> Result<()> {
        let terms = self.terms(corpus.id)?;
        if corpus.terms != terms.len() as u64 {
            let what = format!("terms are saved as {}, but it has {}", corpus.terms, terms.len());
            findings.add_corpus(&corpus.name, &what);
        }
        let mut wrong = Vec::new();
        for (term, &counted) in terms.iter().zip(&totals.terms) {
            let saved = (term.document_frequency, term.total_count);
            if saved != counted {
                wrong.push(format!(
                    "term {:?} has the frequencies {saved:?} (documents, tokens), but its blocks \
                     have {counted:?}",
                    term.text
                ));
            }
        }
        findings.add_first_of_corpus(&corpus.name, &wrong);
        Ok(())
    }

    /// Compares every text with the hash it was ingested with.
    fn check_texts(&self, corpus: &Corpus, findings: &mut Findings) -> Result<()> {
        let mut changed = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(TEXTS)?;
            let mut rows = statement.query([corpus.id])?;
            while let Some(row) = rows.next()? {
                let (key, title): (String, Option<String>) = (row.get(0)?, row.get(1)?);
                let fields: Option<String> = row.get(2)?;
                let text: String = row.get(3)?;
                let (title, fields) = (title.as_deref(), fields.as_deref());
                let hash = match row.get::<_, Option<String>>(5)? {
                    Some(tokens) => hash_text_and_tokens(title, fields, &text, &tokens),
                    None => hash_text(title, fields, &text),
                };
                if hash[..] != *row.get_ref(4)?.as_blob()? {
                    changed.push(format!(
                        "text, title or fields of document {key:?} are not those that were \
                         ingested (content_hash)"
                    ));
                }
            }
            Ok(())
        };
        read().map_err(|source| self.error(source))?;
        findings.add_first_of_corpus(&corpus.name, &changed);
        Ok(())
    }
}

fn check_totals(corpus: &Corpus, totals: &BlockTotals, findings: &mut Findings) {
    for (name, saved, found) in [
        ("documents", corpus.documents, totals.documents.len() as u64),
        ("tokens", corpus.tokens, totals.tokens),
        ("nonzeros", corpus.nonzeros, totals.nonzeros),
    ] {
        if saved != found {
            let what = format!("{name} are saved as {saved}, but its blocks hold {found}");
            findings.add_corpus(&corpus.name, &what);
        }
    }
}

impl DocumentRow {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            key: row.get(0)?,
            tokens: row.get(1)?,
            counts: row.get(2)?,
            title: row.get(3)?,
            fields: row.get(4)?,
            hash: row.get(5)?,
            has_text: row.get(6)?,
        })
    }
}

impl CorpusTerms {
    /// Why a document's row contradicts its counts in a block, if it does.
    fn contradiction(
        &self,
        row: &DocumentRow,
        positions: &[u32],
        counts: &[u32],
        json: &str,
    ) -> Option<String> {
        let tokens = counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        match &row.counts {
            None => Some("has no counts".into()),
            Some(counts) if counts != json => {
                Some("differs between its block and its triples".into())
            }
            Some(_) if row.tokens != tokens => {
                Some(format!("has {} tokens, but {tokens} in its block", row.tokens))
            }
            Some(_) if !row.has_text && self.came_as_text(row, positions, counts) => {
                Some("has lost its text; ingest it again".into())
            }
            Some(_) => None,
        }
    }

    /// Whether a document without text was ingested as text: its hash is not the hash of its counts.
    fn came_as_text(&self, row: &DocumentRow, positions: &[u32], counts: &[u32]) -> bool {
        let hash = ContentHash::try_from(&row.hash[..]);
        let Some(hash) = hash.ok().filter(|_| self.has_own_positions) else { return false };
        let pairs: Vec<(u32, u32)> =
            positions.iter().copied().zip(counts.iter().copied()).collect();
        let text = |&(position, count): &(u32, u32)| {
            Some((self.terms.get(position as usize)?.text.clone(), count))
        };
        let terms: Option<Vec<(String, u32)>> = pairs.iter().map(text).collect();
        let is_of_terms = |mut terms: Vec<(String, u32)>| {
            terms.sort_unstable();
            hash_terms(row.title.as_deref(), row.fields.as_deref(), &terms) == hash
        };
        hash_entries(&pairs, &mut Vec::new()) != hash && !terms.is_some_and(is_of_terms)
    }
}

impl BlockTotals {
    fn add(&mut self, id: i64, positions: &[u32], counts: &[u32]) {
        self.documents.push(id);
        self.nonzeros += positions.len() as u64;
        for (&position, &count) in positions.iter().zip(counts) {
            self.tokens += u64::from(count);
            // A position without a term shows as a difference from the counts.
            if let Some(term) = self.terms.get_mut(position as usize) {
                term.0 += 1;
                term.1 += u64::from(count);
            }
        }
    }
}

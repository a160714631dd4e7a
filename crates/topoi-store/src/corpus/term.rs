//! Terms of a corpus and their frequencies: as rows, and in memory while a corpus is written.

use std::collections::HashMap;
use std::mem::take;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, TermId};
use crate::integer::saturated;

/// Terms of a corpus by position.
const ALL: &str = "SELECT id, text, document_frequency, total_count, form, position FROM term \
                   WHERE corpus_id = ?1 ORDER BY position";
const ONE: &str = "SELECT id, text, document_frequency, total_count, form, position FROM term \
                   WHERE corpus_id = ?1 AND text = ?2";
/// Scans the corpus's terms if none has this form.
const OF_FORM: &str = "SELECT id, text, document_frequency, total_count, form, position FROM term \
                       WHERE corpus_id = ?1 AND form = ?2 ORDER BY position LIMIT 1";
const END: &str = "SELECT coalesce(max(position) + 1, 0) FROM term WHERE corpus_id = ?1";
const MOST_FREQUENT: &str = "SELECT id, text, document_frequency, total_count, form FROM term \
                             WHERE corpus_id = ?1 ORDER BY total_count DESC, position LIMIT ?2";

/// Filter of terms that contain a text.
const HOLDS: &str = "corpus_id = ?1 AND (?2 = '' OR instr(lower(coalesce(form, text)), lower(?2)))";

/// The sort key of lists of terms; ties are broken by position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TermSortKey {
    /// Numbers of tokens.
    #[default]
    Tokens,
    /// Numbers of documents.
    Documents,
    /// The terms, in byte order.
    Text,
}

/// How lists of terms are sorted; ties are broken by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermOrder {
    /// The sort key.
    pub by: TermSortKey,
    /// Whether the largest is first.
    pub descending: bool,
}

impl Default for TermOrder {
    fn default() -> Self {
        Self { by: TermSortKey::Tokens, descending: true }
    }
}

/// A term of a corpus. Packed blocks refer to it by its position, the index in a list of all terms.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Term {
    /// Row id in the store.
    pub id: TermId,
    /// The term as the ingest made it: lower-cased or stemmed, depending on the settings.
    pub text: String,
    /// Number of documents that contain it.
    pub document_frequency: u64,
    /// Number of its tokens in the corpus.
    pub total_count: u64,
    /// Its most frequent form in the texts, unless that is the term itself.
    pub form: Option<String>,
}

impl Term {
    /// The term as displayed: the most frequent form of a stem.
    pub fn shown(&self) -> &str {
        self.form.as_deref().unwrap_or(&self.text)
    }

    /// As [`Term::shown`], by value.
    pub fn into_shown(self) -> String {
        self.form.unwrap_or(self.text)
    }

    /// Whether `word` is the term or its displayed form.
    pub fn is(&self, word: &str) -> bool {
        self.text == word || self.form.as_deref() == Some(word)
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Term> {
    Ok(Term {
        id: row.get(0)?,
        text: row.get(1)?,
        document_frequency: row.get(2)?,
        total_count: row.get(3)?,
        form: row.get(4)?,
    })
}

fn damaged(corpus_id: CorpusId, what: &str) -> StoreError {
    StoreError::DamagedCorpus { corpus: format!("corpus #{corpus_id}"), what: what.into() }
}

impl Store {
    /// All terms of a corpus: entry p is the term at position p.
    ///
    /// # Errors
    /// [`StoreError::DamagedCorpus`] if terms are missing or the total number of tokens overflows.
    pub fn terms(&self, corpus_id: CorpusId) -> Result<Vec<Term>> {
        let mut positions = 0..;
        let mut is_whole = true;
        let terms = self.rows(ALL, [corpus_id], |row| {
            is_whole &= positions.next() == Some(row.get::<_, i64>("position")?);
            read(row)
        })?;
        if !is_whole {
            return Err(damaged(corpus_id, "terms of it are gone"));
        }
        let add = |sum: u64, term: &Term| sum.checked_add(term.total_count);
        match terms.iter().try_fold(0, add) {
            Some(_) => Ok(terms),
            None => Err(damaged(corpus_id, "its terms have more tokens than can be counted")),
        }
    }

    /// The term with this text, or else with this displayed form, and its position; `None` if there is none.
    pub fn find_term(&self, corpus_id: CorpusId, text: &str) -> Result<Option<(u32, Term)>> {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get("position")?, read(row)?));
        match self.rows(ONE, (corpus_id, text), read)?.pop() {
            None => Ok(self.rows(OF_FORM, (corpus_id, text), read)?.pop()),
            found => Ok(found),
        }
    }

    /// One more than the last position of a term of a corpus.
    pub(crate) fn terms_end(&self, corpus_id: CorpusId) -> Result<u32> {
        self.scalar(END, [corpus_id])
    }

    /// The `limit` terms with the most tokens, most frequent first.
    pub fn frequent_terms(&self, corpus_id: CorpusId, limit: usize) -> Result<Vec<Term>> {
        self.rows(MOST_FREQUENT, (corpus_id, saturated(limit)), read)
    }

    /// The first `limit` terms, in `order`, that contain `text`. ASCII letters match in either case; an empty
    /// `text` matches all. Scans the corpus's terms once.
    pub fn terms_matching(
        &self,
        corpus_id: CorpusId,
        text: &str,
        order: TermOrder,
        limit: usize,
    ) -> Result<Vec<Term>> {
        let key = match order.by {
            TermSortKey::Tokens => "total_count",
            TermSortKey::Documents => "document_frequency",
            TermSortKey::Text => "coalesce(form, text)",
        };
        let direction = if order.descending { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT id, text, document_frequency, total_count, form FROM term WHERE {HOLDS} \
             ORDER BY {key} {direction}, position LIMIT ?3"
        );
        self.rows(&sql, (corpus_id, text, saturated(limit)), read)
    }

    /// Number of terms that contain `text`.
    pub fn count_terms_matching(&self, corpus_id: CorpusId, text: &str) -> Result<u64> {
        self.scalar(&format!("SELECT count(*) FROM term WHERE {HOLDS}"), (corpus_id, text))
    }
}

const TERMS_FROM: &str = "SELECT id, text, position FROM term WHERE corpus_id = ?1 AND position >= ?2 \
                          ORDER BY position";
const LAST_ID: &str = "SELECT coalesce(max(id), 0) FROM term";
const INSERT_TERM: &str = "INSERT INTO term \
    (id, corpus_id, position, text, document_frequency, total_count) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const ADD_TO_TERM: &str = "UPDATE term SET document_frequency = document_frequency + ?2, \
    total_count = total_count + ?3 WHERE id = ?1";

/// A term's row id and the changes of its frequencies since the last write.
#[derive(Debug)]
struct Tally {
    id: TermId,
    documents: i64,
    tokens: i64,
}

/// The terms of one corpus by text and by position.
#[derive(Debug, Default)]
pub(crate) struct TermIndex {
    positions: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
    tallies: Vec<Tally>,
    /// Texts of the last entries of `tallies`, which have no rows yet; they are inserted with their
    /// frequencies.
    new: Vec<Box<str>>,
    /// The largest id of a term of any corpus, valid while no other process writes.
    last_id: TermId,
}

impl TermIndex {
    /// Number of terms.
    pub(crate) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Reads the terms that are not in memory yet: all at first, later those of other processes.
    /// Must be called within a transaction, so that the positions assigned in it are free.
    pub(crate) fn catch_up(&mut self, store: &Store, corpus_id: CorpusId) -> Result<()> {
        let known = self.tallies.len();
        let new = store.rows(TERMS_FROM, (corpus_id, known), |row| {
            Ok((row.get::<_, TermId>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })?;
        for (id, text, position) in new {
            if usize::try_from(position) != Ok(self.tallies.len()) {
                return Err(damaged(corpus_id, "terms of it are gone"));
            }
            let position = self.next_position()?;
            self.positions.insert(text.into(), position);
            self.tallies.push(Tally { id, documents: 0, tokens: 0 });
        }
        self.last_id = store.scalar(LAST_ID, [])?;
        Ok(())
    }

    /// The position of a term; a new term gets the next position.
    pub(crate) fn position(&mut self, text: &str) -> Result<u32> {
        if let Some(&position) = self.positions.get(text) {
            return Ok(position);
        }
        let position = self.next_position()?;
        // Past the largest of all ids the row is refused when it is written.
        self.last_id = TermId(self.last_id.0.saturating_add(1));
        self.tallies.push(Tally { id: self.last_id, documents: 0, tokens: 0 });
        self.new.push(text.into());
        self.positions.insert(text.into(), position);
        Ok(position)
    }

    fn next_position(&self) -> Result<u32> {
        u32::try_from(self.tallies.len()).map_err(|_| StoreError::TooManyTerms)
    }

    /// Adds a document's entries to the frequencies (`sign` 1) or subtracts them (`sign` −1).
    pub(crate) fn tally(&mut self, entries: impl Iterator<Item = (u32, u32)>, sign: i64) {
        for (position, count) in entries {
            let tally = &mut self.tallies[position as usize];
            tally.documents += sign;
            tally.tokens += sign * i64::from(count);
        }
    }

    /// The row id of the term at a position.
    pub(crate) fn id(&self, position: u32) -> TermId {
        self.tallies[position as usize].id
    }

    /// Writes new terms and changed frequencies. Must be called within the transaction of
    /// [`TermIndex::catch_up`].
    pub(crate) fn write(&mut self, store: &Store, corpus_id: CorpusId) -> Result<()> {
        let old = self.tallies.len() - self.new.len();
        let (old, new) = self.tallies.split_at_mut(old);
        let changed = old.iter_mut().filter(|tally| tally.documents != 0 || tally.tokens != 0);
        store.execute_each(
            ADD_TO_TERM,
            changed.map(|Tally { id, documents, tokens }| (*id, take(documents), take(tokens))),
        )?;
        let first = old.len();
        let rows = new.iter_mut().zip(&self.new).enumerate();
        store.execute_each(
            INSERT_TERM,
            rows.map(|(at, (Tally { id, documents, tokens }, text))| {
                (*id, corpus_id, first + at, &**text, take(documents), take(tokens))
            }),
        )?;
        self.new.clear();
        Ok(())
    }

    /// Writes a document's counts to `json`, as the table `document_counts` has them.
    pub(crate) fn counts_json(&self, entries: &[(u32, u32)], json: &mut String) {
        write_counts(
            entries.iter().map(|&(at, count)| (self.tallies[at as usize].id, count)),
            json,
        );
    }
}

/// Writes `{"id":count,...}` of term row ids and counts to `json`.
pub(crate) fn write_counts(entries: impl Iterator<Item = (TermId, u32)>, json: &mut String) {
    let (mut id_digits, mut count_digits) = (itoa::Buffer::new(), itoa::Buffer::new());
    json.clear();
    json.push('{');
    for (id, count) in entries {
        json.push_str(if json.len() > 1 { ",\"" } else { "\"" });
        json.push_str(id_digits.format(id.0));
        json.push_str("\":");
        json.push_str(count_digits.format(count));
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_json_in_the_order_given() {
        let mut json = "old".to_string();
        write_counts(
            [(1, 2), (907, 10), (12345678901, u32::MAX)]
                .map(|(id, count)| (TermId(id), count))
                .into_iter(),
            &mut json,
        );
        assert_eq!(json, r#"{"1":2,"907":10,"12345678901":4294967295}"#);
        write_counts(std::iter::empty(), &mut json);
        assert_eq!(json, "{}");
    }
}

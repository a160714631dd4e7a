//! How often the texts contain which form of a term. A stem is displayed as its most frequent form.

use std::collections::HashMap;
use std::num::NonZeroU32;

use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, TermId};
use crate::integer::saturated;

const ADD: &str = "INSERT INTO term_form (term_id, form, count) VALUES (?1, ?2, ?3) \
    ON CONFLICT (term_id, form) DO UPDATE SET count = count + excluded.count";
/// Chooses the most frequent form; ties go to the first in byte order.
const CHOOSE: &str = "UPDATE term SET form = nullif((SELECT form FROM term_form WHERE term_id = ?1 \
    ORDER BY count DESC, form LIMIT 1), text) WHERE id = ?1";

/// All forms of a corpus, with the positions of their terms.
const OF_CORPUS: &str = "SELECT term.position, f.form, f.count FROM term_form AS f \
    JOIN term ON term.id = f.term_id WHERE term.corpus_id = ?1 ORDER BY term.position, f.form";
const FORGET: &str =
    "DELETE FROM term_form WHERE term_id IN (SELECT id FROM term WHERE corpus_id = ?1)";

impl Store {
    /// The forms of a corpus's terms: (position, form, count).
    pub(crate) fn term_forms(&self, corpus_id: CorpusId) -> Result<Vec<(u32, String, u64)>> {
        self.rows(OF_CORPUS, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// Replaces all forms of a corpus's terms.
    pub(crate) fn replace_term_forms(
        &self,
        corpus_id: CorpusId,
        forms: impl Iterator<Item = (u32, String, u64)>,
    ) -> Result<()> {
        self.execute(FORGET, [corpus_id])?;
        let mut tally = FormTally::default();
        for (position, form, count) in forms {
            let number = tally.number(position, &form);
            tally.count(number.get(), count);
        }
        let ids: Vec<TermId> = self.terms(corpus_id)?.iter().map(|term| term.id).collect();
        tally.write(self, |position| ids[position as usize])
    }
}

/// A form of a term, and its occurrences since the last batch.
#[derive(Debug)]
struct Form {
    position: u32,
    text: Box<str>,
    new: i64,
}

/// The forms that an ingest has seen, by number.
#[derive(Debug, Default)]
pub(crate) struct FormTally {
    numbers: HashMap<(u32, Box<str>), NonZeroU32, foldhash::fast::RandomState>,
    forms: Vec<Form>,
}

impl FormTally {
    /// The number of a form of the term at `position`, from 1.
    pub(crate) fn number(&mut self, position: u32, form: &str) -> NonZeroU32 {
        let next =
            NonZeroU32::MIN.saturating_add(u32::try_from(self.forms.len()).unwrap_or(u32::MAX));
        let number = *self.numbers.entry((position, form.into())).or_insert(next);
        if number == next {
            self.forms.push(Form { position, text: form.into(), new: 0 });
        }
        number
    }

    pub(crate) fn count(&mut self, number: u32, count: u64) {
        if let Some(form) = self.forms.get_mut((number as usize).wrapping_sub(1)) {
            form.new = form.new.saturating_add(saturated(count));
        }
    }

    /// Adds the counts to the store and updates the displayed forms of the terms. `id` maps a position to the
    /// row id of its term.
    pub(crate) fn write(&mut self, store: &Store, id: impl Fn(u32) -> TermId) -> Result<()> {
        let mut changed = Vec::new();
        for form in self.forms.iter_mut().filter(|form| form.new != 0) {
            store.execute(ADD, (id(form.position), &form.text, form.new))?;
            form.new = 0;
            changed.push(form.position);
        }
        changed.sort_unstable();
        changed.dedup();
        for position in changed {
            store.execute(CHOOSE, [id(position)])?;
        }
        Ok(())
    }
}

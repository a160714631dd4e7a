//! How often words stand in texts as which form: what a stem is shown as.

use std::collections::HashMap;

use crate::store::Store;
use crate::store::error::Result;

const ADD: &str = "INSERT INTO term_form (term_id, form, count) VALUES (?1, ?2, ?3) \
    ON CONFLICT (term_id, form) DO UPDATE SET count = count + excluded.count";
/// The most frequent form, of equal ones the first by its bytes.
const CHOOSE: &str = "UPDATE term SET form = nullif((SELECT form FROM term_form WHERE term_id = ?1 \
    ORDER BY count DESC, form LIMIT 1), text) WHERE id = ?1";

/// A form of a term, and how often it was met since the last batch.
#[derive(Debug)]
struct Form {
    position: u32,
    text: Box<str>,
    new: i64,
}

/// The forms that an ingest has met, by number.
#[derive(Debug, Default)]
pub(crate) struct FormTally {
    numbers: HashMap<(u32, Box<str>), u32, foldhash::fast::RandomState>,
    forms: Vec<Form>,
}

impl FormTally {
    /// The number of a form of the term at a position.
    pub(crate) fn number(&mut self, position: u32, form: &str) -> u32 {
        let next = self.forms.len() as u32;
        let number = *self.numbers.entry((position, form.into())).or_insert(next);
        if number == next {
            self.forms.push(Form { position, text: form.into(), new: 0 });
        }
        number
    }

    pub(crate) fn count(&mut self, number: u32, count: u32) {
        if let Some(form) = self.forms.get_mut(number as usize) {
            form.new += i64::from(count);
        }
    }

    /// Adds what was counted to the store, and says anew as what the terms are shown; `id` gives the row of
    /// the term at a position.
    pub(crate) fn write(&mut self, store: &Store, id: impl Fn(u32) -> i64) -> Result<()> {
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

//! A run made again, with changes.

use super::RunRequest;
use super::fields::{AFTER_THE_MODEL, BEFORE_THE_MODEL};
use crate::request::RunSettings;
use crate::vocabulary::choice::VocabularyChoice;
use topoi_core::model::topic_model::StartsFrom;

impl RunRequest {
    /// This request with the corpus, model, K, seed and the settings of [`super::fields`] of `changed`. Every
    /// other setting stays, but for those that the corpus or the model of `changed` cannot have.
    pub fn again_with(&self, changed: Self) -> Self {
        let mut again = Self { settings: self.settings.clone(), ..changed.clone() };
        for own in BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL) {
            own.set(&mut again, own.get(&changed));
        }
        let settings = &mut again.settings;
        if let Some(VocabularyChoice::Rules(rules)) = &mut settings.vocabulary
            && rules.terms == Some(self.settings.terms)
        {
            rules.terms = Some(settings.terms);
        }
        if let (Some(share), true) = (settings.held_out, again.seed != self.seed) {
            *settings = settings.clone().holding_out(share, again.seed);
        }
        settings.factorise = settings.factorise.filter(|&pairs| pairs >= again.k);
        if again.corpus != self.corpus {
            settings.leave_corpus();
        }
        let card = again.origin.card();
        if card.name != self.origin.name() {
            settings.seeds.take_if(|_| !card.takes_seeds);
            settings.factorise.take_if(|_| again.origin.shares_factorisation().is_none());
            settings.start.take_if(|_| card.starts_from == StartsFrom::Nothing);
            settings.keeps_numbers &= settings.start.is_some();
        }
        again
    }
}

impl RunSettings {
    /// Drops what names terms, runs or parts of one corpus.
    fn leave_corpus(&mut self) {
        self.vocabulary.take_if(|choice| !matches!(choice, VocabularyChoice::Rules(_)));
        (self.seeds, self.start, self.keeps_numbers, self.parts) = (None, None, false, None);
    }
}

//! Presets: settings for a purpose.

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::origin::Origin;
use super::{RunRequest, RunSettings};

/// A purpose with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// The settings that did best on most texts.
    Usual,
    /// A first look in a fraction of the time.
    #[strum(serialize = "quick look")]
    QuickLook,
    /// The settings of the model's paper, without refining.
    #[strum(serialize = "as in the paper")]
    Paper,
    /// For titles, messages and reviews.
    #[strum(serialize = "short texts")]
    ShortTexts,
}

impl Preset {
    /// Name on the command line and in forms.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// One sentence of help.
    pub fn help(self) -> &'static str {
        match self {
            Self::Usual => "the settings that did best on most texts",
            Self::QuickLook => {
                "2,000 terms and at most 5 passes: rougher topics in a fraction of the time"
            }
            Self::Paper => {
                "the settings of the model's paper, and the topics as the model finds them"
            }
            Self::ShortTexts => {
                "keeps documents of 2 tokens, which are left out else: for titles and messages"
            }
        }
    }

    /// `request` with the settings of the preset. Only `min_tokens` is kept, as it depends on the corpus.
    pub fn apply_to(self, request: RunRequest) -> RunRequest {
        let plain = RunRequest::new(&request.corpus, request.k);
        let min_tokens = request.settings.min_tokens;
        let mut settings = RunSettings { min_tokens, ..plain.settings };
        let mut origin = request.origin;
        if let Origin::Model(model) = &mut origin
            && let Ok(usual) = topoi_core::model::Model::from_name(model.name())
        {
            *model = if self == Self::Paper { usual.as_in_paper() } else { usual };
        }
        match self {
            Self::Usual => {}
            Self::QuickLook => {
                settings.terms = 2000;
                settings.refine = settings.refinement(&origin).map(|_| 5);
                settings.sweeps = Some(0);
            }
            Self::Paper => settings.refine = settings.refinement(&origin).map(|_| 0),
            Self::ShortTexts => settings.min_tokens = 2,
        }
        RunRequest { origin, settings, ..request }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_changes_what_it_says_and_nothing_of_corpus_k_and_seed() {
        let plain = RunRequest { seed: 7, ..RunRequest::new("c", 30) };
        assert_eq!(Preset::Usual.apply_to(plain.clone()), plain);
        let quick = Preset::QuickLook.apply_to(plain.clone());
        assert_eq!((quick.settings.terms, quick.settings.refine, quick.k), (2000, Some(5), 30));
        let paper = Preset::Paper.apply_to(quick);
        assert_eq!((paper.settings.terms, paper.settings.refine), (5000, Some(0)));
        let Origin::Model(model) = &paper.origin else { panic!("a model") };
        assert_eq!(*model, topoi_core::model::Model::default().as_in_paper());
        let short = Preset::ShortTexts.apply_to(paper);
        assert_eq!((short.settings.min_tokens, short.settings.refine, short.seed), (2, None, 7));
        assert!(Preset::VARIANTS.iter().all(|preset| preset.name().parse() == Ok(*preset)));
    }
}

//! The list of all models, one on each line.

use serde::{Deserialize, Serialize};

use super::topic_model::{AnyModel, Card, TopicModel};
use super::{aw, enn, lda_gibbs, lr_jsmf, nmf_ard, nmf_kl, palm, r1d, raw, separable, svd};

macro_rules! models {
    ($($variant:ident: $settings:ty),+ $(,)?) => {
        /// A model with its settings.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "name", rename_all = "kebab-case")]
        pub enum Model {
            $(#[doc = concat!("`", stringify!($settings), "`")] $variant($settings)),+
        }

        impl Model {
            /// All models with their default settings, the default model first.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$variant(Default::default())),+]
            }

            /// The same model with the settings of its paper.
            pub fn as_in_paper(&self) -> Self {
                match self { $(Self::$variant(_) => Self::$variant(TopicModel::as_in_paper())),+ }
            }

            /// The model as a trait object.
            pub fn any(&self) -> &dyn AnyModel {
                match self { $(Self::$variant(settings) => settings),+ }
            }

            /// The model as a trait object whose settings can be changed.
            pub fn any_mut(&mut self) -> &mut dyn AnyModel {
                match self { $(Self::$variant(settings) => settings),+ }
            }
        }
    };
}

models! {
    LrJsmf: lr_jsmf::Settings,
    Enn: enn::Settings,
    Palm: palm::Settings,
    Raw: raw::Settings,
    Aw: aw::Settings,
    Rp: separable::Rp,
    Ddp: separable::Ddp,
    RpDoc: separable::RpDoc,
    Binning: separable::Binning,
    Svd: svd::Settings,
    R1d: r1d::Settings,
    NmfKl: nmf_kl::Settings,
    NmfArd: nmf_ard::Settings,
    LdaGibbs: lda_gibbs::Settings,
}

/// Help of a run's setting that some models alone have.
pub const START_HELP: &str =
    "Start from the topics of this run, which has as many; lda-gibbs alone";

/// The default of `--refine` in words; a test compares it with the cards.
pub const DEFAULT_REFINE: &str = "30 for lr-jsmf, 0 for other models";

/// The default of `--sweeps` in words; a test compares it with the rule.
pub const DEFAULT_SWEEPS: &str =
    "after --refine 20 to 200, fewer the more tokens, on 20,000 to 1,000,000 tokens; else 0";

/// No model has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no model {0:?}; the models are: {names}", names = Model::names().join(", "))]
pub struct UnknownModel(pub String);

impl Model {
    /// The model with this name and default settings.
    ///
    /// # Errors
    /// [`UnknownModel`].
    pub fn from_name(name: &str) -> Result<Self, UnknownModel> {
        let found = Self::all().into_iter().find(|model| model.name() == name);
        found.ok_or_else(|| UnknownModel(name.into()))
    }

    /// The names of all models, the default model first.
    pub fn names() -> Vec<&'static str> {
        Self::all().iter().map(Self::name).collect()
    }

    /// The name on the command line and in the store.
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    /// The card: name, help and memory.
    pub fn card(&self) -> &'static Card {
        self.any().card()
    }

    /// The names of the models that can do something, for messages: "a", "a or b", "a, b or c".
    pub fn names_that(can: impl Fn(&Self) -> bool) -> String {
        let models = Self::all().into_iter().filter(can);
        let names: Vec<&str> = models.map(|model| model.name()).collect();
        match &names[..] {
            [others @ .., last] if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// The model that makes a factor ([`Fit::factor`](super::topic_model::Fit::factor)) for a run that has none, with
    /// the columns of that factor: this model, with its settings, where it streams and keeps one, else the default.
    pub fn for_factor(&self, k: usize) -> (Self, usize) {
        let own = self.any().keeps_factor(k).filter(|_| self.card().streams());
        match own {
            Some(columns) => (self.clone(), columns),
            None => {
                let model = Self::default();
                let columns = model.any().keeps_factor(k).unwrap_or_default();
                (model, columns)
            }
        }
    }
}

impl Default for Model {
    fn default() -> Self {
        Self::LrJsmf(Default::default())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;
    use sprs::{CsMat, TriMat};

    use super::*;
    use crate::fit::fit;
    use crate::formula::metric_def::MetricDef;
    use crate::model::figures::{RECTIFICATION_CHANGE, RECTIFICATION_ITERATIONS};
    use crate::model::plan::Extent;
    use crate::model::refine;
    use crate::model::setting::shared::KEEP_SUMS;
    use crate::model::setting::{Kind, Value};
    use crate::model::topic_model::{Figure, RectificationEnd, StartsFrom};
    use crate::progress::Silent;
    use crate::random::stream;

    const EXTENT: Extent =
        Extent { words: 5e3, documents: 1e4, nonzeros: 8e5, tokens: 1e6, k: 30.0 };

    /// 200 documents of mostly one of three groups of ten words.
    fn counts() -> CsMat<u32> {
        let mut rng = stream(5, "documents for cards");
        let mut counts = TriMat::new((200, 30));
        for (document, word) in (0..200).flat_map(|document| (0..30).map(move |w| (document, w))) {
            let likely = if word % 3 == document % 3 { 0.5 } else { 0.05 };
            if rng.random::<f64>() < likely {
                counts.add_triplet(document, word, rng.random_range(1..4));
            }
        }
        counts.to_csr()
    }

    #[test]
    fn a_model_is_saved_and_read_by_the_name_on_its_card() {
        for model in Model::all() {
            let saved = serde_json::to_value(&model).expect("json");
            assert_eq!(saved["name"], model.name());
            assert_eq!(serde_json::from_value::<Model>(saved).expect("back"), model);
            let bare = serde_json::json!({ "name": model.name() });
            assert_eq!(serde_json::from_value::<Model>(bare).expect("defaults"), model);
            assert_eq!(Model::from_name(model.name()), Ok(model));
        }
        assert_eq!(Model::all()[0], Model::default());
        let unknown = Model::from_name("svb").expect_err("no such model").to_string();
        assert!(unknown.starts_with("there is no model \"svb\"; the models are: lr-jsmf, enn"));
    }

    /// A new model fails here until it says on its card what it can do, or what it says is true.
    #[test]
    fn a_card_says_what_a_fit_of_its_model_does() {
        let (k, change, iterations) = (3, &RECTIFICATION_CHANGE, &RECTIFICATION_ITERATIONS);
        for model in Model::all() {
            let (name, card, any) = (model.name(), model.card(), model.any());
            let fit = fit(counts(), &model, k, 1, &Silent).expect(name);
            assert_eq!(card.spectrum.is_some(), !fit.spectrum.is_empty(), "{name}: spectrum");
            assert_eq!(any.keeps_factor(k).is_some(), fit.factor.is_some(), "{name}: factor");
            let columns = fit.factor.as_ref().map(|factor| factor.y.ncols());
            assert!(columns <= any.keeps_factor(k), "{name}: {columns:?} columns");
            let is_start = card.starts_from == StartsFrom::Eigenvectors;
            assert_eq!(is_start, fit.basis.is_some(), "{name}: eigenvectors");
            let has = |metric: &'static MetricDef| {
                let of_run = |figure: &Figure| match figure {
                    Figure::OfRun(own, value) if own.id == metric.id => Some(*value),
                    _ => None,
                };
                fit.figures.iter().find_map(of_run)
            };
            assert_eq!(card.rectification.is_some(), has(change).is_some(), "{name}: rectified");
            match (card.rectification, any.setting("iterations")) {
                (None, _) => {}
                (Some(RectificationEnd::AfterIterations), Some((_, Value::Count(asked)))) => {
                    assert_eq!(has(iterations), Some(asked as f64), "{name}: all iterations");
                }
                (Some(RectificationEnd::Settled(below)), Some((_, Value::Count(asked)))) => {
                    let is_done = has(change).is_some_and(|change| change <= below);
                    assert!(is_done || has(iterations) == Some(asked as f64), "{name}: settled");
                }
                other => panic!("{name}: a rectification without --iterations: {other:?}"),
            }
        }
    }

    #[test]
    fn a_model_that_starts_from_sums_or_shares_a_factorisation_says_what_it_depends_on() {
        for mut model in Model::all() {
            let (name, starts_from) = (model.name(), model.card().starts_from);
            let sums = model.any().keeps_sums(4);
            assert_eq!(starts_from == StartsFrom::Sums, sums.is_some(), "{name}");
            if sums.is_some() {
                let kept = |model: &Model| model.any().keeps_sums(4).map(|sums| sums.are_kept);
                model.any_mut().set(KEEP_SUMS.name, Value::Flag(true)).expect("a flag");
                assert_eq!(kept(&model), Some(true), "{name}");
                model.any_mut().drop_sums();
                assert_eq!(kept(&model), Some(false), "{name}");
            }
            if let Some(shared) = model.any().shares_factorisation() {
                let stages = model.any().plan(EXTENT);
                assert!(stages.iter().any(|stage| stage.name == shared.stage), "{name}");
            }
        }
    }

    #[test]
    fn a_factor_is_made_by_the_model_itself_where_it_streams_and_keeps_one() {
        let mut own = Model::from_name("lr-jsmf").expect("a model");
        own.any_mut().set("tolerance", Value::Real(1e-6)).expect("its own");
        let (model, columns) = own.for_factor(5);
        assert_eq!(model, own);
        assert_eq!(Some(columns), own.any().keeps_factor(5));
        for model in Model::all().iter().filter(|model| model.name() != own.name()) {
            let (other, columns) = model.for_factor(5);
            assert_eq!(other, Model::default(), "{}", model.name());
            assert!(columns >= 5);
        }
    }

    #[test]
    fn the_default_of_refine_names_the_models_that_are_refined_and_their_passes() {
        let refined = Model::names_that(|model| model.card().default_refine > 0);
        let from_topics = |model: &Model| model.card().starts_from == StartsFrom::Topics;
        assert!(START_HELP.ends_with(&format!("; {} alone", Model::names_that(from_topics))));
        assert_eq!(DEFAULT_REFINE, format!("{} for {refined}, 0 for other models", refine::PASSES));
    }

    #[test]
    fn models_are_listed_with_or_before_the_last() {
        let names = |wanted: &[&str]| Model::names_that(|model| wanted.contains(&model.name()));
        assert_eq!(names(&["rp"]), "rp");
        assert_eq!(names(&["svd", "rp"]), "rp or svd");
        assert_eq!(names(&["svd", "rp", "ddp"]), "rp, ddp or svd");
    }

    #[test]
    fn every_setting_is_saved_under_its_own_name_and_default_in_range() {
        let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
        for mut model in Model::all() {
            model.any().check().expect("defaults are in range");
            let saved = serde_json::to_value(&model).expect("json");
            let fields = saved.as_object().expect("an object").len() - 1;
            let settings = model.any().settings();
            assert_eq!(fields, settings.len(), "{}: all are settings", model.name());
            for (definition, value) in settings {
                let key = definition.name.replace('-', "_");
                assert!(saved.get(&key).is_some(), "{}: {key}", model.name());
                assert_eq!(definition.parse(&value.to_string()), Ok(value), "{key}");
                assert!(definition.kind != Kind::Flag || value == Value::Flag(false), "{key}");
                // A flag that several models share has one kind of value.
                assert_eq!(
                    *kinds.entry(definition.name).or_insert(definition.kind),
                    definition.kind
                );
                model.any_mut().set(definition.name, value).expect("its own value");
            }
        }
    }
}

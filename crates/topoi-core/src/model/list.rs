//! The list of all models, a line each.

use serde::{Deserialize, Serialize};

use super::topic_model::{AnyModel, Card, TopicModel};

macro_rules! models {
    ($($variant:ident: $folder:ident),+ $(,)?) => {
        /// A model with its settings.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "name", rename_all = "kebab-case")]
        pub enum Model {
            $(#[doc = concat!("`", stringify!($folder), "`")] $variant(super::$folder::Settings)),+
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
    LrJsmf: lr_jsmf,
    Enn: enn,
    Palm: palm,
    Raw: raw,
    Aw: aw,
    Rp: rp,
    Ddp: ddp,
    RpDoc: rp_doc,
    Binning: binning,
    Svd: svd,
    R1d: r1d,
    NmfKl: nmf_kl,
    NmfArd: nmf_ard,
    LdaGibbs: lda_gibbs,
}

/// There is no model of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no model {0:?}; the models are: {names}", names = Model::names().join(", "))]
pub struct UnknownModel(pub String);

impl Model {
    /// The model of this name with its default settings.
    ///
    /// # Errors
    /// [`UnknownModel`].
    pub fn named(name: &str) -> Result<Self, UnknownModel> {
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

    /// Name, help and memory, by which people choose a model.
    pub fn card(&self) -> &'static Card {
        self.any().card()
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

    use super::*;
    use crate::model::setting::{Kind, Value};

    #[test]
    fn a_model_is_saved_and_read_by_the_name_on_its_card() {
        for model in Model::all() {
            let saved = serde_json::to_value(&model).expect("json");
            assert_eq!(saved["name"], model.name());
            assert_eq!(serde_json::from_value::<Model>(saved).expect("back"), model);
            let bare = serde_json::json!({ "name": model.name() });
            assert_eq!(serde_json::from_value::<Model>(bare).expect("defaults"), model);
            assert_eq!(Model::named(model.name()), Ok(model));
        }
        assert_eq!(Model::all()[0], Model::default());
        let unknown = Model::named("svb").expect_err("no such model").to_string();
        assert!(unknown.starts_with("there is no model \"svb\"; the models are: lr-jsmf, enn"));
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
                // A flag that several models share reads one kind of value.
                assert_eq!(
                    *kinds.entry(definition.name).or_insert(definition.kind),
                    definition.kind
                );
                model.any_mut().set(definition.name, value).expect("its own value");
            }
        }
    }
}

//! The origin of the topics of a run, and its form in the saved settings.

use serde::de::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::RunSettings;
use super::imported::{IMPORTED, Import};
use crate::shaping::origin::{SHAPED, Shaping};
use crate::work::work_error::WorkError;
use topoi_core::model::Model;
use topoi_core::model::topic_model::{AnyModel, Card, SharedFactorisation, StartsFrom};
use topoi_store::run::Run;

/// The origin of the topics of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A model with its settings.
    Model(Model),
    /// A file of another program.
    Import(Import),
    /// Another run, by edits of its topics.
    Shaped(Shaping),
}

impl Default for Origin {
    fn default() -> Self {
        Self::Model(Model::default())
    }
}

impl From<Model> for Origin {
    fn from(model: Model) -> Self {
        Self::Model(model)
    }
}

/// The saved settings of a run: `{"terms": 5000, …, "model": {"name": "svd", …}}`.
#[derive(Serialize)]
struct SavedForm<'a> {
    #[serde(flatten)]
    settings: &'a RunSettings,
    #[serde(flatten)]
    origin: &'a Origin,
}

impl Origin {
    /// Name in the store.
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    /// The card of the model, or the one in place of it.
    pub fn card(&self) -> &'static Card {
        match self {
            Self::Model(model) => model.card(),
            Self::Import(_) => &IMPORTED,
            Self::Shaped(_) => &SHAPED,
        }
    }

    /// The model; `None` for imported and shaped topics.
    pub fn model(&self) -> Option<&dyn AnyModel> {
        match self {
            Self::Model(model) => Some(model.any()),
            Self::Import(_) | Self::Shaped(_) => None,
        }
    }

    /// The factorisation that runs of different K can share.
    pub fn shares_factorisation(&self) -> Option<SharedFactorisation> {
        self.model()?.shares_factorisation()
    }

    /// Whether the model can start from the topics of another run.
    pub fn starts_from_topics(&self) -> bool {
        self.card().starts_from == StartsFrom::Topics
    }

    /// The JSON that is saved in the row of a run.
    pub(super) fn saved_with(&self, settings: &RunSettings) -> String {
        // Numbers and names always have a JSON form.
        serde_json::to_string(&SavedForm { settings, origin: self }).unwrap_or_default()
    }

    /// The origin of a saved run.
    ///
    /// # Errors
    /// [`WorkError::Settings`], [`WorkError::UnknownModel`].
    pub fn from_run(run: &Run) -> Result<Self, WorkError> {
        let found = Self::read(&run.model, &run.settings)
            .map_err(|e| WorkError::Settings { run: run.id, source: e.into() })?;
        found.ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })
    }

    /// Whether the settings of a run contain the same name of the model as its row.
    pub(super) fn is_named_alike(run: &Run) -> bool {
        let settings: serde_json::Result<Value> = serde_json::from_str(&run.settings);
        settings.is_ok_and(|settings| settings["model"]["name"] == *run.model)
    }

    /// `None` for an unknown model.
    fn read(model: &str, settings: &str) -> serde_json::Result<Option<Self>> {
        let mut saved: Map<String, Value> = serde_json::from_str(settings)?;
        if let Some(import) = saved.remove("import") {
            return serde_json::from_value(import).map(|import| Some(Self::Import(import)));
        }
        if let Some(shaped) = saved.remove("shaped") {
            return serde_json::from_value(shaped).map(|shaped| Some(Self::Shaped(shaped)));
        }
        if Model::from_name(model).is_err() {
            return Ok(None);
        }
        let saved = saved.remove("model").ok_or_else(|| Error::missing_field("model"))?;
        let read: Model = serde_json::from_value(saved.clone())?;
        // Unknown settings are refused, as they affected the result.
        let known = read.any().settings();
        let is_known = |key: &str| {
            key == "name" || known.iter().any(|(own, _)| own.name.replace('-', "_") == key)
        };
        match saved.as_object().and_then(|saved| saved.keys().find(|key| !is_known(key))) {
            Some(key) => Err(Error::custom(format!("{model} has no setting `{key}`"))),
            None => Ok(Some(Self::Model(read))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::imported::ImportFormat;

    #[test]
    fn what_is_saved_of_a_model_or_an_import_is_read_again() {
        let import = Import {
            path: "/data/topics.csv".into(),
            format: ImportFormat::TopicsCsv,
            vocab: None,
            hash: "91bb7aba0d5787e1c9b6a686974a2da26070210c497bec23303ee04e3a0364d8".into(),
        };
        let models = Model::all().into_iter().map(Origin::Model);
        for origin in models.chain([Origin::Import(import)]) {
            let settings = RunSettings { terms: 300, ..RunSettings::default() };
            let saved = origin.saved_with(&settings);
            let found = Origin::read(origin.name(), &saved).expect("json");
            assert_eq!(found, Some(origin), "{saved}");
            let found = serde_json::from_str::<RunSettings>(&saved).expect("settings");
            assert_eq!(found, settings, "{saved}");
        }
    }

    #[test]
    fn a_setting_that_is_not_there_is_its_default_and_a_model_that_is_not_there_an_error() {
        let read = |model: &str, saved: &str| Origin::read(model, saved);
        let bare = read("svd", r#"{"model":{"name":"svd"}}"#).expect("json");
        assert_eq!(bare, Some(Model::from_name("svd").expect("a model").into()));
        assert_eq!(read("svb", r#"{"model":{"name":"svb"}}"#).expect("json"), None);
        for (saved, told) in [
            (r#"{"terms":300,"tolerance":0.1}"#, "missing field `model`"),
            (r#"{"model":{"name":"svd","tolerance":"small"}}"#, "invalid type"),
            (r#"{"model":{"name":"svd","warmth":0.5}}"#, "svd has no setting `warmth`"),
            (r#"{"model":{"name":"svb"}}"#, "unknown variant `svb`"),
            (r#"{"import":null}"#, "invalid type"),
        ] {
            let error = read("svd", saved).expect_err(saved).to_string();
            assert!(error.contains(told) && error.lines().count() == 1, "{error}");
        }
    }
}

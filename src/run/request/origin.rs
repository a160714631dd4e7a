//! Where the topics of a run are from, and how that is saved with the run's settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::RunSettings;
use super::imported::{IMPORTED, Import};
use crate::model::Model;
use crate::model::topic_model::Card;
use crate::run::work::work_error::WorkError;
use crate::store::run::Run;

/// Where the topics of a run are from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A model, with its settings.
    Model(Model),
    /// A file that another program wrote.
    Import(Import),
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

/// The settings of a run as its row has them: `{"terms": 5000, …, "model": {"name": "svd", …}}`.
#[derive(Serialize)]
struct Saved<'a> {
    #[serde(flatten)]
    settings: &'a RunSettings,
    #[serde(flatten)]
    origin: &'a Origin,
}

/// Keys beside which earlier versions saved what a model was told: those of several models, and
/// objects for separable models and for those that factorise the counts.
const OF_THE_FIRST_VERSION: [&str; 3] = ["tolerance", "iterations", "rows"];
const OBJECTS_OF_THE_FIRST_VERSION: [&str; 2] = ["separable", "factor"];

impl Origin {
    /// Its name in the store.
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    /// The model's card, or what stands for one.
    pub fn card(&self) -> &'static Card {
        match self {
            Self::Model(model) => model.card(),
            Self::Import(_) => &IMPORTED,
        }
    }

    /// The JSON that a run saves in its row.
    pub(super) fn saved_with(&self, settings: &RunSettings) -> String {
        // Numbers and names: there is always a JSON of them.
        serde_json::to_string(&Saved { settings, origin: self }).unwrap_or_default()
    }

    /// Of a saved run, of this version or an earlier one.
    ///
    /// # Errors
    /// [`WorkError::Settings`], [`WorkError::UnknownModel`].
    pub fn of(run: &Run) -> Result<Self, WorkError> {
        let wrong = |error: serde_json::Error| WorkError::Settings {
            run: run.id,
            reason: error.to_string(),
        };
        let mut saved: Map<String, Value> = serde_json::from_str(&run.settings).map_err(wrong)?;
        if let Some(import) = saved.remove("import").filter(|import| !import.is_null()) {
            return serde_json::from_value(import).map(Self::Import).map_err(wrong);
        }
        if Model::named(&run.model).is_err() {
            return Err(WorkError::UnknownModel { run: run.id, model: run.model.clone() });
        }
        let model = saved.remove("model").unwrap_or_else(|| first_version(&run.model, saved));
        serde_json::from_value(model).map(Self::Model).map_err(wrong)
    }
}

/// What this version would have saved of the model. What it was not told was `null`, and settings
/// that it does not have were saved too.
fn first_version(name: &str, mut saved: Map<String, Value>) -> Value {
    let mut model = Map::from_iter([("name".to_string(), name.into())]);
    for key in OBJECTS_OF_THE_FIRST_VERSION {
        if let Some(Value::Object(object)) = saved.remove(key) {
            model.extend(object);
        }
    }
    model.extend(saved.into_iter().filter(|(key, _)| OF_THE_FIRST_VERSION.contains(&key.as_str())));
    model.retain(|_, value| !value.is_null());
    Value::Object(model)
}

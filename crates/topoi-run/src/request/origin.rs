//! Where the topics of a run are from, and how that is saved with the run's settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::RunSettings;
use super::imported::{IMPORTED, Import};
use crate::shaping::origin::{SHAPED, Shaping};
use crate::work::work_error::WorkError;
use topoi_core::model::topic_model::Card;
use topoi_core::model::topic_model::{StartsFrom, TopicModel};
use topoi_core::model::{Model, lr_jsmf};
use topoi_store::run::Run;

/// Where the topics of a run are from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A model, with its settings.
    Model(Model),
    /// A file that another program wrote.
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
            Self::Shaped(_) => &SHAPED,
        }
    }

    /// Whether it can start from the topics of another run.
    pub fn starts_from_topics(&self) -> bool {
        self.card().starts_from == StartsFrom::Topics
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
        let found = Self::read(&run.model, &run.settings)
            .map_err(|e| WorkError::Settings { run: run.id, reason: e.to_string() })?;
        found.ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })
    }

    /// Whether the settings of a run name the model that its row does.
    pub(super) fn is_named_alike(run: &Run) -> bool {
        let settings: serde_json::Result<Value> = serde_json::from_str(&run.settings);
        settings.is_ok_and(|settings| settings["model"]["name"] == *run.model)
    }

    /// `None` where there is no model of that name.
    fn read(model: &str, settings: &str) -> serde_json::Result<Option<Self>> {
        let mut saved: Map<String, Value> = serde_json::from_str(settings)?;
        if let Some(import) = saved.remove("import").filter(|import| !import.is_null()) {
            return serde_json::from_value(import).map(|import| Some(Self::Import(import)));
        }
        if let Some(shaped) = saved.remove("shaped").filter(|_| model == SHAPED.name) {
            return serde_json::from_value(shaped).map(|shaped| Some(Self::Shaped(shaped)));
        }
        if Model::named(model).is_err() {
            return Ok(None);
        }
        let mut saved = saved.remove("model").unwrap_or_else(|| first_version(model, saved));
        if let Value::Object(saved) = &mut saved {
            complete_paper_settings(model, saved);
        }
        serde_json::from_value(saved).map(|model| Some(Self::Model(model)))
    }
}

/// Settings that earlier versions did not have, or whose default was another: they ran `lr-jsmf` as
/// its paper does.
fn complete_paper_settings(model: &str, saved: &mut Map<String, Value>) {
    let paper = match model == lr_jsmf::Settings::CARD.name {
        true => serde_json::to_value(lr_jsmf::Settings::PAPER).unwrap_or_default(),
        false => Value::Null,
    };
    for (key, value) in paper.as_object().into_iter().flatten() {
        saved.entry(key).or_insert_with(|| value.clone());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::imported::ImportFormat;
    use topoi_core::model::{lr_jsmf, r1d};

    /// Runs that version 0.1 saved before models had settings of their own: the model's name and
    /// the column `settings`.
    const FIRST_VERSION: &str = include_str!("../../../../tests/data/settings/first_version.tsv");

    /// The model of this name with these settings and the defaults of all others.
    fn model(name: &str, settings: &str) -> Model {
        let mut model = Model::named(name).expect(name);
        for setting in settings.split_whitespace() {
            let (name, text) = setting.split_once('=').expect("NAME=VALUE");
            let (definition, _) = model.any().setting(name).expect(name);
            let value = definition.parse(text).expect(setting);
            model.any_mut().set(name, value).expect(setting);
        }
        model
    }

    #[test]
    fn runs_of_the_first_version_are_read() {
        let halved = lr_jsmf::Settings { tolerance: 2e-4, ..lr_jsmf::Settings::PAPER };
        let expected = [
            model("lr-jsmf", "tolerance=1e-3 iterations=12 rows=50 anchor-documents=0"),
            Model::LrJsmf(lr_jsmf::Settings::PAPER),
            model("enn", "tolerance=1e-5 iterations=7 rows=60"),
            model("palm", "tolerance=1e-3 iterations=9"),
            model("raw", "tolerance=1e-2 iterations=3"),
            model("aw", ""),
            model(
                "rp",
                "projections=300 clustering=components least-angle=0.01 keep-sums=yes distance=0.5",
            ),
            model("rp", "distance=auto"),
            model("ddp", "distance=0.4 margin=0.2 clustering=ranked"),
            model("rp-doc", "projections=150 distance=auto clustering=spectral"),
            model("binning", "distance=0.1 clustering=auto"),
            model("svd", "tolerance=1e-6"),
            model("r1d", "gamma=2.5 grow-from=word monotone=yes rho=0.05 iterations=30"),
            model("r1d", ""),
            model("nmf-kl", "iterations=20 tolerance=1e-2"),
            model("nmf-ard", "iterations=25 tolerance=1e-4"),
            model("lda-gibbs", "iterations=15"),
            Model::LrJsmf(halved),
            Model::LrJsmf(halved),
        ];
        let imported = Import {
            path: "/data/topics.csv".into(),
            format: ImportFormat::TopicsCsv,
            hash: "91bb7aba0d5787e1c9b6a686974a2da26070210c497bec23303ee04e3a0364d8".into(),
        };
        let expected = expected.map(Origin::Model).into_iter().chain([Origin::Import(imported)]);
        let lines: Vec<&str> = FIRST_VERSION.lines().collect();
        assert_eq!(lines.len(), 20);
        for (line, expected) in lines.into_iter().zip(expected) {
            let (name, saved) = line.split_once('\t').expect("a name and settings");
            let found = Origin::read(name, saved).expect("json");
            assert_eq!(found.as_ref(), Some(&expected), "{line}");
            let settings: RunSettings = serde_json::from_str(saved).expect("settings of all");
            assert_eq!(settings.documents, name != "lda-gibbs", "{line}");
            // As this version saves it, it comes back too.
            let again = expected.saved_with(&settings);
            assert_eq!(Origin::read(name, &again).expect("json"), Some(expected), "{again}");
            assert_eq!(serde_json::from_str::<RunSettings>(&again).expect("settings"), settings);
        }
    }

    #[test]
    fn the_run_that_another_starts_from_is_not_what_r1d_starts_with() {
        let saved = r#"{"terms":30,"tolerance":0.1,"start":7,"factor":{"gamma":3.0}}"#;
        let found = Origin::read("r1d", saved).expect("json");
        let own = r1d::Settings { gamma: 3.0, ..r1d::Settings::default() };
        assert_eq!(found, Some(Model::R1d(own).into()));
        assert_eq!(Origin::read("svb", saved).expect("json"), None);
        assert!(Origin::read("r1d", r#"{"factor":{"gamma":"three"}}"#).is_err());
    }
}

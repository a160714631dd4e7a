//! Flags of the command line and tables of the documentation, generated from models and their
//! settings.

use crate::model::setting::{Definition, Kind, Value};
use crate::model::topic_model::{AnyModel, Memory};

/// A setting of one or more models, as a flag of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// The definition by the first of the models.
    pub definition: &'static Definition,
    /// The models with this setting.
    pub models: Vec<&'static str>,
    /// Help for each of the models, with defaults.
    pub help: String,
}

/// The flags of these models, each once, in the order of the models.
pub fn flags<'a>(models: impl IntoIterator<Item = &'a dyn AnyModel>) -> Vec<Flag> {
    let mut found: Vec<Vec<ModelSetting>> = Vec::new();
    for model in models {
        for (definition, value) in model.settings() {
            let owned = ModelSetting { model: model.card().name, definition, value };
            match found.iter_mut().find(|owned| owned[0].definition.name == definition.name) {
                Some(same) => same.push(owned),
                None => found.push(vec![owned]),
            }
        }
    }
    let flag = |owned: Vec<ModelSetting>| Flag {
        definition: owned[0].definition,
        models: owned.iter().map(|owned| owned.model).collect(),
        help: help(&owned),
    };
    found.into_iter().map(flag).collect()
}

struct ModelSetting {
    model: &'static str,
    definition: &'static Definition,
    value: Value,
}

/// The help text. Models with the same help for a setting are named together.
fn help(owned: &[ModelSetting]) -> String {
    let mut groups: Vec<Vec<&ModelSetting>> = Vec::new();
    for own in owned {
        match groups.iter_mut().find(|group| group[0].definition.help == own.definition.help) {
            Some(group) => group.push(own),
            None => groups.push(vec![own]),
        }
    }
    let of_group = |group: &Vec<&ModelSetting>| {
        let models: Vec<&str> = group.iter().map(|own| own.model).collect();
        let help = format!("{}: {}", models.join(", "), group[0].definition.help);
        let defaults: Vec<String> =
            group.iter().map(|own| default_text(own.definition, own.value)).collect();
        if group[0].definition.kind == Kind::Flag {
            return help;
        }
        match defaults.iter().all(|default| *default == defaults[0]) {
            true => format!("{help} [default: {}]", defaults[0]),
            false => {
                let each: Vec<String> = models
                    .iter()
                    .zip(&defaults)
                    .map(|(model, default)| format!("{model} {default}"))
                    .collect();
                format!("{help} [default: {}]", each.join(", "))
            }
        }
    };
    groups.iter().map(of_group).collect::<Vec<_>>().join("; ")
}

fn default_text(definition: &Definition, value: Value) -> String {
    match (value, definition.auto) {
        (Value::Auto, Some(auto)) => auto.into(),
        (Value::Flag(false), _) => "off".into(),
        _ => value.to_string(),
    }
}

/// The settings of a model as a Markdown table.
pub fn settings_table(model: &dyn AnyModel) -> String {
    let mut table =
        "| setting | default | range | what it does |\n| --- | --- | --- | --- |\n".to_string();
    for (definition, value) in model.settings() {
        let Definition { name, help, kind, .. } = definition;
        let default = match value {
            Value::Choice(name) => format!("`{name}`"),
            _ => default_text(definition, value),
        };
        let range = match kind {
            Kind::Flag => String::new(),
            Kind::Choice(names) => format!("`{}`", names.join("`, `")),
            _ => definition.range(),
        };
        table += &format!("| `--{name}` | {default} | {range} | {help} |\n");
    }
    table
}

/// The models as a Markdown table.
pub fn models_table<'a>(models: impl IntoIterator<Item = &'a dyn AnyModel>) -> String {
    let mut table =
        "| model | what it is | memory beside W × K blocks |\n| --- | --- | --- |\n".to_string();
    for card in models.into_iter().map(AnyModel::card) {
        table += &format!("| `{}` | {} | {} |\n", card.name, card.help, in_words(card.memory));
    }
    table
}

fn in_words(memory: Memory) -> String {
    let Memory { formed_matrices, columns, document_bytes, token_bytes } = memory;
    let held = [
        (formed_matrices, format!("{} W² bytes", 8 * formed_matrices)),
        (columns, format!("{columns} numbers a word")),
        (document_bytes, format!("{document_bytes} K bytes a document")),
        (token_bytes, format!("{token_bytes} bytes a token")),
    ];
    let held: Vec<String> =
        held.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if held.is_empty() { "none".into() } else { held.join(", ") }
}

#[cfg(test)]
mod tests {
    use crate::model::plan::{Extent, PlannedStage};
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::model::setting::shared::ITERATIONS;
    use crate::model::setting::{Interval, Setting};
    use crate::model::topic_model::{Card, Fit, Input, TopicModel};
    use crate::model::{Model, ModelError};
    use crate::progress::Progress;

    /// A model outside the list, to test what is derived from its settings.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct TestModel {
        warmth: f64,
        shots: Option<usize>,
        iterations: usize,
    }

    impl Default for TestModel {
        fn default() -> Self {
            Self { warmth: 0.5, shots: None, iterations: 7 }
        }
    }

    impl TopicModel for TestModel {
        const CARD: Card = Card::streamed("imagined", "made up", "nobody");
        const SETTINGS: &'static [Setting<Self>] = &[
            Setting::new(
                Definition {
                    name: "warmth",
                    help: "how warm it is",
                    placeholder: "T",
                    kind: Kind::Real(Interval::FromToBelow(0.0, 1.0)),
                    auto: None,
                },
                |own| &mut own.warmth,
            ),
            Setting::new(
                Definition {
                    name: "shots",
                    help: "tries",
                    placeholder: "N",
                    kind: Kind::Count { from: 1, to: 9 },
                    auto: Some("K"),
                },
                |own| &mut own.shots,
            ),
            Setting::new(ITERATIONS, |own| &mut own.iterations),
        ];

        fn plan(&self, _: Extent) -> Vec<PlannedStage> {
            Vec::new()
        }

        fn fit(&self, _: &Input<'_>, _: &dyn Progress) -> Result<Fit, ModelError> {
            Err(ModelError::TooFewAnchors { found: 0, asked: 2 })
        }
    }

    #[test]
    fn flags_tables_ranges_and_json_come_from_the_definition_of_a_setting() {
        let mut own = TestModel::default();
        let all = Model::all();
        let models = all.iter().map(Model::any).chain([&own as &dyn AnyModel]);
        let flags = flags(models);
        let flag = |name: &str| flags.iter().find(|flag| flag.definition.name == name);
        let warmth = flag("warmth").expect("a flag");
        assert_eq!(warmth.help, "imagined: how warm it is [default: 0.5]");
        assert_eq!(flag("shots").expect("a flag").help, "imagined: tries [default: K]");
        let iterations = flag("iterations").expect("a flag");
        assert_eq!(iterations.models.last(), Some(&"imagined"));
        assert!(iterations.help.contains("nmf-ard 500, imagined 7]"), "{}", iterations.help);
        let table = settings_table(&own);
        assert!(table.contains("| `--warmth` | 0.5 | from 0 to below 1 | how warm it is |\n"));
        assert!(table.contains("| `--shots` | K | from 1 to 9 | tries |\n"));
        assert!(
            models_table([&own as &dyn AnyModel]).ends_with("| `imagined` | made up | none |\n")
        );

        let typed = warmth.definition.parse("2").expect("a number");
        own.set("warmth", typed).expect("its kind");
        let refused = AnyModel::check(&own).expect_err("out of range").to_string();
        assert_eq!(refused, "warmth is 2, but must be from 0 to below 1");
        let refused = warmth.definition.parse("hot").expect_err("no number").to_string();
        assert_eq!(refused, "warmth is \"hot\", but must be a number");
        own.set("shots", Value::Count(3)).expect("its kind");
        let saved = serde_json::to_string(&own).expect("json");
        assert_eq!(saved, r#"{"warmth":2.0,"shots":3,"iterations":7}"#);
        assert_eq!(serde_json::from_str::<TestModel>(&saved).expect("back"), own);
        own.set("shots", Value::Auto).expect("optional");
        assert_eq!(own.shots, None);
        assert!(own.set("warmth", Value::Auto).is_err(), "has a value always");
        assert!(own.set("cold", typed).is_err(), "no such setting");
    }

    #[test]
    fn a_flag_of_several_models_is_there_once_and_names_them() {
        let all = Model::all();
        let flags = flags(all.iter().map(Model::any));
        let distance = flags.iter().filter(|flag| flag.definition.name == "distance");
        let distance: Vec<&Flag> = distance.collect();
        assert_eq!(distance.len(), 1);
        assert_eq!(distance[0].models, ["rp", "ddp", "rp-doc", "binning"]);
        assert!(distance[0].help.starts_with("rp, ddp, rp-doc, binning: words belong"));
    }
}

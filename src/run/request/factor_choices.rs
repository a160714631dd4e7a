//! What a user can tell models that factorise the counts.

use serde::{Deserialize, Serialize};

use crate::model::r1d::Start;

/// Choices that only `r1d` knows; what is not chosen comes from the paper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FactorChoices {
    /// γ; `None` is the paper's 4.
    pub gamma: Option<f64>,
    /// What a topic is grown from; `None` is a document.
    #[serde(with = "start_name", skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// One side of a topic only grows, the other only shrinks while it is looked for.
    pub monotone: bool,
    /// η̄, the penalty on a topic's size; `None` for no penalty.
    pub rho: Option<f64>,
}

impl FactorChoices {
    /// Whether nothing is chosen.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The first choice that is out of its range: its flag, its value, the range.
    pub fn out_of_range(&self) -> Option<(&'static str, String, &'static str)> {
        let above_one = |value: &f64| value.is_finite() && *value > 1.0;
        if let Some(gamma) = self.gamma.filter(|gamma| !above_one(gamma)) {
            return Some(("gamma", gamma.to_string(), "a number above 1"));
        }
        let rho = self.rho.filter(|rho| !(0.0..1.0).contains(rho))?;
        Some(("rho", rho.to_string(), "from 0 to below 1"))
    }
}

/// The starts by the names they have on the command line and in settings.
pub const STARTS: &[(&str, Start)] = &[("document", Start::Document), ("word", Start::Word)];

/// The start called `name`.
///
/// # Errors
/// A line that lists the names.
pub fn start_named(name: &str) -> Result<Start, String> {
    let found = STARTS.iter().find(|(known, _)| *known == name);
    found.map(|&(_, start)| start).ok_or_else(|| {
        let names: Vec<&str> = STARTS.iter().map(|(known, _)| *known).collect();
        format!("{name:?} is none of {}", names.join(", "))
    })
}

mod start_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{STARTS, Start, start_named};

    pub(super) fn serialize<S: Serializer>(
        value: &Option<Start>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let named = |start: &Start| STARTS.iter().find(|(_, known)| known == start);
        value.as_ref().and_then(named).map(|(name, _)| name).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Start>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| start_named(&name).map_err(serde::de::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_survive_being_saved_and_have_their_ranges() {
        let plain = FactorChoices::default();
        let start = Some(Start::Word);
        let choices = FactorChoices { gamma: Some(2.5), start, monotone: true, ..plain };
        let saved = serde_json::to_string(&choices).expect("json");
        assert!(saved.contains("\"word\""));
        assert_eq!(serde_json::from_str::<FactorChoices>(&saved).expect("back"), choices);
        assert!(serde_json::from_str::<FactorChoices>("{}").expect("old").is_plain());
        let wrong = |choices: FactorChoices| choices.out_of_range().map(|(flag, _, _)| flag);
        assert_eq!(wrong(choices), None);
        assert_eq!(wrong(FactorChoices { gamma: Some(1.0), ..plain }), Some("gamma"));
        assert_eq!(wrong(FactorChoices { gamma: Some(f64::NAN), ..plain }), Some("gamma"));
        assert_eq!(wrong(FactorChoices { rho: Some(1.0), ..plain }), Some("rho"));
        assert_eq!(wrong(FactorChoices { rho: Some(-0.1), ..plain }), Some("rho"));
    }
}

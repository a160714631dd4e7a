//! What a user can tell separable models.

use serde::{Deserialize, Serialize};

use crate::model::separable::Clustering;

/// Choices that only `rp`, `rp-doc`, `ddp` and `binning` know; what is not chosen comes from the
/// papers or from the data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeparableChoices {
    /// P, the number of random directions; `None` is 150·K for `rp` and 50·K for `rp-doc`.
    pub projections: Option<usize>,
    /// ζ of Ding 2015, d of Ding 2013; `None` groups words without a threshold.
    pub distance: Option<f64>,
    /// γ of `ddp`.
    pub margin: Option<f64>,
    /// τ: words with a solid angle up to this do not count for K̂.
    pub least_angle: f64,
    /// How novel words are grouped; `None` is `pooled`, or the paper's own way where a distance is
    /// given.
    #[serde(with = "clustering_name")]
    pub clustering: Option<Clustering>,
    /// Whether `rp` keeps its sums, so that a later run can add documents to them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_sums: bool,
}

impl SeparableChoices {
    /// Whether nothing is chosen.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The first choice that is out of its range: its flag, its value, the range.
    pub fn out_of_range(&self) -> Option<(&'static str, String, &'static str)> {
        if let Some(count) = self.projections.filter(|count| !(1..=10_000_000).contains(count)) {
            return Some(("projections", count.to_string(), "from 1 to 10000000"));
        }
        let bad = |value: &f64| !(value.is_finite() && *value > 0.0);
        if let Some(distance) = self.distance.filter(bad) {
            return Some(("distance", distance.to_string(), "a number above 0"));
        }
        if let Some(margin) = self.margin.filter(bad) {
            return Some(("margin", margin.to_string(), "a number above 0"));
        }
        let is_share = (0.0..1.0).contains(&self.least_angle);
        (!is_share).then(|| ("least-angle", self.least_angle.to_string(), "from 0 to below 1"))
    }
}

/// The ways of grouping by the names they have on the command line and in settings.
pub const CLUSTERINGS: &[(&str, Clustering)] = &[
    ("pooled", Clustering::Pooled),
    ("components", Clustering::Components),
    ("spectral", Clustering::Spectral),
    ("ranked", Clustering::Ranked),
];

/// The way of grouping called `name`.
///
/// # Errors
/// A line that lists the names.
pub fn clustering_named(name: &str) -> Result<Clustering, String> {
    let found = CLUSTERINGS.iter().find(|(known, _)| *known == name);
    found.map(|&(_, clustering)| clustering).ok_or_else(|| {
        let names: Vec<&str> = CLUSTERINGS.iter().map(|(known, _)| *known).collect();
        format!("{name:?} is none of {}", names.join(", "))
    })
}

mod clustering_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{CLUSTERINGS, Clustering, clustering_named};

    pub(super) fn serialize<S: Serializer>(
        value: &Option<Clustering>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let named = |way: &Clustering| CLUSTERINGS.iter().find(|(_, known)| known == way);
        value.as_ref().and_then(named).map(|(name, _)| name).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Clustering>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| clustering_named(&name).map_err(serde::de::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_survive_being_saved() {
        let choices = SeparableChoices {
            distance: Some(4.5),
            clustering: Some(Clustering::Ranked),
            ..SeparableChoices::default()
        };
        let saved = serde_json::to_string(&choices).expect("json");
        assert!(saved.contains("\"ranked\""));
        assert_eq!(serde_json::from_str::<SeparableChoices>(&saved).expect("back"), choices);
        assert!(serde_json::from_str::<SeparableChoices>("{}").expect("old").is_plain());
    }

    #[test]
    fn each_choice_has_its_range() {
        assert_eq!(SeparableChoices::default().out_of_range(), None);
        let wrong = |choices: SeparableChoices| choices.out_of_range().map(|(flag, _, _)| flag);
        let plain = SeparableChoices::default;
        assert_eq!(wrong(SeparableChoices { distance: Some(0.0), ..plain() }), Some("distance"));
        assert_eq!(wrong(SeparableChoices { margin: Some(f64::NAN), ..plain() }), Some("margin"));
        assert_eq!(
            wrong(SeparableChoices { projections: Some(0), ..plain() }),
            Some("projections")
        );
        assert_eq!(wrong(SeparableChoices { least_angle: 1.0, ..plain() }), Some("least-angle"));
    }
}

//! Arguments of regressions, which `effects` and `plot` have.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use strum::VariantNames;

use topoi_core::effects::formula::Formula;
use topoi_core::effects::regression::SpreadChoice;
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_run::groups::effects::Question;
use topoi_store::id::TopicNumber;

/// Values of an enumeration by name.
fn named<T: FromStr + VariantNames + Clone + Send + Sync + 'static>()
-> impl TypedValueParser<Value = T>
where
    T::Err: std::error::Error + Send + Sync,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|name| T::from_str(&name))
}

/// How shares are estimated.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct SharesArgument {
    /// The shares of documents: linear estimates are unbiased; posterior means, as documents have them, are drawn
    /// towards the prior
    #[arg(long, value_name = "ESTIMATE", default_value = "linear", value_parser = named::<ShareEstimate>())]
    pub shares: ShareEstimate,
}

/// The settings of a regression.
#[derive(Debug, Clone, clap::Args)]
pub struct RegressionArguments {
    /// Predict shares with the field at these values, all other fields as the documents have them; repeat it
    /// for combinations of fields
    #[arg(long, value_name = "FIELD=VALUE,…", value_parser = field_and_values)]
    at: Vec<(String, Vec<String>)>,
    /// The difference of the shares predicted at the first of these values and at each other
    #[arg(long, value_name = "FIELD=VALUE,VALUE,…", value_parser = field_and_values)]
    contrast: Option<(String, Vec<String>)>,
    /// Average marginal effects: of a number the mean slope, of a category the differences from its reference
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',', conflicts_with_all = ["at", "contrast"])]
    marginal: Vec<String>,
    /// Documents with the same value of this field are not independent; with two fields, those with the same
    /// value of either
    #[arg(long, value_name = "FIELD[,FIELD]", value_delimiter = ',', num_args = 1..=2)]
    cluster: Vec<String>,
    /// Take the means of this field's values out, of any number of them, without a coefficient for each
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    absorb: Vec<String>,
    /// Weigh documents by this field of numbers, or by their `tokens`
    #[arg(long, value_name = "FIELD")]
    weights: Option<String>,
    /// The spread that errors are of: each estimate's own (robust), that of all documents (pooled), or by how many
    /// documents it rests on
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = named::<SpreadChoice>())]
    spread: SpreadChoice,
    /// Add the uncertainty of the topics, from runs on halves of the documents (`topoi stability RUN --halves 5`)
    #[arg(long)]
    topics_uncertain: bool,
    #[command(flatten)]
    pub shares: SharesArgument,
}

fn field_and_values(typed: &str) -> Result<(String, Vec<String>), String> {
    let (field, values) = typed.split_once('=').ok_or("it is like year=2012,2020")?;
    Ok((field.into(), values.split(',').map(|value| value.trim().into()).collect()))
}

impl RegressionArguments {
    /// The question, without what it is asked along.
    pub fn question(
        &self,
        formula: &str,
        topics: &[TopicNumber],
        condition: Option<&String>,
    ) -> anyhow::Result<Question> {
        if self.cluster.len() > 2 {
            anyhow::bail!("--cluster takes one field or two, not {}", self.cluster.len());
        }
        if let Some((field, values)) = self.contrast.as_ref().filter(|(_, values)| values.len() < 2)
        {
            anyhow::bail!(
                "--contrast compares two values or more, as {field}={},OTHER",
                values.first().map_or("", String::as_str)
            );
        }
        Ok(Question {
            topics: topics.to_vec(),
            clusters: self.cluster.clone(),
            absorb: self.absorb.clone(),
            weights: self.weights.clone(),
            spread: self.spread,
            shares: self.shares.shares,
            are_topics_uncertain: self.topics_uncertain,
            condition: condition.cloned(),
            at: self.at.clone(),
            contrast: self.contrast.clone(),
            marginal: self.marginal.clone(),
            ..Question::new(Formula::parse(formula)?)
        })
    }

    /// Whether a setting of regressions is given.
    pub fn is_set(&self) -> bool {
        self.asks_for_predictions()
            || !self.cluster.is_empty()
            || !self.absorb.is_empty()
            || self.weights.is_some()
            || self.spread != SpreadChoice::default()
            || self.topics_uncertain
    }

    /// Whether errors are clustered.
    pub fn has_clusters(&self) -> bool {
        !self.cluster.is_empty()
    }

    /// Whether predictions, differences or slopes are asked for in place of coefficients.
    pub fn asks_for_predictions(&self) -> bool {
        !self.at.is_empty() || self.contrast.is_some() || !self.marginal.is_empty()
    }
}

//! `metrics`: a run's measures, and measuring it again.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::MetricsArgs;
use super::bar::Bar;
use super::output::{OutputFormat, Table, thousands};
use super::store_path::opened;
use super::topics_command::finished_topics;
use topoi::metric::coherence::variants::{COHERENCE_VARIANTS, CoherenceVariant, coherence_variant};
use topoi::run::work::recompute::recompute;
use topoi::store::Access;
use topoi::store::result::metric::Metric;

/// Prints a run's metrics, measured again first where that is asked for.
///
/// # Errors
/// When there is no such run or variant, it cannot be measured, or standard output cannot be
/// written.
pub fn metrics(path: &Path, args: &MetricsArgs) -> anyhow::Result<()> {
    let access = if args.recompute { Access::Write } else { Access::Read };
    let mut store = opened(path, access)?;
    store.run(args.run)?;
    if args.recompute {
        let variants = variants_named(&args.variants)?;
        finished_topics(&store, args.run, 1)?;
        let row = store.run(args.run)?;
        let bar = Bar::new(&format!("run {}", args.run))?;
        let done = recompute(&mut store, &row, &variants, &bar);
        bar.finish();
        match done {
            Err(error) if error.is_cancel() => {
                anyhow::bail!("interrupted; run {} keeps the metrics it had", args.run)
            }
            other => other?,
        }
    }
    let metrics = store.metrics(args.run)?;
    let format = args.printing.output;
    Ok(metric_table(&metrics, args.topics, format).print(format)?)
}

/// The variants of these names; `all` is all of them.
fn variants_named(names: &[String]) -> anyhow::Result<Vec<&'static CoherenceVariant>> {
    if names.iter().any(|name| name == "all") {
        return Ok(COHERENCE_VARIANTS.iter().collect());
    }
    let find = |name: &String| {
        coherence_variant(name).ok_or_else(|| {
            let known: Vec<String> = COHERENCE_VARIANTS.iter().map(|v| v.full_name()).collect();
            anyhow::anyhow!(
                "there is no coherence variant {name:?}; there are: {}, all",
                known.join(", ")
            )
        })
    };
    names.iter().map(find).collect()
}

/// A line for every metric of the run, and with `topics` of its topics.
fn metric_table(metrics: &[Metric], topics: bool, format: OutputFormat) -> Table {
    let mut table = Table::new(&["topic", "name", "value", "settings"]);
    for metric in metrics.iter().filter(|metric| topics || metric.topic.is_none()) {
        let settings = settings_cell(metric.settings.as_deref(), format);
        table.rows.push(vec![
            json!(metric.topic),
            json!(metric.name),
            json!(metric.value),
            settings,
        ]);
    }
    if !topics {
        table.columns.remove(0);
        table.rows.iter_mut().for_each(|row| drop(row.remove(0)));
    }
    table
}

/// Settings as an object for programs, in words for people.
fn settings_cell(settings: Option<&str>, format: OutputFormat) -> Value {
    let settings = settings.and_then(|text| serde_json::from_str(text).ok());
    match (format, settings) {
        (_, None) => Value::Null,
        (OutputFormat::Table, Some(settings)) => Value::String(in_words(&settings)),
        (_, Some(settings)) => settings,
    }
}

/// Settings on a line, such as "exact, top 10, windows of 10 (12,345)".
fn in_words(settings: &Value) -> String {
    let number = |name: &str| settings[name].as_i64();
    let mut parts = Vec::new();
    parts.extend(settings["variant"].as_str().map(str::to_string));
    parts.extend(number("top_words").map(|words| format!("top {words}")));
    let unit = match (settings["unit"].as_str(), number("window")) {
        (Some("window"), Some(width)) => Some(format!("windows of {width}")),
        (Some(unit), _) => Some(format!("{unit}s")),
        (None, _) => None,
    };
    let units = number("units").map(|units| format!(" ({})", thousands(units)));
    parts.extend(unit.map(|unit| unit + &units.unwrap_or_default()));
    parts.extend(settings["aggregation"].as_str().map(str::to_string));
    let epsilon = settings["epsilon"].as_f64().filter(|&epsilon| epsilon != 0.0);
    parts.extend(epsilon.map(|epsilon| {
        if epsilon < 1e-3 { format!("ε {epsilon:e}") } else { format!("ε {epsilon}") }
    }));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_words_for_people_and_an_object_for_programs() {
        let saved = r#"{"variant":"gensim","top_words":20,"epsilon":1e-12,"window":110,
            "unit":"window","units":12345,"aggregation":"mean"}"#;
        let table = settings_cell(Some(saved), OutputFormat::Table);
        assert_eq!(table, "gensim, top 20, windows of 110 (12,345), mean, ε 1e-12");
        let json = settings_cell(Some(saved), OutputFormat::Json);
        assert_eq!(json["window"], 110);
        assert_eq!(settings_cell(None, OutputFormat::Table), Value::Null);
    }

    #[test]
    fn variants_are_found_by_either_name_and_unknown_ones_are_listed() {
        let names = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        let found = variants_named(&names(&["npmi", "npmi@exact"])).expect("known");
        assert_eq!(found[0], found[1]);
        assert_eq!(
            variants_named(&names(&["all"])).expect("known").len(),
            COHERENCE_VARIANTS.len()
        );
        let error = variants_named(&names(&["cv@mallet"])).expect_err("unknown").to_string();
        assert!(error.contains("cv@mallet") && error.contains("cv@gensim"), "{error}");
    }
}

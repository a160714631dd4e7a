//! Metrics of a run and of its topics.

use serde_json::{Value, json};

use super::column::{Column, Kind};
use topoi_core::numbers::{counted, thousands, two_digits};
use topoi_store::result::metric::Metric;

pub fn columns() -> Vec<Column<Metric>> {
    vec![
        Column::new("name", Kind::Text, |row: &Metric| json!(row.name)),
        Column::new("value", Kind::Measure, |row: &Metric| json!(row.value)),
        Column::new("settings", Kind::Text, |row: &Metric| json!(settings(row)))
            .printed_as(|row| settings(row).as_ref().map(in_words).unwrap_or_default()),
    ]
}

/// The topic, for lists with metrics of topics.
pub fn topic() -> Column<Metric> {
    Column::new("topic", Kind::Number, |row: &Metric| json!(row.topic))
}

fn settings(metric: &Metric) -> Option<Value> {
    metric.settings.as_deref().and_then(|text| serde_json::from_str(text).ok())
}

/// Settings in one line, such as "exact, top 10, windows of 10 (12,345)".
fn in_words(settings: &Value) -> String {
    let number = |name: &str| settings[name].as_i64();
    let mut parts = Vec::new();
    let error = settings["standard_error"].as_f64();
    parts.extend(error.map(|error| format!("± {}", two_digits(error))));
    let columns = number("projections").map(|columns| format!("estimated from {columns} columns"));
    parts.extend(columns);
    let words = settings["words"].as_array().filter(|words| !words.is_empty());
    let words = words.map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    parts.extend(words.map(|words| format!("such as {}", words.join(", "))));
    parts.extend(settings["variant"].as_str().map(str::to_string));
    parts.extend(settings["field"].as_str().map(str::to_string));
    parts.extend(number("values").map(|values| format!("{} values", thousands(values))));
    parts.extend(number("top_words").map(|words| format!("top {words}")));
    parts.extend(settings["ranking"].as_str().map(|ranking| format!("by {ranking}")));
    let unit = match (settings["unit"].as_str(), number("window")) {
        (Some("window"), Some(width)) => Some(format!("windows of {width}")),
        (Some(unit), _) => Some(format!("{unit}s")),
        (None, _) => None,
    };
    let units = number("units").map(|units| format!(" ({})", thousands(units)));
    parts.extend(unit.map(|unit| unit + &units.unwrap_or_default()));
    if let (Some(low), Some(high)) = (settings["low"].as_f64(), settings["high"].as_f64()) {
        parts.push(format!("{low:.2} to {high:.2}"));
    }
    parts.extend(number("judges").map(|judges| counted(judges.unsigned_abs(), "judge")));
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
        let metric = |settings: Option<&str>| Metric {
            topic: None,
            name: "npmi".into(),
            value: 0.1,
            settings: settings.map(Into::into),
        };
        let columns = columns();
        let column = columns.iter().find(|column| column.name == "settings").expect("a column");
        let printed = column.printed_cell(&metric(Some(saved)));
        assert_eq!(printed, "gensim, top 20, windows of 110 (12,345), mean, ε 1e-12");
        assert_eq!(column.cell(&metric(Some(saved)))["window"], 110);
        assert_eq!(column.cell(&metric(None)), Value::Null);
        let estimated = r#"{"standard_error":0.00123,"projections":32}"#;
        let printed = column.printed_cell(&metric(Some(estimated)));
        assert_eq!(printed, "± 0.0012, estimated from 32 columns");
    }
}

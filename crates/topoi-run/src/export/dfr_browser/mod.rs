//! dfr-browser: the `data` folder of Andrew Goldstone's browser of topic models.

mod document_date;
mod documents;
mod metadata;

use serde_json::{Map, Value, json};

use self::documents::documents;
use self::metadata::{Columns, Spread};
use super::error::ExportError;
use super::format::Format;
use super::json::for_pages;
use super::output::Output;
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;
use topoi_core::plot::text::escaped;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "dfr-browser",
    help: "The data folder of dfr-browser",
    ending: "-dfr-browser",
    write: |model, output, options| write(model, output, options.by, options.raw),
    spreads: true,
    compare: None,
};

/// Words per topic: those that the browser shows on a topic's page.
const WORDS: usize = 50;
/// Left margin of a topic's chart in the browser, in pixels.
const LEFT: usize = 40;
/// Default width of a topic's chart in the browser, in pixels.
const PAGE: usize = 800;

/// Writes `info.json` (title, settings), `meta.csv.zip` (metadata of documents with a header), `dt.json.zip`
/// (proportions of at least 0.01, compressed by column), `tw.json` (α and 50 words per topic with their
/// probabilities) and `topic_scaled.csv` (coordinates of each topic in the plane). Topics keep their numbers, which
/// the browser uses as ids and labels. They are shown over the documents' field `by`, else over dates, else over the
/// largest topics. All entries of the documents' topics are held in memory, 16 bytes each.
///
/// # Source
/// agoldst/dfr-browser 0.8.1-alpha, README, "Browser data file specifications"; metadata with a header is its type
/// `base`.
fn write(
    model: &SavedModel<'_>,
    output: Output,
    by: Option<&str>,
    raw: bool,
) -> Result<std::path::PathBuf, ExportError> {
    if model.topics.iter().any(|topic| topic.alpha.is_none()) {
        return Err(ExportError::Missing {
            run: model.run.id,
            what: "topics of documents",
            format: "dfr-browser",
            remedy: "make a run without --no-documents",
        });
    }
    let columns = Columns::from_model(model, by)?;
    output.directory(|folder| {
        folder.file("info.json", |sink| {
            sink.write(for_pages(&format!("{:#}\n", info(model, &columns, by))))
        })?;
        folder.file("tw.json", |sink| {
            sink.write(for_pages(&(topic_words(model).to_string() + "\n")))
        })?;
        folder.file("topic_scaled.csv", |sink| {
            let places = topic_plane(&model.topic_words());
            places.iter().try_for_each(|(x, y)| sink.write(format!("{x},{y}\n")))
        })?;
        documents(model, &columns, by, folder, raw)
    })
}

/// The number of a topic with leading zeros, as the browser sorts numbers as text.
pub(super) fn number(model: &SavedModel<'_>, topic: usize) -> String {
    let width = (model.topics.len() - 1).to_string().len();
    format!("{topic:0width$}")
}

/// The number of a topic with its name, as the browser shows it.
pub(super) fn label(model: &SavedModel<'_>, topic: usize) -> String {
    format!("{} {}", number(model, topic), model.name(topic))
}

fn info(model: &SavedModel<'_>, columns: &Columns, by: Option<&str>) -> Value {
    let run = &model.run;
    let topics = 0..model.topics.len();
    // The browser's keys count from 1.
    let labels: Map<String, Value> =
        topics.clone().map(|t| ((t + 1).to_string(), json!(label(model, t)))).collect();
    let undated = match columns.undated {
        0 => String::new(),
        count => format!("<p>{count} documents have no date that is understood.</p>"),
    };
    let about = format!(
        "<h2>{}</h2><p>Run {} of topoi {}: model {}, K = {}, seed {}.</p>{undated}",
        escaped(&run.corpus),
        run.id,
        escaped(&run.program_version),
        escaped(&run.model),
        run.k,
        run.seed
    );
    let dates: &[&str] = if matches!(columns.spread, Spread::Time(..)) { &["date"] } else { &[] };
    let mut settings = json!({
        "metadata": { "type": "base", "spec": { "date_field": dates } },
        "bib": { "type": "base" },
        "bib_view": { "major": "all", "minor": "raw" },
        "condition": condition(columns.spread, by),
        // Rows do not quite sum to 1 without the proportions below a hundredth.
        "proper": true,
        "topic_ids": topics.map(|topic| topic.to_string()).collect::<Vec<_>>(),
        "topic_labels": labels,
    });
    if let Spread::Time(unit, count) = columns.spread {
        let (page, list) = unit.bars();
        let bar = |days: u32| json!({ "time": { "bar": { "unit": "day", "w": days } } });
        settings["topic_view"] = bar(page);
        // The browser writes the numbers of the scale half a unit to the left of it.
        settings["topic_view"]["m"] = json!({ "left": LEFT + PAGE / (2 * count - 1) });
        settings["model_view"] = json!({ "list": { "spark": bar(list) } });
    }
    json!({
        "title": format!("{}, {} topics", escaped(&run.corpus), model.topics.len()),
        "meta_info": about,
        "VIS": settings,
    })
}

fn condition(spread: Spread, by: Option<&str>) -> Value {
    let ordinal =
        |name: &str, field| json!({ "type": "ordinal", "name": name, "spec": { "field": field } });
    match spread {
        Spread::Time(unit, _) => json!({
            "type": "time",
            "name": by.unwrap_or(unit.name()),
            "spec": { "field": "date", "unit": unit.name(), "n": 1 },
        }),
        Spread::Year => ordinal("year", "year"),
        Spread::Group => ordinal(by.unwrap_or_default(), "group"),
        Spread::LargestTopic => ordinal("largest topic", "largest_topic"),
    }
}

fn topic_words(model: &SavedModel<'_>) -> Value {
    let alpha: Vec<f64> = model.topics.iter().filter_map(|topic| topic.alpha).collect();
    let topics = model.topics.iter().map(|topic| {
        let shown = topic.words.iter().take(WORDS);
        let (words, weights): (Vec<&str>, Vec<f64>) =
            shown.map(|&(word, p)| (model.words[word].as_str(), p)).unzip();
        json!({ "words": words, "weights": weights })
    });
    json!({ "alpha": alpha, "tw": topics.collect::<Vec<_>>() })
}

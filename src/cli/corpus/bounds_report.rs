//! Printing bounds: words and a list of values for people, everything for programs.

use crate::shown::shown;
use std::io;

use serde::Serialize;

use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::records::column::columns;
use topoi_core::bound::gaussian::{ComponentBounds, GaussianSettings};
use topoi_core::bound::spectrum::Eigengap;
use topoi_core::numbers::{counted, four_digits, thousands};
use topoi_run::choose_k::bounds::{Bounds, Details, SavedSettings};
use topoi_store::result::k_bound::KEstimate;

/// Number of values below the threshold that are shown of a spectrum.
const BEYOND: usize = 3;

/// Bounds in every output format.
pub struct Report<R> {
    sentences: Vec<String>,
    spectrum: Vec<SpectrumRow>,
    record: R,
}

/// A value of the spectrum and whether it is above the threshold.
struct SpectrumRow {
    sigma: String,
    value: f64,
    times_threshold: f64,
}

/// Bounds on the topics of a corpus.
#[derive(Serialize)]
pub struct TopicBounds<'a> {
    corpus: &'a str,
    id: i64,
    method: &'a str,
    lower: u64,
    lower_probability: f64,
    is_cut_off: bool,
    upper: Option<u64>,
    upper_probability: Option<f64>,
    threshold: f64,
    settings: &'a SavedSettings,
    details: &'a Details,
    k_hat: &'a [KEstimate],
    spectrum: &'a [(f64, f64)],
    holds_for: &'static str,
}

/// Bounds on the components of a mixture.
#[derive(Serialize)]
pub struct MixtureBounds<'a> {
    points: usize,
    dimensions: usize,
    alpha: f64,
    delta: f64,
    bounds: &'a ComponentBounds,
    holds_for: &'static str,
}

impl<R: Serialize> Report<R> {
    /// Prints the report. CSV has a line for every value of the spectrum.
    pub fn print(&self, format: OutputFormat) -> io::Result<()> {
        let columns = columns!(SpectrumRow: sigma, value, times_threshold);
        match format {
            OutputFormat::Json | OutputFormat::JsonLines => print_json(&self.record, format),
            OutputFormat::Csv | OutputFormat::RawCsv => {
                print_list(&columns, &self.spectrum, format)
            }
            OutputFormat::Table => {
                print(&shown!("{}\n\n", self.sentences.join("\n")))?;
                let above = self.spectrum.iter().filter(|row| row.times_threshold > 1.0).count();
                let shown = (above + BEYOND).min(self.spectrum.len());
                print_list(&columns, &self.spectrum[..shown], format)
            }
        }
    }
}

fn spectrum(values: impl Iterator<Item = f64>, threshold: f64) -> Vec<SpectrumRow> {
    let row = |(at, value): (usize, f64)| SpectrumRow {
        sigma: format!("σ{at}"),
        value,
        times_threshold: value / threshold,
    };
    (1..).zip(values).map(row).collect()
}

/// A probability; one that is nearly 1 is not rounded to 1.
fn chance(probability: f64) -> String {
    format!("probability {}", (probability * 1e4).floor() / 1e4)
}

fn shape(gap: Option<Eigengap>, ratio: Option<f64>) -> String {
    let gap = gap.map_or("no eigengap".into(), |gap| {
        format!("eigengap after σ{} (×{})", gap.after, four_digits(gap.ratio))
    });
    let ratio = ratio.map_or("none above the threshold".into(), four_digits);
    format!("{gap}, participation ratio {ratio}")
}

/// The report on a corpus.
pub fn topic_report<'a>(corpus: &'a str, found: &'a Bounds) -> Report<TopicBounds<'a>> {
    let (bound, details) = (&found.saved.bound, &found.details);
    let lda = found.settings.lda;
    let mut sentences = vec![
        format!(
            "{corpus}: {} documents, {} terms, lengths as of {} tokens; α {}, β {}, δ {}",
            thousands(details.documents),
            thousands(details.terms as u64),
            four_digits(details.length),
            lda.alpha,
            lda.beta,
            lda.delta
        ),
        format!(
            "lower bound {}{}, {}",
            counted(bound.lower, "topic"),
            if bound.is_cut_off { " (cut off: at least)" } else { "" },
            chance(bound.lower_probability)
        ),
    ];
    for upper in &details.uppers {
        let name = upper.coefficients.name();
        sentences.push(match upper.topics {
            Some(topics) => format!(
                "upper bound {} ({name}), {} of lying between",
                counted(topics as u64, "topic"),
                chance(upper.probability)
            ),
            None => format!("upper bound none ({name}): as many as there are terms"),
        });
    }
    sentences.push(format!(
        "threshold {}; with {}, σ{} of the true moment is at least {}",
        four_digits(bound.threshold),
        counted(bound.lower, "topic"),
        bound.lower,
        four_digits(details.smallest)
    ));
    sentences.push(shape(details.eigengap, details.participation_ratio));
    sentences.extend(found.estimates.iter().map(|estimate| {
        let KEstimate { run, model, k, k_hat } = estimate;
        format!("K̂ {} by the solid angles of run {run} ({model}, k {k})", four_digits(*k_hat))
    }));
    sentences.extend(doubts(found));
    sentences.push(
        "The bounds hold for documents drawn from LDA with this α and β. Real text is not: \
         there they are a hint."
            .into(),
    );
    let spectrum = spectrum(bound.spectrum.iter().map(|&(value, _)| value), bound.threshold);
    let record = TopicBounds {
        corpus,
        id: found.saved.id,
        method: &bound.method,
        lower: bound.lower,
        lower_probability: bound.lower_probability,
        is_cut_off: bound.is_cut_off,
        upper: bound.upper,
        upper_probability: bound.upper_probability,
        threshold: bound.threshold,
        settings: &found.settings,
        details,
        k_hat: &found.estimates,
        spectrum: &bound.spectrum,
        holds_for: "documents drawn from LDA with these alpha and beta",
    };
    Report { sentences, spectrum, record }
}

/// Properties of the spectrum that contradict the model.
fn doubts(found: &Bounds) -> Vec<String> {
    let (bound, details) = (&found.saved.bound, &found.details);
    let mut doubts = Vec::new();
    if bound.upper.is_some_and(|upper| upper < bound.lower) {
        doubts.push("No number of topics fits both bounds: this is not LDA with this β.".into());
    }
    if details.least < -bound.threshold {
        let least = four_digits(details.least);
        doubts.push(format!("The least eigenvalue, {least}, is below −δ_R: this is not LDA."));
    }
    doubts
}

/// The report on N points of dimension m.
pub fn component_report<'a>(
    (points, dimensions): (usize, usize),
    settings: &GaussianSettings,
    found: &'a ComponentBounds,
) -> Report<MixtureBounds<'a>> {
    let how = |given: Option<f64>| if given.is_some() { "" } else { " (estimated)" };
    let mut sentences = vec![
        format!(
            "{} points of {dimensions} dimensions; σ {}{}, σ_μ {}{}, α {}, δ {}",
            thousands(points as u64),
            four_digits(found.sigma),
            how(settings.sigma),
            four_digits(found.sigma_mu),
            how(settings.sigma_mu),
            settings.alpha,
            settings.delta
        ),
        format!("lower bound {} components, {}", found.lower, chance(1.0 - settings.delta)),
        found.upper.map_or("upper bound none: as many as dimensions".into(), |upper| {
            let chance = chance(found.probability);
            format!("upper bound {upper} components, {chance} of lying between")
        }),
        format!(
            "threshold {}, δ_R {}",
            four_digits(found.threshold),
            four_digits(found.perturbation)
        ),
        shape(found.eigengap, found.participation_ratio),
    ];
    sentences.push(
        "The bounds hold for points drawn from spherical Gaussians with these σ, σ_μ and α, as \
         many as dimensions at most."
            .into(),
    );
    if settings.sigma.is_none() || settings.sigma_mu.is_none() {
        sentences.push("With an estimated σ or σ_μ the probabilities are a hint.".into());
    }
    let spectrum = spectrum(found.spectrum.iter().copied(), found.threshold);
    let record = MixtureBounds {
        points,
        dimensions,
        alpha: settings.alpha,
        delta: settings.delta,
        bounds: found,
        holds_for: "points drawn from spherical Gaussians with these settings",
    };
    Report { sentences, spectrum, record }
}

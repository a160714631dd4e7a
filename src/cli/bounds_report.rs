//! How bounds are printed: in words and a list of values for people, all of it for programs.

use std::io;

use serde_json::{Value, json};

use super::output::{OutputFormat, Table, counted, four_digits, print, print_json, thousands};
use topoi::bound::gaussian::{ComponentBounds, GaussianSettings};
use topoi::bound::shape::Eigengap;
use topoi::run::choose_k::bounds::Bounds;

/// Values of a spectrum that people see beyond those above the threshold.
const BEYOND: usize = 3;

/// Bounds in every form they are printed in.
pub struct Report {
    sentences: Vec<String>,
    values: Vec<(String, f64)>,
    object: Value,
    threshold: f64,
}

impl Report {
    /// Prints the report. CSV has a line for every value of the spectrum.
    ///
    /// # Errors
    /// When standard output cannot be written, other than by a closed pipe.
    pub fn print(&self, format: OutputFormat) -> io::Result<()> {
        match format {
            OutputFormat::Json => print_json(&self.object),
            OutputFormat::Csv => self.table(self.values.len()).print(format),
            OutputFormat::Table => {
                print(&(self.sentences.join("\n") + "\n\n"))?;
                let above = self.values.iter().filter(|(_, value)| *value > self.threshold);
                self.table(above.count() + BEYOND).print(format)
            }
        }
    }

    fn table(&self, rows: usize) -> Table {
        let mut table = Table::new(&["sigma", "value", "times_threshold"]);
        for (name, value) in self.values.iter().take(rows) {
            table.rows.push(vec![json!(name), json!(value), json!(value / self.threshold)]);
        }
        table
    }
}

fn spectrum(values: impl Iterator<Item = f64>) -> Vec<(String, f64)> {
    (1..).zip(values).map(|(at, value): (usize, f64)| (format!("σ{at}"), value)).collect()
}

/// A probability; what is nearly 1 is not rounded up to it.
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
pub fn topic_report(corpus: &str, found: &Bounds) -> Report {
    let (bound, details) = (&found.saved.bound, &found.details);
    let lda = found.settings.lda;
    let mut sentences = vec![
        format!(
            "{corpus}: {} documents, {} terms, lengths as of {} tokens; α {}, β {}, δ {}",
            thousands(details.documents as i64),
            thousands(details.terms as i64),
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
        let k_hat = four_digits(estimate.k_hat);
        format!("K̂ {k_hat} by the solid angles of run {} (rp, k {})", estimate.run, estimate.k)
    }));
    sentences.extend(doubts(found));
    sentences.push(
        "The bounds hold for documents drawn from LDA with this α and β. Real text is not: \
         there they are a hint."
            .into(),
    );
    let values = spectrum(bound.spectrum.iter().map(|&(value, _)| value));
    let object = json!({
        "corpus": corpus,
        "id": found.saved.id,
        "method": bound.method,
        "lower": bound.lower,
        "lower_probability": bound.lower_probability,
        "is_cut_off": bound.is_cut_off,
        "upper": bound.upper,
        "upper_probability": bound.upper_probability,
        "threshold": bound.threshold,
        "settings": found.settings,
        "details": details,
        "k_hat": found.estimates,
        "spectrum": bound.spectrum,
        "holds_for": "documents drawn from LDA with these alpha and beta",
    });
    Report { sentences, values, object, threshold: bound.threshold }
}

/// What in the spectrum speaks against the model.
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

/// The report on points of (N, m).
pub fn component_report(
    (points, dimensions): (usize, usize),
    settings: &GaussianSettings,
    found: &ComponentBounds,
) -> Report {
    let how = |given: Option<f64>| if given.is_some() { "" } else { " (estimated)" };
    let mut sentences = vec![
        format!(
            "{} points of {dimensions} dimensions; σ {}{}, σ_μ {}{}, α {}, δ {}",
            thousands(points as i64),
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
        format!("threshold {}", four_digits(found.threshold)),
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
    let object = json!({
        "points": points,
        "dimensions": dimensions,
        "alpha": settings.alpha,
        "delta": settings.delta,
        "bounds": found,
        "holds_for": "points drawn from spherical Gaussians with these settings",
    });
    let values = spectrum(found.spectrum.iter().copied());
    Report { sentences, values, object, threshold: found.threshold }
}

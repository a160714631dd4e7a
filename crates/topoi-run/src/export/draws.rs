//! Shares of documents for inference in other programs: linear estimates with their variances, and draws
//! from the posterior.

use std::path::PathBuf;

use super::csv_tables::csv_line;
use super::documents::{FieldColumns, OWN};
use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use topoi_core::random::{dirichlet::dirichlet, stream};
use topoi_store::result::document_topic::DocumentWithWords;

/// Linear estimates.
pub(super) const SHARES: Format = Format {
    name: "shares",
    help: "One CSV file of documents with fields, linear estimates of the shares of all topics, and their variances",
    ending: "-shares.csv",
    write: |model, output, options| write_shares(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Draws from the posterior.
pub(super) const DRAWS: Format = Format {
    name: "draws",
    help: "One CSV file of 25 draws of the documents' proportions from their posterior, for multiple imputation",
    ending: "-draws.csv",
    write: |model, output, options| write_draws(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Number of draws, as stm's `estimateEffect` has.
const DRAWS_OF_EACH: usize = 25;
/// Least parameter of a Dirichlet distribution; at 0 there is none.
const LEAST: f64 = 1e-6;

fn no_topics(model: &SavedModel<'_>, format: &'static str) -> ExportError {
    let remedy = "start it again with `topoi run`";
    ExportError::Missing { run: model.run.id, what: "topics", format, remedy }
}

/// Writes a CSV file: document, title, all tokens, those in the run's vocabulary, a column for each field, and
/// `share_0` … and `variance_0` …: linear estimates, unbiased given the topics, and their variances from the draw of
/// the tokens. Documents without a token of the vocabulary are not in it.
fn write_shares(model: &SavedModel<'_>, output: Output, raw: bool) -> Result<PathBuf, ExportError> {
    let Some(linear) = model.store().linear_proportions(&model.run)? else {
        return Err(no_topics(model, SHARES.name));
    };
    let columns = FieldColumns::new(model)?;
    let topics = linear.topics();
    output.file(|sink| {
        let named = |what: &'static str| (0..topics).map(move |topic| format!("{what}_{topic}"));
        let own = [OWN[0], OWN[1], OWN[2], "used_tokens"].map(String::from);
        let head = own.into_iter().chain(columns.names().cloned());
        sink.write(csv_line(
            &head.chain(named("share")).chain(named("variance")).collect::<Vec<_>>(),
            raw,
        ))?;
        let (mut shares, mut variances) = (vec![0.0; topics], vec![0.0; topics]);
        model.store().visit_documents_with_words(&model.run, &mut |with_words| {
            let DocumentWithWords { document, terms, counts } = with_words;
            let n = linear.estimate_with_variances(terms, counts, &mut shares, &mut variances);
            if n == 0.0 {
                return Ok(());
            }
            let title = document.title.clone().unwrap_or_default();
            let mut cells =
                vec![document.key.clone(), title, document.tokens.to_string(), n.to_string()];
            cells.extend(columns.cells(model, document)?);
            cells.extend(shares.iter().chain(&variances).map(f64::to_string));
            sink.write(csv_line(&cells, raw))
        })
    })
}

/// Writes a CSV file: the number of the draw, document, title, all tokens, a column for each field, and `topic_0` …: a
/// draw of the document's proportions from Dirichlet(θ(n + Σα)) for its n tokens in the vocabulary. Draws of a
/// document follow each other.
fn write_draws(model: &SavedModel<'_>, output: Output, raw: bool) -> Result<PathBuf, ExportError> {
    let Some(linear) = model.store().linear_proportions(&model.run)? else {
        return Err(no_topics(model, DRAWS.name));
    };
    let columns = FieldColumns::new(model)?;
    let alpha: f64 = model.store().alpha(model.run.id)?.iter().sum();
    let mut rng = stream(model.run.seed, "exported draws of proportions");
    output.file(|sink| {
        let topics = (0..linear.topics()).map(|topic| format!("topic_{topic}"));
        let own = ["draw", OWN[0], OWN[1], OWN[2]].map(String::from);
        let head = own.into_iter().chain(columns.names().cloned()).chain(topics);
        sink.write(csv_line(&head.collect::<Vec<_>>(), raw))?;
        let mut shares = vec![0.0; linear.topics()];
        model.store().visit_documents_with_words(&model.run, &mut |with_words| {
            let DocumentWithWords { document, terms, counts } = with_words;
            let n = linear.estimate(terms, counts, &mut shares);
            let fields = columns.cells(model, document)?;
            for draw in 1..=DRAWS_OF_EACH {
                let parameter = |share: &f64| (share * (n + alpha)).max(LEAST);
                let mut drawn: Vec<f64> = document.topics.iter().map(parameter).collect();
                dirichlet(&mut rng, &mut drawn);
                let title = document.title.clone().unwrap_or_default();
                let (key, tokens) = (document.key.clone(), document.tokens.to_string());
                let mut cells = vec![draw.to_string(), key, title, tokens];
                cells.extend(fields.iter().cloned());
                cells.extend(drawn.iter().map(f64::to_string));
                sink.write(csv_line(&cells, raw))?;
            }
            Ok(())
        })
    })
}

//! How a run calls the models of the documents' counts, which have no anchors.

use super::fit::{Fitted, Order};
use super::measure::{of_run, of_topics};
use crate::metric::of_models::{
    FACTORISATION_RESIDUAL, GIBBS_ALPHA_SUM, ITERATIONS, KL_DIVERGENCE, LOG_LIKELIHOOD, OBJECTIVE,
    OBJECTIVE_FALL, OBJECTIVE_RISE, RANK_ONE_RESIDUAL, RANK_ONE_VALUE, RELEVANT_TOPICS,
    UNSTABLE_TOPICS, WORDS_OF_A_TOPIC,
};
use crate::model::ModelError;
use crate::model::lda_gibbs::{LdaGibbsSettings, lda_gibbs};
use crate::model::nmf::{NmfSettings, Prior, nmf};
use crate::model::r1d::{R1dSettings, r1d};
use crate::model::svd::{SvdSettings, svd};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::store::result::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

impl Order<'_> {
    /// `svd`.
    pub(crate) fn svd(
        &self,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let settings =
            SvdSettings { tolerance: self.settings.tolerance, ..SvdSettings::new(self.k) };
        let found = svd(c.documents(), &settings, self.seed, progress)?;
        let residual = of_run(&FACTORISATION_RESIDUAL, found.relative_residual);
        let fitted = fitted(found.topics, vec![residual]);
        Ok(Fitted { spectrum: found.values.into_iter().zip(found.residuals).collect(), ..fitted })
    }

    /// `r1d`.
    pub(crate) fn r1d(
        &self,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let own = R1dSettings::new(self.k);
        let asked = &self.settings.factor;
        let settings = R1dSettings {
            gamma: asked.gamma.unwrap_or(own.gamma),
            start: asked.start.unwrap_or(own.start),
            monotone: asked.monotone,
            size_penalty: asked.rho.unwrap_or(own.size_penalty),
            steps: self.iterations(),
            ..own
        };
        let found = r1d(c.documents(), &settings, progress)?;
        let words = found.words.iter().map(Vec::len).sum::<usize>() as f64;
        let mut convergence = vec![
            of_run(&OBJECTIVE_FALL, found.objective_fall),
            of_run(&UNSTABLE_TOPICS, found.unstable as f64),
            of_run(&WORDS_OF_A_TOPIC, words / self.k as f64),
        ];
        convergence.extend(of_topics(&RANK_ONE_VALUE, found.values.to_vec()));
        convergence.extend(of_topics(&RANK_ONE_RESIDUAL, found.residuals.to_vec()));
        Ok(fitted(found.topics, convergence))
    }

    /// `nmf-kl` and `nmf-ard`.
    pub(crate) fn nmf(
        &self,
        own: NmfSettings,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let iterations = self.iterations();
        let settings = NmfSettings { iterations, tolerance: self.settings.tolerance, ..own };
        let found = nmf(c.documents(), c.totals(), &settings, self.seed, progress)?;
        let mut convergence = vec![
            of_run(&ITERATIONS, found.objectives.len() as f64),
            of_run(&OBJECTIVE_RISE, found.objective_rise),
        ];
        let name = match settings.prior {
            Prior::Flat => &KL_DIVERGENCE,
            Prior::Relevance { .. } => &OBJECTIVE,
        };
        convergence.extend(found.objectives.last().map(|&last| of_run(name, last)));
        let relevant = found.relevant_topics;
        convergence.extend(relevant.map(|count| of_run(&RELEVANT_TOPICS, count as f64)));
        Ok(fitted(found.topics, convergence))
    }

    /// `lda-gibbs`.
    pub(crate) fn lda_gibbs(
        &self,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let iterations = self.iterations();
        let settings = LdaGibbsSettings { iterations, ..LdaGibbsSettings::new(self.k) };
        let found = lda_gibbs(c.documents(), c.totals(), &settings, self.seed, progress)?;
        let mut convergence = vec![
            of_run(&GIBBS_ALPHA_SUM, found.alpha.sum()),
            of_run(&LOG_LIKELIHOOD, found.log_likelihood),
        ];
        convergence.retain(|metric| metric.value.is_finite());
        Ok(fitted(found.topics, convergence))
    }
}

fn fitted(topics: Topics, convergence: Vec<Metric>) -> Fitted {
    let (spectrum, novel_words, topic_estimates, basis) = Default::default();
    Fitted { topics, spectrum, convergence, novel_words, topic_estimates, basis }
}

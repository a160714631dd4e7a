//! Tests of several coefficients at once.

use ndarray::{Array1, Array2};
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::sandwich::inverse_root;

/// An F test of the hypothesis that several coefficients are all 0.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct JointTest {
    /// The statistic.
    pub f: f64,
    /// Degrees of freedom above: the number of coefficients.
    pub above: f64,
    /// Degrees of freedom below.
    pub below: f64,
    /// The p-value.
    pub p: f64,
}

/// The test of `values` with their covariance. `hotelling` is η of Hotelling's T² where the covariance
/// is that of clusters; else the statistic has `degrees` degrees of freedom below.
pub(super) fn joint_test(
    values: &Array1<f64>,
    covariance: &Array2<f64>,
    degrees: f64,
    hotelling: Option<f64>,
) -> Option<JointTest> {
    let above = values.len() as f64;
    let standard = inverse_root(covariance).dot(values);
    let wald = standard.dot(&standard);
    let (f, below) = match hotelling {
        None => (wald / above, degrees),
        Some(eta) => ((eta - above + 1.0) / (eta * above) * wald, eta - above + 1.0),
    };
    // With fewer degrees than coefficients there is no test.
    let distribution = FisherSnedecor::new(above, below).ok()?;
    let p = distribution.sf(f);
    (f.is_finite() && p.is_finite()).then_some(JointTest { f, above, below, p })
}

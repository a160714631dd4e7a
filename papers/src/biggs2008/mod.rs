//! Biggs, Ghodsi and Vavasis 2008.

pub mod section3;
pub mod section5;

use sprs::CsMat;
use topoi_core::model::r1d::{R1d, Settings, r1d};
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

/// `r1d` of counts, documents × words.
fn r1d_of(counts: CsMat<u32>, k: usize, settings: &Settings) -> Result<R1d, String> {
    let positions: Vec<u32> = (0..counts.cols() as u32).collect();
    let source = MatrixSource::new(counts, 512);
    let documents = Documents::new(&source, &positions, 2, &Silent);
    r1d(&documents, k, settings, &Silent).map_err(|e| e.to_string())
}

//! Section 3: two topics that the SVD entangles and R1D keeps apart.

use sprs::TriMat;
use topoi_core::model::r1d::Settings;
use topoi_core::model::svd::{self, svd};
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

use super::r1d_of;
use crate::pages::saved::{Cell, Claim, Saved, Table};

/// The paper's matrix in hundredths, words × documents.
const A: [[u32; 4]; 4] = [[99, 99, 2, 2], [101, 101, 0, 0], [0, 0, 100, 100], [0, 0, 100, 100]];

/// Factorises the matrix in both ways.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    // It has one size.
    saved.quick = false;
    saved.about = "the 4 × 4 matrix of the paper, times 100: what each word weighs in each of two topics, over \
                   the topic's sum."
        .into();
    let mut counts = TriMat::new((4, 4));
    for (word, row) in A.iter().enumerate() {
        for (document, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
            counts.add_triplet(document, word, count);
        }
    }
    let counts = counts.to_csr();
    let source = MatrixSource::new(counts.clone(), 3);
    let documents = Documents::new(&source, &[0, 1, 2, 3], 2, &Silent);
    let of_svd =
        svd(&documents, 2, &svd::Settings::default(), 1, &Silent).map_err(|e| e.to_string())?;
    let plain = r1d_of(counts.clone(), 2, &Settings::default())?;
    let penalised = r1d_of(counts, 2, &Settings { rho: 0.05, ..Settings::default() })?;
    let mut table = Table::new("Topics", &["topic", "word 1", "word 2", "word 3", "word 4"], 1, 3);
    for (name, topics) in [
        ("svd", &of_svd.topics.topics),
        ("r1d", &plain.topics.topics),
        ("r1d --rho 0.05", &penalised.topics.topics),
    ] {
        for topic in 0..2 {
            let column = topics.column(topic);
            table.push(
                format!("{name}, {}", topic + 1),
                column.iter().map(|&p| Cell::one(p)).collect(),
            );
        }
    }
    saved.tables.push(table);
    Ok(())
}

/// What the paper says of the matrix.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let Some(table) = saved.tables.first() else { return Vec::new() };
    // The share of a topic's weight that is on the pair of words with less of it.
    let mixed = |name: &str| {
        let row = table.rows.iter().find(|row| row.name == name)?;
        let values: Vec<f64> = row.cells.iter().filter_map(Cell::mean).collect();
        Some((values[0] + values[1]).min(values[2] + values[3]))
    };
    let own = |name: &str| mixed(name).unwrap_or(f64::NAN);
    vec![
        Claim::new(
            "the dominant singular vector is nearly proportional to (1, 1, 1, 1)",
            "the first topic of `svd` has over 0.4 of its weight on the pair of words with less of it",
            format!(
                "the first topic of `svd` has {:.3} of its weight on the other two words",
                own("svd, 1")
            ),
            (usize::from(own("svd, 1") > 0.4), 1),
        ),
        Claim::new(
            "R1D finds the two blocks",
            "both topics of `r1d` have less than 0.02 of their weight on the other block",
            format!(
                "weight on the other block: {:.4} and {:.4}, with `--rho 0.05` {:.4} and {:.4}",
                own("r1d, 1"),
                own("r1d, 2"),
                own("r1d --rho 0.05, 1"),
                own("r1d --rho 0.05, 2")
            ),
            (usize::from(own("r1d, 1").max(own("r1d, 2")) < 0.02), 1),
        ),
    ]
}

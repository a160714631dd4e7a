//! Figure 4: the measures by the size of the vocabulary.

use super::{MEASURES, NIPS, heads, measures};
use crate::laboratory::Laboratory;
use crate::pages::saved::{Cell, Claim, Drawing, Picture, Saved, Table};

/// Measures `lr-jsmf` with the paper's settings for growing vocabularies.
pub fn measure(saved: &mut Saved) -> Result<(), String> {
    // NIPS has 12,419 terms.
    let terms: &[usize] = if saved.quick {
        &[1000, 2000, 4000, 8000, 12_000]
    } else {
        &[1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 11_000, 12_000]
    };
    let groups: &[(&str, &[usize])] = if saved.quick {
        &[("5-25", &[5, 15, 25]), ("30-50", &[30, 40, 50])]
    } else {
        &[("5-25", &[5, 10, 15, 20, 25]), ("30-50", &[30, 40, 50]), ("60-100", &[60, 80, 100])]
    };
    let seeds = saved.repeats(3, 3);
    let shown: Vec<String> = groups.iter().map(|(_, topics)| format!("{topics:?}")).collect();
    saved.about = format!(
        "NIPS, `lr-jsmf --as paper`; means over the K of a group, which are {}, ± deviations over {seeds} seeds. Seconds \
         are processor time, of the model alone.",
        shown.join(", ")
    );
    let mut laboratory = Laboratory::of_file(NIPS)?;
    for (group, topics) in groups {
        let mut table = Table::new(format!("K = {group}"), &heads("terms"), seeds as usize, 4);
        for &terms in terms {
            let mut means = vec![Vec::new(); MEASURES.len() + 1];
            for seed in 1..=seeds {
                let method = format!("lr-jsmf --as paper --terms {terms}");
                let mut values = vec![Vec::new(); MEASURES.len() + 1];
                for &k in *topics {
                    let Some(run) = laboratory.tried(&method, k, seed) else { continue };
                    for (values, value) in values.iter_mut().zip(measures(&laboratory, run)) {
                        values.extend(value);
                    }
                }
                // The K of a group are no repetitions: of them the mean alone is kept.
                for (means, values) in means.iter_mut().zip(values) {
                    means.extend(Cell::Values(values).mean());
                }
            }
            table.push(terms, means.into_iter().map(|of| Cell::Values(of).rounded()).collect());
        }
        saved.tables.push(table);
    }
    for measure in ["log volume", "recovery", "MST-incoherence", "seconds"] {
        saved.pictures.push(Picture {
            title: format!("{measure} by the size of the vocabulary"),
            x: "terms".into(),
            y: measure.into(),
            logarithmic: (false, false),
            drawing: Drawing::Tables { column: measure.into() },
        });
    }
    Ok(())
}

/// What the paper says of the figure.
pub fn judge(saved: &Saved) -> Vec<Claim> {
    let ends = |measure: &str| -> Vec<(String, f64, f64)> {
        let of = |table: &Table| {
            let first = table.mean(table.rows.first()?, measure)?;
            Some((table.title.clone(), first, table.mean(table.rows.last()?, measure)?))
        };
        saved.tables.iter().filter_map(of).collect()
    };
    let told = |measure: &str| -> String {
        let all: Vec<String> = ends(measure)
            .into_iter()
            .map(|(group, first, last)| format!("{first:.4} to {last:.4} ({group})"))
            .collect();
        all.join(", ")
    };
    let count = |measure: &str, holds: fn(f64, f64) -> bool| {
        let all = ends(measure);
        (all.iter().filter(|(_, first, last)| holds(*first, *last)).count(), all.len())
    };
    let grown: Vec<String> = ends("seconds")
        .into_iter()
        .map(|(group, first, last)| format!("{:.1} times ({group})", last / first))
        .collect();
    vec![
        Claim::new(
            "the relative volume of the anchors' hull grows with the vocabulary",
            "a case is a group of K: it is larger with the most terms than with the fewest",
            format!("log volume {}", told("log volume")),
            count("log volume", |first, last| last > first),
        ),
        Claim::new(
            "relative recovery errors fall",
            "a case is a group of K: they are smaller with the most terms than with the fewest",
            told("recovery"),
            count("recovery", |first, last| last < first),
        ),
        Claim::new(
            "MST-incoherence falls in general",
            "a case is a group of K: it is smaller with the most terms than with the fewest",
            told("MST-incoherence"),
            count("MST-incoherence", |first, last| last < first),
        ),
        Claim::new(
            "running times stay stable",
            "a case is a group of K: with the most terms the model takes at most twice the time of the fewest",
            format!("seconds {}: {}", told("seconds"), grown.join(", ")),
            count("seconds", |first, last| last <= 2.0 * first),
        ),
    ]
}

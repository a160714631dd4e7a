//! A saved figure as Markdown.

use super::saved::{Cell, Claim, Program, Saved, Table};

/// Everything that stands between a figure's markers.
pub fn block(saved: &Saved) -> String {
    let mut parts = vec![format!("`{}`: {}{}", command(saved), saved.about, measured(saved))];
    parts.extend(methods(saved));
    if !saved.claims.is_empty() {
        parts.push(claims(&saved.claims));
    }
    parts.extend(saved.tables.iter().map(table));
    let pictures = saved.pictures.iter().enumerate();
    parts.extend(
        pictures.map(|(at, picture)| {
            format!("![{}](figures/{})", picture.title, picture_name(saved, at))
        }),
    );
    parts.join("\n\n") + "\n"
}

/// With what and in how much processor time it was measured.
fn measured(saved: &Saved) -> String {
    let seconds = saved.seconds.map(|s| format!("{} of processor time", duration(s)));
    let Program { version, commit, date, machine, threads, .. } = &saved.program;
    let program = format!("topoi {version} at {commit}, {date}, {machine}, {threads} threads");
    let parts: Vec<String> = std::iter::once(program).chain(seconds).collect();
    format!(" Measured with {}.", parts.join(", "))
}

/// Seconds, minutes or hours.
pub fn duration(seconds: f64) -> String {
    match seconds {
        few if few < 100.0 => format!("{few:.0} s"),
        some if some < 6000.0 => format!("{:.0} min", some / 60.0),
        many => format!("{:.1} h", many / 3600.0),
    }
}

/// The models behind names that are not their own.
fn methods(saved: &Saved) -> Option<String> {
    let named = saved.methods.iter().filter(|(name, of)| name != of);
    let all: Vec<String> = named.map(|(name, of)| format!("{name} is `{of}`")).collect();
    (!all.is_empty()).then(|| format!("{}.", all.join("; ")))
}

/// The command that measures a figure as it was measured.
pub fn command(saved: &Saved) -> String {
    let corpora = if saved.corpora { "TOPOI_CORPORA=DIRECTORY " } else { "" };
    let quick = if saved.quick { " --quick" } else { "" };
    let seeds = saved.seeds.map_or(String::new(), |seeds| format!(" --seeds {seeds}"));
    format!("{corpora}cargo run --release -p topoi-papers -- {}{quick}{seeds}", saved.figure)
}

/// The name of a picture's file.
pub fn picture_name(saved: &Saved, at: usize) -> String {
    let number = if saved.pictures.len() > 1 { format!("-{}", at + 1) } else { String::new() };
    format!("{}{number}.svg", saved.file_name())
}

/// Claims with their rules and verdicts.
pub fn claims(claims: &[Claim]) -> String {
    let mut lines = vec![
        "| the paper says | it holds if | here | verdict |".into(),
        "|---|---|---|---|".into(),
    ];
    let line = |claim: &Claim| {
        format!("| {} | {} | {} | {} |", claim.paper, claim.rule, claim.here, claim.holds)
    };
    lines.extend(claims.iter().map(line));
    lines.join("\n")
}

fn table(table: &Table) -> String {
    let mut lines = vec![format!("{}:\n", table.title), format!("| {} |", table.head.join(" | "))];
    lines.push(format!("|{}", "---|".repeat(table.head.len())));
    for row in &table.rows {
        let cells: Vec<String> = row.cells.iter().map(|cell| shown(cell, table)).collect();
        lines.push(format!("| {} | {} |", row.name, cells.join(" | ")));
    }
    lines.join("\n")
}

/// Mean and sample deviation, and how many values there are where some are missing.
fn shown(cell: &Cell, table: &Table) -> String {
    let values = match cell {
        Cell::Words(words) => return words.clone(),
        Cell::Values(values) => values,
    };
    let Some(mean) = cell.mean() else { return "–".into() };
    let missing = if values.len() < table.of {
        format!(" ({} of {})", values.len(), table.of)
    } else {
        String::new()
    };
    // What is the same for all seeds, as printed, has no deviation.
    let zero = number(0.0, table.digits);
    let deviation = cell.deviation().map(|deviation| number(deviation, table.digits));
    let deviation = deviation.filter(|deviation| *deviation != zero);
    let deviation = deviation.map_or(String::new(), |deviation| format!(" ± {deviation}"));
    format!("{}{deviation}{missing}", number(mean, table.digits))
}

/// A number as tables show it.
pub fn number(value: f64, digits: i32) -> String {
    match usize::try_from(digits) {
        _ if !value.is_finite() => "∞".into(),
        Ok(digits) => format!("{value:.digits$}"),
        Err(_) => format!("{value:.*e}", digits.unsigned_abs() as usize),
    }
}

//! What changed in the results since an earlier revision of the repository.

use std::path::Path;
use std::process::Command;

use super::markdown::{command, number};
use super::saved::{Cell, HOLDS, IN_PART, NOT, Program, Saved, Table};

/// Where it is written, below the top of the repository; between the blocks it is written by hand.
const PAGE: &str = "papers/changes.md";
/// Values that are shown of a figure.
const SHOWN: usize = 10;

/// A value that changed: where it is, before and now, and by which share.
struct Change {
    place: String,
    before: String,
    now: String,
    share: f64,
}

/// Writes the block of every figure that changed since `revision` to the page; a figure without one gets a section at
/// the end.
///
/// # Errors
/// When the page or the results cannot be read, or git knows no such revision.
pub fn write(root: &Path, revision: &str) -> Result<(), String> {
    git(root, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .ok_or_else(|| format!("--diff {revision}: no such revision"))?;
    let path = root.join(PAGE);
    let mut page =
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    for now in Saved::all(root)? {
        let file = format!("{revision}:papers/results/{}.json", now.file_name());
        let before = git(root, &["show", &file]).and_then(|text| without_pictures(&text));
        let block = match before {
            Some(before) if (&before.tables, &before.claims) == (&now.tables, &now.claims) => {
                continue;
            }
            Some(before) => block(&before, &now),
            None => format!("Not measured at {revision}.\n"),
        };
        let figure = &now.figure;
        let (begin, end) =
            (format!("<!-- changed {figure} -->\n"), format!("<!-- end of {figure} -->"));
        if !page.contains(&begin) {
            page += &format!("\n## {figure}\n\n{begin}{end}\n");
        }
        let start = page.find(&begin).unwrap_or_default() + begin.len();
        let length = page[start..].find(&end).ok_or(format!("{PAGE} lacks {end:?}; add it"))?;
        page.replace_range(start..start + length, &format!("\n{block}\n"));
    }
    std::fs::write(&path, page).map_err(|e| format!("{}: {e}", path.display()))
}

/// What was saved, but for its pictures: they are made of the tables, and how they are saved may have changed.
fn without_pictures(text: &str) -> Option<Saved> {
    let mut all: serde_json::Value = serde_json::from_str(text).ok()?;
    all["pictures"] = serde_json::Value::Array(Vec::new());
    serde_json::from_value(all).ok()
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let made = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    made.status.success().then(|| String::from_utf8_lossy(&made.stdout).into_owned())
}

/// The program, the verdicts and the values of a figure that differ.
fn block(before: &Saved, now: &Saved) -> String {
    let program = |saved: &Saved| match &saved.program {
        Program { version, .. } if version.is_empty() => "a version that was not recorded".into(),
        Program { version, commit, date, .. } => format!("{version} at {commit} ({date})"),
    };
    let size = |saved: &Saved| if saved.quick { ", small size" } else { "" };
    let mut parts = vec![format!(
        "`{}`. Before: {}{}. Now: {}{}.",
        command(now),
        program(before),
        size(before),
        program(now),
        size(now)
    )];
    parts.extend(verdicts(before, now));
    parts.extend(values(before, now));
    parts.join("\n\n") + "\n"
}

/// A verdict without how far; results from before there were rules say yes, in part and no.
fn kind(verdict: &str) -> &str {
    match verdict.split(" (").next().unwrap_or_default() {
        "yes" => HOLDS,
        "in part" => IN_PART,
        "no" => NOT,
        other => other,
    }
}

/// Claims whose verdict is another; those that came or went.
fn verdicts(before: &Saved, now: &Saved) -> Option<String> {
    let mut lines = Vec::new();
    for claim in &now.claims {
        match before.claims.iter().find(|other| other.paper == claim.paper) {
            Some(other) if kind(&other.holds) == kind(&claim.holds) => {}
            Some(other) => {
                lines.push(format!("| {} | {} | {} |", claim.paper, other.holds, claim.holds));
            }
            None => lines.push(format!("| {} | – | {} |", claim.paper, claim.holds)),
        }
    }
    let gone = before.claims.iter().filter(|old| now.claims.iter().all(|c| c.paper != old.paper));
    lines.extend(gone.map(|old| format!("| {} | {} | – |", old.paper, old.holds)));
    let head = "| the paper says | verdict before | now |\n|---|---|---|\n";
    (!lines.is_empty()).then(|| format!("{head}{}", lines.join("\n")))
}

/// Values that moved by more than two standard errors of the difference and by more than a hundredth, those first
/// that moved most. Times are left out.
fn values(before: &Saved, now: &Saved) -> Option<String> {
    let (mut changes, mut compared, mut rows) = (Vec::new(), 0, Vec::new());
    for table in &now.tables {
        let Some(old) = before.tables.iter().find(|old| old.title == table.title) else {
            rows.push(format!("the table \"{}\" is new", table.title));
            continue;
        };
        let missing = |of: &Table, from: &Table| {
            let is_missing = |name: &&str| from.rows.iter().all(|row| row.name != *name);
            let names = of.rows.iter().map(|row| row.name.as_str()).filter(is_missing);
            names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        for (what, names) in [("new", missing(table, old)), ("gone", missing(old, table))] {
            if !names.is_empty() {
                rows.push(format!("{what} in \"{}\": {names}", table.title));
            }
        }
        for row in &table.rows {
            for (at, head) in table.head.iter().enumerate().skip(1) {
                let old_at = old.head.iter().position(|name| name == head);
                let old_row = old.rows.iter().find(|other| other.name == row.name);
                let (Some(old_at), Some(old_row)) = (old_at, old_row) else { continue };
                if table.is_timed(head) {
                    continue;
                }
                let pair = old_row.cells.get(old_at - 1).zip(row.cells.get(at - 1));
                let Some((then, cell)) = pair else { continue };
                compared += 1;
                let place = format!("{}, {}, {head}", table.title, row.name);
                changes.extend(change(place, then, cell, table.digits));
            }
        }
    }
    changes.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut text = match rows.is_empty() {
        true => String::new(),
        false => format!("Rows: {}.\n\n", rows.join("; ")),
    };
    if compared > 0 {
        text += &format!("{} of {compared} values moved.", changes.len());
    }
    if !changes.is_empty() {
        text += "\n\n| value | before | now |\n|---|---|---|\n";
        let lines = changes.iter().take(SHOWN);
        let lines: Vec<String> = lines
            .map(|Change { place, before, now, .. }| format!("| {place} | {before} | {now} |"))
            .collect();
        text += &lines.join("\n");
    }
    (!text.is_empty()).then_some(text)
}

fn change(place: String, before: &Cell, now: &Cell, digits: i32) -> Option<Change> {
    let (then, later) = match (before, now) {
        (Cell::Words(a), Cell::Words(b)) if a == b => return None,
        (Cell::Words(a), Cell::Words(b)) => {
            return Some(Change { place, before: a.clone(), now: b.clone(), share: 0.0 });
        }
        _ => (before.mean(), now.mean()),
    };
    let shown = |mean: Option<f64>| mean.map_or("–".into(), |mean| number(mean, digits));
    let (Some(a), Some(b)) = (then, later) else {
        let change = Change { place, before: shown(then), now: shown(later), share: f64::INFINITY };
        return (then.is_some() != later.is_some()).then_some(change);
    };
    let variance = |cell: &Cell| match cell {
        Cell::Values(values) => {
            cell.deviation().unwrap_or_default().powi(2) / values.len().max(1) as f64
        }
        Cell::Words(_) => 0.0,
    };
    let error = (variance(before) + variance(now)).sqrt();
    let share = (b - a).abs() / a.abs().max(f64::MIN_POSITIVE);
    let moved = (b - a).abs() > 2.0 * error && share > 0.01 && shown(then) != shown(later);
    moved.then(|| Change { place, before: shown(then), now: shown(later), share })
}

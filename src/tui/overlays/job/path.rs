//! Completing paths that are typed.

use std::path::Path;

/// Names that are listed where several are possible.
const LISTED: usize = 8;

/// What can be made of a path that is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// It is whole, or nothing begins so.
    Nothing,
    /// The path as far as all that begin so are alike.
    Longer(String),
    /// Several begin so: their names.
    Several(String),
}

/// Completes the last name of a path by what is in its directory; a directory ends with `/`.
pub fn completed(typed: &str) -> Completion {
    let (directory, begins) =
        typed.rsplit_once('/').map_or(("", typed), |(before, last)| (before, last));
    if typed.is_empty() || typed.contains(['*', '?']) {
        return Completion::Nothing;
    }
    let place = match (directory, typed.starts_with('/')) {
        ("", true) => "/".into(),
        ("", false) => ".".into(),
        _ => super::form::expanded(directory),
    };
    let mut names = names(Path::new(&place), begins);
    names.sort();
    let shared =
        names.iter().skip(1).fold(names.first().cloned().unwrap_or_default(), |shared, name| {
            let alike = shared.chars().zip(name.chars()).take_while(|(a, b)| a == b);
            alike.map(|(letter, _)| letter).collect()
        });
    if shared.chars().count() > begins.chars().count() {
        let before = &typed[..typed.len() - begins.len()];
        return Completion::Longer(format!("{before}{shared}"));
    }
    match names.len() {
        0 | 1 => Completion::Nothing,
        count => {
            let more = if count > LISTED {
                format!(" and {} more", count - LISTED)
            } else {
                String::new()
            };
            names.truncate(LISTED);
            Completion::Several(format!("{}{more}", names.join("  ")))
        }
    }
}

/// The names in a directory that begin so, those of directories with `/`. Hidden ones only where a dot is typed.
fn names(directory: &Path, begins: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown =
            name.starts_with(begins) && (!name.starts_with('.') || begins.starts_with('.'));
        let slash = if entry.path().is_dir() { "/" } else { "" };
        is_shown.then(|| format!("{name}{slash}"))
    };
    entries.flatten().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_completed_as_far_as_it_is_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = directory.path();
        for name in ["letters-1815.jsonl", "letters-1816.jsonl", "essay.txt", ".hidden"] {
            std::fs::write(at.join(name), "").expect("written");
        }
        std::fs::create_dir(at.join("novels")).expect("made");
        let path = |name: &str| format!("{}/{name}", at.display());
        let longer = |name: &str| Completion::Longer(path(name));
        assert_eq!(completed(&path("l")), longer("letters-181"));
        let both = Completion::Several("letters-1815.jsonl  letters-1816.jsonl".into());
        assert_eq!(completed(&path("letters-181")), both);
        assert_eq!(completed(&path("e")), longer("essay.txt"));
        assert_eq!(completed(&path("essay.txt")), Completion::Nothing);
        assert_eq!(completed(&path("nov")), longer("novels/"));
        assert_eq!(completed(&path(".h")), longer(".hidden"));
        assert_eq!(completed(&path("x")), Completion::Nothing);
        assert_eq!(completed(""), Completion::Nothing);
        assert_eq!(completed(&path("*.jsonl")), Completion::Nothing);
    }
}

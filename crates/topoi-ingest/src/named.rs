//! The files that the paths and patterns of a request name.

use std::path::{Component, Path, PathBuf};

use super::error::{IngestError, Result};

/// A file or directory that was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedPath {
    pub(super) path: PathBuf,
    /// The path or pattern as it was given.
    pub(super) given: PathBuf,
    /// The directory to which its key is relative if nothing else is named.
    pub(super) base: PathBuf,
    pub(super) by_pattern: bool,
}

/// Resolves `paths`: every pattern is replaced by the matching files, sorted by name.
///
/// # Errors
/// [`IngestError::Pattern`] if no file matches a pattern.
pub(super) fn named(paths: &[PathBuf]) -> Result<Vec<NamedPath>> {
    let mut all = Vec::new();
    for given in paths {
        let text = given.to_string_lossy();
        // A file whose name looks like a pattern takes precedence.
        if !has_wildcard(&text) || given.exists() {
            let base = given.parent().unwrap_or(Path::new("")).to_path_buf();
            let (path, given) = (given.clone(), given.clone());
            all.push(NamedPath { path, given, base, by_pattern: false });
            continue;
        }
        let wrong =
            |reason: String| IngestError::Pattern { pattern: text.clone().into_owned(), reason };
        let found = glob::glob(&text).map_err(|e| wrong(e.msg.into()))?;
        let found = found.collect::<std::result::Result<Vec<_>, _>>();
        let found = found.map_err(|e| wrong(e.to_string()))?;
        if found.is_empty() {
            return Err(wrong("no file fits this pattern".into()));
        }
        let is_fixed = |part: &Component<'_>| !has_wildcard(&part.as_os_str().to_string_lossy());
        let base: PathBuf = given.components().take_while(is_fixed).collect();
        let named =
            |path| NamedPath { path, given: given.clone(), base: base.clone(), by_pattern: true };
        all.extend(found.into_iter().map(named));
    }
    Ok(all)
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The common directory of the files, and their distinct paths, sorted.
pub(super) fn in_common<'n>(
    files: impl Iterator<Item = &'n NamedPath> + Clone,
) -> (PathBuf, Vec<PathBuf>) {
    let is_mixed = files.clone().any(|file| file.path.is_absolute())
        && files.clone().any(|file| file.path.is_relative());
    // If the working directory is unknown, the paths stay as given.
    let full = |path: &Path| match is_mixed {
        true => std::path::absolute(path).unwrap_or_else(|_| path.into()),
        false => path.to_path_buf(),
    };
    let bases = files.clone().map(|file| full(&file.base));
    let common = |one: PathBuf, other: PathBuf| -> PathBuf {
        let pairs = one.components().zip(other.components());
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    };
    let root = bases.reduce(common).unwrap_or_default();
    let mut paths: Vec<PathBuf> = files.map(|file| full(&file.path)).collect();
    paths.sort_unstable();
    paths.dedup();
    (root, paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(base: &str, name: &str) -> NamedPath {
        let path = Path::new(base).join(name);
        NamedPath { given: path.clone(), path, base: base.into(), by_pattern: false }
    }

    #[test]
    fn what_files_have_in_common_is_their_root() {
        let root = |files: &[NamedPath]| {
            let (root, paths) = in_common(files.iter());
            (root.display().to_string(), paths.len())
        };
        assert_eq!(root(&[file("a/b", "x"), file("a/c", "y"), file("a/b", "x")]), ("a".into(), 2));
        assert_eq!(root(&[file("", "x"), file("a", "y")]), (String::new(), 2));
        assert_eq!(root(&[file("/a/b", "x")]), ("/a/b".into(), 1));
        let here = std::env::current_dir().expect("a directory");
        let (mixed, _) = in_common([file("/", "x"), file("a", "y")].iter());
        assert!(here.starts_with(&mixed) && mixed.is_absolute());
    }
}

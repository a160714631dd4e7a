//! What a source is called, and by what a changed file is told.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Size and time of change.
pub(super) fn identity(metadata: &Metadata) -> String {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} bytes, changed {}", metadata.len(), changed.unwrap_or_default().as_nanos())
}

/// `docword.nips.txt.gz` gives `nips`; `news.jsonl.gz` and `news.tsv` give `news`.
pub(super) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = plain_name(&name);
    if let Some(rest) = name.strip_prefix("docword.") {
        return rest.strip_suffix(".txt").unwrap_or(rest).to_string();
    }
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_string(),
        _ => name.to_string(),
    }
}

/// A file's name without the ending of a compression.
pub(crate) fn plain_name(name: &str) -> &str {
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"));
    plain.unwrap_or(name)
}

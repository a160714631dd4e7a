//! Names of sources, and identities by which changed files are recognised.

use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Size and modification time.
pub(super) fn identity(metadata: &Metadata) -> String {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} bytes, changed {}", metadata.len(), changed.unwrap_or_default().as_nanos())
}

/// `docword.nips.txt.gz` gives `nips`; `news.jsonl.gz` and `news.tsv` give `news`.
pub(super) fn stem(path: &Path) -> String {
    let name = printable(Path::new(path.file_name().unwrap_or_default()));
    let name = plain_name(&name);
    if let Some(rest) = name.strip_prefix("docword.") {
        return rest.strip_suffix(".txt").unwrap_or(rest).to_string();
    }
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_string(),
        _ => name.to_string(),
    }
}

/// A path as text that [`path_of`] converts back. Bytes that are not UTF-8 become `\xE9`, and a backslash that
/// could be mistaken for such an escape becomes `\x5C`.
pub(crate) fn printable(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            text.push_str(if escaped(&rest.as_bytes()[at..]).is_some() { "\\x5C" } else { "\\" });
            rest = &rest[at + 1..];
        }
        text.push_str(rest);
        for byte in chunk.invalid() {
            text += &format!("\\x{byte:02X}");
        }
    }
    text
}

/// The inverse of [`printable`].
pub(crate) fn path_of(text: &str) -> PathBuf {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some(&first) = rest.first() {
        let (byte, length) = escaped(rest).map_or((first, 1), |byte| (byte, 4));
        bytes.push(byte);
        rest = &rest[length..];
    }
    OsString::from_vec(bytes).into()
}

/// The byte of an escape `\xE9` at the start.
fn escaped(bytes: &[u8]) -> Option<u8> {
    let code = bytes.strip_prefix(b"\\x")?.get(..2)?;
    let is_code = code.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    let code = std::str::from_utf8(code).ok().filter(|_| is_code)?;
    u8::from_str_radix(code, 16).ok()
}

/// A file's name without the extension of a compression.
pub(crate) fn plain_name(name: &str) -> &str {
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"));
    plain.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_that_are_text_are_as_they_are() {
        assert_eq!(printable(Path::new("a/caf\u{e9} \\x.txt")), "a/caf\u{e9} \\x.txt");
        assert_eq!(printable(Path::new(OsStr::from_bytes(b"caf\xe9.txt"))), "caf\\xE9.txt");
        assert_eq!(printable(Path::new("caf\\xE9.txt")), "caf\\x5CxE9.txt");
    }

    proptest! {
        #[test]
        fn every_path_has_a_text_of_its_own(
            bytes in prop::collection::vec(prop::sample::select(&b"\\xxEF09\xe9\xff\xc3\xa9/"[..]), 0..12),
        ) {
            let path = Path::new(OsStr::from_bytes(&bytes));
            prop_assert_eq!(path_of(&printable(path)), path);
        }
    }
}

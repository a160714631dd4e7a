//! Content hashes, by which a document is recognised when it is ingested again: 16 bytes of BLAKE3.

/// The first 16 bytes of a BLAKE3 hash: two different documents share one with probability 2⁻¹²⁸.
pub type ContentHash = [u8; 16];

/// The hash of a document given as text.
pub fn of_text(title: Option<&str>, fields: Option<&str>, text: &str) -> ContentHash {
    let mut hasher = start(b't', title, fields);
    hasher.update(text.as_bytes());
    first_half(hasher.finalize())
}

/// The hash of a document given as text with its tokens.
pub fn of_text_and_tokens(
    title: Option<&str>,
    fields: Option<&str>,
    text: &str,
    tokens: &str,
) -> ContentHash {
    let mut hasher = start(b'g', title, fields);
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    hasher.update(tokens.as_bytes());
    first_half(hasher.finalize())
}

/// The hash of a document given as terms with counts, sorted by term.
pub fn of_terms(
    title: Option<&str>,
    fields: Option<&str>,
    sorted: &[(String, u32)],
) -> ContentHash {
    let mut hasher = start(b'c', title, fields);
    for (term, count) in sorted {
        hasher.update(&(term.len() as u64).to_le_bytes());
        hasher.update(term.as_bytes());
        hasher.update(&count.to_le_bytes());
    }
    first_half(hasher.finalize())
}

/// The hash of a document given as (term position, count), sorted by position. A term keeps its
/// position for as long as its corpus lives, so the positions stand for the terms. `bytes` is
/// working memory.
pub fn of_entries(entries: &[(u32, u32)], bytes: &mut Vec<u8>) -> ContentHash {
    bytes.clear();
    for (position, count) in entries {
        bytes.extend_from_slice(&position.to_le_bytes());
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    let mut hasher = start(b'p', None, None);
    hasher.update(bytes);
    first_half(hasher.finalize())
}

/// The kind keeps a text and a bag of terms apart; the length keeps a title and a text apart.
fn start(kind: u8, title: Option<&str>, fields: Option<&str>) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[kind, u8::from(title.is_some())]);
    let title = title.unwrap_or_default();
    hasher.update(&(title.len() as u64).to_le_bytes());
    hasher.update(title.as_bytes());
    if let Some(fields) = fields {
        hasher.update(b"fields");
        hasher.update(&(fields.len() as u64).to_le_bytes());
        hasher.update(fields.as_bytes());
    }
    hasher
}

/// The first 16 bytes, which are enough to tell any two contents apart.
pub(crate) fn first_half(hash: blake3::Hash) -> ContentHash {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_and_text_cannot_stand_in_for_each_other() {
        let hashes = [
            of_text(Some("ab"), None, "c"),
            of_text(Some("a"), None, "bc"),
            of_text(Some(""), None, "abc"),
            of_text(None, None, "abc"),
            of_text(None, Some("{}"), "abc"),
        ];
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[i + 1..].contains(hash));
        }
    }

    #[test]
    fn terms_are_told_apart_from_their_concatenation() {
        let one = of_terms(None, None, &[("ab".into(), 1)]);
        let two = of_terms(None, None, &[("a".into(), 1), ("b".into(), 1)]);
        assert_ne!(one, two);
        assert_eq!(one, of_terms(None, None, &[("ab".into(), 1)]));
    }
}

//! Content hashes, by which a document is recognised when it is ingested again.

use crate::id::DocumentId;

/// The first 16 bytes of a BLAKE3 hash. Two different documents collide with probability 2⁻¹²⁸.
pub type ContentHash = [u8; 16];

/// The hash of a document given as text.
pub fn hash_text(title: Option<&str>, fields: Option<&str>, text: &str) -> ContentHash {
    let mut hasher = start(b't', title, fields);
    hasher.update(text.as_bytes());
    first_16_bytes(hasher.finalize())
}

/// The hash of a document given as text with its tokens.
pub fn hash_text_and_tokens(
    title: Option<&str>,
    fields: Option<&str>,
    text: &str,
    tokens: &str,
) -> ContentHash {
    let mut hasher = start(b'g', title, fields);
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    hasher.update(tokens.as_bytes());
    first_16_bytes(hasher.finalize())
}

/// The hash of a document given as terms with counts, sorted by term.
pub fn hash_terms(
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
    first_16_bytes(hasher.finalize())
}

/// The hash of a document given as (term position, count), sorted by position.
/// A term keeps its position as long as its corpus exists, so positions identify terms. `bytes` is a working
/// buffer.
pub fn hash_entries(entries: &[(u32, u32)], bytes: &mut Vec<u8>) -> ContentHash {
    bytes.clear();
    for (position, count) in entries {
        bytes.extend_from_slice(&position.to_le_bytes());
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    let mut hasher = start(b'p', None, None);
    hasher.update(bytes);
    first_16_bytes(hasher.finalize())
}

/// The kind separates texts from counts; the length separates title and text.
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

/// The first 16 bytes of a hash.
pub(crate) fn first_16_bytes(hash: blake3::Hash) -> ContentHash {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

/// The sum, modulo 2¹²⁸, of hashes of documents with their ids. It identifies the documents of a corpus whichever way they
/// came, and follows their changes without reading the others.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocumentsHash(u128);

impl DocumentsHash {
    pub(crate) fn add(&mut self, id: DocumentId, content_hash: &[u8]) {
        self.0 = self.0.wrapping_add(hash_with_id(id, content_hash));
    }

    pub(crate) fn remove(&mut self, id: DocumentId, content_hash: &[u8]) {
        self.0 = self.0.wrapping_sub(hash_with_id(id, content_hash));
    }

    /// This one after all changes of `other`.
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    pub(crate) fn to_bytes(self) -> ContentHash {
        self.0.to_le_bytes()
    }

    /// `None` for another number of bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(u128::from_le_bytes(bytes.try_into().ok()?)))
    }
}

fn hash_with_id(id: DocumentId, content_hash: &[u8]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&id.0.to_le_bytes());
    hasher.update(content_hash);
    u128::from_le_bytes(first_16_bytes(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_and_text_have_different_hashes() {
        let hashes = [
            hash_text(Some("ab"), None, "c"),
            hash_text(Some("a"), None, "bc"),
            hash_text(Some(""), None, "abc"),
            hash_text(None, None, "abc"),
            hash_text(None, Some("{}"), "abc"),
        ];
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[i + 1..].contains(hash));
        }
    }

    #[test]
    fn terms_and_their_concatenation_have_different_hashes() {
        let one = hash_terms(None, None, &[("ab".into(), 1)]);
        let two = hash_terms(None, None, &[("a".into(), 1), ("b".into(), 1)]);
        assert_ne!(one, two);
        assert_eq!(one, hash_terms(None, None, &[("ab".into(), 1)]));
    }
}

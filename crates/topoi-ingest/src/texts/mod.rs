//! Texts before they become words: what is mended in them, and where they are cut into chunks.

pub mod chunks;
mod line_ends;
mod page_heads;
mod references;
pub mod repairs;
pub mod same_texts;

pub(crate) use self::line_ends::{JoinedWords, LineEndWords, is_hyphen};
pub(crate) use self::repairs::TextMender;

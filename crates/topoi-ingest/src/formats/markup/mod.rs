//! Files of marked-up text, one document each: text without markup, title, and metadata.

pub(super) mod docx;
pub(super) mod epub;
pub(super) mod flow;
pub(super) mod html;
pub(super) mod markdown;
pub(super) mod odt;
pub(super) mod package;
pub(super) mod tei;
pub(super) mod walk;
pub(super) mod xml;

//! Telling text of two bytes a character, which is refused: its letters would be read as words
//! between zeros, and its documents left out as empty.

use std::sync::Arc;

use super::Source;
use crate::ingest::error::{Mistake, Place, Reading};

/// Bytes of the first line that show whether it is UTF-16.
const LOOK: usize = 64;

impl Source {
    /// Refuses UTF-16, which its byte order mark shows, or zeros in the first line.
    ///
    /// # Errors
    /// When it is UTF-16, or cannot be read.
    pub(crate) fn refuse_utf16(&mut self) -> Reading<()> {
        let line = self.peek(0)?.unwrap_or_default();
        let start = &line[..line.len().min(LOOK)];
        let zeros = start.iter().filter(|&&byte| byte == 0).count();
        let has_mark = [&b"\xff\xfe"[..], b"\xfe\xff"].iter().any(|mark| start.starts_with(mark));
        if !has_mark && (zeros < 2 || zeros * 3 < start.len()) {
            return Ok(());
        }
        let name = match start {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "utf-16",
            [0, ..] => "utf-16be",
            _ => "utf-16le",
        };
        let place = Place { file: Arc::clone(&self.name), line: 1 };
        let remedy = format!("convert it, for example with `iconv -f {name} -t utf-8`");
        Err(Mistake::source(place, "looks like UTF-16, not UTF-8", remedy).undecodable())
    }
}

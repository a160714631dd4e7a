//! Records of a tab-separated file: one line, or several while a quoted field is open.

use super::units::{Raw, Units};
use crate::error::Reading;
use crate::formats::text::fields::{TabQuotes, tab_quotes, width_of};
use crate::source::{Mark, Source};

/// Maximum distance in bytes to a closing quote: a quote that is part of the text is never closed.
const FARTHEST: usize = 4 << 20;

pub(crate) struct TabRecords {
    pub(crate) source: Source,
    /// Number of columns.
    pub(crate) width: usize,
}

impl TabRecords {
    /// Number of following lines that belong to the record of `line`.
    fn continued(&mut self, line: &[u8]) -> Reading<usize> {
        if tab_quotes(line, false) != TabQuotes::Open {
            return Ok(0);
        }
        // If this line and the next are complete records, the quote belongs to the text.
        let mut may_be_whole = self.width > 1 && width_of(line) == self.width;
        let (mut from, mut lines) = (0, 0);
        while let Some((next, taken)) = self.source.peek_at(from)? {
            if may_be_whole && !next.trim_ascii().is_empty() {
                if width_of(next) == self.width {
                    return Ok(0);
                }
                may_be_whole = false;
            }
            (from, lines) = (from + taken, lines + 1);
            match tab_quotes(next, true) {
                TabQuotes::Closed => return Ok(lines),
                TabQuotes::Text => return Ok(0),
                TabQuotes::Open if from > FARTHEST => return Ok(0),
                TabQuotes::Open => {}
            }
        }
        Ok(0)
    }
}

impl Units for TabRecords {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let Some(line) = self.source.next_line()? else { return Ok(false) };
        if memchr::memchr(b'"', line).is_none() {
            raw.extend(line);
            raw.end(self.source.place());
            return Ok(true);
        }
        let line = line.to_vec();
        let place = self.source.place();
        let lines = self.continued(&line)?;
        raw.extend(&line);
        for _ in 0..lines {
            if let Some(line) = self.source.next_line()? {
                raw.extend(b"\n");
                raw.extend(line);
            }
        }
        raw.end(place);
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        (self.source.mark(), String::new())
    }

    fn consumed(&self) -> u64 {
        self.source.consumed()
    }
}

//! Line ends of a source.
//! Most lines end with LF or CRLF, and a CR within them belongs to the text. Lines of old Macs and some
//! spreadsheets end with CR alone.

use super::Source;
use crate::error::Reading;

/// If this many bytes contain a CR but no LF, lines end with CR.
const DECISIVE_BYTES: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// LF or CRLF.
    Lf,
    /// CR, LF or CRLF.
    Any,
}

impl LineEnds {
    /// Position of the next line end in `bytes`.
    #[inline]
    pub(super) fn find(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Lf => memchr::memchr(b'\n', bytes),
            Self::Any => memchr::memchr2(b'\n', b'\r', bytes),
        }
    }
}

impl Source {
    /// The line ends of the source.
    #[inline]
    pub(super) fn line_ends(&mut self) -> Reading<LineEnds> {
        match self.ends {
            Some(known) => Ok(known),
            None => self.find_line_ends(),
        }
    }

    /// Recognises the line ends from the beginning of the source.
    #[cold]
    fn find_line_ends(&mut self) -> Reading<LineEnds> {
        let ends = loop {
            let start = &self.buffer[self.start..];
            let feed = memchr::memchr(b'\n', start);
            let before = &start[..feed.unwrap_or(start.len())];
            let before =
                if feed.is_some() { before.strip_suffix(b"\r").unwrap_or(before) } else { before };
            let has_return = memchr::memchr(b'\r', before).is_some();
            match feed {
                Some(_) if !has_return => break LineEnds::Lf,
                // A line end at the very end of the buffer is not conclusive.
                Some(at) if at + 1 < start.len() => break LineEnds::Lf,
                None if start.len() >= DECISIVE_BYTES && has_return => break LineEnds::Any,
                None if start.len() >= DECISIVE_BYTES => break LineEnds::Lf,
                _ => {}
            }
            if !self.fill()? {
                break if has_return { LineEnds::Any } else { LineEnds::Lf };
            }
        };
        self.ends = Some(ends);
        Ok(ends)
    }

    /// The line that begins `from` bytes after the start: its length without and with its end.
    pub(super) fn find_line(&mut self, from: usize) -> Reading<Option<(usize, usize)>> {
        let ends = self.line_ends()?;
        let mut searched = from;
        loop {
            let rest = &self.buffer[self.start..];
            if let Some(at) = ends.find(&rest[searched.min(rest.len())..]) {
                let end = searched + at;
                let is_return = rest[end] == b'\r';
                if is_return && end + 1 == rest.len() && !self.is_at_end {
                    // It may be the first half of a CRLF.
                    searched = end;
                    self.fill()?;
                    continue;
                }
                if end - from > self.longest_line {
                    self.skip_line()?;
                    return Err(self.too_long("a line"));
                }
                let before = usize::from(!is_return && end > from && rest[end - 1] == b'\r');
                let after = usize::from(is_return && rest.get(end + 1) == Some(&b'\n'));
                return Ok(Some((end - from - before, end + 1 + after - from)));
            }
            searched = rest.len();
            if searched.saturating_sub(from) > self.longest_line {
                self.skip_line()?;
                return Err(self.too_long("a line"));
            }
            if !self.fill()? {
                let left = (self.buffer.len() - self.start).saturating_sub(from);
                return Ok((left > 0).then_some((left, left)));
            }
        }
    }

    /// Discards the rest of a line that is too long.
    fn skip_line(&mut self) -> Reading<()> {
        let ends = self.line_ends()?;
        loop {
            let rest = &self.buffer[self.start..];
            let end = ends.find(rest);
            let taken = end.map_or(rest.len(), |at| at + 1);
            self.start += taken;
            self.bytes += taken as u64;
            if end.is_some() || !self.fill()? {
                self.lines += 1;
                return Ok(());
            }
        }
    }

    /// Recognises the line ends from a first line of names, in which a quoted cell can contain line breaks: the
    /// end of this line is that of all lines. Cells of spreadsheets contain LF even if rows end with CR.
    pub(crate) fn begins_with_names(&mut self) -> Reading<()> {
        let usual = self.line_ends()?;
        let mut is_quoted = false;
        let end = self.buffer[self.start..].iter().position(|&byte| {
            is_quoted ^= byte == b'"';
            !is_quoted && (byte == b'\n' || byte == b'\r')
        });
        let first = end.map(|at| &self.buffer[self.start + at..]);
        self.ends = Some(match first {
            Some([b'\r', b'\n', ..] | [b'\n', ..]) => LineEnds::Lf,
            Some([b'\r', _, ..]) => LineEnds::Any,
            _ => usual,
        });
        Ok(())
    }
}

/// The lines of a text, which end with LF, CRLF, or CR if there is no LF.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let end = if text.trim_end().contains('\n') || !text.contains('\r') { '\n' } else { '\r' };
    text.split_terminator(end).map(|line| line.trim_end_matches(['\r', '\n']))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use proptest::prelude::*;

    use super::*;

    fn lines(mut source: Source) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = source.next_line().expect("sound") {
            lines.push(String::from_utf8_lossy(line).into_owned());
        }
        assert_eq!(source.number(), lines.len() as u64);
        lines
    }

    fn read_lines(text: &str) -> Vec<String> {
        lines(Source::from_bytes("x", text.as_bytes().to_vec()).expect("open"))
    }

    #[test]
    fn lines_end_with_cr_alone_where_there_is_no_lf() {
        assert_eq!(read_lines("a b\rc\r\rd"), ["a b", "c", "", "d"]);
        assert_eq!(read_lines("a\rb\r"), ["a", "b"]);
        assert_eq!(read_lines("\u{feff}a\rb\r\n"), ["a", "b"]);
        // Within lines that end with LF, a CR belongs to the text.
        assert_eq!(read_lines("a\rb\nc\n"), ["a\rb", "c"]);
        assert_eq!(read_lines("a\r\nb\r\n"), ["a", "b"]);
        let long = "word ".repeat(DECISIVE_BYTES) + "\r";
        assert_eq!(
            read_lines(&long.repeat(3)).len(),
            1 + 2 * usize::from(long.len() < DECISIVE_BYTES)
        );
        let short = "word\r".repeat(DECISIVE_BYTES);
        assert_eq!(read_lines(&(short + "\nx")).len(), DECISIVE_BYTES + 1);
        assert_eq!(lines_of("a\rb\r\r").collect::<Vec<_>>(), ["a", "b", ""]);
        assert_eq!(lines_of("a\r\nb\rc\n").collect::<Vec<_>>(), ["a", "b\rc"]);
    }

    #[test]
    fn a_line_of_names_says_what_ends_all_lines() {
        let of = |text: &str| {
            let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).expect("open");
            source.begins_with_names().expect("sound");
            lines(source)
        };
        assert_eq!(of("id,text\r1,\"a\nb\"\r"), ["id,text", "1,\"a", "b\""]);
        assert_eq!(of("id,text\n1,\"a\rb\"\n"), ["id,text", "1,\"a\rb\""]);
        assert_eq!(of("\"i\rd\",text\r\n1,a\r\n"), ["\"i\rd\",text", "1,a"]);
    }

    #[test]
    fn a_mark_among_lines_of_cr_is_found_again() {
        let text = b"one\rtwo\rthree\r".to_vec();
        let mut source = Source::from_bytes("x", text.clone()).expect("open");
        source.next_line().expect("sound");
        let mark = source.mark();
        let mut again = Source::from_bytes("x", text).expect("open");
        assert!(again.skip_to(&mark).expect("sound"));
        assert_eq!(again.next_line().expect("sound"), Some(&b"two"[..]));
        assert_eq!(again.peek(0).expect("sound"), Some(&b"three"[..]));
    }

    /// Returns a byte at a time.
    struct Slow(Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let length = out.len().min(1);
            self.0.read(&mut out[..length])
        }
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_are_read(text in "[ab\r\n]{0,12}") {
            let slow = Box::new(Slow(Cursor::new(text.clone().into_bytes())));
            let slow = Source::new("x", "x", None, slow, None).expect("open");
            prop_assert_eq!(lines(slow), read_lines(&text));
        }
    }
}

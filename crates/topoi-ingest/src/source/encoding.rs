//! Text encodings: recognising the encoding of a source and converting it to UTF-8.
//!
//! UTF-16 is recognised by its byte order mark, or by zeros in every other byte. Lines and documents that are
//! not UTF-8 are read as Windows-1252 if that gives text. `--encoding` takes precedence over both.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use encoding_rs::{DecoderResult, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use serde::{Serialize, Serializer};

use crate::error::{IngestError, InputLocation, Mistake, Reading};

/// An encoding of the WHATWG standard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The encoding with a label that a file declares, if it exists.
    pub(crate) fn from_label(label: &[u8]) -> Option<Self> {
        encoding_rs::Encoding::for_label(label).map(Self)
    }

    pub(crate) fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }

    /// Whether it is UTF-8 or not a superset of ASCII.
    pub(crate) fn is_wide_or_utf8(self) -> bool {
        self.is_utf8() || self.0 == UTF_16LE || self.0 == UTF_16BE
    }

    /// Decodes bytes; `None` if they are invalid in this encoding.
    pub(crate) fn decoded(self, bytes: &[u8]) -> Option<String> {
        self.0.decode_without_bom_handling_and_without_replacement(bytes).map(Cow::into_owned)
    }

    /// Whether a text that was converted from this encoding is UTF-8 with letters beyond ASCII in the original.
    fn was_utf8(self, text: &str) -> bool {
        if self.is_wide_or_utf8() || text.is_ascii() {
            return false;
        }
        let (bytes, _, has_others) = self.0.encode(text);
        !has_others && std::str::from_utf8(&bytes).is_ok()
    }

    /// UTF-16, if a text begins with these bytes.
    pub(crate) fn detect_utf16(head: &[u8]) -> Option<Self> {
        match head {
            [0xff, 0xfe, ..] => return Some(Self(UTF_16LE)),
            [0xfe, 0xff, ..] => return Some(Self(UTF_16BE)),
            _ => {}
        }
        let start = &head[..head.len().min(256)];
        let zeros =
            |odd: usize| start.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
        let half = start.len() / 2;
        // European text has zeros in every other byte; text in 8-bit encodings has no zeros.
        match (zeros(0), zeros(1)) {
            (0, odd) if odd >= 3 && odd * 3 >= half * 2 => Some(Self(UTF_16LE)),
            (even, 0) if even >= 3 && even * 3 >= half * 2 => Some(Self(UTF_16BE)),
            _ => None,
        }
    }

    /// A reader that converts `bytes` to UTF-8.
    pub(crate) fn recoded<R: Read>(self, bytes: R) -> Recoded<R> {
        let decoder = self.0.new_decoder();
        Recoded {
            bytes,
            decoder,
            read: Vec::new(),
            at: 0,
            is_at_end: false,
            text: Vec::new(),
            given: 0,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Encoding {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self, IngestError> {
        Self::from_label(name.as_bytes()).ok_or_else(|| IngestError::UnknownEncoding(name.into()))
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Converts an encoding to UTF-8.
/// Invalid input becomes the byte 0xFF, which is never valid UTF-8, so that only its own line or document is
/// refused.
pub(crate) struct Recoded<R> {
    bytes: R,
    decoder: encoding_rs::Decoder,
    read: Vec<u8>,
    at: usize,
    is_at_end: bool,
    text: Vec<u8>,
    given: usize,
}

impl<R: Read> Read for Recoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            if self.at == self.read.len() {
                if self.is_at_end {
                    return Ok(0);
                }
                self.read_more()?;
            }
            self.decode();
        }
        let length = out.len().min(self.text.len() - self.given);
        out[..length].copy_from_slice(&self.text[self.given..][..length]);
        self.given += length;
        Ok(length)
    }
}

impl<R: Read> Recoded<R> {
    fn read_more(&mut self) -> io::Result<()> {
        self.read.resize(BUFFER, 0);
        let length = self.bytes.read(&mut self.read);
        self.read.truncate(*length.as_ref().unwrap_or(&0));
        self.at = 0;
        self.is_at_end = length? == 0;
        Ok(())
    }

    /// Decodes the bytes read so far; at the end also an incomplete character.
    fn decode(&mut self) {
        self.text.resize(2 * BUFFER, 0);
        self.given = 0;
        let room = self.text.len() - 1;
        let (result, read, mut written) = self.decoder.decode_to_utf8_without_replacement(
            &self.read[self.at..],
            &mut self.text[..room],
            self.is_at_end,
        );
        self.at += read;
        if matches!(result, DecoderResult::Malformed(..)) {
            self.text[written] = 0xff;
            written += 1;
        }
        self.text.truncate(written);
    }
}

const BUFFER: usize = 1 << 15;

/// How the documents of an ingest are decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoder<'a> {
    /// The requested encoding; sources have been converted from it to UTF-8.
    pub(crate) named: Option<Encoding>,
    /// Number of documents that were decoded as Windows-1252.
    pub(crate) guessed: &'a AtomicU64,
    /// Number of documents that are UTF-8, and were read in the requested encoding all the same.
    pub(crate) mistaken: &'a AtomicU64,
}

impl Decoder<'_> {
    /// Decodes the bytes of a line or file.
    ///
    /// # Errors
    /// If they are neither UTF-8 nor plausible Windows-1252.
    pub(crate) fn decode<'t>(
        &self,
        bytes: &'t [u8],
        place: &InputLocation,
    ) -> Reading<Cow<'t, str>> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => {
                if self.named.is_some_and(|named| named.was_utf8(text)) {
                    self.mistaken.fetch_add(1, Ordering::Relaxed);
                }
                return Ok(text.into());
            }
            Err(error) => error,
        };
        if self.named.is_none()
            && let Some(text) = as_windows_1252(bytes)
        {
            self.guessed.fetch_add(1, Ordering::Relaxed);
            return Ok(text.into());
        }
        let column = error.valid_up_to() + 1;
        let what = if place.line == 0 { "file" } else { "line" };
        let (name, remedy) = match self.named {
            Some(named) => (named.to_string(), "give the --encoding that it has"),
            None => ("UTF-8".to_string(), REMEDY),
        };
        let problem = format!("not {name} (byte {column} of the {what})");
        Err(Mistake::document(place.clone(), problem, remedy).undecodable())
    }
}

const REMEDY: &str =
    "say how it is encoded, for example with --encoding windows-1252, koi8-r or shift_jis";

/// The text of bytes that are not UTF-8, if they are plausible Windows-1252. UTF-8 with a broken character is
/// not. Neither is text in another alphabet, most of whose letters have the eighth bit set.
fn as_windows_1252(bytes: &[u8]) -> Option<String> {
    const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
    let is_text =
        |&byte: &u8| !UNDEFINED.contains(&byte) && (byte >= b' ' || byte.is_ascii_whitespace());
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let is_foreign = high >= 8 && high > letters;
    if is_foreign || has_utf8(bytes) || !bytes.iter().all(is_text) {
        return None;
    }
    Encoding(WINDOWS_1252).decoded(bytes)
}

/// Whether a valid multi-byte UTF-8 character occurs.
fn has_utf8(bytes: &[u8]) -> bool {
    bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u64) -> InputLocation {
        InputLocation { file: "x.txt".into(), line }
    }

    fn decoded(bytes: &[u8]) -> Result<String, String> {
        let (guessed, mistaken) = (AtomicU64::new(0), AtomicU64::new(0));
        let decoder = Decoder { named: None, guessed: &guessed, mistaken: &mistaken };
        let text = decoder.decode(bytes, &place(3)).map(Cow::into_owned);
        text.map_err(|mistake| mistake.problem)
    }

    fn recoded(name: &str, bytes: &[u8]) -> Vec<u8> {
        let encoding: Encoding = name.parse().expect("an encoding");
        let mut text = Vec::new();
        encoding.recoded(bytes).read_to_end(&mut text).expect("in memory");
        text
    }

    #[test]
    fn utf8_that_was_read_otherwise_is_recognised() {
        let windows: Encoding = "windows-1252".parse().expect("an encoding");
        assert!(
            windows.was_utf8("cafÃ©") && !windows.was_utf8("café") && !windows.was_utf8("cafe")
        );
        let utf8: Encoding = "utf-8".parse().expect("an encoding");
        assert!(!utf8.was_utf8("café"));
    }

    #[test]
    fn western_bytes_are_windows_1252_and_nothing_else_is() {
        assert_eq!(decoded("naïve".as_bytes()).as_deref(), Ok("naïve"));
        assert_eq!(decoded(b"caf\xe9 \x93au lait\x94").as_deref(), Ok("café “au lait”"));
        assert_eq!(decoded(b"\xe9t\xe9").as_deref(), Ok("été"));
        let not = |column: u32| Err(format!("not UTF-8 (byte {column} of the line)"));
        // Truncated UTF-8, control characters, KOI8-R, Shift_JIS.
        assert_eq!(decoded(b"na\xc3\xafve caf\xc3"), not(11));
        assert_eq!(decoded(b"caf\xe9 \x01\x02"), not(4));
        assert_eq!(decoded(b"\xd0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2\xd9!"), not(1));
        assert_eq!(decoded(b"\x93\xfa\x96{\x8c\xea\x82\xcc\x95\xb6\x8f\xcd"), not(1));
    }

    #[test]
    fn other_encodings_are_read_where_they_are_named() {
        let text = |name, bytes: &[u8]| String::from_utf8(recoded(name, bytes)).expect("UTF-8");
        assert_eq!(text("koi8-r", b"\xd0\xd2\xc9\xd7\xc5\xd4"), "привет");
        assert_eq!(text("shift_jis", b"\x93\xfa\x96{\x8c\xea"), "日本語");
        assert_eq!(text("gb18030", b"\xd6\xd0\xce\xc4"), "中文");
        assert_eq!(text("big5", b"\xa4\xa4\xa4\xe5"), "中文");
        assert_eq!(text("euc-kr", b"\xc7\xd1\xb1\xdb"), "한글");
        assert_eq!(text("latin1", b"caf\xe9"), "café");
        assert_eq!(recoded("shift_jis", b"a\x81\x01b"), b"a\xff\x01b");
        let unknown = "klingon".parse::<Encoding>().expect_err("unknown").to_string();
        assert!(unknown.starts_with("\"klingon\" is not an encoding"), "{unknown}");
    }

    #[test]
    fn utf_16_is_told_by_its_mark_or_by_its_zeros() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let name = |bytes: &[u8]| Encoding::detect_utf16(bytes).map(|found| found.to_string());
        assert_eq!(name(&wide("\u{feff}日本")).as_deref(), Some("UTF-16LE"));
        assert_eq!(name(&wide("some words")).as_deref(), Some("UTF-16LE"));
        let swapped: Vec<u8> = wide("naïve words").chunks(2).flat_map(|c| [c[1], c[0]]).collect();
        assert_eq!(name(&swapped).as_deref(), Some("UTF-16BE"));
        for text in ["", "\n", "words\0 and \0 others\n", "\0\n", "some words"] {
            assert_eq!(name(text.as_bytes()), None, "{text:?}");
        }
    }
}

//! Reading zstd files.
//! `ruzstd` decodes one frame. A file can contain several (`pzstd`, `cat a.zst b.zst`), and skippable frames
//! without text.

use std::error::Error;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Decompresses a zstd file. Frames may use windows of up to 128 MiB, as with `zstd -d`.
pub(crate) struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

/// Whether a file begins with a zstd frame or a skippable frame.
pub(crate) fn is_zstd(magic: &[u8]) -> bool {
    magic == [0x28, 0xb5, 0x2f, 0xfd]
        || matches!(magic, [first, 0x2a, 0x4d, 0x18] if first & 0xf0 == 0x50)
}

impl<R: BufRead> ZstdReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Begins the next frame with text; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.source.by_ref().take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(as_io(error)),
            }
        }
        Ok(false)
    }

    fn check_sum(&self) -> io::Result<()> {
        match self.decoder.get_checksum_from_data() {
            Some(said) if self.decoder.get_calculated_checksum() != Some(said) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is another"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame && !self.begin_frame()? {
                return Ok(0);
            }
            self.in_frame = true;
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.decoder.is_finished() {
                self.check_sum()?;
                self.in_frame = false;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(as_io)?;
            }
        }
    }
}

/// Converts a decoder's error. I/O errors of the file itself (its end, a bad disk) are kept; all others are
/// damage.
fn as_io(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        if let Some(of_source) = error.downcast_ref::<io::Error>() {
            return io::Error::new(of_source.kind(), of_source.to_string());
        }
        cause = error.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn decoded(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        ZstdReader::new(bytes).read_to_end(&mut text).map(|_| text)
    }

    fn frame(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn a_frame_cut_short_anywhere_is_reported() {
        let skipped = b"\x51\x2a\x4d\x18\x02\0\0\0ab";
        let text = b"some words and more words\n".repeat(40);
        let bytes = [&skipped[..], &frame(&text)].concat();
        assert!(is_zstd(&bytes[..4]) && is_zstd(&bytes[skipped.len()..][..4]));
        assert_eq!(decoded(&bytes).expect("whole"), text);
        for end in (1..bytes.len()).filter(|&end| end != skipped.len()) {
            let error = decoded(&bytes[..end]).expect_err("cut short");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{end}: {error}");
        }
    }

    #[test]
    fn another_checksum_and_what_is_no_frame_are_damage() {
        let mut bytes = frame(b"some words");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let error = decoded(&bytes).expect_err("another checksum");
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::InvalidData, "its checksum is another")
        );
        let error = decoded(&[frame(b"some words"), b"plain text".to_vec()].concat());
        assert_eq!(error.expect_err("no frame").kind(), io::ErrorKind::InvalidData);
    }

    proptest! {
        #[test]
        fn frames_are_read_one_after_the_other(texts: Vec<Vec<u8>>) {
            let bytes = texts.iter().flat_map(|text| frame(text)).collect::<Vec<_>>();
            prop_assert_eq!(decoded(&bytes).expect("whole"), texts.concat());
        }

        #[test]
        fn no_damage_makes_reading_panic(damage: Vec<(usize, u8)>, text: Vec<u8>) {
            let mut bytes = frame(&text);
            for (place, byte) in damage {
                let place = place % bytes.len();
                bytes[place] = byte;
            }
            let _ = decoded(&bytes);
        }
    }
}

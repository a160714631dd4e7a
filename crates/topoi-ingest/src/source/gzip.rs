//! Reading gzip files: concatenated members (`pigz`, `cat a.gz b.gz`), and trailing zeros of tapes and block
//! devices, which gzip skips too.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decompresses a gzip file.
pub(super) struct GzipReader<R> {
    /// `None` only between two members, and at the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self { member: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(mut source) = self.member.take().map(GzDecoder::into_inner) else { break };
            if !source.fill_buf()?.is_empty() && pass_zeros(&mut source)? {
                self.member = Some(GzDecoder::new(source));
            }
        }
        Ok(0)
    }
}

/// Skips zeros; returns whether anything else follows. Zeros before another member are damage, which its header
/// shows.
fn pass_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = source.fill_buf()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        if bytes.is_empty() || zeros < bytes.len() {
            return Ok(!bytes.is_empty());
        }
        source.consume(zeros);
    }
}

//! Documents as a UCI bag of words.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;

use crate::progress::Progress;
use crate::synth::corpus::KnownCorpus;
use crate::synth::error::{Result, SynthError, writing};
use crate::synth::files::{Compression, CorpusSize};

/// Documents between two progress reports.
const DOCUMENTS_PER_STEP: u64 = 1024;
/// Compression level of gzip: a third of the time of the default 6, for files a tenth larger.
const GZIP_LEVEL: u32 = 3;

/// Draws the corpus into `body`, then writes header and body into `file`. The header contains the
/// number of triples, which is known only after the last document.
///
/// # Errors
/// [`SynthError::Write`]; [`SynthError::Cancelled`].
pub(super) fn write_documents(
    corpus: KnownCorpus,
    file: &Path,
    body: &Path,
    compression: Compression,
    progress: &dyn Progress,
) -> Result<CorpusSize> {
    let words = corpus.words.len();
    let documents = corpus.documents;
    let drawn = File::create(body).map_err(writing(body))?;
    let counts = match compression {
        Compression::Plain => draw(corpus, BufWriter::new(drawn), progress, body)?.0,
        Compression::Gzip => {
            let level = flate2::Compression::new(GZIP_LEVEL);
            let encoder = BufWriter::new(GzEncoder::new(BufWriter::new(drawn), level));
            let (counts, encoder) = draw(corpus, encoder, progress, body)?;
            let end = || encoder.into_inner()?.finish()?.flush();
            end().map_err(writing(body))?;
            counts
        }
    };
    let header = format!("{documents}\n{words}\n{}\n", counts.nonzeros);
    join(header.as_bytes(), file, body, compression).map_err(writing(file))?;
    Ok(counts)
}

/// Writes header and body one after the other: gzip files can be concatenated.
fn join(header: &[u8], file: &Path, body: &Path, compression: Compression) -> io::Result<()> {
    let mut out = File::create(file)?;
    match compression {
        Compression::Plain => out.write_all(header)?,
        Compression::Gzip => {
            let mut encoder = GzEncoder::new(&mut out, flate2::Compression::new(GZIP_LEVEL));
            encoder.write_all(header)?;
            encoder.finish()?;
        }
    }
    io::copy(&mut BufReader::new(File::open(body)?), &mut out)?;
    out.flush()
}

/// Writes a line `document word count` for every nonzero, numbered from 1.
fn draw<W: Write>(
    corpus: KnownCorpus,
    mut out: W,
    progress: &dyn Progress,
    path: &Path,
) -> Result<(CorpusSize, W)> {
    let mut counts = CorpusSize { documents: 0, tokens: 0, nonzeros: 0 };
    let mut line = Vec::new();
    progress.begin("documents", corpus.documents, "");
    corpus.draw(|document| {
        counts.documents += 1;
        if counts.documents.is_multiple_of(DOCUMENTS_PER_STEP) {
            progress.step(counts.documents, None);
            if progress.cancelled() {
                return Err(SynthError::Cancelled);
            }
        }
        for &(word, count) in document {
            counts.nonzeros += 1;
            counts.tokens += u64::from(count);
            line.clear();
            push_number(&mut line, counts.documents, b' ');
            push_number(&mut line, u64::from(word) + 1, b' ');
            push_number(&mut line, u64::from(count), b'\n');
            out.write_all(&line).map_err(writing(path))?;
        }
        Ok(())
    })?;
    out.flush().map_err(writing(path))?;
    Ok((counts, out))
}

/// Appends `number` in decimal, then `end`. Five times as fast as formatting.
fn push_number(line: &mut Vec<u8>, mut number: u64, end: u8) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[at..]);
    line.push(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_decimal() {
        for number in [0, 7, 10, 4_294_967_296, u64::MAX] {
            let mut line = b"x".to_vec();
            push_number(&mut line, number, b'|');
            assert_eq!(line, format!("x{number}|").into_bytes());
        }
    }
}

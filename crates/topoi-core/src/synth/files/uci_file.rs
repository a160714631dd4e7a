//! Documents as a UCI bag of words.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;

use crate::progress::Progress;
use crate::synth::corpus::KnownCorpus;
use crate::synth::error::{Result, SynthError, writing};
use crate::synth::files::{Counts, Packing};

/// Documents between two looks at the progress.
const STEP: u64 = 1024;
/// gzip's level: a third of the time of the usual 6, for files a tenth larger.
const LEVEL: u32 = 3;

/// Draws the corpus into `body`, then writes header and body into `file`. The header has the number
/// of triples, which is known only after the last document.
///
/// # Errors
/// When a file cannot be written, or the work was told to stop.
pub(super) fn write_documents(
    corpus: KnownCorpus,
    file: &Path,
    body: &Path,
    packing: Packing,
    progress: &dyn Progress,
) -> Result<Counts> {
    let words = corpus.words.len();
    let documents = corpus.documents;
    let drawn = File::create(body).map_err(writing(body))?;
    let counts = match packing {
        Packing::Plain => draw(corpus, BufWriter::new(drawn), progress, body)?.0,
        Packing::Gzip => {
            let level = flate2::Compression::new(LEVEL);
            let encoder = BufWriter::new(GzEncoder::new(BufWriter::new(drawn), level));
            let (counts, encoder) = draw(corpus, encoder, progress, body)?;
            let end = || encoder.into_inner()?.finish()?.flush();
            end().map_err(writing(body))?;
            counts
        }
    };
    let header = format!("{documents}\n{words}\n{}\n", counts.nonzeros);
    join(header.as_bytes(), file, body, packing).map_err(writing(file))?;
    Ok(counts)
}

/// Header and body, one after the other: gzip files can be joined like plain ones.
fn join(header: &[u8], file: &Path, body: &Path, packing: Packing) -> io::Result<()> {
    let mut out = File::create(file)?;
    match packing {
        Packing::Plain => out.write_all(header)?,
        Packing::Gzip => {
            let mut encoder = GzEncoder::new(&mut out, flate2::Compression::new(LEVEL));
            encoder.write_all(header)?;
            encoder.finish()?;
        }
    }
    io::copy(&mut BufReader::new(File::open(body)?), &mut out)?;
    out.flush()
}

/// A line `document word count` for every nonzero, numbered from 1.
fn draw<W: Write>(
    corpus: KnownCorpus,
    mut out: W,
    progress: &dyn Progress,
    path: &Path,
) -> Result<(Counts, W)> {
    let mut counts = Counts { documents: 0, tokens: 0, nonzeros: 0 };
    let mut line = Vec::new();
    progress.begin("documents", corpus.documents, "");
    corpus.draw(|document| {
        counts.documents += 1;
        if counts.documents.is_multiple_of(STEP) {
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

/// Appends `number` in decimal, and `end`: five times as fast as formatting.
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

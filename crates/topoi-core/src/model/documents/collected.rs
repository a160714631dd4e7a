//! Collects θ of the documents of all parts of a corpus.

use std::io::Read;

use crate::formula::packed_documents::PackedDocuments;
use crate::spilled::SpillError;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// Bytes that a part sends at a time: what part 0 needs of memory, however many documents there are.
const BYTES_AT_A_TIME: u64 = 32 << 20;

/// The documents of all parts, in the order of the parts, on part 0; empty on the others. Sends the packed bytes, piece by
/// piece, which part 0 writes to files as they come.
///
/// # Errors
/// On all parts: `StreamError::Exchange` when another part cannot be reached; `StreamError::Spilled` or
/// `StreamError::Part` when the disk of one is full.
pub fn collect_documents(
    own: PackedDocuments,
    of: &Documents<'_>,
) -> Result<PackedDocuments, StreamError> {
    collect_in_pieces(own, of, BYTES_AT_A_TIME)
}

fn collect_in_pieces(
    own: PackedDocuments,
    of: &Documents<'_>,
    most: u64,
) -> Result<PackedDocuments, StreamError> {
    let number = of.parts().number();
    if of.parts().count() == 1 {
        return Ok(own);
    }
    let lengths = of.share_numbers(&own.streams().map(|stream| stream.len() as f64))?;
    let (mut all, sent) = match number {
        0 => (own, PackedDocuments::default()),
        _ => (PackedDocuments::default(), own),
    };
    let mut readers = sent.streams().map(|stream| stream.reader());
    let mut written: Result<(), SpillError> = Ok(());
    for (part, lengths) in lengths.iter().enumerate().skip(1) {
        for (stream, &length) in lengths.iter().enumerate() {
            let mut left = length as u64;
            while left > 0 {
                let now = left.min(most);
                let mut piece = vec![0; if part == number { now as usize } else { 0 }];
                let read = readers[stream].read_exact(&mut piece);
                let read = read.map_err(|error| sent.streams()[stream].error(error));
                of.agree(written.and(read).map_err(StreamError::from))?;
                let pieces = of.parts().collect(piece)?;
                written = pieces
                    .iter()
                    .skip(1)
                    .try_for_each(|piece| all.streams_mut()[stream].push(piece));
                left -= now;
            }
        }
    }
    of.agree(written.map_err(StreamError::from))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::packed_documents::PackedDocument;
    use crate::progress::Silent;
    use crate::stream::in_threads::in_parts;
    use crate::stream::memory::MatrixSource;

    fn documents(range: std::ops::Range<i64>, directory: &std::path::Path) -> PackedDocuments {
        let mut all = PackedDocuments::new_in(directory);
        for id in range {
            let share = 1.0 / (1.0 + id as f64);
            let document = PackedDocument::new(id, &[share, 1.0 - share], &[0.1, 0.1]);
            all.push(&document).expect("written");
        }
        all
    }

    fn read(of: &PackedDocuments) -> Vec<(i64, Vec<u64>, String)> {
        let mut all = Vec::new();
        of.each_large(|id, _, shares| {
            all.push((id, shares.iter().map(|share| share.to_bits()).collect(), String::new()));
        })
        .expect("read");
        let mut texts = all.iter_mut();
        of.each_text(|id, text| {
            let row = texts.next().expect("as many");
            assert_eq!(row.0, id);
            row.2 = text.into();
            Ok::<_, SpillError>(())
        })
        .expect("read");
        all
    }

    fn collected(
        own: impl Fn(usize) -> PackedDocuments + Sync,
        most: u64,
    ) -> Vec<Result<PackedDocuments, StreamError>> {
        let source = MatrixSource::new(sprs::CsMat::<u32>::zero((1, 2)), 1);
        in_parts(3, |parts| {
            let of = Documents::new(&source, &[0, 1], 2, &Silent).with_parts(parts);
            collect_in_pieces(own(parts.number()), &of, most)
        })
    }

    #[test]
    fn part_0_gets_all_documents_in_order_whatever_the_pieces() {
        let here = std::env::temp_dir();
        let expected = read(&documents(0..70, &here));
        // The second part has none.
        let ranges = [0..30, 30..30, 30..70];
        for most in [1, 7, 100, BYTES_AT_A_TIME] {
            let all = collected(|number| documents(ranges[number].clone(), &here), most);
            let all: Vec<_> = all.into_iter().map(|part| read(&part.expect("collected"))).collect();
            assert_eq!(all, [expected.clone(), Vec::new(), Vec::new()], "{most} bytes at a time");
        }
    }
}

//! A zip file of one entry, as browsers unpack it.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// The date of every entry, 1980-01-01, the first there can be: the same content gives the same
/// bytes.
const DATE: u16 = 0x21;
/// The version of the format that has deflated entries.
const VERSION: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const DEFLATED: u16 = 8;

/// A zip file that is being written, in memory.
pub(crate) struct Zip {
    name: &'static str,
    checksum: Crc,
    length: u64,
    deflated: DeflateEncoder<Vec<u8>>,
}

impl Zip {
    /// A zip file with an entry `name`.
    pub(crate) fn of(name: &'static str) -> Self {
        let deflated = DeflateEncoder::new(Vec::new(), Compression::default());
        Self { name, checksum: Crc::new(), length: 0, deflated }
    }

    /// Adds to the entry.
    pub(crate) fn write(&mut self, content: impl AsRef<[u8]>) {
        let content = content.as_ref();
        self.checksum.update(content);
        self.length += content.len() as u64;
        // Writing to memory does not fail.
        let _ = self.deflated.write_all(content);
    }

    /// The file's bytes; `None` where the entry is longer than the format's 32 bits say.
    ///
    /// # Source
    /// PKWARE's APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        let content = self.deflated.finish().unwrap_or_default();
        let (packed, length) =
            (u32::try_from(content.len()).ok()?, u32::try_from(self.length).ok()?);
        let entry = entry(self.name, self.checksum.sum(), packed, length);
        let mut file = b"PK\x03\x04".to_vec();
        file.extend(&entry);
        file.extend(self.name.as_bytes());
        file.extend(&content);
        let directory = u32::try_from(file.len()).ok()?;
        file.extend(b"PK\x01\x02");
        file.extend(VERSION.to_le_bytes());
        file.extend(&entry);
        // No comment, disk 0, no attributes, the entry at 0.
        file.extend([0; 14]);
        file.extend(self.name.as_bytes());
        let end = u32::try_from(file.len()).ok()?;
        file.extend(b"PK\x05\x06\0\0\0\0");
        file.extend([1u16, 1].iter().flat_map(|count| count.to_le_bytes()));
        file.extend((end - directory).to_le_bytes());
        file.extend(directory.to_le_bytes());
        file.extend([0; 2]);
        Some(file)
    }
}

/// What the local header and the directory both say of an entry.
fn entry(name: &str, checksum: u32, packed: u32, length: u32) -> Vec<u8> {
    let words = |words: &[u16]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let mut entry = words(&[VERSION, FLAGS, DEFLATED, 0, DATE]);
    entry.extend([checksum, packed, length].iter().flat_map(|number| number.to_le_bytes()));
    entry.extend(words(&[name.len() as u16, 0]));
    entry
}

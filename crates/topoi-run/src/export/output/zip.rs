//! A zip file with one entry, for dfr-browser.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip file that is being written in memory; `None` once its entry exceeds 32-bit lengths, as the browser's decoder does
/// not support zip64.
pub(crate) struct Zip(Option<ZipWriter<Cursor<Vec<u8>>>>);

impl Zip {
    /// A zip file with an entry `name`, dated 1980-01-01 so that the same content gives the same bytes.
    pub(crate) fn new(name: &str) -> Self {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        Self(writer.start_file(name, options).ok().map(|()| writer))
    }

    /// Appends to the entry.
    pub(crate) fn write(&mut self, content: impl AsRef<[u8]>) {
        let written = self.0.as_mut().map(|writer| writer.write_all(content.as_ref()));
        if !matches!(written, Some(Ok(()))) {
            self.0 = None;
        }
    }

    /// The bytes of the file; `None` if the entry is too long.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        Some(self.0?.finish().ok()?.into_inner())
    }
}

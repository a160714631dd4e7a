//! How far an ingest is, for whoever shows it.

/// Hears how an ingest goes on. Called from the thread that called
/// [`ingest`](super::work::ingest), some ten to a few hundred times a second.
pub trait IngestProgress {
    /// A source is begun: its name and, where it is a regular file, its size in bytes.
    fn source(&self, name: &str, bytes: Option<u64>);

    /// How far the present source is: bytes of it read (as stored, so compressed ones of a
    /// compressed file), documents and nonzeros taken from it.
    fn advanced(&self, bytes: u64, documents: u64, nonzeros: u64);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl IngestProgress for NoProgress {
    fn source(&self, _name: &str, _bytes: Option<u64>) {}
    fn advanced(&self, _bytes: u64, _documents: u64, _nonzeros: u64) {}
}

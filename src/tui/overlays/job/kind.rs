//! The kinds of jobs.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Ingest,
    Delete,
    Export,
    Figure,
    HeldOut,
}

impl JobKind {
    pub fn title(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Delete => "deleting a corpus",
            Self::Export => "export",
            Self::Figure => "figure",
            Self::HeldOut => "held-out",
        }
    }

    /// What the job does, for the user.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Ingest => "Adds documents to a corpus. What is there already is skipped.",
            Self::Delete => "Deletes a corpus with its documents, runs and topics.",
            Self::Export => "Writes a run as files for other tools.",
            Self::Figure => "Draws a figure of a run, as `topoi plot` does.",
            Self::HeldOut => {
                "Makes runs like this one on some documents and scores them by the others."
            }
        }
    }
}

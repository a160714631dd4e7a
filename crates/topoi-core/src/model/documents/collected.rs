//! Collects θ of the documents of all parts of a corpus.

use crate::formula::packed_documents::PackedDocuments;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// The documents of all parts, in the order of the parts, on part 0; empty on the others. Sends the
/// packed bytes.
///
/// # Errors
/// `StreamError::Exchange` when another part cannot be reached; `StreamError::Spilled` when the
/// disk is full.
pub fn collect_documents(
    own: PackedDocuments,
    of: &Documents<'_>,
) -> Result<PackedDocuments, StreamError> {
    if of.parts().count() == 1 {
        return Ok(own);
    }
    let mut all = PackedDocuments::new_in(&of.scratch());
    for part in of.parts().collect(own.to_bytes()?)? {
        all.append_bytes(&part)?;
    }
    Ok(all)
}

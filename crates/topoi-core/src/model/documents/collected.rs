//! θ of the documents of all parts of a corpus, brought together.

use crate::formula::packed_documents::PackedDocuments;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// The documents of all parts in the order of the parts, on part 0; none on the others. What travels is what is
/// held.
///
/// # Errors
/// When the other parts cannot be reached, or there is no space for the documents.
pub fn collected(own: PackedDocuments, of: &Documents<'_>) -> Result<PackedDocuments, StreamError> {
    if of.parts().count() == 1 {
        return Ok(own);
    }
    let mut all = PackedDocuments::in_directory(&of.scratch());
    for part in of.parts().collect(own.to_bytes()?)? {
        all.append_bytes(&part)?;
    }
    Ok(all)
}

//! A file of plain text, which is one document.

use super::{File, FileDocument, document_per_file};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::definition::FormatDef;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "text",
    help: "a document a file of plain text, also of markup as it is",
    ..document_per_file(read)
};

pub(super) fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let (decoder, place) = (file.decoder, file.place);
    let of_file = |mistake: Mistake| Mistake {
        place: InputLocation { line: 0, ..mistake.place.clone() },
        ..mistake
    };
    let bytes = file.source.read_rest().map_err(of_file)?;
    Ok(FileDocument::new(decoder.decode(bytes, place)?.into_owned()))
}

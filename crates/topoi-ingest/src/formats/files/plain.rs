//! A file of plain text, which is a document as it is.

use super::{File, Whole, of_files};
use crate::error::{Mistake, Place, Reading};
use crate::formats::FormatDef;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "text",
    help: "a document a file of plain text, also of markup as it is",
    ..of_files(read)
};

pub(super) fn read(mut file: File<'_>) -> Reading<Whole> {
    let (decoder, place) = (file.decoder, file.place);
    let of_file =
        |mistake: Mistake| Mistake { place: Place { line: 0, ..mistake.place.clone() }, ..mistake };
    let bytes = file.source.read_rest().map_err(of_file)?;
    Ok(Whole::new(decoder.decode(bytes, place)?.into_owned()))
}

//! Identifies files that are not text by their first bytes, with advice on converting them.

use std::path::Path;

use crate::error::{InputLocation, Mistake};
use crate::source::{Source, plain_name};

const PICTURE: &str = "recognise the letters in it with a program such as tesseract, or leave it out (--on-error skip)";
const SOUND: &str = "have it transcribed first, or leave it out (--on-error skip)";
const UNPACK: &str = "unpack it and give the files in it";
const TABLE: &str = "write its table as CSV first";
const PROGRAM: &str = "leave it out (--on-error skip)";
const OFFICE: &str = "convert it, for example with `soffice --headless --convert-to docx FILE`";
const WORKBOOK: &str = "convert it, for example with `soffice --headless --convert-to xlsx FILE`";
const SLIDES: &str = "convert it, for example with `soffice --headless --convert-to pdf FILE`";
const COLUMNS: &str = "build topoi with `--features parquet`, which reads it, or convert it, for example with DuckDB: COPY (FROM 'FILE') TO 'FILE.csv'";
const FEATHER: &str = "write it as Feather 2 or CSV";

/// (offset, bytes, kind of file, remedy)
type Sign = (usize, &'static [u8], &'static str, &'static str);

static SIGNS: [Sign; 41] = [
    (0, b"\x89PNG\r\n", "a PNG picture", PICTURE),
    (0, b"\xff\xd8\xff", "a JPEG picture", PICTURE),
    (0, b"GIF87a", "a GIF picture", PICTURE),
    (0, b"GIF89a", "a GIF picture", PICTURE),
    (0, b"II*\0", "a TIFF picture", PICTURE),
    (0, b"MM\0*", "a TIFF picture", PICTURE),
    (8, b"WEBP", "a WebP picture", PICTURE),
    (4, b"ftypheic", "a HEIC picture", PICTURE),
    (0, b"AT&TFORM", "a DjVu file", "convert it with `djvutxt FILE FILE.txt`"),
    (
        0,
        b"{\\rtf",
        "an RTF file",
        "convert it, for example with `pandoc FILE -t plain -o FILE.txt`",
    ),
    (0, b"%!PS", "a PostScript file", "convert it with `ps2pdf FILE`"),
    (
        60,
        b"BOOKMOBI",
        "a Kindle book (MOBI)",
        "convert it with Calibre: `ebook-convert FILE FILE.epub`",
    ),
    (
        0,
        b"ITOLITLS",
        "a Microsoft Reader book",
        "convert it with Calibre: `ebook-convert FILE FILE.epub`",
    ),
    (0, b"\x1f\x8b", "a gzip file within a compressed file", UNPACK),
    (0, b"BZh", "a bzip2 file", "unpack it with `bunzip2 FILE`"),
    (0, b"\xfd7zXZ\0", "an xz file", "unpack it with `unxz FILE`"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (0, b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (257, b"ustar", "a tar archive", "unpack it with `tar -xf FILE` and give the folder"),
    (
        0,
        b"SQLite format 3\0",
        "a SQLite database",
        "write a table as CSV: `sqlite3 -csv -header FILE 'SELECT …' > FILE.csv`",
    ),
    (0, b"PAR1", "a Parquet file", COLUMNS),
    (0, b"ARROW1\0\0", "an Arrow file", COLUMNS),
    (0, b"FEA1", "a Feather file of version 1", FEATHER),
    (0, b"\x89HDF\r\n", "an HDF5 file", TABLE),
    (0, b"\x93NUMPY", "a NumPy array", TABLE),
    (0, b"RDX", "an R data file", TABLE),
    (0, b"RDA", "an R data file", TABLE),
    (0, b"\x80\x04\x95", "a Python pickle", TABLE),
    (0, b"\x80\x05\x95", "a Python pickle", TABLE),
    (0, b"ID3", "an MP3 sound", SOUND),
    (0, b"OggS", "an Ogg sound", SOUND),
    (0, b"fLaC", "a FLAC sound", SOUND),
    (8, b"WAVE", "a WAV sound", SOUND),
    (4, b"ftyp", "an MP4 film or sound", SOUND),
    (0, b"\x1a\x45\xdf\xa3", "a Matroska film", SOUND),
    (8, b"AVI ", "an AVI film", SOUND),
    (0, b"\x7fELF", "a program", PROGRAM),
    (0, b"\xca\xfe\xba\xbe", "a program", PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", "a program", PROGRAM),
    (0, b"\0asm", "a program", PROGRAM),
    (0, b"wOF", "a font", PROGRAM),
];

/// (extension, kind of file, remedy) of text that is not for readers.
static ENDINGS: [(&str, &str, &str); 10] = [
    ("css", "a style sheet", "leave it out, or read it as it is with --format text"),
    ("js", "a script", "leave it out, or read it as it is with --format text"),
    ("json", "JSON", "make it an object a line with `jq -c '.[]' FILE > FILE.jsonl`"),
    ("svg", "a drawing", "leave it out, or read it with --format xml"),
    ("exe", "a program", PROGRAM),
    ("xls", "an Excel workbook of before 2007", WORKBOOK),
    ("xlsb", "a binary Excel workbook", WORKBOOK),
    ("doc", "a Word document of before 2007", OFFICE),
    ("ppt", "slides of PowerPoint", SLIDES),
    ("pptx", "slides of PowerPoint", SLIDES),
];

/// The kind of a file that is not text, and the remedy.
fn identify(head: &[u8], name: &str) -> Option<(&'static str, &'static str)> {
    let name = plain_name(name).to_ascii_lowercase();
    let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let by_name =
        ENDINGS.iter().find(|(of, ..)| *of == ending).map(|&(_, what, remedy)| (what, remedy));
    if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        let office = "an Office file of before 2007, or one with a password";
        return Some(by_name.unwrap_or((office, OFFICE)));
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Some(by_name.unwrap_or(("a ZIP archive", UNPACK)));
    }
    let has =
        |&&(at, bytes, ..): &&Sign| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
    let sign = SIGNS.iter().find(has).map(|&(_, _, what, remedy)| (what, remedy));
    let is_wide = || crate::source::encoding::Encoding::detect_utf16(head).is_some();
    let is_text = || !has_control_characters(head) || is_wide();
    let unknown = (
        "not text, but bytes of an unknown kind",
        "leave it out (--on-error skip), or say how it is encoded with --encoding",
    );
    sign.or(by_name).or_else(|| (!is_text()).then_some(unknown))
}

/// Whether there are more control characters than stray ones in a text.
fn has_control_characters(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| {
        **byte < b' ' && !byte.is_ascii_whitespace() && **byte != 0x1b && **byte != 0x0b
    };
    let controls = head.iter().filter(is_control).count();
    controls >= 8 && controls * 20 > head.len()
}

/// The error for a source that is not text.
pub(crate) fn refusal(source: &Source) -> Option<Mistake> {
    let (what, remedy) = identify(source.head(), source.name())?;
    let place = InputLocation { file: source.name().into(), line: 0 };
    let problem = if what.starts_with("not") {
        what.to_string()
    } else {
        format!("{what}, which is not read as text")
    };
    Some(Mistake::source(place, problem, remedy).undecodable())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(head: &[u8], name: &str) -> Option<&'static str> {
        identify(head, name).map(|(what, _)| what)
    }

    #[test]
    fn files_are_named_by_their_first_bytes_and_text_is_not() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.txt"), Some("a PNG picture"));
        assert_eq!(kind(b"PK\x03\x04\x14\0", "a.pptx"), Some("slides of PowerPoint"));
        assert_eq!(kind(b"PK\x03\x04\x14\0", "a.zip"), Some("a ZIP archive"));
        assert_eq!(
            kind(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "a.doc"),
            Some("a Word document of before 2007")
        );
        assert_eq!(kind(b"p {color: red}", "a.css.gz"), Some("a style sheet"));
        assert_eq!(kind(&[1; 64], "a"), Some("not text, but bytes of an unknown kind"));
        let mut tar = vec![b'a'; 300];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(kind(&tar, "a"), Some("a tar archive"));
        for text in [
            "",
            "words",
            "stars\0moons\r\n\r\nkings\r\n\0\0\n",
            "caf\u{e9}\x0c\t\n",
            "BM",
            "MZ words",
        ] {
            assert_eq!(kind(text.as_bytes(), "a.txt"), None, "{text:?}");
        }
        let wide: Vec<u8> = "some words".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(kind(&wide, "a.txt"), None);
    }
}

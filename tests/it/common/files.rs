//! Files of programs for offices and books, made by hand.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

/// A ZIP archive of these parts, the first of which is stored as it is.
pub fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, text)) in parts.iter().enumerate() {
        let method = if number == 0 {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).expect("start");
        writer.write_all(text.as_bytes()).expect("write");
    }
    writer.finish().expect("finish").into_inner()
}

pub const TEI: &str = "<?xml version=\"1.0\"?>\n<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt>\
    <title>Emma</title><author>Jane Austen</author></titleStmt><sourceDesc><date when=\"1815\"/></sourceDesc>\
    </fileDesc></teiHeader>\n<text><body><p>Handsome, clever, and <hi rend=\"it\">rich</hi>.</p></body></text></TEI>\n";

pub fn docx() -> Vec<u8> {
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "word/document.xml",
            "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Quarterly rep</w:t></w:r><w:r><w:t>ort</w:t></w:r></w:p>\
             <w:p><w:r><w:t>Second</w:t><w:tab/><w:t>paragraph</w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>\
             </w:p></w:body></w:document>",
        ),
        (
            "word/footnotes.xml",
            "<w:footnotes><w:footnote><w:p><w:t>A footnote</w:t></w:p></w:footnote></w:footnotes>",
        ),
        (
            "docProps/core.xml",
            "<cp:coreProperties><dc:title>Report</dc:title><dc:creator>Ann Lee</dc:creator>\
             <dcterms:created>2020-05-01T10:00:00Z</dcterms:created></cp:coreProperties>",
        ),
    ])
}

/// A document of Word with this text.
pub fn docx_of(text: &str) -> Vec<u8> {
    let document =
        format!("<w:document><w:body><w:p><w:t>{text}</w:t></w:p></w:body></w:document>");
    archive(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", &document)])
}

/// A book of one page with this text.
pub fn epub_of(text: &str) -> Vec<u8> {
    let package = "<package><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>\
                   <spine><itemref idref=\"a\"/></spine></package>";
    archive(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfile full-path=\"a.opf\"/></container>"),
        ("a.opf", package),
        ("a.xhtml", &format!("<html><body><p>{text}</p></body></html>")),
    ])
}

/// A document of LibreOffice with this text.
pub fn odt_of(text: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:text><text:p>{text}</text:p></office:text></office:body>\
         </office:document-content>"
    );
    archive(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)])
}

/// A PDF of one page with this text, ten words a line, without the table of its objects, which readers make anew.
pub fn pdf_of(text: &str) -> Vec<u8> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lines: String = words.chunks(10).map(|line| format!("({}) ' ", line.join(" "))).collect();
    let content = format!("BT /F 9 Tf 11 TL 20 780 Td {lines} ET");
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
         2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R \
         /Resources <</Font <</F 5 0 R>>>>>> endobj\n\
         4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n\
         5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj\n\
         trailer <</Root 1 0 R>>\n%%EOF\n",
        content.len()
    )
    .into_bytes()
}

pub fn odt() -> Vec<u8> {
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            "<office:document-content><office:body><office:text><text:tracked-changes><text:p>deleted</text:p>\
             </text:tracked-changes><text:h>Minutes</text:h><text:p>The meeting<text:s text:c=\"2\"/>opened.\
             <office:annotation><text:p>a comment</text:p></office:annotation></text:p></office:text></office:body>\
             </office:document-content>",
        ),
        (
            "meta.xml",
            "<office:document-meta><office:meta><dc:title>Board minutes</dc:title>\
             <meta:initial-creator>Bo</meta:initial-creator><meta:creation-date>2019-01-02</meta:creation-date>\
             </office:meta></office:document-meta>",
        ),
    ])
}

pub fn epub() -> Vec<u8> {
    let page = |text: &str| {
        format!("<?xml version='1.0'?><html><head><title/></head><body><p>{text}</p></body></html>")
    };
    archive(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>",
        ),
        (
            "OEBPS/book.opf",
            "<package><metadata><dc:title>Persuasion</dc:title><dc:creator>Jane Austen</dc:creator>\
             <dc:date>1817</dc:date></metadata><manifest>\
             <item id=\"two\" href=\"text/two%20b.xhtml\" media-type=\"application/xhtml+xml\"/>\
             <item id=\"one\" href=\"one.xhtml\" media-type=\"application/xhtml+xml\"/>\
             <item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\
             <item id=\"css\" href=\"a.css\" media-type=\"text/css\"/></manifest>\
             <spine><itemref idref=\"nav\"/><itemref idref=\"one\"/><itemref idref=\"two\"/></spine></package>",
        ),
        ("OEBPS/text/two b.xhtml", &page("second caf&#233;")),
        ("OEBPS/one.xhtml", &page("first")),
        ("OEBPS/nav.xhtml", &page("contents")),
        ("OEBPS/a.css", "p {color: red}"),
    ])
}

/// A workbook of sheets, each with its name and the rows of its XML.
pub fn xlsx(sheets: &[(&str, &str)]) -> Vec<u8> {
    let each = |part: &dyn Fn(usize, &str) -> String| -> String {
        sheets.iter().enumerate().map(|(at, (name, _))| part(at + 1, name)).collect()
    };
    let workbook = format!(
        "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>{}</sheets></workbook>",
        each(&|id, name| format!("<sheet name=\"{name}\" sheetId=\"{id}\" r:id=\"rId{id}\"/>"))
    );
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet";
    let relations = format!(
        "<Relationships>{}</Relationships>",
        each(&|id, _| format!(
            "<Relationship Id=\"rId{id}\" Type=\"{kind}\" Target=\"worksheets/sheet{id}.xml\"/>"
        ))
    );
    let strings = "<sst><si><t>text</t></si><si><t>id</t></si><si><t>year</t></si><si><t>good \"words\",\nof two lines</t></si></sst>";
    let styles =
        "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>";
    let names: Vec<String> =
        (1..=sheets.len()).map(|id| format!("xl/worksheets/sheet{id}.xml")).collect();
    let rows: Vec<String> = sheets
        .iter()
        .map(|(_, rows)| format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"))
        .collect();
    let mut parts = vec![
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", PACKAGE),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/sharedStrings.xml", strings),
        ("xl/styles.xml", styles),
    ];
    parts.extend(names.iter().map(String::as_str).zip(rows.iter().map(String::as_str)));
    archive(&parts)
}

const PACKAGE: &str = "<Relationships><Relationship Id=\"rId1\" Target=\"xl/workbook.xml\" \
    Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\"/></Relationships>";

/// Rows of a workbook.
pub const ROWS: &str = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>1</v></c><c r=\"B1\" t=\"s\"><v>0</v></c><c r=\"C1\" t=\"s\"><v>2</v></c></row>\
    <row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>a</t></is></c><c r=\"B2\" t=\"s\"><v>3</v></c><c r=\"C2\"><v>1999</v></c></row>\
    <row r=\"5\"><c r=\"B5\" t=\"inlineStr\"><is><t>more words</t></is></c><c r=\"C5\" s=\"1\"><v>36526</v></c></row>";

/// A sheet of LibreOffice with this table.
pub fn ods(sheets: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", &content),
    ])
}

/// A table of LibreOffice.
pub const TABLE: &str = "<table:table table:name=\"Texts\"><table:table-row><table:table-cell office:value-type=\"string\"><text:p>text</text:p>\
    </table:table-cell><table:table-cell><text:p>year</text:p></table:table-cell></table:table-row>\
    <table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"2\"/></table:table-row>\
    <table:table-row><table:table-cell><text:p>some words</text:p><text:p>of two lines</text:p><office:annotation><text:p>note</text:p>\
    </office:annotation></table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"1999\"><text:p>1.999,00</text:p>\
    </table:table-cell><table:table-cell table:number-columns-repeated=\"16382\"/></table:table-row>\
    <table:table-row table:number-rows-repeated=\"1048571\"><table:table-cell/></table:table-row></table:table>";

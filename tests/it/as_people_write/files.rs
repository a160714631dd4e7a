//! Office files and books.

use super::{PLAIN, terms};
use crate::common::Home;
use crate::common::files::{archive, docx, odt};

#[test]
fn office_files_have_their_body_where_they_say_and_each_word_once() {
    let body = "<w:document xmlns:w=\"w\"><w:body><w:p><w:moveFrom><w:r><w:t>moved clause</w:t></w:r></w:moveFrom>\
        <w:r><w:t>self</w:t><w:noBreakHyphen/><w:t>made</w:t></w:r></w:p>\
        <w:p><w:moveTo><w:r><w:t>moved clause</w:t></w:r></w:moveTo></w:p>\
        <w:p><w:ruby><w:rt><w:r><w:t>reading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>below</w:t></w:r></w:rubyBase></w:ruby></w:p>\
        </w:body></w:document>";
    let relations = "<Relationships><Relationship Id=\"a\" Type=\"x/officeDocument\" Target=\"/word/document2.xml\"/>\
        <Relationship Id=\"b\" Type=\"x/core-properties\" Target=\"docProps/core.xml\"/></Relationships>";
    let types = ("[Content_Types].xml", "<Types/>");
    let named = archive(&[types, ("_rels/.rels", relations), ("word/document2.xml", body)]);
    let usual = archive(&[types, ("word/document.xml", body)]);
    for file in [named, usual] {
        assert_eq!(terms("a.docx", &file, &PLAIN), "self made moved clause below");
    }
    let content = "<office:document-content><office:body><office:text><text:p><text:ruby><text:ruby-base>below\
        </text:ruby-base><text:ruby-text>reading</text:ruby-text></text:ruby></text:p></office:text></office:body>\
        </office:document-content>";
    let kind = ("mimetype", "application/vnd.oasis.opendocument.text");
    assert_eq!(terms("a.odt", &archive(&[kind, ("content.xml", content)]), &PLAIN), "below");
}

#[test]
fn the_day_a_file_was_made_is_not_the_date_of_its_text() {
    let home = Home::new();
    for (name, content) in [("a.docx", docx()), ("b.odt", odt())] {
        home.succeeds(&["ingest", name, &home.file(name, &content)]);
        let fields = home.json(&["fields", name, "-o", "json"]);
        let names: Vec<&str> = fields
            .as_array()
            .expect("rows")
            .iter()
            .filter_map(|row| row["field"].as_str())
            .collect();
        assert_eq!(names, ["author", "created"], "{name}");
    }
}

#[test]
fn a_book_is_read_without_the_pages_that_are_not_in_it() {
    let page = |text: &str| format!("<html><body><p>{text}</p></body></html>");
    let container =
        "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    let item = |id: &str, path: &str| {
        format!("<item id=\"{id}\" href=\"{path}\" media-type=\"application/xhtml+xml\"/>")
    };
    let book = |pages: [&str; 3]| {
        let items: String = pages.iter().map(|page| item(page, page)).collect();
        let order: String =
            pages.iter().map(|page| format!("<itemref idref=\"{page}\"/>")).collect();
        let package =
            format!("<package><manifest>{items}</manifest><spine>{order}</spine></package>");
        archive(&[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("OEBPS/book.opf", &package),
            ("OEBPS/text/one.xhtml", &page("ships")),
            ("OEBPS/three.xhtml", &page("sea")),
        ])
    };
    let home = Home::new();
    // One is written in other capitals, one is missing.
    let file = home.file("a.epub", &book(["Text/One.XHTML", "two.xhtml", "three.xhtml"]));
    let said = home.said(&["ingest", "c", &file]);
    assert!(said.contains("two.xhtml (not in it)"), "{said}");
    let terms = home.json(&["terms", "c", "-o", "json"]).to_string();
    assert!(terms.contains("ships") && terms.contains("sea"), "{terms}");
    let refused = home.fails(&[
        "ingest",
        "d",
        &home.file("b.epub", &book(["a.xhtml", "b.xhtml", "c.xhtml"])),
    ]);
    assert!(refused.contains("a.xhtml (not in it)"), "{refused}");
}

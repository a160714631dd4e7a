//! Office files and books.

use super::{PLAIN, terms};
use crate::common::files::archive;

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

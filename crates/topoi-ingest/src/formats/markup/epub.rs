//! E-books: the pages of an EPUB, in the order of its spine, are one document. Title, author and date come from
//! its package document.

use std::collections::HashMap;

use super::flow::{Flow, TextGap};
use super::html;
use super::package::Package;
use super::walk::{Element, ElementTexts, Visitor, walk};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "epub",
    help: "e-books",
    endings: &["epub"],
    is_archive: true,
    has_signature: |source| {
        let (head, kind) = (source.head(), b"mimetypeapplication/epub+zip");
        Ok(head.starts_with(b"PK")
            && memchr::memmem::find(&head[..head.len().min(200)], kind).is_some())
    },
    ..document_per_file(read)
};

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let decoder = file.decoder;
    let mut package = Package::open(&mut file, "EPUB")?;
    let mut container = PackageDocument::new();
    package.part("META-INF/container.xml", |part, place| walk(part, place, &mut container))?;
    let Some(opf) = container.root else {
        let problem = "not a sound EPUB file: META-INF/container.xml names no package";
        return Err(Mistake::document(
            file.place.clone(),
            problem,
            "convert it with Calibre's ebook-convert",
        ));
    };
    let mut spine = PackageDocument::new();
    package.part(&opf, |part, place| walk(part, place, &mut spine))?;
    let folder = opf.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut flow = Flow::default();
    let (pages, mut unread) = spine.pages();
    let all = pages.len();
    for page in pages {
        let name = joined(folder, &page);
        if !package.has(&name) {
            unread.push(format!("{page} (not in it)"));
            continue;
        }
        let bytes = package.bytes(&name)?;
        let inside =
            InputLocation { file: format!("{} ({name})", file.place.file).into(), line: 0 };
        flow.gap(TextGap::Paragraph);
        let page = decoder.decode(&bytes, &inside).map_err(|mistake| locked(&package, mistake))?;
        html::Page::default().read_into(&mut flow, &page, true);
        flow.check_length(file.place)?;
    }
    if all > 0 && unread.len() >= all && flow.is_empty() {
        let problem =
            format!("not a sound EPUB file: none of its pages can be read, such as {}", unread[0]);
        let remedy = "copy or download it again, or convert it with Calibre's ebook-convert";
        return Err(Mistake::document(file.place.clone(), problem, remedy));
    }
    let about = spine.about;
    let whole = FileDocument { remark: remark(&unread), ..FileDocument::new(flow.into_text()) };
    Ok(whole
        .with_title(about.first(&["title"]))
        .with_field("author", about.all("creator"))
        .with_field("date", about.first(&["date"])))
}

/// The remark about pages that were not read.
fn remark(unread: &[String]) -> Option<String> {
    const MAX_PAGES: usize = 5;
    let shown = |page: &String| page.replace(char::is_control, " ").chars().take(100).collect();
    let mut pages: Vec<String> = unread.iter().take(MAX_PAGES).map(shown).collect();
    if unread.len() > MAX_PAGES {
        pages.push(format!("{} others", unread.len() - MAX_PAGES));
    }
    let pages = pages.join(", ");
    (!unread.is_empty())
        .then(|| format!("pages that are missing or no text were not read: {pages}"))
}

/// The error of a page that is not text: most often it is encrypted (DRM).
fn locked(package: &Package<'_>, mistake: Mistake) -> Mistake {
    if !package.has("META-INF/encryption.xml") {
        return mistake;
    }
    let problem = "a page that is encrypted, as copy protection (DRM) does";
    Mistake {
        problem: problem.into(),
        remedy: "get the book without it, or leave it out".into(),
        ..mistake
    }
}

/// The content of the package document: the manifest, the reading order, and the metadata.
struct PackageDocument {
    root: Option<String>,
    items: HashMap<String, ManifestItem>,
    order: Vec<String>,
    about: ElementTexts<'static>,
}

impl PackageDocument {
    fn new() -> Self {
        let about = ElementTexts::new(&["title", "creator", "date"]);
        Self { root: None, items: HashMap::new(), order: Vec::new(), about }
    }

    /// Paths of the pages in reading order, and descriptions of the entries that cannot be read.
    fn pages(&self) -> (Vec<String>, Vec<String>) {
        let (mut pages, mut unread) = (Vec::new(), Vec::new());
        for id in &self.order {
            let Some(entry) = self.items.get(id) else {
                unread.push(format!("{id:?}, which the package does not list"));
                continue;
            };
            // An item of an uncommon media type names a fallback.
            let mut shown = Some(entry);
            for _ in 0..MAX_FALLBACKS {
                match shown {
                    Some(entry) if !entry.is_text() => {
                        shown = entry.fallback.as_ref().and_then(|id| self.items.get(id));
                    }
                    _ => break,
                }
            }
            match shown.filter(|entry| entry.is_text()) {
                Some(page) if page.is_contents => {}
                Some(page) => pages.push(page.path.clone()),
                None => unread.push(format!("{} ({})", entry.path, entry.kind)),
            }
        }
        (pages, unread)
    }
}

const MAX_FALLBACKS: usize = 8;

/// An item of the manifest.
struct ManifestItem {
    path: String,
    /// Its media type.
    kind: String,
    fallback: Option<String>,
    /// Whether it is the table of contents.
    is_contents: bool,
}

impl ManifestItem {
    /// Whether it is text, by its media type, or by its name if the type is wrong or missing.
    fn is_text(&self) -> bool {
        let kind = self.kind.to_ascii_lowercase();
        let path = self.path.split(['#', '?']).next().unwrap_or_default().to_ascii_lowercase();
        kind.starts_with("text/")
            || ["html", "dtbook", "xml"].iter().any(|part| kind.contains(part))
            || [".xhtml", ".html", ".htm", ".xht", ".xml", ".txt"]
                .iter()
                .any(|ending| path.ends_with(ending))
    }
}

impl Visitor for PackageDocument {
    fn start(&mut self, element: &Element<'_>) {
        let attribute = |name| element.attribute(name);
        match element.name() {
            "rootfile" if self.root.is_none() => self.root = attribute("full-path"),
            "item" => {
                let kind = attribute("media-type").unwrap_or_default();
                let is_contents = attribute("properties")
                    .is_some_and(|all| all.split(' ').any(|one| one == "nav"));
                if let (Some(id), Some(path)) = (attribute("id"), attribute("href")) {
                    let fallback = attribute("fallback");
                    // The first of two items with the same id is used.
                    self.items.entry(id).or_insert(ManifestItem {
                        path,
                        kind,
                        fallback,
                        is_contents,
                    });
                }
            }
            "itemref" => self.order.extend(attribute("idref")),
            _ => self.about.start(element),
        }
    }

    fn end(&mut self, name: &str) {
        self.about.end(name);
    }

    fn text(&mut self, text: &str) {
        self.about.text(text);
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        self.about.check(place)
    }
}

/// The archive path of an item's URL-encoded address `path` (`a%20b.xhtml`) in a package in `folder`.
fn joined(folder: &str, path: &str) -> String {
    let path = path.split('#').next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| byte == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => (rest, _) = (&after[2..], bytes.push(decoded)),
            None => (rest, _) = (after, bytes.push(byte)),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_pages_are_addresses_within_the_archive() {
        assert_eq!(joined("OEBPS", "text/a%20b.xhtml#top"), "OEBPS/text/a b.xhtml");
        assert_eq!(joined("a/b", "../c.html"), "a/c.html");
        assert_eq!(joined("", "../../c%zz.html"), "c%zz.html");
        assert_eq!(joined("", "100%"), "100%");
    }
}

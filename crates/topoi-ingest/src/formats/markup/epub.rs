//! E-books: the pages of an EPUB in the order of its spine are one document; title, author and date are those of
//! its package.

use std::collections::HashMap;

use super::flow::{Flow, Gap};
use super::html;
use super::package::Package;
use super::walk::{Element, Named, Visitor, walk};
use crate::error::{Mistake, Place, Reading};
use crate::formats::FormatDef;
use crate::formats::files::{File, Whole, of_files};

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
    ..of_files(read)
};

fn read(mut file: File<'_>) -> Reading<Whole> {
    let decoder = file.decoder;
    let mut package = Package::open(&mut file, "EPUB")?;
    let mut container = Spine::new();
    package.part("META-INF/container.xml", |part, place| walk(part, place, &mut container))?;
    let Some(opf) = container.root else {
        let problem = "not a sound EPUB file: META-INF/container.xml names no package";
        return Err(Mistake::document(
            file.place.clone(),
            problem,
            "convert it with Calibre's ebook-convert",
        ));
    };
    let mut spine = Spine::new();
    package.part(&opf, |part, place| walk(part, place, &mut spine))?;
    let folder = opf.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut flow = Flow::default();
    let (pages, unread) = spine.pages();
    for page in pages {
        let name = joined(folder, &page);
        let bytes = package.bytes(&name)?;
        let inside = Place { file: format!("{} ({name})", file.place.file).into(), line: 0 };
        flow.gap(Gap::Paragraph);
        let page = decoder.decode(&bytes, &inside).map_err(|mistake| locked(&package, mistake))?;
        html::Page::default().read_into(&mut flow, &page, true);
        flow.check_length(file.place)?;
    }
    let about = spine.about;
    let whole = Whole { remark: remark(&unread), ..Whole::new(flow.into_text()) };
    Ok(whole
        .titled(about.first(&["title"]))
        .with("author", about.all("creator"))
        .with("date", about.first(&["date"])))
}

/// What there is to say of pages that were not read.
fn remark(unread: &[String]) -> Option<String> {
    const MOST: usize = 5;
    let shown = |page: &String| page.replace(char::is_control, " ").chars().take(100).collect();
    let mut pages: Vec<String> = unread.iter().take(MOST).map(shown).collect();
    if unread.len() > MOST {
        pages.push(format!("{} others", unread.len() - MOST));
    }
    let pages = pages.join(", ");
    (!unread.is_empty()).then(|| format!("pages that are no text were not read: {pages}"))
}

/// What is wrong with a page that is no text: most often that the book is for one reader's device alone.
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

/// What the package says: where its parts are, their order, and what the book is.
struct Spine {
    root: Option<String>,
    items: HashMap<String, Entry>,
    order: Vec<String>,
    about: Named<'static>,
}

impl Spine {
    fn new() -> Self {
        let about = Named::new(&["title", "creator", "date"]);
        Self { root: None, items: HashMap::new(), order: Vec::new(), about }
    }

    /// Paths of the pages in the order they are read in, and what of that order cannot be read.
    fn pages(&self) -> (Vec<String>, Vec<String>) {
        let (mut pages, mut unread) = (Vec::new(), Vec::new());
        for id in &self.order {
            let Some(entry) = self.items.get(id) else {
                unread.push(format!("{id:?}, which the package does not list"));
                continue;
            };
            // What cannot be shown everywhere has something in its place.
            let mut shown = Some(entry);
            for _ in 0..MOST_FALLBACKS {
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

const MOST_FALLBACKS: usize = 8;

/// A part of a book as its package lists it.
struct Entry {
    path: String,
    /// Its media type.
    kind: String,
    fallback: Option<String>,
    /// Whether it is the table of contents.
    is_contents: bool,
}

impl Entry {
    /// Whether it is text, by its media type, or by its name where that is wrong or not there.
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

impl Visitor for Spine {
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
                    // Of two of one id the first counts.
                    self.items.entry(id).or_insert(Entry { path, kind, fallback, is_contents });
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

    fn check(&self, place: &Place) -> Reading<()> {
        self.about.check(place)
    }
}

/// The name in the archive of what a package in `folder` calls `path`, which is an address: `a%20b.xhtml`.
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

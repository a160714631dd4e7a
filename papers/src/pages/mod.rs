//! The pages of the papers: what stands between their markers is made from what was saved.

pub mod changes;
pub mod claims;
pub mod markdown;
pub mod pictures;
pub mod saved;

use std::collections::BTreeMap;
use std::path::Path;

use self::saved::Saved;

/// The pages that have figures, below the top of the repository.
pub const PAGES: &[&str] =
    &["papers/ding.md", "papers/lee2021.md", "papers/cheng2015.md", "papers/factorisation.md"];

/// How a figure's block begins and ends on its page.
fn markers(figure: &str) -> (String, String) {
    (format!("<!-- papers {figure} -->\n"), format!("<!-- end of {figure} -->"))
}

/// Files below `root` as what was saved makes them: the pages with their blocks, and the pictures.
///
/// # Errors
/// When something that was saved has no place on a page, or more than one.
pub fn made(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let all = Saved::all(root)?;
    let mut files = BTreeMap::new();
    for page in PAGES {
        let path = root.join(page);
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        files.insert((*page).to_string(), text);
    }
    for saved in &all {
        let (begin, end) = markers(&saved.figure);
        let mut holds: Vec<&mut String> =
            files.values_mut().filter(|text| text.contains(&begin)).collect();
        let [page] = holds.as_mut_slice() else {
            return Err(format!(
                "{}: {} pages have {:?}; give it a place on one",
                saved.figure,
                holds.len(),
                begin.trim_end()
            ));
        };
        let start = page.find(&begin).unwrap_or_default() + begin.len();
        let Some(length) = page[start..].find(&end) else {
            return Err(format!("{}: its page lacks {end:?}; add it", saved.figure));
        };
        page.replace_range(start..start + length, &format!("\n{}\n", markdown::block(saved)));
        for (at, picture) in saved.pictures.iter().enumerate() {
            let name = format!("papers/figures/{}", markdown::picture_name(saved, at));
            files.insert(name, pictures::svg(picture, &saved.tables));
        }
    }
    files.insert(claims::PAGE.into(), claims::page(&all));
    Ok(files)
}

/// The figures that a page has a place for.
pub fn places(page: &str) -> impl Iterator<Item = &str> {
    let starts = page.match_indices("<!-- papers ");
    starts.filter_map(|(at, start)| page[at + start.len()..].split(" -->").next())
}

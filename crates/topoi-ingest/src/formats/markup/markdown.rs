//! Markdown: its text without markup, link addresses and HTML.
//! Front matter, lines `key: value` between two lines `---`, becomes fields. The title is the field `title` or
//! else the first level-1 heading.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::{Map, Value};

use super::flow::{Flow, TextGap};
use crate::error::Reading;
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "markdown",
    help: "Markdown, with front matter",
    endings: &["md", "markdown", "mkd", "qmd", "rmd"],
    ..document_per_file(read)
};

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let (decoder, place) = (file.decoder, file.place);
    let text = decoder.decode(file.source.read_rest()?, place)?;
    Ok(whole(&text))
}

fn whole(markdown: &str) -> FileDocument {
    let (mut fields, text) = front_matter(markdown);
    let (mut flow, mut title) = (Flow::default(), None::<Flow>);
    let (mut in_title, mut in_code) = (false, false);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => {
                in_title |=
                    title.is_none() && matches!(tag, Tag::Heading { level: HeadingLevel::H1, .. });
                in_code = matches!(tag, Tag::CodeBlock(_));
                flow.gap(gap(&tag.to_end()));
            }
            Event::End(end) => {
                if matches!(end, TagEnd::Heading(_)) {
                    in_title = false;
                }
                in_code = false;
                flow.gap(gap(&end));
            }
            Event::Text(text) if in_code => flow.verbatim(&text),
            Event::Text(text) | Event::Code(text) => {
                flow.words(&text);
                if in_title {
                    title.get_or_insert_default().words(&text);
                }
            }
            Event::SoftBreak => flow.gap(TextGap::Space),
            Event::HardBreak => flow.gap(TextGap::Line),
            Event::Rule => flow.gap(TextGap::Paragraph),
            _ => {}
        }
    }
    let named = fields.remove("title").map(|title| match title {
        Value::String(title) => title,
        other => other.to_string(),
    });
    let title = named.or_else(|| title.and_then(Flow::into_filled));
    FileDocument { fields, ..FileDocument::new(flow.into_text()).with_title(title) }
}

fn gap(end: &TagEnd) -> TextGap {
    match end {
        TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead => TextGap::Line,
        TagEnd::TableCell => TextGap::Space,
        TagEnd::Emphasis
        | TagEnd::Strong
        | TagEnd::Strikethrough
        | TagEnd::Link
        | TagEnd::Image => TextGap::None,
        _ => TextGap::Paragraph,
    }
}

/// The front matter's fields and the text after it. YAML lists and objects are left out.
fn front_matter(text: &str) -> (Map<String, Value>, &str) {
    let mut fields = Map::new();
    let begin = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"));
    let Some(rest) = begin else { return (fields, text) };
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        let bare = line.trim_end();
        if bare == "---" || bare == "..." {
            return (fields, &rest[length..]);
        }
        if let Some((key, value)) = bare.split_once(':')
            && !key.is_empty()
            && !key.starts_with([' ', '\t', '#', '-'])
            && let Some(value) = value_of(value.trim())
        {
            fields.insert(key.trim().into(), value);
        }
    }
    // An unclosed `---` is a horizontal rule.
    (Map::new(), text)
}

fn value_of(value: &str) -> Option<Value> {
    let quoted = |mark: char| value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    if let Some(inner) = quoted('"').or_else(|| quoted('\'')) {
        return Some(inner.into());
    }
    if value.is_empty() || value.starts_with(['[', '{', '|', '>', '&', '*']) {
        return None;
    }
    let number = serde_json::from_str::<Value>(value).ok();
    Some(number.filter(Value::is_number).unwrap_or_else(|| value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_addresses_and_html_are_no_text_and_front_matter_is_fields() {
        let text = "---\ntitle: \"A: day\"\nyear: 1999\nby: Ann Lee\ntags: [a, b]\n---\n\
                    # Head *line*\n\nSome **bold**ness and a [link](https://example.org/x).\nMore `code`\\\n\
                    here<br>now.\n\n* one\n* two\n\n| a | b |\n|---|---|\n| c | d |\n\n```rust\nlet x;\n  y\n```\n";
        let found = whole(text);
        assert_eq!(found.title.as_deref(), Some("A: day"));
        assert_eq!(Value::Object(found.fields).to_string(), r#"{"by":"Ann Lee","year":1999}"#);
        let expected = "Head line\n\nSome boldness and a link. More code\nherenow.\n\none\ntwo\n\na b\nc d\n\nlet x;\n  y\n";
        assert_eq!(found.text, expected);
        assert_eq!(whole("# The *only* one\n\nx").title.as_deref(), Some("The only one"));
    }

    #[test]
    fn a_rule_at_the_top_is_no_front_matter() {
        let found = whole("---\nnot: closed\n\nwords\n");
        assert!(found.fields.is_empty() && found.text.contains("not: closed"), "{}", found.text);
    }
}

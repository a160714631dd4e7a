//! The page of a run: what it has of each topic, its search, and its size.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Home, check_failure};
use crate::export::{exported, home_with_a_run, text};

/// The part of `page` from the first `from` to the next `to`.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let after = page.split_once(from).unwrap_or_else(|| panic!("no {from}: {page}")).1;
    after.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// The sections of the topics by number.
fn sections(page: &str) -> Vec<&str> {
    let sections = page.split("<section class=\"topic\" ").skip(1);
    sections.map(|section| section.split("</section>").next().expect("its end")).collect()
}

/// What each `<tag>` holds.
fn held<'a>(html: &'a str, tag: &str) -> Vec<&'a str> {
    let (begin, end) = (format!("<{tag}>"), format!("</{tag}>"));
    html.split(&begin).skip(1).map(|after| after.split(&end).next().expect("its end")).collect()
}

/// HTML as a reader sees it, in one line.
fn read(html: &str) -> String {
    let texts = html.split('<').enumerate().map(|(number, part)| match number {
        0 => part,
        _ => part.split_once('>').expect("a tag's end").1,
    });
    let text: String = texts.collect();
    let references =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let text = references.iter().fold(text, |text, (from, to)| text.replace(from, to));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the page's script reads.
fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).expect("JSON")
}

/// The documents of a file of the folder, with the run and the number of the file.
fn in_folder(file: &Path) -> Vec<Value> {
    let script = text(file);
    let call = script.strip_prefix("topoiDocuments(").and_then(|call| call.strip_suffix(");\n"));
    serde_json::from_str(&format!("[{}]", call.expect("a call"))).expect("JSON")
}

#[test]
fn each_topic_has_its_words_and_the_passages_of_its_documents_that_have_them() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    let found = sections(&page);
    assert_eq!(found.len(), 8);
    let mut marked = 0;
    for (topic, section) in found.iter().enumerate() {
        assert!(section.starts_with(&format!("id=\"t{topic}\"")), "{section}");
        assert!(page.contains(&format!("<a href=\"#t{topic}\">")));
        let words = between(section, "<ul class=\"words\">", "</ul>");
        let words: BTreeSet<&str> = held(words, "li")
            .iter()
            .map(|item| item.split_once(" <small>").expect("a probability").0)
            .collect();
        assert_eq!(words.len(), 30, "{words:?}");
        let most = format!(
            "SELECT coalesce(title, key) || '|' || text FROM topic_document JOIN document ON \
             document.id = topic_document.document_id JOIN document_text USING (document_id) \
             WHERE run_id = 1 AND topic = {topic} ORDER BY proportion DESC, document_id LIMIT 6"
        );
        let saved = home.json(&["sql", &most, "-o", "json"]);
        let documents = held(between(section, "<ol class=\"documents\">", "</ol>"), "li");
        assert_eq!(documents.len(), 6);
        for (document, saved) in documents.iter().zip(saved.as_array().expect("rows")) {
            let row = saved.as_object().expect("a row").values().next().expect("a column");
            let (title, text) = row.as_str().expect("text").split_once('|').expect("both");
            assert_eq!(read(held(document, "cite")[0]), title);
            let passage = held(document, "blockquote")[0];
            for word in held(passage, "mark") {
                assert!(words.contains(word.to_lowercase().as_str()), "{word}: {words:?}");
                marked += 1;
            }
            let passage = read(passage);
            let length = passage.chars().count();
            assert!((250..=400).contains(&length), "{length}: {passage}");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let inner = passage.trim_start_matches("… ").trim_end_matches(" …");
            assert!(text.contains(inner), "{inner}: {text}");
        }
    }
    // Passages are where the words are.
    assert!(marked > 8 * 6 * 5, "{marked}");
}

#[test]
fn names_are_labels_and_where_there_is_none_proposals_that_say_so() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    let proposed = home.json(&["label", "1", "--propose", "-o", "json"]);
    for (topic, section) in sections(&page).iter().enumerate() {
        let name = held(section, "h3")[0];
        let row = between(&page, &format!("<tr data-topic=\"t{topic}\">"), "</tr>");
        if topic == 3 {
            assert!(read(name).ends_with("3 a \"name\", <b>&") && !name.contains("proposed"));
            assert!(row.contains("a &quot;name&quot;, &lt;b&gt;&amp;</a>"), "{row}");
            continue;
        }
        let Some(phrase) = proposed[topic]["phrases"][0]["phrase"].as_str() else {
            assert!(!name.contains("proposed") && read(name).split(' ').count() == 4, "{name}");
            continue;
        };
        assert_eq!(read(name), format!("{topic} {phrase} proposed"));
        assert!(row.contains("<small class=\"proposed\">proposed</small></a>"), "{row}");
    }
    assert!(page.contains("A name marked as proposed"));
    home.succeeds(&["sql", "--write", "UPDATE topic SET label = 'named ' || topic"]);
    let place = home.path("named.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "html", "-o", &place]);
    assert!(!text(Path::new(&place)).contains(">proposed<"));
}

#[test]
fn without_scripts_the_page_is_whole_and_its_search_is_not_shown() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    assert!(page.contains("<form id=\"search\" role=\"search\" hidden>"));
    let (content, scripts) = page.split_once("<script").expect("scripts at the end");
    assert!(scripts.ends_with("</script>\n</body></html>\n"));
    for heading in ["Shares and neighbours", "Topics by field", "Each topic", "Metrics"] {
        assert!(content.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert_eq!(sections(content).len(), 8);
    // Links to figures by field lead to them.
    for section in sections(content) {
        assert!(section.contains("<a href=\"#by-1\">by subject</a>"), "{section}");
    }
    assert!(content.contains("<div id=\"by-1\"><figure>"));
    // The script has all documents.
    let data = data(&page);
    assert_eq!((&data["count"], &data["parts"]), (&json!(256), &json!(0)));
    let keys = home.json(&["sql", "SELECT key, title FROM document ORDER BY id", "-o", "json"]);
    let keys = keys.as_array().expect("rows").iter().map(|row| [&row["key"], &row["title"]]);
    let documents = data["documents"].as_array().expect("documents").iter();
    assert!(documents.map(|row| [&row[2], &row[3]]).eq(keys));
}

#[test]
fn no_title_or_key_of_a_document_ends_the_script_or_becomes_markup() {
    let home = Home::new();
    let titles = ["</script><b>bold", "<&\"'> \u{202e}", "<!--<script>", "Ünïcode 日本"];
    let line = |number: usize| {
        let title = titles[number % titles.len()];
        let words = ["apple pear plum", "sun moon star", "boat sail mast"][number % 3];
        json!({ "id": format!("<i>{number}&"), "title": title, "text": format!("{words} </p>").repeat(5) })
            .to_string()
    };
    let lines: Vec<String> = (0..60).map(line).collect();
    let file = home.file("hostile.jsonl", lines.join("\n").as_bytes());
    home.succeeds(&["ingest", "hostile", &file]);
    home.succeeds(&["run", "hostile", "-k", "3", "--model", "rp", "--min-documents", "1"]);
    let page = text(&exported(&home, "html"));
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
    for markup in ["<b>", "<!--", "<i>", "</p> ", "\u{202e}"] {
        assert!(!page.contains(markup), "{markup}");
    }
    let data = data(&page);
    for (number, row) in data["documents"].as_array().expect("documents").iter().enumerate() {
        assert_eq!(row[2], format!("<i>{number}&"));
        let title = titles[number % titles.len()].replace('\u{202e}', " ");
        assert_eq!(row[3], title.trim());
    }
    assert!(page.contains("<cite>&lt;/script&gt;&lt;b&gt;bold</cite>"), "{page}");
}

#[test]
fn of_counts_there_are_titles_and_keys_and_without_documents_neither() {
    let home = Home::new();
    home.counts_topics();
    let page = text(&exported(&home, "html"));
    let lists: Vec<_> = sections(&page).iter().map(|of| held(of, "cite").len()).collect();
    assert_eq!(lists, [6, 6, 6]);
    assert!(!page.contains("<blockquote") && !page.contains(">proposed<"));
    // Names are the words that figures show.
    let name = read(held(sections(&page)[0], "h3")[0]);
    assert_eq!(name.split(' ').count(), 4, "{name}");
    home.succeeds(&["run", "separable", "-k", "3", "--model", "rp", "--no-documents"]);
    let place = home.path("alone.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "2", "--to", "html", "-o", &place]);
    let page = text(Path::new(&place));
    assert!(sections(&page).iter().all(|section| !section.contains("<ol")));
    assert_eq!(data(&page)["documents"], json!([]));
}

#[test]
fn what_few_look_for_is_folded_away() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    // Settings by name, not as JSON, and of the metrics few at first.
    assert!(page.contains("<td>min_tokens</td>") && !page.contains("&quot;min_tokens"), "{page}");
    let metrics = between(&page, "<h2>Metrics</h2>", "<script");
    let (first, others) = metrics.split_once("<details>").expect("folded");
    let rows = |html: &str| html.matches("<tr><td>").count();
    assert!((2..8).contains(&rows(first)) && rows(others) > 10, "{metrics}");
}

/// A home with a run of three topics on this number of documents with titles of 60 letters.
fn home_of_documents(count: usize) -> Home {
    let home = Home::new();
    let words = ["apple pear plum fig", "sun moon star comet", "boat sail mast anchor"];
    let line = |number: usize| {
        let title = format!("The {number}th report of the commission on harbours and their use");
        let (text, desk) = (words[number % 3].repeat(2), number % 7);
        json!({ "id": format!("reports/{number:06}"), "title": title, "text": text, "desk": desk })
            .to_string()
    };
    let lines: Vec<String> = (0..count).map(line).collect();
    let file = home.file("reports.jsonl", lines.join("\n").as_bytes());
    home.succeeds(&["ingest", "reports", &file]);
    home.succeeds(&["run", "reports", "-k", "3", "--model", "rp"]);
    home
}

const MAX_PAGE: usize = 2_000_000;

#[test]
fn ten_thousand_documents_are_in_the_page_and_the_same_run_is_the_same_bytes() {
    let home = home_of_documents(10_000);
    let page = text(&exported(&home, "html"));
    assert!(page.len() < MAX_PAGE && !home.path("out-html_files").exists(), "{}", page.len());
    assert_eq!(data(&page)["documents"].as_array().map(Vec::len), Some(10_000));
    let again = home.path("again.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "html", "-o", &again]);
    assert!(page == text(Path::new(&again)));
}

#[test]
fn more_documents_than_the_page_has_room_for_are_in_a_folder_beside_it() {
    let home = home_of_documents(45_000);
    let place = home.path("a page.html");
    let named = place.to_string_lossy().into_owned();
    let export = |more: &[&str]| {
        let arguments = ["export", "1", "--to", "html", "-o", &named];
        home.command(&[&arguments[..], more].concat()).output().expect("run")
    };
    // A folder of this name that no export made.
    fs::create_dir(home.path("a page_files")).expect("a folder");
    home.file("a page_files/mine.txt", b"mine");
    check_failure(&export(&[]), "a folder that no export made");
    assert!(!place.exists());
    fs::remove_dir_all(home.path("a page_files")).expect("remove");
    assert!(export(&[]).status.success());
    let page = text(&place);
    assert!(page.len() <= MAX_PAGE && page.len() > MAX_PAGE - 10_000, "{}", page.len());
    let data = data(&page);
    let parts = data["parts"].as_u64().expect("a number");
    assert_eq!((&data["folder"], &data["count"]), (&json!("a%20page_files"), &json!(45_000)));
    let mut keys: Vec<Value> = Vec::new();
    let mut add = |rows: &Value| {
        keys.extend(rows.as_array().expect("rows").iter().map(|row| row[2].clone()));
    };
    add(&data["documents"]);
    for number in 1..=parts {
        let file = home.path(&format!("a page_files/documents-{number}.js"));
        assert!(fs::metadata(&file).expect("a file").len() < 1_100_000);
        let call = in_folder(&file);
        assert_eq!((&call[0], &call[1]), (&data["run"], &json!(number)));
        add(&call[2]);
    }
    assert!(keys.into_iter().eq((0..45_000).map(|number| json!(format!("reports/{number:06}")))));
    // Standard output is one file.
    let whole = home.succeeds(&["export", "1", "--to", "html", "-o", "-"]);
    let whole = self::data(&whole);
    assert_eq!(whole["documents"].as_array().map(Vec::len), Some(45_000));
    // Nothing is replaced but by --force, and a page that needs no folder leaves none of an earlier one.
    check_failure(&export(&[]), "is there already");
    assert!(export(&["--force"]).status.success());
    assert_eq!(text(&place), page);
    let few = home.file(
        "few.jsonl",
        b"{\"text\": \"apple pear\"}\n{\"text\": \"boat sail\"}\n{\"text\": \"sun moon\"}",
    );
    home.succeeds(&["ingest", "few", &few]);
    home.succeeds(&["run", "few", "-k", "2", "--model", "rp", "--min-tokens", "1"]);
    home.succeeds(&["export", "2", "--to", "html", "-o", &named, "--force"]);
    assert!(!home.path("a page_files").exists());
}

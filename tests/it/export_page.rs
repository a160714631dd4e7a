//! What the page of a run has beside its topics.

use std::path::Path;

use crate::export::{exported, home_with_a_run, text};

#[test]
fn the_page_has_documents_of_each_topic_and_what_few_look_for_folded_away() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    let section = |name: &str| {
        let after = page.split(&format!("<h2>{name}</h2>")).nth(1).expect(name);
        after.split("<h2>").next().expect("its end").to_string()
    };
    let documents = section("Documents");
    assert_eq!(documents.matches("<li>").count(), 8 * 3, "{documents}");
    let most = "SELECT coalesce(title, substr(text, 1, 20)) FROM topic_document JOIN document ON \
                document.id = topic_document.document_id JOIN document_text USING (document_id) \
                WHERE run_id = 1 AND topic = 0 ORDER BY proportion DESC, document_id LIMIT 1";
    let title = home.succeeds(&["sql", most, "-o", "csv"]);
    let title = title.lines().nth(1).expect("a row").trim_matches('"');
    assert!(documents.contains(title), "{title}: {documents}");
    // Settings by name, not as JSON, and of the metrics few at first.
    assert!(page.contains("<td>min_tokens</td>") && !page.contains("&quot;min_tokens"), "{page}");
    let metrics = section("Metrics");
    let (first, others) = metrics.split_once("<details>").expect("folded");
    let rows = |html: &str| html.matches("<tr><td>").count();
    assert!((2..8).contains(&rows(first)) && rows(others) > 10, "{metrics}");
    home.succeeds(&["run", "subjects", "-k", "3", "--no-documents"]);
    let place = home.path("alone.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "2", "--to", "html", "-o", &place]);
    assert!(!text(Path::new(&place)).contains("<h2>Documents"));
}

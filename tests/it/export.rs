//! Saved runs as files for other tools, read back.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::Home;
use serde_json::Value;

/// A home with one run of eight topics, one of them named.
pub(crate) fn home_with_a_run() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let name = "UPDATE topic SET label = 'a \"name\", <b>&' WHERE topic = 3";
    home.succeeds(&["sql", "--write", name]);
    home
}

pub(crate) fn exported(home: &Home, format: &str) -> std::path::PathBuf {
    let place = home.path(&format!("out-{format}"));
    home.succeeds(&["export", "1", "--to", format, "-o", &place.to_string_lossy()]);
    place
}

/// The rows of a query; their numbers have all their digits, which JSON readers may not keep.
fn rows(home: &Home, query: &str) -> Vec<(String, String, f64)> {
    let text = home.succeeds(&["sql", query, "-o", "csv"]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("three columns")).collect()
}

/// (topic, word) and probability, as the store has them.
fn saved_words(home: &Home) -> BTreeMap<(u64, String), f64> {
    let query = "SELECT word, topic, probability FROM topic_word WHERE run_id = 1";
    let entry =
        |(word, topic, p): (String, String, f64)| ((topic.parse().expect("a topic"), word), p);
    rows(home, query).into_iter().map(entry).collect()
}

/// (document, topic) and proportion, as the store has them.
fn saved_documents(home: &Home) -> BTreeMap<(String, u64), f64> {
    let query = "SELECT key, topic, proportion FROM document_topic \
                 JOIN document ON document.id = document_id WHERE run_id = 1";
    let entry =
        |(key, topic, p): (String, String, f64)| ((key, topic.parse().expect("a topic")), p);
    rows(home, query).into_iter().map(entry).collect()
}

/// The same keys, and numbers that differ by no more than reading JSON makes them.
fn assert_alike<K: Ord + std::fmt::Debug>(a: &BTreeMap<K, f64>, b: &BTreeMap<K, f64>) {
    assert_eq!(a.len(), b.len());
    for ((key, p), (other, q)) in a.iter().zip(b) {
        assert_eq!(key, other);
        assert!((p - q).abs() <= 1e-15 * q, "{key:?}: {p} {q}");
    }
}

pub(crate) fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn records(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    reader.deserialize().map(|record| record.expect("a record")).collect()
}

#[test]
fn csv_tables_hold_every_number_of_the_run_to_the_last_digit() {
    let home = home_with_a_run();
    let folder = exported(&home, "csv");
    let words = records(&folder.join("topic_words.csv")).into_iter().map(|row| {
        (
            (row["topic"].parse().expect("a topic"), row["word"].clone()),
            row["probability"].parse().expect("p"),
        )
    });
    assert_eq!(words.collect::<BTreeMap<(u64, String), f64>>(), saved_words(&home));
    let documents = records(&folder.join("document_topics.csv")).into_iter().map(|row| {
        (
            (row["document"].clone(), row["topic"].parse().expect("a topic")),
            row["proportion"].parse().expect("p"),
        )
    });
    assert_eq!(documents.collect::<BTreeMap<(String, u64), f64>>(), saved_documents(&home));
    let topics = records(&folder.join("topics.csv"));
    assert_eq!((topics.len(), topics[3]["label"].as_str()), (8, "a \"name\", <b>&"));
    let metrics = records(&folder.join("metrics.csv"));
    assert!(metrics.iter().any(|row| row["metric"] == "npmi" && row["topic"].is_empty()));
    assert_eq!(records(&folder.join("topic_correlations.csv")).len(), 64);
}

#[test]
fn json_is_the_whole_run() {
    let home = home_with_a_run();
    let object: Value = serde_json::from_str(&text(&exported(&home, "json"))).expect("JSON");
    let mut words = BTreeMap::new();
    for topic in object["topics"].as_array().expect("topics") {
        for word in topic["words"].as_array().expect("words") {
            let key =
                (topic["topic"].as_u64().expect("n"), word["word"].as_str().expect("w").into());
            words.insert(key, word["probability"].as_f64().expect("p"));
        }
    }
    assert_alike(&words, &saved_words(&home));
    let mut documents = BTreeMap::new();
    for document in object["documents"].as_array().expect("documents") {
        for topic in document["topics"].as_array().expect("topics") {
            let key = (
                document["document"].as_str().expect("key").into(),
                topic["topic"].as_u64().expect("n"),
            );
            documents.insert(key, topic["proportion"].as_f64().expect("p"));
        }
    }
    assert_alike(&documents, &saved_documents(&home));
    assert_eq!(object["run"]["model"], "lr-jsmf");
    assert_eq!(object["topic_correlations"].as_array().map(Vec::len), Some(8));
}

/// Entries of a coordinate matrix, by row and column from 0, with its shape.
fn matrix(path: &Path) -> ((usize, usize), BTreeMap<(usize, usize), f64>) {
    let text = text(path);
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let mut head = lines.next().expect("sizes").split(' ').map(|n| n.parse::<usize>().expect("n"));
    let mut next = || head.next().expect("three sizes");
    let (rows, columns, count) = (next(), next(), next());
    let entry = |line: &str| {
        let cells: Vec<&str> = line.split(' ').collect();
        let place = |at: usize| cells[at].parse::<usize>().expect("from 1") - 1;
        ((place(0), place(1)), cells[2].parse().expect("a number"))
    };
    let entries: BTreeMap<_, _> = lines.map(entry).collect();
    assert_eq!(entries.len(), count);
    assert!(entries.keys().all(|&(row, column)| row < rows && column < columns));
    ((rows, columns), entries)
}

#[test]
fn matrices_stand_beside_the_names_of_their_rows_and_columns() {
    let home = home_with_a_run();
    let folder = exported(&home, "matrix-market");
    let lines =
        |name: &str| text(&folder.join(name)).lines().map(str::to_string).collect::<Vec<_>>();
    let (words, documents) = (lines("words.txt"), lines("documents.txt"));
    let ((rows, columns), entries) = matrix(&folder.join("topic_words.mtx"));
    assert_eq!((rows, columns), (8, words.len()));
    let found = entries.into_iter().map(|((t, w), p)| ((t as u64, words[w].clone()), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), saved_words(&home));
    let ((rows, columns), entries) = matrix(&folder.join("document_topics.mtx"));
    assert_eq!((rows, columns), (documents.len(), 8));
    let found = entries.into_iter().map(|((d, t), p)| ((documents[d].clone(), t as u64), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), saved_documents(&home));
    let joint = text(&folder.join("topic_correlations.mtx"));
    assert_eq!(joint.lines().count(), 2 + 64);
}

#[test]
fn mallet_files_have_its_columns_and_every_document_sums_to_1() {
    let home = home_with_a_run();
    let folder = exported(&home, "mallet");
    let keys = text(&folder.join("topic-keys.txt"));
    for (topic, line) in keys.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!((cells.len(), cells[0]), (3, topic.to_string().as_str()));
        assert!(cells[1].parse::<f64>().expect("alpha") > 0.0);
        assert_eq!(cells[2].split_whitespace().count(), 20);
    }
    let saved = saved_documents(&home);
    for line in text(&folder.join("doc-topics.txt")).lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let proportions: Vec<f64> = cells[2..].iter().map(|p| p.parse().expect("p")).collect();
        assert_eq!(proportions.len(), 8);
        assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(proportions.iter().all(|&p| p >= 0.0));
        for (topic, &proportion) in proportions.iter().enumerate() {
            let own = saved.get(&(cells[1].to_string(), topic as u64));
            assert!(own.is_none_or(|own| (own - proportion).abs() < 1e-12));
        }
    }
    let weights = text(&folder.join("topic-word-weights.txt"));
    let words = text(&exported(&home, "matrix-market").join("words.txt")).lines().count();
    assert_eq!(weights.lines().count(), 8 * words);
}

#[test]
fn ldavis_keeps_the_order_of_topics_and_its_tables_are_columns_of_one_length() {
    let home = home_with_a_run();
    let object: Value = serde_json::from_str(&text(&exported(&home, "ldavis"))).expect("JSON");
    let order: Vec<u64> = (1..=8).collect();
    assert_eq!(object["topic.order"], serde_json::json!(order));
    for (table, columns) in [("mdsDat", 5), ("tinfo", 6), ("token.table", 3)] {
        let table = object[table].as_object().expect("columns");
        let lengths: Vec<usize> =
            table.values().map(|c| c.as_array().expect("rows").len()).collect();
        assert_eq!(lengths.len(), columns);
        assert!(lengths.iter().all(|&length| length == lengths[0] && length > 0));
    }
    let share: f64 =
        object["mdsDat"]["Freq"].as_array().expect("shares").iter().filter_map(Value::as_f64).sum();
    assert!((share - 100.0).abs() < 1e-9);
    // A term's shares in topics come to 1, but for those under half a token and for rounding.
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let table = &object["token.table"];
    for (term, share) in table["Term"]
        .as_array()
        .expect("terms")
        .iter()
        .zip(table["Freq"].as_array().expect("shares"))
    {
        *shares.entry(term.as_str().expect("a term").into()).or_default() +=
            share.as_f64().expect("a share");
    }
    assert!(shares.values().all(|&sum| sum > 0.0 && sum < 2.0));
    let categories = object["tinfo"]["Category"].as_array().expect("categories");
    assert_eq!(categories.iter().filter(|category| *category == "Default").count(), 30);
}

#[test]
fn the_page_is_whole_safe_and_needs_nothing_from_elsewhere() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("a &quot;name&quot;, &lt;b&gt;&amp;") && !page.contains("<b>"));
    for outside in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<section class=\"topic\" id=\"t").count(), 8);
    for chart in
        ["Shares of the topics", "class=\"plane\"", "Topics that occur together", "Spectrum"]
    {
        assert!(page.contains(chart), "{chart}");
    }
    let by_field = page.split("<h2>Topics by field</h2>").nth(1).expect("the topics by subject");
    assert_eq!(by_field.matches("<svg").count(), 1);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn a_value_is_printed_alike_by_the_command_line_and_the_page() {
    let home = home_with_a_run();
    let page = text(&exported(&home, "html"));
    let printed = home.succeeds(&["metrics", "1"]);
    let query = "SELECT name, '', value FROM metric WHERE run_id = 1 AND topic IS NULL \
                 AND name IN ('umass', 'npmi')";
    let values = rows(&home, query);
    assert_eq!(values.len(), 2);
    for (name, _, value) in values {
        let value = topoi_core::numbers::four_digits(value);
        assert!(printed.contains(&value), "{value}: {printed}");
        let cells = format!("<td>{name}</td><td class=\"n\">{value}");
        assert!(page.contains(&cells), "{cells}");
    }
}

#[test]
fn several_runs_are_one_page_that_compares_them() {
    let home = home_with_a_run();
    home.succeeds(&["run", "subjects", "-k", "5", "--no-documents"]);
    home.succeeds(&["run", "subjects", "-k", "10", "--model", "svd", "--no-documents"]);
    let place = home.path("compare.html");
    let named = place.to_string_lossy().into_owned();
    let written = home.json(&["export", "1", "2", "3", "--to", "html", "-o", &named, "--json"]);
    assert_eq!(
        (&written["runs"], &written["written"]),
        (&serde_json::json!([1, 2, 3]), &serde_json::json!(named))
    );
    let page = text(&place);
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("a &quot;name&quot;, &lt;b&gt;&amp;") && !page.contains("name\", <b>"));
    for outside in ["http://", "https://", "<script", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    // A picture of the eigenvalues of two runs, and one of the singular values of the third.
    assert_eq!((page.matches("<svg").count(), page.matches("<polyline").count()), (2, 3));
    let compared = home.json(&["compare", "1", "2", "3", "--output", "json"]);
    let rows: Vec<&str> = page.split("<tr id=\"t").skip(1).collect();
    assert_eq!(rows.len(), 8);
    for (topic, row) in rows.iter().enumerate() {
        let cells: Vec<&str> =
            row.split("</tr>").next().expect("a row").split("<td").skip(1).collect();
        assert_eq!(cells.len(), 3);
        for (alignment, cell) in
            compared["alignments"].as_array().expect("two").iter().zip(&cells[1..])
        {
            let pairs = alignment["pairs"].as_array().expect("pairs");
            match pairs.iter().find(|pair| pair[0] == topic) {
                Some(pair) => {
                    assert!(cell.contains(&format!("<b>{}</b>", pair[1])), "{cell}");
                    assert!(
                        cell.contains(&format!(" · {:.2}", pair[2].as_f64().expect("a cosine")))
                    );
                }
                None => assert!(cell.contains("no match"), "{cell}"),
            }
        }
    }
    let alone = page.split("Topics without a match").nth(1).expect("a section");
    let alone = alone.split("<h2>").next().expect("its end");
    let lonely = |name: &str| -> usize {
        let alignments = compared["alignments"].as_array().expect("two").iter();
        alignments.map(|a| a[name].as_array().expect("topics").len()).sum()
    };
    assert_eq!(alone.matches("<td>").count(), lonely("only_first") + lonely("only_other"));
    let metrics = page.split("<h2>Metrics").nth(1).expect("a section");
    let metrics: Vec<&str> = metrics.split("<tr>").skip(2).collect();
    let expected = compared["metrics"].as_array().expect("metrics");
    assert_eq!(metrics.len(), expected.len());
    for (row, metric) in metrics.iter().zip(expected) {
        assert!(row.contains(metric["name"].as_str().expect("a name")));
        let best = row.split("<td").skip(2).position(|cell| cell.contains("n best"));
        assert_eq!(best, metric["best"].as_u64().map(|best| best as usize));
    }
}

#[test]
fn formats_of_one_run_refuse_several_and_a_page_needs_two_different_ones() {
    let home = home_with_a_run();
    home.succeeds(&["run", "subjects", "-k", "3", "--no-documents"]);
    home.fails(&["export", "1", "2", "--to", "csv"]);
    home.fails(&["export", "1", "2", "--to", "dfr-browser"]);
    home.fails(&["export", "1", "1", "--to", "html"]);
    home.fails(&["export", "1", "9", "--to", "html"]);
    let mut usual = home.command(&["export", "1", "2", "--to", "html"]);
    assert!(usual.current_dir(home.path("")).status().expect("run").success());
    assert!(home.path("compare-1-2.html").is_file());
    let folder = home.path("dfr").to_string_lossy().into_owned();
    home.fails(&["export", "2", "--to", "dfr-browser", "-o", &folder]);
}

#[test]
fn what_is_in_the_way_stays_and_what_cannot_be_written_leaves_nothing() {
    let home = home_with_a_run();
    let place = exported(&home, "csv");
    let before = text(&place.join("topics.csv"));
    let named = place.to_string_lossy().into_owned();
    home.fails(&["export", "1", "--to", "csv", "-o", &named]);
    home.fails(&["export", "1", "--to", "json", "-o", &named]);
    assert_eq!(text(&place.join("topics.csv")), before);
    let nowhere = home.path("no/such/folder/run.json").to_string_lossy().into_owned();
    home.fails(&["export", "1", "--to", "json", "-o", &nowhere]);
    home.fails(&["export", "9", "--to", "json"]);
    let leftovers = std::fs::read_dir(home.path("")).expect("home").filter_map(Result::ok);
    assert!(leftovers.map(|e| e.file_name()).all(|n| !n.to_string_lossy().contains(".part")));
    home.succeeds(&["run", "subjects", "-k", "3", "--no-documents"]);
    let other = home.path("other").to_string_lossy().into_owned();
    home.fails(&["export", "2", "--to", "mallet", "-o", &other]);
}

#[test]
fn shells_and_manuals_get_what_they_read() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(home.succeeds(&["completions", shell]).contains("stability"), "{shell}");
    }
    assert!(home.succeeds(&["man"]).starts_with(".ie"));
    let folder = home.path("man").to_string_lossy().into_owned();
    home.succeeds(&["man", "--into", &folder]);
    assert!(home.path("man/topoi-run.1").is_file() && home.path("man/topoi.1").is_file());
}

#[test]
fn topics_that_were_exported_come_back_as_a_run_with_the_same_metrics() {
    let home = home_with_a_run();
    let folder = exported(&home, "csv");
    let file = folder.join("topic_words.csv").to_string_lossy().into_owned();
    let found = home.json(&[
        "import",
        &file,
        "--corpus",
        "subjects",
        "--from",
        "topics-csv",
        "--output",
        "json",
    ]);
    assert_eq!((found["run"].as_u64(), found["status"].as_str()), (Some(2), Some("finished")));
    let metric = |run: u64, name: &str| {
        let query = format!(
            "SELECT value AS v FROM metric WHERE run_id = {run} AND name = '{name}' AND topic IS NULL"
        );
        home.json(&["sql", &query, "-o", "json"])[0]["v"].as_f64().expect("a number")
    };
    for name in ["npmi", "umass", "specificity", "dissimilarity", "cv"] {
        assert!((metric(1, name) - metric(2, name)).abs() < 1e-9, "{name}");
    }
    assert!(metric(2, "outside_vocabulary").abs() < 1e-12);
    assert!(home.succeeds(&["verify", "2"]).contains("same"));
    let compared = home.json(&["compare", "1", "2", "--output", "json"]);
    for pair in compared["alignments"][0]["pairs"].as_array().expect("pairs") {
        assert!(pair[2].as_f64().expect("a cosine") > 1.0 - 1e-9);
    }
    // The file must stay what it was, and models must be ours.
    std::fs::write(&file, text(Path::new(&file)).replace("0,", "1,")).expect("write");
    home.fails(&["verify", "2"]);
    home.fails(&["run", "subjects", "-k", "8", "--model", "imported"]);
    let nothing = ["import", "/no/such/file", "--corpus", "subjects", "--from", "topics-csv"];
    home.fails(&nothing);
}

#[test]
fn the_documents_side_of_svd_and_r1d_is_a_row_a_document() {
    let home = home_with_a_run();
    for model in ["svd", "r1d"] {
        home.succeeds(&["run", "subjects", "--model", model, "-k", "3", "--terms", "120"]);
    }
    let keys = home.succeeds(&[
        "sql",
        "SELECT key FROM document_topic JOIN document \
        ON document_id = document.id WHERE run_id = 2 AND topic = 0 ORDER BY 1",
        "-o",
        "csv",
    ]);
    for (run, least) in [("2", f64::NEG_INFINITY), ("3", 0.0)] {
        let place = home.path(&format!("side-{run}.csv")).to_string_lossy().into_owned();
        home.succeeds(&["export", run, "--to", "document-side", "-o", &place]);
        let table = std::fs::read_to_string(&place).expect("a table");
        let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        assert_eq!(rows.next(), Some(vec!["document", "topic_0", "topic_1", "topic_2"]));
        let rows: Vec<Vec<&str>> = rows.collect();
        let mut found: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        found.sort_unstable();
        assert_eq!(found, keys.lines().skip(1).collect::<Vec<_>>());
        let numbers = || rows.iter().flat_map(|row| &row[1..]).map(|x| x.parse::<f64>());
        assert!(numbers().all(|number| number.is_ok_and(|number| number >= least)));
        // V has columns of length 1.
        let squares: f64 = numbers().flatten().map(|number| number * number).sum();
        assert!(run == "3" || (squares - 3.0).abs() < 1e-3, "{squares}");
    }
    home.fails(&["export", "1", "--to", "document-side"]);
}

#[test]
fn the_page_of_exports_has_a_row_for_every_format() {
    let page = include_str!("../../docs/reference/exports.md");
    for format in topoi_run::export::format::FORMATS {
        assert!(page.contains(&format!("\n| `{}` | ", format.name)), "{}", format.name);
    }
}

/// What a paper says of a run has what another reader needs to make it again.
#[test]
fn the_methods_of_a_run_name_its_model_documents_seed_and_hashes() {
    let home = home_with_a_run();
    let told = home.json(&["methods", "1", "-o", "json"]);
    let paragraph = told["paragraph"].as_str().expect("a paragraph");
    let run = "SELECT corpus.name AS corpus, model, lower(hex(result_hash)) AS result, \
               lower(hex(corpus_hash)) AS documents FROM run JOIN corpus ON corpus.id = corpus_id";
    let run = &home.json(&["sql", run, "-o", "json"])[0];
    for part in ["corpus", "model", "result", "documents"] {
        let value = run[part].as_str().expect("a text");
        assert!(paragraph.contains(value), "{part}: {paragraph}");
    }
    let references = told["references"].as_array().expect("references");
    assert!(references[0].as_str().expect("a text").starts_with("Lee, M."), "{references:?}");
    let text = home.succeeds(&["methods", "1"]);
    assert!(text.starts_with(paragraph) && text.contains("\n- Lee, M."), "{text}");
}

/// Exported shares are those that `by` averages, and draws are of the posterior around the proportions.
#[test]
fn shares_and_draws_are_for_the_regressions_of_other_programs() {
    let home = home_with_a_run();
    let table = |format: &str| -> Vec<BTreeMap<String, String>> {
        let place = home.path(&format!("{format}.csv")).to_string_lossy().into_owned();
        home.succeeds(&["export", "1", "--to", format, "-o", &place]);
        let mut reader = csv::Reader::from_path(&place).expect("a file");
        reader.deserialize().map(|row| row.expect("a row")).collect()
    };
    let number = |row: &BTreeMap<String, String>, name: &str| -> f64 {
        row[name].parse().unwrap_or_else(|_| panic!("{name} of {row:?}"))
    };
    let topics = home.json(&["topics", "1", "-o", "json"]).as_array().map_or(0, Vec::len);
    let all = |row: &BTreeMap<String, String>, what: &str| -> Vec<f64> {
        (0..topics).map(|topic| number(row, &format!("{what}_{topic}"))).collect()
    };
    let shares = table("shares");
    for row in &shares {
        assert!((all(row, "share").iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
        assert!(all(row, "variance").iter().all(|variance| *variance >= 0.0));
        assert!(number(row, "used_tokens") <= number(row, "tokens"));
    }
    let mean = shares.iter().map(|row| number(row, "share_0")).sum::<f64>() / shares.len() as f64;
    let weighted = "SELECT sum(documents * share) / sum(documents) AS mean FROM share_by_field \
                    WHERE run_id = 1 AND topic = 0 AND field = 'subject'";
    let by_field = home.json(&["sql", weighted, "-o", "json"]);
    if let Some(found) = by_field[0]["mean"].as_f64() {
        assert!((found - mean).abs() < 1e-9, "{found} {mean}");
    }
    let draws = table("draws");
    assert_eq!(draws.len(), 25 * shares.len());
    assert_eq!((draws[0]["draw"].as_str(), draws[25]["draw"].as_str()), ("1", "1"));
    for row in &draws {
        assert!((all(row, "topic").iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
    }
    // The mean of 25 draws of all documents is the mean of their proportions.
    let proportions =
        "SELECT avg(proportion) AS mean FROM document_topic WHERE run_id = 1 AND topic = 0";
    let proportions = home.json(&["sql", proportions, "-o", "json"])[0]["mean"].as_f64();
    let drawn = draws.iter().map(|row| number(row, "topic_0")).sum::<f64>() / draws.len() as f64;
    assert!((drawn - proportions.expect("a mean")).abs() < 0.02, "{drawn} {proportions:?}");
}

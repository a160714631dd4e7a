//! Metrics of runs as they are saved, printed and computed again.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Home;
use serde_json::Value;

const VALUES: &str = "SELECT name, coalesce(topic, -1) AS topic, value, settings FROM metric \
                      WHERE run_id = 1 ORDER BY name, topic";

/// Two themes and words of both; every line is longer than ten tokens, some than 110.
fn lines() -> String {
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut line = |number: u64| {
        let length = 12 + draw(130);
        let word = |place: u64| format!("w{}", char::from(b'a' + place as u8));
        let words: Vec<String> = (0..length)
            .map(|_| if draw(5) == 0 { word(draw(24)) } else { word(number % 3 * 8 + draw(8)) })
            .collect();
        words.join(" ") + "\n"
    };
    (0..90).map(&mut line).collect()
}

fn home_with_a_run(lines: &str) -> Home {
    let home = Home::new();
    let file = home.file("lines.txt", lines.as_bytes());
    let ingest = [
        "ingest",
        "lines",
        &file,
        "--format",
        "lines",
        "--min-length",
        "1",
        "--stop-words",
        "none",
    ];
    home.succeeds(&ingest);
    home.succeeds(&["run", "lines", "-k", "3"]);
    home
}

fn values(home: &Home) -> BTreeMap<(String, i64), (f64, Value)> {
    let rows: Value = home.json(&["sql", VALUES, "--output", "json"]);
    let row = |row: &Value| {
        let name = row["name"].as_str().expect("a name").to_string();
        let value = row["value"].as_f64().expect("a number");
        ((name, row["topic"].as_i64().expect("a number")), (value, row["settings"].clone()))
    };
    rows.as_array().expect("rows").iter().map(row).collect()
}

fn assert_same(before: &BTreeMap<(String, i64), (f64, Value)>, home: &Home) {
    let after = values(home);
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (key, (value, settings)) in before {
        let (again, same) = &after[key];
        assert_eq!(settings, same, "{key:?}");
        if key.0 == "relative_recovery" {
            // p(topic | word) is not saved; it follows by Bayes' rule, to rounding.
            assert!((value - again).abs() < 1e-9, "{value} {again}");
        } else {
            assert_eq!(value.to_bits(), again.to_bits(), "{key:?}");
        }
    }
}

#[test]
fn a_run_measured_again_has_the_same_values_even_when_the_corpus_has_grown() {
    let home = home_with_a_run(&lines());
    let before = values(&home);
    assert!(before.len() > 30);
    home.succeeds(&["metrics", "1", "--recompute"]);
    assert_same(&before, &home);
    let more = home.file("more.jsonl", br#"{"id": "x", "counts": {"wa": 3, "wb": 2, "new": 4}}"#);
    home.succeeds(&["ingest", "lines", &more, "--min-length", "1", "--stop-words", "none"]);
    home.succeeds(&["metrics", "1", "--recompute"]);
    assert_same(&before, &home);
}

#[test]
fn a_run_without_anchors_is_measured_by_its_words() {
    let home = home_with_a_run(&lines());
    let before = values(&home);
    home.succeeds(&["sql", "--write", "UPDATE topic SET anchor_term_id = NULL"]);
    home.succeeds(&["sql", "--write", "UPDATE metric SET value = 7 WHERE name NOT LIKE '%_used'"]);
    home.succeeds(&["metrics", "1", "--recompute"]);
    for ((name, topic), (value, _)) in values(&home) {
        let kept = [
            // Of anchors,
            "relative_recovery",
            "mst_incoherence",
            "log_relative_volume",
            "word_map_variance",
            // of the model, and of its look at the documents.
            "kkt_gap",
            "factorisation_residual",
            "factorisation_passes",
            "rectification_change",
            "rectification_iterations",
            "alpha_sum",
            "alpha_change",
            "document_topics_residual",
            "document_topics_sweeps",
            "token_log_probability",
            "refine_log_probability",
            "refine_steps",
            "refine_gain",
            "refine_residual",
            "documents_left_out",
            "weights_from_documents",
        ];
        let is_kept = kept.contains(&name.as_str());
        let (as_run, _) = before[&(name.clone(), topic)];
        let expected = if is_kept { 7.0 } else { as_run };
        assert_eq!(value.to_bits(), expected.to_bits(), "{name}");
    }
}

#[test]
fn a_run_whose_documents_are_not_there_any_more_is_not_measured() {
    let home = home_with_a_run(&lines());
    let before = values(&home);
    home.succeeds(&[
        "sql",
        "--write",
        "UPDATE metric SET value = 89 WHERE name = 'documents_used'",
    ]);
    home.fails(&["metrics", "1", "--recompute"]);
    assert_eq!(values(&home).len(), before.len());
}

#[test]
fn the_saved_npmi_is_that_of_every_window_of_the_lines() {
    let lines = lines();
    let home = home_with_a_run(&lines);
    check_npmi(&home, &lines, "npmi", &[]);
}

#[test]
fn topics_are_scored_by_their_words_in_a_ranking_under_its_name() {
    let lines = lines();
    let home = home_with_a_run(&lines);
    let before = values(&home);
    let by_exclusivity = ["metrics", "1", "--rank", "exclusive", "--variants", "npmi@octis"];
    let text = home.succeeds(&by_exclusivity);
    assert!(text.contains("exact, top 10, by exclusive, windows of 10"), "{text}");
    check_npmi(&home, &lines, "npmi@exclusive", &["--rank", "exclusive"]);
    home.succeeds(&["metrics", "1", "--rank", "relevance"]);
    check_npmi(&home, &lines, "npmi@relevance", &["--rank", "relevance"]);
    home.succeeds(&["metrics", "1", "--rank", "frex"]);
    check_npmi(&home, &lines, "npmi@frex", &["--rank", "frex"]);
    let after = values(&home);
    let (relevance, settings) = &after[&("npmi@relevance".to_string(), -1)];
    assert!(relevance.is_finite());
    let settings: Value = serde_json::from_str(settings.as_str().expect("text")).expect("JSON");
    assert_eq!((&settings["ranking"], &settings["lambda"]), (&"relevance".into(), &0.6.into()));
    assert!(after.contains_key(&("npmi@octis@exclusive".to_string(), 0)));
    assert!(after[&("topic_diversity_10@exclusive".to_string(), -1)].0 <= 1.0);
    // What was there stays, also when all is measured again, and by probability it is the same.
    home.succeeds(&["metrics", "1", "--rank", "probability"]);
    home.succeeds(&["metrics", "1", "--recompute"]);
    assert_same(&after, &home);
    assert!(before.iter().all(|(key, value)| &after[key] == value));
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn listed_words_say_by_what_they_are_ranked() {
    let home = home_with_a_run(&lines());
    home.succeeds(&["run", "lines", "-k", "4"]);
    for ranking in ["probability", "exclusive", "relevance", "frex"] {
        let topics = home.json(&["topics", "1", "--rank", ranking, "--output", "json"]);
        assert_eq!(topics[0]["ranking"], ranking);
        let compare = ["compare", "1", "2", "--rank", ranking, "--output"];
        let compared = home.json(&[&compare[..], &["json"]].concat());
        assert_eq!(compared["ranking"], ranking);
        let words = |topics: &Value| -> Vec<Value> {
            let words = topics[0]["words"].as_array().expect("words").iter();
            words.take(10).map(|word| word["word"].clone()).collect()
        };
        assert_eq!(words(&topics), words(&compared["runs"][0]["topics"]));
        let head = if ranking == "probability" { "words" } else { &format!("words_by_{ranking}") };
        let printed = home.succeeds(&["topics", "1", "--rank", ranking]);
        assert!(printed.lines().next().expect("a head").contains(head), "{printed}");
        assert!(home.succeeds(&[&compare[..], &["csv"]].concat()).contains(&format!(",{head},")));
    }
}

/// Holds metric `name` of the topics against the words that `topoi topics` lists with these options.
fn check_npmi(home: &Home, lines: &str, name: &str, options: &[&str]) {
    let windows: Vec<BTreeSet<&str>> = lines
        .lines()
        .flat_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            words.windows(10).map(|w| w.iter().copied().collect()).collect::<Vec<_>>()
        })
        .collect();
    let share = |of: &[&str]| {
        let holds = |window: &&BTreeSet<&str>| of.iter().all(|word| window.contains(word));
        windows.iter().filter(holds).count() as f64 / windows.len() as f64
    };
    let topics: Value = home.json(&[&["topics", "1", "--output", "json"], options].concat());
    let saved = values(home);
    for topic in topics.as_array().expect("topics") {
        let words: Vec<&str> = topic["words"]
            .as_array()
            .expect("words")
            .iter()
            .map(|word| word["word"].as_str().expect("a word"))
            .collect();
        let mut scores = Vec::new();
        for (at, v) in words.iter().enumerate() {
            for w in &words[..at] {
                let joint = share(&[v, w]);
                let pmi = (joint / share(&[v]) / share(&[w])).ln();
                scores.push(if joint == 0.0 { -1.0 } else { pmi / -joint.ln() });
            }
        }
        let expected = scores.iter().sum::<f64>() / scores.len() as f64;
        let number = topic["topic"].as_i64().expect("a number");
        let (npmi, settings) = &saved[&(name.to_string(), number)];
        assert!((npmi - expected).abs() < 1e-12, "{npmi} {expected}");
        let settings: Value = serde_json::from_str(settings.as_str().expect("text")).expect("JSON");
        assert_eq!(settings["units"], windows.len());
        assert_eq!((&settings["window"], &settings["unit"]), (&10.into(), &"window".into()));
    }
}

#[test]
fn variants_are_computed_when_asked_for_and_kept_up_with_the_rest() {
    let home = home_with_a_run(&lines());
    home.fails(&["metrics", "1", "--variants", "cv@mallet"]);
    home.fails(&["metrics", "7", "--recompute"]);
    let one = ["metrics", "1", "--variants", "umass@gensim,npmi@exact"];
    let text = home.succeeds(&one);
    assert!(text.contains("gensim, top 20, documents (90), mean, ε 1e-12"), "{text}");
    let names = |home: &Home| -> Vec<String> {
        let mut names: Vec<String> = values(home).into_keys().map(|(name, _)| name).collect();
        names.dedup();
        names.retain(|name| ["umass", "uci", "npmi", "cv"].iter().any(|m| name.starts_with(m)));
        names
    };
    assert_eq!(names(&home), ["cv", "npmi", "uci", "umass", "umass@gensim"]);
    home.succeeds(&["metrics", "1", "--recompute", "--variants", "all"]);
    assert_eq!(names(&home).len(), 12);
    let all = values(&home);
    home.succeeds(&["metrics", "1", "--recompute"]);
    assert_same(&all, &home);
    let rows: Value = home.json(&["metrics", "1", "--topics", "--output", "json"]);
    let cv = rows.as_array().expect("rows").iter().find(|row| row["name"] == "cv@gensim");
    assert_eq!(cv.expect("saved")["settings"]["window"], 110);
}

#[test]
fn counted_words_have_documents_for_windows() {
    let home = Home::new();
    let counts = |line: &str| {
        let words: BTreeSet<&str> = line.split(' ').collect();
        let counts: BTreeMap<&str, usize> =
            words.iter().map(|w| (*w, line.split(' ').filter(|x| x == w).count())).collect();
        format!("{{\"counts\": {}}}\n", serde_json::to_string(&counts).expect("JSON"))
    };
    let file: String = lines().lines().map(counts).collect();
    let file = home.file("counts.jsonl", file.as_bytes());
    home.succeeds(&["ingest", "lines", &file]);
    home.succeeds(&["run", "lines", "-k", "3"]);
    let query = "SELECT name, settings ->> 'unit' AS unit, settings ->> 'window' AS window, \
                 settings ->> 'units' AS units FROM metric \
                 WHERE settings ->> 'unit' IS NOT NULL AND topic IS NULL ORDER BY name";
    let text = home.succeeds(&["sql", query, "-o", "csv"]);
    let expected = "name,unit,window,units\ncv,document,,90\nnpmi,document,,90\n\
                    uci,document,,90\numass,document,,90\n";
    assert_eq!(text, expected);
}

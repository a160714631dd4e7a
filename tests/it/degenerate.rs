//! Corpora with next to no structure: every model gives topics or one line that says why there are none.

use topoi_core::model::Model;

use crate::common::Home;

/// A line for each document of (name, documents).
fn corpora() -> Vec<(&'static str, Vec<String>)> {
    let word = |number: usize| format!("word{}x", char::from(b'a' + (number % 26) as u8));
    vec![
        ("disjoint", (0..26).map(|n| format!("{} other{}", word(n), word(n))).collect()),
        ("identical", vec!["harbour vessel captain anchor storm tide".into(); 30]),
        (
            "two",
            vec![
                "harbour vessel harbour vessel captain".into(),
                "flour pastry oven flour oven".into(),
            ],
        ),
        ("each_its_word", (0..6).map(|n| [word(n), word(n), word(n)].join(" ")).collect()),
        (
            "as_many_words",
            vec![
                "harbour vessel captain".into(),
                "vessel captain harbour harbour".into(),
                "captain captain vessel".into(),
            ],
        ),
    ]
}

#[test]
fn every_model_gives_topics_of_a_corpus_without_structure_or_says_why_it_cannot() {
    let home = Home::new();
    for (name, lines) in corpora() {
        let file = home.file(&format!("{name}.txt"), lines.join("\n").as_bytes());
        home.succeeds(&["ingest", name, &file, "--stop-words", "none"]);
        for model in Model::names() {
            for k in ["2", "3"] {
                let ask = ["run", name, "-k", k, "--model", model, "--min-tokens", "2"];
                let output = home.command(&ask).output().expect("run");
                let error = String::from_utf8_lossy(&output.stderr);
                assert!(!error.contains("a bug in topoi"), "{ask:?}: {error}");
                let reasons = error.lines().filter(|line| line.starts_with("error: ")).count();
                assert_eq!(reasons, usize::from(!output.status.success()), "{ask:?}: {error}");
                assert!(k != "2" || !error.contains("smaller -k"), "{ask:?}: {error}");
            }
        }
    }
}

#[test]
fn counts_of_billions_are_scored_by_a_sample_and_its_memory_is_in_the_estimate() {
    let home = Home::new();
    let counts = (1..=12).flat_map(|document| {
        (0..4).map(move |at| {
            let word = (document % 3) * 4 + at + 1;
            format!("{document} {word} {}\n", if at == 0 { 4_000_000_000u64 } else { 3 })
        })
    });
    let text = format!("12\n12\n48\n{}", counts.collect::<String>());
    let file = home.file("docword.huge.txt", text.as_bytes());
    let words: Vec<String> = (1..=12).map(|word| format!("w{word}")).collect();
    home.file("vocab.huge.txt", words.join("\n").as_bytes());
    home.succeeds(&["ingest", "huge", &file]);
    let run = ["run", "huge", "-k", "2", "--held-out", "0.5"];
    home.succeeds(&run);
    let of = |name: &str| {
        let query = format!("SELECT value FROM metric WHERE run_id = 1 AND name = '{name}'");
        home.json(&["sql", &query, "-o", "json"])[0]["value"].as_f64().expect("a value")
    };
    assert!(of("held_out_documents") > 0.0);
    assert_eq!(of("held_out_subsampled"), of("held_out_documents"));
    let splits = ["held-out", "huge", "-k", "2", "--splits", "1"];
    let found = &home.json(&[&splits[..], &["-o", "json"]].concat())["splits"][0];
    assert_eq!(found["subsampled"], found["documents"]);
    let table = home.succeeds(&splits);
    assert!(table.contains("of which a random 50,000 are scored"), "{table}");
    // The model takes 50 MB, and each of the two threads 17 MB to score.
    let memory = ["--threads", "2", "--memory", "0.07"];
    home.fails(&[&run[..], &memory].concat());
    // A list of every token of a count would be of gigabytes. A build without optimisation takes some 70 MB.
    home.succeeds(&["stability", "3", "--halves", "1"]);
    let most = "SELECT max(peak_memory_bytes) / 1000000 AS mb, count(*) AS n FROM run WHERE status = 'finished'";
    let most = &home.json(&["sql", most, "-o", "json"])[0];
    assert!(most["n"].as_u64() >= Some(5) && most["mb"].as_u64() < Some(300), "{most}");
    home.succeeds(&[&["run", "huge", "-k", "2"][..], &memory].concat());
}

#[test]
fn imported_topics_of_other_words_are_warned_of_with_examples() {
    let home = Home::with_subjects();
    // Of ten tokens a topic, as many as given are of a word that the corpus does not have.
    let state = |foreign: usize| {
        let token = |topic: usize, at: usize| {
            let word = if at < foreign { "HARBOUR" } else { ["board", "championship"][topic] };
            format!("0 NA {at} 0 {word} {topic}\n")
        };
        (0..20).map(|number| token(number / 10, number % 10)).collect::<String>()
    };
    let file = home.file("most.txt", state(9).as_bytes());
    let from = ["--corpus", "subjects", "--from"];
    let report = home.said(&[&["import", &file], &from[..], &["mallet-state"]].concat());
    home.keeps(&report);
    let file = home.file("few.txt", state(3).as_bytes());
    let report = home.said(&[&["import", &file], &from[..], &["mallet-state"]].concat());
    assert!(!report.contains("imported topics are words"), "{report}");
    let table =
        "topic,term,probability\n0,board,0.2\n0,HARBOUR,0.8\n1,championship,0.4\n1,STORM,0.6\n";
    let file = home.file("topics.csv", table.as_bytes());
    let report = home.said(&[&["import", &file], &from[..], &["topics-csv"]].concat());
    home.keeps(&report);
}

#[test]
fn numbers_that_are_no_probabilities_are_refused_where_topics_are_imported() {
    let home = Home::with_subjects();
    for number in ["nan", "inf", "-inf", "-0.5", "1e400", "-1e400", ""] {
        let table = format!("topic,term,probability\n0,board,{number}\n1,championship,1\n");
        let file = home.file("topics.csv", table.as_bytes());
        let import = ["import", &file, "--corpus", "subjects", "--from", "topics-csv"];
        home.fails(&import);
    }
    let nothing = "topic,term,probability\n0,board,0\n1,championship,1\n";
    let file = home.file("topics.csv", nothing.as_bytes());
    let import = ["import", &file, "--corpus", "subjects", "--from", "topics-csv"];
    home.fails(&import);
    assert_eq!(
        home.succeeds(&["sql", "SELECT count(*) AS runs FROM run", "-o", "csv"]),
        "runs\n0\n"
    );
}

#[test]
fn documents_that_inferring_skips_are_counted() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let lines = "{\"text\": \"chess board\"}\nno JSON\n{\"text\": \"harbour\"}\n[1]\n";
    let file = home.file("new.jsonl", lines.as_bytes());
    let said = home.said(&["infer", "1", &file, "--on-error", "skip"]);
    home.keeps(&said);
    let sound = home.file("sound.jsonl", b"{\"text\": \"chess board\"}\n");
    let said = home.said(&["infer", "1", &sound, "--on-error", "skip"]);
    assert!(!said.contains("skipped"), "{said}");
}

#[test]
fn texts_mostly_of_words_that_a_run_lacks_are_inferred_with_a_warning() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let infer = |text: &str| {
        let file = home.file("new.txt", text.as_bytes());
        let output = home.command(&["infer", "1", &file]).output().expect("run");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let warned = infer("championship zyxwv vwxyz");
    home.keeps(&warned);
    assert!(!infer("championship board zyxwv vwxyz").contains("warning"));
}

//! Names of topics, given on the command line.

use crate::common::Home;

#[test]
fn topics_are_named_one_by_one_and_from_a_file_all_or_none() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let labels =
        || home.succeeds(&["sql", "SELECT topic, label FROM topic ORDER BY topic", "-o", "csv"]);
    let told = home.succeeds(&["label", "1", "2", " stars and planets "]);
    home.keeps(&told);
    assert_eq!(labels(), "topic,label\n0,\n1,\n2,stars and planets\n3,\n");
    // What `topics` prints is read again, with a name that a spreadsheet would run.
    let file = home.file("labels.csv", b"label,topic,words\n'=music,0,x\n,2,y\n\"a, b\",3,z\n");
    let told = home.succeeds(&["label", "1", "--from", &file, "-o", "json"]);
    home.keeps(&told);
    assert_eq!(labels(), "topic,label\n0,'=music\n1,\n2,\n3,\"a, b\"\n");
    home.succeeds(&["label", "1", "3", "--remove"]);
    let before = labels();
    assert_eq!(before, "topic,label\n0,'=music\n1,\n2,\n3,\n");
    let beyond = home.file("beyond.csv", b"topic,label\n1,kings\n9,queens\n");
    home.fails(&["label", "1", "--from", &beyond]);
    let words = home.file("words.csv", b"topic,label\none,kings\n");
    home.fails(&["label", "1", "--from", &words]);
    let twice = home.file("twice.csv", b"topic,label\n1,kings\n1,queens\n");
    home.fails(&["label", "1", "--from", &twice]);
    home.fails(&["label", "1", "--from", &home.path("no.csv").to_string_lossy()]);
    home.fails(&["label", "9", "1", "kings"]);
    home.fails(&["label", "1", "1", &"x".repeat(501)]);
    assert_eq!(labels(), before);
    // What is printed names the topics of a run as they are.
    let printed = home.file("printed.csv", home.succeeds(&["topics", "1", "-o", "csv"]).as_bytes());
    home.succeeds(&["label", "1", "--from", &printed]);
    assert_eq!(labels(), before);
    let other = home.file("other.csv", b"topic,words\n1,kings\n");
    home.fails(&["label", "1", "--from", &other]);
    // However it was set, a name is what lists show.
    home.succeeds(&["sql", "--write", "UPDATE topic SET label = 'of queens' WHERE topic = 1"]);
    assert!(home.succeeds(&["topics", "1"]).contains("of queens"));
}

#[test]
fn another_program_names_topics_and_what_it_does_wrong_is_told() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let labels =
        || home.succeeds(&["sql", "SELECT topic, label FROM topic ORDER BY topic", "-o", "csv"]);
    // What it would read, a line for each topic, and nothing is started.
    let dry = home.succeeds(&["label", "1", "--with", "touch started; echo name", "--dry-run"]);
    let topics: Vec<serde_json::Value> =
        dry.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(topics.len(), 4);
    assert_eq!((&topics[2]["topic"], &topics[2]["corpus"]), (&2.into(), &"subjects".into()));
    assert_eq!(topics[2]["words"].as_array().map(Vec::len), Some(20));
    let first = &topics[2]["documents"][0];
    assert!(first["proportion"].as_f64() > Some(0.3) && first["key"].is_string(), "{first}");
    // The first line that is not blank is the name; what it leaves running ends with it.
    let command = "echo; grep -o '\"topic\":[0-9]*' | tr -d '\"'; echo more; sleep 100 &";
    home.succeeds(&["label", "1", "1", "by hand"]);
    home.succeeds(&["label", "1", "--with", command]);
    assert_eq!(labels(), "topic,label\n0,topic:0\n1,by hand\n2,topic:2\n3,topic:3\n");
    assert!(
        home.fails(&["label", "1", "--with", command]).contains("every topic of run 1 has a name")
    );
    home.succeeds(&["label", "1", "1", "--with", "echo anew"]);
    assert_eq!(labels(), "topic,label\n0,topic:0\n1,anew\n2,topic:2\n3,topic:3\n");
    // Topics without a name are reported, and the others are named.
    for topic in ["1", "2"] {
        home.succeeds(&["label", "1", topic, "--remove"]);
    }
    let some = "grep -q '\"topic\":2' && { echo no idea >&2; exit 3; }; echo found";
    let told = home.fails(&["label", "1", "--with", some]);
    assert!(
        told.contains(
            "1 of 2 topics got no name: topic 2: the command ended with status 3 (no idea)"
        ),
        "{told}"
    );
    assert_eq!(labels(), "topic,label\n0,topic:0\n1,found\n2,\n3,topic:3\n");
    let wrong = [
        ("true", "prints no name"),
        ("yes name | head -c 10000000", "prints more than 65,536 bytes"),
        ("sleep 100", "takes more than 1 s"),
        ("nosuchprogram", "status 127"),
        ("kill -9 $$", "by signal 9"),
        ("head -c 600 /dev/zero | tr '\\0' x", "a name of 600 bytes"),
        ("printf '\\377\\n'", "no UTF-8"),
    ];
    for (command, expected) in wrong {
        let told = home.fails(&["label", "1", "--with", command, "--limit-seconds", "1"]);
        assert!(told.contains(expected), "{command}: {told}");
    }
    assert_eq!(labels(), "topic,label\n0,topic:0\n1,found\n2,\n3,topic:3\n");
    assert!(home.fails(&["label", "1", "9", "--with", "echo x"]).contains('9'));
}

/// Words of three subjects, with a phrase of two of them in every second document of each.
fn subjects_with_phrases() -> String {
    let subjects = [
        ("solar panel", ["sun", "roof", "power", "cell", "light", "wire", "glass"]),
        ("supreme court", ["judge", "law", "trial", "jury", "appeal", "case", "verdict"]),
        ("olive oil", ["bread", "oven", "flour", "dough", "yeast", "sugar", "butter"]),
    ];
    let row = |n: usize| {
        let (phrase, words) = subjects[n % 3];
        let word = |at: usize| words[(n * 5 + at * at + at) % 7];
        let words: Vec<&str> = (0..12).map(word).collect();
        let (one, other) = words.split_at(6);
        // The phrase's words are there apart in the other documents.
        let between =
            if n.is_multiple_of(2) { phrase.to_string() } else { phrase.replace(' ', ". ") };
        let text = format!("The {} {between} {} and more of it", one.join(" "), other.join(" "));
        let title = format!("Report {n}: {}", words[0]);
        serde_json::json!({ "id": n, "title": title, "text": text }).to_string() + "\n"
    };
    (0..180).map(row).collect()
}

#[test]
fn names_are_proposed_from_the_phrases_that_set_topics_apart() {
    let home = Home::new();
    home.succeeds(&["ingest", "c", &home.file("a.jsonl", subjects_with_phrases().as_bytes())]);
    home.succeeds(&["run", "c", "-k", "3"]);
    let found = home.json(&["label", "1", "--propose", "-o", "json"]);
    let mut names: Vec<&str> = (0..3).filter_map(|at| found[at]["proposed"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["olive oil", "solar panel", "supreme court"], "{found}");
    for topic in found.as_array().expect("topics") {
        assert!(topic["phrases"][0]["z"].as_f64() > Some(2.0), "{topic}");
        assert!(
            topic["titles"][0].as_str().is_some_and(|title| title.starts_with("Report")),
            "{topic}"
        );
    }
    // Nothing is named, and another program gets them too.
    let labels = home.json(&["sql", "SELECT count(label) AS n FROM topic", "-o", "json"]);
    assert_eq!(labels[0]["n"], 0);
    let table = home.succeeds(&["label", "1", "--propose"]);
    assert!(table.contains("solar panel"), "{table}");
    let dry = home.succeeds(&["label", "1", "--with", "true", "--dry-run"]);
    assert!(dry.contains("\"phrase\":\"solar panel\""), "{dry}");
    // Counts have no phrases: the names are words.
    let rows: String = (0..60)
        .map(|n| {
            let words =
                if n % 2 == 0 { ["ship", "sea", "oar"] } else { ["bread", "oven", "flour"] };
            serde_json::json!({ "id": n, "counts": { words[0]: 3, words[1]: 2, words[2]: 1 } })
                .to_string()
                + "\n"
        })
        .collect();
    home.succeeds(&["ingest", "counts", &home.file("b.jsonl", rows.as_bytes())]);
    home.succeeds(&["run", "counts", "-k", "2"]);
    let found = home.json(&["label", "2", "--propose", "-o", "json"]);
    assert!(found[0]["proposed"].as_str().is_some_and(|name| name.contains(", ")), "{found}");
}

//! `shape` and `run --seeds`: topics changed by hand, as runs of their own.

use rusqlite::Connection;

use crate::common::Home;

/// 400 documents over words that belong to five topics, each with words of its own.
fn with_a_run(more: &[&str]) -> Home {
    let home = Home::new();
    let into = home.path("made").to_string_lossy().into_owned();
    let sizes = ["--documents", "400", "--words", "200", "-k", "5", "--tokens", "80"];
    home.succeeds(&[&["synth", "separable", "--into", &into, "--name", "c"][..], &sizes].concat());
    home.succeeds(&["ingest", "c", &format!("{into}/docword.c.txt")]);
    home.succeeds(&[&["run", "c", "-k", "5", "--terms", "150"], more].concat());
    home
}

fn sql(home: &Home, query: &str) -> String {
    let found = home.succeeds(&["sql", query, "-o", "csv"]);
    found.lines().skip(1).collect::<Vec<_>>().join(" ")
}

#[test]
fn edits_make_a_run_that_is_verified_compared_and_shaped_again() {
    let home = with_a_run(&[]);
    let told =
        home.command(&["shape", "1", "--merge", "0,3", "--label", "2=two"]).output().expect("run");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("topic 3 gone") && told.contains("topic 0 changed"), "{told}");
    assert_eq!(sql(&home, "SELECT model, k, parent FROM run WHERE id = 2"), "shaped,4,1");
    assert_eq!(sql(&home, "SELECT label FROM topic WHERE run_id = 2 AND topic = 2"), "two");
    // Both runs were refined after the topics had been found, so that shares are not to the digit those of the two.
    let shares = "SELECT abs((SELECT weight FROM topic WHERE run_id = 2 AND topic = 0) - \
        (SELECT sum(weight) FROM topic WHERE run_id = 1 AND topic IN (0, 3))) < 0.15";
    assert_eq!(sql(&home, shares), "1");
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["compare", "1", "2"]);
    // A merged topic falls into the two that it was made of, also in the run that has it.
    home.succeeds(&["shape", "2", "--split", "0", "--pin", "1", "--refine", "2"]);
    assert_eq!(sql(&home, "SELECT k, parent FROM run WHERE id = 3"), "5,2");
    let pinned = "SELECT max(abs(a.probability - b.probability)) < 1e-12 FROM topic_term a JOIN topic_term b \
        USING (term_id) WHERE a.run_id = 2 AND a.topic = 1 AND b.run_id = 3 AND b.topic = 1";
    assert_eq!(sql(&home, pinned), "1");
    home.succeeds(&["verify", "3"]);
    let edits = home.succeeds(&["shape", "1", "--edits-of", "2", "--print-edits"]);
    let file = home.file("edits.json", edits.as_bytes());
    home.succeeds(&["shape", "1", "--edits", &file]);
    let hash = |run: u32| sql(&home, &format!("SELECT hex(result_hash) FROM run WHERE id = {run}"));
    assert_eq!(hash(4), hash(2));
    home.succeeds(&["check"]);
    home.succeeds(&["delete", "1", "--yes"]);
    home.fails(&["verify", "2"], "run 2 starts from run 1, which is gone");
}

#[test]
fn what_anchors_need_is_kept_and_made_once_for_runs_without() {
    let home = with_a_run(&["--no-documents"]);
    let kept = "SELECT rows, columns, bytes_per_entry FROM matrix WHERE run_id = 1 AND stage = 'factor' \
        AND position = 0";
    let before = (sql(&home, kept), home.succeeds(&["shape", "1", "--split", "1", "--preview"]));
    assert_eq!(before.0, "150,15,4");
    let connection = Connection::open(home.store()).expect("open");
    connection.execute("DELETE FROM matrix WHERE stage = 'factor'", []).expect("deleted");
    drop(connection);
    assert_eq!(sql(&home, kept), "");
    let after = home.succeeds(&["shape", "1", "--split", "1", "--preview"]);
    assert_eq!((sql(&home, kept), after), before);
    assert_eq!(sql(&home, "SELECT count(*) FROM run"), "1", "a preview saves no run");
}

#[test]
fn what_is_refused_changes_nothing_and_says_what_to_do() {
    let home = with_a_run(&["--no-documents"]);
    let anchor = sql(
        &home,
        "SELECT anchor FROM (SELECT topic.topic, term.text AS anchor FROM topic \
        JOIN term ON term.id = topic.anchor_term_id) WHERE topic = 2",
    );
    let before = home.dump();
    let cases: [(&[&str], &str); 7] = [
        (&["--forbid", "zebra"], "\"zebra\" is not in the vocabulary of the run"),
        (&["--anchor", &format!("0={anchor}")], "is an anchor of topic 2 already"),
        (&["--pin", "2", "--forbid", &anchor], "is forbidden and an anchor of the pinned topic"),
        (&["--merge", "1"], "a merge needs two topics or more"),
        (&["--drop", "9"], "there is no topic 9; the topics are 0 to 4"),
        (&["--edits", "nosuch.json"], "give --edits a list of edits"),
        (&[], "nothing is to be changed"),
    ];
    for (edits, said) in cases {
        home.fails(&[&["shape", "1"], edits].concat(), said);
    }
    assert_eq!(before, home.dump());
}

#[test]
fn a_forbidden_word_is_in_no_topic_of_the_run_and_of_those_shaped_from_it() {
    let home = with_a_run(&[]);
    let word = "SELECT word FROM (SELECT term.text AS word, sum(probability) AS p FROM topic_term \
        JOIN term ON term.id = term_id WHERE run_id = 1 AND term_id NOT IN (SELECT anchor_term_id FROM topic \
        WHERE run_id = 1) GROUP BY term_id ORDER BY p DESC LIMIT 1)";
    let word = sql(&home, word);
    let anchor = "SELECT text FROM topic JOIN term ON term.id = anchor_term_id WHERE run_id = 1 AND topic = 2";
    let anchor = sql(&home, anchor);
    home.succeeds(&["shape", "1", "--forbid", &word, "--forbid", &anchor, "--pin", "1"]);
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["shape", "2", "--split", "0"]);
    home.succeeds(&["verify", "3"]);
    for run in [2, 3] {
        let rows = format!(
            "SELECT count(*) FROM topic_term JOIN term ON term.id = term_id WHERE run_id = {run} AND \
             text IN ('{word}', '{anchor}')"
        );
        assert_eq!(sql(&home, &rows), "0");
        let words = format!(
            "SELECT count(*) FROM vocabulary_term WHERE vocabulary_id = (SELECT vocabulary_id FROM run WHERE id = {run})"
        );
        assert_eq!(sql(&home, &words), "148");
        let sums = format!(
            "SELECT count(*) FROM (SELECT sum(probability) AS sum FROM topic_term WHERE run_id = {run} \
             GROUP BY topic) WHERE abs(sum - 1) > 1e-9"
        );
        assert_eq!(sql(&home, &sums), "0");
    }
    home.fails(&["shape", "2", "--anchor", &word], "is not in the vocabulary of the run");
    home.succeeds(&["compare", "1", "2"]);
    home.succeeds(&["check"]);
}

#[test]
fn topics_of_other_models_are_merged_dropped_and_refined() {
    let home = with_a_run(&["--model", "nmf-kl", "--no-documents"]);
    home.fails(&["shape", "1", "--split", "1"], "topics of nmf-kl have no anchors");
    home.succeeds(&["shape", "1", "--merge", "0,1", "--drop", "4", "--refine", "3"]);
    assert_eq!(sql(&home, "SELECT k FROM run WHERE id = 2"), "3");
    home.succeeds(&["verify", "2"]);
}

#[test]
fn seeds_anchor_the_first_topics_and_are_refused_where_they_make_none() {
    let home = with_a_run(&["--no-documents"]);
    let anchor = |topic: u32| {
        sql(
            &home,
            &format!(
                "SELECT text FROM topic JOIN term ON term.id = anchor_term_id \
            WHERE run_id = 1 AND topic = {topic}"
            ),
        )
    };
    let seeds = |rows: &str| home.file("seeds.csv", format!("topic,word\n{rows}\n").as_bytes());
    let file = seeds(&format!("sports,{}\n7,{}", anchor(3), anchor(1)));
    let run = ["run", "c", "-k", "5", "--terms", "150", "--no-documents", "--seeds", &file];
    home.succeeds(&run);
    let found = "SELECT group_concat(text, ' ') FROM (SELECT text FROM topic JOIN term ON \
        term.id = anchor_term_id WHERE run_id = 2 AND topic < 2 ORDER BY topic)";
    assert_eq!(sql(&home, found), format!("{} {}", anchor(3), anchor(1)));
    assert_eq!(sql(&home, "SELECT count(*) FROM topic WHERE run_id = 2 AND label = 'sports'"), "1");
    home.succeeds(&["verify", "2"]);
    let before = home.dump();
    seeds("a,zebra");
    home.fails(&run, "\"zebra\" is not in the vocabulary");
    seeds(&format!("a,{}\nb,{}", anchor(0), anchor(0)));
    home.fails(&run, "is an anchor of topic 0 already");
    seeds("a,");
    home.fails(&run, "line 2 lacks a topic or a word");
    home.file("seeds.csv", b"a,b\n1,2\n");
    home.fails(&run, "must name the columns topic and word");
    seeds(&format!("a,{}", anchor(0)));
    home.fails(&[&run[..], &["--model", "lda-gibbs"]].concat(), "lda-gibbs takes no seeds");
    assert_eq!(before, home.dump());
}

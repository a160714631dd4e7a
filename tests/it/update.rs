//! `update`: a run continued with what is new, and its model fitted again (`--refit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::Home;

/// So many documents of one made corpus of this kind; more of them begin with the same ones.
fn ingest(home: &Home, kind: &[&str], documents: &str) {
    let into = home.path(documents).to_string_lossy().into_owned();
    let place = ["--documents", documents, "--into", &into, "--name", "c"];
    home.succeeds(&[&["synth"], kind, &place].concat());
    home.succeeds(&["ingest", "c", &format!("{into}/docword.c.txt")]);
}

const LDA: &[&str] = &["lda", "--words", "900", "-k", "10", "--tokens", "80"];
const SEPARABLE: &[&str] = &["separable", "--words", "300", "-k", "5", "--tokens", "100"];

fn metric(home: &Home, run: u32, name: &str) -> f64 {
    let sql = format!(
        "SELECT value FROM metric WHERE run_id = {run} AND name = '{name}' AND topic IS NULL"
    );
    home.wait_for(&sql).parse().expect("a number")
}

fn said(home: &Home, arguments: &[&str]) -> String {
    let output = home.command(arguments).output().expect("run");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn after_more_documents_fewer_passes_come_to_what_a_fresh_run_comes_to() {
    let home = Home::new();
    ingest(&home, LDA, "4000");
    home.succeeds(&["run", "c", "-k", "10", "--terms", "800"]);
    let nothing_new = home.succeeds(&["update", "1", "--refit"]);
    home.keeps(&nothing_new);
    let nothing_new = home.json(&["update", "1", "--refit", "-o", "json"]);
    assert_eq!((&nothing_new["run"], &nothing_new["status"]), (&Value::Null, &"up_to_date".into()));
    assert_eq!(
        home.succeeds(&["update", "1", "--refit", "-o", "csv"]),
        "run,status,seconds\n,up_to_date,\n"
    );
    ingest(&home, LDA, "4400");
    home.succeeds(&["label", "1", "3", "a name"]);
    let told = said(&home, &["update", "1", "--refit"]);
    let named =
        home.succeeds(&["sql", "SELECT topic FROM topic WHERE run_id = 2 AND label = 'a name'"]);
    assert!(named.lines().any(|line| line.trim() == "3"), "{named}");
    home.succeeds(&["run", "c", "-k", "10", "--terms", "800"]);
    let passes = |run| metric(&home, run, "factorisation_passes");
    let line = format!("run 2 made {} passes to factorise, run 1 made {}", passes(2), passes(1));
    assert!(told.contains(&line), "{told}");
    let kept = "topics: 10 of 10 are what they were under the same number in run 1";
    assert!(told.contains(kept) && told.contains("vocabulary: "), "{told}");
    assert!(passes(2) < passes(3), "{} {}", passes(2), passes(3));
    assert!(metric(&home, 2, "factorisation_residual") <= 1e-4);
    assert_eq!(metric(&home, 2, "documents_used"), metric(&home, 3, "documents_used"));
    let fit = |run| metric(&home, run, "relative_approximation");
    assert!((fit(2) / fit(3) - 1.0).abs() < 0.01, "{} {}", fit(2), fit(3));
    // What it started from is saved: it can be verified, and not once that is gone.
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["delete", "1", "--yes"]);
    let gone = said(&home, &["verify", "2"]);
    home.keeps(&gone);
}

/// topic → label, of a run.
fn labels(home: &Home, run: u32) -> BTreeMap<u64, String> {
    let sql = format!("SELECT topic, label FROM topic WHERE run_id = {run} AND label IS NOT NULL");
    let rows = home.json(&["sql", &sql, "-o", "json"]);
    let rows = rows.as_array().expect("rows").iter();
    let label = |row: &Value| row["label"].as_str().expect("a label").to_string();
    rows.map(|row| (row["topic"].as_u64().expect("a topic"), label(row))).collect()
}

#[test]
fn labels_go_with_their_topics_and_those_of_topics_that_vanished_are_listed() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    // Each topic is called by the subject of most of its documents' shares.
    let sql = "SELECT topic, substr(key, 1, instr(key, '-') - 1) AS subject, sum(proportion) AS share \
               FROM document_topic JOIN document ON document.id = document_id WHERE run_id = RUN \
               GROUP BY topic, subject ORDER BY share";
    let subjects = |run: &str| {
        let rows = home.json(&["sql", &sql.replace("RUN", run), "-o", "json"]);
        let rows = rows.as_array().expect("rows").clone().into_iter();
        let subject = |row: &Value| row["subject"].as_str().expect("a subject").to_string();
        rows.map(|row| (row["topic"].as_u64().expect("a topic"), subject(&row)))
            .collect::<BTreeMap<u64, String>>()
    };
    let given: BTreeMap<u64, String> = subjects("1")
        .into_iter()
        .map(|(topic, subject)| (topic, format!("{subject} {topic}")))
        .collect();
    for (topic, label) in &given {
        home.succeeds(&["label", "1", &topic.to_string(), label]);
    }
    let gone = "key LIKE 'chess-%'";
    home.succeeds(&["delete", "documents", "subjects", "--where", gone, "--yes"]);
    let output = home.command(&["update", "1", "--refit", "-o", "json"]).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |name: &str| report["changes"][name].as_array().expect("a list").clone();
    let (carried, lost) = (list("labels_carried"), list("labels_lost"));
    assert_eq!(carried.len() + lost.len(), 8, "{report}");
    assert!(carried.len() >= 5, "{report}");
    let of_list = |row: &Value| {
        let label = row["label"].as_str().expect("a label").to_string();
        (row["topic"].as_u64().expect("a topic"), label)
    };
    assert_eq!(labels(&home, 2), carried.iter().map(of_list).collect());
    // No topic is called by a subject that it is not of.
    let now = subjects("2");
    for (topic, label) in labels(&home, 2) {
        assert!(label.starts_with(&now[&topic]), "{label:?}: {now:?}");
        assert!(!label.starts_with("chess"));
    }
    assert!(lost.iter().any(|row| of_list(row).1.starts_with("chess")), "{report}");
    for row in &lost {
        let (topic, label) = of_list(row);
        assert!(row["cosine"].as_f64().expect("a cosine") < 0.8, "{report}");
        let line = format!("the label {label:?} of topic {topic} of run 1 is not carried");
        let remedy = format!("`topoi label 2 {} '{label}'`", row["nearest"]);
        assert!(told.contains(&line) && told.contains(&remedy), "{told}");
    }
    assert_eq!(list("topics").len(), 8);
    // Whoever looks later is told the same.
    let later = home.json(&["watch", "2", "-o", "json"]);
    assert_eq!(later["changes"], report["changes"]);
}

/// Versions of before split a document by its row, not by its number in the corpus.
#[test]
fn sums_of_documents_split_by_row_are_continued_where_rows_are_numbers_and_refused_elsewhere() {
    for is_alone in [true, false] {
        let home = Home::new();
        if !is_alone {
            let other = home.file("before.txt", b"one two three\nfour five six\n");
            home.succeeds(&["ingest", "before", &other, "--format", "lines"]);
        }
        ingest(&home, SEPARABLE, "600");
        let rp = ["run", "c", "-k", "5", "--model", "rp", "--terms", "250", "--keep-sums"];
        home.succeeds(&rp);
        ingest(&home, SEPARABLE, "660");
        let mark = "DELETE FROM matrix WHERE purpose = 'summed_documents' AND position = 3";
        home.succeeds(&["sql", "--write", mark]);
        let told = said(&home, &["update", "1", "--refit"]);
        let expected = match is_alone {
            true => "run 2 projected 60 new documents and has the sums of 600 from run 1",
            false => "run 2 failed: run 1 kept its sums with an earlier version of topoi",
        };
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn kept_sums_spare_the_documents_they_have_and_come_to_what_a_fresh_run_comes_to() {
    let home = Home::new();
    ingest(&home, SEPARABLE, "3000");
    let rp = ["run", "c", "-k", "5", "--model", "rp"];
    home.succeeds(&[&rp[..], &["--terms", "250", "--keep-sums"]].concat());
    home.keeps(&home.succeeds(&["update", "1", "--refit"]));
    ingest(&home, SEPARABLE, "3300");
    let told = said(&home, &["update", "1", "--refit"]);
    let line = "run 2 projected 300 new documents and has the sums of 3000 from run 1";
    assert!(told.contains(line), "{told}");
    let name = "INSERT INTO vocabulary_name SELECT corpus_id, 'first', vocabulary_id, '' FROM run";
    home.succeeds(&["sql", "--write", &format!("{name} WHERE id = 1")]);
    home.succeeds(&[&rp[..], &["--vocabulary", "first"]].concat());
    let read = [1, 2, 3].map(|run| metric(&home, run, "documents_projected"));
    assert_eq!(read, [3000.0, 300.0, 3300.0]);
    // The vocabulary is that of the run it starts from; P = 750 directions, 32 in a matrix.
    let count = |of: &str| home.wait_for(&format!("SELECT count({of}"));
    let sums = "*) FROM matrix WHERE purpose = 'projection_sums' AND";
    assert_eq!(count("DISTINCT vocabulary_id) FROM run WHERE id IN (1, 2)"), "1");
    assert_eq!(count(&format!("{sums} run_id = 2")), "24");
    let farthest: f64 = home
        .wait_for(
            "SELECT max(distance) FROM (SELECT min(distance) AS distance FROM topic_alignment \
             WHERE run_a = 2 AND run_b = 3 GROUP BY topic_a)",
        )
        .parse()
        .expect("a number");
    // The seeds are fixed; it is 0.016 bits, and 0.042 from a fresh run of another seed.
    assert!(farthest < 0.03, "{farthest}");
    home.succeeds(&["verify", "2"]);
    // An update can be updated, and needs the run before it for nothing once it is done but to be
    // verified.
    ingest(&home, SEPARABLE, "3400");
    home.succeeds(&["delete", "1", "--yes"]);
    let told = said(&home, &["update", "2", "--refit"]);
    let line = "run 4 projected 100 new documents and has the sums of 3300 from run 2";
    assert!(told.contains(line), "{told}");
    home.succeeds(&["check"]);
    home.succeeds(&["delete", "2", "--yes"]);
    assert_eq!(count(&format!("{sums} run_id < 3")), "0");
    let gone = said(&home, &["verify", "4"]);
    home.keeps(&gone);
    // What cannot be taken out of the sums is not updated.
    home.succeeds(&["delete", "documents", "c", "--key", "c:7", "--yes"]);
    let refused = said(&home, &["update", "4", "--refit"]);
    home.keeps(&refused);
}

fn rows(home: &Home, sql: &str) -> Vec<Value> {
    home.json(&["sql", sql, "-o", "json"]).as_array().expect("rows").clone()
}

fn number(home: &Home, sql: &str) -> u64 {
    let row = rows(home, sql).pop().expect("a row");
    row.as_object().and_then(|row| row.values().next()?.as_u64()).expect("a number")
}

/// `sample_corpora/eight_subjects.jsonl` in two files: of every subject some documents are in each.
pub fn halves(home: &Home) -> [String; 2] {
    let text = std::fs::read_to_string("sample_corpora/eight_subjects.jsonl").expect("readable");
    let half = |odd: bool| {
        let lines = text.lines().enumerate().filter(|(at, _)| (at % 4 == 3) == odd);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    [
        home.file("first.jsonl", half(false).as_bytes()),
        home.file("more.jsonl", half(true).as_bytes()),
    ]
}

/// How far the topics' shares of run 2 are from the means of its documents' proportions.
fn apart_from_means(home: &Home) -> f64 {
    let apart = "SELECT max(abs(document_share - share)) AS apart FROM topic JOIN \
                 (SELECT topic, avg(proportion) AS share FROM document_topic WHERE run_id = 2 GROUP BY topic) \
                 USING (topic) WHERE run_id = 2";
    rows(home, apart)[0]["apart"].as_f64().expect("a number")
}

#[test]
fn an_update_reads_what_is_new_and_its_topics_stay_who_they_are() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["run", "c", "-k", "8"]);
    home.succeeds(&["label", "1", "3", "a name"]);
    home.keeps(&home.succeeds(&["update", "1"]));
    home.succeeds(&["ingest", "c", &more]);
    let theta = |run: u32| {
        rows(
            &home,
            &format!(
                "SELECT document_id, topic, proportion FROM document_topic WHERE run_id = {run}"
            ),
        )
    };
    let before = theta(1);
    let told = said(&home, &["update", "1"]);
    home.keeps(&told);
    let covered = "SELECT count(*) FROM document_proportions WHERE run_id = ";
    assert_eq!([1, 2].map(|run| number(&home, &format!("{covered}{run}"))), [192, 256]);
    assert_eq!(labels(&home, 2), BTreeMap::from([(3, "a name".into())]));
    // Shares and A sum to one, and shares are the means of the documents' proportions.
    let sums = "SELECT round(sum(document_share), 9) AS a, round(sum(token_share), 9) AS b, \
                (SELECT round(sum(joint), 9) FROM topic_correlation WHERE run_id = 2) AS c \
                FROM topic WHERE run_id = 2";
    let sums = rows(&home, sums).pop().expect("a row");
    assert_eq!([&sums["a"], &sums["b"], &sums["c"]].map(Value::as_f64), [Some(1.0); 3]);
    assert!(apart_from_means(&home) < 1e-6);
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["check"]);
    let npmi = metric(&home, 2, "npmi");
    home.succeeds(&["metrics", "2", "--recompute"]);
    assert_eq!(metric(&home, 2, "npmi"), npmi, "so few documents are all counted in");
    assert_eq!(theta(1), before, "the first run has what it had");
    let history = rows(&home, "SELECT revision, topic, drift FROM topic_history WHERE topic = 3");
    assert_eq!(history.len(), 2);
    assert!(history[0]["drift"].is_null() && history[1]["drift"].as_f64() < Some(0.5));
    let refused = said(&home, &["update", "1"]);
    home.keeps(&refused);
    // Its model can be fitted again.
    home.succeeds(&[
        "ingest",
        "c",
        &home.file("x.jsonl", br#"{"text": "chess king pawn rook board"}"#),
    ]);
    home.succeeds(&["update", "2", "--refit"]);
    assert_eq!(number(&home, &format!("{covered}3")), 257);
}

#[test]
fn documents_that_are_corrected_or_deleted_are_taken_out_and_the_same_bits_come_from_any_threads() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["run", "c", "-k", "8", "--threads", "1"]);
    let gone = "key LIKE 'chess-%'";
    home.succeeds(&["delete", "documents", "c", "--where", gone, "--yes"]);
    let corrected = br#"{"id": "sailing-1", "title": "t", "text": "the patient and the doctors in a hospital where blood and drugs and doctors treat a disease of patients"}"#;
    let name = rows(&home, "SELECT key FROM document WHERE key LIKE 'sail%' ORDER BY key LIMIT 1");
    let key = name.first().and_then(|row| row["key"].as_str()).expect("a key").to_string();
    let corrected = String::from_utf8_lossy(corrected).replace("sailing-1", &key);
    home.succeeds(&["ingest", "c", &home.file("again.jsonl", corrected.as_bytes())]);
    home.succeeds(&["ingest", "c", &more]);
    let told = said(&home, &["update", "1"]);
    home.keeps(&told);
    let deleted = number(&home, "SELECT count(*) FROM deleted_document");
    assert!(deleted > 10, "{deleted}");
    let covered = number(&home, "SELECT count(*) FROM document_proportions WHERE run_id = 2");
    assert_eq!(covered, 256 - deleted);
    let left = "SELECT count(*) FROM document_proportions WHERE run_id = 2 \
                AND document_id IN (SELECT document_id FROM deleted_document)";
    assert_eq!(number(&home, left), 0);
    let about = format!(
        "SELECT (SELECT word FROM topic_word WHERE run_id = 2 AND topic = t.topic AND rank = 1) AS word \
         FROM document_top_topic AS t JOIN document ON document.id = t.document_id \
         WHERE run_id = 2 AND key = '{key}'"
    );
    let word = rows(&home, &about)[0]["word"].as_str().expect("a word").to_string();
    assert!(
        ["patient", "patients", "doctors", "blood", "doctor"].contains(&word.as_str()),
        "{word}"
    );
    let share = |run: u32| {
        let chess = format!(
            "SELECT max(document_share) AS share FROM topic WHERE run_id = {run} AND topic = \
             (SELECT topic FROM topic_word WHERE run_id = 1 AND word = 'pawn' ORDER BY probability DESC LIMIT 1)"
        );
        rows(&home, &chess)[0]["share"].as_f64().expect("a share")
    };
    assert!(share(2) < 0.7 * share(1), "{} {}", share(1), share(2));
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["check"]);
}

#[test]
fn documents_that_are_left_out_are_counted_once_whether_an_update_reads_them_again_or_not() {
    let home = Home::new();
    let lines = |from: u32, to: u32| -> String {
        let text = |n: u32| match n % 10 {
            // Too short.
            0 => "onceword".to_string(),
            kind => (0..12).map(|at| format!("w{kind}x{} ", (n + at) % 30)).collect(),
        };
        (from..to)
            .map(|n| serde_json::json!({ "id": n.to_string(), "text": text(n) }))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    let add = |from, to| {
        let file = home.file("lines.jsonl", lines(from, to).as_bytes());
        home.succeeds(&["ingest", "c", &file, "--on-error", "skip"]);
    };
    add(0, 3000);
    home.succeeds(&["run", "c", "-k", "8", "--min-tokens", "2", "--sweeps", "0"]);
    for (run, end) in [(2, 3200), (3, 3300)] {
        add(end - 100, end);
        if run == 3 {
            home.succeeds(&["delete", "documents", "c", "--key", "10", "--yes"]);
        }
        home.succeeds(&["update", &(run - 1).to_string()]);
        let rows =
            number(&home, &format!("SELECT count(*) FROM left_out_document WHERE run_id = {run}"));
        let left_out = metric(&home, run, "documents_left_out");
        assert_eq!(left_out, rows as f64);
        let corpus = number(&home, "SELECT documents FROM corpus");
        assert_eq!(metric(&home, run, "documents_used") + left_out, corpus as f64);
    }
}

#[test]
fn a_corpus_that_has_grown_by_half_is_read_whole() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &more]);
    home.succeeds(&["run", "c", "-k", "8"]);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["update", "1"]);
    let of = |name: &str| metric(&home, 2, name);
    assert_eq!([of("documents_added"), of("documents_at_full_reading")], [192.0, 256.0]);
    assert_eq!(of("documents_read_again"), 64.0);
    home.succeeds(&["metrics", "2", "--against", "subject"]);
    assert!(of("nmi@subject") > 0.6, "{}", of("nmi@subject"));
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["check"]);
}

#[test]
fn of_a_larger_corpus_most_documents_are_shared_with_the_run_before() {
    let home = Home::new();
    let small = ["lda", "--words", "300", "-k", "5", "--tokens", "20"];
    ingest(&home, &small, "9000");
    home.succeeds(&["run", "c", "-k", "5"]);
    ingest(&home, &small, "9050");
    home.succeeds(&["update", "1"]);
    assert_eq!(metric(&home, 2, "documents_read_again"), 3000.0);
    // Those that are new, and those whose topics changed by more than a hundredth of the document.
    let written = "SELECT count(*) FROM series_proportions WHERE first_revision = 1";
    let changed = "SELECT count(*) FROM (SELECT a.document_id FROM document_topic AS a JOIN document_topic AS b \
                   ON b.run_id = 2 AND b.document_id = a.document_id AND b.topic = a.topic WHERE a.run_id = 1 \
                   GROUP BY a.document_id HAVING max(abs(a.proportion - b.proportion)) > 0.01)";
    let [written, changed] = [written, changed].map(|sql| number(&home, sql));
    assert_eq!(written, 50 + changed);
    assert!(changed < 300, "{changed}");
    assert!(apart_from_means(&home) < 1e-6);
    let covered = "SELECT count(*) FROM document_proportions WHERE run_id = ";
    assert_eq!([1, 2].map(|run| number(&home, &format!("{covered}{run}"))), [9000, 9050]);
    home.succeeds(&["verify", "2"]);
}

/// The documents of the sample about chess, and the others.
fn chess_apart(home: &Home) -> [String; 2] {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample_corpora/eight_subjects.jsonl");
    let text = std::fs::read_to_string(path).expect("the sample");
    let part = |is_chess: bool| {
        let lines = text.lines().filter(|line| line.contains("\"chess-") == is_chess);
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    [
        home.file("others.jsonl", part(false).as_bytes()),
        home.file("chess.jsonl", part(true).as_bytes()),
    ]
}

#[test]
fn a_new_subject_becomes_a_topic_and_the_documents_before_have_none_of_it() {
    // With many topics proportions are saved as objects.
    for k in [7, 104] {
        let home = Home::new();
        let [others, chess] = chess_apart(&home);
        home.succeeds(&["ingest", "c", &others]);
        home.succeeds(&["run", "c", "-k", &k.to_string()]);
        home.succeeds(&["ingest", "c", &chess]);
        let output = home.command(&["update", "1", "-o", "json"]).output().expect("run");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let added = &report["changes"]["news"]["topics_added"];
        assert_eq!(added.as_array().map(Vec::len), Some(1), "{report}");
        assert_eq!(added[0]["topic"], k, "{report}");
        assert!(added[0]["added_share"].as_f64() > Some(0.5), "{report}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&format!("topic {k} (")), "{told}");
        // Its words rise, and many of them were not in the vocabulary.
        let rising = "SELECT text FROM rising_word JOIN term ON term.id = term_id WHERE rank <= 8";
        let rising = home.succeeds(&["sql", rising, "-o", "csv"]);
        assert!(rising.contains("chess\n") && rising.contains("pawn"), "{rising}");
        let news = &report["changes"]["news"];
        assert_eq!(news["rising_words"][0]["earlier"], 0, "{news}");
        assert!(news["unknown_share"].as_f64() > Some(0.05), "{news}");
        let nearest = &news["topics_added"][0]["nearest"];
        assert!(
            nearest["topic"].as_u64() < Some(k) && nearest["cosine"].as_f64() < Some(0.5),
            "{news}"
        );
        let first =
            format!("SELECT word FROM topic_word WHERE run_id = 2 AND topic = {k} AND rank <= 8");
        let first = rows(&home, &first);
        let is_chess = |row: &&Value| {
            let known =
                ["chess", "pawn", "king", "queen", "rook", "board", "bishop", "knight", "opening"];
            row["word"]
                .as_str()
                .is_some_and(|word| known.iter().any(|known| word.starts_with(known)))
        };
        assert!(first.iter().filter(is_chess).count() >= 3, "{first:?}");
        assert_eq!(number(&home, "SELECT k FROM run WHERE id = 2"), k + 1);
        let sums = "SELECT count(*) FROM (SELECT document_id, sum(proportion) AS s, count(*) AS n FROM document_topic \
                    WHERE run_id = 2 GROUP BY document_id) WHERE abs(s - 1) < 2e-6 AND n = ";
        let documents = number(&home, "SELECT count(*) FROM document_proportions WHERE run_id = 2");
        assert_eq!(number(&home, &format!("{sums}{}", k + 1)), documents);
        home.succeeds(&["verify", "2"]);
        home.succeeds(&["check"]);
        home.succeeds(&["by", "2", "subject"]);
        // The next update keeps it, and shares documents from before it was there.
        let late = br#"{"id": "late", "text": "king and queen and rook and pawn on the board of a chess opening"}"#;
        home.succeeds(&["ingest", "c", &home.file("late.jsonl", late)]);
        home.succeeds(&["update", "2"]);
        assert_eq!(number(&home, "SELECT k FROM run WHERE id = 3"), k + 1);
        let about = "SELECT topic FROM document_top_topic JOIN document ON document.id = document_id \
                     WHERE run_id = 3 AND key = 'late'";
        assert_eq!(number(&home, about), k);
        home.succeeds(&["check"]);
        home.succeeds(&["verify", "3"]);
        home.succeeds(&["delete", "2", "3", "--yes"]);
        assert_eq!(number(&home, "SELECT count(*) FROM topic_birth"), 0);
        home.succeeds(&["check"]);
    }
}

#[test]
fn revisions_are_deleted_one_by_one_and_what_others_share_stays() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["run", "c", "-k", "4"]);
    home.succeeds(&["ingest", "c", &more]);
    home.succeeds(&["update", "1"]);
    let text = |at: usize| format!("{{\"text\": \"pawn king rook board game move {at}\"}}\n");
    let late: String = (0..20).map(text).collect();
    home.succeeds(&["ingest", "c", &home.file("late.jsonl", late.as_bytes())]);
    home.succeeds(&["update", "2"]);
    let covered = |run: u32| {
        number(&home, &format!("SELECT count(*) FROM document_proportions WHERE run_id = {run}"))
    };
    assert_eq!([1, 2, 3].map(covered), [192, 256, 276]);
    let all = |run: u32| {
        rows(&home, &format!("SELECT * FROM document_proportions WHERE run_id = {run} ORDER BY 2"))
    };
    let third: Vec<Value> = all(3);
    let without_run = |rows: &[Value]| -> Vec<(Value, Value)> {
        rows.iter().map(|row| (row["document_id"].clone(), row["proportions"].clone())).collect()
    };
    home.succeeds(&["delete", "1", "--yes"]);
    assert_eq!([1, 2, 3].map(covered), [0, 256, 276]);
    home.succeeds(&["check"]);
    // Without the newest the one before is the newest again, and is updated as it was.
    home.succeeds(&["delete", "3", "--yes"]);
    assert_eq!(covered(2), 256);
    assert_eq!(
        number(&home, "SELECT count(*) FROM series_proportions WHERE last_revision IS NULL"),
        256
    );
    home.succeeds(&["update", "2"]);
    assert_eq!(without_run(&all(4)), without_run(&third));
    home.succeeds(&["delete", "2", "4", "--yes"]);
    assert_eq!(number(&home, "SELECT count(*) FROM series_proportions"), 0);
    assert_eq!(number(&home, "SELECT count(*) FROM series"), 0);
}

#[test]
fn what_has_nothing_to_continue_says_why() {
    let home = Home::with_subjects();
    let run = |more: &[&str]| home.succeeds(&[&["run", "subjects", "-k", "4"], more].concat());
    run(&["--no-documents"]);
    run(&["--held-out", "0.2"]);
    run(&["--refine", "0"]);
    home.succeeds(&["delete", "documents", "subjects", "--key", "chess-22", "--yes"]);
    for (number, reason) in [
        ("1", "run 1 has no topics of documents to continue; `topoi update 1 --refit`"),
        ("2", "run 2 is of some of the documents only"),
        ("3", "run 3 has topics as its model finds them"),
        ("9", "there is no run 9"),
    ] {
        let refused = said(&home, &["update", number]);
        assert!(refused.contains(reason) && refused.lines().count() == 1, "{refused}");
    }
}

#[test]
fn what_cannot_be_updated_says_why() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3", "--model", "nmf-kl"]);
    let no_basis = said(&home, &["update", "1", "--refit"]);
    home.keeps(&no_basis);
    home.succeeds(&["run", "subjects", "-k", "3", "--model", "rp"]);
    let no_sums = said(&home, &["update", "2", "--refit"]);
    home.keeps(&no_sums);
    let not_its_own = said(&home, &["run", "subjects", "-k", "3", "--keep-sums"]);
    home.keeps(&not_its_own);
    let no_run = said(&home, &["update", "9", "--refit"]);
    home.keeps(&no_run);
}

#[test]
fn whether_a_refit_would_pay_is_weighed_on_documents_that_came_later() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["run", "c", "-k", "8"]);
    home.fails(&["update", "1", "--weigh-refit"]);
    home.succeeds(&["ingest", "c", &more]);
    let found = home.json(&["update", "1", "--weigh-refit", "-o", "json"]);
    let number = |name: &str| found[name].as_f64().expect("a number");
    assert_eq!((number("documents"), number("fitted")), (64.0, 192.0));
    // The same documents by the same model: the scores are those of one fit.
    assert!(number("gain").abs() < 0.05 && found["pays"] == false, "{found}");
    assert!(
        (number("log_probability_refitted") - number("log_probability") - number("gain")).abs()
            < 1e-12
    );
    home.keeps(&home.succeeds(&["update", "1", "--weigh-refit"]));
    assert_eq!(rows(&home, "SELECT id FROM run").len(), 1, "nothing is saved");
}

#[test]
fn a_vocabulary_of_a_few_words_is_continued() {
    let home = Home::new();
    let [first, more] = halves(&home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&["run", "c", "-k", "3", "--terms", "8", "--min-tokens", "2"]);
    home.succeeds(&["ingest", "c", &more]);
    let known = "SELECT 20 * sum(total_count) < (SELECT tokens FROM corpus) AS few FROM vocabulary_term \
                 JOIN term ON term.id = term_id WHERE vocabulary_id = 1";
    assert_eq!(rows(&home, known)[0]["few"], 1, "less than a twentieth of the tokens");
    home.succeeds(&["update", "1"]);
}

#[test]
fn a_run_whose_corpus_has_other_words_now_is_not_continued() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let other = home.file("other.txt", "zebu quagga okapi dugong narwhal\n".repeat(40).as_bytes());
    home.succeeds(&["ingest", "subjects", &other, "--exactly", "--yes", "--format", "lines"]);
    home.keeps(&said(&home, &["update", "1"]));
    home.keeps(&said(&home, &["update", "subjects"]));
    assert_eq!(number(&home, "SELECT count(*) FROM run"), 1);
}

#[test]
fn the_whole_of_parts_says_where_its_documents_are() {
    let home = Home::with_subjects();
    let into = home.path("parts").to_string_lossy().into_owned();
    let listed = home.succeeds(&["shard", "subjects", "--parts", "2", "--into", &into]);
    assert!(listed.contains("part-1.db"), "{listed}");
    let again = said(&home, &["shard", "subjects", "--parts", "2", "--into", &into]);
    home.keeps(&again);
    let many = said(
        &home,
        &["shard", "subjects", "--parts", "99999", "--into", &home.path("x").to_string_lossy()],
    );
    home.keeps(&many);
    for part in ["part-0.db", "part-1.db"] {
        let store = format!("{into}/{part}");
        home.succeeds(&["--store", &store, "check"]);
    }
    let united = home.path("united.db").to_string_lossy().into_owned();
    let parts = [format!("{into}/part-0.db"), format!("{into}/part-1.db")];
    home.succeeds(&["--store", &united, "unify", &parts[0], &parts[1], "--corpus", "subjects"]);
    home.succeeds(&["--store", &united, "check"]);
    let refused = said(&home, &["--store", &united, "run", "subjects", "-k", "3"]);
    home.keeps(&refused);
    let file = home.file("more.txt", b"a new document\n");
    let refused = said(&home, &["--store", &united, "ingest", "subjects", &file]);
    home.keeps(&refused);
    let refused = said(&home, &["--store", &united, "bounds", "subjects"]);
    home.keeps(&refused);
    let twice = home.path("twice.db").to_string_lossy().into_owned();
    let refused =
        said(&home, &["--store", &twice, "unify", &parts[0], &parts[0], "--corpus", "subjects"]);
    home.keeps(&refused);
    home.succeeds(&["--store", &united, "check"]);
}

//! People judge topics: in a pipe and by sheets, go on where they stopped, take back, and read the scores.

use std::path::Path;

use serde_json::Value;

use crate::common::Home;

/// The sample documents with run 1 of eight topics and run 2 of five.
fn home() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    home.succeeds(&["run", "subjects", "-k", "5"]);
    home
}

/// What `topoi judge` says when `typed` comes through a pipe: its result, and its talk.
fn judge(home: &Home, arguments: &str, typed: &str) -> (Value, String) {
    let program = Home::program();
    let script = format!("printf '{typed}' | {} judge {arguments} -o json", program.display());
    let output = home.shell(&script);
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{talk}");
    (serde_json::from_slice(&output.stdout).expect("JSON"), talk)
}

fn count(home: &Home, condition: &str) -> u64 {
    let query = format!("SELECT count(*) AS n FROM judgement WHERE {condition}");
    home.json(&["sql", &query, "-o", "json"])[0]["n"].as_u64().expect("a number")
}

/// The number that finds the intruder in each task that was answered, by item.
fn intruders(home: &Home) -> Vec<(i64, i64)> {
    let query = "SELECT item, shown ->> 'intruder' AS intruder FROM judgement ORDER BY id";
    let rows = home.json(&["sql", query, "-o", "json"]);
    let number = |row: &Value, name: &str| row[name].as_i64().expect("a number");
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| (number(row, "item"), number(row, "intruder"))).collect()
}

#[test]
fn answers_in_a_pipe_are_saved_one_by_one_and_the_next_time_goes_on() {
    let home = home();
    let (judged, talk) = judge(&home, "1 --judge ann", r"1\nx\n9\ns\n2\n");
    assert_eq!((&judged["answered"], &judged["skipped"]), (&2.into(), &1.into()), "{judged}");
    assert_eq!(judged["left"], 37, "8 topics five times");
    assert_eq!(talk.matches("a number from 1 to 6, or one of the letters").count(), 2, "{talk}");
    assert!(talk.contains("(1 of 8 of round 1)") && talk.contains("(4 of 8 of round 1)"), "{talk}");
    assert_eq!(count(&home, "judge = 'ann' AND answer IS NOT NULL AND seconds >= 0"), 2);
    // Nothing comes twice; the last one is taken back, and asked again.
    let before = intruders(&home);
    let (_, talk) = judge(&home, "1 --judge ann --number 2", r"3\nu\n4\n5\n6\n");
    assert!(talk.contains("taken back"), "{talk}");
    let after = intruders(&home);
    assert_eq!((after.len(), &after[..3]), (5, &before[..]));
    let mut items: Vec<i64> = after.iter().map(|(item, _)| *item).collect();
    items.sort_unstable();
    items.dedup();
    assert_eq!(items.len(), 5);
    assert_eq!(count(&home, "answer = 3"), 0);
    let (judged, talk) = judge(&home, "2 --judge ann", "u\\n");
    assert!(talk.contains("nothing to take back") && judged["answered"] == 0, "{talk}");
    // All of the first round, then all others; then there is nothing more.
    let (judged, talk) = judge(&home, "1 --judge ann", &r"1\n".repeat(60));
    assert_eq!((&judged["answered"], &judged["left"]), (&35.into(), &0.into()));
    assert!(talk.contains("ann has done all tasks"), "{talk}");
    let query = "SELECT DISTINCT topic, count(*) AS n FROM judgement GROUP BY topic";
    let each = home.json(&["sql", query, "-o", "json"]);
    let each: Vec<u64> =
        each.as_array().expect("rows").iter().map(|row| row["n"].as_u64().expect("n")).collect();
    assert_eq!(each, [5; 8]);
}

#[test]
fn the_intruding_word_is_none_of_the_topic_and_nobody_is_told_which_it_is() {
    let home = home();
    let (_, talk) = judge(&home, "1 --judge ann", &r"1\n".repeat(40));
    assert!(!talk.contains("intruder"), "{talk}");
    let wrong = "SELECT count(*) AS n FROM judgement, json_each(shown -> 'options') AS option \
         LEFT JOIN topic_word AS own ON own.run_id = 1 AND own.topic = judgement.topic \
         AND own.word = option.value AND own.rank <= CASE option.key + 1 = shown ->> 'intruder' \
         WHEN 1 THEN 50 ELSE 10 END \
         WHERE (option.key + 1 = shown ->> 'intruder') = (own.word IS NOT NULL)";
    assert_eq!(home.json(&["sql", wrong, "-o", "json"])[0]["n"], 0);
    // Intruders are everywhere among the six: that one place has none in 40 draws, 6 · (5/6)⁴⁰ < 0.005 of names;
    // this one is fixed.
    let places: std::collections::BTreeSet<i64> =
        intruders(&home).into_iter().map(|(_, place)| place).collect();
    assert_eq!(places.len(), 6);
    // Of documents: three topics that it has most of, and one that it has less of.
    judge(&home, "1 --judge ann --task topics", &r"1\n".repeat(8));
    let wrong = "SELECT count(*) AS n FROM judgement AS j, json_each(shown -> 'topics') AS option \
         JOIN document_topic AS about ON about.run_id = 1 AND about.document_id = j.document_id \
         AND about.topic = option.value WHERE task = 'topics' AND \
         abs(about.proportion - (shown -> 'shares' ->> option.key)) > 1e-12";
    assert_eq!(home.json(&["sql", wrong, "-o", "json"])[0]["n"], 0);
    let least = "SELECT count(*) AS n FROM judgement WHERE task = 'topics' AND \
         shown -> 'shares' ->> ((shown ->> 'intruder') - 1) < \
         (SELECT min(value) FROM json_each(shown -> 'shares') WHERE key + 1 <> shown ->> 'intruder')";
    assert_eq!(home.json(&["sql", least, "-o", "json"])[0]["n"], 8);
}

/// Fills the answers of a sheet with what `answer` makes of the cells of a line, by the names of columns.
fn fill(path: &Path, answer: impl Fn(&std::collections::BTreeMap<String, String>) -> String) {
    let mut reader = csv::Reader::from_path(path).expect("a sheet");
    let head = reader.headers().expect("a head").clone();
    let mut lines = csv::Writer::from_writer(Vec::new());
    lines.write_record(&head).expect("memory");
    for line in reader.records() {
        let line = line.expect("a line");
        let cells = head.iter().map(String::from).zip(line.iter().map(String::from)).collect();
        let given = answer(&cells);
        let cells = line.iter().zip(&head).map(|(cell, name)| match name {
            "answer" => given.as_str(),
            _ => cell,
        });
        lines.write_record(cells).expect("memory");
    }
    std::fs::write(path, lines.into_inner().expect("memory")).expect("written");
}

/// Exports a sheet of `task` for `judge`, answers it, and reads it in.
fn by_sheet(home: &Home, judge: &str, task: &str, answer: &str) {
    let path = home.path(&format!("{judge}-{task}.csv"));
    let sheet = path.to_string_lossy().into_owned();
    home.succeeds(&["judge", "1", "--judge", judge, "--task", task, "--export", &sheet]);
    fill(&path, |_| answer.to_string());
    home.succeeds(&["judge", "1", "--import", &sheet]);
}

#[test]
fn a_sheet_holds_no_answers_and_is_read_all_or_not_at_all() {
    let home = home();
    let path = home.path("sheet.csv");
    let sheet = path.to_string_lossy().into_owned();
    home.succeeds(&["judge", "1", "--judge", "=ann", "--export", &sheet]);
    let text = std::fs::read_to_string(&path).expect("a sheet");
    assert_eq!(text.lines().count(), 9, "a round");
    assert!(text.contains("'=ann") && !text.contains("intruder"), "{text}");
    home.fails(&["judge", "1", "--judge", "=ann", "--export", &sheet]);
    home.fails(&["judge", "1", "--import", &sheet]);
    let before = home.dump();
    fill(&path, |_| "7".into());
    home.fails(&["judge", "1", "--import", &sheet]);
    fill(&path, |_| "2".into());
    home.fails(&["judge", "2", "--import", &sheet]);
    let sound = std::fs::read_to_string(&path).expect("a sheet");
    let changed = sound.replacen("words,", "topics,", 1);
    std::fs::write(&path, changed).expect("written");
    home.fails(&["judge", "1", "--import", &sheet]);
    std::fs::write(&path, sound.replacen("answer", "reply", 1)).expect("written");
    home.fails(&["judge", "1", "--import", &sheet]);
    assert_eq!(before, home.dump(), "nothing of it was read");
    // Some lines are left out; read twice, nothing changes; under another name it is another's.
    std::fs::write(&path, &sound).expect("written");
    fill(
        &path,
        |cells| if cells["option_1"] < cells["option_2"] { "s".into() } else { "1".into() },
    );
    let told = home.json(&["judge", "1", "--import", &sheet, "-o", "json"]);
    assert_eq!(told["judge"], "=ann");
    let read = (told["answered"].as_u64().expect("n"), told["skipped"].as_u64().expect("n"));
    assert_eq!(read.0 + read.1, 8);
    assert_eq!((count(&home, "answer = 1"), count(&home, "answer IS NULL")), read);
    home.succeeds(&["judge", "1", "--import", &sheet]);
    assert_eq!(count(&home, "judge = '=ann'"), 8);
    home.succeeds(&["judge", "1", "--import", &sheet, "--judge", "bea"]);
    assert_eq!(count(&home, "judge = 'bea'"), 8);
    let scores = home.json(&["judgements", "1", "-o", "json"]);
    assert_eq!(scores[0]["agreement"], 1.0, "the same answers: {scores}");
    assert_eq!(scores[0]["judges"], 2);
}

#[test]
fn scores_stand_beside_coherence_in_comparisons_and_in_exports() {
    let home = home();
    let before = home.succeeds(&["judgements", "1"]);
    home.keeps(&before);
    for judge in ["ann", "bea"] {
        by_sheet(&home, judge, "ratings", if judge == "ann" { "3" } else { "2" });
    }
    judge(&home, "1 --judge ann --task topics", &r"1\n".repeat(8));
    judge(&home, "2 --judge ann --task ratings", &r"1\n".repeat(5));
    let scores = home.json(&["judgements", "1", "-o", "json"]);
    let scores = scores.as_array().expect("scores");
    let rating = scores.iter().find(|row| row["task"] == "ratings").expect("ratings");
    assert_eq!((&rating["score"], &rating["answers"]), (&2.5.into(), &16.into()));
    assert!(rating["topic"].is_null() && rating["npmi"].is_number(), "{rating}");
    assert!(rating["agreement"].as_f64().expect("α") < 0.0, "always different: {rating}");
    let one = scores.iter().find(|row| row["task"] == "ratings" && row["topic"] == 3);
    let one = one.expect("topic 3");
    // 2.5 ± 12.7 · 0.707 / √2, cut at 1 and 3.
    assert_eq!((&one["low"], &one["high"], &one["judges"]), (&1.0.into(), &3.0.into(), &2.into()));
    let topics = scores.iter().find(|row| row["task"] == "topics").expect("topics");
    assert!(topics["score"].as_f64().expect("log odds") <= 0.0);
    let told = home.succeeds(&["judgements", "1"]);
    assert!(told.contains("ratings: Krippendorff's α -"), "{told}");
    home.keeps(&told);

    let compared = home.json(&["compare", "1", "2", "-o", "json"]);
    let metric = |name: &str| {
        let metrics = compared["metrics"].as_array().expect("metrics");
        metrics.iter().find(|metric| metric["name"] == name).expect(name).clone()
    };
    assert_eq!(metric("topic_rating")["values"], serde_json::json!([2.5, 1.0]));
    assert_eq!(metric("topic_rating")["best"], 0, "all ratings of either are alike");
    assert!(metric("topic_log_odds")["best"].is_null(), "only one run has it");
    let metrics = home.json(&["metrics", "1", "--topics", "-o", "json"]);
    let of_topics = metrics.as_array().expect("metrics").iter();
    let of_topics = of_topics.filter(|of| of["name"] == "topic_rating" && !of["topic"].is_null());
    assert_eq!(of_topics.count(), 8);

    let into = |name: &str| home.path(name).to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "csv", "-o", &into("csv")]);
    let text = std::fs::read_to_string(home.path("csv/judgements.csv")).expect("a table");
    assert!(text.contains("ratings,,2.5,") && text.contains("ratings,7,2.5,1,3,2,2,\n"), "{text}");
    home.succeeds(&["export", "2", "--to", "csv", "-o", &into("csv-2")]);
    home.succeeds(&["export", "1", "--to", "html", "-o", &into("run.html")]);
    let page = std::fs::read_to_string(home.path("run.html")).expect("a page");
    assert!(page.contains("<th class=\"n\">topic_rating</th>"), "{page}");
    assert!(page.contains("title=\"1.000 to 3.000, 2 answers\">2.500</td>"), "{page}");
    home.succeeds(&["export", "1", "--to", "json", "-o", &into("run.json")]);

    assert_eq!(home.succeeds(&["check"]).lines().count(), 1, "sound");
    let told = home.json(&["delete", "1", "--dry-run", "-o", "json"]);
    assert_eq!(told["judgements"], 24);
    home.succeeds(&["delete", "1", "--yes"]);
    assert_eq!(count(&home, "run_id = 1"), 0);
}

#[test]
fn what_cannot_be_judged_is_said_in_one_line() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    home.fails(&["judge", "1", "--task", "topics"]);
    home.fails(&["judge", "1", "--judge", " "]);
    home.fails(&["judge", "1", "--judge", &"x".repeat(101)]);
    home.fails(&["judge", "7"]);
    home.fails(&["judgements", "7"]);
    home.fails(&["judge", "1", "--import", "nosuch.csv"]);
    // Nobody is there to answer.
    let judged = home.json(&["judge", "1", "--judge", "ann", "-o", "json"]);
    assert_eq!((&judged["answered"], &judged["left"]), (&0.into(), &15.into()));
    // A document's text that is gone, or a document that is: others are asked about.
    home.succeeds(&["run", "subjects", "-k", "4"]);
    home.succeeds(&["delete", "documents", "subjects", "--where", "id % 2 = 0", "--yes"]);
    let (judged, talk) = judge(&home, "2 --judge ann --task topics", &r"1\n".repeat(4));
    assert_eq!(judged["answered"], 4, "{talk}");
}

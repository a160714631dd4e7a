//! Results that --save keeps, and the script that makes a run and them again.

use std::fs;
use std::path::Path;

use crate::common::Home;

/// Two runs of the sample documents, the second a sweep's and named, with a label and results of it.
fn home() -> Home {
    let home = Home::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
    fs::copy(file, home.path("eight subjects.jsonl")).expect("copy");
    let typed = "cd \"$HOME\" && topoi ingest subjects 'eight subjects.jsonl' --ngrams 2 && \
        topoi run subjects -k 3 --terms 100 && \
        topoi sweep subjects -k 4,5 --terms 120 --seed 7 && \
        topoi name 3 'five topics' && topoi note 'to print' --run 3 && \
        topoi label 'five topics' 2 'it'\\''s music' && \
        topoi effects subjects@latest '~ subject' --topic 1,2 --save 'by subject' && \
        topoi by 3 subject --save shares --limit 1 && \
        topoi plot 3 --by subject --save figure";
    let ran = in_shell(&home, typed);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    home
}

/// A shell in which the program is `topoi`.
fn in_shell(home: &Home, script: &str) -> std::process::Output {
    let program = Home::program();
    let folder = program.parent().expect("a folder").display();
    home.shell(&format!("PATH={folder}:$PATH; export PATH; {script}"))
}

#[test]
fn what_is_kept_is_listed_shown_as_it_was_queried_and_deleted() {
    let home = home();
    let listed = home.json(&["results", "-o", "json"]);
    let of = |key: &str| -> Vec<&str> {
        listed.as_array().expect("a list").iter().map(|it| it[key].as_str().expect(key)).collect()
    };
    assert_eq!(of("result"), ["figure", "shares", "by subject"]);
    assert_eq!(of("kind"), ["figure", "table", "table"]);
    assert_eq!(of("command")[2], "effects subjects@latest '~ subject' --topic 1,2");
    assert!(listed.as_array().expect("a list").iter().all(|it| it["run"] == 3));
    assert_eq!(home.json(&["results", "--run", "1", "-o", "json"]), serde_json::json!([]));
    // As the command prints it.
    let now = home.json(&["effects", "3", "~ subject", "--topic", "1,2", "-o", "json"]);
    assert_eq!(home.json(&["results", "by subject", "-o", "json"]), now);
    for format in ["csv", "table"] {
        let now = home.succeeds(&["effects", "3", "~ subject", "--topic", "1,2", "-o", format]);
        assert_eq!(home.succeeds(&["results", "by subject", "-o", format]), now);
    }
    // All lines, whatever --limit.
    let all = home.succeeds(&["by", "3", "subject", "-o", "csv"]);
    assert_eq!(home.succeeds(&["results", "shares", "-o", "csv"]), all);
    let rows = now["estimates"].as_array().expect("a list").len();
    let query = "SELECT result_name, count(*) AS n, count(estimate) AS known, min(about) AS first \
        FROM result_estimate WHERE run_id = 3 GROUP BY result_name ORDER BY result_name";
    let counted = home.json(&["sql", query, "-o", "json"]);
    assert_eq!(
        (counted[0]["n"].as_u64(), &counted[0]["known"]),
        (Some(rows as u64), &counted[0]["n"])
    );
    assert_eq!(
        (&counted[0]["first"], &counted[1]["first"]),
        (&"(constant)".into(), &"astronomy".into())
    );
    // A name is of one result.
    home.fails(&["effects", "3", "~ subject", "--save", "shares"]);
    home.fails(&["results", "nobody"]);
    home.fails(&["results", "shares", "--into", "a.svg"]);
    home.fails(&["delete", "results", "shares", "nobody", "--yes"]);
    assert_eq!(home.json(&["results", "-o", "json"]).as_array().map(Vec::len), Some(3));
    home.succeeds(&["delete", "results", "shares", "--yes"]);
    assert_eq!(home.json(&["results", "-o", "json"]).as_array().map(Vec::len), Some(2));
    let gone = home.json(&["delete", "3", "--dry-run", "-o", "json"]);
    assert_eq!(gone["results"], 2);
}

#[test]
fn a_figure_is_written_in_the_format_of_its_name() {
    let home = home();
    let place = |name: &str| home.path(name).to_string_lossy().into_owned();
    for (name, begins) in [("a.svg", &b"<svg"[..]), ("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")] {
        home.succeeds(&["results", "figure", "--into", &place(name)]);
        let written = fs::read(place(name)).expect("a figure");
        assert!(written.starts_with(begins), "{name}");
        home.succeeds(&["plot", "3", "--by", "subject", "--into", &place(&format!("b-{name}"))]);
        assert!(fs::read(place(&format!("b-{name}"))).expect("a figure") == written, "{name}");
    }
    home.fails(&["results", "figure", "--into", &place("a.pdf")]);
    home.fails(&["results", "figure", "--into", &place("a.jpg")]);
    home.fails(&["results", "figure", "--into", &place("c.png"), "--font", &place("a.svg")]);
    let chinese = ["plot", "3", "--title", "主題", "--into"];
    home.fails(&[&chinese[..], &[&place("d.pdf")]].concat());
    assert!(!home.path("d.pdf").exists());
    home.succeeds(&[&chinese[..], &[&place("d.svg")]].concat());
}

#[test]
fn a_script_makes_a_run_its_labels_and_its_results_again() {
    let home = home();
    let script = home.succeeds(&["script", "five topics"]);
    fs::write(home.path("again.sh"), &script).expect("write");
    home.keeps(&script[script.find("\n\n").expect("commands")..]);
    let ran = in_shell(&home, "cd \"$HOME\" && sh again.sh new.db");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let new = home.path("new.db").to_string_lossy().into_owned();
    let of_both = |arguments: &[&str]| {
        let new = home.succeeds(&[&["--store", &new][..], arguments].concat());
        (home.succeeds(arguments), new)
    };
    let same: [&[&str]; 4] = [
        &["topics", "five topics", "-o", "csv"],
        &["results", "by subject", "-o", "csv"],
        &["results", "shares", "-o", "csv"],
        &[
            "sql",
            "SELECT n.note_text, r.k, r.seed, r.settings FROM run AS r JOIN note AS n ON n.run_id = r.id \
              WHERE r.run_name = 'five topics'",
        ],
    ];
    for arguments in same {
        let (old, new) = of_both(arguments);
        assert_eq!(old, new, "{arguments:?}");
    }
    // Twice is once: the second time it says that the store is not new.
    assert!(!in_shell(&home, "cd \"$HOME\" && sh again.sh new.db").status.success());
    assert_eq!(home.json(&["script", "1", "-o", "json"])["is_complete"], true);
}

#[test]
fn what_was_piped_in_is_read_from_files_by_a_script() {
    let home = Home::new();
    let texts = |from: usize| -> String {
        let subjects = ["ship sail harbour wave tide mast", "king rook pawn bishop board move"];
        (from..from + 40)
            .map(|at| {
                let words: Vec<&str> =
                    subjects[at % 2].split(' ').cycle().skip(at % 5).take(6).collect();
                format!("{{\"id\": {at}, \"text\": \"{} {at}\"}}\n", words.join(" "))
            })
            .collect()
    };
    home.file("one", texts(0).as_bytes());
    home.file("two", texts(40).as_bytes());
    let typed = "cd \"$HOME\" && topoi ingest a - --format jsonl < one && topoi run a -k 2 && \
        topoi ingest a - --format jsonl < two && topoi update a@latest";
    let ran = in_shell(&home, typed);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let script = home.succeeds(&["script", "2"]);
    fs::write(home.path("again.sh"), &script).expect("write");
    let again = "cd \"$HOME\" && sh again.sh new.db";
    let ran = in_shell(&home, again);
    assert!(!ran.status.success(), "the texts are not there");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("piped-1"), "{ran:?}");
    let ran = in_shell(
        &home,
        &format!("cd \"$HOME\" && rm -rf new.db* && mv one piped-1 && mv two piped-2 && {again}"),
    );
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let new = home.path("new.db").to_string_lossy().into_owned();
    let topics = ["topics", "2", "-o", "csv"];
    assert_eq!(home.succeeds(&[&["--store", &new][..], &topics].concat()), home.succeeds(&topics));
}

#[test]
fn updates_and_shaped_runs_have_a_script_and_what_has_no_command_stops_it() {
    let home = home();
    let more: String = (0..40)
        .map(|number| format!("{{\"id\": \"m{number}\", \"subject\": \"chess\", \"text\": \"king rook pawn move game board\"}}\n"))
        .collect();
    home.file("more.jsonl", more.as_bytes());
    let typed = "cd \"$HOME\" && topoi ingest subjects more.jsonl && topoi update 3 && \
        topoi shape subjects@latest --merge 0,1 --label 0=both && topoi by subjects@latest subject --save after";
    let ran = in_shell(&home, typed);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let script = home.succeeds(&["script", "5"]);
    home.keeps(&script[script.find("\n\n").expect("commands")..]);
    fs::write(home.path("again.sh"), &script).expect("write");
    let ran = in_shell(&home, "cd \"$HOME\" && sh again.sh new.db");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let new = home.path("new.db").to_string_lossy().into_owned();
    let after = ["results", "after", "-o", "csv"];
    assert_eq!(home.succeeds(&[&["--store", &new][..], &after].concat()), home.succeeds(&after));
    home.succeeds(&["fields", "subjects", "--set", "subject=category"]);
    let told = home.json(&["script", "5", "-o", "json"]);
    assert_eq!(told["is_complete"], true);
    let script = told["script"].as_str().expect("text");
    assert!(script.contains("topoi fields subjects --set=subject=category\n"), "{script}");
    fs::write(home.path("again.sh"), script).expect("write");
    let ran = in_shell(&home, "cd \"$HOME\" && rm -rf new.db* && sh again.sh new.db");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let fields = ["fields", "subjects", "-o", "csv"];
    assert_eq!(home.succeeds(&[&["--store", &new][..], &fields].concat()), home.succeeds(&fields));
    // What an earlier run was made from is gone.
    home.succeeds(&["delete", "3", "--yes"]);
    let told = home.succeeds(&["script", "5"]);
    assert!(told.contains("exit 1") && told.contains("run 3"), "{told}");
    home.succeeds(&["sql", "--write", "UPDATE run SET command = NULL WHERE id = 1"]);
    let told = home.json(&["script", "1", "-o", "json"]);
    assert_eq!(told["is_complete"], false);
    assert!(told["script"].as_str().is_some_and(|script| script.contains("exit 1")));
}

//! Whole jobs, from the start screen to what answers them, in a real terminal: what is on the screen
//! at the end, and how many keys it takes. The table of docs/reference/workbench.md is theirs.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::TOPOI;
use super::pty::Session;
use crate::common::Home;

/// Has the number of keys of each.
const TABLE: &str = "docs/reference/workbench.md";

/// Jobs that are done at the same time write one after the other.
static WRITING: Mutex<()> = Mutex::new(());

struct Job {
    session: Session,
    keys: usize,
}

impl Job {
    fn on(home: &Home) -> Self {
        let store = home.store();
        let store = store.to_str().expect("a path of letters");
        let directory = store.rsplit_once('/').expect("a directory").0;
        // As left by an earlier job, it would open elsewhere.
        let _ = fs::remove_dir_all(Path::new(directory).join("state"));
        let session = Session::start_in(Path::new(directory), TOPOI, &["--store", store]);
        session.wait_for("Corpora 1");
        session.wait_for("subjects");
        Self { session, keys: 0 }
    }

    /// Presses keys, named as in the help, and waits for what they show.
    fn press(&mut self, keys: &[&str], shown: &str) -> &mut Self {
        for key in keys {
            let bytes = match *key {
                "Enter" => "\r",
                "Space" => " ",
                "Tab" => "\t",
                "Esc" => "\x1b",
                "Backspace" => "\x7f",
                "Ctrl-U" => "\x15",
                letter => letter,
            };
            self.session.send(bytes);
        }
        self.keys += keys.len();
        self.session.wait_for(shown);
        self
    }

    /// Types a text: as many keys as it has letters.
    fn write(&mut self, text: &str, shown: &str) -> &mut Self {
        self.session.send(text);
        self.keys += text.chars().count();
        self.session.wait_for(shown);
        self
    }

    /// The number of keys must be that of the table.
    fn done(mut self, name: &str) {
        self.session.send("\x03\x03");
        self.session.exit_code();
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
        let table = fs::read_to_string(&path).expect(TABLE);
        let lines: Vec<String> = table
            .lines()
            .map(|line| match line.strip_prefix(&format!("| {name} | ")) {
                Some(rest) => {
                    let keys = rest.split_once(" |").map_or("", |(_, keys)| keys);
                    format!("| {name} | {} |{keys}", self.keys)
                }
                None => line.to_string(),
            })
            .collect();
        assert!(table.contains(&format!("| {name} | ")), "{name} is not in {TABLE}");
        let now = lines.join("\n") + "\n";
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, now).expect(TABLE);
        } else {
            assert_eq!(table, now, "{name} takes {} keys", self.keys);
        }
    }
}

/// The sample texts with two runs of one K and two of others; made once, and copied.
fn home() -> Home {
    static STORE: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = STORE.get_or_init(|| {
        let home = Home::with_subjects();
        for arguments in [
            &["run", "subjects", "-k", "8"][..],
            &["run", "subjects", "-k", "8", "--seed", "2"],
            &["run", "subjects", "-k", "5"],
            &["run", "subjects", "-k", "12"],
        ] {
            home.succeeds(arguments);
        }
        fs::read(home.store()).expect("a store")
    });
    let home = Home::new();
    let store = home.store();
    fs::create_dir_all(store.parent().expect("a directory")).expect("make");
    fs::write(&store, bytes).expect("write");
    home
}

#[test]
fn from_the_start_to_a_document_of_a_topic_are_at_most_six_keys() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["Enter"], "topic ");
    job.press(&["Enter"], "Documents most about").press(&["Enter"], "Topics of its words");
    assert!(job.keys <= 6, "{}", job.keys);
    job.done("read a document of a topic");
    // The topic on chess is looked for, and its strongest document read.
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").write("/rook", "match");
    job.press(&["Enter"], "match")
        .press(&["Enter"], "rook")
        .press(&["Enter"], "Documents most about");
    job.press(&["Enter"], "Topics of its words");
    job.session.wait_for("chess");
    job.done("read the strongest documents of the topic on chess");
}

#[test]
fn which_topics_hold_a_word_and_how_it_is_used() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").write("/rook", "match");
    job.press(&["Enter"], "match").press(&["Enter"], "rook").press(&["W"], "times in");
    job.press(&["t"], "documents, topics of run");
    job.done("which topics hold a word, and how it is used");
}

#[test]
fn the_same_topic_in_another_run() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["R"], "in the other runs");
    job.session.wait_for("1 of 3");
    job.press(&["Enter"], "About it");
    job.done("the same topic in another run");
}

#[test]
fn documents_like_one() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["2"], "1 of 256");
    job.press(&["Enter"], "Topics of its words")
        .press(&["D"], "by their topics in run")
        .press(&["w"], "by their words");
    job.press(&["Enter"], "Topics of its words");
    job.done("documents like one");
}

#[test]
fn whether_the_topics_of_two_runs_are_the_same() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Space"], "1 marked").press(&["j", "c"], "mean cosine");
    job.done("are the topics of two runs the same");
}

#[test]
fn what_changes_after_new_documents() {
    let home = home();
    let more: String = (0..40)
        .map(|number| {
            let text = "the bishop and the knight take the rook of the king on a board ".repeat(3);
            format!("{{\"id\": \"new-{number}\", \"text\": \"{text}{number}\"}}\n")
        })
        .collect();
    let file = home.file("data/topoi/more.jsonl", more.as_bytes());
    assert!(Path::new(&file).exists());
    let mut job = Job::on(&home);
    job.press(&["i"], "files").write("more.jsonl", "more.jsonl").press(&["Enter"], "1 file of");
    job.press(&["y"], "ingest subjects: ");
    job.press(&["4"], "Runs 4").press(&["n"], "filled from run").press(&["Enter"], "Runs 5");
    job.session.wait_for("5  subjects    lr-jsmf        12  finished");
    job.press(&["Space"], "1 marked").press(&["c"], "mean cosine");
    job.done("what changes after new documents");
}

#[test]
fn how_many_topics() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["7"], "at their best. Enter opens run 1");
    job.done("how many topics to take");
}

#[test]
fn a_run_again_with_changes() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["n"], "filled from run").press(&["Tab", "Tab"], "> k");
    job.press(&["Backspace", "0"], "[ 10").press(&["Enter"], "Runs 5");
    job.done("run again with another K");
}

#[test]
fn a_document_is_found_by_a_phrase() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["F"], "Type a query").write("\"lonely king\"", "king");
    job.press(&["Enter"], "king\": ").press(&["Enter"], "Topics of its words");
    job.done("find a document by a phrase");
}

#[test]
fn a_topic_is_labelled() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["L"], "name");
    job.write("chess", "chess").press(&["Enter"], "is called \"chess\"");
    job.done("label a topic");
}

#[test]
fn a_topic_is_split_by_hand_and_saved_as_a_run() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["A"], "as they are");
    job.press(&["v"], "after 1 edit").press(&["K"], "Save the edits").press(&["y"], "run 5");
    job.done("split a topic and save that as a run");
    let parent = home.wait_for("SELECT parent FROM run WHERE id = 5 AND status = 'finished'");
    assert_eq!(parent, "4");
}

#[test]
fn topics_are_judged_and_answers_are_kept() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["J"], "1 of 12 of round 1");
    job.press(&["3"], "2 of 12 of round 1").press(&["Space"], "3 of 12 of round 1");
    job.press(&["u"], "2 of 12 of round 1").press(&["1"], "3 of 12 of round 1");
    job.done("judge two topics of a run");
    let query = "SELECT count(*) AS n, max(answer) AS answer FROM judgement WHERE run_id = 4";
    let saved = home.json(&["sql", query, "-o", "json"]);
    assert_eq!((&saved[0]["n"], &saved[0]["answer"]), (&2.into(), &3.into()));
    // The next time it goes on; the scores are there.
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["J"], "3 of 12 of round 1");
    job.press(&["Tab"], "Which topic does not belong").press(&["Tab"], "How related are these");
    job.press(&["2"], "2 of 12").press(&["Tab"], "all topics");
    job.done("see what people said of a run");
}

#[test]
fn a_run_is_exported() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["g", "e"], "export");
    job.press(&["Enter"], "writes ").press(&["y"], "export 4: ");
    assert!(home.path("data/topoi/run-4.html").exists());
    job.done("export a run");
}

#[test]
fn a_cell_of_a_field_leads_to_its_documents_and_back() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["f"], "commonest");
    job.press(&["Enter"], "by subject: per cent")
        .press(&["l"], "documents")
        .press(&["Tab"], "per cent");
    job.press(&["Enter"], "Documents of topic");
    job.done("a topic by a field, and the documents of a group");
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["f"], "commonest");
    job.press(&["Enter"], "by subject: per cent").press(&["l"], "documents");
    job.press(&["Enter"], "Documents of topic").press(&["Backspace"], "by subject: per cent");
    job.press(&["Backspace"], "by a field");
}

#[test]
fn a_run_is_deleted_and_comes_back() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["x"], "Runs 3").press(&["u"], "Runs 4");
    job.done("delete a run and undo it");
}

#[test]
fn a_phrase_leads_to_its_passage_its_topic_and_other_passages() {
    let home = home();
    let mut job = Job::on(&home);
    let typed = "\"lonely king\"";
    job.press(&["F"], "Type a query").write(typed, "king");
    job.press(&["Enter"], "king\": ").press(&["Enter"], "Topics of its words");
    // Around the phrase, which is in sight.
    job.session.wait_for("lonely king");
    // The document that is open is the last of the trail, which is drawn before the keys below it.
    let open = |job: &Job| {
        job.session.wait_for("D like it");
        let text = job.session.contents();
        let line = text.lines().rev().find(|line| line.contains("\u{203a} document "));
        line.and_then(|line| line.split_whitespace().last().map(str::to_string))
    };
    let first = open(&job);
    assert!(first.is_some(), "{}", job.session.contents());
    job.press(&["Tab"], "Enter shows the documents of one")
        .press(&["Enter"], "Documents most about");
    job.press(&["Enter"], "Topics of its words");
    assert_ne!(first, open(&job), "another document");
    job.keys -= typed.chars().count();
    assert!(job.keys <= 6, "{}", job.keys);
    job.done("from a phrase to its passage, its topic and another passage of it");
}

#[test]
fn every_occurrence_is_in_its_context_and_what_is_beside_it_is_counted() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["F"], "Type a query").write("king", "king").press(&["Enter"], "king: ");
    job.press(&["Tab"], "C[contexts]").press(&["o"], "by the words before");
    job.press(&["w"], "words within 5 of its").press(&["Enter"], "NEAR/5");
    job.done("the words beside a word, and where both are");
}

#[test]
fn a_note_on_a_passage_is_exported_with_its_source() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["F"], "Type a query").write("\"lonely king\"", "king");
    job.press(&["Enter"], "king\": ").press(&["Enter"], "Topics of its words");
    job.keys = 0;
    job.press(&["N"], "Note on a passage").press(&["Enter"], "is saved");
    job.press(&["g", "b"], "Notes 1").press(&["Q"], "notes.md");
    assert!(job.keys <= 5, "{}", job.keys);
    job.done("from a passage that is read to a file with its quote and source");
    let notes = fs::read_to_string(home.path("data/topoi/notes.md")).expect("notes");
    assert!(notes.contains("lonely king") && notes.contains("> \u{2014} "), "{notes}");
    assert!(notes.contains("characters "), "{notes}");
    // A note on a topic is where its run's are.
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["N"], "Note on topic");
    job.write("of games", "of games").press(&["Enter"], "is saved");
    let rows = home.json(&["notes", "games", "-o", "json"]);
    assert_eq!((&rows[0]["about"], &rows[0]["run"]), (&"topic".into(), &4.into()));
}

#[test]
fn an_unlabelled_topic_gets_a_good_name() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "?)");
    job.keys = 0;
    job.press(&["L"], "proposed name, 1 of").press(&["Tab"], "proposed name, 2 of");
    job.press(&["Enter"], "is called");
    assert!(job.keys <= 3, "{}", job.keys);
    job.done("name a topic by one of the names that are proposed");
    let by = home.json(&["topics", "4", "-o", "json"]);
    let named = by.as_array().expect("topics").iter().find(|topic| !topic["label"].is_null());
    assert!(named.is_some_and(|topic| topic["labelled_by"].is_string()), "{by}");
}

#[test]
fn two_runs_lead_to_the_topics_that_differ() {
    let home = home();
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Space"], "1 marked").press(&["j", "c"], "mean cosine");
    assert!(job.keys <= 4, "{}", job.keys);
    // Runs of 12 and 5 topics: what has no match comes first.
    job.session.wait_for("(none)");
    job.done("the topics in which two runs differ");
    let mut job = Job::on(&home);
    job.press(&["4"], "Runs 4").press(&["Enter"], "Topics 12").press(&["Space"], "is marked");
    job.press(&["j", "c"], "Documents most about it");
    job.done("two topics side by side");
}

#[test]
fn the_topics_of_one_corpus_are_found_in_another() {
    let home = home();
    let mut job = Job::on(&home);
    let file = home.path("tales.txt");
    fs::write(&file, "The king had a daughter.\nThe rook takes the bishop.\n").expect("written");
    home.succeeds(&["ingest", "tales", file.to_str().expect("a path")]);
    job.press(&[], "Corpora 2").press(&["Space"], "is marked");
    job.press(&["j", "c"], "Words that distinguish subjects and tales");
    job.press(&["t"], "The topics of run 4 of subjects in tales");
    job.session.wait_for("there of 2 documents of tales");
    job.press(&["Enter"], "topic ");
    job.done("the topics of one corpus in another");
    let printed = home.json(&["infer", "4", "--corpus", "tales", "-o", "json"]);
    assert_eq!(printed.as_array().map_or(0, Vec::len), 12, "{printed}");
}

#[test]
fn the_path_of_a_file_is_completed_in_the_launch_form() {
    let home = home();
    let file = home.path("seeds-of-1815.json");
    fs::write(&file, "{}").expect("written");
    let begun = home.path("seeds-of-");
    let mut job = Job::on(&home);
    job.press(&["3"], "> corpus").press(&["\x1b[Z"], "> exact-norms");
    job.press(&["\x1b[Z", "\x1b[Z"], "> seeds");
    job.write(begun.to_str().expect("a path"), "seeds-of-").press(&["Tab"], "1815.json");
}

#[test]
fn little_is_sent_over_a_slow_line() {
    let home = home();
    let store = home.store();
    let store = store.to_str().expect("a path of letters");
    let mut session = Session::start_over_ssh(TOPOI, &["--store", store]);
    session.wait_for("Corpora 1");
    let first = session.written().len();
    // Five views with all they hold; then nothing happens.
    for (key, shown) in [
        ("4", "Runs 4"),
        ("\r", "Topics 12"),
        ("\r", "topic "),
        ("\r", "most about"),
        ("\r", "Topics of its"),
    ] {
        session.send(key);
        session.wait_for(shown);
    }
    let bytes = session.written().len() - first;
    session.send("\x03\x03");
    session.exit_code();
    // A reader takes two seconds for a view at the least.
    assert!(bytes / 10 < 2_000, "{bytes} bytes for five views");
}

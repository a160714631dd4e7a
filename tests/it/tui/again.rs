//! Runs that are made again, and runs that are opened one after the other, in a real terminal.

use super::TOPOI;
use super::pty::Session;
use crate::common::Home;

fn workbench(home: &Home) -> Session {
    let (directory, store) = (home.path(""), home.store());
    let store = store.to_str().expect("a path of letters");
    let session = Session::start_in(&directory, TOPOI, &["--store", store]);
    session.wait_for("subjects");
    session
}

#[test]
fn a_run_made_again_has_its_vocabulary_and_its_held_out_documents() {
    let home = Home::with_subjects();
    home.succeeds(&["terms", "subjects", "--min-documents", "3", "--save", "core"]);
    home.succeeds(&["run", "subjects", "-k", "4", "--vocabulary", "core", "--held-out", "0.2"]);
    let mut session = workbench(&home);
    for (key, shown) in [
        ("4", "vocabulary core"),
        ("n", "filled from run 1: change what you want"),
        ("\t", "Run 1 again, with changes"),
        ("\t", "--held-out 0.2"),
        ("\r", "run 2 is saved and its worker started"),
    ] {
        session.send(key);
        session.wait_for(shown);
    }
    home.wait_for("SELECT k FROM run WHERE id = 2 AND status = 'finished'");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
    let of = |run: u32| {
        let query =
            format!("SELECT model, k, seed, settings, hex(result_hash) FROM run WHERE id = {run}");
        home.succeeds(&["sql", &query, "-o", "csv"])
    };
    assert_eq!(of(1), of(2));
    let runs = home.json(&["runs", "-o", "json"]);
    assert_eq!(runs[0]["vocabulary"], "core");
    assert_eq!(runs[1]["vocabulary"], "core");
}

#[test]
fn documents_come_after_another_run_is_opened_while_documents_are_shown() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    home.succeeds(&["run", "subjects", "-k", "6"]);
    let mut session = workbench(&home);
    for (key, shown) in [
        ("4", "Runs 2"),
        ("\r", "Topics 6"),
        ("d", "Documents most about topic"),
        ("4", "Runs 2"),
        ("j", "k 4"),
        ("\r", "run 1"),
    ] {
        session.send(key);
        session.wait_for(shown);
    }
    session.wait_until_gone("looking them up");
    session.wait_for("Documents most about topic");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn the_screen_k_shows_the_runs_of_a_sweep_and_not_those_of_the_run_that_is_open() {
    let home = Home::with_subjects();
    home.succeeds(&["terms", "subjects", "--min-documents", "3", "--save", "core"]);
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let mut session = workbench(&home);
    session.send("4");
    session.wait_for("Runs 1");
    session.send("\r");
    session.wait_for("Topics 4");
    home.succeeds(&["sweep", "subjects", "-k", "3,5,7", "--vocabulary", "core"]);
    for (key, shown) in [
        ("7", "vocabulary core, 3 runs, K 3 to 7 (1 of 2, R lists them)"),
        ("R", "runs of one model, vocabulary and choice of documents"),
        ("j\r", "best terms, 1 run, K 4 (2 of 2"),
        ("R", "newest run"),
        ("k\r", "vocabulary core, 3 runs, K 3 to 7 (1 of 2"),
    ] {
        session.send(key);
        session.wait_for(shown);
    }
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_label_that_an_update_lost_is_seen_on_the_run_until_a_topic_has_it() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let of_chess = home.wait_for(
        "SELECT topic FROM document_topic JOIN document ON document.id = document_id \
         WHERE run_id = 1 AND key LIKE 'chess-%' GROUP BY topic ORDER BY sum(proportion) DESC LIMIT 1",
    );
    home.succeeds(&["label", "1", &of_chess, "games"]);
    let gone = "key LIKE 'chess-%'";
    home.succeeds(&["delete", "documents", "subjects", "--where", gone, "--yes"]);
    home.succeeds(&["update", "1", "--refit"]);
    let mut session = workbench(&home);
    session.send("4");
    session.wait_for("is not carried");
    home.succeeds(&["label", "2", "0", "games"]);
    session.wait_until_gone("is not carried");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
    let watched = home.json(&["watch", "2", "-o", "json"]);
    assert_eq!(watched["changes"]["labels_lost"], serde_json::json!([]));
}

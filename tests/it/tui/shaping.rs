//! Topics shaped by hand in a real terminal.

use rusqlite::Connection;

use super::TOPOI;
use super::pty::Session;
use crate::common::Home;

const KEPT: &str = "SELECT hex(hash) FROM matrix JOIN matrix_chunk ON matrix_id = matrix.id \
    WHERE run_id = 1 AND stage = 'factor' ORDER BY matrix.position";

#[test]
fn a_run_that_kept_nothing_for_anchors_is_shaped_undone_made_again_and_saved() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--no-documents"]);
    let sql = |query: &str| home.succeeds(&["sql", query, "-o", "csv"]);
    let kept = sql(KEPT);
    let connection = Connection::open(home.store()).expect("open");
    connection.execute("DELETE FROM matrix WHERE stage = 'factor'", []).expect("deleted");
    drop(connection);
    assert_ne!(sql(KEPT), kept);
    let directory = home.path("");
    let store = home.store();
    let store = store.to_str().expect("a path of letters");
    let mut session = Session::start_in(&directory, TOPOI, &["--store", store]);
    session.wait_for("subjects");
    for (key, shown) in [
        ("4", "Runs 1"),
        ("\r", "Topics 8"),
        ("A", "Topics of run 1, as they are"),
        ("v", "after 1 edit, not saved"),
        ("p", "topic 0 is not as the run has it"),
        ("j", "─ Topic 1 ─"),
        ("p", "after 2 edits"),
        ("u", "taken back: pin"),
        ("u", "as they are"),
        ("\x12", "after 1 edit"),
        ("K", "Save the edits as a run?"),
        ("y", "run 2 is being made of the edits"),
    ] {
        session.send(key);
        session.wait_for(shown);
    }
    assert_eq!(sql(KEPT), kept, "what is made is what would have been kept");
    home.wait_for("SELECT k FROM run WHERE id = 2 AND parent = 1 AND status = 'finished'");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
    home.succeeds(&["verify", "2"]);
}

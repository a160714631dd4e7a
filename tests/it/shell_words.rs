//! Commands in messages work as they are printed, whatever corpora and files are called.

use std::fs;

use crate::common::Home;

/// The command between the last two backticks of what a failing command says.
fn remedy(home: &Home, arguments: &[&str]) -> String {
    let output = home.command(arguments).output().expect("run");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.rsplit('`').nth(1).expect("a command").to_string()
}

#[test]
fn a_remedy_names_a_corpus_and_a_file_as_a_shell_takes_them() {
    let home = Home::with_subjects();
    let lines = home.file("a.txt", b"king queen castle\nship sail harbour\n");
    for name in ["my corpus", "it's", "$HOME; a"] {
        home.succeeds(&["ingest", name, &lines]);
        for arguments in [
            &["similar", "--words", name, "nobody"][..],
            &["run", name, "-k", "2", "--vocabulary", "none"],
        ] {
            let program = Home::program();
            let command = remedy(&home, arguments).replacen("topoi", &program.to_string_lossy(), 1);
            let output = home.shell(&command);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command}: {error}");
        }
    }
    let store = home.path("it's a store.db");
    fs::copy(home.store(), &store).expect("copy");
    fs::hard_link(&store, home.path("second.db")).expect("hard link");
    let store = store.to_string_lossy().into_owned();
    let command = remedy(&home, &["--store", &store, "runs"]);
    let folder = home.path("").to_string_lossy().into_owned();
    let here = command.replacen("find / ", &format!("find '{folder}' "), 1);
    let found = home.shell(&here);
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert_eq!(found.lines().count(), 2, "{here}: {found}");
}

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

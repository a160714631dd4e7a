//! `check` finds every damage that is done to a sound store, and says where it is.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Stdio;

use crate::common::Home;
use rusqlite::Connection;

/// A kind of damage, and what `check` says of it.
struct Damage {
    name: &'static str,
    does: Does,
    says: &'static str,
}

enum Does {
    Sql(&'static str),
    /// Bytes 8 to 71 of the first page of a table become 0xff.
    OverwritePageOf(&'static str),
    /// The second half of the file is gone.
    Truncate,
}

const DAMAGES: &[Damage] = &[
    Damage {
        name: "bytes of a page",
        does: Does::OverwritePageOf("document_counts"),
        says: "file: ",
    },
    Damage { name: "half a file", does: Does::Truncate, says: "file is damaged|file: " },
    Damage {
        name: "a count",
        does: Does::Sql(
            "UPDATE document_counts SET counts = (SELECT json_group_object(key, value + 1) \
             FROM json_each(counts)) WHERE document_id = 5",
        ),
        says: "corpus \"subjects\": document 5 (\"",
    },
    Damage {
        name: "a term frequency",
        does: Does::Sql(
            "UPDATE term SET document_frequency = document_frequency + 1 WHERE text = 'telescope'",
        ),
        says: "corpus \"subjects\": term \"telescope\" has the frequencies (",
    },
    Damage {
        name: "a total of the corpus",
        does: Does::Sql("UPDATE corpus SET tokens = tokens - 3"),
        says: "corpus \"subjects\": tokens are saved as ",
    },
    Damage {
        name: "a block that is gone",
        does: Does::Sql("DELETE FROM block"),
        says: "corpus \"subjects\": document 1 (\"",
    },
    Damage {
        name: "a block that was cut short",
        does: Does::Sql("UPDATE block SET data = substr(data, 1, length(data) - 3)"),
        says: "corpus \"subjects\": block 1 is damaged (its length does not fit its header)",
    },
    Damage {
        name: "a byte of a block's counts",
        does: Does::Sql(
            "UPDATE block SET data = CAST(substr(data, 1, length(data) - 1) || x'7b' AS BLOB)",
        ),
        says: "differs between its block and its triples",
    },
    Damage {
        name: "a foreign key",
        does: Does::Sql("UPDATE document SET ingest_id = 77 WHERE id = 3"),
        says: "file: row 3 of document refers to a row of ingest that is not there",
    },
    Damage {
        name: "a parent that is gone",
        does: Does::Sql("DELETE FROM parent_document WHERE key = 'tale'"),
        says: "file: row 257 of chunk refers to a row of parent_document that is not there",
    },
    Damage {
        name: "a parent without chunks",
        does: Does::Sql("DELETE FROM chunk"),
        says: "corpus \"tales\": nothing is left of document \"tale\"",
    },
    Damage {
        name: "a term of a vocabulary",
        does: Does::Sql("UPDATE vocabulary_term SET term_id = 1000000 WHERE position = 4"),
        says: "file: 1 terms of a vocabulary of vocabulary 1 are not there",
    },
    Damage {
        name: "a warning that is gone",
        does: Does::Sql("INSERT INTO run_warning VALUES (1, 2, 'b', 2.0, 'the second of two')"),
        says: "run 1: some of its warnings are gone",
    },
    Damage {
        name: "a document without counts",
        does: Does::Sql("DELETE FROM document_counts WHERE document_id = 7"),
        says: "corpus \"subjects\": document 7 (\"",
    },
    Damage {
        name: "a document's number of tokens",
        does: Does::Sql("UPDATE document SET tokens = tokens + 1 WHERE id = 9"),
        says: "corpus \"subjects\": document 9 (\"",
    },
    Damage {
        name: "a text",
        does: Does::Sql("UPDATE document_text SET text = text || '.' WHERE document_id = 11"),
        says: "are not those that were ingested (content_hash)",
    },
    Damage {
        name: "a probability of a word",
        does: Does::Sql(
            "UPDATE topic_probabilities SET probabilities = '[' || \
             (json_extract(probabilities, '$[0]') + 1) || substr(probabilities, instr(probabilities, ',')) \
             WHERE run_id = 1 AND topic = 2",
        ),
        says: "the first words of its topic 2|run 1: its topics, words, correlations or documents' topics",
    },
    Damage {
        name: "a topic of a document",
        does: Does::Sql("DELETE FROM series_proportions WHERE document_id = 12"),
        says: "run 1: its topics, words, correlations or documents' topics",
    },
    Damage {
        name: "a byte of a basis",
        does: Does::Sql(
            "UPDATE matrix_chunk SET data = CAST(substr(data, 1, length(data) - 1) || x'7b' AS BLOB)",
        ),
        says: "run 1: what it keeps for later runs is damaged (matrix basis",
    },
    Damage {
        name: "a metric of a run",
        does: Does::Sql("UPDATE metric SET value = 1.5 WHERE name = 'npmi' AND topic IS NULL"),
        says: "run 1: its metric npmi is 1.5, but can only be -1 to 1",
    },
    Damage {
        name: "a metric of a topic",
        does: Does::Sql("UPDATE metric SET value = -0.5 WHERE name = 'exclusivity' AND topic = 3"),
        says: "run 1: its metric exclusivity of topic 3 is -0.5, but can only be 1/K to 1",
    },
    Damage {
        name: "a vocabulary of a run that is gone",
        does: Does::Sql("UPDATE run SET vocabulary_id = NULL"),
        says: "run 1: it is finished, but which vocabulary its words are of is gone",
    },
    Damage {
        name: "documents of a block, none",
        does: Does::Sql("UPDATE block SET documents = 0"),
        says: "is saved with 0 documents, but has ",
    },
    Damage {
        name: "documents of a block, less than none",
        does: Does::Sql("UPDATE block SET documents = -1"),
        says: "is saved with -1 documents, but has ",
    },
    Damage {
        name: "nonzeros of a block, less than none",
        does: Does::Sql("UPDATE block SET nonzeros = -1"),
        says: "cannot be read (the number -1 is out of its range)",
    },
    Damage {
        name: "a model",
        does: Does::Sql("UPDATE run SET model = 'gibberish'"),
        says: "run 1: its model is \"gibberish\", which is not that of its settings",
    },
    Damage {
        name: "another model",
        does: Does::Sql("UPDATE run SET model = 'svd'"),
        says: "run 1: its model is \"svd\", which is not that of its settings",
    },
    Damage {
        name: "a seed",
        does: Does::Sql("UPDATE run SET seed = seed + 1"),
        says: "seed, settings or vocabulary are not those it was finished with (request_hash)",
    },
    Damage {
        name: "a setting",
        does: Does::Sql("UPDATE run SET settings = json_set(settings, '$.terms', 301)"),
        says: "settings or vocabulary are not those it was finished with (request_hash)",
    },
    Damage {
        name: "the hash of a vocabulary",
        does: Does::Sql("UPDATE vocabulary SET hash = x'00112233445566778899aabbccddeeff'"),
        says: "file: vocabulary 1: its terms are not those it was saved with (hash)",
    },
    Damage {
        name: "topics that are gone",
        does: Does::Sql("DELETE FROM topic WHERE run_id = 1"),
        says: "run 1: it is finished, but its topics are gone",
    },
];

fn apply(does: &Does, store: &Path) {
    match does {
        Does::Sql(sql) => {
            let connection = Connection::open(store).expect("open");
            connection.execute_batch("PRAGMA foreign_keys = OFF").expect("pragma");
            assert!(connection.execute(sql, []).expect(sql) > 0, "nothing was damaged: {sql}");
        }
        Does::OverwritePageOf(table) => {
            let connection = Connection::open(store).expect("open");
            let place = |sql: &str| -> u64 {
                connection.query_row(sql, [], |row| row.get(0)).expect("a number")
            };
            let root = place(&format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"));
            let size = place("PRAGMA page_size");
            drop(connection);
            let file = OpenOptions::new().write(true).open(store).expect("open");
            file.write_all_at(&[0xff; 64], (root - 1) * size + 8).expect("write");
        }
        Does::Truncate => {
            let file = OpenOptions::new().write(true).open(store).expect("open");
            file.set_len(file.metadata().expect("size").len() / 2).expect("truncate");
        }
    }
}

#[test]
fn every_planted_damage_is_found_and_named_and_a_sound_store_passes() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "5", "--terms", "300"]);
    let tale = home.file("a.jsonl", b"{\"id\": \"tale\", \"text\": \"king queen castle moat\"}\n");
    home.succeeds(&["ingest", "tales", &tale, "--chunk", "2"]);
    home.succeeds(&["check"]);
    let sound = Connection::open(home.store()).expect("open");
    sound.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("checkpoint");
    drop(sound);
    for Damage { name, does, says } in DAMAGES {
        let copy = home.path(&format!("{name}.db"));
        std::fs::copy(home.store(), &copy).expect("copy");
        apply(does, &copy);
        let output =
            home.command(&["--store", &copy.to_string_lossy(), "check"]).output().expect("run");
        let found = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {found}{error}");
        assert_eq!(error.lines().count(), 1, "{name}: {error}");
        let lines = || found.lines().chain(error.lines());
        let is_told = |line: &str| says.split('|').any(|words| line.contains(words));
        let line = lines().find(|line| is_told(line));
        let line = line.unwrap_or_else(|| panic!("{name} is not told of:\n{found}{error}"));
        let cures = ["restore a backup", "run it again"];
        assert!(cures.iter().any(|cure| line.contains(cure)), "{name}: what to do? {line}");
        assert!(found.lines().count() <= 30, "{name}: too much is said:\n{found}");
    }
}

#[test]
fn results_of_every_model_are_those_of_their_hashes() {
    let home = Home::with_subjects();
    for model in ["lr-jsmf", "enn", "rp", "ddp", "r1d", "svd", "nmf-kl", "lda-gibbs"] {
        home.succeeds(&["run", "subjects", "-k", "4", "--terms", "200", "--model", model]);
    }
    let doomed = home.succeeds(&["sql", "SELECT key FROM document WHERE id = 4", "-o", "csv"]);
    let key = doomed.lines().nth(1).expect("a key");
    home.succeeds(&["delete", "documents", "subjects", "--key", key, "--yes"]);
    home.succeeds(&["check"]);
}

#[test]
fn a_check_beside_a_working_ingest_finds_no_damage() {
    let home = Home::with_subjects();
    // Small batches, so that checks begin and end between and within them.
    let arguments = ["ingest", "subjects", "-", "--format", "lines", "--batch-kb", "1"];
    let mut ingest = home.command(&arguments);
    let ingest = ingest.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut ingest = ingest.spawn().expect("an ingest");
    let mut input = ingest.stdin.take().expect("standard input");
    let lines = "castle harbour king queen ship\n".repeat(300);
    for _ in 0..10 {
        // A check, while the ingest reads some batches.
        let check = home.command(&["check"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        input.write_all(lines.as_bytes()).expect("a pipe");
        let check = check.expect("a check").wait_with_output().expect("a child");
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    }
    drop(input);
    assert!(ingest.wait().expect("a child").success());
    assert!(home.succeeds(&["check"]).contains("sound"));
}

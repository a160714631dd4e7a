//! Ingests that are killed at any moment, and ingests beside each other.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use topoi::random::stream;

use super::bench::Bench;
use crate::common::files::{docx_of, epub_of, xlsx};

/// How often an ingest is killed here; `TOPOI_KILLS=50` kills it more often.
const KILLS: usize = 6;

fn kills() -> usize {
    std::env::var("TOPOI_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS)
}

fn ingest(bench: &Bench, store: &str, corpus: &str, paths: &[PathBuf]) -> Child {
    ingest_with(bench, store, corpus, paths, &[])
}

fn ingest_with(
    bench: &Bench,
    store: &str,
    corpus: &str,
    paths: &[PathBuf],
    flags: &[&str],
) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("topoi"))
        .arg("--store")
        .arg(bench.path(store))
        .args(["ingest", corpus])
        .args(paths)
        .args(flags)
        // Small batches: a small corpus has many.
        .args(["--batch-kb", "50"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start")
}

fn finishes(child: Child) {
    let output = child.wait_with_output().expect("wait");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Text in several files and formats, of Zipf's law, about 2 MB.
fn write_sources(bench: &Bench) -> Vec<PathBuf> {
    let mut rng = stream(7, "text to be killed over");
    let mut text = |words: usize| -> String {
        let word = |x: f64| format!("w{}", (4000f64.powf(x)) as usize);
        (0..words).map(|_| word(rng.random::<f64>()) + " ").collect()
    };
    let lines: String = (0..3000).map(|n| text(20 + n % 60) + "\n").collect();
    let json: String = (0..3000)
        .map(|n| format!("{{\"id\": \"j{n}\", \"text\": \"{}\", \"year\": {n}}}\n", text(30)))
        .collect();
    let files = bench.path("files");
    for n in 0..300 {
        let folder = files.join(format!("label{}", n % 3));
        std::fs::create_dir_all(&folder).expect("folder");
        let text = text(100);
        let (ending, content) = match n % 6 {
            0 => ("html", format!("<!doctype html><title>{n}</title><p>{text}").into_bytes()),
            1 => {
                ("xml", format!("<TEI><text><body><p>{text}</p></body></text></TEI>").into_bytes())
            }
            2 => ("md", format!("---\nyear: {n}\n---\n# {n}\n\n{text}").into_bytes()),
            3 => ("docx", docx_of(&text)),
            4 => ("epub", epub_of(&text)),
            _ => ("txt", text.into_bytes()),
        };
        std::fs::write(folder.join(format!("{n}.{ending}")), content).expect("write");
    }
    let row = |n: usize| {
        let cell = |text: &str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let (text, id) =
            if n == 1 { ("text".into(), "id".into()) } else { (text(30), format!("s{n}")) };
        format!("<row r=\"{n}\">{}{}</row>", cell(&text), cell(&id))
    };
    let rows: String = (1..=301).map(row).collect();
    let sheet = bench.write("c.xlsx", xlsx(&[("a", &rows)]));
    vec![bench.write("a.txt", lines), bench.write("b.jsonl", json), files, sheet]
}

/// The files that a store can consist of.
const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

fn copy_of(path: &Path, to: &Path) {
    for ending in FILES {
        let name = |path: &Path| PathBuf::from(format!("{}{ending}", path.display()));
        if name(path).exists() {
            std::fs::copy(name(path), name(to)).expect("copy");
        }
    }
}

/// Checks the store; true when its ingest is finished.
fn check(bench: &Bench) -> bool {
    // A copy: the check must not help the store it looks at.
    copy_of(&bench.path("topoi.db"), &bench.path("copy.db"));
    let store = topoi::store::Store::open(&bench.path("copy.db"), topoi::store::Access::Create)
        .expect("open");
    assert_eq!(store.check(&topoi::run::MEANING).expect("check"), Vec::<String>::new());
    let finished = store.query("SELECT id FROM ingest WHERE status = 'finished'").expect("query");
    drop(store);
    for ending in FILES {
        let _ = std::fs::remove_file(bench.path(&format!("copy.db{ending}")));
    }
    !finished.rows.is_empty()
}

/// A store in which nothing was disturbed, and how long that took.
fn undisturbed(sources: &[PathBuf], flags: &[&str]) -> (Bench, Duration) {
    let bench = Bench::new();
    let begun = Instant::now();
    finishes(ingest_with(&bench, "topoi.db", "news", sources, flags));
    (bench, begun.elapsed())
}

/// Everything but times, with ids and blocks: what a resumed ingest must have in common with one
/// that was never disturbed.
fn everything(bench: &Bench) -> Vec<String> {
    let mut rows = bench.content();
    for sql in [
        "SELECT id, key, ingest_id FROM document ORDER BY id",
        "SELECT id, position, text FROM term ORDER BY id",
        "SELECT first_document_id, documents, nonzeros, hex(data) FROM block ORDER BY id",
        "SELECT kind, key, place, reason, documents FROM ingest_note ORDER BY rowid",
        "SELECT id, key, title, fields, hex(content_hash), ingest_id FROM parent_document ORDER BY id",
        "SELECT document_id, parent_id, position FROM chunk ORDER BY document_id",
        "SELECT status, documents, skipped, left_out FROM ingest",
    ] {
        rows.extend(bench.ask(sql));
    }
    rows
}

#[test]
fn a_killed_ingest_goes_on_where_it_was_and_ends_as_if_undisturbed() {
    killed_and_gone_on_with(&[]);
}

#[test]
fn a_killed_ingest_of_chunks_never_has_a_part_of_a_document() {
    let bench = killed_and_gone_on_with(&["--chunk", "11", "--overlap", "2"]);
    assert_eq!(bench.ask("SELECT count(*) FROM parent_document"), ["6600"]);
}

fn killed_and_gone_on_with(flags: &[&str]) -> Bench {
    let bench = Bench::new();
    let sources = write_sources(&bench);
    let (expected, whole) = undisturbed(&sources, flags);
    let mut rng = stream(11, "moments to kill at");
    let mut kills_during = 0;
    for _ in 0..kills() {
        let mut child = ingest_with(&bench, "topoi.db", "news", &sources, flags);
        std::thread::sleep(whole.mul_f64(rng.random_range(0.02..0.5)));
        child.kill().expect("kill");
        child.wait().expect("wait");
        // It can be over before it was killed, or have nothing left to do but to end.
        let is_over = bench.path("topoi.db").exists() && check(&bench);
        kills_during += usize::from(!is_over);
        if is_over {
            for ending in FILES {
                let _ = std::fs::remove_file(bench.path(&format!("topoi.db{ending}")));
            }
        }
    }
    finishes(ingest_with(&bench, "topoi.db", "news", &sources, flags));
    assert!(kills_during > 0, "every ingest was over before it was killed");
    let (found, expected) = (everything(&bench), everything(&expected));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    // And once more adds nothing.
    let before = bench.content();
    finishes(ingest_with(&bench, "topoi.db", "news", &sources, flags));
    assert_eq!(before, bench.content());
    bench.check();
    bench
}

#[test]
fn ingests_beside_each_other_add_what_each_alone_would() {
    let bench = Bench::new();
    let sources = write_sources(&bench);
    let both = [
        ingest(&bench, "topoi.db", "news", &sources[..1]),
        ingest(&bench, "topoi.db", "news", &sources[1..]),
        ingest(&bench, "topoi.db", "others", &sources[1..2]),
    ];
    both.into_iter().for_each(finishes);
    let alone = Bench::new();
    finishes(ingest(&alone, "topoi.db", "news", &sources));
    finishes(ingest(&alone, "topoi.db", "others", &sources[1..2]));
    let (mut found, mut expected) = (bench.content(), alone.content());
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    bench.check();
    // The same command twice at once: one goes first, the other finds its documents there.
    let twice = [
        ingest(&bench, "twice.db", "news", &sources),
        ingest(&bench, "twice.db", "news", &sources),
    ];
    twice.into_iter().for_each(finishes);
    let store = topoi::store::Store::open(&bench.path("twice.db"), topoi::store::Access::Create)
        .expect("open");
    assert_eq!(store.check(&topoi::run::MEANING).expect("check"), Vec::<String>::new());
    assert_eq!(store.corpus("news").expect("corpus").documents, 6600);
}

#[test]
fn a_source_that_changed_is_ingested_anew() {
    let bench = Bench::new();
    let sources = write_sources(&bench);
    let (_, whole) = undisturbed(&sources, &[]);
    let mut child = ingest(&bench, "topoi.db", "news", &sources[..1]);
    std::thread::sleep(whole.mul_f64(0.15));
    child.kill().expect("kill");
    child.wait().expect("wait");
    let text = std::fs::read_to_string(&sources[0]).expect("read");
    bench.write("a.txt", format!("an entirely new first line\n{text}"));
    finishes(ingest(&bench, "topoi.db", "news", &sources[..1]));
    let fresh = Bench::new();
    finishes(ingest(&fresh, "topoi.db", "news", &sources[..1]));
    let triples = "SELECT document.key, term.text, count FROM triple JOIN document \
                   ON document.id = document_id JOIN term ON term.id = term_id ORDER BY 1, 2";
    assert_eq!(bench.ask(triples), fresh.ask(triples));
    bench.check();
}

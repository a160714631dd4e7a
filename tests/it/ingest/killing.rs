//! Ingests that are killed at any moment, and ingests beside each other.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use topoi_core::random::stream;

use super::bench::Bench;
use crate::common::files::{docx_of, epub_of, ods, odt_of, pdf_of, xlsx};

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

/// How many documents each source of a table or of lines has.
const ROWS: usize = 300;
/// How many files a directory has.
const FILES_OF_A_FORMAT: usize = 45;

/// Text of Zipf's law in every format that has text, a source each, and how many documents all have.
fn write_sources(bench: &Bench) -> (Vec<PathBuf>, usize) {
    let mut rng = stream(7, "text to be killed over");
    let mut text = |words: usize| -> String {
        let word = |x: f64| format!("w{}", (4000f64.powf(x)) as usize);
        (0..words).map(|_| word(rng.random::<f64>()) + " ").collect()
    };
    let lines: String = (0..3000).map(|n| text(20 + n % 60) + "\n").collect();
    let json: String = (0..3000)
        .map(|n| format!("{{\"id\": \"j{n}\", \"text\": \"{}\", \"year\": {n}}}\n", text(30)))
        .collect();
    let mut sources = vec![bench.write("a.txt", lines), bench.write("b.jsonl", json)];
    let mut documents = 6000;
    let mut directory = |ending: &str, content: &dyn Fn(usize, &str) -> Vec<u8>| {
        for n in 0..FILES_OF_A_FORMAT {
            let folder = bench.path(&format!("{ending}/label{}", n % 3));
            std::fs::create_dir_all(&folder).expect("folder");
            let content = content(n, &text(100));
            std::fs::write(folder.join(format!("{n}.{ending}")), content).expect("write");
        }
        sources.push(bench.path(ending));
        documents += FILES_OF_A_FORMAT;
    };
    directory("txt", &|_, text| text.into());
    directory("html", &|n, text| format!("<!doctype html><title>{n}</title><p>{text}").into());
    directory("xml", &|_, text| {
        format!("<TEI><text><body><p>{text}</p></body></text></TEI>").into()
    });
    directory("md", &|n, text| format!("---\nyear: {n}\n---\n# {n}\n\n{text}").into());
    directory("docx", &|_, text| docx_of(text));
    directory("odt", &|_, text| odt_of(text));
    directory("epub", &|_, text| epub_of(text));
    if Command::new("pdftotext").arg("-v").output().is_ok() {
        directory("pdf", &|_, text| pdf_of(text));
    }
    let tokens = (0..ROWS).map(|n| {
        let text = text(30);
        let tokens: Vec<&str> = text.split_whitespace().collect();
        serde_json::json!({"id": format!("t{n}"), "text": text, "tokens": tokens}).to_string()
            + "\n"
    });
    sources.push(bench.write("tokens.jsonl", tokens.collect::<String>()));
    let delimited = (0..ROWS).map(|n| format!("v{n},\"a\n{}\"\n", text(30)));
    sources.push(bench.write("c.csv", "id,text\n".to_string() + &delimited.collect::<String>()));
    let mut cells = |n: usize, kind: &str| match n {
        0 => ["text".to_string(), "id".to_string()],
        _ => [text(30), format!("{kind}{n}")],
    };
    let excel: String = (0..=ROWS)
        .map(|n| {
            let cells =
                cells(n, "s").map(|c| format!("<c t=\"inlineStr\"><is><t>{c}</t></is></c>"));
            format!("<row r=\"{}\">{}</row>", n + 1, cells.concat())
        })
        .collect();
    sources.push(bench.write("c.xlsx", xlsx(&[("a", &excel)])));
    let calc: String = (0..=ROWS)
        .map(|n| {
            let cells = cells(n, "o")
                .map(|c| format!("<table:table-cell><text:p>{c}</text:p></table:table-cell>"));
            format!("<table:table-row>{}</table:table-row>", cells.concat())
        })
        .collect();
    let table = format!("<table:table table:name=\"a\">{calc}</table:table>");
    sources.push(bench.write("c.ods", ods(&table)));
    documents += 4 * ROWS;
    #[cfg(feature = "parquet")]
    {
        use super::columnar::{arrow_of, parquet_of};
        use parquet::basic::Compression;
        let rows = [0..500, 500..1500];
        sources.push(bench.write("c.parquet", parquet_of(Compression::SNAPPY, &rows)));
        sources.push(bench.write("c.arrow", arrow_of(&[1500..2000, 2000..3000])));
        documents += 3000;
    }
    (sources, documents)
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
    let store = topoi_store::Store::open(&bench.path("copy.db"), topoi_store::Access::Create)
        .expect("open");
    assert_eq!(
        store.check(&topoi_run::ROW_VALIDATORS).expect("check"),
        Vec::<topoi_store::check::Finding>::new()
    );
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
    let bench = Bench::new();
    let (sources, _) = write_sources(&bench);
    let killed = killed_and_gone_on_with(&bench, &sources, &[], kills());
    assert!(killed > 0, "every ingest was over before it was killed");
}

#[test]
fn a_killed_ingest_of_chunks_never_has_a_part_of_a_document() {
    let bench = Bench::new();
    let (sources, documents) = write_sources(&bench);
    let flags = ["--chunk", "11", "--overlap", "2"];
    let killed = killed_and_gone_on_with(&bench, &sources, &flags, kills());
    assert!(killed > 0, "every ingest was over before it was killed");
    let parents = bench.ask("SELECT count(*) FROM parent_document");
    // A text that is cut into chunks is not cut into its 3000 lines before.
    assert_eq!(parents, [(documents - 2999).to_string()]);
}

#[test]
fn a_killed_ingest_joins_the_same_words_at_line_ends() {
    let bench = Bench::new();
    let mut rng = stream(8, "words parted at line ends");
    let mut word = |most: f64| -> String {
        let number = most.powf(rng.random::<f64>()) as usize;
        let letter = |place: u32| (b'a' + (number / 26usize.pow(place) % 26) as u8) as char;
        [letter(2), letter(1), letter(0), 'o', letter(1)].iter().collect()
    };
    let mut line = || {
        let (before, after) = (word(9000.0), word(9000.0));
        let words: Vec<String> = (0..12).map(|_| word(3000.0)).collect();
        format!("{after} {} {before}-\n", words.join(" "))
    };
    let earlier: String = (0..300).map(|_| line()).collect();
    std::fs::create_dir(bench.path("pages")).expect("folder");
    let earlier = bench.write("earlier.txt", earlier);
    for n in 0..400 {
        bench.write(&format!("pages/{n:03}.txt"), (0..30).map(|_| line()).collect::<String>());
    }
    let sources = [earlier, bench.path("pages")];
    let killed = killed_and_gone_on_with(&bench, &sources, &["--join-hyphens"], kills());
    assert!(killed > 0, "every ingest was over before it was killed");
}

#[test]
fn a_killed_ingest_of_any_format_goes_on_where_it_was() {
    let texts = Bench::new();
    let (sources, _) = write_sources(&texts);
    let mut killed = 0;
    for source in sources {
        let bench = Bench::new();
        killed += killed_and_gone_on_with(&bench, &[source], &[], kills() / 3);
    }
    assert!(killed > 0, "every ingest was over before it was killed");
}

/// Kills an ingest so many times before it is let be; how many of them it was not over.
fn killed_and_gone_on_with(
    bench: &Bench,
    sources: &[PathBuf],
    flags: &[&str],
    kills: usize,
) -> usize {
    let (expected, whole) = undisturbed(sources, flags);
    let mut rng = stream(11, "moments to kill at");
    let mut kills_during = 0;
    for _ in 0..kills {
        let mut child = ingest_with(bench, "topoi.db", "news", sources, flags);
        std::thread::sleep(whole.mul_f64(rng.random_range(0.02..0.5)));
        child.kill().expect("kill");
        child.wait().expect("wait");
        // It can be over before it was killed, or have nothing left to do but to end.
        let is_over = bench.path("topoi.db").exists() && check(bench);
        kills_during += usize::from(!is_over);
        if is_over {
            for ending in FILES {
                let _ = std::fs::remove_file(bench.path(&format!("topoi.db{ending}")));
            }
        }
    }
    finishes(ingest_with(bench, "topoi.db", "news", sources, flags));
    let (found, expected) = (everything(bench), everything(&expected));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    // And once more adds nothing.
    let before = bench.content();
    finishes(ingest_with(bench, "topoi.db", "news", sources, flags));
    assert_eq!(before, bench.content());
    bench.check();
    kills_during
}

#[test]
fn ingests_beside_each_other_add_what_each_alone_would() {
    let bench = Bench::new();
    let (sources, documents) = write_sources(&bench);
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
    let store = topoi_store::Store::open(&bench.path("twice.db"), topoi_store::Access::Create)
        .expect("open");
    assert_eq!(
        store.check(&topoi_run::ROW_VALIDATORS).expect("check"),
        Vec::<topoi_store::check::Finding>::new()
    );
    assert_eq!(store.corpus("news").expect("corpus").documents, documents as u64);
}

#[test]
fn a_source_that_changed_is_ingested_anew() {
    let bench = Bench::new();
    let (sources, _) = write_sources(&bench);
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

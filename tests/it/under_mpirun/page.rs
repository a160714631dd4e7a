//! The commands of the page about parts, as people paste them, with a folder for each of its disks.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/reference/parts.md");
/// What the page names, each a folder here.
const DISKS: [&str; 4] = ["/scratch/", "/local/", "/mnt/", "/shared/"];
const PARTS: usize = 4;

/// The blocks of a language, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(&fence as &str).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// Commands of the page in `directory`; the run that the page calls 7 is number 1 here.
fn here(commands: &str, directory: &Path) -> String {
    let mut here = commands.replace("by 7 ", "by 1 ").replace("infer 7 ", "infer 1 ");
    here = here.replace("update 7 ", "update 1 ");
    for disk in DISKS {
        here = here.replace(disk, &format!("{}{disk}", directory.display()));
    }
    here
}

fn follow(commands: &str, directory: &Path, part: usize) {
    let program = assert_cmd::cargo::cargo_bin!("topoi").to_path_buf();
    let mut path = vec![program.parent().map(Path::to_path_buf).unwrap_or_default()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("bash")
        .args(["-e", "-c", &format!("exec 2>&1\n{}", here(commands, directory))])
        .current_dir(directory)
        .env("PATH", std::env::join_paths(path).expect("a path"))
        .env("HOME", directory.join("home"))
        .env("N", part.to_string())
        .env_remove("XDG_DATA_HOME")
        .env_remove("TOPOI_STORE")
        // Containers run tests as root, on fewer processors than there are parts.
        .envs(super::OPEN_MPI)
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("OMPI_MCA_hwloc_base_binding_policy", "none")
        .output()
        .expect("bash");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{commands}\n{text}");
}

/// A text about one of 150 subjects and a little of another.
fn text(number: usize) -> String {
    let word = |subject: usize, place: usize| format!("word{}x{place}", subject % 150);
    let own = (0..18).map(|at| word(number, (number / 150 * 5 + at) % 9));
    own.chain((0..4).map(|at| word(number * 7, at))).collect::<Vec<_>>().join(" ")
}

fn lines_of_json(numbers: std::ops::Range<usize>) -> String {
    numbers.fold(String::new(), |mut lines, number| {
        let year = 1990 + number % 5;
        writeln!(lines, r#"{{"id": "{number}", "text": "{}", "year": {year}}}"#, text(number))
            .expect("written");
        lines
    })
}

#[test]
fn every_command_of_the_page_works_in_order() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = |name: &str| directory.path().join(name);
    let write = |name: &str, text: String| std::fs::write(path(name), text).expect("written");
    for folder in ["home", "scratch", "shared", "local/texts"] {
        std::fs::create_dir_all(path(folder)).expect("folder");
    }
    for part in 0..PARTS {
        std::fs::create_dir_all(path(&format!("mnt/{part}"))).expect("folder");
        let own = format!("part-{part}.db");
        let there = path(&format!("mnt/{part}/{own}"));
        std::os::unix::fs::symlink(path(&format!("local/{own}")), there).expect("linked");
    }
    write("nyt.jsonl", lines_of_json(0..1200));
    write("new-documents.txt", (3000..3060).map(|number| text(number) + "\n").collect());
    write("shared/news.jsonl", lines_of_json(0..900));
    write("shared/tonight.jsonl", lines_of_json(880..960));
    follow("topoi ingest nyt nyt.jsonl", directory.path(), 0);
    let mut followed = 0;
    for block in blocks("sh") {
        // Building is what made this program, and Slurm has a script in benches/parts.
        if block.contains("cargo install") || block.contains("#SBATCH") {
            continue;
        }
        match block.split_once("# where all parts can be read\n") {
            Some((on_each, once)) => {
                for part in 0..PARTS {
                    for number in 0..300 {
                        let text = text(5000 + 1000 * part + number);
                        write(&format!("local/texts/{number}.txt"), text);
                    }
                    follow(on_each, directory.path(), part);
                    follow(
                        "topoi --store /local/part-$N.db ingest letters /local/texts/",
                        directory.path(),
                        part,
                    );
                }
                follow(once, directory.path(), 0);
            }
            None => follow(block, directory.path(), 0),
        }
        followed += 1;
    }
    assert!(followed >= 9, "{followed}");
    let joined = here(&blocks("sql").join("\n"), directory.path());
    let (statements, question) = joined.trim().rsplit_once(";\n").expect("several statements");
    let store = rusqlite::Connection::open_in_memory().expect("open");
    store.execute_batch(statements).expect("joined");
    let mut shares = store.prepare(question).expect("a question");
    let shares = shares.query_map([], |row| row.get::<_, f64>(1)).expect("read");
    assert_eq!(shares.collect::<Result<Vec<_>, _>>().expect("shares").len(), 100);
}

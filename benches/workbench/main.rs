//! How fast the workbench answers on a large store, what it costs when idle, and what it sends
//! while a run's progress shows. The real program in a pseudo-terminal.
//!
//! `TOPOI_DOCUMENTS=N` makes a smaller store than that of a million documents.

#![allow(missing_docs, clippy::print_stdout)]

mod large_store;
mod terminal;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use large_store::LargeStore;
use terminal::{Answer, Terminal};

const ROUNDS: usize = 7;
const IDLE: Duration = Duration::from_secs(10);

/// (screen, its digit, keys to get ready, keys that are measured).
const SCREENS: &[(&str, &str, &[&str], &[&str])] = &[
    ("Corpora", "1", &[], &["j", "k", "G", "s", "S", "/", "Esc", "?", "Esc", "y", "4", "1"]),
    (
        "Corpus",
        "2",
        &[],
        &["j", "k", "PgDn", "PgUp", "G", "Home", "Tab", "j", "Tab", "?", "Esc", "4", "2", "y"],
    ),
    ("Corpus, sort (scans)", "2", &[], &["s", "s", "s", "s", "S", "S"]),
    ("Corpus, filter (scans)", "2", &["/"], &["t", "i", "7", "Backspace", "Ctrl-U"]),
    ("Document", "2", &["Home", "Enter"], &["j", "t", "m", "m", "w", "s", "w", "]", "[", "y", "r"]),
    ("Launch", "3", &[], &["Tab", "Shift-Tab", "Left", "Right", "?", "Esc"]),
    ("Runs", "4", &[], &["j", "k", "PgDn", "G", "Home", "s", "S", "/", "5", "Esc", "5", "4"]),
    ("Run", "5", &[], &["j", "k", "G", "Home", "s", "S", "/", "w", "Esc", "4", "5", "y"]),
    ("Topic", "5", &["Enter"], &["j", "d", "j", "w", "B", "m", "I", "t", "L", "Esc"]),
    ("Two topics", "5", &["Space", "j", "c"], &["Tab", "Tab", "j", "G", "Home"]),
    ("Word", "5", &["Enter", "W"], &["t", "j", "d", "j", "C", "j", "o", "o", "w", "j", "f", "C"]),
    ("Search, all", "2", &["F"], &["k", "a", "Esc", "F", "Esc"]),
    ("Compare", "4", &["Home", "Space", "j", "c"], &["j", "k", "o", "I", "t", "Enter", "Esc"]),
    ("K", "7", &[], &["]", "j", "]", "[", "R"]),
    ("Notes", "4", &["g", "b"], &["s", "S", "/", "Esc"]),
    ("Two corpora", "1", &["Space", "j", "c"], &["j", "G", "Home", "s"]),
    ("Left out", "2", &["g", "u"], &["?", "Esc"]),
    ("SQL, query", "8", &[], &["s", "e", "l", "Tab", "Left", "Ctrl-U", "Up", "F1", "Esc"]),
];

fn main() {
    let documents = std::env::var("TOPOI_DOCUMENTS").ok().and_then(|n| n.parse().ok());
    let start = Instant::now();
    let store = LargeStore::make(documents.unwrap_or(1_000_000));
    println!("made {} in {:.0} s", store.description(), start.elapsed().as_secs_f64());
    for size in [(80, 24), (200, 50)] {
        keys(&store, size);
    }
    idle(&store);
    for over_ssh in [false, true] {
        progress(&store, over_ssh);
    }
}

fn keys(store: &LargeStore, size: (u16, u16)) {
    println!("\n{}x{}: milliseconds from a key to the screen that answers it", size.0, size.1);
    println!("| screen | keys | first bytes: median | worst | all of it: median | worst | key |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    for (screen, digit, ready, measured) in SCREENS {
        let mut terminal = Terminal::open(store.path(), size, false);
        terminal.press("Esc");
        terminal.press(digit);
        for key in *ready {
            terminal.press(key);
        }
        let mut answers: Vec<(&str, Answer)> = Vec::new();
        for _ in 0..ROUNDS {
            for key in *measured {
                answers.extend(terminal.press(key).map(|answer| (*key, answer)));
            }
        }
        row(screen, &answers);
    }
}

fn row(screen: &str, answers: &[(&str, Answer)]) {
    let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
    let sorted = |time: fn(&Answer) -> Duration| {
        let mut times: Vec<Duration> = answers.iter().map(|(_, answer)| time(answer)).collect();
        times.sort_unstable();
        times.iter().map(milliseconds).collect::<Vec<_>>()
    };
    if answers.is_empty() {
        return println!("| {screen} | 0 | | | | | |");
    }
    let (first, all) = (sorted(|answer| answer.first), sorted(|answer| answer.all));
    let worst = answers.iter().max_by_key(|(_, answer)| answer.all).map_or("", |(key, _)| key);
    println!(
        "| {screen} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {worst} |",
        answers.len(),
        first[first.len() / 2],
        first[first.len() - 1],
        all[all.len() / 2],
        all[all.len() - 1],
    );
}

fn idle(store: &LargeStore) {
    println!("\nidle for {} s: share of a core, bytes written", IDLE.as_secs());
    for digit in ["1", "2", "4", "5", "8"] {
        let mut terminal = Terminal::open(store.path(), (80, 24), false);
        terminal.press("Esc");
        terminal.press(digit);
        let (before, bytes) = (terminal.cpu_seconds(), terminal.bytes());
        std::thread::sleep(IDLE);
        let share = (terminal.cpu_seconds() - before) / IDLE.as_secs_f64();
        println!("screen {digit}: {:.2}%, {} bytes", share * 100.0, terminal.bytes() - bytes);
    }
}

fn progress(store: &LargeStore, over_ssh: bool) {
    let name = if over_ssh { ", over SSH" } else { "" };
    println!("\na run writes its progress four times a second{name}: bytes/s, share of a core");
    let running = store.start_run();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for step in 1.. {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                running.step(step);
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        for (digit, screen) in [("4", "Runs"), ("5", "Run"), ("2", "Corpus"), ("1", "Corpora")] {
            for size in [(80, 24), (200, 50)] {
                let mut terminal = Terminal::open(store.path(), size, over_ssh);
                terminal.press("Esc");
                terminal.press(digit);
                if digit == "4" {
                    terminal.press("Home");
                }
                std::thread::sleep(Duration::from_secs(1));
                let (before, bytes) = (terminal.cpu_seconds(), terminal.bytes());
                std::thread::sleep(IDLE);
                let seconds = IDLE.as_secs_f64();
                println!(
                    "{screen} {}x{}: {:.0} bytes/s, {:.2}%",
                    size.0,
                    size.1,
                    (terminal.bytes() - bytes) as f64 / seconds,
                    (terminal.cpu_seconds() - before) / seconds * 100.0
                );
            }
        }
        stop.store(true, Ordering::SeqCst);
    });
    running.end();
}

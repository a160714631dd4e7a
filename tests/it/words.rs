//! Words of many languages and words as people want them, from files to topics.

use serde_json::Value;

use crate::common::Home;

/// Sentences about two subjects, without blanks between words.
const CHINESE: [[&str; 6]; 2] = [
    [
        "厨师把蔬菜和牛肉放进锅里，加上酱油。",
        "面条和米饭是我们的主要食物。",
        "先把洋葱切碎，再用橄榄油翻炒蔬菜。",
        "这个餐厅的厨师会做面条和豆腐。",
        "牛肉汤里可以加盐、胡椒和洋葱。",
        "米饭要用电饭锅煮，蔬菜要洗干净。",
    ],
    [
        "管理员在服务器上安装软件，然后配置网络。",
        "这个程序使用内存和硬盘，需要操作系统的支持。",
        "用户可以通过网络访问数据库和文件。",
        "软件更新之后，服务器需要重新启动。",
        "管理员要备份数据库，检查硬盘和内存。",
        "操作系统管理文件、用户和程序。",
    ],
];

/// Thirty documents a subject, each of three sentences.
fn chinese() -> Vec<u8> {
    let mut lines = String::new();
    for (subject, sentences) in CHINESE.iter().enumerate() {
        for n in 0..30 {
            let three = [n, n / 6 + n + 1, n * 5 + 2].map(|at| sentences[at % 6]);
            let text = three.concat();
            let line = serde_json::json!({ "id": format!("{subject}-{n}"), "text": text });
            lines += &format!("{line}\n");
        }
    }
    lines.into_bytes()
}

fn column(rows: &Value, name: &str) -> Vec<String> {
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| row[name].as_str().expect("text").to_string()).collect()
}

#[test]
fn a_chinese_corpus_has_words_topics_search_and_proportions() {
    let home = Home::new();
    let file = home.file("zh.jsonl", &chinese());
    home.succeeds(&["ingest", "zh", &file, "--stop-words", "zh"]);
    let terms = column(&home.json(&["terms", "zh", "--output", "json"]), "term");
    for word in ["服务", "软件", "蔬菜", "牛肉", "数据"] {
        assert!(terms.iter().any(|term| term == word), "{word} is not in {terms:?}");
    }
    assert!(terms.iter().all(|term| term.chars().count() >= 2), "{terms:?}");
    assert!(!terms.iter().any(|term| term == "我们" || term == "可以"), "stop words: {terms:?}");
    home.succeeds(&["run", "zh", "-k", "2", "--min-tokens", "2"]);
    let topics = home.json(&["topics", "1", "--words", "8", "--output", "json"]);
    let words = |topic: usize| column(&topics[topic]["words"], "word").join(" ");
    let (one, other) = (words(0), words(1));
    let is_apart = |food: &str, machine: &str| food.contains("蔬菜") && machine.contains("系统");
    assert!(is_apart(&one, &other) || is_apart(&other, &one), "{one} | {other}");
    let found = home.json(&["search", "zh", "服务器", "--output", "json"]);
    assert!(!found["documents"].as_array().or(found.as_array()).expect("rows").is_empty());
    let lines = home.succeeds(&["search", "zh", "蔬菜", "--kwic"]);
    assert!(lines.contains("蔬菜"), "{lines}");
    let new =
        home.file("new.jsonl", "{\"id\": \"n\", \"text\": \"数据库和服务器软件\"}\n".as_bytes());
    let inferred = home.json(&["infer", "1", &new, "--output", "json"]);
    assert_eq!(inferred[0]["unknown_tokens"], 0);
    home.succeeds(&["check"]);
}

#[test]
fn stems_are_shown_as_the_form_that_texts_have_most_often() {
    let home = Home::new();
    let text = "änderungen machine\nÄnderung machines\nÄnderungen machines\n".repeat(20);
    let file = home.file("de.txt", text.as_bytes());
    home.succeeds(&["ingest", "c", &file, "--stem", "de", "--batch-kb", "1"]);
    let terms = column(&home.json(&["terms", "c", "--output", "json"]), "term");
    assert_eq!(terms, ["änderungen", "machines"]);
    let forms = "SELECT term.text, term.form, f.form AS met, f.count FROM term_form AS f \
                 JOIN term ON term.id = term_id ORDER BY term.text, f.count DESC";
    let rows = home.succeeds(&["sql", forms, "-o", "csv"]);
    assert!(
        rows.contains("ander,änderungen,änderungen,40\nander,änderungen,änderung,20"),
        "{rows}"
    );
    // A rule names it as it is shown or as it is.
    for word in ["änderungen", "ander"] {
        let list = home.file("drop.txt", format!("{word}\n").as_bytes());
        let rows = home.json(&["terms", "c", "--stop-list", &list, "--output", "json"]);
        let dropped = |row: &Value| row["dropped_by"] == "stop-list";
        let rows = rows.as_array().expect("rows");
        assert!(rows.iter().any(|row| row["term"] == "änderungen" && dropped(row)), "{word}");
    }
    // The same file again counts nothing twice, and a form that has become more frequent is shown.
    home.succeeds(&["ingest", "c", &file]);
    assert_eq!(home.succeeds(&["sql", forms, "-o", "csv"]), rows);
    let more = home.file("more.txt", "Änderung\n".repeat(30).as_bytes());
    home.succeeds(&["ingest", "c", &more]);
    let terms = column(&home.json(&["terms", "c", "--output", "json"]), "term");
    assert_eq!(terms[0], "änderung");
    home.succeeds(&["check"]);
}

#[test]
fn tokens_beside_a_text_are_its_terms_and_are_found_in_the_text() {
    let home = Home::new();
    let lines: String = (0..12)
        .map(|n| {
            let text = "The Mice of the house ran away";
            let tokens = serde_json::json!([["mouse", 4, 8], "house", "run"]);
            format!("{}\n", serde_json::json!({ "id": n, "text": text, "tokens": tokens }))
        })
        .collect();
    let file = home.file("a.jsonl", lines.as_bytes());
    let dry = home.json(&["ingest", "c", &file, "--dry-run", "--output", "json"]);
    assert_eq!(dry[0]["tokens"], serde_json::json!(["mouse", "house", "run"]));
    home.succeeds(&["ingest", "c", &file]);
    let terms = column(&home.json(&["terms", "c", "--output", "json"]), "term");
    assert_eq!(terms, ["mouse", "house", "run"]);
    // The same tokens change nothing, others do.
    let again = home.json(&["ingest", "c", &file, "--output", "json"]);
    assert_eq!(again["counts"]["skipped"], 12);
    let other = home.file("a.jsonl", lines.replace("\"house\"", "\"home\"").as_bytes());
    let again = home.json(&["ingest", "c", &other, "--output", "json"]);
    assert_eq!(again["counts"]["replaced"], 12);
    home.succeeds(&["check"]);
    let wrong = home.file("b.jsonl", br#"{"text": "a b", "tokens": ["a", 1]}"#);
    home.fails(&["ingest", "d", &wrong]);
}

#[test]
fn phrases_that_were_found_are_words_of_the_corpus_that_is_made_with_them() {
    let home = Home::new();
    let text = "stock market news today\nnews stock market prices\nprices today\n".repeat(5);
    let file = home.file("a.txt", text.as_bytes());
    home.succeeds(&["ingest", "plain", &file]);
    let list = home.path("phrases.txt").to_string_lossy().into_owned();
    let least = ["--min-count", "5", "--min-npmi", "0.9", "--save", &list, "--output", "json"];
    let found = home.json(&[&["phrases", "plain"][..], &least].concat());
    assert_eq!(column(&found, "phrase"), ["stock market"]);
    assert_eq!(found[0]["count"], 10);
    home.succeeds(&["ingest", "joined", &file, "--join", &list, "--drop", "today"]);
    let terms = column(&home.json(&["terms", "joined", "--output", "json"]), "term");
    assert_eq!(terms, ["stock_market", "news", "prices"]);
    // Its settings are the corpus's: another list is refused, none is needed.
    let other = home.file("other.txt", b"market news\n");
    home.fails(&["ingest", "joined", &file, "--join", &other]);
    let more = home.file("b.txt", b"a stock market\n");
    home.succeeds(&["ingest", "joined", &more]);
    let terms = column(&home.json(&["terms", "joined", "--output", "json"]), "term");
    assert_eq!(terms.len(), 3);
}

#[test]
fn text_in_another_language_than_its_stop_words_is_told_at_ingest_and_by_the_run() {
    let home = Home::new();
    let german: String = (0..60)
        .map(|n| {
            let noun = ["Bäume", "Häuser", "Straßen", "Wälder", "Flüsse", "Berge"];
            let (one, two) = (noun[n % 6], noun[(n / 6 + n) % 6]);
            format!("Das sind nicht die {one}, die wir mit den anderen {two} gesehen haben.\n")
        })
        .collect();
    let file = home.file("de.txt", german.as_bytes());
    let words = home.said(&["ingest", "de", &file, "--stop-words", "en"]);
    home.keeps(&words);
    home.succeeds(&["run", "de", "-k", "2"]);
    let warned =
        home.succeeds(&["sql", "SELECT name FROM run_warning WHERE run_id = 1", "-o", "csv"]);
    assert!(warned.contains("other_language"), "{warned}");
    let words = home.said(&["ingest", "good", &file, "--stop-words", "de"]);
    assert!(!words.contains("stop words of"), "{words}");
    let list = home.succeeds(&["stop-words", "de"]);
    assert!(list.lines().any(|word| word == "nicht"));
    assert!(home.succeeds(&["stop-words"]).contains("Japanese"));
    home.fails(&["stop-words", "german"]);
}

#[test]
fn documents_without_a_known_word_are_told_and_fail_where_there_is_no_other() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let none = home.file("none.txt", "Xylophonisch zwitschern\n".as_bytes());
    home.fails(&["infer", "1", &none]);
    let some = home.file("some.txt", "Xylophonisch zwitschern\nstars and planets\n".as_bytes());
    let words = home.said(&["infer", "1", &some]);
    home.keeps(&words);
}

#[test]
fn lists_of_words_that_are_not_as_they_should_be_are_refused_with_file_line_and_remedy() {
    let home = Home::new();
    let file = home.file("a.txt", b"mice and men\n");
    let map = home.file("map.tsv", b"mice\tmouse\nmen\n");
    home.fails(&["ingest", "c", &file, "--map", &map]);
    home.fails(&["ingest", "c", &file, "--map", "nowhere.tsv"]);
    home.fails(&["ingest", "c", &file, "--token-pattern", "[a"]);
    assert!(!home.store().exists());
}

/// Sixty speeches on three subjects, all of which address somebody.
fn speeches() -> String {
    let subjects = [
        ["railway", "station", "train", "track", "signal"],
        ["hospital", "doctor", "nurse", "patient", "ward"],
        ["harvest", "wheat", "farmer", "field", "barley"],
    ];
    let speech = |number: usize| {
        let own = subjects[number % 3];
        let words: Vec<&str> = (0..12).map(|at| own[(number * 7 + at * at) % 5]).collect();
        format!("Honourable president, honourable colleagues: {}.\n", words.join(" "))
    };
    (0..60).map(speech).collect()
}

#[test]
fn words_that_are_everywhere_are_suggested_with_what_leaving_them_out_would_do() {
    let home = Home::new();
    let file = home.file("speeches.txt", speeches().as_bytes());
    home.succeeds(&["ingest", "speeches", &file]);
    let error = home.fails(&["stop-words", "--suggest", "speeches"]);
    assert!(error.contains("`topoi run speeches`"), "{error}");
    home.succeeds(&["run", "speeches", "-k", "3"]);
    let list = home.succeeds(&["stop-words", "--suggest", "speeches"]);
    let mut suggested: Vec<&str> = list.lines().collect();
    suggested.sort_unstable();
    assert_eq!(suggested, ["colleagues", "honourable", "president"]);
    let rows = home.json(&["stop-words", "--suggest", "speeches", "-o", "json"]);
    for row in rows.as_array().expect("words") {
        let number = |name: &str| row[name].as_f64().expect("a number");
        let product = number("documents") * number("evenness");
        assert!((number("documents") - 1.0).abs() < 1e-12 && number("evenness") > 0.9, "{row}");
        assert!((number("commonness") - product).abs() < 1e-12, "{row}");
    }
    // Four of sixteen words of each speech.
    let said = home.said(&["stop-words", "--suggest", "speeches", "-o", "csv"]);
    assert!(said.contains("3 words: 25.0% of the tokens of run 1"), "{said}");
    assert!(said.contains("no document would be too short"), "{said}");
    let words = home.file("common.txt", list.as_bytes());
    home.succeeds(&["run", "speeches", "-k", "3", "--stop-list", &words]);
    let left =
        home.json(&["sql", "SELECT DISTINCT word FROM topic_word WHERE run_id = 2", "-o", "json"]);
    assert_eq!(left.as_array().map(Vec::len), Some(15), "{left}");
}

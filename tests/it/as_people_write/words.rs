//! Words as they are typed, printed and read by machines.

use super::terms;
use crate::common::Home;

#[test]
fn words_are_what_is_seen_of_them() {
    let marks = "\u{ad}\u{200d}\u{200c}\u{2060}\u{200e}\u{fe0f}";
    let text: String = marks.chars().map(|mark| format!("Wert{mark}papier{mark} ")).collect();
    assert_eq!(terms("a.txt", text.as_bytes(), &["--stop-words", "de"]), "wertpapier");
    let text = "The captain\u{b9} of Sony\u{2122}, harbour\u{b2}\u{b3}; captain sony harbour";
    assert_eq!(terms("a.txt", text.as_bytes(), &[]), "captain sony harbour");
    let text = "don\u{2018}t don\u{2bc}t can\u{b4}t won`t ships";
    assert_eq!(terms("a.txt", text.as_bytes(), &[]), "ships");
}

#[test]
fn words_at_line_ends_are_joined_when_asked() {
    let options = ["--join-hyphens", "--stop-words", "none", "--format", "text"];
    let cases = [
        ("cap-\ntain har-\r\nbour ves- \n sel", "captain harbour vessel"),
        ("op-\n\nposite ship-\n\u{c}ment", "opposite shipment"),
        ("Politik\u{ad}\nwissenschaft Haus\u{ac}\nmeister", "politikwissenschaft hausmeister"),
        ("Haus\u{2e17}\nmeister Haus\u{2010}\nrat", "hausmeister hausrat"),
        ("well-\nknown; known and well", "well known and"),
        ("opsporings- en pre- and post-war", "opsporings pre and post war"),
        ("Müller-\nMeier", "müller meier"),
    ];
    for (text, expected) in cases {
        assert_eq!(terms("a.txt", text.as_bytes(), &options), expected, "{text:?}");
    }
    let tei = "<TEI><text><body><p>bös<lb break='no'/>artig zeile-\n<lb break='no'/> bruch schiff-<lb/>fahrt \
        <del>gone</del> <app><lem>kept</lem><rdg>other</rdg></app></p></body></text></TEI>";
    let joined = terms("a.xml", tei.as_bytes(), &["--stop-words", "none"]);
    assert_eq!(joined, "bösartig zeilebruch schiff fahrt kept");
    let home = Home::new();
    let file =
        home.file("a.txt", "The cap-\ntain, the cap-\ntain; self-\nmade; self made".as_bytes());
    let said = home.succeeds(&["ingest", "c", &file, "--join-hyphens", "--format", "text"]);
    assert!(
        said.contains("joined at line ends: 2 words, such as captain; apart: 1, such as self-made"),
        "{said}"
    );
    let found = home.json(&["search", "c", "captain", "-o", "json"]);
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    // Other texts are read as those of the corpus are, and nothing is written to try it.
    let more = home.file("b.txt", b"cap-\ntain\n");
    let dry = home.json(&["ingest", "c", &more, "--dry-run", "--format", "text", "-o", "json"]);
    assert_eq!(dry[0]["tokens"], serde_json::json!(["captain"]), "{dry}");
    // Ingested again it is what it was.
    let again = home.succeeds(&["ingest", "c", &file, "--format", "text"]);
    assert!(again.contains("0 documents added, 1 there already"), "{again}");
    // What is read twice is counted once.
    let latin = home.file("latin.txt", b"caf\xe9 and th\xe9");
    let said = home.said(&["ingest", "latin", &latin, "--join-hyphens", "--format", "text"]);
    assert!(said.contains("not UTF-8 and read as Windows-1252: 1 document"), "{said}");
    // A corpus keeps its settings; without the option, parted words are reported.
    home.fails(&["ingest", "c", "-", "--format", "text"]);
    let told = home.command(&["ingest", "d", &file, "--format", "text"]).output().expect("run");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("--join-hyphens"), "{told}");
    let refused = home.fails(&["ingest", "d", &file, "--join-hyphens", "--format", "text"]);
    assert!(refused.contains("without --join-hyphens"), "{refused}");
}

#[test]
fn character_references_are_decoded_when_asked_and_told_when_seen() {
    let text = "caf&eacute; &amp; th&#233;&nbsp;noir &amp;quot;bread&amp;quot; AT&T &unknown;";
    assert_eq!(
        terms("a.txt", text.as_bytes(), &["--decode-entities"]),
        "café thé noir bread unknown"
    );
    let home = Home::new();
    let rows = home.file("a.csv", format!("id,title,text\n1,Caf&eacute;,\"{text}\"\n").as_bytes());
    home.succeeds(&["ingest", "c", &rows, "--decode-entities"]);
    let found = home.json(&["documents", "c", "-o", "json"]);
    assert_eq!(found[0]["title"], "Café", "{found}");
    let told = home.command(&["ingest", "d", &rows]).output().expect("run");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(
        told.contains("6 character references") && told.contains("--decode-entities"),
        "{told}"
    );
}

#[test]
fn running_heads_and_page_numbers_are_dropped_when_asked() {
    let page = |number: usize, word: &str| {
        format!("Moby Dick {number}\n\nsome {word}\nand {word}\n\n- {number} -\n")
    };
    let words = ["ship", "sea", "sun", "oar", "sail"];
    let text: Vec<String> = words.iter().enumerate().map(|(at, word)| page(at, word)).collect();
    let options = ["--drop-page-heads", "--stop-words", "none", "--format", "text"];
    let kept = terms("a.txt", text.join("\u{c}").as_bytes(), &options);
    assert_eq!(kept, "some ship and sea sun oar sail");
}

#[test]
fn articles_that_an_apostrophe_joins_are_no_part_of_the_word() {
    let cases = [
        (
            "fr",
            "L'homme et l\u{2019}homme; d'une femme qu'il aime, homme femme. Prud'homme",
            "homme femme aime prud'homme",
        ),
        ("it", "Dell'arte e nell'acqua: arte, acqua, un'amica", "arte acqua amica"),
        ("ca", "L'illa d'aquesta ciutat; illa", "illa ciutat"),
    ];
    for (language, text, expected) in cases {
        assert_eq!(terms("a.txt", text.as_bytes(), &["--stop-words", language]), expected);
    }
    let kept = ["--stop-words", "fr", "--elision", "none"];
    assert_eq!(terms("a.txt", b"l'homme homme", &kept), "l'homme homme");
    assert_eq!(
        terms("a.txt", b"l'homme homme", &["--stop-words", "en", "--elision", "fr"]),
        "homme"
    );
    let home = Home::new();
    let file = home.file("a.txt", b"one");
    let refused = home.command(&["ingest", "c", &file, "--elision", "xx"]).output().expect("run");
    assert_eq!(refused.status.code(), Some(2));
    // A corpus keeps what it began with.
    home.succeeds(&["ingest", "c", &file, "--stop-words", "fr"]);
    home.fails(&["ingest", "c", &file, "--elision", "none"]);
}

#[test]
fn addresses_are_dropped_when_asked() {
    let text = b"ships https://t.co/abc?utm_source=x www.example.org sea someone@example.org @captain #sail";
    let kinds = ["--drop", "urls,emails,mentions,ships", "--stop-words", "none"];
    assert_eq!(terms("a.txt", text, &kinds), "sea sail");
    let mentions = ["--drop", "mentions", "--stop-words", "none"];
    let kept = terms("a.txt", text, &mentions);
    assert!(kept.contains("utm_source") && !kept.contains("captain"), "{kept}");
    // What is shown of a text is where it is in it.
    let home = Home::new();
    let file = home.file("a.txt", "Öl https://t.co/a ships @b sail".as_bytes());
    home.succeeds(&["ingest", "c", &file, "--drop", "urls,mentions", "--stop-words", "none"]);
    let shown = home.succeeds(&["search", "c", "sail", "--kwic"]);
    assert!(shown.contains("https://t.co/a ships @b"), "{shown}");
    home.fails(&["ingest", "c", &file, "--drop", "emails"]);
}

#[test]
fn the_language_of_texts_is_guessed_and_one_option_says_it() {
    let french = "Les députés ont adopté hier soir une loi sur la réforme, après des débats très longs. Le gouvernement \
        estime que l'équilibre du système est rétabli, mais l'opposition n'est pas d'accord avec ce choix, et elle l'a dit.";
    let expected = "députés adopté hier soir loi réforme débats longs gouvernement estime équilibre système rétabli \
        opposition accord choix";
    let home = Home::new();
    let file = home.file("a.jsonl", serde_json::json!({ "text": french }).to_string().as_bytes());
    let said = home.succeeds(&["ingest", "c", &file]);
    assert!(said.contains("language: French (fr)"), "{said}");
    let rows = home.json(&["sql", "SELECT text FROM term ORDER BY position", "-o", "json"]);
    let found: Vec<&str> =
        rows.as_array().expect("rows").iter().filter_map(|row| row["text"].as_str()).collect();
    assert_eq!(found.join(" "), expected);
    // What is added later is taken for the same, and the same list may be named.
    home.succeeds(&["ingest", "c", &file]);
    home.succeeds(&["ingest", "c", &file, "--stop-words", "fr"]);
    // Said, it is stemmed too; each part can be said otherwise.
    let stemmed =
        terms("a.txt", b"les d\xc3\xa9put\xc3\xa9s l'\xc3\xa9quilibre", &["--language", "fr"]);
    assert_eq!(stemmed, "déput équilibr");
    let options = ["--language", "fr", "--stem", "none", "--stop-words", "none"];
    assert_eq!(
        terms("a.txt", "les députés l'équilibre".as_bytes(), &options),
        "les députés équilibre"
    );
    assert_eq!(
        terms("a.txt", "ISPARTA Isparta".as_bytes(), &["--language", "tr", "--stem", "none"]),
        "ısparta"
    );
    let refused =
        home.command(&["ingest", "d", &file, "--language", "french"]).output().expect("run");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("fr (French)"));
}

#[test]
fn letters_that_a_language_writes_in_several_ways_are_one() {
    let cases = [
        ("tr", "ISPARTA Isparta \u{131}sparta \u{130}STANBUL istanbul", "\u{131}sparta istanbul"),
        ("ar", "كِتَابٌ كتاب كتـــاب أحمد احمد", "كتاب احمد"),
        ("fa", "كتاب کتاب", "کتاب"),
        ("he", "שָׁלוֹם שלום", "שלום"),
        // Thai and Lao stay whole, and Persian words keep what parts their letters.
        ("th", "ตำรวจ", "ตำรวจ"),
        ("fa", "نمی\u{200c}خواهند", "نمی\u{200c}خواهند"),
    ];
    for (language, text, expected) in cases {
        let options = ["--stop-words", language, "--tokens", "whitespace"];
        assert_eq!(terms("a.txt", text.as_bytes(), &options), expected, "{language}");
    }
    let apart = ["--stop-words", "tr", "--letters", "none"];
    assert_eq!(terms("a.txt", "ISPARTA \u{131}sparta".as_bytes(), &apart), "isparta \u{131}sparta");
}

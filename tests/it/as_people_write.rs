//! Small files as people and other programs write them: each stands for a kind.

use crate::common::Home;
use crate::common::files::archive;

/// The terms of a file that is ingested with these options, in the order of the text.
fn terms(name: &str, content: &[u8], options: &[&str]) -> String {
    let home = Home::new();
    let file = home.file(name, content);
    home.succeeds(&[&["ingest", "c", &file][..], options].concat());
    let rows = home.json(&["sql", "SELECT text FROM term ORDER BY position", "-o", "json"]);
    let text = |row: &serde_json::Value| row["text"].as_str().expect("a term").to_string();
    rows.as_array().expect("a list").iter().map(text).collect::<Vec<_>>().join(" ")
}

const PLAIN: [&str; 2] = ["--stop-words", "none"];

#[test]
fn columns_are_parted_by_what_the_file_has() {
    let expected = "ships sea bread";
    let files: [(&str, &str); 9] = [
        ("a.csv", "id,text,year\n1,\"ships, sea\",1999\n2,bread,2000\n"),
        ("a.csv", "id;text;year\n1;ships, sea;1999\n2;bread;2000\n"),
        ("a.csv", "id|text|year\n1|ships, sea|1999\n2|bread|2000\n"),
        ("a.csv", "id\ttext\tyear\n1\tships, sea\t1999\n2\tbread\t2000\n"),
        ("a.csv", "sep=;\nid;text\n1;ships, sea\n2;bread\n"),
        ("a.csv", "sep=|\r\nid|text\r\n1|ships, sea\r\n2|bread\r\n"),
        ("a.csv", "ID,Text\n1,\"ships, sea\"\n2,bread\n"),
        ("a.csv", "id,text\n1,\"ships \\\"sea, \\\"\"\n2,bread\n"),
        ("a.tsv", "TEXT\tID\nships sea\t1\nbread\t2\n"),
    ];
    for (name, content) in files {
        assert_eq!(terms(name, content.as_bytes(), &PLAIN), expected, "{content}");
    }
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("id\ttext\r\n1\tships sea\r\n2\tbread\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(terms("excel.txt", &wide, &["--format", "tsv", "--stop-words", "none"]), expected);
    let colon = b"id:text\n1:ships sea\n2:bread\n";
    assert_eq!(terms("a.csv", colon, &["--delimiter", ":", "--stop-words", "none"]), expected);
    let preamble = b"Export of library\nmade 2024\nid,text\n1,ships sea\n2,bread\n";
    assert_eq!(terms("a.csv", preamble, &["--header-line", "3", "--stop-words", "none"]), expected);
}

#[test]
fn json_is_read_as_programs_write_it() {
    let lines = [
        r#"{"text": "ships", "score": NaN}"#,
        r#"{"text": "sea \ud83d", "low": -Infinity},"#,
        r#"{"text": ["bread", "butter"], "title": 1984}"#,
        r#"{"text": null, "title": false}"#,
        r#"{"text": 1984}"#,
    ];
    assert_eq!(terms("a.jsonl", lines.join("\n").as_bytes(), &PLAIN), "ships sea bread butter");
    let nested = br#"{"data": {"text": "ships sea"}, "meta": {"id": "x"}}"#;
    let options = ["--text-field", "data.text", "--id-field", "meta.id"];
    assert_eq!(terms("a.jsonl", nested, &options), "ships sea");
    let home = Home::new();
    for content in [
        "[{\"text\": \"a\"}]",
        "[\n{\"text\": \"a\"}\n]",
        "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b\"\n}",
    ] {
        let file = home.file("a.jsonl", content.as_bytes());
        let error = home.fails(&["ingest", "c", &file]);
        assert!(error.contains("jq -c"), "{error}");
    }
}

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
    // A corpus keeps what it began with, and what could be joined is told.
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
fn lists_of_words_are_read_in_any_encoding() {
    let home = Home::new();
    let latin = home.file("latin.txt", b"# remark\ncaf\xe9\nth\xe9\n");
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("caf\u{e9}\nth\u{e9}\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let wide = home.file("wide.txt", &wide);
    let marked = home.file("marked.txt", "\u{feff}caf\u{e9}\r\nth\u{e9}\r\n".as_bytes());
    for list in [latin, wide, marked] {
        let options = ["--stop-words", list.as_str()];
        assert_eq!(terms("a.txt", "café thé ships".as_bytes(), &options), "ships", "{list}");
    }
    let map = home.file("map.txt", b"caf\xe9s\tcaf\xe9\n");
    let options = ["--map", map.as_str(), "--stop-words", "none"];
    assert_eq!(terms("a.txt", "cafés café".as_bytes(), &options), "café");
    let join = home.file("join.txt", b"caf\xe9 noir\n");
    let options = ["--join", join.as_str(), "--stop-words", "none"];
    assert_eq!(terms("a.txt", "café noir".as_bytes(), &options), "café_noir");
}

#[test]
fn a_vocabulary_in_quotes_is_of_the_words_within() {
    let home = Home::new();
    let counts = home.file("c.ldac", b"2 0:1 1:2\n1 2:3\n");
    home.file("c.ldac.vocab", b"\"ship\"\n\"harbour\"\n\"captain\"\n");
    home.succeeds(&["ingest", "c", &counts]);
    let query = "SELECT group_concat(text) AS terms FROM (SELECT text FROM term ORDER BY position)";
    let found = home.json(&["sql", query, "-o", "json"]);
    assert_eq!(found[0]["terms"], "ship,harbour,captain");
}

#[test]
fn office_files_have_their_body_where_they_say_and_each_word_once() {
    let body = "<w:document xmlns:w=\"w\"><w:body><w:p><w:moveFrom><w:r><w:t>moved clause</w:t></w:r></w:moveFrom>\
        <w:r><w:t>self</w:t><w:noBreakHyphen/><w:t>made</w:t></w:r></w:p>\
        <w:p><w:moveTo><w:r><w:t>moved clause</w:t></w:r></w:moveTo></w:p>\
        <w:p><w:ruby><w:rt><w:r><w:t>reading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>below</w:t></w:r></w:rubyBase></w:ruby></w:p>\
        </w:body></w:document>";
    let relations = "<Relationships><Relationship Id=\"a\" Type=\"x/officeDocument\" Target=\"/word/document2.xml\"/>\
        <Relationship Id=\"b\" Type=\"x/core-properties\" Target=\"docProps/core.xml\"/></Relationships>";
    let types = ("[Content_Types].xml", "<Types/>");
    let named = archive(&[types, ("_rels/.rels", relations), ("word/document2.xml", body)]);
    let usual = archive(&[types, ("word/document.xml", body)]);
    for file in [named, usual] {
        assert_eq!(terms("a.docx", &file, &PLAIN), "self made moved clause below");
    }
    let content = "<office:document-content><office:body><office:text><text:p><text:ruby><text:ruby-base>below\
        </text:ruby-base><text:ruby-text>reading</text:ruby-text></text:ruby></text:p></office:text></office:body>\
        </office:document-content>";
    let kind = ("mimetype", "application/vnd.oasis.opendocument.text");
    assert_eq!(terms("a.odt", &archive(&[kind, ("content.xml", content)]), &PLAIN), "below");
}

#[test]
fn what_is_left_out_is_listed_with_the_reason_and_the_place() {
    let home = Home::new();
    let lines = "{\"id\": \"a\", \"text\": \"ships sea\"}\n{\"id\": \"b\", \"text\": \"the of\"}\nnothing\n\
        {\"id\": \"a\", \"text\": \"bread\"}\n";
    let file = home.file("a.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "c", &file, "--on-error", "skip"]);
    let found = home.json(&["left-out", "c", "-o", "json"]);
    let of = |name: &str| -> Vec<String> {
        let rows = found.as_array().expect("a list").iter();
        rows.map(|row| row[name].as_str().expect("a text").to_string()).collect()
    };
    assert_eq!(of("kind"), ["empty", "malformed", "duplicate"]);
    assert!(of("place")[1].ends_with("a.jsonl:3"), "{:?}", of("place"));
    home.succeeds(&["ingest", "c", &file, "--on-error", "skip"]);
    let all = home.json(&["left-out", "c", "--all", "-o", "json"]);
    assert!(all.as_array().is_some_and(|rows| rows.iter().any(|row| row["kind"] == "unchanged")));
    home.succeeds(&["ingest", "d", &home.file("b.txt", b"ships")]);
    assert!(home.said(&["left-out", "d"]).contains("nothing was left out"));
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
fn a_kind_that_no_value_is_of_is_refused_and_dates_of_one_meaning_are_read() {
    let home = Home::new();
    let line = |(number, date): (usize, &str)| {
        format!(
            "{{\"id\": \"{number}\", \"text\": \"ships sea\", \"when\": \"{date}\", \"what\": \"ship\"}}\n"
        )
    };
    let dates = [
        "Wed Oct 10 20:19:24 +0000 2018",
        "31/10/2019",
        "3. Mai 1999",
        "c. 1850",
        "2019-W05",
        "1850s",
    ];
    let lines: String = dates.into_iter().enumerate().map(line).collect();
    let file = home.file("a.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "c", &file]);
    home.fails(&["fields", "c", "--set", "what=date"]);
    home.fails(&["fields", "c", "--set", "what=number"]);
    let rows = home.json(&["fields", "c", "--set", "when=date", "-o", "json"]);
    let when = rows.as_array().and_then(|rows| rows.iter().find(|row| row["field"] == "when"));
    let when = when.expect("a field");
    assert_eq!((&when["kind"], &when["unreadable"]), (&"date".into(), &0.into()));
}

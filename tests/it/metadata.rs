//! Fields from tables of metadata and from paths.

use serde_json::{Value, json};

use crate::common::Home;

/// A folder of twelve texts in folders of years, the table of them beside it.
fn home() -> Home {
    let home = Home::new();
    for number in 0..12 {
        let folder = home.path(&format!("texts/{}", 1990 + number / 4));
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = format!("ships sail the harbour {number} with captain word{number}");
        std::fs::write(folder.join(format!("d{number:02}.txt")), text).expect("a text");
    }
    let rows: String = (0..12)
        .filter(|number| *number != 7)
        .map(|number| format!("d{number:02}.txt,author {},{}\n", number % 3, 1990 + number / 4))
        .collect();
    home.file(
        "texts/metadata.csv",
        format!("filename,author,year\n{rows}d99.txt,nobody,1\n").as_bytes(),
    );
    home
}

fn path(home: &Home, name: &str) -> String {
    home.path(name).to_string_lossy().into_owned()
}

fn all_fields(home: &Home) -> Vec<Value> {
    let rows = home.json(&["documents", "c", "-o", "json"]);
    rows.as_array().expect("a list").iter().map(|row| row["fields"].clone()).collect()
}

/// What SQL says of the fields of one document.
fn fields_of(home: &Home, key: &str) -> Value {
    let query = format!("SELECT fields FROM document WHERE key = '{key}'");
    let found = home.json(&["sql", &query, "-o", "json"]);
    found[0]["fields"]
        .as_str()
        .map_or(Value::Null, |text| serde_json::from_str(text).expect("JSON"))
}

#[test]
fn a_table_beside_texts_is_no_document_and_is_joined_by_file_name() {
    let home = home();
    let said = home.said(&["ingest", "c", &path(&home, "texts")]);
    assert!(said.contains("--join"), "{said}");
    let query = ["sql", "SELECT count(*) AS n FROM document", "-o", "json"];
    assert_eq!(home.json(&query)[0]["n"], 12);
    let table = path(&home, "texts/metadata.csv");
    home.keeps(&home.said(&["fields", "c", "--join", &table]));
    let joined = json!({ "author": "author 1", "label": "1990", "year": 1990 });
    assert_eq!(fields_of(&home, "1990/d01.txt"), joined);
    assert_eq!(fields_of(&home, "1991/d07.txt"), json!({ "label": "1991" }));
    home.succeeds(&["check"]);
    // Another version of a text keeps what the table says, and so does one that comes back.
    home.file("texts/1990/d01.txt", b"other words of the captain");
    home.succeeds(&["ingest", "c", &path(&home, "texts")]);
    assert_eq!(fields_of(&home, "1990/d01.txt"), joined);
    // The table changed: what it no longer says is gone.
    home.file(
        "texts/metadata.csv",
        b"filename,author,year,place\nd01,author 9,,Rome\nd02,x,1800,\n",
    );
    home.succeeds(&["fields", "c", "--join", &table]);
    assert_eq!(
        fields_of(&home, "1990/d01.txt"),
        json!({ "author": "author 9", "label": "1990", "place": "Rome" })
    );
    assert_eq!(fields_of(&home, "1990/d00.txt"), json!({ "label": "1990" }));
    home.succeeds(&["check"]);
    let again = home.said(&["fields", "c", "--join", &table]);
    assert!(again.contains("0 of them changed"), "{again}");
    home.succeeds(&["delete", "documents", "c", "--key", "1990/d01.txt", "--yes"]);
    let kept = ["sql", "SELECT count(*) AS n FROM joined_fields", "-o", "json"];
    assert_eq!(home.json(&kept)[0]["n"], 1);
}

#[test]
fn at_ingest_a_table_or_the_paths_give_fields() {
    let home = home();
    let (texts, table) = (path(&home, "texts"), path(&home, "texts/metadata.csv"));
    home.succeeds(&["ingest", "c", &texts, "--metadata", &table]);
    assert_eq!(
        fields_of(&home, "1992/d11.txt"),
        json!({ "author": "author 2", "label": "1992", "year": 1992 })
    );
    home.succeeds(&["fields", "c", "--from-path", "{folder}/{name}.txt"]);
    let both = fields_of(&home, "1992/d11.txt");
    assert_eq!(
        (&both["author"], &both["folder"], &both["name"]),
        (&json!("author 2"), &json!(1992), &json!("d11"))
    );
    let other = Home::new();
    let pattern = ["ingest", "c", &texts, "--fields-from-path", "{year}/{name}.txt"];
    other.succeeds(&pattern);
    assert_eq!(
        fields_of(&other, "1990/d00.txt"),
        json!({ "label": "1990", "year": 1990, "name": "d00" })
    );
    assert_eq!(all_fields(&other).len(), 12);
}

#[test]
fn fields_of_a_source_come_back_where_the_table_has_none() {
    let home = Home::new();
    let documents = home.file(
        "c.jsonl",
        b"{\"id\": \"a\", \"text\": \"harbour ship\", \"author\": \"own\", \"code\": 1.10}\n{\"id\": \"b\", \"text\": \"captain sail\", \"author\": \"B\"}\n",
    );
    home.succeeds(&["ingest", "c", &documents]);
    let table = home.file("t.tsv", b"who\tauthor\tborn\nown\tOrwell\t1903\n");
    home.succeeds(&["fields", "c", "--join", &table, "--on", "author"]);
    assert_eq!(fields_of(&home, "a"), json!({ "author": "Orwell", "born": 1903, "code": 1.10 }));
    assert_eq!(fields_of(&home, "b"), json!({ "author": "B" }));
    let by_row = home
        .file("r.jsonl", b"{\"author\": null, \"page\": 7}\n{\"author\": \"C\", \"page\": 8}\n");
    home.succeeds(&["fields", "c", "--join", &by_row, "--by-row"]);
    assert_eq!(
        fields_of(&home, "a"),
        json!({ "author": "own", "born": 1903, "code": 1.10, "page": 7 })
    );
    assert_eq!(fields_of(&home, "b"), json!({ "author": "C", "page": 8 }));
    home.succeeds(&["check"]);
}

#[test]
fn chunks_and_counts_have_the_fields_of_their_table() {
    let home = home();
    home.succeeds(&["ingest", "c", &path(&home, "texts"), "--chunk", "4"]);
    home.succeeds(&["fields", "c", "--join", &path(&home, "texts/metadata.csv")]);
    let query = "SELECT count(*) AS n, count(fields ->> 'author') AS known FROM document";
    let counted = &home.json(&["sql", query, "-o", "json"])[0];
    let [all, known] = ["n", "known"].map(|name| counted[name].as_i64().expect("a number"));
    assert!(known < all && known >= 11, "{known} of {all}");
    assert_eq!(
        fields_of(&home, "1990/d01.txt#0001"),
        json!({ "author": "author 1", "label": "1990", "year": 1990 })
    );
    home.file(
        "texts/1990/d01.txt",
        b"other words of the captain and of the ship that sails far away",
    );
    home.succeeds(&["ingest", "c", &path(&home, "texts")]);
    assert_eq!(
        fields_of(&home, "1990/d01.txt#0002"),
        json!({ "author": "author 1", "label": "1990", "year": 1990 })
    );
    home.succeeds(&["check"]);

    let counts = home.file("c.ldac", b"2 0:1 1:2\n1 2:3\n");
    home.file("c.ldac.vocab", b"ship\nharbour\ncaptain\n");
    home.succeeds(&["ingest", "counts", &counts]);
    let table = home.file("t.csv", b"place,year\nRome,1850\nBari,1851\n");
    home.succeeds(&["fields", "counts", "--join", &table, "--by-row"]);
    let rows = home.json(&["fields", "counts", "-o", "json"]);
    let names: Vec<&str> = rows
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["field"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["place", "year"]);
    home.succeeds(&["check"]);
}

#[test]
fn a_join_that_joins_nothing_says_what_it_saw() {
    let home = home();
    home.succeeds(&["ingest", "c", &path(&home, "texts")]);
    let table = home.file("t.csv", b"name,author\nx,A\ny,B\n");
    home.fails(&["fields", "c", "--join", &table]);
    home.fails(&["fields", "c", "--join", &table, "--key", "nobody"]);
    home.fails(&["fields", "c", "--join", &table, "--by-row"]);
    home.fails(&["fields", "c", "--join", &path(&home, "nothing.csv")]);
    home.fails(&["fields", "c", "--join", &path(&home, "texts/1990/d01.txt")]);
    home.fails(&["fields", "c", "--join", &path(&home, "texts")]);
    let torn = home.file("torn.csv", b"name,author\nx\n");
    home.fails(&["fields", "c", "--join", &torn]);
    home.fails(&["fields", "c", "--from-path", "{year}-{name}.txt"]);
    assert!(all_fields(&home).iter().all(|fields| fields["author"].is_null()));
    // A folder of tables alone is read as before.
    std::fs::create_dir(home.path("tables")).expect("a folder");
    home.file("tables/t.csv", b"name,author\nx,A\n");
    home.fails(&["ingest", "d", &path(&home, "tables")]);
}

#[test]
fn a_file_name_that_is_in_several_folders_has_the_row_of_its_own_folder_or_none() {
    let home = Home::new();
    for path in ["1990/a.txt", "1995/a.txt", "1990/b.txt", "1995/c.txt"] {
        let file = home.path("texts").join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
        std::fs::write(file, format!("words of {path}")).expect("write");
    }
    home.succeeds(&["ingest", "c", &home.path("texts").to_string_lossy()]);
    let authors = || {
        let query = "SELECT key, fields ->> 'author' AS author FROM document ORDER BY key";
        let rows = home.json(&["sql", query, "-o", "json"]);
        let author = |row: &Value| row["author"].as_str().map(String::from);
        rows.as_array().expect("rows").iter().map(author).collect::<Vec<_>>()
    };
    let join = |table: &str| {
        let table = home.file("table.csv", table.as_bytes());
        home.said(&["fields", "c", "--join", &table])
    };
    // By name alone, two documents could have the row of a.txt.
    let said = join("filename,author\na.txt,A\nb.txt,B\nc,C\n");
    assert!(said.contains("2 documents left out, as others in other folders"), "{said}");
    assert_eq!(authors(), [None, Some("B".into()), None, Some("C".into())]);
    // A row with a folder is of the document in it, and not of the other.
    let said = join("filename,author\n1990/a.txt,A\nb.txt,B\n");
    assert!(said.contains("2 documents without a row: 1995/a.txt, 1995/c.txt"), "{said}");
    assert_eq!(authors(), [Some("A".into()), Some("B".into()), None, None]);
    // Folders that are others than those of the corpus do not matter where names are distinct.
    join("filename,author\n/data/old/1995/c.txt,C\n");
    assert_eq!(authors(), [None, None, None, Some("C".into())]);
}

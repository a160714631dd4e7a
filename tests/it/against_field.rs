//! Topics of documents held against a field of theirs: NMI, AMI and purity.

use std::collections::BTreeMap;

use crate::common::Home;
use serde_json::Value;

/// Documents of two themes in turn, with fields of many kinds.
fn home_with_labels() -> Home {
    let home = Home::new();
    let document = |number: usize| {
        let words = |from: char| -> String {
            let word = |at: usize| format!("{from}{}", char::from(b'a' + (number + at) as u8 % 7));
            (0..9).map(|at| word(at * at) + " ").collect()
        };
        let (theme, other) = if number.is_multiple_of(2) { ('x', 'y') } else { ('y', 'x') };
        // Every fifth document is labelled against its theme, and every tenth has no label.
        let label = ["x", "y"][(number + usize::from(number % 5 == 4)) % 2];
        let label = if number % 10 == 9 { "  " } else { label };
        let rare = if number < 3 { "\"rare\": 1, " } else { "" };
        format!(
            "{{\"id\": \"d{number}\", \"label\": \"{label}\", {rare}\"year\": {}, \"same\": true, \
             \"own\": {number}, \"text\": \"{}{}\"}}\n",
            1990 + number % 3,
            words(theme).repeat(3),
            words(other)
        )
    };
    let lines: String = (0..60).map(document).collect();
    let file = home.file("labels.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "labels", &file, "--stop-words", "none", "--min-length", "1"]);
    home.succeeds(&["run", "labels", "-k", "2"]);
    home
}

fn value(home: &Home, name: &str) -> f64 {
    let rows: Value = home.json(&["metrics", "1", "--output", "json"]);
    let row = rows.as_array().expect("rows").iter().find(|row| row["name"] == name);
    row.unwrap_or_else(|| panic!("no {name}"))["value"].as_f64().expect("a number")
}

#[test]
fn saved_agreement_is_that_of_the_largest_topics_and_the_labels() {
    let home = home_with_labels();
    let text = home.succeeds(&["metrics", "1", "--against", "label", "--against", "year"]);
    assert!(text.contains("label, 2 values, documents (54)"), "{text}");
    let query = "SELECT topic, fields ->> 'label' AS label FROM document_top_topic \
                 JOIN document ON document.id = document_id WHERE run_id = 1";
    let rows: Value = home.json(&["sql", query, "--output", "json"]);
    let pairs: Vec<(i64, String)> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row["topic"].as_i64().expect("a topic"), row["label"].as_str().expect("text")))
        .filter(|(_, label)| !label.trim().is_empty())
        .map(|(topic, label)| (topic, label.to_string()))
        .collect();
    let share = |is: &dyn Fn(&(i64, String)) -> bool| {
        pairs.iter().filter(|pair| is(pair)).count() as f64 / pairs.len() as f64
    };
    // Means over documents: of the log of the lift, and of the logs of the two shares.
    let (mut information, mut entropies) = (0.0, 0.0);
    for pair in &pairs {
        let both = share(&|other| other == pair);
        let (topic, label) = (share(&|other| other.0 == pair.0), share(&|other| other.1 == pair.1));
        information += (both / (topic * label)).ln();
        entropies -= topic.ln() + label.ln();
    }
    let mut most: BTreeMap<i64, usize> = BTreeMap::new();
    for pair in &pairs {
        let same = pairs.iter().filter(|other| *other == pair).count();
        let largest = most.entry(pair.0).or_default();
        *largest = same.max(*largest);
    }
    assert!((value(&home, "nmi@label") - information / (entropies / 2.0)).abs() < 1e-12);
    let purity = most.values().sum::<usize>() as f64 / 54.0;
    assert!((value(&home, "purity@label") - purity).abs() < 1e-12);
    assert!(
        value(&home, "ami@label") > 0.1 && value(&home, "ami@label") < value(&home, "nmi@label")
    );
    assert!(value(&home, "ami@year").abs() < 0.1, "{}", value(&home, "ami@year"));
    assert_eq!(value(&home, "documents_with@label"), 54.0);
    assert_eq!((value(&home, "values_of@label"), value(&home, "values_of@year")), (2.0, 3.0));
    // A second run is compared by it, in the way in which it is better.
    home.succeeds(&["run", "labels", "-k", "3", "--model", "nmf-kl"]);
    home.succeeds(&["metrics", "2", "--against", "label"]);
    let compared: Value = home.json(&["compare", "1", "2", "--output", "json"]);
    let metrics = compared["metrics"].as_array().expect("metrics");
    let nmi = metrics.iter().find(|row| row["name"] == "nmi@label").expect("compared");
    assert_eq!(nmi["better"], "larger");
    assert!(nmi["values"][1].is_number());
    home.succeeds(&["metrics", "1", "--recompute"]);
    assert_eq!(value(&home, "values_of@label"), 2.0);
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn fields_that_say_nothing_of_topics_are_refused_on_one_line_and_nothing_is_saved() {
    let home = home_with_labels();
    let before = home.dump();
    let against = |field: &str| {
        home.fails(&["metrics", "1", "--against", field]);
    };
    against("lable");
    against("same");
    against("rare");
    against("own");
    home.fails(&["metrics", "9", "--against", "label"]);
    assert_eq!(before, home.dump());
    home.succeeds(&["run", "labels", "-k", "2", "--no-documents"]);
    home.fails(&["metrics", "2", "--against", "label"]);
}

//! `topoi bounds`, from the command line.

use crate::common::Home;
use topoi_core::random::stream;

/// A home with the corpus "drawn" of 5 topics.
fn home_with_drawn_corpus() -> Home {
    let home = Home::new();
    let mut rng = stream(2, "drawn corpus");
    let topics = crate::common::lda::topics(&mut rng, 300, 5, 0.2);
    let counts =
        crate::common::lda::documents(&mut rng, &topics, 1.0, std::iter::repeat_n(150, 3000));
    let file = home.file("drawn.mtx", crate::common::lda::as_matrix_market(&counts).as_bytes());
    let words: String = (0..300).map(|word| format!("w{word}\n")).collect();
    let words = home.file("words.txt", words.as_bytes());
    home.succeeds(&["ingest", "drawn", &file, "--vocab", &words]);
    home
}

#[test]
fn the_bounds_of_a_corpus_are_printed_and_saved() {
    let home = home_with_drawn_corpus();
    let arguments = ["bounds", "drawn", "--beta", "0.2", "--delta", "0.5"];
    let json = home.json(&[&arguments[..], &["-o", "json"]].concat());
    let lower = json["lower"].as_u64().expect("a number");
    assert!((3..=5).contains(&lower), "{lower}");
    assert!(json["upper"].as_u64().expect("a number") >= 5);
    assert_eq!(json["lower_probability"], 0.5);
    assert_eq!(json["details"]["documents"], 3000);
    assert_eq!(json["settings"]["beta"], 0.2);
    assert_eq!(json["details"]["uppers"].as_array().expect("three").len(), 3);
    let text = home.succeeds(&arguments);
    assert!(text.contains(&format!("lower bound {lower} topics, probability 0.5")), "{text}");
    assert!(text.contains("Real text is not: there they are a hint."), "{text}");
    let csv = home.succeeds(&[&arguments[..], &["-o", "csv"]].concat());
    assert!(csv.starts_with("sigma,value,times_threshold\nσ1,"), "{csv}");
    // Three times computed, three times saved, to the bit the same.
    let query = "SELECT k_bound.id AS id, lower, upper, method, group_concat(value) AS spectrum \
                 FROM k_bound JOIN k_bound_sigma ON k_bound_id = k_bound.id GROUP BY 1";
    let rows = home.json(&["sql", query, "-o", "json"]);
    let rows = rows.as_array().expect("rows");
    assert_eq!((rows.len(), rows[0]["method"].as_str()), (3, Some("cheng2015")));
    assert_eq!(rows[0]["lower"].as_u64(), Some(lower));
    assert!(rows.iter().all(|row| row["spectrum"] == rows[0]["spectrum"]));
    let threads = home.json(&[&arguments[..], &["--threads", "1", "-o", "json"]].concat());
    assert_eq!(threads["spectrum"], json["spectrum"]);
    home.succeeds(&["delete", "drawn", "--yes"]);
    assert_eq!(home.wait_for("SELECT count(*) FROM k_bound_sigma"), "0");
}

#[test]
fn bounds_take_the_vocabulary_of_a_run_and_show_what_runs_estimate() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "5", "--terms", "300", "--min-tokens", "8"]);
    // What a run of the model rp leaves.
    let as_rp = "UPDATE run SET model = 'rp' WHERE id = 1";
    home.succeeds(&["sql", "--write", as_rp]);
    let k_hat = "INSERT INTO metric (run_id, topic, name, value) VALUES (1, NULL, 'k_hat', 7)";
    home.succeeds(&["sql", "--write", k_hat]);
    let json = home.json(&["bounds", "subjects", "--of-run", "1", "-o", "json"]);
    assert_eq!(
        (&json["details"]["terms"], &json["settings"]["min_tokens"]),
        (&300.into(), &8.into())
    );
    assert_eq!(json["k_hat"][0]["k_hat"], 7.0);
    let vocabularies = "SELECT count(*) FROM vocabulary";
    assert_eq!(home.wait_for(vocabularies), "1");
    let text = home.succeeds(&["bounds", "subjects", "--min-documents", "3"]);
    assert!(text.contains("by the solid angles of run 1 (rp, k 5)"), "{text}");
    assert_eq!(home.wait_for(vocabularies), "2");
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let home = Home::with_subjects();
    home.fails(&["bounds", "none"]);
    home.fails(&["bounds", "subjects", "--alpha", "0"]);
    home.fails(&["bounds", "subjects", "--delta", "1.5"]);
    home.fails(&["bounds", "subjects", "--of-run", "3"]);
    home.fails(&["bounds", "subjects", "--min-documents", "100000"]);
    home.fails(&["bounds", "--gmm", "/nowhere.csv"]);
    let file = home.file("bad.csv", b"1,2\n3,x\n");
    home.fails(&["bounds", "--gmm", &file]);
    assert_eq!(home.wait_for("SELECT count(*) FROM k_bound"), "0");
}

#[test]
fn the_components_of_points_in_a_file_are_bounded() {
    let home = Home::new();
    // Three well separated centres, 300 points of 6 dimensions.
    let mut rng = stream(1, "points");
    let mut text = String::from("a,b,c,d,e,f\n");
    for point in 0..300 {
        let centre = |axis: usize| if axis == point % 3 { 30.0 } else { 0.0 };
        let cell = |axis| centre(axis) + 0.1 * topoi_core::random::standard_normal(&mut rng);
        let cells: Vec<String> = (0..6).map(cell).map(|x| format!("{x}")).collect();
        text.push_str(&(cells.join(",") + "\n"));
    }
    let file = home.file("points.csv", text.as_bytes());
    let arguments = ["bounds", "--gmm", &file, "--sigma", "0.1", "--sigma-mu", "12"];
    let json = home.json(&[&arguments[..], &["-o", "json"]].concat());
    assert_eq!(json["bounds"]["lower"], 3);
    assert_eq!(json["dimensions"], 6);
    let printed = home.succeeds(&["bounds", "--gmm", &file]);
    assert!(printed.contains("lower bound 3 components") && printed.contains("(estimated)"));
    assert!(!home.store().exists(), "points leave nothing in a store");
}

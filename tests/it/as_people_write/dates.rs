//! Dates of fields.

use crate::common::Home;

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

#[test]
fn dates_of_two_meanings_are_asked_for() {
    let home = Home::new();
    let cases = [
        ("dmy", ["3/5/2019", "4/6/2020"], "2019"),
        ("mdy", ["3-5-19", "4-6-20"], "2019"),
        ("epoch", ["1546300800", "1577836800000"], "2019"),
        ("excel", ["43769", "44135"], "2019"),
    ];
    for (form, dates, year) in cases {
        let rows = format!(
            "{{\"text\": \"ships at sea\", \"when\": \"{}\"}}\n{{\"text\": \"bread\", \"when\": \"{}\"}}\n",
            dates[0], dates[1]
        );
        let file = home.file("a.jsonl", rows.as_bytes());
        home.succeeds(&["ingest", form, &file]);
        let listed = home.command(&["fields", form]).output().expect("run");
        let said = String::from_utf8_lossy(&listed.stderr).into_owned();
        let is_said = said.contains(&format!("topoi fields {form} --set when=date --date-form"));
        assert_eq!(is_said, matches!(form, "dmy" | "mdy"), "{said}");
        let refused = home.fails(&["fields", form, "--set", "when=date"]);
        assert!(refused.contains("--date-form"), "{refused}");
        let fields =
            home.json(&["fields", form, "--set", "when=date", "--date-form", form, "-o", "json"]);
        assert_eq!(
            (&fields[0]["kind"], &fields[0]["unreadable"]),
            (&format!("date-{form}").into(), &0.into())
        );
        let by = home.json(&["keywords", form, "--by", "when", "--per", "year", "-o", "json"]);
        assert!(by.to_string().contains(year), "{by}");
    }
    // A form that no date of another meaning contradicts is seen by itself.
    let rows = "{\"text\": \"ships\", \"when\": \"10/31/2019\"}\n{\"text\": \"bread\", \"when\": \"3/5/2019\"}\n";
    home.succeeds(&["ingest", "seen", &home.file("a.jsonl", rows.as_bytes())]);
    assert_eq!(home.json(&["fields", "seen", "-o", "json"])[0]["kind"], "date-mdy");
    let wrong = home
        .command(&["fields", "seen", "--set", "when=date", "--date-form", "ymd"])
        .output()
        .expect("run");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn years_before_christ_and_of_three_figures_are_dates() {
    let home = Home::new();
    let years = ["-0044", "44 BC", "300 v. Chr.", "850", "0850", "AD 966", "1066"];
    let rows: Vec<String> = years
        .iter()
        .map(|year| format!("{{\"text\": \"ships at sea\", \"year\": \"{year}\"}}"))
        .collect();
    home.succeeds(&["ingest", "c", &home.file("a.jsonl", rows.join("\n").as_bytes())]);
    let fields = home.json(&["fields", "c", "-o", "json"]);
    assert_eq!(
        (&fields[0]["kind"], &fields[0]["unreadable"]),
        (&"date".into(), &0.into()),
        "{fields}"
    );
}

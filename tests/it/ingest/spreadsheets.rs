//! Spreadsheets by column, with the options of delimited files.

use topoi_ingest::{IngestRequest, OnError};

use super::bench::Bench;
use crate::common::files::{ROWS, TABLE, ods, xlsx};

use crate::common::Messages;

fn documents(bench: &Bench) -> Vec<String> {
    bench.check();
    bench.ask("SELECT key, fields, text FROM document JOIN document_text ON document_id = document.id ORDER BY document.id")
}

#[test]
fn rows_are_documents_with_the_numbers_they_have_in_the_sheet() {
    let bench = Bench::new();
    bench.write("a.xlsx", xlsx(&[("Texts", ROWS), ("Empty", "")]));
    let summary = bench.ingest("c", &["a.xlsx"]).expect("ingest");
    assert_eq!(summary.sources[0].format.name(), "spreadsheet");
    let found = documents(&bench);
    assert_eq!(
        found,
        [
            "a | {\"year\":1999} | good \"words\",\nof two lines",
            "a:5 | {\"year\":\"2000-01-01\"} | more words",
        ]
    );
    let again = bench.ingest("c", &["a.xlsx"]).expect("ingest");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 2));
    bench.write("b.ods", ods(TABLE));
    bench.ingest("ods", &["b.ods"]).expect("ingest");
    assert_eq!(documents(&bench)[2..], ["b:5 | {\"year\":1999} | some words\nof two lines"]);
}

#[test]
fn of_several_sheets_one_is_named() {
    let bench = Bench::new();
    bench.write("a.xlsx", xlsx(&[("Texts", ROWS), ("Codes", ROWS)]));
    let mut request = IngestRequest::new("c", [bench.path("a.xlsx")]);
    assert_eq!(
        bench.late_refusal(&request),
        "a.xlsx: a spreadsheet of several sheets: \"Texts\", \"Codes\"; nothing was added: name one of them with --sheet"
    );
    request.names.sheet = Some("Code".into());
    let expected = "a.xlsx: no sheet \"Code\"; the sheets are \"Texts\", \"Codes\"; nothing was added: name one of them with --sheet";
    assert_eq!(bench.late_refusal(&request), expected);
    request.names.sheet = Some("Codes".into());
    assert_eq!(bench.ingest_as(&request).expect("ingest").counts.added, 2);
}

#[test]
fn sheets_that_are_no_good_are_named_with_the_row() {
    let messages = Messages::default();
    let bench = Bench::new();
    let refusal = |name: &str, content: Vec<u8>| {
        bench.write(name, content);
        bench.late_refusal(&IngestRequest::new("c", [bench.path(name)]))
    };
    let message = refusal("a.xlsx", xlsx(&[("One", &ROWS.replace("<v>0</v>", "<v>2</v>"))]));
    messages.keeps(&message);
    let far = ROWS.replace("C5", "XFE5");
    let message = refusal("b.xlsx", xlsx(&[("One", &far)]));
    messages.keeps(&message);
    let whole = xlsx(&[("One", ROWS)]);
    let message = refusal("c.xlsx", whole[..whole.len() / 2].to_vec());
    messages.keeps(&message);
    let message = refusal("d.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec());
    messages.keeps(&message);
    let wide = "<table:table table:name=\"A\"><table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
                table:number-columns-repeated=\"16384\"><text:p>text</text:p></table:table-cell></table:table-row></table:table>";
    let message = refusal("e.ods", ods(wide));
    messages.keeps(&message);
    let mut request =
        IngestRequest::new("c", [bench.path("c.xlsx"), bench.write("good.xlsx", whole)]);
    request.on_error = OnError::Skip;
    let summary = bench.ingest_as(&request).expect("skip");
    assert_eq!((summary.counts.added, summary.counts.left_out), (2, 1));
}

//! Settings of tokens are kept with the corpus and hold for every later ingest.

use topoi_ingest::reading::dry_run;
use topoi_ingest::{IngestRequest, Stem, StopWords};

use super::bench::Bench;

#[test]
fn settings_stay_with_the_corpus_and_need_not_be_said_again() {
    let bench = Bench::new();
    let mut request =
        IngestRequest::new("c", [bench.write("a.txt", "running kings of New York\n")]);
    request.tokens.stem = Some(Stem::En);
    request.tokens.ngrams = Some(2);
    bench.ingest_as(&request).expect("ingest");
    assert_eq!(bench.terms("c"), ["run", "king", "run_king", "new", "york", "new_york"]);
    bench.write("b.txt", "kings run castles\n");
    bench.ingest("c", &["b.txt"]).expect("the same settings");
    let terms = bench.terms("c");
    assert_eq!(terms[6..], ["king_run", "castl", "run_castl"]);
    request.tokens.stem = Some(Stem::De);
    assert_eq!(
        bench.refusal(&request),
        "corpus \"c\" was made with --stem en, not de; nothing was added: give --stem en, or \
         choose another corpus name"
    );
    bench.check();
}

#[test]
fn terms_counts_and_blocks_are_the_same_whatever_the_batches_were() {
    let text: String = (0..9000)
        .map(|n| format!("Kings{} running ran {} castle castles the end\n", n % 31, n % 13))
        .collect();
    let contents = [1 << 10, 1 << 20, 1 << 30].map(|batch_bytes| {
        let bench = Bench::new();
        let mut request = IngestRequest::new("c", [bench.write("a.txt", &text)]);
        request.tokens.stem = Some(Stem::En);
        request.batch_bytes = batch_bytes;
        bench.ingest_as(&request).expect("ingest");
        bench.check();
        let forms = "SELECT text, term.form, f.form AS met, count FROM term LEFT JOIN term_form AS f \
                     ON f.term_id = term.id ORDER BY text, met";
        let blocks = "SELECT id, first_document_id, documents, nonzeros, hex(data) FROM block";
        (bench.content(), bench.terms("c"), bench.ask(forms), bench.ask(blocks))
    });
    let castle = ["castl | castle | castle | 9000", "castl | castle | castles | 9000"];
    assert!(castle.iter().all(|row| contents[0].2.iter().any(|found| found == row)));
    assert_eq!(contents[0], contents[1]);
    assert_eq!(contents[1], contents[2]);
}

#[test]
fn a_dry_run_shows_tokens_and_writes_nothing() {
    let bench = Bench::new();
    let path = bench.write("a.csv", "id,text,year\n1,The king and his queen,1485\n2,of the\n");
    let mut request = IngestRequest::new("c", [path]);
    request.tokens.stop_words = Some("en,de".parse::<StopWords>().expect("lists"));
    let documents = dry_run(None, &request, 5).expect("dry run");
    assert_eq!(documents[0].tokens, ["king", "queen"]);
    assert_eq!(documents[0].fields.as_deref(), Some("{\"year\":1485}"));
    assert_eq!(documents[1].problem.as_deref(), Some("2 fields, not 3"));
    let counts = IngestRequest::new("c", [bench.write("x.dat", "2 0:2 1:1\n1 1:1\n")]);
    bench.write("vocab.txt", "state\nvalue\n");
    let documents = dry_run(None, &counts, 1).expect("dry run");
    assert_eq!(documents[0].tokens, ["state", "state", "value"]);
    assert!(!bench.path("topoi.db").exists());
}

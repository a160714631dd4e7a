//! How every command is called, for tests of what must hold for all of them.

use std::collections::BTreeSet;

use crate::commands::modules;
use crate::common::Home;

/// Commands that leave a store as it is. Words in capitals stand for what a test has.
pub const READING: &[&str] = &[
    "corpora",
    "documents CORPUS",
    "documents CORPUS --run 1 --topic 0",
    "documents CORPUS --where tokens>20 --search market",
    "delete documents CORPUS --where tokens>20 --dry-run",
    "fields CORPUS",
    "left-out CORPUS --all",
    "keywords CORPUS --by subject",
    "keywords CORPUS --by subject --run 1 --topic 0",
    "by 1 subject",
    "effects 1 subject",
    "plot 1 --by subject --into OUT",
    "plot 1 --map --into OUT",
    "by 1 subject --weight tokens --where tokens>5",
    "keywords CORPUS --against CORPUS",
    "collocates CORPUS market",
    "collocates CORPUS market --run 1 --topic 0",
    "notes",
    "terms CORPUS",
    "terms CORPUS --max-documents 50",
    "search CORPUS market --no-index",
    "search CORPUS market* --no-index --kwic --sort after",
    "vocabularies CORPUS",
    "phrases CORPUS --min-count 2 --min-npmi 0 --names",
    "phrases CORPUS --min-count 2 --names --single",
    "runs",
    "queue",
    "topics 1",
    "topics 1 --rank frex",
    "topics 2 --rank relevance",
    "metrics 1 --topics",
    "judgements 1",
    "judge 1 --export OUT",
    "judge 3 --task ratings --export OUT",
    "compare 1 3",
    "compare 1 3 --rank frex --output json",
    "compare 1 --truth TRUTH",
    "similar 1 KEY",
    "similar CORPUS KEY --words",
    "similar CORPUS KEY --vectors",
    "watch 1",
    "log 1",
    "infer 1 INFER",
    "infer 2 INFER",
    "infer 1 --corpus CORPUS",
    "export 1 --to csv --into OUT",
    "export 1 --to json --into OUT",
    "export 1 --to mallet --into OUT",
    "export 1 --to html --into OUT",
    "export 1 --to ldavis --into OUT",
    "export 1 --to dfr-browser --into OUT",
    "export 1 --to matrix-market --into OUT",
    "export 1 --to documents-csv --into OUT",
    "export 1 --to shares --into OUT",
    "export 1 --to draws --into OUT",
    "export 1 --to npy --into OUT",
    "export 1 --to octis --into OUT",
    "export 1 --to bertopic --into OUT",
    "export 1 --to gephi --into OUT",
    "effects 1 subject --contrast subject=chess,cooking --cluster subject",
    "sql SELECT*FROM(topic_by_field)LIMIT(5)",
    "sql SELECT*FROM(topic_by_time)LIMIT(5)",
    "sql SELECT*FROM(share_by_field)LIMIT(5)",
    "sql SELECT*FROM(share_by_time)LIMIT(5)",
    "export 1 3 --to html --into OUT",
    "methods 1",
    "results",
    "results kept --output csv",
    "results drawn --into OUT",
    "delete results kept --dry-run",
    "script 1",
    "sql SELECT*FROM(result_estimate)",
    "methods 2 --output json",
    "verify 1",
    "verify 2",
    "sql SELECT*FROM(run_summary)",
    "sql SELECT*FROM(topic_word)LIMIT(5)",
    "sql SELECT*FROM(triple)LIMIT(5)",
    "sql SELECT(jsd(1,0,3,0))",
    "sql SELECT(hellinger(1,1,2))",
    "backup OUT",
    "check",
];

/// Commands that write.
pub const WRITING: &[&str] = &[
    "ingest CORPUS INFER",
    "ingest chunked INFER --chunk 3 --overlap 1",
    "bounds CORPUS",
    "search CORPUS market",
    "search CORPUS market --kwic --sort before",
    "search CORPUS market --rebuild",
    "run CORPUS -k 3 --terms 60 --refine 0",
    "run CORPUS --terms 60 --refine 0",
    "run CORPUS -k 3 --vocabulary few --model rp",
    "sweep CORPUS -k 2,3 --terms 60 --refine 0",
    "stability 1 --seeds 1 --halves 0",
    "held-out CORPUS -k 3 --terms 60 --splits 1",
    "compact",
    "name 1 first",
    "note why --run 1",
    "compare 1 3 --carry-labels",
    "delete documents CORPUS --keys INFER --dry-run",
    "label 1 0 name",
    "by 1 subject --save more",
    "delete results kept --yes",
    "judge 1 --judge ann",
    "judge 1 --task topics",
    "judge 1 --import INFER",
    "fields CORPUS --set subject=category",
    "fields CORPUS --join TABLE",
    "fields CORPUS --from-path {kind}-{number}",
    "metrics 1 --recompute",
    "metrics 1 --rank frex",
    "metrics 1 --against subject",
    "resume RESUMED",
    "assign 1",
    "update 1",
    "update 2",
    "nightly CORPUS INFER --run 1 --keep 2",
    "shape 1 --drop 0 --preview",
    "shape 2 --merge 0,1 --refine 0",
    "import TRUTH --corpus CORPUS --from topics-csv",
    "import VECTORS --corpus CORPUS --from embeddings",
    "import VECTORS --corpus CORPUS --from embeddings -k 3",
    "cancel RESUMED",
    "queue --at-once 2",
    "terms CORPUS --max-documents 50 --save more",
    "delete documents CORPUS --key KEY --yes",
    "delete 1 --yes",
    "delete --kind corpus CORPUS --yes",
    "shard CORPUS --parts 2 --into OUT",
    "unify STORE --corpus CORPUS",
    "check --upgrade",
    "check --repair",
];

/// Commands that look at no store, or only make one.
const WITHOUT_A_STORE: [&str; 7] =
    ["config", "synth", "completions", "man", "demo", "worker", "stop_words"];

/// A home with a small store of what commands ask for: corpus "subjects" with a vocabulary "few", its
/// bounds, runs 1 and 3 of the default model, 2 of one that keeps sums, 4 that can be resumed.
pub fn with_a_bit_of_everything() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4", "--terms", "120"]);
    let sums = ["run", "subjects", "-k", "4", "--terms", "120", "--model", "rp", "--keep-sums"];
    home.succeeds(&sums);
    home.succeeds(&["run", "subjects", "-k", "3", "--terms", "120", "--seed", "2"]);
    home.succeeds(&["terms", "subjects", "--min-documents", "3", "--save", "few"]);
    home.succeeds(&["bounds", "subjects"]);
    home.succeeds(&["search", "subjects", "--index"]);
    home.succeeds(&["effects", "1", "subject", "--save", "kept"]);
    home.succeeds(&["plot", "1", "--save", "drawn"]);
    for task in ["words", "topics", "ratings"] {
        let program = Home::program();
        let answers =
            format!("printf '1\\n2\\ns\\n' | {} judge 1 --task {task}", program.display());
        assert!(home.shell(&answers).status.success(), "{task}");
    }
    let queued = "INSERT INTO run (corpus_id, model, k, seed, settings, status, created_at, \
                  queued_at, program_version) SELECT corpus_id, model, k, seed, settings, \
                  'interrupted', created_at, created_at, program_version FROM run WHERE id = 1";
    home.succeeds(&["sql", "--write", queued]);
    home.file("infer.jsonl", b"{\"id\": \"n1\", \"text\": \"the market price of stars, pawn\"}\n");
    home.file("table.csv", b"key,author\nastronomy-01,Ann\nastronomy-02,Bo\n");
    let vectors = home.subject_vectors("vectors.npy");
    home.succeeds(&["import", &vectors, "--corpus", "subjects", "--from", "embeddings"]);
    home.file("truth.csv", b"topic,term,probability\n0,market,1\n1,king,1\n");
    home
}

/// The arguments of a line of the lists, on `store`, with the corpus called `corpus`.
pub fn arguments(home: &Home, line: &str, store: &str, corpus: &str, number: usize) -> Vec<String> {
    let path = |name: &str| home.path(name).to_string_lossy().into_owned();
    let word = |word: &str| match word {
        "CORPUS" => corpus.into(),
        "STORE" => store.into(),
        "RESUMED" => "4".into(),
        "KEY" => "astronomy-01".into(),
        "INFER" => path("infer.jsonl"),
        "TRUTH" => path("truth.csv"),
        "TABLE" => path("table.csv"),
        "VECTORS" => path("vectors.npy"),
        "OUT" => path(&format!("out-{number}")),
        other => other.into(),
    };
    // Of several stores it makes another.
    let own =
        if line.starts_with("unify") { path(&format!("whole-{number}.db")) } else { store.into() };
    [format!("--store={own}")].into_iter().chain(line.split(' ').map(word)).collect()
}

#[test]
fn the_lists_have_every_command() {
    let named = |line: &&str| line.split(' ').next().expect("a word").replace('-', "_");
    let listed: BTreeSet<String> =
        READING.iter().chain(WRITING).chain(&WITHOUT_A_STORE).map(named).collect();
    assert_eq!(listed, modules(), "how is a new command called, and does it write?");
}

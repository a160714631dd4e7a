//! Documents of a topic, in the order of their shares.

use topoi_core::formula::packed_documents::PackedDocument;
use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_store::Access;
use topoi_store::Store;
use topoi_store::id::{CorpusId, DocumentId, TopicNumber};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::run::{NewRun, RunEnd, RunStatus};

#[test]
fn documents_with_little_of_a_topic_are_found_when_few_have_much() {
    let directory = tempfile::tempdir().expect("tempdir");
    let file = directory.path().join("lines.txt");
    std::fs::write(&file, "one word\n".repeat(5)).expect("write");
    let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
    ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
    let run = NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
    let run = store.create_run(&run).expect("run");
    let (terms, characteristic) = (Vec::new(), Vec::new());
    let topic = SavedTopic {
        shares: TopicShares { document_share: 0.5, token_share: None },
        anchor_term_id: None,
        terms,
        characteristic,
    };
    let shares = [0.05, 0.4, 0.02, 0.1, 0.05];
    let mut documents = SavedDocuments { alpha: vec![0.1; 2], ..SavedDocuments::default() };
    for (id, share) in (1..).zip(shares) {
        let document = PackedDocument::new(id, &[1.0 - share, share], &documents.alpha);
        documents.packed.push(&document).expect("in memory");
    }
    let result = SavedResult { topics: vec![topic; 2], documents, ..SavedResult::default() };
    let end = || RunEnd::new(RunStatus::Finished);
    store.finish_run(run, &result, end).expect("save");
    let order = [2, 4, 1, 5, 3];
    for count in 0..=6 {
        let found = store.documents_of_topic(run, TopicNumber(1), count).expect("read");
        let ids: Vec<DocumentId> = found.iter().map(|found| found.document.id).collect();
        assert_eq!(ids, order.map(DocumentId)[..count.min(5)]);
    }
}

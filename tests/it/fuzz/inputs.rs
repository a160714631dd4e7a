//! Changed files, blocks and settings.

use proptest::prelude::*;
use std::ops::ControlFlow;

use strum::VariantArray;
use topoi_core::npy::{Number, header};
use topoi_core::stream::block::Block;
use topoi_ingest::reading::read_documents;
use topoi_ingest::{Format, IngestRequest, OnError};
use topoi_run::request::RunRequest;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_store::id::RunId;
use topoi_store::run::Run;

use super::files::files;
use super::{cases, changed, changes, is_told};

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn a_changed_file_of_documents_is_read_or_refused(
        (file, guessed, skip) in (prop::sample::select(files()), any::<bool>(), any::<bool>()),
        changes in changes(),
    ) {
        let (format, name, content) = file;
        let directory = tempfile::tempdir().expect("tempdir");
        std::fs::write(directory.path().join("vocab.txt"), "state\nvalue\npolicy\n").expect("write");
        let path = directory.path().join(name);
        std::fs::write(&path, changed(&content, &changes)).expect("write");
        let format = if guessed { None } else { Format::named(format) };
        let on_error = if skip { OnError::Skip } else { OnError::Stop };
        let request = IngestRequest { format, on_error, ..IngestRequest::new("c", [path]) };
        is_told(read_documents(None, &request, &mut |_| ControlFlow::Continue(())));
    }

    #[test]
    fn a_changed_file_of_topics_is_imported_or_refused(
        (format, words) in (prop::sample::select(ImportFormat::VARIANTS), any::<bool>()),
        changes in changes(),
    ) {
        const TABLE: &str = "topic,term,probability\n0,market,0.5\n0,king,0.5\n1,king,1\n";
        const STATE: &str = "#doc source pos typeindex type topic\n#alpha : 0.5 0.5 \n#beta : 0.1\n\
            0 a file.txt 0 0 market 1\n0 a file.txt 1 1 king 0\n1 NA 0 0 market 1\n";
        const WEIGHTS: &str = "0\tmarket\t1.01\n0\tking\t0.01\n1\tmarket\t0.01\n1\tking\t2.01\n";
        const DOCUMENTS: &str = "id,Document,Topic,CustomName\na,\"a king, a market\",0,court\nb,market,-1,\n";
        const WORDS: &[u8] = b"[\"king\",\n\"market\"]";
        let array: Vec<u8> = header(Number::F64, [2, 2])
            .into_iter()
            .chain([0.5, 0.5, 1.0, 0.0].into_iter().flat_map(f64::to_le_bytes))
            .collect();
        let content = match format {
            ImportFormat::TopicsCsv => TABLE.as_bytes(),
            ImportFormat::Npy | ImportFormat::Embeddings => &array,
            ImportFormat::MalletState => STATE.as_bytes(),
            ImportFormat::MalletWeights => WEIGHTS.as_bytes(),
            ImportFormat::DocumentTopicsCsv => DOCUMENTS.as_bytes(),
        };
        let directory = tempfile::tempdir().expect("tempdir");
        let (path, beside) = (directory.path().join("topics"), directory.path().join("words.json"));
        let (content, list) = match words {
            true => (content.to_vec(), changed(WORDS, &changes)),
            false => (changed(content, &changes), WORDS.to_vec()),
        };
        std::fs::write(&path, content).expect("write");
        std::fs::write(&beside, &list).expect("write");
        std::fs::write(directory.path().join("keys.txt"), list).expect("write");
        let words = ["king", "market"].map(String::from);
        let imported = Import::from_file(&path, format, None);
        is_told(imported.and_then(|(import, _)| import.topics(&words)));
    }

    #[test]
    fn a_changed_block_unpacks_to_documents_or_is_damaged(
        documents in prop::collection::vec(
            prop::collection::btree_map(0u32..90_000, 1u32..70_000, 0..6), 1..6),
        first in prop_oneof![1i64..1000, (i64::MAX - 10)..i64::MAX],
        changes in changes(),
    ) {
        let mut block = Block::default();
        for (id, document) in (1..).zip(&documents) {
            let entries: Vec<_> = document.iter().map(|(&term, &count)| (term, count)).collect();
            block.push(id, &entries);
        }
        let mut again = Block::default();
        let bytes = changed(&block.pack(), &changes);
        if again.unpack(1, first, &bytes).is_ok() {
            let tokens: u64 = again.documents().flat_map(|(_, _, n)| n).map(|&n| u64::from(n)).sum();
            prop_assert!(tokens >= again.terms.len() as u64);
        }
    }

    #[test]
    fn changed_settings_are_a_run_or_none(changes in changes(), model in "lr-jsmf|rp|r1d|svd") {
        const SAVED: &str = r#"{"terms":120,"min_tokens":5,"threads":0,"memory":4.0,"refine":null,
            "refine_gain":0.002,"documents":true,"sample":{"seed":1,"from":0.0,"to":0.5},
            "vocabulary":{"rules":{"terms":9}},"model":{"name":"lr-jsmf","tolerance":0.0001,
            "iterations":10,"rows":null,"anchor_documents":0.01}}"#;
        let settings = String::from_utf8_lossy(&changed(SAVED.as_bytes(), &changes)).into_owned();
        let run = Run { id: RunId(1), model, settings, k: 4, ..Run::default() };
        is_told(RunRequest::from_run(&run));
        let _ = RunRequest::invalid_settings(&run);
    }
}

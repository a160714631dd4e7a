//! Runs made again through the form.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use topoi_core::model::Model;
use topoi_core::shape::Edits;
use topoi_core::stream::documents::sample::Sample;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_run::request::in_parts::InParts;
use topoi_run::request::setting::RunSetting;
use topoi_run::request::settings::VOCABULARY;
use topoi_run::request::{Origin, RunRequest, RunSettings};
use topoi_run::shaping::origin::Shaping;
use topoi_run::shaping::seeds::{SeededTopic, Seeds};
use topoi_run::vocabulary::choice::VocabularyChoice;
use topoi_run::vocabulary::rules::{Amount, Ranking, Rules};
use topoi_store::corpus::Corpus;
use topoi_store::id::{CorpusId, RunId, TermId};
use topoi_store::run::Run;

use super::form::test_form::{corpus, set, typed_for, understood};
use super::*;

/// The run with number 12 that a request was saved as.
fn saved(request: &RunRequest) -> Run {
    Run {
        id: RunId(12),
        corpus: request.corpus.clone(),
        corpus_id: CorpusId(1),
        model: request.origin.name().into(),
        k: request.k as u64,
        seed: request.seed,
        settings: request.saved_settings(),
        ..Run::default()
    }
}

/// A form filled from a run of this request; runs 7 and 12 are there.
fn again(request: &RunRequest) -> LaunchState {
    let mut form = LaunchState::default();
    form.begin(Some(RunId(12)));
    let other = Corpus { id: CorpusId(2), name: "other".into(), ..corpus() };
    let started_from = Run { id: RunId(7), ..saved(&RunRequest::new("nips", 5)) };
    let said = form.receive(vec![corpus(), other], vec![saved(request), started_from]);
    assert!(said.expect("something to say").contains("filled from run 12"));
    form
}

fn with(change: impl FnOnce(&mut RunSettings)) -> RunRequest {
    let mut request = RunRequest::new("nips", 30);
    change(&mut request.settings);
    request
}

fn rules() -> Rules {
    Rules {
        min_documents: Some(Amount::Count(5)),
        max_documents: Some(Amount::Share(1.0)),
        min_count: Some(3),
        matching: Some("[a-z']+".into()),
        drop: vec!["ship".into(), "sea".into()],
        keep: vec!["whale".into()],
        terms: Some(700),
        by: Ranking::Count,
    }
}

/// A request with another than the usual value for each setting that a run saves. A setting that is new is
/// named here, or this does not compile.
fn one_for_each_setting() -> Vec<(&'static str, RunRequest)> {
    let RunSettings {
        terms,
        min_tokens,
        threads,
        factorise,
        memory,
        refine,
        refine_gain,
        sweeps,
        documents,
        exact_norms,
        held_out,
        sample,
        parts,
        start,
        keeps_numbers,
        revises,
        vocabulary,
        seeds,
    } = RunSettings::default();
    assert!(factorise.is_none() && held_out.is_none() && sample.is_none() && parts.is_none());
    assert!(vocabulary.is_none() && seeds.is_none() && start.is_none() && refine.is_none());
    assert!(sweeps.is_none());
    let gibbs = Model::from_name("lda-gibbs").expect("a model");
    let half = Sample { seed: 4, from: 0.25, to: 0.75 };
    let choice = |choice: VocabularyChoice| with(|own| own.vocabulary = Some(choice));
    let topics = vec![SeededTopic { label: Some("sea".into()), words: vec!["ship".into()] }];
    vec![
        ("terms", with(|own| own.terms = terms + 1)),
        ("min_tokens", with(|own| own.min_tokens = min_tokens + 1)),
        ("threads", with(|own| own.threads = threads + 1)),
        ("factorise", with(|own| own.factorise = Some(40))),
        ("memory", with(|own| own.memory = memory * 1.5)),
        ("refine", with(|own| own.refine = Some(7))),
        ("refine_gain", with(|own| own.refine_gain = refine_gain / 3.0)),
        ("sweeps", with(|own| own.sweeps = Some(7))),
        ("documents", with(|own| own.documents = !documents)),
        ("exact_norms", with(|own| own.exact_norms = !exact_norms)),
        ("held_out", with(|own| *own = own.clone().holding_out(0.2, 1))),
        ("sample", with(|own| own.sample = Some(half))),
        ("start", RunRequest { origin: gibbs.into(), ..with(|own| own.start = Some(RunId(7))) }),
        (
            "keeps_numbers",
            with(|own| (own.start, own.keeps_numbers) = (Some(RunId(7)), !keeps_numbers)),
        ),
        ("revises", with(|own| (own.start, own.revises) = (Some(RunId(7)), !revises))),
        ("vocabulary", choice(VocabularyChoice::Saved("core".into()))),
        (
            "rules",
            with(|own| {
                own.terms = 700;
                own.vocabulary = Some(VocabularyChoice::Rules(rules()));
            }),
        ),
        ("used", choice(VocabularyChoice::Used(3))),
        (
            "without",
            choice(VocabularyChoice::Without { vocabulary: 3, terms: vec![TermId(8), TermId(9)] }),
        ),
        ("seeds", with(|own| own.seeds = Some(Seeds(topics)))),
    ]
}

#[test]
fn a_run_made_again_is_the_request_that_was_saved_whatever_its_settings() {
    let usual = RunRequest::new("nips", 30);
    for (name, mut request) in one_for_each_setting() {
        assert_ne!(request, usual, "{name}");
        let form = again(&request);
        // A run that continued another is made again as a whole one: that other has been continued already.
        request.settings.revises = false;
        assert_eq!(form.request().as_ref(), Ok(&request), "{name}");
    }
}

#[test]
fn a_run_made_again_has_the_settings_of_its_model() {
    for model in Model::all().into_iter().chain(Model::all().iter().map(Model::as_in_paper)) {
        let mut runner = TestRunner::new(Config { cases: 12, ..Config::default() });
        let shown = runner.run(&typed_for(&model), |settings| {
            let mut form = LaunchState::default();
            form.receive(vec![corpus()], Vec::new());
            set(&mut form, "model", model.name());
            settings.iter().for_each(|(name, value)| set(&mut form, name, value));
            let asked = form.request().map_err(TestCaseError::fail)?;
            // What is read differs in the last bit of some numbers.
            let read = RunRequest::from_run(&saved(&asked)).expect("saved settings");
            prop_assert_eq!(again(&asked).request(), Ok(read));
            Ok(())
        });
        shown.unwrap_or_else(|error| panic!("{}: {error}", model.name()));
        let plain = RunRequest { origin: model.into(), ..RunRequest::new("nips", 30) };
        assert_eq!(again(&plain).request().as_ref(), Ok(&plain));
    }
}

#[test]
fn the_command_of_a_run_made_again_asks_for_the_same_run_or_says_what_it_lacks() {
    let mut without_flag = Vec::new();
    for (name, request) in one_for_each_setting() {
        let form = again(&request);
        match form.beside_command() {
            Some(said) if said.starts_with("no flag sets this: ") => without_flag.push(name),
            // The words of a list are in a file.
            Some(said) => assert!(said.contains("FILE is the list that run 12"), "{said}"),
            None => assert_eq!(understood(&form), request, "{}", form.command("topoi")),
        }
    }
    assert_eq!(without_flag, ["sample", "keeps_numbers", "revises", "used", "without"]);
    let mut own = rules();
    (own.drop, own.keep) = (Vec::new(), Vec::new());
    for own in [own, Rules { terms: Some(700), ..Rules::default() }] {
        let form = again(&with(|settings| {
            settings.terms = 700;
            settings.vocabulary = Some(VocabularyChoice::Rules(own));
        }));
        assert_eq!(form.beside_command(), None);
        assert_eq!(Ok(understood(&form)), form.request(), "{}", form.command("topoi"));
    }
}

#[test]
fn what_no_field_shows_is_said_and_what_another_corpus_cannot_have_too() {
    let request = with(|own| {
        own.vocabulary = Some(VocabularyChoice::Saved("core".into()));
        own.exact_norms = true;
        own.sample = Some(Sample { seed: 4, from: 0.25, to: 0.75 });
    });
    let mut form = again(&request);
    let sampled = "made from a random 50% of the documents";
    assert_eq!(form.carried_in_words().as_deref(), Some(sampled));
    assert_eq!(form.value(VOCABULARY), "core");
    set(&mut form, "corpus", "other");
    let said = form.carried_in_words();
    assert_eq!(said, Some(format!("{sampled}, not vocabulary core")));
    let elsewhere = form.request().expect("valid").settings;
    assert_eq!((elsewhere.vocabulary, elsewhere.exact_norms), (None, true));
    // A new form has nothing of the run.
    form.begin(None);
    form.choose_corpus("nips".into());
    assert_eq!(form.request(), Ok(RunRequest::new("nips", 30)));
    assert_eq!((form.carried_in_words(), form.filled_from()), (None, None));
}

#[test]
fn a_list_of_the_run_is_kept_until_its_field_is_typed_in() {
    let mut form = again(&with(|own| {
        own.terms = 700;
        own.vocabulary = Some(VocabularyChoice::Rules(rules()));
    }));
    let stop_list = RunSetting::named("stop-list").expect("a setting").definition;
    assert_eq!(form.value(stop_list), "(2 terms)");
    assert!(form.command("topoi").contains("--stop-list FILE"), "{}", form.command("topoi"));
    set(&mut form, "stop-list", "");
    let asked = form.request().expect("valid");
    let Some(VocabularyChoice::Rules(own)) = asked.settings.vocabulary else { panic!("rules") };
    assert_eq!((own.drop.len(), own.keep.len()), (0, 1));
    assert!(!form.command("topoi").contains("--stop-list"));
    // The terms of an earlier run are a choice beside the saved vocabularies.
    let form = again(&with(|own| own.vocabulary = Some(VocabularyChoice::Used(3))));
    assert_eq!(form.value(VOCABULARY), "(the terms of an earlier run)");
    let choices = form.choices(VOCABULARY).expect("choices");
    assert_eq!(choices, ["", "(the terms of an earlier run)"]);
}

#[test]
fn a_change_of_terms_seed_and_k_changes_what_follows_from_them() {
    let mut form = again(&with(|own| {
        *own = own.clone().holding_out(0.2, 1);
        own.vocabulary = Some(VocabularyChoice::Rules(Rules { terms: Some(5000), ..rules() }));
        own.factorise = Some(40);
    }));
    set(&mut form, "terms", "300");
    set(&mut form, "seed", "9");
    set(&mut form, "k", "50");
    let found = form.request().expect("valid").settings;
    let Some(VocabularyChoice::Rules(own)) = found.vocabulary else { panic!("rules") };
    assert_eq!((own.terms, found.factorise), (Some(300), None));
    assert_eq!(found.sample.map(|sample| sample.seed), Some(9));
    set(&mut form, "model", "svd");
    assert!(form.request().is_ok(), "{:?}", form.request());
}

#[test]
fn k_is_not_below_the_topics_that_have_seeds() {
    let seeded = |word: &str| SeededTopic { label: None, words: vec![word.into()] };
    let seeds = Seeds(["a", "b", "c"].map(seeded).to_vec());
    let mut form = again(&with(|own| own.seeds = Some(seeds)));
    set(&mut form, "k", "2");
    let refused = form.request().expect_err("two topics for three seeds");
    insta::assert_snapshot!(refused);
    // A model that takes no seeds goes without.
    set(&mut form, "model", "svd");
    assert_eq!(form.request().expect("valid").settings.seeds, None);
    assert_eq!(form.carried_in_words().as_deref(), Some("not 3 words as seeds of 3 topics"));
}

#[test]
fn a_run_that_cannot_be_made_again_says_why_and_what_can() {
    let parts = InParts { pattern: "part-{rank}.db".into(), count: 3 };
    let form = again(&with(|own| own.parts = Some(parts)));
    let refused = form.request().expect_err("in parts");
    assert_eq!(refused, "nips is in 3 parts: run it as below");
    let command = form.command("topoi");
    assert!(command.starts_with("mpirun -n 3 topoi run nips "), "{command}");
    assert!(command.ends_with("--parts 'part-{rank}.db'"), "{command}");

    let form = again(&with(|own| own.start = Some(RunId(99))));
    assert!(form.request().expect_err("gone").starts_with("run 99, which it starts from, is"));

    let other = |origin| RunRequest { origin, ..RunRequest::new("nips", 4) };
    let format = ImportFormat::TopicsCsv;
    let path = "/data/my topics.csv".into();
    let import = Import { path, format, vocab: None, hash: String::new() };
    let reason = FilledFrom::new(&saved(&other(Origin::Import(import)))).expect_err("imported");
    let command = "`topoi import '/data/my topics.csv' --corpus nips --from topics-csv`";
    assert!(reason.contains(command), "{reason}");
    let vocab = Some("/data/words.json".into());
    let (path, format) = ("/data/topics.npy".into(), ImportFormat::Npy);
    let import = Import { path, format, vocab, hash: String::new() };
    let reason = FilledFrom::new(&saved(&other(Origin::Import(import)))).expect_err("imported");
    let command =
        "`topoi import /data/topics.npy --corpus nips --from npy --vocab /data/words.json`";
    assert!(reason.contains(command), "{reason}");
    let (keys, format) = (Some("/data/keys.txt".into()), ImportFormat::Embeddings);
    let import = Import { path: "/data/e.npy".into(), format, vocab: keys, hash: String::new() };
    let reason = FilledFrom::new(&saved(&other(Origin::Import(import)))).expect_err("imported");
    let command =
        "`topoi import /data/e.npy --corpus nips --from embeddings --keys /data/keys.txt -k 4`";
    assert!(reason.contains(command), "{reason}");
    let shaping = Shaping { parent: RunId(3), edits: Edits::default() };
    let reason = FilledFrom::new(&saved(&other(Origin::Shaped(shaping)))).expect_err("shaped");
    insta::assert_snapshot!(reason);
}

//! Every setting of a run has its place in the launch form, and goes from there to the run.

use crate::tui::effect::Effect;
use crate::tui::question::Value;
use crate::tui::screens::launch::{self, LaunchQuestion, Material};
use crate::tui::state::State;
use crate::tui::tests::fixture::corpus;
use crate::tui::tests::fixture::user::{answer, asked, press, showing};
use crate::tui::tests::screens::drawn;
use topoi_run::request::RunRequest;
use topoi_run::request::setting::{Content, Place, RunSetting, SettingFileContent};
use topoi_run::request::settings::RUN_SETTINGS;
use topoi_run::vocabulary::choice::VocabularyChoice;
use topoi_store::id::RunId;

const SIZE: (u16, u16) = (80, 24);

fn shown(state: &State) -> String {
    drawn(state).backend().to_string()
}

/// Goes to the field of this name.
fn go_to(state: &mut State, name: &str) {
    let fields = state.launch().form.fields();
    for _ in 0..fields.len() {
        if state.launch().form.field().name == name {
            return;
        }
        press(state, &["Tab"]);
    }
    panic!("there is no field {name}");
}

fn write(state: &mut State, text: &str) -> Vec<Effect> {
    let keys: Vec<String> = text.chars().map(String::from).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    press(state, &keys)
}

fn launched(state: &mut State) -> RunRequest {
    let effects = press(state, &["Enter"]);
    let [Effect::Launch(request, ..)] = effects.as_slice() else {
        panic!("{effects:?}, {}", shown(state))
    };
    (**request).clone()
}

#[test]
fn every_setting_has_a_field_that_comes_into_sight_or_is_listed_with_the_run() {
    let mut state = showing(launch::NAME, SIZE);
    let fields = state.launch().form.fields();
    let mut plain = RunRequest::new("c", 20);
    for setting in RUN_SETTINGS {
        let name = setting.name();
        if setting.place == Place::None {
            assert!(fields.iter().all(|field| field.name != name), "{name}");
            // What a run can have of it is described, or comes with what is.
            assert!(setting.in_words(&plain).is_none(), "{name}");
            continue;
        }
        go_to(&mut state, name);
        let screen = shown(&state);
        assert!(screen.contains(&format!(" > {name} ")), "{name} is not in sight: {screen}");
    }
    plain.settings.start = Some(RunId(3));
    let start = RunSetting::named("start").expect("a setting");
    assert_eq!(start.in_words(&plain).as_deref(), Some("started from run 3"));
}

#[test]
fn the_fields_below_come_into_sight_with_the_keys() {
    let mut state = showing(launch::NAME, SIZE);
    go_to(&mut state, "held-out");
    write(&mut state, "0.1");
    insta::assert_snapshot!("launch_below", shown(&state));
}

#[test]
fn what_is_typed_for_vocabulary_held_out_and_flags_is_launched() {
    let mut state = showing(launch::NAME, SIZE);
    for (name, text) in [("min-documents", "5"), ("max-documents", "50%"), ("held-out", "0.2")] {
        go_to(&mut state, name);
        write(&mut state, text);
    }
    for name in ["no-documents", "exact-norms"] {
        go_to(&mut state, name);
        press(&mut state, &["Right"]);
    }
    let command = state.launch().form.command("topoi");
    assert!(
        command.ends_with(
            "--min-documents 5 --max-documents 50% --held-out 0.2 --no-documents --exact-norms"
        ),
        "{command}"
    );
    let request = launched(&mut state);
    let Some(VocabularyChoice::Rules(rules)) = &request.settings.vocabulary else {
        panic!("rules")
    };
    assert_eq!(rules.min_documents.map(|least| least.to_string()).as_deref(), Some("5"));
    assert_eq!(rules.max_documents.map(|most| most.to_string()).as_deref(), Some("0.5"));
    assert_eq!(request.settings.held_out, Some(0.2));
    assert!(!request.settings.documents && request.settings.exact_norms);
}

#[test]
fn a_wrong_value_is_refused_in_one_line_that_names_the_field() {
    for (name, text, refused) in [
        ("held-out", "1", "held-out is 1, but must be above 0 and below 1"),
        (
            "min-documents",
            "many",
            "min-documents: \"many\" is neither a number of documents (5) nor",
        ),
        ("min-count", "few", "min-count: \"few\" is not a whole number, 0 or more"),
        ("matching", "[a", "matching \"[a\": unclosed character class"),
    ] {
        let mut state = showing(launch::NAME, SIZE);
        go_to(&mut state, name);
        write(&mut state, text);
        assert_eq!(press(&mut state, &["Enter"]), []);
        let notice = state.workbench.notice.clone().unwrap_or_default();
        assert!(notice.starts_with(refused) && notice.lines().count() == 1, "{notice}");
        assert!(shown(&state).contains(" no    "), "{}", shown(&state));
    }
}

/// What the store answers to the question of the form: these files, and a saved vocabulary.
fn material(files: Vec<(launch::NamedFile, Result<SettingFileContent, String>)>) -> Value {
    Value::new(Material {
        corpora: vec![corpus(2, "movielens", 6040)],
        vocabularies: [("movielens".into(), vec!["core".into()])].into(),
        files,
        ..Material::default()
    })
}

#[test]
fn a_file_is_read_when_it_is_named_and_its_words_are_launched() {
    let mut state = showing(launch::NAME, SIZE);
    go_to(&mut state, "stop-list");
    let effects = write(&mut state, "stop.txt");
    let question: &LaunchQuestion = asked(&effects).expect("a question");
    let [file] = question.files.as_slice() else { panic!("{question:?}") };
    assert_eq!((file.setting, file.path.as_str()), ("stop-list", "stop.txt"));
    assert_eq!(press(&mut state, &["Enter"]), []);
    let notice = state.workbench.notice.clone();
    assert_eq!(notice.as_deref(), Some("stop-list: stop.txt is being read"));

    let missing = Err("stop.txt: No such file".to_string());
    answer(&mut state, material(vec![(file.clone(), missing)]));
    insta::assert_snapshot!(shown(&state));

    let terms = SettingFileContent::Terms(vec!["the".into(), "of".into()]);
    answer(&mut state, material(vec![(file.clone(), Ok(terms))]));
    assert!(state.launch().form.command("topoi").ends_with("--stop-list stop.txt"));
    let request = launched(&mut state);
    let stop_list = RunSetting::named("stop-list").expect("a setting");
    assert_eq!(stop_list.content(&request), Content::Described("2 terms".into()));
}

#[test]
fn a_vocabulary_is_chosen_among_the_saved_ones_and_goes_with_no_rule() {
    let mut state = showing(launch::NAME, SIZE);
    answer(&mut state, material(Vec::new()));
    go_to(&mut state, "vocabulary");
    assert!(shown(&state).contains("< none >  1 of 2"), "{}", shown(&state));
    press(&mut state, &["Right"]);
    assert!(shown(&state).contains("< core >  2 of 2"), "{}", shown(&state));
    assert!(state.launch().form.command("topoi").ends_with("--vocabulary core"));
    go_to(&mut state, "min-count");
    write(&mut state, "3");
    assert_eq!(press(&mut state, &["Enter"]), []);
    let notice = state.workbench.notice.clone().unwrap_or_default();
    let refused = "min-count: no rule goes with vocabulary core; leave one of them out";
    assert_eq!(notice, refused);
}

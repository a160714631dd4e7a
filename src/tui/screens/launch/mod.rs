//! The launch form, which starts runs.

mod again;
mod command;
mod form;
mod models;
#[cfg(test)]
mod test_again;
mod view;

pub use again::FilledFrom;
use form::PRESET;
pub use form::{LaunchState, NamedFile};

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Action as A, COMPLETE_PATH, EDIT, Keys, key};
use crate::tui::message::EffectOutcome;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::overlays::job::path::{Completion, completed};
use crate::tui::question::{AnyQuestion, Question, QuestionContext, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{corpora, runs};
use crate::tui::workbench::Workbench;
use topoi_run::choose_k::sweep::KList;
use topoi_run::request::setting::{RunSetting, SettingFileContent};
use topoi_run::request::usual::usual_min_tokens;
use topoi_run::request::{RunRequest, fields};
use topoi_store::corpus::Corpus;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

pub const NAME: &str = "Launch";

const LAUNCH: Action = Action::Own("launch");

static KEYS: Keys = Keys::new(
    "Launch form",
    &[
        key(&["Tab"], COMPLETE_PATH, "next", "complete a path; next field"),
        key(&["Down", "j"], A::NextField, "", "next field"),
        key(&["Shift-Tab", "Up", "k"], A::PreviousField, "", "previous field"),
        key(&["Left", "h"], A::Left, "", "previous choice, or character of a text"),
        key(&["Right", "l"], A::Right, "choose", "next choice, or character of a text"),
        key(&["Enter"], LAUNCH, "launch", "save the run and start its worker"),
    ],
);

/// What the form checks against, with the content of the files that are named in it.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchQuestion {
    pub files: Vec<NamedFile>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    pub corpora: Vec<Corpus>,
    /// The default of `min-tokens`, by the name of the corpus.
    pub min_tokens: BTreeMap<String, u64>,
    /// The names of the saved vocabularies, by the name of the corpus.
    pub vocabularies: BTreeMap<String, Vec<String>>,
    pub runs: Vec<Run>,
    pub files: Vec<(NamedFile, Result<SettingFileContent, String>)>,
}

impl Question for LaunchQuestion {
    type Answer = Material;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Material, StoreError> {
        let corpora = asking.store.corpora()?;
        let of =
            |corpus: &Corpus| Ok((corpus.name.clone(), usual_min_tokens(asking.store, corpus)?));
        let min_tokens = corpora.iter().map(of).collect::<Result<_, StoreError>>()?;
        let names = |corpus: &Corpus| {
            let saved = asking.store.named_vocabularies(corpus.id)?;
            Ok((corpus.name.clone(), saved.into_iter().map(|named| named.name).collect()))
        };
        let vocabularies = corpora.iter().map(names).collect::<Result<_, StoreError>>()?;
        let files = self.files.iter().map(|file| (file.clone(), read(file, asking.store)));
        let files = files.collect();
        Ok(Material { corpora, min_tokens, vocabularies, runs: asking.runs.to_vec(), files })
    }
}

fn read(file: &NamedFile, store: &Store) -> Result<SettingFileContent, String> {
    let setting = RunSetting::named(file.setting);
    let content = setting.and_then(|setting| setting.read(&file.path));
    let content = content.unwrap_or_else(|| Err("it takes no file".into()))?;
    match &file.words_of {
        Some(request) => content.resolved(store, request),
        None => Ok(content),
    }
}

#[derive(Debug, Clone)]
pub struct LaunchScreen {
    pub form: LaunchState,
    /// Where Esc goes.
    came_from: &'static str,
}

impl Default for LaunchScreen {
    fn default() -> Self {
        Self { form: LaunchState::default(), came_from: corpora::NAME }
    }
}

impl LaunchScreen {
    /// Moves to the choice `places` further on; the first follows the last.
    fn choose(&mut self, places: isize) {
        let form = &mut self.form;
        let choices = form.choices(form.field()).filter(|choices| !choices.is_empty());
        let Some(choices) = choices else { return };
        let value = form.focused_input();
        let now = choices.iter().position(|choice| choice == value.as_str()).unwrap_or(0);
        let next = (now as isize + places).rem_euclid(choices.len() as isize) as usize;
        value.set(&choices[next]);
        // A preset sets other values for another model.
        if form.field() == PRESET || (form.field() == fields::MODEL && form.has_preset()) {
            form.take_preset();
        }
    }

    fn launch(&mut self, workbench: &mut Workbench) {
        if self.form.sending {
            return;
        }
        match self.form.request().and_then(|plan| Ok((plan, self.form.list()?))) {
            Ok((plan, list)) if list.values().len() > 1 => self.ask(plan, list, workbench),
            Ok((plan, list)) => {
                self.form.sending = true;
                let command = self.form.whole_command();
                workbench.perform(Effect::Launch(Box::new(plan), list, command));
            }
            Err(error) => workbench.say(error),
        }
    }
}

impl LaunchScreen {
    /// Asks whether a run for every K is wanted, with what they will take.
    fn ask(&self, plan: RunRequest, list: KList, workbench: &mut Workbench) {
        let Some((runs, estimate)) = self.form.estimate() else { return };
        let (k, most) = (list.values().first().copied().unwrap_or_default(), list.largest());
        workbench.overlay = Some(Box::new(Confirm {
            title: format!("Start {runs} runs?"),
            meaning: format!(
                "A run for each K from {k} to {most}, one after the other: {}. They go on when you \
                 leave; the screen K compares them.",
                view::in_words(estimate)
            ),
            yes: "start them",
            no: "back to the form",
            effect: Effect::Launch(Box::new(plan), list, self.form.whole_command()),
            notice: format!("{runs} runs are being asked for"),
        }));
    }
}

impl Screen for LaunchScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Launch: a new run"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        let is_typed = self.form.choices(self.form.field()).is_none();
        std::iter::once(&KEYS).chain(is_typed.then_some(&EDIT)).collect()
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        Vec::new()
    }

    fn accepts(&self, letter: char) -> bool {
        self.form.accepts(letter)
    }

    fn type_in(&mut self, text: &str, _workbench: &mut Workbench) {
        self.form.focused_input().insert(text);
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        let form = &mut self.form;
        let fields = form.fields().len();
        let is_typed = form.choices(form.field()).is_none();
        match action {
            COMPLETE_PATH if form.is_file() => match completed(form.focused_input().as_str()) {
                Completion::Nothing => form.focus = (form.focus + 1) % fields,
                Completion::Longer(path) => form.focused_input().set(&path),
                Completion::Several(names) => workbench.say(names),
            },
            COMPLETE_PATH | Action::NextField => form.focus = (form.focus + 1) % fields,
            Action::PreviousField => form.focus = (form.focus + fields - 1) % fields,
            LAUNCH => self.launch(workbench),
            _ if is_typed => return form.focused_input().act(action),
            Action::Left => self.choose(-1),
            Action::Right => self.choose(1),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(LaunchQuestion { files: self.form.named_files() })
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        if let Some(Material { corpora, min_tokens, vocabularies, runs, files }) = answer.take() {
            (self.form.min_tokens, self.form.vocabularies) = (min_tokens, vocabularies);
            self.form.files = files;
            let said = self.form.receive(corpora, runs);
            said.into_iter().for_each(|said| workbench.say(said));
        }
    }

    /// The run is saved: on to the runs with it selected; or it is not, and the form stays.
    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        let EffectOutcome::Launched(launched) = news else { return };
        self.form.sending = false;
        match launched {
            Ok(run) => {
                workbench.say(format!("run {run} is saved and its worker started"));
                workbench.open(runs::NAME, Selection { run: Some(*run), ..Selection::default() });
            }
            Err(error) => workbench.say(error),
        }
    }

    fn arrive(&mut self, navigation: &Navigation, _workbench: &mut Workbench) {
        if navigation.from != NAME {
            self.came_from = navigation.from;
        }
        let Some(open) = &navigation.open else { return };
        // Only where a run is to be made again: other screens tell what they show.
        self.form.begin(open.run.filter(|_| open.again));
        if let Some(corpus) = &open.corpus_name {
            self.form.choose_corpus(corpus.clone());
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(self.came_from);
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(&self.form, workbench, area, buffer);
    }
}

//! The way in and the loop: waits for a message, changes the state, does the effects, draws what has changed.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::config::{self, Config, Theme};
use super::effect::Effect;
use super::message::Message;
use super::remembered::{Memory, Remembered};
use super::screen::Past;
use super::state::State;
use super::terminal::background::{self, Asked, LateAnswer};
use super::terminal::clipboard::{self, Way};
use super::terminal::{self, Screen, keyboard, watchdog};
use super::threads::clerk::Clerk;
use super::threads::console::Console;
use super::threads::maker::Maker;
use super::threads::reader::{self, Questions, QueueKeeper};
use super::threads::{estimates, exporter, launcher};
use super::view::look::Look;
use super::view::spots::{self, Spot};
use super::{update, view};
use topoi_core::shell_word::path_word;
use topoi_store::{Access, Store};

/// The least time between two frames; longer over SSH.
const FRAME: Duration = Duration::from_millis(15);
const FRAME_OVER_SSH: Duration = Duration::from_millis(40);
/// Rows that a notch of the wheel moves by.
const WHEEL: isize = 3;
/// How long the loop sleeps when nothing happens.
const IDLE: Duration = Duration::from_secs(1);
/// Where the workbench stands is written at most this often.
const REMEMBER_EVERY: Duration = Duration::from_secs(1);

struct Loop {
    path: PathBuf,
    /// Never dropped: dropping it shows the cursor, which [`terminal::restore`] does too, and
    /// panics where the terminal is gone.
    screen: ManuallyDrop<Screen>,
    state: State,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    questions: Questions,
    console: Console,
    clerk: Clerk,
    maker: Maker,
    memory: Option<Memory>,
    remembered: (Remembered, Instant),
    frame: Duration,
    drawn: Option<(u64, Instant)>,
    /// What the last frame has where.
    spots: Vec<Spot>,
    quit: bool,
}

/// How the workbench opens.
#[derive(Debug, Clone)]
pub struct Options {
    /// As the user has configured it, or said otherwise on the command line.
    pub config: Config,
    /// What is to be told at the start.
    pub notice: Option<String>,
    /// The store was named by the user, and commands that are shown have to name it too.
    pub is_store_named: bool,
}

impl Options {
    /// As the user has configured it; a mistake in that is told.
    pub fn configured() -> Self {
        let (config, mistakes) = config::load();
        let notice = mistakes.first().map(|mistake| {
            let count = mistakes.len();
            format!("config.toml, {mistake} (of {count}; `topoi config check` lists them)")
        });
        Self { config, notice, is_store_named: true }
    }
}

/// Opens the workbench on the store at `path` (made if there is none) and runs it until the user
/// leaves. Returns the exit code.
///
/// # Errors
/// When standard input or output is no terminal, or the store cannot be opened.
pub fn open(path: &Path, options: Options) -> anyhow::Result<i32> {
    anyhow::ensure!(
        stdin().is_terminal() && stdout().is_terminal(),
        "the workbench needs a terminal; `topoi --help` lists the commands that do not"
    );
    terminal::check_kind()?;
    // What is wrong with the store is told on the plain terminal.
    let store = Store::open(path, Access::Create)?;
    // A killed worker could not have the next run started.
    QueueKeeper::new(path).tend();
    let Options { config, notice, is_store_named } = options;
    terminal::take_mouse(config.mouse).context("cannot use the terminal")?;
    let (guard, screen) = terminal::Guard::take().context("cannot use the terminal")?;
    let (sender, messages) = channel();
    watchdog::start(sender.clone()).context("cannot watch the terminal")?;
    let size = screen.size().context("cannot tell the terminal's size")?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut look = Look::from_environment();
    let asked = match config.theme {
        Theme::Auto if look.colour => background::ask(),
        _ => Asked::default(),
    };
    look.light = match config.theme {
        Theme::Auto => {
            let told = asked.rgb.map(background::is_light);
            told.or_else(background::from_environment).unwrap_or(false)
        }
        theme => theme == Theme::Light,
    };
    // Looks are copied from hand to hand; what they point to lives as long as the program.
    look.columns = (!config.columns.is_empty()).then(|| &*Box::leak(Box::new(config.columns)));
    let mut state = State::new(&name, look, (size.width, size.height));
    state.bench.mouse = config.mouse;
    if is_store_named {
        state.bench.program = format!("topoi --store {}", path_word(path));
    }
    state.rebind(&config.keys);
    let memory = Memory::of_store(path);
    if let Ok(directory) = std::env::current_dir() {
        state.bench.directory = directory.display().to_string();
    }
    if let Some(memory) = &memory {
        let past = Past { store: &store, queries: &memory.read_history() };
        memory.read().unwrap_or_default().restore(&mut state, &past);
    }
    state.bench.notice = store.upgraded().map(ToString::to_string).or(notice);
    drop(store);
    let ran = run(path, screen, state, memory, asked, (sender, messages));
    drop(guard);
    ran.map(|()| 0)
}

/// Runs the workbench until the user leaves it: fails when the terminal can no longer be drawn on, or a thread
/// has panicked.
fn run(
    path: &Path,
    screen: Screen,
    state: State,
    memory: Option<Memory>,
    asked: Asked,
    (sender, messages): (Sender<Message>, Receiver<Message>),
) -> anyhow::Result<()> {
    let over_ssh = std::env::var_os("SSH_CONNECTION").is_some();
    let questions = reader::start(path, sender.clone(), over_ssh);
    let questions = questions.context("cannot start a thread")?;
    let console = Console::start(path, sender.clone()).context("cannot start a thread")?;
    let clerk = Clerk::start(path, sender.clone()).context("cannot start a thread")?;
    let maker = Maker::new(path, sender.clone());
    // What was typed while the terminal was asked comes first.
    for key in asked.keys {
        let _ = sender.send(Message::Key(key));
    }
    let late = asked.pending.then(LateAnswer::new);
    keyboard::read(sender.clone(), late).context("cannot start a thread")?;
    let frame = if over_ssh { FRAME_OVER_SSH } else { FRAME };
    let path = path.to_path_buf();
    let screen = ManuallyDrop::new(screen);
    let remembered = (Remembered::of(&state), Instant::now());
    let mut work = Loop {
        path,
        screen,
        state,
        sender,
        messages,
        questions,
        console,
        clerk,
        maker,
        memory,
        remembered,
        frame,
        drawn: None,
        spots: Vec::new(),
        quit: false,
    };
    let first = work.state.question();
    work.perform(Effect::Read(first))?;
    let ran = work.go_round();
    work.remember();
    if ran.is_err() {
        watchdog::leave_if_terminal_is_gone();
    }
    ran.and_then(|()| launcher::delete(&work.path, &work.state.bench.deleted))
}

impl Loop {
    fn go_round(&mut self) -> anyhow::Result<()> {
        while !self.quit {
            anyhow::ensure!(!terminal::has_panicked(), "a part of the workbench has panicked");
            self.draw_if_due()?;
            match self.messages.recv_timeout(self.wait()) {
                Ok(message) => self.receive(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Ok(message) = self.messages.try_recv() {
                self.receive(message)?;
            }
            if self.remembered.1.elapsed() >= REMEMBER_EVERY {
                self.remember();
            }
        }
        Ok(())
    }

    /// Writes where the workbench stands, if it has moved.
    fn remember(&mut self) {
        let now = Remembered::of(&self.state);
        if let Some(memory) = self.memory.as_ref().filter(|_| now != self.remembered.0) {
            memory.write(&now);
        }
        self.remembered = (now, Instant::now());
    }

    fn receive(&mut self, message: Message) -> anyhow::Result<()> {
        if let Message::InputLost(reason) = &message {
            anyhow::bail!("the keyboard can no longer be read: {reason}");
        }
        let message = match message {
            Message::Stop => return self.stop_by(terminal::stop),
            Message::Continued => {
                terminal::take_again().context("cannot use the terminal")?;
                return self.redraw();
            }
            Message::Mouse(mouse) => match self.pointed_at(mouse) {
                Some(message) => message,
                None => return Ok(()),
            },
            message => message,
        };
        for effect in update::update(&mut self.state, message) {
            self.perform(effect)?;
        }
        Ok(())
    }

    /// What the mouse did, by what the last frame has where it points.
    fn pointed_at(&self, mouse: MouseEvent) -> Option<Message> {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let target = spots::at(&self.spots, mouse.column, mouse.row)?;
                Some(Message::Clicked(target.clone()))
            }
            MouseEventKind::ScrollDown => Some(Message::Wheel(WHEEL)),
            MouseEventKind::ScrollUp => Some(Message::Wheel(-WHEEL)),
            _ => None,
        }
    }

    /// How long until a frame is due, or idle.
    fn wait(&self) -> Duration {
        match self.drawn {
            Some((revision, at)) if revision != self.state.bench.revision => {
                self.frame.saturating_sub(at.elapsed())
            }
            _ => IDLE,
        }
    }

    fn draw_if_due(&mut self) -> anyhow::Result<()> {
        let due = self.drawn.is_none_or(|(revision, at)| {
            revision != self.state.bench.revision && at.elapsed() >= self.frame
        });
        // Where a signal has given the terminal back, the end is near: nothing is drawn any more.
        if due && terminal::is_taken() {
            let state = &self.state;
            let draw = |frame: &mut ratatui::Frame| {
                let area = frame.area();
                view::draw(state, area, frame.buffer_mut());
            };
            self.screen.draw(draw).context("cannot draw on the terminal")?;
            self.spots = spots::take();
            self.drawn = Some((self.state.bench.revision, Instant::now()));
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> anyhow::Result<()> {
        match effect {
            Effect::Read(request) => self.questions.ask(request).context("the reader has ended")?,
            Effect::Launch(plan, list) => {
                launcher::launch(&self.path, *plan, list, self.sender.clone());
            }
            Effect::Estimate(form) => {
                estimates::estimate(&self.path, form, self.sender.clone());
            }
            Effect::StartJob(job) => launcher::start_job(&self.path, job, self.sender.clone()),
            Effect::Cancel(run) => launcher::cancel(&self.path, run, self.sender.clone()),
            Effect::Resume(run) => launcher::resume(&self.path, run, self.sender.clone()),
            Effect::SayOfRun { run, what, text } => {
                launcher::say_of_run(&self.path, run, (what, text), self.sender.clone());
            }
            Effect::Label { run, topic, label } => {
                launcher::label(&self.path, (run, topic), label, self.sender.clone());
            }
            Effect::Judge(order) => self.clerk.order(order),
            Effect::MakeFactor(cost) => self.maker.make(*cost),
            Effect::StopFactor => self.maker.stop(),
            Effect::AskSql { ticket, sql } => self.console.ask(ticket, sql),
            Effect::InterruptSql => self.console.interrupt(),
            Effect::Remember(query) => {
                if let Some(memory) = &self.memory {
                    memory.add_to_history(&query);
                }
            }
            Effect::Copy(text) => self.copy(&text)?,
            Effect::Export(export) => exporter::export(&self.path, *export, self.sender.clone()),
            Effect::Mouse(on) => terminal::take_mouse(on).context("cannot write")?,
            Effect::Suspend => self.stop_by(terminal::ask_to_stop)?,
            Effect::Redraw => self.redraw()?,
            Effect::Quit => self.quit = true,
        }
        Ok(())
    }

    /// Stops in this way where a shell could continue this process; that it was continued is a message.
    fn stop_by(&mut self, stop: fn() -> std::io::Result<()>) -> anyhow::Result<()> {
        if terminal::can_stop() {
            return stop().context("cannot stop");
        }
        self.say("cannot stop: no shell could continue it".into());
        Ok(())
    }

    fn say(&mut self, notice: String) {
        self.state.bench.notice = Some(notice);
        self.state.bench.revision += 1;
    }

    /// Puts a text on the clipboard of the user's terminal.
    fn copy(&mut self, text: &str) -> anyhow::Result<()> {
        let way = Way::from_environment();
        if way != Way::Tmux || !clipboard::give_to_tmux(text) {
            let writer = self.screen.backend_mut();
            let sent = writer.write_all(&clipboard::sequence(text, way));
            sent.and_then(|()| writer.flush()).context("cannot write")?;
        }
        self.say(format!("copied {} bytes through {}", text.len(), way.name()));
        Ok(())
    }

    /// Draws everything, whatever the terminal shows now and whatever size it has got.
    fn redraw(&mut self) -> anyhow::Result<()> {
        let size = self.screen.size().context("cannot tell the terminal's size")?;
        // Not `clear`: it asks the terminal where the cursor is, and waits for an answer that
        // the thread of the keyboard would get.
        let area = Rect::new(0, 0, size.width, size.height);
        self.screen.resize(area).context("cannot draw on the terminal")?;
        self.state.bench.size = (size.width, size.height);
        self.drawn = None;
        Ok(())
    }
}

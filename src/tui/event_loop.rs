//! Entry point and event loop: waits for a message, changes the state, performs the effects, draws the changes.

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::config::{self, Config, Theme};
use super::effect::Effect;
use super::message::Message;
use super::saved_position::{SavedPosition, SessionFiles};
use super::screen::PreviousSession;
use super::state::State;
use super::terminal::background_colour::{self, Asked, LateAnswer};
use super::terminal::clipboard::{self, ClipboardRoute};
use super::terminal::{self, Screen, keyboard, watchdog};
use super::threads::background::Background;
use super::threads::reader::{self, Questions};
use super::threads::{annotations, exporter, factor, launcher, sql};
use super::view::hit_areas::{self, HitArea};
use super::view::look::Appearance;
use super::{update, view};
use topoi_core::shell_word::path_word;
use topoi_run::life::threads::{NO_THREAD, start_rayon, threads_lacked};
use topoi_store::id::RunId;
use topoi_store::{Access, Store};

/// The least time between two frames; longer over SSH.
const FRAME: Duration = Duration::from_millis(15);
const FRAME_OVER_SSH: Duration = Duration::from_millis(40);
/// Bytes a second that frames have over SSH, where a slow line would fall behind the keys: those of a slow line. A frame
/// is drawn at once where the line was quiet for as many bytes as this.
const BYTES_A_SECOND: f64 = 20_000.0;
const BYTES_AT_ONCE: f64 = 8_000.0;
/// How long a frame waits for the answer that it would be drawn again for.
const FOR_AN_ANSWER: Duration = Duration::from_millis(40);
/// How long sizes must stay the same before everything is drawn anew.
const FOR_A_SIZE: Duration = Duration::from_millis(60);
/// Rows that a notch of the wheel moves by.
const WHEEL: isize = 3;
/// How long the loop sleeps when nothing happens.
const IDLE: Duration = Duration::from_secs(1);
/// Least time between two saves of where the user is.
const REMEMBER_EVERY: Duration = Duration::from_secs(1);

struct EventLoop {
    path: PathBuf,
    /// Never dropped: dropping it shows the cursor, which [`terminal::restore`] does too, and
    /// panics where the terminal is gone.
    screen: ManuallyDrop<Screen>,
    state: State,
    messages: Receiver<Message>,
    questions: Questions,
    background: Background,
    memory: Option<SessionFiles>,
    saved_position: (SavedPosition, Instant),
    pace: Pace,
    drawn: Option<(u64, Instant)>,
    /// When the store was last asked.
    asked: Instant,
    /// When the terminal last had another size, until everything is drawn for it.
    resized: Option<Instant>,
    /// What the last frame shows, by its cells.
    hit_areas: Vec<HitArea>,
    quit: bool,
}

/// How the workbench opens.
#[derive(Debug, Clone)]
pub struct WorkbenchOptions {
    /// The user's configuration, with what the command line overrides.
    pub config: Config,
    /// Shown at the start.
    pub notice: Option<String>,
    /// The user named the store, so commands on the screen name it too.
    pub is_store_named: bool,
}

impl WorkbenchOptions {
    /// The user's configuration; the first mistake in it becomes the notice.
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
/// If standard input or output is no terminal, or the store cannot be opened.
pub fn open(path: &Path, options: WorkbenchOptions) -> anyhow::Result<i32> {
    anyhow::ensure!(
        stdin().is_terminal() && stdout().is_terminal(),
        "the workbench needs a terminal; `topoi --help` lists the commands that do not"
    );
    terminal::check_kind()?;
    start_rayon().context(NO_THREAD)?;
    // An error of the store is printed on the plain terminal.
    let store = Store::open(path, Access::Create)?;
    let (sender, messages) = channel();
    let background = Background::new(sender);
    // A worker that was killed has not started the next run.
    launcher::tend_queue(&background, path);
    let WorkbenchOptions { config, notice, is_store_named } = options;
    terminal::take_mouse(config.mouse).context("cannot use the terminal")?;
    let (guard, screen) = terminal::TerminalGuard::take().context("cannot use the terminal")?;
    watchdog::start(background.messages()).context("cannot watch the terminal")?;
    let size = screen.size().context("cannot tell the terminal's size")?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut look = Appearance::from_environment();
    let asked = match config.theme {
        Theme::Auto if look.colour => background_colour::ask(),
        _ => Asked::default(),
    };
    look.light = match config.theme {
        Theme::Auto => {
            let answered = asked.rgb.map(background_colour::is_light);
            answered.or_else(background_colour::from_environment).unwrap_or(false)
        }
        theme => theme == Theme::Light,
    };
    // `Appearance` is `Copy`, so it can only borrow what lives as long as the program.
    look.columns = (!config.columns.is_empty()).then(|| &*Box::leak(Box::new(config.columns)));
    let mut state = State::new(&name, look, (size.width, size.height));
    state.workbench.mouse = config.mouse;
    state.workbench.citation = config.citation;
    if is_store_named {
        state.workbench.program = format!("topoi --store {}", path_word(path));
    }
    state.rebind(&config.keys);
    let memory = SessionFiles::of_store(path);
    if let Ok(directory) = std::env::current_dir() {
        state.workbench.directory = directory.display().to_string();
    }
    if let Some(memory) = &memory {
        let previous = PreviousSession { store: &store, queries: &memory.read_history() };
        memory.read().unwrap_or_default().restore(&mut state, &previous);
    }
    state.workbench.notice = store.upgraded().map(ToString::to_string).or(notice);
    drop(store);
    let ran = run(path, screen, state, memory, asked, (background.clone(), messages));
    drop(guard);
    background.leave(|jobs| {
        // Nobody reads it where the terminal is gone.
        let _ = writeln!(stderr(), "waiting for writes: {} (Ctrl-C ends them)", jobs.join(", "));
    });
    launcher::delete(path, &ran?).map(|()| 0)
}

/// Runs the workbench until the user leaves it, and returns the runs the user has deleted. Fails when the terminal can
/// no longer be drawn on, or a thread has panicked.
fn run(
    path: &Path,
    screen: Screen,
    state: State,
    memory: Option<SessionFiles>,
    asked: Asked,
    (background, messages): (Background, Receiver<Message>),
) -> anyhow::Result<Vec<RunId>> {
    let over_ssh = std::env::var_os("SSH_CONNECTION").is_some();
    let questions = reader::start(path, &background, over_ssh).context(NO_THREAD)?;
    let sender = background.messages();
    // What was typed while the terminal was asked comes first.
    for key in asked.keys {
        let _ = sender.send(Message::Key(key));
    }
    let late = asked.pending.then(LateAnswer::new);
    keyboard::read(sender, late).context(NO_THREAD)?;
    let path = path.to_path_buf();
    let screen = ManuallyDrop::new(screen);
    let saved_position = (SavedPosition::of(&state), Instant::now());
    let mut work = EventLoop {
        path,
        screen,
        state,
        messages,
        questions,
        background,
        memory,
        saved_position,
        pace: Pace::new(over_ssh),
        drawn: None,
        asked: Instant::now(),
        resized: None,
        hit_areas: Vec::new(),
        quit: false,
    };
    let first = work.state.question();
    work.perform(Effect::Read(first))?;
    let ran = work.go_round();
    work.remember();
    if ran.is_err() {
        watchdog::leave_if_terminal_is_gone();
    }
    ran.map(|()| work.state.workbench.deleted)
}

impl EventLoop {
    fn go_round(&mut self) -> anyhow::Result<()> {
        while !self.quit {
            let why =
                if threads_lacked() { NO_THREAD } else { "a thread of the workbench has panicked" };
            anyhow::ensure!(!terminal::has_panicked(), why);
            self.draw_if_due()?;
            match self.messages.recv_timeout(self.wait()) {
                Ok(message) => self.receive(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Ok(message) = self.messages.try_recv() {
                self.receive(message)?;
            }
            if self.saved_position.1.elapsed() >= REMEMBER_EVERY {
                self.remember();
            }
        }
        Ok(())
    }

    /// Saves where the user is, if that has changed.
    fn remember(&mut self) {
        let now = SavedPosition::of(&self.state);
        if let Some(memory) = self.memory.as_ref().filter(|_| now != self.saved_position.0) {
            memory.write(&now);
        }
        self.saved_position = (now, Instant::now());
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
            Message::Resize(..) => {
                self.resized = Some(Instant::now());
                message
            }
            message => message,
        };
        for effect in update::update(&mut self.state, message) {
            self.perform(effect)?;
        }
        Ok(())
    }

    /// The message of a click or the wheel; `None` where the last frame shows nothing to click.
    fn pointed_at(&self, mouse: MouseEvent) -> Option<Message> {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let target = hit_areas::at(&self.hit_areas, mouse.column, mouse.row)?;
                Some(Message::Clicked(target.clone()))
            }
            MouseEventKind::ScrollDown => Some(Message::Wheel(WHEEL)),
            MouseEventKind::ScrollUp => Some(Message::Wheel(-WHEEL)),
            _ => None,
        }
    }

    /// How long until a frame is due; idle where nothing has changed.
    fn wait(&self) -> Duration {
        let is_changed =
            self.drawn.is_none_or(|(revision, _)| revision != self.state.workbench.revision);
        if let Some(resized) = self.resized {
            return FOR_A_SIZE.saturating_sub(resized.elapsed());
        }
        if !is_changed {
            return IDLE;
        }
        let answer = match self.state.awaits_answer() {
            true => FOR_AN_ANSWER.saturating_sub(self.asked.elapsed()),
            false => Duration::ZERO,
        };
        let frame = self.drawn.map_or(Duration::ZERO, |(_, at)| self.pace.wait(at.elapsed()));
        answer.max(frame)
    }

    fn draw_if_due(&mut self) -> anyhow::Result<()> {
        if !self.wait().is_zero() {
            return Ok(());
        }
        // The terminal has cut its cells to the sizes that it had meanwhile, even if it has the same again.
        if self.resized.take().is_some() {
            self.redraw()?;
        }
        // A signal that has restored the terminal is about to end the process.
        if terminal::is_taken() {
            let before = self.screen.backend().written();
            let state = &self.state;
            let draw = |frame: &mut ratatui::Frame| {
                let area = frame.area();
                view::draw(state, area, frame.buffer_mut());
            };
            self.screen.draw(draw).context("cannot draw on the terminal")?;
            self.hit_areas = hit_areas::take();
            let rest = self.drawn.map(|(_, at)| at.elapsed());
            self.pace.spend(self.screen.backend().written() - before, rest);
            self.drawn = Some((self.state.workbench.revision, Instant::now()));
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> anyhow::Result<()> {
        let (background, path) = (&self.background, self.path.as_path());
        match effect {
            Effect::Read(request) => {
                self.asked = Instant::now();
                self.questions.ask(request).context("the reader has ended")?;
            }
            Effect::Launch(plan, list, command) => {
                launcher::launch(background, path, (*plan, list, command));
            }
            Effect::StartJob(job) => launcher::start_job(background, path, job),
            Effect::Cancel(run) => launcher::cancel(background, path, run),
            Effect::Resume(run) => launcher::resume(background, path, run),
            Effect::NameRun { run, name } => annotations::name_run(background, path, run, name),
            Effect::Note { corpus, subject, text } => {
                let form = self.state.workbench.citation.clone();
                annotations::note(background, path, (corpus, subject), text, form);
            }

            Effect::ProposeNames(run) => annotations::propose_names(background, path, run),
            Effect::Label { run, topic, label } => {
                annotations::label(background, path, (run, topic), label);
            }
            Effect::Judge(edit) => annotations::judge(background, path, edit),
            Effect::MakeFactor(cost) => factor::make(background, path, *cost),
            Effect::StopFactor => factor::cancel(background),
            Effect::AskSql { ticket, sql } => sql::query(background, path, ticket, sql),
            Effect::InterruptSql => sql::interrupt(background),
            Effect::Remember(query) => {
                if let Some(memory) = &self.memory {
                    memory.add_to_history(&query);
                }
            }
            Effect::Copy(text) => self.copy(&text)?,
            Effect::Export(export) => exporter::export(background, path, *export),
            Effect::Mouse(on) => terminal::take_mouse(on).context("cannot write")?,
            Effect::Suspend => self.stop_by(terminal::ask_to_stop)?,
            Effect::Redraw => self.redraw()?,
            Effect::Quit => self.quit = true,
        }
        Ok(())
    }

    /// Calls `stop` where a shell can continue this process; continuing sends [`Message::Continued`].
    fn stop_by(&mut self, stop: fn() -> std::io::Result<()>) -> anyhow::Result<()> {
        if terminal::can_stop() {
            return stop().context("cannot stop");
        }
        self.say("cannot stop: no shell could continue it".into());
        Ok(())
    }

    fn say(&mut self, notice: String) {
        self.state.workbench.notice = Some(notice);
        self.state.workbench.revision += 1;
    }

    /// Puts a text on the clipboard of the user's terminal.
    fn copy(&mut self, text: &str) -> anyhow::Result<()> {
        let way = ClipboardRoute::from_environment();
        if way != ClipboardRoute::Tmux || !clipboard::give_to_tmux(text) {
            let writer = self.screen.backend_mut();
            let sent = writer.write_all(&clipboard::sequence(text, way));
            sent.and_then(|()| writer.flush()).context("cannot write")?;
        }
        self.say(format!("copied {} bytes through {}", text.len(), way.name()));
        Ok(())
    }

    /// Draws the whole screen at the terminal's present size.
    fn redraw(&mut self) -> anyhow::Result<()> {
        let size = self.screen.size().context("cannot tell the terminal's size")?;
        // Not `clear`: it asks the terminal for the cursor's position, and the keyboard's thread would get the answer.
        let area = Rect::new(0, 0, size.width, size.height);
        self.screen.resize(area).context("cannot draw on the terminal")?;
        self.state.workbench.size = (size.width, size.height);
        self.drawn = None;
        Ok(())
    }
}

/// When frames are drawn: not more often than they are seen, nor over SSH faster than a slow line carries them.
#[derive(Debug)]
struct Pace {
    least: Duration,
    is_limited: bool,
    /// Bytes that can be drawn now; below 0 those that the line still carries.
    bytes: f64,
}

impl Pace {
    fn new(over_ssh: bool) -> Self {
        let least = if over_ssh { FRAME_OVER_SSH } else { FRAME };
        Self { least, is_limited: over_ssh, bytes: BYTES_AT_ONCE }
    }

    /// How long until the next frame, `since` after the last one.
    fn wait(&self, since: Duration) -> Duration {
        let owed = if self.is_limited { (-self.bytes).max(0.0) / BYTES_A_SECOND } else { 0.0 };
        self.least.max(Duration::from_secs_f64(owed)).saturating_sub(since)
    }

    /// A frame of this many bytes was drawn, `rest` after the one before.
    fn spend(&mut self, bytes: u64, rest: Option<Duration>) {
        let gained = rest.map_or(0.0, |rest| rest.as_secs_f64() * BYTES_A_SECOND);
        self.bytes = (self.bytes + gained).min(BYTES_AT_ONCE) - bytes as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_over_a_slow_line_come_as_fast_as_it_carries_them() {
        let mut pace = Pace::new(true);
        // One frame at once, even a whole screen.
        pace.spend(8_000, None);
        assert_eq!(pace.wait(Duration::ZERO), FRAME_OVER_SSH);
        // Ten of 2,000 bytes one after the other take a second in all.
        let mut all = Duration::ZERO;
        for _ in 0..10 {
            let wait = pace.wait(Duration::ZERO);
            all += wait;
            pace.spend(2_000, Some(wait));
        }
        let last = pace.wait(Duration::ZERO);
        assert!((all + last).as_secs_f64() > 0.98 && (all + last).as_secs_f64() < 1.1, "{all:?}");
        // After a rest all can be drawn at once again.
        pace.spend(0, Some(Duration::from_secs(10)));
        assert_eq!(pace.bytes, BYTES_AT_ONCE);
        let local = Pace { bytes: -1e6, ..Pace::new(false) };
        assert_eq!(local.wait(Duration::ZERO), FRAME);
    }
}

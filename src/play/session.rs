//! The conversation with the person: reads a line, obeys it, lets the engine move.

use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cannonade_engine::search::Limits;
use cannonade_engine::uci::{InputLine, read_ahead};
use cannonade_engine::{BlockingEngine, FinishedSearch, OptionError, Strength};
use crossbeam_channel::{Receiver, select, unbounded};
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, read, write, write_line};
use xiangqi::rules::explanation::Language;

use super::board::BoardStyle;
use super::game::{PERSON, TerminalGame};
use super::words::{CHINESE_HELP, ENGLISH_HELP, Words};
use super::{Arguments, FULL_LEVEL, SideChoice, parse_level};
use crate::Failure;
use crate::interrupt::on_signal;
use crate::output::{Output, printable};

/// The time for a hint.
const HINT_TIME: Duration = Duration::from_millis(800);
/// The number of moves shown of a hint.
const HINT_MOVES: usize = 6;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command {
    Undo,
    Hint,
    Level,
    Board,
    Save,
    Help,
    Quit,
}

/// The commands with their names. Anything else that is typed is a move.
const COMMANDS: [(Command, &[&str]); 7] = [
    (Command::Undo, &["undo", "u", "悔棋"]),
    (Command::Hint, &["hint", "提示"]),
    (Command::Level, &["level", "级别", "級別"]),
    (Command::Board, &["board", "d", "棋盘", "棋盤"]),
    (Command::Save, &["save", "保存"]),
    (Command::Help, &["help", "h", "?", "帮助", "幫助"]),
    (Command::Quit, &["quit", "exit", "q", "退出"]),
];

/// The input of the program.
struct Terminal {
    lines: Receiver<InputLine>,
    /// `true` for a request to end the program, `false` for Ctrl-C.
    signals: Receiver<bool>,
    is_ended: bool,
    is_person: bool,
}

impl Terminal {
    fn new() -> anyhow::Result<Terminal> {
        let (sender, signals) = unbounded();
        on_signal(move |ends| {
            let _ = sender.send(ends);
        })?;
        let lines = read_ahead(BufReader::new(io::stdin()));
        let is_person = io::stdin().is_terminal() && io::stdout().is_terminal();
        Ok(Terminal { lines, signals, is_ended: false, is_person })
    }

    /// Waits for a line. Returns `None` at Ctrl-C, at a request to end, and at the end of the input.
    fn read(&self) -> Option<String> {
        if self.is_ended {
            return None;
        }
        select! {
            recv(self.lines) -> line => line.ok().map(|line| line.text),
            recv(self.signals) -> _ => None,
        }
    }

    /// Returns whether a thinking engine must stop: at Ctrl-C and at a request to end.
    fn is_interrupted(&mut self) -> bool {
        let signal = self.signals.try_recv();
        self.is_ended |= signal == Ok(true);
        signal.is_ok()
    }
}

/// One person at the terminal.
pub(super) struct TerminalSession<'a> {
    arguments: &'a Arguments,
    game: TerminalGame,
    side: SideChoice,
    style: BoardStyle,
    level: u32,
    engine: BlockingEngine,
    /// An engine at full strength for hints, with a memory of its own.
    helper: Option<BlockingEngine>,
    out: Output,
    terminal: Terminal,
}

impl<'a> TerminalSession<'a> {
    /// Creates a session with an engine.
    ///
    /// # Errors
    /// If the engine refuses an option, or the system a handler of Ctrl-C.
    pub(super) fn new(
        arguments: &'a Arguments,
        game: TerminalGame,
        side: SideChoice,
        style: BoardStyle,
    ) -> Result<TerminalSession<'a>, Failure> {
        let mut engine = new_engine(arguments).map_err(Failure::input)?;
        for (name, value) in [
            ("Level Seed", arguments.seed),
            ("Threads", arguments.threads),
            ("Hash", arguments.hash),
        ] {
            engine.engine_mut().set_option(name, &value.to_string()).map_err(Failure::input)?;
        }
        let mut session = TerminalSession {
            arguments,
            game,
            side,
            style,
            level: FULL_LEVEL,
            engine,
            helper: None,
            out: Output::new(),
            terminal: Terminal::new()?,
        };
        session.set_level(arguments.level).map_err(Failure::input)?;
        Ok(session)
    }

    /// Plays until the person leaves or the input ends; then the game is saved to the file of
    /// `--save`, or the command that continues it is printed.
    ///
    /// # Errors
    /// If the game cannot be saved, the engine does not move, or the output fails.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        let played = self.play();
        let kept = self.keep();
        self.out.finish().and(played).and(kept)
    }

    fn play(&mut self) -> Result<(), Failure> {
        self.out.line(self.words().greeting(self.side, self.level));
        self.advance()?;
        while !self.out.is_closed() {
            if self.terminal.is_person {
                let prompt = self.style.notice("> ");
                let _ = write!(self.out, "{prompt}").and_then(|()| self.out.flush());
            }
            let Some(line) = self.terminal.read() else {
                if self.terminal.is_person {
                    self.out.line("");
                }
                break;
            };
            let line = line.trim();
            let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let (rest, lower) = (rest.trim(), name.to_lowercase());
            let found = COMMANDS.iter().find(|(_, names)| names.contains(&lower.as_str()));
            match found.map(|&(command, _)| command) {
                None if line.is_empty() => {}
                None => self.read_move(line)?,
                Some(Command::Undo) => self.undo(name, rest),
                Some(Command::Hint) => self.hint(),
                Some(Command::Level) => self.change_level(rest),
                Some(Command::Board) => self.show_position(),
                Some(Command::Save) => self.save_as(name, rest),
                Some(Command::Help) if name.is_ascii() => self.out.line(ENGLISH_HELP),
                Some(Command::Help) => self.out.line(CHINESE_HELP),
                Some(Command::Quit) => break,
            }
        }
        Ok(())
    }

    /// Keeps the game at the end of the session, in a file or as a command line.
    fn keep(&mut self) -> Result<(), Failure> {
        if !self.game.is_unsaved() {
            return Ok(());
        }
        let saved = self.arguments.save.as_ref().map(|path| self.save(path));
        if matches!(saved, Some(Ok(()))) {
            return Ok(());
        }
        let flags = self.arguments.flags(self.side, self.level);
        let command = format!("cannonade play{flags}{}", self.game.flags());
        self.out.line(self.words().farewell(&command));
        Ok(saved.transpose().map(|_| ())?)
    }

    fn words(&self) -> Words {
        Words(self.arguments.language)
    }

    /// Makes the move that was typed, and lets the engine reply.
    fn read_move(&mut self, text: &str) -> Result<(), Failure> {
        if self.game.end().is_some() {
            self.say_over();
            return Ok(());
        }
        match read(self.game.position(), text) {
            Ok(mv) => {
                self.game.play(mv);
                self.advance()
            }
            Err(error) => {
                self.out.line(self.words().unreadable(&error));
                Ok(())
            }
        }
    }

    fn say_over(&mut self) {
        self.out.line(self.words().choose(
            "The game is over; type 'undo', 'save FILE' or 'quit'.",
            "本局已结束；可输入“悔棋”“保存 文件名”或“退出”。",
        ));
    }

    /// Lets the engine move if it is its turn, and shows the position.
    fn advance(&mut self) -> Result<(), Failure> {
        let is_own = self.side.includes(self.game.position().side());
        if !is_own && self.game.end().is_none() {
            let longest = Duration::from_secs_f64(self.arguments.movetime);
            let position = self.game.position().clone();
            let found = search(&mut self.engine, position, longest, &mut self.terminal);
            let mv = found.conclusion.best;
            let mv =
                mv.ok_or_else(|| anyhow::anyhow!("the engine found no move; its threads failed"))?;
            let text = self.move_text(mv);
            self.game.play(mv);
            let words = self.words();
            self.out.line(words.engine_move(&words.opponent(self.level), &text));
        }
        self.show_position();
        Ok(())
    }

    /// Returns a move in the notation of the person, with its squares.
    fn move_text(&self, mv: Move) -> String {
        match self.arguments.notation() {
            Notation::Uci => mv.to_string(),
            notation => format!("{} ({mv})", write(self.game.position(), mv, notation)),
        }
    }

    /// Shows the board, the side to move and a repetition, or the end of the game.
    fn show_position(&mut self) {
        let (played, words) = (self.game.played(), self.words());
        let position = played.position();
        self.out.painted_line(self.style.draw(position.board(), played.last_move()));
        let notices = match self.game.end() {
            Some(end) => words.end(played, end, self.arguments.notation()),
            None => {
                let turn = words.turn(position.move_number(), position.side(), position.in_check());
                self.out.line(turn);
                words.repetition(played).into_iter().collect()
            }
        };
        for text in notices {
            self.out.painted_line(self.style.notice(&printable(&text)));
        }
    }

    fn undo(&mut self, name: &str, count: &str) {
        let count = if count.is_empty() { "1" } else { count };
        match count.parse() {
            Ok(count @ 1..) if self.game.undo(count, self.side) => self.show_position(),
            Ok(1..) => {
                self.out.line(
                    self.words().choose("There is no move to take back.", "没有可以收回的着法。"),
                );
            }
            _ => self.out.line(self.words().no_count(name, count)),
        }
    }

    fn hint(&mut self) {
        if self.game.end().is_some() {
            self.say_over();
            return;
        }
        let helper = match self.helper.take() {
            Some(helper) => Ok(helper),
            None => new_engine(self.arguments),
        };
        let mut engine = match helper {
            Ok(engine) => engine,
            Err(error) => {
                self.out.line(error);
                return;
            }
        };
        let position = self.game.position();
        let found = search(&mut engine, position.clone(), HINT_TIME, &mut self.terminal);
        self.helper = Some(engine);
        let line = &found.best_line()[..found.best_line().len().min(HINT_MOVES)];
        let texts = write_line(position, line, self.arguments.notation());
        self.out.line(self.words().best_line(&texts.join(" ")));
    }

    fn set_level(&mut self, level: u32) -> Result<(), OptionError> {
        self.engine.engine_mut().set_option("Skill Level", &level.to_string())?;
        self.level = level;
        Ok(())
    }

    /// Sets the level unless the text is empty, and shows it.
    fn change_level(&mut self, text: &str) {
        if !text.is_empty() {
            let level = parse_level(text);
            let set = level.and_then(|level| self.set_level(level).map_err(|e| e.to_string()));
            if let Err(message) = set {
                self.out.line(self.words().no_level(text, message));
                return;
            }
        }
        let elo = self.engine.engine().options().strength().map(Strength::elo);
        self.out.line(self.words().level(self.level, elo));
    }

    /// Saves the game to the file that was typed, or else to the one of the game or of `--save`.
    fn save_as(&mut self, name: &str, file: &str) {
        let known = || self.game.file().or(self.arguments.save.as_deref()).map(Path::to_owned);
        let path = if file.is_empty() { known() } else { Some(PathBuf::from(file)) };
        let Some(path) = path else {
            self.out.line(self.words().no_file(name));
            return;
        };
        if let Err(error) = self.save(&path) {
            self.out.line(self.words().not_saved(&error));
        }
    }

    fn save(&mut self, path: &Path) -> anyhow::Result<()> {
        let engine = Words(Language::English).opponent(self.level);
        let player = |side| if self.side.includes(side) { PERSON } else { engine.as_str() };
        self.game.save(path, Color::ALL.map(player))?;
        self.out.line(self.words().saved(&path.display().to_string()));
        Ok(())
    }
}

/// Creates an engine at full strength, with one thread and little memory.
fn new_engine(arguments: &Arguments) -> Result<BlockingEngine, OptionError> {
    let mut engine = BlockingEngine::new();
    engine.engine_mut().find_user_tables();
    engine.engine_mut().set_option("RepetitionRule", arguments.rules.name())?;
    Ok(engine)
}

/// Searches until the time is over or the person interrupts.
fn search(
    engine: &mut BlockingEngine,
    position: Position,
    time: Duration,
    terminal: &mut Terminal,
) -> FinishedSearch {
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    engine.search(position, limits, || terminal.is_interrupted(), |_| {})
}

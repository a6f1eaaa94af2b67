//! The conversation with the person: reads a line, does what it asks for, lets the engine move.

use std::io::{self, BufReader, IsTerminal, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, select, unbounded};

use super::board_view::BoardStyle;
use super::clock::{GameClock, TimeSetting, clock_text};
use super::colors::Role;
use super::game::PlayedGame;
use super::opponent::{FULL_LEVEL, Opponent, parse_level};
use super::request::{HELP, Request};
use super::side_choice::SideChoice;
use super::wording::{describe_end, describe_repetition, describe_score, side_name, warn_of_loss};
use crate::board::{Move, Position};
use crate::commands::Failure;
use crate::commands::interrupt::on_interrupt;
use crate::commands::output::Output;
use crate::geometry::Color;
use crate::notation::{Notation, read, write, write_line};
use crate::protocol::{InputLine, read_ahead};

/// Two interrupts within this time end the program.
const SECOND_INTERRUPT: Duration = Duration::from_secs(3);

/// How much of a line of best moves is shown.
const LINE_MOVES: usize = 6;

/// What comes next.
enum Next {
    /// Read another line.
    Continue,
    /// Leave.
    Leave,
}

/// What the person did.
enum Input {
    Line(String),
    Interrupt,
    /// The time of the person has run out.
    OutOfTime,
    End,
}

/// One person at the terminal.
pub(super) struct Session {
    game: PlayedGame,
    opponent: Opponent,
    side: SideChoice,
    style: BoardStyle,
    notation: Notation,
    time: Option<TimeSetting>,
    clock: Option<GameClock>,
    out: Output,
    lines: Receiver<InputLine>,
    interrupts: Receiver<()>,
    last_interrupt: Option<Instant>,
    /// Whether the engine moves when it is its turn; not after moves were taken back or loaded.
    engine_waits: bool,
    /// A move that loses at once by the rules, which was typed once.
    doubtful: Option<Move>,
    /// Whether a person types, and needs a prompt.
    prompts: bool,
}

impl Session {
    pub(super) fn new(
        game: PlayedGame,
        opponent: Opponent,
        side: SideChoice,
        style: BoardStyle,
        notation: Notation,
        time: Option<TimeSetting>,
    ) -> Session {
        let (interrupted, interrupts) = unbounded();
        // Without a handler Ctrl-C ends the program, as it does everywhere.
        let _ = on_interrupt(move || {
            let _ = interrupted.send(());
        });
        Session {
            game,
            opponent,
            side,
            style,
            notation,
            clock: time.map(GameClock::new),
            time,
            out: Output::new(),
            lines: read_ahead(BufReader::new(io::stdin())),
            interrupts,
            last_interrupt: None,
            engine_waits: false,
            doubtful: None,
            prompts: io::stdin().is_terminal() && io::stdout().is_terminal(),
        }
    }

    /// Plays until the person leaves or the input ends.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        self.greet();
        self.advance();
        while !self.out.is_closed() {
            let next = match self.read() {
                Input::Line(line) => self.execute(&line),
                Input::Interrupt => self.interrupted(),
                Input::OutOfTime => {
                    self.game.lose_on_time(self.game.position().side());
                    self.show_end();
                    Next::Continue
                }
                Input::End => Next::Leave,
            };
            if matches!(next, Next::Leave) {
                break;
            }
        }
        self.say_farewell();
        self.out.finish()
    }

    fn greet(&mut self) {
        let opponent = self.opponent.name();
        let players = match self.side {
            SideChoice::Red => format!("You play Red against {opponent}."),
            SideChoice::Black => format!("You play Black against {opponent}."),
            SideChoice::Both => "You play both sides.".to_owned(),
        };
        self.out.line(format_args!("{players} Type a move such as h2e2, or 'help'."));
    }

    /// Names what is lost by leaving, and how to keep it.
    fn say_farewell(&mut self) {
        if self.game.is_unsaved() {
            let how = self.game.continuation();
            self.out.line(format_args!("The game is not saved. To continue it:\n  {how}"));
        }
    }

    /// Reads what the person does next.
    fn read(&mut self) -> Input {
        let is_running = self.game.end().is_none() && !self.engine_waits;
        if let (true, Some(clock)) = (is_running, &mut self.clock) {
            clock.start(self.game.position().side());
        }
        if self.prompts {
            let prompt = self.style.colors.paint("> ", Role::Notice, false);
            let _ = write!(self.out, "{prompt}");
            let _ = self.out.flush();
        }
        let side = self.game.position().side();
        let left = self.clock.as_ref().filter(|_| is_running).map(|clock| clock.left(side));
        // Without a clock a day at a time is as good as no limit.
        let deadline = Instant::now() + left.unwrap_or(Duration::from_secs(86_400));
        let input = select! {
            recv(self.lines) -> line => line.map_or(Input::End, |line| Input::Line(line.text)),
            recv(self.interrupts) -> _ => Input::Interrupt,
            default(deadline.saturating_duration_since(Instant::now())) => match left {
                Some(_) => Input::OutOfTime,
                None => Input::Line(String::new()),
            },
        };
        if let Some(clock) = &mut self.clock {
            clock.stop();
            let is_over = is_running && clock.left(side).is_zero();
            if is_over && matches!(input, Input::Line(_)) {
                return Input::OutOfTime;
            }
        }
        input
    }

    /// Ctrl-C: says how to keep the game; the second one leaves.
    fn interrupted(&mut self) -> Next {
        let now = Instant::now();
        let is_second = self.last_interrupt.is_some_and(|last| now - last < SECOND_INTERRUPT);
        self.last_interrupt = Some(now);
        if is_second {
            return Next::Leave;
        }
        self.out.line(
            "\nInterrupted; the game is not saved. Type 'save FILE' to save it or 'quit' to leave; \
             Ctrl-C again leaves, too.",
        );
        Next::Continue
    }

    fn execute(&mut self, line: &str) -> Next {
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err(message) => {
                self.out.line(message);
                return Next::Continue;
            }
        };
        match request {
            Request::Nothing => {}
            Request::Move(text) => self.type_move(&text),
            Request::Undo(count) => self.undo(count),
            Request::Redo(count) => self.redo(count),
            Request::Hint => self.hint(),
            Request::Level(level) => self.level(level.as_deref()),
            Request::Flip => {
                self.style.flipped = !self.style.flipped;
                self.show_board();
            }
            Request::Eval => self.evaluate(),
            Request::Moves => self.list_moves(),
            Request::Board => self.show_position(),
            Request::Fen => self.out.line(self.game.position().fen()),
            Request::New(side) => self.begin(side.as_deref()),
            Request::Go => self.let_engine_move(),
            Request::Resign => self.resign(),
            Request::Save(file) => self.save(&file),
            Request::Load(file) => self.load(&file),
            Request::Help => self.out.line(HELP),
            Request::Quit => return Next::Leave,
        }
        Next::Continue
    }

    /// Makes the move that was typed.
    fn type_move(&mut self, text: &str) {
        let side = self.game.position().side();
        if self.game.end().is_some() {
            self.out.line("The game is over; type 'undo', 'new' or 'quit'.");
            return;
        }
        if !self.side.includes(side) {
            self.out.line(format_args!(
                "It is {}'s turn, which the engine plays; type 'go' to let it move, or 'undo'.",
                side_name(side)
            ));
            return;
        }
        let mv = match read(self.game.position(), text) {
            Ok(mv) => mv,
            Err(error) => {
                self.out.line(format_args!("{error}; 'help' lists the commands"));
                return;
            }
        };
        let warning = self.game.end_after(mv).and_then(|end| warn_of_loss(&self.game, end, text));
        if let Some(warning) = warning.filter(|_| self.doubtful != Some(mv)) {
            self.doubtful = Some(mv);
            self.notice(&warning);
            return;
        }
        self.make(mv);
        self.engine_waits = false;
        self.advance();
    }

    fn make(&mut self, mv: Move) {
        self.doubtful = None;
        if let Some(clock) = &mut self.clock {
            clock.moved(self.game.position().side());
        }
        self.game.play(mv);
    }

    /// Lets the engine move if it is its turn, and shows the position.
    fn advance(&mut self) {
        let engine_moves = |session: &Session| {
            let side = session.game.position().side();
            session.game.end().is_none() && !session.engine_waits && !session.side.includes(side)
        };
        if engine_moves(self) {
            self.think();
        }
        self.show_position();
    }

    fn think(&mut self) {
        let side = self.game.position().side();
        if let Some(clock) = &mut self.clock {
            clock.start(side);
        }
        let for_search = self.clock.as_ref().map(|clock| clock.for_search(side));
        let found = self.opponent.think(self.game.position(), for_search, &self.interrupts);
        if let Some(clock) = &mut self.clock {
            clock.stop();
            if clock.left(side).is_zero() {
                self.game.lose_on_time(side);
                return;
            }
        }
        let Some(mv) = found.and_then(|found| found.conclusion.best) else {
            // The game is not over, so there is a move; without the engine there is none.
            self.engine_waits = true;
            return;
        };
        let text = self.move_text(self.game.position(), mv);
        let name = self.opponent.name();
        self.make(mv);
        self.out.line(format_args!("{name} plays {text}."));
    }

    /// A move in the notation of the person, with its squares.
    fn move_text(&self, position: &Position, mv: Move) -> String {
        match self.notation {
            Notation::Uci => mv.to_string(),
            notation => format!("{} ({mv})", write(position, mv, notation)),
        }
    }

    fn show_board(&mut self) {
        let drawing = self.style.draw(self.game.position().board(), self.game.last_move());
        self.out.line(drawing);
    }

    /// The board, who is to move, the clocks and what the judge says.
    fn show_position(&mut self) {
        self.show_board();
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let position = self.game.position();
        let side = position.side();
        let mut text = format!("Move {}, {} to move", position.move_number(), side_name(side));
        if position.in_check() {
            text += ", in check";
        }
        if let Some(clock) = &self.clock {
            let [red, black] = [Color::Red, Color::Black].map(|side| clock_text(clock.left(side)));
            text += &format!("   [Red {red}, Black {black}]");
        }
        self.out.line(text);
        if let Some(repetition) = self.game.repetition() {
            let text = describe_repetition(&self.game, repetition);
            self.notice(&text);
        }
        if !self.side.includes(side) {
            self.out.line("The engine waits; type 'go' to let it move.");
        }
    }

    fn show_end(&mut self) {
        let Some(end) = self.game.end() else { return };
        for line in describe_end(&self.game, end) {
            self.notice(&line);
        }
    }

    /// Prints what a person should not miss.
    fn notice(&mut self, text: &str) {
        self.out.line(self.style.colors.paint(text, Role::Notice, false));
    }

    /// Takes back moves until it is the person's turn, so many times.
    fn undo(&mut self, count: usize) {
        let mut undone = 0;
        for _ in 0..count {
            if !self.game.undo() {
                break;
            }
            undone += 1;
            while !self.side.includes(self.game.position().side()) && self.game.undo() {
                undone += 1;
            }
        }
        self.after_jump(undone, "There is no move to take back.");
    }

    /// Makes moves again until it is the person's turn, so many times.
    fn redo(&mut self, count: usize) {
        let mut redone = 0;
        for _ in 0..count {
            if !self.game.redo() {
                break;
            }
            redone += 1;
            while !self.side.includes(self.game.position().side()) && self.game.redo() {
                redone += 1;
            }
        }
        self.after_jump(redone, "There is no move to make again.");
    }

    fn after_jump(&mut self, plies: usize, nothing: &str) {
        if plies == 0 {
            self.out.line(nothing);
            return;
        }
        self.doubtful = None;
        self.engine_waits = true;
        self.show_position();
    }

    fn hint(&mut self) {
        if self.game.end().is_some() {
            self.out.line("The game is over.");
            return;
        }
        let Some(found) = self.opponent.help(self.game.position(), &self.interrupts) else {
            return;
        };
        let line = &found.line[..found.line.len().min(LINE_MOVES)];
        let texts = write_line(self.game.position(), line, self.notation);
        self.out.line(format_args!("Full strength plays {}.", texts.join(" ")));
    }

    fn evaluate(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let Some(found) = self.opponent.help(self.game.position(), &self.interrupts) else {
            return;
        };
        let side = self.game.position().side();
        let text = describe_score(found.conclusion.score, side);
        self.out.line(format_args!("{text} Depth {}.", found.conclusion.depth));
    }

    fn level(&mut self, wanted: Option<&str>) {
        if let Some(text) = wanted {
            let set = parse_level(text)
                .and_then(|level| self.opponent.set_level(level).map_err(|e| e.to_string()));
            if let Err(message) = set {
                self.out.line(message);
                return;
            }
        }
        let level = self.opponent.level();
        match self.opponent.elo() {
            Some(elo) => {
                self.out.line(format_args!(
                    "The engine plays at level {level} of {FULL_LEVEL} (Elo {elo})."
                ));
            }
            None => self.out.line("The engine plays at full strength."),
        }
    }

    fn list_moves(&mut self) {
        let start = self.game.start();
        let texts = write_line(start, self.game.moves(), self.notation);
        if texts.is_empty() {
            self.out.line("No move was made yet.");
            return;
        }
        let mut position = start.clone();
        let mut lines: Vec<String> = Vec::new();
        for (text, &mv) in texts.iter().zip(self.game.moves()) {
            match (position.side(), lines.last_mut()) {
                (Color::Black, Some(line)) => {
                    line.push_str("  ");
                    line.push_str(text);
                }
                (Color::Black, None) => {
                    lines.push(format!("{:>3}. ...  {text}", position.move_number()));
                }
                (Color::Red, _) => lines.push(format!("{:>3}. {text}", position.move_number())),
            }
            position.make(mv);
        }
        for line in lines {
            self.out.line(line);
        }
    }

    /// Begins another game from the position where this one began.
    fn begin(&mut self, side: Option<&str>) {
        match side.map(str::to_lowercase).as_deref() {
            None => {}
            Some("red") => self.side = SideChoice::Red,
            Some("black") => self.side = SideChoice::Black,
            Some("both") => self.side = SideChoice::Both,
            Some(other) => {
                self.out.line(format_args!(
                    "'{other}' is not a side; type 'new red', 'new black' or 'new both'"
                ));
                return;
            }
        }
        if side.is_some() {
            self.style.flipped = self.side == SideChoice::Black;
        }
        self.say_farewell();
        let game = PlayedGame::new(self.game.start().clone(), Vec::new(), *self.game.regulations());
        self.change_game(game);
        self.engine_waits = false;
        self.greet();
        self.advance();
    }

    fn change_game(&mut self, game: PlayedGame) {
        self.game = game;
        self.clock = self.time.map(GameClock::new);
        self.doubtful = None;
        self.opponent.new_game();
    }

    /// The engine makes the next move; if it was the person's turn, they change sides.
    fn let_engine_move(&mut self) {
        if self.game.end().is_some() {
            self.out.line("The game is over; type 'undo', 'new' or 'quit'.");
            return;
        }
        let side = self.game.position().side();
        self.engine_waits = false;
        match self.side {
            SideChoice::Both => {
                self.think();
                self.show_position();
            }
            _ if self.side.includes(side) => {
                self.side = SideChoice::only(!side);
                self.out.line(format_args!("You play {} now.", side_name(!side)));
                self.advance();
            }
            _ => self.advance(),
        }
    }

    fn resign(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let loser = match self.side {
            SideChoice::Red => Color::Red,
            SideChoice::Black => Color::Black,
            SideChoice::Both => self.game.position().side(),
        };
        self.game.resign(loser);
        self.show_end();
    }

    fn save(&mut self, file: &str) {
        let engine = self.opponent.name();
        let players = match self.side {
            SideChoice::Red => ["Player", engine.as_str()],
            SideChoice::Black => [engine.as_str(), "Player"],
            SideChoice::Both => ["Player", "Player"],
        };
        let time = self.clock.as_ref().map(|clock| clock.setting().to_string());
        match self.game.save(Path::new(file), players, time) {
            Ok(()) => self.out.line(format_args!("Saved to {file}.")),
            Err(error) => self.out.line(format_args!("Not saved: {error:#}")),
        }
    }

    fn load(&mut self, file: &str) {
        match PlayedGame::load(Path::new(file), *self.game.regulations()).context("not loaded") {
            Ok(game) => {
                self.say_farewell();
                self.change_game(game);
                self.engine_waits = true;
                self.show_position();
            }
            Err(error) => self.out.line(format_args!("{error:#}")),
        }
    }
}

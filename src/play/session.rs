//! The conversation with the person: reads a line, carries it out, lets the engine move.

use std::io::Write as _;
use std::time::Instant;

use cannonade_engine::search::Clock;
use xiangqi::board::Move;
use xiangqi::notation::read;

use super::colors::Role;
use super::game::TerminalGame;
use super::opponent::Opponent;
use super::request::PlayCommand;
use super::setup::PlaySetup;
use super::side_choice::SideChoice;
use super::terminal::{Input, PromptBy, Terminal};
use super::wording::help;
use crate::Failure;
use crate::output::Output;

/// Shown before what the person types.
const PROMPT: &str = "> ";

/// The next step of the session.
enum AfterLine {
    Continue,
    Leave,
}

/// One person at the terminal.
pub(super) struct TerminalSession {
    pub(super) game: TerminalGame,
    pub(super) opponent: Opponent,
    pub(super) setup: PlaySetup,
    pub(super) out: Output,
    pub(super) terminal: Terminal,
    /// True after moves were undone or loaded: the engine does not move by itself.
    pub(super) engine_waits: bool,
    /// A move, typed once, that loses at once by the rules.
    pub(super) doubtful: Option<Move>,
    /// An existing file to which the game was to be saved with the last command.
    pub(super) doubtful_file: Option<String>,
}

impl TerminalSession {
    pub(super) fn new(game: TerminalGame, opponent: Opponent, setup: PlaySetup) -> TerminalSession {
        TerminalSession {
            game,
            opponent,
            setup,
            out: Output::new(),
            terminal: Terminal::new(),
            engine_waits: false,
            doubtful: None,
            doubtful_file: None,
        }
    }

    /// Plays until the person leaves or the input ends.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        self.greet();
        self.advance();
        while !self.out.is_closed() {
            let next = match self.read() {
                Input::Line(line) => self.execute(&line),
                Input::Interrupt { is_second: true } | Input::End => AfterLine::Leave,
                Input::Interrupt { is_second: false } => self.interrupted(),
                Input::OutOfTime => {
                    if self.terminal.is_person() {
                        // Ends the line that is being typed.
                        self.out.line("");
                    }
                    self.game.lose_on_time(self.game.position().side());
                    self.show_end();
                    AfterLine::Continue
                }
            };
            if matches!(next, AfterLine::Leave) {
                break;
            }
        }
        self.say_farewell();
        self.out.finish()
    }

    /// Reads the person's next input, while the clock runs.
    fn read(&mut self) -> Input {
        let side = self.game.position().side();
        let is_own = !self.engine_waits || self.setup.side.includes(side);
        let is_running = self.game.end().is_none() && is_own;
        if let (true, Some(clock)) = (is_running, self.game.clock_mut()) {
            clock.start(side, Instant::now());
        }
        let prompt = self.setup.style.colors.paint(PROMPT, Role::Notice, false);
        if self.terminal.prompt(PROMPT, &prompt) == PromptBy::Caller {
            let _ = write!(self.out, "{prompt}");
            let _ = self.out.flush();
        }
        let clock = self.game.game().clock().filter(|_| is_running);
        let left = clock.map(|clock| clock.left(side, Instant::now()));
        let input = self.terminal.read(left);
        if let Some(clock) = self.game.clock_mut() {
            let now = Instant::now();
            clock.stop(now);
            let is_over = is_running && clock.left(side, now).is_zero();
            if is_over && matches!(input, Input::Line(_)) {
                return Input::OutOfTime;
            }
        }
        input
    }

    /// Explains, at the first Ctrl-C, how to keep the game and how to leave.
    fn interrupted(&mut self) -> AfterLine {
        self.out.line(self.setup.words().interrupted(self.game.is_unsaved()));
        AfterLine::Continue
    }

    fn execute(&mut self, line: &str) -> AfterLine {
        let request = match PlayCommand::parse(line) {
            Ok(request) => request,
            Err(error) => {
                self.out.line(self.setup.words().bad_request(&error));
                return AfterLine::Continue;
            }
        };
        let doubtful_file = self.doubtful_file.take();
        match request {
            PlayCommand::Nothing => {}
            PlayCommand::Move(text) => self.type_move(&text),
            PlayCommand::Undo(count) => self.undo(count),
            PlayCommand::Redo(count) => self.redo(count),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Level(level) => self.level(level.as_deref()),
            PlayCommand::Flip => {
                self.setup.style.flipped = !self.setup.style.flipped;
                self.show_board();
            }
            PlayCommand::Eval => self.evaluate(),
            PlayCommand::Moves => self.list_moves(),
            PlayCommand::Board => self.show_position(),
            PlayCommand::Fen => self.out.line(self.game.position().fen()),
            PlayCommand::New(side) => self.begin(side.as_deref()),
            PlayCommand::Go => self.let_engine_move(),
            PlayCommand::Draw => self.offer_draw(),
            PlayCommand::Resign => self.resign(),
            PlayCommand::Save(file) => {
                let is_confirmed = doubtful_file.as_ref() == Some(&file);
                self.save(&file, is_confirmed);
            }
            PlayCommand::Load(file) => self.load(&file),
            PlayCommand::Help(language) => self.out.line(help(language)),
            PlayCommand::Quit => return AfterLine::Leave,
        }
        AfterLine::Continue
    }

    /// Makes the move that was typed.
    fn type_move(&mut self, text: &str) {
        let side = self.game.position().side();
        if self.game.end().is_some() {
            self.out.line(self.setup.words().game_is_over());
            return;
        }
        if !self.setup.side.includes(side) {
            self.out.line(self.setup.words().not_your_turn(side));
            return;
        }
        let mv = match read(self.game.position(), text) {
            Ok(mv) => mv,
            Err(error) => {
                self.out.line(self.setup.words().unreadable(&error));
                return;
            }
        };
        let warning = self.game.game().outcome_after(mv);
        let warning =
            warning.and_then(|end| self.setup.words().loss_by(self.game.game(), end, text));
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
        self.game.play(mv);
    }

    /// Lets the engine move if it is its turn, and shows the position.
    pub(super) fn advance(&mut self) {
        let engine_moves = |session: &TerminalSession| {
            let side = session.game.position().side();
            session.game.end().is_none()
                && !session.engine_waits
                && !session.setup.side.includes(side)
        };
        if engine_moves(self) {
            self.think();
        }
        self.show_position();
    }

    fn think(&mut self) {
        let side = self.game.position().side();
        let for_search = self.game.clock_mut().map(|clock| {
            clock.start(side, Instant::now());
            let clock = clock.player(side);
            Clock {
                left: clock.left(),
                increment: clock.control().increment,
                moves_to_go: clock.moves_to_go(),
            }
        });
        let found = self.opponent.think(self.game.position(), for_search, &mut self.terminal);
        if let Some(clock) = self.game.clock_mut() {
            let now = Instant::now();
            clock.stop(now);
            if clock.left(side, now).is_zero() {
                self.game.lose_on_time(side);
                return;
            }
        }
        let Some(mv) = found.conclusion.best else {
            // The game is not over, so there is a move; without the engine there is none.
            self.engine_waits = true;
            return;
        };
        let text = self.move_text(self.game.position(), mv);
        let name = self.setup.words().opponent(self.opponent.level());
        self.make(mv);
        self.out.line(self.setup.words().plays(&name, &text));
    }

    /// Makes the engine's move; if it was the person's turn, they change sides.
    fn let_engine_move(&mut self) {
        if self.game.end().is_some() {
            self.out.line(self.setup.words().game_is_over());
            return;
        }
        let side = self.game.position().side();
        self.engine_waits = false;
        match self.setup.side {
            SideChoice::Both => {
                self.think();
                self.show_position();
            }
            _ if self.setup.side.includes(side) => {
                self.setup.side = SideChoice::only(!side);
                self.out.line(self.setup.words().plays_now(!side));
                self.advance();
            }
            _ => self.advance(),
        }
    }
}

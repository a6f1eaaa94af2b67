//! The session: reads commands, lets the engine work, writes what it says.
//!
//! One thread reads lines ahead, one (this) handles them and writes, and the engine's own search.
//! While the engine thinks, `isready`, `stop`, `ponderhit`, `probe`, handshakes and `quit` are served
//! at once. Everything else waits its turn until the `bestmove`, and is then done in the order in
//! which it came, so no command is lost. A `go` that would have to wait for an endless search
//! (`infinite`, `ponder`, or without limits) stops it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never, select_biased, unbounded};

use super::dialect::{Offer, pop_hash};
use super::line::{Line, read_line};
use super::{Command, Dialect, GoRequest, NAME, NotUnderstood, Setup, Writer};
use crate::board::Move;
use crate::engine::{Conclusion, Engine, Event, OptionError, OptionId, bench, perft};
use crate::geometry::Color;
use crate::rules::RuleSet;
use crate::search::Score;

/// Lines that are read ahead.
const LINES_AHEAD: usize = 1024;

/// A search that was told to stop has this long to say its move before the process ends.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// With a clock, the engine gives up when it is mated in at most so many moves (UCCI).
const RESIGN_MOVES: i32 = 2;

/// A draw is accepted when the engine's own score is at most this, in centipawns (UCCI).
const DRAW_SCORE: i32 = 0;

/// What is going on between `go` and `bestmove`.
#[derive(Default)]
struct Thinking {
    /// Whether it ends only when it is told to.
    endless: bool,
    /// The same after `ponderhit`.
    endless_after_hit: bool,
    draw_offered: bool,
    has_clock: bool,
}

enum Next {
    Go,
    End,
}

/// A conversation with one client, over any reader and writer.
pub struct Session<W> {
    engine: Engine,
    events: Receiver<Event>,
    writer: Writer<W>,
    dialect: Dialect,
    banned: Vec<Move>,
    thinking: Option<Thinking>,
    waiting: VecDeque<(Command, Instant)>,
    /// Whether a person types.
    interactive: bool,
}

/// Talks with the client on stdin and stdout until it leaves.
pub fn serve() -> io::Result<()> {
    let mut session = Session::new(Writer::standard());
    if io::stdin().is_terminal() {
        session.greet()?;
    }
    session.run(BufReader::new(io::stdin()))
}

impl<W: Write> Session<W> {
    /// A session with a fresh engine.
    pub fn new(writer: Writer<W>) -> Session<W> {
        let (sender, events) = unbounded();
        Session {
            engine: Engine::new(sender),
            events,
            writer,
            dialect: Dialect::default(),
            banned: Vec::new(),
            thinking: None,
            waiting: VecDeque::new(),
            interactive: false,
        }
    }

    /// Says to a person what this is.
    fn greet(&mut self) -> io::Result<()> {
        self.interactive = true;
        self.writer.line(&format!(
            "{NAME}, a xiangqi engine for UCI and UCCI clients; type 'go movetime 1000', 'help' or \
             'quit'"
        ))
    }

    /// Handles lines until `quit` or the end of the input.
    ///
    /// # Errors
    /// If the client no longer reads.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        let lines = read_ahead(input);
        let silence = never();
        loop {
            self.catch_up()?;
            let heard = if self.is_deaf() { &silence } else { &lines };
            select_biased! {
                recv(heard) -> line => {
                    let Ok(line) = line else { return self.last_words() };
                    if let Next::End = self.read(&line)? {
                        return Ok(());
                    }
                }
                recv(self.events) -> event => {
                    if let Ok(event) = event {
                        self.tell(event)?;
                    }
                }
            }
        }
    }

    /// UCCI's batch mode: nothing is read while the engine thinks, so that the next line of a file is
    /// not taken for an interruption.
    fn is_deaf(&self) -> bool {
        let ends_by_itself = self.thinking.as_ref().is_some_and(|thinking| !thinking.endless);
        self.engine.options().batch && ends_by_itself
    }

    fn read(&mut self, line: &Line) -> io::Result<Next> {
        self.writer.received(&line.text);
        match Command::parse(&line.text) {
            Ok(Command::Quit) => {
                self.engine.stop();
                self.conclude_search()?;
                if self.dialect == Dialect::Ucci {
                    self.writer.line("bye")?;
                }
                Ok(Next::End)
            }
            Ok(command) => {
                if self.must_wait(&command) {
                    self.waiting.push_back((command, line.arrived));
                } else {
                    self.execute(command, line.arrived)?;
                }
                Ok(Next::Go)
            }
            Err(NotUnderstood::Blank) => Ok(Next::Go),
            Err(NotUnderstood::Unknown) => {
                if self.interactive || self.engine.options().debug {
                    self.message(&format!("'{}' is no command; try 'help'", line.text))?;
                }
                Ok(Next::Go)
            }
        }
    }

    /// Whether a command has to wait for the end of the running search. If that does not end by
    /// itself, a command that starts another one ends it.
    fn must_wait(&mut self, command: &Command) -> bool {
        let Some(thinking) = &self.thinking else { return false };
        let another_waits = self.waiting.iter().any(|(waiting, _)| starts_work(waiting));
        match command {
            Command::Handshake(_)
            | Command::IsReady
            | Command::Probe(_)
            | Command::Debug(_)
            | Command::Help
            | Command::Quit => false,
            // These are meant for the last `go`, which may still be waiting.
            Command::Stop => {
                self.engine.stop();
                another_waits
            }
            Command::PonderHit { .. } => another_waits,
            Command::Display | Command::Eval => !self.waiting.is_empty(),
            Command::Go(_) | Command::Bench(_) => {
                if thinking.endless {
                    self.engine.stop();
                }
                true
            }
            Command::NewGame
            | Command::SetOption { .. }
            | Command::Position(_)
            | Command::BanMoves(_) => true,
        }
    }

    /// Does what has waited for the end of a search.
    fn catch_up(&mut self) -> io::Result<()> {
        while let Some((command, _)) = self.waiting.front() {
            let for_the_running = matches!(command, Command::Stop | Command::PonderHit { .. });
            if self.thinking.is_some() && !for_the_running {
                break;
            }
            if let Some((command, arrived)) = self.waiting.pop_front() {
                // Only a clock runs while its `go` waits.
                let runs = matches!(&command, Command::Go(request) if request.has_clock());
                self.execute(command, if runs { arrived } else { Instant::now() })?;
            }
        }
        let endless = self.thinking.as_ref().is_some_and(|thinking| thinking.endless);
        if endless && self.waiting.iter().any(|(waiting, _)| starts_work(waiting)) {
            self.engine.stop();
        }
        Ok(())
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> io::Result<()> {
        match command {
            Command::Handshake(dialect) => {
                self.dialect = dialect;
                let lines = dialect.handshake();
                self.writer.lines(lines.iter().map(String::as_str))
            }
            Command::IsReady => {
                self.engine.prepare();
                self.writer.line("readyok")
            }
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position(setup) => self.set_position(&setup),
            Command::BanMoves(moves) => {
                self.banned.extend(moves);
                Ok(())
            }
            Command::Go(request) => self.go(&request, arrived),
            Command::Stop => {
                self.engine.stop();
                // A UCCI client waits for an answer; a UCI client would take it for the next one.
                if self.thinking.is_none() && self.dialect == Dialect::Ucci {
                    return self.writer.line(self.dialect.no_move());
                }
                Ok(())
            }
            Command::PonderHit { draw } => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.endless = thinking.endless_after_hit;
                    thinking.draw_offered |= draw;
                }
                self.engine.ponder_hit();
                Ok(())
            }
            Command::Probe(setup) => self.probe(&setup),
            Command::Debug(on) => self.set_option("debug", if on { "on" } else { "off" }),
            Command::Display => self.display(),
            Command::Eval => self.explain(),
            Command::Bench(depth) => {
                let depth = depth.unwrap_or(bench::DEFAULT_DEPTH).max(1);
                self.engine.run_in_background(move |task| {
                    let rules = RuleSet::default();
                    bench::run(depth, rules, |line| task.print(line), || task.is_stopped());
                });
                self.thinking = Some(Thinking::default());
                Ok(())
            }
            Command::Help => self.writer.lines(HELP.lines()),
            Command::Quit => Ok(()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.engine.set_option(name, value) {
            Ok(OptionId::DebugLogFile) => {
                let path = self.engine.options().debug_log_file.clone();
                match self.writer.log_to(path.as_deref()) {
                    Ok(()) => Ok(()),
                    Err(error) => self.message(&format!("cannot write the log: {error}")),
                }
            }
            Ok(_) => Ok(()),
            // Clients send options of other engines.
            Err(OptionError::Unknown(_)) if !self.interactive && !self.engine.options().debug => {
                Ok(())
            }
            Err(error) => self.message(&error.to_string()),
        }
    }

    /// Sets the position, or keeps the old one whole if anything is wrong with the new one.
    fn set_position(&mut self, setup: &Setup) -> io::Result<()> {
        match setup.position() {
            Ok(position) => {
                self.engine.set_position(position);
                self.banned.clear();
                Ok(())
            }
            Err(error) => self.message(&format!("{error}; the position before is kept")),
        }
    }

    fn go(&mut self, request: &GoRequest, arrived: Instant) -> io::Result<()> {
        if let Some(depth) = request.perft() {
            let position = self.engine.position().clone();
            self.engine.run_in_background(move |task| {
                perft::run(position, depth, |line| task.print(line), || task.is_stopped());
            });
            self.thinking = Some(Thinking::default());
            return Ok(());
        }
        if request.is_static() && self.dialect == Dialect::Ucci {
            let score = self.dialect.static_score(self.engine.evaluate());
            return self.writer.lines([score.as_str(), self.dialect.no_move()]);
        }
        let seconds = self.dialect == Dialect::Ucci && !self.engine.options().use_millisec;
        let unit = if seconds { Duration::from_secs(1) } else { Duration::from_millis(1) };
        let limits = request.limits(self.engine.position(), unit, &self.banned);
        self.engine.go(limits, arrived);
        self.thinking = Some(Thinking {
            endless: request.is_endless(),
            endless_after_hit: request.is_endless_after_hit(),
            draw_offered: request.offers_draw(),
            has_clock: request.has_clock(),
        });
        Ok(())
    }

    fn probe(&mut self, setup: &Setup) -> io::Result<()> {
        let found = match setup.position() {
            Ok(position) => self.engine.probe(&position),
            Err(_) if setup.is_blank() => self.engine.probe(self.engine.position()),
            Err(error) => {
                self.message(&error.to_string())?;
                None
            }
        };
        self.writer.line(&pop_hash(found.as_ref()))
    }

    /// Passes on what the engine says.
    fn tell(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Pv(report) => {
                let pieces = self.engine.position().board().occupied().len();
                let wdl_of = self.engine.options().show_wdl.then_some(pieces);
                match self.dialect.report(&report, wdl_of) {
                    Some(line) => self.writer.line(&line),
                    None => Ok(()),
                }
            }
            Event::CurrentMove(current) => match self.dialect.current_move(&current) {
                Some(line) => self.writer.line(&line),
                None => Ok(()),
            },
            Event::Text(line) => self.writer.line(&line),
            Event::BestMove(conclusion) => self.conclude(&conclusion),
            Event::Done => {
                self.thinking = None;
                Ok(())
            }
        }
    }

    fn conclude(&mut self, conclusion: &Conclusion) -> io::Result<()> {
        let thinking = self.thinking.take();
        if conclusion.broken {
            self.message("a search thread broke down; please report this position")?;
        }
        let Some(best) = conclusion.best else {
            // Without a legal move the game is lost, in check or not.
            if self.dialect == Dialect::Uci && !self.engine.position().has_legal_move() {
                self.writer.line(&self.dialect.static_score(Score::Mate(0)))?;
            }
            return self.writer.line(self.dialect.no_move());
        };
        let known = conclusion.depth > 0;
        let offer = match (thinking.filter(|_| known), conclusion.score) {
            (Some(thinking), Score::Mate(moves))
                if thinking.has_clock && (-RESIGN_MOVES..=0).contains(&moves) =>
            {
                Offer::Resign
            }
            (Some(thinking), score)
                if thinking.draw_offered && score.centipawns() <= DRAW_SCORE =>
            {
                Offer::Draw
            }
            _ => Offer::None,
        };
        self.writer.line(&self.dialect.best_move(best, conclusion.ponder, offer))
    }

    /// Lets a search that was told to stop say its move.
    fn conclude_search(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + LAST_WORDS;
        while self.thinking.is_some() {
            let Ok(event) = self.events.recv_deadline(deadline) else { break };
            self.tell(event)?;
        }
        Ok(())
    }

    /// The input is over: does what has waited, but no search goes on.
    fn last_words(&mut self) -> io::Result<()> {
        loop {
            self.engine.stop();
            self.conclude_search()?;
            if self.waiting.is_empty() || self.thinking.is_some() {
                return Ok(());
            }
            self.catch_up()?;
        }
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.writer.line(&self.dialect.message(text))
    }

    fn display(&mut self) -> io::Result<()> {
        let position = self.engine.position();
        let side = position.side();
        let mut text = position.board().to_string();
        text.push_str(&format!("\nFen: {}\nKey: {:016X}\n", position.fen(), position.key()));
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|sq| sq.to_string()).collect();
        text.push_str(&format!("Side: {side}\nCheckers: {}", checkers.join(" ")));
        self.writer.lines(text.lines())
    }

    fn explain(&mut self) -> io::Result<()> {
        let score = self.engine.evaluate().centipawns();
        let side = self.engine.position().side();
        let red = if side == Color::Red { score } else { -score };
        // What the position is worth less without each piece.
        self.writer.lines(self.engine.piece_values().lines())?;
        self.writer.line(&format!("Evaluation: {red:+} centipawns (Red's view)"))
    }
}

/// Whether a command ends with a `bestmove` or another last word of the engine.
fn starts_work(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_))
}

/// Reads lines on a thread of its own, so that they are heard while the engine thinks. A read error
/// is the end of the input.
fn read_ahead(mut input: impl BufRead + Send + 'static) -> Receiver<Line> {
    let (sender, lines) = bounded(LINES_AHEAD);
    // Without a thread there is no input, and the session ends.
    let _ = thread::Builder::new().name("input".to_owned()).spawn(move || {
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

const HELP: &str = "\
Cannonade is a xiangqi engine; it is meant to be used by a graphical client, over UCI or UCCI.
  uci | ucci                                   the handshake: who the engine is, its options
  setoption name Threads value 2               set an option (UCCI: setoption threads 2)
  position startpos moves h2e2 h9g7            set the position; fen <FEN> instead of startpos
  go movetime 1000 | depth 12 | nodes 100000   think; also wtime btime winc binc movestogo, infinite
  stop                                         stop thinking
  go perft 4                                   count move paths
  d, eval, bench                               show the board, the static evaluation, the speed
  quit                                         leave
Run 'cannonade --help' for its other commands.";

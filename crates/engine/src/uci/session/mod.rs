//! The session: reads commands, lets the engine work, writes what it reports.
//!
//! One thread reads lines ahead, one (this) handles them and writes, and the engine has its own.
//! During a search `stop`, `ponderhit`, `probe`, `isready`, handshakes and `quit` are served at
//! once; after `stop`, `isready` and handshakes follow what waits, but no other search delays them.
//! Everything else waits for the `bestmove`, and is then done in the order in which it came, so no
//! command is lost. A `go` that would have to wait for an endless search (`infinite`, `ponder`,
//! `mate` alone, or without limits) stops it.
//!
//! At the end of the input, work that ends by itself is finished and endless work is stopped, so
//! that `printf 'go depth 12\n' | cannonade` prints a move.

mod console;
mod positions;
mod running_search;
mod searching;
#[cfg(test)]
mod tests;
mod waiting;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::thread;

use cannonade_tables::OpenedTables;
use crossbeam_channel::{Receiver, never, select_biased, unbounded};
use running_search::RunningSearch;
use web_time::{Duration, Instant};
use xiangqi::board::Move;

use super::input::{InputLine, read_ahead};
use super::queued_output::QueuedOutput;
use super::rank_detection::RankDetection;
use super::replies::ReplyFormat;
use super::{Command, Protocol, Setup, Unrecognized, Writer};
use crate::{Engine, Event, HostThreads, OptionEffect, OptionError};

/// Time after `quit` in which a stopped search may send its move, and a slow client may read on,
/// before the process ends.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// Time after a move in which a `stop` of a UCCI client was sent before the move was read.
const CROSSING: Duration = Duration::from_millis(200);

/// Next step of the session.
enum Next {
    Continue,
    End,
}

/// Reason why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// By `quit`.
    Quit,
    /// By the end of the input.
    EndOfInput,
}

/// A conversation with one client, over any reader and writer.
pub struct Session<W> {
    engine: Engine,
    events: Receiver<Event>,
    writer: Writer<W>,
    protocol: Protocol,
    rank_detection: RankDetection,
    /// Reason why the last `position` was refused. The engine keeps the position before.
    refused: Option<String>,
    banned: Vec<Move>,
    search: Option<RunningSearch>,
    /// Instant at which the last search ended without a `stop`, until the next command.
    answered: Option<Instant>,
    waiting: VecDeque<(Command, Instant)>,
    input_ended: bool,
    /// True if a person types.
    interactive: bool,
}

/// Serves the client on stdin and stdout until it leaves.
///
/// # Errors
/// If standard output cannot be written to, such as [`io::ErrorKind::BrokenPipe`] when the client
/// has gone.
pub fn serve() -> io::Result<()> {
    let output = QueuedOutput::standard();
    let mut session = Session::new(Writer::new(output.clone()));
    session.engine.find_user_tables();
    // A client that does not ask `isready` may give the first `go` a few milliseconds. The workers
    // load the network and the built-in tables while it shakes hands; without a thread for the
    // tables of the user the first search opens them.
    let _ = thread::Builder::new().name("tables".to_owned()).spawn(OpenedTables::of_user);
    if io::stdin().is_terminal() {
        session.greet()?;
    }
    match session.run(BufReader::new(io::stdin()))? {
        SessionEnd::Quit => output.finish(Some(GRACE_PERIOD)),
        // The end of a pipeline may read much later.
        SessionEnd::EndOfInput => output.finish(None),
    }
}

impl<W: Write> Session<W> {
    /// Creates a session with a new engine.
    pub fn new(writer: Writer<W>) -> Session<W> {
        let (sender, events) = unbounded();
        Session::with_engine(Engine::new(sender), events, writer)
    }

    /// Creates a session where the system has no threads: the engine has those of the host, or works
    /// in [`Session::advance`].
    pub fn without_threads(output: W, host: Option<HostThreads>) -> Session<W> {
        let (sender, events) = unbounded();
        let engine = Engine::without_threads(sender, 1, host);
        Session::with_engine(engine, events, Writer::new(output))
    }

    fn with_engine(engine: Engine, events: Receiver<Event>, writer: Writer<W>) -> Session<W> {
        Session {
            engine,
            events,
            writer,
            protocol: Protocol::default(),
            rank_detection: RankDetection::default(),
            refused: None,
            banned: Vec::new(),
            search: None,
            answered: None,
            waiting: VecDeque::new(),
            input_ended: false,
            interactive: false,
        }
    }

    /// Handles a line of a client, for a session that [`Session::advance`] lets work. Returns true
    /// after `quit`.
    ///
    /// # Errors
    /// If the client no longer reads.
    pub fn receive(&mut self, text: &str) -> io::Result<bool> {
        let next = self.read(&InputLine::new(text, Instant::now()))?;
        self.catch_up()?;
        Ok(matches!(next, Next::End))
    }

    /// Lets a session without threads work for about the time `slice`, and writes what the engine
    /// has reported. Returns the time after which to call this again; `None` if only a line can
    /// bring new work.
    ///
    /// # Errors
    /// If the client no longer reads.
    pub fn advance(&mut self, slice: Duration) -> io::Result<Option<Duration>> {
        let time = self.engine.advance(slice);
        let mut begins = false;
        while let Ok(event) = self.events.try_recv() {
            self.write_event(event)?;
            let ended = self.search.is_none();
            self.catch_up()?;
            begins |= ended && self.search.is_some();
        }
        // A search that has waited for the last one to end has not worked yet.
        let time = if begins { Duration::ZERO } else { time.unwrap_or_default() };
        Ok(self.search.is_some().then_some(time))
    }

    /// Handles lines until `quit` or the end of the input.
    ///
    /// # Errors
    /// If the client no longer reads.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<SessionEnd> {
        let lines = read_ahead(input);
        let silence = never();
        loop {
            self.catch_up()?;
            if self.input_ended && self.search.is_none() {
                return Ok(SessionEnd::EndOfInput);
            }
            let input = if self.ignores_input() { &silence } else { &lines };
            select_biased! {
                recv(input) -> line => match line {
                    Ok(line) => {
                        if matches!(self.read(&line)?, Next::End) {
                            return Ok(SessionEnd::Quit);
                        }
                    }
                    Err(_) => self.input_ended = true,
                },
                recv(self.events) -> event => {
                    if let Ok(event) = event {
                        self.write_event(event)?;
                    }
                }
            }
        }
    }

    /// Returns whether input is ignored: at its end, and in UCCI's batch mode during a search, so
    /// that the next line of a file does not interrupt it.
    fn ignores_input(&self) -> bool {
        let ends_by_itself = self.search.as_ref().is_some_and(|search| !search.endless);
        self.input_ended || (self.engine.options().batch && ends_by_itself)
    }

    fn read(&mut self, line: &InputLine) -> io::Result<Next> {
        self.writer.received(&line.text);
        match Command::parse(&line.text) {
            Ok(Command::Quit) => {
                self.engine.stop();
                self.finish_search()?;
                if self.protocol == Protocol::Ucci {
                    self.writer.line("bye")?;
                }
                return Ok(Next::End);
            }
            Ok(command) if self.must_wait(&command) => {
                self.waiting.push_back((command, line.arrived));
            }
            Ok(command) => self.execute(command, line.arrived)?,
            Err(Unrecognized::Blank) => {}
            Err(Unrecognized::Unknown) => {
                let answers = self.interactive || self.engine.options().debug;
                if answers && !self.play_typed_move(&line.text)? {
                    let text = &line.text;
                    self.message(&format!("'{text}' is not a command; type 'help' for a list"))?;
                }
            }
        }
        Ok(Next::Continue)
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> io::Result<()> {
        let answered = self.answered.take();
        match command {
            Command::Handshake(protocol) => {
                self.protocol = protocol;
                // The client that waits for a move has shown its coordinates.
                if self.search.is_none() {
                    self.rank_detection = RankDetection::default();
                }
                let lines = protocol.handshake();
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
                self.name_unreadable("banmoves", &moves)?;
                let moves = self.legal_moves(&moves);
                self.banned.extend(moves);
                Ok(())
            }
            Command::Go(request) => self.go(&request, arrived),
            Command::Stop => {
                self.engine.stop();
                if let Some(search) = &mut self.search {
                    search.stopped = true;
                    return Ok(());
                }
                // The move that the client has not yet read is the answer; a second one would be
                // taken as that of its next `go`, and many resign at `nobestmove`.
                let crosses = answered.is_some_and(|at| arrived < at + CROSSING);
                // A UCCI client waits for an answer; a UCI client would take it for the next one.
                if self.protocol == Protocol::Ucci && !crosses {
                    return self.writer.line(self.protocol.no_move());
                }
                Ok(())
            }
            Command::PonderHit { draw } => {
                if let Some(search) = &mut self.search {
                    search.endless = search.endless_after_hit;
                    search.draw_offered |= draw;
                }
                self.engine.ponder_hit();
                Ok(())
            }
            Command::Probe(setup) => self.probe(&setup),
            Command::Debug(on) => self.set_option("debug", if on { "on" } else { "off" }),
            Command::Display => self.display(),
            Command::Eval => self.explain_evaluation(),
            Command::Bench(depth) => {
                self.bench(depth);
                Ok(())
            }
            Command::Help => self.help(),
            Command::Quit => Ok(()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        self.rank_detection.note_option(name);
        match self.engine.set_option(name, value) {
            Ok(OptionEffect::OpenLog) => {
                let path = self.engine.options().debug_log_file.clone();
                match self.writer.log_to(path.as_deref()) {
                    Ok(()) => Ok(()),
                    Err(error) => self
                        .message(&format!("option Debug Log File: cannot write {value}: {error}")),
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

    fn probe(&mut self, setup: &Setup) -> io::Result<()> {
        let found = match self.read_setup(setup, self.rank_detection) {
            Ok((position, _)) => self.engine.probe(&position),
            Err(_) if setup.is_blank() => self.engine.probe(self.engine.position()),
            Err(error) => {
                self.message(&error.to_string())?;
                None
            }
        };
        self.writer.line(&self.format().pop_hash(found.as_ref()))
    }

    /// Writes an event of the engine.
    fn write_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Pv(info) => self.write_pv(&info),
            Event::CurrentMove(current) => match self.format().current_move(&current) {
                Some(line) => self.writer.line(&line),
                None => Ok(()),
            },
            Event::Message(text) => self.message(&text),
            Event::Text(line) => self.writer.line(&line),
            Event::BestMove(conclusion) => self.conclude(&conclusion),
            Event::Done => {
                self.search = None;
                Ok(())
            }
        }
    }

    /// Waits for the move of a stopped search.
    fn finish_search(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + GRACE_PERIOD;
        while self.search.is_some() {
            self.engine.advance(Duration::ZERO);
            let left = deadline.saturating_duration_since(Instant::now());
            // Without threads the events are there, and waiting is not possible.
            let event = self.events.try_recv().ok();
            let Some(event) = event.or_else(|| self.events.recv_timeout(left).ok()) else { break };
            self.write_event(event)?;
        }
        Ok(())
    }

    fn format(&self) -> ReplyFormat {
        ReplyFormat { protocol: self.protocol, ranks: self.ranks() }
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.writer.line(&self.protocol.message(text))
    }
}

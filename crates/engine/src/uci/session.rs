//! The session: reads commands, lets the engine work, writes what it reports.
//!
//! One thread reads lines ahead, one (this) handles them and writes, and the engine has its own.
//! During a search, commands that need no idle engine are served at once; the others wait for its
//! end and are then executed in the order in which they came. `stop` and `ponderhit` wait for
//! nothing: they act on the last `go`, also on one that waits. A `go` that would have to wait for
//! an endless search (`infinite`, `ponder`, `mate` alone, or without limits) stops it.
//!
//! At the end of the input, work that ends by itself is finished and endless work is stopped, so
//! that `printf 'go depth 12\n' | cannonade` prints a move.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::mem;
use std::thread;

use cannonade_tables::OpenedTables;
use crossbeam_channel::{Receiver, never, select_biased, unbounded};
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position};
use xiangqi::notation::Ranks;
use xiangqi::rules::RuleSet;

use super::command::{Command, Setup, SetupError, Unrecognized};
use super::go::GoRequest;
use super::lines::{InputLine, QueuedOutput, Writer, read_ahead};
use super::reply::{Offer, Protocol, ReplyFormat};
use crate::bench::{self, BenchedPosition};
use crate::search::{Bound, PvInfo, Score};
use crate::{Conclusion, Engine, Event, HostThreads, OptionEffect, OptionError, perft};

/// Time after `quit` in which a stopped search may send its move, and a slow client may read on,
/// before the process ends.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// Time after a move in which a `stop` of a UCCI client was sent before the move was read.
const CROSSING: Duration = Duration::from_millis(200);

/// With a clock, the engine resigns when mated in at most this many moves (UCCI).
const RESIGN_MOVES: i32 = 2;

/// A draw is accepted when the engine's own score is at most this, in centipawns (UCCI).
const DRAW_SCORE: i32 = 0;

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

/// State between `go` and `bestmove`, or during a perft or benchmark.
#[derive(Default)]
struct RunningSearch {
    /// True if only `stop` ends it.
    endless: bool,
    /// True if only `stop` ends it after `ponderhit`.
    endless_after_hit: bool,
    draw_offered: bool,
    has_clock: bool,
    /// True if a principal variation was reported.
    reported: bool,
    /// True if the client has sent `stop`, or a `go` that ends an endless search.
    stopped: bool,
}

/// A command that waits for the end of the running search.
struct Waiting {
    command: Command,
    arrived: Instant,
    /// `stop` and `ponderhit` that came for this command since: they take effect when it begins.
    flags: Vec<Command>,
}

/// What the client has shown of how it counts ranks.
#[derive(Clone, Copy, Default)]
struct ClientRanks {
    /// The reading in which alone its moves were legal.
    found: Option<Ranks>,
    sent_variant: bool,
    sent_chess960: bool,
}

impl ClientRanks {
    /// Returns the likely ranks. `UCI_Variant` alone means nothing: uci2wb sends it and counts from
    /// 0. A client that sends `UCI_Chess960` besides it counts from 1 (liground).
    fn likely(self, protocol: Protocol) -> Ranks {
        let from_one = self.sent_variant && self.sent_chess960 && protocol == Protocol::Uci;
        self.found.unwrap_or(if from_one { Ranks::FromOne } else { Ranks::FromZero })
    }
}

/// A conversation with one client, over any reader and writer.
pub struct Session<W> {
    pub(crate) engine: Engine,
    events: Receiver<Event>,
    pub(crate) writer: Writer<W>,
    protocol: Protocol,
    client_ranks: ClientRanks,
    /// Reason why the last `position` was refused. The engine keeps the position before.
    pub(crate) refused: Option<String>,
    banned: Vec<Move>,
    search: Option<RunningSearch>,
    /// Instant at which the last search ended without a `stop`, until the next command.
    answered: Option<Instant>,
    waiting: VecDeque<Waiting>,
    input_ended: bool,
    /// True if a person types.
    pub(crate) interactive: bool,
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
            client_ranks: ClientRanks::default(),
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
            Ok(command) => self.take(command, line.arrived)?,
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

    /// Executes a command, or lets it wait for the end of the running search.
    fn take(&mut self, command: Command, arrived: Instant) -> io::Result<()> {
        let Some(search) = &self.search else { return self.execute(command, arrived) };
        let one_asks = self.waiting.iter().any(|waiting| asks(&waiting.command));
        let last_go = self.waiting.iter_mut().rev().find(|waiting| starts_work(&waiting.command));
        let waits = match command {
            Command::Stop | Command::PonderHit { .. } => {
                if let Some(go) = last_go {
                    if command == Command::Stop {
                        self.engine.stop();
                    }
                    go.flags.push(command);
                    return Ok(());
                }
                false
            }
            Command::Probe(_) | Command::Debug(_) | Command::Help | Command::Quit => false,
            Command::Display | Command::Eval => !self.waiting.is_empty(),
            // After `stop` the engine is ready once it has done what waits, such as clearing a
            // table; a search that runs or waits delays no answer.
            Command::Handshake(_) | Command::IsReady => {
                search.stopped && (one_asks || (last_go.is_none() && !self.waiting.is_empty()))
            }
            Command::NewGame
            | Command::SetOption { .. }
            | Command::Position(_)
            | Command::BanMoves(_)
            | Command::Go(_)
            | Command::Bench(_) => true,
        };
        if !waits {
            return self.execute(command, arrived);
        }
        self.waiting.push_back(Waiting { command, arrived, flags: Vec::new() });
        Ok(())
    }

    /// Executes the commands that waited for the end of a search, and stops an endless search when
    /// nothing else can end it.
    fn catch_up(&mut self) -> io::Result<()> {
        while self.search.is_none() {
            let Some(Waiting { command, arrived, flags }) = self.waiting.pop_front() else { break };
            // Only a clock runs while its `go` waits.
            let runs = matches!(&command, Command::Go(request) if request.has_clock());
            self.execute(command, if runs { arrived } else { Instant::now() })?;
            for flag in flags {
                self.execute(flag, arrived)?;
            }
        }
        if self.search.as_ref().is_some_and(|search| !search.stopped) {
            // A search that goes on delays none of these.
            let (asked, others): (VecDeque<_>, VecDeque<_>) =
                mem::take(&mut self.waiting).into_iter().partition(|one| asks(&one.command));
            self.waiting = others;
            for Waiting { command, arrived, .. } in asked {
                self.execute(command, arrived)?;
            }
        }
        let another_waits = self.waiting.iter().any(|waiting| starts_work(&waiting.command));
        if let Some(search) = self.search.as_mut().filter(|search| search.endless)
            && (another_waits || self.input_ended)
        {
            search.stopped = true;
            self.engine.stop();
        }
        Ok(())
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> io::Result<()> {
        let answered = self.answered.take();
        match command {
            Command::Handshake(protocol) => {
                self.protocol = protocol;
                // The client that waits for a move has shown its coordinates.
                if self.search.is_none() {
                    self.client_ranks = ClientRanks::default();
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
        let is = |other: &str| name.trim().eq_ignore_ascii_case(other);
        self.client_ranks.sent_variant |= is("UCI_Variant");
        self.client_ranks.sent_chess960 |= is("UCI_Chess960");
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

    /// Sets the position, or refuses the whole of it if anything is wrong.
    fn set_position(&mut self, setup: &Setup) -> io::Result<()> {
        match self.read_setup(setup) {
            Ok((position, ranks)) => {
                if setup.has_moves() {
                    self.client_ranks.found = Some(ranks);
                }
                self.use_position(position);
                Ok(())
            }
            Err(error) => {
                let message = format!("position refused: {error}");
                self.refused = Some(message.clone());
                self.message(&message)
            }
        }
    }

    pub(crate) fn use_position(&mut self, position: Position) {
        self.engine.set_position(position);
        self.refused = None;
        self.banned.clear();
    }

    /// Returns the position, and the coordinates in which its moves are legal.
    fn read_setup(&self, setup: &Setup) -> Result<(Position, Ranks), SetupError> {
        match self.engine.options().ranks {
            Some(fixed) => setup.position(fixed).map(|position| (position, fixed)),
            None => setup.position_in_either(self.ranks()),
        }
    }

    /// Returns the moves of the client that are legal in the position. They show its coordinates
    /// less surely than those of a game, since a client may send illegal ones.
    fn legal_moves(&mut self, words: &[String]) -> Vec<Move> {
        let position = self.engine.position();
        let legal = |ranks: Ranks| -> Vec<Move> {
            let read = words.iter().filter_map(|word| ranks.read(word));
            read.filter(|&mv| position.check_move(mv).is_ok()).collect()
        };
        let likely = self.ranks();
        let (moves, others) = (legal(likely), legal(likely.other()));
        let is_open = self.engine.options().ranks.is_none()
            && self.protocol == Protocol::Uci
            && self.client_ranks.found.is_none();
        if is_open && moves.is_empty() && others.len() == words.len() && !words.is_empty() {
            self.client_ranks.found = Some(likely.other());
            return others;
        }
        moves
    }

    /// Reports the words that are not moves.
    fn name_unreadable(&mut self, command: &str, words: &[String]) -> io::Result<()> {
        let is_move = |word: &&String| {
            Ranks::FromZero.read(word).is_some() || Ranks::FromOne.read(word).is_some()
        };
        let wrong: Vec<&str> =
            words.iter().filter(|word| !is_move(word)).map(String::as_str).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        self.message(&format!("{command}: not a move: {}", wrong.join(" ")))
    }

    fn probe(&mut self, setup: &Setup) -> io::Result<()> {
        let found = match self.read_setup(setup) {
            Ok((position, _)) => self.engine.probe(&position),
            Err(_) if setup.is_blank() => self.engine.probe(self.engine.position()),
            Err(error) => {
                self.message(&error.to_string())?;
                None
            }
        };
        self.writer.line(&self.format().pop_hash(found.as_ref()))
    }

    fn go(&mut self, request: &GoRequest, arrived: Instant) -> io::Result<()> {
        if let Some(refused) = self.refused.clone() {
            self.message(&format!("{refused}; there is no position to search"))?;
        } else if let Some(depth) = request.perft() {
            self.perft(depth);
            return Ok(());
        } else if request.is_static() && self.protocol == Protocol::Ucci {
            let score = self.protocol.static_score(self.engine.evaluate());
            self.answered = Some(Instant::now());
            // Two writes: while the client does not read, those that begin with a score are
            // dropped.
            self.writer.line(&score)?;
            return self.writer.line(self.protocol.no_move());
        } else if let Some(malformed) = request.malformed() {
            let text = format!("go: '{malformed}' is not a limit; searching to depth 1");
            self.message(&text)?;
        }
        let seconds = self.protocol == Protocol::Ucci && !self.engine.options().use_millisec;
        let unit = if seconds { Duration::from_secs(1) } else { Duration::from_millis(1) };
        let mut limits = request.limits(self.engine.position().side(), unit);
        self.name_unreadable("go searchmoves", request.search_moves())?;
        limits.search_moves = self.legal_moves(request.search_moves());
        limits.banned_moves.clone_from(&self.banned);
        let nothing_legal = limits.search_moves.is_empty() && !request.search_moves().is_empty();
        if nothing_legal && self.refused.is_none() {
            let moves = request.search_moves().join(" ");
            self.message(&format!("go: none of the searchmoves is legal: {moves}"))?;
        }
        if self.refused.is_some() || nothing_legal {
            // No other move may be the answer; the client notices the missing move.
            limits.banned_moves = self.engine.position().legal_moves().into_iter().collect();
        }
        if self.protocol == Protocol::Uci && self.refused.is_none() && self.is_lost() {
            self.writer.line(&self.protocol.static_score(Score::Mate(0)))?;
        }
        self.engine.go(limits, arrived);
        self.search = Some(RunningSearch {
            endless: request.is_endless(),
            endless_after_hit: request.is_endless_after_hit(),
            draw_offered: request.offers_draw(),
            has_clock: request.has_clock(),
            reported: false,
            stopped: false,
        });
        Ok(())
    }

    /// Returns whether the side to move has no legal move, in check or not.
    fn is_lost(&self) -> bool {
        !self.engine.position().has_legal_move()
    }

    fn perft(&mut self, depth: u32) {
        let (position, ranks) = (self.engine.position().clone(), self.ranks());
        self.engine.run_in_background(move |task| {
            let print = |line| task.print(line);
            perft::run(position, depth, ranks, print, || task.is_stopped());
        });
        self.search = Some(RunningSearch::default());
    }

    fn bench(&mut self, depth: Option<u32>) {
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH).max(1);
        self.engine.run_in_background(move |task| {
            let rules = RuleSet::default();
            let report = |position: BenchedPosition| task.print(position.to_string());
            let summary = bench::run(depth, rules, report, || task.is_stopped());
            task.print(summary.to_string());
        });
        self.search = Some(RunningSearch::default());
    }

    fn write_pv(&mut self, info: &PvInfo) -> io::Result<()> {
        let pieces = self.engine.position().board().occupied().len();
        let wdl_of = self.engine.options().show_wdl.then_some(pieces);
        let Some(line) = self.format().report(info, wdl_of) else { return Ok(()) };
        if let Some(search) = &mut self.search {
            search.reported = true;
        }
        self.writer.line(&line)
    }

    /// Writes the result of a search.
    fn conclude(&mut self, conclusion: &Conclusion) -> io::Result<()> {
        let search = self.search.take().unwrap_or_default();
        self.answered = (!search.stopped).then(Instant::now);
        if conclusion.broken {
            self.message("a search thread failed; please report this position")?;
        }
        let Some(best) = conclusion.best else {
            return self.writer.line(self.protocol.no_move());
        };
        if !search.reported {
            self.write_pv(&self.shallow_info(best, conclusion))?;
        }
        let offer = offer(&search, conclusion);
        self.writer.line(&self.format().best_move(best, conclusion.ponder, offer))
    }

    /// Returns the known figures of a move when the search ended before its first depth: some
    /// clients wait for a line with a score.
    fn shallow_info(&self, best: Move, conclusion: &Conclusion) -> PvInfo {
        let &Conclusion { score, bound, depth, nodes, time, .. } = conclusion;
        let score = if depth > 0 { score } else { self.engine.evaluate() };
        PvInfo { nodes, time, ..PvInfo::new(1, score, bound, vec![best]) }
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

    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    pub(crate) fn ranks(&self) -> Ranks {
        let fixed = self.engine.options().ranks;
        fixed.unwrap_or_else(|| self.client_ranks.likely(self.protocol))
    }

    fn format(&self) -> ReplyFormat {
        ReplyFormat { protocol: self.protocol, ranks: self.ranks() }
    }

    pub(crate) fn message(&mut self, text: &str) -> io::Result<()> {
        self.writer.line(&self.protocol.message(text))
    }
}

/// Returns whether a client waits for the answer to a command, whatever the engine does.
fn asks(command: &Command) -> bool {
    matches!(command, Command::Handshake(_) | Command::IsReady)
}

/// Returns whether a command starts work of the engine.
fn starts_work(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_))
}

/// Returns the addition of a UCCI engine to this move.
fn offer(search: &RunningSearch, conclusion: &Conclusion) -> Offer {
    // The true score may be better than a lower bound.
    let known = conclusion.depth > 0 && conclusion.bound != Bound::Lower;
    match conclusion.score {
        Score::Mate(moves) if known && search.has_clock && (-RESIGN_MOVES..=0).contains(&moves) => {
            Offer::Resign
        }
        score if known && search.draw_offered && score.centipawns() <= DRAW_SCORE => Offer::Draw,
        _ => Offer::None,
    }
}

#[cfg(test)]
mod tests {
    //! The instants at which commands arrive, which a client cannot choose exactly.

    use super::*;

    /// Reads a line that arrives at this instant, and writes what the engine says to it.
    fn read<W: Write>(session: &mut Session<W>, text: &str, arrived: Instant) {
        session.read(&InputLine::new(text, arrived)).expect("a sound output");
        while session.search.is_some() {
            let event = session.events.recv().expect("an engine");
            session.write_event(event).expect("a sound output");
        }
    }

    /// A client cannot know that its `stop` crosses the move, and resigns at `nobestmove`.
    #[test]
    fn a_stop_that_crosses_the_move_has_no_answer_of_its_own() {
        let mut output = Vec::new();
        let mut session = Session::new(Writer::new(&mut output));
        read(&mut session, "ucci", Instant::now());
        for (go, late) in [("go depth 1", false), ("go depth 1", true), ("go depth 0", false)] {
            read(&mut session, go, Instant::now());
            let answered = session.answered.expect("the time of the move");
            let delay = if late { CROSSING } else { CROSSING - Duration::from_nanos(1) };
            read(&mut session, "stop", answered + delay);
            // Only one line can cross the move.
            assert_eq!(session.answered, None);
        }
        drop(session);
        let text = String::from_utf8(output).expect("text");
        let words = text.lines().filter_map(|line| line.split(' ').next());
        let answers: Vec<&str> = words.filter(|word| word.ends_with("bestmove")).collect();
        assert_eq!(answers, ["bestmove", "bestmove", "nobestmove", "nobestmove"], "{text}");
    }
}

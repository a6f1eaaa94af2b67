//! The one engine and the pages that share it.
//!
//! It has all threads and one transposition table, so a single page has the whole machine. A page
//! has one task at a time: a new one replaces the one before. While several pages have tasks they
//! take turns; an analysis that is interrupted goes to the end, and the transposition table gives it
//! back its depth. A turn is shorter the more pages wait, so that all of them have theirs within
//! [`ROUND`] or little more. A move is played after [`MOVE_SHARE`] at the latest while others wait.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use cannonade_book::Book;
use cannonade_engine::search::{Bound, Limits, PvInfo, Score};
use cannonade_engine::{Conclusion, Engine, Event, OptionError};
use cannonade_tables::random::{Random, fresh_seed};
use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position};
use xiangqi::notation::{Notation, write_line};
use xiangqi::rules::RuleSet;

use super::books::drawn_move;
use super::streams::{BestMove, EventSender, FoundLine, FoundLines, SearchEvent};
use super::trees::FoundScore;

/// The time in which all waiting pages have a turn.
const ROUND: Duration = Duration::from_secs(3);

/// The minimum and maximum turn of a search without an end while others wait.
const SHARES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The maximum time of a search for a move while others wait.
const MOVE_SHARE: Duration = Duration::from_secs(5);

/// The interval at which a running search is checked for being still wanted.
const CHECK: Duration = Duration::from_secs(1);

/// The moves of a line that are sent.
const LINE_MOVES: usize = 24;

/// A task of the engine for one page.
pub(super) struct Task {
    /// The page that has asked, by the name that it has given itself.
    pub(super) page: String,
    pub(super) rules: RuleSet,
    /// The strength as `UCI_Elo`; `None` is full strength.
    pub(super) elo: Option<u32>,
    pub(super) limits: Limits,
    pub(super) is_started: bool,
    pub(super) work: Work,
    pub(super) events: EventSender,
}

/// What the engine is to search.
pub(super) enum Work {
    /// One position.
    Search {
        position: Box<Position>,
        notation: Notation,
        /// The opening book from which a move is drawn instead of a search.
        book: Option<Arc<Book>>,
        /// The lines found so far, the best first.
        found: Vec<PvInfo>,
    },
    /// All positions of a line by the half-moves before them, the next one last. A search from the
    /// end leaves in the transposition table what helps before it.
    Line { positions: Vec<(usize, Position)> },
}

impl Task {
    /// Returns the position to search next.
    fn next(&self) -> Option<&Position> {
        match &self.work {
            Work::Search { position, .. } => Some(position.as_ref()),
            Work::Line { positions } => positions.last().map(|(_, position)| position),
        }
    }

    /// Takes a line of the engine.
    fn report(&mut self, line: &PvInfo) {
        if line.bound != Bound::Exact {
            return;
        }
        let Work::Search { position, notation, found, .. } = &mut self.work else { return };
        if !insert(found, line, self.limits.multi_pv) {
            return;
        }
        let last = found.iter().max_by_key(|line| line.nodes);
        self.events.send(SearchEvent::Lines(FoundLines {
            nodes: last.map_or(0, |line| line.nodes),
            nps: last.map_or(0, PvInfo::nps),
            time: last.map_or(0, |line| milliseconds(line.time)),
            hashfull: last.map_or(0, |line| line.hashfull),
            lines: found.iter().map(|line| found_line(line, position, *notation)).collect(),
        }));
    }

    /// Tells the end of a search of one position, and returns whether the task has ended.
    fn conclude(&mut self, conclusion: &Conclusion) -> bool {
        match &mut self.work {
            Work::Search { position, found, .. } => {
                let known = found.iter().find(|line| line.multi_pv <= 1);
                let score = concluded(conclusion, known, position);
                self.events.send(SearchEvent::Best(BestMove {
                    mv: conclusion.best.as_ref().map(Move::to_string),
                    score: self.elo.is_none().then_some(score),
                    book: false,
                    time: milliseconds(conclusion.time),
                }));
                true
            }
            Work::Line { positions } => {
                if let Some((ply, position)) = positions.pop() {
                    let score = concluded(conclusion, None, &position);
                    self.events.send(SearchEvent::Value { ply, score });
                }
                self.skip_ended()
            }
        }
    }

    /// Tells the values of positions that the engine does not search; returns whether none is left.
    pub(super) fn skip_ended(&mut self) -> bool {
        let Work::Line { positions } = &mut self.work else { return false };
        while let Some((ply, position)) = positions.last() {
            if position.has_legal_move() {
                return false;
            }
            let score = FoundScore::new(Score::Mate(0), 0, &[], position);
            self.events.send(SearchEvent::Value { ply: *ply, score });
            positions.pop();
        }
        true
    }
}

/// Returns the value of a position at the end of its search; the last line reported has more moves.
fn concluded(conclusion: &Conclusion, known: Option<&PvInfo>, position: &Position) -> FoundScore {
    match known.filter(|line| {
        line.depth >= conclusion.depth && line.pv.first() == conclusion.best.as_ref()
    }) {
        Some(line) => FoundScore::new(line.score, line.depth, &line.pv, position),
        None => {
            let line: Vec<Move> = conclusion.best.into_iter().chain(conclusion.ponder).collect();
            FoundScore::new(conclusion.score, conclusion.depth, &line, position)
        }
    }
}

/// Keeps a line, and at most `most` lines. It replaces an older one with the same move or rank. Lines
/// of the last depth stand before those of the depth before, which its search has not replaced yet.
/// Returns whether it was kept.
fn insert(found: &mut Vec<PvInfo>, line: &PvInfo, most: usize) -> bool {
    // A search that is resumed after a turn of others begins with the first depth again.
    if found.iter().any(|known| known.depth > line.depth && known.multi_pv <= 1) {
        return false;
    }
    found.retain(|known| {
        let is_same_rank = known.depth == line.depth && known.multi_pv == line.multi_pv;
        known.pv.first() != line.pv.first() && !is_same_rank
    });
    found.push(line.clone());
    found.sort_by_key(|line| (std::cmp::Reverse(line.depth), line.multi_pv));
    found.truncate(most);
    true
}

fn found_line(line: &PvInfo, position: &Position, notation: Notation) -> FoundLine {
    let moves: Vec<Move> = line.pv.iter().copied().take(LINE_MOVES).collect();
    FoundLine {
        score: FoundScore::new(line.score, line.depth, &[], position),
        moves: moves.iter().map(Move::to_string).collect(),
        texts: write_line(position, &moves, notation),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A message to the engine.
pub(super) enum EngineMessage {
    /// A task in place of the one before of its page.
    Start(Box<Task>),
    /// The page wants nothing.
    Stop(String),
    /// The page wants the move of its search now.
    MoveNow(String),
    /// A page may have left its stream.
    Review,
    /// The server ends.
    End,
}

/// The reason why the running search was stopped before its limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    /// Its result counts.
    WithResult,
    /// Others wait; it goes on later.
    EndOfTurn,
    /// Its page does not want it.
    Unwanted,
}

struct Running {
    task: Box<Task>,
    since: Instant,
    stopped: Option<StopReason>,
}

/// The tasks of all pages, and the one that the engine works on.
pub(super) struct Turns {
    engine: Engine,
    events: Receiver<Event>,
    messages: Receiver<EngineMessage>,
    waiting: VecDeque<Box<Task>>,
    running: Option<Running>,
    rules: RuleSet,
    elo: Option<u32>,
    /// For the choice among book moves.
    random: Random,
}

impl Turns {
    pub(super) fn new(
        engine: Engine,
        events: Receiver<Event>,
        messages: Receiver<EngineMessage>,
    ) -> Turns {
        Turns {
            engine,
            events,
            messages,
            waiting: VecDeque::new(),
            running: None,
            rules: RuleSet::default(),
            elo: None,
            random: Random::new(fresh_seed()),
        }
    }

    /// Lets an engine without threads work for about the time `slice`, and reads its events. Returns
    /// the time after which to call this again; `None` if only a message can bring new work.
    pub(super) fn advance(&mut self, slice: Duration) -> Option<Duration> {
        while let Ok(message) = self.messages.try_recv() {
            self.receive(message);
        }
        self.review();
        self.start_next();
        let slice = self.time_for_others().map_or(slice, |time| time.min(slice));
        let work = self.engine.advance(slice);
        while let Ok(event) = self.events.try_recv() {
            self.take(event);
        }
        // The end of a search may have brought another one.
        let has_next =
            !self.messages.is_empty() || self.running.is_none() && !self.waiting.is_empty();
        let check = self.running.as_ref().map(|_| CHECK);
        let next = has_next.then_some(Duration::ZERO);
        [next, work, self.time_for_others(), check].into_iter().flatten().min()
    }

    /// Works until the end.
    fn run(mut self) {
        self.engine.prepare();
        loop {
            self.start_next();
            let alarm = match &self.running {
                Some(Running { stopped: None, .. }) => {
                    after(self.time_for_others().map_or(CHECK, |time| time.min(CHECK)))
                }
                _ => never(),
            };
            select! {
                recv(self.messages) -> message => match message {
                    Ok(EngineMessage::End) | Err(_) => return,
                    Ok(message) => self.receive(message),
                },
                recv(self.events) -> event => if let Ok(event) = event {
                    self.take(event);
                },
                recv(alarm) -> _ => {}
            }
            self.review();
        }
    }

    fn receive(&mut self, message: EngineMessage) {
        match message {
            EngineMessage::Start(mut task) => {
                self.stop_page(&task.page);
                if !task.skip_ended() {
                    self.waiting.push_back(task);
                }
            }
            EngineMessage::Stop(page) => self.stop_page(&page),
            EngineMessage::MoveNow(page) => self.hurry(&page),
            EngineMessage::Review | EngineMessage::End => {}
        }
    }

    fn stop_page(&mut self, page: &str) {
        self.waiting.retain(|task| task.page != page);
        if self.running.as_ref().is_some_and(|running| running.task.page == page) {
            self.stop(StopReason::Unwanted);
        }
    }

    /// Ends the search for the move of a page, or lets it be a short one if it still waits.
    fn hurry(&mut self, page: &str) {
        if self.running.as_ref().is_some_and(|running| running.task.page == page) {
            self.stop(StopReason::WithResult);
        }
        for task in self.waiting.iter_mut().filter(|task| task.page == page) {
            let shortest = Some(Duration::from_millis(10));
            task.limits = Limits { move_time: shortest, multi_pv: 1, ..Limits::default() };
        }
    }

    fn stop(&mut self, reason: StopReason) {
        let Some(running) = &mut self.running else { return };
        if running.stopped.is_none() {
            self.engine.stop();
        }
        // What was stopped for another reason may become unwanted.
        if running.stopped.is_none() || reason == StopReason::Unwanted {
            running.stopped = Some(reason);
        }
    }

    /// Starts the first task that is still wanted, if nothing runs. What a book answers needs no
    /// engine.
    fn start_next(&mut self) {
        while self.running.is_none()
            && let Some(mut task) = self.waiting.pop_front()
        {
            if !task.events.is_heard() {
                continue;
            }
            if !task.is_started {
                task.events.send(SearchEvent::Started {});
                task.is_started = true;
            }
            if let Work::Search { position, book: Some(book), .. } = &task.work
                && let Some(mv) = drawn_move(book, position, &mut self.random)
            {
                let mv = Some(mv.to_string());
                task.events.send(SearchEvent::Best(BestMove {
                    mv,
                    score: None,
                    book: true,
                    time: 0,
                }));
                continue;
            }
            let Some(position) = task.next().cloned() else { continue };
            self.set_options(&task);
            if task.limits.nodes.is_some() {
                // What others have left in the table would change the result.
                self.engine.new_game();
            }
            self.engine.set_position(position);
            let since = Instant::now();
            self.engine.go(task.limits.clone(), since);
            self.running = Some(Running { task, since, stopped: None });
        }
    }

    /// Sets the options in which the task differs from the one before.
    fn set_options(&mut self, task: &Task) {
        if self.rules != task.rules {
            // The name of a rule set is a value of the option.
            let _ = self.engine.set_option("RepetitionRule", task.rules.name());
            self.rules = task.rules;
        }
        if self.elo != task.elo {
            let _ = self.engine.set_option("UCI_LimitStrength", &task.elo.is_some().to_string());
            if let Some(elo) = task.elo {
                let _ = self.engine.set_option("UCI_Elo", &elo.to_string());
            }
            self.elo = task.elo;
        }
    }

    /// Returns the time after which another task has its turn.
    fn time_for_others(&self) -> Option<Duration> {
        let running = self.running.as_ref().filter(|running| running.stopped.is_none())?;
        if self.waiting.is_empty() {
            return None;
        }
        let left = self.share(&running.task).saturating_sub(running.since.elapsed());
        Some(left.max(Duration::from_millis(1)))
    }

    /// Returns the time of a task while others wait.
    fn share(&self, task: &Task) -> Duration {
        let [shortest, longest] = SHARES;
        if !task.limits.infinite {
            return MOVE_SHARE;
        }
        let pages = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX).saturating_add(1);
        (ROUND / pages).clamp(shortest, longest)
    }

    /// Stops the running search if it is no longer wanted, or if its turn is over and others wait.
    fn review(&mut self) {
        let Some(Running { task, since, stopped: None }) = &self.running else { return };
        let reason = if !task.events.is_heard() {
            StopReason::Unwanted
        } else if self.waiting.is_empty() || since.elapsed() < self.share(task) {
            return;
        } else if task.limits.infinite {
            StopReason::EndOfTurn
        } else {
            StopReason::WithResult
        };
        self.stop(reason);
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Pv(line) => {
                if let Some(Running { task, stopped: None, .. }) = &mut self.running {
                    task.report(&line);
                }
            }
            Event::BestMove(conclusion) => self.conclude(&conclusion),
            Event::CurrentMove(_) | Event::Message(_) | Event::Text(_) | Event::Done => {}
        }
    }

    fn conclude(&mut self, conclusion: &Conclusion) {
        let Some(Running { mut task, stopped, .. }) = self.running.take() else { return };
        let is_over = match stopped {
            Some(StopReason::Unwanted) => true,
            Some(StopReason::EndOfTurn) => false,
            Some(StopReason::WithResult) | None => task.conclude(conclusion),
        };
        if !is_over {
            self.waiting.push_back(task);
        }
    }
}

/// The engine of a server, on a thread of its own.
pub(super) struct EngineThread {
    sender: Sender<EngineMessage>,
    thread: Option<JoinHandle<()>>,
}

impl EngineThread {
    /// Lets the engine work until the end.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(
        engine: Engine,
        events: Receiver<Event>,
    ) -> Result<EngineThread, OptionError> {
        let (sender, messages) = unbounded();
        let turns = Turns::new(engine, events, messages);
        let thread = thread::Builder::new().name("web engine".to_owned());
        let thread = thread.spawn(move || turns.run()).map_err(|error| OptionError::Refused {
            name: "Threads",
            reason: format!("cannot start a thread: {error}"),
        })?;
        Ok(EngineThread { sender, thread: Some(thread) })
    }

    pub(super) fn sender(&self) -> &Sender<EngineMessage> {
        &self.sender
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        let _ = self.sender.send(EngineMessage::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

//! The queue of the sessions that use the engine.
//!
//! All sessions share one [`Engine`] with all its threads and one transposition table, which keeps
//! what each rule set has found, so a single tab has the whole machine. Each session has at most
//! one search in the queue, and the queue is served first come, first served. While others wait, an
//! analysis is stopped when its turn is over and goes to the end of the queue; the transposition
//! table gives it back its depth when its turn comes. A turn is shorter the more sessions wait, so
//! that all of them have their turn within [`ROUND`] or little more. A move is played after
//! [`MOVE_SHARE`] at the latest while others wait.
//!
//! The levels below full strength answer soon, and an opening book at once. Their moves are handed
//! over no sooner than after [`PACE`], so that a person can follow the game; meanwhile others have
//! the engine.

use std::collections::VecDeque;

use cannonade_engine::search::{Bound, Limits};
use cannonade_engine::{Conclusion, Engine, Event};
use cannonade_tables::random::{Random, fresh_seed};
use crossbeam_channel::{Receiver, after, never, select};
use web_time::{Duration, Instant};
use xiangqi::rules::RuleSet;

use super::books::drawn_move;
use super::search_request::{
    MoveSearch, PoolMessage, QueuedSearch, SearchKind, SearchResult, ThinkingTime,
};

/// The time in which all waiting analyses have a turn.
const ROUND: Duration = Duration::from_secs(3);

/// The minimum and maximum turn of an analysis while others wait.
const ANALYSIS_SHARES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The maximum time of a search for a move while others wait.
const MOVE_SHARE: Duration = Duration::from_secs(5);

/// The minimum time from the start of a search at a level to its move.
const PACE: Duration = Duration::from_millis(400);

/// The interval at which a running search is checked for being still wanted.
const CHECK: Duration = Duration::from_secs(5);

/// The reason why the running search was stopped before its limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    /// The move is wanted now; its result counts.
    WithResult,
    /// Others wait; it goes on later.
    EndOfTurn,
    /// No client wants it.
    Unwanted,
}

struct ActiveSearch {
    search: Box<QueuedSearch>,
    since: Instant,
    stopped: Option<StopReason>,
}

/// The searches that wait for the engine, and the one that runs.
pub(super) struct SearchQueue {
    engine: Engine,
    events: Receiver<Event>,
    messages: Receiver<PoolMessage>,
    queue: VecDeque<Box<QueuedSearch>>,
    running: Option<ActiveSearch>,
    /// Moves of levels and of books, and the times at which they are to be handed over.
    held: Vec<(Instant, Box<QueuedSearch>, SearchResult)>,
    /// The values of the engine's options.
    rules: RuleSet,
    elo: Option<u32>,
    /// For the choice among book moves.
    random: Random,
}

impl SearchQueue {
    /// Creates a queue for an engine with its events, and the messages of the clients.
    pub(super) fn new(
        engine: Engine,
        events: Receiver<Event>,
        messages: Receiver<PoolMessage>,
    ) -> SearchQueue {
        SearchQueue {
            engine,
            events,
            messages,
            queue: VecDeque::new(),
            running: None,
            held: Vec::new(),
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
        self.hand_over();
        self.start_next();
        let slice = self.time_for_others().map_or(slice, |time| time.min(slice));
        let work = self.engine.advance(slice);
        while let Ok(event) = self.events.try_recv() {
            self.pass_on(event);
        }
        // The end of a search may have brought another one.
        let has_next =
            !self.messages.is_empty() || self.running.is_none() && !self.queue.is_empty();
        let next = has_next.then_some(Duration::ZERO);
        [next, work, self.time_to_look()].into_iter().flatten().min()
    }

    /// Serves messages until the end.
    pub(super) fn run(mut self) {
        self.engine.prepare();
        loop {
            self.hand_over();
            self.start_next();
            let alarm = match self.time_to_look() {
                Some(time) => after(time),
                None => never(),
            };
            select! {
                recv(self.messages) -> message => match message {
                    Ok(PoolMessage::End) | Err(_) => return,
                    Ok(message) => self.receive(message),
                },
                recv(self.events) -> event => if let Ok(event) = event {
                    self.pass_on(event);
                },
                recv(alarm) -> _ => {}
            }
            self.review();
        }
    }

    fn receive(&mut self, message: PoolMessage) {
        match message {
            PoolMessage::Enqueue(search) => self.queue.push_back(search),
            PoolMessage::Reconsider | PoolMessage::End => {}
            PoolMessage::MoveNow(number) => self.hurry(number),
        }
    }

    /// Starts the first search of the queue that is still wanted, if nothing runs. A search that a
    /// book answers needs no engine.
    fn start_next(&mut self) {
        while self.running.is_none()
            && let Some(search) = self.queue.pop_front()
        {
            if !search.client.wants(search.number) {
                search.client.finished(search.number, None);
                continue;
            }
            let from_book = search.book.as_ref();
            let from_book =
                from_book.and_then(|book| drawn_move(book, &search.position, &mut self.random));
            if let Some(mv) = from_book {
                search.client.started(search.number);
                self.hold(Instant::now(), search, SearchResult::FromBook(mv));
                continue;
            }
            self.set_options(&search);
            search.client.started(search.number);
            self.engine.set_position(search.position.clone());
            let since = Instant::now();
            self.engine.go(limits(&search.kind), since);
            self.running = Some(ActiveSearch { search, since, stopped: None });
        }
    }

    /// Sets the options in which the search differs from the last one.
    fn set_options(&mut self, search: &QueuedSearch) {
        if self.rules != search.rules {
            // The name of a rule set is a value of the option.
            let _ = self.engine.set_option("RepetitionRule", search.rules.name());
            self.rules = search.rules;
        }
        let elo = match search.kind {
            SearchKind::Move(wanted) => wanted.elo,
            SearchKind::Analysis { .. } | SearchKind::Valuation { .. } => None,
        };
        if self.elo != elo {
            let _ = self.engine.set_option("UCI_LimitStrength", &elo.is_some().to_string());
            if let Some(elo) = elo {
                let _ = self.engine.set_option("UCI_Elo", &elo.to_string());
            }
            self.elo = elo;
        }
    }

    /// Returns the time after which the queue must be checked again.
    fn time_to_look(&self) -> Option<Duration> {
        let check = self.active().map(|_| CHECK);
        check.into_iter().chain(self.time_for_others()).min()
    }

    /// Returns the time after which another search has its turn or a move is due.
    fn time_for_others(&self) -> Option<Duration> {
        let now = Instant::now();
        let end_of_turn = self.active().filter(|_| !self.queue.is_empty()).map(|running| {
            let left = self.share(&running.search.kind).saturating_sub(running.since.elapsed());
            left.max(Duration::from_millis(1))
        });
        let due = self.held.iter().map(|(due, ..)| due.saturating_duration_since(now)).min();
        end_of_turn.into_iter().chain(due).min()
    }

    /// Returns the running search, unless it was stopped.
    fn active(&self) -> Option<&ActiveSearch> {
        self.running.as_ref().filter(|running| running.stopped.is_none())
    }

    /// Returns the time of a search while others wait.
    fn share(&self, kind: &SearchKind) -> Duration {
        let [shortest, longest] = ANALYSIS_SHARES;
        match kind {
            SearchKind::Analysis { .. } => {
                let sessions =
                    u32::try_from(self.queue.len()).unwrap_or(u32::MAX).saturating_add(1);
                (ROUND / sessions).clamp(shortest, longest)
            }
            SearchKind::Move(_) | SearchKind::Valuation { .. } => MOVE_SHARE,
        }
    }

    /// Keeps the move of a search that has begun then until it is due.
    fn hold(&mut self, since: Instant, search: Box<QueuedSearch>, result: SearchResult) {
        search.client.concluded(search.number);
        self.held.push((since + PACE, search, result));
    }

    /// Hands over the moves that are due.
    fn hand_over(&mut self) {
        let now = Instant::now();
        for (_, search, result) in self.held.extract_if(.., |(due, ..)| *due <= now) {
            search.client.finished(search.number, Some(&result));
        }
    }

    /// Stops the running search if it is no longer wanted, or if its turn is over and others wait.
    fn review(&mut self) {
        let Some(ActiveSearch { search, since, .. }) = self.active() else { return };
        let is_over = !self.queue.is_empty() && since.elapsed() >= self.share(&search.kind);
        let stop = if !search.client.wants(search.number) {
            Some(StopReason::Unwanted)
        } else if is_over {
            match search.kind {
                SearchKind::Analysis { .. } => Some(StopReason::EndOfTurn),
                SearchKind::Move(_) | SearchKind::Valuation { .. } => Some(StopReason::WithResult),
            }
        } else {
            None
        };
        if let (Some(_), Some(running)) = (stop, &mut self.running) {
            running.stopped = stop;
            self.engine.stop();
        }
    }

    /// Ends the search for this search's move, or lets it be a short one if it still waits.
    fn hurry(&mut self, number: u64) {
        if let Some(running) = &mut self.running
            && running.search.number == number
            && running.stopped.is_none()
        {
            running.stopped = Some(StopReason::WithResult);
            self.engine.stop();
        }
        for (due, ..) in self.held.iter_mut().filter(|(_, search, _)| search.number == number) {
            *due = Instant::now();
        }
        for search in self.queue.iter_mut().filter(|search| search.number == number) {
            if let SearchKind::Move(wanted) = &mut search.kind {
                wanted.time = ThinkingTime::Fixed(Duration::from_millis(10));
            }
        }
    }

    fn pass_on(&mut self, event: Event) {
        match event {
            Event::Pv(line) => {
                let Some(ActiveSearch { search, stopped: None, .. }) = &self.running else {
                    return;
                };
                if line.bound == Bound::Exact {
                    search.client.report(search.number, &line);
                }
            }
            Event::BestMove(conclusion) => self.conclude(conclusion),
            Event::CurrentMove(_) | Event::Message(_) | Event::Text(_) | Event::Done => {}
        }
    }

    fn conclude(&mut self, conclusion: Conclusion) {
        let Some(ActiveSearch { search, since, stopped }) = self.running.take() else { return };
        let result = SearchResult::Searched(conclusion);
        let is_level = matches!(search.kind, SearchKind::Move(MoveSearch { elo: Some(_), .. }));
        match stopped {
            Some(StopReason::EndOfTurn) => self.queue.push_back(search),
            Some(StopReason::Unwanted) => search.client.finished(search.number, None),
            None if is_level => self.hold(since, search, result),
            Some(StopReason::WithResult) | None => {
                search.client.finished(search.number, Some(&result));
            }
        }
    }
}

fn limits(kind: &SearchKind) -> Limits {
    match *kind {
        SearchKind::Move(MoveSearch { time: ThinkingTime::Fixed(time), .. })
        | SearchKind::Valuation { time } => {
            Limits { move_time: Some(time), multi_pv: 1, ..Limits::default() }
        }
        SearchKind::Move(MoveSearch { time: ThinkingTime::Clock(clock), .. }) => {
            Limits { clock: Some(clock), multi_pv: 1, ..Limits::default() }
        }
        SearchKind::Analysis { lines } => {
            Limits { infinite: true, multi_pv: lines, ..Limits::default() }
        }
    }
}

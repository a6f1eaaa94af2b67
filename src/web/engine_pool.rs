//! The one engine of the server, and the queue of the sessions that use it.
//!
//! All sessions share one [`Engine`] with all its threads and one transposition table, so a single
//! tab has the whole machine. Each session has at most one job in the queue, and the queue is served
//! in order. While others wait, an analysis is stopped when its turn is over and goes to the end of
//! the queue; the transposition table gives it back its depth when its turn comes. A turn is shorter
//! the more sessions wait, so that all of them have their turn within [`ROUND`] or little more. A move
//! is played after [`MOVE_SHARE`] at the latest while others wait.
//!
//! The levels below full strength answer soon, and an opening book at once. Their moves are handed
//! over no sooner than after [`PACE`], so that a person can follow the game; meanwhile others have the
//! engine.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select, unbounded};

use super::books::drawn_move;
use super::job::{Finding, Job, Order, Orders, Purpose, ThinkingTime};
use crate::engine::{Conclusion, Engine, Event, OptionError};
use crate::random::Random;
use crate::rules::RuleSet;
use crate::search::{Bound, Limits};

/// The time in which all waiting analyses have a turn.
const ROUND: Duration = Duration::from_secs(3);

/// The shortest and the longest turn of an analysis while others wait.
const ANALYSIS_SHARES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The longest search for a move while others wait.
const MOVE_SHARE: Duration = Duration::from_secs(5);

/// The least time from the start of a search at a level to its move.
const PACE: Duration = Duration::from_millis(400);

/// How often a running search is asked whether anybody still wants it.
const CHECK: Duration = Duration::from_secs(5);

/// The thread of the engine.
pub(super) struct EnginePool {
    orders: Orders,
    thread: Option<JoinHandle<()>>,
}

impl EnginePool {
    /// Starts the engine with so many threads and so much memory for its transposition table.
    ///
    /// # Errors
    /// If the numbers are out of bounds or the system does not give the threads or memory.
    pub(super) fn start(threads: usize, hash_mib: usize) -> Result<EnginePool, OptionError> {
        let (event_sender, events) = unbounded();
        let mut engine = Engine::new(event_sender);
        engine.set_option("Threads", &threads.to_string())?;
        engine.set_option("Hash", &hash_mib.to_string())?;
        let (sender, receiver) = unbounded();
        let worker = Turns {
            engine,
            events,
            orders: receiver,
            queue: VecDeque::new(),
            running: None,
            held: Vec::new(),
            rules: RuleSet::default(),
            elo: None,
            random: Random::new(RandomState::new().build_hasher().finish()),
        };
        let run = move || worker.run();
        let thread = thread::Builder::new().name("web engine".to_owned()).spawn(run);
        let thread = thread.map_err(|error| OptionError::Refused {
            name: "Threads",
            reason: format!("the system gave no thread: {error}"),
        })?;
        Ok(EnginePool { orders: Orders::new(sender), thread: Some(thread) })
    }

    /// The way to the engine.
    pub(super) fn orders(&self) -> &Orders {
        &self.orders
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.orders.give(Order::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Why the running search was stopped before its limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Its result counts.
    WithResult,
    /// Others wait; it goes on later.
    EndOfTurn,
    /// Nobody wants it any more.
    Unwanted,
}

struct Running {
    job: Box<Job>,
    since: Instant,
    stopped: Option<Stop>,
}

/// The sessions' turns at the engine.
struct Turns {
    engine: Engine,
    events: Receiver<Event>,
    orders: Receiver<Order>,
    queue: VecDeque<Box<Job>>,
    running: Option<Running>,
    /// Moves of levels and of books, and when they are to be handed over.
    held: Vec<(Instant, Box<Job>, Finding)>,
    /// The values of the engine's options.
    rules: RuleSet,
    elo: Option<u32>,
    /// For the choice among book moves.
    random: Random,
}

impl Turns {
    fn run(mut self) {
        self.engine.prepare();
        loop {
            self.hand_over();
            self.start_next();
            let alarm = match self.time_to_look() {
                Some(time) => after(time),
                None => never(),
            };
            select! {
                recv(self.orders) -> order => match order {
                    Ok(Order::Enqueue(job)) => self.queue.push_back(job),
                    Ok(Order::Reconsider) => {}
                    Ok(Order::MoveNow(number)) => self.hurry(number),
                    Ok(Order::End) | Err(_) => return,
                },
                recv(self.events) -> event => if let Ok(event) = event {
                    self.pass_on(event);
                },
                recv(alarm) -> _ => {}
            }
            self.review();
        }
    }

    /// Starts the first job of the queue that is still wanted, if nothing runs. A job that a book
    /// answers needs no engine.
    fn start_next(&mut self) {
        while self.running.is_none()
            && let Some(job) = self.queue.pop_front()
        {
            if !job.client.wants(job.number) {
                job.client.finished(job.number, None);
                continue;
            }
            let from_book = job.book.as_ref();
            let from_book =
                from_book.and_then(|book| drawn_move(book, &job.position, &mut self.random));
            if let Some(mv) = from_book {
                job.client.started(job.number);
                self.held.push((Instant::now() + PACE, job, Finding::FromBook(mv)));
                continue;
            }
            self.set_options(&job);
            job.client.started(job.number);
            self.engine.set_position(job.position.clone());
            let since = Instant::now();
            self.engine.go(limits(&job.purpose), since);
            self.running = Some(Running { job, since, stopped: None });
        }
    }

    /// Sets the options in which the job differs from the last one.
    fn set_options(&mut self, job: &Job) {
        if self.rules != job.rules {
            // The name of a rule set is a value of the option.
            let _ = self.engine.set_option("RepetitionRule", job.rules.name());
            self.rules = job.rules;
        }
        let elo = match job.purpose {
            Purpose::Move { elo, .. } => elo,
            Purpose::Analysis { .. } | Purpose::Valuation { .. } => None,
        };
        if self.elo != elo {
            let _ = self.engine.set_option("UCI_LimitStrength", &elo.is_some().to_string());
            if let Some(elo) = elo {
                let _ = self.engine.set_option("UCI_Elo", &elo.to_string());
            }
            self.elo = elo;
        }
    }

    /// In what time something has to be looked at again.
    fn time_to_look(&self) -> Option<Duration> {
        let now = Instant::now();
        let running = self.running.as_ref().filter(|running| running.stopped.is_none());
        let end_of_turn = running.map(|running| {
            let share =
                if self.queue.is_empty() { CHECK } else { self.share(&running.job.purpose) };
            let left = share.saturating_sub(running.since.elapsed());
            left.clamp(Duration::from_millis(1), CHECK)
        });
        let due = self.held.iter().map(|(due, ..)| due.saturating_duration_since(now)).min();
        end_of_turn.into_iter().chain(due).min()
    }

    /// The time that a job has while others wait.
    fn share(&self, purpose: &Purpose) -> Duration {
        let [shortest, longest] = ANALYSIS_SHARES;
        match purpose {
            Purpose::Analysis { .. } => {
                let sessions =
                    u32::try_from(self.queue.len()).unwrap_or(u32::MAX).saturating_add(1);
                (ROUND / sessions).clamp(shortest, longest)
            }
            Purpose::Move { .. } | Purpose::Valuation { .. } => MOVE_SHARE,
        }
    }

    /// Hands over the moves that are due.
    fn hand_over(&mut self) {
        let now = Instant::now();
        for (_, job, finding) in self.held.extract_if(.., |(due, ..)| *due <= now) {
            job.client.finished(job.number, Some(&finding));
        }
    }

    /// Stops the running job if nobody wants it, or if its turn is over and others wait.
    fn review(&mut self) {
        let running = self.running.as_ref().filter(|running| running.stopped.is_none());
        let Some(Running { job, since, .. }) = running else { return };
        let is_over = !self.queue.is_empty() && since.elapsed() >= self.share(&job.purpose);
        let stop = if !job.client.wants(job.number) {
            Some(Stop::Unwanted)
        } else if is_over {
            match job.purpose {
                Purpose::Analysis { .. } => Some(Stop::EndOfTurn),
                Purpose::Move { .. } | Purpose::Valuation { .. } => Some(Stop::WithResult),
            }
        } else {
            None
        };
        if let (Some(_), Some(running)) = (stop, &mut self.running) {
            running.stopped = stop;
            self.engine.stop();
        }
    }

    /// Ends the search for this job's move, or lets it be a short one if it still waits.
    fn hurry(&mut self, number: u64) {
        if let Some(running) = &mut self.running
            && running.job.number == number
            && running.stopped.is_none()
        {
            running.stopped = Some(Stop::WithResult);
            self.engine.stop();
        }
        for (due, ..) in self.held.iter_mut().filter(|(_, job, _)| job.number == number) {
            *due = Instant::now();
        }
        for job in self.queue.iter_mut().filter(|job| job.number == number) {
            if let Purpose::Move { time, .. } = &mut job.purpose {
                *time = ThinkingTime::Fixed(Duration::from_millis(10));
            }
        }
    }

    fn pass_on(&mut self, event: Event) {
        match event {
            Event::Pv(line) => {
                let Some(Running { job, stopped: None, .. }) = &self.running else { return };
                if line.bound == Bound::Exact {
                    job.client.report(job.number, &line);
                }
            }
            Event::BestMove(conclusion) => self.conclude(conclusion),
            Event::CurrentMove(_) | Event::Message(_) | Event::Text(_) | Event::Done => {}
        }
    }

    fn conclude(&mut self, conclusion: Conclusion) {
        let Some(Running { job, since, stopped }) = self.running.take() else { return };
        let finding = Finding::Searched(conclusion);
        let is_level = matches!(job.purpose, Purpose::Move { elo: Some(_), .. });
        match stopped {
            Some(Stop::EndOfTurn) => self.queue.push_back(job),
            Some(Stop::Unwanted) => job.client.finished(job.number, None),
            None if is_level => self.held.push((since + PACE, job, finding)),
            Some(Stop::WithResult) | None => job.client.finished(job.number, Some(&finding)),
        }
    }
}

fn limits(purpose: &Purpose) -> Limits {
    match *purpose {
        Purpose::Move { time: ThinkingTime::Fixed(time), .. } | Purpose::Valuation { time } => {
            Limits { move_time: Some(time), multi_pv: 1, ..Limits::default() }
        }
        Purpose::Move { time: ThinkingTime::Clock(clock), .. } => {
            Limits { clock: Some(clock), multi_pv: 1, ..Limits::default() }
        }
        Purpose::Analysis { lines } => {
            Limits { infinite: true, multi_pv: lines, ..Limits::default() }
        }
    }
}

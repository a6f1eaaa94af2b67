//! A game that is played: who plays, and the clocks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use xiangqi::geometry::Color;

use crate::book::Book;
use crate::search::Clock;

use super::search_request::ThinkingTime;

/// What a side may use in all beyond its time: the network and the page need a moment, also for the
/// last move.
const GRACE: Duration = Duration::from_millis(300);

/// Who moves the pieces of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Player {
    Human,
    /// The engine with this `UCI_Elo`; `None` is full strength.
    Engine {
        elo: Option<u32>,
    },
}

/// The time that players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeControl {
    /// The engine thinks so long about each move; people have no clock.
    PerMove(Duration),
    /// A clock for each side.
    Clock {
        /// The time at the start.
        base: Duration,
        /// The time added after each move.
        increment: Duration,
    },
}

/// A game that is played.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    players: [Player; 2],
    control: TimeControl,
    left: [Duration; 2],
    /// What is left of [`GRACE`].
    grace: [Duration; 2],
    /// When the clock of the side to move began to run. The engine's stands still while it waits for
    /// its turn at the processor.
    turn_since: Option<Instant>,
    is_running: bool,
    /// Who has lost by time or resignation.
    forfeit: Option<Forfeit>,
    /// The side that was out of time, with what it had when its turn began.
    before_forfeit: Option<(Color, Duration)>,
    /// The opening book that the engine plays from, and its number.
    book: Option<(u64, Arc<Book>)>,
}

/// A loss that the board does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forfeit {
    Time(Color),
    Resignation(Color),
}

impl Forfeit {
    pub(super) fn winner(self) -> Color {
        match self {
            Forfeit::Time(loser) | Forfeit::Resignation(loser) => !loser,
        }
    }
}

impl Contest {
    /// A game between these players, Red first, that has not begun.
    pub(super) fn new(players: [Player; 2], control: TimeControl) -> Contest {
        let base = match control {
            TimeControl::PerMove(_) => Duration::ZERO,
            TimeControl::Clock { base, .. } => base,
        };
        Contest {
            players,
            control,
            left: [base; 2],
            grace: [GRACE; 2],
            turn_since: None,
            is_running: false,
            forfeit: None,
            before_forfeit: None,
            book: None,
        }
    }

    /// The game with an opening book for the engine.
    pub(super) fn with_book(self, number: u64, book: Arc<Book>) -> Contest {
        Contest { book: Some((number, book)), ..self }
    }

    /// The opening book of the engine, and its number.
    pub(super) fn book(&self) -> Option<&(u64, Arc<Book>)> {
        self.book.as_ref()
    }

    pub(super) fn player(&self, side: Color) -> Player {
        let [red, black] = self.players;
        if side == Color::Red { red } else { black }
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(super) fn forfeit(&self) -> Option<Forfeit> {
        self.forfeit
    }

    /// Lets the clock of the side to move run.
    pub(super) fn resume(&mut self, side: Color, now: Instant) {
        self.is_running = true;
        self.forfeit = None;
        if let Some((late, left)) = self.before_forfeit.take() {
            *self.of_mut(late) = left;
        }
        let is_human = self.player(side) == Player::Human;
        self.turn_since = is_human.then_some(now);
    }

    /// Stops the clocks.
    pub(super) fn pause(&mut self, side: Color, now: Instant) {
        if self.is_running {
            self.charge(side, now);
            self.is_running = false;
        }
    }

    /// The engine has begun to think. In a paused game it does so for something else than the next move
    /// of the game, and no clock runs.
    pub(super) fn engine_started(&mut self, now: Instant) {
        if self.is_running {
            self.turn_since = Some(now);
        }
    }

    /// How long the engine may think when it plays this side.
    pub(super) fn thinking_time(&self, side: Color) -> ThinkingTime {
        match self.control {
            TimeControl::PerMove(time) => ThinkingTime::Fixed(time),
            TimeControl::Clock { increment, .. } => {
                ThinkingTime::Clock(Clock { left: self.of(side), increment, moves_to_go: None })
            }
        }
    }

    /// A side moves. Returns whether it had time left; if not it has lost and does not move.
    pub(super) fn moves(&mut self, side: Color, now: Instant) -> bool {
        if self.is_out_of_time(side, now) {
            self.lose(Forfeit::Time(side));
            return false;
        }
        self.charge(side, now);
        if let TimeControl::Clock { increment, .. } = self.control {
            *self.of_mut(side) += increment;
        }
        self.resume(!side, now);
        true
    }

    /// Ends the game if the time of the side to move is over; returns whether it is.
    pub(super) fn check_time(&mut self, side: Color, now: Instant) -> bool {
        let is_over = self.is_out_of_time(side, now);
        if is_over {
            self.lose(Forfeit::Time(side));
        }
        is_over
    }

    /// Ends the game.
    pub(super) fn lose(&mut self, forfeit: Forfeit) {
        if let Forfeit::Time(side) = forfeit {
            self.before_forfeit = Some((side, self.of(side)));
            *self.of_mut(side) = Duration::ZERO;
        }
        self.forfeit = Some(forfeit);
        self.end();
    }

    /// The game is over.
    pub(super) fn end(&mut self) {
        self.is_running = false;
        self.turn_since = None;
    }

    /// The time that a side has left, if there are clocks; `to_move` is the side whose clock may run.
    pub(super) fn time_left(&self, side: Color, to_move: Color, now: Instant) -> Option<Duration> {
        let TimeControl::Clock { .. } = self.control else { return None };
        let spent = if side == to_move { self.spent(now) } else { Duration::ZERO };
        Some(self.of(side).saturating_sub(spent))
    }

    /// Whether the clock of the side to move runs.
    pub(super) fn is_ticking(&self) -> bool {
        self.is_running
            && self.turn_since.is_some()
            && matches!(self.control, TimeControl::Clock { .. })
    }

    fn is_out_of_time(&self, side: Color, now: Instant) -> bool {
        let has_clock = matches!(self.control, TimeControl::Clock { .. });
        has_clock && self.is_running && self.spent(now) > self.of(side) + self.grace(side)
    }

    fn spent(&self, now: Instant) -> Duration {
        self.turn_since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    fn charge(&mut self, side: Color, now: Instant) {
        let spent = self.spent(now);
        let left = self.of_mut(side);
        let beyond = spent.saturating_sub(*left);
        *left = left.saturating_sub(spent);
        let grace = self.grace_mut(side);
        *grace = grace.saturating_sub(beyond);
        self.turn_since = None;
    }

    fn grace(&self, side: Color) -> Duration {
        let [red, black] = self.grace;
        if side == Color::Red { red } else { black }
    }

    fn grace_mut(&mut self, side: Color) -> &mut Duration {
        let [red, black] = &mut self.grace;
        if side == Color::Red { red } else { black }
    }

    fn of(&self, side: Color) -> Duration {
        let [red, black] = self.left;
        if side == Color::Red { red } else { black }
    }

    fn of_mut(&mut self, side: Color) -> &mut Duration {
        let [red, black] = &mut self.left;
        if side == Color::Red { red } else { black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn started() -> (Contest, Instant) {
        let control = TimeControl::Clock { base: 60 * SECOND, increment: 2 * SECOND };
        let mut contest = Contest::new([Player::Human, Player::Engine { elo: None }], control);
        let now = Instant::now();
        contest.resume(Color::Red, now);
        (contest, now)
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let (mut contest, now) = started();
        assert!(contest.moves(Color::Red, now + 10 * SECOND));
        let later = now + 15 * SECOND;
        assert_eq!(contest.time_left(Color::Red, Color::Black, later), Some(52 * SECOND));
        // The engine waits for its turn at the processor.
        assert_eq!(contest.time_left(Color::Black, Color::Black, later), Some(60 * SECOND));
        contest.engine_started(later);
        assert!(contest.moves(Color::Black, later + SECOND));
        let left = contest.time_left(Color::Black, Color::Red, later + 30 * SECOND);
        assert_eq!(left, Some(61 * SECOND));
    }

    #[test]
    fn the_time_ends_the_game() {
        let (mut contest, now) = started();
        assert!(!contest.check_time(Color::Red, now + 60 * SECOND));
        assert!(!contest.moves(Color::Red, now + 61 * SECOND));
        assert_eq!(contest.forfeit(), Some(Forfeit::Time(Color::Red)));
        assert!(!contest.is_running());
    }

    #[test]
    fn the_time_beyond_the_end_is_granted_once() {
        let control = TimeControl::Clock { base: SECOND, increment: Duration::ZERO };
        let mut contest = Contest::new([Player::Human; 2], control);
        let mut now = Instant::now();
        contest.resume(Color::Red, now);
        now += SECOND + Duration::from_millis(200);
        assert!(contest.moves(Color::Red, now));
        assert!(contest.moves(Color::Black, now));
        assert!(!contest.check_time(Color::Red, now + Duration::from_millis(50)));
        assert!(!contest.moves(Color::Red, now + Duration::from_millis(150)));
        assert_eq!(contest.forfeit(), Some(Forfeit::Time(Color::Red)));
    }

    #[test]
    fn a_pause_costs_no_time() {
        let (mut contest, now) = started();
        contest.pause(Color::Red, now + 5 * SECOND);
        contest.resume(Color::Red, now + 500 * SECOND);
        let left = contest.time_left(Color::Red, Color::Red, now + 501 * SECOND);
        assert_eq!(left, Some(54 * SECOND));
    }
}

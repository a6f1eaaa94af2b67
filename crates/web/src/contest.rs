//! A game that is played: its players, time and book. Its clocks are those of [`cannonade_game`].

use std::sync::Arc;
use std::time::Duration;

use cannonade_book::Book;
use cannonade_engine::search::Clock;
use cannonade_game::{ClockControl, GameClock, PlayedGame};
use serde::{Deserialize, Serialize};
use xiangqi::geometry::Color;
use xiangqi::records::NodeId;

use super::search_request::ThinkingTime;

/// Overtime per game, for network latency.
const GRACE: Duration = Duration::from_millis(300);

/// A game of the page, with its contest if it is played.
pub(super) type WebGame = PlayedGame<Option<Contest>>;

/// The player of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Player {
    Human,
    /// The engine with this `UCI_Elo`; `None` is full strength.
    Engine {
        elo: Option<u32>,
    },
}

/// The time control of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Pace {
    /// The engine has this time for each move; people have no clock.
    PerMove(Duration),
    /// A clock for each side.
    Clock(ClockControl),
}

/// A game that is played.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    players: [Player; 2],
    pace: Pace,
    pub(super) is_running: bool,
    /// The node where it began. No move before it is undone.
    pub(super) start: NodeId,
    /// The opening book that the engine plays from, and its number.
    book: Option<(u64, Arc<Book>)>,
}

/// Ignores whether a contest runs, which cannot be undone.
impl PartialEq for Contest {
    fn eq(&self, other: &Contest) -> bool {
        let key = |contest: &Contest| {
            let book = contest.book().map(|(number, _)| *number);
            (contest.players, contest.pace, contest.start, book)
        };
        key(self) == key(other)
    }
}

impl Contest {
    /// Creates a game between these players, Red first, that has not begun.
    pub(super) fn new(players: [Player; 2], pace: Pace) -> Contest {
        Contest { players, pace, is_running: false, start: NodeId::ROOT, book: None }
    }

    /// Adds an opening book for the engine.
    pub(super) fn with_book(self, number: u64, book: Arc<Book>) -> Contest {
        Contest { book: Some((number, book)), ..self }
    }

    /// Returns the opening book of the engine, and its number.
    pub(super) fn book(&self) -> Option<&(u64, Arc<Book>)> {
        self.book.as_ref()
    }

    /// Returns the players, Red first.
    pub(super) fn players(&self) -> [Player; 2] {
        self.players
    }

    pub(super) fn player(&self, side: Color) -> Player {
        let [red, black] = self.players;
        if side == Color::Red { red } else { black }
    }

    pub(super) fn is_human(&self, side: Color) -> bool {
        self.player(side) == Player::Human
    }

    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    /// Returns the clocks at the start of the game, if it has any.
    pub(super) fn new_clock(&self) -> Option<GameClock> {
        match self.pace {
            Pace::PerMove(_) => None,
            Pace::Clock(control) => Some(GameClock::new(control, GRACE)),
        }
    }
}

/// Returns the time in which the engine may think when it plays this side.
pub(super) fn thinking_time(contest: &Contest, game: &WebGame, side: Color) -> ThinkingTime {
    match (contest.pace, game.clock()) {
        (Pace::PerMove(time), _) => ThinkingTime::Fixed(time),
        (Pace::Clock(control), clock) => {
            let full = || GameClock::new(control, GRACE);
            let clock = clock.copied().unwrap_or_else(full).player(side);
            ThinkingTime::Clock(Clock {
                left: clock.left(),
                increment: clock.control().increment,
                moves_to_go: clock.moves_to_go(),
            })
        }
    }
}

//! The game of a session as it is kept in a file: the record, the shown place, the players with
//! their clocks, and the engine's findings.

use std::collections::{HashMap, HashSet};

use cannonade_engine::search::Score;
use cannonade_game::{ChangeKind, ClockControl, EndReason, GameEnd};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use web_time::{Duration, Instant};
use xiangqi::board::Move;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{self, NodeId, write_pgn};

use super::{Place, SessionState, StateError, Sweep};
use crate::books::{BUILT_IN, Books};
use crate::contest::{Contest, Pace, Player};

/// Moves of a line that are kept.
const LINE_MOVES: usize = 12;

/// A game with its state. Places are numbers in the order of [`nodes`](records::Game::nodes), since a record
/// that is read again numbers its nodes anew.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// PGN with moves in coordinates.
    record: String,
    /// Comments as they are; PGN has no braces and no line ends in them.
    comments: Vec<KeptComment>,
    place: usize,
    bottom: Color,
    scores: Vec<KeptScore>,
    from_book: Vec<usize>,
    contest_moves: Vec<usize>,
    contest: Option<KeptContest>,
    forfeit: Option<KeptForfeit>,
    sweep: Option<KeptSweep>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptComment {
    place: usize,
    text: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptScore {
    place: usize,
    score: Score,
    depth: u32,
    line: Vec<Move>,
}

/// A game that is played; it is paused when it is opened again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptContest {
    players: [Player; 2],
    pace: Pace,
    start: usize,
    has_built_in_book: bool,
    /// The times of Red and Black at the start of the turn.
    left: Option<[Duration; 2]>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptForfeit {
    place: usize,
    loser: Color,
    reason: ForfeitReason,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ForfeitReason {
    Resignation,
    Time,
}

/// An analysis of the game that is not finished.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptSweep {
    left: Vec<usize>,
    total: usize,
    time: Duration,
}

/// The reason why a kept game cannot be opened.
#[derive(Debug, Error)]
pub(crate) enum SnapshotError {
    #[error("it holds no game that can be read")]
    NoGame,
    #[error(transparent)]
    State(#[from] StateError),
}

impl SessionState {
    /// Returns whether losing the game would lose work: moves, comments or scores that are in no
    /// file.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        let number = self.game.number();
        let is_changed = self.game.last_change().is_some_and(|kind| kind != ChangeKind::Replace);
        !self.game.record().is_empty() && (is_changed || self.scores.has_any_of(number))
    }

    /// Returns the game as it is now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let record = self.game.record();
        let nodes: Vec<NodeId> = record.nodes().collect();
        let numbers: HashMap<NodeId, usize> =
            nodes.iter().enumerate().map(|(number, &node)| (node, number)).collect();
        let place = |node: NodeId| numbers.get(&node).copied();
        let places_in = |set: &HashSet<Place>| -> Vec<usize> {
            let is_in = |&(_, node): &(usize, &NodeId)| set.contains(&self.place(*node));
            nodes.iter().enumerate().filter(is_in).map(|(number, _)| number).collect()
        };
        let scores = nodes.iter().enumerate().filter_map(|(place, &node)| {
            let found = self.score_of(node)?;
            let line = found.line.iter().copied().take(LINE_MOVES).collect();
            Some(KeptScore { place, score: found.score, depth: found.depth, line })
        });
        let comments = nodes.iter().enumerate().filter_map(|(place, &node)| {
            let text = record.comment(node).to_owned();
            (!text.is_empty()).then_some(KeptComment { place, text })
        });
        Snapshot {
            comments: comments.collect(),
            record: write_pgn(record, Notation::Uci),
            place: place(self.game.node()).unwrap_or(0),
            bottom: self.bottom,
            scores: scores.collect(),
            from_book: places_in(&self.from_book),
            contest_moves: places_in(&self.contest_moves),
            contest: self.contest().map(|contest| KeptContest {
                players: contest.players(),
                pace: contest.pace(),
                start: place(contest.start).unwrap_or(0),
                has_built_in_book: contest.book().is_some_and(|(number, _)| *number == BUILT_IN),
                left: self.game.clock().map(|&clock| {
                    let mut clock = clock;
                    clock.restart_turn();
                    // A side that has lost on time keeps that of the start of its turn.
                    clock.revive();
                    Color::ALL.map(|side| clock.left(side, Instant::now()))
                }),
            }),
            forfeit: self.game.forfeited_at().and_then(|(node, end)| {
                let reason = match end.reason {
                    EndReason::Resignation => ForfeitReason::Resignation,
                    EndReason::Time => ForfeitReason::Time,
                    EndReason::Rules(_) => return None,
                };
                Some(KeptForfeit { place: place(node)?, loser: !end.winner?, reason })
            }),
            sweep: self.sweep.as_ref().map(|sweep| KeptSweep {
                left: sweep.left().iter().filter_map(|&node| place(node)).collect(),
                total: sweep.progress()[1],
                time: sweep.time(),
            }),
        }
    }

    /// Replaces the game by a kept one, which can be undone. A game that was played is paused; an
    /// analysis of the game goes on.
    ///
    /// # Errors
    /// If the record cannot be read or is too long.
    pub(crate) fn restore(
        &mut self,
        kept: &Snapshot,
        books: &Books,
        now: Instant,
    ) -> Result<(), SnapshotError> {
        let mut games = records::read(kept.record.as_bytes()).games;
        if games.is_empty() {
            return Err(SnapshotError::NoGame);
        }
        let mut record = games.swap_remove(0);
        let nodes: Vec<NodeId> = record.nodes().collect();
        let node = |place: usize| nodes.get(place).copied().unwrap_or(NodeId::ROOT);
        for KeptComment { place, text } in &kept.comments {
            record.set_comment(node(*place), text);
        }
        let contest = kept.contest.as_ref().map(|kept| {
            let mut contest = Contest::new(kept.players, bounded_pace(kept.pace));
            contest.start = node(kept.start);
            let book = books.find(BUILT_IN).filter(|_| kept.has_built_in_book);
            let clock = contest.new_clock().map(|mut clock| {
                kept.left.into_iter().for_each(|left| clock.set_left(left.map(bounded)));
                clock
            });
            (if let Some(book) = book { contest.with_book(BUILT_IN, book) } else { contest }, clock)
        });
        self.replace_game(record, now, |edit| {
            if let Some((contest, clock)) = contest {
                *edit.players_mut() = Some(contest);
                edit.set_clock(clock);
            }
            if let Some(forfeit) = &kept.forfeit {
                let loser = forfeit.loser;
                edit.go_to(node(forfeit.place));
                match forfeit.reason {
                    ForfeitReason::Resignation => {
                        edit.end(GameEnd::loss(loser, EndReason::Resignation));
                    }
                    ForfeitReason::Time => edit.end_on_time(loser),
                }
            }
            edit.go_to(node(kept.place));
        })?;
        let game = self.game.number();
        let place_of = |place: usize| Place { game, node: node(place) };
        self.bottom = kept.bottom;
        for KeptScore { place, score, depth, line } in &kept.scores {
            self.scores.insert(place_of(*place), *score, *depth, line);
        }
        self.from_book.extend(kept.from_book.iter().copied().map(place_of));
        self.contest_moves.extend(kept.contest_moves.iter().copied().map(place_of));
        self.sweep = kept.sweep.as_ref().and_then(|sweep| {
            let left = sweep.left.iter().map(|&place| node(place)).collect();
            Sweep::resumed(left, bounded(sweep.time), sweep.total, &self.game)
        });
        Ok(())
    }
}

/// Bounds a time on a clock or of a search; a file may hold any.
fn bounded(time: Duration) -> Duration {
    time.min(ClockControl::MAX_TIME)
}

fn bounded_pace(pace: Pace) -> Pace {
    match pace {
        Pace::PerMove(time) => Pace::PerMove(bounded(time)),
        Pace::Clock(control) => Pace::Clock(ClockControl {
            time: bounded(control.time),
            increment: bounded(control.increment),
            ..control
        }),
    }
}

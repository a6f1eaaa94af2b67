//! Searching the positions of a game.
//!
//! The last position comes first: entries that the search of a later position left in the
//! transposition table are there when an earlier one is searched, so that the played move is seen
//! as deeply as the others (as in ChessBase's and other programs' backward analysis).

use xiangqi::records::Game;
use xiangqi::rules::{Referee, Regulations};

use super::{PositionAnalysis, Searcher};

/// The positions of a game's main line: index 0 is the start, the last one the end. `None` for
/// positions that were not reached before the analysis was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameAnalysis {
    /// One more than the moves of the main line, up to the end of the game by the rules.
    pub positions: Vec<Option<PositionAnalysis>>,
}

impl GameAnalysis {
    /// Creates an empty analysis. A game that has ended by the default regulations is not analysed
    /// further.
    pub fn new(game: &Game) -> GameAnalysis {
        let mut referee = Referee::new(game.start().clone(), Regulations::default());
        let mut positions = 1;
        for mv in game.moves() {
            if referee.outcome().is_some() || referee.play(mv).is_err() {
                break;
            }
            positions += 1;
        }
        GameAnalysis { positions: vec![None; positions] }
    }

    /// Returns whether at least one position is analysed.
    pub fn is_begun(&self) -> bool {
        self.positions.iter().any(Option::is_some)
    }

    /// Returns whether all positions are analysed.
    pub fn is_complete(&self) -> bool {
        self.positions.iter().all(Option::is_some)
    }
}

/// The order in which the positions of a game are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The last position first.
    Backward,
    /// The first position first.
    Forward,
}

/// Searches the positions that are not analysed yet. `done` receives each with its ply. Returns
/// early when the searcher is stopped.
pub fn analyse_game(
    game: &Game,
    searcher: &mut Searcher,
    order: Order,
    analysis: &mut GameAnalysis,
    mut done: impl FnMut(usize, &PositionAnalysis),
) {
    let moves = game.moves();
    // One position is moved along: copies would each hold all moves before them.
    let mut position = game.start().clone();
    let last = moves.len().min(analysis.positions.len().saturating_sub(1));
    let mut plies: Vec<usize> = (0..=last).collect();
    if order == Order::Backward {
        plies.reverse();
    }
    for ply in plies {
        while position.ply() > ply {
            position.unmake();
        }
        for &mv in moves.iter().take(ply).skip(position.ply()) {
            position.make(mv);
        }
        let Some(slot @ None) = analysis.positions.get_mut(ply) else { continue };
        let Some(found) = searcher.search(&position) else { return };
        done(ply, &found);
        *slot = Some(found);
    }
}

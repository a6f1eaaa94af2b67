//! Searching the positions of a game.
//!
//! The last position comes first: entries that the search of a later position left in the
//! transposition table are there when an earlier one is searched, so that the played move is seen
//! as deeply as the others (as in ChessBase's and other programs' backward analysis).

use cannonade_game::PlayedGame;
use xiangqi::records::Game;
use xiangqi::rules::Regulations;

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
        let mut played = viewed(game);
        let mut positions = 1;
        while played.outcome().is_none() && played.next() != played.node() {
            played.go_to(played.next());
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
    let mut played = viewed(game);
    let mut places: Vec<_> = analysis.positions.iter_mut().zip(played.line()).enumerate().collect();
    if order == Order::Backward {
        places.reverse();
    }
    for (ply, (slot, node)) in places {
        if slot.is_some() {
            continue;
        }
        played.go_to(node);
        let Some(found) = searcher.search(played.position()) else { return };
        done(ply, &found);
        *slot = Some(found);
    }
}

/// Returns the game at its start, under the default regulations.
fn viewed(game: &Game) -> PlayedGame {
    PlayedGame::new(game.clone(), Regulations::default())
}

//! Placement, moves and legality. Repetitions and the value of positions belong to the layers
//! above.

mod checks;
mod exposure;
mod fen;
mod move_list;
mod movegen;
mod moves;
mod perft;
mod placement;
mod position;
mod see;
mod validity;
mod zobrist;

pub use checks::Checks;
pub use fen::{FenError, START_FEN};
pub use move_list::{MoveList, MoveListIter};
pub use moves::{MAX_MOVES, Move, MoveDelta, MoveError};
pub use perft::{perft, perft_until};
pub use placement::Board;
pub use position::{Position, State};
pub use see::SEE_VALUE;
pub use validity::Defect;

//! Board, moves, FEN.

mod fen;
mod moves;
mod pasted_fen;
mod perft;

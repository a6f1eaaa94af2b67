//! Board, moves, FEN.

mod fen;
mod moves;
mod perft;

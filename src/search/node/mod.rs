//! One node of the search; begin to read at `negamax`.

mod best_move;
mod endgame_tables;
mod extensions;
mod history_updates;
pub(super) mod kinds;
mod late_moves;
mod move_loop;
mod move_pruning;
mod moves;
mod negamax;
mod pruning;
mod quiescence;
mod rule_values;
mod static_eval;

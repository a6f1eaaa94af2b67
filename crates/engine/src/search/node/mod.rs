//! One node of the search: a fail-soft principal variation search in negamax form.
//!
//! The techniques are those of strong alpha-beta engines, above all Stockfish; each is described at
//! <https://www.chessprogramming.org> under the name used here. The steps in the order in which
//! they are taken:
//!
//! | step | | file |
//! |---|---|---|
//! | 1 | quiescence search at the horizon | `negamax`, `quiescence` |
//! | 2 | node count, stop, principal variation | `negamax` |
//! | 3 | repetitions, natural-move limit, dead draws, endgame tables | `negamax`, `rule_values` |
//! | 4 | mate distance pruning | `negamax` |
//! | 5 | transposition table | `negamax` |
//! | 6 | static evaluation | `negamax` |
//! | 7 | history of the previous move by the change of the evaluation | `negamax`, `history_updates` |
//! | 8 | hindsight: depth corrected by the effect of the previous move | `negamax` |
//! | 9 | razoring | `node_pruning` |
//! | 10 | reverse futility pruning | `node_pruning` |
//! | 11 | null move pruning | `node_pruning` |
//! | 12 | ProbCut | `node_pruning` |
//! | 13 | internal iterative reduction | `negamax` |
//! | 14 | the next move | `move_loop`, `ordering/picker` |
//! | 15 | pruning of the move: late moves, futility, history, exchanges | `move_pruning` |
//! | 16 | extensions: singular moves and checks | `extensions` |
//! | 17 | chase information for the repetition rules | `move_search` |
//! | 18 | late move reductions | `move_search` |
//! | 19 | null window search | `move_search` |
//! | 20 | open window search | `move_search` |
//! | 21 | the best move so far | `move_loop` |
//! | 22 | histories and transposition table | `move_loop`, `history_updates` |
//!
//! A pause keeps the nodes of the principal variation with their searched moves (`interruption`);
//! the search continues there.

mod extensions;
mod history_updates;
mod interruption;
mod move_loop;
mod move_pruning;
mod move_search;
mod negamax;
mod node_pruning;
mod quiescence;
mod rule_values;

use arrayvec::ArrayVec;
use xiangqi::board::Move;
use xiangqi::geometry::Piece;

use super::histories::index::PieceTo;
use super::memory::entry::TtEntry;
use super::value::is_by_rule;
use super::worker::Worker;

pub(super) use interruption::InterruptedNode;

/// The kind of a node, known at compile time so that each kind is compiled for itself.
pub(super) trait NodeType {
    /// The node is searched with an open window: it may lie on the principal variation.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
}

/// The root; its window is open.
pub(super) struct Root;
/// Another node with an open window.
struct Pv;
/// A node with a null window (`beta == alpha + 1`).
struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Moves that were searched without becoming the best one.
type SearchedMoves = ArrayVec<Move, 48>;

#[derive(Clone)]
struct Node {
    /// The lower end of the window; it rises with each new best move.
    alpha: i32,
    /// The upper end of the window.
    beta: i32,
    /// The remaining depth in plies.
    depth: i32,
    /// The node is expected to fail high.
    cut_node: bool,
    /// The side to move is in check.
    in_check: bool,
    /// The static evaluation is better than at the mover's earlier turn, or at least beta.
    improving: bool,
    /// The node is or was on a principal variation.
    tt_pv: bool,
    /// The evaluation before any correction, to be stored; `None` if it was not computed.
    raw_eval: Option<i32>,
    /// The corrected evaluation; `None` in check.
    static_eval: Option<i32>,
    /// The best estimate of the value without a search; 0 in check.
    eval: i32,
    /// The entry of the transposition table.
    entry: Option<TtEntry>,
    /// The best move of an earlier search.
    tt_move: Option<Move>,
    /// That move captures.
    tt_capture: bool,
    /// The move that a singular search leaves out.
    excluded: Option<Move>,
    /// The best of the moves searched so far.
    best: BestMove,
    /// Moves so far, pruned ones included.
    move_count: i32,
    /// The chases of the position are known to the rules.
    has_chase_information: bool,
    /// Quiet moves searched that are not the best one.
    quiets: SearchedMoves,
    /// Captures searched that are not the best one.
    captures: SearchedMoves,
}

/// A move of a node before it is made.
struct Candidate {
    mv: Move,
    /// The piece on its target square, for the histories.
    moved: PieceTo,
    captured: Option<Piece>,
    gives_check: bool,
    /// Its history for pruning: of a quiet move without the main history.
    history: i32,
    /// Its place in the order, from 1.
    number: i32,
    /// The late move reduction of its place, in 1024ths of a ply.
    reduction: i32,
}

/// The best of the moves of a node that were searched so far.
#[derive(Clone)]
struct BestMove {
    /// The maximum value of a move, or the value of the node without one.
    value: i32,
    /// The last move that raised alpha.
    mv: Option<Move>,
    /// The minimum [`Worker::path_dependence`] of the searched moves.
    path_dependence: i32,
}

impl BestMove {
    /// Creates the state before the first move.
    fn new(value: i32) -> BestMove {
        BestMove { value, mv: None, path_dependence: i32::MAX }
    }
}

impl Worker {
    /// Step 21: updates the best move and alpha with the value of a searched move. Returns true on
    /// a beta cutoff.
    #[inline(always)]
    fn update_best<N: NodeType>(
        &mut self,
        best: &mut BestMove,
        alpha: &mut i32,
        beta: i32,
        mv: Move,
        value: i32,
    ) -> bool {
        if is_by_rule(value) {
            best.path_dependence = best.path_dependence.min(self.path_dependence);
        }
        best.value = best.value.max(value);
        if value <= *alpha {
            return false;
        }
        best.mv = Some(mv);
        if N::PV {
            self.pv.update(self.ply, mv);
        }
        if value >= beta {
            return true;
        }
        *alpha = value;
        false
    }
}

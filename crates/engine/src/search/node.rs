//! One node of the search: a fail-soft principal variation search in negamax form, and the
//! quiescence search below it. The steps have the numbers of the table at the top of [`super`]; the
//! techniques are those of strong alpha-beta engines, above all Stockfish, and each is described at
//! <https://www.chessprogramming.org> under the name used here.

use arrayvec::ArrayVec;
use xiangqi::board::{Move, SEE_VALUE};
use xiangqi::geometry::Piece;
use xiangqi::geometry::PieceKind::{Cannon, Knight, Rook};

use super::counters::{Event, count};
use super::history::{MoveOrdering, PieceTo, piece_to};
use super::movepick::{GenerationKind, MovePicker};
use super::params::Parameters;
use super::report::Bound;
use super::tt::{TtBound, TtEntry};
use super::value::{
    EVALUATION_LIMIT, INFINITE, MATE, RULE_BAND, is_by_rule, is_decisive, mated_in,
};
use super::worker::Worker;
use crate::nnue::LARGEST_EVALUATION;

/// The kind of a node, known at compile time so that each kind is compiled for itself.
pub(crate) trait NodeType {
    /// The node is searched with an open window: it may lie on the principal variation.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
}

/// The root; its window is open.
pub(crate) struct Root;
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

/// A node and the state of the loop over its moves.
pub(crate) struct Node {
    /// The lower end of the window; it rises with each new best move.
    pub(crate) alpha: i32,
    /// The upper end of the window.
    pub(crate) beta: i32,
    /// The remaining depth in plies.
    pub(crate) depth: i32,
    /// The node is expected to fail high.
    pub(crate) cut_node: bool,
    /// The side to move is in check.
    pub(crate) in_check: bool,
    /// The static evaluation is better than at the mover's earlier turn, or at least beta.
    pub(crate) improving: bool,
    /// The node is or was on a principal variation.
    pub(crate) tt_pv: bool,
    /// The evaluation before any correction, to be stored; `None` if it was not computed.
    pub(crate) raw_eval: Option<i32>,
    /// The corrected evaluation; `None` in check.
    pub(crate) static_eval: Option<i32>,
    /// The best estimate of the value without a search; 0 in check.
    pub(crate) eval: i32,
    /// The entry of the transposition table.
    pub(crate) entry: Option<TtEntry>,
    /// The best move of an earlier search.
    pub(crate) tt_move: Option<Move>,
    /// That move captures.
    pub(crate) tt_capture: bool,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// The best of the moves searched so far.
    pub(crate) best: BestMove,
    /// Moves so far, pruned ones included.
    pub(crate) move_count: i32,
    /// The chases of the position are known to the rules.
    pub(crate) has_chase_information: bool,
    /// Quiet moves searched that are not the best one.
    pub(crate) quiets: SearchedMoves,
    /// Captures searched that are not the best one.
    pub(crate) captures: SearchedMoves,
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
pub(crate) struct BestMove {
    /// The maximum value of a move, or the value of the node without one.
    pub(crate) value: i32,
    /// The last move that raised alpha.
    pub(crate) mv: Option<Move>,
    /// The minimum [`Worker::path_dependence`] of the searched moves.
    pub(crate) path_dependence: i32,
}

impl BestMove {
    /// Creates the state before the first move.
    fn new(value: i32) -> BestMove {
        BestMove { value, mv: None, path_dependence: i32::MAX }
    }
}

/// The static evaluation of a node in centipawns, from the mover's view.
#[derive(Clone, Copy)]
struct StaticEval {
    /// The result of the evaluator; the transposition table stores this one.
    raw: i32,
    /// With the correction histories added.
    corrected: i32,
    /// The value of the table's entry if its bound shows that it is nearer to the true value, else
    /// the same as `corrected`.
    refined: i32,
}

/// The result of step 16.
enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    Plies(i32),
    /// Leave the node with this value: several moves beat beta.
    Multicut(i32),
}

/// The depth of an entry with the static evaluation alone, less than that of any search.
const EVALUATION_DEPTH: i32 = -2;
/// The depths of entries from the quiescence search: with quiet checks, and without.
const DEPTH_WITH_CHECKS: i32 = 0;
const DEPTH_WITHOUT_CHECKS: i32 = -1;
/// The depth of the quiescence search down to which a side that has just given check may check
/// again.
const SECOND_CHECK_DEPTH: i32 = -2;

impl Worker {
    /// Returns the value of the position for the side to move, searched `depth` plies deep with the
    /// window from `alpha` to `beta` (fail-soft: the value may lie outside).
    pub(crate) fn negamax<N: NodeType>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        // Step 1. The quiescence search takes over at the horizon.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0);
        }

        // Step 2. Count the node, look for a stop, begin an empty principal variation.
        self.begin_node::<N>();
        if N::PV {
            self.sel_depth = self.sel_depth.max(self.ply + 1);
        }
        if self.stopped {
            return 0;
        }
        count(Event::MainNode);
        if depth >= 5 {
            count(Event::DeepNode);
        }

        let ply = self.ply;
        let excluded = self.stack.at(ply).excluded;
        if !N::ROOT {
            // Step 3. Repetitions, the natural-move limit, dead draws, endgame tables. Skipped in
            // singular searches: the node has already passed this test, and the lowered window
            // would change its result.
            if excluded.is_none()
                && let Some(value) = self.rule_value(beta)
            {
                return value;
            }
            // Step 4. Mate distance pruning: nothing below beats a shorter mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 5. The transposition table. The prefetched entry may not have arrived yet, so other
        // work goes first. A singular search leaves out a move that the entry rests on, so it uses
        // none.
        self.enter_node();
        let entry = if excluded.is_none() { self.probe() } else { None };
        let tt_pv = match excluded {
            None => N::PV || entry.is_some_and(|entry| entry.is_pv),
            Some(_) => self.stack.at(ply).tt_pv,
        };
        self.stack.at(ply).tt_pv = tt_pv;
        if !N::PV
            && let Some(value) = self.tt_cutoff(entry, beta, depth)
        {
            return value;
        }
        // At the root the move of the last iteration comes first.
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root_move| root_move.mv)
        } else {
            entry.and_then(|entry| entry.mv)
        };

        // Steps 6 and 7. The static evaluation, and its feedback on the previous move. It improves
        // if it is better than two plies before, or four if the mover was in check then.
        let in_check = self.position.in_check();
        let (raw_eval, eval) = self.node_eval(entry, in_check, tt_pv);
        let static_eval = self.stack.at(ply).eval;
        let before = self.stack.before(ply, 2).eval.or(self.stack.before(ply, 4).eval);
        let improving = static_eval.is_some_and(|now| before.is_none_or(|before| now > before));

        // Step 8. Hindsight. A singular search has the depth of its node.
        let depth = if excluded.is_none() { depth + self.hindsight(depth) } else { depth };

        let mut node = Node {
            alpha,
            beta,
            depth,
            cut_node,
            in_check,
            improving,
            tt_pv,
            raw_eval,
            static_eval,
            eval,
            entry,
            tt_move,
            tt_capture: false,
            excluded,
            best: BestMove::new(-INFINITE),
            move_count: 0,
            has_chase_information: false,
            quiets: SearchedMoves::new(),
            captures: SearchedMoves::new(),
        };
        self.stack.at(ply + 2).cutoffs = 0;

        // Steps 9 to 12. Pruning of the whole node.
        if !N::PV
            && let Some(value) = self.prune_node(&node)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Step 13. Internal iterative reduction: a node without a move from the table has not been
        // searched before.
        if !N::ROOT
            && tt_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
            && depth >= self.parameters.iir_depth
        {
            node.depth -= 1;
        }

        // An evaluation above beta promises as much as one that improves.
        node.improving |= static_eval.is_some_and(|eval| eval >= beta);

        // Steps 14 to 22. The moves.
        self.search_moves::<N>(node)
    }

    /// Step 2: counts the node and begins an empty principal variation.
    #[inline(always)]
    fn begin_node<N: NodeType>(&mut self) {
        self.count_node();
        self.path_dependence = i32::MAX;
        if N::PV {
            self.pv.clear(self.ply);
        }
    }

    /// Step 5: returns the value of the table's entry if it is deep enough and fails high or low.
    #[inline(always)]
    fn tt_cutoff(&mut self, entry: Option<TtEntry>, beta: i32, depth: i32) -> Option<i32> {
        let entry = entry?;
        if entry.depth < depth
            || !entry.decides(beta)
            || self.nears_natural_limit()
            || self.game_history.has_occurred(&self.position)
        {
            return None;
        }
        if let Some(mv) = entry.mv
            && entry.value >= beta
            && !self.position.is_capture(mv)
            && self.position.is_pseudo_legal(mv)
        {
            self.update_after_tt_cutoff(mv, depth);
        }
        count(Event::TableCutoff);
        Some(entry.value)
    }

    /// Steps 6 and 7: evaluates the node, and updates the history of the previous move by the
    /// change of the evaluation. Returns the evaluation before any correction, if it was computed,
    /// and the best estimate of the value.
    #[inline(always)]
    fn node_eval(
        &mut self,
        entry: Option<TtEntry>,
        in_check: bool,
        tt_pv: bool,
    ) -> (Option<i32>, i32) {
        let ply = self.ply;
        if in_check {
            self.stack.at(ply).eval = None;
            return (None, 0);
        }
        if self.stack.at(ply).excluded.is_some() {
            // The node itself has evaluated this position.
            return (None, self.stack.at(ply).eval.unwrap_or(0));
        }
        let StaticEval { raw, corrected, refined } = self.static_eval(entry);
        self.stack.at(ply).eval = Some(corrected);
        self.update_by_eval_change(corrected, entry.is_some());
        if entry.is_none() {
            self.store(TtEntry {
                mv: None,
                value: 0,
                eval: Some(raw),
                depth: EVALUATION_DEPTH,
                bound: TtBound::None,
                is_pv: tt_pv,
            });
        }
        (Some(raw), refined)
    }

    /// Step 6: evaluates the position, which must not be in check. The correction keeps the
    /// evaluation out of the bands of won games.
    #[inline(always)]
    fn static_eval(&mut self, entry: Option<TtEntry>) -> StaticEval {
        let raw = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate());
        let correction = self.corrections.correction(&self.correction_context(), &self.parameters);
        let corrected = (raw + correction).clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION);
        let refined = match entry {
            Some(entry) if entry.decides(corrected + 1) && !is_decisive(entry.value) => entry.value,
            _ => corrected,
        };
        StaticEval { raw, corrected, refined }
    }

    /// Step 8: returns the correction of the depth of a node whose move was reduced: deeper if that
    /// move did not make things worse for its side, shallower if both evaluations sum above a
    /// margin.
    #[inline(always)]
    fn hindsight(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        let previous = self.stack.before(self.ply, 1);
        let (Some(now), Some(before)) = (self.stack.before(self.ply, 0).eval, previous.eval) else {
            return 0;
        };
        let sum = now + before;
        if previous.reduction >= parameters.hindsight_deeper && sum <= 0 {
            1
        } else if previous.reduction >= parameters.hindsight_shallower
            && depth >= 2
            && sum > parameters.hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// Steps 9 to 12: returns the value of the node if a step prunes it. They apply to nodes with a
    /// null window outside of check.
    #[inline]
    fn prune_node(&mut self, node: &Node) -> Option<i32> {
        let &Node { alpha, beta, depth, eval, .. } = node;
        if node.in_check || node.excluded.is_some() {
            return None;
        }

        // Step 9. Razoring: so far below alpha only captures could help, so they alone are
        // searched.
        let parameters = &self.parameters;
        if eval < alpha - parameters.razor_base - parameters.razor_slope * depth * depth {
            let value = self.quiescence::<NonPv>(alpha, alpha + 1, 0);
            if value <= alpha && !is_decisive(value) {
                count(Event::Razoring);
                return Some(value);
            }
        }

        // Step 10. Reverse futility pruning: so far above beta the opponent is not expected to come
        // back within the remaining depth.
        let parameters = &self.parameters;
        let margin = parameters.rfp_margin * (depth - i32::from(node.improving)).max(0);
        if depth <= parameters.rfp_depth
            && eval - margin >= beta
            && eval < EVALUATION_LIMIT
            && beta > -RULE_BAND
        {
            count(Event::ReverseFutility);
            return Some(beta + (eval - beta) / parameters.rfp_return_divisor);
        }

        let static_eval = node.static_eval.unwrap_or(eval);
        if let Some(value) = self.null_move_pruning(node, static_eval) {
            count(Event::NullMove);
            return Some(value);
        }
        self.probcut(node, static_eval)
    }

    /// Step 11. Null move pruning: if even passing the turn fails high, a move does too. Without a
    /// rook, knight or cannon passing may be better than every move (zugzwang), so it is not tried
    /// then.
    #[inline(always)]
    fn null_move_pruning(&mut self, node: &Node, static_eval: i32) -> Option<i32> {
        let &Node { beta, depth, eval, cut_node, .. } = node;
        let ply = self.ply;
        let parameters = &self.parameters;
        let static_margin = parameters.null_static_base - parameters.null_static_slope * depth;
        let after_null_move = self.stack.before(ply, 1).mv.is_none();
        let has_attackers = || {
            let board = self.position.board();
            let own = board.color(self.position.side());
            (board.kind(Rook) | board.kind(Knight) | board.kind(Cannon)).intersects(own)
        };
        if !(cut_node
            && eval >= beta
            && static_eval >= beta + static_margin
            && !after_null_move
            && beta > -RULE_BAND
            && ply >= self.null_move_min_ply
            && has_attackers())
        {
            return None;
        }
        let reduction = parameters.null_base
            + depth / parameters.null_divisor
            + ((eval - beta) / parameters.null_eval_divisor).clamp(0, parameters.null_eval_max);
        self.context.tt.prefetch(self.position.key_after_null());
        self.make_null();
        let value = -self.negamax::<NonPv>(-beta, 1 - beta, depth - reduction, false);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if is_decisive(value) { beta } else { value };
        if self.null_move_min_ply > 0 || depth < self.parameters.null_verify_depth {
            return Some(value);
        }
        // Far from the horizon a wrong cutoff costs much: verify it without null moves.
        let share = self.parameters.null_verify_share * (depth - reduction).max(1) / 1024;
        self.null_move_min_ply = ply + share as usize;
        let verified = self.negamax::<NonPv>(beta - 1, beta, depth - reduction, false);
        self.null_move_min_ply = 0;
        (verified >= beta).then_some(value)
    }

    /// Step 12. ProbCut: a capture that beats a raised beta at reduced depth is expected to beat
    /// beta at full depth.
    #[inline(always)]
    fn probcut(&mut self, node: &Node, static_eval: i32) -> Option<i32> {
        let &Node { beta, depth, improving, entry, .. } = node;
        let parameters = &self.parameters;
        let reduction = parameters.probcut_reduction;
        let raised =
            beta + parameters.probcut_margin - parameters.probcut_improving * i32::from(improving);
        let is_refuted =
            entry.is_some_and(|entry| entry.depth > depth - reduction && entry.value < raised);
        if depth < parameters.probcut_depth || is_decisive(beta) || is_refuted {
            return None;
        }
        let ordering = self.move_ordering();
        let tt_move = node.tt_move.filter(|mv| self.position.is_capture(*mv));
        let mut picker =
            MovePicker::new(&self.position, tt_move, ordering, GenerationKind::Captures);
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            self.prefetch(mv);
            if !self.position.see_at_least(mv, raised - static_eval) {
                continue;
            }
            self.make(mv);
            let mut value = -self.quiescence::<NonPv>(-raised, 1 - raised, 0);
            if value >= raised {
                value = -self.negamax::<NonPv>(-raised, 1 - raised, depth - reduction, true);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if value >= raised && !is_decisive(value) {
                count(Event::ProbCut);
                self.path_dependence = i32::MAX;
                self.store(TtEntry {
                    mv: Some(mv),
                    value,
                    eval: node.raw_eval,
                    depth: depth - reduction + 1,
                    bound: TtBound::Lower,
                    is_pv: node.tt_pv,
                });
                return Some(value);
            }
        }
        None
    }

    /// Steps 14 to 22: searches the moves of a node and returns its value.
    fn search_moves<N: NodeType>(&mut self, mut node: Node) -> i32 {
        node.tt_capture = node.tt_move.is_some_and(|mv| self.position.is_capture(mv));
        let ordering = self.move_ordering();
        let mut picker =
            MovePicker::new(&self.position, node.tt_move, ordering, GenerationKind::All);

        // Step 14. The next move, with what is known about it before it is made.
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            if Some(mv) == node.excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            node.move_count += 1;
            if N::ROOT {
                self.report_current_move(mv, self.pv_index + node.move_count as usize);
            }
            let checks = picker.checks(&self.position);
            self.prefetch(mv);
            let Some(piece) = self.position.piece_on(mv.from()) else { continue };
            let captured = self.position.captured(mv);
            let moved = piece_to(piece, mv.to());
            let history = match captured {
                Some(captured) => self.histories.capture(piece, mv.to(), captured.kind()),
                None => {
                    self.histories.continuation(ordering.previous[0], moved)
                        + self.histories.continuation(ordering.previous[1], moved)
                        + self.histories.pawn(ordering.keys, moved)
                }
            };
            let number = node.move_count;
            let reduction = self.place_reduction(&node, number);
            let gives_check = checks.has(&self.position, mv);
            let candidate =
                Candidate { mv, moved, captured, gives_check, history, number, reduction };

            // Step 15. Pruning of the move, once there is one that does not lose.
            if !N::ROOT
                && node.best.value > -RULE_BAND
                && self.is_pruned(&mut node, &candidate, &mut picker)
            {
                continue;
            }

            // Step 16. Extensions.
            let extension = self.extension::<N>(&node, &candidate);
            if self.stopped {
                return 0;
            }
            let extension = match extension {
                Extension::Plies(plies) => plies,
                Extension::Multicut(value) => return value,
            };

            // Step 17. The rules need the chases of a position only below quiet moves: a capture
            // ends all repetitions.
            if captured.is_none() && !node.has_chase_information {
                node.has_chase_information = true;
                self.game_history.note(&self.position);
            }

            // Steps 18 to 20. The search of the move.
            let nodes_before = self.nodes();
            count(Event::SearchedMove);
            self.make(mv);
            self.stack.at(self.ply - 1).move_number = number;
            let reduction = self.reduction::<N>(&node, &ordering, &candidate);
            let value = self.search_move::<N>(&node, &candidate, extension, reduction);
            self.unmake();
            if self.stopped {
                return 0;
            }

            // Step 21. The best move so far.
            if N::ROOT {
                self.update_root_move(&node, &candidate, value, self.nodes() - nodes_before);
            }
            let Node { alpha, beta, best, .. } = &mut node;
            let old_alpha = *alpha;
            if self.update_best::<N>(best, alpha, *beta, mv, value) {
                count(Event::BetaCutoff);
                if node.quiets.is_empty() && node.captures.is_empty() {
                    count(Event::FirstMoveCutoff);
                }
                break;
            }
            if Some(mv) != node.best.mv {
                let searched =
                    if captured.is_some() { &mut node.captures } else { &mut node.quiets };
                // Moves beyond the capacity get no malus.
                let _ = searched.try_push(mv);
            }
            let parameters = &self.parameters;
            let range = parameters.raised_alpha_min..=parameters.raised_alpha_max;
            if node.alpha > old_alpha && range.contains(&node.depth) && !is_decisive(value) {
                // A second move that beats the best one is less likely.
                node.depth -= 1;
            }
        }
        // Step 22. Histories and transposition table.
        self.finish_node::<N>(&node)
    }

    /// Step 14: returns true for a root move that heads no line yet and shares the best rank by the
    /// endgame tables and the rules.
    fn is_root_candidate(&self, mv: Move) -> bool {
        let candidates = &self.root_moves[self.pv_index..];
        let rank = candidates.first().map_or(0, |root_move| root_move.rank);
        candidates.iter().any(|root_move| root_move.mv == mv && root_move.rank == rank)
    }

    /// Step 15: returns true if futility, history or exchanges prune a move. After many moves the
    /// picker skips the quiet ones that remain (late move pruning). The best value rises to what a
    /// futile quiet move could have reached. A check is not pruned, whatever it loses: it may mate.
    #[inline(always)]
    fn is_pruned(&self, node: &mut Node, candidate: &Candidate, picker: &mut MovePicker) -> bool {
        let parameters = &self.parameters;
        let &Candidate { mv, captured, gives_check, history, number, .. } = candidate;
        let quiet_moves =
            (parameters.late_move_base + node.depth * node.depth) / (2 - i32::from(node.improving));
        if captured.is_none() && number > quiet_moves {
            picker.skip_quiets();
        }
        if gives_check {
            return false;
        }
        let mut reduction = candidate.reduction;
        if node.tt_pv {
            reduction += parameters.prune_tt_pv;
        }
        let lmr_depth = node.depth - 1 - reduction / 1024;
        if let Some(victim) = captured {
            let lmr_depth = lmr_depth.max(0);
            let futility = node.eval
                + parameters.capture_futility_base
                + parameters.capture_futility_slope * lmr_depth
                + SEE_VALUE[victim.kind().index()]
                + history * parameters.capture_futility_history / 1024;
            if !node.in_check
                && lmr_depth < parameters.capture_futility_depth
                && futility <= node.alpha
            {
                return true;
            }
            let margin = parameters.see_capture * node.depth
                + history * parameters.see_capture_history / 1024;
            return !picker.is_good_capture()
                && node.depth < parameters.see_capture_depth
                && !self.position.see_at_least(mv, -margin.max(0));
        }
        if lmr_depth >= parameters.prune_quiet_depth {
            return false;
        }
        if history < -parameters.history_margin * node.depth {
            return true;
        }
        // The histories shift the reduced depth, and with it the margins.
        let main = self.histories.main(self.position.side(), mv);
        let lmr_depth =
            lmr_depth + (history + parameters.prune_main * main / 64) / parameters.prune_history;
        let mut futility =
            node.eval + parameters.futility_base + parameters.futility_slope * lmr_depth;
        if node.best.mv.is_none() {
            futility += parameters.futility_no_best;
        }
        if !node.in_check && lmr_depth < parameters.futility_depth && futility <= node.alpha {
            node.best.value = node.best.value.max(futility.min(EVALUATION_LIMIT - 1));
            return true;
        }
        let margin = parameters.see_quiet * lmr_depth.max(0) * lmr_depth.max(0);
        !self.position.see_at_least(mv, -margin)
    }

    /// Step 16: returns the extension of a move. The move of the table is extended if it is
    /// singular: a reduced search without it tests how much better than all others it is. A check
    /// is extended if it loses no material.
    #[inline(always)]
    fn extension<N: NodeType>(&mut self, node: &Node, candidate: &Candidate) -> Extension {
        let &Candidate { mv, gives_check, .. } = candidate;
        let ply = self.ply;
        if ply >= 2 * self.root_depth as usize {
            return Extension::Plies(0);
        }
        let parameters = &self.parameters;
        if !N::ROOT
            && Some(mv) == node.tt_move
            && node.excluded.is_none()
            && let Some(entry) = node.entry
            && node.depth >= parameters.singular_depth
            && entry.depth >= node.depth - parameters.singular_entry_depth
            && entry.bound.has_lower()
            && !is_decisive(entry.value)
        {
            let target = entry.value - parameters.singular_margin * node.depth / 16;
            let depth = (node.depth - 1) / 2;
            count(Event::SingularSearch);
            self.stack.at(ply).excluded = Some(mv);
            let value = self.negamax::<NonPv>(target - 1, target, depth, node.cut_node);
            self.stack.at(ply).excluded = None;
            let parameters = &self.parameters;
            if value < target {
                let is_below = |margin| i32::from(!N::PV && value < target - margin);
                let more = is_below(parameters.double_margin) + is_below(parameters.triple_margin);
                if more > 0 {
                    count(Event::DoubleExtension);
                }
                return Extension::Plies(1 + more);
            }
            if value >= node.beta && !is_decisive(value) {
                count(Event::Multicut);
                return Extension::Multicut(value);
            }
            let less = if entry.value >= node.beta {
                parameters.negative_high
            } else if node.cut_node {
                parameters.negative_cut_node
            } else {
                0
            };
            if less != 0 {
                return Extension::Plies(-less);
            }
        }
        let extends = gives_check
            && node.depth < self.parameters.check_extension_depth
            && self.position.see_at_least(mv, 0);
        if extends {
            count(Event::CheckExtension);
        }
        Extension::Plies(extends.into())
    }

    /// Steps 18 to 20: searches a move that has been made and returns its value.
    #[inline(always)]
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        reduction: i32,
    ) -> i32 {
        let (alpha, best_value) = (node.alpha, node.best.value);
        let new_depth = node.depth - 1 + extension;
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            // Step 18. A late move is searched with a null window at reduced depth (or deeper, if it
            // promises much), and again (step 19) if it beats alpha.
            let deepest = new_depth + 1 + i32::from(N::PV);
            let reduced = (new_depth - reduction / 1024).min(deepest).max(1);
            self.stack.at(self.ply - 1).reduction = new_depth - reduced;
            value = -self.negamax::<NonPv>(-alpha - 1, -alpha, reduced, true);
            self.stack.at(self.ply - 1).reduction = 0;
            if value > alpha && !self.stopped {
                let parameters = &self.parameters;
                let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
                let deeper = i32::from(reduced < new_depth && value > best_value + high);
                let shallower = i32::from(value < best_value + parameters.lmr_shallower);
                let new_depth = new_depth + deeper - shallower;
                if new_depth > reduced {
                    value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth, !node.cut_node);
                }
                if candidate.captured.is_none() {
                    let bonus = self.parameters.lmr_bonus;
                    self.update_continuations(self.ply - 1, candidate.moved, bonus);
                }
            }
        } else if !N::PV || candidate.number > 1 {
            // Step 19. Null window search, shallower if the move promises little.
            let parameters = &self.parameters;
            let less = i32::from(reduction > parameters.full_reduction_1)
                + i32::from(reduction > parameters.full_reduction_2 && new_depth > 2);
            value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth - less, !node.cut_node);
        }
        // Step 20. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(-node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 18: returns the reduction of a place in the move order, in 1024ths of a ply. Step 15
    /// uses it too.
    #[inline(always)]
    fn place_reduction(&self, node: &Node, number: i32) -> i32 {
        let parameters = &self.parameters;
        let scale = self.reductions.of(node.depth, number);
        let window = node.beta - node.alpha;
        let mut reduction =
            parameters.lmr_base + scale - parameters.lmr_window * window / self.root_window;
        if !node.improving {
            reduction += scale * parameters.lmr_not_improving / 1024;
        }
        reduction
    }

    /// Step 18: returns the reduction of a move that has been made, in 1024ths of a ply. It is the
    /// sum of
    ///
    /// 1. the base, `lmr_factor * ln(depth) * ln(move number)`, see [`ReductionTable`];
    /// 2. corrections by the place: the width of the window, and whether the node improves. Step 15
    ///    prunes by the sum up to here;
    /// 3. corrections by the kind of the node, the table's entry, the cutoffs below, and the move;
    /// 4. the histories of the move.
    #[inline(always)]
    fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        ordering: &MoveOrdering,
        candidate: &Candidate,
    ) -> i32 {
        let cutoffs_below = self.stack.at(self.ply).cutoffs as i32;
        let parameters = &self.parameters;
        let &Candidate { mv, moved, captured, gives_check, .. } = candidate;
        let all_node = !N::PV && !node.cut_node;
        let mut reduction = candidate.reduction;
        if node.cut_node {
            reduction += parameters.lmr_cut_node;
            if node.tt_move.is_none() {
                reduction += parameters.lmr_cut_node_no_tt_move;
            }
        }
        if node.tt_pv {
            reduction -= parameters.lmr_tt_pv;
            if N::PV {
                reduction -= parameters.lmr_pv;
            }
            if node.entry.is_some_and(|entry| entry.bound.has_lower() && entry.value > node.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if node.tt_capture && captured.is_none() {
            reduction += parameters.lmr_tt_capture;
        }
        if gives_check {
            reduction -= parameters.lmr_check;
        }
        if cutoffs_below > parameters.lmr_cutoffs_some {
            reduction += parameters.lmr_cutoffs;
        }
        if cutoffs_below > parameters.lmr_cutoffs_many {
            reduction += parameters.lmr_more_cutoffs;
            if all_node {
                reduction += parameters.lmr_cutoffs_all_node;
            }
        }
        if Some(mv) == node.tt_move {
            reduction -= parameters.lmr_tt_move;
        }
        let history = if let Some(captured) = captured {
            parameters.lmr_capture * SEE_VALUE[captured.kind().index()] / 64
                + candidate.history
                + parameters.lmr_capture_offset
        } else {
            let &MoveOrdering { keys, previous, .. } = ordering;
            let mover = !self.position.side();
            (parameters.lmr_main * self.histories.main(mover, mv)
                + parameters.lmr_pawn * self.histories.pawn(keys, moved)
                + parameters.lmr_continuation_4 * self.histories.continuation(previous[3], moved))
                / 64
                + self.histories.continuation(previous[0], moved)
                + self.histories.continuation(previous[1], moved)
                + parameters.lmr_quiet_offset
        };
        reduction -= history * 1024 / parameters.lmr_history;
        if all_node && reduction > 0 {
            reduction += reduction * parameters.lmr_all_node / 1024 / (node.depth + 1);
        }
        reduction
    }

    /// Step 21: records the result of a root move, and the nodes searched below it.
    fn update_root_move(&mut self, node: &Node, candidate: &Candidate, value: i32, nodes: u64) {
        let is_best = candidate.number == 1 || value > node.alpha;
        if is_best && candidate.number > 1 && self.pv_index == 0 {
            self.best_move_changes += 1.0;
        }
        let searched = self.root_moves.iter_mut().find(|root_move| root_move.mv == candidate.mv);
        let Some(root_move) = searched else { return };
        root_move.nodes += nodes;
        if is_best {
            let bound = Bound::of(value, node.alpha, node.beta);
            root_move.set_best(value, bound, self.sel_depth, self.pv.at(1));
        } else {
            root_move.value = -INFINITE;
        }
    }

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

    /// Step 22: updates the histories, stores the node and returns its value.
    #[inline(always)]
    fn finish_node<N: NodeType>(&mut self, node: &Node) -> i32 {
        let &Node { beta, depth, excluded, .. } = node;
        let (mut best_value, best_move) = (node.best.value, node.best.mv);
        // No move: lost, in check or not.
        if node.move_count == 0 {
            return if excluded.is_some() { node.alpha } else { mated_in(self.ply) };
        }
        if best_value >= beta {
            self.stack.at(self.ply).cutoffs += 1;
            if !is_decisive(best_value) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best_value = (3 * best_value + beta) / 4;
            }
        }
        if let Some(mv) = best_move {
            self.update_histories(mv, node);
        } else if !N::ROOT {
            self.reward_previous_move(node, best_value);
        }
        let bound = TtBound::of(best_value, beta, N::PV && best_move.is_some());
        self.path_dependence = node.best.path_dependence;
        if excluded.is_none() {
            // The value of the root is that of its position only if no move was left out.
            let limits = &self.context.limits;
            let has_all_moves = !N::ROOT
                || (self.pv_index == 0
                    && limits.search_moves.is_empty()
                    && limits.banned_moves.is_empty());
            if has_all_moves {
                self.store(TtEntry {
                    mv: best_move,
                    value: best_value,
                    eval: node.raw_eval,
                    depth,
                    bound,
                    is_pv: node.tt_pv,
                });
            }
            self.update_correction(node, best_value, best_move, bound);
        }
        best_value
    }

    /// The quiescence search: returns the value of the position if only captures and, at `depth` 0
    /// or soon after another check, quiet checks are played, so that the static evaluation can be
    /// trusted; in check all moves. `depth` is at most 0; that of the first node is 0.
    fn quiescence<N: NodeType>(&mut self, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        // As in step 2: node count, stop, principal variation.
        self.begin_node::<N>();
        self.sel_depth = self.sel_depth.max(self.ply + 1);
        if self.stopped {
            return 0;
        }
        count(Event::QuiescenceNode);

        // As in step 3: repetitions, natural-move limit, dead draws, endgame tables.
        if let Some(value) = self.rule_value(beta) {
            return value;
        }

        // As in step 5: the transposition table. An entry of any depth will do. A value that
        // ignores a repetition or a near natural-move limit does little harm in a leaf, and looking
        // for both in every leaf takes time.
        self.enter_node();
        let entry = self.probe();
        if let Some(entry) = entry.filter(|entry| !N::PV && entry.decides(beta)) {
            return entry.value;
        }
        let is_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        // As in step 6: the static evaluation. The side to move need not capture ("stand pat").
        let in_check = self.position.in_check();
        if in_check {
            count(Event::QuiescenceInCheck);
        }
        let eval = (!in_check).then(|| self.static_eval(entry));
        let raw_eval = eval.map(|eval| eval.raw);
        let entry_of =
            |mv, value, depth, bound| TtEntry { mv, value, eval: raw_eval, depth, bound, is_pv };
        let stand_pat = eval.map_or(-INFINITE, |eval| eval.refined);
        if stand_pat >= beta {
            if entry.is_none() {
                let bound = TtBound::Lower;
                self.store(entry_of(None, stand_pat, DEPTH_WITHOUT_CHECKS, bound));
            }
            return stand_pat;
        }

        // As in step 14: the next move.
        alpha = alpha.max(stand_pat);
        let mut best = BestMove::new(stand_pat);
        let mut move_count = 0;
        let gave_check = self.stack.before(self.ply, 1).in_check;
        let kind = if in_check {
            GenerationKind::All
        } else if depth >= 0 || (gave_check && depth >= SECOND_CHECK_DEPTH) {
            GenerationKind::CapturesAndChecks
        } else {
            GenerationKind::Captures
        };
        let ordering = self.move_ordering();
        let tt_move = entry.and_then(|entry| entry.mv);
        let mut picker = MovePicker::new(&self.position, tt_move, ordering, kind);
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            move_count += 1;
            self.prefetch(mv);

            // As in step 15: pruning of the move.
            if best.value > -RULE_BAND {
                if !in_check {
                    let good = picker.is_good_capture();
                    if self.is_futile(mv, good, alpha, stand_pat, &mut best) {
                        continue;
                    }
                } else if !self.position.is_capture(mv) {
                    // A quiet evasion that does not lose shows that the check does not mate.
                    picker.skip_quiets();
                }
            }

            // As in steps 18 to 21: the search of the move, and the best move so far.
            if !in_check && !self.position.is_capture(mv) {
                count(Event::QuietCheck);
            }
            self.make(mv);
            let value = -self.quiescence::<N>(-beta, -alpha, depth - 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if self.update_best::<N>(&mut best, &mut alpha, beta, mv, value) {
                break;
            }
        }

        // As in step 22: the transposition table.
        if in_check && move_count == 0 {
            return mated_in(self.ply);
        }
        let BestMove { value, mv, path_dependence } = best;
        let bound = TtBound::of(value, beta, N::PV && mv.is_some());
        self.path_dependence = path_dependence;
        let depth = if depth >= 0 { DEPTH_WITH_CHECKS } else { DEPTH_WITHOUT_CHECKS };
        self.store(entry_of(mv, value, depth, bound));
        value
    }

    /// Returns true if a move of the quiescence search outside of check cannot reach alpha or loses
    /// material. The best value rises to what a futile capture could have reached, short of a won
    /// game. A good capture is known to lose no material.
    #[inline(always)]
    fn is_futile(
        &self,
        mv: Move,
        is_good_capture: bool,
        alpha: i32,
        stand_pat: i32,
        best: &mut BestMove,
    ) -> bool {
        if let Some(captured) = self.position.captured(mv) {
            let base = stand_pat + self.parameters.quiescence_futility;
            let futility = base + SEE_VALUE[captured.kind().index()];
            if futility <= alpha && !self.position.gives_check(mv) {
                best.value = best.value.max(futility.min(EVALUATION_LIMIT - 1));
                return true;
            }
            if base <= alpha && !self.position.see_at_least(mv, 1) {
                best.value = best.value.max(base.min(EVALUATION_LIMIT - 1));
                return true;
            }
        }
        !is_good_capture && !self.position.see_at_least(mv, 0)
    }
}

/// Depths and move numbers from this on share the last row or column of the reductions.
const REDUCTIONS: usize = 64;

/// Base of the late move reductions, `lmr_factor * ln(depth) * ln(move number)`, in 1024ths of a
/// ply.
pub(crate) struct ReductionTable(Vec<i32>);

impl ReductionTable {
    pub(crate) fn new(parameters: &Parameters) -> ReductionTable {
        let mut table = vec![0; REDUCTIONS * REDUCTIONS];
        for depth in 1..REDUCTIONS {
            for move_number in 1..REDUCTIONS {
                let logarithms = (depth as f64).ln() * (move_number as f64).ln();
                table[depth * REDUCTIONS + move_number] =
                    (f64::from(parameters.lmr_factor) * logarithms) as i32;
            }
        }
        ReductionTable(table)
    }

    /// Returns the base of a move.
    #[inline(always)]
    pub(crate) fn of(&self, depth: i32, move_number: i32) -> i32 {
        let last = REDUCTIONS as i32 - 1;
        self.0[(depth.min(last) * REDUCTIONS as i32 + move_number.min(last)) as usize]
    }
}

//! Quiescence: captures until the position is quiet, so that the static evaluation can be
//! trusted.

use super::context::SearchContext;
use super::negamax::NodeType;
use super::picker::{MovePicker, Wanted};
use super::table::{TtBound, TtEntry};
use super::value::{INFINITE, MAX_PLY, RULE_BAND, is_by_rule, is_decisive, mated_in};
use super::worker::Worker;
use crate::board::SEE_VALUE;

impl Worker {
    /// The value of the position when only captures (and, at `depth` 0, quiet checks) are played.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        context: &SearchContext,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        self.count_node(context);
        self.sel_depth = self.sel_depth.max(self.ply + 1);
        self.dependence = i32::MAX;
        if N::PV {
            self.lines.clear(self.ply);
        }
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.rule_value(context, beta) {
            return value;
        }
        let in_check = self.position.in_check();
        if self.ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluator.evaluate(&self.position) };
        }

        let key = self.position.key();
        let entry = context.table.probe(key, self.ply);
        if let Some(entry) = entry.filter(|_| !N::PV) {
            let cuts =
                if entry.value >= beta { entry.bound.has_lower() } else { entry.bound.has_upper() };
            if cuts {
                return entry.value;
            }
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        let mut best = -INFINITE;
        let mut raw_eval = None;
        let mut futile_below = -INFINITE;
        if !in_check {
            let raw = entry
                .and_then(|entry| entry.eval)
                .unwrap_or_else(|| self.evaluator.evaluate(&self.position));
            raw_eval = Some(raw);
            best = self.corrected(raw);
            if let Some(entry) = entry.filter(|entry| !is_decisive(entry.value)) {
                let tighter = if entry.value > best {
                    entry.bound.has_lower()
                } else {
                    entry.bound.has_upper()
                };
                if tighter {
                    best = entry.value;
                }
            }
            if best >= beta {
                if entry.is_none() {
                    self.store(context, None, best, raw_eval, -1, TtBound::Lower, was_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
            futile_below = best + self.parameters.quiescence_futility;
        }
        self.stack.at(self.ply).eval = if in_check { None } else { Some(best) };

        let wanted = if in_check {
            Wanted::All
        } else if depth >= 0 {
            Wanted::CapturesAndChecks
        } else {
            Wanted::Captures
        };
        let hints = self.hints(false);
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = MovePicker::new(&self.position, table_move, hints, wanted, 0);
        let mut best_move = None;
        let mut tried = 0;
        let mut dependence = i32::MAX;
        let old_alpha = alpha;
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            tried += 1;
            let captured = self.position.captured(mv);
            if best > -RULE_BAND {
                if !in_check {
                    if let Some(captured) = captured {
                        let gain = SEE_VALUE[captured.kind().index()];
                        if futile_below + gain <= alpha && !self.position.gives_check(mv) {
                            best = best.max(futile_below + gain);
                            continue;
                        }
                        if futile_below <= alpha && !self.position.see_at_least(mv, 1) {
                            best = best.max(futile_below);
                            continue;
                        }
                    }
                    if !self.position.see_at_least(mv, 0) {
                        continue;
                    }
                } else if captured.is_none() {
                    // One quiet evasion is enough to see that the check is no mate.
                    picker.skip_quiets();
                }
            }
            self.make(context, mv);
            let value = -self.quiescence::<N>(context, -beta, -alpha, depth - 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if is_by_rule(value) {
                dependence = dependence.min(self.dependence);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.lines.update(self.ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && tried == 0 {
            return mated_in(self.ply);
        }
        let bound = if best >= beta {
            TtBound::Lower
        } else if N::PV && alpha > old_alpha {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.dependence = dependence;
        self.store(
            context,
            best_move,
            best,
            raw_eval,
            if depth >= 0 { 0 } else { -1 },
            bound,
            was_pv,
        );
        best
    }
}

#[allow(clippy::too_many_arguments)]
impl Worker {
    /// Stores a node unless its value is a won or lost repetition with a position above it: such
    /// a value belongs to the path, and on another path it would be false. This is the
    /// graph-history-interaction problem (M. Campbell, "The graph-history interaction: on ignoring
    /// position history", 1985); not storing what depends on the path is the simplest of its
    /// cures (see A. Kishimoto and M. Müller, "A general solution to the graph history interaction
    /// problem", 2004). Draws by repetition are stored, as everywhere: they would taint most of the
    /// table.
    pub(super) fn store(
        &mut self,
        context: &SearchContext,
        mv: Option<crate::board::Move>,
        value: i32,
        eval: Option<i32>,
        depth: i32,
        bound: TtBound,
        is_pv: bool,
    ) {
        if is_by_rule(value) && self.dependence < self.ply as i32 {
            return;
        }
        let entry = TtEntry { mv, value, eval, depth, bound, is_pv };
        context.table.store(self.position.key(), self.ply, entry);
    }
}

//! Values of the root moves by the endgame tables and the rules, before the search.
//!
//! A table ignores the past of the game and the natural-move limit. Hence a move that ends the game
//! by a rule has no table value, and a win or loss counts as known only if the mate comes before
//! the limit.

use cannonade_tables::{Tables, Value};
use xiangqi::board::{Move, Position};
use xiangqi::rules::search::{judge_occurrences, reaches_natural_limit};
use xiangqi::rules::{DEFAULT_OCCURRENCES, RuleSet, Wdl, mates_in_time, natural_plies, repeats};

use super::context::SearchContext;
use super::root_moves::RootMove;
use super::value::{MATE, MAX_PLY};

/// Within this many plies of the natural-move limit, the search ranks the moves whose mate the
/// table does not promise in time. Earlier the shortest way is the best guess.
const NEAR_LIMIT: u16 = 40;

// Ranks of the moves: higher is better for the side that moves.
const WON_BY_RULE: i32 = 3000;
const WON_IN_TIME: i32 = 2000;
const WON: i32 = 1000;
const WON_NEAR_LIMIT: i32 = 500;
const WON_REPEATING: i32 = 1;
const DRAWN: i32 = 0;

/// A root move judged by the tables and the rules.
struct Judged {
    rank: i32,
    /// Value from the root, if certain.
    value: Option<i32>,
}

/// Ranks the root moves. If the endgame tables hold the root, drops those that are worse than
/// others: the shortest wins, the draws or the longest losses stay, and for several principal
/// variations the next best. Else moves that lose at once by a repetition come last: to be mated
/// takes longer. Returns the number of positions looked up.
pub(super) fn rank_root_moves(
    root_moves: &mut Vec<RootMove>,
    position: &Position,
    context: &SearchContext,
) -> usize {
    let tables = &context.options.tables;
    let held = tables.may_hold(position.board()) && !root_moves.is_empty();
    let Some(probe) = held.then(|| tables.probe(position).ok()).flatten() else {
        rank_by_repetition(root_moves, position, context.options.rules);
        return 0;
    };
    for root_move in root_moves.iter_mut() {
        let found = probe.moves.iter().find(|(mv, _)| *mv == root_move.mv);
        // Positions that a perpetual check may decide rank as draws, but the search values them.
        let value = found.map(|&(_, value)| value).filter(|value| value.is_exact());
        let judged = judge_move(position, root_move.mv, value, context);
        root_move.table_value = judged.value;
        root_move.rank = judged.rank;
    }
    root_moves.sort_by_key(|root_move| -root_move.rank);
    let lines = context.limits.multi_pv.clamp(1, root_moves.len());
    let least = root_moves[lines - 1].rank;
    root_moves.retain(|root_move| root_move.rank >= least);
    1 + probe.moves.len()
}

/// Ranks the moves that lose at once by a repetition below the others.
fn rank_by_repetition(root_moves: &mut [RootMove], position: &Position, rules: RuleSet) {
    let mut after = position.clone();
    for root_move in root_moves.iter_mut() {
        after.play_unchecked(root_move.mv);
        if verdict_by_repetition(&after, rules) == Some(Wdl::Win) {
            root_move.rank = -WON_BY_RULE;
        }
        after.unmake();
    }
    root_moves.sort_by_key(|root_move| -root_move.rank);
}

/// Judges a move with this table value, seen from the root.
fn judge_move(
    position: &Position,
    mv: Move,
    value: Option<Value>,
    context: &SearchContext,
) -> Judged {
    let after = position.after([mv]);
    let limit = context.options.natural_move_limit;
    if let Some(rank) = end_by_rule(&after, context.options.rules, limit) {
        return Judged { rank, value: None };
    }
    let Some(plies) = value.and_then(Value::plies) else {
        return Judged { rank: DRAWN, value: value.map(|_| context.options.draw_score) };
    };
    // The table counts from before the move.
    let in_time = mates_in_time(&after, u16::from(plies) - 1, limit);
    let is_near = natural_plies(&after).saturating_add(NEAR_LIMIT) > limit;
    let distance = i32::from(plies);
    let is_win = value.is_some_and(|value| value.wdl() == Wdl::Win);
    let rank = if is_win && repeats(position, mv) {
        // The shortest way does not repeat positions, unless an earlier move left it.
        WON_REPEATING
    } else if in_time {
        WON_IN_TIME - distance
    } else if is_near {
        WON_NEAR_LIMIT
    } else {
        WON - distance
    };
    let sign = if is_win { 1 } else { -1 };
    Judged { rank: sign * rank, value: in_time.then_some(sign * (MATE - distance)) }
}

/// Returns the rank of a move to this position if the game ends there by repetition or by the
/// natural-move limit.
fn end_by_rule(after: &Position, rules: RuleSet, limit: u16) -> Option<i32> {
    let ruled = verdict_by_repetition(after, rules).map(|verdict| match verdict {
        // Verdicts are for the side to move, the opponent.
        Wdl::Win => -WON_BY_RULE,
        Wdl::Draw => DRAWN,
        Wdl::Loss => WON_BY_RULE,
    });
    let drawn = || (reaches_natural_limit(after, limit) && after.has_legal_move()).then_some(DRAWN);
    ruled.or_else(drawn)
}

/// Returns the verdict for the side to move if the game ends by repetition in this position.
fn verdict_by_repetition(position: &Position, rules: RuleSet) -> Option<Wdl> {
    judge_occurrences(position, DEFAULT_OCCURRENCES, rules).map(|ruling| ruling.verdict)
}

/// Returns the line by the tables after the first move of `line`, until the mate or a position that
/// they do not decide. Of equal moves that of `line` is preferred.
pub(super) fn table_line(tables: &Tables, position: &Position, line: &[Move]) -> Vec<Move> {
    let mut moves: Vec<Move> = line.iter().take(1).copied().collect();
    let mut position = position.after(moves.iter().copied());
    while moves.len() < MAX_PLY
        && let Ok(probe) = tables.probe(&position)
        && let Some(&(first, best)) = probe.moves.first()
        && best.is_exact()
        && best.plies().is_some()
    {
        let is_best = |mv: &&Move| probe.moves.contains(&(**mv, best));
        let mv = line.get(moves.len()).filter(is_best).copied().unwrap_or(first);
        moves.push(mv);
        position.play_unchecked(mv);
    }
    moves
}

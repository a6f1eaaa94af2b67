//! The order in which moves are tried, found in stages so that a cut saves the later ones.
//!
//! Table move, good captures, killers and countermove, quiet moves by history, threats and checks,
//! bad captures; in check captures, then quiet moves. The first quiet move a picker gives is where
//! the search computes chase information.

use arrayvec::ArrayVec;

use super::histories::{Histories, PieceTo, piece_to};
use crate::board::{Checks, MAX_MOVES, Move, MoveList, Position, SEE_VALUE};
use crate::geometry::{Bitboard, Color, PieceKind, knight_attacks, line_attacks, pawn_attacks};

/// A quiet check that loses more than this in exchange is no better than other moves.
const CHECK_MARGIN: i32 = 75;

/// A move and how promising it is.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvadingCaptures,
    EvadingCaptures,
    MakeEvadingQuiets,
    EvadingQuiets,
    MakeChecks,
    Checks,
    Done,
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of them.
    All,
    /// Captures only.
    Captures,
    /// Captures, then quiet moves that give check.
    CapturesAndChecks,
}

/// What a picker may ask about the way to the node.
#[derive(Clone, Copy, Default)]
pub(super) struct Hints {
    pub(super) killers: [Option<Move>; 2],
    pub(super) counter: Option<Move>,
    /// The pieces that moved one, two and four plies ago.
    pub(super) earlier: [Option<PieceTo>; 3],
    /// What a quiet move is worth more if it gives check.
    pub(super) check_bonus: i32,
}

/// See the module.
pub(super) struct MovePicker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    hints: Hints,
    refutation: usize,
    see_margin: i32,
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
}

impl MovePicker {
    /// A picker for a node. Captures that lose more than `see_margin` in exchange come last.
    pub(super) fn new(
        position: &Position,
        table_move: Option<Move>,
        hints: Hints,
        wanted: Wanted,
        see_margin: i32,
    ) -> MovePicker {
        let usable = |mv: &Move| {
            position.is_pseudo_legal(*mv)
                && position.is_legal(*mv)
                && (wanted == Wanted::All || position.in_check() || position.is_capture(*mv))
        };
        MovePicker {
            stage: Stage::Table,
            wanted,
            table_move: table_move.filter(usable),
            hints,
            refutation: 0,
            see_margin,
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
        }
    }

    /// Gives no more quiet moves from now on.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next legal move.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    let in_check = position.in_check();
                    self.stage =
                        if in_check { Stage::MakeEvadingCaptures } else { Stage::MakeCaptures };
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    let mut list = MoveList::new();
                    position.captures(&mut list);
                    self.fill(&list, |mv| capture_score(position, histories, mv));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    while let Some(mv) = self.best_left() {
                        if position.see_at_least(mv, -self.see_margin) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    }
                    self.stage = match self.wanted {
                        Wanted::All => Stage::Refutations,
                        Wanted::Captures => Stage::Done,
                        Wanted::CapturesAndChecks => Stage::MakeChecks,
                    };
                }
                Stage::Refutations => {
                    if let Some(mv) = self.next_refutation(position) {
                        return Some(mv);
                    }
                    self.stage = Stage::MakeQuiets;
                }
                Stage::MakeQuiets => {
                    if !self.skip_quiets {
                        let mut list = MoveList::new();
                        position.quiets(&mut list);
                        let threats = Threats::of(position);
                        let checks = Checks::of(position);
                        let Hints { earlier, check_bonus, .. } = self.hints;
                        self.fill(&list, |mv| {
                            let is_good_check = checks.has(position, mv)
                                && position.see_at_least(mv, -CHECK_MARGIN);
                            quiet_score(position, histories, &earlier, mv)
                                + threats.score(position, mv)
                                + if is_good_check { check_bonus } else { 0 }
                        });
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets {
                        while let Some(mv) = self.best_left() {
                            if !self.is_refutation(mv) {
                                return Some(mv);
                            }
                        }
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    let mv = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::MakeEvadingCaptures => {
                    let mut list = MoveList::new();
                    position.captures(&mut list);
                    self.fill(&list, |mv| capture_score(position, histories, mv));
                    self.stage = Stage::EvadingCaptures;
                }
                Stage::EvadingCaptures => {
                    if let Some(mv) = self.best_left() {
                        return Some(mv);
                    }
                    self.stage = Stage::MakeEvadingQuiets;
                }
                Stage::MakeEvadingQuiets => {
                    if !self.skip_quiets {
                        let mut list = MoveList::new();
                        position.quiets(&mut list);
                        let earlier = self.hints.earlier;
                        self.fill(&list, |mv| quiet_score(position, histories, &earlier, mv));
                    }
                    self.stage = Stage::EvadingQuiets;
                }
                Stage::EvadingQuiets => {
                    if !self.skip_quiets
                        && let Some(mv) = self.best_left()
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeChecks => {
                    let mut list = MoveList::new();
                    position.quiets(&mut list);
                    let checks = Checks::of(position);
                    list.retain(|mv| checks.has(position, *mv));
                    let earlier = self.hints.earlier;
                    self.fill(&list, |mv| quiet_score(position, histories, &earlier, mv));
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    if let Some(mv) = self.best_left() {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn fill(&mut self, list: &MoveList, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        for &mv in list {
            if Some(mv) != self.table_move {
                self.moves.push(Scored { mv, score: score(mv) });
            }
        }
    }

    /// The best move not given yet, by selection: most nodes need only a few.
    #[inline]
    fn best_left(&mut self) -> Option<Move> {
        let left = &mut self.moves[self.next..];
        let mut best = 0;
        for (i, scored) in left.iter().enumerate() {
            if scored.score > left[best].score {
                best = i;
            }
        }
        let mv = left.get(best)?.mv;
        left.swap(0, best);
        self.next += 1;
        Some(mv)
    }

    fn refutations(&self) -> [Option<Move>; 3] {
        [self.hints.killers[0], self.hints.killers[1], self.hints.counter]
    }

    fn next_refutation(&mut self, position: &Position) -> Option<Move> {
        let candidates = self.refutations();
        while let Some(&candidate) = candidates.get(self.refutation) {
            self.refutation += 1;
            let Some(mv) = candidate else { continue };
            let repeated = candidates[..self.refutation - 1].contains(&candidate);
            if !self.skip_quiets
                && !repeated
                && candidate != self.table_move
                && !position.is_capture(mv)
                && position.is_pseudo_legal(mv)
                && position.is_legal(mv)
            {
                return Some(mv);
            }
        }
        None
    }

    fn is_refutation(&self, mv: Move) -> bool {
        self.refutations().contains(&Some(mv))
    }
}

fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    match (position.piece_on(mv.from()), position.captured(mv)) {
        (Some(piece), Some(captured)) => {
            16 * SEE_VALUE[captured.kind().index()]
                + histories.capture(piece, mv.to(), captured.kind())
        }
        _ => 0,
    }
}

fn quiet_score(
    position: &Position,
    histories: &Histories,
    earlier: &[Option<PieceTo>; 3],
    mv: Move,
) -> i32 {
    let Some(piece) = position.piece_on(mv.from()) else { return 0 };
    let now = piece_to(piece, mv.to());
    2 * histories.butterfly(position.side(), mv)
        + 2 * histories.continuation(earlier[0], now)
        + histories.continuation(earlier[1], now)
        + histories.continuation(earlier[2], now)
}

/// Squares where the opponent captures with a cheaper piece: a reason to leave them, and not to
/// go there.
struct Threats {
    by_pawn: Bitboard,
    by_minor: Bitboard,
}

impl Threats {
    fn of(position: &Position) -> Threats {
        let board = position.board();
        let occupied = board.occupied();
        let them: Color = !position.side();
        let mut by_pawn = Bitboard::EMPTY;
        for sq in board.pieces(them, PieceKind::Pawn) {
            by_pawn |= pawn_attacks(them, sq);
        }
        let mut by_minor = by_pawn;
        for sq in board.pieces(them, PieceKind::Knight) {
            by_minor |= knight_attacks(sq, occupied);
        }
        for sq in board.pieces(them, PieceKind::Cannon) {
            by_minor |= line_attacks(sq, occupied).cannon;
        }
        Threats { by_pawn, by_minor }
    }

    fn score(&self, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece_on(mv.from()) else { return 0 };
        let (attacked, worth) = match piece.kind() {
            PieceKind::Rook => (self.by_minor, 12_000),
            PieceKind::Knight | PieceKind::Cannon => (self.by_pawn, 7_000),
            _ => return 0,
        };
        worth * (i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to())))
    }
}

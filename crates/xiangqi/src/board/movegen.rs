//! Generation and legality of moves.
//!
//! A piece's moves are a set of target squares. Legal sets are made directly: the exposure of the
//! king shows which moves must be examined; all others are legal.

use crate::geometry::{
    Bitboard, Piece, PieceKind, Square, advisor_attacks, between, bishop_attacks, king_attacks,
    knight_attackers, knight_attacks, knight_leg, line_attacks, lines_of, pawn_attacks,
    quiet_line_moves, rook_attacks,
};

use super::{Move, MoveList, Position};

impl Position {
    /// Returns all legal moves, captures first.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.push_legal(self.capturable(), &mut list);
        self.push_legal(!self.occupied(), &mut list);
        list
    }

    /// Returns the pieces of the opponent without its king, which only a defective start leaves in
    /// check.
    #[inline]
    fn capturable(&self) -> Bitboard {
        let them = !self.side();
        self.board().color(them) - self.board().pieces(them, PieceKind::King)
    }

    /// Returns the legal captures.
    #[inline]
    pub fn captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.push_legal(self.capturable(), &mut list);
        list
    }

    /// Returns the legal moves that do not capture.
    #[inline]
    pub fn quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        self.push_legal(!self.occupied(), &mut list);
        list
    }

    #[inline]
    fn push_legal(&self, targets: Bitboard, list: &mut MoveList) {
        self.for_each_legal(targets, |from, set| {
            for to in set {
                list.push(Move::between(from, to));
            }
        });
    }

    /// Calls `visit` with each piece of the side to move and its legal moves that do not capture,
    /// as target squares, in the order of [`Position::quiets`].
    #[inline]
    pub fn visit_quiets(&self, visit: impl FnMut(Square, Bitboard)) {
        self.for_each_legal(!self.occupied(), visit);
    }

    /// Returns the number of legal moves, without listing them.
    pub(crate) fn count_legal(&self) -> usize {
        let mut count = 0;
        let targets = self.capturable() | !self.occupied();
        self.for_each_legal(targets, |_, set| count += set.len());
        count
    }

    /// Returns whether the side to move has a legal move; if not it has lost, in check or not.
    pub fn has_legal_move(&self) -> bool {
        let mut any = false;
        let targets = self.capturable() | !self.occupied();
        self.for_each_legal(targets, |_, set| any |= !set.is_empty());
        any
    }

    /// Returns whether the piece on the origin is the mover's and can go to the target, check or
    /// not.
    #[inline]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let own = self.board().color(self.side());
        match self.piece_on(from) {
            Some(piece) if piece.color() == self.side() && !own.contains(to) => {
                self.targets_of(from, piece.kind()).contains(to)
            }
            _ => false,
        }
    }

    /// Returns whether a pseudo-legal move leaves the mover's king safe.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let exposure = self.exposure();
        let king = self.king(self.side());
        if exposure.checkers.is_empty()
            && mv.from() != king
            && !exposure.blockers.contains(mv.from())
            && !exposure.open_lines.contains(mv.to())
        {
            return true;
        }
        self.is_safe_after(mv.from(), mv.to(), king)
    }

    /// Returns the squares a piece of the side to move attacks or can step to; own pieces included.
    #[inline]
    fn targets_of(&self, from: Square, kind: PieceKind) -> Bitboard {
        let occupied = self.occupied();
        match kind {
            PieceKind::Pawn => pawn_attacks(self.side(), from),
            PieceKind::Advisor => advisor_attacks(from),
            PieceKind::Bishop => bishop_attacks(from, occupied),
            PieceKind::Knight => knight_attacks(from, occupied),
            PieceKind::Cannon => {
                let lines = line_attacks(from, occupied);
                (lines.rook - occupied) | (lines.cannon & occupied)
            }
            PieceKind::Rook => rook_attacks(from, occupied),
            PieceKind::King => king_attacks(from),
        }
    }

    /// Calls `visit` with each piece of the side to move and its targets among `targets`.
    #[inline]
    fn for_each_piece(&self, targets: Bitboard, mut visit: impl FnMut(Square, Bitboard)) {
        let board = self.board();
        let us = self.side();
        let occupied = self.occupied();
        for from in board.pieces(us, PieceKind::Rook) {
            visit(from, rook_attacks(from, occupied) & targets);
        }
        let captures = targets & occupied;
        let quiets = targets - occupied;
        for from in board.pieces(us, PieceKind::Cannon) {
            // Callers ask for captures, quiet moves or both; the test is constant when inlined.
            let set = if quiets.is_empty() {
                crate::geometry::cannon_attacks(from, occupied) & captures
            } else if captures.is_empty() {
                quiet_line_moves(from, occupied) & quiets
            } else {
                let lines = line_attacks(from, occupied);
                (lines.rook & quiets) | (lines.cannon & captures)
            };
            visit(from, set);
        }
        for from in board.pieces(us, PieceKind::Knight) {
            visit(from, knight_attacks(from, occupied) & targets);
        }
        for from in board.pieces(us, PieceKind::Pawn) {
            visit(from, pawn_attacks(us, from) & targets);
        }
        for from in board.pieces(us, PieceKind::Bishop) {
            visit(from, bishop_attacks(from, occupied) & targets);
        }
        for from in board.pieces(us, PieceKind::Advisor) {
            visit(from, advisor_attacks(from) & targets);
        }
        let king = self.king(us);
        visit(king, king_attacks(king) & targets);
    }

    /// Calls `visit` with each piece of the side to move and its legal targets among `targets`.
    #[inline]
    fn for_each_legal(&self, targets: Bitboard, mut visit: impl FnMut(Square, Bitboard)) {
        let exposure = self.exposure();
        let king = self.king(self.side());
        if exposure.checkers.is_empty() {
            let free = targets - exposure.open_lines;
            self.for_each_piece(targets, |from, set| {
                if from == king {
                    visit(from, self.safe_targets(from, set, king));
                } else if exposure.blockers.contains(from) {
                    visit(from, set & self.kept_lines(from, king));
                } else {
                    visit(from, set & free);
                }
            });
        } else {
            let (answers, leavers) = self.evasion_squares(king);
            self.for_each_piece(targets, |from, set| {
                let hopeful =
                    if from == king || leavers.contains(from) { set } else { set & answers };
                if !hopeful.is_empty() {
                    visit(from, self.safe_targets(from, hopeful, king));
                }
            });
        }
    }

    /// Returns the targets that can answer a check, and the pieces that can answer it by any move
    /// (screens of a checking cannon). With several checkers no target is ruled out.
    #[inline]
    fn evasion_squares(&self, king: Square) -> (Bitboard, Bitboard) {
        let checkers = self.checkers();
        let Some(checker) = checkers.first() else { return (Bitboard::ALL, Bitboard::EMPTY) };
        if checkers.has_many() {
            return (Bitboard::ALL, Bitboard::ALL);
        }
        let capture = Bitboard::from_square(checker);
        match self.piece_on(checker).map(Piece::kind) {
            Some(PieceKind::Knight) => (capture.with(knight_leg(checker, king)), Bitboard::EMPTY),
            Some(PieceKind::Rook) => (capture | between(checker, king), Bitboard::EMPTY),
            Some(PieceKind::Cannon) => {
                let path = between(checker, king);
                (capture | path, path & self.occupied())
            }
            _ => (capture, Bitboard::EMPTY),
        }
    }

    /// Returns the squares to which a piece that stands between its king and an attacker, or on the
    /// leg of an enemy knight, may go. The king is not in check.
    #[cold]
    fn kept_lines(&self, from: Square, king: Square) -> Bitboard {
        let board = self.board();
        let enemy = !self.side();
        let occupied = self.occupied();
        let lines = lines_of(king);
        let mut kept = Bitboard::ALL;
        let straight = board.pieces(enemy, PieceKind::Rook) | board.pieces(enemy, PieceKind::King);
        for attacker in lines & straight {
            let path = between(king, attacker);
            if path & occupied == Bitboard::from_square(from) {
                kept &= path.with(attacker);
            }
        }
        for cannon in lines & board.pieces(enemy, PieceKind::Cannon) {
            let path = between(king, cannon);
            let screens = path & occupied;
            if screens.is_empty() {
                kept -= path;
            } else if screens.contains(from) && screens.len() == 2 {
                kept &= (path - screens).with(cannon);
            }
        }
        for knight in
            knight_attackers(king, Bitboard::EMPTY) & board.pieces(enemy, PieceKind::Knight)
        {
            if knight_leg(knight, king) == from {
                kept &= Bitboard::from_square(knight);
            }
        }
        kept
    }

    /// Returns the targets that leave the king safe, found by trying.
    #[inline(never)]
    fn safe_targets(&self, from: Square, targets: Bitboard, king: Square) -> Bitboard {
        let mut safe = targets;
        for to in targets {
            if !self.is_safe_after(from, to, king) {
                safe.remove(to);
            }
        }
        safe
    }

    #[inline]
    fn is_safe_after(&self, from: Square, to: Square, king: Square) -> bool {
        let king = if from == king { to } else { king };
        let occupied = self.occupied().without(from).with(to);
        !self.board().is_king_attacked(self.side(), king, occupied, Bitboard::from_square(to))
    }
}

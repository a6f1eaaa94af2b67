//! The class of one move: check, kill, chase or idle.

#[cfg(test)]
mod tests;

use crate::board::{Board, Move, MoveList, Position};
use crate::geometry::{Bitboard, Color, Piece, PieceKind, Square, between};
use crate::rules::chases::captures_from;
use crate::rules::protection::{is_exchange, pinned_roots, pinners, real_roots, recapturers};

use super::gain::{Budget, Gain, MATE, SEARCH_NODES, full_value, gain_after_loss, piece_value};
use super::kill::{MATE_MOVES, mates_by_checks, mating_line};

/// The checks that may come before a gain.
const CHECKS: u32 = 3;

/// Nodes of the search for the moves of a threat, which also visits what need not be searched to
/// find that there is one.
const LINE_NODES: u32 = 10 * SEARCH_NODES;

/// The class of a move of a loop (articles 24.1 to 24.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) enum CxaClass {
    /// It attacks the king.
    Check,
    /// It threatens mate by checks.
    Kill,
    /// It threatens to win material.
    Chase(ChaseKind),
    /// None of these: exchanges, offers, blocks and all other moves.
    Idle,
}

/// Properties of a chase that article 26.9 asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ChaseKind {
    /// True if the victim is a rook or has no root.
    pub(in crate::rules) is_heavy: bool,
    /// True if a second piece is needed to win the victim: one that recaptures, the screen of a
    /// cannon, or one that gives check as soon as the first has captured.
    pub(in crate::rules) is_joint: bool,
    /// The material that it threatens to win.
    value: i32,
}

impl ChaseKind {
    /// Orders the effects of a move, of which the heaviest counts (26.4): one that wins material
    /// ranks above one that wins as much as it loses.
    fn rank(self) -> (bool, bool, bool, i32) {
        (self.value > 0, self.is_heavy, !self.is_joint, self.value)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ClassifiedMove {
    pub(in crate::rules) class: CxaClass,
    /// True if a search ran out of nodes: kills or chases may be missing, never invented.
    pub(in crate::rules) is_undecided: bool,
}

impl ClassifiedMove {
    /// Returns the class of a move for which no search is needed.
    pub(in crate::rules) fn certain(class: CxaClass) -> ClassifiedMove {
        ClassifiedMove { class, is_undecided: false }
    }
}

/// Classifies a legal move that captures nothing; `before` is the board it is played on.
pub(super) fn classify(before: &Board, mv: Move) -> ClassifiedMove {
    classify_within(before, mv, SEARCH_NODES)
}

/// Classifies as [`classify`], with this many nodes for each of the three searches.
fn classify_within(before: &Board, mv: Move, nodes: u32) -> ClassifiedMove {
    let mut classifier = match Classifier::new(before, mv, nodes) {
        Ok(classifier) => classifier,
        Err(class) => return ClassifiedMove::certain(class),
    };
    let class = if classifier.is_kill() {
        CxaClass::Kill
    } else {
        classifier.chase().map_or(CxaClass::Idle, CxaClass::Chase)
    };
    ClassifiedMove { class, is_undecided: classifier.is_undecided }
}

/// Returns the captures that the move chases with, for explanations, each with the pieces that help
/// the capturing one if the chase is joint.
pub(in crate::rules) fn capture_chases(before: &Board, mv: Move) -> Vec<(Move, Option<Bitboard>)> {
    let Ok(mut classifier) = Classifier::new(before, mv, SEARCH_NODES) else { return Vec::new() };
    let chases = classifier.chases_by_capture().into_iter();
    chases
        .map(|(capture, kind)| (capture, kind.is_joint.then(|| classifier.partners(capture))))
        .collect()
}

/// Returns whether the capture, which the move threatens, is one that a side may threaten to keep a
/// key point (26.2).
pub(in crate::rules) fn keeps_key_point(before: &Board, mv: Move, capture: Move) -> bool {
    let Ok(mut classifier) = Classifier::new(before, mv, SEARCH_NODES) else { return false };
    let victim = classifier.new.piece_on(capture.to()).map(Piece::kind);
    victim.is_some_and(|victim| classifier.keeps_key_point(victim))
}

/// A new threat of a move that starts with a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ThreatByCheck {
    /// The material that it wins, a knight or cannon being worth 4; `None` if it is a new mate.
    pub(in crate::rules) gain: Option<i32>,
    /// True if it ends with mate, be it by captures or one that was threatened before.
    pub(in crate::rules) is_mate: bool,
    /// The moves of the threat, the first one by the side that has just moved; empty if they were
    /// not found within the limit on nodes.
    pub(in crate::rules) line: Vec<Move>,
}

/// Returns the new threat of the move that starts with a check; none if it gives check itself.
pub(in crate::rules) fn new_threat_by_check(before: &Board, mv: Move) -> Option<ThreatByCheck> {
    let mut classifier = Classifier::new(before, mv, SEARCH_NODES).ok()?;
    if classifier.is_kill() {
        let line = classifier.mating_line();
        return Some(ThreatByCheck { gain: None, is_mate: true, line });
    }
    let gain = classifier.chase_by_checks()?.value;
    let line = classifier.line_by_checks(gain);
    Some(ThreatByCheck { gain: Some(gain), is_mate: gain >= MATE, line })
}

/// The positions before and after the move, with the mover to move in both.
struct Classifier {
    old: Position,
    new: Position,
    mv: Move,
    /// The captures that take what the move offers to exchange.
    offered: MoveList,
    /// The nodes of each search, before and after the move together.
    nodes: u32,
    /// True if a search has used up its nodes.
    is_undecided: bool,
}

impl Classifier {
    /// Returns the positions around a move, or its class if that takes no search.
    fn new(before: &Board, mv: Move, nodes: u32) -> Result<Classifier, CxaClass> {
        let old = Position::from_board(before.clone(), 0).map_err(|_| CxaClass::Idle)?;
        let mut new = old.after([mv]);
        if new.in_check() {
            return Err(CxaClass::Check);
        }
        // A king that leaves a check neither kills nor chases (26.1.2).
        let is_king = old.king(old.side()) == mv.from();
        if old.in_check() && is_king {
            return Err(CxaClass::Idle);
        }
        new.make_null();
        let mut offered = new.captures();
        offered.retain(|capture| {
            is_exchange(new.board(), capture.from(), capture.to())
                && !attacked_before(&old, mv, capture)
        });
        let mut found = Classifier { old, new, mv, offered, nodes, is_undecided: false };
        found.drop_winning_offers();
        Ok(found)
    }

    /// Drops the offers that win material if the other side accepts: a gain after the exchange is a
    /// chase (24.4).
    fn drop_winning_offers(&mut self) {
        let mut budget = Budget::new(self.nodes);
        let mut kept = self.offered.clone();
        kept.retain(|offer| !self.wins_if_accepted(offer, &mut budget));
        if self.is_proven(budget) {
            self.offered = kept;
        }
    }

    /// Returns whether the mover wins material after the other side has captured the attacker.
    fn wins_if_accepted(&mut self, offer: Move, budget: &mut Budget) -> bool {
        let mut turned = self.new.clone();
        turned.make_null();
        gain_after_loss(&mut turned, offer.reversed(), budget) > 0
    }

    /// Returns whether the move threatens a mate that was not threatened before.
    fn is_kill(&mut self) -> bool {
        let mut budget = Budget::new(self.nodes);
        let is_kill = mates_by_checks(&mut self.new, &self.offered, MATE_MOVES, &mut budget)
            && !mates_by_checks(&mut self.old, &[], MATE_MOVES, &mut budget);
        self.is_proven(budget) && is_kill
    }

    /// Returns whether a search was finished. If it was not, the move is undecided.
    fn is_proven(&mut self, budget: Budget) -> bool {
        self.is_undecided |= budget.is_spent();
        !budget.is_spent()
    }

    /// Returns the chase that the move makes, the heaviest of several.
    fn chase(&mut self) -> Option<ChaseKind> {
        let chases = self.chases_by_capture().into_iter().map(|(_, kind)| kind);
        chases.rev().max_by_key(|kind| kind.rank()).or_else(|| self.chase_by_checks())
    }

    /// Returns the captures that win material and did not win as much before.
    fn chases_by_capture(&mut self) -> Vec<(Move, ChaseKind)> {
        let mut budget = Budget::new(self.nodes);
        let mut found = Vec::new();
        for capture in self.new.captures() {
            let kind = self.new_gain(capture, &mut budget);
            found.extend(kind.map(|kind| (capture, kind)));
        }
        if self.is_proven(budget) { found } else { Vec::new() }
    }

    /// Returns the kind of chase if the capture wins material and did not win as much before.
    fn new_gain(&mut self, capture: Move, budget: &mut Budget) -> Option<ChaseKind> {
        let (from, to) = (capture.from(), capture.to());
        let attacker = self.new.piece_on(from)?.kind();
        let victim = self.new.piece_on(to)?.kind();
        // Kings and pawns may attack without limit (26.1); like against like is an exchange (24.4).
        if matches!(attacker, PieceKind::King | PieceKind::Pawn)
            || is_exchange(self.new.board(), from, to)
        {
            return None;
        }
        let full = full_value(&self.new, to);
        // A move that answers a check does not make the attacks that were there before (26.1.2).
        if full == 0 || self.old.in_check() && attacked_before(&self.old, self.mv, capture) {
            return None;
        }
        let value = self.value(capture, true, budget);
        let is_rooted = !real_roots(self.new.board(), from, to).is_empty();
        let is_outweighed = victim == PieceKind::Rook && attacker != PieceKind::Rook;
        // Without a recapture equal gains of both sides are enough (26.5), also if the victim
        // cannot capture an attacker of its kind (24.4).
        let least = i32::from(is_rooted && !is_outweighed && attacker != victim);
        if value < least {
            return None;
        }
        match self.old_value(capture, budget) {
            Some(old) if old >= value || value == 0 => return None,
            _ => {}
        }
        if self.keeps_key_point(victim) {
            return None;
        }
        let needs_recapture =
            is_rooted && !is_outweighed && self.value(capture, false, budget) < least;
        Some(ChaseKind {
            is_heavy: victim == PieceKind::Rook || !is_rooted || value >= full,
            is_joint: needs_recapture
                || !self.screens(capture, budget).is_empty()
                || (!is_rooted && !pinned_roots(self.new.board(), from, to).is_empty())
                || !self.uncovered_checkers(capture).is_empty(),
            value,
        })
    }

    /// Returns whether the attack on an advisor or bishop is one that article 26.2 allows: the side
    /// that holds the draw keeps a point with the only attacking piece that it has left.
    ///
    /// The judge does not know the drawn endings. It takes the side with less force for the one
    /// that holds the draw, and a move that answers a threat of mate for one that keeps a point.
    fn keeps_key_point(&mut self, victim: PieceKind) -> bool {
        matches!(victim, PieceKind::Advisor | PieceKind::Bishop)
            && self.has_one_piece_and_less_force()
            && self.answers_kill()
    }

    /// Returns whether the mover has one attacking piece, and less force than the other side.
    fn has_one_piece_and_less_force(&self) -> bool {
        let board = self.new.board();
        let side = board.side();
        let count = |side, kind| board.pieces(side, kind).len();
        let attackers = [PieceKind::Rook, PieceKind::Cannon, PieceKind::Knight, PieceKind::Pawn];
        let force = |side: Color| -> i32 {
            let value = |kind| piece_value(kind).max(1) * count(side, kind) as i32;
            attackers.into_iter().map(value).sum()
        };
        attackers.into_iter().map(|kind| count(side, kind)).sum::<usize>() == 1
            && force(!side) > force(side)
    }

    /// Returns whether the other side threatened mate before the move and no longer does.
    fn answers_kill(&mut self) -> bool {
        if self.old.in_check() {
            return false;
        }
        let mut budget = Budget::new(self.nodes);
        let mut is_threatened = |position: &Position| {
            let mut turned = position.clone();
            turned.make_null();
            mates_by_checks(&mut turned, &[], MATE_MOVES, &mut budget)
        };
        let answers = is_threatened(&self.old) && !is_threatened(&self.new);
        self.is_proven(budget) && answers
    }

    /// Returns the pieces that help the capturing one in a joint chase: those by which it is joint
    /// at once, else those that can recapture.
    fn partners(&mut self, capture: Move) -> Bitboard {
        let (from, to) = (capture.from(), capture.to());
        let mut budget = Budget::new(self.nodes);
        let mut partners = self.screens(capture, &mut budget) | self.uncovered_checkers(capture);
        let board = self.new.board();
        if real_roots(board, from, to).is_empty() {
            partners |= pinners(board, from, to);
        }
        if partners.is_empty() { recapturers(board, from, to) } else { partners }
    }

    /// Returns the piece of the own side over which a cannon captures, if it takes part in the
    /// chase. Advisors and bishops stand at home, and are no partners; nor is a piece that wins the
    /// victim, which has no root, without the cannon.
    fn screens(&mut self, capture: Move, budget: &mut Budget) -> Bitboard {
        let (from, to) = (capture.from(), capture.to());
        let board = self.new.board();
        if board.piece_on(from).map(Piece::kind) != Some(PieceKind::Cannon) {
            return Bitboard::EMPTY;
        }
        let guards = board.kind(PieceKind::Advisor) | board.kind(PieceKind::Bishop);
        let mut screens = between(from, to) & (board.color(board.side()) - guards);
        for screen in screens {
            if self.wins_rootless(Move::between(screen, to), budget) {
                screens.remove(screen);
            }
        }
        screens
    }

    /// Returns whether the capture is legal, of a piece without a root, and wins material.
    fn wins_rootless(&mut self, capture: Move, budget: &mut Budget) -> bool {
        self.new.check_move(capture).is_ok()
            && real_roots(self.new.board(), capture.from(), capture.to()).is_empty()
            && self.value(capture, true, budget) > 0
    }

    /// Returns the other pieces that give check as soon as the capture is made; none if the
    /// capturing piece does so too.
    fn uncovered_checkers(&mut self, capture: Move) -> Bitboard {
        self.new.play_unchecked(capture);
        let checkers = self.new.checkers();
        self.new.unmake();
        if checkers.contains(capture.to()) { Bitboard::EMPTY } else { checkers }
    }

    /// Returns the value of the capture after the move.
    fn value(&mut self, capture: Move, may_recapture: bool, budget: &mut Budget) -> i32 {
        let gain = Gain { offered: &self.offered, may_recapture };
        gain.by_capture(&mut self.new, capture, budget)
    }

    /// Returns the value of the same capture before the move, if it was possible.
    fn old_value(&mut self, capture: Move, budget: &mut Budget) -> Option<i32> {
        let capture = Move::between(origin(self.mv, capture.from()), capture.to());
        if capture.from() == capture.to() {
            return None;
        }
        self.old.check_move(capture).ok()?;
        let everything = Gain { offered: &[], may_recapture: true };
        Some(everything.by_capture(&mut self.old, capture, budget))
    }

    /// Returns the chase by checks first and a capture then, if it is new.
    fn chase_by_checks(&mut self) -> Option<ChaseKind> {
        let mut budget = Budget::new(self.nodes);
        let now = Gain { offered: &self.offered, may_recapture: true };
        let value = now.by_checks(&mut self.new, CHECKS, &mut budget);
        let before = Gain { offered: &[], may_recapture: true };
        let is_new = value > 0 && value > before.by_checks(&mut self.old, CHECKS, &mut budget);
        (self.is_proven(budget) && is_new).then_some(ChaseKind {
            is_heavy: true,
            is_joint: false,
            value,
        })
    }
}

impl Classifier {
    /// Returns the moves of the mate that the move threatens.
    fn mating_line(&mut self) -> Vec<Move> {
        let mut budget = Budget::new(LINE_NODES);
        let line = mating_line(&mut self.new, &self.offered, &mut budget);
        if budget.is_spent() { Vec::new() } else { line }
    }

    /// Returns the moves of the gain of this value that the move threatens.
    fn line_by_checks(&mut self, gain: i32) -> Vec<Move> {
        let mut budget = Budget::new(LINE_NODES);
        let now = Gain { offered: &self.offered, may_recapture: true };
        let line = now.line_by_checks(&mut self.new, CHECKS, gain, &mut budget);
        if budget.is_spent() { Vec::new() } else { line }
    }
}

/// Returns the square of the piece before the move.
fn origin(mv: Move, now: Square) -> Square {
    if now == mv.to() { mv.from() } else { now }
}

/// Returns whether the attacker attacked the square before the move.
fn attacked_before(old: &Position, mv: Move, capture: Move) -> bool {
    captures_from(old.board(), origin(mv, capture.from())).contains(capture.to())
}

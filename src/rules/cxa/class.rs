//! The class of one move: check, kill, chase or idle.

use crate::board::{Board, Move, MoveList, Position};
use crate::geometry::PieceKind;
use crate::rules::protection::{is_exchange, real_roots};

use super::gain::{Budget, capture_value, full_value, value_by_checks};
use super::kill::{KILL_NODES, MATE_MOVES, mates_by_checks};

/// Nodes of the search for a gain by captures, before and after the move together.
const CAPTURE_NODES: u32 = 20_000;
/// Nodes of the search for a gain by checks, before and after the move together.
const CHECK_NODES: u32 = 20_000;
/// The checks that may come before a gain.
const CHECKS: u32 = 3;

/// What a move of a loop is to the rules (articles 24.1 to 24.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) enum MoveClass {
    /// It attacks the king.
    Check,
    /// It threatens mate by checks.
    Kill,
    /// It threatens to win material.
    Chase(ChaseKind),
    /// None of these: exchanges, offers, blocks and all other moves.
    Idle,
}

/// What article 26.9 asks about a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ChaseKind {
    /// Whether it is of a rook or of a piece without a root.
    pub(in crate::rules) is_heavy: bool,
    /// Whether it takes two pieces to win the victim.
    pub(in crate::rules) is_joint: bool,
    /// What it threatens to win.
    value: i32,
}

impl ChaseKind {
    /// Of several effects of a move the heaviest counts (26.4).
    fn rank(self) -> (i32, bool, bool) {
        (self.value, self.is_heavy, !self.is_joint)
    }
}

/// A move with its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ClassifiedMove {
    pub(in crate::rules) class: MoveClass,
    /// Whether a search ran out of nodes, so that a kill or chase may have been missed.
    pub(in crate::rules) is_undecided: bool,
}

/// Classifies a legal move that captures nothing; `before` is the board it is played on.
pub(super) fn classify(before: &Board, mv: Move) -> ClassifiedMove {
    let mut classifier = match Classifier::new(before, mv) {
        Ok(classifier) => classifier,
        Err(class) => return ClassifiedMove { class, is_undecided: false },
    };
    let class = if classifier.is_kill() {
        MoveClass::Kill
    } else {
        classifier.chase().map_or(MoveClass::Idle, MoveClass::Chase)
    };
    ClassifiedMove { class, is_undecided: classifier.is_undecided }
}

/// The captures that the move chases with, for explanations.
pub(in crate::rules) fn capture_chases(before: &Board, mv: Move) -> Vec<(Move, ChaseKind)> {
    Classifier::new(before, mv).map_or_else(|_| Vec::new(), |mut found| found.chases_by_capture())
}

/// What a move newly threatens to do by checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct ThreatsByCheck {
    /// To mate.
    pub(in crate::rules) mate: bool,
    /// To win material of this value; a knight or cannon is worth 4.
    pub(in crate::rules) gain: i32,
}

/// What the move newly threatens to do by checks; nothing if it gives check itself.
pub(in crate::rules) fn new_threats_by_check(before: &Board, mv: Move) -> ThreatsByCheck {
    match Classifier::new(before, mv) {
        Ok(mut classifier) => ThreatsByCheck {
            mate: classifier.is_kill(),
            gain: classifier.chase_by_checks().map_or(0, |kind| kind.value),
        },
        Err(_) => ThreatsByCheck { mate: false, gain: 0 },
    }
}

/// The positions before and after the move, with the mover to move in both.
struct Classifier {
    old: Position,
    new: Position,
    mv: Move,
    is_undecided: bool,
}

impl Classifier {
    /// The positions around a move, or its class if that takes no search.
    fn new(before: &Board, mv: Move) -> Result<Classifier, MoveClass> {
        let old = Position::from_board(before.clone(), 0).map_err(|_| MoveClass::Idle)?;
        let mut new = old.clone();
        new.make(mv);
        if new.in_check() {
            return Err(MoveClass::Check);
        }
        // A king that leaves a check neither kills nor chases (26.1.2).
        let is_king = old.king(old.side()) == mv.from();
        if old.in_check() && is_king {
            return Err(MoveClass::Idle);
        }
        new.make_null();
        Ok(Classifier { old, new, mv, is_undecided: false })
    }

    /// Whether the move threatens a mate that was not threatened before.
    fn is_kill(&mut self) -> bool {
        let mut budget = Budget::new(KILL_NODES);
        let mates = mates_by_checks(&mut self.new, MATE_MOVES, &mut budget);
        self.is_undecided |= !mates && budget.is_spent();
        mates && !mates_by_checks(&mut self.old, MATE_MOVES, &mut Budget::new(KILL_NODES))
    }

    /// The chase that the move makes, the heaviest of several.
    fn chase(&mut self) -> Option<ChaseKind> {
        let chases = self.chases_by_capture().into_iter().map(|(_, kind)| kind);
        chases.rev().max_by_key(|kind| kind.rank()).or_else(|| self.chase_by_checks())
    }

    /// The captures that win material and did not win as much before.
    fn chases_by_capture(&mut self) -> Vec<(Move, ChaseKind)> {
        let mut budget = Budget::new(CAPTURE_NODES);
        let mut captures = MoveList::new();
        self.new.captures(&mut captures);
        let mut found = Vec::new();
        for capture in captures {
            let kind = self.new_gain(capture, &mut budget);
            found.extend(kind.map(|kind| (capture, kind)));
        }
        self.is_undecided |= budget.is_spent();
        found
    }

    /// The kind of chase if the capture wins material and did not win as much before.
    fn new_gain(&mut self, capture: Move, budget: &mut Budget) -> Option<ChaseKind> {
        let (from, to) = (capture.from(), capture.to());
        let attacker = self.new.piece_on(from)?.kind();
        let victim = self.new.piece_on(to)?.kind();
        // Kings and pawns may attack for ever (26.1); like against like is an exchange (24.4).
        if matches!(attacker, PieceKind::King | PieceKind::Pawn)
            || is_exchange(self.new.board(), from, to)
        {
            return None;
        }
        let full = full_value(&self.new, to);
        if full == 0 {
            return None;
        }
        let value = capture_value(&mut self.new, capture, budget);
        let is_rooted = !real_roots(self.new.board(), from, to).is_empty();
        let is_outweighed = victim == PieceKind::Rook && attacker != PieceKind::Rook;
        // If nobody recaptures, it is enough that both sides win as much in the end (26.5).
        let least = i32::from(is_rooted && !is_outweighed);
        if value < least || self.old_value(capture, budget).is_some_and(|old| old >= value) {
            return None;
        }
        Some(ChaseKind {
            is_heavy: victim == PieceKind::Rook || !is_rooted || value >= full,
            is_joint: is_rooted && !is_outweighed,
            value,
        })
    }

    /// What the same capture was worth before the move, if it was possible.
    fn old_value(&mut self, capture: Move, budget: &mut Budget) -> Option<i32> {
        let has_moved = capture.from() == self.mv.to();
        let came_from = if has_moved { self.mv.from() } else { capture.from() };
        if came_from == capture.to() {
            return None;
        }
        let capture = Move::new(came_from, capture.to());
        self.old.check_move(capture).ok()?;
        Some(capture_value(&mut self.old, capture, budget))
    }

    /// The chase by checks first and a capture then, if it is new.
    fn chase_by_checks(&mut self) -> Option<ChaseKind> {
        let mut budget = Budget::new(CHECK_NODES);
        let value = value_by_checks(&mut self.new, CHECKS, &mut budget);
        let is_new = value > 0 && value > value_by_checks(&mut self.old, CHECKS, &mut budget);
        self.is_undecided |= budget.is_spent();
        is_new.then_some(ChaseKind { is_heavy: true, is_joint: false, value })
    }
}

//! Why a repetition is ruled as it is: each move of the loop with what it attacks and why that
//! counts as a chase or does not, as data that can be shown or written as JSON.

use serde::Serialize;

use crate::board::{Board, Move, Position};
use crate::geometry::{Bitboard, Color, Square};

use super::chases::{carried, step};
use super::effect::{Effect, attacks_from, effect};
use super::judge::judge_loop;
use super::occurrences::occurrences;
use super::protection::{fake_roots, is_outweighed, real_roots};
use super::{Level, RuleSet};

/// How many occurrences of the position are looked at: the third is ruled in a game.
const OCCURRENCES: usize = 3;

/// A ruling with its reasons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explanation {
    /// `red loses`, `black loses`, `draw`.
    pub ruling: String,
    /// Red's level.
    pub red: String,
    /// Black's level.
    pub black: String,
    /// The plies played before the loop, so that its first move is the next one.
    pub cycle_start: usize,
    /// Where the loop starts and ends.
    pub fen: String,
    /// The rule book.
    pub rules: String,
    /// The rule that decides.
    pub article: String,
    /// What each side does, in a sentence.
    pub reason: String,
    /// Whether a search for threats ran out of nodes (only by the Chinese rules), so that the
    /// ruling may miss an offence.
    pub is_undecided: bool,
    /// The loop.
    pub moves: Vec<ExplainedMove>,
}

/// One move of the loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedMove {
    /// The move in ICCS.
    #[serde(rename = "move")]
    pub mv: String,
    /// `red` or `black`.
    pub side: String,
    /// The piece that moves.
    pub piece: String,
    /// `check`, `chase` or `idle`.
    pub class: Class,
    /// The squares of the pieces that the move chases.
    pub victims: Vec<String>,
    /// What the side attacks after the move, chases first; nothing if it checks.
    pub attacks: Vec<Attack>,
}

/// What a move is to the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// It gives check.
    Check,
    /// It chases a piece.
    Chase,
    /// Neither.
    Idle,
}

/// One piece attacking another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Attack {
    /// The kind of the attacking piece.
    pub attacker: String,
    /// Where it stands.
    pub from: String,
    /// The kind of the attacked piece.
    pub victim: String,
    /// Where it stands.
    pub on: String,
    /// What the attack counts as.
    pub effect: Effect,
    /// The pieces that can legally recapture.
    pub roots: Vec<String>,
    /// The pieces that guard the victim but cannot legally recapture.
    pub fake_roots: Vec<String>,
    /// Whether the victim is so much more than its attacker that roots do not matter.
    pub outweighed: bool,
}

/// Explains the repetition that the last ply of the position has closed, over its last three
/// occurrences if there are as many; `None` if the position has not occurred before. Of equal
/// turns only the last one is shown.
pub fn explain(position: &Position, rules: RuleSet) -> Option<Explanation> {
    let since = loop_start(position)?;
    let length = position.ply() - since;
    let turn: Vec<_> = moves_since(position, since).collect();
    let mut board = position.board().clone();
    for mv in turn.iter().rev() {
        step(&mut board, mv.reversed());
    }
    let start = Position::from_board(board.clone(), 0).ok()?;

    let mut moves = Vec::with_capacity(length);
    for (i, &mv) in turn.iter().enumerate() {
        let checks = position.states()[since + 1 + i].in_check();
        let reply = turn[(i + 1) % turn.len()];
        moves.push(explain_move(&mut board, mv, reply, checks));
    }
    let ruling = judge_loop(position, length, rules);
    let (red, black) = (ruling.red, ruling.black);
    Some(Explanation {
        ruling: match ruling.loser {
            Some(Color::Black) => "black loses",
            None => "draw",
            Some(Color::Red) => "red loses",
        }
        .to_owned(),
        red: red.to_string(),
        black: black.to_string(),
        cycle_start: since,
        fen: start.fen(),
        rules: rules.to_string(),
        article: article(red, black, rules).to_owned(),
        reason: [Color::Red, Color::Black]
            .map(|side| format!("{side}: {}", summary(&moves, side, ruling.level(side), &start)))
            .join("; "),
        is_undecided: ruling.is_undecided,
        moves,
    })
}

/// The ply after which the loop begins that is to be explained.
fn loop_start(position: &Position) -> Option<usize> {
    let last = occurrences(position).next()?;
    let first = occurrences(position).take(OCCURRENCES - 1).last()?;
    let is_same_turn =
        moves_since(position, first).take(last - first).eq(moves_since(position, last));
    Some(if is_same_turn { last } else { first })
}

fn moves_since(position: &Position, ply: usize) -> impl Iterator<Item = Move> + '_ {
    position.states()[ply + 1..].iter().filter_map(|state| state.mv)
}

/// Explains a move and makes it on the board.
fn explain_move(board: &mut Board, mv: Move, reply: Move, checks: bool) -> ExplainedMove {
    let side = board.side();
    let before = board.clone();
    step(board, mv);
    let mut attacks = Vec::new();
    let mut victims = Bitboard::EMPTY;
    for from in board.color(side) {
        if checks {
            break;
        }
        for to in attacks_from(board, from) {
            let capture = Move::new(from, to);
            let effect = effect(&before, mv, board, reply, capture);
            if effect == Effect::Chase {
                victims.insert(to);
            }
            attacks.push(Attack {
                attacker: name(board, from),
                from: from.to_string(),
                victim: name(board, to),
                on: to.to_string(),
                effect,
                roots: names(board, real_roots(board, from, to)),
                fake_roots: names(board, fake_roots(board, from, to)),
                outweighed: is_outweighed(board, from, to),
            });
        }
    }
    attacks.sort_by_key(|attack| attack.effect != Effect::Chase);
    ExplainedMove {
        mv: mv.to_string(),
        side: side.to_string(),
        piece: name(board, mv.to()),
        class: match (checks, victims.is_empty()) {
            (true, _) => Class::Check,
            (false, false) => Class::Chase,
            (false, true) => Class::Idle,
        },
        victims: victims.into_iter().map(|sq| sq.to_string()).collect(),
        attacks,
    }
}

fn name(board: &Board, sq: Square) -> String {
    board.piece_on(sq).map_or_else(String::new, |piece| piece.kind().to_string())
}

fn names(board: &Board, squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|sq| format!("{} {sq}", name(board, sq))).collect()
}

/// The rule that the two levels fall under.
fn article(red: Level, black: Level, rules: RuleSet) -> &'static str {
    use Level::{Idle, PerpetualChase, PerpetualCheck};
    match (rules, red.max(black), red.min(black)) {
        (RuleSet::None, ..) => "every repetition is a draw",
        (RuleSet::CheckOnly, PerpetualCheck, Idle) => "perpetual check loses",
        (RuleSet::CheckOnly, ..) => "every repetition but perpetual check is a draw",
        (_, PerpetualCheck, PerpetualCheck) => {
            "mutual perpetual check is a draw (WXF 2018, rule 7; diagrams 4, 5)"
        }
        (_, PerpetualCheck, PerpetualChase) => {
            "perpetual check loses to perpetual chase (WXF 2018, article 20)"
        }
        (_, PerpetualCheck, Idle) => {
            "perpetual check loses (WXF 2018, article 20; diagrams 1 to 3)"
        }
        (_, PerpetualChase, PerpetualChase) => {
            "mutual perpetual chase is a draw (WXF 2018, article 20; diagrams 48, 107)"
        }
        (_, PerpetualChase, Idle) => {
            "perpetual chase of one piece loses (WXF 2018, article 20; diagrams 18 to 110)"
        }
        _ => "what neither side is forbidden is a draw (WXF 2018, article 20.2)",
    }
}

/// What a side does in the loop.
fn summary(moves: &[ExplainedMove], side: Color, level: Level, start: &Position) -> String {
    let own: Vec<_> = moves.iter().filter(|mv| mv.side == side.to_string()).collect();
    let count = |class| own.iter().filter(|mv| mv.class == class).count();
    let (checks, chases) = (count(Class::Check), count(Class::Chase));
    match level {
        Level::PerpetualCheck => "gives check with every move".to_owned(),
        Level::PerpetualChase => {
            let target = always_chased(moves, side, start.board());
            let names = names(start.board(), target).join(" and the ");
            format!("chases the {names} with every move")
        }
        Level::PerpetualAttack => "checks, kills or chases with every move".to_owned(),
        Level::Idle if checks == own.len() => "gives check with every move".to_owned(),
        Level::Idle if checks > 0 && chases > 0 => "checks and chases in turn".to_owned(),
        Level::Idle if checks > 0 => "does not check with every move".to_owned(),
        Level::Idle if chases == own.len() => "chases different pieces in turn".to_owned(),
        Level::Idle if chases > 0 => "does not chase with every move".to_owned(),
        Level::Idle => "neither checks nor chases".to_owned(),
    }
}

/// The pieces that every move of the side chases, on their squares at the start of the loop.
fn always_chased(moves: &[ExplainedMove], side: Color, start: &Board) -> Bitboard {
    let mut always = start.color(!side);
    for victim in always {
        let mut now = Bitboard::from(victim);
        for explained in moves {
            if let Ok(mv) = explained.mv.parse() {
                now = carried(now, mv);
            }
            let spared = explained.side == side.to_string()
                && !now.into_iter().any(|sq| explained.victims.contains(&sq.to_string()));
            if spared {
                always.remove(victim);
            }
        }
    }
    always
}

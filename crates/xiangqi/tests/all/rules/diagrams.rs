//! Every judged diagram and loop of a game, in every disguise: the ruling may not depend on left
//! and right, on the colours, on where the loop is entered, on how often it is played, on the moves
//! before it, or on the side to move when it is judged.

use serde::Deserialize;
use xiangqi::board::{Board, Move, Position};
use xiangqi::geometry::{Color, Piece, Square};
use xiangqi::rules::search::{GameHistory, judge_occurrences};
use xiangqi::rules::{
    EndByRules, Level, Referee, Regulations, RuleSet, Wdl, judge_loop, occurrences,
};

use super::third_occurrence::is_lasting;

#[derive(Deserialize)]
struct Suite {
    case: Vec<Case>,
}

#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub fen: String,
    pub lead: String,
    #[serde(rename = "loop")]
    pub turn: String,
    pub ruling: String,
}

pub fn suite() -> Vec<Case> {
    let texts = [
        include_str!("../../data/wxf-diagrams.toml"),
        include_str!("../../data/wxf-loops.toml"),
        include_str!("../../data/game-loops.toml"),
    ];
    texts.into_iter().flat_map(read_cases).collect()
}

pub fn read_cases(text: &str) -> Vec<Case> {
    toml::from_str::<Suite>(text).expect("the cases are TOML").case
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// A loop from a position, and who loses it.
#[derive(Clone)]
pub struct Loop {
    start: Board,
    lead: Vec<Move>,
    pub turn: Vec<Move>,
    pub loser: Option<Color>,
}

impl Loop {
    pub fn of(case: &Case) -> Loop {
        let position = Position::from_fen(&case.fen).expect("a position");
        Loop {
            start: position.board().clone(),
            lead: moves(&case.lead),
            turn: moves(&case.turn),
            loser: match case.ruling.as_str() {
                "red loses" => Some(Color::Red),
                "black loses" => Some(Color::Black),
                "draw" => None,
                other => panic!("{}: '{other}' is not a ruling", case.name),
            },
        }
    }

    /// The position after one turn of the loop.
    pub fn played(&self) -> Position {
        play(&self.start, &[self.lead.clone(), self.turn.clone()].concat())
    }

    /// The loop and its images: mirrored, with the colours exchanged, and both.
    pub fn images(&self) -> [Loop; 4] {
        [
            self.clone(),
            self.seen(Square::mirror, false),
            self.seen(Square::flip, true),
            self.seen(|sq| sq.flip().mirror(), true),
        ]
    }

    /// The loop with every square seen through `image` and, if `swap`, the colours exchanged.
    pub fn seen(&self, image: impl Fn(Square) -> Square, swap: bool) -> Loop {
        let color = |color: Color| if swap { !color } else { color };
        let mut start = Board::empty();
        for (sq, piece) in self.start.iter() {
            start.put(Piece::new(color(piece.color()), piece.kind()), image(sq));
        }
        start.set_side(color(self.start.side()));
        let moves = |list: &[Move]| {
            list.iter().filter_map(|mv| Move::new(image(mv.from()), image(mv.to()))).collect()
        };
        Loop {
            start,
            lead: moves(&self.lead),
            turn: moves(&self.turn),
            loser: self.loser.map(color),
        }
    }

    /// The loop entered `plies` later.
    pub fn entered(&self, plies: usize) -> Loop {
        let mut entered = self.clone();
        entered.lead.extend(&self.turn[..plies]);
        entered.turn.rotate_left(plies);
        entered
    }

    /// Returns the loop from the position where it starts, without the moves before it.
    fn without_lead(&self) -> Loop {
        let start = play(&self.start, &self.lead).board().clone();
        Loop { start, lead: Vec::new(), ..self.clone() }
    }

    /// The loop after up to `most` different captures that lead into it.
    fn after_captures(&self, most: usize) -> Vec<Loop> {
        let bare = self.without_lead();
        let (mover, waiting) = (bare.start.side(), !bare.start.side());
        let pieces: Vec<_> = Piece::all().collect();
        let mut found = Vec::new();
        for to in bare.start.color(waiting) {
            for from in Square::all() {
                let taken = pieces[(from.index() + to.index()) % Piece::COUNT];
                let full = bare.start.pieces(taken.color(), taken.kind()).len();
                if bare.start.piece_on(from).is_some()
                    || taken.color() != mover
                    || full >= taken.kind().most()
                {
                    continue;
                }
                let mut start = bare.start.clone();
                let piece = start.take(to).expect("a piece");
                start.put(piece, from);
                start.put(taken, to);
                start.set_side(waiting);
                let Ok(position) = Position::from_board(start.clone(), 0) else { continue };
                let Some(mv) = Move::new(from, to) else { continue };
                if position.check_move(mv).is_ok() {
                    found.push(Loop { start, lead: vec![mv], ..bare.clone() });
                    break;
                }
            }
            if found.len() == most {
                break;
            }
        }
        found
    }
}

fn play(start: &Board, moves: &[Move]) -> Position {
    let mut position = Position::from_board(start.clone(), 0).expect("a valid start");
    for &mv in moves {
        let mv = position.check_move(mv).unwrap_or_else(|e| panic!("{e} in {}", position.fen()));
        position.play_unchecked(mv);
    }
    position
}

fn verdict_for(side: Color, loser: Option<Color>) -> Wdl {
    match loser {
        None => Wdl::Draw,
        Some(loser) if loser == side => Wdl::Loss,
        Some(_) => Wdl::Win,
    }
}

/// Judges the loop by every way in, and counts the rulings looked at.
fn check(name: &str, case: &Loop) -> usize {
    let mut count = 0;
    let mut position = play(&case.start, &case.lead);
    // A search that began before the lead-in: then the first recurrence is final.
    let mut history = GameHistory::with_root(&position, 0, RuleSet::Wxf);
    let mut referee = Referee::new(position.clone(), Regulations::default());
    let want = verdict_for(position.side(), case.loser);
    for turns in 1..=3 {
        for &mv in &case.turn {
            position.play_unchecked(mv);
            history.push(&position);
            if referee.outcome().is_none() {
                referee.play(mv).expect("a legal move");
            }
        }
        // All that was played, the last three occurrences, and the last turn, unless that is only
        // a smaller loop within it.
        let times = 1 + occurrences(&position).count();
        let mut verdicts = vec![
            judge_occurrences(&position, times, RuleSet::Wxf),
            judge_occurrences(&position, times.min(3), RuleSet::Wxf),
        ];
        if times == turns + 1 {
            verdicts.push(judge_occurrences(&position, 2, RuleSet::Wxf));
            let found = history.judge_prune(&position, 0, 1);
            if turns > 1 || !case.lead.is_empty() && is_lasting(&position, case.turn.len()) {
                verdicts.push(found);
            } else {
                assert_eq!(found, None, "{name}: the offender may still leave the loop");
            }
        }
        for ruling in verdicts {
            let ruling = ruling.unwrap_or_else(|| panic!("{name}: no repetition found"));
            assert_eq!(ruling.verdict, want, "{name}: {turns} turns, {}", position.fen());
            count += 1;
        }
    }
    let outcome = referee.outcome().expect("the third occurrence ends the game");
    assert_eq!(outcome.winner, case.loser.map(|loser| !loser), "{name}");
    assert!(matches!(outcome.reason, EndByRules::Repetition { .. }), "{name}");
    count + 1
}

#[test]
fn every_case_is_ruled_as_it_should_be_in_every_disguise() {
    let mut count = 0;
    for case in suite() {
        let original = Loop::of(&case);
        let images = original.images();
        for (i, image) in images.iter().enumerate() {
            for plies in 0..image.turn.len() {
                let name = format!("{}, image {i}, entered at ply {plies}", case.name);
                let entered = image.entered(plies);
                count += check(&name, &entered);
                count += check(&format!("{name}, bare"), &entered.without_lead());
                for after in entered.after_captures(3) {
                    count += check(&format!("{name}, after {}", after.lead[0]), &after);
                }
            }
        }
    }
    println!("{count} rulings of {} cases", suite().len());
    assert!(count > 10_000, "only {count} rulings");
}

#[test]
fn checks_alone_decide_by_the_check_only_rules() {
    for case in suite() {
        let case = Loop::of(&case);
        let mut position = play(&case.start, &case.lead);
        case.turn.iter().for_each(|&mv| {
            position.play_unchecked(mv);
        });
        for side in Color::ALL {
            let level = |rules| judge_loop(&position, case.turn.len(), rules).level(side);
            let only = match level(RuleSet::Wxf) {
                Level::PerpetualCheck => Level::PerpetualCheck,
                _ => Level::Idle,
            };
            assert_eq!(level(RuleSet::CheckOnly), only);
            assert_eq!(level(RuleSet::None), Level::Idle);
        }
    }
}

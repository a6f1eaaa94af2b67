//! Every legal move comes exactly once, in the order of the stages.

use cannonade_tables::random::Random;
use xiangqi::board::{Move, Position};

use super::{GenerationKind, MoveOrdering, MovePicker, MoveScores};
use crate::search::history::{ContinuationRow, Histories, PositionKeys, piece_to};
use crate::search::params::Parameters;

/// Enough random games to reach positions in check.
const GAMES: u64 = 60;
const PLIES: usize = 120;

/// Visits positions of random games, most of which prefer captures and checks.
fn for_each_position(mut visit: impl FnMut(&Position, &mut Random)) {
    for game in 0..GAMES {
        let mut random = Random::stream(20, game);
        let mut position = Position::startpos();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            visit(&position, &mut random);
            let sharp = |mv: &&Move| position.is_capture(**mv) || position.gives_check(**mv);
            let candidates: Vec<_> = moves.iter().filter(sharp).collect();
            let mv = if candidates.is_empty() || random.below(3) == 0 {
                moves[random.below(moves.len())]
            } else {
                *candidates[random.below(candidates.len())]
            };
            position.play_unchecked(mv);
        }
    }
}

/// Histories with random entries for the moves of a position.
fn random_histories(position: &Position, random: &mut Random) -> Histories {
    let mut histories = Histories::new();
    for mv in position.legal_moves() {
        let bonus = random.below(8_000) as i32 - 4_000;
        histories.update_main(position.side(), mv, bonus);
    }
    histories
}

/// Returns an ordering of a random ply, after a move of the position's own side.
fn random_ordering(position: &Position, random: &mut Random) -> MoveOrdering {
    let row = position
        .legal_moves()
        .first()
        .and_then(|mv| position.piece_on(mv.from()).map(|piece| piece_to(piece, mv.to())))
        .map_or(ContinuationRow::NONE, |moved| {
            ContinuationRow::new(position.in_check(), random.below(2) == 0, moved)
        });
    let previous = MoveOrdering::PREVIOUS.map(|_| row);
    MoveOrdering { ply: random.below(8), keys: PositionKeys::of(position), previous }
}

fn pick_all(position: &Position, mut picker: MovePicker, histories: &Histories) -> Vec<Move> {
    let parameters = Parameters::default();
    let scores = MoveScores { histories, parameters: &parameters };
    std::iter::from_fn(|| picker.next(position, scores)).collect()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut codes: Vec<_> = moves.into_iter().map(Move::code).collect();
    codes.sort_unstable();
    codes
}

/// Returns no move, a legal one, or the move of another position.
fn random_tt_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    match random.below(3) {
        0 => None,
        1 => Some(moves[random.below(moves.len())]),
        _ => Move::from_code(random.bits() as u16),
    }
}

#[test]
fn every_legal_move_comes_exactly_once() {
    let mut checks = 0;
    for_each_position(|position, random| {
        let histories = random_histories(position, random);
        let ordering = random_ordering(position, random);
        let tt_move = random_tt_move(position, random);
        let picker = MovePicker::new(position, tt_move, ordering, GenerationKind::All);
        let picked = pick_all(position, picker, &histories);
        assert_eq!(sorted(picked), sorted(position.legal_moves()), "{}", position.fen());
        checks += usize::from(position.in_check());
    });
    assert!(checks > 100, "only {checks} positions in check");
}

#[test]
fn the_move_of_the_transposition_table_comes_before_all_others() {
    for_each_position(|position, random| {
        let moves = position.legal_moves();
        let tt_move = Some(moves[random.below(moves.len())]);
        let ordering = random_ordering(position, random);
        let picker = MovePicker::new(position, tt_move, ordering, GenerationKind::All);
        let picked = pick_all(position, picker, &Histories::new());
        assert_eq!(picked.first().copied(), tt_move, "{}", position.fen());
    });
}

#[test]
fn good_captures_quiet_moves_and_bad_captures_come_in_this_order() {
    let mut bad_captures = 0;
    for_each_position(|position, random| {
        if position.in_check() {
            return;
        }
        let histories = random_histories(position, random);
        let ordering = random_ordering(position, random);
        let picker = MovePicker::new(position, None, ordering, GenerationKind::All);
        let picked = pick_all(position, picker, &histories);
        let stage = |mv: &Move| match position.is_capture(*mv) {
            true if position.see_at_least(*mv, 0) => 0,
            true => 2,
            false => 1,
        };
        let stages: Vec<_> = picked.iter().map(stage).collect();
        assert!(stages.is_sorted(), "{stages:?} {}", position.fen());
        bad_captures += stages.iter().filter(|&&stage| stage == 2).count();
    });
    assert!(bad_captures > 500, "only {bad_captures} bad captures");
}

#[test]
fn in_check_captures_come_before_quiet_moves() {
    for_each_position(|position, random| {
        if !position.in_check() {
            return;
        }
        let histories = random_histories(position, random);
        let ordering = random_ordering(position, random);
        for kind in
            [GenerationKind::All, GenerationKind::Captures, GenerationKind::CapturesAndChecks]
        {
            let picked =
                pick_all(position, MovePicker::new(position, None, ordering, kind), &histories);
            let is_quiet: Vec<_> = picked.iter().map(|mv| !position.is_capture(*mv)).collect();
            assert!(is_quiet.is_sorted(), "{}", position.fen());
            assert_eq!(sorted(picked), sorted(position.legal_moves()), "{}", position.fen());
        }
    });
}

#[test]
fn without_histories_the_captured_pieces_order_the_good_captures() {
    let position = Position::from_fen("4k4/9/9/r8/4n4/9/9/9/R3R4/3K5 w").expect("a position");
    let picker =
        MovePicker::new(&position, None, MoveOrdering::default(), GenerationKind::Captures);
    let picked: Vec<_> = pick_all(&position, picker, &Histories::new())
        .into_iter()
        .map(|mv| mv.to_string())
        .collect();
    assert_eq!(picked, ["a1a6", "e1e5"]);
}

#[test]
fn the_quiet_moves_come_by_their_histories() {
    let position = Position::startpos();
    let mut histories = Histories::new();
    let [best, worst] = ["g3g4", "h2e2"].map(|mv| mv.parse().expect("a move"));
    histories.update_main(position.side(), best, 8_000);
    histories.update_main(position.side(), worst, -8_000);
    let picker = MovePicker::new(&position, None, MoveOrdering::default(), GenerationKind::All);
    let picked = pick_all(&position, picker, &histories);
    let quiets: Vec<_> = picked.into_iter().filter(|mv| !position.is_capture(*mv)).collect();
    assert_eq!((quiets.first(), quiets.last()), (Some(&best), Some(&worst)));
}

#[test]
fn the_quiescence_search_gets_good_captures_and_then_quiet_checks() {
    let mut quiet_checks = 0;
    for_each_position(|position, random| {
        if position.in_check() {
            return;
        }
        let ordering = random_ordering(position, random);
        let histories = Histories::new();
        let pick =
            |kind| pick_all(position, MovePicker::new(position, None, ordering, kind), &histories);
        let moves = position.legal_moves();
        let is_good = |mv: &Move| position.is_capture(*mv) && position.see_at_least(*mv, 0);
        let captures = pick(GenerationKind::Captures);
        let expected = moves.iter().copied().filter(is_good);
        assert_eq!(sorted(captures.iter().copied()), sorted(expected), "{}", position.fen());

        let both = pick(GenerationKind::CapturesAndChecks);
        let (first, checks) = both.split_at(captures.len());
        assert_eq!(first, captures, "{}", position.fen());
        let is_quiet_check = |mv: &Move| !position.is_capture(*mv) && position.gives_check(*mv);
        let expected = moves.iter().copied().filter(is_quiet_check);
        assert_eq!(sorted(checks.iter().copied()), sorted(expected), "{}", position.fen());
        quiet_checks += checks.len();
    });
    assert!(quiet_checks > 1000, "only {quiet_checks} quiet checks");
}

#[test]
fn skipped_quiet_moves_do_not_hide_the_bad_captures() {
    for_each_position(|position, random| {
        let ordering = random_ordering(position, random);
        let mut picker = MovePicker::new(position, None, ordering, GenerationKind::All);
        picker.skip_quiets();
        let picked = pick_all(position, picker, &Histories::new());
        let captures = position.legal_moves().into_iter().filter(|mv| position.is_capture(*mv));
        assert_eq!(sorted(picked), sorted(captures), "{}", position.fen());
    });
}

#[test]
fn a_move_of_another_position_is_not_given() {
    let position = Position::startpos();
    let foreign = "e9e8".parse().ok();
    let picker = MovePicker::new(&position, foreign, MoveOrdering::default(), GenerationKind::All);
    let picked = pick_all(&position, picker, &Histories::new());
    assert_eq!(sorted(picked), sorted(position.legal_moves()));
}

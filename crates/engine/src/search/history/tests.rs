//! Indices, updates and bounds of the histories.

use cannonade_tables::random::Random;

use super::*;

#[test]
fn every_piece_has_an_index_of_its_own_on_each_square_where_it_can_stand() {
    let mut indices: Vec<PieceTo> = Piece::all()
        .flat_map(|piece| piece.domain().into_iter().map(move |sq| piece_to(piece, sq)))
        .collect();
    assert_eq!(indices.len(), 2 * (55 + 5 + 7 + 3 * 90 + 9));
    indices.sort_unstable();
    indices.dedup();
    assert_eq!(indices.len(), 692);
    assert!(indices.iter().all(|&index| usize::from(index) < PIECE_TOS));
}

#[test]
fn pawns_and_pieces_have_keys_of_their_own() {
    let keys = |fen: &str| match Position::from_fen(fen) {
        Ok(position) => PositionKeys::of(&position),
        Err(error) => panic!("{fen}: {error}"),
    };
    let start = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
    let pawn = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/P8/2P1P1P1P/1C5C1/9/RNBAKABNR w");
    let cannon = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/C6C1/9/RNBAKABNR w");
    assert_ne!(start.pawns, pawn.pawns);
    assert_eq!(start.pieces, pawn.pieces);
    assert_eq!(start.pawns, cannon.pawns);
    assert_ne!(start.pieces[0], cannon.pieces[0]);
    assert_eq!(start.pieces[1], cannon.pieces[1]);
}

fn moved(piece: char, to: usize) -> PieceTo {
    match Piece::from_letter(piece) {
        Ok(piece) => piece_to(piece, Square::from_index(to)),
        Err(error) => panic!("{piece}: {error}"),
    }
}

#[test]
fn entries_approach_their_bound_and_never_pass_it() {
    let mut entry = 0;
    for _ in 0..1000 {
        update(&mut entry, 3_000, CONTINUATION_MAX);
    }
    assert!((CONTINUATION_MAX - 100..=CONTINUATION_MAX).contains(&i32::from(entry)), "{entry}");
    update(&mut entry, -1_000_000, CONTINUATION_MAX);
    assert_eq!(i32::from(entry), -CONTINUATION_MAX);
}

#[test]
fn no_sequence_of_updates_leaves_the_bounds() {
    let mut random = Random::new(3);
    for max in [MAIN_MAX, CAPTURE_MAX, CONTINUATION_MAX] {
        let mut entry = 0;
        for _ in 0..10_000 {
            // Runs of one sign drive the entry to its bounds.
            let size = random.below(3 * max as usize) as i32;
            let sign = if random.below(20) == 0 { -1 } else { 1 };
            update(&mut entry, sign * size, max);
            assert!(i32::from(entry).abs() <= max, "{entry}");
        }
    }
}

#[test]
fn continuations_are_kept_apart_by_check_and_capture() {
    let mut histories = Histories::new();
    let (earlier, now) = (moved('c', 40), moved('N', 41));
    histories.update_continuation(ContinuationRow::new(true, false, earlier), now, 500);
    assert_eq!(histories.continuation(ContinuationRow::new(true, false, earlier), now), 500);
    for (in_check, is_capture) in [(false, false), (false, true), (true, true)] {
        let row = ContinuationRow::new(in_check, is_capture, earlier);
        assert_eq!(histories.continuation(row, now), 0);
    }
}

#[test]
fn the_row_of_no_move_learns_nothing() {
    let mut histories = Histories::new();
    histories.update_continuation(ContinuationRow::NONE, moved('R', 3), 500);
    assert_eq!(histories.continuation(ContinuationRow::NONE, moved('R', 3)), 0);
}

#[test]
fn a_new_search_shrinks_the_main_history_and_empties_that_of_the_first_plies() {
    let mut histories = Histories::new();
    let mv: Move = match "h2e2".parse() {
        Ok(mv) => mv,
        Err(error) => panic!("{error:?}"),
    };
    let ordering = MoveOrdering::default();
    let weights = HistoryWeights { main: 0, low_ply: 64, pawn: 0, continuations: [0; 5] };
    histories.update_main(Color::Black, mv, 640);
    histories.update_low_ply(0, mv, 700);
    histories.update_low_ply(LOW_PLIES, mv, 700);
    let low_ply = |histories: &Histories| {
        let Ok(piece) = Piece::from_letter('c') else { return 0 };
        let node = histories.of_node(Color::Black, &ordering);
        node.of_piece(&weights, piece, mv.from())(mv.to())
    };
    assert_eq!(low_ply(&histories), 700);
    histories.begin_search(32);
    assert_eq!(histories.main(Color::Black, mv), 320);
    assert_eq!(histories.main(Color::Red, mv), 0);
    assert_eq!(low_ply(&histories), 0);
}

#[test]
fn a_correction_moves_towards_the_difference_and_only_for_similar_positions() {
    let mut corrections = Corrections::new();
    let parameters = Parameters::default();
    let context = CorrectionContext {
        side: Color::Red,
        keys: PositionKeys { pawns: 5, pieces: [6, 7] },
        pairs: [Some((8, 9)), None],
    };
    for _ in 0..200 {
        corrections.update(&context, 40, 8);
    }
    let learned = corrections.correction(&context, &parameters);
    assert!(learned > 20, "{learned}");
    let keys = PositionKeys { pawns: 50, pieces: [60, 70] };
    let other = CorrectionContext { keys, pairs: [Some((9, 8)), None], ..context };
    assert_eq!(corrections.correction(&other, &parameters), 0);
    let opponent = CorrectionContext { side: Color::Black, pairs: [None; 2], ..context };
    assert_eq!(corrections.correction(&opponent, &parameters), 0);
    corrections.clear();
    assert_eq!(corrections.correction(&context, &parameters), 0);
}

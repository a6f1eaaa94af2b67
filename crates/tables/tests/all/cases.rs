//! Endings with a known result.

use cannonade_tables::{Tables, Value};
use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Bitboard, Color, Piece, PieceKind};
use xiangqi::rules::is_dead;

/// Lines of a FEN, the result for the side to move and the plies to mate, divided by tabs.
const CASES: &str = include_str!("../data/endings.tsv");

#[test]
fn sampled_endings_keep_their_results() {
    let tables = Tables::built_in();
    let mut count = 0;
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let [fen, result, plies] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let position = Position::from_fen(fen).unwrap();
        let value = tables.value(position.board()).unwrap();
        assert_eq!((value.wdl().name(), value.plies()), (result, plies.parse().ok()), "{fen}");
        count += 1;
    }
    assert!(count >= 100, "{count}");
}

/// Lines of a name, a FEN and the result for the side to move, divided by tabs.
const TEXTBOOK: &str = include_str!("../data/textbook-endings.tsv");

/// Endings of two attacking pieces are tested too if `CANNONADE_TEST_TABLES` names a folder of
/// tables.
#[test]
fn the_textbooks_are_right() {
    let tables = match std::env::var_os("CANNONADE_TEST_TABLES") {
        Some(folder) => Tables::open(folder.as_ref()).expect("a folder of tables").0,
        None => Tables::built_in(),
    };
    let mut tested = 0;
    for line in TEXTBOOK.lines().filter(|line| !line.starts_with('#')) {
        let [name, fen, result] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let position = Position::from_fen(fen).unwrap();
        if let Some(wdl) = tables.value(position.board()).map(Value::wdl) {
            assert_eq!(wdl.name(), result, "{name}: {fen}");
            tested += 1;
        }
    }
    assert!(tested >= 20, "{tested}");
}

#[test]
fn a_probe_lists_every_legal_move_with_the_best_first() {
    let tables = Tables::built_in();
    let position = Position::from_fen("3aka3/9/4b3b/9/9/9/9/9/4R4/4K4 w").unwrap();
    let probe = tables.probe(&position).unwrap();
    assert_eq!(probe.moves.len(), position.legal_moves().len());
    assert_eq!(probe.moves[0].1, probe.value);
    assert!(probe.moves.windows(2).all(|pair| pair[0].1.rank() >= pair[1].1.rank()));
}

#[test]
fn mate_on_the_board_is_a_loss_in_no_plies() {
    let tables = Tables::built_in();
    let position = Position::from_fen("3k5/9/3R5/9/9/9/9/9/9/4K4 b").unwrap();
    assert_eq!(tables.probe(&position).unwrap().value, Value::decided(0));
}

#[test]
fn colours_and_sides_of_the_board_do_not_matter() {
    let tables = Tables::built_in();
    let images = [
        "3k5/4a4/9/9/9/9/9/9/4R4/4K4 w",
        "5k3/4a4/9/9/9/9/9/9/4R4/4K4 w",
        "4k4/4r4/9/9/9/9/9/9/4A4/3K5 b",
        "4k4/4r4/9/9/9/9/9/9/4A4/5K3 b",
    ];
    let values = images.map(|fen| tables.value(Position::from_fen(fen).unwrap().board()));
    assert!(values[0].is_some());
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}

#[test]
fn positions_that_the_rules_call_dead_are_draws() {
    let tables = Tables::built_in();
    for fen in ["3k5/9/9/9/9/9/9/9/4C4/4K4 w", "3k5/9/9/9/9/9/9/9/9/3AK4 w"] {
        let position = Position::from_fen(fen).unwrap();
        assert!(is_dead(position.board()));
        assert_eq!(tables.value(position.board()), Some(Value::DRAW));
    }
}

/// Without pieces that can cross the river no side is ever out of moves, so a capture of the last
/// such piece is a draw without a table. A side's guards cannot be disturbed by the other's, so a
/// bare king on the other side is enough; more pieces there only shut the file between the kings.
#[test]
fn guards_alone_never_leave_a_king_without_a_move() {
    let sets = |zone: Bitboard| -> Vec<Bitboard> {
        let points: Vec<_> = zone.into_iter().collect();
        (0..1u32 << points.len())
            .filter(|mask| mask.count_ones() <= 2)
            .map(|mask| (0..points.len()).filter(move |i| mask >> i & 1 == 1).map(|i| points[i]))
            .map(Iterator::collect)
            .collect()
    };
    let mut positions = 0;
    for advisors in sets(PieceKind::Advisor.domain(Color::Red)) {
        for bishops in sets(PieceKind::Bishop.domain(Color::Red)) {
            for king in Color::Red.palace() - advisors - bishops {
                for other in Color::Black.palace() {
                    let mut board = Board::empty();
                    board.put(Piece::new(Color::Red, PieceKind::King), king);
                    board.put(Piece::new(Color::Black, PieceKind::King), other);
                    for sq in advisors {
                        board.put(Piece::new(Color::Red, PieceKind::Advisor), sq);
                    }
                    for sq in bishops {
                        board.put(Piece::new(Color::Red, PieceKind::Bishop), sq);
                    }
                    let Ok(position) = Position::from_board(board, 0) else { continue };
                    assert!(position.has_legal_move(), "{position}");
                    positions += 1;
                }
            }
        }
    }
    assert!(positions > 20_000, "{positions}");
}

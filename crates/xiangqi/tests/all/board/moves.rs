//! Generation, legality, making and unmaking, checks and exchanges on random games.

use fastrand::Rng;
use xiangqi::board::{Board, Checks, Move, MoveList, Position, State};
use xiangqi::geometry::{Bitboard, Piece, PieceKind, Square};

/// Plays random games and calls `visit` at each position.
fn random_games(games: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    for seed in 1..=games {
        let mut random = Rng::with_seed(seed);
        let mut position = Position::startpos();
        for _ in 0..plies {
            visit(&mut position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.usize(..moves.len())]);
        }
    }
}

/// Returns positions with random pieces on random squares: more lines to the kings than in games.
fn random_positions() -> impl Iterator<Item = Position> {
    (1..).filter_map(|seed| {
        let mut random = Rng::with_seed(seed);
        let mut board = Board::empty();
        let kings = Piece::all().filter(|piece| piece.kind() == PieceKind::King);
        let others: Vec<_> = Piece::all().filter(|piece| piece.kind() != PieceKind::King).collect();
        let drawn = (0..4 + random.usize(..24)).map(|_| others[random.usize(..others.len())]);
        for piece in drawn.collect::<Vec<_>>().into_iter().chain(kings) {
            let squares: Vec<_> = piece.domain().into_iter().collect();
            board.put(piece, squares[random.usize(..squares.len())]);
        }
        Position::from_board(board, 0).ok()
    })
}

/// Every pair of different squares.
fn all_pairs() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().filter_map(move |to| Move::new(from, to)))
}

/// The slow definition: a move is legal if no piece can capture the mover's king after it.
fn legal_by_trying(position: &Position) -> Vec<Move> {
    let mut legal = Vec::new();
    for mv in all_pairs().filter(|&mv| position.is_pseudo_legal(mv)) {
        let mut board = position.board().clone();
        board.take(mv.to());
        let piece = board.take(mv.from()).expect("a piece moves");
        board.put(piece, mv.to());
        let king = board.king(position.side()).expect("a king");
        let attackers = board.attackers_to(king, board.occupied());
        if !attackers.intersects(board.color(!position.side())) {
            legal.push(mv);
        }
    }
    legal.sort();
    legal
}

fn sorted(list: MoveList) -> Vec<Move> {
    let mut moves = list.to_vec();
    moves.sort();
    moves
}

#[test]
fn legal_moves_are_those_that_leave_the_king_safe() {
    random_games(60, 200, |position| {
        let legal = legal_by_trying(position);
        assert_eq!(sorted(position.legal_moves()), legal, "{position}");
        assert_eq!(position.has_legal_move(), !legal.is_empty());
    });
}

#[test]
fn moves_of_pinned_pieces_leave_the_king_safe() {
    let pinned = random_positions().filter(|position| !position.pinned().is_empty());
    for position in pinned.take(1000) {
        assert_eq!(sorted(position.legal_moves()), legal_by_trying(&position), "{position}");
    }
}

#[test]
fn captures_and_quiets_part_the_legal_moves() {
    random_games(20, 150, |position| {
        let (mut captures, quiets) = (position.captures(), position.quiets());
        assert!(captures.iter().all(|&mv| position.is_capture(mv)));
        assert!(quiets.iter().all(|&mv| !position.is_capture(mv)));
        captures.extend(quiets);
        assert_eq!(sorted(captures), sorted(position.legal_moves()));
    });
}

#[test]
fn a_move_is_legal_exactly_if_it_is_generated() {
    random_games(3, 120, |position| {
        let legal = sorted(position.legal_moves());
        for mv in all_pairs() {
            let is_legal = position.is_pseudo_legal(mv) && position.is_legal(mv);
            assert_eq!(is_legal, legal.binary_search(&mv).is_ok(), "{mv} {position}");
            assert_eq!(position.check_move(mv).is_ok(), is_legal);
        }
    });
}

#[test]
fn unmaking_restores_everything() {
    let image = |position: &Position| -> (Board, String, u16, Bitboard) {
        let state: &State = position.state();
        (position.board().clone(), position.fen(), state.reversible_plies, position.checkers())
    };
    random_games(20, 150, |position| {
        let before = image(position);
        for mv in position.legal_moves() {
            position.play_unchecked(mv);
            position.unmake();
            assert_eq!(image(position), before, "{mv}");
        }
        if !position.in_check() {
            position.make_null();
            position.unmake();
            assert_eq!(image(position), before);
        }
    });
}

#[test]
fn keys_are_those_of_the_same_position_read_from_its_fen() {
    random_games(10, 150, |position| {
        let read = Position::from_fen(&position.fen()).expect("a valid position");
        assert_eq!(read.key(), position.key());
        assert_eq!(read.checkers(), position.checkers());
        assert_eq!(read.pinned(), position.pinned());
    });
}

#[test]
fn a_move_gives_check_exactly_if_the_other_side_is_in_check_after_it() {
    random_games(40, 200, |position| {
        let checks = Checks::of(position);
        for mv in position.legal_moves() {
            let announced = position.gives_check(mv);
            assert_eq!(checks.has(position, mv), announced, "{mv} in {position}");
            let key = position.key_after(mv);
            position.play_unchecked(mv);
            assert_eq!(position.key(), key, "{mv} leads to {position}");
            assert_eq!(position.in_check(), announced, "{mv} leads to {position}");
            position.unmake();
        }
        for from in Square::all() {
            let moves = position.legal_moves().into_iter().filter(|mv| mv.from() == from);
            let targets: Bitboard = moves.clone().map(Move::to).collect();
            let giving: Bitboard =
                moves.filter(|&mv| checks.has(position, mv)).map(Move::to).collect();
            // The square of the piece, which is no target, does not matter.
            assert_eq!(checks.among(position, from, targets.with(from)), giving, "{position}");
        }
    });
}

#[test]
fn the_counters_of_a_very_long_game_stop_at_their_end() {
    let mut position = Position::startpos();
    for mv in ["a0a1", "a9a8", "a1a0", "a8a9"].iter().cycle().take(70_000) {
        let mv = position.parse_move(mv).expect("a legal move");
        position.play_unchecked(mv);
    }
    let state = position.state();
    assert_eq!((state.halfmove_clock, state.reversible_plies), (u16::MAX, u16::MAX));
    assert!(position.fen().ends_with(" w - - 9999 9999"), "{}", position.fen());
    assert_eq!(position.legal_moves().len(), 44);
}

#[test]
fn refused_moves_say_why() {
    let position = Position::from_fen("3k5/9/9/9/4r4/9/9/9/4A4/4K4 w").expect("valid");
    for (text, part) in [
        ("h2", "'h2' is not a valid move"),
        ("a0a1", "no piece on a0"),
        ("e5e4", "not red's"),
        ("e0e2", "cannot go"),
        ("e1d2", "in check"),
    ] {
        let error = position.parse_move(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn exchanges_count_what_is_won() {
    for (fen, mv, value) in [
        // A free pawn; a rook for a protected pawn; a protected rook for a cannon.
        ("3k5/9/9/9/p8/9/9/9/9/R3K4 w", "a0a5", 100),
        ("r2k5/9/9/9/p8/9/9/9/9/R3K4 w", "a0a5", 100 - 950),
        ("r2k5/9/9/r8/9/9/P8/9/9/C3K4 w", "a0a6", 950 - 450),
        // The king may recapture, but not when another piece still covers the square.
        ("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w", "e1e8", 200 - 950),
        ("4k4/4a4/9/9/9/9/9/4R4/4R4/3K5 w", "e2e8", 200),
        // The screen of a cannon goes away with the first capture.
        ("3k5/9/9/n8/9/9/R8/9/C8/4K4 w", "a3a6", 420),
        ("r2k5/9/9/n8/9/9/R8/9/C8/4K4 w", "a3a6", 420 - 950),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        let mv = position.parse_move(mv).expect(fen);
        assert!(position.see_at_least(mv, value), "{fen} {mv} wins at least {value}");
        assert!(!position.see_at_least(mv, value + 1), "{fen} {mv} wins at most {value}");
    }
}

#[test]
fn a_move_of_unknown_origin_is_made_only_if_it_is_legal() {
    random_games(5, 40, |position| {
        let legal = position.legal_moves();
        for mv in all_pairs() {
            let mut after = position.clone();
            assert_eq!(after.play(mv).is_ok(), legal.contains(&mv), "{mv} in {position}");
            if legal.contains(&mv) {
                assert_eq!(after.fen(), position.after([mv]).fen());
            } else {
                assert_eq!((after.fen(), after.ply()), (position.fen(), position.ply()));
            }
        }
    });
}

#[test]
fn images_of_a_board_have_the_images_of_its_moves() {
    type Image = (fn(&Board) -> Board, fn(Square) -> Square);
    let images: [Image; 2] = [(Board::mirror, Square::mirror), (Board::flip, Square::flip)];
    random_games(20, 100, |position| {
        let board = position.board();
        assert!(board.iter().map(|(square, _)| square).eq(board.occupied()));
        for (image, square) in images {
            assert_eq!(&image(&image(board)), board);
            let seen = Position::from_board(image(board), 0).expect("a valid position");
            let moves = position.legal_moves().into_iter();
            let mut moves: Vec<_> =
                moves.filter_map(|mv| Move::new(square(mv.from()), square(mv.to()))).collect();
            moves.sort();
            assert_eq!(sorted(seen.legal_moves()), moves, "{position}");
        }
    });
}

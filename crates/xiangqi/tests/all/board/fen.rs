//! FEN in and out, and one error for each defect.

use xiangqi::board::{Defect, FenError, Position, START_FEN};
use xiangqi::geometry::{Color, Piece};

fn error(fen: &str) -> FenError {
    Position::from_fen(fen).expect_err(fen)
}

#[test]
fn a_position_survives_text_and_back() {
    for fen in [
        START_FEN,
        "3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1",
        "5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 17 42",
    ] {
        assert_eq!(Position::from_fen(fen).expect(fen).fen(), fen);
    }
}

#[test]
fn dialects_of_clients_are_read() {
    let board = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
    for rest in ["", " w", " r", " w 0 1", " w - -", " w - - 0 1", " r - - 0 1"] {
        let position = Position::from_fen(&format!("{board}{rest}")).expect(rest);
        assert_eq!(position.fen(), START_FEN, "{rest}");
    }
    let black = Position::from_fen(&format!("{board} b - - 3 7")).expect("black to move");
    assert_eq!(black.side(), Color::Black);
    assert!(black.fen().ends_with(" b - - 3 7"));
}

#[test]
fn the_move_number_counts_on() {
    let mut position = Position::startpos();
    for mv in ["h2e2", "h9g7", "h0g2"] {
        let mv = position.parse_move(mv).expect("legal");
        position.play_unchecked(mv);
    }
    assert!(position.fen().ends_with(" b - - 3 2"), "{position}");
}

#[test]
fn syntax_errors_name_the_field() {
    assert_eq!(error(""), FenError::Empty);
    assert_eq!(error("9/9/9 w"), FenError::RankCount(3));
    let rank =
        |text: &str| error(&format!("rnbakabnr/9/1c5c1/{text}/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"));
    assert!(matches!(rank("p1p1p1p1"), FenError::RankLength { rank: 6, files: 8, .. }));
    assert!(matches!(rank("p1p1p1p1pp"), FenError::RankLength { rank: 6, files: 10, .. }));
    assert!(matches!(rank("p1p1q1p1p"), FenError::Piece { rank: 6, .. }));
    assert!(matches!(error(&START_FEN.replace(" w ", " x ")), FenError::Side(s) if s == "x"));
    assert!(
        matches!(error(&START_FEN.replace(" 0 1", " zero 1")), FenError::Counter(s) if s == "zero")
    );
    assert!(matches!(error(&format!("{START_FEN} 5")), FenError::Trailing(s) if s == "5"));
}

#[test]
fn each_defect_has_its_error() {
    let defect = |fen: &str| match error(fen) {
        FenError::Defect(defect) => defect,
        other => panic!("{fen}: {other}"),
    };
    assert_eq!(defect("9/9/9/9/9/9/9/9/9/4K4 w"), Defect::NoKing(Color::Black));
    assert_eq!(defect("4k4/9/9/9/9/9/9/9/9/9 w"), Defect::NoKing(Color::Red));
    let rook = Piece::from_letter('R').expect("a rook");
    assert_eq!(defect("3k5/9/9/9/9/9/9/9/RRR6/4K4 b"), Defect::TooMany { piece: rook, count: 3 });
    for misplaced in [
        "3k5/9/9/9/9/9/9/9/9/2K6 w",
        "3k5/9/9/9/4k4/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/9/4KA1A1 w",
        "3k5/9/9/9/9/9/9/9/9/B3K4 w",
        "3k5/9/9/9/9/9/9/P8/9/4K4 w",
        "3k5/9/9/9/9/9/1P7/9/9/4K4 w",
        "3k5/9/p8/9/9/9/9/9/9/4K4 w",
    ] {
        assert!(
            matches!(defect(misplaced), Defect::Misplaced { .. } | Defect::TooMany { .. }),
            "{misplaced}"
        );
    }
    assert_eq!(defect("4k4/9/9/9/9/9/9/9/9/4K4 w"), Defect::FacingKings(4));
    assert_eq!(defect("3k5/9/9/9/9/9/9/9/3R5/4K4 w"), Defect::OpponentInCheck(Color::Black));
    assert_eq!(defect("3k5/9/9/9/9/9/9/9/4r4/4K4 b"), Defect::OpponentInCheck(Color::Red));
}

/// Found by random changes of FENs.
#[test]
fn the_fen_after_a_move_can_be_read_even_if_its_counters_are_at_their_end() {
    let mut position =
        Position::from_fen("3k5/9/9/9/9/9/9/9/9/4KR3 b - - 9999 9999").expect("valid");
    for text in ["d9d8", "f0f1"] {
        position.play_unchecked(position.parse_move(text).expect("legal"));
        let again = Position::from_fen(&position.fen()).expect("its own FEN");
        assert_eq!(again.key(), position.key());
    }
}

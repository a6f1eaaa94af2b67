//! FENs with what people copy around them.

use xiangqi::board::{Board, FenError, Position, START_FEN};

const FEN: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 b - - 3 7";

#[test]
fn a_fen_is_found_in_what_stands_around_it() {
    let board = "3k5/9/9/9/9/9/9/9/4A4/R3K4";
    for text in [
        format!("{board}[] b - - 3 7"),
        format!("{board}[-] b - - 3 7"),
        FEN.replace(' ', "_"),
        FEN.replace(' ', "%20"),
        FEN.replace(' ', "+"),
        FEN.replace('/', "%2F").replace(' ', "%20"),
        format!("https://www.example.org/analysis/xiangqi/{}", FEN.replace(' ', "_")),
        format!("https://example.org/a/b.php?x=1&fen={}&flip=1", FEN.replace(' ', "%20")),
        format!("http://example.org/#{}", FEN.replace(' ', "_")),
        format!("position fen {FEN}"),
        format!("fen {FEN}"),
        format!("FEN: {FEN}"),
        format!("fen={FEN}"),
        format!("[FEN \"{FEN}\"]"),
        format!("\"{FEN}\""),
        format!("'{FEN}'"),
        format!("“{FEN}”"),
        format!("`{FEN}`"),
        format!("\u{feff}{FEN}"),
        format!("局面：{FEN}。"),
        FEN.replace(' ', "\u{3000}"),
        "３k５／９／９／９／９／９／９／９／４A４／R３K４ b - - ３ ７".to_owned(),
        format!("<td>{FEN}</td>"),
        format!("{FEN}\n{FEN}"),
    ] {
        assert_eq!(
            Position::from_fen(&text).map(|position| position.fen()),
            Ok(FEN.to_owned()),
            "{text}"
        );
        assert_eq!(
            Position::from_epd(&text).map(|position| position.fen()),
            Ok(FEN.to_owned()),
            "{text}"
        );
        assert!(Board::from_fen(&text).is_ok());
        assert!(Position::from_recorded_fen(&text).is_ok());
    }
    let black = Position::from_fen(&format!("{board} 黑先")).map(|position| position.fen());
    assert_eq!(black, Ok(format!("{board} b - - 0 1")));
}

#[test]
fn what_cannot_be_told_apart_is_refused() {
    let error = |text: &str| Position::from_fen(text).expect_err(text);
    assert_eq!(error(&format!("{FEN}\n{START_FEN}")), FenError::Several);
    assert!(matches!(error(&format!("\"{}\"", FEN.replace(" b ", " x "))), FenError::Side(_)));
    assert!(matches!(error("\"3k5/9/9/9/9/9/9/9/4A4 w\""), FenError::RankCount(9)));
    assert!(matches!(error("[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K3 w\"]"), FenError::RankLength { .. }));
    assert!(matches!(error("https://example.org/xiangqi"), FenError::RankCount(_)));
    let moves = Position::from_epd(&format!("{FEN} moves a0a1")).expect_err("moves");
    assert_eq!(moves, FenError::Moves);
}

#[test]
fn hostile_texts_are_refused_in_time() {
    for unit in ["9/", "%", "%20", "[]", "_", "fen ", "\"", "3k5/9/9/9/9/9/9/9/4A4/R3K4 "] {
        let text = unit.repeat(2_000_000 / unit.len());
        let before = std::time::Instant::now();
        assert!(Position::from_fen(&text).is_err(), "{unit}");
        assert!(before.elapsed().as_secs() < 10, "{unit}: {:?}", before.elapsed());
    }
}

//! Boards as text.

use xiangqi::board::{Position, START_FEN};
use xiangqi::pictures::{BoardPicture, CoordinateStyle, PieceSet, TextStyle, text};

fn start() -> BoardPicture {
    BoardPicture::new(Position::from_fen(START_FEN).expect("the start").board().clone())
}

/// The start with a change.
fn with(change: impl FnOnce(&mut BoardPicture)) -> BoardPicture {
    let mut picture = start();
    change(&mut picture);
    picture
}

/// Columns of a terminal that a text takes.
fn width(text: &str) -> usize {
    text.chars().map(|c| if ('一'..='龥').contains(&c) { 2 } else { 1 }).sum()
}

#[test]
fn all_pieces_are_on_the_text_board() {
    let ascii = text(&start(), TextStyle::Ascii);
    assert!(ascii.is_ascii());
    let board: String = ascii.lines().take(19).collect();
    assert_eq!(board.chars().filter(char::is_ascii_alphabetic).count(), 32);
    assert!(ascii.starts_with(" 9  r---n---b---a---k---a---b---n---r\n"), "{ascii}");
    let chinese = text(&start(), TextStyle::Unicode);
    let river = chinese.lines().find(|line| line.contains('河')).expect("the river has its name");
    let pieces = chinese.replace(river, "");
    assert_eq!(pieces.chars().filter(|c| ('一'..='龥').contains(c)).count(), 32);
    for pieces in [PieceSet::Filled, PieceSet::Lettered] {
        assert_eq!(text(&with(|picture| picture.pieces = pieces), TextStyle::Unicode), chinese);
    }
    let latin = text(&with(|picture| picture.pieces = PieceSet::Latin), TextStyle::Unicode);
    assert!(latin.contains('┼') && latin.contains('R') && !latin.contains('車'));
}

#[test]
fn points_of_a_file_are_below_each_other() {
    for style in [TextStyle::Ascii, TextStyle::Unicode] {
        for flipped in [false, true] {
            let text = text(&with(|picture| picture.flipped = flipped), style);
            // The last file: rooks take one or two columns there.
            for row in text.lines().take(19).map(width) {
                assert!((37..=38).contains(&row), "{text}");
            }
        }
    }
}

#[test]
fn a_flipped_board_has_black_below_and_its_names_with_it() {
    let mut picture = with(|picture| picture.flipped = true);
    let flipped = text(&picture, TextStyle::Ascii);
    assert!(flipped.starts_with(" 0  R---N"), "{flipped}");
    assert!(flipped.trim_end().ends_with("i   h   g   f   e   d   c   b   a"), "{flipped}");
    picture.coordinates = CoordinateStyle::Files;
    let files = text(&picture, TextStyle::Ascii);
    assert!(files.starts_with("    1   2"), "Red above: {files}");
    assert!(files.trim_end().ends_with("9   8   7   6   5   4   3   2   1"), "{files}");
    picture.coordinates = CoordinateStyle::Chinese;
    let chinese = text(&picture, TextStyle::Unicode);
    assert!(chinese.starts_with("    一  二"), "{chinese}");
    assert!(chinese.trim_end().ends_with("9   8   7   6   5   4   3   2   1"), "{chinese}");
}

#[test]
fn marked_squares_are_in_brackets() {
    let picture = with(|picture| {
        picture.last_move = "b2b9".parse().ok();
        picture.marks.push("e6:victim".parse().expect("a mark"));
        picture.coordinates = CoordinateStyle::None;
    });
    let ascii = text(&picture, TextStyle::Ascii);
    for part in ["[n-]", "[C-]", "(p-)"] {
        assert_eq!(ascii.matches(part).count(), 1, "{part} in\n{ascii}");
    }
    let moved = with(|picture| picture.last_move = "h3h2".parse().ok());
    let unicode = text(&moved, TextStyle::Unicode);
    assert!(unicode.contains("─○─") && unicode.contains("[炮]"), "{unicode}");
}

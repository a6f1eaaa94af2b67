//! The text format with moves between `START{` and `}END`.

use xiangqi::GameResult;
use xiangqi::board::START_FEN;
use xiangqi::records::{Collection, FileKind, Game, read};

use super::tree::tree_text;

/// As PlayOK writes a game.
const PLAYOK: &str = include_str!("../../data/records/game.wxf");

/// As XieXie writes a position.
const XIEXIE: &str = "FORMAT  \tWXF\nGAME    \nRED     \t;;;\nBLACK   \t;;;\nDATE    \t2-8-2014\n\
                      FEN  \t\t2ek1a3/9/9/9/9/9/9/9/9/R3KA3 b\n\nSTART{\n}END\n";

fn sound(text: &str) -> Collection {
    let collection = read(text.as_bytes());
    assert_eq!((collection.kind, &collection.problems[..]), (FileKind::Wxf, &[][..]), "{text}");
    collection
}

fn problems(text: &str) -> (Vec<usize>, Vec<String>) {
    let collection = read(text.as_bytes());
    assert_eq!(collection.kind, FileKind::Wxf, "{text}");
    let problems = collection.problems.iter().map(ToString::to_string).collect();
    (collection.games.iter().map(Game::len).collect(), problems)
}

fn tags(game: &Game) -> Vec<(&str, &str)> {
    game.tags().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[test]
fn a_game_of_a_server_is_read() {
    for text in [
        PLAYOK.to_owned(),
        PLAYOK.replace('\n', "\r\n"),
        format!("\u{feff}{}", PLAYOK.replace("WXF", "AXF\t, K(K)")),
    ] {
        let collection = sound(&text);
        let [game] = &collection.games[..] else { panic!("{collection:?}") };
        assert_eq!((game.len(), game.result), (8, GameResult::BlackWins));
        assert_eq!(game.start().fen(), START_FEN);
        let expected = [
            ("RedElo", "1137"),
            ("Red", "jia"),
            ("BlackElo", "1177"),
            ("Black", "yi"),
            ("Date", "2026-01-02 03:04:05"),
            ("Event", "A Game ; 10m+0s"),
        ];
        assert_eq!(tags(game), expected);
    }
}

#[test]
fn a_position_with_letters_h_and_e_is_a_game_without_moves() {
    for (side, written) in [("b", "b"), ("w", "w"), ("r", "w")] {
        let collection = sound(&XIEXIE.replace(" b\n", &format!(" {side}\n")));
        let game = &collection.games[0];
        let fen = format!("2bk1a3/9/9/9/9/9/9/9/9/R3KA3 {written} - - 0 1");
        assert_eq!((game.start().fen(), game.len()), (fen, 0));
        assert_eq!(tags(game), [("Date", "2-8-2014")]);
    }
}

#[test]
fn moves_may_be_in_any_notation_with_comments_and_variations() {
    let same = read(b"1. h2e2!? {the centre} h9g7 (1... b9c7 {other side}) 2. h0g2 *");
    for moves in [
        "START{\n1. C2=5!? {the centre} h8+7 (1... H2+3 ; other side\n) 2. H2+3\n}END",
        "START {1. H2-E2!? {the centre} H9-G7 (1... B9-C7 {other side}) 2. H0-G2 } END\n",
        "START{ 1. h2e2 $5 {the centre} h9g7 (1... b9c7 {other side}) 2. h0g2 *}END and more",
        "START{炮二平五!? {the centre} 马8进7 (马2进3 {other side}) 马二进三}END",
    ] {
        let collection = sound(&format!("FORMAT ICCS\n{moves}"));
        assert_eq!(tree_text(&collection.games[0]), tree_text(&same.games[0]), "{moves}");
    }
}

#[test]
fn a_file_may_hold_several_games_and_other_text() {
    let text = format!("A page about games.\n\n{PLAYOK}THE END\nRED c\nSTART{{}}END\n\n{XIEXIE}");
    let collection = sound(&text);
    assert_eq!(collection.games.iter().map(Game::len).collect::<Vec<_>>(), [8, 0, 0]);
    assert_eq!(tags(&collection.games[1]), [("Red", "c")]);
}

#[test]
fn the_mark_that_comes_first_decides_the_kind() {
    let pgn = format!("[Event \"x\"]\n\n1. h2e2 {{\n{PLAYOK}}} *\n");
    assert_eq!(read(pgn.as_bytes()).kind, FileKind::Pgn);
    for text in ["FORMAT of a list\n1. h2e2 *\n", "STARTING {\n1. h2e2 *\n"] {
        assert_eq!(read(text.as_bytes()).kind, FileKind::Pgn, "{text}");
    }
}

#[test]
fn a_defect_has_the_line_where_it_is() {
    let (lengths, found) = problems(&PLAYOK.replace("r9.8", "r9.9"));
    assert_eq!(lengths, [3]);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("game 1, line 8: move 2 (black): 'r9.9'"), "{found:?}");

    let (lengths, found) = problems(&XIEXIE.replace("2ek1a3", "2ek1a4"));
    assert!(lengths.is_empty() && found.len() == 1, "{found:?}");
    assert!(found[0].starts_with("game 1, line 1: start position: "), "{found:?}");

    let setup = "FORMAT WXF\nSETUP{\nRED K5\n}\nSTART{\n1. K5+1\n}END\n";
    let (lengths, found) = problems(&format!("{setup}{PLAYOK}"));
    assert_eq!(lengths, [8]);
    let expected = ["game 1, line 1: start position: SETUP{ } cannot be read; a line FEN can"];
    assert_eq!(found, expected);
}

#[test]
fn a_list_of_moves_without_an_end_is_read_and_reported() {
    let report = |game: usize, line: usize| {
        format!("game {game}, line {line}: the list of moves, START{{ to }}END, is not closed")
    };
    let open = PLAYOK.replace(" }END", "");
    assert_eq!(problems(&open), (vec![8], vec![report(1, 7)]));
    assert_eq!(problems(&format!("{open}}}\n")), (vec![8], vec![report(1, 7)]));
    assert_eq!(problems(&format!("{open}{PLAYOK}")), (vec![8, 8], vec![report(1, 7)]));
    let cut = &PLAYOK[..PLAYOK.find("START").expect("moves")];
    assert_eq!(problems(cut), (vec![0], vec![report(1, 1)]));
    assert_eq!(problems(&format!("{cut}{open}")), (vec![0, 8], vec![report(1, 1), report(2, 13)]));
}

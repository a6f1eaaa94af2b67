//! Whole sessions, typed and read.

use std::fs;

use super::{session, temporary, typed};

/// Both sides, no lines: the shortest output.
const BOARD: [&str; 3] = ["--side", "both", "--compact"];

/// Red can check perpetually with the chariot.
const PERPETUAL: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";

fn board_with(more: &[&'static str]) -> Vec<&'static str> {
    BOARD.iter().chain(more).copied().collect()
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_engine_answers_every_move_and_the_end_of_input_ends_the_game() {
    let text = session(&["--level", "0", "--seed", "3", "--compact"], &["h2e2", "b0c2"]);
    assert_eq!(count(&text, "Cannonade level 0 plays"), 2, "{text}");
    assert!(text.contains("Move 3, Red to move"), "{text}");
    let how = "cannonade play --level 0 --compact --seed 3 --moves h2e2";
    assert!(text.contains(how), "{text}");
    assert!(!text.contains('\x1b'), "no colours without a terminal");
    assert!(!text.contains("> "), "no prompt without a terminal");
}

#[test]
fn a_seed_plays_the_same_game_again() {
    let play = || session(&["--level", "2", "--seed", "9"], &["h2e2", "b0c2", "moves"]);
    assert_eq!(play(), play());
}

#[test]
fn moves_are_read_in_every_notation() {
    let text =
        session(&board_with(&["--letters", "chinese"]), &["炮二平五", "h9g7", "H2+3", "moves"]);
    assert!(text.contains("  1. 炮二平五  马８进７"), "{text}");
    assert!(text.contains("  2. 马二进三"), "{text}");
}

#[test]
fn black_is_played_from_below_and_the_engine_begins() {
    let text = session(&["--side", "black", "--level", "1", "--compact"], &["h9g7"]);
    assert_eq!(count(&text, "plays"), 2, "{text}");
    assert!(text.contains("\n    i   h   g"), "{text}");
    assert!(text.contains("cannonade play --side black --level 1 --compact --moves"), "{text}");
}

#[test]
fn moves_are_taken_back_and_made_again() {
    let lines = ["h2e2", "h9g7", "undo", "undo", "undo", "redo", "redo 5", "redo", "fen"];
    let text = session(&BOARD, &lines);
    assert!(text.contains("There is no move to take back."), "{text}");
    assert!(text.contains("There is no move to make again."), "{text}");
    let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    assert!(text.contains(fen), "{text}");
}

#[test]
fn undo_takes_the_answer_of_the_engine_back_too() {
    let text = session(&["--level", "0", "--compact"], &["h2e2", "undo", "fen"]);
    assert!(text.contains("RNBAKABNR w - - 0 1"), "{text}");
}

#[test]
fn questions_are_answered() {
    let lines = ["hint", "eval", "level", "level 3", "level full", "level 77", "help", "flip"];
    let text = session(&BOARD, &lines);
    assert!(text.contains("Full strength plays "), "{text}");
    assert!(text.contains(" Depth "), "{text}");
    assert!(text.contains("level 5 of 20") && text.contains("level 3 of 20"), "{text}");
    assert!(text.contains("plays at full strength"), "{text}");
    assert!(text.contains("'77' is not a level"), "{text}");
    assert!(text.contains("save FILE"), "{text}");
    assert!(text.contains("    i   h   g   f"), "{text}");
}

#[test]
fn undo_as_black_leaves_the_first_move_of_the_engine() {
    let arguments = ["--side", "black", "--level", "0", "--compact"];
    let text = session(&arguments, &["undo", "h9g7", "undo 9", "moves"]);
    assert!(text.contains("There is no move to take back."), "{text}");
    let moves: Vec<&str> = text.lines().filter(|line| line.starts_with("  1. ")).collect();
    assert!(matches!(&moves[..], [one] if one.split_whitespace().count() == 2), "{text}");
    assert!(!text.contains("The engine waits"), "{text}");
}

#[test]
fn a_resignation_can_be_taken_back_and_saved() {
    let file = temporary("resigned.pgn");
    let save = format!("save {}", file.display());
    let text = session(&BOARD, &["h2e2", &save, "resign", "quit"]);
    assert!(text.contains("The game is not saved"), "the result is not: {text}");
    let text = session(&["--level", "0", "--compact"], &["resign", "undo", "h2e2"]);
    assert!(text.contains("Cannonade level 0 plays"), "{text}");
    let moves_after = |lines: &[&str]| {
        let text = session(&["--side", "both", "--compact"], lines);
        text.lines().rfind(|line| line.starts_with("  1. ")).unwrap_or_default().to_owned()
    };
    let both = moves_after(&["h2e2", "h9g7", "moves"]);
    let undone = moves_after(&["h2e2", "h9g7", "resign", "undo", "moves"]);
    assert!(both.split_whitespace().count() == 3 && undone == both, "'{both}' '{undone}'");
    let undone = moves_after(&["h2e2", "h9g7", "resign", "undo 2", "moves"]);
    assert_eq!(undone.split_whitespace().count(), 2, "{undone}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn the_command_that_continues_a_game_has_the_side_of_this_game() {
    for (side, lines, flags) in [
        ("red", ["h2e2", "new both", "quit"], "play --level 0 --compact"),
        ("both", ["h2e2", "new black", "quit"], "play --side both --level 0 --compact"),
    ] {
        let text = session(&["--side", side, "--level", "0", "--compact"], &lines);
        let command = text.lines().find(|line| line.contains("cannonade play")).unwrap_or_default();
        assert!(command.contains(flags) && command.contains("--moves h2e2"), "{text}");
    }
}

#[test]
fn a_game_is_not_saved_as_a_kind_that_cannot_be_written() {
    let file = temporary("copy.cbl");
    let save = format!("save {}", file.display());
    let text = session(&BOARD, &["h2e2", &save, "quit"]);
    assert!(text.contains("Not saved: 'cbl' is not a kind of file that can be written"), "{text}");
    assert!(!file.exists(), "a PGN under this name");
}

#[test]
fn only_defects_of_the_game_that_is_loaded_matter() {
    let file = temporary("second.pgn");
    let games = "[Red \"A\"]\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n1. b2e2 h2h9 *\n";
    fs::write(&file, games).expect("a file");
    let name = file.display().to_string();
    let text = session(&["--load", &name, "--side", "both", "--compact"], &["moves"]);
    assert!(text.contains("  1. h2e2  h9g7"), "{text}");
    fs::write(&file, "[Red \"B\"]\n1. b2e2 h2h9 *\n").expect("a file");
    let output = typed(&["--load", &name], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("game 1"));
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn illegal_moves_are_explained_and_change_nothing() {
    let text = session(&BOARD, &["hello", "h2h9x", "e0e9", "馬九進一", "undo x", "fen"]);
    assert!(text.contains("'hello' is not a"), "{text}");
    assert!(text.contains("'e0e9'"), "{text}");
    assert!(text.contains("'x' is not a number of moves"), "{text}");
    assert!(text.contains("RNBAKABNR w - - 0 1"), "{text}");
}

#[test]
fn a_mate_ends_the_game_and_undo_continues_it() {
    let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";
    let mate = ["--fen", fen];
    let text = session(&board_with(&mate), &["e1d1", "d9d8", "undo", "moves", "e1d1", "new"]);
    assert!(text.contains("Red wins: Black is checkmated."), "{text}");
    assert!(text.contains("The game is over"), "{text}");
    assert_eq!(count(&text, "Red wins"), 2, "{text}");
}

#[test]
fn resigning_loses() {
    let text = session(&["--level", "0", "--compact"], &["resign", "resign", "h2e2"]);
    assert!(text.contains("Black wins: Red resigns."), "{text}");
    assert!(text.contains("The game is over"), "{text}");
}

#[test]
fn a_perpetual_check_is_warned_of_asked_again_and_ruled() {
    let turn = ["d9d8", "a9a8", "d8d9", "a8a9"];
    let moves = [&["a0a9"][..], &turn, &turn].concat();
    let arguments = [&BOARD[..], &["--fen", PERPETUAL]].concat();
    let text = session(&arguments, &moves);
    let warning = "has occurred 2 times. Red gives perpetual check: the next time, Red loses.";
    assert!(text.contains(warning), "{text}");
    assert!(text.contains("Type it again to play it"), "{text}");
    assert!(!text.contains("wins"), "typed once only: {text}");

    let insisting = [&moves[..], &["a8a9"]].concat();
    let text = session(&arguments, &insisting);
    assert!(
        text.contains("Black wins: the position has occurred 3 times, and Red is to blame"),
        "{text}"
    );
    assert!(text.contains("  Why:  ") && text.contains("with every move"), "{text}");
    assert!(text.contains("  Rule: "), "{text}");
}

#[test]
fn a_quiet_repetition_is_a_draw() {
    let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
    let text = session(&BOARD, &[turn, turn].concat());
    assert!(text.contains("the next time, the game is a draw"), "{text}");
    assert!(text.contains("Draw: the position has occurred 3 times and neither side"), "{text}");
}

#[test]
fn a_saved_game_is_loaded_and_continued() {
    let file = temporary("saved.pgn");
    let name = file.display();
    let save = format!("save {name}");
    let text = session(&BOARD, &["h2e2", "h9g7", &save, "quit"]);
    assert!(text.contains("Saved to"), "{text}");
    assert!(!text.contains("not saved"), "{text}");
    let pgn = fs::read_to_string(&file).expect("a file");
    assert!(pgn.contains("H2-E2 H9-G7"), "{pgn}");

    let load = format!("load {name}");
    let text = session(&BOARD, &["a0a1", &load, "moves", "b0c2", "moves"]);
    assert!(text.contains("The game is not saved"), "the game before: {text}");
    assert!(text.contains("  1. h2e2  h9g7\n  2. b0c2"), "{text}");
    let text = session(&["--load", &file.display().to_string(), "--level", "0"], &["b0c2"]);
    assert!(text.contains("Cannonade level 0 plays"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_file_of_something_else_is_replaced_only_when_that_is_typed_twice() {
    let file = temporary("many.pgn");
    let games = "[Red \"A\"]\n\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n\n1. b2e2 *\n";
    fs::write(&file, games).expect("a file");
    let name = file.display().to_string();
    let save = format!("save {name}");
    let text = session(&["--load", &name, "--side", "both", "--compact"], &[&save, "fen", &save]);
    assert!(text.contains("holds 2 games; this is the first one"), "{text}");
    assert_eq!(count(&text, "exists; type 'save"), 2, "another command is between them: {text}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), games);

    let text = session(&BOARD, &["h2e2", &save, &save, "h9g7", &save, "new", "b2e2", &save]);
    assert_eq!(count(&text, "Saved to"), 2, "{text}");
    assert_eq!(count(&text, "exists; type 'save"), 2, "a new game asks again: {text}");
    let load = format!("load {name}");
    let text = session(&BOARD, &[&load, "h0g2", &save]);
    assert!(!text.contains("exists") && text.contains("Saved to"), "its only game: {text}");
    assert!(fs::read_to_string(&file).expect("the file").contains("H0-G2"));
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn commands_and_their_words_are_read_in_chinese() {
    let lines = ["帮助", "新局 黑", "级别 最强", "新局 双方", "退出"];
    let text = session(&["--level", "0", "--compact", "--movetime", "0.1"], &lines);
    assert!(text.contains("悔棋 [N]") && !text.contains("undo [N]"), "{text}");
    assert!(text.contains("You play Black against Cannonade level 0."), "{text}");
    assert!(text.contains("plays at full strength"), "{text}");
    assert!(text.contains("You play both sides."), "{text}");
}

#[test]
fn a_file_that_cannot_be_loaded_is_explained_once() {
    let file = temporary("no-king.pgn");
    fs::write(&file, "[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*\n").expect("a file");
    let text = session(&BOARD, &[&format!("load {}", file.display())]);
    assert_eq!(count(&text, "black has no king"), 1, "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let garbage = temporary("garbage.pgn");
    fs::write(&garbage, b"\xff\x00 no game").expect("a file");
    let load = format!("load {}", garbage.display());
    let wrong = temporary("wrong.pgn");
    fs::write(&wrong, "1. h2e9 *\n").expect("a file");
    let load_wrong = format!("load {}", wrong.display());
    let lines = [
        "h2e2",
        "save /nowhere/at/all.pgn",
        "load /nowhere.pgn",
        &load,
        &load_wrong,
        "load",
        "fen",
    ];
    let text = session(&BOARD, &lines);
    assert!(text.contains("Not saved: cannot write /nowhere/at/all.pgn"), "{text}");
    assert!(text.contains("cannot read /nowhere.pgn"), "{text}");
    assert_eq!(text.matches("'h2e9'").count(), 1, "each error once: {text}");
    fs::remove_file(wrong).expect("the file of the test");
    assert!(text.contains("type 'load FILE'"), "{text}");
    assert!(text.contains("RNBAKABNR b - - 1 1"), "the game goes on: {text}");
    fs::remove_file(garbage).expect("the file of the test");
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let text = session(&["--side", "both", "--color", "always"], &["quit"]);
    assert!(text.contains("\x1b[1m\x1b[31mR\x1b[0m"), "{text}");
    let text = session(&["--side", "both", "--color", "never"], &["quit"]);
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn the_engine_can_be_asked_to_move_for_the_person() {
    let text = session(&["--level", "0", "--compact"], &["go", "h9g7"]);
    assert!(text.contains("You play Black now."), "{text}");
    assert_eq!(count(&text, "Cannonade level 0 plays"), 2, "{text}");
}

#[test]
fn wrong_flags_end_with_2_and_a_message() {
    for arguments in [
        ["--level", "99"],
        ["--time", "soon"],
        ["--fen", "nonsense"],
        ["--moves", "e0e9"],
        ["--load", "/nowhere.pgn"],
        ["--letters", "greek"],
        ["--movetime", "-1"],
    ] {
        let output = typed(&arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn any_bytes_and_no_input_at_all_end_quietly() {
    let garbage: Vec<u8> =
        (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for input in
        [&b""[..], b"\n\n\n", &garbage, b"undo 99999999999999999999\nsave \nload \nnew x\n"]
    {
        let output = typed(&BOARD, input);
        assert!(output.status.success(), "{}", output.status);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

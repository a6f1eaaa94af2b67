//! Whole sessions, typed and read. Each output is compared with a file of `snapshots/`, which also
//! names the typed lines; boards and the moves of the engine are left out.

use std::fs;

use super::{session, session_is, temporary, typed};

/// Both sides, no lines: the shortest output.
const BOARD: [&str; 3] = ["--side", "both", "--compact"];

/// Against the weakest level, which plays at once, and the same moves each time.
const LEVEL_0: [&str; 5] = ["--level", "0", "--seed", "3", "--compact"];

/// Red can check perpetually with the chariot.
const PERPETUAL: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";

const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";

fn board_with(more: &[&'static str]) -> Vec<&'static str> {
    BOARD.iter().chain(more).copied().collect()
}

#[test]
fn the_engine_replies_to_every_move_and_the_end_of_input_ends_the_session() {
    session_is("level-0", &LEVEL_0, &["h2e2", "b0c2", "undo"]);
}

#[test]
fn a_seed_plays_the_same_game_again() {
    let play = || session(&["--level", "2", "--seed", "9"], &["h2e2", "b0c2"]);
    assert_eq!(play(), play());
}

#[test]
fn moves_are_read_in_every_notation() {
    let arguments = board_with(&["--letters", "chinese"]);
    session_is("notations", &arguments, &["炮二平五", "h9g7", "H2+3", "A9-B9", "Ci7"]);
}

#[test]
fn black_is_played_from_below_and_undo_leaves_the_first_move_of_the_engine() {
    let arguments = ["--side", "black", "--level", "0", "--seed", "3", "--compact"];
    session_is("black", &arguments, &["undo", "h9g7", "undo 9"]);
}

#[test]
fn moves_are_taken_back() {
    session_is("undo", &BOARD, &["h2e2", "h9g7", "h0g2", "undo 2", "undo", "undo", "undo 0"]);
}

#[test]
fn questions_are_answered_and_other_words_named() {
    let lines = ["hint", "level", "level 3", "level full", "level 77", "help", "board"];
    session_is("questions", &BOARD, &lines);
    session_is(
        "illegal",
        &BOARD,
        &["hello", "redo", "h2h9x", "e0e9", "馬九進一", "undo x", "save"],
    );
}

#[test]
fn a_mate_ends_the_game_and_undo_continues_it() {
    let mate = board_with(&["--fen", MATE_IN_ONE]);
    session_is("mate", &mate, &["e1d1", "d9d8", "hint", "undo"]);
}

#[test]
fn a_repetition_is_warned_of_and_judged() {
    let turn = ["d9d8", "a9a8", "d8d9", "a8a9"];
    let perpetual = board_with(&["--fen", PERPETUAL]);
    session_is("perpetual-check", &perpetual, &[&["a0a9"][..], &turn, &turn].concat());
    let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
    session_is("repetition", &BOARD, &[turn, turn].concat());
}

#[test]
fn all_sentences_are_chinese_if_asked_for() {
    let arguments = ["--language", "zh", "--compact", "--level", "0", "--seed", "3"];
    let lines = [
        "帮助",
        "炮二平五",
        "提示",
        "级别 77",
        "级别 7",
        "悔棋 x",
        "悔棋",
        "悔棋",
        "保存",
        "走法",
        "车一进九",
    ];
    session_is("chinese", &arguments, &[&lines[..], &["保存 -", "炮二平五", "退出"]].concat());
    let both = ["--language", "zh", "--side", "both", "--compact"];
    let checks = ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];
    session_is("chinese-perpetual-check", &[&both[..], &["--fen", PERPETUAL]].concat(), &checks);
    session_is("chinese-mate", &[&both[..], &["--fen", MATE_IN_ONE]].concat(), &["e1d1", "d9d8"]);
}

#[test]
fn a_saved_game_is_loaded_and_continued() {
    let file = temporary("saved.pgn");
    let name = file.display().to_string();
    let black = ["--side", "black", "--level", "0", "--seed", "3", "--compact"];
    let lines = ["h9g7", &format!("save {name}"), "undo", "save", "quit"];
    session_is("save", &black, &lines);
    let pgn = fs::read_to_string(&file).expect("a file");
    let names = "[Red \"Cannonade level 0\"]\n[Black \"Player\"]";
    assert!(pgn.contains(names) && !pgn.contains("H9-G7"), "{pgn}");
    let load = ["--load", &name, "--level", "0", "--seed", "3", "--compact"];
    session_is("load", &load, &["h9g7", "save"]);
    assert!(fs::read_to_string(&file).expect("a file").contains("H9-G7"));
    let text = session(&["--load", &name, "--side", "both", "--compact"], &["quit"]);
    assert!(text.contains("You play both sides") && !text.contains("not saved"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn quit_and_the_end_of_input_save_to_the_chosen_file() {
    let file = temporary("chosen.pgn");
    let name = file.display().to_string();
    for end in ["quit", ""] {
        let text = session(&[&BOARD[..], &["--save", &name]].concat(), &["h2e2", end]);
        assert!(text.contains("Saved to") && !text.contains("not saved"), "{text}");
        assert!(fs::read_to_string(&file).expect("a file").contains("1. H2-E2 *"));
        fs::remove_file(&file).expect("the file of the test");
    }
}

#[test]
fn a_game_that_cannot_be_saved_at_the_end_is_printed() {
    let folder = temporary("gone");
    fs::create_dir_all(&folder).expect("a folder");
    let name = folder.join("game.pgn").display().to_string();
    let mut process = super::command(&[&BOARD[..], &["--save", &name]].concat());
    let mut process = process.spawn().expect("the program starts");
    let mut input = process.stdin.take().expect("a pipe");
    let mut output = std::io::BufReader::new(process.stdout.take().expect("a pipe"));
    super::read_until(&mut output, "Red to move");
    fs::remove_dir(&folder).expect("the folder of the test");
    std::io::Write::write_all(&mut input, b"h2e2\n").expect("a running program");
    drop(input);
    super::read_until(&mut output, "--moves h2e2");
    let ended = process.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("cannot write"), "{ended:?}");
}

#[test]
fn a_file_of_something_else_is_not_replaced() {
    let file = temporary("other.pgn");
    let name = file.display().to_string();
    let (save, load) = (format!("save {name}"), ["--load", &name, "--side", "both", "--compact"]);
    for content in [
        &b"[Red \"A\"]\n\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n\n1. b2e2 *\n"[..],
        b"[Red \"A\"]\n\n1. h2e2 (1. b2e2 Zz9) h9g7 *\n",
        b"[Red \"\xff\xff A\"]\n\n1. h2e2 h9g7 *\n",
        b"[Red \"\xcd\xf5\xcc\xec\xd2\xbb\"]\n\n1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 *\n",
    ] {
        fs::write(&file, content).expect("a file");
        let loaded = typed(&load, format!("b0c2\n{save}\n").as_bytes());
        let text = String::from_utf8_lossy(&loaded.stdout);
        assert!(text.contains("holds something else; choose another name"), "{text}");
        let text = session(&BOARD, &["h2e2", &save]);
        assert!(text.contains("holds something else; choose another name"), "{text}");
        let at_start = typed(&["--save", &name], b"");
        assert_eq!(at_start.status.code(), Some(2));
        assert_eq!(fs::read(&file).expect("the file"), content);
    }
    fs::remove_file(file).expect("the file of the test");
    let unwritable = temporary("copy.cbl").display().to_string();
    let text = session(&BOARD, &["h2e2", &format!("save {unwritable}")]);
    assert!(text.contains("not a kind of file that can be written"), "{text}");
}

#[test]
fn defects_of_a_loaded_file_are_named() {
    let file = temporary("defects.pgn");
    let name = file.display().to_string();
    let load = ["--load", &name, "--side", "both", "--compact"];
    for (content, code, error) in [
        ("1. h2e2 h9g7 *\n\n1. b2e2 h2h9 *\n", 0, "holds 2 games; this is the first one"),
        ("1. h2e2 (1. b2e2 Zz9) h9g7 *\n", 0, "in a variation, move 1 (black): 'Zz9'"),
        ("1. h2e9 *\n", 2, "game 1"),
        ("[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*\n", 2, "king"),
        ("[FEN \"3k5/9/9/9/9/9/9/9/3R5/4K4 w - - 0 1\"]\n\n*\n", 2, "in check"),
    ] {
        fs::write(&file, content).expect("a file");
        let output = typed(&load, b"");
        assert_eq!(output.status.code(), Some(code), "{content}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(error), "{errors}");
    }
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_loaded_game_keeps_its_variations() {
    let file = temporary("variations.pgn");
    let name = file.display().to_string();
    let text = "[Event \"x\"]\n\n1. h2e2 {a} h9g7 (1... b9c7 2. h0g2 {b}) 2. b0c2 *\n";
    fs::write(&file, text).expect("a file");
    let load = ["--load", &name, "--side", "both"];
    session(&load, &["undo 2", "b9c7", "save"]);
    let pgn = fs::read_to_string(&file).expect("the file");
    let moves = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "1. H2-E2 {a} B9-C7 (1... H9-G7 2. B0-C2) 2. H0-G2 {b} *";
    assert!(moves.contains("[Event \"x\"]") && moves.ends_with(expected), "{moves}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let text = session(&["--side", "both", "--color", "always"], &["quit"]);
    assert!(text.contains("\x1b[1m\x1b[31mR\x1b[0m"), "{text}");
    let text = session(&["--side", "both", "--color", "never"], &["quit"]);
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn the_command_that_continues_a_game_has_its_settings() {
    let settings = "--side black --level full --movetime 0.05 --language zh --letters traditional \
                    --notation wxf --compact --rules CXA --seed 7 --threads 2 --hash 32";
    let arguments: Vec<&str> = settings.split_whitespace().collect();
    let text = session(&arguments, &["quit"]);
    assert!(text.contains(&format!("cannonade play {settings} --moves ")), "{text}");
}

#[test]
fn wrong_flags_end_with_2_and_a_message() {
    for arguments in [
        ["--level", "99"],
        ["--fen", "nonsense"],
        ["--moves", "e0e9"],
        ["--load", "/nowhere.pgn"],
        ["--save", "-"],
        ["--save", "game.cbl"],
        ["--letters", "greek"],
        ["--movetime", "-1"],
    ] {
        let output = typed(&arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn any_bytes_and_no_input_at_all_end_silently() {
    let garbage: Vec<u8> =
        (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for input in [&b""[..], b"\n\n\n", &garbage, b"undo 99999999999999999999\nsave \nlevel x\n"] {
        let output = typed(&BOARD, input);
        assert!(output.status.success(), "{}", output.status);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

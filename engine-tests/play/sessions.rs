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

fn board_with(more: &[&'static str]) -> Vec<&'static str> {
    BOARD.iter().chain(more).copied().collect()
}

#[test]
fn the_engine_answers_every_move_and_the_end_of_input_ends_the_game() {
    session_is("level-0", &LEVEL_0, &["h2e2", "b0c2"]);
}

#[test]
fn a_seed_plays_the_same_game_again() {
    let play = || session(&["--level", "2", "--seed", "9"], &["h2e2", "b0c2", "moves"]);
    assert_eq!(play(), play());
}

#[test]
fn moves_are_read_in_every_notation() {
    let arguments = board_with(&["--letters", "chinese"]);
    session_is("notations", &arguments, &["炮二平五", "h9g7", "H2+3", "moves"]);
}

#[test]
fn black_is_played_from_below_and_the_engine_begins() {
    session_is(
        "black",
        &["--side", "black", "--level", "1", "--seed", "3", "--compact"],
        &["h9g7"],
    );
}

#[test]
fn moves_are_taken_back_and_made_again() {
    let lines = ["h2e2", "h9g7", "undo", "undo", "undo", "redo", "redo 5", "redo", "fen"];
    session_is("undo-redo", &BOARD, &lines);
}

#[test]
fn undo_takes_the_answer_of_the_engine_back_too() {
    session_is("undo-answer", &LEVEL_0, &["h2e2", "undo", "fen"]);
}

#[test]
fn questions_are_answered() {
    let lines = ["hint", "eval", "level", "level 3", "level full", "level 77", "help", "flip"];
    session_is("questions", &BOARD, &lines);
}

#[test]
fn undo_as_black_leaves_the_first_move_of_the_engine() {
    let arguments = ["--side", "black", "--level", "0", "--seed", "3", "--compact"];
    let lines = ["undo", "h9g7", "undo 9", "moves"];
    session_is("undo-as-black", &arguments, &lines);
    let text = session(&arguments, &lines);
    let moves: Vec<&str> = text.lines().filter(|line| line.starts_with("  1. ")).collect();
    assert!(matches!(&moves[..], [one] if one.split_whitespace().count() == 2), "{text}");
}

#[test]
fn a_resignation_can_be_taken_back_and_saved() {
    let file = temporary("resigned.pgn");
    let save = format!("save {}", file.display());
    session_is("resign-unsaved", &BOARD, &["h2e2", &save, "resign", "quit"]);
    session_is("resign-undo", &LEVEL_0, &["resign", "undo", "h2e2"]);
    session_is("resign-undo-moves", &BOARD, &["h2e2", "h9g7", "resign", "undo", "moves"]);
    session_is("resign-undo-2-moves", &BOARD, &["h2e2", "h9g7", "resign", "undo 2", "moves"]);
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn the_command_that_continues_a_game_has_the_side_of_this_game() {
    let red = ["--side", "red", "--level", "0", "--seed", "3", "--compact"];
    session_is("continue-red", &red, &["h2e2", "new both", "quit"]);
    let both = ["--side", "both", "--level", "0", "--seed", "3", "--compact"];
    session_is("continue-both", &both, &["h2e2", "new black", "quit"]);
}

#[test]
fn a_game_is_not_saved_as_a_kind_that_cannot_be_written() {
    let file = temporary("copy.cbl");
    session_is("save-cbl", &BOARD, &["h2e2", &format!("save {}", file.display()), "quit"]);
    assert!(!file.exists(), "a PGN under this name");
}

#[test]
fn only_defects_of_the_game_that_is_loaded_matter() {
    let file = temporary("second.pgn");
    let games = "[Red \"A\"]\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n1. b2e2 h2h9 *\n";
    fs::write(&file, games).expect("a file");
    let name = file.display().to_string();
    session_is("load-first", &["--load", &name, "--side", "both", "--compact"], &["moves"]);
    fs::write(&file, "[Red \"B\"]\n1. b2e2 h2h9 *\n").expect("a file");
    let output = typed(&["--load", &name], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("game 1"));
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_defect_in_a_variation_is_named_and_the_file_is_kept() {
    let file = temporary("variation.pgn");
    let text = "[Red \"A\"]\n\n1. h2e2 (1. b2e2 zzz) h9g7 *\n";
    fs::write(&file, text).expect("a file");
    let name = file.display().to_string();
    let (load, save) = (format!("load {name}"), format!("save {name}"));
    let said = "game 1, line 3: in a variation, move 1 (black): 'zzz' is not a move";
    let at_start = session(&["--load", &name, "--side", "both", "--compact"], &["moves"]);
    assert!(at_start.contains(said) && at_start.contains("h9g7"), "{at_start}");
    let later = session(&BOARD, &[&load, "moves"]);
    assert!(later.contains(said) && later.contains("h9g7"), "{later}");
    // Saving without being asked again would lose the rest of the variation.
    session(&BOARD, &[&load, "h0g2", &save, "quit"]);
    assert_eq!(fs::read_to_string(&file).expect("the file"), text);
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn wrong_bytes_and_another_encoding_are_named() {
    let file = temporary("bytes.pgn");
    let name = file.display().to_string();
    let (load, save) = (format!("load {name}"), format!("save {name}"));
    let wrong = b"[Red \"\xff\xff A\"]\n[Black \"\xe5\xbc\xa0\xe5\xbc\xa0\xe5\xbc\xa0\"]\n\n1. h2e2 h9g7 *\n";
    fs::write(&file, wrong).expect("a file");
    let text = session(&BOARD, &[&load, "h0g2", &save, "quit"]);
    assert!(text.contains("bytes that are not") && text.contains("exists"), "{text}");
    assert_eq!(fs::read(&file).expect("the file"), wrong, "replaced only if that is typed twice");
    let chinese = session(&["--language", "zh", "--load", &name, "--side", "both"], &["退出"]);
    assert!(chinese.contains("第 1 局第 1 行：有 3 处不是"), "{chinese}");

    let gb18030 = b"[Red \"\xcd\xf5\xcc\xec\xd2\xbb\"]\n\n1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 *\n";
    fs::write(&file, gb18030).expect("a file");
    let text = session(&BOARD, &[&load, "h9g7", &save, "quit"]);
    assert!(text.contains("is GB18030; 'save' writes UTF-8."), "{text}");
    let saved = fs::read_to_string(&file).expect("UTF-8");
    assert!(saved.contains("王天一"), "{saved}");
    let text = session(&BOARD, &[&load, "quit"]);
    assert!(!text.contains("writes"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_start_with_the_waiting_side_in_check_is_not_loaded() {
    let file = temporary("check.pgn");
    let name = file.display().to_string();
    fs::write(&file, "[FEN \"3k5/9/9/9/9/9/9/9/3R5/4K4 w - - 0 1\"]\n\n*\n").expect("a file");
    let output = typed(&["--load", &name], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("in check"), "{output:?}");
    let text = session(&BOARD, &[&format!("load {name}"), "fen"]);
    assert!(text.contains("Not loaded") && text.contains("in check"), "{text}");
    let zh = ["--language", "zh", "--side", "both"];
    let text = session(&zh, &[&format!("读取 {name}"), "退出"]);
    assert!(text.contains("未读取：第 1 局第 1 行：开始局面不成立：黑方正被将军"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_chinese_session_names_the_defects_of_files_in_chinese() {
    let files: [(&str, &[u8], &str); 9] = [
        ("comment.pgn", b"1. h2e2 {never", "注解、变着或着法没有结束"),
        ("setup.wxf", b"FORMAT WXF\nSETUP{\n}\nSTART{\n}END\n", "SETUP{ } 中的开始局面不能读取"),
        ("parenthesis.pgn", b"1. h2e2 ) h9g7", "括号“)”不属于任何变着"),
        ("king.pgn", b"[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*", "黑方没有将（帅）"),
        ("pawn.pgn", b"[FEN \"4k4/9/9/9/9/9/9/9/9/3PK4 w\"]\n\n*", "红方兵不能放在 d0"),
        (
            "rooks.pgn",
            b"[FEN \"4k4/4r4/rr7/9/9/9/9/9/9/4K4 w\"]\n\n*",
            "棋盘上有 3 个黑方车，最多 2 个",
        ),
        ("facing.pgn", b"[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*", "将帅在 e 线上照面"),
        ("ranks.pgn", b"[FEN \"4k4/9 w\"]\n\n*", "开始局面不是 FEN"),
        ("short.xqf", b"XQ\x12", "文件不完整"),
    ];
    for (name, bytes, defect) in files {
        let file = temporary(name);
        fs::write(&file, bytes).expect("a file");
        let load = format!("读取 {}", file.display());
        let text = session(&["--language", "zh", "--side", "both"], &[&load, "退出"]);
        assert!(text.contains(defect), "{name}: {text}");
        fs::remove_file(file).expect("the file of the test");
    }
}

#[test]
fn a_game_that_is_undone_and_redone_after_it_was_saved_is_saved() {
    let file = temporary("undone.pgn");
    let save = format!("save {}", file.display());
    let text = session(&BOARD, &["h2e2", "h9g7", &save, "undo", "redo", "quit"]);
    assert!(!text.contains("not saved"), "{text}");
    let text = session(&BOARD, &["h2e2", "h9g7", &save, "undo", "b9c7", "quit"]);
    assert!(text.contains("not saved"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn illegal_moves_are_explained_and_change_nothing() {
    session_is("illegal", &BOARD, &["hello", "h2h9x", "e0e9", "馬九進一", "undo x", "fen"]);
}

#[test]
fn a_mate_ends_the_game_and_undo_continues_it() {
    let mate = board_with(&["--fen", "3k5/9/9/9/9/9/9/9/4R4/4K4 w"]);
    session_is("mate", &mate, &["e1d1", "d9d8", "undo", "moves", "e1d1", "new"]);
}

#[test]
fn resigning_loses() {
    session_is("resign", &LEVEL_0, &["resign", "resign", "h2e2"]);
}

#[test]
fn a_perpetual_check_is_warned_of_asked_again_and_ruled() {
    let turn = ["d9d8", "a9a8", "d8d9", "a8a9"];
    let moves = [&["a0a9"][..], &turn, &turn].concat();
    let arguments = board_with(&["--fen", PERPETUAL]);
    let text = session(&arguments, &moves);
    assert!(!text.contains("wins"), "typed once only: {text}");
    session_is("perpetual-check", &arguments, &[&moves[..], &["a8a9"]].concat());
}

#[test]
fn a_quiet_repetition_is_a_draw() {
    let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
    session_is("repetition", &BOARD, &[turn, turn].concat());
}

#[test]
fn a_saved_game_is_loaded_and_continued() {
    let file = temporary("saved.pgn");
    let name = file.display().to_string();
    session_is("save", &BOARD, &["h2e2", "h9g7", &format!("save {name}"), "quit"]);
    let pgn = fs::read_to_string(&file).expect("a file");
    assert!(pgn.contains("H2-E2 H9-G7"), "{pgn}");
    let load = format!("load {name}");
    session_is("load", &BOARD, &["a0a1", &load, "moves", "b0c2", "moves"]);
    session_is(
        "load-flag",
        &["--load", &name, "--level", "0", "--seed", "3", "--compact"],
        &["b0c2"],
    );
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_file_of_something_else_is_replaced_only_when_that_is_typed_twice() {
    let file = temporary("many.pgn");
    let games = "[Red \"A\"]\n\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n\n1. b2e2 *\n";
    fs::write(&file, games).expect("a file");
    let name = file.display().to_string();
    let save = format!("save {name}");
    let loaded = ["--load", &name, "--side", "both", "--compact"];
    session_is("overwrite-loaded", &loaded, &[&save, "fen", &save]);
    assert_eq!(fs::read_to_string(&file).expect("the file"), games);

    let lines = ["h2e2", &save, &save, "h9g7", &save, "new", "b2e2", &save];
    session_is("overwrite-other", &BOARD, &lines);
    session_is("overwrite-own", &BOARD, &[&format!("load {name}"), "h0g2", &save]);
    assert!(fs::read_to_string(&file).expect("the file").contains("H0-G2"));
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn commands_and_their_words_are_read_in_chinese() {
    let lines = ["帮助", "新局 黑", "级别 最强", "新局 双方", "退出"];
    session_is(
        "chinese",
        &["--level", "0", "--seed", "3", "--compact", "--movetime", "0.1"],
        &lines,
    );
}

#[test]
fn all_sentences_are_chinese_if_asked_for() {
    let arguments =
        ["--language", "zh", "--compact", "--level", "0", "--seed", "3", "--movetime", "0.1"];
    let lines = [
        "炮二平五",
        "提和",
        "级别 77",
        "级别 7",
        "悔棋 x",
        "悔棋",
        "重做",
        "保存",
        "走法",
        "车一进九",
        "新局 中",
        "形势",
        "着法",
        "保存 -",
        "读取 /nowhere.pgn",
        "认输",
        "炮二平五",
        "退出",
    ];
    session_is("language-zh", &arguments, &lines);
    let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
    let both = ["--language", "zh", "--side", "both", "--compact"];
    session_is("language-zh-repetition", &both, &[turn, turn].concat());
    let checks = ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9", "a8a9"];
    let perpetual = [&both[..], &["--fen", PERPETUAL]].concat();
    session_is("language-zh-perpetual-check", &perpetual, &checks);
    let mate = [&both[..], &["--fen", "3k5/9/9/9/9/9/9/9/4R4/4K4 w"]].concat();
    session_is("language-zh-mate", &mate, &["e1d1", "d9d8", "quit"]);
}

#[test]
fn a_draw_is_agreed_when_the_engine_hopes_for_no_more() {
    session_is("draw-both", &BOARD, &["h2e2", "draw", "h9g7", "undo", "fen"]);
    session_is("draw-too-early", &LEVEL_0, &["draw"]);
    let rook_up = "--fen=3akab2/9/4b4/9/9/9/9/4B4/4A4/R1BAK4 w - - 0 20";
    let shuffle =
        ["--moves", "e2g4", "e7g5", "g4e2", "g5e7", "a0a1", "e7g5", "a1a2", "g5e7", "a2b2"];
    let more =
        ["e7g5", "b2b3", "g5e7", "b3c3", "e7g5", "c3d3", "g5e7", "d3d4", "e7g5", "d4e4", "g5e7"];
    let red = [&LEVEL_0[..], &[rook_up], &shuffle, &more].concat();
    session_is("draw-accepted", &red, &["draw"]);
    let black = [&["--side", "black"], &red[..], &["e4f4"]].concat();
    session_is("draw-declined", &black, &["draw"]);
    let of_move = |number: u32| {
        let fen = format!("--fen=3akab2/9/4b4/9/9/9/9/4B4/4A4/R1BAK4 w - - 0 {number}");
        session(&[&LEVEL_0[..], &[&fen]].concat(), &["draw"])
    };
    assert!(of_move(9).contains("no draw before move 10"));
    assert!(!of_move(10).contains("no draw before move 10"));
}

#[test]
fn a_saved_game_keeps_its_clocks_and_the_side_of_the_person() {
    let file = temporary("clocks.pgn");
    let name = file.display().to_string();
    let timed = ["--side", "black", "--level", "0", "--seed", "3", "--compact", "--time", "5+3"];
    session(&timed, &["h9g7", &format!("save {name}"), "quit"]);
    let pgn = fs::read_to_string(&file).expect("a file");
    assert!(pgn.contains("[TimeControl \"300+3\"]"), "{pgn}");
    assert!(pgn.matches("[%clk 0:05:0").count() == 3, "two moves of Red, one of Black: {pgn}");
    let spent = pgn.replace("%clk 0:05:0", "%clk 0:02:0");
    fs::write(&file, spent).expect("a file");
    let text = session(&["--load", &name, "--level", "0", "--seed", "3", "--compact"], &["quit"]);
    assert!(text.contains("You play Black") && text.contains("[Red 2:0"), "{text}");
    let other = session(
        &["--load", &name, "--side", "red", "--level", "0", "--seed", "3", "--compact"],
        &["quit"],
    );
    assert!(other.contains("You play Red") && other.contains("Black 2:0"), "{other}");
    let text = session(&["--load", &name, "--compact", "--time", "9"], &["quit"]);
    assert!(text.contains("[Red 9:00"), "{text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn the_clocks_of_a_game_are_saved_and_named_whatever_began_them() {
    let file = temporary("other-clocks.pgn");
    let name = file.display().to_string();
    let save = format!("save {name}");
    let text = "[Red \"Player\"]\n[TimeControl \"300+3\"]\n\n\
                1. h2e2 {[%clk 0:02:00]} h9g7 {[%clk 0:01:00]} *\n";
    fs::write(&file, text).expect("a file");
    session(&["--load", &name, "--time", "40/9+1", "--side", "both"], &["h0g2", &save, "quit"]);
    let pgn = fs::read_to_string(&file).expect("the file");
    assert!(pgn.contains("[TimeControl \"40/540+1\"]"), "{pgn}");
    assert_eq!(pgn.matches("%clk").count(), 1, "{pgn}");
    let lines = ["i9h9", "new", "h2e2", "quit"];
    let text = session(&["--load", &name, "--side", "both", "--compact"], &lines);
    assert!(text.contains("[Red 9:0") && text.contains("Black 9:00]"), "{text}");
    assert_eq!(text.matches("--side both --time 40/9+1 --compact").count(), 2, "{text}");
    assert!(text.contains("Move 1, Black to move   [Red 9:0"), "of the new game: {text}");
    fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_file_that_cannot_be_loaded_is_explained_once() {
    let file = temporary("no-king.pgn");
    fs::write(&file, "[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*\n").expect("a file");
    session_is("load-no-king", &BOARD, &[&format!("load {}", file.display())]);
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
    let (save, load_none) = ("save /nowhere/at/all.pgn", "load /nowhere.pgn");
    let lines = ["h2e2", save, load_none, &load, &load_wrong, "load", "fen"];
    session_is("unusable-files", &BOARD, &lines);
    fs::remove_file(wrong).expect("the file of the test");
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
    session_is("go", &LEVEL_0, &["go", "h9g7"]);
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

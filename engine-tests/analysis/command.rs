//! `cannonade analyze` with files, as a user meets it.

#[cfg(unix)]
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
#[cfg(unix)]
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::program;
use crate::common::snapshots::{assert_text, shown};

pub(super) fn start(arguments: &[&str], input: &str) -> Child {
    program::start(&[&["analyze", "--hash", "4"], arguments].concat(), input)
}

pub(super) fn analyze(arguments: &[&str], input: &str) -> Output {
    start(arguments, input).wait_with_output().expect("it ends")
}

pub(super) fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(super) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A file in the folder for temporary files; the name is of this process.
pub(super) fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("cannonade-analyze-{}-{name}", std::process::id()))
}

pub(super) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

pub(super) const GAME: &str = "1. 炮二平五 马８进７ 2. H2+3 R9=8 3. i0h0 1-0";

#[test]
fn a_game_from_a_pipe_becomes_a_table() {
    let report = text(&analyze(&["-", "--nodes", "300", "--notation", "chinese"], GAME));
    let moves = report.lines().filter_map(|line| line.split_whitespace().nth(1));
    let moves: Vec<&str> = moves.filter(|word| word.chars().count() == 4).collect();
    assert_eq!(moves, ["炮二平五", "马８进７", "马二进三", "车９平８", "车一平二"], "{report}");
}

#[test]
fn json_lines_have_a_game_its_moves_and_a_summary() {
    let input = format!("{GAME}\n\n[Red \"x\"]\n1. C8=5 *\n");
    let arguments = ["-", "--nodes", "300", "--json", "--multipv", "2", "--concurrency", "2"];
    let lines = json_lines(&text(&analyze(&arguments, &input)));
    let types: Vec<_> = lines.iter().map(|line| line["type"].as_str().expect("type")).collect();
    assert_eq!(types.len(), 2 + 5 + 2 + 1, "{types:?}");
    assert_eq!((types[0], types[1], types[6], types[7]), ("game", "move", "summary", "game"));
    let second = &lines[2];
    assert_eq!((&second["move"], &second["side"]), (&"h9g7".into(), &"black".into()));
    assert_eq!(second["lines"].as_array().map(Vec::len), Some(2));
    let chances = second["wdl"].as_array().expect("wdl").iter().filter_map(Value::as_u64);
    assert_eq!(chances.sum::<u64>(), 1000);
    assert_eq!(lines[6]["complete"], true);
    assert_eq!(lines[7]["tags"]["Red"], "x");
    assert_eq!(lines[7]["game"], 2);
}

#[test]
fn a_game_has_the_scores_of_red_and_a_position_those_of_the_side_to_move() {
    // Black is a rook short.
    const FEN: &str = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let centipawns = |line: &Value| line["score"]["cp"].as_i64().expect("centipawns");
    let game = format!("[FEN \"{FEN}\"]\n\n1. h2e2 h9g7 2. h0g2 *\n");
    let moves = json_lines(&text(&analyze(&["-", "--nodes", "300", "--json"], &game)));
    for ply in &moves[1..=3] {
        assert!(centipawns(ply) > 300, "{ply}");
    }
    let arguments = ["--fen", FEN, "--moves", "h2e2 h9g7 h0g2", "--nodes", "300", "--json"];
    let position = &json_lines(&text(&analyze(&arguments, "")))[0];
    assert!(centipawns(position) < -300, "{position}");
}

#[test]
fn positions_come_as_a_file_of_fens() {
    let fens = "# two\n3k5/9/9/9/9/9/9/9/4A4/R3K4 w\n4k4/R8/9/9/9/9/9/9/9/3K3R1 w c0 \"x\";\n";
    let lines = json_lines(&text(&analyze(&["-", "--nodes", "500", "--json"], fens)));
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["type"], "position");
    assert_eq!(lines[1]["score"]["mate"], 1);
}

#[test]
fn moves_of_a_position_may_be_in_any_notation() {
    let search = ["--depth", "4", "--multipv", "2", "--notation", "wxf"];
    let table = text(&analyze(&[&["--moves", "炮二平五 H8+7"][..], &search].concat(), ""));
    // Two lines of each depth.
    let rows = table.lines().skip_while(|line| !line.starts_with("depth")).skip(1);
    assert!(rows.take_while(|line| !line.is_empty()).count() >= 8, "{table}");
    assert!(table.contains("Best move: "), "{table}");
    assert!(table.lines().last().is_some_and(|line| line.contains("nodes")), "{table}");
}

#[test]
fn even_the_shortest_search_has_a_line() {
    let table = text(&analyze(&["--nodes", "1"], ""));
    let line = table.lines().find(|line| line.starts_with("   1/"));
    assert!(line.is_some() && table.contains("Best move: "), "{table}");
}

#[test]
fn a_position_that_the_rules_have_ended_is_called_over() {
    let moves = "g8h8 h7c7 h8c8 c7h7 c8h8 h7c7 h8c8 c7h7 c8h8";
    let fen = "3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w";
    let table = text(&analyze(&["--fen", fen, "--moves", moves, "--nodes", "500"], ""));
    assert!(table.contains("By the rules the game is over: black wins: repetition"), "{table}");
    let over = |position: &[&str]| {
        let arguments = [position, &["--nodes", "500", "--json"]].concat();
        json_lines(&text(&analyze(&arguments, "")))[0]["over"].clone()
    };
    let reason = "repetition (red: perpetual chase, black: allowed moves)";
    let ended = over(&["--fen", fen, "--moves", moves]);
    assert_eq!(ended, serde_json::json!({ "reason": reason, "winner": "black" }));
    assert_eq!(over(&[]), Value::Null);
    let mated = text(&analyze(&["--fen", "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"], ""));
    assert!(mated.contains("\nNo legal move: black has lost.\n"), "{mated}");
}

#[test]
fn impossible_orders_are_refused_with_the_reason() {
    let fens = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w\n";
    // More nodes than a test can wait for: it ends before the work.
    let refusals = [
        (&["-"][..], ""),
        (&["-"], "4k4/R8/9/9/9/9/9/9/9 w\n"),
        (&["-"], "{\"a\":1}\n"),
        (&["--moves", "h2e2 h2e2"], ""),
        (&["--resume"], ""),
        (&["-", "-o", "-", "--resume"], GAME),
        (&["-", "--output", "."], GAME),
        (&["-", "--html", "no/such/page.html"], GAME),
        (&["-", "--games", "0"], GAME),
        (&["-", "--games", "3-2"], GAME),
        (&["-", "--games", "x"], GAME),
        (&["-", "--games", "2-5"], GAME),
        (&["-", "--pgn", "-o", "x.xqf"], GAME),
        (&["-", "--pgn", "-o", "x.CBL"], GAME),
        (&["-", "--pgn", "-o", "x.ubb"], GAME),
        (&["-", "--pgn"], fens),
        (&["-", "--games", "1"], fens),
        (&["-", "--forward"], fens),
        (&["-", "--html", "x"], fens),
        (&["--time", "-1"], ""),
        (&["--time", "NaN"], ""),
        (&["--multipv", "0"], ""),
        (&["--threads", "0"], ""),
        (&["--threads", "100000"], ""),
    ]
    .map(|(arguments, input)| {
        let output = analyze(&[arguments, &["--nodes", "1000000000"]].concat(), input);
        format!("$ analyze {}\n{}", arguments.join(" "), shown(&output))
    });
    assert_text!("refusals", refusals.concat());
    #[cfg(unix)]
    assert_eq!(analyze(&["/dev/zero"], "").status.code(), Some(2));
}

#[test]
fn sound_parts_of_damaged_files_are_analysed_and_defects_named() {
    let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w\n";
    let mut reports = String::new();
    for (input, kind, count) in [
        ("1. C2=5 C2=2 *\n\n[Red \"b\"]\n1. C2=5 H8+7 1-0\n", "game", 2),
        ("this is no game\n", "game", 0),
        ("[FEN \"9/9 w\"]\n1. C2=5 *\n", "game", 0),
        (&format!("# two\nrnbakabnr/9/1c5c1/p1\n{fen}"), "position", 1),
        (&format!("{fen}hello\n"), "position", 1),
        (&format!("my positions\n{fen}"), "position", 1),
    ] {
        let mut output = analyze(&["-", "--nodes", "100", "--json"], input);
        let lines = json_lines(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(lines.iter().filter(|line| line["type"] == kind).count(), count, "{input}");
        output.stdout.clear();
        reports += &shown(&output);
    }
    assert_text!("defects", reports);
}

#[test]
fn games_are_chosen_by_their_numbers() {
    let games: String = (0..4).map(|_| format!("[Red \"x\"]\n{GAME}\n\n")).collect();
    let arguments = ["-", "--nodes", "100", "--json", "--games", "2-3"];
    let lines = json_lines(&text(&analyze(&arguments, &games)));
    let heads = lines.iter().filter(|line| line["type"] == "game");
    assert_eq!(heads.map(|line| line["game"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3)]);
}

#[test]
fn games_that_cannot_be_analysed_keep_their_numbers() {
    let games = "[FEN \"9/9 w\"]\n1. C2=5 *\n\n[FEN \"3k5/9/9/9/9/9/9/9/3R5/5K3 w\"]\n1. f0f1 *\n\n\
                 [Red \"c\"]\n1. h2e2 *\n\n[Red \"d\"]\n1. c3c4 *\n\n[FEN \"9/9 w\"]\n1. C2=5 *\n";
    let output = |arguments: &[&str]| {
        let output = analyze(&[&["-", "--nodes", "100"], arguments].concat(), games);
        let (text, errors) = (&output.stdout, &output.stderr);
        let [text, errors] = [text, errors].map(|text| String::from_utf8_lossy(text).into_owned());
        (output.status.code(), text, errors)
    };
    let numbers = |arguments: &[&str]| {
        let (code, text, errors) = output(&[&["--json"], arguments].concat());
        assert_eq!(code, Some(1), "{errors}");
        let lines = json_lines(&text).into_iter().filter(|line| line["type"] == "game");
        let number = |line: Value| (line["game"].as_u64(), line["tags"]["Red"].clone());
        lines.map(number).collect::<Vec<_>>()
    };
    let (third, fourth) = ((Some(3), Value::from("c")), (Some(4), Value::from("d")));
    assert_eq!(numbers(&[]), [third.clone(), fourth.clone()]);
    assert_eq!(numbers(&["--games", "1-3"]), [third]);
    assert_eq!(numbers(&["--games", "4-5"]), [fourth]);
    for (range, message) in [
        ("1-2", "error: no game can be analysed; see the defects above\n"),
        ("6", "error: --games 6-6: the files hold only 5 games\n"),
    ] {
        let (code, _, errors) = output(&["--games", range]);
        assert_eq!((code, errors.ends_with(message)), (Some(2), true), "{errors}");
    }
    let (_, pgn, _) = output(&["--pgn"]);
    assert_eq!(pgn.matches("[Result ").count(), 3, "{pgn}");
    assert!(pgn.contains("\n\n1. f0f1\n*\n"), "{pgn}");
}

#[test]
fn a_file_without_a_valid_fen_does_not_stop_the_others() {
    let path = temporary("bad.fen");
    std::fs::write(&path, "rnbakabnr/9/1c5c1/p1\n").expect("a temporary file");
    let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w\n";
    let name = path.to_string_lossy();
    let output = analyze(&[&*name, "-", "--nodes", "100", "--json"], fen);
    std::fs::remove_file(&path).expect("the file goes");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json_lines(&String::from_utf8_lossy(&output.stdout)).len(), 1);
}

#[test]
fn flags_that_need_files_are_refused_with_one_position() {
    let path = temporary("position.json");
    for flags in [
        &["--json", "--output", &path.to_string_lossy()][..],
        &["--html", &path.to_string_lossy()],
        &["--pgn"],
        &["--games", "1"],
        &["--concurrency", "2"],
        &["--forward"],
        &["--resume", "--output", &path.to_string_lossy()],
    ] {
        for position in [&["--moves", "h2e2"][..], &["--fen", "3k5/9/9/9/9/9/9/9/9/R3K4 w"], &[]] {
            let output = analyze(&[&["--depth", "1"], position, flags].concat(), "");
            let errors = String::from_utf8_lossy(&output.stderr);
            let wrong = position.first().copied().unwrap_or("<FILES>");
            assert_eq!(output.status.code(), Some(2), "{position:?} {flags:?}: {errors}");
            assert!(errors.contains(wrong), "{position:?} {flags:?}: {errors}");
        }
    }
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_before_or_during_the_analysis_is_named() {
    let path = temporary("full.json");
    for (limit, expected) in [
        (0, "full.json.partial, which keeps what is known so far: "),
        (2, "full.json.partial, which holds what is known so far; --resume continues: "),
    ] {
        // A limit on the size of files acts like a full disk.
        let script = format!(
            "ulimit -f {limit}; trap '' XFSZ; exec \"$0\" analyze - --nodes 300 --json -o \"$1\""
        );
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_cannonade"), &path.to_string_lossy()])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program sh");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(GAME.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{limit}: {errors}");
        assert_eq!(output.status.code(), Some(1), "{limit}: {errors}");
        std::fs::remove_file(temporary("full.json.partial")).expect("the file goes");
    }
}

#[test]
fn a_position_of_the_endgame_tables_has_its_exact_result() {
    let arguments = ["--fen", "5k3/4a4/9/9/9/9/9/9/9/R3K4 w", "--nodes", "500"];
    let report = text(&analyze(&arguments, ""));
    assert!(report.contains("Endgame tables: red wins in "), "{report}");
    let found = &json_lines(&text(&analyze(&[&arguments[..], &["--json"]].concat(), "")))[0];
    assert_eq!(found["table"]["result"], "win");
    let plies = found["table"]["plies"].as_u64().expect("plies");
    assert!(report.contains(&format!("red wins in {plies} plies")), "{report}");

    let game = "[FEN \"3k5/9/9/9/9/9/4r4/4R4/9/4K4 w\"]\n1. e2e3 d9d8 *\n";
    let report = text(&analyze(&["-", "--nodes", "500"], game));
    assert!(report.contains("; by the tables "), "{report}");
}

#[test]
fn the_tables_are_not_quoted_where_the_natural_move_limit_may_come_first() {
    // Mate takes three plies, and the last of 120 may give it.
    for (clock, is_quoted) in [(117, true), (118, false)] {
        let fen = format!("4k4/9/9/9/9/9/9/9/R8/3K5 w - - {clock} 1");
        let report = text(&analyze(&["--fen", &fen, "--nodes", "5000"], ""));
        assert_eq!(report.contains("Endgame tables: red wins in 3 plies"), is_quoted, "{report}");
        let found =
            &json_lines(&text(&analyze(&["--fen", &fen, "--nodes", "5000", "--json"], "")))[0];
        assert_eq!(found["table"].is_object(), is_quoted, "{found}");
    }
    let mated = "R3k4/3R5/9/9/9/9/9/9/9/5K3 b - - 120 1";
    let found = &json_lines(&text(&analyze(&["--fen", mated, "--json"], "")))[0];
    assert_eq!(found["over"]["reason"], "checkmate");
}

#[test]
fn a_damaged_table_is_named_and_the_analysis_goes_on() {
    let folder = std::env::temp_dir().join(format!("cannonade-analyze-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable folder");
    std::fs::write(folder.join("KPP-K.cnt"), b"not a table").expect("a writable folder");
    let path = folder.to_str().expect("a path");
    let output = analyze(&["--tables", path, "--nodes", "500"], "");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    assert!(text(&output).contains("Best move: "));
    assert_text!("damaged-table", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn resuming_what_was_not_stopped_begins_and_says_so() {
    let path = temporary("new.json");
    let name = path.to_string_lossy();
    let output = analyze(&["-", "--json", "--nodes", "50", "-o", &name, "--resume"], GAME);
    assert_text!("nothing-to-resume", shown(&output));
    assert_eq!(json_lines(&read(&path)).len(), 7);
    std::fs::remove_file(&path).expect("the file goes");
}

#[test]
fn a_file_of_fens_is_written_where_it_should_be() {
    let fens = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w\n4k4/R8/9/9/9/9/9/9/9/3K3R1 w\n";
    let path = temporary("fens.json");
    let arguments = ["-", "--nodes", "50", "--json", "-o", &path.to_string_lossy()];
    assert_eq!(text(&analyze(&arguments, fens)), "");
    assert_eq!(json_lines(&read(&path)).len(), 2);
    std::fs::remove_file(&path).expect("the file goes");
}

/// A list of positions, each with a knight on another square.
#[cfg(unix)]
pub(super) fn fen_list(count: usize) -> String {
    let digit = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    let row = |at: usize| format!("{}N{}", digit(at), digit(8 - at));
    (0..count).map(|index| format!("3ak4/9/9/9/9/9/9/{}/9/3K5 w\n", row(index % 9))).collect()
}

#[cfg(unix)]
#[test]
fn results_of_a_list_come_in_order_and_do_not_depend_on_the_concurrency() {
    let fens = fen_list(9);
    let arguments = ["-", "--nodes", "2000", "--json"];
    let results = |more: &[&str]| {
        let mut found = json_lines(&text(&analyze(&[&arguments[..], more].concat(), &fens)));
        for line in &mut found {
            line["time_ms"] = Value::Null;
        }
        found
    };
    let one = results(&[]);
    assert_eq!(one, results(&["--concurrency", "3"]));
    let shown = one.iter().map(|line| line["fen"].as_str().expect("a FEN"));
    let given = fens.lines().map(|fen| fen.split(' ').next().expect("a board"));
    assert!(shown.zip(given).all(|(fen, board)| fen.starts_with(board)));
    let alone = &json_lines(&text(&analyze(&arguments, fens.lines().nth(5).expect("a FEN"))))[0];
    assert_eq!((&alone["score"], &alone["lines"]), (&one[5]["score"], &one[5]["lines"]));
}

#[test]
fn annotating_twice_is_the_same_as_once() {
    let game = "1. h2h9 {mine} i9h9 2. b2b9 a9b9 *\n";
    let arguments = ["-", "--nodes", "300", "--pgn"];
    let once = text(&analyze(&arguments, game));
    assert!(once.contains(" {mine ") && once.contains("; better "), "{once}");
    assert_eq!(text(&analyze(&arguments, &once)), once);
}

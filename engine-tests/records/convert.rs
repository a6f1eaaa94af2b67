//! `cannonade convert`, as a user meets it.

use std::path::PathBuf;
use std::process::Output;

use crate::common::program;
use crate::common::snapshots::{assert_text, shown};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/xiangqi/tests/data/records").join(name)
}

fn convert(arguments: &[&str], input: &str) -> Output {
    program::run(&[&["convert"], arguments].concat(), input)
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).expect("UTF-8")
}

#[test]
fn files_become_one_pgn_on_standard_output() {
    let (xqf, cbr) = (data("var1.v12.xqf"), data("fen1.cbr"));
    let output = convert(&[&xqf.to_string_lossy(), &cbr.to_string_lossy(), "--plain"], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let pgn = text(&output.stdout);
    assert_eq!(pgn.matches("[Game \"Chinese Chess\"]").count(), 2);
    assert!(pgn.contains("\n1. G0-E2 H7-E7 2. B0-C2 "), "{pgn}");
    assert!(!pgn.contains(['(', '{']), "{pgn}");
}

#[test]
fn notation_format_and_encoding_are_chosen() {
    let input = "1. C2=5 H8+7 2. H2+3 *";
    let output = convert(&["-", "--notation", "traditional", "--encoding", "big5"], input);
    let (big5, _, wrong) = encoding_rs::BIG5.decode(&output.stdout);
    assert!(!wrong && big5.contains("1. 炮二平五 馬８進７\n2. 馬二進三\n*"), "{big5}");
    let output = convert(&["-", "--format", "dhtmlxq"], input);
    assert!(text(&output.stdout).contains("[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]"));
}

#[test]
fn a_defect_is_reported_and_the_rest_is_converted() {
    let output = convert(&["-"], "[Red \"a\"]\n1. C2=5 C2=2 *\n\n[Red \"b\"]\n1. C2=5 H8+7 1-0\n");
    assert_text!("defect", shown(&output));
}

#[test]
fn the_first_defects_of_a_game_are_reported_and_the_others_counted() {
    let output = convert(&["-"], &format!("1. C2=5 {}*\n\n1. C2=5 ) *\n", ")\n".repeat(50_000)));
    let errors = text(&output.stderr);
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines.len(), 20 + 1 + 1 + 1, "{errors}");
    assert_eq!(lines[20], "standard input: game 1: further defects: 49980");
    assert!(lines[21].starts_with("standard input: game 2, line"), "{errors}");
    assert_eq!(lines[22], "error: games converted: 2; defects reported above: 50001");
}

#[test]
fn the_output_goes_to_a_file_if_asked() {
    let path = std::env::temp_dir().join(format!("cannonade-convert-{}.pgn", std::process::id()));
    let output = convert(&["-", "-o", &path.to_string_lossy()], "1. C2=5 *");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let written = std::fs::read_to_string(&path).expect("the file");
    assert!(written.ends_with("1. H2-E2 *\n\n"), "{written}");
    std::fs::remove_file(&path).expect("the file goes");
}

#[test]
fn the_name_of_the_output_chooses_the_kind_and_several_games_have_numbers() {
    let folder = std::env::temp_dir().join(format!("cannonade-kinds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("game.xqf");
    let name = path.to_string_lossy().into_owned();
    let one = convert(&["-", "-o", &name], "[Red \"红\"]\n1. C2=5 {first} *");
    assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
    let again = convert(&[&name], "");
    assert_text!("from-xqf", shown(&again));

    let two = "1. C2=5 *\n\n1. C8=5 H8+7 *\n";
    assert_eq!(convert(&["-", "-o", &name], two).status.code(), Some(0));
    let second = convert(&[&folder.join("game-2.xqf").to_string_lossy()], "");
    assert_text!("from-second-xqf", shown(&second));
    assert!(folder.join("game-1.xqf").is_file() && !folder.join("game-3.xqf").exists());
    std::fs::remove_dir_all(&folder).expect("the folder goes");

    let refused = convert(&["-", "--format", "xqf"], two);
    assert_text!("no-output", shown(&refused));
}

#[test]
fn names_of_several_files_are_not_made_of_a_folder_or_device() {
    let folder = std::env::temp_dir().join(format!("cannonade-names-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("games")).expect("a folder");
    let two = "1. C2=5 *\n\n1. C8=5 H8+7 *\n";
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let device = if cfg!(unix) { "/dev/null".to_owned() } else { path("games") };
    for name in [device, path("games"), path("games/"), path("new/"), path("."), path("..")] {
        let output = convert(&["-", "-o", &name, "--format", "xqf"], two);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
        assert!(errors.contains("name the files with --output"), "{name}: {errors}");
    }
    let names = std::fs::read_dir(&folder).expect("the folder").count();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!(names, 1, "nothing is written");
}

/// Not on macOS, whose file systems have no such names.
#[cfg(target_os = "linux")]
#[test]
fn names_of_several_files_keep_their_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = std::env::temp_dir().join(format!("cannonade-bytes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let name = |bytes: &[u8]| folder.join(std::ffi::OsStr::from_bytes(bytes));
    let input = folder.join("games.pgn");
    std::fs::write(&input, "1. C2=5 *\n\n1. C8=5 H8+7 *\n").expect("a file");
    let mut command = program::the_program();
    command.arg("convert").arg(&input).args(["--format", "xqf"]).arg("-o").arg(name(b"\xB5\xDA.x"));
    let output = command.output().expect("the program runs");
    let written = [&b"\xB5\xDA-1.x"[..], b"\xB5\xDA-2.x"].map(|bytes| name(bytes).is_file());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!((written, text(&output.stderr)), ([true; 2], String::new()));
}

#[test]
fn bad_input_is_code_2_and_says_what_is_wrong() {
    let game = "1. C2=5 *";
    let refusals = [
        (&["-"][..], ""),
        (&["-", "--notation", "klingon"], game),
        (&["-", "--format", "exe"], game),
        (&["-", "-o", "copy.cbl"], game),
        (&["-", "--encoding", "ascii"], game),
        (&["-", "--encoding", "big5"], "[Event \"测测试\"]\n1. C2=5 *"),
    ]
    .map(|(arguments, input)| shown(&convert(arguments, input)));
    assert_text!("refusals", refusals.concat());
}

#[test]
fn input_without_a_readable_game_leaves_the_output_as_it_is() {
    let folder = std::env::temp_dir().join(format!("cannonade-unread-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["old.pgn", "old.xqf"] {
        let path = folder.join(name);
        std::fs::write(&path, "old").expect("a file");
        let output =
            convert(&["-", "-o", &path.to_string_lossy()], "[FEN \"9/9 w\"]\n\n1. h2e2 *\n");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("no game can be read"), "{errors}");
        assert_eq!(std::fs::read(&path).expect("the file"), b"old");
        // Any other text, with a result that means nothing.
        for content in ["Dear Bob,\nthanks for the game *\n", "#!/bin/sh\necho h2e2\n"] {
            let output = convert(&["-", "-o", &path.to_string_lossy()], content);
            assert_eq!(output.status.code(), Some(2), "{content}");
            assert_eq!(std::fs::read(&path).expect("the file"), b"old", "{content}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn an_output_that_is_an_input_is_refused_unless_all_of_it_is_kept() {
    let folder = std::env::temp_dir().join(format!("cannonade-same-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let name = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (sound, broken) = (name("sound.pgn"), name("broken.pgn"));
    std::fs::write(&sound, "1. C2=5 *\n").expect("a file");
    std::fs::write(&broken, "1. C2=5 C2=2 *\n").expect("a file");
    let game = name("game-1.pgn");
    std::fs::write(&game, "1. C2=5 *\n\n1. C8=5 *\n").expect("a file");
    let code = |arguments: &[&str]| convert(arguments, "").status.code();
    assert_eq!(code(&[&broken, "-o", &broken]), Some(2));
    assert_eq!(code(&[&sound, &broken, "-o", &sound]), Some(2));
    assert_eq!(code(&[&game, "-o", &name("game.pgn"), "--format", "xqf"]), Some(2));
    let read = |path: &str| std::fs::read_to_string(path).expect("the file");
    assert_eq!(
        (read(&sound).as_str(), read(&broken).as_str()),
        ("1. C2=5 *\n", "1. C2=5 C2=2 *\n")
    );
    assert!(!folder.join("game-2.pgn").exists());
    assert_eq!(code(&[&sound, "-o", &sound]), Some(0));
    assert!(read(&sound).contains("1. H2-E2 *"));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// The side that waits is in check: no position of a game, but some files begin so.
const DEFECTIVE: &str = "[FEN \"3k5/9/9/9/9/9/9/9/3R5/5K3 w\"]\n\n";

#[test]
fn a_start_with_the_waiting_side_in_check_is_kept_and_named() {
    let named = "start position: black is in check but it is the other side's turn";
    let game = format!("{DEFECTIVE}1. f0f1 d9e9 *\n");
    for format in ["pgn", "dhtmlxq", "cbf", "position"] {
        let written = convert(&["-", "--format", format], &game);
        assert_eq!(written.status.code(), Some(1), "{format}");
        assert!(text(&written.stderr).contains(named), "{}", text(&written.stderr));
        let read = convert(&["-"], &text(&written.stdout));
        assert!(text(&read.stderr).contains(named), "{format}: {}", text(&read.stderr));
        let pgn = text(&read.stdout);
        let start = "\"3k5/9/9/9/9/9/9/9/3R5/5K3 w - - 0 1\"";
        assert!(pgn.contains(start) && pgn.contains("1. F0-F1 D9-E9"), "{format}: {pgn}");
    }
    let capture = convert(&["-"], &format!("{DEFECTIVE}1. d1d9 *\n"));
    let errors = text(&capture.stderr);
    assert!(errors.contains("'d1d9': a king is not captured"), "{errors}");
}

#[test]
fn a_start_with_the_waiting_side_in_check_is_drawn_but_not_searched() {
    let fen = "3k5/9/9/9/9/9/9/9/3R5/5K3 w";
    let run = |arguments: &[&str]| program::run(arguments, "");
    let drawn = run(&["board", "--fen", fen]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn.stderr));
    assert!(text(&drawn.stderr).contains("warning: --fen: black is in check"));
    assert!(!text(&drawn.stdout).is_empty());
    assert_eq!(run(&["analyze", "--fen", fen]).status.code(), Some(2));
    let file = std::env::temp_dir().join(format!("cannonade-defective-{}.pgn", std::process::id()));
    std::fs::write(&file, format!("{DEFECTIVE}1. f0f1 d9e9 *\n")).expect("a file");
    let analysed = run(&["analyze", &file.to_string_lossy(), "--nodes", "10"]);
    assert_eq!(analysed.status.code(), Some(2));
    assert!(
        text(&analysed.stderr).contains("no game can be analysed"),
        "{}",
        text(&analysed.stderr)
    );
    let played = run(&["play", "--load", &file.to_string_lossy(), "--compact"]);
    assert_eq!(played.status.code(), Some(2));
    assert!(text(&played.stderr).contains("black is in check"), "{}", text(&played.stderr));
    std::fs::remove_file(file).expect("the file of the test");
}

#[test]
fn a_file_of_fens_becomes_games_and_pictures_and_fens_again() {
    let fens = "3k5/9/9/9/9/9/9/9/4A4/R3K4 b - - 0 1\n3k5/4a4/9/9/9/9/9/9/9/R3K4 w - - 0 1\n";
    let pgn = convert(&["-"], fens);
    assert_eq!(pgn.status.code(), Some(0));
    let pgn = String::from_utf8_lossy(&pgn.stdout).into_owned();
    assert_eq!(pgn.matches("[FEN \"").count(), 2, "{pgn}");
    let back = convert(&["-", "--format", "fen"], &pgn);
    assert_eq!(String::from_utf8_lossy(&back.stdout), fens);
    let folder = std::env::temp_dir().join(format!("cannonade-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let output = convert(&["-", "-o", &folder.join("a.svg").to_string_lossy()], fens);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["a-1.svg", "a-2.svg"] {
        let picture = std::fs::read_to_string(folder.join(name)).expect("a picture");
        assert!(picture.starts_with("<svg"), "{picture:.40}");
    }
    std::fs::remove_dir_all(&folder).expect("our folder");
}

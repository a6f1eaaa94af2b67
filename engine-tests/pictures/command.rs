//! `cannonade board`.

use std::process::Output;

use crate::common::program::the_program;

fn board(arguments: &[&str]) -> Output {
    let mut command = the_program();
    command.arg("board").args(arguments).output().expect("cannonade runs")
}

#[test]
fn an_svg_goes_to_standard_output_and_has_what_was_asked_for() {
    let out = board(&[
        "--moves",
        "1. 炮二平五 H8+7 2.",
        "--last-move",
        "--arrow",
        "h0g2",
        "--mark",
        "e6:victim",
        "--svg",
        "-",
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("UTF-8");
    let document = roxmltree::Document::parse(&text).expect("valid XML");
    let words = document.descendants().find(|node| node.tag_name().name() == "desc");
    let words = words.and_then(|node| node.text()).expect("a description");
    assert!(words.ends_with("Last move h9g7. Mark victim: e6. Arrow best: h0g2."), "{words}");
}

#[test]
fn several_forms_are_written_at_once() {
    let folder = std::env::temp_dir().join(format!("cannonade-board-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("board.svg");
    let out = board(&["--svg", path.to_str().expect("UTF-8"), "--ascii"]);
    assert!(out.status.success());
    assert!(out.stdout.starts_with(b" 9  r---n"));
    let text = std::fs::read_to_string(&path).expect("the picture");
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn wrong_input_is_named_and_ends_with_code_2() {
    for (arguments, words) in [
        (&["--moves", "a0a9"][..], "--moves"),
        (&["--pieces", "runes"], "chinese, simplified, filled, lettered, latin, symbols"),
        (&["--coordinates", "2-11"], "0-9, 1-10, files, chinese, none"),
        (&["--theme", "pink"], "light, dark, paper, jade"),
        (&["--arrow", "e2e2"], "two different squares"),
        (&["--arrow", "é2e2"], "two different squares"),
        (&["--mark", "j4"], "file a-i"),
        (&["--mark", "e4::good"], "the label 'good' cannot be drawn"),
        (&["--arrow", "h2e2:best:x"], "the label 'x' cannot be drawn"),
        (&["--width", "wide", "--png", "-"], "a whole number from 16 to 8000"),
        (&["--width", "-1", "--png", "-"], "a whole number from 16 to 8000"),
        (&["--mark", "e4:x"], "plain, chaser, victim, protector"),
        (&["--svg", "-", "--png", "-"], "both go to standard output"),
        (&["--svg", "-", "--ascii"], "--svg - and --ascii would both go to standard output"),
        (&["--png", "-", "--text"], "--png - and --text would both go to standard output"),
        (&["--text", "--ascii"], "--text and --ascii would both go to standard output"),
        (&["--svg", "no-such-file", "--png", "no-such-file"], "the same file"),
    ] {
        let out = board(arguments);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    let out = board(&["--svg", "/no/such/folder/board.svg"]);
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn the_picture_of_the_documents_is_the_one_that_the_command_draws() {
    let moves = "h2e2 h9g7 h0g2";
    let out = board(&["--moves", moves, "--last-move", "--arrow", "b9c7", "--svg", "-"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/board.svg");
    let kept = std::fs::read_to_string(path).expect("docs/board.svg");
    assert!(
        String::from_utf8(out.stdout).is_ok_and(|drawn| drawn == kept),
        "draw docs/board.svg again"
    );
}

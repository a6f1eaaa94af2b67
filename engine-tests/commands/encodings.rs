//! Text files that are not UTF-8: every command finds out how they are encoded.

use std::fs;

use encoding_rs::GB18030;

use super::{folder, run};

/// The text in an encoding of Chinese programs and in one with zero bytes, with a name for the file. The crate `xiangqi` tests that each
/// encoding is recognised.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 2] {
    let utf16 = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    [("gb18030", GB18030.encode(text).0.into_owned()), ("utf16le", utf16)]
}

/// Runs the program, which must succeed, and returns its output.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn rating_tells_players_with_chinese_names_apart() {
    let folder = folder("rating-encodings");
    let game = |red: &str, black: &str| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. 炮二平五 馬８進７ 1-0\n\n")
    };
    let text = game("許銀川", "呂欽天") + &game("呂欽天", "王天一");
    for (name, bytes) in encoded(&text) {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        let table = printed(&["rating", path.to_str().expect("a path in UTF-8")]);
        for player in ["許銀川", "呂欽天", "王天一"] {
            assert!(table.contains(player), "{name}: {table}");
        }
    }
}

#[test]
fn files_of_positions_are_read() {
    let folder = folder("position-encodings");
    let text = "3k5/4a4/9/9/9/9/9/9/9/R3K4 w id \"單車\";\n3k5/9/3a5/9/9/9/9/9/4A4/2R1K4 w\n";
    let engine = concat!("cmd=", env!("CARGO_BIN_EXE_cannonade"));
    for (name, bytes) in encoded(text) {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        let file = path.to_str().expect("a path in UTF-8");
        let found = printed(&["analyze", file, "--nodes", "50", "--json"]);
        assert_eq!(found.matches("\"type\":\"position\"").count(), 2, "{name}: {found}");
        let games = format!("{file}.games");
        let plan = ["--openings", file, "--listed-share", "100", "--output", &games];
        printed(&[&["datagen", "--games", "1", "--nodes", "20"], &plan[..]].concat());
        let engines = ["match", "--engine", engine, "name=a", "--engine", engine, "name=b"];
        let terms = ["--each", "nodes=20", "--rounds", "1", "--maxmoves", "4", "--openings", file];
        printed(&[&engines[..], &terms].concat());
    }
}

#[test]
fn judge_reads_a_list_of_games() {
    let folder = folder("list-encodings");
    for (name, bytes) in encoded("h2e2 h9g7\nh2e2 h9g7\n") {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        let summary = printed(&["judge", "--summary", path.to_str().expect("a path in UTF-8")]);
        assert!(summary.contains("Games:       2,"), "{name}: {summary}");
    }
}

//! Damaged files are read without a panic, quickly and without much memory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fastrand::Rng;
use xiangqi::notation::Notation;
use xiangqi::records::{read, write_pgn};

use super::tree::dhtmlxq;
use crate::common::damage::damage;
use crate::common::thread_time::ThreadTime;

/// A copy of a file, changed in one to eight places.
fn damaged(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.usize(..8) {
        damage(&mut bytes, &mut |bound| random.usize(..bound));
    }
    bytes
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.is_file() && path.extension().is_none_or(|end| end != "json"));
    files.sort();
    files
}

fn read_damaged(folder: &Path, rounds: u64) {
    let files = files(folder);
    assert!(files.len() > 5, "{}", folder.display());
    let (mut games, mut problems) = (0, 0);
    for (seed, path) in (1..).zip(&files) {
        let whole = std::fs::read(path).expect("a file");
        let mut random = Rng::with_seed(seed);
        for _ in 0..rounds {
            let collection = read(&damaged(&whole, &mut random));
            games += collection.games.len();
            problems += collection.problems.len();
            // What was read is whole, so that it can be written.
            for game in &collection.games {
                assert!(!write_pgn(game, Notation::Wxf).is_empty());
                assert!(!dhtmlxq(game).is_empty());
            }
        }
    }
    println!("{} files, {games} games and {problems} defects read", files.len());
    assert!(games > 0 && problems > 0);
}

#[test]
#[ignore = "needs the environment variable CANNONADE_SAMPLES"]
fn damaged_files_of_a_folder_are_read_without_a_panic() {
    let folder = std::env::var("CANNONADE_SAMPLES").expect("CANNONADE_SAMPLES names a folder");
    read_damaged(Path::new(&folder), 2000);
}

#[test]
fn texts_made_to_be_slow_are_read_in_time() {
    let time = ThreadTime::start();
    let depth = 100_000;
    for text in [
        "(".repeat(depth),
        "{".repeat(depth),
        "1. h2e2 ".to_owned() + &"(1. h2d2 ".repeat(depth),
        "h2e2 (h2d2 h9g7 (".repeat(depth / 10),
        "h2e2 h9g7 h0g2 h7h8 g2h0 h8h7 ".repeat(3) + &"(h8i8 g0e2 (g0i2 i8i9 ".repeat(depth / 10),
        "{}".repeat(depth) + "{",
        "1. h2e2 *\n{a{b}\n".repeat(depth / 10),
        "h2e2 *\nx\n{\n".repeat(depth / 10),
        "* {} ".repeat(depth),
        "1. * ".repeat(depth),
        "1-0\n".to_owned() + &"x\n{a}\n".repeat(depth),
        "[".repeat(depth),
        "[A \"x\"".repeat(depth),
        "[A \"x\"\n".repeat(depth),
        "[DhtmlXQ_".repeat(depth),
        "[DhtmlXQ_movelist]".repeat(depth / 10),
        "<ChineseChessRecord>".repeat(depth / 100),
        "<ChineseChessRecord>".repeat(depth),
        "{no end\n[A \"x\"]\n".repeat(depth / 10) + &"}".repeat(depth / 10),
        "[A \"x\"] ".repeat(depth),
        "[A \"x\"]{c}".repeat(depth),
        (0..depth).map(|number| format!("[A{number} \"x\"]{{c}}")).collect(),
        "[A \"".to_owned() + &"x\"]".repeat(depth),
        "\u{feff}[A \"x".repeat(depth),
        "1. h2e2 {".to_owned() + &"\n[A \"x\"]".repeat(depth) + "}",
        "{\n[A \"x\"]\n".repeat(depth),
        "1 ".repeat(depth),
        " ".repeat(3 * depth) + &"[ ".repeat(depth),
        " ".repeat(3 * depth) + &"-- ".repeat(depth),
        (0..depth).map(|number| format!("[A{number} \"x\"]\n")).collect(),
        "[DhtmlXQ".repeat(depth) + "]",
        "[DhtmlXQ_author]x\n".repeat(depth / 2),
        "FORMAT WXF\n".repeat(depth),
        "START{\n".repeat(depth),
        "START{".to_owned() + &"} ".repeat(depth),
        "FORMAT WXF\n".to_owned() + &"NAME value\n".repeat(depth) + "START{",
        "FORMAT WXF\n".to_owned() + &"RED ;;;;;;".repeat(depth),
        format!(
            "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]{}",
            (1..3000)
                .map(|k| format!(
                    "[DhtmlXQ_move_{}_1_{k}]7747[/DhtmlXQ_move_{}_1_{k}]",
                    k - 1,
                    k - 1
                ))
                .collect::<String>()
        ),
    ] {
        let before = time.used();
        let collection = read(text.as_bytes());
        assert!(collection.games.len() <= depth);
        let used = time.used();
        assert!(used < Duration::from_secs(20), "{:?} for {:.40}", used - before, text);
    }
}

/// The reader of XML compares each attribute with all others of its element, and copies the
/// namespaces around an element that has its own.
#[test]
fn very_many_attributes_and_namespaces_are_refused_at_once() {
    let many = |count: usize, prefix: &str| -> String {
        (0..count).map(|number| format!(" {prefix}{number}=\"u\"")).collect()
    };
    let elements = "<b xmlns=\"u\"/>".repeat(4000);
    let namespaces = format!("{}>{elements}", many(900, "xmlns:a"));
    for (content, word) in [(many(100_000, "a") + ">", "attributes"), (namespaces, "namespaces")] {
        let time = ThreadTime::start();
        let found = read(format!("<ChineseChessRecord{content}</ChineseChessRecord>").as_bytes());
        assert!(time.used() < Duration::from_secs(5), "{:?}", time.used());
        assert!(found.problems[0].to_string().contains(word), "{:?}", found.problems);
    }
}

#[test]
fn texts_with_braces_and_programs_are_no_games() {
    let program =
        std::env::current_exe().and_then(std::fs::read).expect("the program of the tests");
    for content in [b"{\"a\":1}\n".as_slice(), b"{one} {two}", &program[..100_000]] {
        let found = read(content);
        assert!(found.games.is_empty() && found.problems.is_empty(), "{:?}", found.problems);
    }
    assert_eq!(read(b"{only a comment} *\n").games.len(), 1);
}

//! The game of the page, run by Node: its rules beside those of the engine, and its changes. Without
//! Node the tests say so and pass.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cannonade_tables::random::Random;
use serde_json::json;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Square;

const POSITIONS: usize = 20_000;

/// Where a game is ended: long enough for bare endings.
const MAX_PLIES: usize = 300;

/// Returns a folder with the modules of the page, which Node reads as such.
fn modules(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("package.json"), "{\"type\": \"module\"}").expect("a file");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
    for module in ["clock.js", "game.js", "rules.js"] {
        fs::copy(page.join(module), folder.join(module)).expect("a module");
    }
    folder
}

/// Returns the command that runs a script beside this test with a folder of modules.
fn node(script: &str, modules: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script)).arg(modules);
    command
}

#[test]
fn the_game_of_the_page_changes_and_is_undone() {
    let Ok(output) = node("game.mjs", &modules("game")).output() else {
        eprintln!("skipped: Node is not installed");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// What the engine says of a position, as a line of JSON.
fn described(position: &Position) -> String {
    let mut legal: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
    legal.sort();
    let mut checkers: Vec<String> =
        position.checkers().into_iter().map(|square: Square| square.to_string()).collect();
    checkers.sort();
    let end = legal.is_empty().then(|| if position.in_check() { "checkmate" } else { "stalemate" });
    let after = legal.first().map(|mv| position.after([mv.parse().expect("a move")]).fen());
    let fen = position.fen();
    json!({ "fen": fen, "legal": legal, "checkers": checkers, "end": end, "after": after })
        .to_string()
}

/// A few pieces on random squares, so that mates and stalemates are frequent.
fn scattered(random: &mut Random) -> Option<Position> {
    let mut squares = [None; 90];
    let palace =
        |random: &mut Random, rank: usize| 9 * (rank + random.below(3)) + 3 + random.below(3);
    squares[palace(random, 0)] = Some('K');
    squares[palace(random, 7)] = Some('k');
    // In every other one Red hunts a king that has few moves or none.
    let is_hunt = random.below(2) == 0;
    for _ in 0..=random.below(8) {
        let letters: &[char] = if is_hunt {
            &['R', 'R', 'C', 'N', 'P', 'P', 'a', 'b']
        } else {
            &['R', 'C', 'N', 'P', 'A', 'B', 'r', 'c', 'n', 'p', 'a', 'b']
        };
        let place = random.below(90);
        if squares[place].is_none() {
            squares[place] = Some(letters[random.below(letters.len())]);
        }
    }
    let rank = |rank: usize| -> String {
        squares[9 * rank..9 * rank + 9].iter().map(|piece| piece.unwrap_or('1')).collect()
    };
    let ranks: Vec<String> = (0..10).rev().map(rank).collect();
    let side = if !is_hunt && random.below(2) == 0 { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {side}", ranks.join("/"))).ok()
}

#[test]
fn the_page_knows_the_moves_the_checks_and_the_ends_of_the_engine() {
    let node = node("rules.mjs", &modules("rules"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        eprintln!("skipped: Node is not installed");
        return;
    };
    let mut random = Random::new(20_000);
    let (mut lines, mut mates, mut stalemates) = (Vec::new(), 0, 0);
    let mut position = Position::startpos();
    while lines.len() < POSITIONS {
        lines.push(described(&position));
        let legal: Vec<Move> = position.legal_moves().iter().copied().collect();
        if legal.is_empty() {
            if position.in_check() { mates += 1 } else { stalemates += 1 }
        }
        // Every other position is one of few pieces.
        if let Some(few) = scattered(&mut random).filter(|few| few.defect().is_none()) {
            let is_over = few.legal_moves().iter().next().is_none();
            mates += usize::from(is_over && few.in_check());
            stalemates += usize::from(is_over && !few.in_check());
            lines.push(described(&few));
        }
        position = if legal.is_empty() || position.ply() >= MAX_PLIES {
            Position::startpos()
        } else {
            position.after([legal[random.below(legal.len())]])
        };
    }
    assert!(mates > 50 && stalemates > 20, "{mates} mates, {stalemates} stalemates");
    let mut input = node.stdin.take().expect("a pipe");
    let text = lines.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = node.wait_with_output().expect("Node ends");
    let _ = writer.join();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let count = String::from_utf8_lossy(&output.stdout).trim().parse::<usize>();
    assert_eq!(count, Ok(lines.len()), "{error}");
}

//! Small files of each kind, and a folder of files given by the environment.

use std::path::{Path, PathBuf};

use serde_json::Value;
use xiangqi::notation::Notation;
use xiangqi::records::{Collection, FileKind, Game, NodeId, TextEncoding, read, write, write_pgn};

use super::tree::tree_text;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records").join(name)
}

fn load(path: &Path) -> Collection {
    read(&std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn all_kinds_of_files_hold_the_same_game() {
    // The same games with variations and comments, in every kind of file that can hold them.
    for (stem, ends) in [("fen1", 0), ("var1", 0)] {
        let expected =
            std::fs::read_to_string(data(&format!("{stem}.tree.txt"))).expect("the tree");
        for (suffix, kind) in [
            ("v0a.xqf", FileKind::Xqf),
            ("v0b.xqf", FileKind::Xqf),
            ("v12.xqf", FileKind::Xqf),
            ("cbr", FileKind::Cbr),
            ("dhtmlxq.txt", FileKind::DhtmlXq),
            ("gb18030.pgn", FileKind::Pgn),
            ("wxf.pgn", FileKind::Pgn),
        ] {
            let name = format!("{stem}.{suffix}");
            let collection = load(&data(&name));
            assert_eq!(collection.kind, kind, "{name}");
            assert_eq!(collection.problems, [], "{name}");
            assert_eq!(collection.games.len(), 1, "{name}");
            assert_eq!(tree_text(&collection.games[ends]), expected.trim(), "{name}");
        }
    }
}

#[test]
fn files_of_xboard_are_read() {
    let collection = load(&data("xboard.pgn"));
    assert_eq!(collection.problems, []);
    let counts: Vec<_> = collection.games.iter().map(Game::len).collect();
    assert_eq!(counts, [83, 14]);
}

#[test]
fn names_and_results_come_with_the_moves() {
    for name in ["var1.v12.xqf", "var1.cbr", "var1.dhtmlxq.txt", "var1.gb18030.pgn"] {
        let collection = load(&data(name));
        let game = &collection.games[0];
        let red = game.player(xiangqi::geometry::Color::Red);
        assert_eq!(red, Some("红方11000"), "{name}");
        assert_eq!(game.result.text(), "1-0", "{name}");
    }
}

#[test]
fn a_cbf_file_is_read() {
    let collection = load(&data("game.cbf"));
    assert_eq!((collection.kind, collection.problems.len()), (FileKind::Cbf, 0));
    assert_eq!(collection.games[0].len(), 4);
    assert_eq!(collection.games[0].tag("Red"), Some("红 & 方"));
}

/// Checks the files of the folder `CANNONADE_SAMPLES` against its `index.json`: a list of objects
/// with `file` and either `fen`, `result`, `moves`, or `games` of such, and optionally `variations`
/// and `comments`.
#[test]
#[ignore = "needs the environment variable CANNONADE_SAMPLES"]
fn all_files_of_a_folder_are_read_as_its_index_says() {
    let folder = PathBuf::from(
        std::env::var("CANNONADE_SAMPLES").expect("CANNONADE_SAMPLES names a folder"),
    );
    let index = std::fs::read_to_string(folder.join("index.json")).expect("index.json");
    let index: Vec<Value> = serde_json::from_str(&index).expect("a list");
    let (mut files, mut games, mut moves, mut wrong) = (0, 0, 0, Vec::new());
    for entry in &index {
        let name = entry["file"].as_str().expect("file");
        if !folder.join(name).is_file() {
            continue;
        }
        let collection = load(&folder.join(name));
        let expected: Vec<&Value> = match entry["games"].as_array() {
            Some(games) => games.iter().collect(),
            None => vec![entry],
        };
        if !collection.problems.is_empty() {
            wrong.push(format!("{name}: {:?}", collection.problems));
        }
        if collection.games.len() != expected.len() {
            wrong.push(format!("{name}: {} games", collection.games.len()));
            continue;
        }
        for (game, expected) in collection.games.iter().zip(expected) {
            wrong.extend(difference(game, expected).map(|text| format!("{name}: {text}")));
            wrong.extend(changes(game).into_iter().map(|text| format!("{name}: {text}")));
            games += 1;
            moves += game.len();
        }
        files += 1;
    }
    println!("{files} files, {games} games, {moves} moves, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(files > 0);
}

/// The kinds of files that the game does not survive.
fn changes(game: &Game) -> Vec<String> {
    let files = FileKind::WRITTEN.map(|kind| {
        (kind, write(std::slice::from_ref(game), kind, Notation::Chinese, TextEncoding::Gb18030))
    });
    let mut found = Vec::new();
    for (kind, file) in files {
        // A list of games names no start.
        let Ok(file) = file else { continue };
        let again = read(&file);
        let [read] = &again.games[..] else {
            found.push(format!("as {kind}: {:?}", again.problems));
            continue;
        };
        let is_same = match kind {
            FileKind::Pgn => tree_text(read) == tree_text(game),
            FileKind::DhtmlXq | FileKind::Xqf | FileKind::Cbr => {
                tree_text(read) == tree_text_at_zero(game)
            }
            _ => read.moves() == game.moves(),
        };
        if again.kind != kind || !is_same {
            found.push(format!("changed by {kind}: {:?}", again.problems));
        }
    }
    for notation in Notation::ALL {
        let again = read(write_pgn(game, notation).as_bytes());
        let is_same = again.games.first().is_some_and(|read| tree_text(read) == tree_text(game));
        if !is_same {
            found.push(format!("changed by PGN in {notation}: {:?}", again.problems));
        }
    }
    found
}

/// The tree with the counters of its start as DhtmlXQ has them, which has none.
fn tree_text_at_zero(game: &Game) -> String {
    let text = tree_text(game);
    let fields: Vec<&str> = text.splitn(7, ' ').collect();
    let [board, side, _, _, _, _, rest] = fields[..] else { return text };
    format!("{board} {side} - - 0 1 {rest}")
}

fn difference(game: &Game, expected: &Value) -> Option<String> {
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let wanted: Vec<&str> =
        expected["moves"].as_array()?.iter().filter_map(Value::as_str).collect();
    if moves != wanted {
        return Some(format!("{} moves: {moves:?}", moves.len()));
    }
    let fen = expected["fen"].as_str()?;
    if game.start().fen() != fen {
        return Some(game.start().fen());
    }
    let result = expected["result"].as_str();
    if result != Some(game.result.text()) {
        return Some(format!("result {}", game.result));
    }
    let variations = expected["variations"].as_array()?;
    let (wanted, found) = (count(variations), game.len() - moves.len());
    if wanted != found {
        return Some(format!("{found} moves of variations, not {wanted}"));
    }
    for (ply, text) in expected["comments"].as_object()? {
        let ply: usize = ply.parse().ok()?;
        let node = match ply {
            0 => NodeId::ROOT,
            _ => game.main_line().nth(ply - 1)?,
        };
        if Some(game.comment(node)) != text.as_str() {
            return Some(format!("comment {ply}: '{}'", game.comment(node)));
        }
    }
    None
}

fn count(variations: &[Value]) -> usize {
    variations.iter().filter_map(|line| line["moves"].as_array()).map(Vec::len).sum()
}

//! The opening of a game, where it leaves the book, centipawns lost, and the table of the games.

use serde_json::Value;

use super::command::{analyze, json_lines, text};

/// The first moves of the screen horses; Black's seventh move is in no book.
const GAME: &str = "[Red \"甲\"]\n[Black \"somebody with a long name\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 \
                    3. R1=2 H2+3 4. H8+7 P3+1 5. P3+1 a9a7 1-0\n";

#[test]
fn the_opening_is_named_and_the_first_move_out_of_the_book_is_marked() {
    let table = text(&analyze(&["-", "--nodes", "50"], GAME));
    let name = "Opening: Central Cannon against Screen Horses (中炮对屏风马)\n";
    assert!(table.contains(name), "{table}");
    let mark = table.lines().position(|line| line.trim() == "out of the opening book");
    let out = table.lines().nth(mark.expect("a line") - 1).expect("the move before it");
    assert!(out.starts_with("5...   a9a7"), "{table}");

    let pgn = text(&analyze(&["-", "--nodes", "50", "--pgn"], GAME));
    assert!(pgn.contains("[Opening \"Central Cannon against Screen Horses\"]"), "{pgn}");
    assert_eq!(pgn.matches("out of the opening book").count(), 1);
    assert_eq!(text(&analyze(&["-", "--nodes", "50", "--pgn"], &pgn)), pgn, "once is enough");
    let own = format!("[Opening \"mine\"]\n{GAME}");
    let pgn = text(&analyze(&["-", "--nodes", "50", "--pgn"], &own));
    assert!(pgn.contains("[Opening \"mine\"]") && pgn.matches("[Opening").count() == 1, "{pgn}");

    let lines = json_lines(&text(&analyze(&["-", "--nodes", "50", "--json"], GAME)));
    assert_eq!(lines[0]["opening"], "Central Cannon against Screen Horses");
    let events = lines.last().expect("a summary")["events"].as_array().expect("events");
    assert_eq!((&events[0]["kind"], &events[0]["ply"]), (&"book".into(), &10.into()));
}

#[test]
fn centipawns_lost_are_those_between_the_scores() {
    let game = "1. h2e2 h9g7 2. e2e6 *";
    let lines = json_lines(&text(&analyze(&["-", "--nodes", "2000", "--json"], game)));
    let cp = |score: &Value| score["cp"].as_i64().expect("pawns");
    let third = &lines[3];
    let lost = cp(&third["lines"][0]["score"]) - cp(&third["score"]);
    assert!(lost > 0, "{third}");
    assert_eq!(third["cp_loss"], lost);
    let first = lines[1]["cp_loss"].as_f64().expect("a number");
    assert_eq!(lines[4]["red"]["average_cp_loss"], (first + lost as f64) / 2.0);
    let pgn = text(&analyze(&["-", "--nodes", "2000", "--pgn"], game));
    assert!(pgn.contains(&format!(" % ({lost} cp); better ")), "{pgn}");
}

#[test]
fn several_games_have_a_table() {
    let one = text(&analyze(&["-", "--nodes", "50"], GAME));
    assert!(!one.contains("\n game  red"), "one game needs none");
    let both = format!("{GAME}\n[Red \"b\"]\n1. C2=6 *\n");
    let table = text(&analyze(&["-", "--nodes", "50"], &both));
    let rows: Vec<&str> =
        table.lines().skip_while(|line| !line.starts_with(" game  red")).collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert!(
        rows[1].starts_with("    1  甲                somebody with a   1-0         10 "),
        "{table}"
    );
    assert!(rows[1].ends_with("  Central Cannon against Screen Horses"), "{table}");
    assert!(rows[2].contains("    2  b ") && rows[2].ends_with("Cross-Palace Cannon"), "{table}");
}

//! Writing PGN.

use std::fmt::Write as _;

use crate::board::{Position, START_FEN};
use crate::geometry::Color;
use crate::notation::{Notation, write};
use crate::records::encoding::BYTE_ORDER_MARK;
use crate::records::one_line::on_one_line;
use crate::records::{Cursor, Game, NodeId};

use super::reader::{FORMAT_FROM_ONE, is_site_from_one};

/// Columns of move text, as the PGN standard has it for export.
const WIDTH: usize = 79;

/// Tags before those that follow from the game itself.
const FIRST_TAGS: [&str; 8] = ["Game", "Event", "Site", "Date", "Round", "Red", "White", "Black"];

/// Returns the text of a game with its moves in this notation, and an empty line after it.
///
/// Moves in Chinese stand in pairs on lines of their own, as most programs for it expect. Algebraic
/// notation comes with the tags that XBoard knows (`White` for `Red`, letters H and E in the FEN).
///
/// [`Notation::Uci`] is the form that most programs read, if there are no comments: XBoard
/// needs lower-case moves and the letters H and E in the FEN; the Python library `cchess` needs one
/// pair of moves in a line with single spaces, and N and B in the FEN. It finds these in the tag
/// `Xiangqi-FEN`, since it takes the end of that name for `FEN`; of two such tags the last one is
/// valid. Programs for chess that rate players need the tag `White`.
pub fn write_pgn(game: &Game, notation: Notation) -> String {
    let mut text = String::with_capacity(512 + 12 * game.len());
    write_tags(&mut text, game, notation);
    text.push('\n');
    let mut writer = MoveText {
        text,
        column: 0,
        glued: true,
        by_pairs: matches!(notation, Notation::Chinese | Notation::Traditional | Notation::Uci),
        depth: 0,
        number_black: true,
    };
    writer.write(game, notation);
    writer.text.push_str("\n\n");
    writer.text
}

fn write_tags(text: &mut String, game: &Game, notation: Notation) {
    let xboard = notation == Notation::Algebraic;
    let mut tag = |name: &str, value: &str| {
        let value = on_one_line(value).replace(BYTE_ORDER_MARK, "");
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let rename = |name: &str| {
        let is_red = ["Red", "White"].iter().any(|red| red.eq_ignore_ascii_case(name));
        match is_red {
            true if xboard => "White".to_owned(),
            true => "Red".to_owned(),
            false => name.to_owned(),
        }
    };
    let is_first = |name: &str| FIRST_TAGS.iter().any(|first| first.eq_ignore_ascii_case(name));
    if game.tag("Game").is_none() && !xboard {
        tag("Game", "Chinese Chess");
    }
    let has_red = game.tag("Red").is_some();
    for (name, value) in game.tags().iter().filter(|(name, _)| is_first(name)) {
        // A game of ours has its player in both tags.
        if has_red && name.eq_ignore_ascii_case("White") {
            continue;
        }
        let name = rename(name);
        tag(&name, value);
        if name == "Red" && notation == Notation::Uci {
            tag("White", value);
        }
    }
    tag("Result", game.result.text());
    tag("Variant", "xiangqi");
    let fen = game.start().fen();
    if fen != START_FEN {
        match notation {
            Notation::Algebraic => tag("FEN", &xboard_fen(&fen)),
            Notation::Uci => {
                tag("FEN", &with_horses_and_elephants(&fen));
                tag("Xiangqi-FEN", &fen);
            }
            _ => tag("FEN", &fen),
        }
        tag("SetUp", "1");
    }
    match notation {
        Notation::Iccs | Notation::Uci => tag("Format", "ICCS"),
        Notation::Wxf => tag("Format", "WXF"),
        Notation::Chinese | Notation::Traditional => tag("Format", "Chinese"),
        // Without a move on rank 10 nothing else says which square `e5` is.
        Notation::UciFromOne => tag("Format", FORMAT_FROM_ONE),
        // XBoard has no such tag; without it the site would say that ranks are numbered from 1.
        Notation::Algebraic if game.tag("Site").is_some_and(is_site_from_one) => {
            tag("Format", "Algebraic");
        }
        Notation::Algebraic => {}
    }
    for (name, value) in game.tags().iter().filter(|(name, _)| !is_first(name)) {
        tag(name, value);
    }
}

/// Returns the FEN as XBoard writes it: letters H and E, four fields.
fn xboard_fen(fen: &str) -> String {
    let fen = with_horses_and_elephants(fen);
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, _, _, clock, number] = fields[..] else { return fen };
    format!("{board} {side} {clock} {number}")
}

/// Returns the FEN with the letters H and E for knights and bishops.
fn with_horses_and_elephants(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let letter = |c| match c {
        'N' => 'H',
        'n' => 'h',
        'B' => 'E',
        'b' => 'e',
        _ => c,
    };
    let board: String = board.chars().map(letter).collect();
    format!("{board} {rest}")
}

/// The move text as far as it is written.
struct MoveText {
    text: String,
    /// Characters of the last line.
    column: usize,
    /// True if the next word follows without a blank.
    glued: bool,
    by_pairs: bool,
    /// The number of open variations.
    depth: usize,
    /// True if a move of Black needs its number: at the head of a line and after a variation.
    number_black: bool,
}

/// Pending text; the next one is last.
enum PendingText {
    /// A move, with the variations to it if it is the first child.
    Move {
        child: NodeId,
        with_variations: bool,
    },
    Open,
    Close,
}

impl MoveText {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if !self.glued {
            if !self.by_pairs && self.column + 1 + length > WIDTH {
                self.new_line();
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
        self.glued = false;
    }

    fn new_line(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
        }
        (self.column, self.glued) = (0, true);
    }

    fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            let text: String = text
                .chars()
                .filter(|&c| c != BYTE_ORDER_MARK)
                .map(|c| match c {
                    '{' => '(',
                    '}' => ')',
                    _ => c,
                })
                .collect();
            // A line that looks like a tag ends a comment for readers that repair lost braces.
            let text = text.replace("\n[", "\n [");
            self.word(&format!("{{{text}}}"));
        }
    }

    fn open_variation(&mut self) {
        self.word("(");
        self.glued = true;
        (self.depth, self.number_black) = (self.depth + 1, true);
    }

    fn close_variation(&mut self) {
        self.glued = true;
        self.word(")");
        (self.depth, self.number_black) = (self.depth - 1, true);
    }

    /// Writes the move of a node, played in the position, with its number, glyphs and comment.
    fn numbered_move(
        &mut self,
        game: &Game,
        node: NodeId,
        position: &Position,
        notation: Notation,
    ) {
        let number = position.move_number();
        if position.side() == Color::Red {
            if self.by_pairs && self.depth == 0 {
                self.new_line();
            }
            self.word(&format!("{number}."));
        } else if self.number_black {
            self.word(&format!("{number}..."));
        }
        self.number_black = false;
        if let Some(mv) = game.mv(node) {
            self.word(&write(position, mv, notation));
        }
        for glyph in game.glyphs(node) {
            self.word(&format!("${glyph}"));
        }
        self.comment(game.comment(node));
    }

    fn write(&mut self, game: &Game, notation: Notation) {
        let mut cursor = Cursor::new(game);
        self.comment(game.comment(NodeId::ROOT));
        let mut steps: Vec<PendingText> = Vec::new();
        push_children(&mut steps, game, NodeId::ROOT);
        while let Some(step) = steps.pop() {
            let (child, with_variations) = match step {
                PendingText::Open => {
                    self.open_variation();
                    continue;
                }
                PendingText::Close => {
                    self.close_variation();
                    continue;
                }
                PendingText::Move { child, with_variations } => (child, with_variations),
            };
            let parent = game.parent(child);
            self.numbered_move(game, child, cursor.go_to(game, parent), notation);
            let siblings = game.children(parent);
            push_children(&mut steps, game, child);
            if with_variations {
                for &variation in siblings.iter().skip(1).rev() {
                    steps.push(PendingText::Close);
                    steps.push(PendingText::Move { child: variation, with_variations: false });
                    steps.push(PendingText::Open);
                }
            }
        }
        if self.by_pairs {
            self.new_line();
        }
        self.word(game.result.text());
    }
}

/// Puts the move that continues the line after a node on the list.
fn push_children(steps: &mut Vec<PendingText>, game: &Game, node: NodeId) {
    if let Some(&child) = game.children(node).first() {
        steps.push(PendingText::Move { child, with_variations: true });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read;

    /// Returns the only game of a text without defects.
    fn only_game(text: &str) -> Game {
        let mut collection = read(text.as_bytes());
        assert_eq!(collection.problems, [], "{text}");
        assert_eq!(collection.games.len(), 1, "{text}");
        collection.games.remove(0)
    }

    #[test]
    fn moves_of_a_site_with_ranks_from_one_are_written_and_read_again() {
        let game = only_game(
            "[Site \"https://www.pychess.org/AbCd\"]\n[FEN \"3k5/9/9/9/9/9/9/R8/R8/4K4 w - - 0 1\"]\n\n\
             1. a3b3 *",
        );
        assert_eq!(game.moves()[0].to_string(), "a2b2");
        for notation in Notation::ALL {
            let text = write_pgn(&game, notation);
            assert_eq!(only_game(&text).moves(), game.moves(), "{text}");
        }
    }

    #[test]
    fn marks_and_line_ends_inside_texts_do_not_cut_the_game() {
        let mut game = only_game("1. h2e2 h9g7 *");
        let first = game.children(NodeId::ROOT)[0];
        game.set_comment(first, "a\u{feff}[Event \"b\"] rest");
        game.set_tag("Site", "a\u{feff}[Event \"b\"]\r\nc\nd").expect("a tag");
        let again = only_game(&write_pgn(&game, Notation::Iccs));
        assert_eq!(again.moves(), game.moves());
        assert_eq!(again.comment(first), "a[Event \"b\"] rest");
        assert_eq!(again.tag("Site"), Some("a[Event \"b\"] c d"));
        let foreign = "1. h2e2 {a\u{feff}[Event \"b\"] rest} h9g7 2. h0g2 *";
        assert_eq!(only_game(foreign).moves().len(), 3);
    }

    #[test]
    fn the_time_of_writing_grows_as_the_length_of_the_game() {
        let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
        let moves = turn.iter().cycle().take(100_000).map(|text| text.parse().expect("a move"));
        let game = Game::with_moves(Position::startpos(), moves).expect("legal moves");
        let before = std::time::Instant::now();
        assert!(write_pgn(&game, Notation::Algebraic).ends_with("Hh9 *\n\n"));
        assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
    }
}

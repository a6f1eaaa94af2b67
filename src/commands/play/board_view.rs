//! The board as a drawing for the terminal.
//!
//! A point of the board takes four columns: a mark for the last move, a piece of two columns (a
//! Chinese character, or a letter and a line) and another mark or a line.

use clap::ValueEnum;

use super::colors::{Colors, Role};
use crate::board::{Board, Move};
use crate::geometry::{Color, Piece, PieceKind, Square};

/// The letters of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Letters {
    /// K A E H R C P, small for Black
    Latin,
    /// 帅 仕 相 马 车 炮 兵
    Chinese,
    /// 帥 仕 相 馬 車 炮 兵
    Traditional,
}

/// How the board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardStyle {
    /// The letters of the pieces.
    pub(super) letters: Letters,
    /// Without lines between the points.
    pub(super) compact: bool,
    /// The colours.
    pub(super) colors: Colors,
    /// Whether Black is below.
    pub(super) flipped: bool,
}

impl BoardStyle {
    /// The drawing, with the last move marked.
    pub(super) fn draw(self, board: &Board, last: Option<Move>) -> String {
        let mut text = self.labels(Color::Black) + "\n";
        for row in 0..Square::RANKS {
            let rank = if self.flipped { row } else { Square::RANKS - 1 - row };
            text += &self.paint_grid(&format!("{rank} "));
            for column in 0..Square::FILES {
                text += &self.point(board, last, row, column);
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
            if !self.compact && row + 1 < Square::RANKS {
                text += &self.paint_grid(&self.lines_below(row));
                text.push('\n');
            }
        }
        text + &self.labels(Color::Red)
    }

    /// The piece or the crossing at a place of the drawing, from its upper left.
    fn point(self, board: &Board, last: Option<Move>, row: u8, column: u8) -> String {
        let (file, rank) = if self.flipped {
            (Square::FILES - 1 - column, row)
        } else {
            (column, Square::RANKS - 1 - row)
        };
        let Some(square) = Square::new(file, rank) else { return String::new() };
        let is_last_column = column + 1 == Square::FILES;
        let line = if self.compact { " " } else { "─" };
        let left = if column == 0 { " " } else { line };
        let right = if is_last_column { " " } else { line };
        let Some(piece) = board.piece_on(square) else {
            let came_from = last.is_some_and(|mv| mv.from() == square);
            let crossing = match (came_from, self.compact) {
                (true, _) => "○",
                (false, true) => "·",
                (false, false) => crossing(row, column),
            };
            return self.paint_grid(&format!("{left}{crossing}{right}{right}"));
        };
        let moved = last.is_some_and(|mv| mv.to() == square);
        let (open, close) = if moved { ("(", ")") } else { (left, right) };
        let role = match piece.color() {
            Color::Red => Role::Red,
            Color::Black => Role::Black,
        };
        let letter = self.letters.of(piece);
        let filler = if self.letters == Letters::Latin { right } else { "" };
        self.paint_grid(open)
            + &self.colors.paint(letter, role, moved)
            + &self.paint_grid(&format!("{close}{filler}"))
    }

    /// The names of the files: `a` to `i`, and the numbers of the players in Chinese.
    fn labels(self, side: Color) -> String {
        let files = (0..Square::FILES).map(|column| {
            let file = if self.flipped { Square::FILES - 1 - column } else { column };
            format!(" {}  ", char::from(b'a' + file))
        });
        let letters = self.paint_grid(&format!("  {}", files.collect::<String>().trim_end()));
        if self.letters == Letters::Latin {
            return letters;
        }
        let upper = if self.flipped { Color::Red } else { Color::Black };
        let side = if side == Color::Black { upper } else { !upper };
        let digits: &str = match side {
            Color::Red => "九八七六五四三二一",
            Color::Black => "１２３４５６７８９",
        };
        let in_order: Vec<char> =
            if self.flipped { digits.chars().rev().collect() } else { digits.chars().collect() };
        let numbers: String = in_order.iter().map(|digit| format!(" {digit} ")).collect();
        let numbers = self.paint_grid(&format!("  {}", numbers.trim_end()));
        if side == upper {
            format!("{numbers}\n{letters}")
        } else {
            format!("{letters}\n{numbers}")
        }
    }

    /// The lines between a row of points and the next one: files, palaces and the river.
    fn lines_below(self, row: u8) -> String {
        // The diagonals of the palaces go down to the right or to the left.
        let palace = match row {
            0 | 7 => "│ ╲ │ ╱ │",
            1 | 8 => "│ ╱ │ ╲ │",
            4 => {
                let river = match self.letters {
                    Letters::Latin => " ".repeat(31),
                    Letters::Chinese => "     楚  河         汉  界     ".to_owned(),
                    Letters::Traditional => "     楚  河         漢  界     ".to_owned(),
                };
                return format!("   │{river}│");
            }
            _ => "│   │   │",
        };
        format!("   │   │   │   {palace}   │   │   │")
    }

    fn paint_grid(self, text: &str) -> String {
        self.colors.paint(text, Role::Grid, false)
    }
}

impl Letters {
    /// The letter of a piece.
    fn of(self, piece: Piece) -> &'static str {
        use PieceKind::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
        let is_red = piece.color() == Color::Red;
        let (red, black) = match (self, piece.kind()) {
            (Letters::Latin, King) => ("K", "k"),
            (Letters::Latin, Advisor) => ("A", "a"),
            (Letters::Latin, Bishop) => ("E", "e"),
            (Letters::Latin, Knight) => ("H", "h"),
            (Letters::Latin, Rook) => ("R", "r"),
            (Letters::Latin, Cannon) => ("C", "c"),
            (Letters::Latin, Pawn) => ("P", "p"),
            (Letters::Chinese, King) => ("帅", "将"),
            (Letters::Traditional, King) => ("帥", "將"),
            (_, Advisor) => ("仕", "士"),
            (_, Bishop) => ("相", "象"),
            (Letters::Chinese, Knight) => ("马", "马"),
            (Letters::Traditional, Knight) => ("傌", "馬"),
            (Letters::Chinese, Rook) => ("车", "车"),
            (Letters::Traditional, Rook) => ("俥", "車"),
            (_, Cannon) => ("炮", "砲"),
            (_, Pawn) => ("兵", "卒"),
        };
        if is_red { red } else { black }
    }
}

/// The crossing of lines at a place of the drawing.
fn crossing(row: u8, column: u8) -> &'static str {
    let is_last_column = column + 1 == Square::FILES;
    let is_last_row = row + 1 == Square::RANKS;
    match (row, column) {
        (0, 0) => "┌",
        (0, _) if is_last_column => "┐",
        (_, 0) if is_last_row => "└",
        _ if is_last_row && is_last_column => "┘",
        (_, 0) => "├",
        _ if is_last_column => "┤",
        (0 | 5, _) => "┬",
        (4, _) => "┴",
        _ if is_last_row => "┴",
        _ => "┼",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use clap::ColorChoice;

    fn style(letters: Letters, compact: bool, flipped: bool) -> BoardStyle {
        BoardStyle { letters, compact, colors: Colors::chosen(ColorChoice::Never), flipped }
    }

    fn lines(style: BoardStyle, last: Option<&str>) -> Vec<String> {
        let position = Position::startpos();
        let last = last.map(|text| text.parse().expect("a move"));
        style.draw(position.board(), last).lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_compact_board_has_a_line_for_each_rank() {
        let lines = lines(style(Letters::Latin, true, false), None);
        assert_eq!(lines.len(), 12);
        assert_eq!(lines[0], "   a   b   c   d   e   f   g   h   i");
        assert_eq!(lines[1], "9  r   h   e   a   k   a   e   h   r");
        assert_eq!(lines[3], "7  ·   c   ·   ·   ·   ·   ·   c   ·");
        assert_eq!(lines[10], "0  R   H   E   A   K   A   E   H   R");
    }

    #[test]
    fn all_points_of_a_file_stand_in_one_column() {
        for letters in [Letters::Latin, Letters::Chinese] {
            let lines = lines(style(letters, false, false), None);
            // Chinese characters take two columns.
            let width = |c: char| if u32::from(c) > 0x2E80 { 2 } else { 1 };
            let column = |line: &str, wanted: &[char]| {
                let mut at = 0;
                for c in line.chars() {
                    if wanted.contains(&c) {
                        return at;
                    }
                    at += width(c);
                }
                panic!("{line}")
            };
            let width_of = |line: &str| line.chars().map(width).sum::<u32>();
            let river = lines.iter().find(|line| line.contains('河'));
            assert!(river.is_none_or(|line| width_of(line) == 36), "{river:?}");
            let pawns = lines.iter().filter(|line| line.contains(['P', '兵']));
            for line in pawns {
                assert_eq!(column(line, &['P', '兵']), 3, "{line}");
            }
        }
    }

    #[test]
    fn a_flipped_board_shows_black_below() {
        let lines = lines(style(Letters::Chinese, true, true), None);
        assert!(lines[0].trim_start().starts_with('一'), "{}", lines[0]);
        assert!(lines[2].starts_with("0  车"), "{}", lines[2]);
        assert!(lines.last().is_some_and(|line| line.trim_start().starts_with('９')));
    }

    #[test]
    fn the_last_move_is_marked() {
        let lines = lines(style(Letters::Latin, true, false), Some("h3h2"));
        assert!(lines[8].ends_with("(C)  ·"), "{}", lines[8]);
        assert!(lines[7].contains('○'), "{}", lines[7]);
    }
}

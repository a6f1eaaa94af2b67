//! The board in the terminal.

use clap::ValueEnum;
use xiangqi::board::{Board, Move};
use xiangqi::geometry::Color;
use xiangqi::pictures::{BoardPicture, PieceSet, TextLayout, TextPart, TextStyle, painted_text};

use super::colors::{Role, TerminalColors};

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardStyle {
    /// The letters of the pieces.
    pub(super) letters: Letters,
    /// Draws no lines between the points.
    pub(super) compact: bool,
    /// The colours.
    pub(super) colors: TerminalColors,
    /// Shows Black below.
    pub(super) flipped: bool,
}

impl BoardStyle {
    /// Draws the board, with the last move marked and a line end after the last line.
    pub(super) fn draw(self, board: &Board, last: Option<Move>) -> String {
        let mut picture = BoardPicture::new(board.clone());
        picture.last_move = last;
        picture.flipped = self.flipped;
        picture.pieces = match self.letters {
            Letters::Latin => PieceSet::Latin,
            Letters::Chinese => PieceSet::Simplified,
            Letters::Traditional => PieceSet::Chinese,
        };
        let mut layout = TextLayout::from(TextStyle::Unicode);
        layout.is_compact = self.compact;
        layout.has_chinese_files = self.letters != Letters::Latin;
        painted_text(&picture, layout, |text, part| {
            let (role, is_marked) = match part {
                TextPart::Piece(Color::Red, is_marked) => (Role::Red, is_marked),
                TextPart::Piece(Color::Black, is_marked) => (Role::Black, is_marked),
                _ => (Role::Grid, false),
            };
            self.colors.paint(text, role, is_marked)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ColorChoice;
    use xiangqi::board::Position;

    fn style(letters: Letters, compact: bool, flipped: bool) -> BoardStyle {
        BoardStyle { letters, compact, colors: TerminalColors::chosen(ColorChoice::Never), flipped }
    }

    fn lines(style: BoardStyle, last: Option<&str>) -> Vec<String> {
        let position = Position::startpos();
        let last = last.map(|text| text.parse().expect("a move"));
        style.draw(position.board(), last).lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_compact_board_has_a_line_for_each_rank() {
        let lines = lines(style(Letters::Latin, true, false), None);
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], " 9  r   h   e   a   k   a   e   h   r");
        assert_eq!(lines[2], " 7  ·   c   ·   ·   ·   ·   ·   c   ·");
        assert_eq!(lines[9], " 0  R   H   E   A   K   A   E   H   R");
        assert_eq!(lines[10], "    a   b   c   d   e   f   g   h   i");
    }

    #[test]
    fn a_flipped_board_in_chinese_has_the_numbers_of_both_players() {
        let lines = lines(style(Letters::Chinese, true, true), None);
        assert!(lines[0].trim_start().starts_with('一'), "{}", lines[0]);
        assert!(lines[1].starts_with(" 0  车"), "{}", lines[1]);
        assert_eq!(lines[11].trim_start().chars().next(), Some('i'));
        assert!(lines[12].trim_start().starts_with('9'), "{}", lines[12]);
    }

    #[test]
    fn the_last_move_is_marked() {
        let lines = lines(style(Letters::Latin, true, false), Some("h3h2"));
        assert!(lines[7].ends_with("[C ] ·"), "{}", lines[7]);
        assert!(lines[6].contains('○'), "{}", lines[6]);
    }

    #[test]
    fn colours_change_no_character_of_the_board() {
        let position = Position::startpos();
        let colored = BoardStyle {
            colors: TerminalColors::chosen(ColorChoice::Always),
            ..style(Letters::Traditional, false, false)
        };
        let text = colored.draw(position.board(), None);
        let parts = text.split('\x1b').enumerate();
        let plain: String = parts
            .map(|(at, part)| if at == 0 { part } else { part.split_once('m').expect("a code").1 })
            .collect();
        assert_eq!(plain, style(Letters::Traditional, false, false).draw(position.board(), None));
    }
}

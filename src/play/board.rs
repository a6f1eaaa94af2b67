//! The board and its colours in the terminal.

use std::io;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use xiangqi::board::{Board, Move};
use xiangqi::pictures::{BoardPicture, PieceSet, TextLayout, TextPart, TextStyle, painted_text};

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

/// The look of the board.
pub(super) struct BoardStyle {
    pub(super) letters: Letters,
    /// Omits the lines between the points.
    pub(super) compact: bool,
    /// Writes colour codes.
    pub(super) colored: bool,
    /// Shows Black at the bottom.
    pub(super) flipped: bool,
}

/// Returns whether to write colours. `auto` writes them to a terminal that has colours, unless the
/// user set `NO_COLOR` (no-color.org).
pub(super) fn has_colors(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
    }
}

impl BoardStyle {
    /// Draws the board with the last move marked.
    pub(super) fn draw(&self, board: &Board, last: Option<Move>) -> String {
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
        let text = painted_text(&picture, layout, |text, part| match part {
            TextPart::Piece(side, is_marked) => {
                let color = [AnsiColor::Red, AnsiColor::Cyan][side.index()];
                let style = color.on_default().bold();
                self.paint(text, if is_marked { style.invert() } else { style })
            }
            _ => self.paint(text, Style::new().dimmed()),
        });
        text.trim_end().to_owned()
    }

    /// Highlights a notice.
    pub(super) fn notice(&self, text: &str) -> String {
        self.paint(text, AnsiColor::Yellow.on_default().bold())
    }

    fn paint(&self, text: &str, style: Style) -> String {
        if self.colored { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

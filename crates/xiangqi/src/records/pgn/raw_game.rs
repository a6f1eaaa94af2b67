//! One game of a PGN text, before its moves are read.

use crate::records::RecordError;
use crate::rules::GameResult;

/// A piece of the move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A possible move, without number and annotation.
    Word(&'a str),
    Comment(&'a str),
    /// A numeric annotation glyph, from `$4` or `??`.
    Glyph(u8),
    /// `(`
    Open,
    /// `)`
    Close,
}

/// One game of a PGN text before its moves are read: enough for names and results.
#[derive(Clone, Debug, Default)]
pub struct RawGame<'a> {
    /// Names and values of the tags in order.
    pub tags: Vec<(String, String)>,
    /// The result that ends the game; `None` if the text goes on or ends without one.
    pub result: Option<GameResult>,
    /// The line where the game begins, from 1.
    pub line: usize,
    /// The byte after the line in which the game ends.
    pub end: usize,
    /// Tokens with their lines.
    pub(super) tokens: Vec<(usize, Token<'a>)>,
    /// Defects of the text with their lines.
    pub(super) defects: Vec<(usize, RecordError)>,
}

impl RawGame<'_> {
    /// Returns the value of a tag, its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Returns whether a further tag belongs to the next game. The comments before the first tag,
    /// of which there are `comments`, tell of the file or of its first game.
    pub(super) fn is_begun(&self, comments: usize) -> bool {
        if self.tags.is_empty() {
            self.tokens.iter().any(|(_, token)| !matches!(token, Token::Comment(_)))
        } else {
            self.tokens.len() > comments
        }
    }

    /// Returns the result that ends the game; if it has none or only `*`, that of the tag `Result`.
    pub fn final_result(&self) -> GameResult {
        let at_end = self.result.filter(|&result| result != GameResult::Unknown);
        let from_tag = || self.tag("Result").and_then(GameResult::from_tag);
        at_end.or_else(from_tag).unwrap_or_default()
    }
}

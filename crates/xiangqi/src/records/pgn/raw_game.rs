//! One game of a PGN text, before its moves are read.

use std::collections::HashSet;

use crate::records::RecordError;
use crate::rules::GameResult;

use super::tags::{Heading, after_result_heading};

/// A piece of the move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A possible move, without number and annotation.
    Word(&'a str),
    /// Dots behind a move and before the number of the next pair, as in `1. C2=5 ... 2. H2+3`, or
    /// those of a number of Black before the first move, as in `1... H8+7`.
    Dots(&'a str),
    Comment(&'a str),
    /// Text between the moves that no brackets mark as a comment.
    Text(&'a str),
    /// The number before a move, and whether its dots say that Black moves. Only a move follows.
    Number(u32, bool),
    /// The heading of a line of moves that leaves another one where its first number says.
    Section(Section<'a>),
    /// A note about the move with this number, of Black if true.
    Note(u32, bool, &'a str),
    /// A numeric annotation glyph, from `$4` or `??`.
    Glyph(u8),
    /// `(`
    Open,
    /// `)`
    Close,
}

/// The heading of a line of moves in a text for people, as in `【变2-0-7】`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Section<'a> {
    /// The number of the line, if it has one.
    pub(super) line: Option<usize>,
    /// The number of the line that it leaves; 0 is the main line.
    pub(super) parent: usize,
    pub(super) name: &'a str,
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

    /// Returns the result that ends the game; if it has none or only `*`, that of the tag `Result`.
    pub fn final_result(&self) -> GameResult {
        let at_end = self.result.filter(|&result| result != GameResult::Unknown);
        let from_tag = || self.tag("Result").and_then(GameResult::from_tag);
        at_end.or_else(from_tag).unwrap_or_default()
    }
}

/// The head of a game as far as it is read: which further tags belong to it.
#[derive(Default)]
pub(super) struct GameHead {
    /// The tokens that were looked at.
    tokens: usize,
    has_moves: bool,
    /// Tokens and defects before the first tag: comments there tell of the file or of its first
    /// game.
    before_tags: (usize, usize),
    /// The names of the first `named` tags in lower case; they are needed only after a gap.
    names: HashSet<String>,
    named: usize,
    /// The words of the headings in a text for people.
    headings: HashSet<String>,
}

impl GameHead {
    /// Takes notice of the tokens that were added.
    pub(super) fn update(&mut self, game: &RawGame) {
        let added = game.tokens.iter().skip(self.tokens);
        let is_text = |token: &Token| matches!(token, Token::Comment(_) | Token::Text(_));
        self.has_moves |= added.into_iter().any(|(_, token)| !is_text(token));
        self.tokens = game.tokens.len();
        if game.tags.is_empty() {
            self.before_tags = (game.tokens.len(), game.defects.len());
        }
    }

    /// Returns whether a move stands here already.
    pub(super) fn has_moves(&self) -> bool {
        self.has_moves
    }

    /// Returns whether a move or a comment stands after the tags.
    pub(super) fn is_over(&self) -> bool {
        self.has_moves || self.tokens > self.before_tags.0
    }

    /// Returns whether a further tag of this name belongs to the game. After a comment or an empty
    /// line it does if the game has none of this name.
    pub(super) fn takes_tag(&mut self, name: &str, game: &RawGame, is_after_gap: bool) -> bool {
        if !self.is_over() && !is_after_gap {
            return true;
        }
        if self.has_moves || game.defects.len() > self.before_tags.1 {
            return false;
        }
        self.take_names(game);
        !self.names.contains(&name.to_ascii_lowercase())
    }
}

impl GameHead {
    fn take_names(&mut self, game: &RawGame) {
        let names = game.tags.iter().skip(self.named).map(|(name, _)| name.to_ascii_lowercase());
        self.names.extend(names);
        self.named = game.tags.len();
    }

    /// Returns whether a heading of this word, which stands for a tag, belongs to the game: not
    /// after an empty line if the game has it.
    pub(super) fn takes_heading(
        &mut self,
        word: &str,
        tag: &str,
        game: &RawGame,
        is_after_gap: bool,
    ) -> bool {
        if self.headings.is_empty() {
            return self.takes_tag(tag, game, is_after_gap);
        }
        !is_after_gap || !self.headings.contains(word)
    }

    /// Adds a heading to the game as a tag. If the game has the tag already, it is kept under its own
    /// word.
    pub(super) fn add_heading(&mut self, game: &mut RawGame, (word, tag, value): Heading) {
        self.take_names(game);
        let is_free = |name: &str| !self.names.contains(&name.to_ascii_lowercase());
        let name = match [tag, word].into_iter().find(|name| is_free(name)) {
            Some(name) => name.to_owned(),
            None => format!("{word}{}", self.named + 1),
        };
        self.headings.insert(word.to_owned());
        game.tags.push((name, value));
    }
}

/// Reads a line that names the result after the moves: `结果：红胜`, `（红胜）`.
pub(super) fn closing_result(line: &str) -> Option<GameResult> {
    let line = line.trim();
    let value = after_result_heading(line);
    let text = value.unwrap_or(line).trim_end_matches('。');
    let brackets = [('（', '）'), ('【', '】'), ('〔', '〕')];
    let inner = brackets
        .into_iter()
        .find_map(|(open, close)| Some(text.strip_prefix(open)?.strip_suffix(close)?.trim()));
    if value.is_none() && inner.is_none() {
        return None;
    }
    GameResult::from_text(inner.unwrap_or(text))
}

//! PGN text taken apart into games with tags and tokens; no move is looked at.

#[cfg(test)]
mod tests;

use crate::notation::without_number;
use crate::records::{GLYPH_SIGNS, RecordError};
use crate::rules::GameResult;

use super::line_starts::begins_with_move;
use super::raw_game::{GameHead, RawGame, Token, closing_result};
use super::tags::{headings, is_quoted_tag, is_tag_after_game, parse_tag};

/// Returns the games of a text, in order. A result ends a game; what follows it up to the next tag,
/// the next move number 1 or the next line that begins with a move is skipped, because some
/// programs put advertisements there. A tag after moves begins the next game too, and so does one
/// that the game has already, if a comment stands between them. Comments right
/// after the result belong to the game, but those on further lines to the next game if its moves
/// follow them. Comments before the first tag belong to the game with that tag.
pub fn raw_games(text: &str) -> impl Iterator<Item = RawGame<'_>> {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut lexer = Lexer {
        text,
        at: mark,
        line: 1,
        line_start: mark,
        text_end: mark,
        tag_end: mark,
        line_end: 0,
        depth: 0,
        comments_nest: true,
        vain: 0,
        after_result: false,
        dots: None,
        has_moves: false,
    };
    std::iter::from_fn(move || lexer.next_game())
}

/// Separators of moves other than blanks in texts for people, as in `1、炮二平五，马８进７；`.
pub(in crate::records) const SEPARATORS: [char; 5] = ['，', '、', '。', '；', ','];

/// Returns whether a text ends with the number of a move of Black, such as `1...` or `1. ...`.
fn ends_with_black_number(text: &str) -> bool {
    let is_dot = |c: char| matches!(c, '.' | '…');
    let number = text.trim_end_matches(|c: char| is_dot(c) || c.is_whitespace());
    let dots = text[number.len()..].replace('…', "...");
    number.ends_with(char::is_numeric) && dots.matches('.').count() > 1
}

/// Returns whether a word of the move text ends before this character.
pub(super) fn ends_word(c: char) -> bool {
    c.is_whitespace() || SEPARATORS.contains(&c) || "{}()[];$".contains(c)
}

#[derive(Clone, Copy)]
struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
    /// The end of the last character before `at` that is not blank.
    text_end: usize,
    /// The end of the last tag, or of the comments after it.
    tag_end: usize,
    /// The end of the line that was measured last, before the line feed.
    line_end: usize,
    /// The number of open variations.
    depth: usize,
    /// True if a `{` inside a comment opens a nested one, as in files of ElephantEye. Unbalanced
    /// braces turn this off up to the next tag.
    comments_nest: bool,
    /// The bytes in which the end of nested comments was sought in vain. Those of sound games do
    /// not overlap; once they are more than the text has, comments do not nest.
    vain: usize,
    /// True if the text up to the next game is skipped.
    after_result: bool,
    /// The last dots that stand alone behind a move, up to the next move or variation.
    dots: Option<Dots<'a>>,
    /// True if the game has a move.
    has_moves: bool,
}

/// Dots in the move text that may stand in place of a move.
#[derive(Clone, Copy)]
struct Dots<'a> {
    line: usize,
    text: &'a str,
    /// True if the number of a pair follows them.
    is_numbered: bool,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.rest()[..bytes];
        if let Some(end) = passed.rfind('\n') {
            self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
            self.line_start = self.at + end + 1;
        }
        let text = passed.trim_end();
        if !text.is_empty() {
            self.text_end = self.at + text.len();
        }
        self.at += bytes;
    }

    /// Returns whether a tag may stand here: at the start of a line or after another tag.
    fn can_be_tag(&self) -> bool {
        self.text_end <= self.line_start.max(self.tag_end)
    }

    /// Returns whether an empty line stands between the last tag and this place.
    fn is_after_gap(&self) -> bool {
        let between = self.text[self.tag_end..self.at].split_inclusive('\n').skip(1);
        between.filter(|line| line.ends_with('\n')).any(|line| line.trim().is_empty())
    }

    /// Returns the bytes up to and with the end of the line.
    fn line_length(&self) -> usize {
        self.rest().find('\n').map_or(self.rest().len(), |at| at + 1)
    }

    /// Returns the rest of the line, which is measured only once for all of its tags.
    fn rest_of_line(&mut self) -> &'a str {
        if self.line_end <= self.at {
            self.line_end = self.at + self.rest().find('\n').unwrap_or(self.rest().len());
        }
        &self.text[self.at..self.line_end]
    }

    /// Skips what does not belong to a game, up to the next one. A comment that is not closed there
    /// is a defect of the next game.
    fn skip_to_next_game(&mut self, next: &mut RawGame<'a>) {
        self.after_result = false;
        while !self.rest().is_empty() {
            let line = self.rest_of_line();
            let text = line.trim_start_matches([' ', '\t', '\r']);
            let is_tag = || is_tag_after_game(text) || !headings(text, false).is_empty();
            if begins_with_move(text) || (self.can_be_tag() && is_tag()) {
                break;
            }
            if !text.starts_with('{') {
                self.advance(self.line_length());
                continue;
            }
            let before = *self;
            let mut skipped = RawGame::default();
            while self.advance_to_comment() {
                self.comment(&mut skipped);
            }
            if begins_with_move(self.rest().trim_start()) {
                *self = before;
                break;
            }
            next.defects.append(&mut skipped.defects);
        }
    }

    /// Advances over blanks to a comment in braces, if one follows.
    fn advance_to_comment(&mut self) -> bool {
        let comment = self.rest().trim_start();
        let is_comment = comment.starts_with('{');
        if is_comment {
            self.advance(self.rest().len() - comment.len());
        }
        is_comment
    }

    /// Takes the comments after a result, but not those on further lines if moves follow them: they
    /// belong to the next game.
    fn comments_after_result(&mut self, game: &mut RawGame<'a>) {
        // The place after those on the line of the result.
        let mut behind_line = (*self, game.tokens.len(), game.defects.len());
        while self.advance_to_comment() {
            let is_on_line = self.line == behind_line.0.line;
            self.comment(game);
            if is_on_line {
                behind_line = (*self, game.tokens.len(), game.defects.len());
            }
        }
        if begins_with_move(self.rest().trim_start()) {
            let (lexer, tokens, defects) = behind_line;
            *self = lexer;
            game.tokens.truncate(tokens);
            game.defects.truncate(defects);
        }
    }

    fn next_game(&mut self) -> Option<RawGame<'a>> {
        let mut game = RawGame::default();
        if self.after_result {
            self.skip_to_next_game(&mut game);
        }
        self.depth = 0;
        self.dots = None;
        self.has_moves = false;
        let mut has_heading = false;
        let mut head = GameHead::default();
        while let Some(first) = self.rest().chars().next() {
            if first.is_whitespace() || SEPARATORS.contains(&first) {
                self.advance(first.len_utf8());
                continue;
            }
            if game.line == 0 {
                game.line = self.line;
            }
            head.update(&game);
            match first {
                '[' if self.can_be_tag() => match parse_tag(self.rest_of_line()) {
                    Some((name, ..)) if !head.takes_tag(&name, &game, self.is_after_gap()) => {
                        break;
                    }
                    Some((name, value, length)) => {
                        game.tags.push((name, value));
                        self.advance(length);
                        self.tag_end = self.at;
                        self.comments_nest = true;
                    }
                    None => self.advance(1),
                },
                '%' if self.can_be_tag() => self.advance(self.line_length()),
                '{' if !head.has_moves() && self.can_be_tag() => {
                    self.comment(&mut game);
                    self.tag_end = self.at;
                }
                '{' | '}' | ';' | '(' | ')' | '$' | '[' | ']' => self.sign(first, &mut game),
                _ => {
                    if head.has_moves()
                        && self.depth == 0
                        && let line = self.rest_of_line()
                        && let Some(result) = closing_result(line)
                    {
                        self.advance(line.len());
                        return Some(self.finished(game, result));
                    }
                    if !head.is_over()
                        && self.can_be_tag()
                        && let tags = headings(self.rest_of_line(), has_heading)
                        && let Some((name, _)) = tags.first()
                    {
                        if !head.takes_tag(name, &game, self.is_after_gap()) {
                            break;
                        }
                        game.tags.extend(tags);
                        has_heading = true;
                        self.tag_end = self.at + self.rest_of_line().len();
                        self.advance(self.line_length());
                        continue;
                    }
                    let word = self.word();
                    match GameResult::from_text(word).or_else(|| self.spaced_result(word)) {
                        Some(result) if self.depth == 0 => {
                            return Some(self.finished(game, result));
                        }
                        // The tree of moves has no place for the result of a variation.
                        Some(GameResult::Unknown) => {}
                        Some(_) => game.tokens.push((self.line, Token::Comment(word))),
                        None => self.push_word(&mut game, word),
                    }
                }
            }
        }
        game.end = self.at;
        let is_empty = game.tags.is_empty() && game.tokens.is_empty();
        (!is_empty).then_some(game)
    }

    /// Ends a game with the result that was just read.
    fn finished(&mut self, mut game: RawGame<'a>, result: GameResult) -> RawGame<'a> {
        self.after_result = true;
        game.result = Some(result);
        self.comments_after_result(&mut game);
        let end = self.at + self.rest_of_line().len();
        game.end = self.text.len().min(end + 1);
        game
    }

    /// Takes what begins with a sign: a comment, the begin or end of a variation, an annotation, or
    /// a bracket that means nothing.
    fn sign(&mut self, sign: char, game: &mut RawGame<'a>) {
        match sign {
            '{' => self.comment(game),
            ';' => {
                let length = self.line_length();
                let text = self.rest()[1..length].trim();
                game.tokens.push((self.line, Token::Comment(text)));
                self.advance(length);
            }
            '(' => {
                self.depth += 1;
                self.dots = None;
                game.tokens.push((self.line, Token::Open));
                self.advance(1);
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.dots = None;
                game.tokens.push((self.line, Token::Close));
                self.advance(1);
            }
            '$' => {
                let digits = &self.rest()[1..];
                let length = digits.bytes().take_while(u8::is_ascii_digit).count();
                let glyph = digits[..length].parse().ok();
                game.tokens.extend(glyph.map(|glyph| (self.line, Token::Glyph(glyph))));
                self.advance(1 + length);
            }
            _ => self.advance(1),
        }
    }

    /// Takes the next word; it has at least one character.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        // A result may follow the last move without a blank: one in brackets, or a star.
        let is_end = |&(at, c): &(usize, char)| ends_word(c) || (at > 0 && "（【〔".contains(c));
        let word = &rest[..rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at)];
        let is_move = |mv: &&str| mv.contains(char::is_alphanumeric) && !mv.ends_with('*');
        let before_star = word.strip_suffix('*').filter(is_move);
        let word = before_star.unwrap_or(word);
        self.advance(word.len());
        word
    }

    /// Adds the tokens of the last word: none for a number, else a move and its annotation.
    fn push_word(&mut self, game: &mut RawGame<'a>, word: &'a str) {
        let text = without_number(word);
        self.take_number(&word[..word.len() - text.len()]);
        let mv = text.trim_end_matches(['!', '?', '！', '？']);
        let sign = text[mv.len()..].replace('！', "!").replace('？', "?");
        let glyph = GLYPH_SIGNS.iter().zip(1..).find(|(known, _)| **known == sign);
        // Other signs, such as `+-` and `=`, are opinions on the position.
        if mv.contains(char::is_alphanumeric) || (is_null_move(mv) && !self.is_line_before(word)) {
            let mut dots = self.dots.take().filter(|dots| dots.is_numbered);
            if !std::mem::replace(&mut self.has_moves, true) {
                let before = &self.text[..self.at - text.len()];
                let first = Dots { line: self.line, text: "...", is_numbered: true };
                dots = ends_with_black_number(before).then_some(first);
            }
            game.tokens.extend(dots.map(|dots| (dots.line, Token::Dots(dots.text))));
            game.tokens.push((self.line, Token::Word(mv)));
        }
        game.tokens.extend(glyph.map(|(_, number)| (self.line, Token::Glyph(number))));
    }

    /// Takes notice of the number before a move, or of dots alone.
    fn take_number(&mut self, number: &'a str) {
        let dots = number.trim_start_matches(char::is_numeric);
        let are_several = dots.starts_with('…') || dots.chars().nth(1).is_some();
        let is_numbered = self.dots.is_some_and(|dots| dots.is_numbered);
        if dots.len() < number.len() {
            // `1...` is the number of a move of Black.
            self.dots = self.dots.filter(|_| !are_several);
            self.dots.iter_mut().for_each(|dots| dots.is_numbered = true);
        } else if are_several {
            let alone = Dots { line: self.line, text: dots, is_numbered: false };
            self.dots = (!is_numbered).then_some(alone);
        }
    }

    /// Returns whether the word that ends here is all of its line.
    fn is_line_before(&mut self, word: &str) -> bool {
        // The text before the word is looked at only for the last word of the line.
        self.rest_of_line().trim_start().is_empty()
            && self.text[self.line_start..self.at].trim_start() == word
    }

    /// Takes the rest of a result with blanks in it, of which the word is the begin.
    fn spaced_result(&mut self, word: &str) -> Option<GameResult> {
        let text = &self.text[self.at - word.len()..];
        let (result, length) = GameResult::from_spaced(text).filter(|_| self.depth == 0)?;
        self.advance(length.checked_sub(word.len()).filter(|&rest| rest > 0)?);
        Some(result)
    }

    fn comment(&mut self, game: &mut RawGame<'a>) {
        let rest = self.rest();
        let nests = self.comments_nest && self.vain <= self.text.len();
        let mut end = comment_end(rest, nests);
        if let (true, CommentEnd::NotClosed(at)) = (nests, &end) {
            self.comments_nest = false;
            self.vain += at;
            end = comment_end(rest, false);
        }
        let (text, length) = match end {
            CommentEnd::Brace(at) => (&rest[1..at], at + 1),
            // A comment without an end is one up to the tags of the next game.
            CommentEnd::NotClosed(at) => {
                game.defects.push((self.line, RecordError::NotClosed("a comment")));
                (&rest[1..at], at)
            }
        };
        game.tokens.push((self.line, Token::Comment(text.trim())));
        self.advance(length);
    }
}

enum CommentEnd {
    /// At this closing brace.
    Brace(usize),
    /// It is not closed before this place: the tags of the next game, or the end of the text.
    NotClosed(usize),
}

/// Returns the end of the comment that begins with the first byte, with or without nested comments.
fn comment_end(text: &str, nests: bool) -> CommentEnd {
    let mut depth = 0_usize;
    // The first brace after the last line that looks like a tag.
    let mut brace = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' if nests || at == 0 => depth += 1,
            b'}' => depth -= 1,
            b'\n' if text[at + 1..].starts_with('[') => {
                let line = &text[at + 1..];
                let line = &line[..line.find('\n').unwrap_or(line.len())];
                if brace.is_none_or(|brace| brace < at) && is_quoted_tag(line) {
                    // What is closed by the next brace is a comment that quotes a game.
                    brace = text[at..].find(['{', '}']).map(|found| at + found);
                    if brace.is_none_or(|brace| text[brace..].starts_with('{')) {
                        return CommentEnd::NotClosed(at);
                    }
                }
                continue;
            }
            _ => continue,
        }
        if depth == 0 {
            return CommentEnd::Brace(at);
        }
    }
    CommentEnd::NotClosed(text.len())
}

/// Returns whether a word is a null move, `--`.
fn is_null_move(word: &str) -> bool {
    word.chars().count() == 2 && word.chars().all(|c| "-–—－".contains(c))
}

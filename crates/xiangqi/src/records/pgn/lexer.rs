//! PGN text taken apart into games with tags and tokens; no move is looked at.

#[cfg(test)]
mod tests;

use crate::board::Board;
use crate::notation::{WordPart, number_value, without_number, word_parts};
use crate::records::{GLYPH_SIGNS, RecordError};
use crate::rules::GameResult;

use super::assessment_glyph;
use super::diagram::{diagram, points};
use super::line_starts::{begins_with_move, first_move_number};
use super::prose::{
    WordKind, first_kind, is_bracket, is_bracketed_number, text_at_start, text_length, word_kind,
    word_length, worded_result,
};
use super::raw_game::{GameHead, RawGame, Section, Token, closing_result};
use super::sections::{Heading, heading_of, note};
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
        number: None,
        last_number: None,
        moves_after_number: 0,
        unclosed: 0,
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
    /// The number that the next move has, and whether it is one of Black.
    number: Option<(u32, bool)>,
    /// The value of the last number of a move in the game.
    last_number: Option<u32>,
    /// The moves after the last number on its line.
    moves_after_number: usize,
    /// No bracket before this place is closed.
    unclosed: usize,
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
        (self.number, self.last_number, self.moves_after_number) = (None, None, 0);
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
            if !head.has_moves()
                && self.can_be_tag()
                && points(self.rest_of_line()).is_some()
                && let Some((fen, length)) = diagram(self.rest())
            {
                game.tags.push(("FEN".to_owned(), fen));
                self.advance(length);
                self.tag_end = self.at;
                continue;
            }
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
                '(' if !self.opens_variation() => self.bracket('(', &mut game),
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
                    if !head.has_moves()
                        && self.can_be_tag()
                        && heading_of(self.rest_of_line()).is_none()
                        && let found = headings(self.rest_of_line(), has_heading)
                        && let Some((word, tag, _)) = found.first()
                    {
                        if !head.takes_heading(word, tag, &game, self.is_after_gap()) {
                            break;
                        }
                        for one in found {
                            head.add_heading(&mut game, one);
                        }
                        has_heading = true;
                        self.tag_end = self.at + self.rest_of_line().len();
                        self.advance(self.line_length());
                        continue;
                    }
                    if self.depth == 0 && self.can_be_tag() {
                        if head.has_moves() && self.begins_other_game() {
                            break;
                        }
                        if self.take_line_of_text(&mut game) {
                            continue;
                        }
                        if head.has_moves() && self.begins_variation(&game) {
                            let name = self.rest_of_line().trim();
                            let name = &name[..word_length(name)];
                            let section = Section { line: None, parent: 0, name };
                            game.tokens.push((self.line, Token::Section(section)));
                            (self.number, self.last_number, self.dots) = (None, None, None);
                        }
                    }
                    if is_bracket(first) {
                        self.bracket(first, &mut game);
                        continue;
                    }
                    if let Some(result) = self.take_words(&mut game) {
                        return Some(self.finished(game, result));
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
                (self.dots, self.number) = (None, None);
                game.tokens.push((self.line, Token::Open));
                self.advance(1);
            }
            // `1)` is a number.
            ')' if self.depth == 0
                && self.number.is_some()
                && self.text[..self.at].ends_with(char::is_alphanumeric) =>
            {
                self.advance(1);
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                (self.dots, self.number) = (None, None);
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

    /// Takes the next word, or the text that begins with it. Returns the result if it ends the game.
    fn take_words(&mut self, game: &mut RawGame<'a>) -> Option<GameResult> {
        let rest = self.rest();
        let word = &rest[..word_length(rest)];
        if let Some((result, length)) = GameResult::from_spaced(rest)
            && length > word.len()
            && self.depth == 0
        {
            self.advance(length);
            return self.take_result(game, &rest[..length], result);
        }
        match word_kind(word) {
            WordKind::Text => {
                self.take_text(game);
                return None;
            }
            WordKind::MoveWithText(has_number)
                if !has_number && (self.last_number.is_none() || self.moves_after_number > 1) =>
            {
                self.take_text(game);
                return None;
            }
            WordKind::Result => {
                self.advance(word.len());
                return self.take_result(game, word, worded_result(word)?);
            }
            _ => {}
        }
        self.advance(word.len());
        // A star behind the last move is the result, others are marks.
        let before_star = word.strip_suffix('*').filter(|mv| mv.contains(char::is_alphanumeric));
        let (word, star) = match before_star {
            Some(mv) => (mv, Some(GameResult::Unknown)),
            None => (word, None),
        };
        let behind = self.push_word(game, word);
        if let Some(result) = worded_result(behind) {
            return self.take_result(game, behind, result);
        }
        if !behind.is_empty() {
            game.tokens.push((self.line, Token::Text(behind)));
        }
        star.and_then(|result| self.take_result(game, "*", result))
    }

    /// Takes the text that begins here in the middle of a line.
    fn take_text(&mut self, game: &mut RawGame<'a>) {
        let line = self.rest_of_line();
        let before = self.text[..self.at].chars().next_back();
        let length = match before.filter(|c| SEPARATORS.contains(c)) {
            // A remark between moves that commas divide, `炮二平五，当头炮，马8进7`.
            Some(_) => word_length(line),
            None => text_length(line, self.depth).max(word_length(line)),
        };
        game.tokens.push((self.line, Token::Text(line[..length].trim())));
        self.advance(length);
    }

    /// Takes a line of text, or its part before the moves. Returns false if the line begins with a
    /// move, a result or a sign.
    fn take_line_of_text(&mut self, game: &mut RawGame<'a>) -> bool {
        let line = self.rest_of_line();
        // A comment in braces is one in a line of text too.
        let line = &line[..line.find('{').unwrap_or(line.len())];
        match heading_of(line) {
            Some(Heading::MainLine(result)) => {
                if let Some(result) = result.filter(|_| game.tag("Result").is_none()) {
                    game.tags.push(("Result".to_owned(), result.text().to_owned()));
                }
                self.advance(self.line_length());
                return true;
            }
            Some(Heading::Section(section)) if self.has_moves => {
                game.tokens.push((self.line, Token::Section(section)));
                (self.number, self.last_number, self.dots) = (None, None, None);
                self.advance(self.line_length());
                return true;
            }
            _ => {}
        }
        if let Some((number, is_black, text)) = note(line).filter(|_| self.has_moves) {
            game.tokens.push((self.line, Token::Note(number, is_black, text)));
            self.advance(self.line_length());
            return true;
        }
        if !self.has_moves
            && line.matches('/').count() > 8
            && game.tag("FEN").is_none()
            && Board::from_fen(line).is_ok()
        {
            game.tags.push(("FEN".to_owned(), line.trim().to_owned()));
            self.advance(line.len());
            self.tag_end = self.at;
            return true;
        }
        let Some(length) = text_at_start(line, |number| self.can_follow(number)) else {
            return false;
        };
        // A remark in brackets that is all of the line.
        if let Some(first) = line.chars().next().filter(|&c| is_bracket(c))
            && self
                .closing_bracket(first)
                .is_some_and(|end| line[end.min(line.len())..].trim().is_empty())
        {
            return false;
        }
        game.tokens.push((self.line, Token::Text(line[..length].trim())));
        self.advance(length);
        true
    }

    /// Returns whether a move with this number can be the next one.
    fn can_follow(&self, number: u32) -> bool {
        self.last_number.is_none_or(|last| {
            number == last + 1 || (number == last && self.moves_after_number < 2)
        })
    }

    /// Returns whether the numbers say that the moves of the line that begins here leave the line
    /// before, as those of a variation that a text announces.
    fn begins_variation(&mut self, game: &RawGame<'a>) -> bool {
        let after_text = matches!(game.tokens.last(), Some((_, Token::Text(_))));
        if !after_text && self.text[self.text_end..self.at].matches('\n').count() < 2 {
            return false;
        }
        let number = first_move_number(self.rest_of_line());
        let moves = self.moves_after_number;
        number.zip(self.last_number).is_some_and(|((number, is_black), last)| {
            number > 1 && (number < last || (number == last && !is_black && moves > 1))
        })
    }

    /// Returns whether the line that begins here is of the next game: it begins with the number 1
    /// after an empty line or a text, or it is a title before such a line or before headings.
    fn begins_other_game(&mut self) -> bool {
        let line = self.rest_of_line();
        let is_later = self.moves_after_number > 1 || self.last_number.is_none_or(|last| last > 1);
        if first_move_number(line) == Some((1, false)) {
            let between = self.text[self.text_end..self.at].matches('\n').count();
            return between > 1 && is_later;
        }
        let behind = &self.text[self.line_end..];
        let next = behind.trim_start();
        let next_line = &next[..next.find('\n').unwrap_or(next.len())];
        let is_adjacent = behind[..behind.len() - next.len()].matches('\n').count() < 2;
        let is_head = is_quoted_tag(next_line) || !headings(next_line, false).is_empty();
        let begins_game = (is_adjacent && is_head)
            || (is_later && first_move_number(next_line) == Some((1, false)));
        begins_game
            && heading_of(line).is_none()
            && text_at_start(line, |number| self.can_follow(number)) == Some(line.len())
    }

    /// Takes a result at the word that was just read. Returns it if it ends the game: not if a
    /// further move of the game follows.
    fn take_result(
        &mut self,
        game: &mut RawGame<'a>,
        text: &'a str,
        result: GameResult,
    ) -> Option<GameResult> {
        if self.depth > 0 {
            // The tree of moves has no place for the result of a variation.
            if result != GameResult::Unknown {
                game.tokens.push((self.line, Token::Comment(text)));
            }
            return None;
        }
        let goes_on = if self.has_moves {
            self.game_goes_on(text)
        } else {
            // A text for people may name the result at its head.
            !game.tags.is_empty()
                && result != GameResult::Unknown
                && first_move_number(self.rest().trim_start()) == Some((1, false))
        };
        if !goes_on {
            return Some(result);
        }
        if result != GameResult::Unknown {
            game.tokens.push((self.line, Token::Comment(text)));
            game.result = Some(result);
        }
        None
    }

    /// Returns whether a move that cannot begin a game follows the result or the mark that was just
    /// read: by its number, or without one behind a star on the same line.
    fn game_goes_on(&mut self, text: &str) -> bool {
        /// More characters than a number and a move have.
        const HEAD: usize = 80;
        let rest = self.rest();
        let next = rest.trim_start();
        let ends = |&(at, c): &(usize, char)| c == '\n' || at > HEAD;
        let line = &next[..next.char_indices().find(ends).map_or(next.len(), |(at, _)| at)];
        if matches!(heading_of(line), Some(Heading::Section(_))) {
            return true;
        }
        let is_on_line = !rest[..rest.len() - next.len()].contains('\n');
        match (first_move_number(line), self.last_number) {
            (Some((number, is_black)), Some(last)) => {
                number > 1 && (number == last + 1 || (number == last && is_black))
            }
            (Some(_), None) => false,
            (None, _) => {
                is_on_line && text == "*" && self.has_moves && {
                    let length = if line.is_empty() { 0 } else { word_length(line) };
                    word_kind(&line[..length]) == WordKind::Move
                }
            }
        }
    }

    /// Returns whether a variation begins with the parenthesis here, not a remark.
    fn opens_variation(&self) -> bool {
        /// More characters than the number and the first move of a variation.
        const HEAD: usize = 80;
        let inner = &self.rest()[1..];
        let ends = |&(at, c): &(usize, char)| at >= HEAD || "(){}（）;$".contains(c);
        let end = inner.char_indices().find(ends).map_or(inner.len(), |(at, _)| at);
        let (head, behind) = inner.split_at(end);
        if head.trim().is_empty() {
            return !behind.starts_with('（');
        }
        match first_kind(head) {
            Some(kind) => kind == WordKind::Move,
            // `(1... {a comment} H8+7)`
            None => behind.starts_with(['{', '(', ';', '$']),
        }
    }

    /// Takes a text in brackets: a remark, a number or a mark. A bracket that is not closed, or that
    /// closes nothing, is left out.
    fn bracket(&mut self, open: char, game: &mut RawGame<'a>) {
        let Some(length) = self.closing_bracket(open) else {
            self.advance(open.len_utf8());
            return;
        };
        let inside = &self.rest()[open.len_utf8()..length];
        let inside = inside.strip_suffix(|c| is_bracket(c) || c == ')').unwrap_or(inside).trim();
        if is_bracketed_number(inside) {
            self.take_number(inside);
        } else if let Some(glyph) = glyph(inside) {
            game.tokens.push((self.line, Token::Glyph(glyph)));
        } else if inside.contains(char::is_alphanumeric) {
            game.tokens.push((self.line, Token::Comment(inside)));
        }
        self.advance(length);
    }

    /// Returns the bytes up to and with the bracket that closes the one here, which stands before
    /// the next empty line.
    fn closing_bracket(&mut self, open: char) -> Option<usize> {
        const PAIRS: [(&str, &str); 7] = [
            ("(（", ")）"),
            ("【", "】"),
            ("〔", "〕"),
            ("［", "］"),
            ("「『", "」』"),
            ("〈", "〉"),
            ("《", "》"),
        ];
        /// More bytes than remarks have.
        const LONGEST: usize = 10_000;
        let (opens, closes) = PAIRS.into_iter().find(|(opens, _)| opens.contains(open))?;
        if self.at < self.unclosed {
            return None;
        }
        let mut depth = 0_usize;
        let mut line_is_empty = false;
        let rest = self.rest();
        for (at, c) in rest.char_indices() {
            if c == '\n' && (line_is_empty || at > LONGEST) {
                self.unclosed = self.at + at;
                return None;
            }
            line_is_empty = c == '\n' || (line_is_empty && c.is_whitespace());
            if opens.contains(c) {
                depth += 1;
            } else if closes.contains(c) {
                depth -= 1;
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
        }
        self.unclosed = self.text.len();
        None
    }

    /// Adds the tokens of a word: none for a number, else moves with their signs and marks. Returns
    /// the text behind the last move.
    fn push_word(&mut self, game: &mut RawGame<'a>, word: &'a str) -> &'a str {
        let (parts, rest) = word_parts(word);
        if parts.is_empty() {
            return self.push_other(game, word);
        }
        for part in parts {
            match part {
                WordPart::Number(number) => self.take_number(number),
                WordPart::Move(text) => self.push_move(game, text),
                WordPart::Sign(sign) => {
                    game.tokens.extend(glyph(sign).map(|glyph| (self.line, Token::Glyph(glyph))));
                }
                WordPart::Mark(mark) => {
                    let is_known = mark.contains(char::is_alphanumeric) && mark != "B";
                    game.tokens.extend(is_known.then_some((self.line, Token::Comment(mark))));
                }
            }
        }
        rest
    }

    /// Adds the tokens of a word without a move: one that is meant as a move, a null move, or a sign
    /// alone.
    fn push_other(&mut self, game: &mut RawGame<'a>, word: &'a str) -> &'a str {
        let text = without_number(word);
        self.take_number(&word[..word.len() - text.len()]);
        let mv = text.trim_end_matches(['!', '?', '！', '？']);
        let is_sign = word_kind(word) == WordKind::Sign;
        let is_null = is_null_move(mv) && !self.is_line_before(word);
        if is_null || (!is_sign && mv.contains(char::is_alphanumeric)) {
            self.push_move(game, mv);
            game.tokens.extend(glyph(&text[mv.len()..]).map(|one| (self.line, Token::Glyph(one))));
        } else if self.has_moves {
            game.tokens.extend(glyph(text).map(|glyph| (self.line, Token::Glyph(glyph))));
        }
        ""
    }

    /// Adds a move with its number, or dots that stand in place of one before it.
    fn push_move(&mut self, game: &mut RawGame<'a>, mv: &'a str) {
        let mut dots = self.dots.take().filter(|dots| dots.is_numbered);
        if !std::mem::replace(&mut self.has_moves, true) {
            let before = &self.text[..mv.as_ptr() as usize - self.text.as_ptr() as usize];
            let first = Dots { line: self.line, text: "...", is_numbered: true };
            dots = ends_with_black_number(before).then_some(first);
        }
        game.tokens.extend(dots.map(|dots| (dots.line, Token::Dots(dots.text))));
        if let Some((number, is_black)) = self.number.take() {
            game.tokens.push((self.line, Token::Number(number, is_black)));
        }
        self.moves_after_number += 1;
        game.tokens.push((self.line, Token::Word(mv)));
    }

    /// Takes notice of the number before a move, or of dots alone.
    fn take_number(&mut self, number: &'a str) {
        let (value, is_black) = number_value(number);
        if let Some(value) = value {
            (self.number, self.last_number) = (Some((value, is_black)), Some(value));
            self.moves_after_number = 0;
        } else if let Some((_, side)) = &mut self.number {
            *side |= is_black;
        }
        let dots = number.trim_start_matches(|c: char| c.is_alphanumeric());
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

/// Returns the glyph that a sign stands for: of annotation, such as `!?`, or of evaluation.
fn glyph(sign: &str) -> Option<u8> {
    let annotation = sign.replace('！', "!").replace('？', "?");
    let known = GLYPH_SIGNS.iter().zip(1..).find(|(known, _)| **known == annotation);
    known.map(|(_, number)| number).or_else(|| assessment_glyph(sign))
}

/// Returns whether a word is a null move, `--`.
fn is_null_move(word: &str) -> bool {
    word.chars().count() == 2 && word.chars().all(|c| "-–—－".contains(c))
}

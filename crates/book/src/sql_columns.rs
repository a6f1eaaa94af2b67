//! The stored columns of a table of a SQLite file, read from the text that created it
//! (sqlite.org/lang_createtable.html).

use super::sql_value::SqlValue;

/// Words that begin a constraint of the table, after the last column.
const CONSTRAINTS: [&str; 5] = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

/// The maximum length of a text as default, so that reading one for each row is quick.
const MAX_DEFAULT: usize = 64;

/// A column whose values are stored.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// The value in rows that are older than the column; `None` if it is not written as a plain
    /// value.
    pub(super) default: Option<SqlValue>,
}

/// Returns the columns in the order of their values in a row.
pub(super) fn columns(sql: &str) -> Vec<Column> {
    let tokens = tokens(sql);
    let first = tokens.iter().position(|token| *token == Token::Sign('('));
    let last = tokens.iter().rposition(|token| *token == Token::Sign(')'));
    let inside = first.zip(last).and_then(|(first, last)| tokens.get(first + 1..last));
    let mut depth = 0;
    let definitions = inside.unwrap_or_default().split(|token| {
        depth = token.depth(depth);
        depth == 0 && *token == Token::Sign(',')
    });
    let definitions = definitions.map_while(Definition::of);
    definitions.filter(|definition| !definition.is_virtual()).map(|one| one.column()).collect()
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A keyword, name or number.
    Word(String),
    /// A name or text in quotes, without them.
    Quoted(String),
    /// Any other character.
    Sign(char),
}

impl Token {
    /// Returns the number of open parentheses after the token.
    fn depth(&self, before: usize) -> usize {
        match self {
            Token::Sign('(') => before + 1,
            Token::Sign(')') => before.saturating_sub(1),
            _ => before,
        }
    }
}

/// Returns the parts of a text without comments.
fn tokens(sql: &str) -> Vec<Token> {
    let (mut tokens, mut rest) = (Vec::new(), sql);
    let is_word = |c: char| c.is_alphanumeric() || !c.is_ascii() || "_$.".contains(c);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let comment = [("--", "\n"), ("/*", "*/")]
            .into_iter()
            .find_map(|(begin, end)| Some((rest.strip_prefix(begin)?, end)));
        if let Some((comment, end)) = comment {
            rest = comment.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let mut characters = rest.chars();
        let Some(first) = characters.next() else { return tokens };
        let token;
        (token, rest) = match first {
            '"' | '`' | '\'' => quoted(characters.as_str(), first),
            '[' => quoted(characters.as_str(), ']'),
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                (Token::Word(word.to_owned()), after)
            }
            _ => (Token::Sign(first), characters.as_str()),
        };
        tokens.push(token);
    }
}

/// Returns the text up to a closing quote, which is doubled within the text, and what follows it.
fn quoted(mut rest: &str, close: char) -> (Token, &str) {
    let mut text = String::new();
    while let Some((part, after)) = rest.split_once(close) {
        text += part;
        let Some(more) = after.strip_prefix(close).filter(|_| close != ']') else {
            return (Token::Quoted(text), after);
        };
        text.push(close);
        rest = more;
    }
    (Token::Quoted(text + rest), "")
}

/// The parts that define a column.
struct Definition<'a> {
    name: &'a str,
    tokens: &'a [Token],
}

impl<'a> Definition<'a> {
    /// Returns `None` for a constraint of the table.
    fn of(tokens: &'a [Token]) -> Option<Definition<'a>> {
        let name = match tokens.first()? {
            Token::Word(word) => {
                let is_constraint = CONSTRAINTS.iter().any(|one| word.eq_ignore_ascii_case(one));
                Some(word).filter(|_| !is_constraint)?
            }
            Token::Quoted(name) => name,
            Token::Sign(_) => return None,
        };
        Some(Definition { name, tokens })
    }

    /// Returns what follows a keyword outside parentheses.
    fn after(&self, keyword: &str) -> Option<&'a [Token]> {
        let mut depth = 0;
        let at = self.tokens.iter().skip(1).position(|token| {
            depth = token.depth(depth);
            depth == 0 && matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
        })?;
        self.tokens.get(at + 2..)
    }

    /// Returns whether the values are computed when they are read, and not stored.
    fn is_virtual(&self) -> bool {
        self.after("AS").is_some() && self.after("STORED").is_none()
    }

    fn column(&self) -> Column {
        let default = self.after("DEFAULT").map_or(Some(SqlValue::Null), plain_value);
        Column { name: self.name.to_owned(), default }
    }
}

/// Returns the value at the beginning, which may be in parentheses; `None` for an expression.
fn plain_value(tokens: &[Token]) -> Option<SqlValue> {
    let value = match tokens {
        [Token::Sign('('), inside @ ..] => inside.split(|token| *token == Token::Sign(')')).next(),
        [Token::Sign(_), ..] => tokens.get(..2),
        _ => tokens.get(..1),
    };
    let (sign, word) = match value? {
        [Token::Quoted(text)] if text.len() <= MAX_DEFAULT => {
            return Some(SqlValue::Bytes(text.clone().into_bytes()));
        }
        [Token::Word(word)] => ("", word),
        [Token::Sign('+'), Token::Word(word)] => ("", word),
        [Token::Sign('-'), Token::Word(word)] => ("-", word),
        _ => return None,
    };
    match word.to_ascii_uppercase().as_str() {
        "NULL" => Some(SqlValue::Null),
        "TRUE" => Some(SqlValue::Integer(1)),
        "FALSE" => Some(SqlValue::Integer(0)),
        number if number.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            let number = format!("{sign}{number}");
            let real = || number.parse().ok().map(|real: f64| SqlValue::Real(real.to_bits()));
            number.parse().ok().map(SqlValue::Integer).or_else(real)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<String> {
        columns(sql).into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn names_of_columns_are_read_with_their_quotes_and_types() {
        let sql =
            "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, \"vkey\" NUMERIC(20, 0), [vmove] int)";
        assert_eq!(names(sql), ["id", "vkey", "vmove"]);
        assert_eq!(
            names("CREATE TABLE \"a(b\"(`c``d`, 'e,f' text, \"g\"INTEGER)"),
            ["c`d", "e,f", "g"]
        );
        let sql = "CREATE TABLE t(a, b, UNIQUE (a, b), CHECK (a > 0)) STRICT";
        assert_eq!(names(sql), ["a", "b"]);
        for sql in ["nonsense", "", "(", ")(", "CREATE TABLE t(", "CREATE TABLE t([a"] {
            assert_eq!(names(sql), <[&str; 0]>::default(), "{sql}");
        }
    }

    #[test]
    fn comments_are_no_columns() {
        let sql = "CREATE TABLE t(a INTEGER, /* b, (c */ d INTEGER, -- e, 'f\n g) -- h)";
        assert_eq!(names(sql), ["a", "d", "g"]);
    }

    #[test]
    fn defaults_do_not_end_a_column_and_virtual_columns_are_not_stored() {
        let sql = "CREATE TABLE t(v INT GENERATED ALWAYS AS (a + 1), a TEXT DEFAULT '(', \
                   b AS (a) STORED, c DEFAULT ',', w INT AS (max(a, 2)) VIRTUAL, d)";
        assert_eq!(names(sql), ["a", "b", "c", "d"]);
    }

    #[test]
    fn plain_defaults_are_values() {
        let text = |text: &str| Some(SqlValue::Bytes(text.as_bytes().to_vec()));
        for (sql, expected) in [
            ("INTEGER", Some(SqlValue::Null)),
            ("INTEGER NOT NULL DEFAULT 7", Some(SqlValue::Integer(7))),
            ("default(-3) NOT NULL", Some(SqlValue::Integer(-3))),
            ("DEFAULT +2.5", Some(SqlValue::Real(2.5_f64.to_bits()))),
            ("DEFAULT NULL", Some(SqlValue::Null)),
            ("DEFAULT false", Some(SqlValue::Integer(0))),
            ("DEFAULT 'it''s'", text("it's")),
            ("DEFAULT (1 + 1)", None),
            ("DEFAULT CURRENT_TIME", None),
            ("DEFAULT nan", None),
            ("DEFAULT x'00'", None),
            ("DEFAULT", None),
        ] {
            let columns = columns(&format!("CREATE TABLE t(a {sql}, b)"));
            assert_eq!(columns[0].default, expected, "{sql}");
            assert_eq!(columns[1].name, "b", "{sql}");
        }
    }
}

//! Reads the rows of one table of a SQLite file (sqlite.org/fileformat2.html): B-tree pages of tables
//! with row numbers, overflow pages, and the schema. Nothing is written, and no index is used.

use std::borrow::Cow;
use std::collections::HashSet;

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Bytes kept of a row; the columns of numbers come first.
const MAX_ROW: usize = 1 << 16;

/// The value of a column.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SqlValue {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// The bits of a floating-point number.
    Real(u64),
    /// A text or blob.
    Bytes(Vec<u8>),
}

impl SqlValue {
    /// Returns a whole number, also of decimal text; 0 for anything else.
    pub(super) fn integer(&self) -> i64 {
        match self {
            SqlValue::Integer(value) => *value,
            SqlValue::Real(bits) => f64::from_bits(*bits) as i64,
            SqlValue::Bytes(_) => {
                self.text().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
            }
            SqlValue::Null => 0,
        }
    }

    /// Returns an ASCII text; in UTF-16 the other byte of a character is zero.
    pub(super) fn text(&self) -> Option<String> {
        let SqlValue::Bytes(bytes) = self else { return None };
        let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
        String::from_utf8(text).ok().filter(|text| text.is_ascii())
    }
}

/// A file in memory.
pub(super) struct SqliteFile<'a> {
    bytes: &'a [u8],
    page_size: usize,
    /// Bytes of a page without those that are reserved for extensions.
    usable: usize,
}

/// The reason why a file cannot be read.
pub(super) type Damage = Cow<'static, str>;

const DAMAGED: Damage = Cow::Borrowed("a page is damaged");

/// The maximum number of names in a message.
const MAX_NAMES: usize = 10;

/// The maximum length of a name in a message, in characters.
const MAX_NAME_LENGTH: usize = 30;

/// Lists names of a file.
fn listed(names: &[String]) -> String {
    let clean = |name: &String| -> String {
        let seen = name.chars().filter(|c| !c.is_control());
        seen.take(MAX_NAME_LENGTH).collect()
    };
    let more = if names.len() > MAX_NAMES { ", .." } else { "" };
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(clean).collect();
    format!("{}{more}", names.join(", "))
}

impl<'a> SqliteFile<'a> {
    /// Returns whether the bytes begin as a SQLite file.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads the header of a file.
    pub(super) fn open(bytes: &'a [u8]) -> Result<SqliteFile<'a>, Damage> {
        let page_size = match number(bytes, 16, 2)? {
            1 => 65_536,
            size => size as usize,
        };
        let reserved = number(bytes, 20, 1)? as usize;
        if !page_size.is_power_of_two() || page_size < 512 || reserved > page_size - 480 {
            return Err("its page size is not one of SQLite".into());
        }
        Ok(SqliteFile { bytes, page_size, usable: page_size - reserved })
    }

    /// Calls `visit` with the values of each row of a table, in the order of these columns. The first
    /// `needed` ones must be there; another that is missing is [`SqlValue::Null`].
    pub(super) fn rows(
        &self,
        table: &str,
        columns: &[&str],
        needed: usize,
        mut visit: impl FnMut(&[SqlValue]),
    ) -> Result<(), Damage> {
        let (root, sql) = self.find_table(table)?;
        let names = column_names(&sql);
        let places: Vec<Option<usize>> = columns
            .iter()
            .map(|column| names.iter().position(|name| name.eq_ignore_ascii_case(column)))
            .collect();
        if let Some((column, _)) =
            columns.iter().zip(&places).take(needed).find(|(_, place)| place.is_none())
        {
            let names = listed(&names);
            return Err(format!("its table {table} has no column {column}, but {names}").into());
        }
        self.visit_rows(root, |values| {
            let value = |place: &Option<usize>| place.and_then(|at| values.get(at).cloned());
            let chosen: Vec<SqlValue> =
                places.iter().map(|place| value(place).unwrap_or(SqlValue::Null)).collect();
            visit(&chosen);
        })
    }

    /// Returns the first page of a table and the text that created it.
    fn find_table(&self, table: &str) -> Result<(usize, String), Damage> {
        let (mut found, mut others) = (None, Vec::new());
        self.visit_rows(1, |values| {
            // type, name, tbl_name, rootpage, sql
            let text = |at: usize| match values.get(at) {
                // All names of interest are ASCII; the other byte of UTF-16 is zero.
                Some(SqlValue::Bytes(text)) => {
                    let text: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
                    String::from_utf8_lossy(&text).into_owned()
                }
                _ => String::new(),
            };
            if text(0) != "table" {
                return;
            }
            if text(1).eq_ignore_ascii_case(table) {
                let root = values.get(3).map_or(0, SqlValue::integer);
                found = usize::try_from(root).ok().map(|root| (root, text(4)));
            } else if !text(1).starts_with("sqlite_") {
                others.push(text(1));
            }
        })?;
        found.ok_or_else(|| match &others[..] {
            [] => format!("it has no table {table}").into(),
            others => format!("it has no table {table}, but {}", listed(others)).into(),
        })
    }

    fn page(&self, number: usize) -> Result<&'a [u8], Damage> {
        let start = number.checked_sub(1).and_then(|index| index.checked_mul(self.page_size));
        let start = start.ok_or(DAMAGED)?;
        self.bytes.get(start..start + self.usable).ok_or(Cow::Borrowed("it is truncated"))
    }

    /// Visits the rows of the table whose first page this is.
    fn visit_rows(&self, root: usize, mut visit: impl FnMut(&[SqlValue])) -> Result<(), Damage> {
        let mut pages = vec![root];
        let mut seen = HashSet::new();
        while let Some(page_number) = pages.pop() {
            if !seen.insert(page_number) {
                return Err(DAMAGED);
            }
            let page = self.page(page_number)?;
            // The first page begins with the header of the file.
            let header = if page_number == 1 { 100 } else { 0 };
            let cells = number(page, header + 3, 2)? as usize;
            let (is_leaf, first) = match number(page, header, 1)? {
                0x0D => (true, header + 8),
                0x05 => (false, header + 12),
                _ => return Err("its table is not one with row numbers".into()),
            };
            let mut children = Vec::new();
            for cell in 0..cells {
                let at = number(page, first + 2 * cell, 2)? as usize;
                if is_leaf {
                    let row = self.row(page, at)?;
                    visit(&values(&row)?);
                } else {
                    children.push(number(page, at, 4)? as usize);
                }
            }
            if !is_leaf {
                children.push(number(page, header + 8, 4)? as usize);
            }
            pages.extend(children.into_iter().rev());
        }
        Ok(())
    }

    /// Returns the bytes of the row of a cell, as many as are of interest.
    fn row(&self, page: &[u8], at: usize) -> Result<Vec<u8>, Damage> {
        let (length, used) = varint(page, at)?;
        let (_, used_by_number) = varint(page, at + used)?;
        let start = at + used + used_by_number;
        let length = usize::try_from(length).map_err(|_| DAMAGED)?;
        let most = self.usable - 35;
        let least = (self.usable - 12) * 32 / 255 - 23;
        let local = if length <= most {
            length
        } else {
            let rest = least + (length - least) % (self.usable - 4);
            if rest <= most { rest } else { least }
        };
        let mut row = page.get(start..start + local).ok_or(DAMAGED)?.to_vec();
        let wanted = length.min(MAX_ROW);
        let mut next = if local < length { number(page, start + local, 4)? as usize } else { 0 };
        while row.len() < wanted {
            let overflow = self.page(next)?;
            next = number(overflow, 0, 4)? as usize;
            let part = overflow.get(4..).ok_or(DAMAGED)?;
            row.extend_from_slice(part.get(..part.len().min(length - row.len())).ok_or(DAMAGED)?);
        }
        Ok(row)
    }
}

/// Returns the values of a row, up to the first whose bytes were not kept.
fn values(row: &[u8]) -> Result<Vec<SqlValue>, Damage> {
    let (header, mut at) = varint(row, 0)?;
    let header = usize::try_from(header).map_err(|_| DAMAGED)?;
    let (mut data, mut values) = (header, Vec::new());
    while at < header {
        let (kind, used) = varint(row, at)?;
        at += used;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return Err(DAMAGED),
            _ => usize::try_from((kind - 12) / 2).map_err(|_| DAMAGED)?,
        };
        let end = data.checked_add(length).ok_or(DAMAGED)?;
        let Some(bytes) = row.get(data..end) else { break };
        data = end;
        values.push(match kind {
            0 => SqlValue::Null,
            8 => SqlValue::Integer(0),
            9 => SqlValue::Integer(1),
            7 => SqlValue::Real(unsigned(bytes)),
            1..=6 => {
                let unused = 64 - 8 * length as u32;
                SqlValue::Integer((unsigned(bytes) << unused).cast_signed() >> unused)
            }
            _ => SqlValue::Bytes(bytes.to_vec()),
        });
    }
    Ok(values)
}

/// Returns the names of the columns in the text that created a table.
fn column_names(sql: &str) -> Vec<String> {
    let inside = sql.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let mut depth = 0_usize;
    let parts = inside.map_or("", |(inside, _)| inside).split(|c: char| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    });
    let name = |part: &str| {
        let word = part.split_whitespace().next().unwrap_or_default();
        word.trim_matches(['"', '`', '\'', '[', ']']).to_owned()
    };
    parts.map(name).collect()
}

fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Reads a number of this many bytes, the highest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Result<u64, Damage> {
    bytes.get(at..at + length).map(unsigned).ok_or(Cow::Borrowed("it is truncated"))
}

/// Reads a number of variable length; returns it with the bytes it took.
fn varint(bytes: &[u8], at: usize) -> Result<(u64, usize), Damage> {
    let mut value = 0;
    for used in 1..=9 {
        let byte = *bytes.get(at + used - 1).ok_or(DAMAGED)?;
        if used == 9 {
            return Ok((value << 8 | u64::from(byte), used));
        }
        value = value << 7 | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Ok((value, used));
        }
    }
    Err(DAMAGED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_read_with_their_quotes_and_types() {
        let sql =
            "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, \"vkey\" NUMERIC(20, 0), [vmove] int)";
        assert_eq!(column_names(sql), ["id", "vkey", "vmove"]);
        assert_eq!(column_names("nonsense"), [""]);
    }

    #[test]
    fn numbers_of_variable_length_have_up_to_nine_bytes() {
        assert_eq!(varint(&[0x7F], 0), Ok((127, 1)));
        assert_eq!(varint(&[0x81, 0x00], 0), Ok((128, 2)));
        assert_eq!(varint(&[0xFF; 9], 0), Ok((u64::MAX, 9)));
        assert!(varint(&[0x80], 0).is_err());
    }

    #[test]
    fn values_have_their_signs() {
        let row = [6, 1, 2, 8, 9, 0, 0xFF, 0x01, 0x00];
        let expected = [-1, 256, 0, 1].map(SqlValue::Integer);
        let read = values(&row).expect("a row");
        assert_eq!(read[..4], expected);
        assert_eq!(read[4], SqlValue::Null);
    }
}

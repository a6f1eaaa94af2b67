//! Reads the rows of one table of a SQLite file (sqlite.org/fileformat2.html): B-tree pages of
//! tables with row numbers, overflow pages, and the schema. Nothing is written, and no index is
//! used.

use std::borrow::Cow;
use std::collections::HashSet;

use super::sql_columns::columns;
use super::sql_value::SqlValue;

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The maximum length of the text that creates a table.
const MAX_SQL: usize = 1 << 20;

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

    /// Calls `visit` with the values of each row of a table, in the order of these columns. The
    /// first `needed` ones must be there; another that is missing is [`SqlValue::Null`].
    pub(super) fn rows(
        &self,
        table: &str,
        wanted: &[&str],
        needed: usize,
        mut visit: impl FnMut(&[&SqlValue]),
    ) -> Result<(), Damage> {
        let (root, sql) = self.find_table(table)?;
        let columns = columns(&sql);
        let places: Vec<Option<usize>> = wanted
            .iter()
            .map(|name| columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
            .collect();
        if let Some((name, _)) =
            wanted.iter().zip(&places).take(needed).find(|(_, place)| place.is_none())
        {
            let names: Vec<String> = columns.into_iter().map(|column| column.name).collect();
            let names = listed(&names);
            return Err(format!("its table {table} has no column {name}, but {names}").into());
        }
        let length = places.iter().flatten().max().map_or(0, |last| last + 1);
        self.visit_rows(root, length, |values| {
            let value = |place: &Option<usize>| {
                let Some(column) = place.and_then(|at| columns.get(at)) else {
                    return Ok(&SqlValue::Null);
                };
                // A row that is older than the column ends before it.
                let stored = place.and_then(|at| values.get(at)).or(column.default.as_ref());
                stored.ok_or_else(|| {
                    let name = listed(std::slice::from_ref(&column.name));
                    Damage::from(format!("the default of its column {name} is no plain value"))
                })
            };
            let chosen: Vec<&SqlValue> = places.iter().map(value).collect::<Result<_, _>>()?;
            visit(&chosen);
            Ok(())
        })
    }

    /// Returns the first page of a table and the text that created it.
    fn find_table(&self, table: &str) -> Result<(usize, String), Damage> {
        let (mut found, mut others) = (None, Vec::new());
        // type, name, tbl_name, rootpage, sql
        self.visit_rows(1, 5, |values| {
            let text = |at: usize| match values.get(at) {
                Some(SqlValue::Bytes(text)) => self.decoded(text),
                _ => String::new(),
            };
            if text(0) != "table" {
                return Ok(());
            }
            let name = text(1);
            if name.eq_ignore_ascii_case(table) {
                let root = values.get(3).map_or(0, SqlValue::integer);
                found = usize::try_from(root).ok().map(|root| (root, text(4)));
            } else if !name.starts_with("sqlite_") {
                others.push(name);
            }
            Ok(())
        })?;
        match (found, &others[..]) {
            (Some((_, sql)), _) if sql.len() > MAX_SQL => Err(DAMAGED),
            (Some(found), _) => Ok(found),
            (None, []) => Err(format!("it has no table {table}").into()),
            (None, others) => {
                Err(format!("it has no table {table}, but {}", listed(others)).into())
            }
        }
    }

    /// Returns a text of the file in its encoding.
    fn decoded(&self, text: &[u8]) -> String {
        let units: fn([u8; 2]) -> u16 = match number(self.bytes, 56, 4) {
            Ok(2) => u16::from_le_bytes,
            Ok(3) => u16::from_be_bytes,
            _ => return String::from_utf8_lossy(text).into_owned(),
        };
        let units: Vec<u16> = text.as_chunks().0.iter().copied().map(units).collect();
        String::from_utf16_lossy(&units)
    }

    fn page(&self, number: usize) -> Result<&'a [u8], Damage> {
        let start = number.checked_sub(1).and_then(|index| index.checked_mul(self.page_size));
        let start = start.ok_or(DAMAGED)?;
        self.bytes.get(start..start + self.usable).ok_or(Cow::Borrowed("it is truncated"))
    }

    /// Visits the first `columns` values of each row of the table whose first page this is.
    fn visit_rows(
        &self,
        root: usize,
        columns: usize,
        mut visit: impl FnMut(&[SqlValue]) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        let mut pages = vec![root];
        let mut seen = HashSet::new();
        // All rows together are shorter than the file, unless several cells are the same bytes.
        let mut left = self.bytes.len();
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
                    let row = self.row(page, at, left)?;
                    left -= row.len();
                    visit(&values(&row, columns)?)?;
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

    /// Returns the bytes of the row of a cell.
    ///
    /// # Errors
    /// If there are more than `limit`, or a page is missing.
    fn row(&self, page: &[u8], at: usize, limit: usize) -> Result<Vec<u8>, Damage> {
        let (length, used) = varint(page, at)?;
        let (_, used_by_number) = varint(page, at + used)?;
        let start = at + used + used_by_number;
        let length =
            usize::try_from(length).ok().filter(|&length| length <= limit).ok_or(DAMAGED)?;
        let most = self.usable - 35;
        let least = (self.usable - 12) * 32 / 255 - 23;
        let local = if length <= most {
            length
        } else {
            let rest = least + (length - least) % (self.usable - 4);
            if rest <= most { rest } else { least }
        };
        let mut row = page.get(start..start + local).ok_or(DAMAGED)?.to_vec();
        let mut next = if local < length { number(page, start + local, 4)? as usize } else { 0 };
        while row.len() < length {
            let overflow = self.page(next)?;
            next = number(overflow, 0, 4)? as usize;
            let part = overflow.get(4..).ok_or(DAMAGED)?;
            row.extend_from_slice(part.get(..part.len().min(length - row.len())).ok_or(DAMAGED)?);
        }
        Ok(row)
    }
}

/// Returns the first `columns` values of a row.
fn values(row: &[u8], columns: usize) -> Result<Vec<SqlValue>, Damage> {
    let (header, mut at) = varint(row, 0)?;
    let header = usize::try_from(header).map_err(|_| DAMAGED)?;
    let (mut data, mut values) = (header, Vec::new());
    while at < header && values.len() < columns {
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
        let bytes = row.get(data..end).ok_or(DAMAGED)?;
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
        let read = values(&row, 9).expect("a row");
        assert_eq!(read[..4], expected);
        assert_eq!(read[4], SqlValue::Null);
        assert_eq!(values(&row, 2).expect("a row"), expected[..2]);
    }
}

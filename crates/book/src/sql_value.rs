//! Values of a SQLite file.

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

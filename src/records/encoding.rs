//! Finding out how the text of a file is encoded: UTF-8, GB18030 (which contains GBK and GB2312),
//! Big5 or UTF-16.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};
use thiserror::Error;

/// The text of a file and the name of its encoding.
///
/// A byte-order mark decides, then valid UTF-8. Else the text is read as GB18030 and as Big5, and
/// the reading in which more words look like Chinese moves is taken; GB18030 if both are equal.
pub fn decode_text(bytes: &[u8]) -> (Cow<'_, str>, &'static str) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        let (text, used, _) = encoding.decode(bytes);
        return (text, used.name());
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.into(), UTF_8.name());
    }
    let (gb, _, gb_wrong) = GB18030.decode(bytes);
    let (big5, _, big5_wrong) = BIG5.decode(bytes);
    let merit = |text: &str, wrong: bool| (move_signs(text), !wrong);
    if merit(&big5, big5_wrong) > merit(&gb, gb_wrong) {
        (big5, BIG5.name())
    } else {
        (gb, GB18030.name())
    }
}

/// How often a direction is followed by a digit, as the last two signs of a Chinese move are.
fn move_signs(text: &str) -> usize {
    let is_digit = |c: char| "一二三四五六七八九１２３４５６７８９123456789".contains(c);
    let directions = text.match_indices(['进', '進', '退', '平']);
    directions
        .filter(|(at, sign)| text[at + sign.len()..].chars().next().is_some_and(is_digit))
        .count()
}

/// Decodes a string of a binary file by a Chinese program on Windows.
pub(super) fn decode_gb18030(bytes: &[u8]) -> String {
    // A length that cuts a character leaves one replacement character at the end.
    GB18030.decode_without_bom_handling(bytes).0.trim_end_matches('\u{fffd}').to_owned()
}

/// A text for a binary file of such a program: as many characters as fit into so many bytes.
pub(super) fn encode_gb18030(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let encoded = GB18030.encode(character.encode_utf8(&mut buffer)).0;
        if bytes.len() + encoded.len() > most {
            break;
        }
        bytes.extend_from_slice(&encoded);
    }
    bytes
}

/// The encodings in which text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextEncoding {
    /// UTF-8 without a byte-order mark.
    #[default]
    Utf8,
    /// GB18030, for programs of mainland China.
    Gb18030,
    /// Big5, for programs of Taiwan and Hong Kong. Use traditional characters.
    Big5,
}

/// A name that is not one of [`TextEncoding`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not an encoding; expected utf-8, gb18030 or big5")]
pub struct UnknownEncoding(pub String);

impl TextEncoding {
    const ALL: [TextEncoding; 3] = [TextEncoding::Utf8, TextEncoding::Gb18030, TextEncoding::Big5];

    const fn name(self) -> &'static str {
        match self {
            TextEncoding::Utf8 => "utf-8",
            TextEncoding::Gb18030 => "gb18030",
            TextEncoding::Big5 => "big5",
        }
    }

    /// The bytes of a text.
    ///
    /// # Errors
    /// The first characters that the encoding does not have, each once.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, String> {
        let encoding = match self {
            TextEncoding::Utf8 => UTF_8,
            TextEncoding::Gb18030 => GB18030,
            TextEncoding::Big5 => BIG5,
        };
        let (bytes, _, has_missing) = encoding.encode(text);
        if !has_missing {
            return Ok(bytes.into_owned());
        }
        let mut missing = String::new();
        for character in text.chars() {
            let is_missing = encoding.encode(character.encode_utf8(&mut [0; 4])).2;
            if is_missing && !missing.contains(character) {
                missing.push(character);
            }
            if missing.chars().count() == 10 {
                break;
            }
        }
        Err(missing)
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<TextEncoding, UnknownEncoding> {
        let found = TextEncoding::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownEncoding(text.to_owned()))
    }
}

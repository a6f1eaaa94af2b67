//! Detection of the encoding of a text: UTF-8, GB18030 (which contains GBK and GB2312), Big5 or
//! UTF-16, also if a part of it is damaged.

use std::borrow::Cow;
use std::cmp::Ordering;

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use thiserror::Error;

use super::pgn::has_quoted_value;

/// The byte-order mark as a character.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) struct DecodedText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: TextEncoding,
    /// True if bytes do not belong to the encoding; U+FFFD replaces them in the text.
    pub(super) has_wrong_bytes: bool,
}

/// Returns the text of a file and its encoding.
///
/// A byte-order mark decides, then the zero bytes of UTF-16, then valid UTF-8. Else the text is
/// read as GB18030 and as Big5, and the reading in which more words look like Chinese moves or
/// results is taken. If both are equal, as in a game with moves in coordinates, a reading with bytes
/// that are no character is not taken, then common characters decide, and GB18030 is taken where
/// these do not clearly show Big5. UTF-8 with some wrong bytes is
/// taken before these two if most characters are valid. Byte-order marks are left out, also where
/// several files were joined. Where carriage returns alone end the lines, line feeds take their
/// place.
pub fn decode_text(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    let DecodedText { text, encoding, .. } = decode(bytes);
    (text, encoding)
}

/// Decodes as [`decode_text`], and tells whether bytes were wrong.
pub(super) fn decode(bytes: &[u8]) -> DecodedText<'_> {
    let decoded = decode_with_marks(bytes);
    DecodedText { text: with_line_feeds(without_marks(decoded.text)), ..decoded }
}

/// Returns the text with line feeds instead of the carriage returns that ended lines on the
/// Macintosh before 2001, and do where a program takes the line feeds away.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') || !text.contains('\r') {
        return text;
    }
    Cow::Owned(text.replace('\r', "\n"))
}

fn decode_with_marks(bytes: &[u8]) -> DecodedText<'_> {
    let marks: [(&[u8], _); 3] = [
        (b"\xef\xbb\xbf", TextEncoding::Utf8),
        (b"\xff\xfe", TextEncoding::Utf16Le),
        (b"\xfe\xff", TextEncoding::Utf16Be),
    ];
    let marked = marks.into_iter().find(|(mark, _)| bytes.starts_with(mark));
    let decode = |encoding: TextEncoding| {
        let (text, has_wrong_bytes) = encoding.encoding().decode_with_bom_removal(bytes);
        DecodedText { text, encoding, has_wrong_bytes }
    };
    if let Some(encoding) = marked.map(|(_, encoding)| encoding).or_else(|| utf16_by_zeros(bytes)) {
        return decode(encoding);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let encoding = TextEncoding::Utf8;
        return DecodedText { text: text.into(), encoding, has_wrong_bytes: false };
    }
    let (gb, big5) = (decode(TextEncoding::Gb18030), decode(TextEncoding::Big5));
    let is_sound =
        |found: &DecodedText<'_>| !found.has_wrong_bytes && !found.text.contains(is_private);
    let merit = |found: &DecodedText<'_>| (signs(&found.text), is_sound(found));
    let is_big5 = match merit(&big5).cmp(&merit(&gb)) {
        Ordering::Equal => !big5.has_wrong_bytes && has_big5_characters(bytes),
        order => order.is_gt(),
    };
    let chinese = if is_big5 { big5 } else { gb };
    if is_mostly_utf8(bytes) {
        let utf8 = decode(TextEncoding::Utf8);
        if signs(&utf8.text) >= signs(&chinese.text) {
            return utf8;
        }
    }
    chinese
}

/// Returns whether this is a character for private use, as GB18030 has for the pairs of bytes that
/// no character takes.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}')
}

/// Returns whether the pairs of bytes that are a common character in Big5 are more than twice as
/// many as those that are a character of GB2312. GB2312 has no second byte below A1, and Big5 has
/// its common characters below C7, so that neither text looks like the other for long.
fn has_big5_characters(bytes: &[u8]) -> bool {
    let (mut gb, mut big5) = (0_usize, 0_usize);
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if first.is_ascii() {
            continue;
        }
        let Some((second, behind)) = behind.split_first() else { break };
        rest = behind;
        // Letters such as `é` are in row A8 of GB2312, the lines of tables and boards in row A9.
        gb += usize::from(matches!(
            (first, second),
            (0xB0..=0xF7, 0xA1..) | (0xA8, 0xA1..=0xBA) | (0xA9, 0xA4..=0xEF)
        ));
        big5 += usize::from(matches!((first, second), (0xA4..=0xC6, 0x40..=0x7E | 0xA1..)));
    }
    big5 > 2 * gb
}

/// The minimum number of zero bytes that show UTF-16.
const MIN_ZEROS: usize = 4;

/// Recognises UTF-16 without a byte-order mark by its zero bytes, the high bytes of ASCII
/// characters such as line ends. Text in the other encodings has zero bytes only by damage.
fn utf16_by_zeros(bytes: &[u8]) -> Option<TextEncoding> {
    let pairs = bytes.as_chunks::<2>().0;
    let count = |is_counted: &dyn Fn(&[u8; 2]) -> bool| {
        pairs.iter().filter(|pair| is_counted(pair)).count()
    };
    let (even, odd) = (count(&|pair| pair[0] == 0), count(&|pair| pair[1] == 0));
    let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
    // Characters such as `一` (U+4E00) have a zero byte in the other place, and `上` (U+4E0A) has
    // that of a line end.
    let is_most = |zeros: usize, others: usize, end: [u8; 2]| {
        let is_dense = zeros >= MIN_ZEROS && 8 * zeros > pairs.len() && zeros > others;
        is_dense && 2 * count(&|pair| *pair == end) >= ends
    };
    if is_most(odd, even, [b'\n', 0]) {
        Some(TextEncoding::Utf16Le)
    } else if is_most(even, odd, [0, b'\n']) {
        Some(TextEncoding::Utf16Be)
    } else {
        None
    }
}

/// Returns whether the valid characters of UTF-8 beyond ASCII clearly outnumber the wrong places.
/// In Chinese text of another encoding it is the reverse.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut wrong) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    valid > 2 * wrong
}

/// Returns the text without the byte-order marks at the start of lines. One before a tag inside a
/// line is the start of a file that was joined to one without a line end, and becomes the line end;
/// not so in a comment in braces.
fn without_marks(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(BYTE_ORDER_MARK) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    let mut is_comment = false;
    for line in text.split_inclusive('\n') {
        let parts = line.trim_start_matches(BYTE_ORDER_MARK).split(BYTE_ORDER_MARK);
        for (index, part) in parts.enumerate() {
            if index > 0 {
                let begins_file = !is_comment && has_quoted_value(part);
                clean.push(if begins_file { '\n' } else { BYTE_ORDER_MARK });
            }
            clean.push_str(part);
            is_comment =
                part.rfind(['{', '}']).map_or(is_comment, |at| part[at..].starts_with('{'));
        }
    }
    Cow::Owned(clean)
}

/// Returns the number of directions followed by a digit, the last two signs of a Chinese move, and
/// of results.
fn signs(text: &str) -> usize {
    let is_digit = |c: char| "一二三四五六七八九１２３４５６７８９123456789".contains(c);
    let directions = text.match_indices(['进', '進', '退', '平']);
    let moves = directions
        .filter(|(at, sign)| text[at + sign.len()..].chars().next().is_some_and(is_digit))
        .count();
    let results = ["红胜", "紅勝", "黑胜", "黑勝", "方胜", "方勝", "和棋", "和局"];
    moves + results.map(|result| text.matches(result).count()).iter().sum::<usize>()
}

/// Decodes a string of a binary file by a Chinese program on Windows.
pub(super) fn decode_gb18030(bytes: &[u8]) -> String {
    // A length that cuts a character leaves one replacement character at the end.
    GB18030.decode_without_bom_handling(bytes).0.trim_end_matches('\u{fffd}').to_owned()
}

/// Returns a text for a binary file of such a program: the longest prefix that fits into `most`
/// bytes.
pub(super) fn encode_gb18030(text: &str, most: usize) -> Vec<u8> {
    encode_prefix(text, most, |character| GB18030.encode(character).0)
}

/// Returns the longest prefix of a text that fits into `most` bytes; `encode` encodes a character.
pub(super) fn encode_prefix(
    text: &str,
    most: usize,
    encode: impl Fn(&str) -> Cow<'_, [u8]>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let encoded = encode(character.encode_utf8(&mut buffer));
        if bytes.len() + encoded.len() > most {
            break;
        }
        bytes.extend_from_slice(&encoded);
    }
    bytes
}

/// The encodings of texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TextEncoding {
    /// UTF-8 without a byte-order mark.
    #[default]
    Utf8,
    /// GB18030, for programs of mainland China.
    Gb18030,
    /// Big5, for programs of Taiwan and Hong Kong. Use traditional characters.
    Big5,
    /// UTF-16 with the low byte first, for programs of Windows; written with a byte-order mark.
    Utf16Le,
    /// UTF-16 with the high byte first, likewise.
    Utf16Be,
}

/// Error of reading the name of a [`TextEncoding`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not an encoding; expected utf-8, gb18030, big5, utf-16le or utf-16be")]
pub struct ParseEncodingError(pub String);

impl TextEncoding {
    /// All encodings.
    pub const ALL: [TextEncoding; 5] = [
        TextEncoding::Utf8,
        TextEncoding::Gb18030,
        TextEncoding::Big5,
        TextEncoding::Utf16Le,
        TextEncoding::Utf16Be,
    ];

    /// Returns the name in lower case, as the command line gives it.
    pub const fn name(self) -> &'static str {
        match self {
            TextEncoding::Utf8 => "utf-8",
            TextEncoding::Gb18030 => "gb18030",
            TextEncoding::Big5 => "big5",
            TextEncoding::Utf16Le => "utf-16le",
            TextEncoding::Utf16Be => "utf-16be",
        }
    }

    const fn encoding(self) -> &'static Encoding {
        match self {
            TextEncoding::Utf8 => UTF_8,
            TextEncoding::Gb18030 => GB18030,
            TextEncoding::Big5 => BIG5,
            TextEncoding::Utf16Le => UTF_16LE,
            TextEncoding::Utf16Be => UTF_16BE,
        }
    }

    /// Returns the bytes of a text.
    ///
    /// # Errors
    /// The first characters that the encoding does not have, each once.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, String> {
        let units = || std::iter::once(BYTE_ORDER_MARK as u16).chain(text.encode_utf16());
        match self {
            TextEncoding::Utf16Le => return Ok(units().flat_map(u16::to_le_bytes).collect()),
            TextEncoding::Utf16Be => return Ok(units().flat_map(u16::to_be_bytes).collect()),
            _ => {}
        }
        let encoding = self.encoding();
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

crate::text_form::text_by_name!(TextEncoding, TextEncoding::ALL, ParseEncodingError);

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Red \"许银川\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 红胜\n\n";

    #[test]
    fn one_wrong_byte_does_not_hide_that_the_text_is_utf8() {
        let stray = [GAME.as_bytes(), b"[Event \"Open \xe0 Paris\"]\n\n1. h2e2 *\n\n"].concat();
        let cut = &GAME.as_bytes()[..=GAME.find('红').expect("it is there")];
        for bytes in [&stray[..], cut] {
            let decoded = decode(bytes);
            assert_eq!((decoded.encoding, decoded.has_wrong_bytes), (TextEncoding::Utf8, true));
            assert!(decoded.text.starts_with("[Red \"许银川\"]"), "{}", decoded.text);
        }
        for (text, encoding) in [
            (GAME, TextEncoding::Gb18030),
            ("[Red \"許銀川\"]\n\n1. 炮二平五 馬８進７", TextEncoding::Big5),
        ] {
            let mut bytes = encoding.encode(text).expect("all characters");
            bytes.insert(1, 0xff);
            let decoded = decode(&bytes);
            assert_eq!((decoded.encoding, decoded.has_wrong_bytes), (encoding, true));
        }
    }

    #[test]
    fn zero_bytes_in_a_comment_are_not_utf16() {
        let zeros = "\0字".repeat(40);
        let text = format!("[Event \"样局\"]\n\n1. h2e2 {{{zeros}}}\n*\n");
        assert_eq!(decode_text(text.as_bytes()), (text.as_str().into(), TextEncoding::Utf8));
    }

    #[test]
    fn utf16_is_recognised_without_a_mark() {
        for encoding in [TextEncoding::Utf16Le, TextEncoding::Utf16Be] {
            for text in [GAME, "1. 相七进五 一一一一 *\n"] {
                let bytes = encoding.encode(text).expect("all characters");
                assert_eq!(decode_text(&bytes), (Cow::Borrowed(text), encoding));
                assert_eq!(decode_text(&bytes[2..]), (Cow::Borrowed(text), encoding));
            }
        }
    }

    #[test]
    fn big5_is_recognised_by_its_common_characters() {
        let text = |red: &str, event: &str| {
            format!("[Event \"{event}\"]\n[Red \"{red}\"]\n\n1. H2-E2 H9-G7 *\n")
        };
        for (red, event) in [
            ("許銀川", "全國象棋個人賽"),
            ("胡榮華", "五羊杯"),
            ("王天一", "象棋甲級聯賽"),
            // Most of their pairs of bytes are characters of GB2312, and one is none at all.
            ("呂欽", "趙國榮"),
            ("曾益謙", "周世傑"),
        ] {
            let text = text(red, event);
            let bytes = BIG5.encode(&text).0;
            assert_eq!(decode_text(&bytes), (text.as_str().into(), TextEncoding::Big5), "{text}");
            let bytes = GB18030.encode(&text).0;
            assert_eq!(
                decode_text(&bytes),
                (text.as_str().into(), TextEncoding::Gb18030),
                "{text}"
            );
        }
        let names = [
            "许银川",
            "胡荣华",
            "吕钦",
            "赵国荣",
            "王天一",
            "洪智",
            "蒋川",
            "谢靖",
            "孙勇征",
            "汪洋",
            "柳大华",
            "李来群",
            "陶汉明",
            "徐天红",
            "于幼华",
            "李珺",
            "马玥",
            "朱镕",
            "陶喆",
            "黄海林",
            "卜凤波",
            "程鸣",
            "曹岩磊",
            "陈丽淳",
            "唐丹",
            "冯家俊",
            "何文哲",
            "金松",
            "李鸿嘉",
            "党斐",
            "柏春林",
        ];
        let phrases = [
            "",
            "全国象棋个人赛",
            "五羊杯",
            "广东",
            "┌─┬─┐│├─┼─┤└┴┘",
            "José, président",
            "黑方应对不当，被红方攻入卧槽",
            "１２３（ＡＢＣ）",
        ];
        for name in names {
            for phrase in phrases {
                let text = text(name, phrase);
                let bytes = GB18030.encode(&text).0;
                assert_eq!(
                    decode_text(&bytes),
                    (text.as_str().into(), TextEncoding::Gb18030),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn marks_inside_joined_files_are_left_out() {
        let text = "\u{feff}[A \"x\"]\n\n*\n\u{feff}[B \"y\"]\n\n1-0\u{feff}[C \"z\"]\n";
        let expected = "[A \"x\"]\n\n*\n[B \"y\"]\n\n1-0\n[C \"z\"]\n";
        assert_eq!(decode_text(text.as_bytes()).0, expected);
        let comment = "1. h2e2 {a\u{feff}[Event \"b\"]\n\u{feff}c\u{feff}[D \"e\"]} h9g7 *\n";
        let expected = comment.replacen("\n\u{feff}c", "\nc", 1);
        assert_eq!(decode_text(comment.as_bytes()).0, expected);
    }
}

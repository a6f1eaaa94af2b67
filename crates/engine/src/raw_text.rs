//! Text that may contain bytes that are not UTF-8.
//!
//! A path from a client need not be UTF-8 (Chinese Windows clients write GBK). Bytes that are not
//! UTF-8 travel through parsers as private-use characters, U+EF80 to U+EFFF for 0x80 to 0xFF (the
//! convention of MirBSD's OPTU-8), and become bytes again where a path is opened.

use std::path::PathBuf;

/// Offset of the characters that stand for undecodable bytes.
const ESCAPE: u32 = 0xEF00;

/// Decodes bytes without loss.
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let escaped = |&byte: &u8| char::from_u32(ESCAPE + u32::from(byte));
        text.extend(chunk.invalid().iter().filter_map(escaped));
    }
    text
}

/// Restores the bytes read by [`decode`].
fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(ESCAPE).and_then(|code| u8::try_from(code).ok()) {
            Some(byte) if byte >= 0x80 => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Returns the system path for this text.
pub(crate) fn path(text: &str) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        PathBuf::from(std::ffi::OsString::from_vec(encode(text)))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(&encode(text)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_survive_as_text() {
        let all: Vec<u8> = (0..=255).chain([0xB9, 0xED, b'/', 0xE4, 0xB8, 0xAD]).collect();
        assert_eq!(encode(&decode(&all)), all);
        assert_eq!(decode("中炮".as_bytes()), "中炮");
    }
}

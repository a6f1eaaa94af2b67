//! Damages files, for the tests of their readers.

/// Changes a file in one place: the end cut off, bytes removed or doubled, a sign of the formats
/// put in, or a byte changed. `below` draws a number below its argument.
pub fn damage(bytes: &mut Vec<u8>, below: &mut impl FnMut(usize) -> usize) {
    let at = below(bytes.len() + 1);
    let end = (at + below(40)).min(bytes.len());
    match below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        3 => {
            let signs = b"(){}[];$.0-*\"\\\x00\xff\x80\n ";
            bytes.insert(at, signs[below(signs.len())]);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = below(256) as u8;
            }
        }
    }
}

//! Damages files, for the tests of their readers.

use cannonade_tables::random::Random;

/// Changes a file in one place: the end cut off, bytes removed or doubled, a sign of the formats
/// put in, or a byte changed.
pub fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(40)).min(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        3 => {
            let signs = b"(){}[];$.0-*\"\\\x00\xff\x80\n ";
            bytes.insert(at, signs[random.below(signs.len())]);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
    }
}

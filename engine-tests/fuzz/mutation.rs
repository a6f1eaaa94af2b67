//! Structured changes: words, numbers and bytes of a line, lines of a session.

use cannonade::random::Random;

/// Numbers at which parsers break.
const NUMBERS: [&[u8]; 12] = [
    b"-1",
    b"0",
    b"1",
    b"10",
    b"65535",
    b"65536",
    b"99999999999999999999",
    b"1e308",
    b"NaN",
    b"",
    b"-0.5",
    b"+7",
];

fn words(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect()
}

/// Changes a line in one place; `others` give words.
pub fn mutate_line(line: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    match random.below(9) {
        0 => line.truncate(random.below(line.len() + 1)),
        1 => line.insert(random.below(line.len() + 1), random.bits() as u8),
        2 if !line.is_empty() => {
            let place = random.below(line.len());
            line[place] ^= 1 << random.below(8);
        }
        3 if !line.is_empty() => drop(line.remove(random.below(line.len()))),
        4 => {
            let noise = random.below(40);
            *line = (0..noise).map(|_| random.bits() as u8).collect();
        }
        5 if !line.is_empty() => {
            // A byte that stands elsewhere in the same line: letters of a FEN, digits of a square.
            let byte = line[random.below(line.len())];
            let place = random.below(line.len());
            line[place] = byte;
        }
        change => {
            let mut own = words(line);
            let at = random.below(own.len());
            match change {
                6 => own[at] = NUMBERS[random.below(NUMBERS.len())].to_vec(),
                7 => {
                    let other = random.below(own.len());
                    own.swap(at, other);
                }
                _ => {
                    let donors = words(&others[random.below(others.len())]);
                    own[at] = donors[random.below(donors.len())].clone();
                }
            }
            *line = own.join(&b' ');
        }
    }
}

/// Changes a session: lines are dropped, doubled, swapped, taken from others, or changed.
pub fn mutate_session(lines: &mut Vec<Vec<u8>>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        if lines.is_empty() {
            return;
        }
        let at = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => lines.insert(at, others[random.below(others.len())].clone()),
            _ => mutate_line(&mut lines[at], others, random),
        }
    }
}

//! Structured changes: words, numbers and bytes of a line, lines of a session, parts of a file.

use cannonade_tables::random::Random;

use super::targets::Form;
use crate::common::damage::damage;

/// Makes inputs out of others.
pub struct Mutator {
    form: Form,
    seeds: Vec<Vec<u8>>,
    /// The lines of all seeds, which give words.
    lines: Vec<Vec<u8>>,
    /// The number of changed seeds in an input.
    in_a_row: usize,
}

impl Mutator {
    /// Makes inputs out of these.
    pub fn new(form: Form, seeds: Vec<Vec<u8>>, in_a_row: usize) -> Mutator {
        let mut lines: Vec<Vec<u8>> = match form {
            Form::File => Vec::new(),
            _ => seeds.iter().flat_map(|seed| lines(seed)).collect(),
        };
        lines.sort();
        lines.dedup();
        Mutator { form, seeds, lines, in_a_row }
    }

    /// The next input.
    pub fn input(&self, random: &mut Random) -> Vec<u8> {
        let parts: Vec<Vec<u8>> = (0..self.in_a_row).map(|_| self.changed(random)).collect();
        parts.join(&b'\n')
    }

    /// A seed, changed in a few places.
    fn changed(&self, random: &mut Random) -> Vec<u8> {
        let mut input = self.seeds[random.below(self.seeds.len())].clone();
        match self.form {
            Form::Line => {
                for _ in 0..random.below(4) {
                    mutate_line(&mut input, &self.lines, random);
                }
            }
            Form::File => {
                for _ in 0..random.below(5) {
                    mutate_file(&mut input, &self.seeds, random);
                }
            }
            Form::Session => {
                let mut lines = lines(&input);
                mutate_session(&mut lines, &self.lines, random);
                input = lines.join(&b'\n');
            }
        }
        input
    }
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Numbers at which parsers break.
const NUMBERS: [&[u8]; 14] = [
    b"-2147483648",
    b"2147483647",
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
fn mutate_line(line: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
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
fn mutate_session(lines: &mut Vec<Vec<u8>>, others: &[Vec<u8>], random: &mut Random) {
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

/// Numbers of two and four bytes at which readers of files break.
const WIDE_NUMBERS: [u32; 8] = [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF];

/// Changes a file in one place; `others` give parts.
fn mutate_file(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(40)).min(bytes.len());
    match random.below(9) {
        0 => {
            let other = &others[random.below(others.len())];
            let from = random.below(other.len() + 1);
            let part = &other[from..(from + random.below(40)).min(other.len())];
            bytes.splice(at..end, part.iter().copied());
        }
        1 => {
            let number = WIDE_NUMBERS[random.below(WIDE_NUMBERS.len())].to_le_bytes();
            let width = if random.below(2) == 0 { 2 } else { 4 };
            for (byte, new) in bytes[at..].iter_mut().zip(&number[..width]) {
                *byte = *new;
            }
        }
        // Headers decide most, and they are short.
        2 if !bytes.is_empty() => {
            let at = random.below(bytes.len().min(64));
            bytes[at] = random.bits() as u8;
        }
        _ => damage(bytes, &mut |bound| random.below(bound)),
    }
}

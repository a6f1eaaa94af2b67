//! The rule book once more, slowly and from a plain table of letters: no bitboards, no attack
//! tables, no caching, no code of the engine.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank.
pub type Point = (i32, i32);
type Pair = (Point, Point);

/// Letters as in a FEN by point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table(pub BTreeMap<Point, char>);

/// The kind of answer to a capture.
#[derive(Clone, Copy)]
enum Answer {
    /// A recapture that would be legal.
    Recapture,
    /// The same by a piece that guards its comrade before the capture already.
    Guard,
}

const STRAIGHT: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn is_red(letter: char) -> bool {
    letter.is_ascii_uppercase()
}

fn is_home(red: bool, rank: i32) -> bool {
    (rank <= 4) == red
}

fn is_palace(red: bool, (file, rank): Point) -> bool {
    (3..=5).contains(&file) && if red { rank <= 2 } else { rank >= 7 }
}

fn worth(letter: char) -> i32 {
    match letter.to_ascii_uppercase() {
        'P' => 1,
        'A' | 'B' => 2,
        'N' | 'C' => 4,
        'R' => 9,
        other => unreachable!("{other} is never compared"),
    }
}

impl Table {
    pub fn from_fen(fen: &str) -> Table {
        let mut table = BTreeMap::new();
        let placement = fen.split(' ').next().expect("a placement");
        for (rank, text) in (0..10).rev().zip(placement.split('/')) {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as i32,
                    None => {
                        table.insert((file, rank), letter);
                        file += 1;
                    }
                }
            }
        }
        Table(table)
    }

    pub fn moved(&self, from: Point, to: Point) -> Table {
        let mut after = self.clone();
        if let Some(letter) = after.0.remove(&from) {
            after.0.insert(to, letter);
        }
        after
    }

    fn has(&self, point: Point) -> bool {
        self.0.contains_key(&point)
    }

    /// The occupied points that the piece attacks, own ones included.
    fn attacks(&self, from: Point) -> Vec<Point> {
        let letter = self.0[&from];
        let red = is_red(letter);
        let (file, rank) = from;
        let mut points = Vec::new();
        match letter.to_ascii_uppercase() {
            kind @ ('R' | 'C') => {
                for (df, dr) in STRAIGHT {
                    let pieces = (1..10)
                        .map(|n| (file + n * df, rank + n * dr))
                        .filter(|&point| self.has(point));
                    points.extend(pieces.skip(usize::from(kind == 'C')).take(1));
                }
            }
            'N' => {
                for (df, dr) in STRAIGHT.into_iter().filter(|d| !self.has((file + d.0, rank + d.1)))
                {
                    for side in [1, -1] {
                        let (sf, sr) = if df == 0 { (side, 0) } else { (0, side) };
                        points.push((file + 2 * df + sf, rank + 2 * dr + sr));
                    }
                }
            }
            'B' => {
                for (df, dr) in DIAGONAL {
                    if !self.has((file + df, rank + dr)) && is_home(red, rank + 2 * dr) {
                        points.push((file + 2 * df, rank + 2 * dr));
                    }
                }
            }
            'A' => points.extend(DIAGONAL.map(|d| (file + d.0, rank + d.1))),
            'K' => points.extend(STRAIGHT.map(|d| (file + d.0, rank + d.1))),
            _ => {
                points.push((file, rank + if red { 1 } else { -1 }));
                if !is_home(red, rank) {
                    points.extend([(file + 1, rank), (file - 1, rank)]);
                }
            }
        }
        if matches!(letter.to_ascii_uppercase(), 'A' | 'K') {
            points.retain(|&point| is_palace(red, point));
        }
        points.retain(|&point| self.has(point));
        points
    }

    fn pieces(&self, red: bool) -> Vec<Point> {
        self.0.iter().filter(|entry| is_red(*entry.1) == red).map(|entry| *entry.0).collect()
    }

    fn king(&self, red: bool) -> Point {
        let king = if red { 'K' } else { 'k' };
        *self.0.iter().find(|entry| *entry.1 == king).expect("a king").0
    }

    /// Returns the pieces that attack the king, the other king on an open file included.
    fn checkers(&self, red: bool) -> BTreeSet<Point> {
        let king = self.king(red);
        let mut checkers: BTreeSet<_> = self
            .pieces(!red)
            .into_iter()
            .filter(|&piece| self.attacks(piece).contains(&king))
            .collect();
        let other = self.king(!red);
        let (low, high) = (king.1.min(other.1), king.1.max(other.1));
        if king.0 == other.0 && (low + 1..high).all(|rank| !self.has((king.0, rank))) {
            checkers.insert(other);
        }
        checkers
    }

    pub fn is_check(&self, red: bool) -> bool {
        !self.checkers(red).is_empty()
    }

    /// Returns whether a recapture answers the capture.
    fn is_answered(&self, from: Point, to: Point, answer: Answer) -> bool {
        let owner = is_red(self.0[&to]);
        if worth(self.0[&to]) > worth(self.0[&from]) {
            return false;
        }
        let captured = self.moved(from, to);
        captured.pieces(owner).into_iter().any(|root| {
            captured.attacks(root).contains(&to)
                && !captured.moved(root, to).is_check(owner)
                && (matches!(answer, Answer::Recapture) || self.attacks(root).contains(&to))
        })
    }

    /// The captures that win something, as pairs of attacker and victim.
    fn winning_captures(&self, red: bool, answer: Answer) -> BTreeSet<Pair> {
        let checkers = self.checkers(red);
        let mut pairs = BTreeSet::new();
        for from in self.pieces(red) {
            let attacker = self.0[&from];
            if matches!(attacker.to_ascii_uppercase(), 'K' | 'P') {
                continue;
            }
            for to in self.attacks(from) {
                let victim = self.0[&to];
                let is_idle_pawn = victim.eq_ignore_ascii_case(&'p') && is_home(!red, to.1);
                if is_red(victim) == red || victim.eq_ignore_ascii_case(&'k') || is_idle_pawn {
                    continue;
                }
                let after = self.moved(from, to);
                if after.checkers(red).difference(&checkers).next().is_some() {
                    continue;
                }
                let is_exchange = attacker.eq_ignore_ascii_case(&victim)
                    && self.attacks(to).contains(&from)
                    && !self.moved(to, from).is_check(!red);
                if !is_exchange && !self.is_answered(from, to, answer) {
                    pairs.insert((from, to));
                }
            }
        }
        pairs
    }

    /// The threats of a side, whosever turn it is.
    pub fn threats(&self, red: bool) -> BTreeSet<Pair> {
        self.winning_captures(red, Answer::Recapture)
    }
}

/// The pieces that the middle one of three positions' moves chases: by a threat that was not there
/// before `own` and that `reply` meets. Points are those after `own`.
fn chased(before: &Table, own: Pair, after: &Table, reply: Pair) -> BTreeSet<Point> {
    let red = is_red(after.0[&own.1]);
    let old: BTreeSet<_> = before
        .winning_captures(red, Answer::Guard)
        .into_iter()
        .map(|(a, v)| (if a == own.0 { own.1 } else { a }, v))
        .collect();
    let unmet: BTreeSet<_> = after
        .moved(reply.0, reply.1)
        .threats(red)
        .into_iter()
        .map(|(a, v)| (a, if v == reply.1 { reply.0 } else { v }))
        .collect();
    after
        .threats(red)
        .into_iter()
        .filter(|pair| !old.contains(pair) && !unmet.contains(pair))
        .map(|pair| pair.1)
        .collect()
}

/// Returns the conduct of a side in a loop that starts from the table, with the other side or the
/// same to move: 0 idle, 1 perpetual chase, 2 perpetual check.
pub fn level(start: &Table, turn: &[Pair], red: bool) -> u8 {
    let mut tables = vec![start.clone()];
    for &(from, to) in turn {
        tables.push(tables[tables.len() - 1].moved(from, to));
    }
    assert_eq!(tables[turn.len()], tables[0], "the moves are a loop");
    let own: Vec<_> = (0..turn.len()).filter(|&i| is_red(tables[i].0[&turn[i].0]) == red).collect();
    let checks = own.iter().filter(|&&i| tables[i + 1].is_check(!red)).count();
    if checks == own.len() {
        return 2;
    }
    if checks > 0 {
        return 0;
    }
    // Enough turns for equal pieces that change places to come home.
    let turns = 12;
    let mut names: BTreeMap<Point, Point> = start.0.keys().map(|&point| (point, point)).collect();
    let mut always: BTreeSet<Point> = start.0.keys().copied().collect();
    for ply in 0..turns * turn.len() {
        let i = ply % turn.len();
        let (from, to) = turn[i];
        let name = names.remove(&from).expect("a piece");
        names.insert(to, name);
        if own.contains(&i) {
            let reply = turn[(i + 1) % turn.len()];
            let victims = chased(&tables[i], turn[i], &tables[i + 1], reply);
            let victims: BTreeSet<_> = victims.iter().map(|point| names[point]).collect();
            always.retain(|name| victims.contains(name));
        }
    }
    u8::from(!always.is_empty())
}

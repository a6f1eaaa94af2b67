//! Builds a book from games.

use std::collections::{BTreeMap, HashMap, HashSet};

use xiangqi::board::{Move, Position};
use xiangqi::records::Game;

use super::file::{BookOrigin, BookRecord, RecordFile};
use super::key::PositionKey;
use super::results::Results;

/// Basis of the weight of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Weighting {
    /// Points scored by the mover in the games: 2 for a win, 1 for a draw or an unknown result.
    #[default]
    Points,
    /// Number of games.
    Games,
}

impl Weighting {
    fn weight(self, results: &Results) -> u32 {
        match self {
            Weighting::Points => {
                let draws = results.draws.saturating_add(results.unknown);
                results.wins.saturating_mul(2).saturating_add(draws)
            }
            Weighting::Games => results.games(),
        }
    }
}

/// Settings of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildSettings {
    /// Plies counted in each game.
    pub plies: u32,
    /// Minimum number of games of a move that is kept.
    pub min_games: u32,
    /// Basis of the weights.
    pub weighting: Weighting,
    /// Origin and licence of the games; stored in the file.
    pub credit: String,
}

/// Counts the moves of games.
#[derive(Debug)]
pub struct BookBuilder {
    settings: BuildSettings,
    games: u32,
    moves: HashMap<(u64, Move), Results>,
    /// First positions of the games, each once.
    starts: HashMap<u64, Position>,
}

impl BookBuilder {
    /// Creates a builder without games.
    pub fn new(settings: BuildSettings) -> BookBuilder {
        BookBuilder { settings, games: 0, moves: HashMap::new(), starts: HashMap::new() }
    }

    /// Counts the main line of a game.
    pub fn add(&mut self, game: &Game) {
        self.games = self.games.saturating_add(1);
        let mut position = game.start().clone();
        self.starts.entry(PositionKey::of(&position).value).or_insert_with(|| position.clone());
        let nodes = game.main_line().take(self.settings.plies as usize);
        let mut counted = HashSet::new();
        for mv in nodes.filter_map(|node| game.mv(node)) {
            let key = PositionKey::of(&position);
            let entry = (key.value, key.stored(mv));
            // A position that the game repeats counts once.
            if counted.insert(entry) {
                self.moves.entry(entry).or_default().add(game.result, position.side());
            }
            position.play_unchecked(mv);
        }
    }

    /// Returns the bytes of the book: the moves with enough games in all positions that such moves
    /// reach from the starts of the games.
    pub fn finish(mut self) -> Vec<u8> {
        let min_games = self.settings.min_games;
        self.moves.retain(|_, results| results.games() >= min_games);
        let mut positions: BTreeMap<u64, Vec<(Move, Results)>> = BTreeMap::new();
        for ((key, mv), results) in self.moves {
            positions.entry(key).or_default().push((mv, results));
        }
        let reached = reached(self.starts.into_values().collect(), &positions);
        positions.retain(|key, _| reached.contains(key));
        let mut records = Vec::new();
        for (key, mut moves) in positions {
            moves.sort_by_key(|(mv, _)| mv.code());
            records.extend(records_of(key, &moves, self.settings.weighting));
        }
        let BuildSettings { plies, credit, .. } = self.settings;
        RecordFile::write(&BookOrigin { games: self.games, plies, credit }, &records)
    }
}

/// Returns the keys of the positions that moves of the book reach.
fn reached(
    mut open: Vec<Position>,
    positions: &BTreeMap<u64, Vec<(Move, Results)>>,
) -> HashSet<u64> {
    let mut reached = HashSet::new();
    while let Some(position) = open.pop() {
        let key = PositionKey::of(&position);
        let Some(moves) = positions.get(&key.value) else { continue };
        if !reached.insert(key.value) {
            continue;
        }
        for (stored, _) in moves {
            if let Ok(mv) = position.check_move(key.played(*stored)) {
                let next = position.after([mv]);
                open.push(next);
            }
        }
    }
    reached
}

/// Returns the records of a position, their numbers scaled together so that they fit 16 bits.
fn records_of(key: u64, moves: &[(Move, Results)], weighting: Weighting) -> Vec<BookRecord> {
    let counts = |r: &Results| [r.wins, r.draws, r.losses, r.unknown];
    let most = moves.iter().flat_map(|(_, results)| counts(results)).max().unwrap_or(0);
    let heaviest = moves.iter().map(|(_, results)| weighting.weight(results)).max().unwrap_or(0);
    let record = |(mv, results): &(Move, Results)| {
        let [wins, draws, losses, unknown] =
            counts(results).map(|count| u32::from(scaled(count, most)));
        BookRecord {
            key,
            mv: *mv,
            weight: scaled(weighting.weight(results), heaviest),
            results: Results { wins, draws, losses, unknown },
        }
    };
    moves.iter().map(record).collect()
}

/// Scales a number to 16 bits: `maximum` becomes 65535 if it exceeds that. Only 0 becomes 0.
fn scaled(number: u32, maximum: u32) -> u16 {
    let limit = u32::from(u16::MAX);
    let number = if maximum <= limit {
        u64::from(number)
    } else {
        (u64::from(number) * u64::from(limit)).div_ceil(u64::from(maximum))
    };
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_fit_are_scaled_together() {
        assert_eq!([0, 1, 65_535].map(|n| scaled(n, 65_535)), [0, 1, 65_535]);
        assert_eq!([0, 1, 100_000, 200_000].map(|n| scaled(n, 200_000)), [0, 1, 32_768, 65_535]);
    }
}

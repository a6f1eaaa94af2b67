//! Oversights and misjudgements of a player in a position.

use cannonade_tables::random::Random;
use xiangqi::board::{Checks, Move, Position};
use xiangqi::geometry::{PieceKind, Square};

use super::levels::Habits;

/// Maximum chance to overlook a move, however difficult it is.
const BLINDEST: f64 = 0.9;

/// Minimum distance of a long move in files or ranks.
const LONG: u8 = 5;

/// Maximum distance of a short move in files and ranks.
const SHORT: u8 = 2;

/// Perception of one position by one player, determined by seed and position.
#[derive(Clone, Debug)]
pub(crate) struct Perception {
    overlooks: f64,
    misjudges: f64,
    seed: u64,
    /// Target of the opponent's last move: moves of that piece are seen first.
    last_to: Option<Square>,
}

impl Perception {
    /// Creates the perception of a player with these habits for a position with the player to move.
    pub(crate) fn new(habits: &Habits, seed: u64, position: &Position) -> Perception {
        // A repeated position is looked at again.
        let seed = Random::stream(seed ^ position.key(), position.ply() as u64).bits();
        Perception {
            overlooks: habits.overlooks,
            misjudges: habits.misjudges,
            seed,
            last_to: position.state().mv.map(Move::to),
        }
    }

    /// Returns whether the player considers an own move. In check all moves are considered.
    pub(crate) fn considers(&self, position: &Position, checks: &Checks, mv: Move) -> bool {
        position.in_check() || !self.misses(mv, difficulty(position, checks, mv))
    }

    /// Returns whether the player overlooks an answer to an own move; `after` is the position after
    /// that.
    pub(crate) fn overlooks_answer(&self, after: &Position, checks: &Checks, answer: Move) -> bool {
        let mut difficulty = difficulty(after, checks, answer);
        // Answers on the square of the piece that just moved are seen best, above all short ones;
        // so are answers of the opponent's last mover.
        if after.state().mv.is_some_and(|own| own.to() == answer.to()) {
            difficulty *= match distance(answer) {
                ..=SHORT => 0.1,
                LONG.. => 0.5,
                _ => 0.25,
            };
        }
        if self.last_to == Some(answer.from()) {
            difficulty *= 0.5;
        }
        self.misses(answer, difficulty)
    }

    /// Returns the player's misjudgement of the position after an own move, in centipawns.
    pub(crate) fn misjudgement(&self, mv: Move) -> i32 {
        // The sum of three uniform numbers has the variance 1/4 and no tails beyond three
        // standard deviations.
        let mut random = self.random(mv, 1);
        let sum: f64 = (0..3).map(|_| random.unit_f64()).sum();
        ((sum - 1.5) * 2.0 * self.misjudges) as i32
    }

    fn misses(&self, mv: Move, difficulty: f64) -> bool {
        self.random(mv, 0).unit_f64() < (self.overlooks * difficulty).min(BLINDEST)
    }

    fn random(&self, mv: Move, purpose: u64) -> Random {
        let squares = (mv.from().index() * Square::COUNT + mv.to().index()) as u64;
        Random::stream(self.seed, 2 * squares + purpose)
    }
}

/// Returns the files or ranks over which a move goes, the larger of both.
fn distance(mv: Move) -> u8 {
    let (from, to) = (mv.from(), mv.to());
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
}

/// Returns the difficulty of seeing a move; 1 is a quiet move of medium length.
fn difficulty(position: &Position, checks: &Checks, mv: Move) -> f64 {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_on(from) else { return 1.0 };
    let is_capture = position.is_capture(mv);
    let mut difficulty = match distance(mv) {
        ..=SHORT => 0.7,
        LONG.. => 1.5,
        _ => 1.0,
    };
    if is_capture {
        // A cannon takes over a screen, a horse around a corner.
        difficulty *= match piece.kind() {
            PieceKind::Cannon => 1.1,
            PieceKind::Knight => 0.9,
            PieceKind::Pawn => 0.5,
            _ => 0.7,
        };
    }
    if checks.has(position, mv) {
        difficulty *= 0.6;
    }
    let forward = i16::from(piece.color().forward());
    if (i16::from(to.rank()) - i16::from(from.rank())) * forward < 0 {
        difficulty *= 1.25;
    }
    difficulty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::levels::Strength;

    fn perception(elo: i64, seed: u64, position: &Position) -> Perception {
        Perception::new(&Strength::from_elo(elo).habits(), seed, position)
    }

    /// Returns the share of seeds with which a beginner overlooks an answer.
    fn overlooked(fen: &str, own: &str, answer: &str) -> f64 {
        let position = Position::from_fen(fen).expect("a position");
        let after = position.after([position.parse_move(own).expect("a legal move")]);
        let answer = after.parse_move(answer).expect("a legal answer");
        let checks = Checks::of(&after);
        let count = (0..2000)
            .filter(|&seed| {
                perception(500, seed, &position).overlooks_answer(&after, &checks, answer)
            })
            .count();
        count as f64 / 2000.0
    }

    #[test]
    fn a_distant_cannon_is_overlooked_more_often_than_a_recapture() {
        // The cannon on b7 takes the horse on b0 over the whole board, or a chariot takes back.
        let start = xiangqi::board::START_FEN;
        let distant = overlooked(start, "h2h9", "b7b0");
        let recapture = overlooked(start, "h2h9", "i9h9");
        assert!(distant > 2.0 * recapture, "{distant} {recapture}");
        assert!(recapture > 0.01, "{recapture}");
    }

    #[test]
    fn a_piece_that_moves_near_its_captor_is_seen_to_be_lost() {
        let near = overlooked("3kr4/R8/9/9/9/9/9/9/9/5K3 w", "a8e8", "e9e8");
        let farther = overlooked("3kr4/9/9/9/R8/9/9/9/9/5K3 w", "a5e5", "e9e5");
        let far = overlooked("3kr4/9/9/9/9/9/9/9/R8/5K3 w", "a1e1", "e9e1");
        assert!(
            near < 0.05 && (0.06..0.13).contains(&farther) && far > 0.2,
            "{near} {farther} {far}"
        );
    }

    #[test]
    fn a_seed_gives_the_same_perception_and_another_one_a_different() {
        let position = Position::startpos();
        let errors = |seed| {
            let perception = perception(500, seed, &position);
            let moves = position.legal_moves();
            moves.into_iter().map(|mv| perception.misjudgement(mv)).collect::<Vec<_>>()
        };
        assert_eq!(errors(1), errors(1));
        assert_ne!(errors(1), errors(2));
    }

    #[test]
    fn misjudgements_have_the_deviation_of_the_table() {
        let position = Position::startpos();
        let mv = position.parse_move("h2e2").expect("a legal move");
        let errors: Vec<f64> = (0..4000)
            .map(|seed| f64::from(perception(500, seed, &position).misjudgement(mv)))
            .collect();
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / 4000.0;
        let expected = Strength::from_elo(500).habits().misjudges;
        assert!((variance.sqrt() / expected - 1.0).abs() < 0.05, "{} {expected}", variance.sqrt());
    }

    #[test]
    fn in_check_every_move_is_considered() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").expect("a position");
        let checks = Checks::of(&position);
        for seed in 0..200 {
            let perception = perception(500, seed, &position);
            for mv in position.legal_moves() {
                assert!(perception.considers(&position, &checks, mv));
            }
        }
    }
}

//! The start positions of self-play: many different positions that are nearly even.

use cannonade_tables::random::Random;
use xiangqi::board::{FenError, Position};

/// The way openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningPlan {
    /// Share of the games that start from the list of positions, in percent.
    pub listed_share: usize,
    /// Minimum and maximum number of random plies after a listed position.
    pub listed_plies: (usize, usize),
    /// Minimum and maximum number of random plies after the starting position.
    pub random_plies: (usize, usize),
}

impl Default for OpeningPlan {
    fn default() -> OpeningPlan {
        OpeningPlan { listed_share: 70, listed_plies: (2, 4), random_plies: (8, 9) }
    }
}

/// Reads positions, one FEN or EPD per line; see [`Position::epd_lines`].
///
/// # Errors
///
/// The number of the wrong line, from 1, and its error.
pub fn read_openings(text: &str) -> Result<Vec<Position>, (usize, FenError)> {
    Position::epd_lines(text)
        .map(|(number, line)| Position::from_epd(line).map_err(|error| (number, error)))
        .collect()
}

/// Returns a position after random moves, without its history; `None` if the random moves ended the
/// game.
pub(super) fn random_opening(
    listed: &[Position],
    plan: &OpeningPlan,
    random: &mut Random,
) -> Option<Position> {
    let from_list = !listed.is_empty() && random.below(100) < plan.listed_share;
    let (mut position, (least, most)) = if from_list {
        (listed[random.below(listed.len())].clone(), plan.listed_plies)
    } else {
        (Position::startpos(), plan.random_plies)
    };
    for _ in 0..least + random.below(most - least + 1) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play_unchecked(moves[random.below(moves.len())]);
    }
    let halfmove_clock = position.halfmove_clock();
    Position::from_board(position.board().clone(), halfmove_clock)
        .ok()
        .filter(Position::has_legal_move)
}

#[cfg(test)]
mod tests {
    use xiangqi::board::START_FEN;

    use super::*;

    #[test]
    fn openings_differ_and_repeat_with_the_seed() {
        let plan = OpeningPlan::default();
        let key = |seed| {
            let mut random = Random::new(seed);
            random_opening(&[], &plan, &mut random).map(|position| position.key())
        };
        assert_eq!(key(1), key(1));
        assert_ne!(key(1), key(2));
    }

    #[test]
    fn the_error_of_a_list_of_openings_has_the_line_number() {
        let text = format!("# comment\n{START_FEN} ce 5; id \"name\";\n\nrnb\n");
        assert!(matches!(read_openings(&text), Err((4, _))));
        assert_eq!(read_openings(&text[..text.len() - 4]).map(|list| list.len()), Ok(1));
    }
}

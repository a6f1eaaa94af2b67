//! Win, draw and loss from a score, for clients that ask with `UCI_ShowWDL`.

use crate::search::Score;

/// The score in centipawns at which half the games are won.
const HALF_WON: f64 = 250.0;

/// How many centipawns make the chance of a win e times likelier.
const SPREAD: f64 = 90.0;

/// Scores at least this far from zero are won or lost: mates and repetitions.
const DECISIVE: i32 = 15_000;

/// The chances of win, draw and loss of the mover in permille; they sum to 1000.
///
/// The logistic model of Stockfish and Pikafish (`UCIEngine::wdl`) with constants of our own.
pub(super) fn permille(score: Score) -> [u32; 3] {
    let cp = score.centipawns();
    if cp.abs() >= DECISIVE {
        return if cp > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let won = |cp: f64| (1000.0 / (1.0 + ((HALF_WON - cp) / SPREAD).exp())).round() as u32;
    let (win, loss) = (won(f64::from(cp)), won(-f64::from(cp)));
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_mirror() {
        for cp in -3000..=3000 {
            let [win, draw, loss] = permille(Score::Cp(cp));
            assert_eq!(win + draw + loss, 1000, "{cp}");
            assert_eq!(permille(Score::Cp(-cp)), [loss, draw, win]);
        }
        assert_eq!(permille(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(permille(Score::Mate(0)), [0, 0, 1000]);
    }
}

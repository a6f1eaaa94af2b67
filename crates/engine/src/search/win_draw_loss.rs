//! Chances of win, draw and loss by a score.

use super::Score;

/// Score in centipawns at which half the games are won: without pieces, and for each piece on the
/// board. All four numbers are fitted by `scripts/fit_wdl.py` to 50,014 positions of 364 games of
/// the engine (generation 10) with itself at about 6000 nodes per move.
const HALF_WON: [f64; 2] = [483.2, -9.58];

/// Centipawns that multiply the odds of a win by e: without pieces, and for each piece on the
/// board.
const SPREAD: [f64; 2] = [43.3, 5.70];

impl Score {
    /// Returns the chances of win, draw and loss of the mover in permille; they sum to 1000.
    /// `pieces` is the number of pieces on the board.
    ///
    /// The logistic model of Stockfish and Pikafish (`UCIEngine::wdl`) with constants of our own.
    pub fn win_draw_loss(self, pieces: usize) -> [u32; 3] {
        let cp = self.centipawns();
        if self.is_decisive() {
            return if cp > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let of = |[base, slope]: [f64; 2]| base + slope * pieces as f64;
        let (half_won, spread) = (of(HALF_WON), of(SPREAD));
        let won = |cp: f64| (1000.0 / (1.0 + ((half_won - cp) / spread).exp())).round() as u32;
        let (win, loss) = (won(f64::from(cp)), won(-f64::from(cp)));
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_mirror() {
        for pieces in 2..=32 {
            let mut last = 0;
            for cp in -3000..=3000 {
                let [win, draw, loss] = Score::Cp(cp).win_draw_loss(pieces);
                assert_eq!(win + draw + loss, 1000, "{cp}");
                assert_eq!(Score::Cp(-cp).win_draw_loss(pieces), [loss, draw, win]);
                assert!(win >= last, "{cp}");
                last = win;
            }
        }
        assert_eq!(Score::Mate(3).win_draw_loss(32), [1000, 0, 0]);
        assert_eq!(Score::Mate(0).win_draw_loss(2), [0, 0, 1000]);
    }
}

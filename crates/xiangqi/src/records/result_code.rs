//! The codes of results in the files of XQF and of CCBridge, which are the same.

use crate::rules::GameResult;

/// The results by their codes.
const RESULTS: [GameResult; 5] = [
    GameResult::Unknown,
    GameResult::RedWins,
    GameResult::BlackWins,
    GameResult::Draw,
    GameResult::Draw,
];

/// Returns the result with this code; unknown if no result has it.
pub(super) fn result(code: u8) -> GameResult {
    RESULTS.get(usize::from(code)).copied().unwrap_or_default()
}

/// Returns the first code of a result.
pub(super) fn result_code(result: GameResult) -> u8 {
    RESULTS.iter().position(|&one| one == result).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_coded_both_ways() {
        for code in 0..4 {
            assert_eq!(result_code(result(code)), code);
        }
        assert_eq!((result(4), result(5)), (GameResult::Draw, GameResult::Unknown));
    }
}

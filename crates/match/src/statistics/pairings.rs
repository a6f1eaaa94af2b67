//! Tournament games as the rating model sees them: by pairing, with the prior mixed in.

use super::results::ResultSet;

/// All games of one player with Red against another with Black, the prior included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    pub(super) red: usize,
    pub(super) black: usize,
    /// Wins of Red.
    pub(super) wins: f64,
    pub(super) draws: f64,
    /// Losses of Red.
    pub(super) losses: f64,
}

/// Returns the pairings of the given players, who are renumbered in their order. Virtual draws are
/// shared evenly between the colours.
pub(super) fn pairings(results: &ResultSet, players: &[usize], prior_draws: f64) -> Vec<Pairing> {
    let totals: Vec<f64> = players.iter().map(|p| results.total(*p).games() as f64).collect();
    let mut pairings = Vec::new();
    for (red, red_player) in players.iter().enumerate() {
        for (black, black_player) in players.iter().enumerate() {
            let met = results.score_against(*red_player, *black_player).games() as f64;
            if met == 0.0 {
                continue;
            }
            let score = results.colour_score(*red_player, *black_player);
            let virtual_draws = prior_draws / 4.0 * (met / totals[red] + met / totals[black]);
            pairings.push(Pairing {
                red,
                black,
                wins: score.wins as f64,
                draws: score.draws as f64 + virtual_draws,
                losses: score.losses as f64,
            });
        }
    }
    pairings
}

/// Returns a player without a chain of games to player 0, if any.
pub(super) fn stranger_to_first(players: usize, pairings: &[Pairing]) -> Option<usize> {
    // Every pairing is listed with both colours.
    let mut met = vec![Vec::new(); players];
    for pairing in pairings {
        met[pairing.red].push(pairing.black);
    }
    let mut reached: Vec<bool> = (0..players).map(|player| player == 0).collect();
    let mut open = vec![0];
    while let Some(player) = open.pop() {
        for &opponent in &met[player] {
            if !reached[opponent] {
                reached[opponent] = true;
                open.push(opponent);
            }
        }
    }
    reached.iter().position(|reached| !reached)
}

#[cfg(test)]
mod tests {
    use super::super::score::GameCounts;
    use super::*;

    #[test]
    fn the_prior_of_two_players_is_the_given_number_of_draws() {
        let mut results = ResultSet::default();
        results.add("A", "B", GameCounts::new(3, 1, 2)).unwrap();
        let pairings = pairings(&results, &[0, 1], 2.0);
        let draws: f64 = pairings.iter().map(|pairing| pairing.draws).sum();
        assert_eq!(draws, 2.0 + 2.0);
        assert_eq!(pairings[0].draws, 3.0);
        assert_eq!((pairings[1].red, pairings[1].draws), (1, 1.0));
    }
}

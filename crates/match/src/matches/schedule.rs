//! The engines and the opening of each game: a pure function of the number of the game, so that a
//! match can stop and continue.

/// The pairings of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TournamentForm {
    /// Every engine against every other.
    #[default]
    RoundRobin,
    /// The first engine against all others.
    Gauntlet,
}

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: u32,
    games: u32,
    repeat: bool,
}

/// One game of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePlan {
    /// The number, from 0.
    pub number: u32,
    /// The engines, Red first.
    pub engines: [usize; 2],
    /// The number of the opening.
    pub opening: usize,
    /// The number of the pair of games with one opening and colours reversed, if it belongs to one.
    pub pair: Option<u64>,
}

impl Schedule {
    /// Returns the plan for `engines` engines. In each of the `rounds` every pairing plays `games`
    /// games; with `repeat`, two consecutive games of a pairing have the same opening.
    pub fn new(
        form: TournamentForm,
        engines: usize,
        rounds: u32,
        games: u32,
        repeat: bool,
    ) -> Schedule {
        let first = if form == TournamentForm::Gauntlet { 1 } else { engines };
        let pairings = (0..engines)
            .flat_map(|one| (one + 1..engines).map(move |two| (one, two)))
            .filter(|&(one, _)| one < first)
            .collect();
        Schedule { pairings, rounds, games, repeat }
    }

    /// Returns the number of games.
    pub fn total(&self) -> u32 {
        self.rounds * self.games_per_round()
    }

    /// Returns the number of games that two engines play.
    pub fn games_of_a_pairing(&self) -> u64 {
        u64::from(self.rounds) * u64::from(self.games)
    }

    /// Returns the number of games that two engines play before opening and colours are those of an
    /// earlier game, with `openings` openings in turn.
    pub fn distinct_games(&self, openings: usize) -> u64 {
        let openings = openings as u64;
        // Without repetition the colours change with the opening: of an even number each has one
        // colour.
        if self.repeat || !openings.is_multiple_of(2) { 2 * openings } else { openings }
    }

    /// Returns whether two consecutive games of a pairing have the same opening.
    pub fn repeats_openings(&self) -> bool {
        self.repeat
    }

    fn games_per_round(&self) -> u32 {
        self.pairings.len() as u32 * self.games
    }

    /// Returns the pairings, by the indices of the engines.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Returns the game of this number.
    pub fn plan(&self, number: u32) -> Option<GamePlan> {
        let round = number.checked_div(self.games_per_round())?;
        if round >= self.rounds {
            return None;
        }
        let within = number % self.games_per_round();
        let (pairing, game) = (within / self.games, within % self.games);
        let &(one, two) = self.pairings.get(pairing as usize)?;
        // Counted through all rounds, so that colours and openings also alternate with one game per
        // round. All pairings of a round get the same openings.
        let turn = round * self.games + game;
        let engines = if turn.is_multiple_of(2) { [one, two] } else { [two, one] };
        let opening = if self.repeat { turn / 2 } else { turn } as usize;
        let pairs = u64::from(self.rounds * self.games).div_ceil(2);
        let pair = self.repeat.then(|| u64::from(pairing) * pairs + u64::from(turn / 2));
        Some(GamePlan { number, engines, opening, pair })
    }

    /// Returns the round of a game for its record: `3.1` is the first game of the third round.
    pub fn round_label(&self, number: u32) -> String {
        let games = self.games_per_round().max(1);
        format!("{}.{}", number / games + 1, number % games + 1)
    }

    /// Returns the number of the game with this round, the inverse of [`Schedule::round_label`].
    pub fn number_of(&self, label: &str) -> Option<u32> {
        let (round, game) = label.split_once('.')?;
        let (round, game): (u32, u32) = (round.parse().ok()?, game.parse().ok()?);
        let inside =
            (1..=self.rounds).contains(&round) && (1..=self.games_per_round()).contains(&game);
        inside.then(|| (round - 1) * self.games_per_round() + game - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(schedule: &Schedule) -> Vec<GamePlan> {
        (0..schedule.total()).map(|number| schedule.plan(number).expect("planned")).collect()
    }

    #[test]
    fn repeated_games_reverse_colours_on_the_same_opening() {
        let schedule = Schedule::new(TournamentForm::RoundRobin, 3, 4, 2, true);
        let plans = plans(&schedule);
        assert_eq!(plans.len(), 4 * 3 * 2);
        for two in plans.chunks(2) {
            assert_eq!(two[0].engines, [two[1].engines[1], two[1].engines[0]]);
            assert_eq!(two[0].opening, two[1].opening);
            assert_eq!(two[0].pair, two[1].pair);
            assert!(two[0].pair.is_some());
        }
        let mut pairs: Vec<_> = plans.iter().filter_map(|plan| plan.pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 12, "each pair has its own number");
        assert_eq!(schedule.plan(24), None);
    }

    #[test]
    fn single_games_alternate_colours_and_openings() {
        let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 4, 1, false);
        let plans = plans(&schedule);
        let engines: Vec<_> = plans.iter().map(|plan| plan.engines).collect();
        assert_eq!(engines, [[0, 1], [1, 0], [0, 1], [1, 0]]);
        let openings: Vec<_> = plans.iter().map(|plan| plan.opening).collect();
        assert_eq!(openings, [0, 1, 2, 3]);
        assert!(plans.iter().all(|plan| plan.pair.is_none()));
    }

    #[test]
    fn games_with_the_same_opening_and_colours_come_after_the_distinct_ones() {
        for (openings, repeat) in [(1, false), (1, true), (2, false), (3, false), (4, true)] {
            let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 20, 2, repeat);
            assert_eq!(schedule.games_of_a_pairing(), 40);
            let plans = plans(&schedule);
            let games: Vec<_> =
                plans.iter().map(|plan| (plan.opening % openings, plan.engines)).collect();
            let repeated = (0..games.len()).find(|&at| games[..at].contains(&games[at]));
            assert_eq!(repeated, Some(schedule.distinct_games(openings) as usize), "{openings}");
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_engine_plays_all_others() {
        let schedule = Schedule::new(TournamentForm::Gauntlet, 4, 1, 2, true);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3)]);
        assert!(plans(&schedule).iter().all(|plan| plan.engines.contains(&0)));
        assert_eq!(Schedule::new(TournamentForm::RoundRobin, 4, 1, 2, true).total(), 12);
    }

    #[test]
    fn the_number_of_a_game_is_found_from_its_round_label() {
        let schedule = Schedule::new(TournamentForm::RoundRobin, 3, 5, 2, true);
        for number in 0..schedule.total() {
            assert_eq!(schedule.number_of(&schedule.round_label(number)), Some(number));
        }
        for label in ["", "1", "0.1", "1.0", "6.1", "1.7", "x.y"] {
            assert_eq!(schedule.number_of(label), None, "{label}");
        }
    }
}

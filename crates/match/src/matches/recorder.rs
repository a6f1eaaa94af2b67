//! Plays a match: counts its games, keeps them in a file, resumes it, and ends it early when its
//! test is decided or an engine breaks down again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use thiserror::Error;
use xiangqi::geometry::Color;

use super::super::engine::{Fault, StopSignal};
use super::super::game::{GameRecord, PgnStyle};
use super::super::statistics::SprtState;
use super::archive::{Archive, ArchiveError};
use super::conditions::MatchConditions;
use super::report::{EndingCounts, MatchReport};
use super::runner::{MatchSetup, run_match};
use super::standings::Standings;

/// The number of breakdowns of one engine at which a match ends.
const MAX_BREAKDOWNS: u32 = 2;

/// A match with the games that are played so far.
#[derive(Debug)]
pub struct MatchRecorder<'a> {
    setup: &'a MatchSetup,
    conditions: MatchConditions,
    /// The numbers of the games that are counted.
    played: BTreeSet<u32>,
    standings: Standings,
    endings: EndingCounts,
    /// The number of breakdowns of each engine, by its index.
    breakdowns: BTreeMap<usize, u32>,
    archive: Option<Archive>,
}

/// A game of a running match, which is counted and stored.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// Its round, as in its record.
    pub round: &'a str,
    /// The results so far, with this game.
    pub report: &'a MatchReport,
}

/// The reason why a match has ended before its last game. The games until then are counted.
#[derive(Debug, Error)]
pub enum MatchError {
    /// An engine does not play well enough to be measured, and the match does not recover from it.
    #[error(
        "engine {name} has failed {count} times, the last time by: {fault}; the results do not \
         measure its strength"
    )]
    Breakdowns {
        /// The engine.
        name: String,
        /// The number of its breakdowns.
        count: u32,
        /// The last one.
        fault: Fault,
    },
    /// A game cannot be stored.
    #[error(transparent)]
    Archive(ArchiveError),
    /// The system gives no thread for a further game at the same time.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

impl<'a> MatchRecorder<'a> {
    /// Creates a match without games.
    pub fn new(setup: &'a MatchSetup, conditions: MatchConditions) -> MatchRecorder<'a> {
        let names = setup.engines.iter().map(|engine| engine.name.clone()).collect();
        MatchRecorder {
            setup,
            conditions,
            played: BTreeSet::new(),
            standings: Standings::new(names),
            endings: EndingCounts::default(),
            breakdowns: BTreeMap::new(),
            archive: None,
        }
    }

    /// Checks that [`MatchRecorder::keep_in`] may create the file, without changing anything.
    ///
    /// # Errors
    /// If there is a file with content.
    pub fn check_new(path: &Path) -> Result<(), ArchiveError> {
        Archive::check_new(path)
    }

    /// Stores each game in a file as PGN. With `resumes` the match goes on from the games in the
    /// file.
    ///
    /// # Errors
    /// If the file cannot be read or written. With `resumes`, if its games are not of this match;
    /// otherwise, if it has content already.
    pub fn keep_in(
        &mut self,
        path: &Path,
        style: PgnStyle,
        resumes: bool,
    ) -> Result<(), ArchiveError> {
        let setup = self.setup;
        let style = PgnStyle {
            rules: self.conditions.rules.clone(),
            engines: self.conditions.engine_texts(setup),
            match_began: self.conditions.began.clone(),
            ..style
        };
        if !resumes {
            self.archive = Some(Archive::create(path, style)?);
            return Ok(());
        }
        let (archive, games) = Archive::resume(path, style, setup)?;
        for game in games {
            if self.played.insert(game.number) {
                self.standings.record(&setup.schedule, game.number, game.result);
                self.endings.add_earlier(&game);
            }
        }
        archive.match_began().clone_into(&mut self.conditions.began);
        self.archive = Some(archive);
        Ok(())
    }

    /// Returns the results so far.
    pub fn report(&self) -> MatchReport {
        let MatchSetup { schedule, sprt, .. } = self.setup;
        let matches = std::slice::from_ref(&self.conditions);
        MatchReport::new(&self.standings, schedule.total(), sprt.as_ref(), &self.endings, matches)
    }

    /// Plays the games that are not played yet, until all are played, the test of the match is
    /// decided, or the signal is given, which aborts the running games. A match that is decided or
    /// fails gives the signal itself. `on_game` runs in the calling thread.
    ///
    /// # Errors
    /// If a game cannot be stored, an engine breaks down again and the match does not recover, or a
    /// thread cannot be started.
    pub fn run(
        &mut self,
        stop: &StopSignal,
        mut on_game: impl FnMut(FinishedGame<'_>),
    ) -> Result<(), MatchError> {
        if self.is_decided() {
            return Ok(());
        }
        let (setup, played) = (self.setup, self.played.clone());
        let mut result = Ok(());
        let started = run_match(setup, &played, stop, |record| {
            let added = self.add(&record, &mut on_game);
            if added.is_err() || self.is_decided() {
                stop.stop();
            }
            if result.is_ok() {
                result = added;
            }
        });
        result.and(started.map_err(MatchError::Thread))
    }

    fn is_decided(&self) -> bool {
        let observed = self.standings.first_pairing().distribution();
        self.setup.sprt.is_some_and(|sprt| sprt.report(&observed).state != SprtState::Continue)
    }

    /// Counts, stores and reports a game.
    fn add(
        &mut self,
        record: &GameRecord,
        mut on_game: impl FnMut(FinishedGame<'_>),
    ) -> Result<(), MatchError> {
        // A decision is final: a game that ends after it is dropped, as those that are aborted. One
        // that ends after another reason to stop counts.
        if self.is_decided() {
            return Ok(());
        }
        let schedule = &self.setup.schedule;
        self.played.insert(record.number);
        self.standings.record(schedule, record.number, record.ending.for_side(Color::Red));
        self.endings.add(record);
        let checked = self.check_breakdowns(record);
        let round = schedule.round_label(record.number);
        let stored = self.archive.as_mut().map_or(Ok(()), |archive| archive.append(record, &round));
        on_game(FinishedGame { record, round: &round, report: &self.report() });
        checked.and(stored.map_err(MatchError::Archive))
    }

    /// Counts the breakdowns of engines in a game and between games.
    fn check_breakdowns(&mut self, record: &GameRecord) -> Result<(), MatchError> {
        for (side, fault) in record.breakdowns() {
            let count = self.breakdowns.entry(record.engines[side]).or_default();
            *count += 1;
            if *count >= MAX_BREAKDOWNS && !self.setup.recovers {
                let (name, fault) = (record.names[side].clone(), fault.clone());
                return Err(MatchError::Breakdowns { name, count: *count, fault });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use xiangqi::board::Position;
    use xiangqi::records::Game;
    use xiangqi::rules::Outcome;

    use super::super::super::engine::EngineSettings;
    use super::super::super::game::Termination;
    use super::super::super::statistics::{EloScale, Sprt};
    use super::super::schedule::{Schedule, TournamentForm};
    use super::*;

    fn setup(rounds: u32) -> MatchSetup {
        let engines = ["a", "b"].map(|name| {
            let mut engine = EngineSettings::new("/no/such/program");
            engine.name = name.to_owned();
            engine
        });
        MatchSetup::new(engines, Schedule::new(TournamentForm::RoundRobin, 2, rounds, 1, false))
    }

    /// Returns a game that the engine with the index `loser` loses.
    fn lost_game(setup: &MatchSetup, number: u32, loser: usize, why: Termination) -> GameRecord {
        let engines = setup.schedule.plan(number).expect("a planned game").engines;
        let color = if engines[0] == loser { Color::Red } else { Color::Black };
        GameRecord {
            number,
            engines,
            names: engines.map(|engine| setup.engines[engine].name.clone()),
            controls: engines.map(|engine| setup.engines[engine].control),
            game: Game::new(Position::startpos()),
            reports: Vec::new(),
            ending: Outcome::loss(color, why),
            faults_between: [None, None],
            began: SystemTime::now(),
            duration: Duration::ZERO,
        }
    }

    #[test]
    fn a_match_ends_at_the_second_breakdown_of_one_engine_unless_it_recovers() {
        let mut setup = setup(9);
        let outcomes = |setup: &MatchSetup| {
            let mut recorder = MatchRecorder::new(setup, MatchConditions::new(setup, &[]));
            let games = [(0, Fault::Stall), (1, Fault::Flood), (0, Fault::TimeForfeit)];
            let games = games.into_iter().chain([(0, Fault::NoMove)]);
            let add = |(number, (loser, fault)): (u32, (usize, Fault))| {
                let game = lost_game(setup, number, loser, Termination::Fault(fault));
                recorder.add(&game, |_| {}).map_err(|error| error.to_string())
            };
            (0..).zip(games).map(add).collect::<Vec<_>>()
        };
        let error = "engine a has failed 2 times, the last time by: no bestmove although there is a \
                     legal move; the results do not measure its strength";
        assert_eq!(outcomes(&setup), [Ok(()), Ok(()), Ok(()), Err(error.to_owned())]);
        setup.recovers = true;
        assert_eq!(outcomes(&setup), [Ok(()), Ok(()), Ok(()), Ok(())]);
    }

    #[test]
    fn games_that_end_after_the_decision_of_a_test_do_not_take_it_back() {
        let mut setup = setup(100);
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, EloScale::Normalised);
        setup.sprt = Some(sprt.expect("a test"));
        let mut recorder = MatchRecorder::new(&setup, MatchConditions::new(&setup, &[]));
        let mut number = 0;
        while !recorder.is_decided() {
            assert!(number < 90, "{number} wins decide nothing");
            let game = lost_game(&setup, number, 1, Termination::Resignation);
            recorder.add(&game, |_| {}).expect("no fault");
            number += 1;
        }
        for late in number..100 {
            let game = lost_game(&setup, late, 0, Termination::Resignation);
            recorder.add(&game, |game| panic!("{}", game.round)).expect("no fault");
        }
        // No game is played, which would be lost by the program that does not exist.
        let stop = StopSignal::new();
        recorder.run(&stop, |game| panic!("{}", game.round)).expect("nothing to play");
        let report = recorder.report();
        let state = report.sprt.map(|sprt| sprt.report.state);
        assert_eq!((state, report.games), (Some(SprtState::AcceptH1), number));
    }
}

//! Matches through the library: kept in a file, resumed, ended by breakdowns.

use std::fs;

use cannonade_match::{
    ArchiveError, Fault, MatchConditions, MatchError, MatchRecorder, MatchSetup, MoveCap, PgnStyle,
    Schedule, StopSignal, TournamentForm,
};

use super::fake_engine;
use super::support::{Folder, games_in};

fn setup(kinds: [&str; 2], tag: &str) -> MatchSetup {
    let engines = kinds.map(|kind| fake_engine::settings(kind, tag));
    let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 3, 2, true);
    let mut setup = MatchSetup::new(engines, schedule);
    setup.adjudication.move_cap = Some(MoveCap(1));
    setup
}

fn recorder(setup: &MatchSetup) -> MatchRecorder<'_> {
    MatchRecorder::new(setup, MatchConditions::new(setup, &[]))
}

#[test]
fn a_match_is_stopped_in_an_event_and_resumed_from_its_file() {
    let folder = Folder::new("library");
    let pgn = folder.file("games.pgn");
    // Slow enough for the third game to run still when the match is stopped.
    let setup = setup(["ucci_good", "slow"], "library");
    let keep = |recorder: &mut MatchRecorder<'_>, resumes| {
        let style = PgnStyle { event: "by the library".to_owned(), ..PgnStyle::default() };
        recorder.keep_in(&pgn, style, resumes)
    };
    let mut first = recorder(&setup);
    keep(&mut first, false).expect("a new file");
    let stop = StopSignal::new();
    let mut seen = Vec::new();
    let played = first.run(&stop, |game| {
        seen.push((game.round.to_owned(), game.report.games));
        if seen.len() == 2 {
            stop.stop();
        }
    });
    played.expect("no fault");
    assert_eq!(seen, [("1.1".to_owned(), 1), ("1.2".to_owned(), 2)]);
    assert_eq!((first.report().games, first.report().planned, games_in(&pgn)), (2, 6, 2));
    drop(first);

    assert!(matches!(keep(&mut recorder(&setup), false), Err(ArchiveError::Exists(_))));
    let mut second = recorder(&setup);
    keep(&mut second, true).expect("the games of the match");
    assert_eq!(second.report().games, 2);
    let mut rounds = Vec::new();
    second.run(&StopSignal::new(), |game| rounds.push(game.round.to_owned())).expect("no fault");
    assert_eq!(rounds, ["2.1", "2.2", "3.1", "3.2"]);
    let report = second.report();
    assert_eq!((report.games, report.pairings[0].pairs.pairs(), games_in(&pgn)), (6, 3, 6));
    let games = fs::read_to_string(&pgn).expect("the games");
    assert_eq!(games.matches("[Event \"by the library\"]").count(), 6);
    let began = format!("[MatchBegan \"{}\"]", report.matches[0].began);
    assert_eq!(games.matches(&began).count(), 6, "{began}: {games}");
    second.run(&StopSignal::new(), |game| panic!("{}", game.round)).expect("nothing to play");
}

#[test]
fn a_match_with_an_engine_that_breaks_down_again_ends_with_an_error() {
    let setup = setup(["good", "crash_at_start"], "library-breakdowns");
    let mut recorder = recorder(&setup);
    let error = recorder.run(&StopSignal::new(), |_| {}).expect_err("two crashes");
    let MatchError::Breakdowns { name, count: 2, fault: Fault::Gone(how) } = &error else {
        panic!("{error}");
    };
    assert_eq!((name.as_str(), how.as_str()), ("crash_at_start", "exit code 7"));
    assert!(recorder.report().games >= 2, "its games are counted");
}

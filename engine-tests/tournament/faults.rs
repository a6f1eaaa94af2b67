//! Each fault ends one game with its reason; the match goes on and leaves no process.

use std::time::{Duration, Instant};

use cannonade_match::{
    EngineSettings, Fault, GameRecord, MatchConditions, MatchRecorder, MatchSetup, MoveCap,
    Schedule, StopSignal, Termination, TimeControl, TournamentForm,
};
use xiangqi::geometry::Color;
use xiangqi::notation::Ranks;

use super::fake_engine;

fn setup(engines: Vec<EngineSettings>, form: TournamentForm, rounds: u32) -> MatchSetup {
    let schedule = Schedule::new(form, engines.len(), rounds, 2, true);
    let mut setup = MatchSetup::new(engines, schedule);
    setup.concurrency = 8;
    setup.adjudication.move_cap = Some(MoveCap(20));
    setup.recovers = true;
    setup
}

fn play(setup: &MatchSetup) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let mut recorder = MatchRecorder::new(setup, MatchConditions::new(setup, &[]));
    let played = recorder.run(&StopSignal::new(), |game| records.push(game.record.clone()));
    played.expect("the match recovers");
    records.sort_by_key(|record| record.number);
    records
}

/// The command lines of other processes that contain `tag`.
fn processes_with(tag: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let command = |entry: std::fs::DirEntry| {
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&bytes).replace('\0', " "))
    };
    entries.flatten().filter_map(command).filter(|line| line.contains(tag)).collect()
}

/// A text that is unique to this run of a test.
fn tag(test: &str) -> String {
    format!("tag-{test}-{}", std::process::id())
}

#[test]
fn every_fault_loses_its_games_and_no_other() {
    let tag = tag("faults");
    let gone = |how: &str| Fault::Gone(how.to_owned());
    let cases = [
        ("crash", gone("exit code 3")),
        ("crash_at_start", gone("exit code 7")),
        ("abort", gone("killed by signal 6")),
        ("disconnect", gone("disconnected")),
        ("stopped", Fault::Stall),
        ("hang", Fault::Stall),
        ("no_best_move", Fault::Stall),
        ("no_move", Fault::NoMove),
        ("ucci_no_move", Fault::NoMove),
        ("illegal_move", Fault::IllegalMove("e0e9".to_owned())),
        ("garbage", Fault::Stall),
        ("flood", Fault::Flood),
        ("flood_without_lines", Fault::Flood),
        ("flood_at_start", Fault::Flood),
        ("wrong_ready", Fault::NotReady),
        ("slow_start", Fault::NoHandshake),
        ("late", Fault::TimeForfeit),
    ];
    let mut engines = vec![fake_engine::settings("good", &tag)];
    engines.extend(cases.iter().map(|(name, _)| fake_engine::settings(name, &tag)));
    let records = play(&setup(engines, TournamentForm::Gauntlet, 1));
    assert_eq!(records.len(), 2 * cases.len(), "every game has its end");
    for record in &records {
        let culprit = if record.engines[0] == 0 { Color::Black } else { Color::Red };
        let (name, fault) = &cases[record.engines[culprit.index()] - 1];
        assert_eq!(record.ending.winner, Some(!culprit), "{name}: {}", record.ending);
        assert_eq!(record.ending.reason, Termination::Fault(fault.clone()), "{name}");
    }
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

#[test]
fn a_move_of_garbage_is_an_illegal_move() {
    let tag = tag("garbage");
    let engines = ["good", "garbage_move"].map(|name| fake_engine::settings(name, &tag));
    for record in play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1)) {
        let Termination::Fault(Fault::IllegalMove(text)) = &record.ending.reason else {
            panic!("{}", record.ending);
        };
        assert!(text.chars().all(|c| !c.is_control()), "{text:?}");
    }
}

#[test]
fn an_engine_that_counts_ranks_from_one_gets_a_hint() {
    let tag = tag("ranks");
    let engines = ["good", "ranks_from_one"].map(|name| fake_engine::settings(name, &tag));
    for record in play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1)) {
        let reason = record.ending.reason.to_string();
        assert!(reason.ends_with("(it is legal with dialect=fairy)"), "{reason}");
        assert_eq!(record.ending.reason.kind(), "illegal move");
    }
    let mut engines = ["good", "ranks_from_one"].map(|name| fake_engine::settings(name, &tag));
    for engine in &mut engines {
        engine.ranks = Ranks::FromOne;
    }
    let records = play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1));
    let record = records.iter().find(|record| record.engines == [0, 1]).expect("its game with Red");
    let reason = record.ending.reason.to_string();
    assert!(reason.ends_with("(it is legal with dialect=iccs)"), "{reason}");
}

#[test]
fn without_a_clock_silence_loses() {
    let tag = tag("silence");
    let mut engines = ["good", "hang"].map(|name| fake_engine::settings(name, &tag));
    for engine in &mut engines {
        engine.control = TimeControl { depth: Some(3), ..TimeControl::default() };
    }
    let records = play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1));
    assert_eq!(records.len(), 2);
    for record in records {
        assert_eq!(record.ending.reason, Termination::Fault(Fault::Silence));
    }
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

#[test]
fn a_program_that_does_not_exist_loses() {
    let tag = tag("missing");
    let good = fake_engine::settings("good", &tag);
    let mut missing = EngineSettings::new("/no/such/program");
    missing.name = "missing".to_owned();
    missing.control = good.control;
    for record in play(&setup(vec![good, missing], TournamentForm::RoundRobin, 1)) {
        let Termination::Fault(Fault::NoStart(why)) = &record.ending.reason else {
            panic!("{}", record.ending);
        };
        assert!(why.contains("/no/such/program"), "{why}");
    }
}

#[test]
fn healthy_games_end_without_fault_in_both_protocols() {
    let tag = tag("healthy");
    let names = ["good", "ucci_good", "answers_twice"];
    let engines = names.map(|name| fake_engine::settings(name, &tag));
    let records = play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 3));
    assert_eq!(records.len(), 18);
    for record in records {
        assert!(!record.ending.reason.is_fault(), "{}", record.ending);
        assert!(!record.game.is_empty());
    }
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

#[test]
fn an_engine_that_repeats_its_move_plays_an_illegal_move() {
    let tag = tag("repeats");
    let engines = ["good", "repeats_its_move"].map(|name| fake_engine::settings(name, &tag));
    for record in play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1)) {
        assert_eq!(record.ending.reason.kind(), "illegal move", "{}", record.ending);
    }
}

#[test]
fn engines_ponder_on_the_move_they_expect() {
    let tag = tag("ponder");
    for kind in [
        "expects_right",
        "expects_right_with_many_lines",
        "expects_wrong",
        "expects_right_and_answers_twice",
        "expects_wrong_and_answers_twice",
    ] {
        let mut engines = [kind, "good"].map(|name| fake_engine::settings(name, &tag));
        engines[0].ponder = true;
        let records = play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1));
        assert_eq!(records.len(), 2);
        for record in records {
            assert!(!record.ending.reason.is_fault(), "{kind}: {}", record.ending);
            assert!(record.game.len() > 5, "{kind}");
            // Of a search that began before the move of the opponent it says nothing.
            assert!(record.reports.iter().all(|report| report.info.time.is_none()), "{kind}");
        }
    }
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn processes_of_an_engine_end_with_it() {
    let tag = tag("family");
    let kinds = ["leaves_a_process", "good"];
    let engines = kinds.map(|name| fake_engine::settings(name, &tag));
    for record in play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1)) {
        // It plays two moves and crashes.
        assert!(record.ending.reason.is_fault(), "{}", record.ending);
    }
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

#[test]
fn ucci_engines_may_resign_and_agree_to_a_draw() {
    let tag = tag("agree");
    let engines = ["ucci_resigns", "ucci_good"].map(|name| fake_engine::settings(name, &tag));
    for record in play(&setup(engines.to_vec(), TournamentForm::RoundRobin, 1)) {
        assert_eq!(record.ending.reason, Termination::Resignation);
        let winner = record.ending.winner.expect("a winner");
        assert_eq!(record.names[winner.index()], "ucci_good");
    }
    let mut both = ["ucci_draws", "ucci_draws"].map(|name| fake_engine::settings(name, &tag));
    both[1].name = "other".to_owned();
    for record in play(&setup(both.to_vec(), TournamentForm::RoundRobin, 1)) {
        assert_eq!(record.ending.reason, Termination::Agreement);
        assert_eq!(record.game.len(), 2);
    }
}

#[test]
fn a_stopped_match_ends_at_once_and_leaves_no_process() {
    let tag = tag("stopped");
    let mut engines = ["good", "hang"].map(|name| fake_engine::settings(name, &tag));
    engines[1].control.move_time = Some(Duration::from_secs(600));
    let setup = setup(engines.to_vec(), TournamentForm::RoundRobin, 4);
    let stop = StopSignal::new();
    let signal = stop.clone();
    let (seen, tag_seen) = (tag.clone(), std::path::Path::new("/proc").exists());
    let watcher = std::thread::spawn(move || {
        let deadline = Instant::now() + Duration::from_secs(120);
        while tag_seen && processes_with(&seen).is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Into the first game, or its start.
        std::thread::sleep(Duration::from_secs(1));
        let running = processes_with(&seen).len();
        signal.stop();
        running
    });
    let start = Instant::now();
    let mut recorder = MatchRecorder::new(&setup, MatchConditions::new(&setup, &[]));
    recorder.run(&stop, |_| {}).expect("no fault");
    // The engine that hangs has ten minutes for its move.
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
    let running = watcher.join().expect("the watcher");
    assert!(running > 0 || !tag_seen, "the processes are found while they run");
    assert_eq!(recorder.report().games, 0, "aborted games are not reported");
    assert_eq!(processes_with(&tag), Vec::<String>::new());
}

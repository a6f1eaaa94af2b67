//! An engine where the system has no threads, as in WebAssembly: it has those of a host, or its
//! caller lets it work in slices.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use cannonade_engine::search::Limits;
use cannonade_engine::{Conclusion, Engine, Event, HostThreads, ThreadBody};
use crossbeam_channel::{Receiver, unbounded};
use xiangqi::board::{Position, START_FEN};

use super::{best_move, depth, engine, infinite};

const MIDDLE_GAME: &str =
    "2bakabr1/4n4/4c1n2/p1p1N1p1p/2P6/1r4P2/P3P3P/1C2C1Nc1/9/1RBAKABR1 w - - 1 11";

/// A slice after which a search of this file is never over by itself.
const SHORT: Duration = Duration::from_millis(5);
/// A slice in which each search ends.
const LONG: Duration = Duration::from_secs(600);

/// Returns an engine that its caller lets work.
fn caller_engine() -> (Engine, Receiver<Event>) {
    let (events, received) = unbounded();
    (Engine::without_threads(events, 1, None), received)
}

/// Lets the engine search to its end, in slices of this length. Returns the result and the number of
/// slices.
fn search(
    engine: &mut Engine,
    received: &Receiver<Event>,
    fen: &str,
    limits: Limits,
    slice: Duration,
) -> (Conclusion, usize) {
    engine.set_position(Position::from_fen(fen).expect("a position"));
    engine.go(limits, Instant::now());
    let mut slices = 1;
    while let Some(time) = engine.advance(slice) {
        slices += 1;
        thread::sleep(time);
    }
    (best_move(received), slices)
}

/// Returns an engine that may have up to three threads, which `start` starts; it begins with one.
fn hosted(start: impl Fn(ThreadBody) + Send + Sync + 'static) -> (Engine, Receiver<Event>) {
    let (events, received) = unbounded();
    let host = HostThreads { most: 3, start: Box::new(start) };
    (Engine::without_threads(events, 1, Some(host)), received)
}

#[test]
fn threads_of_a_host_search_until_they_are_no_longer_needed() {
    let running = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&running);
    let (mut engine, received) = hosted(move |body| {
        let count = Arc::clone(&count);
        count.fetch_add(1, Ordering::SeqCst);
        let run = move || {
            (body.run)();
            count.fetch_sub(1, Ordering::SeqCst);
        };
        thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    });
    let wait_for = |threads: usize| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while running.load(Ordering::SeqCst) != threads {
            assert!(Instant::now() < deadline, "not {threads} threads of the host");
            thread::yield_now();
        }
    };
    wait_for(1);
    let (alone, _) = search(&mut engine, &received, MIDDLE_GAME, depth(8), LONG);
    for threads in [3_usize, 2, 1, 3] {
        engine.set_option("Threads", &threads.to_string()).expect("that many");
        wait_for(threads);
        engine.new_game();
        let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(8), LONG);
        assert!(!found.broken && found.best.is_some(), "{threads}: {found:?}");
        assert!(threads > 1 || found.nodes == alone.nodes, "{found:?} for {alone:?}");
        assert!(threads == 1 || found.nodes != alone.nodes, "{threads} threads search as one");
        engine.go(infinite(), Instant::now());
        for _ in 0..20 {
            assert!(engine.advance(SHORT).is_some(), "an infinite search has ended");
        }
        engine.stop();
        // The threads end without the caller.
        engine.wait();
        assert_eq!(engine.advance(SHORT), None);
        assert!(!best_move(&received).broken);
    }
    engine.run_in_background(|task| task.print("done".to_owned()));
    engine.wait();
    let events: Vec<Event> = received.try_iter().collect();
    assert!(matches!(&events[..], [Event::Text(_), Event::Done]), "{events:?}");
    let error = engine.set_option("Threads", "64").expect_err("three are the most");
    assert!(error.to_string().contains("at most 3"), "{error}");
    drop(engine);
    wait_for(0);
}

#[test]
fn threads_that_the_host_gives_up_are_not_waited_for() {
    let (mut engine, received) = hosted(drop);
    let error = engine.set_option("Threads", "3").expect_err("no thread was started");
    assert!(error.to_string().contains("only 1"), "{error}");
    let (found, slices) = search(&mut engine, &received, MIDDLE_GAME, depth(12), SHORT);
    assert!(!found.broken && found.best.is_some(), "{found:?}");
    assert!(slices > 1, "the caller does not work");
}

#[test]
fn threads_that_fail_are_not_waited_for() {
    let started: Arc<Mutex<Vec<ThreadBody>>> = Arc::default();
    let bodies = Arc::clone(&started);
    let (mut engine, received) = hosted(move |body| bodies.lock().expect("no panic").push(body));
    let threads = || started.lock().expect("no panic").split_off(0);
    let spawn = |run| thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    drop(threads());
    engine.set_option("Threads", "3").expect("that many");
    // The main thread searches, one ends in its search, and one does not come to it.
    let [main, first, second] = <[ThreadBody; 3]>::try_from(threads()).ok().expect("three");
    let running = [spawn(main.run), spawn(first.run)];
    let failing = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        (second.fail)();
        second.run
    });
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6), LONG);
    assert!(found.broken && found.best.is_some(), "{found:?}");
    let unread = failing.join().expect("no panic");
    engine.new_game();
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6), LONG);
    assert!(!found.broken && found.best.is_some(), "{found:?}");
    // Without the main thread the caller works.
    (main.fail)();
    engine.new_game();
    let (found, slices) = search(&mut engine, &received, MIDDLE_GAME, depth(12), SHORT);
    assert!(!found.broken && found.best.is_some() && slices > 1, "{found:?}");
    engine.set_option("Threads", "3").expect("that many");
    assert_eq!(threads().len(), 3, "new threads in the place of those that failed");
    (first.fail)();
    drop(unread);
    drop(engine);
    for thread in running {
        thread.join().expect("the thread ends");
    }
}

#[test]
fn a_main_thread_that_fails_in_its_work_ends_it() {
    let started: Arc<Mutex<Vec<ThreadBody>>> = Arc::default();
    let bodies = Arc::clone(&started);
    let (mut engine, received) = hosted(move |body| bodies.lock().expect("no panic").push(body));
    for (skill, task) in [("20", false), ("10", false), ("20", true)] {
        engine.set_option("Skill Level", skill).expect("a level");
        if task {
            engine.run_in_background(|_| ());
        } else {
            engine.go(infinite(), Instant::now());
        }
        let body = started.lock().expect("no panic").pop().expect("a thread");
        (body.fail)();
        assert!(!engine.is_searching(), "{skill} {task}");
        let event = received.try_iter().last();
        assert!(
            match &event {
                Some(Event::BestMove(found)) => !task && found.broken && found.best.is_some(),
                other => task && matches!(other, Some(Event::Done)),
            },
            "{event:?}"
        );
        // A new one takes its place.
        engine.set_option("Threads", "2").expect("that many");
        engine.set_option("Threads", "1").expect("that many");
        started.lock().expect("no panic").drain(..2);
    }
}

#[test]
fn a_search_in_one_slice_is_that_of_a_thread() {
    let (mut own, own_events) = caller_engine();
    let (mut threaded, threaded_events) = engine();
    for (level, limits) in [(20, depth(9)), (12, Limits::default()), (3, Limits::default())] {
        for fen in [START_FEN, MIDDLE_GAME] {
            for engine in [&mut own, &mut threaded] {
                for (name, value) in [("Skill Level", level), ("Level Seed", 7)] {
                    engine.set_option(name, &value.to_string()).expect("a valid value");
                }
                engine.new_game();
            }
            let (found, slices) = search(&mut own, &own_events, fen, limits.clone(), LONG);
            threaded.set_position(Position::from_fen(fen).expect("a position"));
            threaded.go(limits.clone(), Instant::now());
            let expected = best_move(&threaded_events);
            assert_eq!(slices, 1);
            let of = |found: &Conclusion| (found.best, found.score, found.depth, found.nodes);
            assert_eq!(of(&found), of(&expected), "level {level}: {fen}");
        }
    }
}

#[test]
fn a_search_in_slices_gets_to_its_depth() {
    let (mut steady, steady_events) = caller_engine();
    let (mut interrupted, events) = caller_engine();
    let (mut nodes, mut expected, mut slices) = (0, 0, 0);
    for fen in [START_FEN, MIDDLE_GAME] {
        expected += search(&mut steady, &steady_events, fen, depth(15), LONG).0.nodes;
        let slice = Duration::from_millis(50);
        let (found, count) = search(&mut interrupted, &events, fen, depth(15), slice);
        assert_eq!(found.depth, 15);
        nodes += found.nodes;
        slices += count;
    }
    assert!(slices > 3, "{slices} slices for {nodes} nodes");
    assert!(nodes < 8 * expected, "{nodes} nodes instead of {expected} in {slices} slices");
}

#[test]
fn every_kind_of_search_is_stopped_between_slices() {
    let (mut engine, received) = caller_engine();
    let ponder = Limits { ponder: true, depth: Some(3), ..Limits::default() };
    let short = Limits { infinite: true, depth: Some(2), ..Limits::default() };
    for (skill, randomness) in [("20", "none"), ("19", "none"), ("20", "large")] {
        engine.set_option("Skill Level", skill).expect("a level");
        engine.set_option("randomness", randomness).expect("a choice");
        for limits in [infinite(), short.clone(), ponder.clone()] {
            engine.set_position(Position::from_fen(MIDDLE_GAME).expect("a position"));
            engine.go(limits.clone(), Instant::now());
            for _ in 0..3 {
                let is_left = engine.advance(SHORT).is_some();
                assert!(is_left, "{skill} {randomness} {limits:?} ended by itself");
            }
            engine.stop();
            assert_eq!(engine.advance(SHORT), None, "{skill} {randomness} {limits:?} goes on");
            let found = best_move(&received);
            assert!(found.best.is_some() && !found.broken, "{found:?}");
        }
    }
}

#[test]
fn a_slice_ends_in_time() {
    let (mut engine, received) = caller_engine();
    for skill in ["20", "19"] {
        engine.set_option("Skill Level", skill).expect("a level");
        engine.go(infinite(), Instant::now());
        let mut times: Vec<Duration> = (0..20)
            .map(|_| {
                let start = Instant::now();
                assert!(engine.advance(SHORT).is_some());
                start.elapsed()
            })
            .collect();
        times.sort();
        // The median, since the machine may be busy.
        assert!(times[10] < 4 * SHORT, "{skill}: {times:?}");
        engine.stop();
        engine.wait();
        best_move(&received);
    }
}

#[test]
fn a_ponder_hit_lets_a_search_in_slices_end() {
    let (mut engine, received) = caller_engine();
    engine.go(Limits { ponder: true, depth: Some(8), ..Limits::default() }, Instant::now());
    let mut rests = false;
    for _ in 0..200 {
        let time = engine.advance(SHORT).expect("it waits for the hit");
        rests |= !time.is_zero();
    }
    assert!(rests, "the caller is kept busy while the search waits");
    engine.ponder_hit();
    while engine.advance(SHORT).is_some() {}
    assert_eq!(best_move(&received).depth, 8);
}

#[test]
fn a_new_search_ends_the_last_one_and_a_task_is_done_by_the_caller() {
    let (mut engine, received) = caller_engine();
    engine.go(infinite(), Instant::now());
    assert!(engine.advance(SHORT).is_some());
    engine.go(depth(3), Instant::now());
    assert!(best_move(&received).best.is_some(), "the answer of the first one");
    while engine.advance(SHORT).is_some() {}
    assert_eq!(best_move(&received).depth, 3);
    engine.run_in_background(|task| task.print("done".to_owned()));
    assert!(engine.is_searching());
    assert_eq!(engine.advance(SHORT), None);
    let events: Vec<Event> = received.try_iter().collect();
    assert!(
        matches!(&events[..], [Event::Text(text), Event::Done] if text == "done"),
        "{events:?}"
    );
}

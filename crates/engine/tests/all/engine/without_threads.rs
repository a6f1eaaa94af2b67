//! An engine without threads, as in WebAssembly: its caller lets it work from pause to pause.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
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

/// Returns an engine that pauses at each question whose number is a multiple of `interval`; 0 for
/// never.
fn pausing(interval: u64) -> (Engine, Receiver<Event>) {
    let (events, received) = unbounded();
    let asked = AtomicU64::new(0);
    let pause =
        move || interval > 0 && asked.fetch_add(1, Ordering::Relaxed) % interval == interval - 1;
    (Engine::with_pauses(events, Arc::new(pause), None), received)
}

/// Lets the engine search to its end. Returns the result and the number of pauses.
fn search(
    engine: &mut Engine,
    received: &Receiver<Event>,
    fen: &str,
    limits: Limits,
) -> (Conclusion, usize) {
    engine.set_position(Position::from_fen(fen).expect("a position"));
    engine.go(limits, Instant::now());
    let mut pauses = 0;
    while engine.advance() {
        pauses += 1;
    }
    (best_move(received), pauses)
}

/// Returns an engine that pauses as long as `pauses`, and may have up to three threads, which
/// `start` starts.
fn hosted(
    pauses: &Arc<AtomicBool>,
    start: impl Fn(ThreadBody) + Send + Sync + 'static,
) -> (Engine, Receiver<Event>) {
    let (events, received) = unbounded();
    let pauses = Arc::clone(pauses);
    let pause = move || pauses.load(Ordering::Relaxed);
    let host = HostThreads { most: 3, start: Box::new(start) };
    (Engine::with_pauses(events, Arc::new(pause), Some(host)), received)
}

#[test]
fn threads_of_a_host_search_with_the_caller_until_they_are_no_longer_needed() {
    let running = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&running);
    let pauses = Arc::default();
    let (mut engine, received) = hosted(&pauses, move |body| {
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
    let (alone, _) = search(&mut engine, &received, MIDDLE_GAME, depth(8));
    for threads in [3_usize, 2, 1, 3] {
        engine.set_option("Threads", &threads.to_string()).expect("that many");
        wait_for(threads - 1);
        engine.new_game();
        let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(8));
        assert!(!found.broken && found.best.is_some(), "{threads}: {found:?}");
        assert!(threads > 1 || found.nodes == alone.nodes, "{found:?} for {alone:?}");
        assert!(threads == 1 || found.nodes != alone.nodes, "{threads} threads search as one");
        pauses.store(true, Ordering::Relaxed);
        engine.go(infinite(), Instant::now());
        for _ in 0..20 {
            assert!(engine.advance(), "an infinite search has ended");
        }
        engine.stop();
        while engine.advance() {}
        pauses.store(false, Ordering::Relaxed);
        assert!(!best_move(&received).broken);
    }
    let error = engine.set_option("Threads", "64").expect_err("three are the most");
    assert!(error.to_string().contains("at most 3"), "{error}");
    drop(engine);
    wait_for(0);
}

#[test]
fn threads_that_the_host_gives_up_are_not_waited_for() {
    let (mut engine, received) = hosted(&Arc::default(), drop);
    let error = engine.set_option("Threads", "3").expect_err("no thread was started");
    assert!(error.to_string().contains("only 1"), "{error}");
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6));
    assert!(!found.broken && found.best.is_some(), "{found:?}");
}

#[test]
fn threads_that_fail_are_not_waited_for() {
    let started: Arc<Mutex<Vec<ThreadBody>>> = Arc::default();
    let bodies = Arc::clone(&started);
    let (mut engine, received) =
        hosted(&Arc::default(), move |body| bodies.lock().expect("no panic").push(body));
    engine.set_option("Threads", "3").expect("that many");
    // One ends in its search, the other has not come to it.
    let mut bodies = started.lock().expect("no panic").split_off(0);
    let (second, first) = (bodies.pop().expect("a thread"), bodies.pop().expect("a thread"));
    let running = thread::Builder::new().stack_size(64 << 20).spawn(first.run).expect("a thread");
    let failing = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        (second.fail)();
        second.run
    });
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6));
    assert!(found.broken && found.best.is_some(), "{found:?}");
    let unread = failing.join().expect("no panic");
    engine.new_game();
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6));
    assert!(!found.broken && found.best.is_some(), "{found:?}");
    (first.fail)();
    engine.new_game();
    let (found, _) = search(&mut engine, &received, MIDDLE_GAME, depth(6));
    assert!(!found.broken && found.best.is_some(), "{found:?}");
    engine.set_option("Threads", "3").expect("that many");
    assert_eq!(
        started.lock().expect("no panic").len(),
        2,
        "new threads in the place of those that failed"
    );
    drop((started.lock().expect("no panic").split_off(0), unread));
    drop(engine);
    running.join().expect("the thread ends");
}

#[test]
fn a_search_without_pauses_is_that_of_a_thread() {
    let (mut own, own_events) = pausing(0);
    let (mut threaded, threaded_events) = engine();
    for (level, limits) in [(20, depth(9)), (12, Limits::default()), (3, Limits::default())] {
        for fen in [START_FEN, MIDDLE_GAME] {
            for engine in [&mut own, &mut threaded] {
                for (name, value) in [("Skill Level", level), ("Level Seed", 7)] {
                    engine.set_option(name, &value.to_string()).expect("a valid value");
                }
                engine.new_game();
            }
            let (found, pauses) = search(&mut own, &own_events, fen, limits.clone());
            threaded.set_position(Position::from_fen(fen).expect("a position"));
            threaded.go(limits.clone(), Instant::now());
            let expected = best_move(&threaded_events);
            assert_eq!(pauses, 0);
            let of = |found: &Conclusion| (found.best, found.score, found.depth, found.nodes);
            assert_eq!(of(&found), of(&expected), "level {level}: {fen}");
        }
    }
}

#[test]
fn pauses_cost_few_nodes() {
    let (mut steady, steady_events) = pausing(0);
    let (mut interrupted, events) = pausing(400);
    let (mut nodes, mut expected, mut pauses) = (0, 0, 0);
    for fen in [START_FEN, MIDDLE_GAME] {
        expected += search(&mut steady, &steady_events, fen, depth(15)).0.nodes;
        let (found, count) = search(&mut interrupted, &events, fen, depth(15));
        assert_eq!(found.depth, 15);
        nodes += found.nodes;
        pauses += count;
    }
    assert!(pauses >= 2, "{pauses} pauses in {nodes} nodes");
    assert!(nodes < 2 * expected, "{nodes} nodes instead of {expected} for {pauses} pauses");
}

#[test]
fn every_kind_of_search_is_stopped_after_a_pause() {
    let (mut engine, received) = pausing(20);
    let ponder = Limits { ponder: true, depth: Some(3), ..Limits::default() };
    let short = Limits { infinite: true, depth: Some(2), ..Limits::default() };
    for (skill, randomness) in [("20", "none"), ("19", "none"), ("20", "large")] {
        engine.set_option("Skill Level", skill).expect("a level");
        engine.set_option("randomness", randomness).expect("a choice");
        for limits in [infinite(), short.clone(), ponder.clone()] {
            engine.set_position(Position::from_fen(MIDDLE_GAME).expect("a position"));
            engine.go(limits.clone(), Instant::now());
            for _ in 0..3 {
                assert!(engine.advance(), "{skill} {randomness} {limits:?} ended by itself");
            }
            engine.stop();
            assert!(!engine.advance(), "{skill} {randomness} {limits:?} goes on after stop");
            let found = best_move(&received);
            assert!(found.best.is_some() && !found.broken, "{found:?}");
        }
    }
}

#[test]
fn a_ponder_hit_lets_a_paused_search_end() {
    let (mut engine, received) = pausing(20);
    engine.go(Limits { ponder: true, depth: Some(8), ..Limits::default() }, Instant::now());
    for _ in 0..200 {
        assert!(engine.advance());
    }
    engine.ponder_hit();
    while engine.advance() {}
    assert_eq!(best_move(&received).depth, 8);
}

#[test]
fn a_new_search_ends_the_paused_one_and_a_task_is_done_by_the_caller() {
    let (mut engine, received) = pausing(20);
    engine.go(infinite(), Instant::now());
    assert!(engine.advance());
    engine.go(depth(3), Instant::now());
    assert!(best_move(&received).best.is_some(), "the answer of the first one");
    while engine.advance() {}
    assert_eq!(best_move(&received).depth, 3);
    engine.run_in_background(|task| task.print("done".to_owned()));
    assert!(engine.is_searching());
    assert!(!engine.advance());
    let events: Vec<Event> = received.try_iter().collect();
    assert!(
        matches!(&events[..], [Event::Text(text), Event::Done] if text == "done"),
        "{events:?}"
    );
}

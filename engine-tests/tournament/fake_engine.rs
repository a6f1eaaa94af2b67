//! Engines for the tests, most of them with a fault. Each is an ignored test of this program, which
//! other tests start as a process:
//! `all --ignored --exact tournament::fake_engine::hang --nocapture`.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use cannonade_match::{EngineProtocol, EngineSettings, TimeControl};
use xiangqi::board::{Move, Position};
use xiangqi::notation::Ranks;

/// The settings of the fake engine with this name. The `tag` is part of its command line, so that a
/// test can find the process.
pub fn settings(name: &str, tag: &str) -> EngineSettings {
    let mut settings = EngineSettings::new(std::env::current_exe().expect("this program"));
    settings.name = name.to_owned();
    let test = format!("tournament::fake_engine::{name}");
    let arguments = ["--ignored", "--exact", "--nocapture", &test, tag];
    settings.arguments = arguments.map(str::to_owned).to_vec();
    if name.starts_with("ucci") {
        settings.protocol = EngineProtocol::Ucci;
    }
    // Enough for a busy machine, and short enough for a test.
    let move_time = Some(Duration::from_secs(2));
    settings.control = TimeControl { move_time, ..TimeControl::default() };
    settings.startup = Duration::from_secs(10);
    settings.patience = Duration::from_secs(3);
    settings
}

fn write_line(line: &str) {
    let mut out = io::stdout().lock();
    // In one piece, so that lines that belong together arrive together. The pipe is closed when the
    // match has ended.
    if out.write_all(format!("{line}\n").as_bytes()).is_err() {
        process::exit(0);
    }
    let _ = out.flush();
}

fn sleep_without_end() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Speaks UCI or UCCI and plays the first legal move. `answer` is called before each move with the
/// number of the `go` in this process, from 1; it returns whether it has written an answer itself.
fn serve(
    mut on_greeting: impl FnMut(),
    ready: &str,
    mut answer: impl FnMut(u32, &Position) -> bool,
) {
    // Ends the line that the test harness has begun.
    write_line("");
    let mut position = Position::startpos();
    let mut count = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                on_greeting();
                write_line(
                    "id name fake\noption name Hash type spin default 16 min 1 max 64\nuciok",
                );
            }
            Some("ucci") => {
                on_greeting();
                write_line("id name fake\noption usemillisec type check default false\nucciok");
            }
            Some("isready") => write_line(ready),
            Some("position") => position = read_position(&line),
            Some("go") => {
                count += 1;
                if !answer(count, &position) {
                    play(&position);
                }
            }
            Some("quit") => break,
            _ => {}
        }
    }
    process::exit(0);
}

fn read_position(line: &str) -> Position {
    let (fen, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fen = fen.trim_start_matches("position fen ");
    let mut position = Position::from_fen(fen).expect("the match sends valid positions");
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).expect("the match sends legal moves");
        position.play_unchecked(mv);
    }
    position
}

fn first_move(position: &Position) -> Move {
    position
        .legal_moves()
        .into_iter()
        .min()
        .expect("the match asks for a move only if there is one")
}

fn play(position: &Position) {
    write_line("info depth 1 score cp 0 nodes 1 pv a0a1");
    write_line(&format!("bestmove {}", first_move(position)));
}

/// Speaks UCI and expects as the opponent's answer the one with index `expected` among the sorted
/// moves, and writes `pondered_lines` lines whenever it begins to ponder, and each answer `answers`
/// times, where the last one to `stop` is late and has no move. It ends with a different exit code
/// for each command that the match must not send.
fn serve_pondering(expected: usize, pondered_lines: usize, answers: usize) {
    write_line("");
    let (mut position, mut pondering) = (Position::startpos(), false);
    let play_and_expect = |position: &Position| {
        let answer = answer_and_expect(position, expected);
        (0..answers).for_each(|_| write_line(&answer));
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("uci") => write_line("option name Ponder type check default false\nuciok"),
            Some("isready") if pondering => process::exit(21),
            Some("isready") => write_line("readyok"),
            Some("position") => position = read_position(&line),
            Some("go") if line.starts_with("go ponder ") => {
                pondering = true;
                for depth in 0..pondered_lines {
                    write_line(&format!("info depth {depth} score cp 1 time 9 pv a0a1"));
                }
            }
            // From the second move on the answer was expected, so no new search is needed.
            Some("go") if expected == 0 && position.ply() > 1 => process::exit(22),
            Some("go") => play_and_expect(&position),
            Some("ponderhit") if !pondering || expected > 0 => process::exit(23),
            Some("ponderhit") => {
                pondering = false;
                play_and_expect(&position);
            }
            Some("stop") if !pondering => process::exit(24),
            Some("stop") => {
                pondering = false;
                write_line(&answer_and_expect(&position, expected));
                for _ in 1..answers {
                    thread::sleep(Duration::from_millis(30));
                    write_line("bestmove (none)");
                }
            }
            Some("quit") => break,
            _ => {}
        }
    }
    process::exit(0);
}

fn answer_and_expect(position: &Position, expected: usize) -> String {
    let mv = first_move(position);
    let after = position.after([mv]);
    let mut answers = after.legal_moves().to_vec();
    answers.sort();
    let ponder = answers.get(expected).map_or(String::new(), |answer| format!(" ponder {answer}"));
    format!("bestmove {mv}{ponder}")
}

macro_rules! fakes {
    ($($name:ident => $body:expr;)*) => {
        $(
            #[test]
            #[ignore = "an engine for the other tests"]
            fn $name() {
                // A run of all ignored tests must not start engines.
                if std::env::args().any(|argument| argument == "--exact") {
                    $body
                }
            }
        )*
    };
}

fakes! {
    good => serve(|| {}, "readyok", |_, _| false);
    ucci_good => serve(|| {}, "readyok", |_, _| false);
    control_characters_in_its_name => serve(|| write_line("id name one\ttwo\u{1}three"), "readyok",
        |_, _| false);
    // What it says after `ucciok` is too late, so it has no option `usemillisec`.
    ucci_old => serve(|| write_line("ucciok"), "readyok", |_, _| false);
    crash => serve(|| {}, "readyok", |count, _| count >= 3 && process::exit(3));
    crash_at_start => process::exit(7);
    abort => serve(|| {}, "readyok", |count, _| count >= 2 && process::abort());
    // As a debugger or an administrator stops a process: it neither answers nor ends.
    stopped => serve(|| {}, "readyok", |count, _| {
        if count >= 2 {
            let id = process::id().to_string();
            let _ = process::Command::new("kill").args(["-STOP", &id]).status();
        }
        false
    });
    ranks_from_one => serve(|| {}, "readyok", |_, position| {
        let text = Ranks::FromOne.write(first_move(position));
        write_line(&format!("bestmove {text}"));
        true
    });
    // Takes about as long for a move as its clock allows.
    slow => serve(|| {}, "readyok", |_, _| {
        thread::sleep(Duration::from_millis(700));
        false
    });
    // Ends after its last move of a game of five moves.
    ends_after_the_game => serve(|| {}, "readyok", |count, position| {
        if count == 5 {
            play(position);
            process::exit(4);
        }
        false
    });
    disconnect => serve(|| {}, "readyok", |count, _| count >= 2 && process::exit(0));
    hang => serve(|| {}, "readyok", |count, _| count >= 2 && sleep_without_end());
    no_best_move => serve(|| {}, "readyok", |count, _| {
        write_line("info depth 5 score cp 3");
        count >= 2
    });
    no_move => serve(|| {}, "readyok", |count, _| {
        write_line("bestmove (none)");
        count >= 1
    });
    ucci_no_move => serve(|| {}, "readyok", |count, _| {
        write_line("nobestmove");
        count >= 1
    });
    illegal_move => serve(|| {}, "readyok", |count, _| {
        let illegal = count >= 3;
        if illegal {
            write_line("bestmove e0e9");
        }
        illegal
    });
    garbage_move => serve(|| {}, "readyok", |_, _| {
        let _ = io::stdout().lock().write_all(b"bestmove \xff\xfe\x00\x80\n");
        true
    });
    garbage => serve(|| {}, "readyok", |_, _| {
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i * 7 % 256) as u8).collect();
        let _ = io::stdout().lock().write_all(&bytes);
        true
    });
    flood => serve(|| {}, "readyok", |count, _| {
        if count < 2 {
            return false;
        }
        loop {
            write_line(&"info depth 1 score cp 1 pv a0a1 ".repeat(30));
        }
    });
    flood_without_lines => serve(|| {}, "readyok", |_, _| loop {
        if io::stdout().lock().write_all(&[b'x'; 1 << 16]).is_err() {
            process::exit(0);
        }
    });
    flood_at_start => loop {
        write_line(&"hello ".repeat(1000));
    };
    wrong_ready => serve(|| {}, "readyokay", |_, _| false);
    slow_start => serve(|| thread::sleep(Duration::from_secs(20)), "readyok", |_, _| false);
    late => serve(|| {}, "readyok", |count, _| {
        if count >= 2 {
            thread::sleep(Duration::from_secs(4));
        }
        false
    });
    expects_right => serve_pondering(0, 1, 1);
    expects_right_with_many_lines => serve_pondering(0, 5000, 1);
    expects_wrong => serve_pondering(1, 1, 1);
    expects_right_and_answers_twice => serve_pondering(0, 1, 2);
    expects_wrong_and_answers_twice => serve_pondering(1, 1, 2);
    // Its second answer comes after the next `go`.
    answers_twice => serve(|| {}, "readyok", |_, position| {
        play(position);
        thread::sleep(Duration::from_millis(30));
        false
    });
    repeats_its_move => {
        let mut first = None;
        serve(|| {}, "readyok", move |_, position| {
            let mv = *first.get_or_insert_with(|| first_move(position));
            write_line(&format!("bestmove {mv}"));
            true
        });
    };
    // A script that starts a program and does not wait for it.
    leaves_a_process => serve(|| {
        let tag = std::env::args().next_back().expect("a tag");
        let mut helper = process::Command::new("sh");
        helper.args(["-c", "sh -c 'sleep 600; true' $0 &", &tag]);
        helper.status().expect("a shell");
    }, "readyok", |count, _| {
        if count >= 3 {
            process::exit(3);
        }
        false
    });
    // A program that is no longer in the group of the engine.
    leaves_a_session => serve(|| {
        let tag = std::env::args().next_back().expect("a tag");
        let mut helper = process::Command::new("sh");
        helper.args(["-c", "setsid sh -c 'sleep 600; true' $0 &", &tag]);
        helper.status().expect("a session");
    }, "readyok", |_, _| false);
    // Its last argument is a file of lines, which it writes before its moves.
    reads_from_a_script => {
        let file = std::env::args().next_back().expect("a file");
        let script = std::fs::read(file).unwrap_or_default();
        let lines: Vec<Vec<u8>> = script.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        serve(|| {}, "readyok", |count, _| {
            let mut out = io::stdout().lock();
            let share = lines.len().div_ceil(4);
            for line in lines.iter().skip((count as usize - 1) % 4 * share).take(share) {
                let _ = out.write_all(line).and_then(|()| out.write_all(b"\n"));
            }
            false
        });
    };
    // Answers twice, the second time before the next `go`.
    noisy => serve(|| eprintln!("a complaint"), "readyok", |_, position| {
        play(position);
        false
    });
    // Both lines at once, so that the second one comes before the next `go`.
    ucci_answers_twice => serve(|| {}, "readyok", |_, position| {
        write_line(&format!("bestmove {}\nnobestmove", first_move(position)));
        true
    });
    ucci_resigns => serve(|| {}, "readyok", |count, position| {
        let resigns = count >= 3;
        if resigns {
            write_line(&format!("bestmove {} resign", first_move(position)));
        }
        resigns
    });
    ucci_draws => serve(|| {}, "readyok", |_, position| {
        write_line(&format!("bestmove {} draw", first_move(position)));
        true
    });
}

//! The instants at which commands arrive, which a client cannot choose exactly.

use std::io::Write;

use web_time::{Duration, Instant};

use super::{CROSSING, InputLine, Session, Writer};

/// Reads a line that arrives at this instant, and writes what the engine says to it.
fn read<W: Write>(session: &mut Session<W>, text: &str, arrived: Instant) {
    session.read(&InputLine::new(text, arrived)).expect("a sound output");
    while session.search.is_some() {
        let event = session.events.recv().expect("an engine");
        session.write_event(event).expect("a sound output");
    }
}

/// A client cannot know that its `stop` crosses the move, and resigns at `nobestmove`.
#[test]
fn a_stop_that_crosses_the_move_has_no_answer_of_its_own() {
    let mut output = Vec::new();
    let mut session = Session::new(Writer::new(&mut output));
    read(&mut session, "ucci", Instant::now());
    for (go, late) in [("go depth 1", false), ("go depth 1", true), ("go depth 0", false)] {
        read(&mut session, go, Instant::now());
        let answered = session.answered.expect("the time of the move");
        let delay = if late { CROSSING } else { CROSSING - Duration::from_nanos(1) };
        read(&mut session, "stop", answered + delay);
        // Only one line can cross the move.
        assert_eq!(session.answered, None);
    }
    drop(session);
    let text = String::from_utf8(output).expect("text");
    let words = text.lines().filter_map(|line| line.split(' ').next());
    let answers: Vec<&str> = words.filter(|word| word.ends_with("bestmove")).collect();
    assert_eq!(answers, ["bestmove", "bestmove", "nobestmove", "nobestmove"], "{text}");
}

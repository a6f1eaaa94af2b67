//! What is said to an engine and how its answers are read, in UCI and UCCI.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::board::Position;

use super::dialect::Dialect;
use super::time_control::GameClock;

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Chinese Chess Interface, version 3.0 (xqbase, 2007).
    Ucci,
}

/// A name of no protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no protocol; expected 'uci' or 'ucci'")]
pub struct ParseProtocolError(pub String);

impl FromStr for Protocol {
    type Err = ParseProtocolError;

    fn from_str(text: &str) -> Result<Protocol, ParseProtocolError> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(Protocol::Uci),
            "ucci" => Ok(Protocol::Ucci),
            _ => Err(ParseProtocolError(text.to_owned())),
        }
    }
}

/// In what a UCCI engine hears clocks. By the book it is seconds unless the engine has an option
/// `usemillisec`; most engines of today take milliseconds without having it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeUnit {
    /// Thousandths of a second.
    Milliseconds,
    /// Whole seconds.
    Seconds,
}

impl FromStr for TimeUnit {
    type Err = ();

    fn from_str(text: &str) -> Result<TimeUnit, ()> {
        match text {
            "ms" => Ok(TimeUnit::Milliseconds),
            "s" => Ok(TimeUnit::Seconds),
            _ => Err(()),
        }
    }
}

impl TimeUnit {
    fn count(self, time: Duration) -> u128 {
        match self {
            TimeUnit::Milliseconds => time.as_millis(),
            TimeUnit::Seconds => u128::from(time.as_secs()),
        }
    }
}

impl Protocol {
    /// The first command.
    pub(super) fn greeting(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
        }
    }

    /// The answer that ends the handshake.
    pub(super) fn greeting_answer(self) -> &'static str {
        match self {
            Protocol::Uci => "uciok",
            Protocol::Ucci => "ucciok",
        }
    }

    /// Sets an option; an empty value presses a button.
    pub(super) fn set_option(self, name: &str, value: &str) -> String {
        match (self, value) {
            (Protocol::Uci, "") => format!("setoption name {name}"),
            (Protocol::Uci, _) => format!("setoption name {name} value {value}"),
            (Protocol::Ucci, "") => format!("setoption {name}"),
            (Protocol::Ucci, _) => format!("setoption {name} {value}"),
        }
    }

    /// The name of the option in a line `option ..`, if it is one.
    pub(super) fn option_name(self, line: &str) -> Option<&str> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = match self {
            Protocol::Uci => rest.strip_prefix("name ")?,
            Protocol::Ucci => rest,
        };
        let end = rest.find(" type ")?;
        Some(rest[..end].trim())
    }

    /// Tells the position, and what came before as far as it can still be repeated.
    pub(super) fn position(self, dialect: Dialect, position: &Position) -> String {
        let mut start = position.clone();
        let mut moves = Vec::new();
        // UCCI wants the position after the last capture and the moves since.
        while let Some(mv) = start.state().mv {
            let captured = start.state().captured.is_some();
            if captured && self == Protocol::Ucci {
                break;
            }
            moves.push(mv);
            start.unmake();
        }
        let mut text = format!("position fen {}", start.fen());
        if !moves.is_empty() {
            text.push_str(" moves");
        }
        for &mv in moves.iter().rev() {
            text.push(' ');
            text.push_str(&dialect.write(mv));
        }
        text
    }

    /// `go`, for the clocks of the mover (who is Red or not) and of its opponent.
    pub(super) fn go(self, order: &GoOrder<'_>) -> String {
        let mut text = String::from("go");
        let mut add = |key: &str, value: &dyn fmt::Display| {
            text.push_str(&format!(" {key}"));
            let value = value.to_string();
            if !value.is_empty() {
                text.push_str(&format!(" {value}"));
            }
        };
        if order.ponder {
            add("ponder", &"");
        } else if order.draw_offered && self == Protocol::Ucci {
            add("draw", &"");
        }
        let GoOrder { own, other, .. } = order;
        let control = own.control();
        let clock = |clock: &GameClock| {
            let increment = clock.control().clock.map_or(Duration::ZERO, |clock| clock.increment);
            // An engine without time would find no move; the margin may have let it overrun.
            let left = clock.left().unwrap_or_default().max(Duration::from_millis(1));
            (left, increment)
        };
        match self {
            Protocol::Uci => {
                if control.clock.is_some() {
                    // An opponent without a clock is told of as one with ours.
                    let other = if other.control().clock.is_some() { other } else { own };
                    let (red, black) = if order.red { (own, other) } else { (other, own) };
                    let ((wtime, winc), (btime, binc)) = (clock(red), clock(black));
                    add("wtime", &wtime.as_millis());
                    add("btime", &btime.as_millis());
                    add("winc", &winc.as_millis());
                    add("binc", &binc.as_millis());
                    if let Some(moves) = own.moves_to_go() {
                        add("movestogo", &moves);
                    }
                }
                if let Some(time) = control.move_time {
                    add("movetime", &time.as_millis());
                }
            }
            Protocol::Ucci => {
                let unit = order.unit;
                if control.clock.is_some() {
                    let (left, increment) = clock(own);
                    add("time", &unit.count(left));
                    match own.moves_to_go() {
                        Some(moves) => add("movestogo", &moves),
                        None => add("increment", &unit.count(increment)),
                    }
                    if other.control().clock.is_some() {
                        let (left, increment) = clock(other);
                        add("opptime", &unit.count(left));
                        match other.moves_to_go() {
                            Some(moves) => add("oppmovestogo", &moves),
                            None => add("oppincrement", &unit.count(increment)),
                        }
                    }
                } else if let Some(time) = control.move_time {
                    // UCCI has no movetime: a clock that must last for one move means the same.
                    add("time", &unit.count(time));
                    add("movestogo", &1);
                }
            }
        }
        if let Some(depth) = control.depth {
            add("depth", &depth);
        }
        if let Some(nodes) = control.nodes {
            add("nodes", &nodes);
        }
        text
    }
}

/// What a `go` must tell.
pub(super) struct GoOrder<'a> {
    /// The mover's clock.
    pub(super) own: &'a GameClock,
    /// Its opponent's.
    pub(super) other: &'a GameClock,
    /// Whether the mover is Red.
    pub(super) red: bool,
    /// Whether the opponent is to move in truth.
    pub(super) ponder: bool,
    /// Whether the opponent offered a draw with its last move.
    pub(super) draw_offered: bool,
    /// The unit of a UCCI engine.
    pub(super) unit: TimeUnit,
}

/// An evaluation as engines report it, from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative is being mated.
    Mate(i32),
}

impl EngineScore {
    /// The score as one number; mates are beyond 30000.
    pub fn value(self) -> i32 {
        match self {
            EngineScore::Centipawns(value) => value.clamp(-30_000, 30_000),
            EngineScore::Mate(moves) if moves > 0 => 32_000 - moves.min(1000),
            EngineScore::Mate(moves) => -32_000 - moves.max(-1000),
        }
    }
}

impl fmt::Display for EngineScore {
    /// `+0.35`, `-M4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EngineScore::Centipawns(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            EngineScore::Mate(moves) => {
                let sign = if moves > 0 { '+' } else { '-' };
                write!(f, "{sign}M{}", moves.unsigned_abs())
            }
        }
    }
}

/// What an engine said of its search, as of its last full report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The evaluation.
    pub score: Option<EngineScore>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
}

impl Report {
    /// Takes in a line `info ..`; others change nothing.
    pub(super) fn hear(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("info ") else { return };
        let mut words = rest.split_whitespace().peekable();
        let mut heard = Report::default();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" | "pv" => break,
                // Further lines are not what it plays, and a bound is no evaluation.
                "multipv" if words.peek().is_some_and(|&n| n != "1") => return,
                "lowerbound" | "upperbound" => return,
                "depth" => heard.depth = words.next().and_then(|n| n.parse().ok()),
                "nodes" => heard.nodes = words.next().and_then(|n| n.parse().ok()),
                "score" => {
                    heard.score = match words.next() {
                        Some("cp") => {
                            words.next().and_then(|n| n.parse().ok()).map(EngineScore::Centipawns)
                        }
                        Some("mate") => {
                            words.next().and_then(|n| n.parse().ok()).map(EngineScore::Mate)
                        }
                        Some(bare) => bare.parse().ok().map(EngineScore::Centipawns),
                        None => None,
                    };
                }
                _ => {}
            }
        }
        if heard.score.is_some() {
            self.score = heard.score;
            self.depth = heard.depth.or(self.depth);
        }
        self.nodes = heard.nodes.or(self.nodes);
    }
}

/// A `bestmove` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BestMove {
    /// The move as written; `None` if the engine has none.
    pub(super) text: Option<String>,
    /// The expected answer, as written.
    pub(super) ponder: Option<String>,
    /// UCCI: the engine offers or accepts a draw.
    pub(super) draw: bool,
    /// UCCI: the engine resigns.
    pub(super) resign: bool,
}

impl BestMove {
    /// Reads `bestmove ..` and `nobestmove`; `None` for any other line.
    pub(super) fn parse(line: &str) -> Option<BestMove> {
        let mut words = line.split_whitespace();
        let mut best = BestMove { text: None, ponder: None, draw: false, resign: false };
        match words.next()? {
            "nobestmove" => return Some(best),
            "bestmove" => {}
            _ => return None,
        }
        let text = words.next().unwrap_or_default();
        let none = matches!(text, "(none)" | "none" | "0000" | "null" | "");
        best.text = (!none).then(|| text.to_owned());
        while let Some(word) = words.next() {
            match word {
                "ponder" => best.ponder = words.next().map(str::to_owned),
                "draw" => best.draw = true,
                "resign" => best.resign = true,
                _ => {}
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::super::time_control::TimeControl;
    use super::*;

    fn clock(text: &str) -> GameClock {
        let control = TimeControl { clock: text.parse().ok(), ..TimeControl::default() };
        GameClock::new(control, Duration::ZERO)
    }

    fn order<'a>(own: &'a GameClock, other: &'a GameClock, red: bool) -> GoOrder<'a> {
        let unit = TimeUnit::Milliseconds;
        GoOrder { own, other, red, ponder: false, draw_offered: false, unit }
    }

    #[test]
    fn clocks_are_told_in_each_protocol() {
        let (own, other) = (clock("10+0.1"), clock("40/60"));
        let go = order(&own, &other, false);
        assert_eq!(Protocol::Uci.go(&go), "go wtime 60000 btime 10100 winc 0 binc 100");
        let go = order(&own, &other, true);
        let told = "go time 10100 increment 100 opptime 60000 oppmovestogo 40";
        assert_eq!(Protocol::Ucci.go(&go), told);
        let go = GoOrder { ponder: true, ..order(&other, &own, true) };
        let told = "go ponder wtime 60000 btime 10100 winc 0 binc 100 movestogo 40";
        assert_eq!(Protocol::Uci.go(&go), told);
        let go = GoOrder { draw_offered: true, unit: TimeUnit::Seconds, ..order(&own, &own, true) };
        let told = "go draw time 10 increment 0 opptime 10 oppincrement 0";
        assert_eq!(Protocol::Ucci.go(&go), told);
    }

    #[test]
    fn fixed_limits_are_told_in_each_protocol() {
        let control = TimeControl {
            move_time: Some(Duration::from_millis(50)),
            nodes: Some(1000),
            ..TimeControl::default()
        };
        let clock = GameClock::new(control, Duration::ZERO);
        let go = order(&clock, &clock, true);
        assert_eq!(Protocol::Uci.go(&go), "go movetime 50 nodes 1000");
        assert_eq!(Protocol::Ucci.go(&go), "go time 50 movestogo 1 nodes 1000");
    }

    #[test]
    fn a_ucci_position_begins_after_the_last_capture() {
        let mut position = Position::startpos();
        for mv in ["h2e2", "h9g7", "e2e6", "a9a8", "b0c2"] {
            let mv = position.parse_move(mv).expect(mv);
            position.make(mv);
        }
        let told = Protocol::Ucci.position(Dialect::Iccs, &position);
        let fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
        assert_eq!(told, format!("position fen {fen} moves a9a8 b0c2"));
        let told = Protocol::Uci.position(Dialect::Fairy, &position);
        assert!(told.ends_with("w - - 0 1 moves h3e3 h10g8 e3e7 a10a9 b1c3"), "{told}");
    }

    #[test]
    fn reports_are_read_in_both_protocols() {
        let mut report = Report::default();
        report.hear("info depth 9 seldepth 12 score cp -35 nodes 812 nps 1 pv h2e2 score cp 9");
        let read = |score, depth, nodes| Report {
            score: Some(score),
            depth: Some(depth),
            nodes: Some(nodes),
        };
        assert_eq!(report, read(EngineScore::Centipawns(-35), 9, 812));
        report.hear("info depth 10 score cp 500 lowerbound nodes 900");
        report.hear("info depth 10 multipv 2 score cp 500 nodes 900");
        report.hear("info string depth 3 score cp 4");
        report.hear("info depth 11 score x");
        assert_eq!(report, read(EngineScore::Centipawns(-35), 9, 812));
        report.hear("info nodes 1000 time 5");
        assert_eq!(report, read(EngineScore::Centipawns(-35), 9, 1000));
        report.hear("info depth 4 score 9999 pv h2e2");
        assert_eq!(report, read(EngineScore::Centipawns(9999), 4, 1000));
        report.hear("info depth 5 score mate -3 pv h2e2");
        assert_eq!(report.score, Some(EngineScore::Mate(-3)));
        assert_eq!(EngineScore::Mate(-3).to_string(), "-M3");
        assert!(EngineScore::Mate(-3).value() < -30_000 && EngineScore::Mate(2).value() > 30_000);
    }

    #[test]
    fn best_moves_are_read_with_all_that_may_follow() {
        let best = BestMove::parse("bestmove h2e2 ponder h9g7 draw").expect("a best move");
        assert_eq!(best.text.as_deref(), Some("h2e2"));
        assert_eq!(best.ponder.as_deref(), Some("h9g7"));
        assert!(best.draw && !best.resign);
        for none in ["nobestmove", "bestmove (none)", "bestmove", "bestmove 0000"] {
            assert_eq!(BestMove::parse(none).and_then(|best| best.text), None);
        }
        assert_eq!(BestMove::parse("info bestmove h2e2"), None);
        assert_eq!(BestMove::parse(""), None);
    }

    #[test]
    fn option_lines_name_their_option_in_each_protocol() {
        let uci = "option name Skill Level type spin default 20 min 0 max 20";
        assert_eq!(Protocol::Uci.option_name(uci), Some("Skill Level"));
        let ucci = "option usemillisec type check default false";
        assert_eq!(Protocol::Ucci.option_name(ucci), Some("usemillisec"));
        assert_eq!(Protocol::Uci.option_name("optional"), None);
        assert_eq!(Protocol::Ucci.set_option("newgame", ""), "setoption newgame");
    }
}

//! Parameters of `go` in both protocols, in any combination and order.

use std::time::Duration;

use xiangqi::geometry::Color;

use crate::search::{Clock, Limits};

/// Upper limit of all times: 30 years in milliseconds.
const LONGEST_MS: f64 = 1e12;

/// Upper limit of the moves of `go mate`.
const MAX_MATE_MOVES: u32 = 1000;

/// The keywords that limit a search by a number.
const LIMITS: [&str; 8] = ["depth", "nodes", "mate", "movetime", "wtime", "rtime", "btime", "time"];

/// The other keywords.
const KEYWORDS: [&str; 13] = [
    "perft",
    "winc",
    "rinc",
    "binc",
    "increment",
    "movestogo",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
];

fn is_keyword(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    LIMITS.iter().chain(&KEYWORDS).any(|keyword| *keyword == word)
}

/// Parameters of `go`. Unknown words are skipped.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GoRequest {
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    /// Milliseconds, in either protocol.
    move_time: Option<f64>,
    /// UCI's clocks of Red and Black in milliseconds.
    clocks: [Option<f64>; 2],
    increments: [Option<f64>; 2],
    /// UCCI's clock of the mover, in milliseconds or seconds.
    time: Option<f64>,
    increment: Option<f64>,
    moves_to_go: Option<u32>,
    infinite: bool,
    ponder: bool,
    draw: bool,
    search_moves: Vec<String>,
    /// A limit whose number is missing or wrong.
    malformed: Option<String>,
    perft: Option<u32>,
}

impl GoRequest {
    /// Parses the words after `go`.
    pub fn parse(text: &str) -> GoRequest {
        let mut request = GoRequest::default();
        let [red, black] = &mut request.clocks;
        let [red_increment, black_increment] = &mut request.increments;
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let keyword = word.to_ascii_lowercase();
            let text = excerpt(word, words.peek());
            // A keyword with a number takes the next word only if it is a number, so that
            // `go depth infinite` is read as well.
            let mut number = || {
                let number = words.peek().and_then(|word| parse_number(word));
                if number.is_some() {
                    words.next();
                } else if LIMITS.contains(&keyword.as_str()) {
                    request.malformed = Some(excerpt(word, words.peek()));
                }
                number
            };
            match keyword.as_str() {
                "depth" => request.depth = number().map(|n| n as u32).or(request.depth),
                "nodes" => request.nodes = number().map(|n| n as u64).or(request.nodes),
                "mate" => {
                    let moves = number().map(|n| n as u32);
                    // `parse_number` makes numbers below zero zero.
                    if moves == Some(0) {
                        request.malformed = Some(text);
                    }
                    request.mate = moves.filter(|&moves| moves > 0).or(request.mate);
                }
                "perft" => request.perft = Some(number().map_or(1, |n| n as u32)),
                "movetime" => request.move_time = number().or(request.move_time),
                "wtime" | "rtime" => *red = number().or(*red),
                "btime" => *black = number().or(*black),
                "winc" | "rinc" => *red_increment = number().or(*red_increment),
                "binc" => *black_increment = number().or(*black_increment),
                "time" => request.time = number().or(request.time),
                "increment" => request.increment = number().or(request.increment),
                "movestogo" => request.moves_to_go = number().map(|n| n as u32),
                // The opponent's clock is not used.
                "opptime" | "oppincrement" | "oppmovestogo" => drop(number()),
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "draw" => request.draw = true,
                "searchmoves" => {
                    // A word that is neither a move nor a keyword is meant as a move; skipping it
                    // could lift the restriction.
                    while let Some(word) = words.next_if(|word| !is_keyword(word)) {
                        request.search_moves.push(word.to_owned());
                    }
                }
                _ => {}
            }
        }
        // Otherwise `go depth x` would search until `stop`.
        let limited = request.has_limit() || request.mate.is_some() || request.infinite;
        if !limited && request.malformed.is_some() {
            request.depth = Some(1);
        } else {
            request.malformed = None;
        }
        request
    }

    /// Returns the beginning of a `go` whose only limit has no number; depth 1 is searched instead.
    pub fn malformed(&self) -> Option<&str> {
        self.malformed.as_deref()
    }

    /// Returns the words after `searchmoves` up to the next keyword.
    pub fn search_moves(&self) -> &[String] {
        &self.search_moves
    }

    /// Returns the depth of `go perft`.
    pub fn perft(&self) -> Option<u32> {
        self.perft
    }

    /// Returns whether the opponent offers a draw (UCCI).
    pub fn offers_draw(&self) -> bool {
        self.draw
    }

    /// Returns whether only the static evaluation is requested: `go depth 0`.
    pub fn is_static(&self) -> bool {
        self.depth == Some(0) && !self.infinite && !self.ponder
    }

    /// Returns whether only `stop` is certain to end the search: a mate may not exist.
    pub fn is_endless(&self) -> bool {
        self.ponder || self.is_endless_after_hit()
    }

    /// Returns whether only `stop` is certain to end the search after `ponderhit`.
    pub fn is_endless_after_hit(&self) -> bool {
        self.infinite || !self.has_limit()
    }

    /// Returns whether the mover has a clock.
    pub fn has_clock(&self) -> bool {
        self.time.is_some() || self.clocks.iter().any(Option::is_some)
    }

    /// Returns whether there is a limit that every search reaches.
    fn has_limit(&self) -> bool {
        let limited = self.depth.is_some() || self.nodes.is_some();
        limited || self.move_time.is_some() || self.has_clock()
    }

    /// Converts to search limits for this side to move, without those of the root moves. `unit` is
    /// the unit of UCCI's times.
    pub fn limits(&self, side: Color, unit: Duration) -> Limits {
        let clock = self.clock(side, unit);
        // uci2wb sends `time 0 opptime 0 movetime 970` for a fixed time for each move.
        let move_time = self.move_time.map(milliseconds).map(|time| match &clock {
            Some(clock) if !clock.left.is_zero() => time.min(clock.left),
            _ => time,
        });
        // An infinite search ends at a depth or a mate too, but answers at `stop` only.
        Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)).filter(|_| !self.infinite),
            move_time: move_time.filter(|_| !self.infinite),
            clock: clock.filter(|_| move_time.is_none() && !self.infinite),
            mate: self.mate.map(|moves| moves.min(MAX_MATE_MOVES)),
            infinite: self.infinite,
            ponder: self.ponder,
            ..Limits::default()
        }
    }

    fn clock(&self, side: Color, unit: Duration) -> Option<Clock> {
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        if let Some(time) = self.time {
            let scale = unit.as_millis() as f64;
            return Some(Clock {
                left: milliseconds(time * scale),
                increment: milliseconds(self.increment.unwrap_or(0.0) * scale),
                // "Neither movestogo nor increment" is all the time for this move.
                moves_to_go: moves_to_go.or(self.increment.is_none().then_some(1)),
            });
        }
        let of = |clocks: &[Option<f64>; 2]| clocks.get(side.index()).copied().flatten();
        let any = |clocks: &[Option<f64>; 2]| clocks.iter().copied().flatten().next();
        // A client that names one clock only cannot mean that the other side has no time limit.
        let left = of(&self.clocks).or_else(|| any(&self.clocks))?;
        let increment = of(&self.increments).or(self.increment).unwrap_or(0.0);
        Some(Clock { left: milliseconds(left), increment: milliseconds(increment), moves_to_go })
    }
}

/// Returns a keyword and the word after it, for a message.
fn excerpt(keyword: &str, next: Option<&&str>) -> String {
    let next: String = next.map(|word| word.chars().take(20).collect()).unwrap_or_default();
    format!("{keyword} {next}").trim_end().to_owned()
}

/// Parses a number: whole, negative (an overdrawn clock), with a fraction, or out of range.
fn parse_number(word: &str) -> Option<f64> {
    let number: f64 = word.parse().ok()?;
    (!number.is_nan()).then(|| number.clamp(0.0, LONGEST_MS))
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms.clamp(0.0, LONGEST_MS) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);

    fn limits(text: &str, unit: Duration) -> Limits {
        GoRequest::parse(text).limits(Color::Red, unit)
    }

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Clock> {
        let (left, increment) = (Duration::from_millis(left), Duration::from_millis(increment));
        Some(Clock { left, increment, moves_to_go })
    }

    #[test]
    fn the_clock_of_the_side_to_move_counts() {
        let text = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 7";
        assert_eq!(limits(text, SECOND).clock, clock(1000, 10, Some(7)));
        let black = GoRequest::parse(text).limits(Color::Black, SECOND);
        assert_eq!(black.clock, clock(2000, 20, Some(7)));
        let missing = GoRequest::parse("wtime 1000").limits(Color::Black, SECOND);
        assert_eq!(missing.clock, clock(1000, 0, None), "no clock must not mean no limit");
    }

    #[test]
    fn ucci_times_are_seconds_unless_told_otherwise() {
        assert_eq!(limits("time 5", SECOND).clock, clock(5000, 0, Some(1)), "for one move");
        assert_eq!(limits("time 5 increment 0", SECOND).clock, clock(5000, 0, None));
        let text = "time 60000 opptime 1 oppincrement 2 increment 500";
        assert_eq!(limits(text, MS).clock, clock(60_000, 500, None));
        assert_eq!(limits("time 900 movestogo 9", SECOND).clock, clock(900_000, 0, Some(9)));
    }

    #[test]
    fn words_come_in_any_order_and_strange_ones_are_skipped() {
        let text = "quickly ponder nodes 77 draw depth 9 now searchmoves H2-E2 b0c2 h10g8 mate 3";
        let request = GoRequest::parse(text);
        assert_eq!(request.search_moves(), ["H2-E2", "b0c2", "h10g8"]);
        let request = GoRequest::parse("searchmoves h2e2, zz b0c2 Depth 2");
        assert_eq!(request.search_moves(), ["h2e2,", "zz", "b0c2"]);
        assert_eq!(request.depth, Some(2));
        let found = limits(text, MS);
        assert_eq!((found.depth, found.nodes, found.mate), (Some(9), Some(77), Some(3)));
        assert!(found.ponder && !found.infinite);
        assert!(limits("depth infinite", MS).infinite);
        assert!(GoRequest::parse("").is_endless());
    }

    #[test]
    fn a_fixed_time_beats_an_empty_clock() {
        let found = limits("time 0 opptime 0 movetime 970", SECOND);
        assert_eq!((found.clock, found.move_time), (None, Some(Duration::from_millis(970))));
        let short = limits("wtime 100 btime 100 movetime 970", SECOND);
        assert_eq!((short.clock, short.move_time), (None, Some(Duration::from_millis(100))));
    }

    #[test]
    fn absurd_numbers_are_bounded() {
        let longest = Duration::from_millis(LONGEST_MS as u64);
        for number in ["-500", "1e300", "99999999999999999999999", "NaN", "inf", "12.7", ""] {
            for word in ["movetime", "wtime", "winc", "time", "increment", "movestogo", "mate"] {
                let found = limits(&format!("wtime 1 {word} {number}"), SECOND);
                assert!(found.move_time.is_none_or(|time| time <= longest), "{word} {number}");
                assert_eq!(found.clock.is_none(), found.move_time.is_some(), "{word} {number}");
                let is_short = |clock: Clock| clock.left <= longest && clock.increment <= longest;
                assert!(found.clock.is_none_or(is_short), "{word} {number}");
                assert!(found.mate.is_none_or(|moves| moves <= MAX_MATE_MOVES), "{word} {number}");
            }
        }
        assert_eq!(limits("nodes 1e300", MS).nodes, Some(LONGEST_MS as u64));
        assert_eq!(limits("depth 1e300", MS).depth, Some(u32::MAX));
        assert_eq!(limits("wtime -500", MS).clock, clock(0, 0, None));
    }

    #[test]
    fn a_limit_without_a_number_is_not_an_endless_search() {
        for (text, malformed) in [
            ("depth x", "depth x"),
            ("depth", "depth"),
            ("nodes many draw", "nodes many"),
            ("ponder movetime NaN", "movetime NaN"),
            ("wtime btime", "btime"),
            ("mate 0", "mate 0"),
            ("mate -1", "mate -1"),
        ] {
            let request = GoRequest::parse(text);
            assert_eq!(request.malformed(), Some(malformed), "{text}");
            assert_eq!(limits(text, MS).depth, Some(1), "{text}");
            assert!(!request.is_endless_after_hit(), "{text}");
        }
        for (text, endless) in [("mate 3", true), ("mate 3 nodes 100", false), ("nodes 1", false)] {
            assert_eq!(GoRequest::parse(text).is_endless(), endless, "{text}");
        }
        for text in ["depth infinite", "depth x nodes 5", "infinite depth x", "", "ponder"] {
            assert_eq!(GoRequest::parse(text).malformed(), None, "{text}");
        }
    }
}

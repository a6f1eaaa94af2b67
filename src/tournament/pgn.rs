//! Game records as PGN with the headers that xiangqi programs read (xqbase, "cchess_pgn"): `Game`,
//! `Red`, `Black`, `Format`, and moves in ICCS.

use std::fmt::{self, Write as _};
use std::time::SystemTime;

use thiserror::Error;

use crate::board::{Position, START_FEN};
use crate::geometry::Color;

use super::record::{GameRecord, PlayedMove};
use super::statistics::Outcome;

/// Columns of move text, as the PGN standard has it for export.
const WIDTH: usize = 79;

/// What a file of games says beside the games.
#[derive(Clone, Debug)]
pub struct PgnStyle {
    /// The `Event` header.
    pub event: String,
    /// The `Site` header.
    pub site: String,
    /// Whether each move has a comment with evaluation, depth, time and nodes. Some readers know no
    /// comments.
    pub comments: bool,
}

/// Writes a record with one empty line behind it.
pub fn write_game(record: &GameRecord, round: &str, style: &PgnStyle) -> String {
    let mut text = String::with_capacity(64 * (record.moves.len() + 16));
    let mut tag = |name: &str, value: &dyn fmt::Display| {
        let value = value.to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let (date, time) = date_and_time(record.began);
    let fen = record.start.fen();
    tag("Game", &"Chinese Chess");
    tag("Event", &style.event);
    tag("Site", &style.site);
    tag("Date", &date);
    tag("Round", &round);
    tag("Red", &record.names[0]);
    tag("Black", &record.names[1]);
    tag("Result", &record.ending.result());
    tag("Variant", &"xiangqi");
    if fen != START_FEN {
        tag("FEN", &fen);
        tag("SetUp", &"1");
    }
    tag("Format", &"ICCS");
    tag("UTCTime", &time);
    if record.controls[0] == record.controls[1] {
        tag("TimeControl", &record.controls[0]);
    } else {
        tag("RedTimeControl", &record.controls[0]);
        tag("BlackTimeControl", &record.controls[1]);
    }
    tag("PlyCount", &record.moves.len());
    tag("Termination", &record.ending.reason);
    text.push('\n');
    write_moves(&mut text, record, style.comments);
    text.push_str("\n\n");
    text
}

fn write_moves(text: &mut String, record: &GameRecord, comments: bool) {
    let mut column = 0;
    let mut token = |word: &str| {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    };
    let mut side = record.start.side();
    let number = move_number(&record.start);
    let black_begins = u32::from(side == Color::Black);
    let plies = (0..).map(|ply: u32| ply + black_begins);
    for (played, ply) in record.moves.iter().zip(plies) {
        if side == Color::Red {
            token(&format!("{}.", number + ply / 2));
        } else if std::ptr::eq(played, &record.moves[0]) {
            token(&format!("{number}..."));
        }
        let mv = played.mv;
        token(&format!("{}-{}", mv.from(), mv.to()).to_uppercase());
        if comments {
            token(&comment(played));
        }
        side = !side;
    }
    if comments {
        token(&match record.ending.winner {
            Some(winner) => format!("{{{} loses: {}}}", !winner, record.ending.reason),
            None => format!("{{draw: {}}}", record.ending.reason),
        });
    }
    token(record.ending.result());
}

fn move_number(start: &Position) -> u32 {
    start.fen().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// `{+0.35/12 0.050s}` as cutechess writes it: evaluation for the mover, depth, time.
fn comment(played: &PlayedMove) -> String {
    let report = played.report;
    let mut text = String::from("{");
    if let Some(score) = report.score {
        let _ = write!(text, "{score}/{} ", report.depth.unwrap_or(0));
    }
    let _ = write!(text, "{:.3}s", played.elapsed.as_secs_f64());
    if let Some(nodes) = report.nodes {
        let _ = write!(text, " n={nodes}");
    }
    text.push('}');
    text
}

/// Date and time of day in UTC, `2026.11.21` and `12:34:56`.
fn date_and_time(time: SystemTime) -> (String, String) {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    // H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    let date = format!("{year:04}.{month:02}.{day:02}");
    (date, format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60))
}

/// What the statistics need of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The players, Red first.
    pub players: [String; 2],
    /// The `Round` header.
    pub round: String,
    /// The result for Red; `None` if the game has none (`*`).
    pub result: Option<Outcome>,
    /// The byte behind the game in its file.
    pub end: usize,
}

/// Why a text holds no game records.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// A game without a player's name.
    #[error("game {game}: there is no header [{header} \"...\"]")]
    NoPlayer {
        /// Which game of the text, from 1.
        game: usize,
        /// What is missing.
        header: &'static str,
    },
}

/// Reads all complete games of a text: players, round and result, not the moves. A last game that
/// does not end with its result was cut off while it was written and is left out.
pub fn read_games(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    let mut games = Vec::new();
    let mut headers = Headers::default();
    let (mut in_moves, mut in_comment, mut offset) = (false, false, 0);
    for line in text.split_inclusive('\n') {
        offset += line.len();
        if !in_comment && line.starts_with('[') {
            if in_moves {
                // The last game had no result; its headers are no part of this one.
                (in_moves, headers) = (false, Headers::default());
            }
            headers.read(line);
            continue;
        }
        if headers.is_empty() {
            continue;
        }
        // A result inside a comment is none.
        let mut last = None;
        for word in words_outside_comments(line, &mut in_comment) {
            in_moves = true;
            last = Some(word);
        }
        if let Some(result) = last.and_then(parse_result) {
            let game = games.len() + 1;
            let player =
                |name: Option<String>, header| name.ok_or(PgnError::NoPlayer { game, header });
            let Headers { red, black, round } = std::mem::take(&mut headers);
            games.push(PgnGame {
                players: [player(red, "Red")?, player(black, "Black")?],
                round: round.unwrap_or_default(),
                result,
                end: offset,
            });
            in_moves = false;
        }
    }
    Ok(games)
}

#[derive(Default)]
struct Headers {
    red: Option<String>,
    black: Option<String>,
    round: Option<String>,
}

impl Headers {
    fn is_empty(&self) -> bool {
        self.red.is_none() && self.black.is_none() && self.round.is_none()
    }

    fn read(&mut self, line: &str) {
        let Some((name, rest)) = line.trim_start_matches('[').split_once(char::is_whitespace)
        else {
            return;
        };
        let Some(start) = rest.find('"') else { return };
        let mut value = String::new();
        let mut letters = rest[start + 1..].chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => value.extend(letters.next()),
                '"' => break,
                _ => value.push(letter),
            }
        }
        match name {
            "Red" | "White" => self.red = Some(value),
            "Black" => self.black = Some(value),
            "Round" => self.round = Some(value),
            _ => {}
        }
    }
}

fn words_outside_comments<'a>(line: &'a str, in_comment: &mut bool) -> Vec<&'a str> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let border = if *in_comment { '}' } else { '{' };
        let end = rest.find(border).unwrap_or(rest.len());
        if !*in_comment {
            words.extend(rest[..end].split_whitespace());
        }
        if end < rest.len() {
            *in_comment = !*in_comment;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    words
}

fn parse_result(word: &str) -> Option<Option<Outcome>> {
    Some(match word {
        "1-0" => Some(Outcome::Win),
        "0-1" => Some(Outcome::Loss),
        "1/2-1/2" => Some(Outcome::Draw),
        "*" => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::dialogue::{EngineScore, Report};
    use super::super::ending::{Ending, Fault, Reason};
    use super::super::time_control::TimeControl;
    use super::*;

    fn record(fen: &str, moves: &[&str]) -> GameRecord {
        let control = TimeControl { clock: "1+0.05".parse().ok(), ..TimeControl::default() };
        let report =
            Report { score: Some(EngineScore::Centipawns(35)), depth: Some(12), nodes: Some(900) };
        GameRecord {
            number: 0,
            engines: [0, 1],
            names: ["new \"x\"".to_owned(), "base\\line".to_owned()],
            controls: [control; 2],
            start: Position::from_fen(fen).expect(fen),
            moves: moves
                .iter()
                .map(|mv| PlayedMove {
                    mv: mv.parse().expect("a move"),
                    elapsed: Duration::from_millis(50),
                    report,
                })
                .collect(),
            ending: Ending::loss(Color::Black, Reason::Fault(Fault::TimeForfeit)),
            began: SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_264_496),
            duration: Duration::from_secs(1),
        }
    }

    fn written(record: &GameRecord, round: &str) -> String {
        let (event, site) = ("test".to_owned(), "here".to_owned());
        write_game(record, round, &PgnStyle { event, site, comments: true })
    }

    #[test]
    fn a_record_reads_as_xiangqi_programs_expect() {
        let text = written(&record(START_FEN, &["h2e2", "h9g7", "h0g2"]), "1.1");
        let head = "[Game \"Chinese Chess\"]\n[Event \"test\"]\n[Site \"here\"]\n\
                    [Date \"2026.11.21\"]\n[Round \"1.1\"]\n[Red \"new \\\"x\\\"\"]\n";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("[Format \"ICCS\"]\n[UTCTime \"12:34:56\"]"), "{text}");
        assert!(text.contains("[TimeControl \"1+0.05\"]"));
        assert!(!text.contains("[FEN"));
        let moves = "\n\n1. H2-E2 {+0.35/12 0.050s n=900} H9-G7 {+0.35/12 0.050s n=900} 2. H0-G2";
        assert!(text.contains(moves), "{text}");
        assert!(text.ends_with("{black loses: time forfeit} 1-0\n\n"), "{text}");
    }

    #[test]
    fn a_game_that_black_begins_is_numbered_as_such() {
        let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 b - - 3 17";
        let text = written(&record(fen, &["e9e8", "a0a8", "e8e7"]), "1.1");
        assert!(text.contains(&format!("[FEN \"{fen}\"]\n[SetUp \"1\"]")));
        let plain: Vec<_> =
            words_outside_comments(text.split("\n\n").nth(1).unwrap_or(""), &mut false)
                .into_iter()
                .map(str::to_owned)
                .collect();
        assert_eq!(plain.join(" "), "17... E9-E8 18. A0-A8 E8-E7 1-0");
    }

    #[test]
    fn a_plain_record_has_moves_only() {
        let (event, site) = (String::new(), String::new());
        let style = PgnStyle { event, site, comments: false };
        let text = write_game(&record(START_FEN, &["h2e2", "h9g7", "h0g2"]), "1.1", &style);
        assert!(text.ends_with("]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n\n"), "{text}");
        assert_eq!(read_games(&text).expect("games").len(), 1);
    }

    #[test]
    fn written_games_are_read_again_and_a_cut_one_is_left_out() {
        let one = written(&record(START_FEN, &["h2e2", "h9g7"]), "1.1");
        let two = written(&record(START_FEN, &[]), "1.2");
        let whole = format!("{one}{two}");
        let games = read_games(&whole).expect("games");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].players, ["new \"x\"", "base\\line"]);
        assert_eq!((games[1].round.as_str(), games[1].result), ("1.2", Some(Outcome::Win)));
        assert_eq!(games[0].end + 1, one.len(), "only the empty line is left");
        for cut in 0..two.len() - 4 {
            let part = &whole[..one.len() + cut];
            assert_eq!(read_games(part).expect("games").len(), 1, "cut at {cut}");
        }
    }

    #[test]
    fn foreign_games_are_read_too() {
        let text = "[White \"a\"]\r\n[Black \"b\"]\r\n[Result \"0-1\"]\r\n\r\n1. C2.5 {so\r\n 1-0 }\r\n\
                    H8+7 0-1\r\n\r\n[Red \"c\"]\n[Black \"d\"]\n\n1. h2e2 *\n";
        let games = read_games(text).expect("games");
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        assert_eq!(results, [Some(Outcome::Loss), None]);
        let error = read_games("[Red \"c\"]\n\n1. h2e2 1-0\n").expect_err("no Black");
        assert!(error.to_string().contains("[Black"), "{error}");
        assert_eq!(read_games("no games at all").expect("nothing"), []);
    }
}

//! Writes game records as PGN with the headers that xiangqi programs read (xqbase, "cchess_pgn"):
//! `Game`, `Red`, `Black`, `Format`, and moves in ICCS.

use std::fmt::{self, Write as _};
use std::time::SystemTime;

use jiff::Timestamp;

use crate::board::{Position, START_FEN};
use crate::geometry::Color;

use super::record::{GameRecord, PlayedMove};

/// Columns of move text, as the PGN standard has it for export.
const WIDTH: usize = 79;

/// What stands in a file of games besides the games.
#[derive(Clone, Debug)]
pub struct PgnStyle {
    /// The `Event` header.
    pub event: String,
    /// The `Site` header.
    pub site: String,
    /// Whether each move has a comment with evaluation, depth, time and nodes. Some programs cannot
    /// read comments.
    pub comments: bool,
}

/// The text of a record, with one empty line after it.
pub fn write_game(record: &GameRecord, round: &str, style: &PgnStyle) -> String {
    let mut text = String::with_capacity(64 * (record.moves.len() + 16));
    let mut tag = |name: &str, value: &dyn fmt::Display| {
        let value = value.to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let fen = record.start.fen();
    tag("Game", &"Chinese Chess");
    tag("Event", &style.event);
    tag("Site", &style.site);
    tag("Date", &utc(record.began, "%Y.%m.%d"));
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
    tag("UTCTime", &utc(record.began, "%H:%M:%S"));
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
    let info = played.info;
    let mut text = String::from("{");
    if let Some(score) = info.score {
        let _ = write!(text, "{score}/{} ", info.depth.unwrap_or(0));
    }
    let _ = write!(text, "{:.3}s", played.elapsed.as_secs_f64());
    if let Some(nodes) = info.nodes {
        let _ = write!(text, " n={nodes}");
    }
    text.push('}');
    text
}

/// Parts of a time in UTC, in the format of `strftime`; empty for times that no calendar reaches.
fn utc(time: SystemTime, format: &str) -> String {
    Timestamp::try_from(time).map_or(String::new(), |time| time.strftime(format).to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::engine::{EngineInfo, EngineScore, Fault, TimeControl};
    use super::super::super::statistics::PlayerResult;
    use super::super::ending::{EndingReason, GameEnding};
    use super::super::recorded_games::read_games;
    use super::*;

    fn record(fen: &str, moves: &[&str]) -> GameRecord {
        let control = TimeControl { clock: "1+0.05".parse().ok(), ..TimeControl::default() };
        let info = EngineInfo {
            score: Some(EngineScore::Centipawns(35)),
            depth: Some(12),
            nodes: Some(900),
        };
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
                    info,
                })
                .collect(),
            ending: GameEnding::loss(Color::Black, EndingReason::Fault(Fault::TimeForfeit)),
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
        let numbered = "17... E9-E8 {+0.35/12 0.050s n=900} 18. A0-A8";
        assert!(text.contains(numbered), "{text}");
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
        assert_eq!((games[1].round.as_str(), games[1].result), ("1.2", Some(PlayerResult::Win)));
        assert_eq!(games[0].end + 1, one.len(), "only the empty line is left");
        for cut in 0..two.len() - 4 {
            let part = &whole[..one.len() + cut];
            assert_eq!(read_games(part).expect("games").len(), 1, "cut at {cut}");
        }
    }
}

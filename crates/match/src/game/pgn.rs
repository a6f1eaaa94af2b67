//! Game records as PGN with the tags that xiangqi programs read (xqbase, "cchess_pgn").

use std::fmt::Write as _;
use std::time::SystemTime;

use jiff::Timestamp;
use xiangqi::Score;
use xiangqi::notation::Notation;
use xiangqi::records::{NodeId, write_pgn};

use super::record::{EngineMove, GameRecord};

/// The content of the comments after moves. Some programs cannot read comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveComments {
    /// No comments.
    #[default]
    None,
    /// Evaluation, depth, time and nodes.
    Short,
    /// Also the selective depth, nodes per second, the time left and the principal variation.
    Full,
}

/// The content of a file of games besides the games. A match fills in rules, engines and its
/// beginning itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnStyle {
    /// The `Event` header.
    pub event: String,
    /// The `Site` header.
    pub site: String,
    /// The comments after moves.
    pub comments: MoveComments,
    /// The notation of the moves.
    pub notation: Notation,
    /// The `Adjudication` header: the rules of the games and for ending them early.
    pub rules: String,
    /// The `RedEngine` and `BlackEngine` headers: version and options of each engine of the match,
    /// in its order.
    pub engines: Vec<String>,
    /// The `MatchBegan` header: the time that distinguishes the match from others.
    pub match_began: String,
}

/// Returns the text of a record, with one empty line after it.
pub fn write_game(record: &GameRecord, round: &str, style: &PgnStyle) -> String {
    let mut game = record.game.clone();
    let mut tags = game.tags().to_vec();
    let mut tag = |name: &str, value: String| tags.push((name.to_owned(), value));
    tag("Event", style.event.clone());
    tag("Site", style.site.clone());
    tag("Date", utc(record.began, "%Y.%m.%d"));
    tag("Round", round.to_owned());
    tag("Red", record.names[0].clone());
    tag("Black", record.names[1].clone());
    tag("UTCTime", utc(record.began, "%H:%M:%S"));
    if record.controls[0] == record.controls[1] {
        tag("TimeControl", record.controls[0].to_string());
    } else {
        tag("RedTimeControl", record.controls[0].to_string());
        tag("BlackTimeControl", record.controls[1].to_string());
    }
    tag("Adjudication", style.rules.clone());
    for (header, engine) in ["RedEngine", "BlackEngine"].into_iter().zip(record.engines) {
        tag(header, style.engines.get(engine).cloned().unwrap_or_default());
    }
    tag("MatchBegan", style.match_began.clone());
    tag("PlyCount", record.reports.len().to_string());
    tag("Termination", record.ending.reason.to_string());
    game.set_tags(tags);
    if style.comments != MoveComments::None {
        let nodes: Vec<NodeId> = game.main_line().collect();
        for (&node, report) in nodes.iter().zip(&record.reports) {
            game.add_comment(node, &comment(report, style.comments));
        }
        let reason = &record.ending.reason;
        let end = match record.ending.winner {
            Some(winner) => format!("{} loses: {reason}", !winner),
            None => format!("draw: {reason}"),
        };
        let comment = if nodes.is_empty() { end } else { format!("; {end}") };
        game.add_comment(nodes.last().copied().unwrap_or(NodeId::ROOT), &comment);
    }
    write_pgn(&game, style.notation)
}

/// Writes a comment: evaluation for the mover, depth and time as cutechess does, `+0.35/12 0.050s`,
/// the rest with the names of fastchess.
fn comment(report: &EngineMove, comments: MoveComments) -> String {
    let info = &report.info;
    let mut text = String::new();
    if let Some(score) = info.score {
        let _ = write!(text, "{}/{} ", score_text(score), info.depth.unwrap_or(0));
    }
    let _ = write!(text, "{:.3}s", report.elapsed.as_secs_f64());
    if let Some(nodes) = info.nodes {
        let _ = write!(text, " n={nodes}");
    }
    if comments == MoveComments::Full {
        let left = report.left.map(|left| format!("{:.3}s", left.as_secs_f64()));
        let line = (!info.line.is_empty()).then(|| format!("\"{}\"", info.line.join(" ")));
        let values = [
            ("sd", info.selective_depth.map(|depth| depth.to_string())),
            ("nps", info.speed.map(|speed| speed.to_string())),
            ("tl", left),
            ("pv", line),
        ];
        for (name, value) in values.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            let _ = write!(text, " {name}={value}");
        }
    }
    text
}

/// Writes a score as `+0.35` or `-M4`.
fn score_text(score: Score) -> String {
    match score {
        Score::Mate(moves) => {
            let sign = if moves > 0 { '+' } else { '-' };
            format!("{sign}M{}", moves.unsigned_abs())
        }
        Score::Cp(_) | Score::Rule(_) => format!("{:+.2}", f64::from(score.centipawns()) / 100.0),
    }
}

/// Writes a time in UTC in a format of `strftime`; empty for times outside of the calendar.
fn utc(time: SystemTime, format: &str) -> String {
    Timestamp::try_from(time).map_or(String::new(), |time| time.strftime(format).to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use xiangqi::board::{Move, Position, START_FEN};
    use xiangqi::geometry::Color;
    use xiangqi::records::Game;

    use super::super::super::engine::{EngineInfo, Fault, TimeControl};
    use super::super::recorded_games::read_games;
    use super::super::termination::Termination;
    use super::*;
    use xiangqi::rules::{Outcome, Wdl};

    fn record(fen: &str, moves: &[&str]) -> GameRecord {
        let control = TimeControl { clock: "1+0.05".parse().ok(), ..TimeControl::default() };
        let info = EngineInfo {
            score: Some(Score::Cp(35)),
            depth: Some(12),
            selective_depth: Some(20),
            nodes: Some(900),
            speed: Some(18_000),
            time: None,
            line: vec!["h2e2".to_owned(), "h9g7".to_owned()],
        };
        let report = EngineMove {
            elapsed: Duration::from_millis(50),
            overrun: Some(Duration::ZERO),
            left: Some(Duration::from_secs(1)),
            info,
        };
        let moves: Vec<Move> = moves.iter().map(|mv| mv.parse().expect("a move")).collect();
        let ending = Outcome::loss(Color::Black, Termination::Fault(Fault::TimeForfeit));
        let start = Position::from_fen(fen).expect(fen);
        let mut game = Game::with_moves(start, moves.iter().copied()).expect("legal moves");
        game.result = ending.result();
        GameRecord {
            number: 0,
            engines: [0, 1],
            names: ["new \"x\"".to_owned(), "base\\line".to_owned()],
            controls: [control; 2],
            game,
            reports: vec![report; moves.len()],
            ending,
            faults_between: [None, None],
            began: SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_264_496),
            duration: Duration::from_secs(1),
        }
    }

    fn written(record: &GameRecord, round: &str) -> String {
        written_with(record, round, MoveComments::Short)
    }

    fn written_with(record: &GameRecord, round: &str, comments: MoveComments) -> String {
        write_game(record, round, &style("test", "here", comments))
    }

    fn style(event: &str, site: &str, comments: MoveComments) -> PgnStyle {
        PgnStyle {
            event: event.to_owned(),
            site: site.to_owned(),
            comments,
            engines: vec!["New 2".to_owned(), "Base 1; Hash=4".to_owned()],
            ..PgnStyle::default()
        }
    }

    #[test]
    fn scores_are_written_as_pawns_and_mates() {
        for (score, text) in
            [(Score::Cp(-5), "-0.05"), (Score::Mate(-3), "-M3"), (Score::Mate(2), "+M2")]
        {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn a_record_reads_as_xiangqi_programs_expect() {
        let text = written(&record(START_FEN, &["h2e2", "h9g7", "h0g2"]), "1.1");
        let head = "[Game \"Chinese Chess\"]\n[Event \"test\"]\n[Site \"here\"]\n\
                    [Date \"2026.11.21\"]\n[Round \"1.1\"]\n[Red \"new \\\"x\\\"\"]\n\
                    [White \"new \\\"x\\\"\"]\n";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("[Format \"ICCS\"]\n[UTCTime \"12:34:56\"]"), "{text}");
        assert!(text.contains("[TimeControl \"1+0.05\"]"));
        let engines = "[RedEngine \"New 2\"]\n[BlackEngine \"Base 1; Hash=4\"]\n[PlyCount";
        assert!(text.contains(engines), "{text}");
        assert!(!text.contains("[FEN"));
        let moves = "\n\n1. h2e2 {+0.35/12 0.050s n=900} h9g7 {+0.35/12 0.050s n=900}\n2. h0g2 {";
        assert!(text.contains(moves), "{text}");
        assert!(text.ends_with("n=900 ; black loses: time forfeit}\n1-0\n\n"), "{text}");
    }

    #[test]
    fn full_comments_have_speed_time_left_and_variation() {
        let text = written_with(&record(START_FEN, &["h2e2"]), "1.1", MoveComments::Full);
        let comment = "{+0.35/12 0.050s n=900 sd=20 nps=18000 tl=1.000s pv=\"h2e2 h9g7\"";
        assert!(text.replace('\n', " ").contains(comment), "{text}");
        assert_eq!(read_games(&text).expect("games").len(), 1);
    }

    #[test]
    fn a_game_that_black_begins_is_numbered_as_such() {
        let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 b - - 3 17";
        let text = written(&record(fen, &["e9e8", "a0a8", "e8e7"]), "1.1");
        let tags = format!("[FEN \"{fen}\"]\n[Xiangqi-FEN \"{fen}\"]\n[SetUp \"1\"]");
        assert!(text.contains(&tags), "{text}");
        let numbered = "\n\n17... e9e8 {+0.35/12 0.050s n=900}\n18. a0a8 {";
        assert!(text.contains(numbered), "{text}");
    }

    #[test]
    fn a_position_is_written_with_the_letters_of_both_families_of_programs() {
        let fen = "2b1k4/4n4/9/9/9/9/9/9/9/R2K2BN1 b - - 3 17";
        let text = written(&record(fen, &[]), "1.1");
        let other = "2e1k4/4h4/9/9/9/9/9/9/9/R2K2EH1 b - - 3 17";
        let tags = format!("[FEN \"{other}\"]\n[Xiangqi-FEN \"{fen}\"]\n");
        assert!(text.contains(&tags), "{text}");
        let read = xiangqi::records::read(text.as_bytes());
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!(read.games[0].start().fen(), fen);
    }

    #[test]
    fn a_time_that_no_calendar_reaches_has_no_date() {
        let mut record = record(START_FEN, &[]);
        record.began = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
        assert!(written(&record, "1.1").contains("[Date \"1969.12.31\"]"));
        record.began = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40);
        assert!(!written(&record, "1.1").contains("[Date"));
    }

    #[test]
    fn a_record_without_comments_has_one_pair_of_moves_in_a_line() {
        let style = style("", "", MoveComments::None);
        let text = write_game(&record(START_FEN, &["h2e2", "h9g7", "h0g2"]), "1.1", &style);
        assert!(text.ends_with("]\n\n1. h2e2 h9g7\n2. h0g2\n1-0\n\n"), "{text}");
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
        assert_eq!((games[1].round.as_str(), games[1].result), ("1.2", Some(Wdl::Win)));
        assert_eq!(games[0].end + 1, one.len(), "only the empty line is left");
        for cut in 0..two.len() - 4 {
            let part = &whole[..one.len() + cut];
            let complete =
                read_games(part).expect("games").into_iter().filter(|game| game.is_complete);
            assert_eq!(complete.count(), 1, "cut at {cut}");
        }
    }
}

//! Lines that an engine writes in a match, and the record of its game.

use std::time::{Duration, SystemTime};

use cannonade_match::{
    EngineInfo, EngineMove, GameRecord, MoveComments, PgnStyle, Termination, TimeControl,
    read_games, write_game,
};
use xiangqi::board::Position;
use xiangqi::records::Game;
use xiangqi::rules::Outcome;

use super::{Form, Target};

/// Whatever they say, the game can be written and read again.
pub const ENGINE_LINES: Target = Target {
    name: "engine-lines",
    form: Form::Session,
    seeds: || [LINES.as_bytes().to_vec()].to_vec(),
    check: engine_lines,
    inputs: [2_000, 20_000],
    accepted: 1,
};

/// Lines of engines in both protocols.
pub const LINES: &str = "\
info depth 9 seldepth 12 multipv 1 score cp -35 nodes 812 nps 80100 hashfull 3 tbhits 0 time 80 pv h2e2 h9g7
info depth 10 score mate 3 lowerbound nodes 900 time 5 pv h2e2
info depth 4 score 9999 pv h2e2 h9g7
info string a remark } about { nothing
info currmove h2e2 currmovenumber 1
info depth 12 seldepth 20 score mate -2 wdl 0 0 1000 time 1 nodes 5 nps 5000 pv a0a1
bestmove h2e2 ponder h9g7
bestmove (none)
nobestmove
option name Hash type spin default 16 min 1 max 64
readyok
id name someone";

fn engine_lines(input: &[u8]) -> bool {
    let mut info = EngineInfo::default();
    for line in input.split(|&byte| byte == b'\n') {
        info.update(&String::from_utf8_lossy(line));
    }
    let has_score = info.score.is_some();
    let report = EngineMove { elapsed: Duration::from_millis(5), overrun: None, left: None, info };
    let mv = "h2e2".parse().expect("a move");
    let record = GameRecord {
        number: 0,
        engines: [0, 1],
        names: ["a".to_owned(), "b".to_owned()],
        controls: [TimeControl::default(); 2],
        game: Game::with_moves(Position::startpos(), [mv]).expect("a legal move"),
        reports: vec![report],
        ending: Outcome::draw(Termination::MoveCap),
        faults_between: [None, None],
        began: SystemTime::UNIX_EPOCH,
        duration: Duration::from_secs(1),
    };
    let style = PgnStyle { comments: MoveComments::Full, ..PgnStyle::default() };
    let text = write_game(&record, "1", &style);
    let games = read_games(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(games.len() == 1 && games[0].is_complete, "{text}");
    let read = xiangqi::records::read(text.as_bytes());
    assert!(read.problems.is_empty() && read.games[0].moves().len() == 1, "{text}");
    has_score
}

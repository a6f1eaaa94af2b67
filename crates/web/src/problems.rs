//! Errors as codes with values: the page has its own sentences for the most frequent errors, in its
//! own language.

use std::io;

use serde::Serialize;
use serde_json::json;
use xiangqi::board::{Defect, FenError, MoveError};
use xiangqi::notation::NotationError;
use xiangqi::records::{Problem, RecordError};

use super::http::{Response, StatusCode};
use super::request_error::RequestError;
use super::trees::MAX_MOVES;

/// An error that the page can name; the values are the parts of its sentence.
#[derive(Debug, Serialize)]
pub(super) struct WebProblem {
    code: &'static str,
    values: Vec<String>,
}

impl WebProblem {
    /// Returns the problem of a refused request, if the page has a sentence for it.
    pub(super) fn of(error: &RequestError) -> Option<WebProblem> {
        let (code, values) = match error {
            RequestError::Fen(error) => return WebProblem::of_fen(error),
            RequestError::NoGame => ("noGame", Vec::new()),
            RequestError::NoSuchGame { number, count } => {
                ("noSuchGame", vec![number.to_string(), count.to_string()])
            }
            RequestError::BadGame(problem) => return Some(WebProblem::of_game(problem)),
            RequestError::Moves(error) => (
                "badMove",
                vec![
                    error.side.name().to_owned(),
                    error.number.to_string(),
                    text_of(&error.reason).to_owned(),
                ],
            ),
            RequestError::Illegal(error) => ("notMove", vec![squares_of(error)?]),
            RequestError::TooManyMoves(moves) => {
                ("tooLongToShow", vec![moves.to_string(), MAX_MOVES.to_string()])
            }
            RequestError::Book(_) => ("badBook", Vec::new()),
            RequestError::BadKeptGame => ("badKeptGame", Vec::new()),
            RequestError::NotKept(error) => return WebProblem::of_write(error.kind()),
            RequestError::NotWritten(_) => ("notWritten", Vec::new()),
            RequestError::NoBook => ("noBook", Vec::new()),
            RequestError::NoKeptGame => ("noKeptGame", Vec::new()),
            _ => return None,
        };
        Some(WebProblem { code, values })
    }

    /// Describes the defect of a game file.
    pub(super) fn of_game(problem: &Problem) -> WebProblem {
        let game = problem.game.to_string();
        let of_move = |number: u32, text: &str| {
            ("gameMove", vec![game.clone(), number.to_string(), text.to_owned()])
        };
        let (code, values) = match &problem.defect {
            RecordError::Move { number, reason, .. } => of_move(*number, text_of(reason)),
            RecordError::Squares { number, reason, .. } => {
                of_move(*number, &squares_of(reason).unwrap_or_default())
            }
            RecordError::OffBoard { number, text } => of_move(*number, text),
            RecordError::Fen(_) | RecordError::Start(_) | RecordError::Setup => {
                ("gameStart", vec![game])
            }
            RecordError::Encoding { .. } => ("gameEncoding", Vec::new()),
            RecordError::Truncated(_) => ("gameTruncated", Vec::new()),
            _ => ("gameDefect", vec![game]),
        };
        WebProblem { code, values }
    }

    /// Describes why a file is not written, if the page has words for it.
    pub(super) fn of_write(kind: io::ErrorKind) -> Option<WebProblem> {
        let code = match kind {
            io::ErrorKind::NotFound => "folderGone",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "notPermitted",
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "diskFull",
            _ => return None,
        };
        Some(WebProblem { code, values: Vec::new() })
    }

    /// Describes the defect of a FEN, if the page has a sentence for it.
    pub(super) fn of_fen(error: &FenError) -> Option<WebProblem> {
        let (code, values) = match error {
            FenError::Empty => ("fenEmpty", Vec::new()),
            FenError::RankCount(count) => ("fenRanks", vec![count.to_string()]),
            FenError::RankLength { rank, files, .. } => {
                ("fenRank", vec![rank.to_string(), files.to_string()])
            }
            FenError::Piece { rank, reason } => {
                ("fenLetter", vec![rank.to_string(), reason.0.clone()])
            }
            FenError::Side(text) => ("fenSide", vec![text.clone()]),
            FenError::Counter(text) => ("fenCounter", vec![text.clone()]),
            FenError::Trailing(text) => ("fenTrailing", vec![text.clone()]),
            FenError::Defect(defect) => return WebProblem::of_defect(*defect),
            _ => return None,
        };
        Some(WebProblem { code, values })
    }

    /// Describes the defect of a position: sides are `red` and `black`, pieces the letters of FEN.
    fn of_defect(defect: Defect) -> Option<WebProblem> {
        let (code, values) = match defect {
            Defect::NoKing(side) => ("noKing", vec![side.name().to_owned()]),
            Defect::TooMany { piece, count } => {
                let most = piece.kind().most();
                ("tooMany", vec![piece.letter().to_string(), count.to_string(), most.to_string()])
            }
            Defect::Misplaced { piece, sq } => {
                ("misplaced", vec![piece.letter().to_string(), sq.to_string()])
            }
            Defect::FacingKings(file) => {
                ("facingKings", vec![char::from(b'a'.saturating_add(file)).to_string()])
            }
            Defect::OpponentInCheck(side) => ("inCheck", vec![side.name().to_owned()]),
            _ => return None,
        };
        Some(WebProblem { code, values })
    }
}

impl From<RequestError> for Response {
    /// Returns the message, and the problem as the page names it in its own language.
    fn from(error: RequestError) -> Response {
        let status = match &error {
            RequestError::MediaType(_) => StatusCode::UnsupportedMediaType,
            RequestError::NoFunction | RequestError::NoBook | RequestError::NoKeptGame => {
                StatusCode::NotFound
            }
            RequestError::KeptElsewhere => StatusCode::Conflict,
            RequestError::NotKept(_) => StatusCode::Unavailable,
            _ => StatusCode::BadRequest,
        };
        let body = json!({ "error": error.to_string(), "problem": WebProblem::of(&error) });
        Response::json(&body).with_status(status)
    }
}

/// Returns the text that is not a move.
fn text_of(error: &NotationError) -> &str {
    match error {
        NotationError::Syntax(text)
        | NotationError::Coordinates { text, .. }
        | NotationError::NoMove { text, .. }
        | NotationError::Ambiguous { text, .. } => text,
        _ => "",
    }
}

/// Returns the squares of a move that is not legal.
fn squares_of(error: &MoveError) -> Option<String> {
    match error {
        MoveError::NoPiece(mv)
        | MoveError::KingCapture(mv)
        | MoveError::InCheck(mv)
        | MoveError::NotYours { mv, .. }
        | MoveError::Impossible { mv, .. } => Some(mv.to_string()),
        _ => None,
    }
}

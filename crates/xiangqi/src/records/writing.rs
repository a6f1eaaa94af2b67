//! Writing game files of every kind.

use super::{FileKind, Game, TextEncoding, WriteError};
use super::{ccbridge, dhtmlxq, fen_list, game_list, pgn, position_line, xqf};
use crate::notation::Notation;

/// Returns the content of a file of this kind with these games. The notation is that of PGN. The
/// encoding is that of the texts; binary files and XML have their own.
///
/// # Errors
/// If the kind cannot be written, or cannot hold these games, or the encoding lacks a character.
///
/// ```
/// use xiangqi::records::{self, FileKind, TextEncoding, WriteError};
/// use xiangqi::{Game, Notation, Position};
///
/// let games = [Game::with_moves(Position::startpos(), ["h2e2".parse()?, "h9g7".parse()?])?];
/// let write = |notation| records::write(&games, FileKind::Pgn, notation, TextEncoding::Big5);
/// let error = write(Notation::Chinese).err(); // 马 and 进 are simplified characters
/// assert!(matches!(error, Some(WriteError::Characters { traditional_is_enough: true, .. })));
/// assert!(write(Notation::Traditional).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    games: &[Game],
    kind: FileKind,
    notation: Notation,
    encoding: TextEncoding,
) -> Result<Vec<u8>, WriteError> {
    let the_game = || match games {
        [game] => Ok(game),
        _ => Err(WriteError::OneGame { kind, count: games.len() }),
    };
    let text: String = match kind {
        FileKind::Pgn => games.iter().map(|game| pgn::write_pgn(game, notation)).collect(),
        FileKind::DhtmlXq => {
            games.iter().map(|game| dhtmlxq::write_dhtmlxq(game, encoding)).collect()
        }
        FileKind::List => game_list::write(games)?,
        FileKind::Fen => fen_list::write(games),
        FileKind::Position => games.iter().map(position_line::write).collect(),
        FileKind::Xqf => return Ok(xqf::write(the_game()?)),
        FileKind::Cbr => return Ok(ccbridge::write_record(the_game()?)),
        FileKind::Cbf => return Ok(ccbridge::write_xml(the_game()?).into_bytes()),
        FileKind::Cbl | FileKind::Wxf => return Err(WriteError::ReadOnly(kind)),
    };
    encoding.encode(&text).map_err(|missing| {
        let traditional = || write(games, kind, Notation::Traditional, encoding);
        let traditional_is_enough = notation == Notation::Chinese && traditional().is_ok();
        WriteError::Characters { encoding, missing, traditional_is_enough }
    })
}

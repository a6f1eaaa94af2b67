//! Writing game files of every kind.

use super::{FileKind, Game, TextEncoding, WriteError};
use super::{ccbridge, dhtmlxq, game_list, pgn, position_line, xqf};
use crate::notation::Notation;

/// Returns the content of a file of this kind with these games. The notation is that of PGN. The
/// encoding is that of the texts; binary files and XML have their own.
///
/// # Errors
/// If the kind cannot be written, or cannot hold these games, or the encoding lacks a character.
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
        FileKind::DhtmlXq => games.iter().map(dhtmlxq::write_dhtmlxq).collect(),
        FileKind::List => game_list::write(games)?,
        FileKind::Position => games.iter().map(position_line::write).collect(),
        FileKind::Xqf => return Ok(xqf::write(the_game()?)),
        FileKind::Cbr => return Ok(ccbridge::write_record(the_game()?)),
        FileKind::Cbf => return Ok(ccbridge::write_xml(the_game()?).into_bytes()),
        FileKind::Cbl => return Err(WriteError::ReadOnly(kind)),
    };
    encoding.encode(&text).map_err(|missing| WriteError::Characters { encoding, missing })
}

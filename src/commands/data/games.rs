//! The games of files of self-play.

use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::output::print_error;
use crate::training::{GameReader, SelfPlayGame};

/// Calls `visit` with each game of the files.
pub(super) fn each_game(
    files: &[PathBuf],
    mut visit: impl FnMut(SelfPlayGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for file in files {
        let reader = GameReader::open(file).map_err(Failure::input)?;
        games_of(file, reader, &mut visit)?;
    }
    Ok(())
}

/// Calls `visit` with each game of a file. Damage is reported on stderr and loses only the games
/// that the damaged bytes belong to.
pub(in crate::commands) fn games_of(
    file: &Path,
    mut reader: GameReader,
    mut visit: impl FnMut(SelfPlayGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for game in reader.by_ref() {
        visit(game)?;
    }
    let damage = reader.damage();
    if damage.spots > 0 {
        print_error(format_args!(
            "warning: {}: {} damaged bytes in {} places; the games there are left out",
            file.display(),
            damage.bytes,
            damage.spots
        ));
    }
    Ok(())
}

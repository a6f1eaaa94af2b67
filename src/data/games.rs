//! Reading and writing files of self-play.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cannonade_tables::atomic_file;
use cannonade_tables::file_lock::{lock_output, try_lock};
use cannonade_training::{GameFileError, GameReader, GameWriter, SelfPlayGame};

use super::super::Failure;
use super::super::output::print_error;

/// Replaces a file by what `write` writes into an empty one. On an error the old file stays.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(File) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // A process that appends games would go on with a file that has no name any more.
    if path.is_file() && File::open(path).is_ok_and(|file| !try_lock(&file)) {
        return Err(Failure::Work(GameFileError::Busy(path.to_owned()).into()));
    }
    let _lock = lock_output(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut failure = None;
    let replaced = atomic_file::replace_with(path, |file| {
        write(file.try_clone()?).map_err(|error| {
            failure = Some(error);
            io::ErrorKind::Other.into()
        })
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok(replaced.with_context(|| format!("cannot write {}", path.display()))?),
    }
}

/// Replaces a file by one of the games that `write` writes. On an error the old file stays.
pub(super) fn replace_games(
    path: &Path,
    write: impl FnOnce(&mut GameWriter) -> Result<(), Failure>,
) -> Result<(), Failure> {
    replace(path, |file| write(&mut GameWriter::begin_in(file, path).map_err(anyhow::Error::from)?))
}

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
pub(crate) fn games_of(
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
            "warning: {}: damaged bytes: {}, places: {}; the games there are left out",
            file.display(),
            damage.bytes,
            damage.spots
        ));
    }
    Ok(())
}

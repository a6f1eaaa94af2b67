//! Game files.

use std::path::PathBuf;

use cannonade::input_file;
use pyo3::prelude::*;
use xiangqi::Game;
use xiangqi::records::{self, FileKind};

use crate::errors::{file_error, value_error};
use crate::game::GameTree;

/// A defect: number of the game, line, whether moves are wrong, text.
type Defect = (usize, Option<usize>, bool, String);

/// A source of games.
#[derive(FromPyObject)]
pub enum Source {
    #[pyo3(transparent, annotation = "bytes")]
    Bytes(Vec<u8>),
    #[pyo3(transparent, annotation = "str | PathLike")]
    Path(PathBuf),
}

/// Reads all games of a file, or of bytes.
#[pyfunction]
pub fn read_games(
    py: Python<'_>,
    source: Source,
) -> PyResult<(&'static str, &'static str, Vec<GameTree>, Vec<Defect>)> {
    let collection = py.detach(|| match source {
        Source::Bytes(bytes) => Ok(records::read(&bytes)),
        Source::Path(path) => {
            let bytes = input_file::read(&path).map_err(|error| file_error(&error, &path))?;
            Ok::<_, PyErr>(records::read(&bytes))
        }
    })?;
    let problems = collection
        .problems
        .iter()
        .map(|problem| (problem.game, problem.line, problem.affects_moves(), problem.to_string()));
    let games = collection.games.into_iter().map(GameTree::from).collect();
    Ok((collection.kind.name(), collection.encoding.name(), games, problems.collect()))
}

/// The kind that the name of a file shows, if any.
#[pyfunction]
pub fn kind_of_path(path: PathBuf) -> PyResult<Option<&'static str>> {
    FileKind::of_path(&path).map(|kind| kind.map(FileKind::name)).map_err(value_error)
}

/// The content of a file with these games; the kind, the notation and the encoding are named as on
/// the command line.
#[pyfunction]
pub fn write_games(
    games: Vec<PyRef<'_, GameTree>>,
    kind: &str,
    notation: &str,
    encoding: &str,
) -> PyResult<Vec<u8>> {
    let games: Vec<Game> = games.iter().map(|tree| tree.game.clone()).collect();
    let kind: FileKind = kind.parse().map_err(value_error)?;
    let notation = notation.parse().map_err(value_error)?;
    let encoding = encoding.parse().map_err(value_error)?;
    records::write(&games, kind, notation, encoding).map_err(value_error)
}

//! Game files.

use std::fs;
use std::path::PathBuf;

use cannonade_tables::input_file;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xiangqi::Game;
use xiangqi::records::{self, FileKind};

use crate::errors::{file_error, value_error};
use crate::game::GameTree;
use crate::waiting;

/// Bytes of a file below which it is read in a moment.
const SHORT_FILE: u64 = 1 << 18;

/// Moves below which they are written in a moment.
const SHORT_GAMES: usize = 4096;

/// A defect: number of the game, line, whether moves are wrong, text.
type Defect = (usize, Option<usize>, bool, String);

/// A source of games.
pub enum Source {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Source> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Source::Bytes(bytes.as_bytes().to_vec())),
            Err(_) => object.extract().map(Source::Path),
        }
    }
}

impl Source {
    /// Returns true if it is read in a moment; a pipe may have no end.
    fn is_short(&self) -> bool {
        match self {
            Source::Bytes(bytes) => (bytes.len() as u64) < SHORT_FILE,
            Source::Path(path) => {
                fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() < SHORT_FILE)
            }
        }
    }
}

/// Reads all games of a file, or of bytes.
#[pyfunction]
pub fn read_games(
    py: Python<'_>,
    source: Source,
) -> PyResult<(&'static str, &'static str, Vec<GameTree>, Vec<Defect>)> {
    let read = waiting::run_or_leave(py, source.is_short(), move || match source {
        Source::Bytes(bytes) => Ok(records::read(&bytes)),
        Source::Path(path) => match input_file::read(&path) {
            Ok(bytes) => Ok(records::read(&bytes)),
            Err(error) => Err((error, path)),
        },
    })?;
    let collection = read.map_err(|(error, path)| file_error(&error, &path))?;
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
    py: Python<'_>,
    trees: Vec<PyRef<'_, GameTree>>,
    kind: &str,
    notation: &str,
    encoding: &str,
) -> PyResult<Vec<u8>> {
    let games: Vec<Game> = trees.iter().map(|tree| tree.game.clone()).collect();
    // Other threads may use the trees meanwhile.
    drop(trees);
    let kind: FileKind = kind.parse().map_err(value_error)?;
    let notation = notation.parse().map_err(value_error)?;
    let encoding = encoding.parse().map_err(value_error)?;
    let is_short = games.iter().map(Game::len).sum::<usize>() < SHORT_GAMES;
    let write = move || records::write(&games, kind, notation, encoding);
    waiting::run_or_leave(py, is_short, write)?.map_err(value_error)
}

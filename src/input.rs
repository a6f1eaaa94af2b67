//! Files that commands read; `-` is standard input.

use std::collections::HashSet;
use std::fs;
use std::hash::Hash;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use xiangqi::records::{self, Collection, Game, Problem};

use super::Failure;
use super::output::print_error;
use cannonade_tables::input_file;

/// The largest number of defects of one game that are reported one by one.
const MAX_DEFECTS: usize = 20;

/// Returns the content of a file or of standard input.
///
/// # Errors
/// If it cannot be read; the file is named.
pub(super) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = if path == Path::new("-") {
        input_file::read_at_most(io::stdin(), input_file::MAX_SIZE)
    } else {
        input_file::read(path)
    };
    bytes.with_context(|| format!("cannot read {}", name(path)))
}

/// Refuses a file that is given twice, for commands whose numbers would count its games twice.
///
/// # Errors
/// If there is one, also by another name of it.
pub(super) fn check_distinct<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    let twice =
        files.into_iter().find(|path| identity(path).is_some_and(|file| !seen.insert(file)));
    twice.map_or(Ok(()), |path| {
        let path = path.display();
        Err(Failure::Input(anyhow!(
            "{path} is given twice, so its games would count twice; give it once"
        )))
    })
}

/// Returns what two names of one file share, also if both are hard links to it. The file is not
/// kept open, since there may be thousands.
fn identity(path: &Path) -> Option<impl Eq + Hash + use<>> {
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    #[cfg(unix)]
    let identity = data.map(|data| (data.dev(), data.ino()));
    #[cfg(not(unix))]
    let identity = data.and_then(|_| path.canonicalize().ok());
    identity
}

/// Returns the games of a file, with the defects found in them.
///
/// # Errors
/// If the file cannot be read or holds no game.
pub(super) fn read_collection(path: &Path) -> anyhow::Result<Collection> {
    not_empty(records::read(&read_bytes(path)?), path)
}

/// Returns the collection that was read from this file.
///
/// # Errors
///
/// If it holds neither a game nor the defect of one.
pub(super) fn not_empty(collection: Collection, path: &Path) -> anyhow::Result<Collection> {
    let is_empty = collection.games.is_empty() && collection.problems.is_empty();
    anyhow::ensure!(
        !is_empty,
        "{} holds no game; expected PGN, XQF, DhtmlXQ, CBR, CBL, CBF, WXF, or per line a \
         result and moves or a 'position' command",
        name(path)
    );
    Ok(collection)
}

/// The games of a file whose main lines have no defect.
pub(super) struct SoundGames {
    /// The games with their numbers in the file.
    pub(super) games: Vec<(usize, Game)>,
    /// The number of games that are left out.
    pub(super) left_out: usize,
}

impl SoundGames {
    /// Fails if games are left out, after everything else is done: their defects were printed.
    ///
    /// # Errors
    /// The number of the games.
    pub(super) fn check_complete(count: usize, left_out: usize) -> Result<(), Failure> {
        if left_out == 0 {
            return Ok(());
        }
        Err(anyhow!("games judged: {count}; left out for the defects above: {left_out}").into())
    }
}

/// Returns the games of a collection with sound main lines. The defects of the others are printed,
/// and other defects as warnings.
///
/// # Errors
/// The first defect of a main line if no game is sound.
pub(super) fn sound_games(collection: Collection, path: &Path) -> anyhow::Result<SoundGames> {
    let Collection { games, numbers, problems, .. } = collection;
    let bad: HashSet<usize> = problems
        .iter()
        .filter(|problem| problem.affects_main_line())
        .map(|problem| problem.game)
        .collect();
    let games: Vec<_> =
        numbers.into_iter().zip(games).filter(|(number, _)| !bad.contains(number)).collect();
    if let Some(problem) = problems.iter().find(|problem| problem.affects_main_line())
        && games.is_empty()
    {
        return Err(problem.clone()).context(name(path));
    }
    for problem in problems.iter().filter(|problem| problem.affects_moves()) {
        let kind = if problem.affects_main_line() { "" } else { "warning: " };
        print_error(format_args!("{kind}{}: {problem}", name(path)));
    }
    Ok(SoundGames { games, left_out: bad.len() })
}

/// Prints the defects of a file: of each game the first ones and the number of the others.
pub(super) fn report_defects(path: &Path, problems: &[Problem]) {
    let name = name(path);
    for of_game in problems.chunk_by(|one, next| one.game == next.game) {
        for problem in of_game.iter().take(MAX_DEFECTS) {
            print_error(format_args!("{name}: {problem}"));
        }
        if let [first, ..] = of_game.get(MAX_DEFECTS..).unwrap_or_default() {
            let others = of_game.len() - MAX_DEFECTS;
            print_error(format_args!("{name}: game {}: further defects: {others}", first.game));
        }
    }
}

/// Returns the name of the file in messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

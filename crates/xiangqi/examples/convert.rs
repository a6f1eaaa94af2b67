//! Converts a game file of any kind to the kind that the name of the output shows:
//! `convert INPUT OUTPUT`.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use xiangqi::Notation;
use xiangqi::records::{self, FileKind, TextEncoding};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, output] = paths.as_slice() else { return Err("expected INPUT and OUTPUT".into()) };
    let collection = records::read(&fs::read(input)?);
    for problem in &collection.problems {
        eprintln!("{}: {problem}", input.display());
    }
    let kind = FileKind::of_path(output)?.unwrap_or(FileKind::Pgn);
    let bytes = records::write(&collection.games, kind, Notation::Chinese, TextEncoding::Utf8)?;
    fs::write(output, bytes)?;
    println!("{} games from {} to {kind}", collection.games.len(), collection.kind);
    Ok(())
}

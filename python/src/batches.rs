//! Many positions at once, their results as bytes of numbers for NumPy.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use cannonade_engine::nnue::{Evaluation, Evaluator};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use xiangqi::{Position, Square};

use crate::errors::{input_error, value_error};
use crate::numbers::Whole;
use crate::waiting;

/// Positions below which another thread is not worth its start.
const FEWEST_PER_THREAD: usize = 256;

/// Results of one thread, or the index of the first wrong FEN and its error.
type Part<T> = Result<Vec<T>, (usize, String)>;

/// Divides the FENs among threads; each makes its `worker`, which is then given one position after
/// another.
fn in_parallel<T: Send, W: FnMut(&Position) -> T>(
    py: Python<'_>,
    fens: &[String],
    threads: Option<Whole>,
    worker: impl Fn() -> W + Sync,
) -> PyResult<Vec<T>> {
    let threads = match threads {
        Some(threads) => threads.within("threads", 0..=u32::MAX)? as usize,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let stop = AtomicBool::new(false);
    let work = || {
        let most = fens.len().div_ceil(FEWEST_PER_THREAD).max(1);
        let threads = threads.clamp(1, most);
        let size = fens.len().div_ceil(threads).max(1);
        let run = |(index, part): (usize, &[String])| -> Part<T> {
            let mut work = worker();
            let read = |(place, fen): (usize, &String)| {
                let position = Position::from_fen(fen);
                position.map_err(|error| (index * size + place, error.to_string()))
            };
            let running = part.iter().enumerate().take_while(|_| !stop.load(Ordering::Relaxed));
            running.map(|one| Ok(work(&read(one)?))).collect()
        };
        let parts: Vec<Part<T>> = thread::scope(|scope| {
            let run = &run;
            let parts = fens.chunks(size).enumerate();
            let running: Vec<_> = parts.map(|part| scope.spawn(move || run(part))).collect();
            let failed = |_| Err((0, "a thread panicked, which is a bug".to_owned()));
            running.into_iter().map(|part| part.join().unwrap_or_else(failed)).collect()
        });
        let mut all = Vec::with_capacity(fens.len());
        for part in parts {
            let part =
                part.map_err(|(index, error)| value_error(format!("fens[{index}]: {error}")));
            all.extend(part?);
        }
        Ok(all)
    };
    waiting::run(py, work, || stop.store(true, Ordering::Relaxed))?
}

fn bytes<'py, const N: usize>(
    py: Python<'py>,
    numbers: impl Iterator<Item = [u8; N]>,
) -> Bound<'py, PyByteArray> {
    PyByteArray::new(py, &numbers.flatten().collect::<Vec<u8>>())
}

/// Evaluates positions without a search: centipawns for the side to move as 32-bit integers.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    fens: Vec<String>,
    threads: Option<Whole>,
    network: Option<PathBuf>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let evaluation =
        network.map_or_else(|| Ok(Evaluation::default()), |name| Evaluation::find(&name));
    let evaluation = evaluation.map_err(|error| input_error(&error, error.system_error()))?;
    let worker = || {
        let mut evaluator = Evaluator::new();
        let evaluation = &evaluation;
        move |position: &Position| {
            evaluator.reset(evaluation);
            evaluator.evaluate(position)
        }
    };
    let values = in_parallel(py, &fens, threads, worker)?;
    Ok(bytes(py, values.into_iter().map(i32::to_ne_bytes)))
}

/// Lists the legal moves of positions: the squares of all moves as bytes, from and to; and for each
/// position the number of moves before its own, with the sum at the end, as 64-bit integers.
#[pyfunction]
pub fn legal_moves<'py>(
    py: Python<'py>,
    fens: Vec<String>,
    threads: Option<Whole>,
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let lists = in_parallel(py, &fens, threads, || |position: &Position| position.legal_moves())?;
    let square = |square: Square| square.index() as u8;
    let moves = lists.iter().flatten().map(|mv| [square(mv.from()), square(mv.to())]);
    let mut count = 0_i64;
    let offsets = lists.iter().map(|list| {
        count += list.len() as i64;
        count
    });
    let offsets: Vec<i64> = std::iter::once(0).chain(offsets).collect();
    Ok((bytes(py, moves), bytes(py, offsets.into_iter().map(i64::to_ne_bytes))))
}

/// Writes the pieces of positions as bytes, 90 for each: 0 for an empty square, 1 to 7 for Red's
/// pawn, advisor, bishop, knight, cannon, rook and king, -1 to -7 for Black's; then 1 if Red is to
/// move, else 0.
#[pyfunction]
pub fn piece_arrays<'py>(
    py: Python<'py>,
    fens: Vec<String>,
    threads: Option<Whole>,
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let worker = || {
        |position: &Position| {
            let number = |square: Square| {
                position.piece_on(square).map_or(0, |piece| {
                    let kind = piece.kind().index() as i8 + 1;
                    if crate::board::is_red(piece.color()) { kind } else { -kind }
                })
            };
            let squares: Vec<u8> =
                Square::all().map(|square| number(square).cast_unsigned()).collect();
            (squares, u8::from(crate::board::is_red(position.side())))
        }
    };
    let boards = in_parallel(py, &fens, threads, worker)?;
    let turns = bytes(py, boards.iter().map(|(_, turn)| [*turn]));
    Ok((
        bytes(py, boards.iter().flat_map(|(squares, _)| squares.iter().map(|&byte| [byte]))),
        turns,
    ))
}

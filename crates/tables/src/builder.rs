//! Building a set of tables: which are needed, in which order, and which exist already.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use xiangqi::rules::Wdl;

use super::collection::Tables;
use super::file::{self, TableFileError};
use super::generator::{self, BuildError, Monitor};
use super::layout::Layout;
use super::signature::Signature;
use super::solved::Solved;
use super::value::Value;
use crate::free_memory::free_mebibytes;

/// Contents of a table and the cost of building it.
#[derive(Debug, Clone)]
pub struct TableReport {
    /// Pieces of the table.
    pub signature: Signature,
    /// Positions that are wins, draws and losses for the side to move; first with the stronger
    /// side to move, then with the weaker one. Mirror images count once.
    pub counts: [[u64; 3]; 2],
    /// Plies of the longest win of each side.
    pub longest: [Option<u8>; 2],
    /// Size of the file in bytes.
    pub size: u64,
    /// Time for analysis and compression, or for reading the table.
    pub time: Duration,
}

/// Returns the signatures and all smaller ones that they are built on, smaller ones first.
pub fn with_smaller(signatures: &[Signature]) -> Vec<Signature> {
    let mut all = BTreeSet::new();
    let mut open = signatures.to_vec();
    while let Some(signature) = open.pop() {
        if all.insert(signature) {
            open.extend(signature.successors());
        }
    }
    let mut ordered: Vec<_> = all.into_iter().collect();
    ordered.sort_by_key(|signature| (signature.pieces(), *signature));
    ordered
}

/// Returns the tables of `signatures` (with the smaller ones) that a folder lacks or holds in a
/// damaged file.
pub fn missing(signatures: &[Signature], folder: &Path) -> Vec<Signature> {
    let is_there = |signature: &Signature| {
        file::Table::open_in(folder, *signature).is_ok_and(|table| table.check().is_ok())
    };
    with_smaller(signatures).into_iter().filter(|signature| !is_there(signature)).collect()
}

/// Checks that a table can hold these pieces.
///
/// # Errors
/// If it cannot hold them.
pub fn check_size(signature: Signature) -> Result<(), BuildError> {
    generator::memory(signature).map(|_| ())
}

/// Builds tables into a folder, in the given order, each of whose smaller tables must be in the
/// folder or earlier in the list. `finished` is called after each.
///
/// # Errors
/// If a table cannot hold the pieces, the memory does not suffice, a file cannot be read or
/// written, or the work was cancelled. Tables that were finished before stay.
pub fn build(
    signatures: &[Signature],
    folder: &Path,
    monitor: &Monitor<'_>,
    mut finished: impl FnMut(&TableReport),
) -> Result<(), BuildError> {
    // Impossible tables are reported before hours are spent on the smaller ones.
    for &signature in signatures {
        check_memory(signature, |_| true)?;
    }
    let io = |error| TableFileError::Io { action: "create", path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(io)?;
    signatures.iter().try_for_each(|&signature| file::check_writable(folder, signature))?;
    // Two builds of one table would do the same work, and the slower one would win.
    let lock = |&signature: &Signature| file::lock(folder, signature);
    let _locks = signatures.iter().map(lock).collect::<Result<Vec<_>, _>>()?;
    let mut cache: BTreeMap<Signature, Arc<Solved>> = BTreeMap::new();
    for (i, &signature) in signatures.iter().enumerate() {
        let start = Instant::now();
        check_memory(signature, |smaller| cache.contains_key(smaller))?;
        let solved = generator::solve(signature, monitor, |smaller| {
            if let Some(solved) = cache.get(&smaller) {
                return Ok(Arc::clone(solved));
            }
            let solved = file::Table::open_in(folder, smaller)?.solved()?;
            let solved = Arc::new(generator::restore(solved, monitor)?);
            cache.insert(smaller, Arc::clone(&solved));
            Ok(solved)
        })?;
        let size = file::write(folder, &solved)?;
        finished(&report(&solved, size, start.elapsed()));
        cache.insert(signature, Arc::new(solved));
        let needed: BTreeSet<_> =
            signatures[i + 1..].iter().flat_map(Signature::successors).collect();
        cache.retain(|signature, _| needed.contains(signature));
    }
    Ok(())
}

/// Summarizes the table of a signature; `None` if there is none.
///
/// # Errors
/// If the table is damaged or the work was cancelled.
pub fn summarize(
    tables: &Tables,
    signature: Signature,
    monitor: &Monitor<'_>,
) -> Result<Option<TableReport>, BuildError> {
    let start = Instant::now();
    let Some(table) = tables.table(signature) else { return Ok(None) };
    let solved = generator::restore(table.solved()?, monitor)?;
    Ok(Some(report(&solved, table.size() as u64, start.elapsed())))
}

fn report(solved: &Solved, size: u64, time: Duration) -> TableReport {
    let mut counts = [[0; 3]; 2];
    let mut longest = [None; 2];
    for side in 0..2 {
        for &byte in &solved.values[side] {
            let value = Value::from_byte(byte);
            if value == Value::ILLEGAL {
                continue;
            }
            let column = match value.wdl() {
                Wdl::Win => 0,
                Wdl::Draw => 1,
                Wdl::Loss => 2,
            };
            counts[side][column] += 1;
            if value.wdl() == Wdl::Win {
                longest[side] = longest[side].max(value.plies());
            }
        }
    }
    TableReport { signature: solved.layout.signature(), counts, longest, size, time }
}

/// Compares the memory needed for a table, and for those smaller ones not in memory yet, with the
/// free memory.
fn check_memory(
    signature: Signature,
    is_loaded: impl Fn(&Signature) -> bool,
) -> Result<(), BuildError> {
    let smaller: BTreeSet<_> = signature.successors().filter(|s| !is_loaded(s)).collect();
    let mut needed = generator::memory(signature)?;
    for smaller in smaller {
        let layout = Layout::new(smaller).ok_or(BuildError::TooLarge(smaller))?;
        needed += 2 * layout.len() as u64;
    }
    let needed_mib = needed >> 20;
    match free_mebibytes().map(|mebibytes| mebibytes as u64) {
        Some(available_mib) if available_mib < needed_mib => {
            Err(BuildError::Memory { signature, needed_mib, available_mib })
        }
        _ => Ok(()),
    }
}

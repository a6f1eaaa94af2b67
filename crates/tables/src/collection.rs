//! Tables of an engine, and the values of positions in them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use thiserror::Error;
use xiangqi::board::{Board, Move, Position};
use xiangqi::geometry::Color;

use super::file::{EXTENSION, Table, TableFileError, parse_all};
use super::signature::{Signature, attackers};
use super::value::Value;

/// The tables of one attacking piece against any guards and four of two cannons, one file after the
/// other; made by `cannonade tables build one KCC-K KCC-KA KCC-KB KCC-KAA`.
static BUILT_IN: &[u8] = include_bytes!("built-in.bin");

/// All tables of an engine. Probing is thread-safe and takes well under a microsecond.
#[derive(Debug, Default)]
pub struct Tables {
    tables: HashMap<Signature, Table>,
    /// Maximum number of pieces that can cross the river in any table.
    most_attackers: usize,
    /// Maximum number of pieces in any table.
    most_pieces: usize,
}

/// Value of a position and of each legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Value for the side to move.
    pub value: Value,
    /// Legal moves with their values for the side that makes them, best first.
    pub moves: Vec<(Move, Value)>,
}

/// Reason why a position or one of its moves has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProbeError {
    /// There is no table of these pieces.
    #[error("there is no table for {0}; build it with 'cannonade tables build {0}'")]
    Missing(Signature),
    /// The table of these pieces is damaged, or the file can no longer be read.
    #[error("the table of {0} cannot be read; build it again with 'cannonade tables build {0}'")]
    Unreadable(Signature),
}

impl Tables {
    /// Returns the tables that are part of the program: of a rook, knight, cannon or pawn with a
    /// bare king against any guards, and of two cannons against one guard, two advisors or none.
    pub fn built_in() -> Tables {
        let mut tables = Tables::default();
        for table in parse_all(BUILT_IN) {
            tables.insert(table);
        }
        tables
    }

    /// Returns the built-in tables, parsed once for the whole program.
    pub fn shared() -> Arc<Tables> {
        static SHARED: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::built_in()));
        Arc::clone(&SHARED)
    }

    /// Opens the built-in tables and those of a folder. Files that are not sound are skipped and
    /// listed with the reason.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Tables, Vec<TableFileError>), TableFileError> {
        let io = |error| TableFileError::Io { action: "read", path: folder.to_owned(), error };
        let mut tables = Tables::built_in();
        let mut problems = Vec::new();
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_none_or(|extension| extension != EXTENSION) {
                continue;
            }
            match Table::open(&path) {
                Ok(table) => tables.insert(table),
                Err(problem) => problems.push(problem),
            }
        }
        Ok((tables, problems))
    }

    fn insert(&mut self, table: Table) {
        self.most_attackers = self.most_attackers.max(table.signature().attackers());
        self.most_pieces = self.most_pieces.max(table.signature().pieces());
        self.tables.insert(table.signature(), table);
    }

    /// Returns whether all tables are those that are part of the program.
    pub fn is_built_in(&self) -> bool {
        self.tables.values().all(Table::is_built_in)
    }

    /// Returns the signatures, those of fewer pieces first.
    pub fn signatures(&self) -> Vec<Signature> {
        let mut signatures: Vec<_> = self.tables.keys().copied().collect();
        signatures.sort_by_key(|signature| (signature.pieces(), *signature));
        signatures
    }

    pub(super) fn table(&self, signature: Signature) -> Option<&Table> {
        self.tables.get(&signature)
    }

    /// Returns the file of the table of a signature; `None` for a built-in table or none.
    pub fn file(&self, signature: Signature) -> Option<&Path> {
        self.tables.get(&signature)?.path()
    }

    /// Compares the table of a signature with its checksum, which opening does not do for a large
    /// file.
    ///
    /// # Errors
    /// If the table is damaged; a signature without a table is no error.
    pub fn check(&self, signature: Signature) -> Result<(), TableFileError> {
        self.tables.get(&signature).map_or(Ok(()), Table::check)
    }

    /// Returns whether the board may have few enough pieces for a table: a quick test for a search.
    #[inline]
    pub fn may_hold(&self, board: &Board) -> bool {
        if board.occupied().len() > self.most_pieces {
            return false;
        }
        attackers(board).len() <= self.most_attackers
    }

    /// Returns the value of a valid position; `None` if no table holds it.
    ///
    /// Repetitions and the natural-move limit are ignored; see `docs/endings.md`.
    #[inline]
    pub fn value(&self, board: &Board) -> Option<Value> {
        let (signature, exchanged) = Signature::of(board);
        if signature.attackers() == 0 {
            return Some(Value::DRAW);
        }
        let table = self.tables.get(&signature)?;
        table.value(&table.layout().squares_of(board, exchanged), side(board, exchanged))
    }

    /// Returns the values of a position and of all its legal moves.
    ///
    /// # Errors
    /// If a table is missing or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Probe, ProbeError> {
        let value = self.known_value(position.board())?;
        let mut after = position.clone();
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            after.play_unchecked(mv);
            moves.push((mv, self.known_value(after.board())?.before()));
            after.unmake();
        }
        moves.sort_by_key(|&(_, value)| -value.rank());
        Ok(Probe { value, moves })
    }

    fn known_value(&self, board: &Board) -> Result<Value, ProbeError> {
        self.value(board).ok_or_else(|| {
            let signature = Signature::of(board).0;
            let is_there = self.tables.contains_key(&signature);
            if is_there {
                ProbeError::Unreadable(signature)
            } else {
                ProbeError::Missing(signature)
            }
        })
    }
}

/// Returns the side to move as a table counts it: 0 is the stronger side.
#[inline]
pub(super) fn side(board: &Board, exchanged: bool) -> usize {
    let side = usize::from(board.side() == Color::Black);
    if exchanged { 1 - side } else { side }
}

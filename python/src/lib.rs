//! The Python module `cannonade._cannonade`: xiangqi and the engine for the package `cannonade`,
//! whose Python files in `cannonade/` give it its types and documents.
//!
//! A panic becomes a `PanicException` of Python; everything from outside is checked and refused
//! with a `ValueError` in the words of the program. Work that takes long runs without the
//! interpreter's lock ([`waiting`]).

mod analysis;
mod batches;
mod board;
mod command;
mod engine;
mod errors;
mod game;
mod moves;
mod numbers;
mod pictures;
mod records;
mod rulings;
mod tables;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
mod _cannonade {
    #[pymodule_export]
    use crate::analysis::{Report, analyse_game, games_table, report_page, restore_report};
    #[pymodule_export]
    use crate::batches::{evaluate, legal_moves, piece_arrays};
    #[pymodule_export]
    use crate::board::{Board, restore_board};
    #[pymodule_export]
    use crate::command::{main, version};
    #[pymodule_export]
    use crate::engine::{Engine, options};
    #[pymodule_export]
    use crate::game::{GameTree, restore_tree};
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::records::{kind_of_path, read_games, write_games};
    #[pymodule_export]
    use crate::rulings::{judge, repetitions, rule_sets};
    #[pymodule_export]
    use crate::tables::Tables;
}

//! Adjudication by endgame tables.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use cannonade_tables::{TableFileError, Tables};
use xiangqi::board::Position;
use xiangqi::rules::{Wdl, mates_in_time};

/// Adjudicates positions that endgame tables hold.
#[derive(Clone)]
pub struct TableReferee {
    tables: Arc<Tables>,
}

impl fmt::Debug for TableReferee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableReferee({} tables)", self.tables.signatures().len())
    }
}

impl TableReferee {
    /// Uses the built-in tables only.
    pub fn built_in() -> TableReferee {
        TableReferee { tables: Tables::shared() }
    }

    /// Uses the tables of a folder, too.
    ///
    /// # Errors
    /// If the folder cannot be read, or the first file that is not sound.
    pub fn open(folder: &Path) -> Result<TableReferee, TableFileError> {
        let (tables, problems) = Tables::open(folder)?;
        match problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(TableReferee { tables: Arc::new(tables) }),
        }
    }

    /// Returns the number of tables.
    pub fn count(&self) -> usize {
        self.tables.signatures().len()
    }

    /// Returns the result for the side to move, if a table has it, it holds under rules of
    /// repetition, and the natural-move limit (0 for none) cannot come before the mate.
    pub(super) fn result(&self, position: &Position, natural_limit: u16) -> Option<Wdl> {
        if !self.tables.may_hold(position.board()) {
            return None;
        }
        let value = self.tables.value(position.board()).filter(|value| value.is_exact())?;
        let is_in_time = |plies| mates_in_time(position, u16::from(plies), natural_limit);
        value.plies().is_none_or(is_in_time).then(|| value.wdl())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_known_unless_the_limit_may_come_first() {
        let result = |fen: &str, limit| {
            let position = Position::from_fen(fen).expect(fen);
            TableReferee::built_in().result(&position, limit)
        };
        assert_eq!(result("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", 120), Some(Wdl::Win));
        assert_eq!(result("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 1", 120), None);
        assert_eq!(result("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 1", 0), Some(Wdl::Win));
        assert_eq!(result(xiangqi::board::START_FEN, 120), None);
    }
}

//! Results of quiet endings: wins and draws without distances, small enough to be part of the
//! program.
//!
//! A position is quiet if the stronger side is to move and attacks no piece but the king: a search
//! of captures resolves the others. `docs/formats.md` has the format, `docs/endings.md` the sizes.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use thiserror::Error;
use xiangqi::board::Board;
use xiangqi::geometry::PieceKind;
use xiangqi::rules::Wdl;

use super::collection::{Tables, side};
use super::compression::{Source as _, Stream, encode};
use super::generator::{self, BuildError, Monitor};
use super::layout::Layout;
use super::signature::{Signature, attackers};
use super::value::Value;

const MAGIC: &[u8; 8] = b"CNDQUIET";
const VERSION: u32 = 1;
/// Magic, version, checksum of the rest.
const HEADER: usize = 8 + 4 + 4;
/// Bytes for the name of a signature; the length of its row follows in four bytes.
const NAME: usize = 24;

/// Maximum number of pieces of a held position, kings included.
const MAX_PIECES: usize = 9;
/// Maximum number of pieces that can cross the river.
const MOST_ATTACKERS: usize = 2;

/// Made by `cannonade tables pack`; see `docs/endings.md`.
static BUILT_IN: &[u8] = include_bytes!("quiet-results.bin");

/// Results of the quiet positions of some signatures.
#[derive(Debug)]
pub struct QuietResults(HashMap<Signature, QuietTable>);

/// The quiet positions of one signature, the stronger side to move.
#[derive(Debug)]
struct QuietTable {
    signature: Signature,
    bytes: &'static [u8],
    /// Order and row, parsed when first needed; `None` inside if the bytes are damaged.
    parsed: OnceLock<Option<(Layout, Stream)>>,
}

impl QuietTable {
    /// Returns the result of a position with the stronger side to move; `exchanged` if it is Black.
    fn wdl(&self, board: &Board, exchanged: bool) -> Option<Wdl> {
        let parsed = self.parsed.get_or_init(|| {
            let layout = Layout::new(self.signature)?;
            let (row, _) = Stream::parse(self.bytes, 0, layout.len()).ok()?;
            Some((layout, row))
        });
        let (layout, row) = parsed.as_ref()?;
        let index = layout.index(&layout.squares_of(board, exchanged))?;
        Some(match row.value(self.bytes, index)? {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        })
    }
}

/// Result of a quiet position for the stronger side, which is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietResult {
    /// A win, a draw, or a loss by stalemate.
    pub wdl: Wdl,
    /// False if the guards of the stronger side were left out (`docs/lab/tables.md` has how often
    /// that is right).
    pub exact: bool,
}

/// A signature that cannot be packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// The table is missing.
    #[error("there is no table of {0}; build it with 'cannonade tables build {0}'")]
    Missing(Signature),
    /// More pieces than a quiet result may have.
    #[error(
        "{0} cannot be packed: it may have at most {MOST_ATTACKERS} that can cross the \
         river, all of one side, and {MAX_PIECES} in all"
    )]
    TooLarge(Signature),
    /// The table cannot be read, or the work was cancelled.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl QuietResults {
    /// Returns the results that are part of the program, parsed once.
    pub fn built_in() -> &'static QuietResults {
        static SHARED: LazyLock<QuietResults> = LazyLock::new(|| QuietResults::parse(BUILT_IN));
        &SHARED
    }

    /// Finds the rows of packed results, up to the first that is not whole.
    fn parse(bytes: &'static [u8]) -> QuietResults {
        let mut tables = HashMap::new();
        let is_known =
            bytes.get(..8) == Some(MAGIC) && bytes.read(8) == Some(VERSION.to_le_bytes());
        let mut rest = bytes.get(HEADER..).filter(|_| is_known).unwrap_or_default();
        while let Some((name, after)) = rest.split_at_checked(NAME) {
            let Ok(signature) = String::from_utf8_lossy(name).trim_end_matches('\0').parse() else {
                break;
            };
            let Some(len) = after.read(0).map(u32::from_le_bytes) else { break };
            let Some((bytes, after)) = after[4..].split_at_checked(len as usize) else { break };
            tables.insert(signature, QuietTable { signature, bytes, parsed: OnceLock::new() });
            rest = after;
        }
        QuietResults(tables)
    }

    /// Returns whether a position may be held: a quick test for a search.
    #[inline]
    pub fn may_hold(board: &Board) -> bool {
        if board.occupied().len() > MAX_PIECES {
            return false;
        }
        let attackers = attackers(board);
        attackers.len() <= MOST_ATTACKERS && (attackers - board.color(board.side())).is_empty()
    }

    /// Returns the result for the side to move of a quiet position whose stronger side is to move;
    /// `None` for all others and those that are not held.
    pub fn result(&self, board: &Board) -> Option<QuietResult> {
        if !QuietResults::may_hold(board) {
            return None;
        }
        let (signature, exchanged) = Signature::of(board);
        if signature.attackers() == 0 || side(board, exchanged) != 0 {
            return None;
        }
        let table = self.table(signature)?;
        if !is_quiet(board) {
            return None;
        }
        let wdl = table.wdl(board, exchanged)?;
        Some(QuietResult { wdl, exact: table.signature == signature })
    }

    /// Returns the table of a signature. Without a cannon, which needs screens, it may be the one
    /// without the guards of the stronger side: they hardly matter.
    fn table(&self, signature: Signature) -> Option<&QuietTable> {
        let (strong, weak) = (signature.force(0), signature.force(1));
        self.0.get(&signature).or_else(|| {
            let has_cannon = strong.count(PieceKind::Cannon) > 0;
            let bare = strong.without_all(PieceKind::Bishop).without_all(PieceKind::Advisor);
            (!has_cannon).then(|| self.0.get(&Signature::new(bare, weak).0))?
        })
    }
}

/// Returns whether the side to move attacks no piece but the king.
fn is_quiet(board: &Board) -> bool {
    let own = board.color(board.side());
    let targets = board.occupied() - own - board.kind(PieceKind::King);
    targets.into_iter().all(|sq| !board.attackers_to(sq, board.occupied()).intersects(own))
}

/// Packs the quiet results of some signatures, each of which must have its table.
///
/// # Errors
/// If a table is missing or too large, cannot be read, or the work was cancelled.
pub fn pack(
    tables: &Tables,
    signatures: &[Signature],
    monitor: &Monitor<'_>,
) -> Result<Vec<u8>, PackError> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.resize(HEADER, 0);
    for &signature in signatures {
        let weak = signature.force(1).attackers();
        if signature.attackers() > MOST_ATTACKERS || signature.pieces() > MAX_PIECES || weak > 0 {
            return Err(PackError::TooLarge(signature));
        }
        let table = tables.table(signature).ok_or(PackError::Missing(signature))?;
        let solved = table.solved().map_err(BuildError::from)?;
        let solved = generator::keep_quiet(solved, monitor)?;
        let start = bytes.len();
        bytes.extend(signature.to_string().into_bytes());
        bytes.resize(start + NAME + 4, 0);
        let number = |byte| {
            let value = Value::from_byte(byte);
            (value != Value::ILLEGAL).then_some(value.wdl() as u8)
        };
        encode(&solved.values[0], number).write(&mut bytes);
        let len = (bytes.len() - start - NAME - 4) as u32;
        bytes[start + NAME..start + NAME + 4].copy_from_slice(&len.to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes[HEADER..]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;

    use super::*;

    fn result(fen: &str) -> Option<QuietResult> {
        QuietResults::built_in().result(Position::from_fen(fen).expect("a FEN").board())
    }

    #[test]
    fn the_built_in_results_are_sound() {
        let sum = BUILT_IN.read(12).map(u32::from_le_bytes);
        assert_eq!(sum, Some(crc32fast::hash(&BUILT_IN[HEADER..])));
        let all = QuietResults::built_in();
        // The bare pairs without rooks, one attacking piece, with advisors if no rook, four more.
        assert_eq!(all.0.len(), 54 + 36 + 54 + 4);
        for table in all.0.values() {
            let layout = Layout::new(table.signature).expect("a layout");
            let (_, end) = Stream::parse(table.bytes, 0, layout.len()).expect("a row");
            assert_eq!(end, table.bytes.len(), "{}", table.signature);
        }
    }

    #[test]
    fn a_cannon_and_a_pawn_draw_or_win_by_where_they_stand() {
        let exact = |wdl| Some(QuietResult { wdl, exact: true });
        assert_eq!(result("3k5/4a4/3Cb4/3P5/9/9/9/9/9/4K4 w"), exact(Wdl::Draw));
        // Colours do not matter.
        assert_eq!(result("4k4/9/9/9/9/9/3p5/3cB4/4A4/3K5 b"), exact(Wdl::Draw));
        assert_eq!(result("3k5/9/9/9/3PP4/9/9/9/9/4K4 w"), exact(Wdl::Win));
    }

    #[test]
    fn positions_that_are_not_quiet_are_left_to_the_search() {
        // The weaker side is to move; the cannon attacks the bishop; the weaker side has a pawn.
        assert_eq!(result("3k5/4a4/3Cb4/3P5/9/9/9/9/9/4K4 b"), None);
        assert_eq!(result("3k5/4a4/4b4/3P5/4C4/9/4P4/9/9/4K4 w"), None);
        assert_eq!(result("3k5/4a4/3Cb4/3P5/9/9/8p/9/9/4K4 w"), None);
    }

    #[test]
    fn guards_of_the_stronger_side_are_left_out_where_they_hardly_matter() {
        let likely = |wdl| Some(QuietResult { wdl, exact: false });
        assert_eq!(result("3k1a3/9/5a2b/9/2b4P1/9/9/9/N3K4/5A3 w"), likely(Wdl::Draw));
        // A cannon jumps over its advisor, and over its bishop.
        assert_eq!(result("3ak4/4a4/4b3b/9/9/1C6P/9/4B4/9/3AK4 w"), None);
        assert_eq!(result("4k4/9/4b3b/9/9/2C5C/9/4B4/9/4K4 w"), None);
    }
}

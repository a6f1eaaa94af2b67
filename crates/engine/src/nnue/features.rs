//! The inputs of the network, and those that a move changes.
//!
//! The network has two views of a board, one of each side. A view has 1260 inputs, one for each
//! kind of piece on each square: 7 planes of 90 squares for the viewer's own pieces, then 7 for the
//! opponent's. An input is 1 if that piece stands on that square, else 0. In Black's view the board
//! is flipped, so that both sides see themselves at the bottom.
//!
//! A network with threats has besides these one input for each kind and colour of an attacking
//! piece (pawn, knight, cannon, rook), each kind and colour of an attacked piece, and each square
//! where both can stand. Its value is the number of such attacks, 0 to 3. A cannon needs a screen
//! and a knight can be blocked, so attacks do not follow from the squares of single pieces. (The
//! idea of such inputs: Stockfish, "full threats", 2025; this encoding leaves out the square of the
//! attacker.)
//!
//! The row of an input in the weights is the sum of two numbers: one for the piece, or for attacker
//! and victim, and one for the square. The four rows of an input, in both views and both mirrored,
//! lie in one 64-bit word, so that one addition finds them all, and the tables fit the first-level
//! cache, unlike one table of all rows.

use xiangqi::board::{Board, MoveDelta};
use xiangqi::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, cannon_attacks, knight_attacks, line_attacks,
    pawn_attacks, rook_attacks,
};

/// The number of inputs of a view.
pub const FEATURES: usize = Piece::COUNT * Square::COUNT;

/// Maximum number of inputs of a view that are 1: each side has 16 pieces.
const MAX_ACTIVE: usize = 32;

const KINDS: usize = PieceKind::ALL.len();

/// Returns the index of a piece on a square in the view of a side.
#[inline]
pub const fn feature(view: Color, piece: Piece, sq: Square) -> usize {
    let plane = piece.index();
    match view {
        Color::Red => plane * Square::COUNT + sq.index(),
        Color::Black => {
            let plane = if plane < KINDS { plane + KINDS } else { plane - KINDS };
            plane * Square::COUNT + sq.flip().index()
        }
    }
}

/// Returns the index of the same piece on the board mirrored left to right.
#[inline]
pub const fn mirrored(feature: usize) -> usize {
    let (plane, sq) = (feature / Square::COUNT, Square::from_index(feature % Square::COUNT));
    plane * Square::COUNT + sq.mirror().index()
}

/// Returns the output bucket of a position with this many pieces: the buckets divide the range from
/// 1 to 32 evenly.
#[inline]
pub const fn bucket(pieces: usize, buckets: usize) -> usize {
    let eighth = (pieces.saturating_sub(1)) / (MAX_ACTIVE / 8);
    let eighth = if eighth < 8 { eighth } else { 7 };
    eighth * buckets / 8
}

/// Marks attacks that are not inputs.
const NONE: u16 = u16::MAX;

/// `[attacker][victim]`: the first row in the view of Red, and the number of rows of a network with
/// threats.
static FIRST: ([[u16; Piece::COUNT]; Piece::COUNT], usize) = {
    let mut first = [[NONE; Piece::COUNT]; Piece::COUNT];
    let mut count = FEATURES;
    let mut index = 0;
    while index < Piece::COUNT * Piece::COUNT {
        let (attacker, victim) = (index / Piece::COUNT, index % Piece::COUNT);
        if is_attacker(Piece::from_index(attacker).kind()) {
            first[attacker][victim] = count as u16;
            count += squares_of(attacker, victim).len();
        }
        index += 1;
    }
    (first, count)
};

/// Returns the first row of the attacks of a piece on another, in the view of Red; [`NONE`] if they
/// are not inputs.
const fn first_threat(attacker: usize, victim: usize) -> u16 {
    FIRST.0[attacker][victim]
}

/// Returns the squares where both attacker and victim can stand. All squares that a piece attacks
/// are squares where it could stand.
const fn squares_of(attacker: usize, victim: usize) -> Bitboard {
    let squares = Piece::from_index(attacker).domain().bits();
    Bitboard::from_bits(squares & Piece::from_index(victim).domain().bits())
}

/// Returns whether attacks of this kind are inputs. Kings, advisors and bishops protect the same
/// squares nearly always.
pub const fn is_attacker(kind: PieceKind) -> bool {
    !matches!(kind, PieceKind::Advisor | PieceKind::Bishop | PieceKind::King)
}

/// Returns the number of inputs of a view in a network with threats.
pub fn features_with_threats() -> usize {
    FIRST.1
}

/// Returns the input of an attack on a piece on a square, in the view of Red; the indices are those
/// of [`Piece::index`]. `opposite_piece` and [`Square::flip`] lead to the view of Black. `None`
/// if such an attack is not an input or one of the pieces cannot stand on the square.
#[inline]
pub const fn threat(attacker: usize, victim: usize, sq: Square) -> Option<usize> {
    let (first, squares) = (FIRST.0[attacker][victim], squares_of(attacker, victim));
    if first == NONE || !squares.contains(sq) {
        return None;
    }
    let before = Bitboard::from_bits(squares.bits() & ((1 << sq.index()) - 1));
    Some(first as usize + before.len())
}

/// Returns the index of the same piece in the view of the opponent.
#[inline]
const fn opposite_piece(piece: usize) -> usize {
    (piece + KINDS) % Piece::COUNT
}

/// Returns the maximum number of pieces that one piece attacks or protects.
pub(crate) const fn max_victims(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Knight => 8,
        PieceKind::Cannon | PieceKind::Rook => 4,
        PieceKind::Pawn => 3,
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => 0,
    }
}

/// Returns the squares that a piece attacks or protects; none if its attacks are not inputs.
#[inline]
pub fn attacked_squares(piece: Piece, sq: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Pawn => pawn_attacks(piece.color(), sq),
        PieceKind::Knight => knight_attacks(sq, occupied),
        PieceKind::Cannon => cannon_attacks(sq, occupied),
        PieceKind::Rook => rook_attacks(sq, occupied),
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => Bitboard::EMPTY,
    }
}

/// Squares from which a pawn, and from which a knight, may attack differently after a change on
/// each square.
static INFLUENCE: [[Bitboard; Square::COUNT]; 2] = {
    let mut all = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let sq = Square::from_index(index);
        let mut offset = 0;
        while offset < 25 {
            let (files, ranks) = (offset % 5 - 2, offset / 5 - 2);
            if let Some(other) = sq.offset(files, ranks) {
                let steps = files.unsigned_abs() + ranks.unsigned_abs();
                if steps == 1 {
                    all[0][index].insert(other);
                }
                // The leg or the place of a knight.
                if steps == 1 || (steps == 3 && files != 0 && ranks != 0) {
                    all[1][index].insert(other);
                }
            }
            offset += 1;
        }
        index += 1;
    }
    all
};

/// Returns the attackers on a board that may attack differently after a change on one of two
/// squares. `kept` are the squares occupied both before and after it.
#[inline]
fn influenced(board: &Board, squares: [Square; 2], kept: Bitboard) -> Bitboard {
    let [pawns, knights] = [PieceKind::Pawn, PieceKind::Knight].map(|kind| board.kind(kind));
    let cannons = board.kind(PieceKind::Cannon);
    let rooks_and_cannons = cannons | board.kind(PieceKind::Rook);
    squares.into_iter().fold(Bitboard::EMPTY, |all, sq| {
        // With fewer pieces on the lines more of them are found, never fewer.
        let lines = line_attacks(sq, kept);
        all | (pawns & INFLUENCE[0][sq.index()])
            | (knights & INFLUENCE[1][sq.index()])
            | (rooks_and_cannons & lines.rook)
            | (cannons & lines.cannon)
    })
}

/// The rows of an input in the views of Red and Black, then the same on the board mirrored left to
/// right.
pub type InputRows = [u16; 4];

/// Packs the rows into one 64-bit integer.
const fn pack(rows: InputRows) -> u64 {
    rows[0] as u64 | (rows[1] as u64) << 16 | (rows[2] as u64) << 32 | (rows[3] as u64) << 48
}

#[inline(always)]
const fn unpack(word: u64) -> InputRows {
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}

#[inline(always)]
pub fn piece_rows(piece: Piece, sq: Square) -> InputRows {
    unpack(FIRST_OF_PIECE[piece.index()] + PLACES[sq.index()])
}

/// Returns the rows of an attack. The attacker must be of a kind whose attacks are inputs, and both
/// pieces must be able to stand on the square.
#[inline(always)]
pub fn threat_rows(attacker: Piece, victim: Piece, sq: Square) -> InputRows {
    let first = FIRST_OF_ATTACK[attacker.index()][victim.index()];
    unpack(first + PLACES_OF_ATTACK[class(attacker)][victim.index()][sq.index()])
}

/// The first rows of a piece, without the square.
static FIRST_OF_PIECE: [u64; Piece::COUNT] = {
    let mut first = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::from_index(index);
        let red = feature(Color::Red, piece, Square::from_index(0)) as u16;
        let black = feature(Color::Black, piece, Square::from_index(0).flip()) as u16;
        first[index] = pack([red, black, red, black]);
        index += 1;
    }
    first
};

/// Offset of the rows by square.
static PLACES: [u64; Square::COUNT] = {
    let mut places = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let sq = Square::from_index(index);
        let squares = [sq, sq.flip(), sq.mirror(), sq.mirror().flip()];
        places[index] = pack([
            squares[0].index() as u16,
            squares[1].index() as u16,
            squares[2].index() as u16,
            squares[3].index() as u16,
        ]);
        index += 1;
    }
    places
};

/// The attackers that can stand on the same squares: Red's pawns, Black's pawns, and all others.
const CLASSES: usize = 3;

#[inline(always)]
const fn class(attacker: Piece) -> usize {
    match attacker.kind() {
        PieceKind::Pawn => attacker.color().index(),
        _ => 2,
    }
}

/// `[attacker][victim]`: the first rows of the attacks, without the square.
static FIRST_OF_ATTACK: [[u64; Piece::COUNT]; Piece::COUNT] = {
    let mut all = [[0; Piece::COUNT]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * Piece::COUNT {
        let (attacker, victim) = (index / Piece::COUNT, index % Piece::COUNT);
        let red = first_threat(attacker, victim);
        let black = first_threat(opposite_piece(attacker), opposite_piece(victim));
        all[attacker][victim] = pack([red, black, red, black]);
        index += 1;
    }
    all
};

/// `[class of the attacker][victim][square]`: offset of the rows by the square of the victim.
static PLACES_OF_ATTACK: [[[u64; Square::COUNT]; Piece::COUNT]; CLASSES] = {
    let mut all = [[[0; Square::COUNT]; Piece::COUNT]; CLASSES];
    let mut index = 0;
    while index < Piece::COUNT * FEATURES {
        let (pair, sq) = (index / Square::COUNT, Square::from_index(index % Square::COUNT));
        let (attacker, victim) = (pair / Piece::COUNT, pair % Piece::COUNT);
        let piece = Piece::from_index(attacker);
        if is_attacker(piece.kind()) {
            let others = [opposite_piece(attacker), opposite_piece(victim)];
            all[class(piece)][victim][sq.index()] = pack([
                place_of_attack(attacker, victim, sq),
                place_of_attack(others[0], others[1], sq.flip()),
                place_of_attack(attacker, victim, sq.mirror()),
                place_of_attack(others[0], others[1], sq.mirror().flip()),
            ]);
        }
        index += 1;
    }
    all
};

/// Returns the offset in the view of Red; 0 if one of the pieces cannot stand on the square.
const fn place_of_attack(attacker: usize, victim: usize, sq: Square) -> u16 {
    match threat(attacker, victim, sq) {
        Some(row) => row as u16 - first_threat(attacker, victim),
        None => 0,
    }
}

/// Inputs that differ between two boards.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) added: RowList,
    pub(crate) removed: RowList,
}

/// A list of inputs. An entry has four rows, see [`InputRows`].
///
/// A board has at most 32 pieces and 94 attacks that are inputs, and no list has more than these.
/// An index of 8 bits is always within the list, so adding needs no check.
pub(crate) struct RowList {
    rows: [InputRows; 256],
    len: u8,
}

impl Default for RowList {
    fn default() -> RowList {
        RowList { rows: [[0; 4]; 256], len: 0 }
    }
}

impl RowList {
    #[inline]
    pub(crate) fn rows(&self) -> &[InputRows] {
        &self.rows[..usize::from(self.len)]
    }

    #[inline]
    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    fn push(&mut self, rows: InputRows) {
        self.rows[usize::from(self.len)] = rows;
        self.len = self.len.wrapping_add(1);
    }

    /// Adds a piece's attacks on pieces on these squares.
    #[inline(always)]
    fn push_victims(
        &mut self,
        attacker: Piece,
        victims: Bitboard,
        piece_on: impl Fn(Square) -> Option<Piece>,
    ) {
        for sq in victims {
            let Some(victim) = piece_on(sq) else { continue };
            self.push(threat_rows(attacker, victim, sq));
        }
    }
}

impl Changes {
    /// Finds the inputs that are not 0 on a board.
    pub(crate) fn all_of(&mut self, board: &Board, with_threats: bool) {
        self.added.clear();
        self.removed.clear();
        let occupied = board.occupied();
        for sq in occupied {
            let Some(piece) = board.piece_on(sq) else { continue };
            self.added.push(piece_rows(piece, sq));
            if with_threats {
                let victims = attacked_squares(piece, sq, occupied) & occupied;
                self.added.push_victims(piece, victims, |to| board.piece_on(to));
            }
        }
    }

    /// Finds the inputs that a move of a piece changes.
    #[inline]
    pub(crate) fn of_move(&mut self, delta: MoveDelta) {
        self.added.clear();
        self.removed.clear();
        self.added.push(piece_rows(delta.piece, delta.to));
        self.removed.push(piece_rows(delta.piece, delta.from));
        if let Some(captured) = delta.captured {
            self.removed.push(piece_rows(captured, delta.to));
        }
    }

    /// Finds the threats that a move changes; `board` is the one after it.
    #[inline]
    pub(crate) fn of_move_in_threats(&mut self, delta: MoveDelta, board: &Board) {
        let step = Step::new(delta, board);
        // Attacks of the captured piece.
        if let Some(captured) = delta.captured {
            let old = attacked_squares(captured, delta.to, step.before) & step.before;
            self.removed.push_victims(captured, old, |sq| step.piece_before(sq));
        }
        // Attacks of the moved piece before and after. The row of a threat does not depend on the
        // square of the attacker, so squares attacked from both squares stay.
        let [old, new] = step.attacked_by_mover();
        self.replace(&step, delta.piece, old, new);

        // Attacks of other pieces. A loop for each kind is faster than one that tests the kind of
        // each piece.
        let kept = step.before & step.after;
        let others = influenced(board, [delta.from, delta.to], kept) - step.changed;
        self.of_others(&step, others, PieceKind::Rook, |_, sq, occupied| {
            rook_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Cannon, |_, sq, occupied| {
            cannon_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Knight, |_, sq, occupied| {
            knight_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Pawn, |color, sq, _| pawn_attacks(color, sq));
    }

    /// Finds the attacks by pieces of a kind only before or after the move, or on one of its
    /// squares.
    #[inline(always)]
    fn of_others(
        &mut self,
        step: &Step,
        others: Bitboard,
        kind: PieceKind,
        attacks: impl Fn(Color, Square, Bitboard) -> Bitboard,
    ) {
        for sq in others & step.board.kind(kind) {
            let Some(piece) = step.board.piece_on(sq) else { continue };
            let old = attacks(piece.color(), sq, step.before);
            let new = attacks(piece.color(), sq, step.after);
            self.replace(step, piece, old, new);
        }
    }

    /// Replaces the threats of a piece, given by the squares that it attacks before and after the
    /// move.
    #[inline(always)]
    fn replace(&mut self, step: &Step, attacker: Piece, old: Bitboard, new: Bitboard) {
        let (old, new) = (old & step.before, new & step.after);
        let kept = (old & new) - step.changed;
        self.removed.push_victims(attacker, old - kept, |sq| step.piece_before(sq));
        self.added.push_victims(attacker, new - kept, |sq| step.board.piece_on(sq));
    }
}

/// A move and the boards before and after it.
struct Step<'a> {
    delta: MoveDelta,
    /// The board after the move.
    board: &'a Board,
    /// The two squares of the move.
    changed: Bitboard,
    /// The squares that are occupied before the move.
    before: Bitboard,
    /// The squares that are occupied after it.
    after: Bitboard,
}

impl Step<'_> {
    fn new(delta: MoveDelta, board: &Board) -> Step<'_> {
        let after = board.occupied();
        let mut before = after.with(delta.from);
        if delta.captured.is_none() {
            before.remove(delta.to);
        }
        let changed = Bitboard::from_square(delta.from).with(delta.to);
        Step { delta, board, changed, before, after }
    }

    /// Returns the squares attacked or protected by the moved piece before and after the move.
    #[inline(always)]
    fn attacked_by_mover(&self) -> [Bitboard; 2] {
        let MoveDelta { piece, from, to, .. } = self.delta;
        match piece.kind() {
            PieceKind::Pawn => [pawn_attacks(piece.color(), from), pawn_attacks(piece.color(), to)],
            PieceKind::Knight => {
                [knight_attacks(from, self.before), knight_attacks(to, self.after)]
            }
            PieceKind::Cannon => {
                [cannon_attacks(from, self.before), cannon_attacks(to, self.after)]
            }
            PieceKind::Rook => [rook_attacks(from, self.before), rook_attacks(to, self.after)],
            PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => [Bitboard::EMPTY; 2],
        }
    }

    /// Returns the piece on a square before the move, without branches: the square is
    /// unpredictable.
    #[inline(always)]
    fn piece_before(&self, sq: Square) -> Option<Piece> {
        let piece = self.board.piece_on(sq);
        let piece = if sq == self.delta.to { self.delta.captured } else { piece };
        if sq == self.delta.from { Some(self.delta.piece) } else { piece }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_views_and_mirrors_of_an_input_agree() {
        for piece in Piece::all() {
            for sq in Square::all() {
                let red = feature(Color::Red, piece, sq);
                let black = feature(Color::Black, piece, sq);
                assert_eq!(mirrored(red), feature(Color::Red, piece, sq.mirror()));
                let exchanged = Piece::new(!piece.color(), piece.kind());
                assert_eq!(black, feature(Color::Red, exchanged, sq.flip()));
            }
        }
    }

    #[test]
    fn every_number_of_pieces_has_a_bucket() {
        for buckets in [1, 8] {
            assert_eq!(bucket(2, buckets), 0);
            assert_eq!(bucket(32, buckets), buckets - 1);
        }
    }

    #[test]
    fn every_attack_that_can_occur_has_its_own_row() {
        let mut seen = vec![false; features_with_threats()];
        for attacker in Piece::all().filter(|piece| is_attacker(piece.kind())) {
            for from in attacker.domain() {
                // A board with one screen or leg in every place would not reach all squares at
                // once; an empty board and full lines together do.
                let mut targets = attacked_squares(attacker, from, Bitboard::EMPTY);
                for screen in Square::all().filter(|&screen| screen != from) {
                    targets |= attacked_squares(attacker, from, Bitboard::from_square(screen));
                }
                for to in targets {
                    for victim in Piece::all().filter(|victim| victim.domain().contains(to)) {
                        let row = threat(attacker.index(), victim.index(), to).expect("a row");
                        assert!((FEATURES..features_with_threats()).contains(&row));
                        seen[row] = true;
                    }
                }
            }
        }
        let unused = seen[FEATURES..].iter().filter(|&&seen| !seen).count();
        // No pawn attacks the squares where the pawns of its colour begin: two colours, five
        // squares, eight pieces that can stand there.
        assert_eq!(unused, 2 * 5 * 8);
    }

    #[test]
    fn the_rows_of_a_piece_are_its_inputs() {
        for piece in Piece::all() {
            for sq in Square::all() {
                let row = |view, sq| feature(view, piece, sq) as u16;
                let of = |sq| [row(Color::Red, sq), row(Color::Black, sq)];
                let expected = [of(sq), of(sq.mirror())].concat();
                assert_eq!(piece_rows(piece, sq)[..], expected);
            }
        }
    }

    #[test]
    fn the_rows_of_an_attack_are_its_inputs() {
        for (attacker, victim) in Piece::all().flat_map(|a| Piece::all().map(move |v| (a, v))) {
            let (a, v) = (attacker.index(), victim.index());
            for sq in Square::all() {
                let Some(row) = threat(a, v, sq) else { continue };
                let black = |sq: Square| threat(opposite_piece(a), opposite_piece(v), sq.flip());
                let mirrored = sq.mirror();
                let expected = [Some(row), black(sq), threat(a, v, mirrored), black(mirrored)];
                let rows = threat_rows(attacker, victim, sq).map(|row| Some(usize::from(row)));
                assert_eq!(rows, expected);
            }
        }
    }
}

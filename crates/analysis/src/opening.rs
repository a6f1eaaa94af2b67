//! The names of openings, by the first moves of both sides.
//!
//! Red's system is that of its first move. Against the central cannon Black's is that of its
//! development, otherwise that of its first move. The Chinese names are those of opening books.

use xiangqi::board::{Move, Position};
use xiangqi::geometry::{Color, Piece, PieceKind, Square};
use xiangqi::records::Game;
use xiangqi::rules::explanation::Language;

/// Half-moves in which Black's development shows.
const PLIES: usize = 20;

/// Moves of Black in which a central cannon answers Red's; later it belongs to another system.
const CANNON_MOVES: usize = 4;

/// The opening of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    red: FirstMove,
    /// `None` without a move of Black, or one without a name.
    black: Option<Defence>,
}

/// The kind of the first move of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FirstMove {
    CentralCannon,
    PalaceCornerCannon,
    CrossPalaceCannon,
    ThirdFileCannon,
    GoldenHookCannon,
    Bishop,
    Knight,
    EdgeKnight,
    Advisor,
    Pawn,
    EdgePawn,
    CentralPawn,
}

/// Black's system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Defence {
    ScreenHorses,
    SandwichedHorses,
    SingleHorse,
    ThreeStepTiger,
    SameDirectionCannons,
    OppositeDirectionCannons,
    /// The cannon under the pawn that faces Red's advanced one.
    CannonUnderPawn,
    OpposedPawns,
    /// Named by its first move.
    Reply(FirstMove),
}

impl Opening {
    /// Returns the opening of a game from the starting position; `None` if its first move has no
    /// name.
    pub fn of(game: &Game) -> Option<Opening> {
        if game.start().board() != Position::startpos().board() {
            return None;
        }
        let moves = game.moves();
        let red = FirstMove::of(*moves.first()?, Color::Red)?;
        let black = match red {
            FirstMove::CentralCannon => defence(&moves),
            _ => moves.get(1).and_then(|&reply| answer(red, &moves, reply)),
        };
        Some(Opening { red, black })
    }

    /// Returns the name, such as "Central Cannon against Screen Horses".
    pub fn name(self, language: Language) -> String {
        let Opening { red, black } = self;
        match (language, black) {
            (Language::Chinese, None) => red.chinese(Color::Red).to_owned(),
            (_, None) => red.english().to_owned(),
            (
                _,
                Some(
                    Defence::SameDirectionCannons
                    | Defence::OppositeDirectionCannons
                    | Defence::OpposedPawns,
                ),
            ) => black.map_or("", |black| black.name(language)).to_owned(),
            (Language::Chinese, Some(black)) => {
                format!("{}对{}", red.chinese(Color::Red), black.name(language))
            }
            (_, Some(black)) => {
                format!("{} against {}", red.english(), black.name(language))
            }
        }
    }
}

impl FirstMove {
    /// Returns the kind of a move from the starting squares; `None` for moves without a name.
    fn of(mv: Move, side: Color) -> Option<FirstMove> {
        let own = |square: Square| if side == Color::Red { square } else { square.flip() };
        let (from, to) = (own(mv.from()), own(mv.to()));
        // Both wings are alike.
        let (from, to) = if from.file() > 4 { (from.mirror(), to.mirror()) } else { (from, to) };
        let place = |square: Square| (square.file(), square.rank());
        Some(match (place(from), place(to)) {
            ((1, 2), (4, 2)) => FirstMove::CentralCannon,
            ((1, 2), (3, 2)) => FirstMove::PalaceCornerCannon,
            ((1, 2), (5, 2)) => FirstMove::CrossPalaceCannon,
            ((1, 2), (2, 2)) => FirstMove::ThirdFileCannon,
            ((1, 2), (6, 2)) => FirstMove::GoldenHookCannon,
            ((2, 0), (4, 2)) => FirstMove::Bishop,
            ((1, 0), (2, 2)) => FirstMove::Knight,
            ((1, 0), (0, 2)) => FirstMove::EdgeKnight,
            ((3, 0), (4, 1)) => FirstMove::Advisor,
            ((2, 3), (2, 4)) => FirstMove::Pawn,
            ((0, 3), (0, 4)) => FirstMove::EdgePawn,
            ((4, 3), (4, 4)) => FirstMove::CentralPawn,
            _ => return None,
        })
    }

    const fn english(self) -> &'static str {
        match self {
            FirstMove::CentralCannon => "Central Cannon",
            FirstMove::PalaceCornerCannon => "Palace-Corner Cannon",
            FirstMove::CrossPalaceCannon => "Cross-Palace Cannon",
            FirstMove::ThirdFileCannon => "Third-File Cannon",
            FirstMove::GoldenHookCannon => "Golden-Hook Cannon",
            FirstMove::Bishop => "Bishop",
            FirstMove::Knight => "Horse",
            FirstMove::EdgeKnight => "Edge Horse",
            FirstMove::Advisor => "Advisor",
            FirstMove::Pawn => "Pawn",
            FirstMove::EdgePawn => "Edge Pawn",
            FirstMove::CentralPawn => "Central Pawn",
        }
    }

    /// Returns the Chinese name of the system of a side.
    const fn chinese(self, side: Color) -> &'static str {
        match (self, side) {
            (FirstMove::CentralCannon, _) => "中炮",
            (FirstMove::PalaceCornerCannon, _) => "士角炮",
            (FirstMove::CrossPalaceCannon, _) => "过宫炮",
            (FirstMove::ThirdFileCannon, _) => "敛炮",
            (FirstMove::GoldenHookCannon, _) => "金钩炮",
            (FirstMove::Bishop, Color::Red) => "飞相局",
            (FirstMove::Bishop, Color::Black) => "飞象",
            (FirstMove::Knight, Color::Red) => "起马局",
            (FirstMove::Knight, Color::Black) => "进马",
            (FirstMove::EdgeKnight, Color::Red) => "边马局",
            (FirstMove::EdgeKnight, Color::Black) => "边马",
            (FirstMove::Advisor, Color::Red) => "上仕局",
            (FirstMove::Advisor, Color::Black) => "上士",
            (FirstMove::Pawn, Color::Red) => "仙人指路",
            (FirstMove::Pawn, Color::Black) => "进卒",
            (FirstMove::EdgePawn, Color::Red) => "边兵局",
            (FirstMove::EdgePawn, Color::Black) => "边卒",
            (FirstMove::CentralPawn, Color::Red) => "中兵局",
            (FirstMove::CentralPawn, Color::Black) => "中卒",
        }
    }
}

impl Defence {
    const fn name(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Defence::ScreenHorses => ("Screen Horses", "屏风马"),
            Defence::SandwichedHorses => ("Sandwiched Horses", "反宫马"),
            Defence::SingleHorse => ("Single Horse", "单提马"),
            Defence::ThreeStepTiger => ("Three-Step Tiger", "三步虎"),
            Defence::SameDirectionCannons => ("Same-Direction Cannons", "顺炮"),
            Defence::OppositeDirectionCannons => ("Opposite-Direction Cannons", "列炮"),
            Defence::CannonUnderPawn => ("Cannon under Pawn", "卒底炮"),
            Defence::OpposedPawns => ("Opposed Pawns", "对兵局"),
            Defence::Reply(reply) => (reply.english(), reply.chinese(Color::Black)),
        };
        match language {
            Language::Chinese => chinese,
            _ => english,
        }
    }
}

/// Returns Black's system against the central cannon.
fn defence(moves: &[Move]) -> Option<Defence> {
    let mut position = Position::startpos();
    for (ply, &mv) in moves.iter().take(PLIES).enumerate() {
        let mover = position.piece_on(mv.from());
        position.play_unchecked(mv);
        let is_early = ply / 2 < CANNON_MOVES;
        let (file, rank) = (mv.to().file(), mv.to().rank());
        if mover == Some(Piece::new(Color::Black, PieceKind::Cannon))
            && (file, rank) == (4, 7)
            && is_early
        {
            // Seen from each side, cannons from the same file move to different hands.
            let red = moves.first()?.from().file();
            return Some(if mv.from().file() == red {
                Defence::SameDirectionCannons
            } else {
                Defence::OppositeDirectionCannons
            });
        }
        if let Some(defence) = by_placement(&position, is_early) {
            return Some(defence);
        }
    }
    None
}

/// Returns the system that Black's pieces show.
fn by_placement(position: &Position, is_early: bool) -> Option<Defence> {
    let has = |kind, (file, rank): (u8, u8)| {
        let square = Square::new(file, rank);
        square.and_then(|square| position.piece_on(square)) == Some(Piece::new(Color::Black, kind))
    };
    let knight = |file| has(PieceKind::Knight, (file, 7));
    let cannon = |file| has(PieceKind::Cannon, (file, 7));
    let rook = |file| has(PieceKind::Rook, (file, 9));
    if knight(2) && knight(6) {
        let is_sandwiched = cannon(3) || cannon(5);
        return Some(if is_sandwiched { Defence::SandwichedHorses } else { Defence::ScreenHorses });
    }
    if knight(2) && knight(8) || knight(6) && knight(0) {
        return Some(Defence::SingleHorse);
    }
    let is_tiger = knight(6) && cannon(8) && rook(7) || knight(2) && cannon(0) && rook(1);
    (is_early && is_tiger).then_some(Defence::ThreeStepTiger)
}

/// Returns Black's system against a first move other than the central cannon.
fn answer(red: FirstMove, moves: &[Move], reply: Move) -> Option<Defence> {
    let found = FirstMove::of(reply, Color::Black)?;
    let file = moves.first()?.to().file();
    Some(match (red, found) {
        (FirstMove::Pawn, FirstMove::ThirdFileCannon | FirstMove::GoldenHookCannon)
            if reply.to().file() == file =>
        {
            Defence::CannonUnderPawn
        }
        (FirstMove::Pawn, FirstMove::Pawn) => Defence::OpposedPawns,
        _ => Defence::Reply(found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_have_the_names_of_books() {
        for (moves, chinese, english) in [
            ("炮二平五", "中炮", "Central Cannon"),
            (
                "炮二平五 马８进７ 马二进三 车９平８ 车一平二 马２进３",
                "中炮对屏风马",
                "Central Cannon against Screen Horses",
            ),
            (
                "炮八平五 马２进３ 马八进七 炮８平６ 车九平八 马８进７",
                "中炮对反宫马",
                "Central Cannon against Sandwiched Horses",
            ),
            ("炮二平五 炮８平５", "顺炮", "Same-Direction Cannons"),
            ("炮二平五 炮２平５", "列炮", "Opposite-Direction Cannons"),
            ("炮二平五 马８进７ 马二进三 炮２平５", "列炮", "Opposite-Direction Cannons"),
            (
                "炮二平五 马８进７ 马二进三 车９平８ 车一平二 马２进１",
                "中炮对单提马",
                "Central Cannon against Single Horse",
            ),
            (
                "炮二平五 马８进７ 马二进三 炮８平９ 车一平二 车９平８",
                "中炮对三步虎",
                "Central Cannon against Three-Step Tiger",
            ),
            ("兵七进一 炮２平３", "仙人指路对卒底炮", "Pawn against Cannon under Pawn"),
            ("兵七进一 炮８平７", "仙人指路对敛炮", "Pawn against Third-File Cannon"),
            ("兵七进一 卒７进１", "对兵局", "Opposed Pawns"),
            ("相三进五 炮２平４", "飞相局对士角炮", "Bishop against Palace-Corner Cannon"),
            ("炮二平六 马８进７", "过宫炮对进马", "Cross-Palace Cannon against Horse"),
            ("车一进一", "", ""),
        ] {
            let game = xiangqi::records::read(moves.as_bytes()).games.remove(0);
            assert_eq!(game.moves().len(), moves.split(' ').count(), "{moves}");
            let name = |language| {
                Opening::of(&game).map_or_else(String::new, |opening| opening.name(language))
            };
            assert_eq!(
                (name(Language::Chinese).as_str(), name(Language::English).as_str()),
                (chinese, english),
                "{moves}"
            );
        }
    }

    #[test]
    fn other_starts_have_no_opening() {
        let start = Position::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w");
        assert_eq!(Opening::of(&Game::new(start.expect("a position"))), None);
    }
}

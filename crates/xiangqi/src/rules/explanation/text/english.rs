//! English.

use crate::geometry::{Color, Piece};
use crate::notation::Notation;
use crate::rules::explanation::{
    Attack, Citation, Conduct, Effect, MoveKind, PieceOn, Reason, ReasonKind, Threat,
};
use crate::rules::{Level, RuleSet};

use super::wording::{Labels, Wording, name, numbers, pieces};

pub(super) struct English;

impl Wording for English {
    fn labels(&self) -> Labels {
        Labels {
            game: "Game",
            loop_from: "Loop after ply {}: ",
            red: "Red:    ",
            black: "Black:  ",
            ruling: "Ruling: ",
            why: "Why:    ",
            rule: "Rule:   ",
            undecided: "Note:   undecided; a search for threats ran out of nodes",
            second_time: "Note:   the position stands for the second time; a game is ruled at the third",
            no_repetition: "Ruling: none; no position is repeated",
        }
    }

    fn side(&self, side: Color) -> &'static str {
        match side {
            Color::Red => "red",
            Color::Black => "black",
        }
    }

    fn piece(&self, piece: Piece) -> &'static str {
        piece.kind().name()
    }

    fn piece_on(&self, piece: Piece, square: String) -> String {
        format!("{} {square}", self.piece(piece))
    }

    fn move_kind(&self, kind: MoveKind) -> &'static str {
        match kind {
            MoveKind::Check => "check",
            MoveKind::Kill => "kill",
            MoveKind::Chase => "chase",
            MoveKind::CaptureByCheck => "capture by check",
            MoveKind::Exchange => "exchange",
            MoveKind::Offer => "offer",
            MoveKind::Block => "block",
            MoveKind::Follow => "follow",
            MoveKind::Idle => "idle",
        }
    }

    fn level(&self, level: Level) -> &'static str {
        level.english()
    }

    fn ruling(&self, loser: Option<Color>) -> &'static str {
        match loser {
            Some(Color::Red) => "red loses",
            Some(Color::Black) => "black loses",
            None => "draw",
        }
    }

    fn attack(&self, attack: &Attack, notation: Notation) -> String {
        let [attacker, victim] =
            [&attack.attacker, &attack.victim].map(|on| name(self, on, notation));
        let mut text = format!("{attacker} attacks {victim}: {}", effect(attack.effect));
        if attack.effect == Effect::JointChase {
            let partners = match &attack.partners[..] {
                [] => "another piece".to_owned(),
                partners => pieces(self, partners, notation),
            };
            text += &format!(", together with {partners}");
        }
        let roots = pieces(self, &attack.roots, notation);
        if attack.effect == Effect::Protected {
            text += &format!(" by {roots}");
            return text;
        }
        if !attack.effect.depends_on_roots() {
            return text;
        }
        if attack.effect.is_chase() && attack.roots.is_empty() && attack.fake_roots.is_empty() {
            text += "; unprotected";
        }
        if !attack.fake_roots.is_empty() {
            let word = if attack.fake_roots.len() > 1 { "false roots" } else { "false root" };
            text += &format!("; {word}: {}", pieces(self, &attack.fake_roots, notation));
        }
        if attack.roots.is_empty() {
            return text;
        }
        if attack.is_outweighed && attack.effect != Effect::NoGain {
            let does = if attack.roots.len() > 1 {
                format!("protectors {roots} do")
            } else {
                format!("protector {roots} does")
            };
            text += &format!("; worth more than its attacker, so the {does} not matter");
        } else {
            text += &format!("; protected by {roots}");
        }
        text
    }

    fn threat(&self, threat: &Threat, notation: Notation) -> String {
        let mut text = format!("threatens {}", threat.line(notation).join(" "));
        if threat.is_mate {
            text += ": mate";
        } else if !threat.captured.is_empty() {
            text += &format!(": captures {}", pieces(self, &threat.captured, notation));
        }
        text
    }

    fn conduct(&self, conduct: &Conduct, notation: Notation) -> String {
        let side = self.side(conduct.side);
        let does = match (conduct.level, conduct.only_kind()) {
            (Level::PerpetualCheck, _) => "gives check with every move".to_owned(),
            (Level::PerpetualChase, _) if !conduct.victims.is_empty() => {
                self.chases(conduct, notation)
            }
            (Level::PerpetualChase, _) => "chases with every move".to_owned(),
            // Chases that do not count, because a side checks in the loop.
            (_, Some(MoveKind::Chase)) if !conduct.victims.is_empty() => {
                self.chases(conduct, notation)
            }
            (_, Some(kind)) => only(kind).to_owned(),
            (Level::PerpetualAttack, None) => {
                format!("checks, kills or chases with every move ({})", counted(conduct))
            }
            (Level::Idle, None) => format!("{} in turn", counted(conduct)),
        };
        format!("{side}: {does}")
    }

    fn reason(&self, reason: &Reason) -> String {
        let side = match reason.side {
            Some(Color::Red) => "Red: ",
            Some(Color::Black) => "Black: ",
            None if reason.kind.is_about_moves() => "Both sides: ",
            None => "",
        };
        format!("{side}{}", rule(reason.kind))
    }

    fn citation(&self, citation: &Citation) -> String {
        let (book, word, picture) = match citation.rules {
            RuleSet::Axf => ("AXF 1999", "rule", "diagram"),
            RuleSet::Cxa => ("CXA 2020", "article", "figure"),
            _ => ("WXF 2018", "article", "diagram"),
        };
        let mut text = book.to_owned();
        let plural = |many| if many { "s" } else { "" };
        if !citation.articles.is_empty() {
            let articles = citation.articles;
            text += &format!(", {word}{} {articles}", plural(articles.contains(',')));
        }
        if !citation.diagrams.is_empty() {
            let range = |first, last| match last - first {
                1 => format!("{first}, {last}"),
                _ => format!("{first} to {last}"),
            };
            let count: usize = citation.ranges().map(|range| range.len()).sum();
            let list = numbers(citation, ", ", range);
            text += &format!("; {picture}{} {list}", plural(count > 1));
        }
        text
    }

    fn cited(&self, reason: String, citation: &str) -> String {
        format!("{reason} ({citation})")
    }

    fn comma(&self) -> &'static str {
        ", "
    }

    fn semicolon(&self) -> &'static str {
        "; "
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Chase | Effect::JointChase => "chase",
        Effect::ByKing => "no chase: a king may attack without limit",
        Effect::ByPawn => "no chase: a pawn may attack without limit",
        Effect::UncrossedPawn => "no chase: the pawn has not crossed the river",
        Effect::Pinned => "no chase: the attacker is pinned",
        Effect::Exchange => "no chase: an offer to exchange",
        Effect::Protected => "no chase: protected",
        Effect::NotNew => "no chase: the threat is not new",
        Effect::NotMet => "no chase: the reply lets it hang",
        Effect::NoGain => "no chase: no new gain of material",
        Effect::KeyPoint => {
            "no chase: the only attacking piece of the weaker side answers a threat of mate (26.2)"
        }
    }
}

/// Describes a side all of whose moves are of one kind.
fn only(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Check => "gives check with every move",
        MoveKind::Kill => "threatens mate with every move",
        MoveKind::Chase => "chases different pieces in turn",
        MoveKind::CaptureByCheck => "threatens to capture by check with every move",
        MoveKind::Exchange => "offers an exchange with every move",
        MoveKind::Offer => "offers a piece with every move",
        MoveKind::Block => "blocks with every move",
        MoveKind::Follow => "attacks a protected piece with every move",
        MoveKind::Idle => "makes idle moves only",
    }
}

impl English {
    /// Describes a perpetual chase: `chases the rook a8 with every move`.
    fn chases(&self, conduct: &Conduct, notation: Notation) -> String {
        let name = |on: &PieceOn| match on.name(notation) {
            Some(name) => name,
            None => format!("the {}", self.piece_on(on.piece, notation.square(on.square))),
        };
        let names: Vec<_> = conduct.victims.iter().map(name).collect();
        format!("chases {} with every move", names.join(" and "))
    }
}

/// Counts the moves of each kind: `one check, two idle moves`.
fn counted(conduct: &Conduct) -> String {
    const NUMBERS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let number = |count: usize| match NUMBERS.get(count.wrapping_sub(1)) {
        Some(&word) => word.to_owned(),
        None => count.to_string(),
    };
    let name = |kind| match kind {
        MoveKind::Idle => "idle move",
        _ => English.move_kind(kind),
    };
    let part = |&(kind, count): &(MoveKind, usize)| {
        let plural = if count > 1 { "s" } else { "" };
        match kind {
            MoveKind::CaptureByCheck => {
                format!("{} threat{plural} to capture by check", number(count))
            }
            _ => format!("{} {}{plural}", number(count), name(kind)),
        }
    };
    let parts = conduct.kinds.iter().map(part);
    parts.collect::<Vec<_>>().join(", ")
}

fn rule(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::PerpetualCheck => "perpetual check loses",
        ReasonKind::MutualCheck => "mutual perpetual check is a draw",
        ReasonKind::CheckAgainstChase => "perpetual check loses to perpetual chase",
        ReasonKind::PerpetualChase => "perpetual chase of one piece loses",
        ReasonKind::MutualChase => "mutual perpetual chase is a draw",
        ReasonKind::RookByLesser => "a knight or cannon may not chase a rook, protected or not",
        ReasonKind::TwoToOne => {
            "two to one: chases with every move, the other side with some moves only"
        }
        ReasonKind::HeavierByGuard => {
            "an advisor or bishop may not chase a heavier piece, protected or not; inferred from the rule on a knight or cannon against a rook"
        }
        ReasonKind::SeveralChasers => "several pieces may not chase one piece in turn",
        ReasonKind::FakeRoot => {
            "a protector (a root) that cannot legally recapture is a false root and no protection"
        }
        ReasonKind::SameKindUnable => {
            "a piece that cannot capture its like in return is chased, not offered an exchange"
        }
        ReasonKind::MovedScreen => "to move the screen of a cannon is to chase with it",
        ReasonKind::CrossedPawn => "a pawn that has crossed the river may not be chased",
        ReasonKind::WithKingOrPawn => {
            "if other pieces chase with every move, a king or pawn that takes part is no excuse"
        }
        ReasonKind::WithExchange => "a chase that offers an exchange at the same time is a chase",
        ReasonKind::ImmobileRook => "a rook that cannot move away may not be chased",
        ReasonKind::PinningRook => "a rook that pins a piece may not be chased",
        ReasonKind::PerpetualKill => "perpetual threats of mate are allowed",
        ReasonKind::CheckAndKill => "checks and threats of mate in turn are allowed",
        ReasonKind::CheckAndCapture => "checks and threats to capture by check in turn are allowed",
        ReasonKind::CheckAndChase => "checks and chases in turn are allowed",
        ReasonKind::CheckAndIdle => "checks and idle moves in turn are allowed",
        ReasonKind::ChaseAndThreat => {
            "chases and threats of mate or of captures by check in turn are allowed"
        }
        ReasonKind::ChaseAndIdle => "chases and idle moves in turn are allowed",
        ReasonKind::KillAndIdle => "threats of mate and idle moves in turn are allowed",
        ReasonKind::KillAndCapture => {
            "threats of mate and threats to capture by check in turn are allowed"
        }
        ReasonKind::CheckAndThreats => {
            "checks, chases and threats of mate or of captures by check in turn are allowed"
        }
        ReasonKind::SeveralVictims => "chases of two or more pieces in turn are allowed",
        ReasonKind::UncrossedPawn => "a pawn that has not crossed the river may be chased",
        ReasonKind::Protected => "a protected piece may be attacked",
        ReasonKind::SameKind => "pieces of one kind that attack each other offer an exchange",
        ReasonKind::SameKindProtected => {
            "a protected piece may be attacked by a piece of its own kind"
        }
        ReasonKind::ByKingOrPawn => "king and pawn may chase",
        ReasonKind::PinnedAttacker => "an attacker that may not leave its line does not chase",
        ReasonKind::NotMet => "an attack that the reply does not meet is not a chase",
        ReasonKind::NotNew => "an attack that existed before is not a chase",
        ReasonKind::CaptureByCheck => "perpetual threats to capture by check are allowed",
        ReasonKind::Block => "perpetual blocks are allowed",
        ReasonKind::Offer => "perpetual offers of an exchange or of a sacrifice are allowed",
        ReasonKind::OnlyIdle => "moves that neither check nor chase are allowed",
        ReasonKind::OneSideForbidden => {
            "checks, kills or chases with every move, and the other side does not: must change or lose"
        }
        ReasonKind::NeitherForbidden => {
            "neither side checks, kills or chases with every move: a draw"
        }
        ReasonKind::HeavierOffence => {
            "both sides offend, this one in the heavier way: by checks, kills and chases of rooks or pieces without a root only; must change or lose"
        }
        ReasonKind::JointChase => {
            "both sides chase, this one with single pieces, the other with two together: must change or lose"
        }
        ReasonKind::EqualOffences => {
            "both sides check, kill or chase with every move, in equal ways: a draw"
        }
        ReasonKind::Undecided => {
            "undecided, so neither side loses: a search for threats ran out of nodes"
        }
        ReasonKind::CheckInLoop => "no chase counts in a loop in which a side checks",
        ReasonKind::NoRule => "this rule set makes the repetition a draw",
    }
}

//! An explanation for programs: kinds as English keys, sentences in a language.

use crate::board::Move;
use crate::notation::Notation;

use super::attack::{Attack, PieceOn};
use super::citation::Citation;
use super::effect::Effect;
use super::explain::Explanation;
use super::explained_move::ExplainedMove;
use super::move_kind::MoveKind;
use super::reason::{Reason, ReasonKind};
use super::text::Language;

/// An explanation as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplanationReport {
    /// `red loses`, `black loses` or `draw`.
    pub ruling: &'static str,
    /// Red's level.
    pub red: &'static str,
    /// Black's level.
    pub black: &'static str,
    /// True if a search for threats ran out of nodes; the ruling may miss an offence.
    pub undecided: bool,
    /// The plies played before the loop.
    pub cycle_start: usize,
    /// The position where the loop starts and ends.
    pub fen: String,
    /// The rule book.
    pub rules: &'static str,
    /// The rule that decides, with article and diagrams, in the language.
    pub article: String,
    /// The conduct of both sides, in the language.
    pub reason: String,
    /// The rules that apply, the one that decides first.
    pub reasons: Vec<ReasonReport>,
    /// The loop.
    pub moves: Vec<MoveReport>,
}

/// A rule that applies.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReasonReport {
    /// The rule.
    pub kind: ReasonKind,
    /// `red` or `black`; null if the rule is about both sides.
    pub side: Option<&'static str>,
    /// The articles of the rule book, if it is one.
    pub articles: Vec<&'static str>,
    /// The numbers of the diagrams.
    pub diagrams: Vec<u8>,
    /// The rule in the language.
    pub text: String,
}

/// A move of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MoveReport {
    /// The move: `h2e2`.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: String,
    /// `red` or `black`.
    pub side: &'static str,
    /// The piece that moves.
    pub piece: &'static str,
    /// The heaviest of what the move does.
    pub class: MoveKind,
    /// All that the move does, the heaviest first.
    pub kinds: Vec<MoveKind>,
    /// The kinds in the language.
    pub text: String,
    /// The squares of the pieces that the move chases.
    pub victims: Vec<String>,
    /// The threat of a kill or a capture by check, if its moves were found.
    pub threat: Option<ThreatReport>,
    /// The side's attacks after the move, chases first.
    pub attacks: Vec<AttackReport>,
}

/// A threat that starts with a check.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ThreatReport {
    /// Its moves: `h2e2`.
    pub moves: Vec<String>,
    /// True if it is mate.
    pub mate: bool,
    /// The pieces that the side captures.
    pub captures: Vec<String>,
    /// The threat in the language.
    pub text: String,
}

/// One piece attacking another.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct AttackReport {
    /// The attacking piece.
    pub attacker: &'static str,
    /// Its square.
    pub from: String,
    /// The attacked piece.
    pub victim: &'static str,
    /// Its square.
    pub on: String,
    /// The ruling on the attack: a chase, or the reason why it is none.
    pub effect: Effect,
    /// The other pieces of a joint chase, as far as they are known.
    pub partners: Vec<String>,
    /// The pieces that can legally recapture.
    pub roots: Vec<String>,
    /// The pieces that guard the victim but cannot legally recapture.
    pub fake_roots: Vec<String>,
    /// True if the victim outweighs its attacker, so that roots do not matter.
    pub outweighed: bool,
    /// The attack in the language.
    pub text: String,
}

impl Explanation {
    /// Returns the explanation as JSON, its sentences in the language, with pieces named as the
    /// notation does. Keys and squares for programs are the same in all of them.
    pub fn report(&self, language: Language, notation: Notation) -> ExplanationReport {
        const KEYS: Language = Language::English;
        let reason = |reason: &Reason| {
            let citation = reason.citation(self.rules);
            let articles = citation.map_or("", |citation| citation.articles);
            ReasonReport {
                kind: reason.kind,
                side: reason.side.map(|side| KEYS.side(side)),
                articles: articles.split(", ").filter(|article| !article.is_empty()).collect(),
                diagrams: citation.iter().flat_map(Citation::ranges).flatten().collect(),
                text: language.reason(reason, self.rules),
            }
        };
        let decides = self.reasons.first();
        ExplanationReport {
            ruling: KEYS.ruling(self.ruling.loser),
            red: self.ruling.red.name(),
            black: self.ruling.black.name(),
            undecided: self.ruling.is_undecided,
            cycle_start: self.cycle_start,
            fen: self.fen.clone(),
            rules: self.rules.name(),
            article: decides.map_or_else(String::new, |first| language.reason(first, self.rules)),
            reason: language.conduct(self, notation),
            reasons: self.reasons.iter().map(reason).collect(),
            moves: (self.moves.iter())
                .map(|explained| MoveReport::of(explained, language, notation))
                .collect(),
        }
    }
}

impl MoveReport {
    fn of(explained: &ExplainedMove, language: Language, notation: Notation) -> MoveReport {
        const KEYS: Language = Language::English;
        let attack = |attack: &Attack| AttackReport {
            attacker: KEYS.piece(attack.attacker.piece),
            from: attack.attacker.square.to_string(),
            victim: KEYS.piece(attack.victim.piece),
            on: attack.victim.square.to_string(),
            effect: attack.effect,
            partners: attack.partners.iter().map(name).collect(),
            roots: attack.roots.iter().map(name).collect(),
            fake_roots: attack.fake_roots.iter().map(name).collect(),
            outweighed: attack.is_outweighed,
            text: language.attack(attack, notation),
        };
        MoveReport {
            mv: explained.mv.to_string(),
            side: KEYS.side(explained.side()),
            piece: KEYS.piece(explained.piece),
            class: explained.class(),
            kinds: explained.kinds.clone(),
            text: language.kinds(explained),
            victims: explained.victims.into_iter().map(|sq| sq.to_string()).collect(),
            threat: explained.threat.as_ref().map(|threat| ThreatReport {
                moves: threat.moves.iter().map(Move::to_string).collect(),
                mate: threat.is_mate,
                captures: threat.captured.iter().map(name).collect(),
                text: language.threat(threat, notation),
            }),
            attacks: explained.attacks.iter().map(attack).collect(),
        }
    }
}

/// Names a piece by its square: `bishop e7`.
fn name(on: &PieceOn) -> String {
    format!("{} {}", on.piece.kind(), on.square)
}

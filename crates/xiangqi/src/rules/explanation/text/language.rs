//! The choice of a language.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::geometry::{Color, Piece};
use crate::notation::Notation;
use crate::rules::explanation::{Attack, Citation, ExplainedMove, Explanation, Reason, Threat};
use crate::rules::{Level, RuleSet};
use crate::text_form::excerpt;

use super::chinese::Chinese;
use super::english::English;
use super::wording::{Labels, Wording};

/// The language of an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters, with the terms of referees.
    Chinese,
}

/// The error for a text that names no language.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a language; expected en or zh")]
pub struct ParseLanguageError(pub String);

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::English => "en",
            Language::Chinese => "zh",
        })
    }
}

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Language, ParseLanguageError> {
        match text.to_ascii_lowercase().as_str() {
            "en" => Ok(Language::English),
            "zh" => Ok(Language::Chinese),
            _ => Err(ParseLanguageError(excerpt(text))),
        }
    }
}

impl Language {
    fn wording(self) -> &'static dyn Wording {
        match self {
            Language::English => &English,
            Language::Chinese => &Chinese,
        }
    }

    /// Returns the fixed words around an explanation.
    pub fn labels(self) -> Labels {
        self.wording().labels()
    }

    /// Returns the name of a side.
    pub fn side(self, side: Color) -> &'static str {
        self.wording().side(side)
    }

    /// Returns the name of a piece.
    pub fn piece(self, piece: Piece) -> &'static str {
        self.wording().piece(piece)
    }

    /// Returns the name of an offence.
    pub fn level(self, level: Level) -> &'static str {
        self.wording().level(level)
    }

    /// Returns the ruling.
    pub fn ruling(self, loser: Option<Color>) -> &'static str {
        self.wording().ruling(loser)
    }

    /// Describes the kinds of a move, heaviest first.
    pub fn kinds(self, explained: &ExplainedMove) -> String {
        let names = explained.kinds.iter().map(|&kind| self.wording().move_kind(kind));
        names.collect::<Vec<_>>().join(self.wording().comma())
    }

    /// Describes an attack and the ruling on it. WXF and Chinese notation name pieces as their
    /// moves begin (`C2`, `炮二`), the others by their squares.
    pub fn attack(self, attack: &Attack, notation: Notation) -> String {
        self.wording().attack(attack, notation)
    }

    /// Describes a threat by its moves, with pieces named as by [`attack`](Language::attack).
    pub fn threat(self, threat: &Threat, notation: Notation) -> String {
        self.wording().threat(threat, notation)
    }

    /// Describes the conduct of both sides, with pieces named as by [`attack`](Language::attack).
    pub fn conduct(self, explanation: &Explanation, notation: Notation) -> String {
        let wording = self.wording();
        let both = explanation.conduct.iter().map(|conduct| wording.conduct(conduct, notation));
        both.collect::<Vec<_>>().join(wording.semicolon())
    }

    /// Describes a rule that applies, with its article and diagrams.
    pub fn reason(self, reason: &Reason, rules: RuleSet) -> String {
        let wording = self.wording();
        let text = wording.reason(reason);
        match reason.citation(rules) {
            Some(citation) => wording.cited(text, &wording.citation(&citation)),
            None => text,
        }
    }

    /// Writes an article with its diagrams.
    pub fn citation(self, citation: &Citation) -> String {
        self.wording().citation(citation)
    }
}

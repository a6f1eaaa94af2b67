//! The choice of a language.

use thiserror::Error;

use crate::geometry::{Color, Piece};
use crate::notation::Notation;
use crate::rules::explanation::{Attack, Citation, ExplainedMove, Explanation, Reason, Threat};
use crate::rules::{Level, RuleSet};
use crate::text_form::text_by_name;

use super::chinese::Chinese;
use super::english::English;
use super::wording::{Labels, Wording};

/// The language of an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
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

text_by_name!(Language, Language::ALL, ParseLanguageError);

impl Language {
    /// All languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// Returns the code of the language, `en` or `zh`.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_read_by_its_code() {
        for language in Language::ALL {
            assert_eq!(language.to_string().to_uppercase().parse(), Ok(language));
        }
        let error = "french".parse::<Language>().expect_err("no language");
        for language in Language::ALL {
            assert!(error.to_string().contains(language.name()), "{error}");
        }
    }
}

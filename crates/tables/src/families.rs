//! Names for groups of signatures.

use thiserror::Error;
use xiangqi::geometry::PieceKind;

use super::signature::{ATTACKERS, Force, MAX_ATTACKERS, ParseSignatureError, Signature};

/// Reason why a text does not name signatures.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseFamilyError {
    /// Not a signature.
    #[error(transparent)]
    Signature(#[from] ParseSignatureError),
    /// Neither a group nor the pieces of one side.
    #[error(
        "'{word}' does not name tables ({reason}); expected a signature such as 'KNP-KAAB', the \
         stronger side alone, such as 'KNP', for all guards of the other, or 'one', \
         'one-guarded', 'two' or 'duels'"
    )]
    Word {
        /// The invalid word.
        word: String,
        /// Defect of the word as the pieces of one side.
        reason: &'static str,
    },
    /// No piece that can cross the river, or more than a table can have.
    #[error("there are no tables of {0}: a table holds one to three of R N C P")]
    Attackers(Signature),
}

/// Returns the advisors and bishops that a side can have: nine forces.
fn guards(force: Force) -> Vec<Force> {
    let more = |forces: Vec<Force>, kind| -> Vec<Force> {
        let one = |force: &Force| force.with(kind);
        let with: Vec<_> = forces.iter().filter_map(one).collect();
        let with_two = with.iter().filter_map(one).collect();
        [forces, with, with_two].concat()
    };
    more(more(vec![force], PieceKind::Advisor), PieceKind::Bishop)
}

fn against(strong: &[Force], weak: &[Force]) -> Vec<Signature> {
    let pair = |strong: &Force| {
        let strong = *strong;
        weak.iter().map(move |&weak| Signature::new(strong, weak).0)
    };
    strong.iter().flat_map(pair).collect()
}

fn forces(attackers: usize) -> Vec<Force> {
    let mut forces = vec![Force::default()];
    for _ in 0..attackers {
        let more = forces.iter().flat_map(|force| {
            let least = ATTACKERS.iter().rposition(|&kind| force.count(kind) > 0).unwrap_or(0);
            ATTACKERS[least..].iter().filter_map(|&kind| force.with(kind))
        });
        forces = more.collect();
    }
    forces
}

/// Returns the signatures named by a word:
///
/// - `KNP-KAAB`: itself;
/// - `KNP`: this stronger side against any guards, nine signatures;
/// - `one`, `two`: every one or two attacking pieces, with a bare king, against any guards;
/// - `one-guarded`: one attacking piece, both sides with any guards;
/// - `duels`: one attacking piece with a bare king against one, with any guards.
///
/// # Errors
/// If the word is neither a family nor a signature.
pub fn parse_family(word: &str) -> Result<Vec<Signature>, ParseFamilyError> {
    let bare = guards(Force::default());
    let signatures = match word {
        "one" => against(&forces(1), &bare),
        "two" => against(&forces(2), &bare),
        "one-guarded" => {
            let guarded: Vec<_> = forces(1).into_iter().flat_map(guards).collect();
            against(&guarded, &bare)
        }
        "duels" => {
            let guarded: Vec<_> = forces(1).into_iter().flat_map(guards).collect();
            against(&forces(1), &guarded)
        }
        _ if word.contains('-') => vec![word.parse()?],
        _ => {
            let strong = Force::parse(word).map_err(|reason| ParseFamilyError::Word {
                word: word.chars().take(40).collect(),
                reason,
            })?;
            against(&[strong], &bare)
        }
    };
    match signatures.iter().find(|s| s.attackers() == 0 || s.attackers() > MAX_ATTACKERS) {
        Some(&wrong) => Err(ParseFamilyError::Attackers(wrong)),
        None => Ok(signatures),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_sizes() {
        for (word, size) in
            [("KNP-KAAB", 1), ("KNP", 9), ("one", 36), ("two", 90), ("one-guarded", 324)]
        {
            let mut family = parse_family(word).unwrap();
            family.sort_unstable();
            family.dedup();
            assert_eq!(family.len(), size, "{word}");
        }
        for word in ["KAABB", "K-K", "KRRNN-K", "x", "KRRP-KN"] {
            assert!(parse_family(word).is_err(), "{word}");
        }
    }
}

//! The URL token that authorises access.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// Random bytes of a token.
const BYTES: usize = 16;

/// Returns 128 random bits as 32 hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub(super) fn random_digits() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// 128 random bits as 32 hexadecimal digits, new for each server. Pages of other sites, and other
/// users of the machine, do not know them.
#[derive(Clone)]
pub(super) struct AccessToken(String);

impl AccessToken {
    /// Returns a new token.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn random() -> Result<AccessToken, getrandom::Error> {
        Ok(AccessToken(random_digits()?))
    }

    /// Returns whether the text is the token. The time does not depend on the first difference.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl fmt::Display for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_only_its_own_text() {
        let token = AccessToken::random().expect("random numbers");
        let text = token.to_string();
        assert_eq!(text.len(), 2 * BYTES);
        assert!(token.is(&text));
        assert!(!token.is(""));
        assert!(!token.is(&text[1..]));
        assert!(!token.is(&format!("{text}0")));
        for place in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[place] ^= 1;
            assert!(!token.is(&String::from_utf8(other).expect("ASCII")));
        }
        assert!(!token.is(&AccessToken::random().expect("random numbers").to_string()));
    }
}

//! The version of the program and the commit that it was built from.

/// `1.0.0 1a2b3c4`; a `+` after the commit says that the sources had changes. Without the commit if
/// the program was not built in its repository.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("CANNONADE_COMMIT"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_has_at_most_one_word_more_for_the_commit() {
        let words: Vec<&str> = VERSION.split(' ').collect();
        assert_eq!(words[0], env!("CARGO_PKG_VERSION"));
        assert!(words.len() <= 2 && words.iter().all(|word| !word.is_empty()), "{VERSION}");
    }
}

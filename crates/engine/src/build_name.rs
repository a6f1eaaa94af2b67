//! Name of this build; programs with equal names play alike.

use std::sync::{LazyLock, OnceLock};

use crate::nnue::{Simd, default_network_checksum};

static COMMIT: OnceLock<&str> = OnceLock::new();

/// Sets the commit that [`build_name`] states, ` 1a2b3c4` with a blank before it. The program calls
/// this first: its own small crate knows the commit, so a commit compiles only that crate again.
pub fn set_commit(commit: &'static str) {
    // A second call in one process states the same commit.
    let _ = COMMIT.set(commit);
}

/// Returns the version with the commit, the checksum of the built-in network and the instruction
/// set, such as `1.0.0 1a2b3c4 net 5d6e7f80 AVX2`. The commit is missing in a program that does not
/// call [`set_commit`].
pub fn build_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        let commit = COMMIT.get().unwrap_or(&"");
        let network = default_network_checksum();
        format!("{version}{commit} net {network:08x} {}", Simd::detect().name())
    });
    &NAME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::default_network;

    #[test]
    fn a_build_names_its_commit_network_and_instructions() {
        set_commit(" 1a2b3c4");
        let network = default_network().checksum();
        let start = format!("{} 1a2b3c4 net {network:08x} ", env!("CARGO_PKG_VERSION"));
        let name = build_name();
        assert!(name.starts_with(&start) && name.ends_with(Simd::detect().name()), "{name}");
    }
}

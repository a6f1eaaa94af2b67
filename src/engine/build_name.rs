//! Name of this build; programs with equal names play alike.

use std::sync::LazyLock;

use crate::evaluation::{Simd, default_network_checksum};
use crate::version::VERSION;

/// Returns the version with the commit, the checksum of the built-in network and the instruction
/// set, such as `1.0.0 1a2b3c4 net 5d6e7f80 AVX2`.
pub fn build_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let network = default_network_checksum();
        format!("{VERSION} net {network:08x} {}", Simd::detect().name())
    });
    &NAME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::default_network;

    #[test]
    fn a_build_names_its_network_and_instructions() {
        let name = build_name();
        let network = format!(" net {:08x} ", default_network().checksum());
        assert!(name.contains(&network), "{name}");
        assert!(name.starts_with(VERSION) && name.ends_with(Simd::detect().name()), "{name}");
    }
}

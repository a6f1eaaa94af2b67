//! The evaluations to choose from.

use std::path::Path;
use std::sync::Arc;

use super::default_network::default_network;
use super::network::Network;
use super::network_file::NetworkError;

/// What values positions.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// A network.
    Network(Arc<Network>),
    /// Piece squares, mobility and king safety, written by hand.
    HandWritten,
    /// Pieces counted and nothing else: the weakest opponent that still knows what it takes.
    Material,
}

impl Evaluation {
    /// What a name asks for: `none` is the hand-written evaluation, `material` counts pieces, all
    /// else is the path of a network, to be found as in [`Network::find`].
    pub fn find(name: &Path) -> Result<Evaluation, NetworkError> {
        if name.as_os_str().eq_ignore_ascii_case("none") {
            Ok(Evaluation::HandWritten)
        } else if name.as_os_str().eq_ignore_ascii_case("material") {
            Ok(Evaluation::Material)
        } else {
            Ok(Evaluation::Network(Arc::new(Network::find(name)?)))
        }
    }
}

/// The built-in network, or the hand-written evaluation if there is none.
impl Default for Evaluation {
    fn default() -> Evaluation {
        default_network().map_or(Evaluation::HandWritten, Evaluation::Network)
    }
}

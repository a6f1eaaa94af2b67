//! Evaluations selectable by the user.

use std::path::Path;
use std::sync::Arc;

use super::default_network::default_network;
use super::network::Network;
use super::network_file::NetworkError;

/// An evaluation selectable by the user.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Network evaluation.
    Network(Arc<Network>),
    /// Hand-written evaluation: piece-square tables, mobility and king safety.
    HandWritten,
    /// The value of each piece on its square.
    PieceSquares,
    /// Material only: the weakest opponent that still sees captures.
    Material,
}

impl Evaluation {
    /// Finds an evaluation by name: `none` is the hand-written one, `material` counts material, and
    /// any other name is the path of a network, see [`Network::find`].
    ///
    /// # Errors
    /// If the network cannot be found, read or used.
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

impl Default for Evaluation {
    /// Returns the built-in network.
    fn default() -> Evaluation {
        Evaluation::Network(default_network())
    }
}

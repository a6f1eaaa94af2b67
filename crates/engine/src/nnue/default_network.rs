//! The built-in network, and the search path of other networks.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::Lazy;

use super::network::Network;
use super::network_file::{NetworkError, stored_checksum};

/// Returns the built-in network.
pub fn default_network() -> Arc<Network> {
    static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| {
        let network = Network::from_bytes(cannonade_nets::DEFAULT);
        Arc::new(network.unwrap_or_else(|e| unreachable!("the built-in network: {e}")))
    });
    Arc::clone(&NETWORK)
}

/// Returns the checksum of the built-in network, read without loading it.
pub fn default_network_checksum() -> u32 {
    stored_checksum(cannonade_nets::DEFAULT)
        .unwrap_or_else(|| unreachable!("the built-in network is cut"))
}

impl Network {
    /// Loads a network. A relative path is searched in the working directory and its folder `nets`,
    /// then beside the executable and in the folder `nets` there.
    ///
    /// # Errors
    /// If no such file exists, or it is not a valid network.
    pub fn find(path: &Path) -> Result<Network, NetworkError> {
        let nets = Path::new("nets").join(path);
        let program = env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let places: Vec<PathBuf> = [Some(path.to_owned()), Some(nets.clone())]
            .into_iter()
            .chain([path, &nets].map(|path| beside.map(|folder| folder.join(path))))
            .flatten()
            .collect();
        let found = places.iter().find(|place| place.is_file());
        Network::load(found.map_or(path, |place| place))
    }
}

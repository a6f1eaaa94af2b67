//! The network: arithmetic, incremental updates, symmetries, files.

mod network;

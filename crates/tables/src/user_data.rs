//! The folder in which the program keeps data of the user.

use std::path::PathBuf;

/// Returns a part of the folder, such as `~/.local/share/cannonade/tables` on Linux; `None` if the
/// system names none.
pub fn folder(part: &str) -> Option<PathBuf> {
    Some(dirs::data_local_dir()?.join("cannonade").join(part))
}

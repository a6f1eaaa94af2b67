//! The folder of endgame tables that a flag names.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use cannonade_tables::{FOLDER_VARIABLE, NO_FOLDER, OpenedTables, TableSource, user_folder};

use crate::Failure;
use crate::output::print_error;

/// Returns the tables of a folder, none for [`NO_FOLDER`]; without a flag those of the user.
pub(crate) fn table_source(flag: Option<&Path>) -> TableSource {
    flag.map_or(TableSource::User, |folder| folder.to_owned().into())
}

/// Opens these tables.
pub(crate) fn open_tables(flag: Option<&Path>) -> Result<OpenedTables, Failure> {
    table_source(flag).open().map_err(Failure::input)
}

/// Returns the folder to build tables in.
pub(crate) fn folder_to_build(flag: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = match table_source(flag) {
        TableSource::Folder(folder) => Some(folder),
        TableSource::User => user_folder(),
        TableSource::BuiltIn => None,
    };
    folder.ok_or_else(|| {
        Failure::Input(anyhow!(
            "there is no folder to build in: name one with --path (not '{NO_FOLDER}'), or with the \
             environment variable {FOLDER_VARIABLE}"
        ))
    })
}

/// Prints which tables cannot be used, if any.
pub(crate) fn warn_of_tables(opened: &OpenedTables) {
    for problem in &*opened.problems {
        print_error(format_args!("warning: {problem}"));
    }
}

//! Where tables come from besides the program itself, and the folder that needs no name.

use std::env;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use super::collection::Tables;
use super::file::TableFileError;
use crate::user_data;

/// The environment variable that names the user's folder of tables; [`NO_FOLDER`] for none.
pub const FOLDER_VARIABLE: &str = "CANNONADE_TABLES";

/// The name of a folder that means: the built-in tables only.
pub const NO_FOLDER: &str = "none";

/// The tables that are used besides the built-in ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TableSource {
    /// None: results do not depend on the machine.
    #[default]
    BuiltIn,
    /// Those of [`user_folder`].
    User,
    /// Those of a folder.
    Folder(PathBuf),
}

/// Tables that were opened, and what could not be used.
#[derive(Clone, Debug)]
pub struct OpenedTables {
    /// The built-in tables and those of the source.
    pub tables: Arc<Tables>,
    /// Files that are not sound, with the reasons.
    pub problems: Arc<[TableFileError]>,
}

impl From<PathBuf> for TableSource {
    /// Reads what a user names: a folder, or [`NO_FOLDER`].
    fn from(path: PathBuf) -> TableSource {
        if path.as_os_str() == NO_FOLDER { TableSource::BuiltIn } else { TableSource::Folder(path) }
    }
}

impl TableSource {
    /// Opens the tables. Those of the user are opened once in a process; their folder need not
    /// exist.
    ///
    /// # Errors
    /// If a folder that was named cannot be read.
    pub fn open(&self) -> Result<OpenedTables, TableFileError> {
        match self {
            TableSource::BuiltIn => Ok(OpenedTables::built_in([].into())),
            TableSource::User => Ok(OpenedTables::of_user()),
            TableSource::Folder(folder) => {
                let (tables, problems) = Tables::open(folder)?;
                Ok(OpenedTables { tables: Arc::new(tables), problems: problems.into() })
            }
        }
    }
}

impl OpenedTables {
    fn built_in(problems: Arc<[TableFileError]>) -> OpenedTables {
        OpenedTables { tables: Tables::shared(), problems }
    }

    /// Opens the tables of the user, when first asked for; a folder that cannot be read is a
    /// problem.
    pub fn of_user() -> OpenedTables {
        static OPENED: LazyLock<OpenedTables> = LazyLock::new(|| {
            let Some(folder) = user_folder() else { return OpenedTables::built_in([].into()) };
            match TableSource::Folder(folder).open() {
                Ok(opened) => opened,
                Err(problem) => {
                    let is_absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
                    let is_problem = !problem.system_error().is_some_and(is_absent);
                    OpenedTables::built_in(is_problem.then_some(problem).into_iter().collect())
                }
            }
        });
        OPENED.clone()
    }

    /// Describes the files that are not used; `None` if all are.
    pub fn problem(&self) -> Option<String> {
        match &*self.problems {
            [] => None,
            [first] => Some(format!("{first}; all other tables are used")),
            [first, more @ ..] => {
                Some(format!("{first} (and {} more); all other tables are used", more.len()))
            }
        }
    }
}

/// Returns the folder in which tables are built and found unless another is named: that of
/// [`FOLDER_VARIABLE`], else `cannonade/tables` in the user's data folder. `None` if the
/// variable is [`NO_FOLDER`] or the system has no such folder.
pub fn user_folder() -> Option<PathBuf> {
    match env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => (folder != NO_FOLDER).then(|| folder.into()),
        None => user_data::folder("tables"),
    }
}

//! Writing a file so that a reader, a crash or a full disk leaves either the old file or the new
//! one, never a part of it.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::random::fresh_seed;

/// Replaces the file at `path`, or creates it: the bytes are written to a file beside it, forced to
/// the disk, and renamed. On an error the old file is still there and nothing is left beside it.
///
/// A path that is not a regular file, such as `/dev/stdout` or a pipe, is written to directly. A
/// symbolic link stays a link: the file it points to is replaced, and keeps its permissions.
///
/// # Errors
/// If the file beside it or the file itself cannot be written or renamed; if links lead in a
/// circle.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces a file as [`replace`] does, with the content that `write` writes.
///
/// # Errors
/// If `write` returns one, or the file beside it or the file itself cannot be written or renamed.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    replace_or_create(path, None, write)
}

/// Replaces a file as [`replace`] does; where the system has permissions, only its owner can read a
/// new file.
///
/// # Errors
/// As [`replace`].
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    let private = Some(std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    let private = None;
    replace_or_create(path, private, |file| file.write_all(bytes))
}

/// Replaces a file, which keeps its permissions, or creates it with these.
fn replace_or_create(
    path: &Path,
    permissions_if_new: Option<Permissions>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let target = target(path)?;
    let old = fs::metadata(&target);
    if old.as_ref().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return write(&mut File::options().write(true).open(&target)?);
    }
    if old.as_ref().is_ok_and(fs::Metadata::is_file) {
        // Renaming would replace a file that must not be written.
        File::options().write(true).open(&target)?;
    }
    let permissions = old.ok().map(|data| data.permissions()).or(permissions_if_new);
    let (beside, file) = create_beside(&target)?;
    let written = write_to_disk(file, permissions, write);
    let written = written.and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Checks before hours of computation whether [`replace`] can be expected to work: an error if
/// the folder does not exist, or if no file can be created in it.
///
/// # Errors
/// If the folder does not exist, or no file can be created in it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let target = target(path)?;
    match fs::metadata(&target) {
        Ok(data) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => return Ok(()),
        Ok(_) => drop(File::options().write(true).open(&target)?),
        Err(_) => {}
    }
    let (beside, _) = create_beside(&target)?;
    fs::remove_file(&beside)
}

/// Creates the temporary file: in the same folder, since a rename does not cross file systems. Its
/// name does not depend on that of the target, which may be as long as the system allows, and
/// cannot be guessed. A file or link that exists is never opened.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let number = fresh_seed();
    let name = format!("{PART_PREFIX}{}-{number:016x}{PART_SUFFIX}", std::process::id());
    let beside = target.with_file_name(name);
    remove_leftovers(beside.parent().filter(|folder| !folder.as_os_str().is_empty()));
    let file = File::options().write(true).create_new(true).open(&beside)?;
    // Tells other processes that the file is being written.
    let _ = file.try_lock();
    Ok((beside, file))
}

/// The names of temporary files.
const PART_PREFIX: &str = ".cannonade-";
const PART_SUFFIX: &str = ".part";

/// A temporary file that is younger may be one that its writer has not locked yet.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Removes the temporary files of processes that were killed, once for each folder: those that no
/// process has locked. On a file system without locks they stay.
fn remove_leftovers(folder: Option<&Path>) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = folder.unwrap_or(Path::new("."));
    let is_new = |mut seen: MutexGuard<'_, BTreeSet<PathBuf>>| seen.insert(folder.to_owned());
    if !SEEN.lock().is_ok_and(is_new) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_part = |name: &str| name.starts_with(PART_PREFIX) && name.ends_with(PART_SUFFIX);
        if name.to_str().is_some_and(is_part) {
            remove_leftover(&entry.path());
        }
    }
}

/// Removes a temporary file if it is old enough and no process writes it.
fn remove_leftover(path: &Path) {
    let is_old = |data: fs::Metadata| {
        let age = data.modified().ok().and_then(|time| time.elapsed().ok());
        data.is_file() && age.is_some_and(|age| age >= MIN_AGE)
    };
    let is_free =
        || File::options().write(true).open(path).is_ok_and(|file| file.try_lock().is_ok());
    if fs::symlink_metadata(path).is_ok_and(is_old) && is_free() {
        let _ = fs::remove_file(path);
    }
}

/// Returns the file that a path leads to by way of links; it need not exist. A pipe or a device
/// keeps its name: `/dev/stdout` is a link to a pipe that has no path.
fn target(path: &Path) -> io::Result<PathBuf> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return Ok(path.to_owned());
    }
    match fs::canonicalize(path) {
        Ok(target) => Ok(target),
        Err(error) => match fs::read_link(path) {
            // A link to a file that is to be created. In a circle of links no file is missing.
            Ok(link) if error.kind() == io::ErrorKind::NotFound => {
                target(&path.parent().unwrap_or(Path::new("")).join(link))
            }
            Ok(_) => Err(error),
            Err(_) => Ok(path.to_owned()),
        },
    }
}

fn write_to_disk(
    mut file: File,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    if let Some(permissions) = permissions {
        // Before the content, which others may not be allowed to read.
        file.set_permissions(permissions)?;
    }
    write(&mut file)?;
    file.sync_all()
}

/// Returns whether two paths lead to one file, by any links. A file that does not exist yet is the
/// same if it has the same name in the same folder.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        let path = target(path).ok()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    same_file::is_same_file(a, b).unwrap_or(false) || place(a).is_some_and(|a| Some(a) == place(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let name = format!("cannonade-atomic-{test}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).expect("a writable folder");
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).expect("our folder");
            let name = |entry: io::Result<fs::DirEntry>| {
                entry.expect("an entry").file_name().to_string_lossy().into_owned()
            };
            let mut names: Vec<String> = entries.map(name).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_created_and_replaced_and_nothing_stays_beside_it() {
        let folder = Folder::new("replace");
        let path = folder.0.join("out.json");
        for text in ["a long first text", "short"] {
            check_writable(&path).expect("a writable folder");
            replace(&path, text.as_bytes()).expect("a writable folder");
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
            assert_eq!(folder.names(), ["out.json"]);
        }
    }

    #[test]
    fn files_of_killed_processes_are_removed_and_those_of_others_stay() {
        let folder = Folder::new("killed");
        let names = ["1-old", "2-young", "3-locked"].map(|name| format!(".cannonade-{name}.part"));
        let files = names.each_ref().map(|name| {
            let file = File::create(folder.0.join(name)).expect("a writable folder");
            let age = if name.contains("young") { Duration::ZERO } else { 2 * MIN_AGE };
            file.set_modified(std::time::SystemTime::now() - age).expect("our file");
            file
        });
        files[2].try_lock().expect("a file system with locks");
        replace(&folder.0.join("out"), b"text").expect("a writable folder");
        assert_eq!(folder.names(), [&names[1], &names[2], "out"]);
    }

    #[test]
    fn one_file_is_found_by_all_its_paths() {
        let folder = Folder::new("same");
        let (a, b) = (folder.0.join("a"), folder.0.join("b"));
        let roundabout = folder.0.join("../").join(folder.0.file_name().expect("a name")).join("a");
        for exists in [false, true] {
            assert!(is_same(&a, &a) && is_same(&a, &roundabout) && !is_same(&a, &b));
            if !exists {
                fs::write(&a, "text").expect("a writable folder");
            }
        }
        fs::hard_link(&a, &b).expect("a link");
        assert!(is_same(&a, &b));
    }

    #[test]
    fn the_longest_name_can_be_written() {
        let folder = Folder::new("long");
        let path = folder.0.join("x".repeat(250));
        check_writable(&path).expect("a writable folder");
        replace(&path, b"text").expect("a writable folder");
        assert_eq!(folder.names(), ["x".repeat(250)]);
    }

    #[test]
    fn names_of_temporary_files_cannot_be_guessed() {
        let folder = Folder::new("names");
        let names = [(); 2].map(|()| create_beside(&folder.0.join("out")).expect("a file").0);
        let prefix = format!(".cannonade-{}-", std::process::id());
        for name in &names {
            let name = name.file_name().and_then(|name| name.to_str()).expect("a name");
            assert!(name.starts_with(&prefix) && name.ends_with(".part"), "{name}");
        }
        assert_ne!(names[0], names[1]);
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_target_are_errors() {
        let folder = Folder::new("missing");
        for path in [folder.0.join("none/out.json"), folder.0.clone()] {
            assert!(check_writable(&path).is_err(), "{}", path.display());
            assert!(replace(&path, b"x").is_err(), "{}", path.display());
        }
        assert_eq!(folder.names(), <[&str; 0]>::default());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_stay_links() {
        let null = Path::new("/dev/null");
        check_writable(null).expect("a device");
        replace(null, b"x").expect("a device");
        assert!(!fs::metadata(null).expect("still there").is_file());

        let folder = Folder::new("link");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&file, "old").expect("a writable folder");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        replace(&link, b"new").expect("a writable folder");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "new");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());

        fs::remove_file(&file).expect("our file");
        assert!(is_same(&link, &file) && is_same(&file, &link), "a link to a missing file");
        replace(&link, b"created").expect("a writable folder");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "created");
        let (one, two) = (folder.0.join("one"), folder.0.join("two"));
        for (link, other) in [(&one, &two), (&two, &one)] {
            std::os::unix::fs::symlink(other, link).expect("a link");
        }
        assert!(check_writable(&one).is_err() && replace(&one, b"x").is_err());
        assert!(fs::symlink_metadata(&one).expect("the link").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_must_not_be_written_is_not_replaced() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("read-only");
        let path = folder.0.join("kept");
        fs::write(&path, "old").expect("a writable folder");
        fs::set_permissions(&path, Permissions::from_mode(0o444)).expect("our file");
        // The administrator may write it.
        let may_write = File::options().append(true).open(&path).is_ok();
        assert_eq!(check_writable(&path).is_ok(), may_write);
        assert_eq!(replace(&path, b"new").is_ok(), may_write);
        let text = fs::read_to_string(&path).expect("the file");
        assert_eq!(text, if may_write { "new" } else { "old" });
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("mode");
        let path = folder.0.join("private");
        fs::write(&path, "old").expect("a writable folder");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("our file");
        replace(&path, b"new").expect("a writable folder");
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!((mode & 0o777, folder.names()), (0o600, vec!["private".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_private_file_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("secret");
        let secret = folder.0.join("secret");
        replace_private(&secret, b"new").expect("a writable folder");
        let mode = fs::metadata(&secret).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

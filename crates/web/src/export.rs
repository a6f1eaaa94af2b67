//! The page as files for any host: a worker with the engine takes the place of the server.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use thiserror::Error;

use super::assets::page_files;

/// The folder of the npm package that has the parts of a page without a server.
const PAGE: &str = "page";

/// Modules of the page from the package, in the place of its own or besides them.
const PAGE_MODULES: [(&str, &str); 1] = [("transport.js", PAGE)];

/// Files of the package that are copied.
const COPIED: [(&str, &str); 12] = [
    ("board-worker.js", PAGE),
    ("icon-192.png", PAGE),
    ("icon-512.png", PAGE),
    ("icon-mask-512.png", PAGE),
    ("manifest.webmanifest", PAGE),
    ("cannonade.wasm", ""),
    ("cannonade-simd.wasm", ""),
    ("cannonade_wasm.js", ""),
    ("module.js", ""),
    ("node.js", ""),
    ("thread.js", ""),
    ("thread-starter.js", ""),
];

/// The module with threads, which a package may lack.
const WITH_THREADS: [&str; 2] = ["cannonade-threads.wasm", "cannonade_wasm_threads.js"];

const SERVICE_WORKER: &str = "service-worker.js";

/// Folders in which the module is looked for: that of its sources and that of npm.
const USUAL_FOLDERS: [&str; 2] = ["wasm/package", "node_modules/cannonade"];

/// The reason why the page cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The module is not where it was looked for.
    #[error(
        "there is no WebAssembly module in {}; build it with wasm/build.sh, get it with `npm install cannonade`, or name the folder of that package with --module",
        .0.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(" or ")
    )]
    NoModule(Vec<PathBuf>),
    /// The module is that of another version.
    #[error("the module in {} has version {found}, this program {version}; get it with `npm install cannonade@{version}`", folder.display(), version = env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The folder of the module.
        folder: PathBuf,
        /// Its version.
        found: String,
    },
    /// The scripts of the page and of the module do not fit together.
    #[error("the script of the page: {0}; build the module from the sources of this program")]
    Script(String),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason of the system.
        error: io::Error,
    },
}

/// Writes the page to a folder, which is created if it does not exist. The module is read from
/// `module`; if that is not given, from `wasm/package` or `node_modules/cannonade`. Returns the
/// number of bytes.
///
/// # Errors
/// If the module is not there or of another version, or a file cannot be read or written.
pub fn export(folder: &Path, module: Option<&Path>) -> Result<u64, ExportError> {
    let module = find_module(module)?;
    let path_of = |(name, part): (&str, &str)| module.join(part).join(name);
    let own = PAGE_MODULES.map(|file| read_text(&path_of(file)).map(|text| (file.0, text)));
    let own = own.into_iter().collect::<Result<Vec<_>, _>>()?;
    let modules: Vec<(&str, &str)> =
        own.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let page = page_files(&modules).map_err(|error| ExportError::Script(error.to_string()))?;
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, text) in page {
        let is_page = name.is_empty();
        let text = if is_page { with_facts(&text) } else { text };
        let name = if is_page { "index.html".to_owned() } else { name };
        files.push((name, text.into_bytes()));
    }
    for file in COPIED {
        if !files.iter().any(|(name, _)| name == file.0) {
            files.push((file.0.to_owned(), read(&path_of(file))?));
        }
    }
    if WITH_THREADS.iter().all(|name| module.join(name).exists()) {
        for name in WITH_THREADS {
            files.push((name.to_owned(), read(&module.join(name))?));
        }
    }
    let worker = read_text(&path_of((SERVICE_WORKER, PAGE)))?;
    let worker = service_worker(&worker, &files);
    files.push((SERVICE_WORKER.to_owned(), worker.into_bytes()));
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| ExportError::File { path, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut bytes = 0;
    for (name, content) in files {
        let path = folder.join(name);
        bytes += content.len() as u64;
        fs::write(&path, content).map_err(failed(&path))?;
    }
    Ok(bytes)
}

/// The fields of `package.json` that the export reads.
#[derive(Deserialize)]
struct Package {
    version: String,
}

fn find_module(given: Option<&Path>) -> Result<PathBuf, ExportError> {
    let folders: Vec<PathBuf> = match given {
        Some(folder) => vec![folder.to_owned()],
        None => USUAL_FOLDERS.map(PathBuf::from).to_vec(),
    };
    let is_there = |folder: &&PathBuf| folder.join(PAGE).is_dir();
    let Some(folder) = folders.iter().find(is_there) else {
        return Err(ExportError::NoModule(folders));
    };
    let path = folder.join("package.json");
    let package = serde_json::from_slice::<Package>(&read(&path)?);
    let found = package.map_err(|error| ExportError::File { path, error: error.into() })?.version;
    if found != env!("CARGO_PKG_VERSION") {
        return Err(ExportError::OtherVersion { folder: folder.clone(), found });
    }
    Ok(folder.clone())
}

fn read(path: &Path) -> Result<Vec<u8>, ExportError> {
    fs::read(path).map_err(|error| ExportError::File { path: path.to_owned(), error })
}

fn read_text(path: &Path) -> Result<String, ExportError> {
    fs::read_to_string(path).map_err(|error| ExportError::File { path: path.to_owned(), error })
}

/// Adds what an installation and a search engine read.
fn with_facts(page: &str) -> String {
    let facts = "<meta name=\"description\" content=\"Xiangqi (Chinese chess): play, analyse, rule repetitions\">\n\
                 <link rel=\"manifest\" href=\"manifest.webmanifest\">\n\
                 <link rel=\"apple-touch-icon\" href=\"icon-mask-512.png\">\n</head>";
    page.replace("</head>", facts)
}

/// Returns the service worker with the names and hashes of the files and a version that changes
/// with them.
fn service_worker(text: &str, files: &[(String, Vec<u8>)]) -> String {
    let mut hash = crc32fast::Hasher::new();
    for (name, content) in files {
        hash.update(name.as_bytes());
        hash.update(content);
    }
    let list = files.iter().map(|(name, content)| format!("['{name}', '{}']", integrity(content)));
    let list: Vec<String> = list.collect();
    let version = format!("{} {:08x}", env!("CARGO_PKG_VERSION"), hash.finalize());
    text.replace("VERSION", &version).replace("/* FILES */", &list.join(", "))
}

/// Returns the hash of a file as pages write it (Subresource Integrity).
fn integrity(content: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(hmac_sha256::Hash::hash(content)))
}

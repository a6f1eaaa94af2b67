//! `cannonade web --export`: the page as files. The module is built by `wasm/build.sh`; here a
//! folder with the names of its files stands for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::program::the_program;

const MODULE_FILES: [&str; 7] = [
    "cannonade.wasm",
    "cannonade-simd.wasm",
    "cannonade_wasm.js",
    "module.js",
    "node.js",
    "thread.js",
    "thread-starter.js",
];

/// The files of a module with threads.
const WITH_THREADS: [&str; 2] = ["cannonade-threads.wasm", "cannonade_wasm_threads.js"];

/// A folder with a package of this version and what is written from it.
struct Folders {
    root: PathBuf,
}

impl Folders {
    fn new(name: &str, version: &str) -> Folders {
        let root = std::env::temp_dir().join(format!("cannonade-{name}-{}", std::process::id()));
        let folders = Folders { root };
        let page = folders.module().join("page");
        fs::create_dir_all(&page).expect("a folder");
        for name in MODULE_FILES {
            fs::write(folders.module().join(name), name).expect("a file");
        }
        fs::write(folders.module().join("package.json"), format!("{{\"version\": \"{version}\"}}"))
            .expect("a file");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("wasm/page");
        for file in fs::read_dir(sources).expect("the sources of the page").flatten() {
            fs::copy(file.path(), page.join(file.file_name())).expect("a copy");
        }
        folders
    }

    fn module(&self) -> PathBuf {
        self.root.join("module")
    }

    fn site(&self) -> PathBuf {
        self.root.join("site")
    }

    fn export(&self) -> Output {
        the_program()
            .args(["web", "--export"])
            .arg(self.site())
            .arg("--module")
            .arg(self.module())
            .output()
            .expect("the command starts")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.site().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[test]
fn the_package_has_the_version_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, sign) in [("package.json", "\"version\": "), ("Cargo.toml", "version = ")] {
        let text = fs::read_to_string(root.join("wasm").join(file)).expect("a file");
        let version = format!("{sign}\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&version), "wasm/{file} is not of this version");
    }
}

#[test]
fn the_page_is_written_with_a_worker_in_the_place_of_the_server() {
    let folders = Folders::new("export", env!("CARGO_PKG_VERSION"));
    for _ in 0..2 {
        let output = folders.export();
        assert!(output.status.success(), "{output:?}");
    }
    let page = folders.read("index.html");
    for part in ["rel=\"manifest\"", "name=\"description\"", "id=\"board\""] {
        assert!(page.contains(part), "{page}");
    }
    let worker = folders.read("service-worker.js");
    assert!(
        worker.contains("['index.html', ") && worker.contains("['board-worker.js', "),
        "{worker}"
    );
    // `printf module.js | openssl dgst -sha256 -binary | base64`
    let kept = "['module.js', 'sha256-w6KUIIcGVK7ZNrYtYD0QNQpliElpBj+yMV5dEGYm/7Q=']";
    assert!(worker.contains(kept), "{worker}");
    assert!(worker.contains(&format!("}}{} ", env!("CARGO_PKG_VERSION"))), "{worker}");
    assert!(!worker.contains("VERSION") && !worker.contains("FILES */"), "{worker}");
    for name in MODULE_FILES {
        assert_eq!(folders.read(name), name);
    }
    let scripts = fs::read_dir(folders.site()).expect("the site").flatten();
    let texts = scripts.filter(|file| file.path().extension().is_some_and(|end| end == "js"));
    let texts: Vec<String> =
        texts.map(|file| fs::read_to_string(file.path()).unwrap_or_default()).collect();
    assert!(texts.iter().any(|text| text.contains("board-worker.js")), "no worker is started");
    assert!(!texts.iter().any(|text| text.contains("sendBeacon")), "a server is asked");
}

#[test]
fn a_module_with_threads_is_written_if_the_package_has_it() {
    let folders = Folders::new("threads", env!("CARGO_PKG_VERSION"));
    let keeps = |folders: &Folders| {
        assert!(folders.export().status.success());
        let worker = folders.read("service-worker.js");
        let list = worker.lines().find(|line| line.starts_with("const FILES = ")).expect("a list");
        WITH_THREADS.iter().all(|name| list.contains(&format!("['{name}', ")))
    };
    assert!(!keeps(&folders));
    for name in WITH_THREADS {
        fs::write(folders.module().join(name), name).expect("a file");
    }
    assert!(keeps(&folders));
    for name in WITH_THREADS {
        assert_eq!(folders.read(name), name);
    }
}

#[test]
fn a_module_that_does_not_fit_is_named_with_the_remedy() {
    let folders = Folders::new("old", "0.1.0");
    let output = folders.export();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("0.1.0") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    fs::remove_dir_all(folders.module()).expect("the module is there");
    let text = String::from_utf8_lossy(&folders.export().stderr).into_owned();
    for remedy in ["wasm/build.sh", "npm install cannonade", "--module"] {
        assert!(text.contains(remedy), "{text}");
    }
    assert!(!folders.site().exists(), "something was written");
}

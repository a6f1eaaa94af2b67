//! The boards of the page, without a server.

use cannonade_web::{LocalAnswer, LocalBoards, StoredFile};
use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host;

/// Size of the transposition table in MiB; a phone has it to spare.
const HASH: usize = 32;

/// The boards of one page and their engine.
#[wasm_bindgen]
pub struct Boards(LocalBoards);

/// The answer to a request.
#[wasm_bindgen]
pub struct Answer(LocalAnswer);

#[wasm_bindgen]
impl Boards {
    /// Starts the engine. `send` receives the number of a stream, the name of an event and its
    /// data. If the memory is shared, the engine has that many threads, which `start_thread` starts:
    /// a worker that calls `run_thread`.
    ///
    /// # Errors
    /// If there is no memory for the engine.
    #[wasm_bindgen(constructor)]
    pub fn new(
        send: Function,
        threads: usize,
        start_thread: Option<Function>,
    ) -> Result<Boards, String> {
        host::connect(send);
        let threads = host::threads(threads, start_thread);
        let boards = LocalBoards::new(HASH, Box::new(host::send_event), threads);
        boards.map(Boards).map_err(|error| error.to_string())
    }

    /// Keeps games in files: those that are there, each as name, milliseconds since 1970 and
    /// content, and others, which `keep` receives as name and content, `undefined` for a removed
    /// one.
    pub fn keep_games(&mut self, files: Array, keep: Function) {
        let files = files.iter().filter_map(|file| {
            let file: Array = file.dyn_into().ok()?;
            let bytes: Uint8Array = file.get(2).dyn_into().ok()?;
            Some((file.get(0).as_string()?, stored(file.get(1).as_f64()?, &bytes)))
        });
        let files = files.collect();
        host::connect_keeper(keep);
        self.0.keep_games(files, Box::new(host::keep_file));
    }

    /// Takes over what another page has kept: a file, or that it was removed.
    pub fn take_over(&self, name: &str, modified: f64, bytes: Option<Uint8Array>) {
        self.0.take_over(name, bytes.map(|bytes| stored(modified, &bytes)));
    }

    /// Notes why the browser keeps no files; `undefined` if it keeps them again.
    pub fn set_keeping_problem(&self, problem: Option<String>) {
        self.0.set_keeping_problem(problem);
    }

    /// Answers a request; `target` is a path with its query.
    pub fn answer(
        &self,
        method: &str,
        target: &str,
        content_type: Option<String>,
        body: Vec<u8>,
    ) -> Answer {
        Answer(self.0.answer(method, target, content_type.as_deref(), body))
    }

    /// Opens a stream of the changes at a path. Returns whether there is such a board.
    pub fn listen(&self, stream: u32, target: &str) -> bool {
        self.0.listen(stream, target)
    }

    /// Closes a stream.
    pub fn close(&self, stream: u32) {
        self.0.close(stream);
    }

    /// Sends what has changed, without threads after a slice of the search. Returns the milliseconds
    /// after which to call this again; `undefined` if only a request can bring new work.
    pub fn advance(&mut self) -> Option<f64> {
        self.0.advance(host::SLICE).map(host::milliseconds)
    }
}

fn stored(modified: f64, bytes: &Uint8Array) -> StoredFile {
    // A number of milliseconds is a whole number.
    StoredFile { modified: modified as u64, bytes: bytes.to_vec() }
}

#[wasm_bindgen]
impl Answer {
    /// The status of HTTP.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Headers, each with its line end.
    #[wasm_bindgen(getter)]
    pub fn headers(&self) -> String {
        self.0.headers.clone()
    }

    /// The content.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Uint8Array {
        self.0.body.as_slice().into()
    }
}

//! The protocols of the command line, UCI and UCCI, as lines of text.

use std::io::{self, Write};

use cannonade_engine::uci::Session;
use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host;

/// A conversation with the engine.
#[wasm_bindgen]
pub struct UciSession(Session<Lines>);

#[wasm_bindgen]
impl UciSession {
    /// Starts the engine. `send` receives each of its lines. If the memory is shared, the engine has
    /// up to `threads` threads, which `start_thread` starts: a worker that calls `run_thread`.
    #[wasm_bindgen(constructor)]
    pub fn new(send: Function, threads: usize, start_thread: Option<Function>) -> UciSession {
        host::connect(send);
        let threads = host::threads(threads, start_thread);
        UciSession(Session::without_threads(Lines, threads))
    }

    /// Gives the engine a line. Returns true after `quit`.
    pub fn receive(&mut self, line: &str) -> bool {
        // Lines are always taken.
        self.0.receive(line).unwrap_or(true)
    }

    /// Sends what the threads have reported, or without threads searches for a slice. Returns the
    /// milliseconds after which to call this again; `undefined` if only a line can bring new work.
    pub fn advance(&mut self) -> Option<f64> {
        self.0.advance(host::SLICE).ok().flatten().map(host::milliseconds)
    }
}

/// Output that goes to the page line by line; [`Session`] writes whole lines.
#[derive(Clone, Copy)]
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        String::from_utf8_lossy(bytes).lines().for_each(host::send_line);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

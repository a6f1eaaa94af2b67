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
    /// Starts the engine. `send` receives each of its lines; `pause` is asked every millisecond or
    /// so of a search, and returns true to end [`UciSession::advance`]. If the memory is shared,
    /// the engine has up to `threads` threads, which `start_thread` starts: a worker that calls
    /// `run_thread`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        send: Function,
        pause: Function,
        threads: usize,
        start_thread: Option<Function>,
    ) -> UciSession {
        host::connect(send, pause);
        let threads = host::threads(threads, start_thread);
        UciSession(Session::with_pauses(Lines, host::pause(), threads))
    }

    /// Gives the engine a line. Returns true after `quit`.
    pub fn receive(&mut self, line: &str) -> bool {
        // Lines are always taken.
        self.0.receive(line).unwrap_or(true)
    }

    /// Searches to the end or to the next pause. Returns whether a search is running: then it is
    /// called again after a pause, and else after the next line.
    pub fn advance(&mut self) -> bool {
        self.0.advance().unwrap_or(false)
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

//! The functions of the page, without a server.

use cannonade_web::{LocalAnswer, LocalServices};
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host;

/// Size of the transposition table in MiB; a phone has it to spare.
const HASH: usize = 32;

/// The functions of one page and their engine.
#[wasm_bindgen]
pub struct Services(LocalServices);

/// What a function has returned.
#[wasm_bindgen]
pub struct Answer(LocalAnswer);

#[wasm_bindgen]
impl Services {
    /// Starts the engine. `send` receives the number of a call and an event of its search as JSON,
    /// `undefined` at its end. If the memory is shared, the engine has that many threads, which
    /// `start_thread` starts: a worker that calls `run_thread`.
    ///
    /// # Errors
    /// If there is no memory for the engine.
    #[wasm_bindgen(constructor)]
    pub fn new(
        send: Function,
        threads: usize,
        start_thread: Option<Function>,
    ) -> Result<Services, String> {
        host::connect(send);
        let threads = host::threads(threads, start_thread);
        let services = LocalServices::new(HASH, Box::new(host::send_event), threads);
        services.map(Services).map_err(|error| error.to_string())
    }

    /// Calls a function; `query` has names and values as in an address.
    pub fn call(&self, number: u32, name: &str, query: &str, body: &[u8]) -> Answer {
        Answer(self.0.call(number, name, query, body))
    }

    /// Ends the listening to the search of a call.
    pub fn close(&self, number: u32) {
        self.0.close(number);
    }

    /// Sends what was found, without threads after a slice of the search. Returns the milliseconds
    /// after which to call this again; `undefined` if only a call can bring new work.
    pub fn advance(&mut self) -> Option<f64> {
        self.0.advance(host::SLICE).map(host::milliseconds)
    }
}

#[wasm_bindgen]
impl Answer {
    /// 200, or the status with which a server refuses the call.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// The media type of the content.
    #[wasm_bindgen(getter)]
    pub fn media_type(&self) -> String {
        self.0.media_type.clone()
    }

    /// The name of a file; empty if it is none.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// The content.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Uint8Array {
        self.0.body.as_slice().into()
    }
}

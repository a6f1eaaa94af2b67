//! Functions of the worker that the module calls.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cannonade_engine::{HostThreads, ThreadBody};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Length of the slices of a search in the worker itself, between which it reads its messages: a
/// `stop` is answered within 100 ms.
pub(crate) const SLICE: Duration = Duration::from_millis(80);

/// What started threads have to run. They take it in this order.
static BODIES: Mutex<VecDeque<ThreadBody>> = Mutex::new(VecDeque::new());

/// Says that a thread has failed.
type Fail = Box<dyn FnOnce() + Send>;

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
    /// That of this thread, while it runs.
    static FAIL: RefCell<Option<Fail>> = const { RefCell::new(None) };
}

/// The functions of one worker. It has one engine.
struct Host {
    send: Function,
    start_thread: Option<Function>,
}

/// Notes the function that takes what is for the page. A panic is sent to the console, since it
/// ends the module.
pub(crate) fn connect(send: Function) {
    HOST.set(Some(Host { send, start_thread: None }));
    panic::set_hook(Box::new(|problem| log_error(&problem.to_string())));
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn log_error(text: &str);
}

/// Sends a line to the page.
pub(crate) fn send_line(line: &str) {
    with_host(|host| host.send.call1(&JsValue::UNDEFINED, &line.into()));
}

/// Sends an event of a search to the page, or that it has ended.
pub(crate) fn send_event(stream: u32, event: Option<&str>) {
    let event = event.map_or(JsValue::UNDEFINED, JsValue::from);
    with_host(|host| host.send.call2(&JsValue::UNDEFINED, &stream.into(), &event));
}

/// Calls the host. An error of the worker must not end a search.
fn with_host(call: impl FnOnce(&Host) -> Result<JsValue, JsValue>) -> Option<JsValue> {
    HOST.with_borrow(|host| host.as_ref().and_then(|host| call(host).ok()))
}

/// Returns the threads of the host, at most `most`. `start` starts a worker with this module and its
/// memory, which calls [`run_thread`].
pub(crate) fn threads(most: usize, start: Option<Function>) -> Option<HostThreads> {
    let start = start?;
    HOST.with_borrow_mut(|host| host.as_mut()?.start_thread.replace(start));
    let start = |body| {
        bodies(|bodies| bodies.push_back(body));
        with_host(|host| {
            let start = host.start_thread.as_ref().ok_or(JsValue::UNDEFINED)?;
            start.call0(&JsValue::UNDEFINED)
        });
    };
    Some(HostThreads { most, start: Box::new(start) })
}

/// Searches as a thread, as long as the engine needs it.
#[wasm_bindgen]
pub fn run_thread() {
    if let Some(ThreadBody { run, fail }) = bodies(VecDeque::pop_front) {
        FAIL.set(Some(fail));
        run();
        FAIL.set(None);
    }
}

/// Says that [`run_thread`] has ended by an error, or before it began. It is called in the same
/// worker.
#[wasm_bindgen]
pub fn thread_failed() {
    match FAIL.take() {
        Some(fail) => fail(),
        None => drop(bodies(VecDeque::pop_front)),
    }
}

/// Gives up the threads that have not begun.
#[wasm_bindgen]
pub fn give_up_threads() {
    bodies(VecDeque::clear);
}

fn bodies<T>(change: impl FnOnce(&mut VecDeque<ThreadBody>) -> T) -> T {
    change(&mut BODIES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Converts a time for JavaScript.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

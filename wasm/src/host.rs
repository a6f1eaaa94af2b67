//! Functions of the worker that the module calls.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic;
use std::sync::{Arc, Mutex, PoisonError};

use cannonade_engine::search::Pause;
use cannonade_engine::{HostThreads, ThreadBody};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

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
    pause: Function,
    start_thread: Option<Function>,
}

/// Notes the functions: `send` takes what is for the page, `pause` returns true when the engine has
/// to let the worker read its messages. A panic is sent to the console, since it ends the module.
pub(crate) fn connect(send: Function, pause: Function) {
    HOST.set(Some(Host { send, pause, start_thread: None }));
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

/// Returns the threads of the host: `most` with that of the engine. `start` starts a worker with
/// this module and its memory, which calls [`run_thread`].
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

/// Returns the question whether the worker has messages.
pub(crate) fn pause() -> Pause {
    Arc::new(|| {
        let answer = with_host(|host| host.pause.call0(&JsValue::UNDEFINED));
        answer.is_some_and(|answer| answer.is_truthy())
    })
}

//! Functions of the worker that the module calls.

use std::cell::RefCell;
use std::panic;
use std::sync::Arc;

use cannonade::search::Pause;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// The functions of one worker. It has one engine.
struct Host {
    send: Function,
    pause: Function,
    keep: Option<Function>,
}

/// Notes the functions: `send` takes what is for the page, `pause` returns true when the engine has to
/// let the worker read its messages. A panic is sent to the console, since it ends the module.
pub(crate) fn connect(send: Function, pause: Function) {
    HOST.set(Some(Host { send, pause, keep: None }));
    panic::set_hook(Box::new(|problem| log_error(&problem.to_string())));
}

/// Notes the function that keeps files.
pub(crate) fn connect_keeper(keep: Function) {
    HOST.with_borrow_mut(|host| {
        if let Some(host) = host {
            host.keep = Some(keep);
        }
    });
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

/// Sends a change of a board to the page.
pub(crate) fn send_event(stream: u32, event: &str, data: &str) {
    with_host(|host| {
        host.send.call3(&JsValue::UNDEFINED, &stream.into(), &event.into(), &data.into())
    });
}

/// Has a file kept, or removed if it has no content.
pub(crate) fn keep_file(name: &str, bytes: Option<&[u8]>) {
    let bytes = bytes.map_or(JsValue::UNDEFINED, |bytes| Uint8Array::from(bytes).into());
    with_host(|host| {
        let keep = host.keep.as_ref().ok_or(JsValue::UNDEFINED)?;
        keep.call2(&JsValue::UNDEFINED, &name.into(), &bytes)
    });
}

/// Calls the host. An error of the worker must not end a search.
fn with_host(call: impl FnOnce(&Host) -> Result<JsValue, JsValue>) -> Option<JsValue> {
    HOST.with_borrow(|host| host.as_ref().and_then(|host| call(host).ok()))
}

/// Returns the question whether the worker has messages.
pub(crate) fn pause() -> Pause {
    Arc::new(|| {
        let answer = with_host(|host| host.pause.call0(&JsValue::UNDEFINED));
        answer.is_some_and(|answer| answer.is_truthy())
    })
}

//! The engine for JavaScript, in a worker without threads; `js/worker.js` drives it.

mod host;
mod uci;

//! The engine for JavaScript, in a worker without threads. `js/worker.js` drives
//! [`uci`], the worker of the page drives [`board`].

mod board;
mod host;
mod uci;

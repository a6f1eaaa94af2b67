//! HTTP/1.1, reduced to the needs of a local page: requests with limits and deadlines, responses
//! that are whole or streamed.
//!
//! Every wait has an end. A client that sends or reads slowly holds its own thread until the
//! deadline and nothing else.

mod connection;
mod deadline;
mod request;
mod response;

pub(super) use connection::{Connection, Received};
pub(super) use request::Request;
pub(super) use response::{Response, StatusCode};

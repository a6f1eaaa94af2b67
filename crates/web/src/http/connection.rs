//! A connection: one request after another, each with a deadline.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::deadline::DeadlineStream;
use super::request::{Malformed, Request, RequestHead};
use super::response::{Response, StatusCode};

/// The maximum pause between two requests.
const IDLE_TIME: Duration = Duration::from_secs(30);

/// The time in which the head of a request has to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The time in which the body has to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The time in which a client has to read a response.
const RESPONSE_TIME: Duration = Duration::from_secs(30);

/// The time in which a client has to read one event of a stream.
const EVENT_TIME: Duration = Duration::from_secs(10);

/// The time and the bytes that a refused client may go on sending.
const LINGER: (Duration, usize) = (Duration::from_secs(2), 8 << 20);

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// The result of waiting for a request.
pub(crate) enum Received {
    Request(Box<Request>),
    /// The client has gone, was silent for too long, or was refused; the connection ends.
    Nothing,
}

/// The server's end of a connection.
pub(crate) struct Connection {
    stream: TcpStream,
    local: SocketAddr,
    /// Bytes read that belong to no request yet.
    unread: Vec<u8>,
    keep_alive: bool,
    is_head: bool,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> io::Result<Connection> {
        // Events are short and must not wait for more.
        stream.set_nodelay(true)?;
        let local = stream.local_addr()?;
        Ok(Connection { stream, local, unread: Vec::new(), keep_alive: true, is_head: false })
    }

    /// Returns the address that the client has connected to.
    pub(crate) fn local(&self) -> SocketAddr {
        self.local
    }

    /// Waits for the next request. `check` sees it before its body has arrived; its error is sent
    /// as the answer. That answer, like one to a malformed request, ends the connection.
    pub(crate) fn receive(
        &mut self,
        check: impl FnOnce(&Request) -> Result<(), Response>,
    ) -> Received {
        if !self.keep_alive {
            return Received::Nothing;
        }
        match self.try_receive(check) {
            Ok(Some(request)) => Received::Request(Box::new(request)),
            Ok(None) => Received::Nothing,
            Err(response) => {
                self.refuse(&response);
                Received::Nothing
            }
        }
    }

    fn try_receive(
        &mut self,
        check: impl FnOnce(&Request) -> Result<(), Response>,
    ) -> Result<Option<Request>, Response> {
        let Connection { stream, unread, .. } = self;
        let mut idle = DeadlineStream::new(stream, IDLE_TIME);
        if unread.is_empty() && !matches!(read_more(&mut idle, unread), Ok(1..)) {
            return Ok(None);
        }
        let mut arriving = DeadlineStream::new(stream, HEAD_TIME);
        let head = loop {
            if let Some(head) = RequestHead::parse(unread)? {
                break head;
            }
            if !arrives(&mut arriving, unread)? {
                return Ok(None);
            }
        };
        let RequestHead { mut request, length, body, .. } = head;
        self.keep_alive = head.keep_alive;
        self.is_head = request.method == "HEAD";
        check(&request)?;
        if head.expects_continue && unread.len() < length + body {
            let sign = b"HTTP/1.1 100 Continue\r\n\r\n";
            if DeadlineStream::new(stream, HEAD_TIME).write_all(sign).is_err() {
                return Ok(None);
            }
        }
        let mut arriving = DeadlineStream::new(stream, BODY_TIME);
        while unread.len() < length + body {
            if !arrives(&mut arriving, unread)? {
                return Ok(None);
            }
        }
        let rest = unread.split_off(length + body);
        request.body = unread.split_off(length);
        *unread = rest;
        Ok(Some(request))
    }

    /// Sends a response. Returns whether the client took it.
    pub(crate) fn send(&mut self, response: &Response) -> bool {
        let bytes = response.bytes(self.keep_alive, self.is_head);
        DeadlineStream::new(&self.stream, RESPONSE_TIME).write_all(&bytes).is_ok()
    }

    /// Sends a response and ends the connection, ignoring further input.
    fn refuse(&mut self, response: &Response) {
        self.keep_alive = false;
        if self.send(response) {
            let (time, most) = LINGER;
            DeadlineStream::new(&self.stream, time).linger(most);
        }
    }

    /// Begins a stream of events, which lasts as long as the connection. Returns whether the client
    /// took its head.
    pub(crate) fn begin_events(&mut self) -> bool {
        self.keep_alive = false;
        self.send_text(&Response::event_stream_head())
    }

    /// Sends lines of a stream, each with its end. Returns whether the client took them in time.
    pub(crate) fn send_lines(&mut self, lines: &str) -> bool {
        self.send_text(lines)
    }

    /// Returns whether the client has closed the connection. What it sends is not read any more.
    pub(crate) fn is_closed(&self) -> bool {
        let mut byte = [0];
        let _ = self.stream.set_nonblocking(true);
        let is_closed = matches!(self.stream.peek(&mut byte), Ok(0));
        let _ = self.stream.set_nonblocking(false);
        is_closed
    }

    fn send_text(&mut self, text: &str) -> bool {
        DeadlineStream::new(&self.stream, EVENT_TIME).write_all(text.as_bytes()).is_ok()
    }
}

/// Reads available bytes; 0 at end of stream.
fn read_more(stream: &mut DeadlineStream<'_>, unread: &mut Vec<u8>) -> io::Result<usize> {
    let mut chunk = [0; CHUNK];
    let count = stream.read(&mut chunk)?;
    unread.extend(chunk.iter().take(count));
    Ok(count)
}

/// Reads a part of a request. Returns false if the client has gone.
fn arrives(stream: &mut DeadlineStream<'_>, unread: &mut Vec<u8>) -> Result<bool, Malformed> {
    match read_more(stream, unread) {
        Ok(count) => Ok(count > 0),
        Err(error) => match error.kind() {
            // Windows and Unix name this error differently.
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Err(Malformed {
                status: StatusCode::RequestTimeout,
                reason: "the request did not arrive in time",
            }),
            io::ErrorKind::Interrupted => Ok(true),
            _ => Ok(false),
        },
    }
}

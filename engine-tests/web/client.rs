//! A server in this process, and a client that speaks HTTP to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cannonade_tables::TableSource;
use cannonade_web::{Server, ServerSettings, Stopper};
use serde_json::Value;

/// Any answer has to come within this, however busy the machine is.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// A running server, which ends with its owner.
pub struct TestServer {
    pub address: SocketAddr,
    pub token: String,
    /// The address that leads to the page once.
    pub opening_url: String,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    /// Starts a server that keeps no games.
    pub fn start() -> TestServer {
        TestServer::start_with(None)
    }

    /// Starts a server that keeps the games in this folder.
    pub fn start_keeping(games: &Path) -> TestServer {
        TestServer::start_with(Some(games.to_owned()))
    }

    fn start_with(games: Option<PathBuf>) -> TestServer {
        let settings = ServerSettings {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            threads: 1,
            hash_mib: 8,
            tables: TableSource::BuiltIn,
            games,
        };
        let server = Server::bind(&settings).expect("a free port");
        let url = server.url();
        let mut parts = url.trim_start_matches("http://").split('/');
        let address = parts.next().expect("an address").parse().expect("an address");
        let token = parts.next().expect("a token").to_owned();
        let opening_url = server.opening_url().expect("a ticket");
        let stopper = server.stopper();
        let thread = thread::spawn(move || server.run());
        TestServer { address, token, opening_url, stopper, thread: Some(thread) }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(DEADLINE)).expect("a timeout");
        stream.set_write_timeout(Some(DEADLINE)).expect("a timeout");
        stream
    }

    /// Sends bytes, and reads all until the server closes the connection.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may refuse before it has read all.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut text = Vec::new();
        let end = stream.read_to_end(&mut text);
        assert!(end.is_ok() || !text.is_empty(), "the connection ends without an answer: {end:?}");
        Answer::parse(&text)
    }

    /// A request with these headers besides `Host`.
    pub fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let Self { address, token, .. } = self;
        let length = body.len();
        let head = format!(
            "{method} /{token}/{path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n{headers}\r\n"
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let text = body.to_string();
        self.request("POST", path, "Content-Type: application/json\r\n", text.as_bytes())
    }

    /// Calls a function.
    pub fn call(&self, name: &str, input: &Value) -> Answer {
        self.post(&format!("api/{name}"), input)
    }

    /// Calls a function that takes a file.
    pub fn send(&self, call: &str, bytes: &[u8]) -> Answer {
        let octets = "Content-Type: application/octet-stream\r\n";
        self.request("POST", &format!("api/{call}"), octets, bytes)
    }

    /// Begins a search; a stream that is refused ends at once.
    pub fn search(&self, name: &str, input: &Value) -> Events {
        let TestServer { address, token, .. } = self;
        let body = input.to_string();
        let length = body.len();
        let head = format!(
            "POST /{token}/api/{name} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\
             Content-Type: application/json\r\n\r\n{body}"
        );
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).expect("the server reads");
        Events { lines: BufReader::new(stream) }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The events of a search.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event, a value of JSON in a line; `None` at the end.
    fn next(&mut self) -> Option<Value> {
        let end = Instant::now() + DEADLINE;
        while Instant::now() < end {
            let mut line = String::new();
            if self.lines.read_line(&mut line).expect("the stream goes on") == 0 {
                return None;
            }
            if let Some(value) = line.starts_with('{').then(|| serde_json::from_str(&line)) {
                return Some(value.expect("JSON"));
            }
        }
        panic!("the stream does not end");
    }

    /// The next event of this name for which the condition holds.
    pub fn wait_for(&mut self, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
        while let Some(event) = self.next() {
            if let Some(value) = event.get(name).filter(|value| holds(value)) {
                return value.clone();
            }
        }
        panic!("the stream has ended; there was no event '{name}' as it was waited for");
    }

    /// All events until the server ends the stream.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let status = text.get(9..12).and_then(|digits| digits.parse().ok()).unwrap_or(0);
        let split = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let (head, body) = match split {
            Some(at) => (String::from_utf8_lossy(&bytes[..at]).into_owned(), &bytes[at + 4..]),
            None => (text.into_owned(), &[][..]),
        };
        Answer { status, head, body: body.to_vec() }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The value of a response without an error.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// The message of an error.
    pub fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"].as_str().expect("a message").to_owned()
    }

    /// The status and the message of an error, as a line.
    pub fn refusal(&self) -> String {
        assert!(self.status >= 400, "{}", self.text());
        format!("{} {}\n", self.status, self.error(self.status))
    }
}

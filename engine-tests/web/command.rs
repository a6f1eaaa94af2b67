//! `cannonade web` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::{
    thread,
    time::{Duration, Instant},
};

#[cfg(unix)]
use super::client::DEADLINE;

use crate::common::program::the_program;

/// A running command, which ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &[&str]) -> (Running, String) {
    let mut child = the_program()
        .args(["web", "--no-open", "--no-games", "--threads", "1", "--hash", "8"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    (Running(child), line.trim().to_owned())
}

fn get(url: &str) -> String {
    let (address, path) = url.trim_start_matches("http://").split_once('/').expect("a path");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let head = format!("GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("the server reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("text");
    text
}

#[test]
fn the_first_line_is_the_address_of_the_page() {
    let (_running, url) = start(&[]);
    assert!(url.starts_with("http://127.0.0.1:") && url.ends_with('/'), "{url}");
    assert_eq!(url.trim_end_matches('/').rsplit('/').next().map(str::len), Some(32), "{url}");
    assert!(get(&url).starts_with("HTTP/1.1 200 OK"));
    assert!(get(&format!("{url}page.js")).contains("text/javascript"));
}

#[cfg(unix)]
#[test]
fn a_request_to_end_ends_the_server_in_good_order() {
    let (mut running, url) = start(&[]);
    let id = running.0.id().to_string();
    let (address, path) = url.trim_start_matches("http://").split_once('/').expect("a path");
    let body = r#"{"page":"a"}"#;
    let head = format!(
        "POST /{path}api/search HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.write_all(head.as_bytes()).expect("the server reads");
    // A stream that is open must not hold the end up.
    let mut events = BufReader::new(stream).lines();
    let is_streaming = events.any(|line| line.is_ok_and(|line| line.contains("started")));
    assert!(is_streaming, "the search has begun");
    Command::new("kill").args(["-TERM", &id]).status().expect("kill");
    // The stream has no end of its own.
    let deadline = Instant::now() + DEADLINE;
    let status = loop {
        if let Some(status) = running.0.try_wait().expect("a process") {
            break status;
        }
        assert!(Instant::now() < deadline, "the server does not end");
        thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success(), "{status}");
}

#[test]
fn a_port_that_is_taken_is_an_error_and_wrong_numbers_are_input_errors() {
    let (_running, url) = start(&[]);
    let port = url.trim_start_matches("http://127.0.0.1:").split('/').next().expect("a port");
    let second = |arguments: &[&str]| {
        let command = the_program()
            .args(["web", "--no-open", "--no-games"])
            .args(arguments)
            .output()
            .expect("the command starts");
        (command.status.code(), String::from_utf8_lossy(&command.stderr).into_owned())
    };
    let (code, message) = second(&["--port", port]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("choose another --port"), "{message}");
    let (code, message) = second(&["--port", "0", "--threads", "100000"]);
    assert_eq!(code, Some(2), "{message}");
    // An address for documents, which no machine has.
    let (code, message) = second(&["--address", "203.0.113.5"]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("cannot listen on 203.0.113.5:7790; it is not"), "{message}");
    let (code, message) = second(&["--address", "example.org"]);
    assert_eq!(code, Some(2), "{message}");
}

//! A response.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StatusCode {
    Ok,
    NoContent,
    SeeOther,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    Conflict,
    LengthRequired,
    BodyTooLarge,
    TargetTooLong,
    UnsupportedMediaType,
    HeadTooLarge,
    Unavailable,
}

impl StatusCode {
    const fn line(self) -> &'static str {
        match self {
            StatusCode::Ok => "200 OK",
            StatusCode::NoContent => "204 No Content",
            StatusCode::SeeOther => "303 See Other",
            StatusCode::BadRequest => "400 Bad Request",
            StatusCode::Forbidden => "403 Forbidden",
            StatusCode::NotFound => "404 Not Found",
            StatusCode::MethodNotAllowed => "405 Method Not Allowed",
            StatusCode::RequestTimeout => "408 Request Timeout",
            StatusCode::Conflict => "409 Conflict",
            StatusCode::LengthRequired => "411 Length Required",
            StatusCode::BodyTooLarge => "413 Content Too Large",
            StatusCode::TargetTooLong => "414 URI Too Long",
            StatusCode::UnsupportedMediaType => "415 Unsupported Media Type",
            StatusCode::HeadTooLarge => "431 Request Header Fields Too Large",
            StatusCode::Unavailable => "503 Service Unavailable",
        }
    }
}

/// The page may load only content of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
frame-ancestors 'none'";

/// A page that holds its styles and loads nothing.
const STATIC_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'";

/// Headers of every response. No other page may show it or read from it.
const COMMON_HEADERS: &str = "\
X-Content-Type-Options: nosniff\r\n\
Referrer-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cache-Control: no-store\r\n";

/// A response that is sent whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    content_type: &'static str,
    policy: &'static str,
    /// More headers, each with its line end.
    headers: String,
    body: Cow<'static, [u8]>,
}

impl Response {
    /// Returns a response with this body.
    pub(crate) fn new(content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Response {
        Response {
            status: StatusCode::Ok,
            content_type,
            policy: POLICY,
            headers: String::new(),
            body: body.into(),
        }
    }

    /// Returns a response without a body.
    pub(crate) fn empty() -> Response {
        Response { status: StatusCode::NoContent, ..Response::new("text/plain", Vec::new()) }
    }

    /// Sends the browser to another path of this server.
    pub(crate) fn redirect(path: &str) -> Response {
        let response = Response::new("text/plain", Vec::new());
        Response { status: StatusCode::SeeOther, ..response }.with_header("Location", path)
    }

    /// Returns a page of this program that holds its styles and no text from outside.
    pub(crate) fn static_page(html: String) -> Response {
        let page = Response::new("text/html; charset=utf-8", html.into_bytes());
        Response { policy: STATIC_POLICY, ..page }
    }

    /// Returns the value as JSON.
    pub(crate) fn json(value: &impl Serialize) -> Response {
        // Maps with keys that are not text are the only values that cannot be written.
        let body = serde_json::to_vec(value).unwrap_or_default();
        Response::new("application/json", body)
    }

    /// Creates an error: `{"error": "..."}`.
    pub(crate) fn error(status: StatusCode, message: impl Into<String>) -> Response {
        let body = serde_json::json!({ "error": message.into() });
        Response::json(&body).with_status(status)
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Response {
        Response { status, ..self }
    }

    /// Returns the response with one more header; neither text may hold a line end.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Response {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// Returns the response as a file that the browser saves under this name.
    pub(crate) fn into_attachment(self, name: &str) -> Response {
        self.with_header("Content-Disposition", &format!("attachment; filename=\"{name}\""))
    }

    /// Returns the status as a number, and the content.
    pub(crate) fn into_parts(self) -> (u16, Vec<u8>) {
        let number = self.status.line().split(' ').next().and_then(|number| number.parse().ok());
        (number.unwrap_or(500), self.body.into_owned())
    }

    /// Returns the bytes of the response; without the body if the method is HEAD.
    pub(super) fn bytes(&self, keep_alive: bool, is_head: bool) -> Vec<u8> {
        let Response { content_type, policy, headers, body, .. } = self;
        let (status, length) = (self.status.line(), body.len());
        let connection = if keep_alive { "keep-alive" } else { "close" };
        let content = match self.status {
            StatusCode::NoContent => String::new(),
            _ => format!("Content-Type: {content_type}\r\nContent-Length: {length}\r\n"),
        };
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\n{content}\
             Connection: {connection}\r\nContent-Security-Policy: {policy}\r\n\
             {COMMON_HEADERS}{headers}\r\n"
        )
        .into_bytes();
        if !is_head {
            bytes.extend_from_slice(body);
        }
        bytes
    }

    /// Returns the head of a stream of JSON, one value a line, which lasts as long as its connection.
    pub(super) fn event_stream_head() -> String {
        let status = StatusCode::Ok.line();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\
             Content-Security-Policy: {POLICY}\r\n{COMMON_HEADERS}\r\n"
        )
    }
}

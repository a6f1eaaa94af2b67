//! A request, read from bytes.

use std::str;

use super::{Response, StatusCode};

/// The maximum number of bytes of the request line and the headers.
pub(super) const MAX_HEAD: usize = 16 << 10;

/// The maximum number of bytes of a target.
const MAX_TARGET: usize = 2048;

/// The maximum number of headers.
const MAX_HEADERS: usize = 64;

/// The maximum number of bytes of a body: game collections are the largest.
const MAX_BODY: usize = 4 << 20;

/// The reason why a request is refused before its content is examined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Malformed {
    pub(super) status: StatusCode,
    pub(super) reason: &'static str,
}

impl From<Malformed> for Response {
    fn from(malformed: Malformed) -> Response {
        Response::error(malformed.status, malformed.reason)
    }
}

const fn malformed(status: StatusCode, reason: &'static str) -> Malformed {
    Malformed { status, reason }
}

/// A request; its body is empty until it has arrived.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path of the target, without the query, as it was sent.
    pub(crate) path: String,
    /// The query of the target, without `?`.
    query: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    /// `Sec-Fetch-Site`: the relation of the requesting page's site to this one, according to the
    /// browser.
    pub(crate) fetch_site: Option<String>,
    /// `Sec-Fetch-Mode`: `navigate` if the browser opens a page.
    pub(crate) fetch_mode: Option<String>,
    /// True if `Accept-Encoding` has gzip.
    pub(crate) accepts_gzip: bool,
    /// `Accept`: the media types that the client takes.
    accept: Option<String>,
    /// The media type of the body without its parameters.
    pub(crate) content_type: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Creates a request without headers and body; `target` is a path with its query.
    fn new(method: &str, target: &str) -> Request {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Request::default()
        }
    }

    /// Returns whether a browser opens the address as a page.
    pub(crate) fn wants_page(&self) -> bool {
        self.accept.as_ref().is_some_and(|types| types.contains("text/html"))
    }

    /// Returns the query of the target, as it was sent.
    pub(crate) fn query(&self) -> &str {
        &self.query
    }
}

/// The head of a request, with the properties of the rest.
#[derive(Debug)]
pub(super) struct RequestHead {
    pub(super) request: Request,
    /// The bytes of the head.
    pub(super) length: usize,
    /// The bytes of the body.
    pub(super) body: usize,
    /// True if another request may follow on the connection.
    pub(super) keep_alive: bool,
    /// True if the client waits for `100 Continue` before it sends the body.
    pub(super) expects_continue: bool,
}

impl RequestHead {
    /// Reads the head at the beginning of the bytes; `None` if it is not complete yet.
    ///
    /// # Errors
    /// If the bytes are not HTTP/1, or ask for more than the limits allow.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<RequestHead>, Malformed> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(length)) if length <= MAX_HEAD => length,
            Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD => return Ok(None),
            Ok(_) => return Err(malformed(StatusCode::HeadTooLarge, "the headers are too long")),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(malformed(StatusCode::HeadTooLarge, "there are too many headers"));
            }
            Err(_) => {
                return Err(malformed(StatusCode::BadRequest, "this is not an HTTP/1 request"));
            }
        };
        let (Some(method), Some(target), Some(version)) =
            (parsed.method, parsed.path, parsed.version)
        else {
            return Err(malformed(StatusCode::BadRequest, "the request line is not complete"));
        };
        if target.len() > MAX_TARGET {
            return Err(malformed(StatusCode::TargetTooLong, "the address is too long"));
        }
        if !target.starts_with('/') {
            return Err(malformed(StatusCode::BadRequest, "the target must be a path"));
        }
        let mut head = RequestHead {
            request: Request::new(method, target),
            length,
            body: 0,
            keep_alive: version == 1,
            expects_continue: false,
        };
        head.read_headers(parsed.headers)?;
        Ok(Some(head))
    }

    fn read_headers(&mut self, headers: &[httparse::Header<'_>]) -> Result<(), Malformed> {
        let mut body = None;
        for header in headers {
            let value = str::from_utf8(header.value).map(str::trim);
            let text = |kept: &mut Option<String>| match (value, &kept) {
                (Ok(value), None) => {
                    *kept = Some(value.to_owned());
                    Ok(())
                }
                _ => Err(malformed(StatusCode::BadRequest, "a header is repeated or is not text")),
            };
            match header.name.to_ascii_lowercase().as_str() {
                "host" => text(&mut self.request.host)?,
                "origin" => text(&mut self.request.origin)?,
                "sec-fetch-site" => text(&mut self.request.fetch_site)?,
                "sec-fetch-mode" => text(&mut self.request.fetch_mode)?,
                "accept-encoding" => self.request.accepts_gzip = value.is_ok_and(names_gzip),
                "accept" => self.request.accept = value.ok().map(str::to_owned),
                "content-type" => {
                    text(&mut self.request.content_type)?;
                    if let Some(kind) = &mut self.request.content_type {
                        kind.truncate(kind.find(';').unwrap_or(kind.len()));
                        *kind = kind.trim().to_ascii_lowercase();
                    }
                }
                "content-length" => text(&mut body)?,
                "transfer-encoding" => {
                    return Err(malformed(
                        StatusCode::LengthRequired,
                        "send a Content-Length instead",
                    ));
                }
                "expect" => {
                    self.expects_continue =
                        value.is_ok_and(|value| value.eq_ignore_ascii_case("100-continue"));
                }
                "connection" => {
                    let options = value.unwrap_or("close").split(',').map(str::trim);
                    if options.into_iter().any(|option| option.eq_ignore_ascii_case("close")) {
                        self.keep_alive = false;
                    }
                }
                _ => {}
            }
        }
        if let Some(text) = body {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number {
                return Err(malformed(StatusCode::BadRequest, "Content-Length is not a number"));
            }
            // A number that is too long exceeds the limit of a body.
            self.body = text.parse().unwrap_or(usize::MAX);
            if self.body > MAX_BODY {
                return Err(malformed(StatusCode::BodyTooLarge, "the body is larger than 4 MiB"));
            }
        }
        Ok(())
    }
}

/// Returns whether a list such as `br;q=1.0, gzip` has gzip, and not with the weight 0.
fn names_gzip(list: &str) -> bool {
    list.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> Option<StatusCode> {
        RequestHead::parse(text.as_bytes()).err().map(|malformed| malformed.status)
    }

    #[test]
    fn a_request_is_read_with_its_headers() {
        let text = "POST /a/b?x=1&y=2 HTTP/1.1\r\nHost: localhost:80\r\ncontent-length: 5\r\n\
                    Content-Type: Application/JSON; charset=utf-8\r\n\r\nhello";
        let head = RequestHead::parse(text.as_bytes()).expect("well formed").expect("complete");
        assert_eq!((head.length, head.body, head.keep_alive), (text.len() - 5, 5, true));
        assert_eq!((head.request.method.as_str(), head.request.path.as_str()), ("POST", "/a/b"));
        assert_eq!(head.request.query(), "x=1&y=2");
        assert_eq!(head.request.host.as_deref(), Some("localhost:80"));
        assert_eq!(head.request.content_type.as_deref(), Some("application/json"));
        for end in 0..head.length {
            assert!(matches!(RequestHead::parse(&text.as_bytes()[..end]), Ok(None)), "{end}");
        }
    }

    #[test]
    fn gzip_is_used_if_the_client_names_it() {
        for (list, is_named) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.2", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0, br", false),
            ("gzip;q=x", false),
            ("x-gzip, identity", false),
            ("", false),
        ] {
            assert_eq!(names_gzip(list), is_named, "{list}");
        }
    }

    #[test]
    fn malformed_requests_are_refused_with_the_fitting_status() {
        let with = |header: &str| status(&format!("GET / HTTP/1.1\r\n{header}\r\n\r\n"));
        assert_eq!(with("Host: a"), None);
        assert_eq!(with("Host: a\r\nHost: b"), Some(StatusCode::BadRequest));
        assert_eq!(with("Content-Length: -1"), Some(StatusCode::BadRequest));
        assert_eq!(with("Content-Length: 1, 1"), Some(StatusCode::BadRequest));
        assert_eq!(with("Content-Length: 4194305"), Some(StatusCode::BodyTooLarge));
        assert_eq!(with("Content-Length: 99999999999999999999"), Some(StatusCode::BodyTooLarge));
        assert_eq!(with("Transfer-Encoding: chunked"), Some(StatusCode::LengthRequired));
        assert_eq!(with(&"X: y\r\n".repeat(70)), Some(StatusCode::HeadTooLarge));
        assert_eq!(with(&format!("X: {}", "y".repeat(MAX_HEAD))), Some(StatusCode::HeadTooLarge));
        assert_eq!(status(&"y".repeat(MAX_HEAD)), Some(StatusCode::HeadTooLarge));
        assert_eq!(status("\0\x01\x02 \r\n\r\n"), Some(StatusCode::BadRequest));
        assert_eq!(status("GET http://a/ HTTP/1.1\r\n\r\n"), Some(StatusCode::BadRequest));
        let long = "a".repeat(MAX_TARGET);
        assert_eq!(
            status(&format!("GET /{long} HTTP/1.1\r\n\r\n")),
            Some(StatusCode::TargetTooLong)
        );
    }
}

//! Access control: admits requests that come from this server's own page.
//!
//! A page of another site can make the browser send requests to 127.0.0.1. It is refused three
//! times: it does not know the token of the address, the browser sends its `Origin`, and if it has
//! its own name resolved to 127.0.0.1 (DNS rebinding), that name stands in `Host`.

use std::net::{IpAddr, SocketAddr};

use super::http::{Request, Response, StatusCode};

/// Checks `Host`, `Origin` and `Sec-Fetch-Site` of a request that came to this address.
///
/// # Errors
/// The response to a request that is refused.
pub(super) fn check(request: &Request, local: SocketAddr) -> Result<(), Response> {
    let refused = |message: &str| Err(Response::error(StatusCode::Forbidden, message));
    let Some(host) = &request.host else {
        return Err(Response::error(StatusCode::BadRequest, "the header Host is missing"));
    };
    if !is_own(host, local) {
        return refused("the header Host does not name this server");
    }
    if let Some(origin) = &request.origin {
        let is_same = origin.strip_prefix("http://").is_some_and(|name| is_own(name, local));
        if !is_same {
            return refused("requests from other sites are refused");
        }
    }
    // A link to the page in another page, such as a terminal in the browser, may be followed.
    let is_link = request.method == "GET" && request.fetch_mode.as_deref() == Some("navigate");
    // `none` is an address that was typed or opened by another program.
    match request.fetch_site.as_deref() {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_link => Ok(()),
        Some(_) => refused("requests from other sites are refused"),
    }
}

/// Returns whether `name:port` is this server: the address itself or `localhost`. Other hosts are
/// refused (DNS rebinding).
fn is_own(host: &str, local: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        // The colon of `[::1]` is not that of a port.
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let own = local.ip().to_canonical();
    let is_address = name.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical() == own);
    let is_localhost = own.is_loopback() && name.eq_ignore_ascii_case("localhost");
    port == Some(local.port()) && (is_address || is_localhost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(host: &str, local: &str) -> bool {
        is_own(host, local.parse().expect("an address"))
    }

    #[test]
    fn only_the_address_itself_and_localhost_are_own_names() {
        for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000"] {
            assert!(own(host, "127.0.0.1:8000"), "{host}");
        }
        for host in [
            "",
            ":",
            ":8000",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:8001",
            "127.0.0.1:8000:8000",
            "127.0.0.2:8000",
            "evil.example:8000",
            "localhost.evil.example:8000",
            "localhost",
            "127.0.0.1.evil.example:8000",
            "127.0.0.1:+8000x",
        ] {
            assert!(!own(host, "127.0.0.1:8000"), "{host}");
        }
        assert!(own("[::1]:8000", "[::1]:8000"));
        assert!(own("127.0.0.1", "127.0.0.1:80"));
        assert!(own("192.168.1.5:8000", "[::ffff:192.168.1.5]:8000"));
        assert!(!own("localhost:8000", "192.168.1.5:8000"));
    }
}

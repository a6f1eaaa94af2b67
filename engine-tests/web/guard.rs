//! Access control: requests that are admitted and refused.

use std::io::{Read, Write};

use super::client::TestServer;

#[test]
fn the_page_is_whole_and_may_load_nothing_from_elsewhere() {
    let server = TestServer::start();
    let page = server.get("");
    assert_eq!(page.status, 200);
    for header in [
        "Content-Security-Policy: default-src 'none'",
        "X-Content-Type-Options: nosniff",
        "frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy: same-origin",
    ] {
        assert!(page.head.contains(header), "{header} is missing in\n{}", page.head);
    }
    assert!(!page.head.contains("Access-Control"), "{}", page.head);
    let text = page.text();
    let mut parts = 0;
    for attribute in ["src=\"", "href=\""] {
        for found in text.split(attribute).skip(1) {
            let name = found.split('"').next().expect("a name");
            if name.starts_with('#') || name.starts_with("data:") {
                continue;
            }
            assert!(!name.contains("//"), "{name}");
            assert_eq!(server.get(name).status, 200, "{name}");
            parts += 1;
        }
    }
    assert!(parts >= 2, "the page has a style sheet and a script");
}

#[test]
fn without_the_token_nothing_is_answered() {
    let server = TestServer::start();
    let address = server.address;
    let token = &server.token;
    let wrong = format!("/{}x/", &token[..token.len() - 1]);
    for path in ["/", "/api/about", &wrong, "//", "/favicon.ico"] {
        let answer = server.raw(
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        );
        assert_eq!(answer.status, 403, "{path}");
        assert!(!answer.text().contains(token.as_str()), "{path}");
    }
}

#[test]
fn the_address_without_its_last_slash_leads_to_the_page() {
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    for (path, status) in [(format!("/{token}"), 303), (format!("/{}", &token[1..]), 403)] {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let answer = server.raw(head.as_bytes());
        assert_eq!(answer.status, status, "{path}");
        let leads = answer.head.contains(&format!("Location: /{token}/"));
        assert_eq!(leads, status == 303, "{path}: {}", answer.head);
    }
}

#[test]
fn a_browser_is_started_with_an_address_that_leads_to_the_page_once() {
    let server = TestServer::start();
    let address = server.address;
    assert!(!server.opening_url.contains(&server.token));
    let path = server.opening_url.trim_start_matches(&format!("http://{address}"));
    let open = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        server.raw(head.as_bytes())
    };
    assert_eq!(open(&format!("{path}0")).status, 403);
    let first = open(path);
    assert_eq!(first.status, 303);
    assert!(first.head.contains(&format!("Location: /{}/", server.token)), "{}", first.head);
    assert_eq!(open(path).status, 403);
}

#[test]
fn requests_of_other_sites_are_refused() {
    let server = TestServer::start();
    let (address, token, port) = (server.address, &server.token, server.address.port());
    let with_host = |host: &str| {
        let text = format!("GET /{token}/api/about HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        server.raw(text.as_bytes()).status
    };
    assert_eq!(with_host(&format!("Host: localhost:{port}\r\n")), 200);
    for host in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        "Host: \r\n".to_owned(),
    ] {
        assert_eq!(with_host(&host), 403, "{host}");
    }
    assert_eq!(with_host(""), 400);
    assert_eq!(with_host(&format!("Host: {address}\r\nHost: {address}\r\n")), 400);

    let with = |header: &str| server.request("GET", "api/about", header, b"").status;
    assert_eq!(with(&format!("Origin: http://{address}\r\n")), 200);
    assert_eq!(with("Sec-Fetch-Site: same-origin\r\n"), 200);
    assert_eq!(with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), 200);
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    assert_eq!(server.request("POST", "api/judge", link, b"").status, 403);
    for header in [
        "Origin: null\r\n",
        "Origin: https://evil.example\r\n",
        &format!("Origin: https://{address}\r\n"),
        &format!("Origin: http://{address}.evil.example\r\n"),
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        assert_eq!(with(header), 403, "{header}");
    }
}

#[test]
fn no_file_of_the_machine_can_be_read() {
    let server = TestServer::start();
    for path in [
        "../../../../etc/passwd",
        "..%2f..%2fetc/passwd",
        "%2e%2e/Cargo.toml",
        "/etc/passwd",
        "page/index.html",
        "page.js/",
        "page.js%00.html",
        "..\\..\\Cargo.toml",
        "file:///etc/passwd",
        "api/games/../../style.css",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn wrong_methods_types_and_functions_have_their_status() {
    let server = TestServer::start();
    let status = |method: &str, path: &str| server.request(method, path, "", b"").status;
    assert_eq!(status("PUT", ""), 405);
    assert_eq!(status("HEAD", ""), 200);
    for name in ["judge", "write", "search", "analyse", "keep", "remove", "read", "open-book"] {
        let path = format!("api/{name}");
        assert_eq!(status("GET", &path), 405, "{name}");
        assert_eq!(status("OPTIONS", &path), 405, "{name}");
        // Other sites can send this without permission.
        for form in ["application/x-www-form-urlencoded", "text/plain"] {
            let header = format!("Content-Type: {form}\r\n");
            let answer = server.request("POST", &path, &header, b"{\"moves\":\"h2e2\"}");
            assert_eq!(answer.status, 415, "{name} {form}");
        }
    }
    for name in ["about", "books", "games"] {
        assert_eq!(status("POST", &format!("api/{name}")), 405, "{name}");
        assert_eq!(status("HEAD", &format!("api/{name}")), 200, "{name}");
    }
    for path in ["api/fly", "api/", "api/games/0", "api/sessions", "other/about"] {
        assert_eq!(status("GET", path), 404, "{path}");
        assert_eq!(status("POST", path), 404, "{path}");
    }
    let json = "Content-Type: application/json\r\n";
    assert_eq!(server.request("POST", "api/read", json, b"{}").status, 415);
}

#[test]
fn refused_clients_are_answered_before_the_body_has_arrived() {
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    let wrong_token = format!("POST /{}/api/judge HTTP/1.1\r\nHost: {address}\r\n", &token[1..]);
    let other_site = format!(
        "POST /{token}/api/judge HTTP/1.1\r\nHost: {address}\r\nOrigin: http://evil.example\r\n"
    );
    for head in [wrong_token, other_site] {
        let mut stream = server.connect();
        let head = format!("{head}Content-Length: 4000000\r\nExpect: 100-continue\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("the server reads");
        let mut text = [0; 12];
        stream.read_exact(&mut text).expect("an answer");
        // The body never arrives; a server that waits for it answers 408.
        assert_eq!(&text, b"HTTP/1.1 403", "{head}");
    }
}

//! Requests as calls of functions, and their answers as responses.

use super::assets::asset;
use super::functions::{Answer, Call, Function, Input, Services};
use super::http::{Request, Response, StatusCode};
use super::request_error::RequestError;
use super::streams::EventStream;

/// The answer to a request.
pub(super) enum Reply {
    Whole(Response),
    /// The events of a search.
    Events(EventStream),
}

/// Answers a request for a path after the token.
pub(super) fn reply(request: &Request, path: &str, services: &Services) -> Reply {
    let name = match path.split_once('/') {
        Some(("api", name)) => name,
        Some(_) => return Reply::Whole(not_found()),
        None => return Reply::Whole(part_of_page(request, path)),
    };
    let Some(function) = Function::find(name) else { return Reply::Whole(not_found()) };
    let method = if function.input == Input::Nothing { "GET" } else { "POST" };
    let is_head = method == "GET" && request.method == "HEAD";
    if request.method != method && !is_head {
        return Reply::Whole(wrong_method(method));
    }
    // Other sites can send forms and plain text without permission, but not these types.
    let media_type = match function.input {
        Input::Nothing => None,
        Input::Json => Some("application/json"),
        Input::Bytes => Some("application/octet-stream"),
    };
    if let Some(wanted) = media_type
        && request.content_type.as_deref() != Some(wanted)
    {
        return Reply::Whole(RequestError::MediaType(wanted).into());
    }
    let call = Call { query: request.query(), body: &request.body };
    Reply::Whole(match (function.run)(&call, services) {
        Ok(Answer::Stream(stream)) => return Reply::Events(stream),
        Ok(Answer::Done) => Response::empty(),
        Ok(Answer::Json(value)) => Response::json(&value),
        Ok(Answer::File { media_type, name, bytes }) => {
            Response::new(media_type, bytes).into_attachment(&name)
        }
        Err(error) => error.into(),
    })
}

fn part_of_page(request: &Request, name: &str) -> Response {
    match asset(name, request) {
        None => not_found(),
        Some(_) if !matches!(request.method.as_str(), "GET" | "HEAD") => wrong_method("GET"),
        Some(part) => part,
    }
}

fn not_found() -> Response {
    Response::error(StatusCode::NotFound, "there is nothing at this address")
}

fn wrong_method(allowed: &'static str) -> Response {
    let response = Response::error(StatusCode::MethodNotAllowed, format!("use {allowed}"));
    response.with_header("Allow", allowed)
}

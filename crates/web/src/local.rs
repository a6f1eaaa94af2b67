//! The functions without a server: calls and events travel as messages, for a page that has the
//! engine in a worker of its own.

use std::time::Duration;

use cannonade_engine::{Engine, HostThreads, OptionError};
use crossbeam_channel::unbounded;
use parking_lot::Mutex;

use super::books::Books;
use super::functions::{About, Answer, Call, Function, Services};
use super::http::Response;
use super::request_error::RequestError;
use super::streams::EventStream;
use super::turns::{EngineMessage, Turns};

/// The minimum pause between two reports of a search that goes on by itself.
const EVENT_PAUSE: Duration = Duration::from_millis(60);

/// Sends what a search tells: the number of the stream, and an event as JSON, or nothing at its end.
pub type SendEvent = Box<dyn Fn(u32, Option<&str>) + Send + Sync>;

/// The functions of one page, and their engine: it has the threads of the host, or works in
/// [`LocalServices::advance`].
pub struct LocalServices {
    services: Services,
    turns: Turns,
    streams: Mutex<Streams>,
}

/// What a function has returned.
#[derive(Debug)]
pub struct LocalAnswer {
    /// 200, or the status with which a server refuses the call.
    pub status: u16,
    /// The media type of the content.
    pub media_type: String,
    /// The name of a file; empty if it is none.
    pub name: String,
    /// The content.
    pub body: Vec<u8>,
}

/// The searches that are listened to.
struct Streams {
    open: Vec<(u32, EventStream)>,
    send: SendEvent,
}

impl Streams {
    /// Sends all events since the last call.
    fn send(&mut self) {
        let Streams { open, send } = self;
        open.retain(|(number, stream)| {
            while let Some(events) = stream.next(Duration::ZERO) {
                if events.is_empty() {
                    return true;
                }
                for event in events {
                    send(*number, serde_json::to_string(&event).ok().as_deref());
                }
            }
            send(*number, None);
            false
        });
    }
}

impl LocalServices {
    /// Starts the engine, with all threads of the host.
    ///
    /// # Errors
    /// If there is no memory for a transposition table of this size.
    pub fn new(
        hash_mib: usize,
        send: SendEvent,
        host: Option<HostThreads>,
    ) -> Result<LocalServices, OptionError> {
        let threads = host.as_ref().map_or(1, |host| host.most);
        let (event_sender, events) = unbounded();
        let mut engine = Engine::without_threads(event_sender, threads, host);
        engine.set_option("Hash", &hash_mib.to_string())?;
        let (sender, messages) = unbounded();
        let services = Services {
            about: About::new(threads, hash_mib, None),
            books: Books::default(),
            tables: engine.tables(),
            engine: sender,
            games: None,
        };
        let turns = Turns::new(engine, events, messages);
        let streams = Mutex::new(Streams { open: Vec::new(), send });
        Ok(LocalServices { services, turns, streams })
    }

    /// Calls a function; `query` has names and values as in an address. The events of a search come
    /// with the number of the call.
    pub fn call(&self, number: u32, name: &str, query: &str, body: &[u8]) -> LocalAnswer {
        let call = Call { query, body };
        let Some(function) = Function::find(name) else {
            return refused(RequestError::NoFunction.into());
        };
        let answer = |media_type: &str, name: String, body| LocalAnswer {
            status: 200,
            media_type: media_type.to_owned(),
            name,
            body,
        };
        match (function.run)(&call, &self.services) {
            Ok(Answer::Done) => answer("application/json", String::new(), b"null".to_vec()),
            Ok(Answer::Json(value)) => {
                answer("application/json", String::new(), value.to_string().into_bytes())
            }
            Ok(Answer::File { media_type, name, bytes }) => answer(media_type, name, bytes),
            Ok(Answer::Stream(stream)) => {
                self.streams.lock().open.push((number, stream));
                answer("application/json", String::new(), b"null".to_vec())
            }
            Err(error) => refused(error.into()),
        }
    }

    /// Ends the listening to a search.
    pub fn close(&self, number: u32) {
        self.streams.lock().open.retain(|(open, _)| *open != number);
        self.services.send(EngineMessage::Review);
    }

    /// Lets an engine without threads work for about the time `slice`, and sends what was found.
    /// Returns the time after which to call this again; `None` if only a call can bring new work.
    pub fn advance(&mut self, slice: Duration) -> Option<Duration> {
        let time = self.turns.advance(slice);
        self.streams.lock().send();
        // A search that goes on by itself sends no more often than that of a server.
        time.map(|time| if time.is_zero() { time } else { time.max(EVENT_PAUSE) })
    }
}

fn refused(response: Response) -> LocalAnswer {
    let (status, body) = response.into_parts();
    LocalAnswer { status, media_type: "application/json".to_owned(), name: String::new(), body }
}

#[cfg(test)]
mod tests {
    use std::mem;
    use std::sync::Arc;

    use serde_json::{Value, json};
    use web_time::Instant;

    use super::*;

    type Sent = Arc<Mutex<Vec<(u32, Value)>>>;

    const SLICE: Duration = Duration::from_millis(10);

    /// Returns services, and a list of the events that they send; null is the end of a stream.
    fn services() -> (LocalServices, Sent) {
        let sent = Sent::default();
        let kept = Arc::clone(&sent);
        let send = move |stream: u32, event: Option<&str>| {
            let event =
                event.map_or(Value::Null, |event| serde_json::from_str(event).expect("JSON"));
            kept.lock().push((stream, event));
        };
        let services = LocalServices::new(1, Box::new(send), None);
        (services.expect("an engine"), sent)
    }

    fn call(services: &LocalServices, number: u32, name: &str, body: &Value) -> (u16, Value) {
        let answer = services.call(number, name, "", body.to_string().as_bytes());
        (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    /// Works until nothing is left to do.
    fn finish(services: &mut LocalServices) {
        let start = Instant::now();
        while let Some(time) = services.advance(SLICE) {
            assert!(start.elapsed() < Duration::from_secs(60), "no end");
            std::thread::sleep(time.min(Duration::from_millis(20)));
        }
    }

    #[test]
    fn calls_are_answered_as_by_the_server() {
        let (services, _) = services();
        let (status, about) = call(&services, 1, "about", &Value::Null);
        assert_eq!((status, &about["threads"], &about["hash"]), (200, &json!(1), &json!(1)));
        let (status, refused) = call(&services, 2, "judge", &json!([]));
        assert_eq!(status, 400, "{refused}");
        assert!(refused.to_string().contains("an object is expected"), "{refused}");
        let (_, judged) = call(&services, 3, "judge", &json!({ "moves": "C2=5" }));
        assert_eq!(judged["moves"], json!(["h2e2"]));
        assert_eq!(call(&services, 4, "nothing", &Value::Null).0, 404);
        let tree = json!({ "moves": [{ "parent": 0, "move": "h2e2" }] });
        let body = json!({ "tree": tree, "kind": "pgn", "notation": "wxf" }).to_string();
        let saved = services.call(5, "write", "", body.as_bytes());
        assert_eq!(saved.name, "game.pgn");
        assert!(String::from_utf8(saved.body).expect("text").contains("C2=5"));
    }

    #[test]
    fn an_analysis_sends_its_lines_and_ends_by_a_call() {
        let (mut services, sent) = services();
        assert_eq!(call(&services, 7, "search", &json!({ "page": "a", "lines": 2 })).0, 200);
        for _ in 0..40 {
            assert!(services.advance(SLICE).is_some(), "an analysis does not end by itself");
        }
        let events = mem::take(&mut *sent.lock());
        assert!(events.iter().all(|(stream, _)| *stream == 7), "{events:?}");
        assert_eq!(events[0].1, json!({ "started": {} }));
        let found = events.iter().rev().find(|(_, event)| event["lines"].is_object());
        let lines = &found.expect("lines").1["lines"]["lines"];
        assert_eq!(lines.as_array().map(Vec::len), Some(2), "{lines}");
        call(&services, 8, "stop", &json!({ "page": "a" }));
        finish(&mut services);
        assert_eq!(sent.lock().last(), Some(&(7, Value::Null)), "the end is not told");
    }

    #[test]
    fn a_new_search_of_a_page_replaces_the_old_one_and_pages_take_turns() {
        let (mut services, sent) = services();
        call(&services, 1, "search", &json!({ "page": "a" }));
        services.advance(SLICE);
        call(&services, 2, "search", &json!({ "page": "a", "moves": "h2e2" }));
        call(&services, 3, "search", &json!({ "page": "b", "moves": "b2e2" }));
        let has_begun = |number: u32| {
            let begun = (number, json!({ "started": {} }));
            sent.lock().contains(&begun)
        };
        let start = Instant::now();
        while !(has_begun(2) && has_begun(3)) {
            assert!(start.elapsed() < Duration::from_secs(60), "{:?}", sent.lock());
            services.advance(SLICE);
        }
        assert!(sent.lock().contains(&(1, Value::Null)), "the old search goes on");
        services.close(2);
        services.close(3);
        finish(&mut services);
    }

    #[test]
    fn the_analysis_of_a_game_values_every_position_and_ends() {
        let (mut services, sent) = services();
        let asked = json!({ "page": "a", "moves": "h2e2 h9g7 h0g2", "time": 20 });
        assert_eq!(call(&services, 1, "analyse", &asked).0, 200);
        finish(&mut services);
        let sent = sent.lock();
        let plies: Vec<u64> =
            sent.iter().filter_map(|(_, event)| event["value"]["ply"].as_u64()).collect();
        assert_eq!(plies, [3, 2, 1, 0]);
        assert_eq!(sent.last(), Some(&(1, Value::Null)));
    }

    #[test]
    fn a_level_answers_and_a_book_has_its_move_at_once() {
        let (mut services, sent) = services();
        let asked = json!({ "page": "a", "moves": "h2e2", "time": 100, "elo": 1500 });
        call(&services, 1, "search", &asked);
        finish(&mut services);
        let best = sent.lock().iter().find_map(|(_, event)| event.get("best").cloned());
        let best = best.expect("a move");
        assert_eq!((&best["score"], &best["book"]), (&Value::Null, &json!(false)));
        sent.lock().clear();
        call(&services, 2, "search", &json!({ "page": "a", "book": 0 }));
        finish(&mut services);
        let best = sent.lock().iter().find_map(|(_, event)| event.get("best").cloned());
        assert_eq!(best.expect("a move")["book"], true);
    }
}

//! Boards without a server: requests and changes travel as messages, for a page that has the engine
//! in a worker of its own.

use std::sync::Arc;
use std::time::Duration;

use cannonade_engine::{Engine, HostThreads, OptionError};
use crossbeam_channel::unbounded;
use parking_lot::Mutex;

use super::books::Books;
use super::http::{Request, Response};
use super::keeping::{GamesFolder, KeepFile, MemoryStorage, StoredFile, WaitingKeeper};
use super::routes::{About, EVENT_PAUSE, Reply, Services, reply};
use super::search_queue::SearchQueue;
use super::search_request::PoolHandle;
use super::session::Listener;
use super::sessions::Sessions;

/// The place of the kept games.
const KEPT_IN: &str = "IndexedDB";

/// Sends a change of a board: the number of the stream, the name of the event and its data.
pub type SendEvent = Box<dyn Fn(u32, &str, &str) + Send + Sync>;

/// The boards of one page, and their engine: it has the threads of the host, or works in
/// [`LocalBoards::advance`].
pub struct LocalBoards {
    services: Services,
    queue: SearchQueue,
    streams: Mutex<Streams>,
    keeper: WaitingKeeper,
    kept: Option<Arc<MemoryStorage>>,
}

/// An answer to a request.
pub struct LocalAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// Headers, each with its line end.
    pub headers: String,
    /// The content.
    pub body: Vec<u8>,
}

/// The open streams of changes.
struct Streams {
    open: Vec<(u32, Listener)>,
    send: SendEvent,
}

impl Streams {
    /// Sends all changes since the last call.
    fn send(&mut self) {
        for (number, listener) in &mut self.open {
            for (name, data) in listener.poll().events() {
                (self.send)(*number, name, &data);
            }
        }
    }
}

impl LocalBoards {
    /// Starts the engine, with all threads of the host.
    ///
    /// # Errors
    /// If there is no memory for a transposition table of this size.
    pub fn new(
        hash_mib: usize,
        send: SendEvent,
        host: Option<HostThreads>,
    ) -> Result<LocalBoards, OptionError> {
        let threads = host.as_ref().map_or(1, |host| host.most);
        let (event_sender, events) = unbounded();
        let mut engine = Engine::without_threads(event_sender, threads, host);
        engine.set_option("Hash", &hash_mib.to_string())?;
        let (sender, messages) = unbounded();
        let (keeper, keeper_handle) = WaitingKeeper::new();
        let services = Services {
            // A host of files has it.
            page: |_, _| None,
            about: About::new(threads, hash_mib, None),
            sessions: Sessions::new(PoolHandle::new(sender), keeper_handle),
            books: Books::default(),
            games: None,
        };
        let queue = SearchQueue::new(engine, events, messages);
        let streams = Mutex::new(Streams { open: Vec::new(), send });
        Ok(LocalBoards { services, queue, streams, keeper, kept: None })
    }

    /// Keeps games: those in `files`, and others in further files, which `keep` receives.
    pub fn keep_games(&mut self, files: Vec<(String, StoredFile)>, keep: KeepFile) {
        let kept = Arc::new(MemoryStorage::new(keep));
        for (name, file) in files {
            kept.take_over(&name, Some(file));
        }
        let folder = GamesFolder::in_memory(KEPT_IN, Arc::clone(&kept));
        self.services.about.games = Some(folder.name().to_owned());
        self.services.games = Some(folder);
        self.kept = Some(kept);
    }

    /// Takes over what another page has kept: a file, or that it was removed.
    pub fn take_over(&self, name: &str, file: Option<StoredFile>) {
        if let Some(kept) = &self.kept {
            kept.take_over(name, file);
        }
    }

    /// Notes why the browser keeps no files; `None` if it keeps them again.
    pub fn set_keeping_problem(&self, problem: Option<String>) {
        if let Some(kept) = &self.kept {
            kept.set_problem(problem);
        }
    }

    /// Answers a request; `target` is a path with its query, without a slash before it.
    pub fn answer(
        &self,
        method: &str,
        target: &str,
        content_type: Option<&str>,
        body: Vec<u8>,
    ) -> LocalAnswer {
        let request = Request::of_page(method, target, content_type, body);
        let response = match reply(&request, &request.path, &self.services) {
            Reply::Whole(response) => response,
            Reply::Events(_) => Response::empty(),
        };
        let (status, headers, body) = response.into_parts();
        LocalAnswer { status, headers, body }
    }

    /// Opens a stream of the changes at a path. Returns whether there is such a board.
    pub fn listen(&self, stream: u32, target: &str) -> bool {
        let request = Request::of_page("GET", target, None, Vec::new());
        let Reply::Events(session) = reply(&request, &request.path, &self.services) else {
            return false;
        };
        self.streams.lock().open.push((stream, session.listen()));
        true
    }

    /// Closes a stream.
    pub fn close(&self, stream: u32) {
        self.streams.lock().open.retain(|(number, _)| *number != stream);
    }

    /// Lets an engine without threads work for about the time `slice`, and sends what has changed.
    /// Returns the time after which to call this again; `None` if only a request can bring new
    /// work.
    pub fn advance(&mut self, slice: Duration) -> Option<Duration> {
        self.keep();
        // What a request has changed is seen before the engine works on.
        self.streams.lock().send();
        let time = self.queue.advance(slice);
        self.keep();
        self.streams.lock().send();
        // A search that goes on by itself sends no more often than that of a server.
        time.map(|time| if time.is_zero() { time } else { time.max(EVENT_PAUSE) })
    }

    fn keep(&mut self) {
        match &self.services.games {
            Some(folder) => self.keeper.keep(folder),
            None => self.keeper.forget(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::mem;

    use serde_json::{Value, json};
    use web_time::Instant;

    use super::*;

    type Sent = Arc<Mutex<Vec<(u32, String, Value)>>>;

    const SLICE: Duration = Duration::from_millis(10);

    /// Returns boards, and a list of the messages that they send.
    fn boards() -> (LocalBoards, Sent) {
        let sent = Sent::default();
        let kept = Arc::clone(&sent);
        let send = move |stream: u32, event: &str, data: &str| {
            let data = serde_json::from_str(data).expect("JSON");
            kept.lock().push((stream, event.to_owned(), data));
        };
        let boards = LocalBoards::new(1, Box::new(send), None).expect("an engine");
        (boards, sent)
    }

    fn ask(boards: &LocalBoards, method: &str, target: &str, body: Value) -> (u16, Value) {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let answer = boards.answer(method, target, Some("application/json"), body);
        (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    #[test]
    fn requests_are_answered_as_by_the_server() {
        let (boards, _) = boards();
        let (status, about) = ask(&boards, "GET", "api/about", Value::Null);
        assert_eq!((status, &about["threads"], &about["hash"]), (200, &json!(1), &json!(1)));
        let (status, refused) = ask(&boards, "POST", "api/sessions", json!([]));
        assert_eq!(status, 400, "{refused}");
        assert!(refused.to_string().contains("an object is expected"), "{refused}");
        let (status, opened) = ask(&boards, "POST", "api/sessions", json!({ "moves": "C2=5" }));
        assert_eq!((status, &opened["id"]), (200, &json!(1)));
        let (status, view) = ask(&boards, "POST", "api/sessions/1/move", json!({ "move": "h9g7" }));
        assert_eq!((status, &view["side"]), (200, &json!("red")));
        assert_eq!(ask(&boards, "POST", "api/sessions/1/move", json!({ "move": "a0a9" })).0, 400);
        assert_eq!(ask(&boards, "GET", "api/sessions/2", Value::Null).0, 404);
        let saved =
            boards.answer("GET", "api/sessions/1/save?kind=pgn&notation=wxf", None, Vec::new());
        assert!(saved.headers.contains("filename=\"game.pgn\""), "{}", saved.headers);
        assert!(String::from_utf8(saved.body).expect("text").contains("C2=5"));
    }

    #[test]
    fn an_analysis_sends_its_lines_and_ends_by_a_request() {
        let (mut boards, sent) = boards();
        ask(&boards, "POST", "api/sessions", json!({}));
        assert!(boards.listen(7, "api/sessions/1/events"));
        assert!(!boards.listen(8, "api/sessions/2/events"));
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": 2 }));
        for _ in 0..40 {
            assert!(boards.advance(SLICE).is_some(), "an analysis does not end by itself");
        }
        let events = mem::take(&mut *sent.lock());
        assert!(events.iter().all(|(stream, ..)| *stream == 7), "{events:?}");
        let found = events.iter().rev().find(|(_, event, _)| event == "lines").expect("lines");
        assert_eq!(found.2["lines"].as_array().map(Vec::len), Some(2), "{found:?}");
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": null }));
        boards.advance(SLICE);
        assert_eq!(boards.advance(SLICE), None, "nothing is left to do");
        assert!(!mem::take(&mut *sent.lock()).is_empty(), "the end is not shown");
        boards.close(7);
        ask(&boards, "POST", "api/sessions/1/move", json!({ "move": "h2e2" }));
        boards.advance(SLICE);
        assert!(sent.lock().is_empty(), "a closed stream is sent to");
    }

    #[test]
    fn an_analysis_ends_when_its_page_is_closed_and_goes_on_when_it_is_back() {
        let (mut boards, _) = boards();
        ask(&boards, "POST", "api/sessions", json!({}));
        assert!(boards.listen(1, "api/sessions/1/events"));
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": 1 }));
        assert!(boards.advance(SLICE).is_some(), "the analysis has not begun");
        assert_eq!(ask(&boards, "POST", "api/sessions/1/leave", Value::Null).0, 204);
        for _ in 0..5 {
            assert!(boards.advance(SLICE).is_some(), "another page still listens");
        }
        boards.close(1);
        boards.advance(SLICE);
        assert_eq!(boards.advance(SLICE), None, "the engine works for a closed page");
        assert!(boards.listen(2, "api/sessions/1/events"));
        for _ in 0..5 {
            assert!(boards.advance(SLICE).is_some(), "the analysis has ended");
        }
        // A page that comes back before its message has.
        ask(&boards, "POST", "api/sessions/1/leave", Value::Null);
        assert!(boards.listen(3, "api/sessions/1/events"));
        boards.close(2);
        for _ in 0..5 {
            assert!(boards.advance(SLICE).is_some(), "the analysis has ended");
        }
    }

    #[test]
    fn an_analysis_that_is_switched_off_and_on_begins_anew_without_another_request() {
        let (mut boards, _) = boards();
        ask(&boards, "POST", "api/sessions", json!({}));
        assert!(boards.listen(1, "api/sessions/1/events"));
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": 1 }));
        boards.advance(SLICE);
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": null }));
        ask(&boards, "POST", "api/sessions/1/analyse", json!({ "lines": 1 }));
        for _ in 0..5 {
            assert!(boards.advance(SLICE).is_some(), "the analysis waits");
        }
    }

    #[test]
    fn the_analysis_of_a_game_goes_on_without_another_request() {
        let (mut boards, _) = boards();
        ask(&boards, "POST", "api/sessions", json!({ "moves": "h2e2 h9g7 h0g2" }));
        let (status, view) = ask(&boards, "POST", "api/sessions/1/sweep", json!({ "time": 20 }));
        assert_eq!((status, &view["sweep"]), (200, &json!([0, 4])), "{view}");
        let start = Instant::now();
        while let Some(time) = boards.advance(SLICE) {
            assert!(start.elapsed() < Duration::from_secs(60), "no end");
            std::thread::sleep(time.min(Duration::from_millis(20)));
        }
        let (_, view) = ask(&boards, "GET", "api/sessions/1", Value::Null);
        assert_eq!(view["sweep"], Value::Null, "{view}");
    }

    #[test]
    fn games_are_kept_by_the_host_and_opened_from_there() {
        let (mut first, _) = boards();
        let files: Arc<Mutex<HashMap<String, Vec<u8>>>> = Arc::default();
        let outside = Arc::clone(&files);
        let keep = move |name: &str, bytes: Option<&[u8]>| {
            match bytes {
                Some(bytes) => outside.lock().insert(name.to_owned(), bytes.to_vec()),
                None => outside.lock().remove(name),
            };
        };
        first.keep_games(Vec::new(), Box::new(keep.clone()));
        ask(&first, "POST", "api/sessions", json!({}));
        let change = |boards: &LocalBoards, action: &str, body: Value| {
            ask(boards, "POST", &format!("api/sessions/1/{action}"), body)
        };
        change(&first, "move", json!({ "move": "h2e2" }));
        first.advance(SLICE);
        let listed = ask(&first, "GET", "api/games", Value::Null).1;
        let key = listed[0]["key"].as_str().expect("a kept game").to_owned();
        assert_eq!(change(&first, "goto", json!({ "to": "start" })).1["kept"]["key"], key.as_str());
        assert_eq!(files.lock().len(), 1, "one game, one file");

        // The page is loaded again.
        let of_file = |(name, bytes): (String, Vec<u8>)| (name, StoredFile { modified: 1, bytes });
        let kept = files.lock().clone().into_iter().map(of_file).collect();
        let (mut second, _) = boards();
        second.keep_games(kept, Box::new(keep));
        ask(&second, "POST", "api/sessions", json!({}));
        let (status, view) = change(&second, "open", json!({ "key": key }));
        assert_eq!((status, &view["moves"][0]["move"]), (200, &json!("h2e2")), "{view}");

        // Another page removes the game; its file is not written again, but a new one.
        second.take_over(&format!("{key}.json"), None);
        assert_eq!(change(&second, "open", json!({ "key": key })).0, 404);
        change(&second, "move", json!({ "move": "h9g7" }));
        second.advance(SLICE);
        let listed = ask(&second, "GET", "api/games", Value::Null).1;
        assert_eq!((listed.as_array().map(Vec::len), &listed[0]["plies"]), (Some(1), &json!(2)));
        assert_ne!(listed[0]["key"], key.as_str());

        // A browser that keeps nothing is told of, and keeps again later.
        second.set_keeping_problem(Some("the disk is full".to_owned()));
        change(&second, "move", json!({ "move": "h0g2" }));
        second.advance(SLICE);
        let view = ask(&second, "GET", "api/sessions/1", Value::Null).1;
        assert_eq!(view["kept"]["problem"], "the disk is full");
        second.set_keeping_problem(None);
        change(&second, "move", json!({ "move": "g6g5" }));
        second.advance(SLICE);
        let view = ask(&second, "GET", "api/sessions/1", Value::Null).1;
        assert_eq!(view["kept"]["problem"], Value::Null);
    }

    #[test]
    fn a_level_and_a_book_answer_moves() {
        let (mut boards, _) = boards();
        ask(&boards, "POST", "api/sessions", json!({}));
        let game = json!({ "red": { "engine": false }, "black": { "engine": true, "elo": 1500 }, "time": { "move": 100 } });
        let (status, view) = ask(&boards, "POST", "api/sessions/1/play", game);
        assert_eq!(status, 200, "{view}");
        ask(&boards, "POST", "api/sessions/1/move", json!({ "move": "h2e2" }));
        let start = Instant::now();
        while let Some(time) = boards.advance(SLICE) {
            assert!(start.elapsed() < Duration::from_secs(60), "no move");
            std::thread::sleep(time.min(Duration::from_millis(20)));
        }
        let (_, view) = ask(&boards, "GET", "api/sessions/1", Value::Null);
        assert_eq!(view["moves"].as_array().map(Vec::len), Some(2), "{view}");
    }
}

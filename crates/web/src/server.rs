//! The server: its socket, its connections and their shared state.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use cannonade_engine::{Engine, OptionError};
use cannonade_tables::TableSource;
use crossbeam_channel::unbounded;
use parking_lot::Mutex;
use thiserror::Error;

use super::books::Books;
use super::error_page::readable;
use super::functions::{About, Services};
use super::guard;
use super::http::{Connection, Received, Request, Response, StatusCode};
use super::keeping::GamesFolder;
use super::routes::{Reply, reply};
use super::streams::EventStream;
use super::token::AccessToken;
use super::turns::{EngineMessage, EngineThread};

/// The maximum number of connections at a time. A browser opens six for each tab at most.
const MAX_CONNECTIONS: usize = 512;

/// The stack of a connection's thread in bytes. The only recursion there is that of
/// the reader of XML, whose nesting is bounded.
const STACK: usize = 1 << 20;

/// The first part of the path of a ticket.
const OPEN: &str = "open";

/// The interval at which a silent stream shows that the server is there, and tests whether the page
/// is.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// The minimum pause of a stream between two changes.
const EVENT_PAUSE: Duration = Duration::from_millis(60);

/// The settings of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerSettings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Threads of the engine.
    pub threads: usize,
    /// Size of the engine's transposition table in MiB.
    pub hash_mib: usize,
    /// The engine's endgame tables besides the built-in ones.
    pub tables: TableSource,
    /// The folder that keeps the games, created if it does not exist; `None` to keep none.
    pub games: Option<PathBuf>,
}

/// Returns a remedy for the user when the server cannot listen.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => {
            "it is not an address of this machine; leave --address out, or give 0.0.0.0 for all of them"
        }
        io::ErrorKind::PermissionDenied => "choose a --port of 1024 or more",
        _ => "choose another --port",
    }
}

/// The reason why a server cannot start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address cannot be used.
    #[error("cannot listen on {address}; {}", remedy(.source))]
    Listen {
        /// The address with the port.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// The system has no random numbers for the token.
    #[error("the system provides no random numbers: {0}")]
    Random(getrandom::Error),
    /// The games cannot be kept.
    #[error("cannot keep games in {}: {error}; give --games another folder, or --no-games", folder.display())]
    Games {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The engine cannot be set up as requested.
    #[error(transparent)]
    Engine(#[from] OptionError),
}

/// A server that listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    engine: EngineThread,
    warning: Option<OptionError>,
}

/// The state that all connections share.
struct Shared {
    token: AccessToken,
    /// A token that opens the page once; see [`Server::opening_url`].
    ticket: Mutex<Option<AccessToken>>,
    services: Services,
    connections: AtomicUsize,
    is_stopping: AtomicBool,
}

/// Ends a server from another thread.
#[derive(Clone)]
pub struct Stopper {
    shared: Arc<Shared>,
    address: SocketAddr,
}

impl Stopper {
    /// Lets [`Server::run`] return soon.
    pub fn stop(&self) {
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        // The server waits for a connection.
        let _ = TcpStream::connect_timeout(&reachable(self.address), Duration::from_secs(1));
    }
}

/// Returns the address at which this machine reaches a server that listens there.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

impl Server {
    /// Listens on an address and starts the engine.
    ///
    /// # Errors
    /// If the address cannot be used, games cannot be kept there, or the engine not be set up so.
    pub fn bind(settings: &ServerSettings) -> Result<Server, ServerError> {
        let wanted = SocketAddr::new(settings.address, settings.port);
        let listen = |source| ServerError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let (sender, events) = unbounded();
        let mut engine = Engine::new(sender);
        let warning = engine.configure(settings.threads, settings.hash_mib, &settings.tables)?;
        let tables = engine.tables();
        let engine = EngineThread::start(engine, events)?;
        let games = settings.games.as_ref().map(|folder| {
            let games = |error| ServerError::Games { folder: folder.clone(), error };
            GamesFolder::open(folder).map_err(games)
        });
        let games = games.transpose()?;
        let shared = Arc::new(Shared {
            token: AccessToken::random().map_err(ServerError::Random)?,
            ticket: Mutex::default(),
            services: Services {
                about: About::new(settings.threads, settings.hash_mib, games.as_ref()),
                books: Books::default(),
                tables,
                engine: engine.sender().clone(),
                games,
            },
            connections: AtomicUsize::new(0),
            is_stopping: AtomicBool::new(false),
        });
        Ok(Server { listener, address, shared, engine, warning })
    }

    /// Returns the address of the page, which holds the token. A server on all addresses of the
    /// machine shows that of the machine itself.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.own_address(), self.shared.token)
    }

    /// Returns an address that leads to the page once. It is for starting a browser: the arguments
    /// of a process can be seen by all users of a machine, and the token must not be.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn opening_url(&self) -> Result<String, ServerError> {
        let ticket = AccessToken::random().map_err(ServerError::Random)?;
        let url = format!("http://{}/{OPEN}/{ticket}", self.own_address());
        *self.shared.ticket.lock() = Some(ticket);
        Ok(url)
    }

    /// Returns the address at which this machine reaches the server.
    fn own_address(&self) -> SocketAddr {
        reachable(self.address)
    }

    /// Returns the setting that could be used only in part, if any: damaged tables.
    pub fn warning(&self) -> Option<&OptionError> {
        self.warning.as_ref()
    }

    /// Returns a handle that ends the server.
    pub fn stopper(&self) -> Stopper {
        Stopper { shared: Arc::clone(&self.shared), address: self.address }
    }

    /// Answers until it is stopped.
    pub fn run(self) {
        for stream in self.listener.incoming() {
            if self.shared.is_stopping.load(Ordering::Relaxed) {
                break;
            }
            match stream {
                Ok(stream) => accept(stream, &self.shared),
                // Out of file descriptors, for instance: others have to end first.
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
        drop(self.engine);
    }
}

/// Counts a connection as long as it lives.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Gives a connection its thread. If there are too many, it is closed.
fn accept(stream: TcpStream, shared: &Arc<Shared>) {
    let others = shared.connections.fetch_add(1, Ordering::Relaxed);
    let counted = Counted(Arc::clone(shared));
    if others >= MAX_CONNECTIONS {
        return;
    }
    let serve = move || {
        if let Ok(connection) = Connection::new(stream) {
            serve(connection, &counted.0);
        }
    };
    // Without a thread the connection is closed, too.
    let _ = thread::Builder::new().name("web client".to_owned()).stack_size(STACK).spawn(serve);
}

fn serve(mut connection: Connection, shared: &Shared) {
    let local = connection.local();
    let check = |request: &Request| {
        admit(request, local, shared).map_err(|refusal| readable(request, refusal))
    };
    while let Received::Request(request) = connection.receive(check) {
        if shared.is_stopping.load(Ordering::Relaxed) {
            return;
        }
        let path = path_behind_token(&request, shared).unwrap_or_default();
        match reply(&request, path, &shared.services) {
            Reply::Whole(response) => {
                if !connection.send(&readable(&request, response)) {
                    return;
                }
            }
            Reply::Events(events) => return stream(&mut connection, events, shared),
        }
    }
}

/// Admits requests that come from the own page and have the token. This is decided by the head
/// alone, so that no other client can make the server read a body.
///
/// # Errors
///
/// The answer to a request that is refused.
fn admit(request: &Request, local: SocketAddr, shared: &Shared) -> Result<(), Response> {
    guard::check(request, local)?;
    if path_behind_token(request, shared).is_some() {
        return Ok(());
    }
    let page = || Err(Response::redirect(&format!("/{}/", shared.token)));
    match first_part(&request.path) {
        Some((OPEN, ticket)) if take_ticket(ticket, shared) => page(),
        // The address without its last slash, as it is often copied.
        None if request.path.strip_prefix('/').is_some_and(|text| shared.token.is(text)) => page(),
        _ => {
            let message = "open the whole address that 'cannonade web' prints: it ends with a key";
            Err(Response::error(StatusCode::Forbidden, message))
        }
    }
}

/// Returns the part of the path after the token, if the request has it.
fn path_behind_token<'a>(request: &'a Request, shared: &Shared) -> Option<&'a str> {
    let (token, path) = first_part(&request.path)?;
    shared.token.is(token).then_some(path)
}

/// Returns the first part of a path and the rest.
fn first_part(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix('/')?.split_once('/')
}

/// Returns whether the text is the ticket, which is then used up.
fn take_ticket(text: &str, shared: &Shared) -> bool {
    shared.ticket.lock().take_if(|ticket| ticket.is(text)).is_some()
}

/// Sends the events of a search, each as a line of JSON, until it ends or the page goes. An empty line
/// is a sign of life.
fn stream(connection: &mut Connection, events: EventStream, shared: &Shared) {
    if connection.begin_events() {
        send_events(connection, &events, shared);
    }
    drop(events);
    shared.services.send(EngineMessage::Review);
}

fn send_events(connection: &mut Connection, events: &EventStream, shared: &Shared) {
    while !shared.is_stopping.load(Ordering::Relaxed)
        && let Some(found) = events.next(SIGN_OF_LIFE)
    {
        let lines: Vec<String> =
            found.iter().filter_map(|event| serde_json::to_string(event).ok()).collect();
        if connection.is_closed() || !connection.send_lines(&format!("{}\n", lines.join("\n"))) {
            return;
        }
        thread::sleep(EVENT_PAUSE);
    }
}

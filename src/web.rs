//! `cannonade web`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use cannonade_tables::user_data;
use cannonade_web::{ExportError, Server, ServerError, ServerSettings, export};
use clap::Args;

use super::Failure;
use super::flags::{table_source, whole, within_bounds};
use super::interrupt::on_interrupt;
use super::output::{Output, print_error};

#[derive(Args)]
#[command(after_help = "\
The first line of the output is the address of the page. Its last part is a key; anyone who has it
can use the board. Ctrl-C ends the server.

Examples:
  cannonade web
  cannonade web --port 8800 --no-open --threads 4 --hash 256
  cannonade web --export site")]
pub(super) struct Arguments {
    /// The port [default: 7790, or another one if it is not free]
    #[arg(long, value_parser = whole::<u16>(0..=u16::MAX))]
    port: Option<u16>,
    /// The address to listen on; only this machine can reach the default
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Threads of the engine [default: the cores of the machine but one]
    #[arg(long, value_parser = within_bounds("Threads"))]
    threads: Option<u32>,
    /// Size of the engine's hash table in MiB
    #[arg(long, default_value_t = 128, value_name = "MIB", value_parser = within_bounds("Hash"))]
    hash: u32,
    /// Folder of the engine's endgame tables; `none`: the built-in ones only [default: one in the
    /// user's data folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Keep the games in this folder [default: one in the user's data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_games")]
    games: Option<PathBuf>,
    /// Keep no games: they end with the server
    #[arg(long)]
    no_games: bool,
    /// Write the page with the engine inside it, as files for any host, to this folder instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["port", "address", "no_open", "threads", "hash", "tables", "games", "no_games"])]
    export: Option<PathBuf>,
    /// The npm package with the module for --export [default: wasm/package or
    /// node_modules/cannonade]
    #[arg(long, value_name = "DIR", requires = "export")]
    module: Option<PathBuf>,
}

impl Arguments {
    /// Returns the folder of kept games; nothing if there shall be none, or the system names no
    /// folder.
    fn games_folder(&self) -> Option<PathBuf> {
        if self.no_games { None } else { self.games.clone().or_else(|| user_data::folder("games")) }
    }
}

/// The port if it is free and no other is wanted: browsers keep the settings of the page for each
/// port.
const USUAL_PORT: u16 = 7790;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.export {
        let written = export(folder, arguments.module.as_deref());
        let bytes = written.map_err(|error| match error {
            ExportError::File { .. } => Failure::Work(error.into()),
            ExportError::NoModule(_)
            | ExportError::OtherVersion { .. }
            | ExportError::Script(_) => Failure::input(error),
        })?;
        let mut out = Output::new();
        out.line(format!("{}: {:.1} MB", folder.display(), bytes as f64 / 1e6));
        return out.finish();
    }
    let mut settings = ServerSettings {
        address: arguments.address,
        port: arguments.port.unwrap_or(USUAL_PORT),
        threads: arguments.threads.map_or_else(default_threads, |threads| threads as usize),
        hash_mib: arguments.hash as usize,
        tables: table_source(arguments.tables.as_deref()),
        games: arguments.games_folder(),
    };
    let mut bound = bind(&settings, arguments.port.is_none());
    if let Err(error @ ServerError::Games { .. }) = &bound
        && arguments.games.is_none()
    {
        print_error(format_args!("note: {error}; games end with the server"));
        settings.games = None;
        bound = bind(&settings, arguments.port.is_none());
    }
    let server = bound.map_err(|error| match error {
        ServerError::Engine(_) => Failure::input(error),
        ServerError::Listen { .. } | ServerError::Random(_) | ServerError::Games { .. } => {
            Failure::Work(error.into())
        }
    })?;
    if let Some(warning) = server.warning() {
        print_error(format_args!("warning: {warning}"));
    }
    let stopper = server.stopper();
    on_interrupt(move || stopper.stop())?;
    let mut out = Output::new();
    out.line(server.url());
    if arguments.no_open {
        print_error(HOW_TO_OPEN);
    }
    if !settings.address.is_loopback() {
        print_error(
            "note: other machines can reach this server, and what they send is not encrypted",
        );
    }
    if !arguments.no_open {
        open_browser(&server.opening_url().map_err(anyhow::Error::from)?);
    }
    server.run();
    out.finish()
}

/// Listens on the port, or on any that is free if that one is taken and another will do.
fn bind(settings: &ServerSettings, takes_any_port: bool) -> Result<Server, ServerError> {
    match Server::bind(settings) {
        Err(error @ ServerError::Listen { .. }) if takes_any_port => {
            match Server::bind(&ServerSettings { port: 0, ..settings.clone() }) {
                // No port will do.
                Err(ServerError::Listen { .. }) => Err(error),
                bound => bound,
            }
        }
        bound => bound,
    }
}

/// Returns the cores but one, which is left to the browser.
fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1))
}

/// What the address is for, if no browser opens it.
const HOW_TO_OPEN: &str = "Open this address in a browser to play and analyse; Ctrl-C here ends the \
                           server.";

/// Asks the system to open the address in the user's browser. Without one the user opens it by
/// hand.
fn open_browser(url: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(url);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        // Some systems keep the process as long as the browser lives.
        Ok(mut child) => drop(thread::Builder::new().spawn(move || {
            if child.wait().is_ok_and(|status| !status.success()) {
                print_error(HOW_TO_OPEN);
            }
        })),
        Err(_) => print_error(HOW_TO_OPEN),
    }
}

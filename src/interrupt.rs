//! Ctrl-C and requests to end the process.

use std::time::{Duration, Instant};

/// Signals that come sooner after the first are the same request: `timeout` sends two.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Calls `stop` at the first Ctrl-C, SIGTERM or SIGHUP. A later one ends the process at once with
/// exit code 130, since it may be waiting for something outside, such as the reader of a pipe.
///
/// # Errors
/// If the system refuses a handler.
#[allow(clippy::exit, reason = "the other threads may be blocked")]
pub(super) fn stop_on_interrupt(mut stop: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    let mut first = None;
    on_interrupt(move || match first {
        None => {
            first = Some(Instant::now());
            stop();
        }
        Some(first) if first.elapsed() < SAME_REQUEST => {}
        Some(_) => std::process::exit(130),
    })
}

/// Calls `action` at each Ctrl-C, SIGTERM or SIGHUP, instead of ending the process. Can be set
/// once.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(not(target_family = "wasm"))]
pub(super) fn on_interrupt(action: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    use anyhow::Context as _;

    ctrlc::set_handler(action).context("cannot listen for Ctrl-C")
}

/// Does nothing: this platform has no signals.
#[cfg(target_family = "wasm")]
pub(super) fn on_interrupt(_action: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    Ok(())
}

/// Calls `action` at each Ctrl-C, SIGTERM or SIGHUP, instead of ending the process; with `true` for
/// a request to end, which Ctrl-C is not. Can be set once. Where the system does not tell them
/// apart, all are Ctrl-C.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(unix)]
pub(super) fn on_signal(mut action: impl FnMut(bool) + Send + 'static) -> anyhow::Result<()> {
    use anyhow::Context as _;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let refused = "cannot listen for Ctrl-C";
    let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]);
    let mut signals = signals.context(refused)?;
    let listen = move || signals.forever().for_each(|signal| action(signal != SIGINT));
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context(refused)?;
    Ok(())
}

/// Calls `action` at each Ctrl-C, instead of ending the process. Can be set once.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(not(unix))]
pub(super) fn on_signal(mut action: impl FnMut(bool) + Send + 'static) -> anyhow::Result<()> {
    on_interrupt(move || action(false))
}

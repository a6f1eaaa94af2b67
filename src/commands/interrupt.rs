//! Ctrl-C and requests to end the process.

/// Calls `action` at each Ctrl-C, SIGTERM or SIGHUP, instead of ending the process. Can be set once.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(not(target_family = "wasm"))]
pub(super) fn on_interrupt(action: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    use anyhow::Context as _;

    ctrlc::set_handler(action).context("cannot listen for Ctrl-C")
}

/// There are no signals on this platform.
#[cfg(target_family = "wasm")]
pub(super) fn on_interrupt(_action: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    Ok(())
}

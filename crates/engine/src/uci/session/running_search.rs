//! State of the work in progress.

/// State between `go` and `bestmove`.
#[derive(Default)]
pub(super) struct RunningSearch {
    /// True if only `stop` ends it.
    pub(super) endless: bool,
    /// True if only `stop` ends it after `ponderhit`.
    pub(super) endless_after_hit: bool,
    pub(super) draw_offered: bool,
    pub(super) has_clock: bool,
    /// True if a principal variation was reported.
    pub(super) reported: bool,
    /// True if the client has sent `stop`, or a `go` that ends an endless search.
    pub(super) stopped: bool,
}

//! The work that goes on.

/// What is going on between `go` and `bestmove`.
#[derive(Default)]
pub(super) struct RunningSearch {
    /// Whether it ends only by `stop`.
    pub(super) endless: bool,
    /// The same after `ponderhit`.
    pub(super) endless_after_hit: bool,
    pub(super) draw_offered: bool,
    pub(super) has_clock: bool,
    /// Whether the position was refused, so that there is nothing to search.
    pub(super) refused: bool,
    /// Whether a principal variation was reported.
    pub(super) reported: bool,
    /// Whether the client has sent `stop`.
    pub(super) stopped: bool,
}

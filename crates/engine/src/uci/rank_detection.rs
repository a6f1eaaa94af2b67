//! Detection of whether the client counts ranks from 0 or from 1.
//!
//! A move that is legal in one reading only is a proof (from the starting position every first move
//! is). Without moves there are hints. `UCI_Variant` alone means nothing: uci2wb sends it and
//! counts from 0. Clients that count from 1 send `UCI_Chess960` besides it (liground), or `clear
//! hash` in small letters (variantfishtest; a client that reads the names of the options writes
//! `Clear Hash`); uci2wb and UCI-Cyclone clients leave fields of the FEN out.

use xiangqi::notation::Ranks;

use super::Protocol;

/// Evidence about the client's coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankDetection {
    /// Shown by a move, or by a FEN as only clients with ranks from 0 send it.
    found: Option<Ranks>,
    variant_sent: bool,
    chess_option_sent: bool,
}

impl RankDetection {
    /// Returns the likely coordinates of the client.
    pub(super) fn likely(self, protocol: Protocol) -> Ranks {
        let hinted = self.variant_sent && self.chess_option_sent && protocol == Protocol::Uci;
        self.found.unwrap_or(if hinted { Ranks::FromOne } else { Ranks::FromZero })
    }

    /// Notes an option, by its name as the client writes it.
    pub(super) fn note_option(&mut self, name: &str) {
        let is = |other: &str| name.trim().eq_ignore_ascii_case(other);
        self.variant_sent |= is("UCI_Variant");
        self.chess_option_sent |= is("UCI_Chess960") || name.trim() == "clear hash";
    }

    /// Notes a position with a valid but incomplete FEN.
    pub(super) fn note_short_fen(&mut self) {
        self.found.get_or_insert(Ranks::FromZero);
    }

    /// Notes moves to search, or not to search, that are legal in this reading only. They prove
    /// less than those of a game: a client may send illegal ones.
    pub(super) fn note_root_moves(&mut self, ranks: Ranks) {
        self.found.get_or_insert(ranks);
    }

    /// Returns whether moves or a FEN have shown the coordinates.
    pub(super) fn is_found(self) -> bool {
        self.found.is_some()
    }

    /// Notes the reading in which moves were legal.
    pub(super) fn note_moves(&mut self, ranks: Ranks) {
        self.found = Some(ranks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(options: &[&str]) -> RankDetection {
        let mut detection = RankDetection::default();
        for option in options {
            detection.note_option(option);
        }
        detection
    }

    #[test]
    fn the_variant_option_alone_decides_nothing() {
        for (options, expected) in [
            (&[][..], Ranks::FromZero),
            (&["UCI_Variant"], Ranks::FromZero),
            (&["Clear Hash"], Ranks::FromZero),
            (&["UCI_Variant", "UCI_Chess960"], Ranks::FromOne),
            (&["UCI_Variant", "clear hash"], Ranks::FromOne),
            (&["UCI_Variant", "Clear Hash"], Ranks::FromZero),
        ] {
            let detection = after(options);
            assert_eq!(detection.likely(Protocol::Uci), expected, "{options:?}");
            assert_eq!(detection.likely(Protocol::Ucci), Ranks::FromZero, "{options:?}");
        }
    }

    #[test]
    fn moves_outweigh_hints() {
        let mut detection = after(&["UCI_Variant", "UCI_Chess960"]);
        detection.note_moves(Ranks::FromZero);
        assert_eq!(detection.likely(Protocol::Uci), Ranks::FromZero);
        detection.note_moves(Ranks::FromOne);
        detection.note_short_fen();
        assert_eq!(detection.likely(Protocol::Uci), Ranks::FromOne);
        let mut adapter = after(&["UCI_Variant", "clear hash"]);
        adapter.note_short_fen();
        assert_eq!(adapter.likely(Protocol::Uci), Ranks::FromZero);
    }
}

//! Text of all replies, in each protocol.

use std::fmt::Write as _;

use xiangqi::board::Move;
use xiangqi::notation::Ranks;

use crate::search::{Bound, CurrentMove, ProbeResult, PvInfo, Score, win_draw_loss};
use crate::{OPTIONS, OptionKind, OptionRow, build_name};

/// Protocol of the client. UCI-Cyclone is UCI with commands that both understand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// Universal Chess Interface.
    #[default]
    Uci,
    /// Universal Chinese Chess Protocol 3.0 (xqbase, 2007).
    Ucci,
}

/// Form of moves and scores: protocol and coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ReplyFormat {
    pub(super) protocol: Protocol,
    pub(super) ranks: Ranks,
}

/// Addition of a UCCI engine to its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    /// No addition.
    None,
    /// It accepts the draw.
    Draw,
    /// It resigns.
    Resign,
}

impl Protocol {
    /// Returns the lines that answer `uci` or `ucci`.
    pub(super) fn handshake(self) -> Vec<String> {
        let mut lines = Vec::new();
        match self {
            Protocol::Uci => {
                lines.push(format!("id name Cannonade {}", build_name()));
                lines.push("id author the Cannonade developers".to_owned());
            }
            Protocol::Ucci => {
                lines.push("id name Cannonade".to_owned());
                lines.push(format!("id version {}", build_name()));
                lines.push("id copyright MIT licence".to_owned());
                lines.push("id author the Cannonade developers".to_owned());
            }
        }
        lines.extend(OPTIONS.iter().filter_map(|option| self.option(option)));
        lines.push(match self {
            Protocol::Uci => "uciok".to_owned(),
            Protocol::Ucci => "ucciok".to_owned(),
        });
        lines
    }

    fn option(self, option: &OptionRow) -> Option<String> {
        let name = match self {
            Protocol::Uci => format!("name {}", option.uci?),
            Protocol::Ucci => option.ucci?.to_owned(),
        };
        let kind = match option.kind {
            OptionKind::Check { default, .. } => format!("check default {default}"),
            OptionKind::Spin { default, min, max, .. } => match self {
                Protocol::Uci => format!("spin default {default} min {min} max {max}"),
                Protocol::Ucci => format!("spin min {min} max {max} default {default}"),
            },
            OptionKind::Combo { choices, .. } => {
                let default = choices.first().copied().unwrap_or_default();
                let vars = choices.iter().fold(String::new(), |vars, var| vars + " var " + var);
                match self {
                    Protocol::Uci => format!("combo default {default}{vars}"),
                    Protocol::Ucci => format!("combo{vars} default {default}"),
                }
            }
            OptionKind::Button => "button".to_owned(),
            OptionKind::Text { .. } => match self {
                Protocol::Uci => "string default <empty>".to_owned(),
                Protocol::Ucci => "string default".to_owned(),
            },
        };
        Some(format!("option {name} type {kind}"))
    }

    /// Returns a message for people.
    pub(super) fn message(self, text: &str) -> String {
        match self {
            Protocol::Uci => format!("info string {text}"),
            Protocol::Ucci => format!("info message {text}"),
        }
    }

    /// Returns the static evaluation, the answer to `go depth 0`.
    pub(super) fn static_score(self, score: Score) -> String {
        match self {
            Protocol::Uci => format!("info depth 0 score {}", uci_score(score)),
            Protocol::Ucci => format!("info depth 0 score {}", ucci_score(score)),
        }
    }

    /// Returns the answer if there is no legal move.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Protocol::Uci => "bestmove (none)",
            Protocol::Ucci => "nobestmove",
        }
    }
}

impl ReplyFormat {
    /// Returns the line of a principal variation; `None` if the protocol has no form for it. Every
    /// line has the same words in the same order, because clients wait for some of them. `wdl_of`
    /// is the number of pieces at the root if the chances of win, draw and loss are to be written.
    pub(super) fn report(self, report: &PvInfo, wdl_of: Option<usize>) -> Option<String> {
        let PvInfo { depth, sel_depth, multi_pv, nodes, hashfull, tb_hits, .. } = report;
        let mut line = format!("info depth {depth} seldepth {sel_depth} multipv {multi_pv} ");
        match self.protocol {
            Protocol::Uci => {
                let _ = write!(line, "score {}", uci_score(report.score));
                line.push_str(match report.bound {
                    Bound::Exact => "",
                    Bound::Lower => " lowerbound",
                    Bound::Upper => " upperbound",
                });
                if let Some(pieces) = wdl_of {
                    let [win, draw, loss] = win_draw_loss(report.score, pieces);
                    let _ = write!(line, " wdl {win} {draw} {loss}");
                }
            }
            // UCCI knows no bounds; a wrong number is worse than none.
            Protocol::Ucci if report.bound != Bound::Exact => return None,
            Protocol::Ucci => {
                let _ = write!(line, "score {}", ucci_score(report.score));
            }
        }
        let (nps, time) = (report.nps(), report.time.as_millis());
        let _ = write!(
            line,
            " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tb_hits} time {time}"
        );
        if !report.pv.is_empty() {
            line.push_str(" pv");
            for mv in &report.pv {
                let _ = write!(line, " {}", self.mv(*mv));
            }
        }
        Some(line)
    }

    /// Returns the root move that is being searched; no UCCI engine sends such a line.
    pub(super) fn current_move(self, current: &CurrentMove) -> Option<String> {
        let CurrentMove { depth, number, .. } = current;
        let mv = self.mv(current.mv);
        let line = || format!("info depth {depth} currmove {mv} currmovenumber {number}");
        (self.protocol == Protocol::Uci).then(line)
    }

    /// Returns the move to play.
    pub(super) fn best_move(self, best: Move, ponder: Option<Move>, offer: Offer) -> String {
        let mut line = format!("bestmove {}", self.mv(best));
        if let Some(ponder) = ponder {
            let _ = write!(line, " ponder {}", self.mv(ponder));
        }
        match (self.protocol, offer) {
            (Protocol::Ucci, Offer::Draw) => line.push_str(" draw"),
            (Protocol::Ucci, Offer::Resign) => line.push_str(" resign"),
            _ => {}
        }
        line
    }

    /// Returns the answer to `probe`.
    pub(super) fn pop_hash(self, found: Option<&ProbeResult>) -> String {
        let mut line = "pophash".to_owned();
        let Some(found) = found else { return line };
        if let Some(mv) = found.mv {
            let _ = write!(line, " bestmove {}", self.mv(mv));
        }
        let bound = format!("{} depth {}", ucci_score(found.score), found.depth);
        if matches!(found.bound, Some(Bound::Lower | Bound::Exact)) {
            let _ = write!(line, " lowerbound {bound}");
        }
        if matches!(found.bound, Some(Bound::Upper | Bound::Exact)) {
            let _ = write!(line, " upperbound {bound}");
        }
        line
    }

    fn mv(self, mv: Move) -> String {
        self.ranks.write(mv)
    }
}

fn uci_score(score: Score) -> String {
    match score {
        Score::Mate(moves) => format!("mate {moves}"),
        other => format!("cp {}", other.centipawns()),
    }
}

/// Converts to the number of UCCI, in which a mate is 30000 less its plies (ElephantEye: 10000).
fn ucci_score(score: Score) -> i32 {
    match score {
        Score::Mate(moves) if moves > 0 => 30_000 - (2 * moves - 1),
        Score::Mate(moves) => -30_000 - 2 * moves,
        other => other.centipawns(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const UCI: ReplyFormat = ReplyFormat { protocol: Protocol::Uci, ranks: Ranks::FromZero };
    const UCCI: ReplyFormat = ReplyFormat { protocol: Protocol::Ucci, ..UCI };

    fn report(score: Score, bound: Bound) -> PvInfo {
        let pv = "h2e2 h9g7".split(' ').filter_map(|mv| mv.parse().ok()).collect();
        let time = Duration::from_millis(90);
        let line = PvInfo::new(5, score, bound, pv);
        PvInfo { sel_depth: 9, nodes: 1234, hashfull: 8, time, ..line }
    }

    #[test]
    fn principal_variations_have_a_fixed_order_in_both_protocols() {
        let exact = report(Score::Cp(17), Bound::Exact);
        let tail = "nodes 1234 nps 13711 hashfull 8 tbhits 0 time 90 pv h2e2 h9g7";
        assert_eq!(
            UCI.report(&exact, None),
            Some(format!("info depth 5 seldepth 9 multipv 1 score cp 17 {tail}"))
        );
        assert_eq!(
            UCCI.report(&exact, Some(32)),
            Some(format!("info depth 5 seldepth 9 multipv 1 score 17 {tail}"))
        );
        let bound = report(Score::Cp(17), Bound::Lower);
        assert_eq!(
            UCI.report(&bound, None),
            Some(format!("info depth 5 seldepth 9 multipv 1 score cp 17 lowerbound {tail}"))
        );
        assert_eq!(UCCI.report(&bound, None), None);
    }

    #[test]
    fn moves_are_written_in_the_coordinates_of_the_client() {
        let format = ReplyFormat { ranks: Ranks::FromOne, ..UCI };
        let exact = report(Score::Cp(17), Bound::Exact);
        let line = format.report(&exact, None).expect("a line");
        assert!(line.ends_with(" pv h3e3 h10g8"), "{line}");
        let [best, ponder] = exact.pv[..] else { panic!("two moves") };
        assert_eq!(format.best_move(best, Some(ponder), Offer::None), "bestmove h3e3 ponder h10g8");
        let found = ProbeResult { mv: Some(best), score: Score::Cp(3), bound: None, depth: 4 };
        assert_eq!(format.pop_hash(Some(&found)), "pophash bestmove h3e3");
    }

    #[test]
    fn the_current_root_move_is_sent_in_uci_only() {
        let current = CurrentMove { depth: 9, mv: "h2e2".parse().expect("a move"), number: 3 };
        let line = "info depth 9 currmove h2e2 currmovenumber 3";
        assert_eq!(UCI.current_move(&current).as_deref(), Some(line));
        assert_eq!(UCCI.current_move(&current), None);
    }

    #[test]
    fn mates_are_moves_in_uci_and_plies_in_ucci() {
        for (moves, plies) in [(1, 29_999), (3, 29_995), (0, -30_000), (-1, -29_998), (-2, -29_996)]
        {
            assert_eq!(uci_score(Score::Mate(moves)), format!("mate {moves}"));
            assert_eq!(ucci_score(Score::Mate(moves)), plies);
        }
    }

    #[test]
    fn handshakes_fit_the_buffers_and_splitters_of_clients() {
        for protocol in [Protocol::Uci, Protocol::Ucci] {
            for line in protocol.handshake() {
                assert!(line.len() < 200, "{line}");
                let combo = line.split_once(" type combo").map(|(_, values)| values);
                let first = combo.and_then(|values| values.split("var ").nth(1));
                let default = combo.and_then(|values| values.split("default ").nth(1));
                let word =
                    |text: Option<&str>| text.and_then(|t| t.split(' ').next().map(str::to_owned));
                assert_eq!(word(first), word(default), "the default comes first: {line}");
            }
        }
        let ucci = Protocol::Ucci.handshake();
        assert!(ucci.iter().any(|line| line == "option usemillisec type check default false"));
        assert!(ucci.iter().all(|line| !line.contains("option name")), "{ucci:#?}");
        let uci = Protocol::Uci.handshake();
        let variant = "option name UCI_Variant type combo default xiangqi var xiangqi";
        assert!(uci.iter().any(|line| line == variant));
    }
}

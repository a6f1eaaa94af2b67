//! Positions and moves as the client writes them, in the coordinates that it uses.

use std::io::{self, Write};

use xiangqi::board::{Move, Position};
use xiangqi::notation::Ranks;

use super::Session;
use crate::uci::rank_detection::RankDetection;
use crate::uci::{Protocol, Setup, SetupError};

impl<W: Write> Session<W> {
    /// Sets the position, or refuses the whole of it if anything is wrong.
    pub(super) fn set_position(&mut self, setup: &Setup) -> io::Result<()> {
        let mut detection = self.rank_detection;
        if setup.has_short_fen() {
            detection.note_short_fen();
        }
        match self.read_setup(setup, detection) {
            Ok((position, ranks)) => {
                if setup.has_moves() {
                    detection.note_moves(ranks);
                }
                self.rank_detection = detection;
                self.engine.set_position(position);
                self.refused = None;
                self.banned.clear();
                Ok(())
            }
            Err(error) => {
                let message = format!("position refused: {error}");
                self.refused = Some(message.clone());
                self.message(&message)
            }
        }
    }

    /// Returns the position for a client with these hints, and the coordinates in which its moves
    /// are legal.
    pub(super) fn read_setup(
        &self,
        setup: &Setup,
        detection: RankDetection,
    ) -> Result<(Position, Ranks), SetupError> {
        match self.engine.options().ranks {
            Some(fixed) => setup.position(fixed).map(|position| (position, fixed)),
            None => setup.position_in_either(detection.likely(self.protocol)),
        }
    }

    /// Returns the moves of the client that are legal in the position.
    pub(super) fn legal_moves(&mut self, words: &[String]) -> Vec<Move> {
        let position = self.engine.position();
        let legal = |ranks: Ranks| -> Vec<Move> {
            let read = words.iter().filter_map(|word| ranks.read(word));
            read.filter(|&mv| position.check_move(mv).is_ok()).collect()
        };
        let likely = self.ranks();
        let (moves, others) = (legal(likely), legal(likely.other()));
        let is_open = self.engine.options().ranks.is_none()
            && self.protocol == Protocol::Uci
            && !self.rank_detection.is_found();
        if is_open && moves.is_empty() && others.len() == words.len() && !words.is_empty() {
            self.rank_detection.note_root_moves(likely.other());
            return others;
        }
        moves
    }

    /// Reports the words that are not moves.
    pub(super) fn name_unreadable(&mut self, command: &str, words: &[String]) -> io::Result<()> {
        let is_move = |word: &&String| {
            Ranks::FromZero.read(word).is_some() || Ranks::FromOne.read(word).is_some()
        };
        let wrong: Vec<&str> =
            words.iter().filter(|word| !is_move(word)).map(String::as_str).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        self.message(&format!("{command}: not a move: {}", wrong.join(" ")))
    }

    pub(super) fn ranks(&self) -> Ranks {
        let fixed = self.engine.options().ranks;
        fixed.unwrap_or_else(|| self.rank_detection.likely(self.protocol))
    }
}

//! Console commands for people: the board, the evaluation, typed moves, and help.

use std::io::{self, Write};

use xiangqi::geometry::Color;

use super::NAME;
use super::session::Session;

impl<W: Write> Session<W> {
    /// Prints the greeting.
    pub(crate) fn greet(&mut self) -> io::Result<()> {
        self.interactive = true;
        self.writer.line(&format!(
            "{NAME}, a xiangqi engine for UCI and UCCI clients; type 'go movetime 1000', 'help' or \
             'quit'"
        ))
    }

    /// Plays a typed move. Returns whether the text is a move.
    pub(crate) fn play_typed_move(&mut self, text: &str) -> io::Result<bool> {
        let ranks = self.ranks();
        let Some(mv) = ranks.read(text) else { return Ok(false) };
        let mut position = self.engine.position().clone();
        match position.check_move(mv) {
            Err(error) => self.message(&error.to_string())?,
            Ok(_) if self.is_searching() => {
                self.message("a search is running; type 'stop' first")?;
            }
            Ok(mv) => {
                position.play_unchecked(mv);
                self.use_position(position);
                self.message(&format!(
                    "played {text}; type 'go movetime 1000' for an answer, 'd' to see the board"
                ))?;
            }
        }
        Ok(true)
    }

    pub(crate) fn help(&mut self) -> io::Result<()> {
        self.writer.lines(HELP.lines())
    }

    pub(crate) fn display(&mut self) -> io::Result<()> {
        let position = self.engine.position();
        let ranks = self.ranks();
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| ranks.square(square)).collect();
        let text = format!(
            "{}\nFen: {}\nKey: {:016X}\nSide: {}\nCheckers: {}",
            position.board().text(ranks.first()),
            position.fen(),
            position.key(),
            position.side(),
            checkers.join(" ")
        );
        self.writer.lines(text.lines())?;
        match self.refused.clone() {
            Some(refused) => self.message(&format!("{refused}; this is the position before it")),
            None => Ok(()),
        }
    }

    /// Prints the value of each piece, which is the loss of evaluation without it, and the sum.
    pub(crate) fn explain_evaluation(&mut self) -> io::Result<()> {
        let score = self.engine.evaluate().centipawns();
        let side = self.engine.position().side();
        let red = if side == Color::Red { score } else { -score };
        self.writer.lines(self.engine.piece_values(self.ranks()).lines())?;
        self.writer.line(&format!("Evaluation: {red:+} centipawns (Red's view)"))
    }
}

const HELP: &str = "\
Cannonade is a xiangqi engine; it is made for graphical clients, over UCI or UCCI.
  uci | ucci                                   the handshake: name, author and options
  setoption name Threads value 2               set an option (UCCI: setoption threads 2)
  position startpos moves h2e2 h9g7            set the position; fen <FEN> instead of startpos
  h2e2                                         play a move
  go movetime 1000 | depth 12 | nodes 100000   search; also wtime btime winc binc movestogo, infinite
  stop                                         stop the search
  go perft 4                                   count move paths
  d, eval, bench                               show the board, the static evaluation, the speed
  quit                                         leave
Run 'cannonade --help' for its other commands.";

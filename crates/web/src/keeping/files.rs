//! The files of the games of one session, and the games that are still to be written.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::mem;

use xiangqi::geometry::Color;

use super::folder::{GameKey, GameSummary, KeptPlace};
use crate::state::{SessionState, Snapshot};

/// The file of a game, and the hash of what was written last.
struct WrittenFile {
    place: KeptPlace,
    content: u64,
}

/// A game with changes that are in no file yet.
pub(crate) struct UnwrittenGame {
    number: u64,
    content: u64,
    pub(crate) summary: GameSummary,
    pub(crate) game: Snapshot,
}

/// The files of the games of a session by the numbers of the games.
#[derive(Default)]
pub(crate) struct KeptFiles {
    files: HashMap<u64, WrittenFile>,
    /// True if the shown game may have unwritten changes.
    is_changed: bool,
    /// Games that were replaced before they were written, and those whose write has failed.
    waiting: Vec<UnwrittenGame>,
    /// The reason why the last write has failed, and its kind.
    problem: Option<(String, io::ErrorKind)>,
}

impl KeptFiles {
    /// Returns the key of the file of a game, if it has one.
    pub(crate) fn key(&self, number: u64) -> Option<GameKey> {
        self.files.get(&number).map(|file| file.place.key.clone())
    }

    /// Returns the file to which a game is to be written, if it has one.
    pub(crate) fn place(&self, game: &UnwrittenGame) -> Option<KeptPlace> {
        self.files.get(&game.number).map(|file| file.place.clone())
    }

    /// Returns whether a write has failed and is to be tried again.
    pub(crate) fn is_unwritten(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns the reason why the last write has failed, and its kind.
    pub(crate) fn problem(&self) -> Option<&(String, io::ErrorKind)> {
        self.problem.as_ref()
    }

    /// Notes that the shown game may have changed.
    pub(crate) fn changed(&mut self) {
        self.is_changed = true;
    }

    /// Notes the file from which the shown game was opened.
    pub(crate) fn opened(&mut self, state: &SessionState, place: KeptPlace) {
        let content = hash(&state.snapshot());
        self.files.insert(state.game().number(), WrittenFile { place, content });
    }

    /// Makes a change; a game that it replaces is written with all changes before it.
    pub(crate) fn guard<T>(
        &mut self,
        state: &mut SessionState,
        change: impl FnOnce(&mut SessionState) -> T,
    ) -> T {
        let before = self.unwritten(state);
        let result = change(state);
        if let Some(before) = before.filter(|before| before.number != state.game().number()) {
            self.wait(before);
        }
        result
    }

    /// Returns the shown game, if it is worth a file and has changes.
    fn unwritten(&self, state: &SessionState) -> Option<UnwrittenGame> {
        let number = state.game().number();
        let known = self.files.get(&number);
        if !self.is_changed || known.is_none() && !state.is_worth_keeping() {
            return None;
        }
        let game = state.snapshot();
        let content = hash(&game);
        let is_new = known.is_none_or(|known| known.content != content);
        is_new.then(|| UnwrittenGame { number, content, summary: summary(state), game })
    }

    /// Lets a game wait for its write, in place of an older state of it.
    fn wait(&mut self, game: UnwrittenGame) {
        self.waiting.retain(|other| other.number != game.number);
        self.waiting.push(game);
    }

    /// Takes the games that are to be written.
    pub(crate) fn take_unwritten(&mut self, state: &SessionState) -> Vec<UnwrittenGame> {
        let mut games = mem::take(&mut self.waiting);
        // The board has the newest state of its game.
        let shown = state.game().number();
        self.is_changed |= games.extract_if(.., |game| game.number == shown).count() > 0;
        games.extend(self.unwritten(state));
        self.is_changed = false;
        games
    }

    /// Notes the result of a write; a game that is not written waits for the next attempt. Returns
    /// whether a page has to show something else.
    pub(crate) fn written(&mut self, game: UnwrittenGame, result: io::Result<KeptPlace>) -> bool {
        let problem = result.as_ref().err().map(|error| (error.to_string(), error.kind()));
        let is_problem_new = problem != self.problem;
        self.problem = problem;
        let Ok(place) = result else {
            self.wait(game);
            return is_problem_new;
        };
        let old_key = self.key(game.number);
        let is_key_new = old_key.as_ref() != Some(&place.key);
        self.files.insert(game.number, WrittenFile { place, content: game.content });
        is_problem_new || is_key_new
    }
}

fn hash(game: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(game).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

/// Returns the game in the list of kept games.
fn summary(state: &SessionState) -> GameSummary {
    let record = state.game().record();
    let tag = |name: &str| record.tag(name).unwrap_or_default().to_owned();
    let player = |side| record.player(side).unwrap_or_default().to_owned();
    GameSummary {
        red: player(Color::Red),
        black: player(Color::Black),
        event: tag("Event"),
        date: tag("Date"),
        result: record.result.text().to_owned(),
        plies: record.main_line().count(),
        fen: state.position().fen(),
        is_going_on: state.contest().is_some() && state.end().is_none(),
    }
}

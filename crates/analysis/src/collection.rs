//! Analyses the games of a collection: several at once, kept in a journal, resumed.

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use cannonade_engine::{OptionError, build_name};
use crossbeam_channel::{Sender, unbounded};
use thiserror::Error;
use xiangqi::records::Game;

use super::{
    GameAnalysis, Journal, JournalError, Order, PositionAnalysis, SearchSettings, Searcher,
    analyse_game,
};

/// The games of a collection and their analyses so far.
#[derive(Debug)]
pub struct CollectionAnalysis<'a> {
    games: &'a [Game],
    /// The indices of the games to analyse.
    selected: Range<usize>,
    settings: &'a SearchSettings,
    order: Order,
    /// Analyses of all games, selected or not.
    analyses: Vec<GameAnalysis>,
    journal: Option<Journal>,
}

/// A report of a running analysis.
#[derive(Clone, Copy, Debug)]
pub enum CollectionEvent<'a> {
    /// A part of the settings could not be used; reported before the first search.
    Warning(&'a OptionError),
    /// A position is analysed.
    Position {
        /// The index of the game.
        game: usize,
        /// Half-moves before the position.
        ply: usize,
        /// The result.
        analysis: &'a PositionAnalysis,
    },
}

/// The reason why an analysis cannot start or continue.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// An option of the engine is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The journal cannot be written.
    #[error("cannot write {}, which holds what is known so far; --resume continues", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The system gives no thread for a further game at the same time.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

/// A finished position: game, ply and analysis.
type Finished = (usize, usize, PositionAnalysis);

impl<'a> CollectionAnalysis<'a> {
    /// Creates an empty analysis of the selected games, a range of indices.
    pub fn new(
        games: &'a [Game],
        selected: Range<usize>,
        settings: &'a SearchSettings,
        order: Order,
    ) -> CollectionAnalysis<'a> {
        let analyses = games.iter().map(unsearched).collect();
        let selected = selected.start.min(games.len())..selected.end.min(games.len());
        CollectionAnalysis { games, selected, settings, order, analyses, journal: None }
    }

    /// Keeps each finding in a journal: in the first of these files that holds an analysis that was
    /// stopped, else in the first one. With `resumes` the analysis goes on from the journal.
    /// Returns whether the journal holds a position.
    ///
    /// # Errors
    ///
    /// If the journal belongs to another analysis, holds one although `resumes` is false, or cannot
    /// be read or written.
    pub fn keep_in(&mut self, files: &[PathBuf], resumes: bool) -> Result<bool, JournalError> {
        let begun = files.iter().find(|file| Journal::is_begun(file));
        let Some(file) = begun.or(files.first()) else { return Ok(false) };
        let task = self.task_name();
        if begun.is_none() || !resumes {
            self.journal = Some(Journal::create(file, &task)?);
            return Ok(false);
        }
        let (journal, known) = Journal::resume(file, &task)?;
        self.journal = Some(journal);
        for ((game, ply), found) in known {
            self.insert(game, ply, found);
        }
        if self.settings.is_reproducible() {
            // An incomplete game is analysed from its beginning: without the table entries of the
            // earlier searches its rest would get other results than in an uninterrupted run.
            for (game, analysis) in self.games.iter().zip(&mut self.analyses) {
                if !analysis.is_complete() {
                    *analysis = unsearched(game);
                }
            }
        }
        Ok(true)
    }

    /// Returns the analyses of all games, selected or not.
    pub fn analyses(&self) -> &[GameAnalysis] {
        &self.analyses
    }

    /// Returns the indices of the games to analyse.
    pub fn selected(&self) -> Range<usize> {
        self.selected.clone()
    }

    /// Returns the number of positions of the selected games that are not analysed yet.
    pub fn remaining(&self) -> usize {
        let analyses = self.analyses.get(self.selected.clone()).unwrap_or_default();
        analyses.iter().flat_map(|analysis| &analysis.positions).filter(|p| p.is_none()).count()
    }

    /// Searches the positions that are not analysed yet, those of `concurrency` games at the same
    /// time. Returns early when `stop` becomes true.
    ///
    /// # Errors
    /// If an option of the engine is refused, the journal cannot be written or a thread cannot be
    /// started.
    pub fn run(
        &mut self,
        concurrency: usize,
        stop: &Arc<AtomicBool>,
        mut report: impl FnMut(CollectionEvent<'_>),
    ) -> Result<(), CollectionError> {
        let searchers = (0..concurrency.min(self.selected.len()))
            .map(|_| Searcher::new(self.settings, Arc::clone(stop)))
            .collect::<Result<Vec<_>, OptionError>>()?;
        // All of them have the same settings.
        if let Some(warning) = searchers.first().and_then(Searcher::warning) {
            report(CollectionEvent::Warning(warning));
        }
        let (sender, finished) = unbounded();
        let next = AtomicUsize::new(self.selected.start);
        let known = self.analyses.clone();
        let games = self.games.get(..self.selected.end).unwrap_or_default();
        let order = self.order;
        let mut failed = None;
        thread::scope(|scope| {
            let started = searchers.into_iter().try_for_each(|searcher| {
                let (sender, next, known) = (sender.clone(), &next, &known);
                let run = move || work(searcher, order, games, known, next, &sender);
                thread::Builder::new().spawn_scoped(scope, run).map(drop)
            });
            if let Err(error) = started {
                failed = Some(CollectionError::Thread(error));
                stop.store(true, Ordering::Relaxed);
            }
            drop(sender);
            for (game, ply, found) in finished {
                report(CollectionEvent::Position { game, ply, analysis: &found });
                if let Some(journal) = &mut self.journal
                    && let Err(error) = journal.add(game, ply, &found)
                {
                    let path = journal.path().to_owned();
                    failed.get_or_insert(CollectionError::Journal { path, source: error });
                    stop.store(true, Ordering::Relaxed);
                }
                self.insert(game, ply, found);
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Closes the journal, and removes it unless it is still needed: for the rest of the selected
    /// games, or since it holds games that are not selected. Returns its file if it stays.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn close_journal(&mut self) -> io::Result<Option<PathBuf>> {
        let Some(journal) = self.journal.take() else { return Ok(None) };
        let all = self.analyses.iter().enumerate();
        let (selected, others): (Vec<_>, Vec<_>) =
            all.partition(|(index, _)| self.selected.contains(index));
        let is_complete = selected.iter().all(|(_, analysis)| analysis.is_complete());
        let is_begun = selected.iter().any(|(_, analysis)| analysis.is_begun());
        let has_others = others.iter().any(|(_, analysis)| analysis.is_begun());
        if has_others || is_begun && !is_complete {
            return Ok(Some(journal.path().to_owned()));
        }
        journal.remove()?;
        Ok(None)
    }

    fn insert(&mut self, game: usize, ply: usize, found: PositionAnalysis) {
        let analysis = self.analyses.get_mut(game);
        if let Some(slot) = analysis.and_then(|analysis| analysis.positions.get_mut(ply)) {
            *slot = Some(found);
        }
    }

    /// Returns a text that two analyses share if they have the same games, limits, tables and
    /// order, and are made by the same program and network.
    fn task_name(&self) -> String {
        let mut games = crc32fast::Hasher::new();
        for game in self.games {
            games.update(game.start().fen().as_bytes());
            let moves = game.moves().into_iter().flat_map(|mv| mv.code().to_le_bytes());
            games.update(&moves.collect::<Vec<u8>>());
        }
        let (count, games) = (self.games.len(), games.finalize());
        let (settings, order) = (self.settings, self.order);
        let SearchSettings { limits, tables, .. } = settings;
        let build = build_name();
        format!("{count} games {games:08x}, {settings}, {limits:?}, {tables:?}, {order:?}, {build}")
    }
}

/// Returns the empty analysis of a game: without a position if the start has a defect, since scores
/// of such a game would mean nothing.
fn unsearched(game: &Game) -> GameAnalysis {
    match game.start().defect() {
        Some(_) => GameAnalysis { positions: Vec::new() },
        None => GameAnalysis::new(game),
    }
}

/// Analyses one game after another until none is left or the searcher is stopped.
fn work(
    mut searcher: Searcher,
    order: Order,
    games: &[Game],
    known: &[GameAnalysis],
    next: &AtomicUsize,
    finished: &Sender<Finished>,
) {
    while !searcher.is_stopped() {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let (Some(game), Some(known)) = (games.get(index), known.get(index)) else { return };
        if known.is_complete() {
            continue;
        }
        let mut analysis = known.clone();
        searcher.new_game();
        analyse_game(game, &mut searcher, order, &mut analysis, |ply, found| {
            // The receiver lives as long as this thread.
            let _ = finished.send((index, ply, found.clone()));
        });
    }
}

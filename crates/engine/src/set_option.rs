//! Options of the engine that are set from text, and their effects.

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;

use cannonade_tables::TableSource;
use cannonade_tables::free_mebibytes;

use super::facade::Engine;
use super::{OptionEffect, OptionError, Options};
use crate::nnue::{Evaluation, NetworkError};
use crate::search::TranspositionTable;

impl Engine {
    /// Sets an option from text. Waits for a running search to end if the option concerns threads
    /// or memory. Returns the effect, of which [`OptionEffect::OpenLog`] is left to the caller.
    ///
    /// # Errors
    /// If there is no such option, its value does not fit, or the system refuses it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<OptionEffect, OptionError> {
        let old = self.options.clone();
        let effect = self.options.set(name, value)?;
        match effect {
            // Threads may have failed.
            OptionEffect::ResizeWorkers if self.options.threads != self.workers.len() => {
                self.resize_workers()?;
            }
            OptionEffect::ResizeTable if self.options.hash_mib != old.hash_mib => {
                self.resize_table(old.hash_mib)?;
            }
            OptionEffect::ClearTable => self.clear_table(),
            OptionEffect::ForgetValues if self.options != old => self.clear_table(),
            OptionEffect::NewGame => self.new_game(),
            OptionEffect::LoadEvaluation => {
                let evaluation = chosen_evaluation(&self.options).map_err(|error| {
                    self.options.restore_eval_file(&old);
                    let reason = match &error {
                        // The error already names the file.
                        NetworkError::Io { .. } => error.to_string(),
                        _ => format!("{value}: {error}"),
                    };
                    refused("EvalFile", reason, error.system_error())
                })?;
                self.evaluation = OnceCell::from(evaluation);
                // Values found with the old evaluation are of no use.
                self.new_game();
            }
            OptionEffect::LoadTables => self.load_tables(&old)?,
            OptionEffect::LoadBooks => self.load_books(&old)?,
            OptionEffect::None
            | OptionEffect::OpenLog
            | OptionEffect::ResizeWorkers
            | OptionEffect::ResizeTable
            | OptionEffect::ForgetValues => {}
        }
        Ok(effect)
    }

    fn clear_table(&mut self) {
        self.wait();
        self.table.clear();
    }

    /// Opens the tables of the options. Files that are not sound are reported and skipped.
    pub(super) fn load_tables(&mut self, old: &Options) -> Result<(), OptionError> {
        let name = "TablePath";
        let Some(source) = &self.options.tables else {
            // Those of the front end are opened when they are needed.
            self.tables.take();
            return Ok(());
        };
        let opened = match source.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.options.set_tables(old.tables.clone());
                return Err(refused(name, error.to_string(), error.system_error()));
            }
        };
        let problem = match source {
            TableSource::Folder(folder)
                if opened.problems.is_empty() && opened.tables.is_built_in() =>
            {
                Some(format!(
                    "{} holds no endgame tables; only the built-in ones are used",
                    folder.display()
                ))
            }
            _ => opened.problem(),
        };
        self.tables = OnceCell::from(opened.tables);
        problem.map_or(Ok(()), |reason| Err(OptionError::InPart { name, reason }))
    }

    /// Opens the books of the options. Files that are not sound are reported and skipped.
    fn load_books(&mut self, old: &Options) -> Result<(), OptionError> {
        let (opened, errors) = self.books.open(self.options.book_file.as_deref());
        let Some(first) = errors.first() else { return Ok(()) };
        let name = "BookFile";
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let texts = texts.join("; ");
        if opened {
            let reason = format!("{texts}; the other books are used");
            return Err(OptionError::InPart { name, reason });
        }
        self.options.restore_book_file(old);
        let reason = format!("{texts}; the books stay as they were");
        Err(refused(name, reason, first.system_error()))
    }

    fn resize_workers(&mut self) -> Result<(), OptionError> {
        self.wait();
        let (asked, most) = (self.options.threads, self.workers.most());
        self.workers.resize(asked.min(most));
        let given = self.workers.len();
        if given < asked {
            self.options.limit_threads(given);
            let reason = if given == most {
                format!(
                    "{asked} threads would not keep the time on this machine; at most {most} do"
                )
            } else {
                let plural = if given == 1 { "" } else { "s" };
                format!("the system allows only {given} thread{plural}")
            };
            return Err(OptionError::InPart { name: "Threads", reason });
        }
        Ok(())
    }

    fn resize_table(&mut self, old_mebibytes: usize) -> Result<(), OptionError> {
        self.wait();
        self.work = None;
        // The old table is freed before anything is allocated, so that the new one can take its
        // place.
        self.table = Arc::new(TranspositionTable::empty());
        let refused = match allocate_table(self.options.hash_mib) {
            Ok(table) => {
                self.table = table;
                return Ok(());
            }
            Err(reason) => OptionError::Refused { name: "Hash", reason },
        };
        let old = allocate_table(old_mebibytes).map(|table| (old_mebibytes, table));
        let (mebibytes, table) = old.unwrap_or_else(|_| (1, Arc::new(TranspositionTable::new(1))));
        self.options.limit_hash(mebibytes);
        self.table = table;
        Err(refused)
    }
}

/// Returns the refusal of a file, with the error of the system if that is the cause.
fn refused(name: &'static str, reason: String, system: Option<&io::Error>) -> OptionError {
    match system {
        Some(system) => OptionError::Unreadable { name, reason, code: system.raw_os_error() },
        None => OptionError::Refused { name, reason },
    }
}

/// Returns a table whose memory is being provided, or the reason for failure.
fn allocate_table(mebibytes: usize) -> Result<Arc<TranspositionTable>, String> {
    if let Some(available) = free_mebibytes().filter(|&available| available < mebibytes) {
        return Err(format!("{mebibytes} MiB are too much; {available} MiB are free"));
    }
    let table = TranspositionTable::try_new(mebibytes)
        .ok_or_else(|| format!("the system has no memory for {mebibytes} MiB"))?;
    let table = Arc::new(table);
    table.provide_memory();
    Ok(table)
}

/// Loads the evaluation selected by the options.
fn chosen_evaluation(options: &Options) -> Result<Evaluation, NetworkError> {
    options.eval_file.as_deref().map_or_else(|| Ok(Evaluation::default()), Evaluation::find)
}

//! Processor cores of the games that run at the same time.

use std::io;

use thiserror::Error;

/// The reason why games cannot have cores of their own.
#[derive(Debug, Error)]
pub enum CoreShareError {
    /// There are more games than cores.
    #[error("{games} concurrent games need as many cores; this match has {cores}")]
    TooFew {
        /// Games at the same time.
        games: usize,
        /// Cores that this process may use.
        cores: usize,
    },
    /// The system cannot report or set the cores of a thread.
    #[error("the system does not let a program choose its cores")]
    Unsupported(#[source] io::Error),
}

/// Cores for each of the games that run at the same time: neighbours in the numbering of the
/// system, equally many for each game.
#[derive(Clone, Debug)]
pub struct CoreShares(Vec<Vec<usize>>);

impl CoreShares {
    /// Divides the cores that this process may use.
    ///
    /// # Errors
    /// If there are fewer cores than games, or the system cannot do it.
    pub fn new(games: usize) -> Result<CoreShares, CoreShareError> {
        divide(&system::cores().map_err(CoreShareError::Unsupported)?, games)
    }

    /// Lets this thread, and the processes that it starts from now on, run on the cores of a game
    /// only. It changes nothing if the system refuses.
    pub(crate) fn take(&self, game: usize) {
        if let Some(cores) = self.0.get(game) {
            let _ = system::run_on(cores);
        }
    }
}

fn divide(cores: &[usize], games: usize) -> Result<CoreShares, CoreShareError> {
    let each = cores.len() / games.max(1);
    if each == 0 {
        return Err(CoreShareError::TooFew { games, cores: cores.len() });
    }
    Ok(CoreShares(cores.chunks_exact(each).take(games).map(<[usize]>::to_vec).collect()))
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn cores() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
    }

    pub(super) fn run_on(cores: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn cores() -> io::Result<Vec<usize>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn run_on(_cores: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_equally_many_cores_of_its_own() {
        let shares = |cores: &[usize], games| divide(cores, games).map(|shares| shares.0);
        assert_eq!(shares(&[0, 1, 4, 5, 6], 2).expect("shares"), [[0, 1], [4, 5]]);
        assert_eq!(shares(&[3], 1).expect("shares"), [[3]]);
        let error = shares(&[0, 1], 3).expect_err("too few").to_string();
        assert!(error.starts_with("3 concurrent games"), "{error}");
    }
}

//! Processes that outlive their engines: on Linux the match inherits them, in whatever session they
//! are, and ends them.

/// Inherits all processes whose parents end, if the system can do that, and ends them when it is
/// dropped. No engine may run then.
#[derive(Debug)]
pub struct OrphanGuard {
    /// Children that were there before.
    #[cfg(target_os = "linux")]
    others: Vec<rustix::process::Pid>,
}

impl OrphanGuard {
    /// Inherits the processes that become orphans from now on.
    pub fn start() -> OrphanGuard {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        OrphanGuard {
            #[cfg(target_os = "linux")]
            others: system::children(),
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for OrphanGuard {
    fn drop(&mut self) {
        for _ in 0..GENERATIONS {
            let mut orphans = system::children();
            orphans.retain(|child| !self.others.contains(child));
            if orphans.is_empty() {
                break;
            }
            orphans.into_iter().for_each(system::end);
        }
    }
}

/// Rounds in which children of killed processes are inherited and killed.
#[cfg(target_os = "linux")]
const GENERATIONS: usize = 64;

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    use rustix::process::{Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, waitpid};

    /// Returns the processes whose parent this one is and that have left its group. Those of its
    /// group were started by another part of the program.
    pub(super) fn children() -> Vec<Pid> {
        let (own, group) = (getpid().as_raw_pid(), getpgrp().as_raw_pid());
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_child = |id: &i32| {
            parent_and_group(*id).is_some_and(|(parent, of)| parent == own && of != group)
        };
        ids.filter(is_child).filter_map(Pid::from_raw).collect()
    }

    /// Returns the parent and the group of a process; its name before them may contain anything.
    fn parent_and_group(id: i32) -> Option<(i32, i32)> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        let mut numbers = rest.split_whitespace().skip(1).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    }

    pub(super) fn end(process: Pid) {
        // It fails only for one that has ended.
        let _ = kill_process(process, Signal::KILL);
        let _ = waitpid(Some(process), WaitOptions::empty());
    }
}

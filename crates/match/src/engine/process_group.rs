//! The processes of an engine: its program, and those that this has started, as wrapper scripts do.
//! Only Unix has such groups.

use std::process::Child;
use std::time::Duration;

#[cfg(unix)]
use rustix::process::Pid;

/// Returns whether the program has ended. On Unix its status remains to be asked for.
pub(super) fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(id) = number(child) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(id), options), Ok(None))
    }
    #[cfg(not(unix))]
    {
        !matches!(child.try_wait(), Ok(None))
    }
}

/// Kills the program and the other processes.
pub(super) fn kill(child: &Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, kill_process_group};
        // It fails only if no process of the group is left.
        let _ = number(child).map(|group| kill_process_group(group, Signal::KILL));
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// Asks for the status of the other processes after they are killed, if this one has inherited
/// them: until then the system keeps their numbers. Waits no longer than `patience`.
pub(super) fn collect(child: &Child, patience: Duration) {
    #[cfg(unix)]
    {
        use std::thread;
        use std::time::Instant;

        use rustix::process::{WaitOptions, waitpgid};
        let Some(group) = number(child) else { return };
        let deadline = Instant::now() + patience;
        // A process that can be found has passed on its own, so none is left after an error.
        while let Ok(found) = waitpgid(group, WaitOptions::NOHANG) {
            match found {
                Some(_) => {}
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                None => break,
            }
        }
    }
    #[cfg(not(unix))]
    let _ = (child, patience);
}

/// Returns the number of the program, which is that of the group.
#[cfg(unix)]
fn number(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
